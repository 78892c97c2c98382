"""The mannequin as a client of Tales of Pirates has it: reproducible, complete, and standing where its keyframes say."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.mindpower.client import client
from retro_anim.core.mindpower.client.textures import decode
from retro_anim.core.mindpower.files.mesh.helpers import Helpers
from retro_anim.core.mindpower.files.mesh.lgo import Lgo
from retro_anim.core.mindpower.files.ranges import ranges_of
from retro_anim.core.mindpower.files.skeleton.lab import Lab
from retro_anim.core.mindpower.files.tables.action_names import action_name
from retro_anim.core.mindpower.files.tables.action_table import ActionRow, ActionTable
from retro_anim.core.reporting import log
from retro_anim.samples import build, mindpower_build
from support.mindpower import mindpower_files

from .test_lba import between, positions

MOST_BONES = 25
"""Of one mesh, which the game's shader has room for."""

LAB, LGO, BMP = "animation/0001.lab", "model/character/0001000000.lgo", "texture/character/0001000000.bmp"
TABLE = "scripts/txt/CharacterAction.tx"


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return mindpower_build.files()


@pytest.fixture(scope="module")
def table(files: dict[str, bytes]) -> ActionTable:
    return ActionTable.parse(files[TABLE])


def action(table: ActionTable, kind: int, number: int) -> ActionRow | None:
    """The last of its number, which is the one that the game has."""
    return next((row for row in reversed(table.types.get(kind, ())) if row.number == number), None)


def test_rebuilding_gives_the_committed_bytes(files: dict[str, bytes]) -> None:
    folder = Path(mindpower_build.FOLDER)
    committed = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert committed == files


def test_main_writes_every_file(files: dict[str, bytes], tmp_path: Path) -> None:
    mindpower_build.main(tmp_path / "out")
    for name, data in files.items():
        assert (tmp_path / "out" / name).read_bytes() == data


def test_it_is_a_client_with_one_character(files: dict[str, bytes]) -> None:
    (mannequin,) = client.characters(mindpower_build.FOLDER)
    assert (mannequin.name, mannequin.number, mannequin.action_type) == ("Mannequin", 1, 1)
    result = client.companions(mannequin.lab, mannequin.parts)
    assert [Path(mesh).read_bytes() for mesh in result.meshes] == [files[LGO]]
    assert (Path(result.table).read_bytes(), result.action_type) == (files[TABLE], 1)


def test_files_are_as_the_game_wants_them(files: dict[str, bytes]) -> None:
    with log.collect() as said:
        lab, lgo = Lab.parse(files[LAB]), Lgo.parse(files[LGO])
    assert said.messages == []
    assert (lab.pack(), lgo.pack()) == (files[LAB], files[LGO])
    assert (lab.version, lab.parents.tolist().count(-1), "Bip01 Footsteps" in lab.names) == (0x1005, 1, True)
    assert set(lab.dummies["id"].tolist()) == {0, 1, 2, 3, 6, 9}
    assert lgo.mesh is not None
    assert lgo.materials is not None
    assert len(lgo.mesh.palette) <= MOST_BONES
    assert lgo.materials.textures(0) == [Path(BMP).name]
    assert isinstance(lgo.helpers, Helpers)
    assert lgo.helpers.spheres is not None
    assert set(lgo.helpers.spheres["id"].tolist()) <= set(lab.dummies["id"].tolist())
    assert np.abs(np.linalg.norm(lab.quaternions, axis=-1) - 1).max() < 1e-6
    assert np.sum(lab.quaternions[:, 1:] * lab.quaternions[:, :-1], axis=-1).min() > 0.5


def test_actions(table: ActionTable, files: dict[str, bytes]) -> None:
    frames = Lab.parse(files[LAB]).frame_count
    with log.collect() as said:
        ranges = ranges_of(table.types[1], frames)
    assert said.messages == []
    assert table.problems(1) == []
    assert [[str(action_name(number)) for number in item.numbers] for item in ranges] == [
        ["wait", "alert wait"],
        ["run", "alert run"],
        ["wave"],
    ]
    assert ranges[-1].end == frames - 1
    assert all(len(item) >= 2 for item in ranges)


def test_the_texture(files: dict[str, bytes]) -> None:
    pixels = decode(files[BMP])
    lgo = Lgo.parse(files[LGO])
    assert lgo.mesh is not None
    assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 20
    positions = lgo.mesh.uvs[0] * pixels.shape[1::-1]
    assert (positions >= 0).all()
    texels = pixels[positions[:, 1].astype(int), positions[:, 0].astype(int)]
    assert texels[:, :3].any(axis=1).all()  # unused cells are black
    # The front of the chest is blue, the shoes are red.
    chest = (np.abs(lgo.mesh.positions[:, 2] - 1.75) < 0.2) & (np.abs(lgo.mesh.positions[:, 0]) < 0.2)
    assert (texels[chest, 2] > texels[chest, 0]).mean() > 0.5
    shoes = (lgo.mesh.positions[:, 2] < 0.06) & (lgo.mesh.normals is not None and lgo.mesh.normals[:, 2] > 0)
    assert (texels[shoes, 0] > texels[shoes, 2]).all()


def test_faces_look_outwards(files: dict[str, bytes]) -> None:
    mesh = Lgo.parse(files[LGO]).mesh
    assert mesh is not None
    assert mesh.normals is not None
    a, b, c = mesh.positions.astype(float)[mesh.triangles.T]
    area = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", area, mesh.normals[mesh.triangles].sum(axis=1)) > 0).all()
    assert np.abs(np.linalg.norm(mesh.normals, axis=1) - 1).max() < 1e-6


def deformed(files: dict[str, bytes], frame: int) -> np.ndarray:
    """(V, 3) by the game's formula, from the files' bytes and the format's definition."""
    data = files[LAB]
    bones = struct.unpack_from("<I", data, 4)[0]
    binds = np.frombuffer(data, "<f4", 16 * bones, 20 + 72 * bones).reshape(-1, 4, 4).astype(float)
    skin = binds @ np.array(mindpower_files.worlds(data, frame))
    mesh = Lgo.parse(files[LGO]).mesh
    assert mesh is not None
    carriers, weights = mesh.bones_and_weights(bones)
    points = np.column_stack([mesh.positions.astype(float), np.ones(len(mesh.positions))])
    return np.einsum("vn,vi,vnij->vj", weights, points, skin[carriers])[:, :3]


@pytest.mark.parametrize("name", ["idle", "walk", "wave"])
def test_it_stands_where_its_keyframes_say(files: dict[str, bytes], table: ActionTable, name: str) -> None:
    """Every vertex of one bone is where the LBA body has the same point, at keyframes and, but for whole steps there, between them."""
    lba = build.files()["lba1"]
    body, anm = Lm1.parse(lba["mannequin.lm1"]), Anm.parse(lba[f"{name}.anm"])
    own_action = action(table, 1, mindpower_build.ACTIONS[name][0])
    assert own_action is not None
    still = np.zeros_like(anm.values[0])
    rest = positions(body, np.zeros(len(still)), still)[:, [0, 2, 1]] * 0.002
    mesh = Lgo.parse(files[LGO]).mesh
    assert mesh is not None
    own = mesh.bones_and_weights(17)[1][:, 0] == 1
    near = np.abs(mesh.positions[:, None] - rest[None]).max(axis=-1) < 2e-6
    known = own & near.any(axis=1)
    assert known.sum() > 0.9 * len(known)
    order = [*range(anm.loop_frame if name != "wave" else 0, len(anm.frames))]
    time = 0
    for key, before in zip(order[1:], order, strict=False):
        ticks = int(anm.durations[key])
        for tick in (0, ticks // 2):
            frame, left = divmod((time + tick) * 30, 50)
            if left:
                continue
            values = between(anm.values[before], anm.values[key], anm.types[key], tick, ticks)
            wanted = positions(body, anm.types[key], values)[:, [0, 2, 1]] * 0.002
            result = deformed(files, own_action.start + frame)
            off = np.where(near[:, :, None], np.abs(result[:, None] - wanted[None]), np.inf).max(axis=-1).min(axis=1)
            assert off[known].max() < (2e-5 if tick == 0 else 0.02), (key, tick)
        time += ticks


def test_it_faces_as_the_game_does(files: dict[str, bytes], table: ActionTable) -> None:
    """Toes towards +Y, its left hand at +X, the soles on the ground; it waves with the right hand."""
    lab = Lab.parse(files[LAB])
    wait, wave = action(table, 1, 1), action(table, 1, 18)
    assert wait is not None
    assert wave is not None
    standing = deformed(files, wait.start)
    assert abs(standing[:, 2].min()) < 0.03
    assert 2.2 < standing[:, 2].max() < 2.6
    low = standing[standing[:, 2] < 0.1]
    assert low[:, 1].max() > -1.5 * low[:, 1].min()
    world = np.array(mindpower_files.worlds(files[LAB], (wave.start + wave.end) // 2))[:, 3, :3]
    left, right, head = (world[lab.names.index(f"Bip01 {bone}")] for bone in ("L Hand", "R Hand", "Head"))
    assert left[0] > 0.2
    assert right[0] < -0.2
    assert right[2] > head[2] > left[2]


def test_the_run_closes(files: dict[str, bytes], table: ActionTable) -> None:
    """From the last frame on to the first no further than between others."""
    run = action(table, 1, 5)
    assert run is not None
    shots = np.array([deformed(files, frame) for frame in range(run.start, run.end + 1)])
    steps = np.abs(np.diff(shots, axis=0)).max(axis=(1, 2))
    assert np.abs(shots[-1] - shots[0]).max() < 1.5 * steps.max()
    assert steps.max() < 0.25
