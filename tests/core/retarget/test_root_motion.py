"""Root motion: how far the hips go over the ground and up, and what carries them there. A bone above them goes where they go and looks
where they look, and they stay on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.reporting.errors import RetroAnimError
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.figures.motion import Local, Motion, Standing
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Asked, retarget, retarget_clips
from retro_anim.core.retarget.setup import prepare

from . import rigs

UP = np.array([0.0, 0, 1])
BODY = rigs.humanoid(rigs.random_rotations(5))
BONES = {"master": np.array([0.3, -0.2, 0.0]), "mover": np.array([0.1, 0.4, 0.5])}


def carried() -> Figure:
    """The same on two bones, one above the other, neither below its hips."""
    rest = np.concatenate([np.tile(np.eye(4), (2, 1, 1)), BODY.rest])
    rest[[0, 1], :3, 3] = list(BONES.values())
    parents = np.concatenate([[-1, 0], np.where(BODY.parents < 0, 1, BODY.parents + 2)]).astype(np.int32)
    return Figure((*BONES, *BODY.names), parents, rest, np.append([0.1, 0.1], BODY.lengths))


FIGURE = carried()


def going(angles: Floats, path: Floats, figure: Figure = BODY) -> Motion:
    """At rest, rotated about Z as a whole, and gone over the ground and up; but for bones that carry it, which stay."""
    about, stays = quat.about(UP, angles)[:, None], [figure.index[name] for name in BONES if name in figure.names]
    positions, rotations = quat.rotate(about, figure.heads) + path[:, None], quat.multiply(about, figure.quaternions)
    positions[:, stays], rotations[:, stays] = figure.heads[stays], figure.quaternions[stays]
    return Motion(np.arange(float(len(angles))), rotations, positions, None, Standing.still(figure))


ARC = np.linspace(0, 2.5, 12), np.linspace([0.0, 0, 0], [1.0, 3.0, 0.2], 12)
AHEAD = np.linspace(0, -0.4, 7), np.linspace([0.0, 0, 0], [0.0, -1.5, 0.0], 7)


def posed(local: Local, bone: str) -> tuple[Floats, Floats]:
    """Where it is, and how it is rotated away from its rest."""
    motion, number = forward(FIGURE, np.arange(float(len(local.rotations))), local), FIGURE.index[bone]
    return motion.positions[:, number], quat.multiply(motion.rotations[:, number], quat.conjugate(FIGURE.quaternions[number]))


@pytest.mark.parametrize("root", ["master", "mover"])
def test_the_root_of_the_map_or_the_uppermost_bone_carries(root: str) -> None:
    """All is as rigid as the source: what stood beside the hips at rest is carried along with them, at its own height; they rise alone."""
    source, pairs = (FIGURE, (*rigs.SAME.pairs, Pair(root, root, role="root"))) if root == "mover" else (BODY, rigs.SAME.pairs)
    setup = prepare(source, FIGURE, BoneMap(pairs), Options(feet=False, root_motion="BONE", floor="REST"))
    results = retarget_clips(setup, [Asked(going(*ARC, source), "arc"), Asked(going(*AHEAD, source), "ahead")], 30.0)
    for result, (angles, path) in zip(results, (ARC, AHEAD), strict=True):
        position, rotated = posed(result.local, root)
        assert position == pytest.approx(quat.rotate(quat.about(UP, angles), BONES[root]) + path * [1, 1, 0], abs=1e-5)
        assert quat.apart(rotated, quat.about(UP, angles)).max() < 1e-5
        hips = FIGURE.index["hips"]
        assert quat.apart(result.local.rotations[:, hips], quat.IDENTITY).max() < 1e-5
        assert np.linalg.norm(result.local.locations[-1, hips] - result.local.locations[0, hips]) == pytest.approx(path[-1, 2], abs=1e-5)
        assert posed(result.local, "hips")[0] == pytest.approx(going(angles, path).positions[:, 0], abs=1e-5)


def test_hips_without_a_bone_above_them_are_carried_by_none() -> None:
    setup = prepare(BODY, BODY, rigs.SAME, Options(feet=False, root_motion="BONE"))
    with pytest.raises(RetroAnimError, match="hips has no bone above it"):
        retarget(setup, going(*AHEAD), 30.0, "ahead")


def test_the_object_goes_where_the_hips_do() -> None:
    """It stands elsewhere, and looks to the left; it is carried along as a bone there would be."""
    world = np.eye(4)
    world[:3, :3], world[:3, 3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]], (2.0, 1.0, 0.0)
    setup = prepare(BODY, replace(BODY, world=world), rigs.SAME, Options(feet=False, root_motion="OBJECT", floor="REST", facing="WORLD"))
    angles, path = ARC
    result = retarget(setup, going(angles, path), 30.0, "arc")
    standing = result.standing
    assert standing is not None and standing.scale == 1
    about = quat.about(UP, angles)
    assert quat.apart(standing.rotations, quat.multiply(about, quat.about(UP, np.array(np.pi / 2)))).max() < 1e-5
    hips = np.array([*(world[:3, :3] @ BODY.heads[0] + world[:3, 3])[:2], 0.0])
    assert standing.positions == pytest.approx(hips + path * [1, 1, 0] - quat.rotate(about, hips - world[:3, 3]), abs=1e-5)
    rotated = result.local.rotations
    assert quat.apart(rotated, rotated[:1]).max() < 1e-5, "what the object does no bone does again"


@pytest.mark.parametrize(("options", "over_ground"), [({}, 2.0), ({"keep_speed": True}, 1.0), ({"root_motion": "NONE"}, 0.0)])
def test_how_far_one_of_twice_the_size_goes(options: dict[str, Any], over_ground: float) -> None:
    """Twice as far as its legs are as long; as far as the source, which lets its feet slide; or nowhere. It rises by twice as much."""
    setup = prepare(BODY, rigs.humanoid(rigs.random_rotations(7), scale=2.0), rigs.SAME, Options(feet=False, floor="REST", **options))
    result = retarget(setup, going(*AHEAD), 30.0, "ahead")
    moved = result.motion.positions[:, 0] - result.motion.positions[0, 0]
    assert moved == pytest.approx(AHEAD[1] * [over_ground, over_ground, 2], abs=1e-5)
    higher = retarget(setup, going(AHEAD[0], AHEAD[1][:, ::-1]), 30.0, "up").motion.positions[:, 0]
    assert higher - higher[0] == pytest.approx(AHEAD[1][:, ::-1] * [over_ground, over_ground, 2], abs=1e-5)
