"""The target following the source at the present frame before anything is written: the action is retargeted as a whole, by the steps that
write it, and each frame's channels are set as the pose. No action is made or changed; `temporary_state` keeps what the target was like."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ....core.reporting import log
from ....core.reporting.errors import RetroAnimError
from ....core.retarget import loops, retarget
from ....core.retarget.figures.clip import Clip
from ....core.retarget.figures.maps.bone_map import BoneMap
from ....core.retarget.figures.motion import Motion
from ....core.retarget.options import RetargetOptions
from ...blender import armature, identity, rest, temporary_state
from ..prepared import Prepared, Ready
from ..reading import read
from ..reading.source_actions import chosen_actions
from .table import Table, row_at

_WINDOW = 500
"""Frames to either side that are computed at once after a change; those further away follow with `complete`. So many take hardly longer
than some, and show which ground an action is on as the whole of it does: of fewer the figure may jump to another height."""

_SAME = 1e-4
"""The part of the figure's size by which a joint may be away from where the action has it: further away it is posed by hand."""


class Preview:
    """One target that follows one source. After `start` the target is staged until `stop`; frames are shown with `show`.

    shown: bone or object channels are set by arrays of (frames, bones * components), float32."""

    def __init__(self, context: bpy.types.Context, source: bpy.types.Object, target: bpy.types.Object) -> None:
        self.scene = context.scene.session_uid
        self.source, self.target = identity.Followed(source), identity.Followed(target)
        self._table: Table | None = None
        self._job: Prepared | None = None
        self.action: identity.Key = "", None
        self._known: Motion | None = None  # as it was read
        self._motion: Motion | None = None  # at the frames of the new keys
        self._loop: int | None = None
        self._setup: retarget.Setup | None = None
        self._missing = self._posed = False
        self._bones = (_names(source), _names(target))
        self.message = ""

    @property
    def objects(self) -> tuple[bpy.types.Object, bpy.types.Object] | None:
        """Source and target; None where one is gone, or has other bones than when they were read."""
        both = self._both
        return both if both is not None and (_names(both[0]), _names(both[1])) == self._bones else None

    @property
    def _both(self) -> tuple[bpy.types.Object, bpy.types.Object] | None:
        """The same, whatever their bones are."""
        source, target = self.source.obj, self.target.obj
        return None if source is None or target is None else (source, target)

    @property
    def is_on(self) -> bool:
        """Whether the target still shows the preview: whoever needs it as it was gives it back."""
        target = self.target.obj
        return target is not None and identity.is_staged(target, identity.PREVIEW)

    @property
    def is_replaced(self) -> bool:
        """Whether the target was given an action meanwhile, to be seen in its place: by a person, a message or a key."""
        data: Any = self.is_on and self.target.obj and self.target.obj.animation_data
        return bool(data) and data.action is not None and not identity.is_sampled()

    @property
    def span(self) -> tuple[float, float] | None:
        """The first and the last frame that it has; before and behind them it stands."""
        return None if self._motion is None else (float(self._motion.frames[0]), float(self._motion.frames[-1]))

    def change(self, context: bpy.types.Context, bone_map: BoneMap, options: RetargetOptions, moved: bool = True) -> None:
        """Follow another map or other options. moved: whether the source's action may be another, too. Raises RetroAnimError where there is
        nothing to retarget; then the target is as it was before."""
        both = self._both
        if both is None:
            raise RetroAnimError(f"{self.source.name} or {self.target.name} is gone")
        source, target = both
        self._bones = (_names(source), _names(target))
        try:
            with log.collect() as said:  # what doubts there are is reported when it is retargeted
                self._prepare(context, source, target, bone_map, options, moved)
            temporary_state.take(target, identity.PREVIEW)
            self._table = None
            self._missing = True
            said.messages[:0] = self._compute(self._rows(context.scene)).messages  # of goals that cannot be
            self.message = next(iter(said.digest("ERROR", "WARNING")), "")
        except BaseException:
            temporary_state.give_back(target)
            raise
        self.show(context.scene)

    def _prepare(self, context: Any, source: Any, target: Any, bone_map: BoneMap, options: RetargetOptions, moved: bool) -> None:
        (action,) = chosen_actions(source, ())
        self._job = Prepared(context, source, target, bone_map, options)
        clip, known = self._job.clip_of(action), self._known
        if moved or known is None or identity.key_of(action) != self.action or not np.array_equal(known.frames, clip.sampled):
            known = self._known = self._job.read(action, clip.sampled).whole()
        self.action, self._setup = identity.key_of(action), self._job.setup(action, known)
        clip, self._motion = self._job.closed(clip, self._setup, known)
        self._loop = loops.repeated(self._setup.binding, self._motion, clip)

    def complete(self, shown: bpy.types.Scene) -> None:
        """Compute what is still missing of the action."""
        if (self._missing or self._posed) and self._motion is not None:
            self._compute(slice(0, len(self._motion.frames)))
            self.show(shown)

    def _rows(self, shown: bpy.types.Scene) -> slice:
        """The frames about the present one."""
        assert self._motion is not None
        frames = self._motion.frames
        if len(frames) <= 4 * _WINDOW:
            return slice(0, len(frames))
        row, _ = row_at(frames, shown.frame_current_final)
        return slice(max(0, row - _WINDOW), row + _WINDOW + 1)

    def _compute(self, rows: slice, posed: Motion | None = None) -> log.Log:
        """Retarget some of the frames. Returns what was said. posed: the source as it is posed at the present one, in its place, for this
        time."""
        both, motion, job = self.objects, self._motion, self._job
        action = identity.action_of(self.action)
        if both is None or motion is None or job is None or action is None:
            return log.Log()
        part = motion.at(rows)
        self._missing, self._posed = len(part.frames) < len(motion.frames), posed is not None
        if posed is not None:
            part = _with_pose(part, posed)
        with log.collect() as said:
            loop = None if self._missing or self._posed else self._loop
            clip = Clip(part.frames, part.frames, float(part.frames[0]), loop)
            (computed,) = job.computed([Ready(action, clip, part, self._setup or job.setup(action, part))])
        self._table = Table.of(both[1], part.frames, computed.blocks)
        return said

    def show(self, shown: bpy.types.Scene) -> None:
        """Pose the target as it is at the scene's present frame. Before the scene is evaluated there, its evaluation takes it over."""
        both = self.objects
        if both is not None and self._table is not None and identity.is_staged(both[1], identity.PREVIEW):
            self._table.show(both[1], shown.frame_current_final)

    def needs(self, shown: bpy.types.Scene) -> bool:
        """Whether the present frame is one of those that have not been computed, or was posed by hand."""
        if self._table is None or self._motion is None or not (self._missing or self._posed):
            return False
        if self._posed:
            return True
        frame = float(np.clip(shown.frame_current_final, self._motion.frames[0], self._motion.frames[-1]))
        return not self._table.frames[0] <= frame <= self._table.frames[-1]

    def follow(self, context: bpy.types.Context) -> None:
        """The source was touched: where it is posed otherwise than its action has it, the target follows that pose."""
        both, motion = self.objects, self._motion
        if both is None or motion is None or rest.shown(both[0]) is not None:  # which poses nobody
            return
        figure = read.figure_of(both[0])
        graph: Any = context.evaluated_depsgraph_get()
        frame = context.scene.frame_current_final
        posed = read.present(both[0].evaluated_get(graph), figure, frame)
        row, share = row_at(motion.frames, frame)
        size = max(float(np.ptp(figure.heads, axis=0).max()), 1e-9)
        after = min(row + 1, len(motion.frames) - 1) if share else row
        between = np.abs(motion.positions[after] - motion.positions[row]).max() + _SAME * size
        swung = 1 - np.abs(np.einsum("bi,bi->b", motion.rotations[after], motion.rotations[row])).min() + 1e-6
        apart = np.abs(posed.positions[0] - motion.positions[row]).max() > between
        if apart or 1 - np.abs(np.einsum("bi,bi->b", posed.rotations[0], motion.rotations[row])).min() > swung:
            self._compute(self._rows(context.scene), posed)
            self.show(context.scene)

    def stop(self) -> None:
        """The target as it was before."""
        target = self.target.obj
        self._table = None
        if target is not None:
            temporary_state.give_back(target)


def _names(obj: bpy.types.Object) -> list[str]:
    """Of the bones, which somebody may add, rename and delete meanwhile; none of what is no armature any more. It is asked at each frame:
    a loop over the bones takes three times as long."""
    names: list[str] = armature.pose_bones(obj).keys() if obj.pose is not None else []
    return names


def _with_pose(part: Motion, posed: Motion) -> Motion:
    """A motion with another pose at the frame of `posed`."""
    row, share = row_at(part.frames, float(posed.frames[0]))
    rows = [row, row + 1] if share else [row]
    rotations, positions = part.rotations.copy(), part.positions.copy()
    rotations[rows], positions[rows] = posed.rotations[0], posed.positions[0]
    return Motion(part.frames, rotations, positions, part.sizes, part.standing)
