"""The tables of options and fields in docs/<game>.md, from their declarations: `python -m retro_anim.tools.option_tables`.

Each table stands between `<!-- options -->` or `<!-- fields -->` and the same with a slash; the file of a game is named after its id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ..core.declare.fields import Field
from ..core.declare.game import Game
from ..core.declare.options import Declared, declared
from ..core.games import GAMES

DOCS = Path(__file__).resolve().parent.parent / "docs"


def options_of(game: Game) -> str:
    """Tables of the import's and the export's options, and of a new character's where the game has such."""
    parts: list[str] = []
    kinds = {"Import": game.import_options, "Export": game.export_options}
    if game.character_options is not None:
        kinds["New Character"] = game.character_options
    for title, kind in kinds.items():
        rows = [_option(item) for item in declared(kind).values()]
        parts.append(_table((title, "Command line", "Default", "Meaning"), rows))
    return "\n\n".join(parts)


def fields_of(game: Game) -> str:
    """Tables of the fields, one for each kind of data-block or list."""
    return "\n\n".join(
        _table((f"Of the {name.replace('_', ' ')}", "Label", "Value", "Meaning"), [_field(item) for item in table])
        for name, table in game.fields.items()
    )


def with_tables(text: str, game: Game) -> str:
    """A game's page with its tables as they are declared. Raises ValueError where it has no markers for them."""
    tables = {"options": options_of(game), "fields": fields_of(game)}
    for name, table in tables.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        if not table:
            continue
        if not pattern.search(text):
            raise ValueError(f"docs/{game.id}.md has no <!-- {name} --> and <!-- /{name} -->")
        text = pattern.sub(lambda match, table=table: f"{match[1]}{table}\n{match[2]}", text)
    return text


def main() -> None:
    for game in GAMES.values():
        path = DOCS / f"{game.id}.md"
        path.write_text(with_tables(path.read_text("utf-8"), game), "utf-8", newline="\n")


def _option(item: Declared) -> tuple[str, ...]:
    option = item.option
    values = "; ".join(f"`{choice.id}` {choice.help or choice.label}" for choice in option.choices)
    meaning = ". ".join(part for part in (option.help, values) if part) or option.label
    return (
        f"`{item.name}`",
        f"`{option.flag}`" if option.flag else "",
        f"`{item.default!r}`",
        meaning + _limits(option.minimum, option.maximum),
    )


def _field(item: Field) -> tuple[str, ...]:
    choices = ", ".join(choice.label for choice in item.choices[:12]) + (" …" if len(item.choices) > 12 else "")
    count = f" × {item.size}" if item.size > 1 else ""
    value = f"{item.kind}{count}{f', {item.unit}' if item.unit else ''}{_limits(item.minimum, item.maximum)}"
    return f"`{item.property}`", item.label, value, ". ".join(part for part in (item.help, choices) if part)


def _limits(minimum: float | None, maximum: float | None) -> str:
    if minimum is not None and maximum is not None:
        return f" ({minimum:g} to {maximum:g})"
    if minimum is not None:
        return f" (at least {minimum:g})"
    return f" (at most {maximum:g})" if maximum is not None else ""


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


if __name__ == "__main__":
    main()
