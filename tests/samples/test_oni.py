"""The mannequin as a character of Oni: reproducible, closed outwards, on the ground, and not sliding when it walks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from retro_anim.core import formats
from retro_anim.core.motion.rotations import quaternion
from retro_anim.core.oni.body.body import Body
from retro_anim.core.oni.body.body_read import read_body
from retro_anim.core.oni.files.documents import ObanFile, TramFile
from retro_anim.core.oni.motion.evaluate import chain, local_rotations, root_path, rotations_of
from retro_anim.core.oni.motion.object_motion import matrix_at
from retro_anim.core.oni.motion.rig import NAMES
from retro_anim.core.oni.records.tram import Tram
from retro_anim.samples import oni_build


@pytest.fixture(scope="module")
def folder() -> Path:
    return Path(oni_build.FOLDER)


@pytest.fixture(scope="module")
def body(folder: Path) -> Body:
    return read_body(str(folder / f"{oni_build.BODY}.oni"))


def read(folder: Path, name: str) -> Tram:
    return TramFile.parse((folder / f"{name}.oni").read_bytes()).tram


def points(body: Body, document: Tram, bone: str, cycles: int = 2) -> np.ndarray:
    """(frames, points, 3) of a bone's mesh in the world, over whole cycles."""
    every = np.arange(document.frame_count, dtype=float)
    local = np.concatenate([local_rotations(rotations_of(document), every)] * cycles)
    path = root_path(document)
    root = np.concatenate([path[:-1] + cycle * (path[-1] - path[0]) * [1.0, 0, 1] for cycle in range(cycles)])
    joints = chain(body.parents, body.offsets, local, root)
    index = NAMES.index(bone)
    piece = body.pieces[index]
    assert piece is not None
    return joints.positions[:, index, None] + quaternion.rotate(joints.rotations[:, index, None], piece.points)


def test_rebuilding_gives_the_committed_bytes(folder: Path, tmp_path: Path) -> None:
    oni_build.main(tmp_path / "out")
    result = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == result
    assert sorted(result) == [f"{name}.oni" for name in (oni_build.CAMERA, oni_build.IDLE, oni_build.WALK, oni_build.BODY)]


def test_files_parse_and_pack_identically(folder: Path) -> None:
    for path in folder.iterdir():
        opened = formats.open_file(path)
        assert opened.document.pack() == path.read_bytes(), path.name


def test_the_body_is_whole_and_closed(body: Body) -> None:
    assert len(body) == 19
    volumes = []
    for piece in body.pieces:
        assert piece is not None
        assert piece.texture == "TXMPmannequin"
        corners = piece.points[piece.triangles]
        volumes.append(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)
        assert (np.einsum("ij,ij->i", piece.faces, np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])) > 0).all()
    # The waist and the neck are open tubes.
    assert all(volume > 0 for bone, volume in zip(NAMES, volumes, strict=True) if bone not in ("mid", "neck"))
    rest = body.mesh().points
    assert 15 < np.ptp(rest[:, 1]) < 17
    assert 15 < np.ptp(rest[:, 0]) < 18  # the arms are raised


def test_it_walks_forward_without_sliding(body: Body, folder: Path) -> None:
    walk = read(folder, oni_build.WALK)
    assert walk.frame_count == 48
    feet = np.concatenate([points(body, walk, bone) for bone in ("left_foot", "right_foot")], axis=1)
    heights = feet[..., 1]
    assert heights.min() > -0.2
    assert heights.min(axis=1).max() < 0.2
    lowest = (heights[1:] + heights[:-1]).argmin(axis=1)
    slide = np.linalg.norm((feet[1:] - feet[:-1])[np.arange(len(lowest)), lowest][:, [0, 2]], axis=1)
    assert slide.max() < 0.12
    assert 8 < root_path(walk)[-1, 2] < 14
    assert np.abs(np.diff(feet, axis=0)).max() < 1.2  # no jump anywhere, least of all where the cycle closes
    assert walk.footsteps is not None
    assert walk.footsteps.tolist() == [(0, 1), (24, 2)]


def test_it_stands_idle_on_its_feet(body: Body, folder: Path) -> None:
    idle = read(folder, oni_build.IDLE)
    feet = np.concatenate([points(body, idle, bone) for bone in ("left_foot", "right_foot")], axis=1)
    assert np.abs(feet[..., 1].min(axis=1)).max() < 0.2
    assert np.abs(np.diff(feet, axis=0)).max() < 0.05
    head = points(body, idle, "head")
    assert 15 < head[..., 1].max() < 17
    assert idle.positions is not None
    assert (np.abs(idle.positions["height"] / 100.0 - 16) < 2).all()


def test_the_camera_looks_at_it(folder: Path) -> None:
    document = ObanFile.parse((folder / f"{oni_build.CAMERA}.oni").read_bytes()).oban
    assert document.length == oni_build.ROUND + 1
    assert np.abs(matrix_at(document, 0)[:3, :3].T - document.initial[:3]).max() < 1e-4
    for key in range(0, oni_build.ROUND + 1, oni_build.ROUND // oni_build.STILLS):
        camera = matrix_at(document, float(key))
        target = np.linalg.inv(camera) @ [0, oni_build.LOOKS_AT, 0, 1]
        assert np.abs(target[:2]).max() < 0.01
        assert target[2] < -30
        assert camera[1, 1] > 0.5  # upright
