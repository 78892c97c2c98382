"""Every given clip in Blender against the game's own rule, at all whole frames of scenes at four rates."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Part = Callable[[str], ModuleType]
SCALE = 0.001
PROPERTY: Any = bpy.types.Keyframe.bl_rna.properties["interpolation"]
LINEAR = PROPERTY.enum_items["LINEAR"].value
AXES = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""The game's x, y, z -> Blender's x, -z, y as columns: y is up there."""


@dataclass
class Game:
    """rate: time units a second. steps: of a full circle. tie: whether half a circle is always negative. bounds: in the game's units, at
    keyframes and between them."""

    rate: int
    steps: int
    tie: bool
    bounds: tuple[float, float]


LBA1, LBA2 = Game(50, 1024, False, (0.002, 0.01)), Game(1000, 4096, True, (0.003, 0.03))


def groups_of(data: bytes, game: Game) -> tuple[list[int], Floats, NDArray[np.int64]]:
    """Of a body's bytes: each group's parent, each point in its group's space, its pivot's place in the parent's; point -> group."""
    if game is LBA1:
        at = 0x10 + struct.unpack_from("<H", data, 14)[0]
        count = struct.unpack_from("<H", data, at)[0]
        points = np.frombuffer(data, "<i2", 3 * count, at + 2).reshape(-1, 3).astype(float)
        at += 2 + 6 * count
        rows = [struct.unpack_from("<HHHh", data, at + 2 + 38 * index) for index in range(struct.unpack_from("<H", data, at)[0])]
        sizes, pivots, parents = (
            [row[1] for row in rows],
            [row[2] // 6 for row in rows],
            [row[3] // 38 if row[3] >= 0 else -1 for row in rows],
        )
    else:
        (count, at), (total, where) = (struct.unpack_from("<II", data, 0x20 + 8 * index) for index in range(2))
        points = np.frombuffer(data, "<i2", 4 * total, where).reshape(-1, 4)[:, :3].astype(float)
        rows = [struct.unpack_from("<4H", data, at + 8 * index) for index in range(count)]
        sizes, pivots, parents = [row[2] for row in rows], [row[1] for row in rows], [row[0] if row[0] < 0xFFFF else -1 for row in rows]
    return (
        parents,
        np.column_stack([points, np.array(pivots)[np.repeat(np.arange(len(sizes)), sizes)]]),
        np.repeat(np.arange(len(sizes)), sizes),
    )


def rotations(angles: Floats) -> Floats:
    """(..., 3, 3) Rx * Rz * Ry of alpha, beta, gamma, radians."""
    cosines, sines = np.cos(angles), np.sin(angles)
    out = np.zeros((3, *angles.shape[:-1], 3, 3))
    for index, (first, second) in enumerate(((1, 2), (2, 0), (0, 1))):
        out[index, ..., index, index] = 1
        out[index, ..., first, first] = out[index, ..., second, second] = cosines[..., index]
        out[index, ..., second, first], out[index, ..., first, second] = sines[..., index], -sines[..., index]
    return out[0] @ out[2] @ out[1]


def played(data: bytes, game: Game, groups: int, times: Floats) -> tuple[Floats, Floats, Floats]:
    """(T, groups, 3, 3) rotations and (T, groups, 3) translations in the parents' space at `times`, and the times of the keyframes."""
    count, bones = struct.unpack_from("<2H", data)
    frame = np.dtype([("duration", "<u2"), ("step", "<i2", 3), ("bones", [("type", "<u2"), ("value", "<i2", 3)], (bones,))])
    frames = np.frombuffer(data, frame, count, 8)
    keys = np.concatenate([[0], np.cumsum(frames["duration"][1:].astype(float))])
    target = np.searchsorted(keys, times, "left").clip(0, count - 1)
    before = np.maximum(target - 1, 0)
    span = keys[target] - keys[before]
    share = np.where(span > 0, (times - keys[before]) / np.where(span > 0, span, 1), 1.0).clip(0, 1)[:, None, None]
    new, last = (frames["bones"]["value"][at].astype(np.int64) for at in (target, before))
    rotates = (frames["bones"]["type"][target] & 1 == 0)[..., None]
    half = game.steps // 2
    arc = new % game.steps - last % game.steps
    arc = np.where(arc > half, arc - game.steps, np.where(arc < -half, arc + game.steps, arc))
    arc = np.where(game.tie & (arc == half), -half, arc)
    values = last + np.where(rotates, arc, new - last) * share
    linear, moved = np.tile(np.eye(3), (len(times), groups, 1, 1)), np.zeros((len(times), groups, 3))
    used = min(groups, bones)
    angled = rotations((values * (2 * np.pi / game.steps)).astype(np.float64))
    linear[:, 1:used] = np.where(rotates[..., None], angled, np.eye(3))[:, 1:used]
    moved[:, 1:used] = np.where(rotates, 0, values)[:, 1:used]
    return linear, moved, keys


def in_game(body: bytes, game: Game, linear: Floats, moved: Floats) -> Floats:
    """(T, V, 3) the body's points."""
    parents, points, group_of = groups_of(body, game)
    world, out = np.zeros_like(linear), np.zeros((len(linear), len(points), 3))
    for group, parent in enumerate(parents):
        mine = group_of == group
        above, origin = (np.eye(3), 0.0) if parent < 0 else (world[:, parent], out[:, int(points[mine][0, 3]), None])
        world[:, group] = above @ linear[:, group]
        out[:, mine] = origin + (points[mine, :3] + moved[:, group, None]) @ world[:, group].swapaxes(1, 2)
    return out


def in_blender(obj: Any, curves: Any, points: Floats, group_of: NDArray[np.int64], frames: Floats) -> Floats:
    """(T, V, 3) in the game's axes and units, of points at rest, by the action's curves and the bones' rest alone."""
    bones = sorted(obj.data.bones, key=lambda bone: bone["retro_anim_bone"])
    number = {bone.name: index for index, bone in enumerate(bones)}
    rest = np.array([bone.matrix_local for bone in bones], float)
    values: dict[tuple[str, str], Floats] = {}
    for curve in curves:
        name, _, what = curve.data_path.removeprefix('pose.bones["').partition('"].')
        if name not in number or what not in ("location", "rotation_euler"):
            continue
        keys = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", keys)
        kinds = np.empty(len(keys) // 2, np.uint8)
        curve.keyframe_points.foreach_get("interpolation", kinds)
        assert (kinds[:-1] == LINEAR).all()
        values.setdefault((name, what), np.zeros((len(frames), 3)))[:, curve.array_index] = np.interp(frames, keys[::2], keys[1::2])
    skin = np.zeros((len(frames), len(bones), 4, 4))
    for index, bone in enumerate(bones):
        basis = np.tile(np.eye(4), (len(frames), 1, 1))
        basis[:, :3, 3] = values.get((bone.name, "location"), 0.0)
        angles = values.get((bone.name, "rotation_euler"), np.zeros((len(frames), 3)))
        mode = obj.pose.bones[bone.name].rotation_mode
        for axis in mode:  # the first is applied first
            one = np.zeros((len(frames), 3))
            one[:, "XYZ".index(axis)] = angles[:, "XYZ".index(axis)]
            basis[:, :3, :3] = rotations(one) @ basis[:, :3, :3]
        local = rest[index] @ basis
        if bone.parent is not None:
            above = number[bone.parent.name]
            local = skin[:, above] @ rest[index] @ basis  # skin = pose * rest^-1
        skin[:, index] = local @ np.linalg.inv(rest[index])
    at = np.column_stack([points @ AXES.T * SCALE, np.ones(len(points))])
    out = np.zeros((len(frames), len(points), 3))
    for index in range(len(bones)):
        out[:, group_of == index] = at[group_of == index] @ skin[:, index, :3].swapaxes(1, 2)
    return out @ AXES / SCALE


@pytest.mark.thorough
@pytest.mark.parametrize("fps", [24, 30, 50, 60])
@pytest.mark.parametrize(("name", "game"), [("lba1/ANIM.HQR", LBA1), ("lba2/ANIM.HQR", LBA2)])
def test_every_clip_at_whole_frames(fetch: Any, part: Part, game_file: Callable[[str], Path], name: str, game: Game, fps: int) -> None:
    parse = part("core.lba.files.archive.hqr").Hqr.parse
    archives = {kind: parse(game_file(f"{name[:4]}/{kind}.HQR").read_bytes()) for kind in ("BODY", "ANIM")}
    bpy.context.scene.render.fps = fps
    curves = part("io.blender.compat").curves
    imported = fetch(game_file(name), fps_mode="KEEP", frame_start=0, root_motion="NONE", scale=SCALE)
    clips = 0
    table: dict[bool, list[float]] = {True: [], False: []}
    for obj in [armature for armature in imported.armatures if "retro_anim_entry" in armature.data]:
        body = archives["BODY"].read(obj.data["retro_anim_entry"])
        parents, _, group_of = groups_of(body, game)
        rest = in_game(body, game, np.tile(np.eye(3), (1, len(parents), 1, 1)), np.zeros((1, len(parents), 3)))[0]
        for action in imported.actions:
            if action["retro_anim_rig"] != obj.data["retro_anim_rig"]:
                continue
            clips += 1
            data = archives["ANIM"].read(action["retro_anim_entry"])
            keys = played(data, game, len(parents), np.zeros(1))[2]
            times = np.arange(int(keys[-1] * fps / game.rate) + 1) * game.rate / fps
            if fps == 60:  # keyframes do not fall on whole frames there
                times = np.unique(np.concatenate([times, keys, (keys[1:] + keys[:-1]) / 2]))
            linear, moved, keys = played(data, game, len(parents), times)
            off = in_blender(obj, curves(action), rest, group_of, times * fps / game.rate) - in_game(body, game, linear, moved)
            far = np.linalg.norm(off, axis=-1).max(axis=1)
            at_key = np.isin(times, keys)
            for here in (True, False):
                table[here] += far[at_key == here].tolist()
    counts, worst = [len(table[here]) for here in (True, False)], [max(table[here]) for here in (True, False)]
    print(f"{name} at {fps}: {clips} clips, {counts[0]} frames at keys {worst[0]:.5f}, {counts[1]} between {worst[1]:.5f}")
    assert clips >= (64 if game is LBA1 else 116)
    assert worst[0] < game.bounds[0]
    assert worst[1] < game.bounds[1]
