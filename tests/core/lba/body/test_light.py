"""How far faces are lit: their colours are none that the game could not show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.palette import Palette

from ..conftest import entries

RAMPS = Palette(np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1))
"""Every colour is its own index."""


def brightest_indices(mesh: Any) -> list[int]:
    """By face: the palette index of the last colour of its material's ramp."""
    return [round(mesh.materials[index].ramp[-1][0] * 255) for index in mesh.material_of.tolist()]


@pytest.mark.parametrize("entry", [0, 5, 9, 10, 41])
def test_no_face_of_an_lm1_is_brighter_than_its_normals_allow(bodies: dict[int, bytes], entry: int) -> None:
    """The engine's whole numbers: |N| * 59 / range, truncated, added to the colour."""
    body = Lm1.parse(bodies[entry])
    mesh = Body.of(body).mesh(RAMPS)
    assert mesh is not None
    limit = np.sqrt((body.normals["direction"].astype(float) ** 2).sum(axis=1)) * 59 / body.normals["range"]
    polygon, _, normal_at = body.corner_references()
    darker = 0
    for face, (index, colour) in enumerate(zip(brightest_indices(mesh), body.polygons["colour"].tolist(), strict=True)):
        own = normal_at[polygon == face]
        wanted = colour + int(limit[body.stream[own]].max()) if own[0] >= 0 else colour
        assert index == min(wanted, colour | 15 if own[0] >= 0 else colour)
        darker += index - colour < 10 and own[0] >= 0
        assert mesh.materials[mesh.material_of[face]].colour[0] * 255 <= index + 1e-6
    assert darker


@pytest.mark.parametrize("entry", [0, 14, 54])
def test_no_face_of_an_lm2_is_brighter_than_its_normals_are_long(game_data: Path, entry: int) -> None:
    """1024 of a normal's length is a shade; flat faces have one of their own, Gouraud ones those of their points."""
    body = Lm2.parse(entries(game_data / "lba2" / "BODY.HQR")[entry])
    mesh = Body.of(body).mesh(RAMPS)
    assert mesh is not None
    lights = np.concatenate([body.normals["direction"], body.face_normals["direction"]]).astype(float)
    limit = np.sqrt((lights**2).sum(axis=1)) / 1024
    faces = body.faces
    checked = 0
    for index, kind, colour, normal, corners in zip(
        brightest_indices(mesh),
        *(mesh.attributes[f"lba_{name}"].tolist() for name in ("type", "colour", "normal")),
        _corners(mesh),
        strict=True,
    ):
        if kind & 0xFF in (1, 4, 5):
            reach = limit[normal] if kind & 0xFF == 1 else limit[corners].max()
            assert index == min((colour & 0xFF) + int(reach), colour & 0xFF | 15)
            checked += 1
    assert checked > len(faces.type) // 3


def _corners(mesh: Any) -> list[Any]:
    return [mesh.corners[start : start + count] for start, count in zip(mesh.starts.tolist(), mesh.counts.tolist(), strict=True)]


def test_as_the_game_draws_flat_faces_have_the_files_normals(bodies: dict[int, bytes]) -> None:
    body = Lm1.parse(bodies[10])
    plain, game = Body.of(body).mesh(RAMPS), Body.of(body).mesh(RAMPS, look="GAME")
    assert plain is not None
    assert game is not None
    assert plain.light is None
    assert game.light is not None
    polygon, _, normal_at = body.corner_references()
    flat = np.isin(body.polygons["material"][polygon], (7, 8))
    assert flat.any()
    assert not plain.normals[flat].any()
    assert (game.normals[flat] == body.normals["direction"][body.stream[normal_at[flat]]]).all()
    assert game.light.max() < 16
