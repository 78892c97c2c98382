"""Clips of one game for the other: what means the same goes along, and what does not is named."""

from __future__ import annotations

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
