"""Clips that nobody has edited: an import of their source data would make the very curves that they have, to the bit, and nothing else says
anything about them.

Such a clip is what it came from, byte for byte, which packing and comparing it would find out in many times the time. Whatever is not just
as an import leaves it is packed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol, cast

import bpy

from ....core.declare.shared import ExportOptions
from ....core.motion.blocks import blocks_of_all
from ....core.motion.clip import Clip
from ....core.motion.comparison import Steps
from ....core.motion.curves import Block, Placement, RootMotion, Timing, is_rotation
from ....core.motion.modes import modes_of
from ....core.motion.rigs.matrix_rig import MatrixRig
from ....core.motion.rigs.rig import Rig
from ....core.reporting import log
from ....core.reporting.errors import RetroAnimError
from ...blender import armature, identity, rest
from ...blender.motion import actions, curve_reader, fcurves
from ..changes import Checked, Item, Replayed, Subject
from . import extent, object_size
from .pair import Pair

_TOGETHER = 64
"""Clips of which the curves are made in one go."""

_WHEREVER = {"path", "source", "entry", "fps_from", "overwrite", "dry_run"}
"""Options that say which clips are written and where to, and nothing of what a clip is."""


@dataclass(frozen=True, eq=False)
class Came:
    """A clip as its source data has it. packed: what the game would write. motion: with all the others what its curves are made of; or
    what the writer's `motions` makes that of. slack: what their values may be off, and still be the file's own to the game's update, in
    Blender's units."""

    packed: Any
    motion: Any
    timing: Timing
    rig: Rig | MatrixRig
    scale: float
    root_motion: RootMotion
    placement: Placement
    steps: Steps
    slack: float = 0.0

    @property
    def alike(self) -> tuple[object, ...]:
        """The same for clips of which the curves are made together."""
        stand = self.placement
        numbers = tuple(part.tobytes() for part in (stand.location, stand.rotation, stand.angles, stand.scale))
        return id(self.rig), self.scale, self.root_motion, numbers


class Source(Protocol):
    """A game's writer, as far as this needs it."""

    context: bpy.types.Context
    options: Any
    subjects: Sequence[Subject]

    def came(self, obj: bpy.types.Object, action: bpy.types.Action) -> Came | None: ...
    def motions(self, obj: bpy.types.Object, clips: Sequence[Came]) -> Sequence[Clip]: ...


def curves_of(writer: Source, obj: bpy.types.Object, clips: Sequence[Came]) -> list[list[Block]]:
    """What an import would make of clips of an armature that are alike. Raises RetroAnimError."""
    some = clips[0]
    timed = [(motion, came.timing) for motion, came in zip(writer.motions(obj, clips), clips, strict=True)]
    return blocks_of_all(timed, some.rig, some.scale, some.root_motion, some.placement)


class Unedited:
    """Of an export the subjects that nobody has edited."""

    def __init__(self, writer: Source) -> None:
        self._writer = writer
        self._possible = _as_they_are(writer.options)
        self._quiet: dict[bpy.types.Object, bool] = {}
        self._modes: dict[bpy.types.Object, dict[str, str]] = {}
        self._examined: dict[int, Item | None] = {}

    def item(self, number: int) -> Item | None:
        """A subject as it came; None where that is not known."""
        if not self._possible:
            return None
        if number not in self._examined:
            self._examine(number)
        return self._examined.pop(number)

    def _examine(self, first: int) -> None:
        """As many as go together, from one on."""
        owner = self._writer.subjects[first][0]
        groups: dict[tuple[object, ...], list[tuple[int, bpy.types.Action, Came]]] = {}
        for number, (obj, action) in enumerate(self._writer.subjects[first : first + _TOGETHER], first):
            if obj != owner:
                break
            self._examined[number] = None
            if action is not None and (came := self._came(obj, action)) is not None:
                groups.setdefault(came.alike, []).append((number, action, came))
        for members in groups.values():
            try:
                curves = curves_of(self._writer, owner, [came for _, _, came in members])
            except RetroAnimError:
                continue
            for (number, action, came), blocks in zip(members, curves, strict=True):
                self._examined[number] = self._item(owner, action, came, blocks)

    def _came(self, obj: bpy.types.Object, action: bpy.types.Action) -> Came | None:
        """Where everything but the curves is as it came, and there is nothing to say about it; what is wrong is said where it is packed."""
        if fcurves.IMPORTED not in action or identity.RETARGETED in action:
            return None
        if obj not in self._quiet:
            self._quiet[obj] = _is_quiet(obj)
        if not self._quiet[obj] or object_size.is_other(obj, action):
            return None
        with log.collect() as said:
            try:
                came = self._writer.came(obj, action)
            except RetroAnimError:
                return None
        return None if said.messages else came

    def _item(self, obj: bpy.types.Object, action: bpy.types.Action, came: Came, blocks: Sequence[Block]) -> Item | None:
        """None where anything else is shown than what an import would show."""
        modes = modes_of(came.rig)
        if extent.is_other(action, blocks) or not self._in_modes(obj, modes, blocks):
            return None
        curves = curve_reader.as_written(action, obj, blocks, came.slack)
        if curves is None:
            return None
        before = actions.Remembered(came.timing.fps, came.timing.start, came.scale, came.root_motion, came.placement, came.timing.fps)
        pair = Pair.of(Replayed(obj, action, blocks, modes, came.scale, came.steps), curves, looks=False, came=before)
        if pair.suspects or pair.evaluated:
            return None
        # Nothing of it is changed, whatever is where it goes.
        return Item(obj, action, came.packed, [Checked(Replayed(obj, action, (), modes, came.scale, came.steps), None, ())])

    def _in_modes(self, obj: bpy.types.Object, modes: Mapping[str, str], blocks: Sequence[Block]) -> bool:
        """Whether Blender shows the rotations in the modes that they are made for, of the object only if it is rotated."""
        if obj not in self._modes:
            self._modes[obj] = {bone.name: bone.rotation_mode for bone in armature.pose_bones(obj)}
        present = self._modes[obj]
        if any(present.get(name) != mode for name, mode in modes.items() if name):
            return False
        rotated = any(is_rotation(channel.property) for block in blocks for channel in block.channels[:1] if not channel.bone)
        return not rotated or obj.rotation_mode == modes[""]


def _as_they_are(options: ExportOptions) -> bool:
    """Whether clips are written as they are keyed, with all keys, for the game and in the form that they came in."""
    usual = type(options)()
    names = {item.name for item in fields(cast(Any, options))} - _WHEREVER
    return all(getattr(options, name) == getattr(usual, name) for name in names)


def _is_quiet(obj: bpy.types.Object) -> bool:
    """Whether there is nothing to say about an armature itself."""
    if obj.type != "ARMATURE":
        return False
    with log.collect() as said:
        try:
            rest.check(obj)
        except RetroAnimError:
            return False
    return not said.messages
