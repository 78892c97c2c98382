"""An animation as curves, as Blender holds them, to be changed and brought back without Blender."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.variant import Variant
from retro_anim.core.lba.motion.half_circles import report_half_circles
from retro_anim.core.lba.motion.loop import closing_frame, keyed_at
from retro_anim.core.lba.motion.motion import CONVENTION, clip_of
from retro_anim.core.lba.motion.sampled import Settings, keyframes_of, sample, with_moved
from retro_anim.core.lba.motion.update import update
from retro_anim.core.motion.blocks import blocks_of
from retro_anim.core.motion.curves import Channel, Curve, Curves, RootMotion, straight
from retro_anim.core.motion.rigs.rig import Rig
from retro_anim.core.motion.sampling import MERGE, sample_curves
from retro_anim.core.reporting import log

from .settings import settings_of

Keys = NDArray[np.float32]


@dataclass(eq=False)
class Line:
    """The keys of an F-curve (K,), linear, with those that are generated."""

    frames: Keys
    values: Keys
    generated: NDArray[np.bool_]

    def at(self, frame: float) -> float:
        return float(np.interp(frame, self.frames, self.values))

    def put(self, frame: float, value: float) -> None:
        """A key as a person sets it: on one that is there, or a new one."""
        near = np.flatnonzero(np.abs(self.frames - frame) < MERGE)
        if len(near):
            self.values[near[0]] = value
            return
        index = int(np.searchsorted(self.frames, frame))
        self.frames = np.insert(self.frames, index, np.float32(frame))
        self.values = np.insert(self.values, index, np.float32(value))
        self.generated = np.insert(self.generated, index, False)

    def drop(self, frame: float) -> None:
        kept = np.abs(self.frames - frame) >= MERGE
        self.frames, self.values, self.generated = self.frames[kept], self.values[kept], self.generated[kept]


@dataclass(eq=False)
class Action:
    """anm: what came in. lines: its curves by what they drive."""

    anm: Anm
    rig: Rig
    settings: Settings
    lines: dict[Channel, Line]

    @classmethod
    def of(cls, anm: Anm, game: Variant, fps: float, root_motion: RootMotion = "OBJECT", body: Body | None = None) -> Action:
        rig = Rig.build((body or Body.plain(anm.bone_count)).skeleton(), CONVENTION)
        settings = settings_of(anm, game, fps, root_motion)
        clip = clip_of(anm, game, "clip", shown=len(rig.skeleton))
        lines = {
            channel: Line(block.frames.copy(), row.copy(), block.generated.copy())
            for block in blocks_of(clip, rig, settings.timing, settings.scale, root_motion, settings.placement)
            for channel, row in zip(block.channels, block.values, strict=True)
        }
        return cls(anm, rig, settings, lines)

    @property
    def curves(self) -> Curves:
        keyed = {channel: line for channel, line in self.lines.items() if not line.generated.all()}
        resting = {channel: line for channel, line in self.lines.items() if len(line.frames) and channel not in keyed}
        curves = {
            channel: Curve(line.frames[~line.generated], line.values[~line.generated], straight(line.frames, line.values))
            for channel, line in keyed.items()
        }
        return with_moved(curves, {channel: Curve(line.frames, line.values) for channel, line in resting.items()})

    def export(self, original: bool = True) -> tuple[Anm, list[str]]:
        """The animation that it stands for, and what was said. Raises ExportError."""
        with log.collect() as said:
            curves = self.curves
            generated = {
                channel: line.frames[line.generated].astype(np.float64)
                for channel, line in self.lines.items()
                if line.generated.any() and channel in curves
            }
            frames = keyframes_of(curves, self.settings)
            closing = closing_frame(curves, generated, self.rig)
            back = None
            if closing is not None:
                frames, end = frames[frames < closing - MERGE], np.array([closing])
                bones = sample_curves(curves, end, self.rig, self.settings.scale)
                back = replace(sample(curves, end, bones, self.rig, self.settings), keyed=keyed_at(closing, curves, generated, self.rig))
            bones = sample_curves(curves, frames, self.rig, self.settings.scale)
            sampled = sample(curves, frames, bones, self.rig, self.settings, back)
            report_half_circles(sampled, self.rig, self.settings.game)
            anm = update(sampled, self.rig, self.settings, self.anm if original else None)
        return anm, [message.text for message in said.messages if message.level == "WARNING"]

    def retime(
        self, change: Callable[[NDArray[np.float64]], NDArray[np.float64]], chosen: Callable[[Channel], bool] = lambda _: True
    ) -> None:
        for channel, line in self.lines.items():
            if chosen(channel):
                line.frames = change(line.frames.astype(np.float64)).astype(np.float32)
