"""The docs' tables of options and fields are what is declared."""

from __future__ import annotations

import pytest
from retro_anim.core.games import GAMES
from retro_anim.tools.option_tables import DOCS, with_tables


@pytest.mark.parametrize("game", GAMES)
def test_the_docs_are_up_to_date(game: str) -> None:
    """Renewed by `python -m retro_anim.tools.option_tables`."""
    text = (DOCS / f"{game}.md").read_text("utf-8")
    assert with_tables(text, GAMES[game]) == text
