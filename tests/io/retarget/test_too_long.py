"""What was pushed far away is refused in one line, before any of it is read: it would take minutes and gigabytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender
import pytest
from support import blender_rigs as rigs
from support import counted

bpy: Any = blender

Part = Callable[[str], ModuleType]
SAMPLE = Path(__file__).resolve().parents[3] / "samples/oni/TRAMmannequin_walk.oni"


@pytest.fixture
def game_rig(part: Part) -> Any:
    """An armature of a game whose keys lie on its ticks."""
    oni = part("io.oni")
    return oni.import_oni(bpy.context, oni.ImportOptions((str(SAMPLE),))).armatures[0]


def at_one_key(part: Part, source: Any, action: Any) -> None:
    curve = next(curve for curve in part("io.blender.compat").curves(action, source) if len(curve.keyframe_points) > 1)
    curve.keyframe_points[-1].co.x = 1e9
    curve.update()


def by_its_range(part: Part, source: Any, action: Any) -> None:
    for curve in part("io.blender.compat").curves(action, source):
        curve.modifiers.new("CYCLES")
    action.use_frame_range, action.frame_start, action.frame_end = True, -1e6, 1e6


def by_its_strip(part: Part, source: Any, action: Any) -> None:
    source.animation_data.action = None
    strip = source.animation_data.nla_tracks.new().strips.new("slow", 1, action)
    strip.scale = strip.repeat = 1000


@pytest.mark.parametrize("onto", ["a rig", "a game"])
@pytest.mark.parametrize("how", [at_one_key, by_its_range, by_its_strip])
def test_a_motion_without_end(part: Part, request: pytest.FixtureRequest, how: Callable[..., None], onto: str) -> None:
    source = rigs.build("one")
    action = rigs.dance(part, source)
    target = request.getfixturevalue("game_rig") if onto == "a game" else rigs.build("two")
    names = dict(zip(rigs.PLAIN.values(), target.data.bones.keys(), strict=False))
    how(part, source, action)
    module, errors = part("io.retarget.retarget"), part("core.reporting.errors")
    before = set(bpy.data.actions)
    with counted.calls() as calls, pytest.raises(errors.RetroAnimError, match=r"longer than any clip: (?:move|the last strip, slow)"):
        options = module.RetargetOptions(nla=how is by_its_strip)
        module.retarget_actions(bpy.context, source, target, rigs.pairs(part, rigs.PLAIN, names), options)
    assert calls() < 100_000 and set(bpy.data.actions) == before


def test_a_range_alone_that_no_game_has(part: Part, game_rig: Any) -> None:
    """Without cycles a game's clip is as long as the range is; a rig's as long as the keys are."""
    source = rigs.build("one")
    action = rigs.dance(part, source)
    action.use_frame_range, action.frame_start, action.frame_end = True, -1e6, 1e6
    names = dict(zip(rigs.PLAIN.values(), game_rig.data.bones.keys(), strict=False))
    module, errors = part("io.retarget.retarget"), part("core.reporting.errors")
    with pytest.raises(errors.RetroAnimError, match="from frame -1000000 to 1000000, which is longer than any clip"):
        module.retarget_actions(bpy.context, source, game_rig, rigs.pairs(part, rigs.PLAIN, names), module.RetargetOptions())
    other = rigs.build("two")
    pairs = rigs.pairs(part, rigs.PLAIN, rigs.PLAIN)
    (result,) = module.retarget_actions(bpy.context, source, other, pairs, module.RetargetOptions()).actions
    assert tuple(result.curve_frame_range) == tuple(action.curve_frame_range)
