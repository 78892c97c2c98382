"""Characters of both games in Blender, and where their bones and points should be by an evaluation of our own in floating point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np

Part = Callable[[str], ModuleType]
Fetch = Callable[..., Any]
AT_KEYS, BETWEEN = 0.002, 0.01
"""Units that anything may be off, at keyframes and between."""

AXES = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""From the game's axes to Blender's."""


@dataclass(frozen=True)
class Rules:
    """steps: of a full turn. odd: whether only the lowest bit of a type counts. whole: all three master angles turn the character, where
    the lowest bit of the master word is set."""

    steps: int
    odd: bool
    whole: bool

    def travel(self, last: Any, new: Any) -> Any:
        """From angle to angle the short way; an exact half turn by its sign in LBA1, downwards in LBA2."""
        travel = new % self.steps - last % self.steps
        half = self.steps // 2
        up = travel >= half if self.whole else travel > half
        return np.where(travel < -half, travel + self.steps, np.where(up, travel - self.steps, travel))

    def rotation(self, angles: Any) -> Any:
        """Rx(alpha) Rz(gamma) Ry(beta) of (..., 3) steps."""
        (ca, cb, cc), (sa, sb, sc) = (np.moveaxis(f(np.asarray(angles) * (2 * np.pi / self.steps)), -1, 0) for f in (np.cos, np.sin))
        zero, one = np.zeros_like(ca), np.ones_like(ca)
        x = np.array([[one, zero, zero], [zero, ca, -sa], [zero, sa, ca]])
        y = np.array([[cb, zero, sb], [zero, one, zero], [-sb, zero, cb]])
        z = np.array([[cc, -sc, zero], [sc, cc, zero], [zero, zero, one]])
        return np.moveaxis(np.einsum("ij...,jk...,kl...->il...", x, z, y), (0, 1), (-2, -1))


LBA1, LBA2 = Rules(1024, False, False), Rules(4096, True, True)


def states(anm: Any, rules: Rules = LBA1, every: int = 1) -> tuple[Any, Any, Any, Any]:
    """From keyframe 0 to where the loop closes, all `every` time units: times, whether one is a keyframe, kinds (T, bones), words
    (T, bones, 3)."""
    order = [*range(len(anm.frames)), *([anm.loop_frame] if anm.loops and len(anm.frames) > 1 else [])]
    types, values = anm.types.astype(int), anm.values.astype(float)
    types = types & 1 if rules.odd else types
    rows, now = [(0, True, types[0], values[0])], 0
    for last, new in pairwise(order):
        length = int(anm.durations[new])
        rotations = (types[new] == 0)[:, None]
        start = np.where(rotations, values[last] % rules.steps, values[last])
        travel = np.where(rotations, rules.travel(values[last], values[new]), values[new] - start)
        rows += [(now + step, False, types[new], start + travel * (step / length)) for step in range(1, length, every)]
        now += length
        rows.append((now, True, types[new], values[new]))
    times, is_key, kinds, numbers = zip(*rows, strict=True)
    return np.array(times), np.array(is_key), np.array(kinds), np.array(numbers)


def evaluate(body: Any, kinds: Any, values: Any, rules: Rules = LBA1) -> tuple[Any, Any]:
    """Heads (T, groups, 3) and points (T, points, 3) in the game's axes."""
    times, groups = len(kinds), body.group_count
    used = min(groups, kinds.shape[1])
    matrices = np.broadcast_to(np.eye(3), (times, groups, 3, 3)).copy()
    heads = np.zeros((times, groups, 3))
    for group in range(1, groups):
        parent = body.parents[group]
        matrices[:, group], heads[:, group] = matrices[:, parent], heads[:, parent] + matrices[:, parent] @ body.points[body.pivots[group]]
        if group < used:
            rotations, moves = kinds[:, group] == 0, kinds[:, group] == 1
            matrices[rotations, group] = matrices[rotations, parent] @ rules.rotation(values[rotations, group])
            heads[moves, group] += np.einsum("tij,tj->ti", matrices[moves, parent], values[moves, group])
    own = body.group_of
    return heads, np.einsum("tpij,pj->tpi", matrices[:, own], body.points) + heads[:, own]


def path(anm: Any, rules: Rules = LBA1) -> tuple[Any, Any]:
    """Position (keyframes, 3) and turn, alpha, beta, gamma in steps (keyframes, 3), at every keyframe, from keyframe 0."""
    positions, rotations = [np.zeros(3)], [np.zeros(3)]
    for key in range(1, len(anm.frames)):
        master = anm.values[key, 0].astype(float)
        if rules.whole:  # 12 bits with a sign
            master = (master + 2048) % 4096 - 2048
        counts = anm.types[key, 0] & 1 if rules.whole else np.array([0, 1, 0])
        rotations.append(rotations[-1] + master * counts)
        positions.append(positions[-1] + rules.rotation(rotations[-1]) @ anm.steps[key].astype(float))
    return np.array(positions), np.array(rotations)


class Stage:
    """One body in Blender at the game's own scale, and the animations on it. No mesh: points are carried by the bones."""

    def __init__(
        self, fetch: Fetch, part: Part, anims: Path, body: int, entries: list[int], rules: Rules = LBA1, rate: float = 50, **options: Any
    ) -> None:
        """rate: time units a second; the scene is set to as many frames unless an option says otherwise."""
        hqr, self.rules, self.rate = part("core.lba.files.archive.hqr").Hqr, rules, rate
        archive = hqr.parse(anims.read_bytes())
        bodies = anims.with_name("BODY.HQR")
        document = part("core.lba.files.lm2").Lm2 if rules is LBA2 else part("core.lba.files.lm1").Lm1
        self.body = part("core.lba.body.body").Body.of(document.parse(hqr.parse(bodies.read_bytes()).read(body)))
        self.anms = [part("core.lba.files.anm").Anm.parse(archive.read(entry)) for entry in entries]
        chosen = ",".join(map(str, entries))
        options = {"root_motion": "NONE", "fps_mode": "SET", **options}
        created = fetch(anims, entries=chosen, skeleton=f"{bodies}#{body}", scale=1.0, frame_start=0.0, **options)
        self.obj, self.actions, self.compat = created.armatures[0], created.actions, part("io.blender.compat")
        mesh = next((child for child in self.obj.children if len(child.data.vertices) == len(self.body.points)), None)
        assert mesh is not None
        self.rest = np.array([vertex.co for vertex in mesh.data.vertices]) if len(self.body.points) else np.zeros((0, 3))
        bpy.data.batch_remove(list(self.obj.children))
        bones = sorted(self.obj.data.bones, key=lambda bone: bone["retro_anim_bone"])
        self.bones = [self.obj.pose.bones[bone.name] for bone in bones]
        self.unrest = np.linalg.inv(np.array([bone.matrix_local for bone in bones]))

    def play(self, number: int) -> None:
        self.compat.assign(self.obj, self.actions[number])
        for bone in self.bones:
            bone.location, bone.rotation_euler = (0, 0, 0), (0, 0, 0)
        self.obj.location, self.obj.rotation_euler = (0, 0, 0), (0, 0, 0)

    def go(self, time: int) -> None:
        """To a time of the game."""
        scene = bpy.context.scene
        frame = time * (scene.render.fps / scene.render.fps_base) / self.rate
        scene.frame_set(int(np.floor(frame + 1e-6)), subframe=max(0.0, float(frame - np.floor(frame + 1e-6))))

    def at(self, time: int) -> tuple[Any, Any]:
        self.go(time)
        matrices = np.array([bone.matrix for bone in self.bones])
        own = (matrices @ self.unrest)[self.body.group_of]
        return matrices[:, :3, 3] @ AXES, (np.einsum("pij,pj->pi", own[:, :3, :3], self.rest) + own[:, :3, 3]) @ AXES

    def errors(self, number: int, every: int = 1) -> tuple[float, float]:
        """The largest distance at keyframes, and between."""
        times, keys, kinds, values = states(self.anms[number], self.rules, every)
        heads, points = evaluate(self.body, kinds, values, self.rules)
        self.play(number)
        worst = {True: 0.0, False: 0.0}
        for row, (time, key) in enumerate(zip(times.tolist(), keys.tolist(), strict=True)):
            shown = self.at(time)
            off = max(float(np.abs(one - other).max(initial=0)) for one, other in zip(shown, (heads[row], points[row]), strict=True))
            worst[key] = max(worst[key], off)
        return worst[True], worst[False]

    def check(self, every: int = 1) -> None:
        bad = {}
        for number, action in enumerate(self.actions):
            key, between = self.errors(number, every)
            if key > AT_KEYS or between > BETWEEN:
                bad[action.name] = (key, between)
        assert bad == {}

    def check_path(self, number: int) -> None:
        """The way of the root at every keyframe."""
        self.play(number)
        anm = self.anms[number]
        positions, rotations = path(anm, self.rules)
        for time, position, angles in zip(anm.times.tolist(), positions, rotations, strict=True):
            self.go(time)
            shown = np.array(self.obj.matrix_world @ self.bones[0].matrix) @ self.unrest[0]
            assert np.abs(shown[:3, 3] @ AXES - position).max() < AT_KEYS, (self.actions[number].name, time)
            wanted = AXES @ self.rules.rotation(angles) @ AXES.T
            assert np.abs(shown[:3, :3] - wanted).max() < 1e-5, (self.actions[number].name, time)


def mesh_points(obj: Any, count: int) -> Any:
    """The evaluated mesh in the game's axes."""
    (mesh,) = [child for child in obj.children if len(child.data.vertices) == count and not child.name.endswith(("lines", "spheres"))]
    evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices]) @ AXES
