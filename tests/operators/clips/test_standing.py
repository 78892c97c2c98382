"""Where a character stands after a clip that moved its object, in one that keys nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender
import pytest
from support import blender_rigs as rigs

bpy: Any = blender
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
Part = Callable[[str], ModuleType]
OWN = ("location", "rotation_euler", "scale")


def _still(part: Part, obj: Any, keyed: tuple[str, ...] = ()) -> Any:
    """A copy of its clip that keys nothing of the object but these."""
    action = obj.animation_data.action.copy()
    slotted = part("io.blender.compat").SLOTTED
    curves = action.layers[0].strips[0].channelbag(action.slots[0]).fcurves if slotted else action.fcurves
    for curve in [curve for curve in curves if curve.data_path in set(OWN) - set(keyed)]:
        curves.remove(curve)
    return action


def _away(obj: Any) -> list[list[float]]:
    bpy.context.scene.frame_set(round(obj.animation_data.action.frame_range[1]))
    return [list(getattr(obj, name)) for name in OWN]


@pytest.fixture
def walker(part: Part) -> Any:
    """A character that somebody has put at the left, and whose clip walks away from there."""
    OPS.import_anim.lba(filepath=str(SAMPLES / "lba1" / "ANIM.HQR"), entities="0")
    obj = bpy.context.view_layer.objects.active
    for action in part("operators.clips").clips_of(obj):
        part("operators.clips").make_active(bpy.context, action)
        if abs(_away(obj)[0][1]) > 0.1:
            return obj
    raise AssertionError("none of the clips walks")


def test_a_clip_that_keys_no_placement_is_where_the_character_stood(part: Part, walker: Any) -> None:
    still = _still(part, walker)
    moved = _away(walker)
    assert moved[0] != pytest.approx([0, 0, 0], abs=0.01)
    part("operators.clips").make_active(bpy.context, still)
    assert [list(getattr(walker, name)) for name in OWN] == [pytest.approx(value, abs=1e-6) for value in ([0] * 3, [0] * 3, [1] * 3)]


def test_what_the_next_clip_keys_is_its_own(part: Part, walker: Any) -> None:
    still = _still(part, walker, ("location",))
    moved = _away(walker)
    part("operators.clips").make_active(bpy.context, still)
    assert _away(walker)[0] == pytest.approx(moved[0])


def test_where_a_person_has_put_the_object_it_stays(part: Part, walker: Any) -> None:
    """Between two clips that move nothing, and after an action of somebody else's."""
    still = _still(part, walker)
    other = still.copy()
    part("operators.clips").make_active(bpy.context, still)
    walker.location = (5, 0, 0)
    part("operators.clips").make_active(bpy.context, other)
    assert list(walker.location) == [5, 0, 0]
    own = bpy.data.actions.new("turntable")
    walker.animation_data.action = own
    walker.keyframe_insert("location", frame=1)
    part("operators.clips").make_active(bpy.context, still)
    assert list(walker.location) == [5, 0, 0]


def test_after_a_retargeted_clip_it_stands_where_it_stood(part: Part, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)
    rigs.dance(part, rigs.build("hero", names=rigs.MIXAMO))
    target = rigs.build("mannequin")
    target.location = (2, 0, 0)
    bpy.context.view_layer.update()
    assert OPS.retro_anim.retarget(source="hero", target="mannequin", root_motion="OBJECT") == {"FINISHED"}
    still = _still(part, target)
    bpy.context.view_layer.objects.active = target
    _away(target)
    target.location = (7, 7, 7)  # as a long walk has left it
    part("operators.clips").make_active(bpy.context, still)
    assert list(target.location) == pytest.approx([2, 0, 0], abs=1e-5)
