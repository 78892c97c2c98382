"""The table of games, and that it costs nothing."""

from __future__ import annotations

import subprocess
import sys

from retro_anim.core import formats
from retro_anim.core.declare.options import declared
from retro_anim.core.games import GAMES, writing


def test_the_table_costs_the_standard_library_alone() -> None:
    """Registering in Blender needs rows, options and fields: no numpy, and no module that reads files."""
    code = """
import sys
from retro_anim.core.games import GAMES
from retro_anim.core.declare.options import declared
for game in GAMES.values():
    declared(game.import_options), declared(game.export_options)
print([name for name in sys.modules if name == "numpy" or name.endswith((".formats", ".posing"))])
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert result.stdout.strip() == "[]"


def test_no_two_games_write_the_same_extension() -> None:
    extensions = [extension for game in GAMES.values() for extension in game.written]
    assert len(extensions) == len(set(extensions))
    assert {extension: getattr(writing(extension.upper()), "id", "") for extension in (".anm", ".xml", ".skel", ".lab", ".dat")} == {
        ".anm": "lba",
        ".xml": "oni",
        ".skel": "oni2",
        ".lab": "mindpower",
        ".dat": "",
    }


def test_options_of_one_flag_are_one_argument() -> None:
    """By name and type, also where several games declare them."""
    known: dict[str, set[tuple[str, str]]] = {}
    for game in GAMES.values():
        for kind in (game.import_options, game.export_options):
            for item in declared(kind).values():
                if item.flag:
                    known.setdefault(item.flag, set()).add((item.name, item.type))
    assert {flag for flag, items in known.items() if len(items) > 1} == set()
    imported = {"--skeleton", "--mesh", "--game", "--parts", "--look", "--bone-names", "--assets"}
    exported = {"--action-type", "--keys", "--overwrite", "--fps-from", "--fewer-keys", "--max-distance"}
    assert set(known) == imported | exported


def test_a_row_knows_the_extensions_of_its_formats() -> None:
    """By them a file is opened without loading what opens those of other games."""

    for kind in formats.known():
        game = GAMES[kind.game]
        assert set(kind.extensions) <= {*game.opened, *game.known}, kind.name
