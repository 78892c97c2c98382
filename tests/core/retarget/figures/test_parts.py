"""The part of a figure that a bone map is about, on one of ten bones that is worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.figures.motion import Motion, Standing
from retro_anim.core.retarget.figures.parts import free_parts, held, reduced, reduced_motion

NAMES = ("root", "spine", "arm", "twist", "tail", "tip", "wing", "feather", "control", "handle")
PARENTS = (-1, 0, 1, 2, 0, 4, 1, 6, -1, 8)
LENGTHS = (1.0, 0.5, 0.25, 0.1, 0.3, 0.4, 0.2, 0.6, 9.0, 9.0)


def figure() -> Figure:
    """Every bone points up and begins at the end of its parent. So from the tail's joint to its end it is 0.3 + 0.4 metres, and from the
    wing's 0.2 + 0.6."""
    rest = np.tile(np.eye(4), (len(NAMES), 1, 1))
    for bone, parent in enumerate(PARENTS):
        if parent >= 0:
            rest[bone, 1, 3] = rest[parent, 1, 3] + LENGTHS[parent]
    numbers = np.arange(len(NAMES))
    return Figure(
        NAMES,
        np.array(PARENTS, np.int32),
        rest,
        np.array(LENGTHS),
        modes=tuple(f"mode of {name}" for name in NAMES),
        hinged=numbers == 1,
        unturned=numbers == 2,
        fixed=numbers == 3,
        locked=numbers[:, None] == np.array([1, 2, 3]),
        pelvis=np.array([1.0, 2, 3]),
        left=np.array([0.0, 1, 0]),
    )


def mapped(*targets: str) -> BoneMap:
    return BoneMap(tuple(Pair(f"source of {name}", name) for name in targets))


def test_bones_above_those_of_the_map() -> None:
    assert held(figure(), mapped("arm", "of another")) == ["root", "spine", "arm"]
    assert held(figure(), mapped("tip", "spine")) == ["root", "spine", "tail", "tip"]
    assert held(figure(), mapped("of another")) == []


@pytest.mark.parametrize(
    ("targets", "longer", "bones"),
    [
        (("root", "arm"), 0.69, {"root"}),
        (("root", "arm"), 0.79, {"root"}),  # the wing hangs on the spine, which follows nothing, and that on the root
        (("root", "arm"), 0.81, set()),
        (("root", "spine"), 0.69, {"root", "spine"}),
        (("root", "spine"), 0.71, {"spine"}),
        (("root", "spine", "feather"), 0.71, set()),  # the arm is 0.25 long, and what is on it 0.1
        (("root", "spine", "feather"), 0.69, {"root"}),
        (("arm",), 0.05, set()),  # the tail and the wing hang on nothing that follows; a twist bone alone has no joint to reach
    ],
)
def test_bones_on_which_long_parts_hang(targets: tuple[str, ...], longer: float, bones: set[str]) -> None:
    assert free_parts(figure(), mapped(*targets), longer) == bones


def test_a_figure_without_bones_that_have_no_part_in_it() -> None:
    """Those of the map, those above, and what hangs on the former, such as twist bones: 0, 1, 2 and 3, or 1 and 6 with 7 in their order."""
    whole = figure()
    part = reduced(whole, mapped("arm", "of another"))
    assert (part.names, part.parents.tolist(), part.lengths.tolist()) == (NAMES[:4], [-1, 0, 1, 2], [1, 0.5, 0.25, 0.1])
    part = reduced(whole, mapped("feather", "wing"))
    assert (part.names, part.parents.tolist()) == (("root", "spine", "wing", "feather"), [-1, 0, 1, 2])
    keep = [0, 1, 6, 7]
    assert part.modes == ("mode of root", "mode of spine", "mode of wing", "mode of feather")
    for field in ("rest", "lengths", "hinged", "unturned", "fixed", "locked"):
        assert np.array_equal(getattr(part, field), getattr(whole, field)[keep]), field
    assert part.world is whole.world and part.pelvis is whole.pelvis and part.left is whole.left
    on_a_root = reduced(whole, mapped("control"))
    assert (on_a_root.names, on_a_root.parents.tolist()) == (("control", "handle"), [-1, 0])


def test_the_motion_of_these_bones() -> None:
    whole = figure()
    rotations = np.tile(quat.IDENTITY, (3, len(whole), 1))
    positions = np.arange(3.0 * len(whole) * 3).reshape(3, len(whole), 3)
    motion = Motion(np.arange(3.0), rotations, positions, np.ones_like(positions), Standing.still(whole))
    part = reduced_motion(motion, whole, mapped("feather", "wing"))
    assert part.rotations.shape == (3, 4, 4) and np.array_equal(part.positions, positions[:, [0, 1, 6, 7]])
    assert (part.frames is motion.frames, part.sizes) == (True, None)
