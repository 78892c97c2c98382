"""Bones and points in Blender are where the game has them, by an evaluation of our own in floating point."""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
Fetch = Callable[..., Any]
AT_KEYS, BETWEEN = 0.002, 0.01
AXES = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""From the game's axes to Blender's."""


def turn(angles: Any) -> Any:
    """Rx(alpha) Rz(gamma) Ry(beta) of (..., 3) steps of 1024 a turn."""
    (ca, cb, cc), (sa, sb, sc) = (np.moveaxis(f(np.asarray(angles) * (2 * np.pi / 1024)), -1, 0) for f in (np.cos, np.sin))
    zero, one = np.zeros_like(ca), np.ones_like(ca)
    x = np.array([[one, zero, zero], [zero, ca, -sa], [zero, sa, ca]])
    y = np.array([[cb, zero, sb], [zero, one, zero], [-sb, zero, cb]])
    z = np.array([[cc, -sc, zero], [sc, cc, zero], [zero, zero, one]])
    return np.moveaxis(np.einsum("ij...,jk...,kl...->il...", x, z, y), (0, 1), (-2, -1))


def states(anm: Any) -> tuple[Any, Any, Any, Any]:
    """Every tick from keyframe 0 to where the loop closes: ticks, whether one is a keyframe, kinds (T, bones), words (T, bones, 3)."""
    order = [*range(len(anm.frames)), *([anm.loop_frame] if anm.loops and len(anm.frames) > 1 else [])]
    types, values = anm.types.astype(int), anm.values.astype(float)
    rows, now = [(0, True, types[0], values[0])], 0
    for last, new in pairwise(order):
        length = int(anm.durations[new])
        turns = (types[new] == 0)[:, None]
        start = np.where(turns, values[last] % 1024, values[last])
        way = np.where(turns, values[new] % 1024, values[new]) - start
        way = np.where(turns & (way < -512), way + 1024, np.where(turns & (way > 512), way - 1024, way))
        rows += [(now + step, False, types[new], start + way * (step / length)) for step in range(1, length)]
        now += length
        rows.append((now, True, types[new], values[new]))
    times, is_key, kinds, numbers = zip(*rows, strict=True)
    return np.array(times), np.array(is_key), np.array(kinds), np.array(numbers)


def evaluate(body: Any, kinds: Any, words: Any) -> tuple[Any, Any]:
    """Heads (T, groups, 3) and points (T, points, 3) in the game's axes."""
    times, groups = len(kinds), body.group_count
    used = min(groups, kinds.shape[1])
    matrices = np.broadcast_to(np.eye(3), (times, groups, 3, 3)).copy()
    heads = np.zeros((times, groups, 3))
    for group in range(1, groups):
        parent = body.parents[group]
        matrices[:, group], heads[:, group] = matrices[:, parent], heads[:, parent] + matrices[:, parent] @ body.points[body.pivots[group]]
        if group < used:
            turns, moves = kinds[:, group] == 0, kinds[:, group] == 1
            matrices[turns, group] = matrices[turns, parent] @ turn(words[turns, group])
            heads[moves, group] += np.einsum("tij,tj->ti", matrices[moves, parent], words[moves, group])
    own = body.group_of
    return heads, np.einsum("tpij,pj->tpi", matrices[:, own], body.points) + heads[:, own]


def path(anm: Any) -> tuple[Any, Any]:
    """Position (keyframes, 3) and heading in steps at every keyframe, from keyframe 0."""
    places, headings = [np.zeros(3)], [0.0]
    for key in range(1, len(anm.frames)):
        headings.append(headings[-1] + float(anm.values[key, 0, 1]))
        places.append(places[-1] + turn([0, headings[-1], 0]) @ anm.steps[key].astype(float))
    return np.array(places), np.array(headings)


class Stage:
    """One body in Blender at the game's own scale, and the animations on it. No mesh: points are carried by the bones."""

    def __init__(self, fetch: Fetch, part: Part, anims: Path, body: int, entries: list[int], **options: Any) -> None:
        hqr = part("core.lba.hqr").Hqr
        archive = hqr.parse(anims.read_bytes())
        bodies = anims.with_name("BODY.HQR")
        self.body = part("core.lba.body").Body.from_lm1(part("core.lba.lm1").Lm1.parse(hqr.parse(bodies.read_bytes()).read(body)))
        self.anms = [part("core.lba.anm").Anm.parse(archive.read(entry)) for entry in entries]
        chosen = ",".join(map(str, entries))
        options = {"root_motion": "NONE", **options}
        made = fetch(anims, entries=chosen, skeleton=f"{bodies}#{body}", scale=1.0, fps_mode="SET", frame_start=0.0, **options)
        self.thing, self.actions, self.compat = made.armatures[0], made.actions, part("io.compat")
        mesh = next((child for child in self.thing.children if len(child.data.vertices) == len(self.body.points)), None)
        assert mesh is not None
        self.rest = np.array([vertex.co for vertex in mesh.data.vertices]) if len(self.body.points) else np.zeros((0, 3))
        bpy.data.batch_remove(list(self.thing.children))
        bones = sorted(self.thing.data.bones, key=lambda bone: bone["retro_anim_bone"])
        self.bones = [self.thing.pose.bones[bone.name] for bone in bones]
        self.unrest = np.linalg.inv(np.array([bone.matrix_local for bone in bones]))

    def play(self, number: int) -> None:
        self.compat.assign(self.thing, self.actions[number])
        for bone in self.bones:
            bone.location, bone.rotation_euler = (0, 0, 0), (0, 0, 0)
        self.thing.location, self.thing.rotation_euler = (0, 0, 0), (0, 0, 0)

    def at(self, tick: int) -> tuple[Any, Any]:
        bpy.context.scene.frame_set(tick)
        matrices = np.array([bone.matrix for bone in self.bones])
        own = (matrices @ self.unrest)[self.body.group_of]
        return matrices[:, :3, 3] @ AXES, (np.einsum("pij,pj->pi", own[:, :3, :3], self.rest) + own[:, :3, 3]) @ AXES

    def errors(self, number: int) -> tuple[float, float]:
        """The largest distance at keyframes, and between."""
        ticks, keys, kinds, words = states(self.anms[number])
        heads, points = evaluate(self.body, kinds, words)
        self.play(number)
        worst = {True: 0.0, False: 0.0}
        for row, (tick, key) in enumerate(zip(ticks.tolist(), keys.tolist(), strict=True)):
            seen = self.at(tick)
            off = max(float(np.abs(one - other).max(initial=0)) for one, other in zip(seen, (heads[row], points[row]), strict=True))
            worst[key] = max(worst[key], off)
        return worst[True], worst[False]


@pytest.fixture
def pairs(part: Part, anims: Path) -> dict[int, list[int]]:
    """Body -> the animations that some entity uses it with. Those that none uses go to the first body."""
    file3d, hqr = part("core.lba.file3d"), part("core.lba.hqr").Hqr.parse(anims.with_name("FILE3D.HQR").read_bytes())
    found: dict[int, set[int]] = {}
    for index in range(len(hqr)):
        if not hqr.blank(index):
            entity = file3d.Entity.parse(hqr.read(index))
            for body in entity.bodies:
                found.setdefault(body, set()).update(entity.animations)
    archive = part("core.lba.hqr").Hqr.parse(anims.read_bytes())
    rest = {entry for entry in range(len(archive)) if not archive.blank(entry)}.difference(*found.values())
    found[0] |= rest
    return {body: sorted(entries) for body, entries in sorted(found.items()) if entries}


def check(stage: Stage) -> None:
    bad = {}
    for number, action in enumerate(stage.actions):
        key, between = stage.errors(number)
        if key > AT_KEYS or between > BETWEEN:
            bad[action.name] = (key, between)
    assert bad == {}


def test_every_body_with_every_animation(fetch: Fetch, part: Part, anims: Path, pairs: dict[int, list[int]]) -> None:
    for body, entries in pairs.items():
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        check(Stage(fetch, part, anims, body, entries))
    assert len(set().union(*pairs.values())) >= 70


def test_bones_towards_their_child(fetch: Fetch, part: Part, anims: Path, pairs: dict[int, list[int]]) -> None:
    """Every animation with the first body that has it."""
    covered: set[int] = set()
    for body, entries in pairs.items():
        new = [entry for entry in entries if entry not in covered]
        covered.update(new)
        if new:
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            check(Stage(fetch, part, anims, body, new, bone_direction="CHILD"))


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
@pytest.mark.parametrize("root", ["OBJECT", "BONE"])
def test_the_way_of_the_root(fetch: Fetch, part: Part, anims: Path, pairs: dict[int, list[int]], root: str, direction: str) -> None:
    stage = Stage(fetch, part, anims, 0, pairs[0], root_motion=root, bone_direction=direction)
    for number, anm in enumerate(stage.anms):
        stage.play(number)
        places, headings = path(anm)
        for tick, place, heading in zip(anm.times.tolist(), places, headings, strict=True):
            bpy.context.scene.frame_set(tick)
            seen = np.array(stage.thing.matrix_world @ stage.bones[0].matrix) @ stage.unrest[0]
            assert np.abs(seen[:3, 3] @ AXES - place).max() < AT_KEYS, (stage.actions[number].name, tick)
            wanted = AXES @ turn([0, heading, 0]) @ AXES.T
            assert np.abs(seen[:3, :3] - wanted).max() < 1e-5, (stage.actions[number].name, tick)


def mesh_points(thing: Any, count: int) -> Any:
    """The evaluated mesh in the game's axes."""
    (mesh,) = [child for child in thing.children if len(child.data.vertices) == count and not child.name.endswith(("lines", "spheres"))]
    evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices]) @ AXES


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_the_walk_by_its_printed_numbers(fetch: Fetch, anims: Path, direction: str) -> None:
    bodies = anims.with_name("BODY.HQR")
    made = fetch(anims, entries="1", skeleton=f"{bodies}#0", scale=1.0, fps_mode="SET", root_motion="NONE", bone_direction=direction)
    bpy.context.scene.frame_set(10)
    (mesh,) = [child for child in made.armatures[0].children if not child.name.endswith(("lines", "spheres"))]
    points = mesh_points(made.armatures[0], len(mesh.data.vertices))
    printed = {
        1: (0, 33, 0),
        2: (0, 554, 33),
        3: (0, 586.752, 28.960),
        12: (32.316, 583.586, -100.015),
        39: (135.287, 655.105, 34.560),
        51: (165.066, 549.706, 325.788),
    }
    for vertex, place in printed.items():
        assert np.abs(points[vertex] - place).max() < AT_KEYS, vertex


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_the_chain_by_its_printed_numbers(fetch: Fetch, chain: Path, direction: str) -> None:
    made = fetch(chain / "chain.anm", scale=1.0, fps_mode="SET", root_motion="NONE", bone_direction=direction, frame_start=0, game="lba1")
    rest = {0: (0, 0, 0), 1: (0, 100, 0), 3: (50, 300, 0), 6: (50, 300, 300), 8: (-150, 300, 0), 10: (50, 220, 340)}
    first = {6: (122.89405, 354.69994, 279.85964), 8: (-131.75848, 255.04241, -16.44886), 10: (116.02154, 266.73974, 265.17047)}
    second = {6: (69.44177, 175.8069, 285.5513), 8: (-131.75848, 344.95759, -0.44886), 10: (153.05387, 187.61561, 315.0398)}
    for tick, printed in ((0, rest), (15, first), (25, second), (30, rest)):
        bpy.context.scene.frame_set(tick)
        points = mesh_points(made.armatures[0], 11)
        for vertex, place in printed.items():
            assert np.abs(points[vertex] - place).max() < AT_KEYS, (tick, vertex)


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_a_bone_that_moves_and_then_turns(fetch: Fetch, part: Part, chain: Path, direction: str) -> None:
    """Group 1 moves up to keyframe 1, turns up to keyframe 2, and moves again; the engine takes the old words for the new kind."""
    file = chain / "chain.anm"
    data = file.read_bytes()
    file.write_bytes(data[:120] + struct.pack("<4h", 0, 24, 0, 0) + data[128:])
    anm = part("core.lba.anm").Anm.parse(file.read_bytes())
    body = part("core.lba.body").Body.from_lm1(part("core.lba.lm1").Lm1.parse((chain / "chain.lm1").read_bytes()))
    made = fetch(file, scale=1.0, fps_mode="SET", root_motion="NONE", bone_direction=direction, frame_start=0, game="lba1")
    ticks, keys, kinds, words = states(anm)
    _, points = evaluate(body, kinds, words)
    for tick, key, places in zip(ticks.tolist(), keys.tolist(), points, strict=True):
        bpy.context.scene.frame_set(tick)
        assert np.abs(mesh_points(made.armatures[0], 11) - places).max() < (AT_KEYS if key else BETWEEN), tick
    export = part("io.lba_export")
    packed = export.pack_action(bpy.context, made.armatures[0], made.actions[0], export.ExportOptions(""))
    assert packed.data == file.read_bytes()
