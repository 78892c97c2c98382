"""Retargeting in Blender: every chosen action of one armature as a new action of another, instead of that of the
last run, and nothing else changed."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby

import bpy
import numpy as np

from ...core.motion.curves import Block, Channel, is_rotation
from ...core.reporting import log, progress
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import first_few
from ...core.retarget.figures.clip import Clip
from ...core.retarget.figures.maps.bone_map import BoneMap
from ...core.retarget.options import RetargetOptions
from ...core.retarget.reports.report import Report
from ...core.retarget.transfer import shear
from ..blender import compat, identity, parenting, scene, source_data
from ..blender.motion import curve_writer, standing
from ..blender.motion.nla import nla
from . import batches, beside_curves, between_keys, digest, game, rest_keys
from . import earlier as earlier_runs
from .along import along, along_nla, props
from .batches import Pending
from .control_rigs.otherwise import Otherwise
from .control_rigs.shown import Shown
from .losses import losses
from .prepared import Computed, Prepared, Ready
from .read_back import Unlike, Written
from .reading import connected, growing, invalid_keys, mirrored, read
from .reading.source_actions import actions_of, chosen_actions, slots_as_actions
from .result_names import result_name
from .target_cache import Known


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The new actions and the report of each. beside: actions of shape keys that belong to the first ones, where Blender's actions have no
    slots. props: copies of what hangs on the source's bones. replaced: how many of the actions have replaced those of the last run.
    staying: the actions of earlier runs that are kept beside those of the same clips."""

    actions: list[bpy.types.Action]
    reports: list[Report]
    beside: list[bpy.types.Action] = field(default_factory=list[bpy.types.Action])
    props: list[bpy.types.Object] = field(default_factory=list[bpy.types.Object])
    replaced: int = 0
    staying: list[bpy.types.Action] = field(default_factory=list[bpy.types.Action])


def retarget_actions(
    context: bpy.types.Context,
    source: bpy.types.Object,
    target: bpy.types.Object,
    bone_map: BoneMap,
    options: RetargetOptions | None = None,
    known: Known | None = None,
) -> Retargeted:
    """Retarget actions of `source` onto `target`. known: of the target, kept by whoever retargets from many sources. What failed beside
    others that worked is logged as an error. Raises RetroAnimError when nothing could be retargeted."""
    options = options or RetargetOptions()
    with scene.edits_taken(context), slots_as_actions(source, () if options.nla else options.actions):
        chosen = [None] if options.nla else chosen_actions(source, options.actions)
        job = Job(context, source, target, bone_map, options, known)
        with job.all_or_none():
            for action in progress.steps(chosen):
                job.step(action)
        with progress.listen(lambda _: None):  # who listens has heard of all of them
            return progress.finish(job.finish())


class Job(Prepared):
    """The retargeting of several actions: inside of `all_or_none` `step` for each of them, then `finish`. Short ones are retargeted
    together."""

    def __init__(
        self,
        context: bpy.types.Context,
        source: bpy.types.Object,
        target: bpy.types.Object,
        bone_map: BoneMap,
        options: RetargetOptions,
        known: Known | None = None,
    ) -> None:
        super().__init__(context, source, target, bone_map, options, known)
        self.result = Retargeted([], [])
        self._writer = curve_writer.Writer(target)
        self._read_back = Written(target, self.part)
        self._origins: list[tuple[bpy.types.Action | None, Clip, bool]] = []
        self._failures: list[RetroAnimError] = []
        self._digests: dict[int, int] = {}
        self._pending: list[Pending] = []
        self._waiting = 0
        otherwise = Otherwise.of(target, self.part.names)
        self._shown = Shown(context, target, self.whole, self.rig.shape if self.rig else None)
        self._differs = self.rig is not None or otherwise.differs or self.stretched or shear.is_sheared(self.part)
        self._check_all = options.check_all or otherwise.driven

    @contextmanager
    def all_or_none(self) -> Generator[None]:
        """What all steps are done inside of: where something unforeseen ends them, none of the new actions stays."""
        with scene.unchanged_on_failure(self.context):
            yield
            self._retarget()

    def step(self, action: bpy.types.Action | None) -> None:
        """One action; None: what the NLA shows. It is read, and retargeted with others as soon as there are many frames. What fails is
        logged as an error."""
        with self._about(action):
            try:
                clip = self._read(action)
            except RetroAnimError as error:
                self._failed(error)
                return
        if self._pending and self._waiting + clip.size > batches.MOST:
            self._retarget()
        self._pending.append(clip)
        self._waiting += clip.size

    def _about(self, action: bpy.types.Action | None) -> AbstractContextManager[None]:
        return log.about(self.source.name if action is None else action.name)

    def _failed(self, error: RetroAnimError) -> None:
        self._failures.append(error)
        log.error(str(error))

    def finish(self) -> progress.Steps[Retargeted]:
        """What the new actions are beside their curves, and the first of them shown. Raises RetroAnimError when all actions failed; where
        something unforeseen happens, none of them stays, and the last run's are what they were. Stopped, it compares no more of them with
        what their game can hold, which takes long."""
        if self._failures and not self.result.actions:
            raise self._failures[0]
        replacing = earlier_runs.Replacing(self.source, self.target, self.options.earlier, self.known)
        with replacing.all_or_none(self.context, self.result.actions):
            replacing.replace(self.result.actions, [action for action, _, _ in self._origins])
            earlier = self._earlier(replacing)
            added = rest_keys.settle(self.target, self.result.actions, earlier, self.held, self.known)
            with source_data.unpacked_once():
                yield from self._finish_all()
            replacing.keep(self._digests, added)
            self._tell(replacing)
            if self.options.props and self._setup is not None:
                self.result.props.extend(props.hang(self.context, self.source, self.target, self._setup))
            if self.options.assign and self.result.actions:
                self._show(self.result.actions[0])
            self._settle(earlier)
        return self.result

    def _tell(self, replacing: earlier_runs.Replacing) -> None:
        """What became of the actions of the last run."""
        self.result = replace(self.result, replaced=replacing.replaced, staying=replacing.staying)
        for number, action in enumerate(self.result.actions):
            if earlier := replacing.kept.get(action.name):
                report = self.result.reports[number]
                note = f"{earlier}, of the last run, was edited since: it stays, and this is beside it"
                self.result.reports[number] = replace(report, notes=(*report.notes, note))
        if replacing.kept:
            log.warning(f"edited since the last run, which stay beside the new ones: {', '.join(replacing.kept.values())}")

    def _earlier(self, replacing: earlier_runs.Replacing) -> list[bpy.types.Action]:
        """The target's clips of earlier runs that stay."""
        there = actions_of(self.target, self.known)
        return [action for action in there if not replacing.is_replaced(action) and self._is_earlier(action)]

    def _settle(self, earlier: Sequence[bpy.types.Action]) -> None:
        """What the new clips move is at rest in those of earlier runs: the last step, which nothing undoes."""
        added = rest_keys.settle(self.target, earlier, self.result.actions, self.held, self.known)
        for action in earlier:
            earlier_runs.add(action, self.target, added.get(action.name, ()))
        changed = [action.name for action in earlier if action.name in added and not self.known.is_new(action)]
        if changed:
            bones = sorted({bone for name in changed for bone, _ in added[name]})
            log.info(f"a key at rest was added for {first_few(bones)}, which new clips move, to {', '.join(changed)}")

    def _is_earlier(self, action: bpy.types.Action) -> bool:
        """Whether an action was retargeted onto the target by another run, and can be changed."""
        theirs = action.get(identity.RETARGETED) == self.target.name and action not in self.result.actions
        return theirs and action.library is None and action.override_library is None

    def _finish_all(self) -> progress.Steps[None]:
        names, going_on = [action.name for action in self.result.actions], True
        for number, name in enumerate(names):
            if going_on and (yield progress.Step(number, len(names), f"checking {name}")):
                going_on = False
                log.warning(f"stopped: what the game cannot hold of them is known of {number} of {len(names)} new actions")
            self._finish(number, going_on)

    def _finish(self, number: int, compare: bool) -> None:
        """What a new action is beside its curves, and what is reported of it as a whole. compare: with what its game can hold."""
        created, (action, clip, moves) = self.result.actions[number], self._origins[number]
        beside_curves.add(created, action, clip, self.source, self.target)
        if moves:
            created[standing.STOOD] = (np.linalg.inv(parenting.above(self.target)) @ self.whole.world).ravel().tolist()
        with log.about(created.name):
            rounded = losses(self.context, self.target, created) if compare else None
        if rounded is not None:
            angle, distance = rounded
            self.result.reports[number] = replace(self.result.reports[number], quantisation=angle, quantisation_distance=distance)
        if self.options.shape_keys:
            moving = along_nla.shape_keys_of(self.context, self.source, action, clip)
            with log.about(created.name):
                self.result.beside.extend(along.shape_keys(moving, self.target, clip, created))

    def _show(self, action: bpy.types.Action) -> None:
        if self.target.library is not None:
            log.info(f"{self.target.name} is linked: the new actions can be assigned once it is overridden")
            return
        try:
            compat.assign(self.target, action)
            along.show_shape_keys(self.target, action)
        except (AttributeError, RuntimeError, TypeError) as error:
            log.warning(f"{self.target.name} does not take the new action: {error}")

    def _read(self, action: bpy.types.Action | None) -> Pending:
        started = time.perf_counter()
        guessed = compat.guessed_slot(action, self.source) if action is not None else ""
        if guessed:
            log.warning(f"no slot of it is chosen for {self.source.name}: {guessed} was taken")
        clip, figure = self.clip_of(action), self._figure(action)
        connected.tell(self.source, action, figure, self.bone_map)
        known: Pending
        if action is None or read.needs_evaluation(self.source, action, self._sized, self.posed):
            motion = self.read(action, clip.sampled)
            known = Pending(action, clip, figure, {}, motion, between_keys.shown_bent(self, action, clip, figure))
            playing = [action] if action is not None else nla.actions_of(self.source)
            growing.tell(self.source, playing, self.bone_map.sources())
            negative = mirrored.shown(self.source, playing, self.posed)
            known.amiss = (
                invalid_keys.of_actions(self.source, playing),
                mirrored.carrying(self.source.name, figure, negative, self._leading),
            )
        else:
            straight = set[Channel]()
            values, text = invalid_keys.filled(read.channels(self.source, action, clip.sampled, self.posed, straight))
            known = Pending(action, clip, figure, values, straight=straight, amiss=[text])
        known.seconds = time.perf_counter() - started
        return known

    def _retarget(self) -> None:
        """All clips that wait. Where something is wrong with them together, each by itself, so that only those fail that are to blame."""
        clips, self._pending, self._waiting = self._pending, [], 0
        ready: list[tuple[Pending, Ready]] = []
        between_keys.find_bent(self, clips)
        for known, motion in zip(clips, batches.motions(self.source, clips), strict=True):
            with self._about(known.action):
                try:
                    setup = self.setup(known.action, motion, known.figure)
                    clip, motion = self.closed(known.clip, setup, motion)
                except RetroAnimError as error:
                    self._failed(error)
                    continue
            self._setup = setup
            ready.append((known, Ready(known.action, clip, motion, setup)))
        for _, some in groupby(ready, key=lambda each: id(each[1].setup)):
            self._write(list(some))

    def _write(self, clips: list[tuple[Pending, Ready]]) -> None:
        """Clips of one setup as new actions."""
        started = time.perf_counter()
        try:
            every = self.computed([each for _, each in clips])
        except RetroAnimError as error:
            if len(clips) == 1:
                with self._about(clips[0][0].action):
                    self._failed(error)
            else:
                for each in clips:
                    self._write([each])
            return
        created = self._curves([each for _, each in clips], every)
        samples = [computed.result.sample for computed in every]
        unlike = [None] * len(clips) if self._differs else self._read_back.unlike(created, samples)
        together = (time.perf_counter() - started) / sum(len(each.motion.frames) for _, each in clips)
        for (known, each), computed, action, other in zip(clips, every, created, unlike, strict=True):
            with self._about(known.action):
                started = time.perf_counter()
                reported = self._written(each, computed, action, other)
                spent = known.seconds + together * len(each.motion.frames) + time.perf_counter() - started
                jumps = game.jumps(self.target, each.setup, each.clip, computed.result)
                amiss = (*self.amiss, *reported.amiss, *filter(None, known.amiss))
                notes = (*reported.notes, *self.notes, *filter(None, [jumps]))
                self.result.reports.append(reported.but(seconds=spent, amiss=amiss, notes=notes))
        self._between(clips, every, created, unlike)

    def _between(
        self,
        clips: list[tuple[Pending, Ready]],
        every: Sequence[Computed],
        created: Sequence[bpy.types.Action],
        unlike: Sequence[Unlike | None],
    ) -> None:
        """Add to the reports of the latest clips how far they are from their source between their keys."""
        first = len(self.result.reports) - len(clips)
        for number, each in between_keys.worst(self, self._shown if self._differs else None, clips, every, created, unlike).items():
            report = self.result.reports[first + number]
            self.result.reports[first + number] = each.reported(report, self.grid, scene.fps(self.context.scene), self.options)

    def _curves(self, clips: Sequence[Ready], every: Sequence[Computed]) -> list[bpy.types.Action]:
        """An action of nothing but curves for each clip; those with many keys are written first, of which the writer makes copies."""
        blocks = [list(computed.blocks) for computed in every]
        for ready, own in zip(clips, blocks, strict=True):
            if self.options.properties:
                written = {channel for block in own for channel in block.channels}
                moving = along_nla.properties_of(self.context, self.source, ready.action, ready.clip)
                with self._about(ready.action):
                    own += along.properties(moving, self.target, ready.setup, ready.clip, written)
        order = sorted(range(len(clips)), key=lambda number: -len(clips[number].motion.frames))
        by_number = {number: self._writer.write(blocks[number]) for number in order}
        for number, action in by_number.items():
            self.known.written(action, blocks[number])
            self._digests[action.session_uid] = digest.of_blocks(blocks[number])
        return [by_number[number] for number in range(len(clips))]

    def _written(self, ready: Ready, computed: Computed, created: bpy.types.Action, unlike: Unlike | None) -> Report:
        """The name of a new action, and its report. unlike: where its curves are others than were computed."""
        name = f"{self.source.name} NLA" if ready.action is None else ready.action.name
        created.name = result_name(name, self.target.name)
        self.result.actions.append(created)
        self._origins.append((ready.action, ready.clip, _moves_object(computed.blocks)))
        plain = not (self._differs or self._check_all)
        if plain and unlike is None:
            return computed.result.report
        check_all = self._check_all or unlike is not None
        report = self._shown.measured(created, ready.setup, ready.motion, computed.result, check_all=check_all)
        return report if unlike is None else replace(report, unlike=str(unlike))


def _moves_object(blocks: Sequence[Block]) -> bool:
    """Whether keys move the object itself, by its location or its rotation."""
    own = [channel.property for block in blocks for channel in block.channels if not channel.bone]
    return any(name == "location" or is_rotation(name) for name in own)
