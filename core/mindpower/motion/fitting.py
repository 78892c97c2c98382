"""From a skeleton file's keys to what Blender's bones hold.

Where a bone, its parents and their binds are rotations and translations, that is one product for whole time lines. All else is solved
top-down against the pose that the parent really has in Blender.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion, rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ..files.skeleton.lab import QUAT, Lab
from . import evaluate
from .continuity import Channels, continuous, rotations_of
from .motion import Motion, channels
from .rig import LabRig, to_blender
from .straight import Straight, simple_bones

EXACT = 2e-6
"""How far a pose matrix may be from the game's so that children need not know, as a part of the skeleton's size."""
SHEARED = 2e-5
"""From this error on a bone counts as one that Blender cannot hold."""
_UNIT = 1e-5
_WIDE, _BENDING = np.radians(40.0), np.radians(10.0)
"""Rotations to the next frame from which on times between are looked at: where bones only rotate and move, and where not."""
_FAR = 1e6
"""Larger numbers in keys are spoiled ones; beyond it neither the arithmetic nor Blender gives anything of use."""


def fit(lab: Lab, rig: LabRig, *, choose: bool = False, helped: NDArray[np.bool_] | None = None) -> Motion:
    """What the bones of `rig` hold at all frames of `lab`, whose parents come first; and between frames where they rotate far.

    choose: also try bones that do not inherit scale, where that is nearer; the rig of the result says which. helped: (bones,) those that
    get helper bones where they are not exact.
    """
    if np.abs(lab.keys).max(initial=0) > _FAR:
        log.warning("keys with absurdly large numbers: not shown as they are; an export keeps them")
        lab = replace(lab, keys=lab.keys.clip(-_FAR, _FAR))
    easy = _rigid(lab, rig)
    times = _times(lab, rigid=bool(easy.all()))
    whole = len(times) == lab.frame_count
    motion = _fit(lab if whole else evaluate.at_frames(lab, times), rig, easy, choose)
    if helped is not None:
        motion = motion.helped(np.flatnonzero(helped))
    return motion if whole else motion.with_times(times)


def _fit(lab: Lab, rig: LabRig, easy: NDArray[np.bool_], choose: bool) -> Motion:
    count, frames = lab.bone_count, lab.frame_count
    if easy.all():
        motion = Motion(rig, *_straight(lab, rig))
    else:
        motion = Motion(rig, channels(frames, count, 3), channels(frames, count, 4), channels(frames, count, 3, 1.0))
        if easy.any():
            for whole, values in zip((motion.locations, motion.rotations, motion.scales), _straight(lab, rig), strict=True):
                whole.transpose(1, 2, 0)[easy] = values.transpose(1, 2, 0)[easy]
        _Fitter(lab, motion).run(easy, choose)
    for values in (motion.locations, motion.rotations, motion.scales):
        if not np.isfinite(values).all():
            values[:] = np.nan_to_num(values, posinf=_FAR, neginf=-_FAR)
    return motion


def _times(lab: Lab, rigid: bool) -> Floats:
    """(T,) all frames of `lab`, and times between where a bone rotates far to the next: straight lines between two quaternions are off the
    game's arc there, and what is sheared by a rotating parent, where not all bones are `rigid`, bends much sooner."""
    angles = _steps(lab)
    parts = np.where(angles > _WIDE, 4, 1) if rigid else np.ceil(angles / _BENDING).clip(1, 8).astype(np.int64)
    first = np.append(np.repeat(np.arange(len(parts)), parts), len(parts))
    within = np.append(np.arange(int(parts.sum())) - np.repeat(np.cumsum(parts) - parts, parts), 0)
    return first + within / np.append(parts, 1)[first]


def _steps(lab: Lab) -> Floats:
    """(F - 1,) the angle by which any bone rotates to the next frame, the largest; nearly, where it is stretched besides."""
    if lab.key_type == QUAT:
        keys, factor = lab.quaternions, 2.0
    else:
        keys, factor = lab.matrices[..., :3, :3].reshape(*lab.matrices.shape[:2], 9), 1.0
    squares = np.einsum("bfi,bfi->bf", keys, keys)
    lengths = np.sqrt(squares[:, 1:] * squares[:, :-1])
    cosines = np.einsum("bfi,bfi->bf", keys[:, 1:], keys[:, :-1]) / np.maximum(lengths, np.float32(1e-12))
    least = np.abs(cosines).min(axis=0) if factor == 2 else (3 * cosines.min(axis=0) - 1) / 2
    return factor * np.arccos(least.astype(np.float64).clip(-1, 1))


def _rigid(lab: Lab, rig: LabRig) -> NDArray[np.bool_]:
    """(bones,) whose binds and keys, and those of all parents, are rotations and translations."""
    parents = rig.parents
    if lab.key_type == QUAT:
        keys = lab.quaternions
        length = np.einsum("bfi,bfi->bf", keys, keys)
        # A wrong length does no harm where there is nothing to rotate: the formula gives the identity whatever w is.
        off = (length - 1) ** 2 * (length - keys[..., 3] ** 2)
        plain = (off.max(axis=1) < _UNIT**2) & (length.min(axis=1) > 0.01)
    else:
        linear = evaluate.local_matrices(lab)[..., :3, :3]
        plain = np.abs(linear @ linear.swapaxes(-1, -2) - np.eye(3)).max(axis=(0, 2, 3)) < _UNIT
        plain &= (np.linalg.det(linear) > 0).all(axis=0)
    plain &= simple_bones(rig)
    for bone, parent in enumerate(parents.tolist()):
        plain[bone] &= parent < 0 or plain[parent]
    return plain


def _straight(lab: Lab, rig: LabRig) -> tuple[Channels, Channels, Channels]:
    """Locations, rotations and scales of all bones, as if they only rotated and moved."""
    straight = Straight.of(rig)
    if lab.key_type == QUAT:  # x, y, z, w there: the small matrices are reordered, not the keys
        rotations = straight.rotations[:, :, [1, 2, 3, 0]].astype(np.float32) @ lab.quaternions.swapaxes(1, 2)
    else:
        linear = evaluate.local_matrices(lab)[..., :3, :3].swapaxes(-1, -2)
        rotations = (straight.rotations @ quaternion.of_matrix(linear).transpose(1, 2, 0)).astype(np.float32)
    continuous(rotations.transpose(2, 0, 1))
    locations = straight.locations[:, :, :3].astype(np.float32) @ lab.positions.swapaxes(1, 2)
    locations += straight.locations[:, :, 3:].astype(np.float32)
    scales = np.repeat(straight.scales.astype(np.float32)[:, :, None], lab.frame_count, axis=2)
    return locations.transpose(2, 0, 1), rotations.transpose(2, 0, 1), scales.transpose(2, 0, 1)


@dataclass(eq=False)
class _Fitter:
    """Bones that a product of quaternions is not enough for, one after the other, against their parents as they came out."""

    lab: Lab
    motion: Motion

    def run(self, easy: NDArray[np.bool_], choose: bool) -> None:
        rig = self.motion.rig
        world = to_blender(evaluate.world_matrices(self.lab), rig.scale)
        wanted = world @ (_inverse(rig.binds) @ rig.rest)
        size = max(1e-3, float(np.ptp(rig.rest[:, :3, 3], axis=0).max()))
        shown: dict[int, Floats] = {}
        for bone in np.flatnonzero(~easy).tolist():
            parent = int(rig.parents[bone])
            above = None if parent < 0 else shown.get(parent, wanted[:, parent])
            pose, basis = self._bone(bone, wanted[:, bone], above, choose)
            error = float(np.abs(pose - wanted[:, bone]).max())
            self._keep(bone, *basis)
            if error > EXACT * max(size, 1.0):
                shown[bone] = pose
                self._left_over(bone, pose, wanted[:, bone])

    def _bone(self, bone: int, wanted: Floats, parent: Floats | None, choose: bool) -> tuple[Floats, tuple[Floats, Floats, Floats]]:
        inheriting = self._solve(bone, wanted, parent)
        if choose and parent is not None and (error := float(np.abs(inheriting[0] - wanted).max())) > SHEARED:
            rig = self.motion.rig
            rig.full[bone] = False
            alone = self._solve(bone, wanted, parent)
            if np.abs(alone[0] - wanted).max() < 0.8 * error:
                return alone
            rig.full[bone] = True
        return inheriting

    def _solve(self, bone: int, wanted: Floats, parent: Floats | None) -> tuple[Floats, tuple[Floats, Floats, Floats]]:
        """The pose that the bone gets, and its location (F, 3), rotation (F, 3, 3) and scale (F, 3)."""
        rig = self.motion.rig
        whole, linear = rig.above(bone, parent)
        location = _solved(whole[..., :3, :3], (wanted[:, :3, 3] - whole[..., :3, 3])[..., None])[..., 0]
        target = _solved(linear[..., :3, :3], wanted[:, :3, :3])
        axis_known = (rig.signs[bone] < 0).any() or (parent is not None and (rig.signs[rig.parents[bone]] < 0).any())
        rotated = rig.clean[bone].T @ rig.rest[bone, :3, :3]
        axis = np.where(np.abs(rotated[0]) > 0.9, -1.0, 1.0) if axis_known else -np.ones(3)
        rotation, scale = nearest(target, axis)
        pose = np.zeros_like(wanted)
        pose[:, :3, :3] = linear[..., :3, :3] @ (rotation * scale[:, None])
        pose[:, :3, 3:] = whole[..., :3, :3] @ location[..., None] + whole[..., :3, 3:]
        pose[:, 3, 3] = 1
        return pose, (location, rotation, scale)

    def _keep(self, bone: int, location: Floats, rotation: Floats, scale: Floats) -> None:
        self.motion.locations[:, bone] = location
        self.motion.rotations[:, bone] = rotations_of(rotation)
        self.motion.scales[:, bone] = scale

    def _left_over(self, bone: int, pose: Floats, wanted: Floats) -> None:
        """What the bone does not show: an error to be reported, and what helper bones can add."""
        off: Floats = (pose - wanted) @ _inverse(self.motion.rig.rest[bone])
        self.motion.errors[bone] = off[:, :3].astype(np.float32)
        self.motion.missing[bone] = _solved(pose[:, :3, :3], wanted[:, :3, :3])


def nearest(target: Floats, axis: Floats) -> tuple[Floats, Floats]:
    """Rotations (F, 3, 3) and scales (F, 3) whose product rotation * diag(scale) is nearest to matrices (F, 3, 3).

    axis: (3,) -1 for the axes that are negated where a matrix mirrors.
    """
    signs = np.where((np.linalg.det(target) < 0)[:, None], axis, 1.0)
    target = target * signs[:, None]
    size = np.linalg.norm(target, axis=1)
    products = target.swapaxes(1, 2) @ target
    oblique = np.abs(products - products * np.eye(3)).max(axis=(1, 2)) > 1e-7 * np.maximum((size**2).max(axis=1), 1e-30)
    flat = size.min(axis=1) <= 1e-7 * size.max(axis=1)
    rotation = target / np.maximum(size, 1e-30)[:, None]
    hard = oblique | flat
    if hard.any():
        rotation[hard], size[hard] = _iterated(target[hard], size[hard])
    return rotation, size * signs


def _iterated(target: Floats, size: Floats) -> tuple[Floats, Floats]:
    """Rotation and scale alternately, each the best for the other."""
    rotation = rotation_matrix.nearest(target * size[:, None])
    for _ in range(60):
        better = np.einsum("fij,fij->fj", rotation, target)
        still = np.abs(better - size).max() < 1e-7 * max(float(size.max()), 1e-30)
        size = better
        if still:
            break
        rotation = rotation_matrix.nearest(target * size[:, None])
    return rotation, size


def _inverse(matrices: Floats) -> Floats:
    return np.linalg.inv(matrices).astype(np.float64, copy=False)


def _solved(matrices: Floats, right: Floats) -> Floats:
    """The inverse of `matrices`, or of what is near them and has one, times `right`."""
    return np.linalg.solve(_regular(matrices), right).astype(np.float64, copy=False)


def _regular(matrices: Floats) -> Floats:
    """The matrices (..., 3, 3), those without an inverse a little widened: a bone without size has no inside."""
    size = np.abs(matrices).max(axis=(-1, -2))
    flat = np.abs(np.linalg.det(matrices)) < 1e-24 + 1e-12 * size**3
    if not flat.any():
        return matrices
    u, values, vt = np.linalg.svd(matrices)
    wide = (u * np.maximum(values, np.maximum(1e-9, 1e-6 * size)[..., None])[..., None, :]) @ vt
    return np.where(flat[..., None, None], wide, matrices)
