"""Which way two figures face, and so how far a clip is turned from one world into the other: not at all unless that is certain.

Every importer brings its file's up and forward axes to Blender's, so figures face by quarter turns: what a rest pose shows beside that is
its stance, which the alignment takes care of. A game's characters face as the game declares it. Where the rest pose is no help, the motion
is asked; a figure of which nothing shows where it faces is taken to look along -Y, as every import has it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...motion import rotation_matrix
from ...motion.rotation_matrix import Floats
from ..figures.figure import Figure
from ..figures.motion import Motion
from ..options import Facing as Choice
from .binding import Binding

Side = Literal["source", "target"]

SAME = np.radians(5)
"""Figures that face less apart than this stand alike: then a clip keeps its direction in the scene."""

EXACT, CERTAIN, LIKELY, MEAN = np.radians([2.5, 10, 30, 20])
"""How far from a quarter turn may be: thighs at rest that need no shoulders beside them, thighs and shoulders for certain, the same where
there is nothing better, and the motion's mean facing."""

_LEVEL, _FLAT, _UPRIGHT, _STEADY = 0.2, 0.05, 0.7, 0.9
"""Of a line's length its height at most, the same for one who lies, of the trunk's its height at least, and how far the facings of a
clip's frames must agree, from 0 (all ways) to 1."""

_LINES, _TRUNK = ("UpperLeg", "UpperArm"), ("head", "neck", "upperChest", "chest")


@dataclass(frozen=True)
class Facing:
    """Angles about Z, from +X, of the lines from the right to the left of both figures, each in its world; 0 looks along -Y.

    assumed: the sides of which nothing shows where they face, so that they are taken to look as every import has it."""

    source: float = 0.0
    target: float = 0.0
    assumed: tuple[Side, ...] = ()

    @property
    def yaw(self) -> float:
        """Radians by which the source's world is turned into the target's."""
        angle = _wrapped(self.target - self.source)
        return 0.0 if abs(angle) < SAME else angle

    @property
    def frame(self) -> Floats:
        """(3, 3) rotation from the source's world to the target's."""
        return rotation_matrix.about(2, np.array(self.yaw)) if self.yaw else np.eye(3)

    @property
    def lateral(self) -> Floats:
        """(3,) from the right to the left of the target."""
        return np.array([np.cos(self.target), np.sin(self.target), 0.0])


Moving = Callable[[], Motion | None]
"""What shows where a figure faces if its rest pose does not, asked for only then."""


def facing(binding: Binding, choice: Choice = "AUTO", motion: Motion | None = None, own: Moving | None = None) -> Facing:
    """motion: of all source bones. own: a motion of the target. WORLD, or both of them unknown: no turn."""
    source = _known(binding, "source", lambda: motion)
    target = _known(binding, "target", own or (lambda: None))
    if choice == "WORLD" or (source is None and target is None):
        both = target if target is not None else source if source is not None else 0.0
        return Facing(both, both)
    if source is None:
        return Facing(_yaw(binding.source.rotation), target or 0.0, ("source",))
    if target is None:
        return Facing(source, _yaw(binding.target.rotation), ("target",))
    return Facing(source, target)


def _known(binding: Binding, side: Side, moving: Moving) -> float | None:
    """The angle of a figure's left by what its game declares, by its rest pose, by how it moves, by a rest pose that lies."""
    figure = _figure(binding, side)
    if figure.left is not None:
        left = figure.rotation @ figure.left
        if np.hypot(left[0], left[1]) > 0.5:
            return float(np.arctan2(left[1], left[0]))
    heads = binding.heads if side == "source" else figure.heads
    angle = _at_rest(binding, side, heads, CERTAIN)
    if angle is None and (motion := moving()) is not None:
        angle = _in_motion(binding, side, motion)
    return _at_rest(binding, side, heads, LIKELY) if angle is None else angle


def _at_rest(binding: Binding, side: Side, heads: Floats, within: float) -> float | None:
    """The quarter turn, in the armature's axes or the world's, that hips and shoulders stand at, where both say the same; of a figure that
    lies, where its hips say it exactly: standing up about the line through them does not turn it."""
    if not _stands(binding, side, heads):
        if within < LIKELY:
            return None
        within = 0.0
    angles: list[float] = []
    for part in _LINES:
        line = _line(binding, side, heads, part)
        if line is None:
            continue
        if abs(line[2]) > (_LEVEL if within else _FLAT) * np.linalg.norm(line) and part == _LINES[0]:
            return None
        if np.hypot(line[0], line[1]) > 0.3 * np.linalg.norm(line):
            angles.append(float(np.arctan2(line[1], line[0])))
    if not angles:
        return None
    yaw = _yaw(_figure(binding, side).rotation)
    for start in (yaw, 0.0):
        quarters = {_quarter(angle - start) for angle in angles}
        away = [abs(_wrapped(angle - start - _quarter(angle - start))) for angle in angles]
        if away[0] < EXACT:
            return start + _quarter(angles[0] - start)
        mean = abs(_wrapped(float(np.angle(np.exp(1j * np.array(angles)).sum())) - start - _quarter(angles[0] - start)))
        if len(quarters) == 1 and min(away[0], mean) < within:
            return start + quarters.pop()
    return None


def _in_motion(binding: Binding, side: Side, motion: Motion) -> float | None:
    """The quarter turn that a figure faces in the mean of its frames; None where it turns about, or faces in between."""
    line = _line(binding, side, motion.positions, _LINES[0])
    if line is None:
        return None
    trunk = _trunk(binding, side, motion.positions)
    upright = np.ones(len(line), bool) if trunk is None else trunk[:, 2] > _UPRIGHT * np.linalg.norm(trunk, axis=1)
    flat = line[upright, 0] + 1j * line[upright, 1]
    if len(flat) < 0.5 * len(line) or not np.abs(flat).all():
        return None
    mean = (flat / np.abs(flat)).mean()
    if abs(mean) < _STEADY:
        return None
    angle = float(np.angle(mean))
    for start in (_yaw(_figure(binding, side).rotation), 0.0):
        quarter = _quarter(angle - start)
        if abs(_wrapped(angle - start - quarter)) < MEAN:
            return start + quarter
    return None


def _stands(binding: Binding, side: Side, heads: Floats) -> bool:
    trunk = _trunk(binding, side, heads)
    return trunk is None or bool(trunk[2] > _UPRIGHT * np.linalg.norm(trunk))


def _trunk(binding: Binding, side: Side, positions: Floats) -> Floats | None:
    """(..., 3) from the hips to the highest bone of the trunk that is known. positions: (..., B, 3) of one of the figures."""
    hips, top = binding.roles.get("hips"), next((binding.roles[role] for role in _TRUNK if role in binding.roles), None)
    if hips is None or top is None:
        return None
    return _joint(binding, side, positions, top) - _joint(binding, side, positions, hips)


def _line(binding: Binding, side: Side, positions: Floats, part: str) -> Floats | None:
    """(..., 3) from the right one to the left one."""
    left, right = binding.roles.get(f"left{part}"), binding.roles.get(f"right{part}")
    if left is None or right is None:
        return None
    return _joint(binding, side, positions, left) - _joint(binding, side, positions, right)


def _joint(binding: Binding, side: Side, positions: Floats, row: int) -> Floats:
    follower = binding.followers[row]
    bone = follower.source if side == "source" else follower.target
    return positions[bone] if positions.ndim == 2 else positions[:, bone]


def _figure(binding: Binding, side: Side) -> Figure:
    return binding.source if side == "source" else binding.target


def _yaw(rotation: Floats) -> float:
    """An object's turn about Z: where it takes the X axis."""
    return float(np.arctan2(rotation[1, 0], rotation[0, 0])) if np.hypot(rotation[0, 0], rotation[1, 0]) > 1e-3 else 0.0


def _quarter(angle: float) -> float:
    """The nearest quarter turn, -90, 0, 90 or 180 degrees, in radians."""
    return _wrapped(round(angle / (np.pi / 2)) % 4 * (np.pi / 2))


def _wrapped(angle: float) -> float:
    """From above -180 to 180 degrees, in radians."""
    return -((-angle + np.pi) % (2 * np.pi) - np.pi)
