"""The kinds of records whose pointers and links are known, so that they can be taken out of a file."""

from __future__ import annotations

from . import oban, trac, tram_layout
from .body_records import SHAPES, BodyLayout
from .record import Layout

LAYOUTS: dict[str, Layout] = {
    tram_layout.TAG: tram_layout.LAYOUT,
    oban.TAG: oban.LAYOUT,
    trac.TAG: trac.LAYOUT,
    **{tag: BodyLayout(tag) for tag in SHAPES},
}
"""By tag."""
