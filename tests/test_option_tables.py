"""The docs' tables of options and fields are what is declared."""

from __future__ import annotations

import pytest
from retro_anim.tools.option_tables import DOCS, pages, with_tables


@pytest.mark.parametrize("page", pages())
def test_the_docs_are_up_to_date(page: str) -> None:
    """Renewed by `python -m retro_anim.tools.option_tables`."""
    text = (DOCS / page).read_text("utf-8")
    assert with_tables(page, text) == text
