"""Who is who in the two games as they were sold: names for the numbers of entities and bodies."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

Table = Literal["entities", "bodies"]

RETAIL = {("lba1", "entities"): 82, ("lba1", "bodies"): 132, ("lba2", "entities"): 345, ("lba2", "bodies"): 469}
"""How many a game has. What has fewer is some other game's, whose numbers stand for others."""

_FILE = Path(__file__).with_name("people.txt")


def name_of(game: str, table: Table, number: int, count: int) -> str:
    """A short name, "" where none is known. game: "lba1" or "lba2". count: how many the file has."""
    if count < RETAIL.get((game, table), count + 1):
        return ""
    return _tables().get(f"{game} {table}", {}).get(number, "")


@cache
def _tables() -> dict[str, dict[int, str]]:
    tables: dict[str, dict[int, str]] = {}
    present: dict[int, str] = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            present = tables.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            number, _, name = line.partition("\t")
            present[int(number)] = name.strip()
    return tables
