"""What retargeting asks of a game's row, against the game's own modules."""

from __future__ import annotations

from retro_anim.core.games import GAMES


def test_every_game_has_a_rate_for_each_of_its_variants() -> None:
    for game in GAMES.values():
        assert (game.rate is None) == bool(game.rates) == bool(game.variant)


def test_the_first_game_counts_ticks_and_the_second_milliseconds() -> None:
    assert GAMES["lba"].rates == {"lba1": 50, "lba2": 1000}
