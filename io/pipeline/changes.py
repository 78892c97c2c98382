"""What an export does to each clip, as data: for scripts, for reports, for the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion.comparison import Steps
from ...core.motion.curves import Block
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from .writing import Output, Settled

Keys = NDArray[np.float32]

Subject = tuple[bpy.types.Object, bpy.types.Action | None]
"""What is exported: an action with the armature or object that it animates; or an armature with all that belongs to it."""

State = Literal["unchanged", "changed", "new", "refused"]

_NAMED = 3


@dataclass(frozen=True, eq=False)
class Replayed:
    """What a clip would come back as, if what is to be written were imported with the options of its action.

    obj: the armature, or the object that is animated. blocks: its curves. modes: the rotation mode of each bone in them, by name, and of
    the object (""). scale: Blender units a game unit. before: gives the curves that the action came in with, None where it did not.
    loop: the frames of the keyframe to which the game goes back, and of the closing key; None for what is played once, or has none."""

    obj: bpy.types.Object
    action: bpy.types.Action
    blocks: Sequence[Block]
    modes: Mapping[str, str]
    scale: float
    steps: Steps
    before: Callable[[], Sequence[Block] | None] = lambda: None
    loop: tuple[float, float] | None = None


@dataclass(frozen=True)
class Worst:
    """Where Blender shows something else than what is written: difference in game units, of a rotation in degrees."""

    bone: str
    frame: float
    difference: float


@dataclass(frozen=True)
class Change:
    """What becomes of a clip. armature: name of its object. target: FILE or FILE#ENTRY, "" where it has none. bones: whose keys change.
    keys: how many do. worst: the largest difference between what Blender shows and what is written, None where there is none. messages:
    what is not written as it is shown, worst first; or why it is refused."""

    action: str
    armature: str
    target: str
    state: State
    bones: tuple[str, ...] = ()
    keys: int = 0
    worst: Worst | None = None
    messages: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "bones": list(self.bones), "messages": list(self.messages)}

    @property
    def label(self) -> str:
        """Short, for a list of clips: "#1 walk"."""
        _, entry, number = self.target.rpartition("#")
        return f"#{number} {self.action}" if entry else self.action


@dataclass(frozen=True)
class Exported:
    """What every export returns. paths: what was to be written, FILE or FILE#ENTRY, whether it had to be or not. written, unchanged: the
    two parts of that. changes: one a clip. warnings: a line each. dry: nothing was written, whatever `written` says."""

    paths: list[str]
    written: list[str]
    unchanged: list[str]
    changes: list[Change]
    warnings: list[str]
    dry: bool = False

    @property
    def summary(self) -> str:
        """One line for the status bar: "1 of 38 changed: #1 walk"."""
        parts = [part for state in ("changed", "new", "refused") if (part := self._part(state))]
        others = len(self.changes) - sum(change.state != "unchanged" for change in self.changes)
        if not parts and others:
            parts = [f"0 of {others} changed" if others > 1 else f"unchanged: {self.changes[0].label}"]
        named = {change.target for change in self.changes}
        beside = [Path(path).name for path in self.written if path not in named]
        if beside:
            parts.append(f"{'would be written' if self.dry else 'written'}: {_some(beside)}")
        return "; ".join(parts) or ("nothing would be written" if self.dry else "nothing was written")

    def _part(self, state: str) -> str:
        labels = [change.label for change in self.changes if change.state == state]
        if not labels:
            return ""
        verb = {"changed": "would change", "new": "would be new"}.get(state, state) if self.dry else state
        return f"{len(labels)} of {len(self.changes)} {verb}: {_some(labels)}"


def _some(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - _NAMED} more" if len(labels) > _NAMED else ""
    return ", ".join(labels[:_NAMED]) + more


class Item(NamedTuple):
    """A subject of an export, as the game packed it."""

    obj: bpy.types.Object
    action: bpy.types.Action | None
    packed: Any


def listed(
    replayed: Callable[[bpy.types.Object, Any], Iterable[Replayed]],
    items: Sequence[Item],
    outputs: Sequence[Output],
    settled: Settled,
    refused: Mapping[Subject, ExportError],
    said: log.Log,
) -> list[Change]:
    """The changes of an export that is settled, and not written yet. refused: what could not be packed. said: the messages up to now."""
    result: list[Change] = []
    goes = {output.block: output for output in outputs if output.block is not None}
    problems = {output.block: problem for output, problem in settled.refused}
    left = {output.block for output in settled.left}
    for item in items:
        for clip in replayed(item.obj, item.packed):
            block = clip.action if clip.action in goes else clip.obj.data
            output = goes.get(block)
            if output is None:
                continue
            if block in problems:
                result.append(Change(clip.action.name, clip.obj.name, output.where, "refused", messages=(problems[block],)))
            else:
                result.append(_change(clip, output, block in left, said))
    for (obj, action), error in refused.items():
        result.append(Change(action.name if action is not None else "", obj.name, "", "refused", messages=tuple(error.problems)))
    return result


def _change(clip: Replayed, output: Output, left: bool, said: log.Log) -> Change:
    bones, keys = _edited(clip)
    if output.present == output.data or left:
        state, bones, keys = "unchanged", (), 0
    elif output.present is None:
        state = "new"
    else:
        state = "changed" if keys or output.block == clip.action else "unchanged"
    warned = tuple(message.text for message in said.of("WARNING") if message.where == clip.action.name)
    return Change(clip.action.name, clip.obj.name, output.where, state, bones, keys, None, warned)


def _edited(clip: Replayed) -> tuple[tuple[str, ...], int]:
    """The bones whose keys are others than those that the clip came in with, and how many keys; all of a new clip."""
    before = {
        channel: (block.frames, row) for block in clip.before() or () for channel, row in zip(block.channels, block.values, strict=True)
    }
    frames: dict[str, set[float]] = {}
    for block in clip.blocks:
        for channel, row in zip(block.channels, block.values, strict=True):
            if changed := _different(block.frames, row, *before.pop(channel, (None, None))):
                frames.setdefault(channel.bone or clip.obj.name, set()).update(changed)
    for channel, (gone, _) in before.items():
        frames.setdefault(channel.bone or clip.obj.name, set()).update(gone.tolist())
    return tuple(frames), sum(map(len, frames.values()))


def _different(frames: Keys, values: Keys, old_frames: Keys | None, old_values: Keys | None) -> list[float]:
    """The frames of the keys that are not in both, or not the same."""
    if old_frames is None or old_values is None:
        return frames.tolist()
    if np.array_equal(frames, old_frames):
        return [] if np.array_equal(values, old_values) else frames[values != old_values].tolist()
    return sorted(
        dict(set(zip(frames.tolist(), values.tolist(), strict=True)) ^ set(zip(old_frames.tolist(), old_values.tolist(), strict=True)))
    )
