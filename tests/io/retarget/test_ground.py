"""Clips of a game in which one falls, lies and dives, onto characters with other feet: the lowest joint of the body, as Blender shows it,
is as high above the ground as the source's. Where the ground is below a foot is known by hand from the meshes at rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.pairs import pair_sources, pairs
from support.pairs.pair_targets import TARGETS

Part = Callable[[str], ModuleType]

SOLES = {"twinsen": 0.098, "pirate": 0.169, "oni": 0.12}
"""Leg lengths from the ground up to the ankles at rest."""

CLIPS = ("animation 52", "animation 55", "animation 58", "land dead", "drown", "throw")


def heights(shown: pairs.Shown, roles: dict[str, str], sole: float, leg: float) -> tuple[Any, Any]:
    """(F,) leg lengths of the lower foot above where it is at rest, and of the lowest joint above the ground."""
    feet = np.min([shown.at(roles[f"{side}Foot"])[:, 2] for side in ("left", "right")], axis=0) / leg - sole
    return feet, np.min([shown.at(bone)[:, 2] for bone in roles.values()], axis=0) / leg


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["pirate", "oni"])
def test_whoever_falls_or_lies_is_on_the_ground(part: Part, game_data: Path, name: str) -> None:
    module, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    source = pair_sources.game("lba2/ANIM.HQR", entities="0")(game_data)
    chosen = tuple(action.name for action in bpy.data.actions if action.name.endswith(CLIPS))
    target = TARGETS[name].make(game_data)
    bpy.context.view_layer.update()
    roles, theirs = pair_sources.TWINSEN, {role: bone for role, bone in TARGETS[name].roles.items() if role in pair_sources.TWINSEN}
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    result = module.retarget_actions(bpy.context, source, target, bone_map, module.RetargetOptions(actions=chosen))
    assert len(result.actions) == len(CLIPS)
    for action, report in zip(result.actions, result.reports, strict=True):
        frames = np.linspace(action.frame_range[0], action.frame_range[1], 48)
        part("io.blender.compat").assign(source, bpy.data.actions[report.name])
        part("io.blender.compat").assign(target, action)
        own = heights(pairs.poses(source, frames), roles, SOLES["twinsen"], pairs.leg(source, roles))
        has = heights(pairs.poses(target, frames), theirs, SOLES[name], pairs.leg(target, theirs))
        lies = np.clip((own[0] - own[1] + SOLES["twinsen"]) / 0.06, 0, 1)
        wanted, height = (low * lies + feet * (1 - lies) for feet, low in (own, has))
        on_ground = (wanted < 0.03 + 0.05 * lies) & (wanted > -0.3)
        off = np.where(on_ground, height - height.clip(np.minimum(wanted, 0), np.maximum(wanted, 0)), 0)
        three = np.lib.stride_tricks.sliding_window_view(np.abs(off), 3).min(axis=1)  # what is seen lasts
        assert three.max() < 0.055 or not report.is_good, (report.name, off.round(3))
