"""What a game says of its export: the subjects, what each of them stands for, and where that goes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import bpy

from ....core.declare.game import Game
from ....core.declare.shared import ExportOptions
from ....core.files.file_names import file_name
from ....core.files.format import Format
from ....core.games import GAMES
from ....core.motion.clip import Clip
from ....core.reporting.errors import ExportError
from ....core.reporting.progress import Steps
from ...blender.source_data import Block
from ..changes import Replayed, Subject
from ..destination import questions, targets, writing
from ..destination.writing import Output
from ..fidelity import unedited
from .selection import out_of_reach, selection

OptionsT = TypeVar("OptionsT", bound=ExportOptions)
PackedT = TypeVar("PackedT")


class Needs(NamedTuple):
    """What a game exports, and what is to be selected for it."""

    what: str
    selected: str


class Writer(ABC, Generic[OptionsT, PackedT]):
    """What a game's `write` module defines. subjects: what is exported; several: whether that is more than one."""

    needs = Needs("action", "an armature with an action")
    """What the error says where there is no subject."""

    kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of source data that actions of the game have."""

    def __init__(self, context: bpy.types.Context, options: OptionsT, objects: Sequence[bpy.types.Object] | None = None) -> None:
        """objects: whose clips are meant, None for those that the options choose."""
        self.context = context
        self.options = options
        self.objects = objects
        self.subjects = self.select()

    def for_file(self, path: str | Path, subjects: Sequence[Subject]) -> Self:
        """The same for some of the subjects, which go to another file; what is known of their objects is shared."""
        part = self.but(path=str(path))
        part.subjects = subjects
        return part

    def but(self, **options: Any) -> Self:
        """The same with other options."""
        part = copy(self)
        part.options = replace(self.options, **options)
        return part

    @property
    def several(self) -> bool:
        return len(self.subjects) > 1

    def select(self) -> Sequence[Subject]:
        """What the options choose, by default actions; see selection/. Raises ExportError for a target that cannot be written."""
        return selection.chosen_actions(self.context, self.options.source, *self.kinds, objects=self.objects, game=self.game)

    @property
    def game(self) -> Game:
        """The row of the game whose options these are."""
        return next(game for game in GAMES.values() if isinstance(self.options, game.export_options))

    @property
    def has_meshes(self) -> bool:
        """Whether what is written has the meshes of its armatures, or is one, and says itself which of them are gone."""
        return Path(self.options.path).suffix.lower() in self.game.holding("character", "mesh")

    def without_subject(self) -> ExportError:
        """What there is none of, and where it is or how to choose it."""
        remedy = out_of_reach.remedy(self.context, self.game) or selection.remedy(self.needs.selected)
        return ExportError(f"there is no {self.needs.what} to export: {remedy}")

    @abstractmethod
    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> PackedT:
        """What one subject stands for. Raises ExportError for what the game cannot hold; the pipeline names the subject."""

    def packing(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> Steps[PackedT]:
        """`pack`, clip by clip in games where a subject has many."""
        yield from ()
        return self.pack(obj, action)

    def came(self, obj: bpy.types.Object, action: bpy.types.Action) -> unedited.Came | None:
        """What an action of `obj` stands for by its source data, where all that it holds besides curves is as it came in; None where that
        is not known. Raises RetroAnimError where `pack` would."""
        del obj, action
        return None

    def motions(self, obj: bpy.types.Object, clips: Sequence[unedited.Came]) -> Sequence[Clip]:
        """The motion of clips of `obj` that `came` gave, of games that have it for many at once."""
        del obj
        return [clip.motion for clip in clips]

    @abstractmethod
    def outputs(self, packed: Sequence[PackedT]) -> list[Output]:
        """Which file or entry gets which bytes. Raises ExportError."""

    def replayed(self, obj: bpy.types.Object, packed: PackedT) -> Iterable[Replayed]:
        """What each clip of a packed subject, of `obj`, would come back as; nothing for what is no clip."""
        del obj, packed
        return ()

    def merged(self, path: str, entries: Sequence[Output]) -> bytes:
        """The archive at `path` with these entries, ascending; of games that write archives."""
        raise ExportError(f"{path}: {len(entries)} entries cannot be written: archives of this kind are not")

    def target(self, name: str, extension: str = "", block: Block | None = None) -> str:
        """The chosen path for a single subject; for several the file that the user wants each of them to go to, else one beside the path,
        named after each; for a clip that is kept apart always that. extension: instead of the path's."""
        path = Path(self.options.path)
        if block is not None and questions.kept_apart(block.name):
            return str(path.with_name(f"{file_name(block.name)}{extension or path.suffix}"))
        own = targets.wanted_file(block) if self.several else ""
        if own and Path(own).suffix.lower() == (extension or path.suffix).lower():
            return own
        return str(path.with_name(f"{file_name(name)}{extension or path.suffix}")) if self.several else str(self.options.path)

    def file(self, title: str, path: str, data: bytes, block: Block | None, kind: Format) -> Output:
        """A file of its own. Raises ExportError where something else than this kind is there."""
        present = writing.present(path)
        writing.refuse_other(path, present, kind)
        return Output(title, path, data, block, present=present, derived=self.several and path != targets.wanted_file(block))
