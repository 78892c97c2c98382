"""Objects of Oni (OBAN) edited in Blender: what stands in the file is where the object is seen in the world."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

Part = Callable[[str], ModuleType]
AXES = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
"""The game's axes -> Blender's."""


@pytest.fixture
def van(part: Part, game_file: Callable[[str], Path]) -> Any:
    """The object of an OBAN with keys at frames 0 and 500."""
    bpy.context.scene.render.fps = 60
    return fetched(part, game_file)


def fetched(part: Part, game_file: Callable[[str], Path], **options: Any) -> Any:
    oni = part("io.oni")
    built = oni.import_oni(bpy.context, oni.ImportOptions((str(game_file("oni/instances/OBANBlackvan_FB_wiki.oni")),), **options))
    return built.objects[0] if built.objects else bpy.context.view_layer.objects.active


def record_of(part: Part, obj: Any, path: Path, **options: Any) -> Any:
    oni = part("io.oni")
    bpy.context.view_layer.objects.active = obj
    oni.export_oni(bpy.context, oni.ExportOptions(str(path), **options))
    return part("core.oni.files.documents").ObanFile.parse(path.read_bytes()).oban


def apart(part: Part, record: Any, obj: Any, frames: Any) -> float:
    """The largest difference between the object's world matrix at frames of the game and what the record says, game units."""
    worst = 0.0
    for frame in frames:
        bpy.context.scene.frame_set(int(np.floor(frame + 1)), subframe=frame % 1)
        shown = np.array(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)
        shown[:3, 3] /= 0.1
        worst = max(worst, float(np.abs(AXES @ part("core.oni.motion.object_motion").matrix_at(record, frame, "nlerp") - shown).max()))
    return worst


def test_edited_ticks_are_written_and_nothing_else(van: Any, part: Part, tmp_path: Path, game_file: Any) -> None:
    before = part("core.oni.files.documents").ObanFile.parse(game_file("oni/instances/OBANBlackvan_FB_wiki.oni").read_bytes()).oban
    van.animation_data.action.oni_oban.ticks = 7
    after = record_of(part, van, tmp_path / "out.oni")
    assert (before.ticks, after.ticks) == (80, 7)
    for name in ("keys", "length", "initial", "base", "flags", "half_stop"):
        assert part("core.files.document").same(getattr(after, name), getattr(before, name)), name


def parent(obj: Any, **values: Any) -> Any:
    other = bpy.data.objects.new("platform", None)
    bpy.context.scene.collection.objects.link(other)
    for name, value in values.items():
        setattr(other, name, value)
    obj.parent = other
    return other


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_a_parent_that_stands_elsewhere(van: Any, part: Part, tmp_path: Path, sampling: str) -> None:
    parent(van, location=(3, -4, 5), rotation_euler=(0.2, 0.3, 1.1), scale=(2, 2, 2))
    record = record_of(part, van, tmp_path / "out.oni", sampling=sampling)
    assert apart(part, record, van, (0, 500)) < 0.02
    assert np.abs(np.linalg.norm(record.base[:3], axis=1) - 3.64).max() < 1e-3, "twice as large"


def test_a_parent_that_was_there_before_is_where_it_was(part: Part, tmp_path: Path, game_file: Any) -> None:
    """The active object of an import keeps its parent, goes where the game has it, and goes out as it came in."""
    source = game_file("oni/instances/OBANBlackvan_FB_wiki.oni")
    obj = bpy.data.objects.new("van", None)
    bpy.context.scene.collection.objects.link(obj)
    other = parent(obj, location=(3, -4, 5), rotation_euler=(0.2, 0.3, 1.1))
    bpy.context.view_layer.objects.active = obj
    fetched(part, game_file, target="ACTIVE")
    assert obj.parent == other
    record = record_of(part, obj, tmp_path / "out.oni")
    assert (tmp_path / "out.oni").read_bytes() == source.read_bytes()
    assert apart(part, record, obj, (0, 250, 500)) < 0.02


def test_a_local_one_is_in_the_space_of_its_parent(van: Any, part: Part, tmp_path: Path) -> None:
    van.animation_data.action.oni_oban.flags = {"ZAxisUp"}
    alone = [record_of(part, van, tmp_path / f"{name}.oni", sampling=name) for name in ("KEYS", "VISUAL")]
    parent(van, location=(3, -4, 5), rotation_euler=(0.2, 0.3, 1.1)).matrix_world = Matrix.Translation((1, 2, 3))
    for name, before in zip(("KEYS", "VISUAL"), alone, strict=True):
        with part("core.reporting.log").collect() as said:
            after = record_of(part, van, tmp_path / f"{name} again.oni", sampling=name)
        assert "its parent stands for what the game puts it on" in " ".join(said.digest("WARNING"))
        assert np.abs(after.keys["translation"] - before.keys["translation"]).max() < 1e-3


@pytest.mark.parametrize("local", [False, True])
def test_what_the_game_moves_too_is_no_reason_and_what_stands_is_none(van: Any, part: Part, tmp_path: Path, local: bool) -> None:
    """A parent that moves an object that is local, or stands: curves that are bent are named as such, and nothing else is."""
    other = parent(van, location=(3, -4, 5), rotation_euler=(0.2, 0.3, 1.1))
    if local:
        van.animation_data.action.oni_oban.flags = {"ZAxisUp"}
        for frame, angle in ((1, 0.0), (200, 1.0)):
            other.rotation_euler[2] = angle
            other.keyframe_insert("rotation_euler", frame=frame)
    oni = part("io.oni")
    bpy.context.view_layer.objects.active = van

    def lines() -> list[str]:
        said = oni.export_oni(bpy.context, oni.ExportOptions(str(tmp_path / "out.oni"), dry_run=True)).warnings
        return [line for line in said if "its parent stands for what the game puts it on" not in line]

    assert lines() == []
    for curve in part("io.blender.compat").curves(van.animation_data.action):
        for point in curve.keyframe_points:
            point.interpolation = "BEZIER"
    (line,) = lines()
    assert "its curves are not straight lines between keys, as the game goes: choose Make Linear" in line


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_a_parent_that_is_small_is_not_nothing(van: Any, part: Part, tmp_path: Path, sampling: str) -> None:
    parent(van, scale=(1e-5, 1e-5, 1e-5))
    base = record_of(part, van, tmp_path / "out.oni", sampling=sampling).base
    assert np.linalg.norm(base[:3], axis=1) == pytest.approx([1.82e-5] * 3, rel=1e-3)


@pytest.mark.parametrize("size", [(1, 0, 1), (0, 0, 0)])
@pytest.mark.parametrize("rotated", [(0, 0, 0), (0.4, 0.7, 1.3)])
def test_what_is_flat_is_refused(van: Any, part: Part, tmp_path: Path, size: tuple[float, ...], rotated: tuple[float, ...]) -> None:
    parent(van, scale=size, rotation_euler=rotated)
    with pytest.raises(part("core.reporting.errors").ExportError, match="scaled to nothing"):
        record_of(part, van, tmp_path / "out.oni")


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_what_a_parent_scales_to_nothing_is_refused(van: Any, part: Part, tmp_path: Path, sampling: str) -> None:
    """It is not seen, and no file says how it is rotated."""
    oni = part("io.oni")
    parent(van, scale=(0, 0, 0))
    bpy.context.view_layer.objects.active = van
    options = oni.ExportOptions(str(tmp_path / "out.oni"), dry_run=True, sampling=sampling)
    (change,) = oni.export_oni(bpy.context, options).changes
    assert change.state == "refused"
    assert [line.rpartition("is scaled to nothing, ")[2] for line in change.messages] == [
        "by itself, its delta transform or what it hangs on: scale that back"
    ]


@pytest.mark.parametrize("moving", [False, True])
def test_a_parent_is_named_only_where_it_moves_the_object_between_keys(van: Any, part: Part, tmp_path: Path, moving: bool) -> None:
    other = parent(van, location=(3, -4, 5), rotation_euler=(0.2, 0.3, 1.1))
    if moving:
        for frame, angle in ((1, 0.0), (200, 1.0), (501, 0.0)):
            other.rotation_euler[2] = angle
            other.keyframe_insert("rotation_euler", frame=frame)
    for sampling in ("KEYS", "VISUAL"):
        with part("core.reporting.log").collect() as said:
            record_of(part, van, tmp_path / f"{sampling}.oni", sampling=sampling)
        lines = said.digest("WARNING")
        assert bool(lines) == (moving and sampling == "KEYS"), lines
        assert all("its parent moves it" in line for line in lines), lines


@pytest.mark.parametrize("options", [{}, {"keys": "EVERY"}, {"target": "CAMERA", "fps_mode": "KEEP", "frame_start": -4.5}], ids=str)
def test_an_unedited_one_says_nothing(part: Part, tmp_path: Path, game_file: Any, options: dict[str, Any]) -> None:
    bpy.context.scene.render.fps = 24
    obj = fetched(part, game_file, **options)
    with part("core.reporting.log").collect() as said:
        record_of(part, obj, tmp_path / "out.oni")
    assert said.digest("WARNING") == []


DELTAS: dict[str, dict[str, Any]] = {
    "location": {"delta_location": (1, -2, 3)},
    "rotation": {"delta_rotation_quaternion": (0.8, 0.6, 0, 0)},
    "scale": {"delta_scale": (2, 2, 2)},
    "all": {"delta_location": (1, -2, 3), "delta_rotation_quaternion": (0.8, 0, 0.6, 0), "delta_scale": (0.5, 0.5, 0.5)},
}


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
@pytest.mark.parametrize("deltas", DELTAS)
@pytest.mark.parametrize("carried", [False, True])
def test_delta_transforms(van: Any, part: Part, tmp_path: Path, deltas: str, sampling: str, carried: bool) -> None:
    """As Object > Apply > All Transforms to Deltas leaves them; what is seen is written, and nothing is said."""
    for name, value in DELTAS[deltas].items():
        setattr(van, name, value)
    if carried:
        parent(van, location=(3, -4, 5), rotation_euler=(0.2, 0.3, 1.1))
    with part("core.reporting.log").collect() as said:
        record = record_of(part, van, tmp_path / "out.oni", sampling=sampling)
    assert said.digest("WARNING") == []
    assert apart(part, record, van, (0, 250, 500)) < 0.02


def test_deltas_of_what_is_not_keyed(part: Part, tmp_path: Path) -> None:
    """Once, and not on top of themselves."""
    bpy.context.scene.render.fps = 60
    crate = bpy.data.objects.new("crate", None)
    bpy.context.collection.objects.link(crate)
    crate.delta_location, crate.delta_scale, crate.delta_rotation_euler = (1, 2, 3), (2, 2, 2), (0.3, 0.2, 0.1)
    crate.scale, crate.rotation_euler = (1.5, 1.5, 1.5), (0.5, 0, 0)
    for frame in (1, 61):
        crate.location.x = frame / 10
        crate.keyframe_insert("location", frame=frame)
    for sampling in ("KEYS", "VISUAL"):
        assert apart(part, record_of(part, crate, tmp_path / f"OBAN{sampling}.oni", sampling=sampling), crate, (0, 60)) < 0.02


def test_deltas_that_were_there_before_are_cleared(part: Part, tmp_path: Path, game_file: Any) -> None:
    """The active object of an import goes where the game has it, and goes out as it came in."""
    obj = bpy.data.objects.new("van", None)
    bpy.context.scene.collection.objects.link(obj)
    obj.delta_location, obj.delta_scale = (1, 2, 3), (2, 2, 2)
    bpy.context.view_layer.objects.active = obj
    fetched(part, game_file, target="ACTIVE")
    record = record_of(part, obj, tmp_path / "out.oni")
    assert (tmp_path / "out.oni").read_bytes() == game_file("oni/instances/OBANBlackvan_FB_wiki.oni").read_bytes()
    assert apart(part, record, obj, (0, 250, 500)) < 0.02


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_a_strip_of_the_nla_alone(van: Any, part: Part, tmp_path: Path, game_file: Any, sampling: str) -> None:
    """Pushed down, as with Push Down Action: the object has no action of its own then."""
    data, source = van.animation_data, game_file("oni/instances/OBANBlackvan_FB_wiki.oni")
    data.nla_tracks.new().strips.new("drive", 1, data.action)
    data.action = None
    record_of(part, van, tmp_path / "out.oni", sampling=sampling)
    assert (tmp_path / "out.oni").read_bytes() == source.read_bytes()
    assert van.animation_data.action is None
