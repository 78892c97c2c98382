"""Which way two figures face, and so how far a clip is turned from one world into the other: not at all unless that is certain.

Every importer brings its file's up and forward axes to Blender's, so figures face by quarter turns: what a rest pose shows beside that is
its stance, which the alignment takes care of. A game's characters face as the game declares it. Where the rest pose is no help, the motion
is asked; a figure of which nothing shows where it faces is taken to look along -Y, as every import has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations import rotation_matrix
from ....motion.rotations.angles import quarter, wrapped
from ....motion.rotations.directions import UP
from ....motion.rotations.rotation_matrix import Floats
from ...figures.figure import Figure
from ...figures.motion import Motion
from ...options import Facing as Choice
from ..binding import Binding, Side
from . import stance

SAME = np.radians(5)
"""Figures that face less apart than this stand alike: then a clip keeps its direction in the scene."""

EXACT, LIKELY, MEAN, ASTRAY = np.radians([2.5, 30, 20, 60])
"""How far from a quarter turn may be: thighs at rest that need no shoulders beside them, thighs and shoulders that say the same, at rest or
in the mean of a motion, a motion's mean thighs alone, and one who is taken to look along -Y for want of anything better."""

_STEADY, _SHOWN = 0.9, 0.6
"""How far the facings of a clip's frames must agree, from 0 (all ways) to 1, and how much of the directions of hips and shoulders is level
at least, of 2."""

_AHEAD, _FAR = 0.9, 2.0
"""How much of its path one goes along its face who goes about, of 1, and how long that path is, in lengths of the trunk."""

_LINES = ("UpperLeg", "UpperArm")


@dataclass(frozen=True)
class Facing:
    """Angles about Z, from +X, of the lines from the right to the left of both figures, each in its world; 0 looks along -Y.

    assumed: the sides of which nothing shows for certain where they face. is_doubtful: whether one of them may well face elsewhere: it lies
    at rest, or stands there far away from what it is taken for. rotates: whether the clip is turned so that the target's front is the
    source's; else the aligned target faces as the source does. by_motion: whether the source's rest pose does not show it for certain, so
    that each of its clips was asked."""

    source: float = 0.0
    target: float = 0.0
    assumed: tuple[Side, ...] = ()
    is_doubtful: bool = False
    rotates: bool = True
    by_motion: bool = field(default=False, compare=False)

    @property
    def yaw(self) -> float:
        """Radians by which the source's world is turned into the target's."""
        angle = wrapped(self.target - self.source)
        return angle if self.rotates and abs(angle) >= SAME else 0.0

    @property
    def aligned(self) -> float:
        """The angle of the target's left in the reference pose, in which it stands as the source does."""
        return self.target if self.rotates else self.source

    @property
    def away(self) -> float:
        """Radians about Z from the direction in which the target looks at rest to that in the reference pose."""
        return wrapped(self.aligned - self.target)

    @property
    def frame(self) -> Floats:
        """(3, 3) rotation from the source's world to the target's."""
        return rotation_matrix.about(2, np.array(self.yaw)) if self.yaw else np.eye(3)

    @property
    def lateral(self) -> Floats:
        """(3,) from the right to the left of the target in the reference pose."""
        return np.array([np.cos(self.aligned), np.sin(self.aligned), 0.0])

    @property
    def lateral_at_rest(self) -> Floats:
        """(3,) the same at rest."""
        return np.array([np.cos(self.target), np.sin(self.target), 0.0])

    @property
    def ahead(self) -> Floats:
        """(3,) where the source looks, in its world."""
        return np.array([np.sin(self.source), -np.cos(self.source), 0.0])


def looks(left: float) -> str:
    """For people, where one looks whose left is at an angle about Z from +X."""
    names = {0: "-Y", 90: "X", 180: "Y", 270: "-X"}
    degrees = round(float(np.degrees(left))) % 360
    return names.get(degrees, f"{degrees}° about Z from -Y")


Moving = Callable[[], Sequence[Motion]]
"""What shows where a figure faces if its rest pose does not, asked for only then."""


def facing(
    binding: Binding, choice: Choice = "AUTO", motion: Motion | None = None, own: Moving | None = None, others: Moving | None = None
) -> Facing:
    """motion: of all source bones. own: motions of the target, first that of its present clip. others: of the source in its other clips.
    WORLD, or both of them unknown: no turn."""
    asked: list[Motion | None] = []

    def moving() -> Iterator[Motion]:
        asked.append(motion)
        if motion is not None:
            yield motion
        yield from others() if others else ()

    source, target = _known(binding, "source", moving), _known(binding, "target", own or (lambda: ()))
    if choice == "AUTO" and (source is None) != (target is None) and _is_one_stance(binding):
        source = target = source if target is None else target
    doubtful: list[Side] = []
    if choice == "AUTO" and (source is None or target is None):
        known: dict[Side, float | None] = {"source": source, "target": target}
        doubtful = [side for side, angle in known.items() if angle is None and _evidence(binding, side, stance.heads(binding, side))]
        if "source" in doubtful and motion is not None and _goes_about(binding, motion):
            doubtful.remove("source")
        source = _supposed(binding, "source") if source is None else source
        target = _supposed(binding, "target") if target is None else target
    if choice == "WORLD" or (source is None and target is None):
        known_ones = [angle for angle in (source, target) if angle is not None] or [0.0]
        return Facing(known_ones[0], known_ones[-1], rotates=False, by_motion=bool(asked))
    nothing: Side | None = "source" if source is None else "target" if target is None else None
    source = _yaw(binding.source.rotation) if source is None else source
    target = _yaw(binding.target.rotation) if target is None else target
    if nothing and Facing(source, target).yaw:
        doubtful.append(nothing)
    taken = {"source": source, "target": target}
    elsewhere = any(_may_face_elsewhere(binding, side, taken[side]) for side in doubtful)
    return Facing(source, target, tuple(doubtful), elsewhere, by_motion=bool(asked))


def _may_face_elsewhere(binding: Binding, side: Side, taken: float) -> bool:
    heads = stance.heads(binding, side)
    return not stance.stands(binding, side, heads) or any(abs(wrapped(angle - taken)) > LIKELY for angle in _evidence(binding, side, heads))


def _known(binding: Binding, side: Side, moving: Callable[[], Iterable[Motion]]) -> float | None:
    """The angle of a figure's left by what its game declares, by a rest pose that stands, by how it moves, by a rest pose that lies."""
    figure = _figure(binding, side)
    if figure.left is not None:
        left = figure.rotation @ figure.left
        if np.hypot(left[0], left[1]) > 0.5:
            return float(np.arctan2(left[1], left[0]))
    heads = stance.heads(binding, side)
    resting = _at_rest(binding, side, heads)
    if stance.across(binding, side, heads, _LINES[0]) is None or (resting is not None and stance.stands(binding, side, heads)):
        return resting
    angle = _shown(binding, side, iter(moving()))
    return resting if angle is None else angle


def _shown(binding: Binding, side: Side, motions: Iterator[Motion]) -> float | None:
    """What the first motion shows; else what all others that show it for certain agree about."""
    first = next(motions, None)
    angle = None if first is None else _in_motion(binding, side, first)
    if angle is not None:
        return angle
    angles = [other for each in motions if (other := _in_motion(binding, side, each)) is not None]
    return angles[0] if angles and all(abs(wrapped(other - angles[0])) < SAME for other in angles) else None


def _is_one_stance(binding: Binding) -> bool:
    """Whether both are one figure, in one pose at rest."""
    ones, twos = (_evidence(binding, side, stance.heads(binding, side)) for side in get_args(Side))
    alike = len(ones) == len(twos) and all(abs(wrapped(one - two)) < EXACT for one, two in zip(ones, twos, strict=True))
    return binding.is_one_figure and bool(ones) and alike


def _supposed(binding: Binding, side: Side) -> float | None:
    """What is left of a figure that stands between quarter turns: that it looks along -Y as every import has it, unless it stands far away
    from that; then the nearest quarter turn. None where nothing at all shows where it faces."""
    angles = _evidence(binding, side, stance.heads(binding, side))
    if not angles:
        return None
    yaw = _yaw(_figure(binding, side).rotation)
    away = wrapped(angles[0] - yaw)
    return yaw if abs(away) < ASTRAY else yaw + quarter(away)


def _at_rest(binding: Binding, side: Side, heads: Floats) -> float | None:
    """The quarter turn, in the armature's axes, that hips and shoulders stand at, where both say the same; in the world's only where both
    say it exactly. Of a figure that lies, where its hips say it exactly."""
    within = LIKELY if stance.stands(binding, side, heads) else 0.0
    angles = _evidence(binding, side, heads)
    if not angles:
        return None
    yaw = _yaw(_figure(binding, side).rotation)
    away = [wrapped(angle - yaw) for angle in angles]
    nearest = quarter(away[0])
    apart = abs(wrapped(away[0] - nearest))
    if apart < EXACT:
        return yaw + nearest
    if max(abs(wrapped(angle - quarter(angle))) for angle in angles) < EXACT:
        return quarter(angles[0])
    mean = abs(wrapped(_mean(away) - nearest))
    return yaw + nearest if {quarter(angle) for angle in away} == {nearest} and min(apart, mean) < within else None


def _evidence(binding: Binding, side: Side, heads: Floats) -> list[float]:
    """Angles about Z, from +X, of the figure's left by its hips and by its shoulders, as the least turn away from standing upright leaves
    them: a tilted line counts with what is level of it, and one who lies on a side is known by where the front is."""
    if stance.is_folded(binding, side):
        return []
    trunk = stance.trunk(binding, side, heads)
    up = UP if trunk is None else trunk / max(float(np.linalg.norm(trunk)), 1e-30)
    angles: list[float] = []
    for part in _LINES:
        line = stance.across(binding, side, heads, part)
        if line is None or not line.any():
            continue
        across = line / np.linalg.norm(line)
        front = np.cross(across, up)
        left = complex(across[0], across[1]) + 1j * complex(front[0], front[1])
        if abs(left) > _SHOWN:
            angles.append(float(np.angle(left)))
    return angles


def _mean(angles: list[float]) -> float:
    return float(np.angle(np.exp(1j * np.array(angles)).sum()))


def _in_motion(binding: Binding, side: Side, motion: Motion) -> float | None:
    """The quarter turn that the hips of a figure face in the mean of its frames, or hips and shoulders together, which whoever aims or
    strikes twists one against the other; None where it turns about, or faces in between."""
    upright = stance.upright(binding, side, motion.positions)
    means = [_mean_line(stance.across(binding, side, motion.positions, part), upright) for part in _LINES]
    if means[0] is None:
        return None
    yaw = _yaw(_figure(binding, side).rotation)
    away = [wrapped(float(np.angle(mean)) - yaw) for mean in means if mean is not None]
    nearest = quarter(away[0])
    alike = {quarter(angle) for angle in away} == {nearest}
    shows = abs(wrapped(away[0] - nearest)) < MEAN or (alike and abs(wrapped(_mean(away) - nearest)) < LIKELY)
    return yaw + nearest if shows else None


def _mean_line(line: Floats | None, upright: NDArray[np.bool_]) -> complex | None:
    """Where a line points, seen from above, in the mean of the frames in which the figure is upright; None where these are too few, or it
    points all ways."""
    if line is None:
        return None
    flat = line[upright, 0] + 1j * line[upright, 1]
    if len(flat) < 0.5 * len(line) or not np.abs(flat).all():
        return None
    mean = complex((flat / np.abs(flat)).mean())
    return mean if abs(mean) >= _STEADY else None


def _goes_about(binding: Binding, motion: Motion) -> bool:
    """Whether the source goes along its face in one direction after another: then its clip looks the same however the whole of it is
    turned, and it does not matter where it faces."""
    line, trunk = stance.across(binding, "source", motion.positions, _LINES[0]), stance.trunk(binding, "source", motion.positions)
    if line is None or trunk is None:
        return False
    path = stance.joint(binding, "source", motion.positions, binding.roles["hips"])
    steps, front = np.diff(path[:, 0] + 1j * path[:, 1]), -1j * (line[1:, 0] + 1j * line[1:, 1])
    long = np.abs(steps)
    if long.sum() < _FAR * np.linalg.norm(trunk, axis=1).mean():
        return False
    front /= np.maximum(np.abs(front), 1e-30)
    goes_ahead = (steps * front.conj()).real.sum() > _AHEAD * long.sum()
    return bool(goes_ahead and abs(steps.sum()) < _STEADY * long.sum() and abs(front.mean()) < _STEADY)


def _figure(binding: Binding, side: Side) -> Figure:
    return binding.source if side == "source" else binding.target


def _yaw(rotation: Floats) -> float:
    """An object's turn about Z: where it takes the X axis."""
    return float(np.arctan2(rotation[1, 0], rotation[0, 0])) if np.hypot(rotation[0, 0], rotation[1, 0]) > 1e-3 else 0.0
