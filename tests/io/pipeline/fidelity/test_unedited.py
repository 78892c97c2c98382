"""Clips that nobody has edited are not packed again; what an export says and writes is the same as if all of them were."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support.animator_edits import EDITS, Animator, Edit
from support.odd_edits import ODD, OF_GAMES

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"
GAMES = {"lba": "lba1/walk.anm", "oni": "oni/TRAMmannequin_walk.oni", "oni2": "oni2/Entity/mannequin/mannequin_walk.anim"}


class Stage:
    """A game's sample twice on one armature, in an empty scene: the second one is active, and edited."""

    def __init__(self, part: Part, game: str, folder: Path, **options: Any) -> None:
        self.part, self.game, self.id, self.folder = part, part(f"io.{game}"), game, folder
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        bpy.context.scene.render.fps = 30
        paths = tuple(str(path) for path in self.sources(folder))
        options = {name: value for name, value in options.items() if hasattr(self.game.ImportOptions(paths), name)}
        imported = getattr(self.game, f"import_{game}")(bpy.context, self.game.ImportOptions(paths, **options))
        (self.obj,), (self.first, self.second) = imported.armatures, imported.actions
        bpy.context.view_layer.objects.active = self.obj
        part("io.blender.compat").assign(self.obj, self.second)

    def sources(self, folder: Path) -> Iterator[Path]:
        """The sample under two names, beside what it needs."""
        sample = SAMPLES / GAMES[self.id]
        for path in sample.parent.iterdir():
            if path.is_file():
                (folder / path.name).write_bytes(path.read_bytes())
        for name in ("TRAMone", "TRAMtwo"):
            path = folder / f"{name}{sample.suffix}"
            if self.id == "oni":
                file = self.part("core.oni.files.documents").TramFile
                path.write_bytes(file.new(replace(file.parse(sample.read_bytes()).tram, name=name, atomic_start=2, atomic_end=5)).pack())
            else:
                path.write_bytes(sample.read_bytes())
            yield path

    @property
    def animator(self) -> Animator:
        action = self.obj.animation_data.action
        return Animator(self.obj, lambda: list(self.part("io.blender.compat").curves(action, self.obj)), self.obj.pose.bones[0].name)

    def export(self, folder: Path, **options: Any) -> tuple[Any, dict[str, bytes]]:
        """What is said, or the error, without the folder; and what was written."""
        folder.mkdir(exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        target = folder / f"all{Path(GAMES[self.id]).suffix}"
        try:
            exported = getattr(self.game, f"export_{self.id}")(
                bpy.context, self.game.ExportOptions(str(target), **{"source": "ALL", **options})
            )
        except self.part("core.reporting.errors").RetroAnimError as error:
            return str(error).replace(str(folder), ""), {}
        said = [change.as_json() for change in exported.changes], exported.paths, exported.warnings
        return repr(said).replace(str(folder), ""), {path.name: path.read_bytes() for path in folder.iterdir()}

    @contextmanager
    def packed(self) -> Iterator[list[str]]:
        """The names of the actions that are packed inside."""
        writer, names = self.part(f"io.{self.id}.write").Writer, list[str]()
        own = writer.pack

        def pack(self: Any, obj: Any, action: Any) -> Any:
            names.append(action.name)
            return own(self, obj, action)

        writer.pack = pack
        try:
            yield names
        finally:
            writer.pack = own

    @contextmanager
    def thorough(self) -> Iterator[None]:
        """Whatever is exported inside is packed."""
        unedited = self.part("io.pipeline.fidelity.unedited").Unedited
        own, unedited.item = unedited.item, lambda *_: None
        try:
            yield
        finally:
            unedited.item = own


@pytest.mark.parametrize("game", GAMES)
def test_only_what_is_edited_is_packed(part: Part, game: str, tmp_path: Path) -> None:
    stage = Stage(part, game, tmp_path)
    with stage.packed() as names:
        _, files = stage.export(tmp_path / "out")
        assert names == []
        assert sorted(files.values()) == sorted(path.read_bytes() for path in tmp_path.glob("TRAM*") if path.stem in ("TRAMone", "TRAMtwo"))
        curve = next(curve for curve in stage.animator.curves() if curve.data_path.startswith("pose") and ".rotation" in curve.data_path)
        curve.keyframe_points[0].co[1] += 0.2
        _, edited = stage.export(tmp_path / "out")
        assert names == [stage.second.name]
    assert len(edited) == 2 and set(edited.values()) != set(files.values())


def same_in_either(stage: Stage, folder: Path, **options: Any) -> None:
    """What a quick export says and writes, and one of which everything is packed."""
    quick = stage.export(folder / "out", **options)
    for action in bpy.data.actions:  # none of them remembers where it was written to
        action.pop("retro_anim_written", None)
    with stage.thorough():
        assert quick == stage.export(folder / "out", **options)


EVERY = [(game, what) for game, edits in OF_GAMES.items() for what in edits]
EVERY += [(list(GAMES)[number % len(GAMES)], what) for number, what in enumerate(ODD)]


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "what"), EVERY)
def test_what_takes_part(part: Part, game: str, what: str, tmp_path: Path) -> None:
    stage = Stage(part, game, tmp_path)
    (OF_GAMES[game] | ODD)[what](stage.animator)
    same_in_either(stage, tmp_path)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("lba", {"game": "lba2"}),
        ("lba", {"sampling": "VISUAL"}),
        ("oni", {"reduction": "ANGLE", "max_angle": 0.1}),
        ("oni2", {"kind": "ani"}),
    ],
)
def test_another_form(part: Part, game: str, options: dict[str, Any], tmp_path: Path) -> None:
    same_in_either(Stage(part, game, tmp_path), tmp_path, **options)


@pytest.mark.thorough
@settings(
    max_examples=6,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    edits=st.lists(st.one_of(EDITS, st.sampled_from(list(ODD.values()))), max_size=2),
    imported=st.fixed_dictionaries(
        {
            "root_motion": st.sampled_from(["BONE", "OBJECT", "NONE"]),
            "bone_direction": st.sampled_from(["GAME", "CHILD"]),
            "keys": st.sampled_from(["GAME", "EVERY"]),
            "fps_mode": st.sampled_from(["SET", "KEEP"]),
        }
    ),
    exported=st.fixed_dictionaries({"source": st.sampled_from(["ALL", "ACTIVE"]), "fps_from": st.sampled_from(["SCENE", "IMPORT"])}),
)
@pytest.mark.parametrize("game", GAMES)
def test_random_edits(part: Part, game: str, tmp_path: Path, edits: list[Edit], imported: dict[str, Any], exported: dict[str, Any]) -> None:
    stage = Stage(part, game, tmp_path, **imported)
    for edit in edits:
        edit(stage.animator)
    same_in_either(stage, tmp_path, **exported)
