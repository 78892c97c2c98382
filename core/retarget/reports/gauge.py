"""What is measured bone by bone while they are gone through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.spans import Spans
from ..ground import body, soles
from ..setup import Setup
from ..transfer import shear
from ..transfer.binding import Binding
from ..transfer.limbs.aim import Swung
from ..transfer.solve import Solved
from . import chain_lines, measures
from .flips import Jumps

_ROUNDED = 1e-5
"""Degrees that are none."""


@dataclass(frozen=True, eq=False)
class Motions:
    """What is compared, at the same frames. plain: the target's before feet and hands are bent. final: as it is keyed. changed: the target
    bones that differ between these two. bent: those of them that held feet, hands and goals bend. swung: those that follow more than one
    bone of the source, which are known behind their turn."""

    source: Motion
    plain: Motion
    final: Motion
    changed: set[int]
    bent: set[int]
    swung: Swung


@dataclass
class Snap:
    """How far bent limbs rotate further from one frame to the next than without. most: (N,) degrees in each clip. bones, rows: (N,) which
    of the target does, and into which row."""

    most: Floats
    bones: NDArray[np.int64]
    rows: NDArray[np.int64]

    @classmethod
    def none(cls, clips: int) -> Snap:
        return cls(np.zeros(clips), np.full(clips, -1), np.zeros(clips, np.int64))

    def add(self, bone: int, steps: Floats, spans: Spans) -> None:
        """steps: (F - 1,) degrees, of a row and the next."""
        for clip, rows in enumerate(spans.rows):
            own = steps[rows.start : rows.stop - 1]
            if not len(own):
                continue
            at = int(own.round(6).argmax())  # of those that differ by rounding alone the first
            if own[at] > self.most[clip] + _ROUNDED:
                self.most[clip], self.bones[clip], self.rows[clip] = own[at], bone, rows.start + at + 1


class Gauge:
    """What is measured bone by bone while they are gone through, of each of N clips. bearing: of the body, where its ground is known.
    below: soles that follow nothing."""

    def __init__(self, setup: Setup, motions: Motions, bearing: body.Bearing | None, below: soles.Soles) -> None:
        source, plain, final, changed = motions.source, motions.plain, motions.final, motions.changed
        binding, self.spans = setup.binding, source.spans
        self.setup, self.motions = setup, motions
        self._plain, self._swung = plain, motions.swung
        self._reflection = measures.reflection_of(setup)
        self._limbs, self._changed = measures.limb_rows(binding), changed
        self._joints = [] if setup.options.mirror else measures.joint_rows(binding, setup.factor)
        hips = [binding.followers[binding.roles["hips"]]] if self._joints else []  # from where joints are measured
        self._source, self._final = source.holding(each.source for each in hips), final.holding(each.target for each in hips)
        self._below = [any(binding.target.is_below(each.target, bone) for bone in changed) for each in binding.followers]
        self._source_bones, self._target_bones = _last_uses(binding)
        self._ending: dict[int, list[int]] = {}
        for row in self._limbs:
            self._ending.setdefault(binding.followers[binding.steering[row][0]].target, []).append(row)
        self._soles = below
        frames = len(source.frames) if bearing is not None else 0
        self.bearing, self.lowest, self.deepest = bearing, body.Lowest.none(frames), body.Lowest.none(frames)
        self._bearing = {binding.followers[row].target: row for row in (bearing.rows if bearing else ())}
        self._chains = {each[0].targets[-1]: each for each in chain_lines.uneven(binding, self._reflection)}
        self.limbs: dict[str, tuple[Floats, Floats]] = {}
        self.chains: dict[str, Floats] = {}
        self.shown: dict[str, Floats] = {}
        self.joints: list[Floats] = []
        self.excess = np.zeros(len(self.spans))
        self._following = set[int]()
        for follower in binding.followers:
            if follower.target not in self._following:
                self._following.update(binding.target.below(follower.target))
        self.snap, self.jumps = Snap.none(len(self.spans)), Jumps()

    def unbent(self, solved: Solved) -> shear.Unbent | None:
        """What makes up for rest axes that are not at right angles; None where they are."""
        return shear.unbent(self.setup.binding, solved)

    def add(self, bone: int) -> None:
        """Measure a bone, by its pose and those of the bones above it, and let go what no other needs."""
        binding = self.setup.binding
        for row in self._ending.get(bone, ()):
            name = binding.named(row)
            shown = self._error(self._final, row)
            bent = self._changed & {bone, binding.followers[row].target}
            self.shown[name], self.limbs[name] = shown[0], self._error(self._plain, row) if bent else shown
        if bone in self._chains:
            away = chain_lines.off(self.setup, self._chains[bone], self._source, self._final, self._reflection)
            self.chains[chain_lines.named(binding, self._chains[bone][0])] = away
        own = binding.row.get(bone)
        if own in self._joints:
            shown = self._plain if self._below[own] else self._final
            self.joints.append(measures.joint_errors(binding, self._source, shown, self.setup.frame, self.setup.factor, own))
        if self._reflection is None and own is not None:
            shown = self._plain if bone in self._changed else self._final
            self.excess = np.maximum(self.excess, measures.rotation_excess(binding, self._source, shown, {bone}, self._swung))
        if bone in self.motions.bent:  # whose jumps have a line of their own
            self.snap.add(bone, measures.steps_beyond(self._plain, self._final, bone), self.spans)
        elif bone in self._following:
            self.jumps.add(bone, self._final)
        if self.bearing is not None and bone in self._bearing:
            row = self._bearing[bone]
            height = self.bearing.height(row, self._final.positions[:, bone, 2])
            self.lowest.add(row, height)
            if row in self.bearing.under:
                self.deepest.add(row, self.bearing.beyond(row, height))
            deep = self._soles.sunk_below(bone, self._final)
            if deep is not None:
                self.lowest.add(row, self.bearing.of_sole(deep))
        for each in self._source_bones.get(bone, ()):
            self._source.forget(each)
        for each in self._target_bones.get(bone, ()):
            self._plain.forget(each)
            self._final.forget(each)

    def _error(self, shown: Motion, row: int) -> tuple[Floats, Floats]:
        """Of a limb the greatest and the mean error in each clip."""
        angles = measures.limb_errors(self.setup.binding, self._source, shown, self.setup.frame, self._reflection, [row])[row]
        return self.spans.largest(angles), self.spans.mean(angles)


def _last_uses(binding: Binding) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """By target bone, as they are gone through, the source's and the target's bones that nothing behind it needs."""
    order = {bone: at for at, bone in enumerate(binding.target.along_limbs)}
    uses: tuple[dict[int, int], dict[int, int]] = {}, {}
    first: tuple[dict[int, int], dict[int, int]] = {}, {}
    for row, follower in enumerate(binding.followers):
        at = order[follower.target]
        sources = (follower.source,) if follower.chain is None else (*follower.chain[0].sources, follower.chain[0].carrier)
        needing = (*(binding.followers[child].target for child in binding.steering[row]), *chain_lines.last_bones(follower))
        latest = max([at, *(order[each] for each in needing)])
        for bone in sources:
            uses[0][bone] = max(uses[0].get(bone, latest), latest)
            first[0][bone] = min(first[0].get(bone, at), at)
        uses[1][follower.target] = latest
    first[1].update(order)
    result: tuple[dict[int, list[int]], dict[int, list[int]]] = {}, {}
    for figure, last, begun, gone in zip((binding.source, binding.target), uses, first, result, strict=True):
        for bone in reversed(range(len(figure))):  # parents are before their children
            below = [begun[child] for child in figure.children[bone] if child in begun]
            own = [begun[bone]] if bone in begun else []
            if own or below:
                begun[bone] = min(own + below)
                gone.setdefault(binding.target.along_limbs[max([last.get(bone, begun[bone]), *below])], []).append(bone)
    return result
