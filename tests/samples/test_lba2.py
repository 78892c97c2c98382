"""Our sample character for the second game: the first one's body and motion, in its units, with a repeating texture."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm, guess_game
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.variant import LBA2
from retro_anim.core.lba.motion.playback import root_at, state_at
from retro_anim.samples import build

ANIMATIONS = ("idle", "walk", "turn", "wave")


@pytest.fixture(scope="module")
def both() -> dict[str, dict[str, bytes]]:
    return build.files()


@pytest.fixture(scope="module")
def body(both: dict[str, dict[str, bytes]]) -> Lm2:
    return Lm2.parse(both["lba2"]["mannequin.lm2"])


def test_the_same_figure_as_in_the_first_game(both: dict[str, dict[str, bytes]], body: Lm2) -> None:
    first = Lm1.parse(both["lba1"]["mannequin.lm1"])
    one, other = Body.of(first), Body.of(body)
    assert one.parents.tolist() == other.parents.tolist()
    assert (one.rest_points == other.rest_points).all()
    assert body.box.tolist() == first.box.tolist()
    assert (len(body.lines), len(body.spheres)) == (len(first.lines), len(first.spheres)) == (1, 2)


def test_limits(body: Lm2) -> None:
    assert len(body.groups) <= 30
    assert len(body.points) == len(body.normals) <= 550
    assert int(body.polygon_count) == int(body.runs["count"].sum()) <= 550
    assert body.groups["face_normal_count"].sum() == len(body.face_normals)
    assert (np.diff(body.face_normals["group"].astype(int)) >= 0).all()
    lengths = np.linalg.norm(body.face_normals["direction"].astype(float), axis=1)
    assert abs(lengths - 0x3FFF).max() < 2


def test_faces_look_outwards_and_are_lit_by_their_own_normals(body: Lm2) -> None:
    faces, positions = body.faces, Body.of(body).rest_points
    for face, (kind, corners) in enumerate(zip(faces.kind.tolist(), faces.corners, strict=True)):
        ring = positions[corners[: 4 if faces.quad[face] else 3]]
        area = np.cross(ring, np.roll(ring, -1, axis=0)).sum(axis=0)
        assert area.any()
        if kind == 1:
            normal = body.face_normals[faces.normal[face] - len(body.points)]
            assert normal["direction"].astype(float) @ area > 0
        elif kind > 3:
            assert all(body.normals["direction"][corner].astype(float) @ area > 0 for corner in corners)


def test_the_shirt_repeats_its_pattern(body: Lm2, both: dict[str, dict[str, bytes]]) -> None:
    """Coordinates beyond the region; no face across the seam; the knitted texels are where the texture is."""
    faces = body.faces
    shirt = faces.handle >= 0
    assert 10 <= shirt.sum() <= 40
    assert set(faces.kind[shirt].tolist()) == {10}
    used = faces.uv[shirt]
    assert (used >= 32 * 256).any(axis=1).mean() > 0.5
    assert (np.ptp(used[..., 0], axis=1) < 40 * 256).all()
    assert body.textures["corner"].tolist() == [0]
    assert body.textures["mask"].tolist() == [[31, 31]]
    page = np.frombuffer(Hqr.parse(both["lba2"]["RESS.HQR"]).read(6), np.uint8).reshape(256, 256)
    assert page[:32, :32].all()
    assert not page[32:].any()
    assert len(np.unique(page[:32, :32])) >= 6


@pytest.mark.parametrize("name", ANIMATIONS)
def test_the_same_motion_in_milliseconds(both: dict[str, dict[str, bytes]], name: str) -> None:
    first, second = (Anm.parse(both[game][f"{name}.anm"]) for game in ("lba1", "lba2"))
    assert (second.durations == 20 * first.durations.astype(int)).all()
    assert guess_game(second)[0] is LBA2
    assert (second.types == first.types).all()
    moves = second.types[:, 1:] == 1
    assert (second.values[:, 1:][moves] == first.values[:, 1:][moves]).all()
    assert (second.values[:, 1:][~moves] == 4 * first.values[:, 1:][~moves]).all()
    assert (second.values[:, 0] == 4 * first.values[:, 0]).all()
    assert (second.steps == first.steps).all()
    assert second.word3 == 0
    assert second.loop_frame == first.loop_frame


def test_the_walk_plainly_walks(both: dict[str, dict[str, bytes]]) -> None:
    walk = Anm.parse(both["lba2"]["walk.anm"])
    assert walk.durations.tolist() == [100] * 8
    root = root_at(walk, LBA2, np.array([0.0, 350.0, 700.0]))
    assert 500 < root.positions[2, 2] < 1000
    thigh = state_at(walk, LBA2, walk.times.astype(float)).values[:, 11, 0]
    assert np.ptp((thigh + 2048) % 4096) > 400


def test_the_archives(both: dict[str, dict[str, bytes]]) -> None:
    """As in the game's folder: method 2, and the resources at their places."""
    files = both["lba2"]
    animations = Hqr.parse(files["ANIM.HQR"])
    assert [animations.read(index) for index in range(len(animations))] == [files[f"{name}.anm"] for name in ANIMATIONS]
    assert Hqr.parse(files["BODY.HQR"]).read(0) == files["mannequin.lm2"]
    resources = Hqr.parse(files["RESS.HQR"])
    assert [index for index in range(len(resources)) if not resources.blank(index)] == [0, 6, 44]
    assert animations.entry(1).method == Hqr.parse(files["BODY.HQR"]).entry(0).method == resources.entry(6).method == 2
    table = resources.read(44)
    assert struct.unpack_from("<2I", table) == (8, len(table))
    records = "01 00 04 0000 00  03 0000 04 0000 00  03 0100 04 0100 00  03 0300 04 0200 00  03 4000 04 0300 00  ff"
    assert table[8:] == bytes.fromhex(records)
    for name, data in files.items():
        if name.endswith(".HQR"):
            assert Hqr.parse(data).pack() == data
