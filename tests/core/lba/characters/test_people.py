"""Names of entities and bodies, for the two games as they were sold."""

from __future__ import annotations

import pytest
from retro_anim.core.lba.characters.people import Table, name_of


@pytest.mark.parametrize(
    ("game", "table", "number", "count", "name"),
    [
        ("lba1", "entities", 0, 82, "Twinsen, normal"),  # by the specification entity 0 is Twinsen in normal clothes
        ("lba1", "entities", 0, 83, "Twinsen, normal"),  # more were added behind them
        ("lba1", "entities", 0, 81, ""),  # some other game's
        ("lba1", "entities", 82, 83, ""),
        ("lba3", "entities", 0, 1000, ""),
    ],
)
def test_names_of_numbers(game: str, table: Table, number: int, count: int, name: str) -> None:
    assert name_of(game, table, number, count) == name
