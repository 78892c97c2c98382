"""The report of a clip: what is measured bone by bone while they are gone through, and of the clip as a whole."""

from __future__ import annotations

import numpy as np

from ..motion import quaternion as quat
from ..motion.rotation_matrix import Floats
from . import measures
from .figures.motion import Motion
from .ground import feet
from .report import Report
from .setup import Setup
from .transfer import facing, mirror


class Gauge:
    """What is measured bone by bone while they are gone through. changed: the target bones that feet or goals move otherwise than the
    source, between `plain` and `final`. swung: those that follow more than one bone of the source, which are known behind their turn."""

    def __init__(self, setup: Setup, source: Motion, plain: Motion, final: Motion, changed: set[int], swung: set[int]) -> None:
        binding = setup.binding
        self._setup, self._source, self._plain, self._final, self._swung = setup, source, plain, final, swung
        self._reflection = measures.Reflection(mirror.partners(binding), setup.facing.lateral) if setup.options.mirror else None
        self._limbs, self._changed = measures.limb_rows(binding), changed
        self._joints = [] if setup.options.mirror else measures.joint_rows(binding, setup.factor)
        self._below = [any(binding.target.is_below(each.target, bone) for bone in changed) for each in binding.followers]
        self.limbs: dict[str, tuple[float, float]] = {}
        self.shown: dict[str, float] = {}
        self.joints: list[float] = []
        self.excess, self.flips = 0.0, 0

    def unflipped(self, rotations: Floats) -> Floats:
        """(F, 4) a bone's own rotations as they are keyed, without jumps, which is counted."""
        rotations = quat.continuous(rotations, positive=True)
        self.flips += measures.flips(rotations[:, None])
        return rotations

    def add(self, bones: set[int]) -> None:
        """Measure some bones, by their poses and those of the bones above them."""
        binding, frame = self._setup.binding, self._setup.frame
        target = [follower.target for follower in binding.followers]
        rows = [row for row in self._limbs if target[binding.steering[row][0]] in bones]
        for row, angles in measures.limb_errors(binding, self._source, self._final, frame, self._reflection, rows).items():
            self.shown[binding.named(row)] = float(angles.max())
            self.limbs[binding.named(row)] = float(angles.max()), float(angles.mean())
        bent = [row for row in rows if self._changed & {target[row], target[binding.steering[row][0]]}]
        for row, angles in measures.limb_errors(binding, self._source, self._plain, frame, self._reflection, bent).items():
            self.limbs[binding.named(row)] = float(angles.max()), float(angles.mean())
        for row in self._joints:
            if target[row] in bones:
                shown = self._plain if self._below[row] else self._final
                self.joints.append(measures.joint_error(binding, self._source, shown, frame, self._setup.factor, row))
        if self._reflection is None:
            for shown, some in ((self._plain, bones & self._changed), (self._final, bones - self._changed)):
                self.excess = max(self.excess, measures.rotation_excess(binding, self._source, shown, some - self._swung))


def report_of(
    setup: Setup,
    motion: Motion,
    plain: Motion,
    final: Motion,
    gauge: Gauge,
    rotated: int,
    limbs: list[feet.Limb],
    locked: feet.Locked,
    fps: float,
    name: str,
    seconds: float,
) -> Report:
    """What is measured of a clip. rotated: how many bones are."""
    binding, measured = setup.binding, setup.legs
    worst = max(gauge.limbs, key=lambda bone: gauge.limbs[bone][0], default="")
    bent = max(gauge.shown, key=lambda bone: gauge.shown[bone], default="")
    legs = [limb for limb in limbs if limb.name.endswith("Foot")]
    source_legs = feet.mirrored(legs) if setup.options.mirror else legs
    unreached, miss = measures.missed(locked, measured)
    changes = [
        quat.angle(quat.multiply(quat.conjugate(plain.rotations[:, bone]), rotations)).max() for bone, rotations in locked.rotations.items()
    ]
    return Report(
        name,
        len(motion.frames),
        rotated,
        setup.factor,
        gauge.limbs[worst][0] if worst else 0.0,
        float(np.mean([mean for _, mean in gauge.limbs.values()])) if worst else 0.0,
        worst,
        max(gauge.joints) if gauge.joints else None,
        len(gauge.joints),
        measures.skates(binding, source_legs, motion, fps, measured.source, True),
        measures.skates(binding, legs, plain, fps, measured.target, False),
        measures.skates(binding, legs, final, fps, measured.target, False),
        measures.penetration(binding, final, measured),
        gauge.flips,
        gauge.excess,
        float(np.degrees(max(changes, default=0.0))),
        unreached,
        miss,
        float(locked.hips.max()) if len(locked.hips) else 0.0,
        measures.unmapped(binding, motion, measured.source, setup.free),
        seconds,
        notes=(*measures.doubts(binding, motion), *_assumed(setup)),
        above=max(0.0, feet.height(legs, binding, final, False, measured) or 0.0),
        yaw=float(np.degrees(setup.facing.yaw)),
        limb_shown=gauge.shown[bent] if bent else 0.0,
        limb_shown_worst=bent,
    )


def _assumed(setup: Setup) -> tuple[str, ...]:
    """The figures of which nothing shows for certain where they face."""
    faced = setup.facing
    angles = {"source": faced.source, "target": faced.target}
    return tuple(
        f"it is not certain where the {side} faces: it is taken to look along {facing.looks(angles[side])}" for side in faced.assumed
    )
