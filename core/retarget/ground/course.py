"""The heading of a game's character: it turns as far as the clip turns, while what hips sway about that stays in their pose. A game adds
the turn to the way the character goes and looks, and keeps it when a clip is broken off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...motion.rotations.rotation_matrix import Floats

BEGINNING = 0.25
"""Seconds over which the hips' heading is taken where a clip begins and ends."""

_SWAY, _SWING = np.radians([20, 60])
"""How far hips may look away from the heading before it follows them, in a clip that turns and in one that does not."""

_BENT, _TURNED, _LOOP = np.radians([10, 30, 0.5])
"""From where on a clip turns: one that goes straight on, by its way; any other one, which may end in another stance; and a loop, whose ends
are alike."""

_ASIDE = 0.08
"""Leg lengths to the side that hips sway on a straight way, at most."""

_AHEAD = 16
"""Frames that are looked ahead at first for where the heading has to bend."""


@dataclass(frozen=True)
class Start:
    """heading: radians about Z from the direction in which the target looks at rest to that in which it looks as the clip starts.
    straight: whether the clip goes straight on."""

    heading: float
    straight: bool


def course(hips: Floats, path: Floats, start: Start, leg: float, fps: float, loop: int | None) -> Floats:
    """(F,) radians about Z, without jumps: from the start's heading to what the clip turns, bent no more than the hips ask for.

    hips: (F,) their heading, without jumps. path: (F, 2) metres over the ground. leg: its length in
    metres. loop: the row whose pose the last one repeats."""
    last, some = len(hips) - 1, max(1, round(BEGINNING * fps))
    if not last:
        return np.array([start.heading])
    first = float(hips[:some].mean())
    pins = {0: 0.0}
    if loop is not None and loop < last:
        pins[loop] = 0.0 if start.straight else _significant(float(hips[loop : loop + some].mean()) - first, _TURNED)
        pins[last] = pins[loop] + _significant(float(hips[last] - hips[loop]), _LOOP)
    elif start.straight:
        pins[last] = _significant(_bend(path, _ASIDE * leg), _BENT)
    else:
        pins[last] = _significant(float(hips[-some:].mean()) - first, _TURNED)
    slack = _SWAY if any(pins.values()) else _SWING
    line = np.interp(np.arange(last + 1), list(pins), list(pins.values()))
    away = hips - line
    middle = float(away.max() + away.min()) / 2
    beside = middle if start.straight or loop == 0 or float(np.ptp(away)) <= 2 * slack else first
    relative, result = hips - beside, np.empty(last + 1)
    for one, other in zip(pins, [*pins][1:], strict=False):
        low, high = relative[one : other + 1] - slack, relative[one : other + 1] + slack
        result[one : other + 1] = _taut(low, high, pins[one], pins[other])
    return start.heading + result


def sway(hips: Floats, headings: Floats) -> float:
    """Radians that hips look to one side and the other of the heading, about the middle."""
    return float(np.ptp(hips - headings)) / 2


def _significant(angle: float, least: float) -> float:
    return angle if abs(angle) >= least else 0.0


def _bend(path: Floats, sway: float) -> float:
    """Radians by which a way that goes straight on, more or less, bends: an arc's halves lead half of that away from each other. 0 where
    its middle is no further aside than a sway, in metres."""
    beeline = path[-1] - path[0]
    covered = (path - path[0]) @ beeline
    middle = path[int(np.argmax(covered >= covered[-1] / 2))]
    one, other = middle - path[0], path[-1] - middle
    if abs(one[0] * other[1] - one[1] * other[0]) <= sway * float(np.linalg.norm(beeline)):
        return 0.0
    return 2 * float(np.arctan2(one[0] * other[1] - one[1] * other[0], one @ other))


def _taut(low: Floats, high: Floats, start: float, end: float) -> Floats:
    """The shortest line (F,) from start to end between two others, like a string that is pulled taut."""
    low, high = np.append(low[:-1], end), np.append(high[:-1], end)
    rows, values = [0], [start]
    while rows[-1] < len(low) - 1:
        row, value = _next_bend(low, high, rows[-1], values[-1])
        rows.append(row)
        values.append(value)
    return np.interp(np.arange(len(low)), rows, values)


def _next_bend(low: Floats, high: Floats, row: int, value: float) -> tuple[int, float]:
    """Where a straight line from a point cannot go on: row and value of the next bend, or of the end."""
    last, ahead = len(low) - 1, _AHEAD
    while True:
        stop = min(row + ahead, last)
        far = np.arange(1, stop - row + 1)
        least, most = (low[row + 1 : stop + 1] - value) / far, (high[row + 1 : stop + 1] - value) / far
        steepest, flattest = np.maximum.accumulate(least), np.minimum.accumulate(most)
        closed = np.flatnonzero(steepest > flattest)
        if len(closed):
            at = int(closed[0])
            if least[at] > flattest[at - 1]:  # it has to rise more than what lies before lets it
                bend, bound = int(np.argmin(most[:at])), high
            else:
                bend, bound = int(np.argmax(least[:at])), low
            return row + 1 + bend, float(bound[row + 1 + bend])
        if stop == last:
            return last, float(low[-1])
        ahead *= 4
