"""The steps of retargeting in their order, for clips that take them together, one after another in one array."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from ..motion.rotations.directions import lengths
from ..motion.rotations.rotation_matrix import Floats
from ..reporting import log
from ..reporting.labels import first_few
from . import flat_feet
from .clips import Asked, Result, Together
from .draft import Draft
from .figures.motion import Motion, Standing, joined
from .ground import feet, held, level, root, soles, tips
from .ground.pace import Pace
from .ground.source import Source
from .grounding import Ground
from .keyed import Joint, Keyed, keyed
from .limb_goals import goals, two_hands
from .reports import idle
from .reports.clip_reports import Clip, Reached, reports_of
from .reports.gauge import Gauge, Motions
from .setup import Setup
from .transfer import mirror, twist
from .transfer.binding import Binding
from .transfer.limbs import aim
from .transfer.solve import Solved, Wanted
from .wanted import carried_clips, deltas_of, mirrored, wanted_of

_NAMED = 4
"""Bones that a line calls by their names."""


class Retargeting:
    """Clips on their way from the source to the target's keys; they are alike in whether bones are scaled. Each step changes what is wanted
    of the target's bones."""

    def __init__(self, setup: Setup, clips: Sequence[Asked], fps: float) -> None:
        self._started = time.perf_counter()
        self._setup, self._clips, self._fps = setup, clips, fps
        self._binding, self._options = setup.binding, setup.options
        self._motion = motion = joined([clip.motion for clip in clips])
        self._spans, self._loops = motion.spans, [clip.loop for clip in clips]
        contacts = [clip.contacts for clip in clips]
        footing = feet.footing(self._binding, motion, fps, setup.legs, self._options.hands, contacts)
        lifts = [
            root.lift_of(self._binding, clip.motion, setup.legs, self._options.floor, above)
            for clip, above in zip(clips, footing.above, strict=True)
        ]
        self._source = Source(
            self._binding,
            motion,
            fps,
            setup.legs,
            setup.factor,
            self._options.floor,
            np.array(lifts, np.float64),
            footing,
            self._options.mirror,
        )
        self._limbs = self._source.limbs
        self._acting = feet.acting(self._limbs, footing.is_grounded & self._options.feet, self._options.hands, self._spans)
        self._held = feet.held(self._limbs, self._acting) if self._options.feet else self._acting
        self._deltas = deltas_of(setup, motion)
        self._pace = Pace(self._spans, motion.frames / fps, self._loops)
        self._goals = goals.Goals(setup, motion, self._deltas, self._pace)
        wanted, self._swung = self._followed()
        self._following = set(wanted.rotations)
        self._draft = Draft(setup, motion, wanted)
        self._ends: dict[str, Floats] = {}
        self._missed: dict[str, Floats] = {}
        self._kept: dict[str, Floats] = {}
        self._rotated = np.zeros(len(self._spans))
        self._sunk = np.full(len(self._spans), feet.VISIBLE * setup.legs.target)

    def results(self) -> list[Result]:
        """All steps, once."""
        doubts = (*self._goals.doubts(), *_loose(self._binding))
        for doubt in doubts:
            for clip in self._clips:
                with log.about(clip.name):
                    log.warning(doubt)
        solved, plain = self._as_high_as_the_source()
        ground = Ground.of(self._setup, self._source)
        lower, least = self._lower_body(plain, ground)
        if lower:
            solved, plain = self._plain()
        posed = self._feet_at_goals(plain) if self._goals.feet else self._on_soles(self._flat_feet(plain), ground)
        locked = self._hold(posed, ground, least)
        toes = self._bent_toes(posed, ground.below)
        self._hands_at_goals(posed)
        twisted = self._twist()
        carried = carried_clips(self._setup, self._draft.wanted, self._deltas, self._fps, self._spans, self._loops)
        standings, final = [each.standing for each in carried], plain
        moves = any(standing is not None for standing in standings) or self._options.root_motion == "BONE"
        if self._held or toes.rotations or self._goals.feet or self._goals.hands or twisted or moves:
            still = self._draft.still
            solved = self._draft.solved(Standing.joined([standing or still for standing in standings], self._spans))
            final = solved.motion(None, self._motion.counts)
        joints = self._joints()
        motions = Motions(self._motion, plain, final, self._draft.changed, self._draft.changed - twisted, self._swung)
        gauge = Gauge(self._setup, motions, ground.bearing, ground.below)
        keys = keyed(solved, {*self._draft.wanted.rotations, *self._draft.wanted.locals}, self._draft.moved, joints, gauge)
        hanging = self._hanging(toes)
        reports = reports_of(
            gauge, Reached(self._limbs, locked, self._missed, self._kept, self._goals.reaching), self._counted(keys, hanging), self._fps
        )
        nothing = idle.idle(self._setup)
        reports = [
            replace(report, notes=(*report.notes, *doubts, *nothing), asking=(*report.asking, *doubts))
            for report in ground.reported(reports, final, carried)
        ]
        together = Together(solved, self._spans.counts, joints)
        return [
            Result(
                keys.blocks(clip, hanging[clip]),
                standings[clip],
                reports[clip],
                tuple(limb.of(rows) for limb in self._limbs),
                together,
                clip,
                keys.sampled.of(clip, hanging[clip]),
            )
            for clip, rows in enumerate(self._spans.rows)
        ]

    def _counted(self, keys: Keyed, hanging: Sequence[set[int]]) -> list[Clip]:
        """What the clips are called, with what was done for each."""
        share = (time.perf_counter() - self._started) / len(self._motion.frames)
        return [
            Clip(clip.name, len(keys.rotated) - len(bones), share * count)
            for clip, bones, count in zip(self._clips, hanging, self._spans.counts, strict=True)
        ]

    def _followed(self) -> tuple[Wanted, aim.Swung]:
        """The source's rotations and its path, brought to the target."""
        setup, motion, binding, options = self._setup, self._motion, self._binding, self._options
        positions = root.positions(binding, motion, setup.frame, setup.scale, self._source.lift, setup.source_positions)
        stiff = aim.stiff(binding, motion, setup.source_rotations)
        bends = aim.bends(binding, motion, setup.frame, self._deltas, stiff)
        if options.mirror:
            self._deltas, positions = mirrored(setup, motion, self._deltas, positions)
            bends, stiff = aim.mirrored(bends, mirror.partners(binding), setup.facing.lateral), aim.NOTHING
        wanted = wanted_of(setup, motion, self._deltas, positions)
        return wanted, aim.aim(binding, bends, wanted.rotations, self._spans, stiff)

    def _as_high_as_the_source(self) -> tuple[Solved, Motion]:
        """Above the target's ground as the source is above its own."""
        solved, plain = self._plain()
        sunk = level.sunk(self._source, plain)
        if not any(sunk):
            return solved, plain
        self._draft.rise(-self._spans.spread(sunk))
        return self._plain()

    def _lower_body(self, plain: Motion, ground: Ground) -> tuple[bool, Floats]:
        """Bring bodies that lie, kneel or run to the ground. Whether any moves; and (N,) metres by which a foot has to be off the ground in
        each clip to be put onto it: where the body moves, feet that stand stay there, however little it is."""
        spans = self._spans
        least = np.full(len(spans), feet.VISIBLE * self._setup.legs.target)
        if not self._options.feet or self._options.floor == "REST" or self._goals.feet:
            return False, least
        down = ground.lowered(plain, self._loops)
        if not down.any():
            return False, least
        least[spans.any(down != 0)] = 0.0
        self._draft.rise(-down)
        return True, least

    def _flat_feet(self, plain: Motion) -> Motion:
        """The motion with feet on their soles where the source's are."""
        standing = [item for item in self._acting if item.name.endswith("Foot")]
        levelled = flat_feet.flat(self._setup, self._source, plain, standing)
        if not levelled.rotations:
            return plain
        self._draft.change(levelled.rotations)
        self._draft.rise(self._spans.spread(levelled.raised))
        self._rotated = levelled.added
        return self._draft.motion()

    def _on_soles(self, posed: Motion, ground: Ground) -> Motion:
        """The motion with feet so flat, and so high, that their meshes are on the ground, not in it, where they stand and shortly before
        and after. Feet that are not to be held stay as the source's, whatever ground that takes them into."""
        if not self._options.feet:
            return posed
        visible, lies = feet.VISIBLE * self._setup.legs.target, 0.0 if ground.bearing is None else ground.bearing.lies

        def lifted(posed: Motion, *, heels: bool) -> tuple[Motion, Floats]:
            result = tips.lifted(ground.below, posed, visible, lies, heels=heels)
            if not result.rotations:
                return posed, result.added
            self._draft.change(result.rotations)
            self._rotated = np.maximum(self._rotated, result.added)
            return self._draft.motion(), result.added

        posed, added = lifted(posed, heels=False)
        self._sunk = np.where(added > 0, 0.0, visible)
        rise = ground.below.rise(posed, self._acting, self._pace, visible, lies)
        if rise.any():
            self._draft.rise(rise)
            posed = self._draft.motion()
        return lifted(posed, heels=True)[0]  # behind that, as those of both feet let the body rise

    def _hold(self, posed: Motion, ground: Ground, least: Floats) -> held.Locked:
        """Feet and hands that stand stay where they stand."""
        if not self._held:
            return held.Locked()
        setup, binding = self._setup, self._binding
        is_free = not any(limb.limb in self._goals.reaching for limb in self._goals.feet)
        away = ground.away(posed) if is_free and self._options.feet else {}

        def leading(limb: feet.Limb) -> Floats:
            return self._motion.positions[:, binding.followers[self._source.leads[limb.rows[3]]].source] / setup.legs.source

        def higher(name: str, metres: Floats) -> Floats:
            return ground.away(posed, {name: metres})[name]

        deep = ground.below.held(posed) if away else {}
        away |= ground.hands.away(posed) if self._options.hands else {}
        source = leading if is_free else None
        lowers = (self._spans.spread(self._source.footing.is_grounded.astype(np.float64)) > 0) & self._options.hips_down
        footholds = held.Footholds(least, away, higher if away else None, deep, self._sunk, source, lowers)
        rest = held.AtRest(setup.references, setup.facing.lateral, setup.legs)
        locked = held.Lock(binding, posed, self._pace, rest, footholds).locked(self._held)
        self._draft.change(locked.rotations)
        self._draft.lower_hips(locked.hips, self._loops)
        self._keep_from_goals()
        np.maximum(locked.added, self._rotated, out=locked.added)
        return locked

    def _keep_from_goals(self) -> None:
        """Feet that are held are where they stand, not at their goals."""
        for name in [name for name in self._ends if name in self._goals.leaving]:
            goal = self._ends[name]
            foot = self._binding.followers[self._binding.roles[name]].target
            self._kept[name] = lengths(goal - self._draft.motion().positions[:, foot]) - self._missed[name]

    def _bent_toes(self, posed: Motion, below: soles.Soles) -> soles.Bent:
        """Toes that follow nothing stay out of the ground."""
        if not self._options.feet or self._goals.feet or not below.may_bend:
            return soles.Bent()
        toes = below.bent(self._draft.motion() if self._held else posed, feet.VISIBLE * self._setup.legs.target)
        self._draft.change(toes.rotations)
        return toes

    def _feet_at_goals(self, plain: Motion) -> Motion:
        """The motion with the hips as high and the feet where the bone map asks for."""
        self._ends, lift = self._goals.feet_at(plain), self._goals.lift(self._draft.wanted.positions)
        if lift is not None:
            self._draft.rise(lift)
            plain = self._draft.motion()
        reached = self._goals.reach(self._ends, plain)
        self._draft.change(reached.rotations)
        self._missed |= reached.missed
        return self._draft.motion()

    def _hands_at_goals(self, posed: Motion) -> None:
        """The same for the hands, one after the other where one hangs on the other."""
        is_behind = bool(self._held)
        for limb in self._goals.hands:
            if limb.limb in self._missed:
                continue
            if is_behind:
                posed = self._draft.motion()
            wanted = self._goals.end_at(limb, posed)
            reached, is_behind = self._goals.reach(wanted, posed), True
            self._draft.change(reached.rotations)
            self._missed |= reached.missed
            if len(reached.missed) > 1 and max(values.max() for values in reached.missed.values()) > 0:
                self._missed |= two_hands.together(self._goals, self._draft, posed, wanted, reached.missed)

    def _twist(self) -> set[int]:
        """Let twist bones take their part of their limbs'. Returns the bones that differ by it."""
        if not self._options.twist:
            return set()
        posed = cache(self._draft.motion)  # of limbs that follow nothing, or their parents, alone
        twisted = twist.twist_rotations(
            self._binding,
            self._deltas,
            self._draft.wanted.rotations,
            self._setup.references,
            self._spans,
            lambda bone: posed().rotations[:, bone],
        )
        self._draft.change(twisted)
        return set(twisted)

    def _joints(self) -> list[Joint]:
        """Where loops are joined. Control rigs have bones that do not inherit, whose channels do not come back."""
        if not self._options.from_first:
            return []
        going = frozenset({*self._draft.wanted.positions, *self._draft.carriers})
        return [Joint(rows, loop, going) for loop, rows in zip(self._loops, self._spans.rows, strict=True) if loop is not None]

    def _plain(self) -> tuple[Solved, Motion]:
        """The motion before limbs are bent, with the poses of those that will be at hand."""
        solved = self._draft.solved()
        bent = [self._binding.followers[row].target for limb in self._held for row in limb.rows]
        return solved, solved.motion(None, self._motion.counts).holding(bent)

    def _hanging(self, toes: soles.Bent) -> list[set[int]]:
        """Of each clip the bones that bend in others alone: legs that are held, toes that follow nothing."""
        held_legs = [limb for limb in self._held if limb.name.endswith("Foot")]
        legs = {self._binding.followers[row].target for limb in held_legs for row in limb.rows} - self._following
        bends = self._source.footing.is_grounded | np.logical_or.reduce([self._spans.any(limb.touching) for limb in held_legs], axis=0)
        still = [set[int]() if own else legs for own in bends.tolist()]
        return [bones | others for bones, others in zip(still, toes.still(len(self._clips)), strict=True)]


def _loose(binding: Binding) -> Iterator[str]:
    """That parts of the target's body hang on nothing, if they do."""
    if rows := binding.loose:
        names = first_few([binding.named(row) for row in rows], _NAMED)
        yield f"bones of the target have no parent: {names}. They go as far as the source's do, not with the body: parent them in Edit Mode"
