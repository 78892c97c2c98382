"""The report of a clip: what is measured bone by bone while they are gone through, and of the clip as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..motion import quaternion as quat
from ..motion.rotation_matrix import Floats
from . import goals, measures
from .figures.motion import Motion
from .ground import body, feet, held, soles
from .report import GOOD_ANGLE, Report
from .setup import Setup
from .transfer import facing, mirror, shear
from .transfer.aim import Swung
from .transfer.binding import Binding
from .transfer.solve import Solved


class Gauge:
    """What is measured bone by bone while they are gone through, of each of N clips. changed: the target bones that feet or goals move
    otherwise than the source, between `plain` and `final`. swung: those that follow more than one bone of the source, which are known
    behind their turn. bearing: of the body, where its ground is known. below: soles that follow nothing."""

    def __init__(
        self,
        setup: Setup,
        source: Motion,
        plain: Motion,
        final: Motion,
        changed: set[int],
        swung: Swung,
        bearing: body.Bearing | None,
        below: soles.Soles,
    ) -> None:
        binding, self.spans = setup.binding, source.spans
        self._setup, self._plain, self._swung = setup, plain, swung
        self._reflection = measures.Reflection(mirror.partners(binding), setup.facing.lateral) if setup.options.mirror else None
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
        self.bearing, self.lowest = bearing, body.Lowest.none(len(source.frames))
        self._bearing = {binding.followers[row].target: row for row in (bearing.rows if bearing else ())}
        self.limbs: dict[str, tuple[Floats, Floats]] = {}
        self.shown: dict[str, Floats] = {}
        self.joints: list[Floats] = []
        self.excess, self.flips = np.zeros(len(self.spans)), np.zeros(len(self.spans), np.int64)

    def unbent(self, solved: Solved) -> shear.Unbent | None:
        """What makes up for rest axes that are not at right angles; None where they are."""
        return shear.unbent(self._setup.binding, solved)

    def unflipped(self, rotations: Floats) -> Floats:
        """(F, 4) a bone's own rotations as they are keyed, without jumps, which is counted."""
        rotations = quat.continuous(rotations, positive=True, starts=self.spans.starts)
        self.flips += measures.flips(rotations, self.spans)
        return rotations

    def add(self, bone: int) -> None:
        """Measure a bone, by its pose and those of the bones above it, and let go what no other needs."""
        binding = self._setup.binding
        for row in self._ending.get(bone, ()):
            name = binding.named(row)
            shown = self._error(self._final, row)
            bent = self._changed & {bone, binding.followers[row].target}
            self.shown[name], self.limbs[name] = shown[0], self._error(self._plain, row) if bent else shown
        own = binding.row.get(bone)
        if own in self._joints:
            shown = self._plain if self._below[own] else self._final
            self.joints.append(measures.joint_errors(binding, self._source, shown, self._setup.frame, self._setup.factor, own))
        if self._reflection is None and own is not None:
            shown = self._plain if bone in self._changed else self._final
            self.excess = np.maximum(self.excess, measures.rotation_excess(binding, self._source, shown, {bone}, self._swung))
        if self.bearing is not None and bone in self._bearing:
            row = self._bearing[bone]
            self.lowest.add(row, self.bearing.height(row, self._final.positions[:, bone, 2]))
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
        angles = measures.limb_errors(self._setup.binding, self._source, shown, self._setup.frame, self._reflection, [row])[row]
        return self.spans.largest(angles), self.spans.mean(angles)


def _last_uses(binding: Binding) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """By target bone, as they are gone through, the source's and the target's bones that nothing behind it needs."""
    order = {bone: at for at, bone in enumerate(binding.target.along_limbs)}
    uses: tuple[dict[int, int], dict[int, int]] = {}, {}
    first: tuple[dict[int, int], dict[int, int]] = {}, {}
    for row, follower in enumerate(binding.followers):
        at = order[follower.target]
        sources = (follower.source,) if follower.chain is None else (*follower.chain[0].sources, follower.chain[0].carrier)
        latest = max([at, *(order[binding.followers[child].target] for child in binding.steering[row])])
        for bone in sources:
            uses[0][bone] = max(uses[0].get(bone, 0), latest)
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


def reports_of(
    setup: Setup,
    motion: Motion,
    plain: Motion,
    final: Motion,
    gauge: Gauge,
    rotated: Sequence[int],
    limbs: list[feet.Limb],
    locked: held.Locked,
    missed: dict[str, Floats],
    fps: float,
    names: Sequence[str],
    seconds: float,
) -> list[Report]:
    """What is measured of each clip. rotated: how many bones are. missed: by limb (F,) metres. seconds: of all."""
    spans, leg = motion.spans, setup.legs.target
    unmapped = measures.unmapped(setup, motion)
    unreached = measures.missed(locked, setup.legs, spans)
    feet_of_all = [limb for limb in limbs if limb.name.endswith("Foot")]
    source_feet = feet.mirrored(feet_of_all) if setup.options.mirror else feet_of_all
    skates = [measures.skates(setup.binding, source_feet, motion, fps, setup.legs.source, True, spans)]
    doubts = measures.doubts(setup.binding, motion)
    motion.forget()
    for shown in (plain, final):
        skates.append(measures.skates(setup.binding, feet_of_all, shown, fps, leg, False, spans))
        plain.forget()
    worst, shown = (_worst(each, len(spans)) for each in ({name: largest for name, (largest, _) in gauge.limbs.items()}, gauge.shown))
    means = np.mean([mean for _, mean in gauge.limbs.values()], axis=0) if gauge.limbs else np.zeros(len(spans))
    joints = np.max(gauge.joints, axis=0) if gauge.joints else None
    share = seconds / len(motion.frames)
    deepest = measures.penetration(setup.binding, final, setup.legs)
    above = feet.heights(limbs, setup.binding, final, False, setup.legs)
    bodies = [(0.0, 0, False)] * len(spans) if gauge.bearing is None else body.worst(gauge.bearing, gauge.lowest, spans)
    result: list[Report] = []
    assumed = _assumed(setup)
    for clip, rows in enumerate(spans.rows):
        held_back = _held_back(setup, {name: most[clip] for name, (most, _) in gauge.limbs.items()})
        result.append(
            Report(
                name=names[clip],
                frames=spans.counts[clip],
                bones=rotated[clip],
                factor=setup.factor,
                limb_max=worst[clip][1],
                limb_mean=float(means[clip]),
                limb_worst=worst[clip][0],
                joint_error=None if joints is None else float(joints[clip]),
                joints=len(gauge.joints),
                skate_source=float(skates[0][clip]),
                skate_plain=float(skates[1][clip]),
                skate=float(skates[2][clip]),
                penetration=float(deepest[clip]),
                flips=int(gauge.flips[clip]),
                rotation_excess=float(gauge.excess[clip]),
                foot_pass=float(np.degrees(locked.added[clip])) if len(locked.added) else 0.0,
                unreached=unreached[clip][0],
                missed=unreached[clip][1],
                hips_down=float(locked.hips[rows].max()) if len(locked.hips) else 0.0,
                unmapped=unmapped[clip],
                seconds=share * spans.counts[clip],
                notes=(*doubts[clip], *assumed, *held_back),
                asking=(*doubts[clip], *(assumed if setup.facing.is_doubtful else ()), *held_back),
                above=max(0.0, above[clip] or 0.0),
                yaw=float(np.degrees(setup.facing.yaw)),
                faces_elsewhere=setup.facing.is_doubtful or bool(doubts[clip]),
                limb_shown=shown[clip][1],
                limb_shown_worst=shown[clip][0],
                off_body=bodies[clip][0] / leg,
                off_body_frame=float(motion.frames[bodies[clip][1]]),
                lies=bodies[clip][2],
                goals=goals.reports({name: values[rows] for name, values in missed.items()}, leg),
            )
        )
    return result


def _worst(values: dict[str, Floats], clips: int) -> list[tuple[str, float]]:
    """Of each clip the name with the largest value, and that; of those that differ by rounding alone the first. values: by name (N,)."""
    if not values:
        return [("", 0.0)] * clips
    table = np.stack(list(values.values()), axis=1)
    return [(list(values)[at], float(row[at])) for at, row in zip(table.round(9).argmax(axis=1).tolist(), table, strict=True)]


def _held_back(setup: Setup, limbs: dict[str, float]) -> tuple[str, ...]:
    """The limbs that are off so that it shows, since the target's game does not let them rotate about all axes. limbs: degrees, by name."""
    locked = dict(zip(setup.binding.target.names, setup.binding.target.locked, strict=True))
    axes: dict[str, list[str]] = {}
    for name, angle in limbs.items():
        if angle >= GOOD_ANGLE and locked[name].any():
            axes.setdefault(" and ".join("XYZ"[axis] for axis in np.flatnonzero(locked[name]).tolist()), []).append(name)
    return tuple(
        f"{', '.join(names)}: the game has no rotation about {those} there, and they point "
        f"up to {max(limbs[name] for name in names):.3g}° away from the source's"
        for those, names in axes.items()
    )


def _assumed(setup: Setup) -> tuple[str, ...]:
    """The figures of which nothing shows for certain where they face."""
    faced = setup.facing
    angles = {"source": faced.source, "target": faced.target}
    return tuple(
        f"it is not certain where the {side} faces: it is taken to look along {facing.looks(angles[side])}" for side in faced.assumed
    )
