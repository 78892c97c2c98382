"""Where an export goes: what is there is known before it is written over, and every block remembers its own file or entry.

Each game packs its files and hands them over as outputs; settling.py refuses what would be a loss, before anything is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import bpy

from ....core import formats
from ....core.files.disk import disk
from ....core.files.file_names import same_file
from ....core.files.format import Format
from ....core.reporting import log
from ....core.reporting.errors import ExportError, FormatError
from ...blender import identity, rest, source_data
from ...blender.source_data import LOOSE, Block
from ...blender.surface import as_objects, edited, unheld
from ...blender.surface.skinned import mesh_of, movers_of
from .questions import Question, UndecidedError
from .targets import TO_ENTRY, TO_FILE, WRITTEN, Written, original_of, wanted_file, written


@dataclass(frozen=True, eq=False)
class Output:
    """What a file, or an archive's entry, is to hold.

    title: what it stands for, in messages. data: its bytes (of an entry, unpacked). block: remembers where it went; None for what goes
    along. present: what is there, None for nothing. document: what the block itself stands for, where `data` is more than that.
    derived: the path was made from a name, so that nobody chose it. other: what is there instead, where that is another one of the kind.
    backup: keep what is there as a .bak. folder: make that of the file where it is not there. chosen: somebody has said that this block
    goes to this entry. whole: all meshes that the armature moves are among the outputs. kept_normals: its
    meshes keep the normals of the file.
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
    folder: bool = False
    chosen: bool = False
    whole: bool = False
    kept_normals: bool = False

    @property
    def where(self) -> str:
        return f"{self.path}#{self.entry}" if self.entry != LOOSE else self.path

    @cached_property
    def key(self) -> tuple[str, int]:
        """The same for all that goes to one file or entry."""
        return key_of(self.path, self.entry)

    def goes_to(self, path: str, entry: int) -> bool:
        """Whether that is this file or entry."""
        return entry == self.entry and (path == self.path or key_of(path, entry) == self.key)

    @property
    def own(self) -> bytes:
        return self.data if self.document is None else self.document


class Refused(NamedTuple):
    """What is not written, and why. question: what could be answered to write it after all."""

    output: Output
    problem: str
    question: Question | None = None


@dataclass(frozen=True, eq=False)
class Settled:
    """changed: what must be written. unchanged: what is there already, byte for byte. left: what does not go where it belongs, since it was
    not edited, and another program has changed what is there, or another output is meant. refused: what would be a loss, and why."""

    changed: list[Output]
    unchanged: list[Output]
    left: list[Output]
    refused: list[Refused]

    def check(self) -> None:
        """Raises ExportError, naming each case, where something is refused; UndecidedError where all of it can be answered."""
        questions = [each.question for each in self.refused if each.question is not None]
        if self.refused and len(questions) == len(self.refused):
            raise UndecidedError(questions)
        if self.refused:
            raise ExportError(list(dict.fromkeys(each.problem for each in self.refused)))

    def addresses(self, order: Iterable[Output]) -> list[str]:
        """Where the outputs are, as FILE or FILE#ENTRY, in their order, each once."""
        kept = {output.key: output.where for output in (*self.unchanged, *self.changed)}
        return list(dict.fromkeys(kept[key] for output in order if (key := output.key) in kept))


def joined(parts: Iterable[Settled]) -> Settled:
    """Several as one."""
    whole = Settled([], [], [], [])
    for part in parts:
        whole.changed.extend(part.changed)
        whole.unchanged.extend(part.unchanged)
        whole.left.extend(part.left)
        whole.refused.extend(part.refused)
    return whole


def present(path: str | Path) -> bytes | None:
    """What a file holds, None where there is none. Raises RetroAnimError for a folder, or what cannot be read."""
    file = Path(path)
    if file.is_dir():
        raise ExportError(f"{path}: is a folder: name a file in it")
    return disk.read_if_there(file)


def refuse_other(path: str | Path, data: bytes | None, *kinds: Format) -> None:
    """Raises ExportError where a file holds something else than one of these kinds; an empty file may hold anything."""
    head = (data or b"")[: formats.HEAD]
    if not data or any(kind.recognise(head, len(data)) for kind in kinds):
        return
    if any(_opens(kind, path, data) for kind in kinds):
        return
    known = next((kind.label for kind in formats.known() if kind.recognise(head, len(data))), None)
    what = "something else" if known is None else f"of another kind ({known})"
    raise ExportError(f"{path}: what is there is {what}, and no {kinds[0].label}: choose another file")


def _opens(kind: Format, path: str | Path, data: bytes) -> bool:
    """Whether a file has a kind's extension and opens as one, though its size is not that kind's: with more behind what the kind has."""
    if Path(path).suffix.lower() not in kind.extensions:
        return False
    try:
        with log.collect():
            kind.parse(data)
    except FormatError:
        return False
    return True


def write_files(outputs: Sequence[Output], settled: Settled, merged: Callable[[str, list[Output]], bytes] | None = None) -> None:
    """Write files and archives, all or none. settled: of the outputs, none of them refused. Raises RetroAnimError where a file cannot be
    written.

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
    disk.write_files(files, folders=any(output.folder for output in settled.changed))
    remember(settled)


_Where = tuple[int, tuple[str, int]]
"""Blender's number of a block, and the key of a file or entry."""

_here: dict[_Where, set[str]] = {}
_own: dict[_Where, set[str]] = {}
"""Digests of what was there after an export in this session, and of what the export had written: undo takes from a block what it knows of
the writing, and leaves the file."""


def written_here(output: Output) -> set[str]:
    """Digests of what the output's block was exported as to where it goes, in this session."""
    return _of_session(_here, output)


def written_from_here(output: Output) -> set[str]:
    """As `written_here`, of what exports of the block have written, now or before, and did not just meet."""
    last = written(output.block) if output.block is not None else None
    known = last is not None and not last.met and output.goes_to(last.path, last.entry)
    return _of_session(_own, output) | ({last.content} if known and last is not None else set())


def is_as_written(block: bpy.types.ID, data: bytes) -> bool:
    """Whether a block was written last as this."""
    last = written(block)
    return last is not None and last.content == digest(data)


def is_of_session(output: Output) -> bool:
    """Whether what is there was written from here in this session, by whatever block."""
    there = digest(output.present or b"")
    return any(there in digests for (_, key), digests in _own.items() if key == output.key)


def _of_session(digests: dict[_Where, set[str]], output: Output) -> set[str]:
    return digests.get((output.block.session_uid, output.key), set()) if output.block is not None else set()


def remember(settled: Settled) -> None:
    """Blocks know from now on where they are, and what they were. After writing."""
    copies = {id(output) for output in settled.unchanged if original_of(output.block) is not None}
    unchanged = {id(output) for output in settled.unchanged}
    for output in (*settled.changed, *settled.unchanged):
        block = output.block
        if block is not None and block.library is None:
            where, content = (block.session_uid, output.key), digest(output.data)
            met = id(output) in unchanged and content not in written_from_here(output)
            for digests in (_here,) if met else (_here, _own):
                digests.setdefault(where, set()).add(content)
            path = str(Path(output.path).resolve())
            if isinstance(block, bpy.types.Armature):
                rest.settle(block)
            meshes = _meshes_in(output)
            for mesh in meshes:
                edited.remember(mesh_of(mesh), kept_normals=output.kept_normals)
                as_objects.remember(mesh)
                unheld.remember_pictures(next(iter(movers_of(mesh)), None), [mesh])
            if isinstance(block, bpy.types.Armature) and (meshes or output.whole):
                as_objects.keep_present(block, meshes or _meshes_of(settled))
            block[WRITTEN] = str(Written(content, digest(output.own), output.entry, path, met))
            if id(output) not in copies:  # one of what is there stays so
                block[source_data.NAME] = block.name
            if block.get(TO_FILE) and same_file(wanted_file(block)) == same_file(path):
                del block[TO_FILE]
            if TO_ENTRY in block:
                del block[TO_ENTRY]


def _meshes_in(output: Output) -> list[bpy.types.Object]:
    """The meshes that a file has as they are now: its own, or those of a body."""
    block = output.block
    if isinstance(block, bpy.types.Mesh):
        return [obj for obj in bpy.data.objects if obj.data == block]
    if isinstance(block, bpy.types.Object):
        return [block] if block.type == "MESH" else []
    game = identity.game_of(block)
    if (
        isinstance(block, bpy.types.Armature)
        and game is not None
        and Path(output.path).suffix.lower() not in game.holding("character", "armature")
    ):
        meshes = [obj for obj in bpy.context.view_layer.objects if obj.type == "MESH"]
        return [mesh for mesh in meshes if any(each.data == block for each in movers_of(mesh))]
    return []


def _meshes_of(settled: Settled) -> list[bpy.types.Object]:
    """Those that have files of their own among these."""
    blocks = [output.block for part in (settled.changed, settled.unchanged, settled.left) for output in part]
    return [obj for obj in bpy.data.objects if isinstance(obj.data, bpy.types.Mesh) and (obj in blocks or obj.data in blocks)]


def key_of(path: str, entry: int) -> tuple[str, int]:
    """The key of a file or an entry, however its path is written."""
    return same_file(path), entry


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
