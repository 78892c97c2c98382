"""A whole character of any game back to where it belongs: its body, its clips, and what lists them; all of it, or nothing.

Each game's `io/<game>/save.py` has a `save_character` that says what that is.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bpy

from ....core.reporting import log
from ....core.reporting.errors import ExportError
from ....core.reporting.labels import counted, first_few
from ...blender import identity
from ...blender.motion import actions
from .. import modules
from ..changes import Item
from ..destination import settling, targets, writing
from ..destination.writing import Output, Settled
from . import exporting, rates
from .exporting import Plan
from .selection import clips
from .writer import Writer


@dataclass(frozen=True)
class Saved:
    """title: the character. clips: the names of those that are where they belong now. paths: the files that were written."""

    title: str
    clips: tuple[str, ...]
    paths: list[str]

    @property
    def summary(self) -> str:
        """One line for the status bar."""
        about = f"{self.title} ({counted(len(self.clips), 'clip')})" if self.clips else self.title
        if not self.paths:
            return f"{about}: nothing to save, all of it is where it belongs"
        names = [Path(path).name for path in self.paths]
        return f"{about}; written: {first_few(names, 4)}"


def save_character(context: bpy.types.Context, obj: bpy.types.Object, **values: Any) -> Saved:
    """Write an armature, its meshes and clips to where they came from. values: options of the game's `SaveOptions`, by name.

    Raises RetroAnimError, with nothing written, for what the game cannot hold, and what has no file to go to."""
    game = identity.game_of(obj)
    if game is None:
        raise ExportError(f"{obj.name} is no character of a game: import one, or make it one in the side panel")
    options = game.core("game").SaveOptions(**values)
    saved: Saved = modules.module(game, "save").save_character(context, obj, options)
    return saved


@contextmanager
def saving(context: bpy.types.Context) -> Generator[None]:
    """What the saving of a character is done inside of."""
    with clips.for_export(context), actions.played_at(rates.decided(context)):
        yield


def report_gone(obj: bpy.types.Object, path: str) -> None:
    """Say that a body stays in its file, although the armature has none any more."""
    log.warning(f"{path}: {obj.name} moves no mesh any more, and the file keeps its own: bring the mesh back, or change that")


def written(
    title: str,
    outputs: Sequence[Output],
    overwrite: bool,
    merged: Callable[[str, list[Output]], bytes] | None = None,
    items: Sequence[Item] = (),
) -> Saved:
    """What was written of these outputs, a .bak of each file that is replaced. merged: see `writing.write_files`. items: the clips.

    Raises RetroAnimError, with nothing written, for what would be a loss."""
    outputs = [replace(output, backup=True) for output in outputs]
    settled = settling.settle(outputs, overwrite)
    settled.check()
    writing.write_files(outputs, settled, merged)
    return Saved(title, _names(items, settled), _paths(settled))


def carried_out(title: str, writer: Writer[Any, Any], plan: Plan) -> Saved:
    """The same for a whole export."""
    plan.settled.check()
    exporting.write(writer, plan)
    left = left_out(plan.settled)
    return Saved(title, tuple(change.action for change in plan.changes if change.action not in left), _paths(plan.settled))


def what_is_new(outputs: Sequence[Output], came: Sequence[bytes | None]) -> list[Output]:
    """Of what came from an archive that is not written, and has no file of its own yet, that which was edited, and copies. came: of what
    has no block that knows what it was."""
    pairs = zip(outputs, came, strict=True)
    return [
        output for output, before in pairs if output.present is not None or targets.original_of(output.block) or _edited(output, before)
    ]


def _edited(output: Output, came: bytes | None) -> bool:
    return settling.edited(output) if output.block is not None else output.data != came


def left_out(settled: Settled) -> set[str]:
    """The names of the actions that do not go where they belong."""
    return {output.block.name for output in settled.left if isinstance(output.block, bpy.types.Action)}


def _names(items: Sequence[Item], settled: Settled) -> tuple[str, ...]:
    left = left_out(settled)
    return tuple(name for item in items for checked in item.clips if (name := checked.clip.action.name) not in left)


def _paths(settled: Settled) -> list[str]:
    return list(dict.fromkeys(output.path for output in settled.changed))
