"""What retargeting asks of a game's row, against the game's own modules."""

from __future__ import annotations

from retro_anim.core.games import GAMES
from retro_anim.core.lba.files.variant import GAMES as VARIANTS


def test_every_game_has_a_rate_for_each_of_its_variants() -> None:
    for game in GAMES.values():
        assert (game.rate is None) == bool(game.rates) == bool(game.variant)


def test_the_rates_of_little_big_adventure_are_those_of_its_variants() -> None:
    assert GAMES["lba"].rates == {name: variant.rate for name, variant in VARIANTS.items()}
