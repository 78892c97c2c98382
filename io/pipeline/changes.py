"""What an export does to each clip, as data: for scripts, for reports, for the command line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.files import address
from ...core.motion.comparison import Bones, Steps
from ...core.motion.curves import Block
from ...core.motion.edited_keys import edited
from ...core.reporting.errors import ExportError
from ...core.reporting.labels import counted, first_few
from .destination.writing import Output, Settled

Subject = tuple[bpy.types.Object, bpy.types.Action | None]
"""What is exported: an action with the armature or object that it animates; or an armature with all that belongs to it."""

State = Literal["unchanged", "changed", "new", "refused"]


@dataclass(frozen=True, eq=False)
class Foreign:
    """What a file makes of an armature from elsewhere. bones: they rest in other orientations, in a space of their own. to_armature: (3, 3)
    how that space stands in the armature's."""

    bones: Bones
    to_armature: NDArray[np.float64]

    def posed(self, poses: NDArray[np.float64], names: Sequence[str], rest: NDArray[np.float64]) -> NDArray[np.float64]:
        """(K, B, 4, 4) how bones `names`, at rest (B, 4, 4) in the armature, stand where the file's stand at `poses` (K, bones, 4, 4)."""
        space = np.eye(4)
        space[:3, :3] = self.to_armature
        index = [self.bones.names.index(name) for name in names]
        return np.asarray(space @ poses[:, index] @ np.linalg.inv(space @ self.bones.rest[index]) @ rest)


@dataclass(frozen=True, eq=False)
class Replayed:
    """What a clip would come back as, if what is to be written were imported with the options of its action."""

    obj: bpy.types.Object
    """The armature, or the object that is animated."""
    action: bpy.types.Action
    blocks: Sequence[Block]
    """Its curves."""
    modes: Mapping[str, str]
    """The rotation mode of each bone in them, by name, and of the object ("")."""
    scale: float
    """Blender units a game unit."""
    steps: Steps
    before: Callable[[], Sequence[Block] | None] = lambda: None
    """Gives the curves that the action came in with, None where it did not."""
    loop: tuple[float, float] | None = None
    """The frames of the keyframe to which the game goes back, and of the closing key; None for what is played once, or has none."""
    frames: NDArray[np.float64] | None = None
    """Where alone it is compared, None for all keys and what lies between them: poses sampled frame by frame are nothing between."""
    unseen: frozenset[str] = frozenset()
    """Roots that nothing hangs on, so that nobody sees where they alone are."""
    foreign: Foreign | None = None
    """The skeleton that the blocks move, of an armature that did not come from the game: it is sampled as it looks."""
    closing: float | None = None
    """From where on it is not compared: a loop comes back to its start there, which the file has once."""
    from_first: bool = False
    """Whether the object's motion counts from its first frame, not from where it came in."""
    unit: float = 0.0
    """Frames of a unit of the game's time, in which bones may leap from a key to a generated one; 0 where none do."""
    step: float = 0.0
    """Frames from one sample of what is shown to the next, where a number of them is asked for; 0 for its keys."""
    until: float = -np.inf
    """Up to where it is compared at least, also behind the action's frame range."""
    carried: bool = False
    """Whether what the object hangs on moves it in the game, too, by a file of its own: that is no part of this one."""
    unheld: Callable[[str], Collection[str]] = lambda _: ()
    """What of location and scale no file of the game holds of a bone."""
    helpers: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """By bone, two below it that are in the curves alone: they hold what the file has of it, and no bone of Blender can."""
    is_held: Callable[[bytes], bool] = lambda _: False
    """Whether a file of several clips, as it is on the disk, has this one as it is to be written."""


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
    def line(self) -> str:
        """For a list: "changed    #1 walk: 1 key of group 02"."""
        keys = f": {counted(self.keys, 'key')} of {first_few(self.bones, 3)}" if self.keys else ""
        return f"{self.state:9}  {self.label}{keys}"

    @property
    def would(self) -> str:
        """For a message about the clip: "would change: 1 key of group 02, in ANIM.HQR#1"."""
        verb = "would be new" if self.state == "new" else "would change"
        keys = f": {counted(self.keys, 'key')} of {first_few(self.bones, 3)}" if self.keys else ""
        return f"{verb}{keys}, in {Path(self.target).name}" if self.target else f"{verb}{keys}, in no file yet: Save asks for one"

    @property
    def label(self) -> str:
        """Short, for a list of clips: "#1 walk"."""
        _, entry, number = self.target.rpartition("#")
        return f"#{number} {self.action}" if entry else self.action or self.armature


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

    @classmethod
    def together(cls, parts: Sequence[Exported], warnings: list[str]) -> Exported:
        """Exports of one run as one. warnings: of all of them."""
        return cls(
            [path for part in parts for path in part.paths],
            [path for part in parts for path in part.written],
            [path for part in parts for path in part.unchanged],
            [change for part in parts for change in part.changes],
            warnings,
            parts[0].dry,
        )

    @property
    def summary(self) -> str:
        """One line for the status bar: "1 of 38 changed: #1 walk"."""
        parts = list(self._clips)
        named = {change.target for change in self.changes}
        beside = [Path(path).name for path in self.written if path not in named]
        if beside:
            parts.append(f"{'would be written' if self.dry else 'written'}: {first_few(beside, 3)}")
        return "; ".join(parts) or ("nothing would be written" if self.dry else "nothing was written")

    @property
    def report(self) -> str:
        """The summary with the files that were written, and their folder: "1 of 38 changed: #1 walk; written: ANIM.HQR in /games/LBA1"."""
        files = [Path(path) for path in dict.fromkeys(address.split(path)[0] for path in self.written)]
        if self.dry or not files:
            return self.summary
        folders = list(dict.fromkeys(str(file.parent) for file in files))
        where = folders[0] if len(folders) == 1 else f"{len(folders)} folders, first {folders[0]}"
        return "; ".join([*self._clips, f"written: {first_few([file.name for file in files], 3)} in {where}"])

    @property
    def _clips(self) -> list[str]:
        """The part of the summary about clips."""
        parts = [part for state in ("changed", "new", "refused") if (part := self._part(state))]
        others = [change for change in self.changes if change.state == "unchanged"]
        if not parts and len(others) == 1:
            (only,) = others
            is_there = self.dry or only.target in self.unchanged
            return [f"{'unchanged' if is_there else 'left alone'}: {only.label}"]
        return parts or ([f"0 of {len(others)} changed"] if others else [])

    def _part(self, state: str) -> str:
        labels = [change.label for change in self.changes if change.state == state]
        if not labels:
            return ""
        verb = {"changed": "would change", "new": "would be new"}.get(state, state) if self.dry else state
        return f"{len(labels)} of {len(self.changes)} {verb}: {first_few(labels, 3)}"


class Item(NamedTuple):
    """A subject of an export, as the game packed it, and its clips."""

    obj: bpy.types.Object
    action: bpy.types.Action | None
    packed: Any
    clips: Sequence[Checked]


class Checked(NamedTuple):
    """A clip, compared with what Blender shows: the worst difference, and what was said."""

    clip: Replayed
    worst: Worst | None
    messages: tuple[str, ...]


def listed(items: Sequence[Item], outputs: Sequence[Output], settled: Settled, refused: Mapping[Subject, ExportError]) -> list[Change]:
    """The changes of an export that is settled, and not written yet. refused: what could not be packed."""
    result: list[Change] = []
    goes = {output.block: output for output in outputs if output.block is not None}
    problems = {each.output.block: each.problem for each in settled.refused}
    left = {output.block for output in settled.left}
    for item in items:
        for checked in item.clips:
            clip = checked.clip
            block = clip.action if clip.action in goes else clip.obj.data
            output = goes.get(block)
            if output is None:
                continue
            if block in problems:
                result.append(Change(clip.action.name, clip.obj.name, output.where, "refused", messages=(problems[block],)))
            else:
                result.append(_change(checked, output, block in left))
    for (obj, action), error in refused.items():
        result.append(Change(action.name if action is not None else "", obj.name, "", "refused", messages=tuple(error.problems)))
    return result


def _change(checked: Checked, output: Output, left: bool) -> Change:
    clip, present = checked.clip, output.present
    same = present == output.data or left or (present is not None and output.block != clip.action and clip.is_held(present))
    bones, keys = ((), 0) if same else edited(clip.blocks, clip.before() or (), clip.obj.name)
    state = "unchanged" if same else "new" if present is None else "changed"
    return Change(clip.action.name, clip.obj.name, output.where, state, bones, keys, checked.worst, checked.messages)
