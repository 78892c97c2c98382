"""A character that the scene shows in another size than its clip came in says so, once, in every game, and whatever scales it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"
GAMES = {"lba": "lba1/walk.anm", "oni": "oni/TRAMmannequin_walk.oni", "oni2": "oni2/Entity/mannequin/mannequin_walk.anim"}


def own(obj: Any, size: tuple[float, ...]) -> None:
    obj.scale = size


def delta(obj: Any, size: tuple[float, ...]) -> None:
    obj.delta_scale = size


def parents(obj: Any, size: tuple[float, ...]) -> None:
    """Two above one another, tilted and elsewhere."""
    for name, each in (("near", (1.0, 1.0, 1.0)), ("far", size)):
        above = bpy.data.objects.new(name, None)
        bpy.context.collection.objects.link(above)
        above.location, above.rotation_euler, above.scale = (1, 2, 3), (0.3, 0, 0.4), each
        obj.parent = above
        obj = above


@pytest.fixture(params=GAMES)
def game(request: Any) -> str:
    return str(request.param)


@pytest.fixture
def again(part: Part, game: str, tmp_path: Path) -> Callable[[], Any]:
    """Imports the clip, onto the armature that is there."""
    sample, module = SAMPLES / GAMES[game], part(f"io.{game}")
    shutil.copytree(sample.parent, tmp_path / "game")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)

    def imported() -> Any:
        path = str(tmp_path / "game" / sample.name)
        (obj,) = getattr(module, f"import_{game}")(bpy.context, module.ImportOptions((path,))).armatures
        bpy.context.view_layer.objects.active = obj
        return obj

    return imported


@pytest.fixture
def said(part: Part, game: str, again: Callable[[], Any], tmp_path: Path) -> tuple[Any, Callable[..., list[str]]]:
    """A clip's armature, and what an export says of its size that writes nothing."""
    obj, module = again(), part(f"io.{game}")

    def lines(**options: Any) -> list[str]:
        chosen = module.ExportOptions(str(tmp_path / f"out{Path(GAMES[game]).suffix}"), dry_run=True, **options)
        (change,) = getattr(module, f"export_{game}")(bpy.context, chosen).changes
        return list(change.messages)

    return obj, lines


@pytest.mark.thorough
@pytest.mark.parametrize("scaled", [own, delta, parents])
@pytest.mark.parametrize(
    ("size", "what"), [((2.0, 2.0, 2.0), "shown at 2 times its size"), ((1.0, 1.0, 1.5), "scaled differently"), ((1, -1, 1), "mirrored")]
)
def test_a_size_is_named(said: Any, scaled: Callable[..., None], size: tuple[float, ...], what: str) -> None:
    obj, lines = said
    scaled(obj, size)
    for sampling in ("KEYS", "VISUAL"):
        (line,) = lines(sampling=sampling)
        assert line.startswith(f"{obj.name} is {what}")
        assert {own: "by the object's scale", delta: "by its delta scale", parents: "by the scale of its parent near"}[scaled] in line


def test_a_size_that_keys_hold_is_named(said: Any) -> None:
    """Keyed, and nothing grows or shrinks: the keys hold it there, whatever the scale is set to."""
    obj, lines = said
    for frame in (1, 11):
        obj.scale = (1.5, 1.5, 1.5)
        obj.keyframe_insert("scale", frame=frame)
    for sampling in ("KEYS", "VISUAL"):
        (line,) = [line for line in lines(sampling=sampling) if "events" not in line]
        assert line.startswith(f"{obj.name} is shown at 1.5 times its size, by the object's scale, which is keyed")
        assert line.endswith("delete the keys of that, and scale it back to what it was")


def test_a_scale_along_an_axis_that_there_is_not_is_nothing(part: Part, said: Any) -> None:
    """As a script may key it; Blender shows nothing of that."""
    obj, lines = said
    curve = part("io.blender.compat").new_curve(obj.animation_data.action, "scale", 3, "Object Transforms")
    curve.keyframe_points.insert(1, 2.0)
    assert not any("size" in line or "scale" in line for line in lines())


@pytest.mark.parametrize("present", [1, -20])
def test_a_size_that_is_keyed_before_the_clip_is_named(said: Any, present: int) -> None:
    """It stays that while the clip plays, whatever it is at the present frame."""
    obj, lines = said
    for frame, size in ((-20, 1.0), (-10, 1.5)):
        obj.scale = (size, size, size)
        obj.keyframe_insert("scale", frame=frame)
    bpy.context.scene.frame_set(present)
    (line,) = [line for line in lines() if "size" in line]
    assert line.startswith(f"{obj.name} is shown at 1.5 times its size, by the object's scale, which is keyed")


def test_where_it_stands_is_not(said: Any) -> None:
    """Moved, rotated, and below a parent that its inverse makes up for."""
    obj, lines = said
    obj.location, obj.rotation_euler, obj.delta_location = (4, 5, 6), (0.1, 0.2, 0.3), (1, 1, 1)
    parents(obj, (3.0, 3.0, 3.0))
    obj.matrix_parent_inverse = ((1 / 3, 0, 0, 0), (0, 1 / 3, 0, 0), (0, 0, 1 / 3, 0), (0, 0, 0, 1))
    assert lines() == []


def test_a_clip_that_came_in_large_is_not(said: Any, again: Callable[[], Any]) -> None:
    """What counts is the change since then."""
    obj, lines = said
    obj.scale, obj.animation_data.action = (2.0, 2.0, 2.0), None
    assert again() == obj
    assert lines() == []
    obj.scale = (3.0, 3.0, 3.0)
    (line,) = lines()
    assert "shown at 1.5 times its size" in line


@pytest.mark.parametrize("scaled", [delta, parents])
def test_a_clip_that_came_in_so_is_not_named(said: Any, again: Callable[[], Any], scaled: Callable[..., None]) -> None:
    """Onto a character that is below a parent already: that size is what it has from then on, and another one is named again."""
    obj, lines = said
    scaled(obj, (2.0, 2.0, 2.0))
    assert again() == obj and not any("size" in line for line in lines())
    top = obj
    while top.parent is not None:
        top = top.parent
    scaled_by = "delta_scale" if top == obj else "scale"
    setattr(top, scaled_by, (1.0, 1.0, 1.0))
    (line,) = [line for line in lines() if "size" in line]
    assert "shown at 0.5 times its size" in line
