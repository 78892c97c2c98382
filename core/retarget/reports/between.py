"""A clip between its keys: how far it is from its source there, and what helps. A game's keys are on its time units; those of any other
rig are at frames, and between these a source bends that is eased from key to key, or rotates by Euler angles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.directions import angle_between, lengths, unit
from ...motion.rotations.rotation_matrix import Floats
from ..figures.clip import Grid
from ..figures.motion import Motion, joined
from ..ground.feet import VISIBLE
from ..options import Keys, RetargetOptions
from ..setup import Setup
from ..transfer import mirror
from . import measures
from .looks import AT, Looks
from .report import Report

_SAID = 0.1
"""Degrees: less is not worth a line."""

_PATH = 0.005
"""Leg lengths: of the hips' path less is not worth a line."""

_FINEST = "it is faster than the game's time units"


@dataclass(frozen=True)
class Peak:
    """By how much more something of `limb` is off at `frame` than at the keys beside, at most. apart: frames between these. shown: the same
    of anything at the scene's frames."""

    more: float = 0.0
    limb: str = ""
    frame: float = 0.0
    apart: float = 0.0
    shown: float = 0.0

    @classmethod
    def of(cls, more: Floats, looks: Looks, limbs: Sequence[str]) -> Peak:
        """more: (limbs, L) by how much each is more off where it is looked; of those that are alike the first is named."""
        if not more.size or not more.max() > 0:
            return cls()
        limb, at = divmod(int(more.argmax()), len(looks.frames))
        apart = float(np.ptp(looks.frames[looks.beside[at]]))
        return cls(float(more[limb, at]), limbs[limb], float(looks.frames[at]), apart, float(more[:, looks.is_shown].max(initial=0)))


@dataclass(frozen=True)
class Between:
    """rotated: degrees by which a limb points away from the source's. moved: leg lengths by which its end is away from where limbs up to
    it would have it if they pointed as the source's. carried: leg lengths by which the hips are away from the source's path."""

    rotated: Peak = Peak()
    moved: Peak = Peak()
    carried: Peak = Peak()

    @classmethod
    def of(cls, setup: Setup, every: Sequence[Looks], sources: Sequence[Motion], targets: Sequence[Motion]) -> list[Between]:
        """Of several clips of one setup, at once. sources, targets: at the frames that are looked at."""
        binding, reflection = setup.binding, measures.reflection_of(setup)
        source, target = joined(sources), joined(targets)
        rotated, moved, away, limbs = list[Floats](), list[Floats](), dict[int, Floats](), list[str]()
        for row in sorted(measures.limb_rows(binding), key=lambda row: binding.followers[row].target):  # from the body outwards
            wanted, has = measures.limb_lines(binding, source, target, setup.frame, reflection, row)
            end = binding.steering[row][0]
            limbs.append(binding.named(row))
            away[end] = away.get(row, 0.0) + has - unit(wanted) * lengths(has)[:, None]
            rotated.append(np.degrees(angle_between(wanted, has)))
            moved.append(lengths(away[end]) / setup.legs.target)
        starts = np.cumsum([0, *(len(looks.frames) for looks in every)])
        beside = np.concatenate([start + looks.beside for start, looks in zip(starts, every, strict=False)])
        count = len(target.frames)
        off = [np.array(each).reshape(-1, count) for each in (rotated, moved)]
        more = [np.nan_to_num(each - each[:, beside].max(axis=2)) for each in off]
        more.append(_off_path(setup, source, target, reflection, beside))
        return [
            cls(
                *(
                    Peak.of(each[:, start : start + len(looks.frames)], looks, named)
                    for each, named in zip(more, (limbs, limbs, ["hips"]), strict=True)
                )
            )
            for start, looks in zip(starts.tolist(), every, strict=False)
        ]

    def reported(self, report: Report, grid: Grid | None, fps: float, asked: RetargetOptions) -> Report:
        """With lines where they are worth it. They ask for a look where a frame shows it and something helps: it is gone with the next key,
        so that a limb that is off by a degree shows less there than all the time. grid: of a game. fps: frames a second of the scene."""
        rotated, moved, carried = self.rotated, self.moved, self.carried

        def line(peak: Peak, what: str) -> tuple[str, str]:
            why, helps = _of_frames(peak, asked) if grid is None else _reason(peak, grid, fps, asked.keys)
            return f"between keys {what}, at frame {peak.frame:.5g}: {why}", why if helps and peak.shown >= VISIBLE else ""

        lines: list[tuple[str, str]] = []
        if rotated.more >= _SAID:
            end = line(moved, f"the end of {moved.limb} is up to {moved.more:.3g} leg lengths further from the source's")
            limb, _ = line(rotated, f"{rotated.limb} is up to {rotated.more:.3g}° further from the source's")
            lines.append(end if end[1] else (limb, ""))
        if carried.more >= _PATH:
            lines.append(line(carried, f"the hips are up to {carried.more:.3g} leg lengths beside the source's path"))
        asking = {remedy: text for text, remedy in reversed(lines) if remedy}  # once, where one helps both
        return report.but(
            between=rotated.more,
            between_path=carried.more,
            notes=(*report.notes, *(text for text, _ in lines)),
            asking=(*report.asking, *reversed(asking.values())),
        )


def _off_path(setup: Setup, source: Motion, target: Motion, reflection: measures.Reflection | None, beside: NDArray[np.int64]) -> Floats:
    """(1, L) leg lengths by which the hips are away from where they were if they went between two keys as the source's do; (0, L) without
    hips. beside: (L, 2) the rows of the keys before and behind."""
    row = setup.binding.roles.get("hips")
    if row is None:
        return np.zeros((0, len(target.frames)))
    hips, (over_ground, upwards) = setup.binding.followers[row], setup.scale
    wanted = source.positions[:, hips.source] @ setup.frame.T * np.array([over_ground, over_ground, upwards])
    wanted = wanted if reflection is None else mirror.reflect_vectors(wanted, reflection.normal)
    off = target.positions[:, hips.target] - wanted
    before, behind = beside.T
    share = (target.frames - target.frames[before]) / np.maximum(target.frames[behind] - target.frames[before], AT)
    return lengths(off - off[before] - (off[behind] - off[before]) * share[:, None])[None] / setup.legs.target


def _of_frames(peak: Peak, asked: RetargetOptions) -> tuple[str, bool]:
    """The same as `_reason` of keys at the scene's frames."""
    if asked.keys == "SOURCE" and peak.apart > asked.step + AT:
        return "Keys: Every Frame has more of them", True
    finer = f"Step: {asked.step / 2:.4g} has twice as many"
    if asked.step > 1 + AT:
        return f"Keys: Every Frame, and {finer}" if asked.keys == "SOURCE" else finer, True
    return f"between whole frames, where only motion blur and other frame rates show it ({finer} keys)", False


def _reason(peak: Peak, grid: Grid, fps: float, keys: Keys) -> tuple[str, bool]:
    """The reason, or the remedy, and whether it is one that helps."""
    ticks = peak.apart / grid.tick
    if keys == "SOURCE" and ticks > grid.apart + 0.5:
        return "Keys: Every Frame has more of them", True
    if grid.apart > 1 and ticks > 1.5:
        every = "Keys: Every Frame, and " if keys == "SOURCE" else ""
        return f"{every}Step: {grid.apart * grid.tick / 2:.4g} has twice as many", True
    if abs(grid.tick - round(grid.tick)) < AT or abs(grid.step - round(grid.step)) < AT:
        return _FINEST, False
    rate = fps / grid.tick
    better = _rate(rate, fps)
    between = f"the game's time units, {rate:g} a second, are between the source's frames"
    return f"{between}: open the source in a scene of {better:g} frames/s", True


def _rate(rate: float, fps: float) -> float:
    """The lowest frames a second, from `fps` on, of which each is on one of `rate` ticks; else that of the ticks."""
    parts = [rate / count for count in range(1, int(rate) + 1) if rate % count == 0]
    return min([each for each in parts if each >= fps], default=rate)
