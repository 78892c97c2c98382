"""Frames that Blender's time line does not have, and fields as the panel shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from support.lba.lba_edits import Part, Walk, warnings


def test_a_clip_that_comes_in_too_late(fetch: Any, part: Part, anims: Path) -> None:
    with part("core.reporting.log").collect() as said:
        fetch(anims, entries="1-3", skeleton=f"{anims.with_name('BODY.HQR')}#0", frame_start=1048574.0)
    lines = [message.text for message in said.messages if "time line" in message.text]
    assert len(lines) == 1
    assert "Blender's time line to 1048574 (and 2 more such clips): choose an earlier start frame" in lines[0]


def test_what_cannot_be_evaluated_is_refused(walk: Walk, part: Part) -> None:
    for curve in walk.curves():
        for point in curve.keyframe_points:
            point.co.x += 1048550
        curve.update()
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=r"^frame 10485\d\d is beyond 1048574") as raised:
        walk.packed(sampling="VISUAL")
    assert "\n" not in str(raised.value)


def test_moved_far_away_it_is_the_same(walk: Walk, part: Part) -> None:
    for curve in walk.curves():
        for point in curve.keyframe_points:
            point.co.x += 1048000
        curve.update()
    now, said = warnings(part, walk.packed)
    assert (now.pack(), said) == (walk.before.pack(), [])


@pytest.mark.parametrize("name", ["lba_first_step", "lba_first_turn"])
def test_whole_numbers_are_shown_as_such(walk: Walk, name: str) -> None:
    shown: Any = walk.action.id_properties_ui(name).as_dict()
    assert (shown["precision"], shown["step"], shown["min"], shown["max"]) == (0, 100, -32768, 32767)
    assert list(walk.action[name]) == [0, 0, 0]
    assert bpy.data.actions[walk.action.name] == walk.action
