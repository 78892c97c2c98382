"""Clips of one game for the other: what means the same goes along, and what does not is named."""

from __future__ import annotations

import pytest
from retro_anim.core.lba.between_games import across


def test_roles_and_events_that_mean_nothing_in_the_other_game_are_named() -> None:
    """To walk, 1, is known by name; role 64 is a number of its game. A step sounds in both, sound 42 is an entry of one game's archive."""
    clip = across({"lba_roles": "walk, 64"}, [(11, "left step"), (21, "sound 42")], "lba1", "lba2")
    assert clip.properties == {"lba_roles": "walk"}
    assert "the role 64: say in Used For what it is for here" in clip.left
    assert "sound 42" in clip.left and "left step" not in clip.left
    assert "the events" not in across({"lba_roles": "64"}, [], "lba1", "lba2").left


def test_of_what_goes_along_nothing_is_said() -> None:
    clip = across({"lba_roles": "walk", "other": 5}, [(11, "left step")], "lba1", "lba2")
    assert (clip.properties, clip.left) == ({"lba_roles": "walk", "other": 5}, "")


@pytest.mark.parametrize(
    ("events", "markers", "named"),
    [
        ("3 sound 42", [(21, "sound 42")], "3 sound 42 at frame 21"),
        ("5 sound 42; 3 sound 42", [(31, "sound 42"), (21, "sound 42")], "5 sound 42 at frame 31; 3 sound 42 at frame 21"),
        ("3 sound 42; 3 sound 42", [(21, "sound 42")], "3 sound 42 at frame 21; 3 sound 42 at frame 21"),
        ("3 sound 42; 9 sound 42 (never)", [(21, "sound 42")], "3 sound 42 at frame 21; 9 sound 42"),
        ("3 sound 42", [(21, "sound 42"), (31, "sound 42")], "3 sound 42; sound 42 at frame 21; sound 42 at frame 31"),
        ("3 sound 42; 5 sound 42", [(21, "sound 42")], "3 sound 42; 5 sound 42; sound 42 at frame 21"),
        ("3 sound 42; 5 sound 7", [(31, "sound 7"), (9, "hit")], "3 sound 42; 5 sound 7 at frame 31"),
        ("2 left step; 3 sound 42", [(11, "left step")], "3 sound 42"),
        ("", [(31, "sound 7"), (21, "sound 42")], "sound 42 at frame 21; sound 7 at frame 31"),
    ],
)
def test_events_that_stay_behind_are_named_with_their_markers(events: str, markers: list[tuple[int, str]], named: str) -> None:
    """With the frame where as many markers have the name as keyframes have the event; other markers are named by themselves."""
    clip = across({"lba_events": events}, markers, "lba1", "lba2")
    assert clip.left == (
        "not the same in Little Big Adventure 2 as in Little Big Adventure 1, so left behind: "
        f"the events {named} (keyframe first): put markers there with numbers of this game"
    )
    assert clip.markers == [marker for marker in markers if marker[1].startswith("sound")]
    assert clip.properties == ({"lba_events": "2 left step"} if "left" in events else {})


@pytest.mark.parametrize(
    ("roles", "kept", "lost"),
    [
        ("walk,  Animation 64 ,animation 5", "walk, hit", "Animation 64"),
        ("64, animation 99", None, "64, animation 99"),
        (" walk, dance ", " walk, dance ", ""),
        ("64, dance,, 28", "dance, talk", "64"),
    ],
)
def test_roles_go_along_by_their_names(roles: str, kept: str | None, lost: str) -> None:
    """Number 5 is to be hit and 28 to talk in both games; what is no number means what it says."""
    clip = across({"lba_roles": roles}, [], "lba2", "lba1")
    assert clip.properties == ({} if kept is None else {"lba_roles": kept})
    assert (f"the role {lost}: say" in clip.left) is bool(lost) and bool(clip.left) is bool(lost)
