"""Bone maps between figures: left stays left, order is kept, and what is not sure says so."""

from __future__ import annotations

from retro_anim.core.retarget.bone_map import ROLES
from retro_anim.core.retarget.mapping import map_bones

from .rigs import NAMES, humanoid


def test_same_skeleton_follows_itself_bone_by_bone() -> None:
    found = map_bones(humanoid(), humanoid())
    assert [(pair.source, pair.target, pair.confidence) for pair in found] == [(name, name, 1.0) for name in sorted(NAMES, key=ROLES.index)]
