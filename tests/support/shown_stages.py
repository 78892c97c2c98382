"""A character of each game with one clip, evaluated by the rules of its format alone."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from .lba import lba1_chain, lba2_chain, lba_stage
from .mindpower import mindpower_files, mindpower_rule
from .oni import oni_shown
from .oni.oni_trams import random_tram
from .oni2 import oni2_shown
from .shown_stage import Floats, Poses, Stage

AXES = oni_shown.AXES


class Lba(Stage):
    game, extension, root = "lba", ".anm", "group 00"
    rules: ClassVar[lba_stage.Rules]
    of_root = 2.0  # where the heading's own rounding counts, too

    def skeleton(self) -> dict[str, Any]:
        return {"skeleton": str(self.folder / "chain.body"), "bone_direction": "GAME"}

    def written(self, data: bytes, times: Floats) -> Poses:
        anm = self.part("core.lba.files.anm").Anm.parse(data)
        rules, count, loop = self.rules, len(anm.frames), anm.loop_frame
        order = [*range(count), *([loop] if loop < count else [])]
        at = np.cumsum([0, *(int(anm.durations[key]) for key in order[1:])])
        at_keys, angles = lba_stage.path(anm, rules)
        if loop < count and count > 1:  # the way back is walked, too
            master = anm.values[loop, 0].astype(float)
            master = (master + 2048) % 4096 - 2048 if rules.whole else master
            angles = np.append(angles, [angles[-1] + master * (anm.types[loop, 0] & 1 if rules.whole else np.array([0, 1, 0]))], axis=0)
            at_keys = np.append(at_keys, [at_keys[-1] + rules.rotation(angles[-1]) @ anm.steps[loop].astype(float)], axis=0)
        kinds, values = anm.types.astype(int) & (1 if rules.odd else -1), anm.values.astype(int)
        heads = np.array([self.obj.data.bones[name].head_local for name in self.names]) @ AXES / 0.001
        rotations, positions = np.zeros((len(times), len(self.names), 3, 3)), np.zeros((len(times), len(self.names), 3))
        for row, time in enumerate(times.clip(0, at[-1]).tolist()):
            after = int(np.searchsorted(at, time - 1e-4).clip(1, len(order) - 1)) if len(order) > 1 else 0
            before = max(after - 1, 0)
            share = float(np.clip((time - at[before]) / max(at[after] - at[before], 1), 0, 1)) if after else 0.0
            new, old = order[after], order[before]
            rotations[row, 0] = rules.rotation(angles[before] + (angles[after] - angles[before]) * share)
            positions[row, 0] = at_keys[before] + (at_keys[after] - at_keys[before]) * share
            for bone, above in enumerate(self.parents[1:], 1):
                first, last = values[old, bone].astype(float), values[new, bone].astype(float)
                if kinds[new, bone] == 0:
                    own, shift = rules.rotation(first % rules.steps + rules.travel(first, last) * share), np.zeros(3)
                else:
                    own, shift = np.eye(3), first + (last - first) * share
                rotations[row, bone] = rotations[row, above] @ own
                positions[row, bone] = positions[row, above] + rotations[row, above] @ (heads[bone] - heads[above] + shift)
        return AXES @ rotations @ AXES.T, positions @ AXES.T * 0.001


class Lba1(Lba):
    rate, rotation, distance, rules = 50.0, 360 / 1024, 0.001, lba_stage.LBA1

    def source(self) -> Path:
        (self.folder / "chain.anm").write_bytes(lba1_chain.ANM)
        (self.folder / "chain.body").write_bytes(lba1_chain.LM1)
        return self.folder / "chain.anm"


class Lba2(Lba):
    rate, rotation, distance, rules = 1000.0, 360 / 4096, 0.001, lba_stage.LBA2

    def source(self) -> Path:
        """The chain without its keyframe of no duration, which Blender shows a fiftieth of a frame later."""
        frames = [row if row[0] else (200, *row[1:]) for row in lba2_chain.FRAMES]
        (self.folder / "chain.anm").write_bytes(lba2_chain.anm(frames, 1))
        (self.folder / "chain.body").write_bytes(lba2_chain.lm2())
        return self.folder / "chain.anm"

    def frames(self, first: float, last: float) -> Floats:
        """The game knows whole milliseconds alone, and bones may leap within one."""
        times = np.rint((super().frames(first, last) - first) * 1000 / self.fps)
        return first + np.unique(times) * self.fps / 1000

    def steps_off(self, data: bytes, frames: Floats, begins: float, there: float = 0, anywhere: bool = True) -> tuple[float, str]:
        """A leap takes a millisecond in the game; where it is played slower Blender shows it for longer, but on no whole frame."""
        keys = self.part("core.lba.files.anm").Anm.parse(data).times
        behind = ((frames - begins) * 1000 / self.fps)[:, None] - keys
        leaps = ((behind > 0.5) & (behind < 1000 / self.fps)).any(axis=1) & (frames % 1 > 1e-6) & anywhere
        return super().steps_off(data, frames[~leaps], begins, there, anywhere)


class Oni(Stage):
    game, extension, root = "oni", ".oni", "pelvis"
    rate, rotation, distance = 60.0, 0.0086, 1e-4

    def source(self) -> Path:
        body = self.part("core.oni.body.body_file").body_file(self.part("core.oni.body.mannequin").mannequin(), "TRBStest").pack()
        (self.folder / "TRBStest.oni").write_bytes(body)
        tram = self.part("core.oni.files.documents").TramFile.new(random_tram(2, 12))
        (self.folder / "TRAMtest.oni").write_bytes(tram.pack())
        return self.folder / "TRAMtest.oni"

    def skeleton(self) -> dict[str, Any]:
        return {"skeleton": str(self.folder / "TRBStest.oni"), "pieces": "NONE"}

    def written(self, data: bytes, times: Floats) -> Poses:
        body, record = oni_shown.Stage(self.obj), oni_shown.Tram(data)
        shown = record.at(times.clip(0, record.frames - 1), body.offsets, body.parents, "nlerp", body.height)
        back = np.array([pose.T for pose in body.t_pose])
        return AXES @ shown.rotations @ back @ AXES.T, shown.positions @ AXES.T * 0.1

    def from_start(self, shown: Poses, begins: float) -> Poses:
        """A clip begins at 0 along the ground; its heights and rotations are the file's own."""
        first = self.shown(np.array([begins]))[1][0, 0]
        return shown[0], shown[1] - first * [1, 1, 0]


class Oni2(Stage):
    game, extension, root = "oni2", ".anim", "root"
    rate, rotation, distance = 30.0, 0.0075, 2e-4
    bones = ("root", "spine", "arm", "hand", "leg")
    offsets = ((0.0, 1.0, 0.0), (0.0, 0.4, 0.1), (0.3, 0.2, 0.0), (0.25, 0.0, 0.0), (0.1, -0.5, 0.0))
    loops = 0

    def source(self) -> Path:
        tree = [f" {{\n offset {x:g} {y:g} {z:g}\n" for x, y, z in self.offsets]
        lines = [f"bone {name}{rest}" for name, rest in zip(self.bones, tree, strict=True)]
        text = "".join(["NumBones 5\n", *lines[:4], "}\n" * 3, lines[4], "}\n" * 2])
        (self.folder / "five.skel").write_text(text)
        draw = np.random.default_rng(3)
        values = np.cumsum(draw.normal(0, 0.25, (12, 18)), axis=0)
        values[:, :3] = values[:, :3] * 0.1 + [0, 1, 0] + np.outer(np.arange(12), [0, 0, -0.1])
        stride = values[-1, :3] - values[0, :3]
        head = b"ANI1" + struct.pack("<3I3f", self.loops, 12, 18, *stride)
        (self.folder / "five_swing.anim").write_bytes(head + values.astype("<f4").tobytes())
        return self.folder / "five_swing.anim"

    def written(self, data: bytes, times: Floats) -> Poses:
        values = oni2_shown.rows_of(data)
        body = oni2_shown.Skeleton(self.obj, list(self.bones), [-1, 0, 1, 2, 0], list(self.offsets))
        positions, rotations = body.written(values, times.clip(0, len(values) - 1))
        return AXES @ rotations @ AXES.T, positions @ AXES.T

    def from_start(self, shown: Poses, begins: float) -> Poses:
        """What the object carries begins where it stands then; what the root's bone does is the file's own."""
        return super().from_start(shown, begins) if self.action["retro_anim_root_motion"] == "OBJECT" else shown


class Oni2Loop(Oni2):
    loops = 1


class Pirates(Stage):
    game, extension, root = "mindpower", ".lab", "Bip01"
    rate, rotation, distance, least = 30.0, 0.006, 1e-4, 0.15

    def source(self) -> Path:
        draw, parents = np.random.default_rng(5), [-1, 0, 1, 2, 0]
        angles = np.cumsum(draw.normal(0, 0.03, (5, 12, 4)), axis=1) + np.array([0, 0, 0, 2])
        angles /= np.linalg.norm(angles, axis=2, keepdims=True)
        rest = np.array([[0, 0, 1.0], [0, 0, 0.4], [0.3, 0, 0.2], [0.25, 0, 0], [0.1, 0, -0.5]])
        positions = np.tile(rest[:, None], (1, 12, 1))
        positions[0, :, 1] = np.linspace(0, 0.5, 12)
        heads = rest.copy()
        for bone, above in enumerate(parents[1:], 1):
            heads[bone] += heads[above]
        binds = [mindpower_files.moved(*(-head).tolist()) for head in heads]
        names = ["Bip01", "Bip01 Spine", "Bip01 Arm", "Bip01 Hand", "Bip01 Leg"]
        data = mindpower_files.lab(parents, positions.tolist(), angles.tolist(), binds, names=names)
        (self.folder / "five.lab").write_bytes(data)
        return self.folder / "five.lab"

    def written(self, data: bytes, times: Floats) -> Poses:
        lab = self.part("core.mindpower.files.skeleton.lab").Lab.parse(data)
        rows = [
            mindpower_rule.skins(lab, int(time + 1e-6), max(0.0, time % 1 if time % 1 < 1 - 1e-6 else 0.0))
            for time in times.clip(0, lab.frame_count - 1)
        ]
        skins = np.array(rows).swapaxes(-1, -2) * np.outer([1.0, -1, 1, 1], [1.0, -1, 1, 1])
        heads = np.array([[*self.obj.data.bones[name].head_local, 1.0] for name in self.names])
        return skins[..., :3, :3], np.einsum("kbij,bj->kbi", skins, heads)[..., :3]

    def clip_of(self, number: int, change: Any) -> tuple[bytes, float]:
        """All clips are in one file: what is new behind those that were there, of 12 frames."""
        return Path(change.target).read_bytes(), 12.0 * number


STAGES: dict[str, type[Stage]] = {"LBA1": Lba1, "LBA2": Lba2, "Oni1": Oni, "Oni2": Oni2, "Oni2 loop": Oni2Loop, "pirates": Pirates}
