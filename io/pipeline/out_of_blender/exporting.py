"""The export of every game: pack each subject, decide where it goes, refuse what would be a loss, and only then write."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import bpy

from ....core.declare.game import Game
from ....core.declare.shared import ExportOptions, FewerKeysOptions
from ....core.files.file_names import file_name
from ....core.files.format import Format
from ....core.games import GAMES
from ....core.motion.clip import Clip
from ....core.reporting import log, progress
from ....core.reporting.errors import ExportError, Problem
from ....core.reporting.progress import Step, Steps, StoppedError
from ...blender import arrays, identity, rest, scene
from ...blender.motion import actions, fcurves
from ...blender.source_data import Block
from .. import changes
from ..changes import Change, Checked, Exported, Item, Replayed, Subject, Worst
from ..destination import questions, settling, targets, writing
from ..destination.writing import Output
from ..fidelity import added_bones, lines, object_size, shown, unedited
from ..fidelity.pair import Pair
from . import clips, emptied, out_of_reach, selection

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
        """What the options choose, by default actions; see selection.py. Raises ExportError for a target that cannot be written."""
        return selection.chosen_actions(self.context, self.options.source, *self.kinds, objects=self.objects, game=self.game)

    @property
    def game(self) -> Game:
        """The row of the game whose options these are."""
        return next(game for game in GAMES.values() if isinstance(self.options, game.export_options))

    def without_subject(self) -> ExportError:
        """What there is none of, and where it is or how to choose it."""
        remedy = out_of_reach.remedy(self.context, self.game) or selection.remedy(self.needs.selected)
        return ExportError(f"there is no {self.needs.what} to export: {remedy}")

    @abstractmethod
    def pack(self, obj: bpy.types.Object, action: bpy.types.Action | None) -> PackedT:
        """What one subject stands for. Raises ExportError for what the game cannot hold; the pipeline names the subject."""

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


def export(kind: type[Writer[Any, Any]], context: bpy.types.Context, options: ExportOptions) -> Exported:
    """`run` for a game's writer, whatever is made for the export alone removed afterwards."""
    return progress.finish(export_steps(kind, context, options))


def export_steps(kind: type[Writer[Any, Any]], context: bpy.types.Context, options: ExportOptions) -> Steps[Exported]:
    """`export`, subject by subject."""
    rate = scene.fps(context.scene) if options.fps_from == "SCENE" else None
    with clips.for_export(context), actions.played_at(rate):
        with log.heard() as said:
            writer = kind(context, options)
        exported = yield from steps(writer)
        return replace(exported, warnings=[*said.digest("WARNING"), *exported.warnings])


def run(writer: Writer[Any, Any]) -> Exported:
    """What is written, or is on the disk already. Raises RetroAnimError, with nothing written, when a subject holds what the game cannot,
    two of them go to the same file or entry, or something would be lost; in a dry run these are changes that are refused."""
    return progress.finish(steps(writer))


def steps(writer: Writer[Any, Any]) -> Steps[Exported]:
    """`run`, subject by subject. Raises StoppedError, with nothing written, where it is stopped."""
    with log.heard() as said:
        plan = yield from planned(writer)
        if not writer.options.dry_run:
            plan.settled.check()
        exported = write(writer, plan)
    return replace(exported, warnings=said.digest("WARNING"))


def write(writer: Writer[Any, Any], plan: Plan) -> Exported:
    """Carries out a plan of which nothing is refused, but in a dry run; without the warnings."""
    return write_all([(writer, plan)])[0]


def write_all(parts: Sequence[tuple[Writer[Any, Any], Plan]]) -> list[Exported]:
    """Carries out several plans as `write`: all of their files are written, or none."""
    real = [(writer, plan) for writer, plan in parts if not writer.options.dry_run]
    outputs = [output for _, plan in real for output in plan.outputs]
    writers = {output.path: writer for writer, plan in real for output in plan.outputs}
    settled = writing.joined([plan.settled for _, plan in real])
    writing.write_files(outputs, settled, lambda path, entries: writers[path].merged(path, entries))
    return [_exported(writer, plan) for writer, plan in parts]


def _exported(writer: Writer[Any, Any], plan: Plan) -> Exported:
    written, unchanged = ({output.where for output in part} for part in (plan.settled.changed, plan.settled.unchanged))
    paths = plan.settled.addresses(plan.outputs)
    return Exported(
        paths,
        [path for path in paths if path in written],
        [path for path in paths if path in unchanged],
        plan.changes,
        [],
        writer.options.dry_run,
    )


class Plan(NamedTuple):
    """An export before anything is written."""

    outputs: list[Output]
    settled: writing.Settled
    changes: list[Change]


def planned(writer: Writer[Any, Any]) -> Steps[Plan]:
    """Everything but the writing. Raises RetroAnimError as `run`, and StoppedError."""
    if not writer.subjects:
        raise writer.without_subject()
    dry = writer.options.dry_run
    items, refused = yield from packed(writer, dry)
    outputs, more = _outputs(writer, items, dry)
    settled = settling.settle(outputs, writer.options.overwrite)
    return Plan(outputs, settled, changes.listed(items, outputs, settled, refused | more))


def packed(writer: Writer[Any, Any], dry: bool = False) -> Steps[tuple[list[Item], dict[Subject, ExportError]]]:
    """The subjects as packed; and those that are refused, where that is no error: in a dry run."""
    items: list[Item] = []
    refused: dict[Subject, ExportError] = {}
    as_they_came = unedited.Unedited(writer)
    animated = dict.fromkeys(obj for obj, action in writer.subjects if action is not None)  # each once, however many clips it has
    moving = {obj: added_bones.moving(writer.context, obj) for obj in animated}
    # By number, since an object that is removed meanwhile is no key any more.
    added = [moving.get(obj, frozenset()) for obj, _ in writer.subjects]
    for number, (obj, action) in enumerate(writer.subjects):
        if (yield Step(number, len(writer.subjects), (action if action is not None else obj).name)):
            raise StoppedError("stopped before anything was written")
        if action is not None:
            with log.about(action.name):
                added_bones.report(obj, action, added[number])
        if (item := as_they_came.item(number)) is not None:
            items.append(item)
            continue
        try:
            with about(obj if action is None else action), fcurves.recorded() as reads, log.heard() as said:
                arrays.world_of(obj)
                if action is not None:
                    rest.check(obj)
                    emptied.check(obj, action, writer.options.sampling)
                content = writer.pack(obj, action)
                checked = [_checked(writer, clip, reads.get(clip.action), said) for clip in writer.replayed(obj, content)]
            items.append(Item(obj, action, content, checked))
        except ExportError as error:
            if not dry:
                raise
            refused[obj, action] = error
    return items, refused


def _checked(writer: Writer[Any, Any], clip: Replayed, curves: fcurves.ShownCurves | None, said: log.Log) -> Checked:
    """Says where a clip is not written as it is shown. curves: of its action, None where nobody has read them."""
    curves = fcurves.shown_curves(clip.action, clip.obj) if curves is None else curves
    pair = Pair.of(_whole(writer, clip), curves, writer.options.looks)
    apart = shown.differences(writer.context, pair)
    if all(message.topic != object_size.TOPIC for message in said.messages):
        with log.about(clip.action.name):
            object_size.report(clip.obj, clip.action, clip.carried)
    topics = {message.topic for message in said.of("WARNING") if message.where == clip.action.name}
    with log.about(clip.action.name):
        for line in lines.lines(pair, apart, topics):
            log.warning(line.text, bone=line.bone, frame=line.frame)
    worst = Worst(apart[0].bone or clip.obj.name, apart[0].frame, apart[0].size) if apart else None
    messages = tuple(message.text for message in said.of("WARNING") if message.where == clip.action.name)
    return Checked(clip, worst, messages)


def _whole(writer: Writer[Any, Any], clip: Replayed) -> Replayed:
    """With all its keys, as far as the game has room for them, where some are left out by a bound on where joints are: that says nothing of
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


def _outputs(writer: Writer[Any, Any], items: list[Item], dry: bool) -> tuple[list[Output], dict[Subject, ExportError]]:
    """Where the subjects go; and those that go nowhere, where that is no error: if it is none of them alone, all of them."""
    try:
        return (writer.outputs([item.packed for item in items]) if items else []), {}
    except ExportError as error:
        if not dry:
            raise
        problem = error
    refused: dict[Subject, ExportError] = {}
    for item in items:
        try:
            writer.outputs([item.packed])
        except ExportError as error:
            refused[item.obj, item.action] = error
    left = [item for item in items if (item.obj, item.action) not in refused]
    if not refused:
        return [], {(item.obj, item.action): problem for item in items}
    outputs, more = _outputs(writer, left, dry)
    return outputs, refused | more


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
