"""A bone that is off for a reason which the game has explained is named as well where it is off for another."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from support.lba.lba_edits import Part, Walk

STEP = 2 * np.pi / 1024


def lines(walk: Walk, part: Part, **options: Any) -> list[str]:
    export = part("io.lba")
    chosen = export.ExportOptions(str(walk.out), dry_run=True, **options)
    (change,) = export.export_lba(bpy.context, chosen).changes
    return list(change.messages)


def bow(walk: Walk, bone: int, frame: float, height: float) -> float:
    """A curve that leaves its straight line behind a key. Returns by how many degrees at most, at quarters, and where."""
    curve = next(each for each in walk.curves(bone, "rotation_euler") if each.array_index == 0)
    (point,) = walk.keys(curve, frame)
    point.interpolation, point.handle_right_type = "BEZIER", "FREE"
    point.handle_right = (frame + 3, point.co[1] + height)
    curve.update()
    at = frame + np.array([0, 2.25, 4.5, 6.75, 9])
    values = np.array([curve.evaluate(each) for each in at.tolist()])
    return float(np.degrees(np.abs(values - np.interp(at, at[[0, 4]], values[[0, 4]])).max()))


def pose(walk: Walk, bone: int, frame: float, steps: int) -> None:
    curve = next(each for each in walk.curves(bone, "rotation_euler") if each.array_index == 0)
    (point,) = walk.keys(curve, frame)
    point.co[1] += steps * STEP
    curve.update()


def sizes(said: list[str], cause: str) -> list[float]:
    return [float(line.split(" degrees off")[0].rpartition(" ")[2]) for line in said if line.startswith("group 03: ") and cause in line]


def test_a_bow_besides_the_loop_is_named(walk: Walk, part: Part) -> None:
    pose(walk, 3, 46, 100)
    off = bow(walk, 3, 19, 0.9)
    said = lines(walk, part)
    assert 10 < off < 30
    assert sum("the closing key at frame 46 shows another pose: group 03 by 35.16 degrees" in line for line in said) == 1
    assert sizes(said, "not straight lines between keys") == [pytest.approx(off, abs=0.1)]
    assert len(said) == 2


def test_a_bow_besides_a_half_circle_is_named(walk: Walk, part: Part) -> None:
    pose(walk, 3, 28, 700)
    alone = lines(walk, part)
    assert len(alone) == 1 and "the game takes the shorter direction" in alone[0]
    off = bow(walk, 3, 1, 0.9)
    said = lines(walk, part)
    assert said[0] == alone[0] and len(said) == 2
    assert sizes(said, "not straight lines between keys") == [pytest.approx(off, abs=0.1)]


@pytest.mark.parametrize("frame", [10, 46])
def test_nothing_but_the_loop_is_named_once(walk: Walk, part: Part, frame: int) -> None:
    """The pose that is not shown is seen up to the keys beside it."""
    pose(walk, 3, frame, 100)
    (line,) = lines(walk, part)
    assert "Refit Loop" in line
