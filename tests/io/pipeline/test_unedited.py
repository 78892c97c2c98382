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
from support.animator_edits import EDITS, Animator, Edit, bone_of

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
GAMES = {"lba": "lba1/walk.anm", "oni": "oni/TRAMmannequin_walk.oni", "oni2": "oni2/Entity/mannequin/mannequin_walk.anim"}


class Stage:
    """A game's sample twice on one armature, in an empty scene: the second one is active, and edited."""

    def __init__(self, part: Part, game: str, folder: Path, **options: Any) -> None:
        self.part, self.game, self.id, self.folder = part, part(f"io.{game}"), game, folder
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        bpy.context.scene.render.fps = 30
        paths = tuple(str(path) for path in self.sources(folder))
        options = {name: value for name, value in options.items() if name in self.game.ImportOptions._names}
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
                path.write_bytes(file.new(replace(file.parse(sample.read_bytes()).tram, name=name)).pack())
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
        unedited = self.part("io.pipeline.unedited").Unedited
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


def field(name: str, value: Any) -> Edit:
    """Any custom property of an imported action, of any game."""

    def edit(animator: Animator) -> None:
        found = sorted(key for key in animator.action.keys() if name in key)  # noqa: SIM118 - actions are no mappings
        if found:
            before = animator.action[found[0]]
            animator.action[found[0]] = value(before) if callable(value) else value

    return edit


def gone(name: str) -> Edit:
    def edit(animator: Animator) -> None:
        for key in [key for key in animator.action.keys() if name in key][:1]:  # noqa: SIM118
            del animator.action[key]

    return edit


def of_oni(name: str, value: Any) -> Edit:
    """A property of a TRAM, as the panel sets it."""

    def edit(animator: Animator) -> None:
        group = getattr(animator.action, "oni_tram", None)
        if group is not None and group.present:
            setattr(group, name, value)

    return edit


def posed(bone: int, unkeyed: bool) -> Edit:
    def edit(animator: Animator) -> None:
        one = bone_of(animator, bone)
        one.scale[1] = 1.2 if unkeyed else 1.0
        one.location[0] += 0.1

    return edit


def every_curve(name: str, value: Any) -> Edit:
    def edit(animator: Animator) -> None:
        for curve in animator.curves()[2:4]:
            setattr(curve, name, value)

    return edit


def every_key(name: str, value: Any) -> Edit:
    def edit(animator: Animator) -> None:
        for point in animator.curves()[3].keyframe_points:
            setattr(point, name, value)

    return edit


def of(path: str, value: Any) -> Edit:
    """Any property of the object."""

    def edit(animator: Animator) -> None:
        *owners, name = path.split(".")
        owner = animator.obj
        for part in owners:
            owner = getattr(owner, part)
        before = getattr(owner, name)
        setattr(owner, name, value(before) if callable(value) else value)

    return edit


def frame_rate(animator: Animator) -> None:
    bpy.context.scene.render.fps = 24


def parented(animator: Animator) -> None:
    parent = bpy.data.objects.new("parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.keyframe_insert("location", frame=1)
    parent.location = (1, 2, 3)
    parent.keyframe_insert("location", frame=9)
    animator.obj.parent = parent


def in_a_strip(animator: Animator) -> None:
    track = animator.obj.animation_data.nla_tracks.new()
    track.strips.new("over it", 3, bpy.data.actions[0]).blend_type = "ADD"


def one_more_curve(animator: Animator) -> None:
    bone = bone_of(animator, 2)
    bone.scale = (1.0, 1.5, 1.0)
    bone.keyframe_insert("scale", frame=3)


def without_a_curve(animator: Animator) -> None:
    bone_of(animator, 1).keyframe_delete("rotation_euler" if bone_of(animator, 1).rotation_mode != "QUATERNION" else "rotation_quaternion")


def rest_moved(animator: Animator) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    bones = animator.obj.data.edit_bones
    bones[min(2, len(bones) - 1)].head[0] += 0.3
    bpy.ops.object.mode_set(mode="OBJECT")


def bone_renamed(animator: Animator) -> None:
    bone_of(animator, 2).name = "another name"


def copied(animator: Animator) -> None:
    animator.action.copy().use_fake_user = True


def source_spoiled(animator: Animator) -> None:
    text = animator.action["retro_anim_source"]
    for key in [key for key in text.keys() if key != "path"]:  # noqa: SIM118
        text[key] = bytes(text[key])[:-9]


def another_source(animator: Animator) -> None:
    """As after a mistake under Custom Properties: what the other action came from, unless all of it is alike."""
    other = next(action for action in bpy.data.actions if action != animator.action)
    animator.action["retro_anim_source"] = other["retro_anim_source"]


def marker_moved(animator: Animator) -> None:
    for marker in list(animator.action.pose_markers)[:1]:
        marker.frame += 2


def baked(animator: Animator) -> None:
    for curve in animator.curves()[:1]:
        curve.convert_to_samples(1, 12)


MORE: dict[str, Edit] = {
    "a loop frame": field("loop_frame", lambda before: before + 1),
    "a first step": field("first_step", lambda before: [each + 1 for each in before]),
    "word 3": field("word3", lambda before: before + 1),
    "a stride": field("stride", lambda before: [each + 1 for each in before]),
    "flags": field("flags", "0x80000000"),
    "a field of no number": field("fps", "many"),
    "a field of text": field("bone_count", "many"),
    "another rate": field("retro_anim_fps", 12.0),
    "another start": field("frame_start", 5.0),
    "another placement": field("placement", [1.0] * 9),
    "another root motion": field("root_motion", "NONE"),
    "no placement": gone("placement"),
    "no channels": gone("oni2_channels"),
    "no source": gone("retro_anim_source"),
    "another game": field("lba_game", "lba2"),
    "a shortcut": of_oni("atomic_end", 3),
    "a vector": of_oni("max_distance", 7.5),
    "a name": of_oni("name", "TRAMother"),
    "a pose": posed(3, unkeyed=True),
    "a pose that is keyed": posed(1, unkeyed=False),
    "extrapolation": every_curve("extrapolation", "LINEAR"),
    "mute": every_curve("mute", value=True),
    "a key type": every_key("type", "EXTREME"),
    "generated keys": every_key("type", "JITTER"),
    "frames that are off": every_key("co", (3.0, 0.0)),
    "scaled": of("scale", (1.0, 2.0, 1.0)),
    "scaled alike": of("scale", (2.0, 2.0, 2.0)),
    "elsewhere": of("location", (3.0, 2.0, 1.0)),
    "delta": of("delta_rotation_euler", (0.0, 0.4, 0.0)),
    "another order": of("rotation_mode", "XYZ"),
    "armature at rest": of("data.pose_position", "REST"),
    "another influence": of("animation_data.action_influence", 0.5),
    "renamed": of("animation_data.action.name", "TRAMrenamed"),
    "a shorter range": of("animation_data.action.frame_end", lambda before: before - 2),
    "no range": of("animation_data.action.use_frame_range", value=False),
    "cyclic": of("animation_data.action.use_cyclic", lambda before: not before),
    "rate": frame_rate,
    "parent": parented,
    "strip": in_a_strip,
    "more": one_more_curve,
    "less": without_a_curve,
    "rest": rest_moved,
    "bone renamed": bone_renamed,
    "copied": copied,
    "spoiled": source_spoiled,
    "another source": another_source,
    "marker": marker_moved,
    "samples": baked,
}


def same_in_either(stage: Stage, folder: Path, **options: Any) -> None:
    """What a quick export says and writes, and one of which everything is packed."""
    with stage.thorough():
        expected = stage.export(folder / "out", dry_run=True, **options)
    assert stage.export(folder / "out", dry_run=True, **options) == expected
    with stage.thorough():
        expected = stage.export(folder / "out", **options)
    for action in bpy.data.actions:  # none of them remembers where it was written to
        action.pop("retro_anim_written", None)
    assert stage.export(folder / "out", **options) == expected


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("what", MORE)
def test_everything_that_takes_part(part: Part, game: str, what: str, tmp_path: Path) -> None:
    stage = Stage(part, game, tmp_path)
    MORE[what](stage.animator)
    same_in_either(stage, tmp_path)


@settings(max_examples=12, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(
    edits=st.lists(st.one_of(EDITS, st.sampled_from(list(MORE.values()))), max_size=2),
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
def test_random_edits(
    part: Part, game: str, tmp_path: Path, edits: list[Edit], imported: dict[str, Any], exported: dict[str, Any]
) -> None:
    stage = Stage(part, game, tmp_path, **imported)
    for edit in edits:
        edit(stage.animator)
    same_in_either(stage, tmp_path, **exported)
