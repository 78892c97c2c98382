"""The tables of options and fields in our pages, from their declarations: `python -m retro_anim.tools.option_tables`.

Each table stands between `<!-- options -->` or `<!-- fields -->` and the same with a slash. The page of a game is named after its id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..core.declare.fields import Field
from ..core.declare.game import Game
from ..core.declare.options import Option, declared
from ..core.games import GAMES
from ..core.retarget import options as retargeting

DOCS = Path(__file__).resolve().parent.parent / "docs"


def pages() -> dict[str, dict[str, str]]:
    """Our pages that have such tables: for each its tables by their names."""
    games = {f"{game.id}.md": {"options": options_of(game), "fields": fields_of(game)} for game in GAMES.values()}
    return games | {"retargeting.md": {"options": _options({"Option": (retargeting.Options, retargeting.RetargetOptions)})}}


def options_of(game: Game) -> str:
    """Tables of the import's and the export's options, and of a new character's where the game has such."""
    kinds = {"Import": game.import_options, "Export": game.export_options}
    if game.character_options is not None:
        kinds["New Character"] = game.character_options
    return _options({title: (kind,) for title, kind in kinds.items()})


def _options(kinds: Mapping[str, tuple[type, ...]]) -> str:
    heads = ("Label", "Command line", "Default", "Meaning")
    return "\n\n".join(
        _table((title, *heads), [_option(item) for kind in together for item in declared(kind).values()])
        for title, together in kinds.items()
    )


def fields_of(game: Game) -> str:
    """Tables of the fields, one for each kind of data-block or list."""
    return "\n\n".join(
        _table((f"Of the {name.replace('_', ' ')}", "Label", "Value", "Meaning"), [_field(item) for item in table])
        for name, table in game.fields.items()
    )


def with_tables(page: str, text: str) -> str:
    """A page's text with its tables as they are declared. Raises ValueError where it has no markers for them."""
    for name, table in pages()[page].items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        if not table:
            continue
        if not pattern.search(text):
            raise ValueError(f"docs/{page} has no <!-- {name} --> and <!-- /{name} -->")
        text = pattern.sub(lambda match, table=table: f"{match[1]}{table}\n{match[2]}", text)
    return text


def main() -> None:
    for page in pages():
        path = DOCS / page
        path.write_text(with_tables(page, path.read_text("utf-8")), "utf-8", newline="\n")


def _option(item: Option) -> tuple[str, ...]:
    values = "; ".join(f"`{choice.id}` {choice.help or choice.label}" for choice in item.choices)
    meaning = ". ".join(part for part in (item.help, values) if part) or item.label
    flag = item.flag.replace("--", "--no-", 1) if item.default is True else item.flag
    unit = ", in radians" if item.subtype == "ANGLE" else ""
    default = f"{item.default:.6g}" if isinstance(item.default, float) else repr(item.default)
    minimum, maximum = (limit if limit is not None and abs(limit) < _FAR else None for limit in (item.minimum, item.maximum))
    return (
        f"`{item.name}`",
        item.label,
        f"`{flag}`" if flag else "",
        f"`{default}`",
        meaning + unit + _limits(minimum, maximum),
    )


_FAR = 1e6
"""A limit of an option that is as far away is never met."""


def _field(item: Field) -> tuple[str, ...]:
    choices = ", ".join(choice.label for choice in item.choices[:12]) + (" …" if len(item.choices) > 12 else "")
    count = f" × {item.size}" if item.size > 1 else ""
    value = f"{item.kind}{count}{f', {item.unit}' if item.unit else ''}{_limits(item.minimum, item.maximum)}"
    return f"`{item.property}`", item.label, value, ". ".join(part for part in (item.help, choices) if part)


def _limits(minimum: float | None, maximum: float | None) -> str:
    if minimum is not None and maximum is not None:
        return f" ({_number(minimum)} to {_number(maximum)})"
    if minimum is not None:
        return f" (at least {_number(minimum)})"
    return f" (at most {_number(maximum)})" if maximum is not None else ""


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:g}"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


if __name__ == "__main__":
    main()
