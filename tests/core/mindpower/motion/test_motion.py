"""Poses that Blender's bones would have, by Blender's own rule, against the game's skin matrices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.mindpower.files.skeleton.lab import Lab, new_lab
from retro_anim.core.mindpower.motion import channels, evaluate, fitting, motion, rig
from retro_anim.core.motion.curves import Timing, curves_of
from support.poses import skin_matrices

FILES = ("0001", "0005", "0010", "0014", "0016", "0088", "0311", "0725", "0741", "0860")
SHEARED = {"0014": 11, "0016": 9, "0088": 3, "0725": 8, "0860": 8}
FLIP = np.diag([1.0, -1, 1, 1])


def shown(fitted: motion.Motion) -> NDArray[np.float64]:
    """(F, bones, 4, 4) by Blender's rule: pose = parent * rest_parent^-1 * rest * basis, one bone at a time. Inherits all scale."""
    stand = fitted.rig
    poses: list[Any] = []
    for bone, parent in enumerate(stand.parents.tolist()):
        w, x, y, z = (fitted.rotations[:, bone].astype(float) / np.linalg.norm(fitted.rotations[:, bone].astype(float), axis=1)[:, None]).T
        zero = np.zeros_like(w)
        cross = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
        basis = np.tile(np.eye(4), (len(w), 1, 1))
        basis[:, :3, :3] = (np.eye(3) + 2 * w[:, None, None] * cross + 2 * cross @ cross) * fitted.scales[:, bone][:, None]
        basis[:, :3, 3] = fitted.locations[:, bone]
        above = stand.rest[bone] if parent < 0 else poses[parent] @ np.linalg.inv(stand.rest[parent]) @ stand.rest[bone]
        poses.append(above @ basis)
    return np.stack(poses, axis=1)


def skins(lab: Lab) -> NDArray[np.float64]:
    """(F, bones, 4, 4) the game's, in Blender's axes."""
    return FLIP @ skin_matrices(lab, evaluate.world_matrices(lab)).swapaxes(-1, -2) @ FLIP


def built(stand: rig.LabRig) -> rig.LabRig:
    """As Blender rounds."""
    return stand.with_rest(stand.rest.astype(np.float32))


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
@pytest.mark.parametrize("name", FILES)
def test_skin_matrices_are_the_games(game_file: Callable[[str], Path], name: str, direction: Any) -> None:
    lab = Lab.parse(game_file(f"mindpower/animation/{name}.lab").read_bytes())
    fitted = fitting.fit(lab, built(rig.LabRig.of(lab, 1.0, direction)))
    assert len(fitted.errors) == SHEARED.get(name, 0)
    skin = shown(fitted) @ np.linalg.inv(fitted.rig.rest)
    off = skin - skins(lab)
    exact = [bone for bone in range(lab.bone_count) if bone not in fitted.errors]
    assert np.abs(off[:, exact]).max(initial=0) < 2e-5
    for bone, error in fitted.errors.items():
        assert np.abs(off[:, bone, :3] - error).max() < 2e-5 * max(1, np.abs(lab.inverse_binds).max())


@pytest.mark.parametrize("name", SHEARED)
def test_with_helper_bones_all_are_exact(game_file: Callable[[str], Path], name: str) -> None:
    lab = Lab.parse(game_file(f"mindpower/animation/{name}.lab").read_bytes())
    fitted = fitting.fit(lab, built(rig.LabRig.of(lab)), choose=True, helped=np.ones(lab.bone_count, bool))
    assert not fitted.errors
    assert len(fitted.helpers) == SHEARED[name]
    skin = channels.poses(fitted) @ np.linalg.inv(fitted.rig.rest)
    assert np.abs(skin - skins(lab)).max() < 2e-5


def test_left_stays_left_and_front_is_minus_y() -> None:
    stand = rig.LabRig.of_binds(np.array([-1]), rig.to_blender(np.eye(4)[None] + [[0], [0], [0], [1]] * np.array([1, 2, 3, 0]), 2.0), 2.0)
    assert stand.rest[0, :3, 3].tolist() == [2, -4, 6]
    matrices = np.random.default_rng(0).normal(size=(5, 4, 4))
    assert np.allclose(rig.from_blender(rig.to_blender(matrices, 3.0), 3.0), matrices)


def test_the_rest_is_never_frame_0() -> None:
    bind = np.eye(4)
    bind[3, :3] = 1, 2, 3
    lab = new_lab(["root"], [-1], np.linalg.inv(bind)[None]).with_quaternions([[(9, 9, 9)] * 2], [[(0, 0, 0, 1)] * 2])
    assert np.allclose(rig.LabRig.of(lab).rest[0, :3, 3], [1, -2, 3])


@pytest.mark.parametrize("name", ["0001", "0010", "0016", "0860"])
def test_curves_hold_the_channels(game_file: Callable[[str], Path], name: str) -> None:
    lab = Lab.parse(game_file(f"mindpower/animation/{name}.lab").read_bytes())
    stand = built(rig.LabRig.of(lab))
    fitted = fitting.fit(lab, stand, helped=np.ones(lab.bone_count, bool))
    names = channels.BoneNames(
        tuple(f"bone {index}" for index in range(lab.bone_count)), {bone: (f"{bone} a", f"{bone} b") for bone in fitted.helpers}
    )
    timing = Timing(30.0, 24.0, 5.0)
    blocks = channels.blocks_of(fitted, names, 10, 40, timing)
    frames = timing.frames(np.arange(30.0))
    again = channels.motion_of(curves_of(blocks), names, stand, frames)
    for one, other in ((again.locations, fitted.locations), (again.rotations, fitted.rotations), (again.scales, fitted.scales)):
        assert (one == other[10:40]).all()
        assert channels.same_channels(one, other[10:40]).all()
    changed = again.rotations.copy()
    changed[7, 3, 1] += 1e-5
    assert np.argwhere(~channels.same_channels(changed, again.rotations)).tolist() == [[7, 3]]


@pytest.mark.parametrize("name", SHEARED)
def test_helper_bones_stay_together_between_frames(game_file: Callable[[str], Path], name: str) -> None:
    """Half-way between frames what they add is near the middle of what they add at both: as near as the bone above them allows."""
    lab = Lab.parse(game_file(f"mindpower/animation/{name}.lab").read_bytes())
    fitted = fitting.fit(lab, built(rig.LabRig.of(lab)), choose=True, helped=np.ones(lab.bone_count, bool))
    for helper in fitted.helpers.values():
        ends = product(*helper.channels)
        middle = product(*(values[1:].astype(float) + values[:-1] for values in helper.channels)) / 4
        jump = np.abs(np.diff(ends, axis=0)).max(axis=(1, 2))
        assert (np.abs(middle - (ends[1:] + ends[:-1]) / 2).max(axis=(1, 2)) < 0.3 * jump + 1e-5).all()


def product(first: Any, scale: Any, second: Any, last: Any) -> Any:
    """(F, 3, 3) rotation, scale, rotation, scale, as Blender has them: quaternions of any length."""
    rotations = []
    for values in (first, second):
        w, x, y, z = (values / np.linalg.norm(values, axis=1, keepdims=True)).astype(float).T
        columns = [
            [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
            [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
            [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
        ]
        rotations.append(np.moveaxis(np.array(columns), (0, 1, 2), (2, 1, 0)))
    return rotations[0] * scale[:, None] @ (rotations[1] * last[:, None])


def test_wide_rotations_stay_on_the_arc() -> None:
    """From frame to frame by 10, 100 and 170 degrees about one axis: between the frames as far as the game rotates."""
    angles = np.radians(np.array([0.0, 10, 110, 280])) / 2
    keys = np.stack([np.zeros(4), np.sin(angles), np.zeros(4), np.cos(angles)], axis=1)
    lab = new_lab(["root"], [-1], np.eye(4)[None]).with_quaternions(np.zeros((1, 4, 3)), keys[None])
    stand = rig.LabRig.of(lab)
    blocks = channels.blocks_of(fitting.fit(lab, stand), channels.BoneNames(("root",)), 0, 4, Timing(30.0, 60.0, 0.0))
    (block,) = [block for block in blocks if block.channels[0].property == "rotation_quaternion"]
    assert block.frames[~block.generated].tolist() == [0, 2, 4, 6]
    assert block.generated.sum() == 6
    at = np.linspace(0, 6, 61)
    values = np.stack([np.interp(at, block.frames, row) for row in block.values], axis=1)
    shown = np.degrees(2 * np.arccos(np.abs(values[:, 0]) / np.linalg.norm(values, axis=1)))
    wanted = np.interp(at, [0, 2, 4, 6], [0, 10, 110, 280])
    assert np.abs(shown - np.where(wanted > 180, 360 - wanted, wanted)).max() < 0.15
