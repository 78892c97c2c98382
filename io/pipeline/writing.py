"""Where an export goes: what is there is known before it is written over, and every block remembers its own file or entry.

Each game packs its files and hands them over as outputs; `settle` refuses what would be a loss, before anything is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import bpy

from ...core import formats
from ...core.files import disk
from ...core.files.format import Format
from ...core.reporting import log
from ...core.reporting.errors import ExportError, RetroAnimError
from ..blender import actions, fcurves, source_data
from ..blender.source_data import LOOSE, Block
from .targets import TO_ENTRY, TO_FILE, WRITTEN, original_of, wanted_file, written


@dataclass(frozen=True, eq=False)
class Output:
    """What a file, or an archive's entry, is to hold.

    title: what it stands for, in messages. data: its bytes (of an entry, unpacked). block: remembers where it went; None for what goes
    along. present: what is there, None for nothing. document: what the block itself stands for, where `data` is more than that.
    derived: the path was made from a name, so that nobody chose it. other: what is there instead, where that is another one of the kind.
    backup: keep what is there as a .bak. chosen: somebody has said that this block goes to this entry.
    """

    title: str
    path: str
    data: bytes
    block: Block | None = None
    entry: int = LOOSE
    present: bytes | None = None
    document: bytes | None = None
    derived: bool = False
    other: str = ""
    backup: bool = False
    chosen: bool = False

    @property
    def where(self) -> str:
        return f"{self.path}#{self.entry}" if self.entry != LOOSE else self.path

    @property
    def own(self) -> bytes:
        return self.data if self.document is None else self.document


@dataclass(frozen=True, eq=False)
class Settled:
    """changed: what must be written. unchanged: what is there already, byte for byte. left: what does not go where it belongs, since it was
    not edited, and another program has changed what is there, or another output is meant. refused: what would be a loss, and why."""

    changed: list[Output]
    unchanged: list[Output]
    left: list[Output]
    refused: list[tuple[Output, str]]

    def check(self) -> None:
        """Raises ExportError, naming each case, where something is refused."""
        if self.refused:
            raise ExportError(list(dict.fromkeys(problem for _, problem in self.refused)))

    def addresses(self, order: Iterable[Output]) -> list[str]:
        """Where the outputs are, as FILE or FILE#ENTRY, in their order, each once."""
        kept = {_key(output): output.where for output in (*self.unchanged, *self.changed)}
        return list(dict.fromkeys(kept[key] for output in order if (key := _key(output)) in kept))


def present(path: str | Path) -> bytes | None:
    """What a file holds, None where there is none. Raises RetroAnimError for a folder, or what cannot be read."""
    if Path(path).is_dir():
        raise ExportError(f"{path}: is a folder: name a file in it")
    return disk.read_file(path) if Path(path).exists() else None


def refuse_other(path: str | Path, data: bytes | None, *kinds: Format) -> None:
    """Raises ExportError where a file holds something else than one of these kinds; an empty file may hold anything."""
    head = (data or b"")[: formats.HEAD]
    if not data or any(kind.recognise(head, len(data)) for kind in kinds):
        return
    label = next((kind.label for kind in formats.known() if kind.recognise(head, len(data))), "something else")
    raise ExportError(f"{path}: what is there is {label}, and no {kinds[0].label}: choose another file")


def write_files(outputs: Sequence[Output], settled: Settled, merged: Callable[[str, list[Output]], bytes] | None = None) -> None:
    """Write files and archives. settled: of the outputs, none of them refused. Raises RetroAnimError where a file cannot be written.

    merged: an archive at a path with these entries, ascending; it is asked also for an archive that is not there yet."""
    archives: dict[str, list[Output]] = {output.path: [] for output in outputs if output.entry != LOOSE}
    for output in settled.changed:
        if output.entry != LOOSE:
            archives[output.path].append(output)
    files: dict[str, tuple[bytes, bool]] = {
        output.path: (output.data, output.backup) for output in settled.changed if output.entry == LOOSE
    }
    for path, entries in archives.items():
        if merged is not None and (entries or not Path(path).exists()):
            files[path] = merged(path, sorted(entries, key=lambda output: output.entry)), True
    for path, (data, backup) in files.items():
        disk.write_file(path, data, backup)
    remember(settled)


def settle(outputs: Sequence[Output], overwrite: bool) -> Settled:
    """What must be written. An unedited block leaves alone what another program has changed, which is reported.

    Refused are two outputs that differ and go to the same file or entry, and what something would be lost by that another program has
    written or nobody chose to replace (this not with `overwrite`), and what goes where it cannot be written.
    """
    changed: list[Output] = []
    unchanged: list[Output] = []
    left: list[Output] = []
    meant, refused = _one_each(outputs)
    kept = {_key(output): output.data for output in meant}
    left += [output for output in outputs if kept.get(_key(output), output.data) != output.data]
    for output in meant:
        if output.present == output.data:
            unchanged.append(output)
            continue
        known = _known_contents(output)
        foreign = _foreign(output, known)
        if foreign and known and not edited(output):
            log.warning(f"{output.where} {foreign}; {output.title} was not edited, so that is left as it is")
            left.append(output)
        elif (original := original_of(output.block)) and known and not (overwrite or output.chosen or _beside(original, outputs)):
            remedy = "name the entry that it goes to, 'new' for one of its own" if output.entry != LOOSE else "choose another file"
            problem = f"{output.title} is a copy of {original.name}, and would go to where that belongs, {output.where}"
            refused.append((output, f"{problem}: {remedy}, or Overwrite (--overwrite)"))
        elif foreign and not overwrite:
            remedy = f"choose Overwrite (--overwrite) to replace it with {output.title}, or another target"
            refused.append((output, f"{output.where} {foreign}: {remedy}"))
        else:
            changed.append(replace(output, backup=output.backup or bool(foreign)))
    for output in tuple(changed):
        try:
            disk.check_target(output.path)
        except RetroAnimError as error:
            changed.remove(output)
            refused.append((output, str(error)))
    return Settled(changed, unchanged, left, refused)


def remember(settled: Settled) -> None:
    """Blocks know from now on where they are, and what they were. After writing."""
    for output in (*settled.changed, *settled.unchanged):
        block = output.block
        if block is not None and block.library is None:
            path = str(Path(output.path).resolve())
            block[WRITTEN] = f"{_digest(output.data)} {_digest(output.own)} {output.entry} {path}"
            block[source_data.NAME] = block.name
            if block.get(TO_FILE) and disk.same_file(wanted_file(block)) == disk.same_file(path):
                del block[TO_FILE]
            if TO_ENTRY in block:
                del block[TO_ENTRY]


def _one_each(outputs: Sequence[Output]) -> tuple[list[Output], list[tuple[Output, str]]]:
    """One output for each file or entry; and those that differ where there is but one for them. Of copies the edited one counts."""
    groups: dict[tuple[str, int], list[Output]] = {}
    for output in outputs:
        groups.setdefault(_key(output), []).append(output)
    meant: list[Output] = []
    refused: list[tuple[Output, str]] = []
    for group in groups.values():
        chosen, problem = _meant(group)
        meant += [chosen] if chosen is not None else []
        refused += [(output, problem) for output in group if chosen is None]
    return meant, refused


def _meant(group: list[Output]) -> tuple[Output | None, str]:
    """The one of a group that goes to its file or entry; None with the reason where that is not known."""
    different = {output.data: output for output in reversed(group)}
    if len(different) == 1:
        return group[0], ""
    newer = [output for output in different.values() if output.data != output.present and (output.block is None or edited(output))]
    if len(different) > 1 and any(output.data == output.present for output in group):
        slower = [output for output in newer if _plays_at_another_rate(output)]
        for output in slower:
            log.warning(f"{output.title} is left out: it came in at another frame rate, and {output.where} holds what another action has")
        newer = [output for output in newer if output not in slower]
    if len(newer) < 2 and all(_known_contents(output) for output in group):
        meant = newer or [output for output in different.values() if output.data == output.present]
        if meant:
            others = ", ".join(output.title for output in group if output.data != meant[0].data)
            original = original_of(meant[0].block)
            title = f"{meant[0].title}, a copy of {original.name}," if original is not None else meant[0].title
            does = "is written to" if newer else "is what is in"
            log.info(f"{title} {does} {meant[0].where}: {others} {'were' if ', ' in others else 'was'} not edited")
            return meant[0], ""
    first, second = list(different.values())[::-1][:2]
    remedy = "export one of them as entry 'new'" if first.entry != LOOSE else "rename one of them, or export them one by one"
    return None, f"{first.title} and {second.title} both go to {first.where}, and differ: {remedy}"


def _plays_at_another_rate(output: Output) -> bool:
    """Whether a clip is not what the file holds for that alone, perhaps, that the scene has another rate than when it came in."""
    rate, came = actions.rate_in_force(), output.block.get(fcurves.IMPORTED) if output.block is not None else None
    return rate is not None and isinstance(came, int | float) and abs(came - rate) > 1e-6 * rate


def _foreign(output: Output, known: set[str]) -> str:
    """Why what is there may not be replaced unasked, "" where it may."""
    if output.present is None or _digest(output.present) in known:
        return ""
    if known:
        return "was changed by another program since it was imported or written"
    return f"holds {output.other}" if output.other else "is there already, and was not chosen" if output.derived else ""


def _known_contents(output: Output) -> set[str]:
    """Digests of what the file or entry held when its block came from there, or was written there; none of another file or entry."""
    block, digests = output.block, set[str]()
    if block is None:
        return digests
    origin, last = source_data.origin(block), written(block)
    if origin is not None and _at(*origin) == _key(output) and (data := source_data.kept(block)) is not None:
        digests.add(_digest(data))
    if last is not None and _at(last.path, last.entry) == _key(output):
        digests.add(last.content)
    return digests


def edited(output: Output) -> bool:
    """Whether the block stands for anything else than what came in, or was written last."""
    assert output.block is not None
    last, kept = written(output.block), source_data.kept(output.block)
    return _digest(output.own) not in {last.document if last else "", _digest(kept) if kept is not None else ""}


def _beside(original: bpy.types.Action, outputs: Sequence[Output]) -> bool:
    """Whether the original is exported, too: then the edited one of the two is meant."""
    return any(output.block == original for output in outputs)


def _key(output: Output) -> tuple[str, int]:
    return _at(output.path, output.entry)


def _at(path: str, entry: int) -> tuple[str, int]:
    return disk.same_file(path), entry


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
