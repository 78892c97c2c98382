"""The part of a figure that a bone map is about; a control rig has hundreds of bones beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .figure import Figure
from .maps.bone_map import BoneMap
from .motion import Motion


def held(figure: Figure, bone_map: BoneMap) -> list[str]:
    """The bones that the map names and those above them: what stands away from rest there would be visible."""
    keep: set[int] = set()
    for bone in (figure.index[name] for name in bone_map.targets() if name in figure.index):
        while bone >= 0 and bone not in keep:
            keep.add(bone)
            bone = int(figure.parents[bone])
    return [figure.names[bone] for bone in sorted(keep)]


def free_parts(figure: Figure, bone_map: BoneMap, longer: float) -> frozenset[str]:
    """The followed bones on which parts hang that follow nothing, and are longer than so many metres."""
    named = set(bone_map.targets())
    keep = set(held(figure, bone_map))
    result: set[str] = set()
    for bone, parent in enumerate(figure.parents.tolist()):
        if figure.names[bone] in keep or (parent >= 0 and figure.names[parent] not in keep):
            continue
        while parent >= 0 and figure.names[parent] not in named:
            parent = int(figure.parents[parent])
        if parent >= 0 and figure.names[parent] not in result and figure.reach(bone) > longer:
            result.add(figure.names[parent])
    return frozenset(result)


def _needed(figure: Figure, bone_map: BoneMap) -> list[int]:
    """The bones that the map names, those above them, and the twist bones that may lie beside them."""
    keep: set[int] = set()
    for bone in (figure.index[name] for name in bone_map.targets() if name in figure.index):
        keep |= set(figure.children[bone])
        while bone >= 0:
            keep.add(bone)
            bone = int(figure.parents[bone])
    return sorted(keep)


def reduced(figure: Figure, bone_map: BoneMap) -> Figure:
    """The figure without the bones that have no part in it; a control rig has hundreds of them."""
    keep = _needed(figure, bone_map)
    position = {bone: index for index, bone in enumerate(keep)}
    return Figure(
        tuple(figure.names[bone] for bone in keep),
        np.array([position.get(int(figure.parents[bone]), -1) for bone in keep], np.int32),
        figure.rest[keep],
        figure.lengths[keep],
        figure.world,
        tuple(figure.modes[bone] for bone in keep),
        figure.hinged[keep],
        figure.unturned[keep],
        figure.fixed[keep],
        figure.locked[keep],
        figure.pelvis,
        figure.left,
    )


def reduced_motion(motion: Motion, figure: Figure, bone_map: BoneMap) -> Motion:
    """The same for a motion."""
    keep = _needed(figure, bone_map)
    return replace(motion, rotations=motion.rotations[:, keep], positions=motion.positions[:, keep], sizes=None)
