"""The ground below clips: where it is for the target's feet and body, what is off it, and the report of that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..motion.rotations.rotation_matrix import Floats
from .figures.motion import Motion
from .ground import body, feet, level, palms, soles
from .ground.source import Source
from .reports.report import Report
from .setup import Setup
from .wanted import Carried


@dataclass(frozen=True, eq=False)
class Ground:
    """levels: by leg the heights of its foot where the source's stands. bearing: of the body, where its ground is known. below: soles and
    heels. hands: that are on it."""

    setup: Setup
    source: Source
    levels: dict[str, Floats]
    bearing: body.Bearing | None
    below: soles.Soles
    hands: palms.Palms

    @classmethod
    def of(cls, setup: Setup, source: Source) -> Ground:
        bearing = body.bearing(source)
        below = soles.soles(source, None if bearing is None else bearing.deeper, setup.references)
        return cls(setup, source, level.heights(source, source.footing.is_grounded), bearing, below, palms.palms(source))

    def away(self, target: Motion, raised: Mapping[str, Floats] | None = None) -> dict[str, Floats]:
        """By leg (F,) metres by which a foot is above where it should be, as `level.off_ground` gives it. raised: (F,) metres by which feet
        are higher than in `target`."""
        return level.off_ground(self.setup.binding, self.source.limbs, self.levels, target, self._deeper, raised)

    @property
    def _deeper(self) -> Floats | None:
        """(F,) metres by which feet of one who lies may be lower than of one who stands."""
        return None if self.bearing is None else self.bearing.deeper

    def lowered(self, plain: Motion, loops: Sequence[int | None]) -> Floats:
        """(F,) metres by which bodies that lie, kneel or run have to come down. loops: of each clip the row that its last repeats."""
        if self.bearing is None:
            return np.zeros(len(plain.frames))
        stands = np.logical_or.reduce([~np.isnan(each) for each in self.levels.values()])
        away = self.away(plain)
        rows = {item.rows[3]: away[item.name] for item in self.source.limbs if item.name in away}
        return body.lowered(self.bearing, self.source, plain, loops, stands, rows)

    def reported(self, reports: Sequence[Report], final: Motion, carried: Iterable[Carried]) -> list[Report]:
        """The reports with how far feet are off the ground, and where that is not certain."""
        legs, footing, spans = self.setup.legs, self.source.footing, final.spans
        standing = feet.acting(self.source.limbs, footing.is_grounded, False, spans)
        off = self.below.standing_off(self.away(final), self.levels, final)
        lowest = level.lowest_off(self.source, final, self._deeper).tolist()
        worst = [
            own if own[0] or not away else ("the lower foot", away)
            for own, away in zip(level.worst(standing, off, spans), lowest, strict=True)
        ]
        result: list[Report] = []
        high, below, lying = self.hands.above(final), self.below.ends_below(final), level.lying_above(self.source, final)
        meshes = self.below.meshes_below(final)
        declared = self.setup.binding.source.left is not None  # a game's character, whose heights are those of its game
        elsewhere = [0.0 if declared else each for each in footing.elsewhere.tolist()]
        for report, moving, (leg, metres), above, hand, toes, foot, deep, far in zip(
            reports, carried, worst, footing.above, high, below, lying, meshes, elsewhere, strict=True
        ):
            doubt = level.doubts(legs, self.source.floor, report.faces_elsewhere or above is not None, far)
            result.append(
                report.but(
                    sway=float(np.degrees(moving.sway)),
                    heading=float(np.degrees(moving.heading)),
                    off_ground=metres / legs.target,
                    off_ground_leg=leg,
                    hand_above=hand[1] / legs.target,
                    hand_above_which=hand[0],
                    foot_above=foot[1] / legs.target,
                    foot_above_which=foot[0],
                    toes_below=toes[1] / legs.target,
                    toes_below_which=toes[0],
                    foot_below=deep[1] / legs.target,
                    foot_below_which=deep[0],
                    foot_below_frame=float(final.frames[deep[2]]) if deep[0] else 0.0,
                    ground_elsewhere=bool(doubt),
                    notes=(*report.notes, *doubt),
                    asking=(*report.asking, *doubt),
                )
            )
        return result
