"""Which joint of a leg is which, from the shoulder blade by elbow and wrist to the toes, and from the pelvis by stifle and hock: by how
high each is, and which way it bends at rest, as far as that shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....motion.rotations.rotation_matrix import Floats
from .legs import bends

JOINTS = 6
"""Shoulder blade or half of the pelvis; shoulder or hip; elbow or stifle; wrist or hock; fetlock or ball of the foot; toe or hoof."""

_HEIGHTS = np.array(
    [
        [[1.0, 0.85, 0.68, 0.38, 0.12, 0.05], [1.0, 0.90, 0.72, 0.45, 0.12, 0.05]],
        [[1.0, 0.82, 0.50, 0.16, 0.05, 0.03], [1.0, 0.92, 0.57, 0.29, 0.05, 0.03]],
        [[1.0, 0.78, 0.45, 0.10, 0.05, 0.03], [1.0, 0.85, 0.43, 0.11, 0.05, 0.03]],
    ]
)
"""Of fore and hind legs of those that stand on hooves, on toes, and on flat feet: how high each joint is, of the trunk above the leg."""

_SPREAD = np.array([0.08, 0.09, 0.08, 0.07, 0.04, 0.025])
"""By how much these vary."""

_BENDS = np.array([[0.0, 0.0, -1.5, 0.5, 0.0, 0.0], [0.0, 0.0, 1.5, -1.5, -1.0, 0.0]])
"""What it says for each joint of fore and hind legs that it is in front of the line from joint to joint: elbows and hocks are behind it."""

_BENT = 0.06
"""By how much, of the height, a joint is off that line that says all of this."""

_LACKING = np.array([0.1, 1.0, 1.5, 1.0, 1.0, 0.05])
"""What speaks against a leg that lacks each joint, as makers leave out toes and blades."""

_TWICE = 2.0
"""What speaks against two bones of one joint."""

_BELOW = (0.0, 0.03, 0.06, 0.1)
"""How far the ground is below the lowest joint, of the height of the trunk: it does not show of legs without toes."""

_LEAST = -30.0
"""The logarithm of what a joint's height says at least, so that none is impossible."""

_NO_LEG = 1e-300
"""How likely what is no leg at all, of hundreds of bones, is at least: nothing shows of it."""


def leg_joints(legs: Sequence[Floats], tops: Sequence[float]) -> list[Floats]:
    """For the fore leg and the hind leg of one side (N, JOINTS) how likely each of its bones begins at each joint, 1 in sum. legs: (N, 3)
    where these bones begin, left, forward, up. tops: how high the trunk is above each leg.

    Both legs are of one animal: what shows of the one that it stands on hooves counts for the other."""
    fits = [_fits(points, top, hind) for hind, (points, top) in enumerate(zip(legs, tops, strict=True))]
    kinds = np.prod([evidence.sum(axis=1) for evidence, _ in fits], axis=0)
    shares = [evidence * (kinds / kinds.sum() / evidence.sum(axis=1))[:, None] for evidence, _ in fits]
    return [np.einsum("kg,kgnj->nj", share, each) for share, (_, each) in zip(shares, fits, strict=True)]


def one_joint(first: Floats, second: Floats) -> float:
    """How likely two bones begin at one joint, 0 to 1. first, second: (JOINTS,) how likely each begins at which. A leg that begins with one
    bone less has either blade or shoulder, one that ends so fetlock or toe: there it is enough that it shows as little of both."""
    shared = np.sqrt(first * second)
    return float(shared[:2].sum() ** 2 + (shared[2:4] ** 2).sum() + shared[4:].sum() ** 2)


def _fits(points: Floats, top: float, hind: int) -> tuple[Floats, Floats]:
    """(K, G) how well each kind of leg, on each ground, fits the bones that begin at points (N, 3), of the best, and (K, G, N, JOINTS) how
    likely each is which joint then."""
    top, low = max(top, float(points[0, 2])), float(points[:, 2].min())
    grounds = low - np.array(_BELOW) * (top - low)
    heights = (points[:, 2] - grounds[:, None]) / (top - grounds)[:, None]
    apart = heights[None, :, :, None] - _HEIGHTS[:, None, None, hind]
    says = -((apart / _SPREAD) ** 2) / 2 - np.log(_SPREAD)
    says[:, :, 1:-1] += np.clip(bends(points) / (_BENT * (top - low)), -1, 1)[:, None] * _BENDS[hind]
    joint = np.exp(np.maximum(says - says.max(axis=(0, 1, 3), keepdims=True), _LEAST))
    before = np.concatenate([[0.0], np.cumsum(_LACKING)])
    lacks = before[None, :-1] - before[1:, None]
    onward = np.where(np.tri(JOINTS, k=-1, dtype=bool).T, np.exp(-lacks), np.eye(JOINTS) * np.exp(-_TWICE))
    first, last = np.exp(-before[:-1]), np.exp(before[1:] - before[-1])
    ahead, behind = [first * joint[:, :, 0]], [np.broadcast_to(last, joint[:, :, 0].shape)]
    for number in range(1, len(points)):
        ahead.append(ahead[-1] @ onward * joint[:, :, number])
        behind.append((behind[-1] * joint[:, :, -number]) @ onward.T)
    both = np.stack(ahead, axis=2) * np.stack(behind[::-1], axis=2)
    whole = np.maximum(both.sum(axis=3), _NO_LEG)
    return whole[:, :, -1] / whole[:, :, -1].max(), both / whole[..., None]
