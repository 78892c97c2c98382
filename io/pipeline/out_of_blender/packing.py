"""The subjects of an export, packed one by one, and each compared with what Blender shows."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import Any

import bpy

from ....core.declare.shared import FewerKeysOptions
from ....core.reporting import log
from ....core.reporting.errors import ExportError, Problem
from ....core.reporting.progress import Step, Steps, StoppedError
from ...blender import arrays, identity, rest
from ...blender.motion import fcurves
from ...blender.source_data import Block
from ...blender.surface import skinning
from ..changes import Checked, Item, Replayed, Subject, Worst
from ..fidelity import extent, lines, object_size, part_keyed, shown, skins, unedited
from ..fidelity.pair import Pair
from ..fidelity.reasons import added_bones, exchanged_names, explained
from .selection import emptied
from .writer import Writer


def packed(writer: Writer[Any, Any], dry: bool = False) -> Steps[tuple[list[Item], dict[Subject, ExportError]]]:
    """The subjects as packed; and those that are refused, where that is no error: in a dry run."""
    items: list[Item] = []
    refused: dict[Subject, ExportError] = {}
    as_they_came = unedited.Unedited(writer)
    for obj in dict.fromkeys(obj for obj, _ in writer.subjects):
        _report_rest(obj)
    animated = dict.fromkeys(obj for obj, action in writer.subjects if action is not None)  # each once, however many clips it has
    added_to = {obj: added_bones.of_armature(writer.context, obj) for obj in animated}
    # By number, since an object that is removed meanwhile is no key any more.
    added = [added_to.get(obj, added_bones.Added()) for obj, _ in writer.subjects]
    for number, (obj, action) in enumerate(writer.subjects):
        yield from part(number, len(writer.subjects), (action if action is not None else obj).name)
        if action is not None:
            with log.about(action.name):
                added_bones.report(obj, action, added[number])
        if (item := as_they_came.item(number)) is not None:
            items.append(item)
            continue
        try:
            item = yield from _item(writer, obj, action)
            items.append(item)
        except ExportError as error:
            if not dry:
                raise
            refused[obj, action] = error
    skins.report(writer.context, items, skinning.of_poses)
    return items, refused


def _report_rest(obj: bpy.types.Object) -> None:
    """Say where nothing of a clip is seen."""
    if (still := rest.shown(obj)) is not None:
        log.warning(f"{obj.name} {still[0]}, and is written as its clips move: {still[1]} to see that")


def part(number: int, count: int, title: str) -> Steps[None]:
    """Before each part of an export. Raises StoppedError where it is stopped there."""
    if (yield Step(number, count, title)):
        raise StoppedError("stopped before anything was written")


def _item(writer: Writer[Any, Any], obj: bpy.types.Object, action: bpy.types.Action | None) -> Steps[Item]:
    """One subject. Raises ExportError, which names it."""
    with about(obj if action is None else action), fcurves.recorded() as reads, log.heard() as said:
        arrays.world_of(obj)
        if action is not None:
            rest.check(obj)
            emptied.check(obj, action, writer.options.sampling)
        try:
            content = yield from writer.packing(obj, action)
        except ExportError as error:
            raise exchanged_names.explained(error, writer, obj, action) from error
        checked: list[Checked] = []
        for clip in writer.replayed(obj, content):
            if action is None:
                yield from part(0, 1, f"checking {clip.action.name}")
            checked.append(_checked(writer, clip, reads.get(clip.action), said))
    return Item(obj, action, content, checked)


def _checked(writer: Writer[Any, Any], clip: Replayed, curves: fcurves.ShownCurves | None, said: log.Log) -> Checked:
    """Says where a clip is not written as it is shown. curves: of its action, None where nobody has read them."""
    curves = fcurves.shown_curves(clip.action, clip.obj) if curves is None else curves
    pair = Pair.of(_with_all_keys(writer, clip), curves, writer.options.looks)
    apart = shown.differences(writer.context, pair)
    with log.about(clip.action.name):
        if all(message.topic != object_size.TOPIC for message in said.messages):
            object_size.report(clip.obj, clip.action, clip.carried)
        extent.report(pair)
        part_keyed.report(pair)
        exchanged_names.report(pair)
        topics = {message.topic for message in said.of("WARNING") if message.where == clip.action.name}
        left = explained.others(pair, apart, topics - {""}, partial(shown.differences, writer.context, pair))
        for line in lines.lines(pair, left):
            log.warning(line.text, bone=line.bone, frame=line.frame)
    worst = Worst(apart[0].bone or clip.obj.name, apart[0].frame, apart[0].size) if apart else None
    messages = tuple(message.text for message in said.of("WARNING") if message.where == clip.action.name)
    return Checked(clip, worst, messages)


def _with_all_keys(writer: Writer[Any, Any], clip: Replayed) -> Replayed:
    """As far as the game has room for them, where some are left out by a bound on where joints are: that says nothing of
    each bone's own rotation, and by how much it is off is said where they are left out."""
    options = writer.options
    reduced = options.reduced(identity.RETARGETED in clip.action) if isinstance(options, FewerKeysOptions) else None
    if reduced is None or reduced.reduction not in ("DISTANCE", "FIT"):
        return clip
    every = writer.but(reduction="NONE")
    try:
        with log.collect():  # said already of the clip that is written
            return next(iter(every.replayed(clip.obj, every.pack(clip.obj, clip.action))))
    except ExportError:
        return clip


def _prefixed(problem: str, prefix: str) -> str:
    return problem.but(prefix + problem) if isinstance(problem, Problem) else prefix + problem


@contextmanager
def about(block: Block) -> Generator[None]:
    """Messages and problems from inside name the action, or the armature: the innermost one."""
    with log.about(block.name):
        try:
            yield
        except ExportError as error:
            if error.named:
                raise
            prefix = f"{block.name}: "
            problems = [problem if problem.startswith(prefix) else _prefixed(problem, prefix) for problem in error.problems]
            raise ExportError(problems, named=True) from error
