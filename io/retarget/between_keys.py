"""How far new actions are from their source between their keys, by the curves that were written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...core.motion.curves import Channel
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.retarget.figures.clip import Clip
from ...core.retarget.figures.figure import Figure
from ...core.retarget.reports.bent import Bent, Parted, bent_limbs
from ...core.retarget.reports.between import Between
from ...core.retarget.reports.looks import Looks
from ..blender.motion.block_keys import are_kept
from . import batches
from .batches import Pending
from .control_rigs.shown import Shown
from .prepared import Computed, Prepared, Ready
from .read_back import Unlike
from .reading import bends, invalid_keys, keys, read
from .reading.unkeyed import Posed, held, posed_of


def worst(
    job: Prepared,
    shown: Shown | None,
    clips: Sequence[tuple[Pending, Ready]],
    every: Sequence[Computed],
    created: Sequence[bpy.types.Action],
    unlike: Sequence[Unlike | None],
) -> dict[int, Between]:
    """Of clips that have one setup, by their numbers; without those between whose keys is nothing to look at. shown: how the target is read
    where it is not what its curves say. every, created, unlike: what was computed for each clip, its new action, and where its
    curves are others."""
    setup, looks = clips[0][1].setup, dict[int, Looks]()
    upright, parted = setup.options.root_motion in ("BONE", "OBJECT"), Parted.of(setup)
    counts = [len(each.clip.sampled) for _, each in clips]
    others = parted.bends([each.motion for _, each in clips], counts)
    for number, (known, each) in enumerate(clips):
        bones = parted.bones | bent_limbs(setup, every[number].result.report)
        theirs = Bent.of_keys(setup.binding.target, every[number].blocks, counts[number], bones, others[number], upright=upright)
        bent = theirs if known.bent is None else known.bent.beside(theirs)
        frames = None if bent is None else replace(bent, is_all=bent.is_all and shown is None).frames(setup, each.motion, each.clip)
        if not (own := Looks.of(each.clip, job.grid, frames)).is_empty:
            looks[number] = own
    if not looks:
        return {}
    sources = batches.motions(job.source, [_source(job, *clips[number], own) for number, own in looks.items()])
    at = [own.frames for own in looks.values()]
    if shown is not None:
        targets = [shown.motion(created[number], setup, own.frames) for number, own in looks.items()]
    else:
        posed = posed_of(job.target)
        values = [_written(job, every[number], created[number], unlike[number], own.frames, posed) for number, own in looks.items()]
        targets = read.keyed_together(job.target, setup.binding.target, at, values)
    return dict(zip(looks, Between.of(setup, list(looks.values()), sources, targets), strict=True))


def _written(
    job: Prepared, computed: Computed, action: bpy.types.Action, unlike: Unlike | None, frames: Floats, posed: Posed
) -> keys.Channels:
    """What the curves of a new action have: of keys that Blender has as they were computed without asking for them again."""
    if unlike is not None or not all(are_kept(block.frames.tobytes()) for block in computed.blocks):
        return read.channels(job.target, action, frames, posed)
    values = keys.of_blocks(computed.blocks, frames)
    return values | held(posed, action, len(frames), values)


def _source(job: Prepared, known: Pending, ready: Ready, looks: Looks) -> Pending:
    """A clip as it is read where it is looked at."""
    clip = replace(ready.clip, frames=looks.frames, sampled=looks.source)
    if ready.action is None or known.motion is not None:
        return Pending(ready.action, clip, known.figure, {}, job.read(ready.action, looks.source))
    return Pending(ready.action, clip, known.figure, _curves(job, known, ready.clip, ready.action, looks))


def _curves(job: Prepared, known: Pending, clip: Clip, action: bpy.types.Action, looks: Looks) -> keys.Channels:
    """The source's curves where a clip is looked at, of which those at its keys are known already; and so are all that go straight."""
    at = known.clip.sampled
    is_known = np.array_equal(at, clip.sampled)
    frames = looks.source[looks.others] if is_known else looks.source
    if is_known and known.values and known.values.keys() == known.straight and at[0] <= frames.min() and frames.max() <= at[-1]:
        every = keys.between(at, np.array(list(known.values.values())), frames)
        values = dict(zip(known.values, every, strict=True))
    else:
        values, _ = invalid_keys.filled(read.channels(job.source, action, frames, job.posed))
    if not is_known:
        return values
    merged = {channel: np.empty(len(looks.frames), own.dtype) for channel, own in values.items()}
    for channel, own in merged.items():
        own[looks.keys], own[looks.others] = known.values[channel][looks.numbers], values[channel]
    return merged


def find_bent(job: Prepared, clips: Sequence[Pending]) -> None:
    """Of clips that are read from their curves: how each bends between its frames, if one of its figure does at all."""
    by_figure: dict[int, list[tuple[bpy.types.Action, Pending]]] = {}
    for clip in clips:
        if clip.motion is None and clip.action is not None:
            by_figure.setdefault(id(clip.figure), []).append((clip.action, clip))
    for some in by_figure.values():
        every = [(action, clip.clip.sampled, clip.values, clip.straight) for action, clip in some]
        for (_, clip), bent in zip(some, bends.of_clips(job.source, some[0][1].figure, every), strict=True):
            clip.bent = bent


def shown_bent(job: Prepared, action: bpy.types.Action | None, clip: Clip, figure: Figure) -> Bent:
    """How a source bends of which more than its curves counts, as far as these tell."""
    unknown = Bent(np.zeros(0), (), is_all=False)
    if action is None:
        return unknown
    straight = set[Channel]()
    values, _ = invalid_keys.filled(read.channels(job.source, action, clip.sampled, job.posed, straight))
    return replace(bends.of_curves(action, job.source, figure, clip.sampled, values, straight) or unknown, is_all=False)
