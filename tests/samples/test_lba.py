"""Our own sample character: reproducible, within the format's limits, closed outwards, and not sliding when it walks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.lm1 import GROUP_SIZE, POINT_SIZE, Lm1
from retro_anim.samples import build

ANIMATIONS = ("idle", "walk", "turn", "wave")


@pytest.fixture(scope="module")
def both() -> dict[str, dict[str, bytes]]:
    return build.files()


@pytest.fixture(scope="module")
def files(both: dict[str, dict[str, bytes]]) -> dict[str, bytes]:
    return both["lba1"]


@pytest.fixture(scope="module")
def body(files: dict[str, bytes]) -> Lm1:
    return Lm1.parse(files["mannequin.lm1"])


def positions(body: Lm1, types: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(points, 3) by the book: Rx Rz Ry against the parent group, translations in the parent's axes, from the pivot."""
    assert body.groups is not None
    world = np.zeros((len(body.points), 3))
    matrices: list[np.ndarray] = []
    for group, (head, kind, value) in enumerate(zip(body.groups, types, values, strict=True)):
        first = int(head["first_point"]) // POINT_SIZE
        own = slice(first, first + int(head["point_count"]))
        local = body.points[own].astype(float)
        if group == 0:
            matrix, origin = np.eye(3), np.zeros(3)
        else:
            matrix, origin = matrices[head["parent"] // GROUP_SIZE], world[head["pivot"] // POINT_SIZE].copy()
            if kind == 1:
                local = local + value
            else:
                (ca, cb, cc), (sa, sb, sc) = np.cos(value * np.pi / 512), np.sin(value * np.pi / 512)
                about_x = np.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]])
                about_y = np.array([[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]])
                about_z = np.array([[cc, -sc, 0], [sc, cc, 0], [0, 0, 1]])
                matrix = matrix @ about_x @ about_z @ about_y
        matrices.append(matrix)
        world[own] = local @ matrix.T + origin
    return world


def between(before: np.ndarray, after: np.ndarray, types: np.ndarray, tick: int, ticks: int) -> np.ndarray:
    """Angles go the short way round, translations straight; whole steps."""
    change = after.astype(int) - before
    around = (change + 512) % 1024 - 512
    change = np.where(types[:, None] == 1, change, around)
    return before + np.trunc(change * tick / ticks).astype(int)


def path(body: Lm1, anm: Anm, loops: int = 1) -> np.ndarray:
    """(ticks, points, 3) in the world, from keyframe loop_frame on, over whole loops."""
    order = list(range(anm.loop_frame, len(anm.frames)))
    keys = order[1:] + order[:1]
    position, heading, last, shots = np.zeros(3), 0.0, order[0], []
    for key in keys * loops:
        ticks = int(anm.durations[key])
        for tick in range(1, ticks + 1):
            angle = (heading + anm.values[key, 0, 1] * tick / ticks) * np.pi / 512
            rotation = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
            values = between(anm.values[last], anm.values[key], anm.types[key], tick, ticks)
            here = position + rotation @ (anm.steps[key] * tick / ticks)
            shots.append(positions(body, anm.types[key], values) @ rotation.T + here)
        position, heading, last = here, heading + int(anm.values[key, 0, 1]), key
    return np.array(shots)


def of_group(body: Lm1, group: int) -> slice:
    assert body.groups is not None
    first = int(body.groups["first_point"][group]) // POINT_SIZE
    return slice(first, first + int(body.groups["point_count"][group]))


def group_named(name: str) -> int:
    return [segment.name for segment in build.figure()].index(name)


def test_rebuilding_gives_the_committed_bytes(both: dict[str, dict[str, bytes]]) -> None:
    for game, created in both.items():
        assert {path.name: path.read_bytes() for path in Path(build.FOLDER, game).iterdir()} == created


def test_main_writes_every_file(both: dict[str, dict[str, bytes]], tmp_path: Path) -> None:
    build.main(tmp_path / "out")
    for game, created in both.items():
        assert {path.name: path.read_bytes() for path in (tmp_path / "out" / game).iterdir()} == created


def test_files_parse_and_pack_identically(files: dict[str, bytes]) -> None:
    for name, data in files.items():
        kind = {".lm1": Lm1, ".anm": Anm, ".HQR": Hqr}[Path(name).suffix]
        assert kind.parse(data).pack() == data, name


def test_archives_hold_the_loose_files(files: dict[str, bytes]) -> None:
    assert Hqr.parse(files["BODY.HQR"]).read(0) == files["mannequin.lm1"]
    animations = Hqr.parse(files["ANIM.HQR"])
    assert [animations.read(index) for index in range(len(animations))] == [files[f"{name}.anm"] for name in ANIMATIONS]
    assert len(Hqr.parse(files["RESS.HQR"]).read(0)) == 768


def test_entity(files: dict[str, bytes]) -> None:
    data = Hqr.parse(files["FILE3D.HQR"]).read(0)
    position, records = 0, []
    while data[position] != 0xFF:
        records.append(
            (data[position], data[position + 1], int.from_bytes(data[position + 3 : position + 5], "little"), data[position + 5])
        )
        position += 2 + data[position + 2]
    assert position == len(data) - 1
    assert records == [(1, 0, 0, 1), (3, 0, 0, 0), (3, 1, 1, 2), (3, 3, 2, 0), (3, 64, 3, 0)]


def test_limits(body: Lm1, files: dict[str, bytes]) -> None:
    assert body.groups is not None
    assert len(body.groups) <= 20
    assert len(body.points) < 400
    assert len(body.normals) <= 500
    assert len(body.polygons) + len(body.lines) + len(body.spheres) <= 1000
    assert body.groups["normal_count"].sum() == len(body.normals)
    lengths = np.linalg.norm(body.normals["direction"].astype(float), axis=1)
    assert abs(lengths - 64).max() < 1
    assert body.normals["range"].min() >= 256
    for name in ANIMATIONS:
        anm = Anm.parse(files[f"{name}.anm"])
        assert anm.bone_count == len(body.groups)
        assert anm.loops
        assert anm.word3 == anm.loop_frame
        rotated = anm.types[:, 1:] == 0
        assert 0 <= anm.values[:, 1:][rotated].min() <= anm.values[:, 1:][rotated].max() <= 1023
        assert set(anm.types[:, 0].tolist()) == ({1} if name == "turn" else {0})


def test_normals_lie_in_their_groups(body: Lm1) -> None:
    assert body.groups is not None
    _, point, normal = body.corner_references()
    group_of_point = np.repeat(np.arange(len(body.groups)), body.groups["point_count"])
    group_of_normal = np.repeat(np.arange(len(body.groups)), body.groups["normal_count"])
    lit = normal >= 0
    points = group_of_point[body.stream[point[lit]] // POINT_SIZE]
    assert (points == group_of_normal[body.stream[normal[lit]]]).all()


def test_faces_point_outwards(body: Lm1) -> None:
    """Every segment's volume is positive, and every lit face looks the way its normals do."""
    assert body.groups is not None
    polygon, point, normal = body.corner_references()
    group_of_point = np.repeat(np.arange(len(body.groups)), body.groups["point_count"])
    volumes = np.zeros(len(body.groups))
    for face in range(len(body.polygons)):
        corners = body.stream[point[polygon == face]] // POINT_SIZE
        ring = body.points[corners].astype(float)
        assert len(set(corners.tolist())) == len(corners)
        area = np.cross(ring, np.roll(ring, -1, axis=0)).sum(axis=0)
        own = body.points[group_of_point == group_of_point[corners[0]]]
        volumes[group_of_point[corners[0]]] += (ring[0] - own.mean(axis=0)) @ area
        for value in normal[polygon == face]:
            if value >= 0:
                assert body.normals["direction"][body.stream[value]].astype(float) @ area > 0
    drawn = np.unique(group_of_point[body.stream[point] // POINT_SIZE])
    assert len(drawn) == 15
    assert (volumes[drawn] > 0).all()


@pytest.mark.parametrize("name", ["walk", "turn", "idle", "wave"])
def test_planted_feet_do_not_slide(body: Lm1, files: dict[str, bytes], name: str) -> None:
    """The lowest point of the feet stays in its place from tick to tick, near the ground, whatever the character does."""
    anm = Anm.parse(files[f"{name}.anm"])
    feet = np.r_[of_group(body, group_named("left foot")), of_group(body, group_named("right foot"))]
    shots = path(body, anm, loops=2)[:, feet]
    heights = shots[:, :, 1]
    assert heights.min() > -12
    assert heights.min(axis=1).max() < 12
    lowest = (heights[1:] + heights[:-1]).argmin(axis=1)
    ticks = np.arange(len(lowest))
    slide = np.linalg.norm((shots[1:] - shots[:-1])[ticks, lowest][:, [0, 2]], axis=1)
    assert slide.max() < 8


def test_the_walk_goes_forward_and_closes(body: Lm1, files: dict[str, bytes]) -> None:
    anm = Anm.parse(files["walk.anm"])
    ticks, forward = int(anm.durations.sum()), int(anm.steps[:, 2].sum())
    assert 600 < forward < 1000
    shots = path(body, anm, loops=2)
    assert np.allclose(shots[ticks:] - shots[:ticks], (0, 0, forward))
    moved = np.abs(np.diff(shots, axis=0)).max()
    assert moved < 110  # no jump anywhere, least of all where the loop closes
    left, right = (shots[:, of_group(body, group_named(name))][:, 0, 2] for name in ("left foot", "right foot"))
    assert (left - right).max() > 200
    assert (right - left).max() > 200


def test_the_turn_is_to_the_left(body: Lm1, files: dict[str, bytes]) -> None:
    """Left is +X: what looked to +Z ends up looking there."""
    anm = Anm.parse(files["turn.anm"])
    last = path(body, anm)[-1]
    toes, heels = (last[of_group(body, group_named("left foot"))][corners].mean(axis=0) for corners in (slice(0, 2), slice(12, 14)))
    assert toes[0] - heels[0] > 100
    assert anm.values[:, 0, 1].min() > 0


def test_it_stands_in_its_box(body: Lm1, files: dict[str, bytes]) -> None:
    idle = Anm.parse(files["idle.anm"])
    standing = positions(body, idle.types[0], idle.values[0])
    low, high = body.box.reshape(3, 2).T
    assert (standing.min(axis=0) > low - 3).all()
    assert (standing.max(axis=0) <= high).all()
    assert 1100 < high[1] < 1300
