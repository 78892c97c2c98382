"""What the game does during animations, as markers and as a field of the actions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

Fetch = Callable[..., Any]


def markers(action: Any) -> list[tuple[str, int]]:
    return sorted(((marker.name, marker.frame) for marker in action.pose_markers), key=lambda marker: marker[1])


def test_steps_of_a_walk(fetch: Fetch, game_file: Callable[[str], Path]) -> None:
    """Durations 15, 9, 9, 9, 9 ticks: keyframes 2 and 4 are 18 and 36 ticks behind keyframe 0, which is at frame 1."""
    action = fetch(game_file("lba1/FILE3D.HQR"), entities="0", fps_mode="SET").actions[1]
    assert [(name, frame) for name, frame in markers(action) if "step" in name] == [("right step", 19), ("left step", 37)]
    assert action["lba_events"] == "2 right step; 4 left step"


def test_a_single_entry_has_those_of_who_uses_it(fetch: Fetch, game_file: Callable[[str], Path]) -> None:
    action = fetch(game_file("lba1/ANIM.HQR"), entries="10").actions[0]
    assert action["lba_events"] == "5 sound 95; 6 throw magic ball, height 1200, alpha 30, speed 100, weight 16; 6 sound 23"
    assert {"sound 95", "throw magic ball", "sound 23"} <= {name for name, _ in markers(action)}


@pytest.mark.parametrize("entity", [0, 7, 20, 33, 333])
def test_the_second_game(fetch: Fetch, game_file: Callable[[str], Path], entity: int) -> None:
    """Every action of a character that has some tells them all; those at keyframes that the animation has are markers."""
    actions = [action for action in fetch(game_file("lba2/RESS.HQR"), entities=str(entity)).actions if "lba_events" in action]
    listed = marked = 0
    for action in actions:
        said = action["lba_events"].split("; ")
        shown = [name for name, _ in markers(action) if name not in ("loop", "intro")]
        assert all(any(name in text for text in said) for name in shown)
        listed, marked = listed + len(said), marked + len(shown)
    assert listed >= marked > 0.9 * listed > 0


def test_what_the_game_never_gets_to_is_marked(fetch: Fetch, game_file: Callable[[str], Path]) -> None:
    """Its walk back has the keyframes 0 to 5."""
    actions = fetch(game_file("lba2/RESS.HQR"), entities="0").actions
    said = [action["lba_events"] for action in actions if action.name.endswith("walk back")]
    assert said == ["2 right step; 4 left step; 6 right step (never)"]


def test_numbers_of_events_go_on_in_their_order(part: Any) -> None:
    """In a clip with other keyframes than those that they count."""
    action = bpy.data.actions.new("retargeted")
    action["lba_events"] = "1 hit, strength 1; 4 hit, strength 4; 6 hit, strength 6 (never)"
    for frame in (5, 9):
        action.pose_markers.new("hit").frame = frame
    events = part("io.lba.characters.users").events_of(action, np.arange(1, 14), False)
    assert [event.text for event in events] == ["4 hit, strength 1", "8 hit, strength 4", "13 hit, strength 6"]


def test_what_the_game_would_get_to_is_left_out(part: Any) -> None:
    """A keyframe's number is a byte: of 255 keyframes the last one is 254, and 255 is behind it; of 256 it is one of them."""
    action = bpy.data.actions.new("retargeted")
    action["lba_events"] = "1 hit, strength 1; 6 right step (never)"
    action.pose_markers.new("hit").frame = 5
    for count, events, warnings in ((255, ["4 hit, strength 1", "255 right step"], 0), (256, ["4 hit, strength 1"], 1)):
        with part("core.reporting.log").collect() as said:
            read = part("io.lba.characters.users").events_of(action, np.arange(1, count + 1), False)
        assert [event.text for event in read] == events
        assert [message.text.endswith(": 6 right step") for message in said.of("WARNING")] == [True] * warnings
