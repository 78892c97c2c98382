"""What an import would show of what an export would write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.declare.shared import Sampling
from ...core.mindpower.files.skeleton.lab import MAT43, QUAT, Lab, differing_frames
from ...core.mindpower.motion import fitting, prepared, timeline, timeline_keys
from ...core.mindpower.motion.channels import BoneNames, blocks_of
from ...core.mindpower.motion.motion import Motion
from ...core.mindpower.motion.timeline import Part
from ...core.motion.comparison import Bones, Steps
from ...core.motion.curves import Block, Timing
from ...core.reporting import log
from ...core.reporting.errors import FormatError
from ..pipeline.changes import Foreign, Replayed
from .clips import actions
from .clips.parts import part_of, template_of
from .figure import figure_read
from .pack import Packed

QUATERNIONS = Steps(rotation=2e-5, translation=2e-5, path=2e-5, scale=1e-4)
MATRICES = Steps(rotation=1e-4, translation=2e-5, path=2e-5, scale=1e-4)
"""All numbers are floats, through which positions come back to 8e-6, unit quaternions to 9e-7 and the rows of matrices to 2e-5."""


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """The curves of an action alone, without the rest of the file's time line. Raises RetroAnimError for what the game cannot hold."""
    known = figure_read.read(obj)
    part = part_of(context, replace(known, original=None), action, "KEYS")  # no key is that of the file, of which the rest is not there
    held = known.template if known.original is None else known.original  # without the file that has the keys of its spare frames alone
    template = prepared.excerpt(replace(template_of(known), frame_count=held.frame_count), np.zeros(1, np.int64))
    # What quaternions cannot hold is in a file of quaternions as the file's own keys, or makes all of them matrices, as the export says.
    kind = MAT43 if part.keys.skewed.any() and template.key_type == QUAT else None
    lab = timeline_keys.assemble(template, template, [part], timeline.join([part], 1), kind)
    return blocks_of(known.motion_of(lab), known.names, 1, lab.frame_count, actions.new_timing(action, context, obj, "KEYS"))


def replayed(context: bpy.types.Context, obj: bpy.types.Object, packed: Packed, sampling: Sampling) -> Iterator[Replayed]:
    """The clips of an armature as they would come back, each with the frames that it has in the file now."""
    known = packed.figure
    if known is None:
        yield from _of_new_skeleton(context, obj, packed)
        return
    before = None if known.before is None else known.before.shown
    # The armature stands as it does now; an import onto it chooses no other bones to inherit scale.
    as_before = packed.untouched and before is not None and not known.moved.any()
    motion = before if as_before and before is not None else known.motion_of(packed.lab)
    # What bones could not show when it came in they do not show now, as was said then.
    helped = sorted(motion.errors.keys() - known.errors.keys()) if sampling == "VISUAL" else []
    motion, names, helpers = _with_helpers(motion, known.names, helped)
    modes, held = {"": "ZYX", **dict.fromkeys(known.names.every, "QUATERNION")}, _Held(packed.lab)
    for clip in packed.clips:
        action, part, (start, end) = clip.action, clip.part, clip.span
        origin = actions.origin(action)
        timing = origin.timing if origin is not None else actions.new_timing(action, context, obj, sampling)
        shown = replace(timing, start=timing.frame(part.start))
        now = blocks_of(motion, names, start, end + 1, shown)
        frames = shown.frames(np.arange(float(end + 1 - start))) if sampling == "VISUAL" else None
        was = partial(_before, known.names, before, part, timing)
        closing = action.frame_end if origin is None and actions.repeats(action, obj) else None
        length = part.range.end + 1 - part.range.start if part.range is not None else 0
        until = actions.last_key(action, timing, length, obj, sampling)
        steps = steps_of(packed.lab)
        yield Replayed(
            obj,
            action,
            now,
            modes,
            known.rig.scale,
            steps,
            was,
            frames=frames,
            closing=closing,
            from_first=True,
            until=until,
            helpers=helpers,
            is_held=held.of(clip.span),
        )


def _with_helpers(motion: Motion, names: BoneNames, bones: list[int]) -> tuple[Motion, BoneNames, dict[str, tuple[str, str]]]:
    """A motion as it would come in with helper bones for these, too; the names of all, and by bone those of the further helpers, which no
    bone of Blender has."""
    more = {bone: (f"{names.bones[bone]}\0first", f"{names.bones[bone]}\0second") for bone in bones}
    if not more:
        return motion, names, {}
    helpers = {names.bones[bone]: both for bone, both in more.items()}
    return motion.helped(np.array(bones)), BoneNames(names.bones, names.helpers | more), helpers


class _Held:
    """Which frames of a skeleton file that is to be written the one on the disk has already."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._file: bytes | None = None
        self._differs = np.ones(lab.frame_count, np.bool_)

    def of(self, span: tuple[int, int]) -> Callable[[bytes], bool]:
        """Whether that has the frames from the first to the last of `span`."""
        return lambda data: not self._frames(data)[span[0] : span[1] + 1].any()

    def _frames(self, data: bytes) -> NDArray[np.bool_]:
        if data is not self._file:
            self._file, self._differs = data, np.ones(self._lab.frame_count, np.bool_)
            with suppress(FormatError), log.collect():
                self._differs = differing_frames(self._lab, Lab.parse(data))
        return self._differs


def steps_of(lab: Lab) -> Steps:
    """The least that the kind of keys of a file can tell apart."""
    return QUATERNIONS if lab.key_type == QUAT else MATRICES


def _of_new_skeleton(context: bpy.types.Context, obj: bpy.types.Object, packed: Packed) -> Iterator[Replayed]:
    """The clips of a skeleton that the file is the first to hold. They are sampled as they look, at every frame of the game."""
    new = packed.new
    if new is None:
        return
    motion = fitting.fit(packed.lab, new.rig)
    motion, names, helpers = _with_helpers(motion, BoneNames(new.names), sorted(motion.errors))
    rig = new.rig
    bones = Bones(new.names, rig.parents.astype(np.int64), rig.rest, rig.full)
    modes, stand, held = dict.fromkeys(new.names, "QUATERNION"), Foreign(bones, new.rotation.T), _Held(packed.lab)
    for clip in packed.clips:
        (start, end), timing = clip.span, actions.new_timing(clip.action, context, obj, "VISUAL")
        now = blocks_of(motion, names, start, end + 1, timing)
        frames = timing.frames(np.arange(float(end + 1 - start)))
        is_held = held.of(clip.span)
        yield Replayed(
            obj, clip.action, now, modes, rig.scale, steps_of(packed.lab), frames=frames, foreign=stand, helpers=helpers, is_held=is_held
        )


def _before(names: BoneNames, before: Motion | None, part: Part, timing: Timing) -> list[Block] | None:
    """What the import of the file that an action came from would show of it."""
    if before is None or part.range is None:
        return None
    return blocks_of(before, names, part.range.start, part.range.end + 1, timing)
