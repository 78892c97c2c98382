"""`info`: what files are and what is in them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from ...core import formats
from ...core.files import address
from ...core.files.format import Archive
from ...core.files.once import looking_once
from ...core.reporting import log
from ...core.reporting.errors import FormatError
from .. import declared, inputs, interpretations
from ..report import fail, fail_each, show, show_json
from . import Commands

Facts = dict[str, Any]


def add_to(commands: Commands) -> None:
    command = commands.add_parser("info", help="format, bones, frames, duration, loop, sizes; an archive's entries")
    command.add_argument("files", nargs="+", action=inputs.Files, metavar="FILE", help="a file, FILE#ENTRY, a folder, or FOLDER#CHARACTER")
    declared.add_games(command, "--game")
    inputs.add_json(command)
    command.set_defaults(run=run)


@looking_once()
def run(arguments: argparse.Namespace) -> int:
    reported: list[Facts] = []
    failed: list[Facts] = []
    paths = list(inputs.files(arguments.files))
    if arguments.game or interpretations.given(arguments):
        from .. import unused

        unused.report(arguments, paths)
    for path in paths:
        try:
            for facts in facts_of(path, arguments.game or "auto"):
                spoiled = [{"path": entry["path"], "error": entry["error"]} for entry in facts.get("contents", []) if "error" in entry]
                failed += spoiled
                fail_each(spoiled, arguments.json)
                reported.append(facts)
                if not arguments.json:
                    print_facts(facts)
        except FormatError as error:
            error.path = error.path or path
            fail(error)
            failed.append({"path": error.path, "error": inputs.without_path(error)})
    if arguments.json:
        show_json({"files": reported, "failed": failed})
    return 1 if failed else 0


def facts_of(path: str, game: str) -> Iterator[Facts]:
    """Everything about one file or FILE#ENTRY, or about each character that is meant, one by one. Raises FormatError for what cannot be
    opened, and for characters that are not there."""
    characters = inputs.characters(path)
    if characters is None:
        yield file_facts(path, game)
        return
    for character in characters:
        yield _with_files(character, game)


def _with_files(character: Facts, game: str) -> Facts:
    """A character's facts, and those of its files in place of their paths. What cannot be opened has an "error"."""
    contents: list[Facts] = []
    for path in character["files"]:
        try:
            contents.append(file_facts(path, game))
        except FormatError as error:
            contents.append({"path": error.path or path, "error": inputs.without_path(error)})
    facts = {name: fact for name, fact in character.items() if name != "files"}
    return {**facts, "contents": contents}


def file_facts(path: str, game: str) -> Facts:
    """Everything about one file or FILE#ENTRY. Raises FormatError when it cannot be opened; an entry's error stands in its facts."""
    with log.collect() as said:
        opened = formats.open_file(path)
    facts = opened_facts(opened, game, said.of("WARNING"))
    if opened.format.kind == "archive":
        archive: Archive = opened.document
        content_of = formats.once(opened.format, archive, lambda index: _content(opened, index, game))
        contents = [entry_of(opened, index, content_of) for index in range(len(archive)) if not archive.blank(index)]
        facts["contents"] = sorted(contents, key=lambda entry: str(entry.get("type", "")))
    return facts


def opened_facts(opened: formats.Opened, game: str, before: Sequence[log.Message] = ()) -> Facts:
    """before: what was said while it was opened."""
    with log.collect() as said:
        said.messages += before
        described = _described(opened, game)
        if opened.format.around is not None and not address.split(opened.address)[1]:
            described |= opened.format.around(opened.address)
    facts: Facts = {
        "path": opened.address,
        "format": opened.format.name,
        "label": opened.format.label,
        "size": _size_of(opened),
        **described,
    }
    warnings = said.digest("WARNING")
    return {**facts, "warnings": warnings} if warnings else facts


def _size_of(opened: formats.Opened) -> int:
    """Bytes of a file, of which `data` may be its tables alone, or of an entry."""
    path, entry = address.split(opened.address)
    return len(opened.data) if entry or opened.format.open is None else Path(path).stat().st_size


def _described(opened: formats.Opened, game: str) -> Facts:
    if opened.format.located is not None:
        return opened.format.located(opened.document, opened.address, game)
    return opened.format.describe(opened.document)


def entry_of(opened: formats.Opened, index: int, content_of: Callable[[int], Facts]) -> Facts:
    """What an entry of an archive is and how it is stored. What cannot be read has an "error"."""
    archive: Archive = opened.document
    where = formats.entry_address(archive, index, opened.address)
    facts: Facts = {"path": where, "index": index}
    try:
        if opened.format.entry_facts is not None:
            facts |= opened.format.entry_facts(archive, index)
        facts |= {**content_of(index), "path": where}
    except FormatError as error:
        facts["error"] = inputs.without_path(error)
    return facts


def _content(opened: formats.Opened, index: int, game: str) -> Facts:
    """What an entry is. Raises FormatError."""
    archive: Archive = opened.document
    data = archive.read(index)
    kind = formats.recognise_entry(data, opened.address, archive.name(index))
    if kind is None:
        return {"format": None}
    try:
        entry = formats.open_entry(data, formats.entry_address(archive, index, opened.address))
        return {"format": kind.name, **(opened_facts(entry, game) if entry else {})}
    except FormatError as error:
        return {"format": kind.name, "error": inputs.without_path(error)}


def print_facts(facts: Facts) -> None:
    """One line for the file, and one for each of its entries."""
    show(line(facts))
    for entry in facts.get("contents", []):
        show(f"  {line(entry)}")


def line(facts: Facts) -> str:
    hidden = ("path", "index", "label", "contents", "error", "shared_with" if not facts.get("shared_with") else "", "game_because")
    reported = ", ".join(f"{name.replace('_', ' ')} {value(fact)}" for name, fact in facts.items() if name not in hidden)
    return f"{facts['path']}: {reported}"


def value(fact: Any) -> str:
    if isinstance(fact, list):
        parts = [str(part) for part in cast(list[Any], fact)]
        return ("; " if any(" " in part for part in parts) else " ").join(parts) or "none"
    return "none" if fact is None else str(fact)
