"""Meshes of another shape than in their file, in each version of the format."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.mindpower.files.mesh.lgo import Lgo
from retro_anim.core.mindpower.surface.welded import Triangles, edited
from retro_anim.core.reporting import log

from .test_lgo import file, mesh


@pytest.mark.parametrize(("version", "old"), [(0x1005, 0), (0x1004, 0), (0x1003, 0), (0x1000, 0), (0, 1), (0, 0)])
def test_a_mesh_with_another_shape(version: int, old: int) -> None:
    """A file of its own version still, to the byte: a triangle on three points, each with three weights."""
    before = Lgo.parse(file(version, b"", mesh(version, old)))
    points, corners = np.arange(9.0).reshape(3, 3), np.tile([0.0, 0.0, 1.0], (1, 3, 1))
    weights = np.tile([0.5, 0.2, 0.3], (3, 1))
    shape = Triangles(
        points, np.tile([7, 8, 9], (3, 1)), weights, np.arange(3)[None], corners, np.zeros((1, 1, 3, 2)), np.zeros(1, np.int64)
    )
    with log.collect() as said:
        data = edited(shape, before, None).pack()
        result = Lgo.parse(data).mesh
    older = (version or old) < 0x1004
    warnings = ["3 vertices have more than 2 weights; the 2 largest are taken"] if older else []
    assert [message.text for message in said.messages] == warnings
    assert result is not None and result.blend is not None
    assert (result.positions.tolist(), result.triangles.tolist(), result.rest) == (points.tolist(), [[0, 1, 2]], b"")
    assert (result.palette.tolist(), result.influences) == (([7, 9], None) if older else ([7, 8, 9], 3))
    shares = sorted(result.blend["weight"][0].tolist(), reverse=True)
    assert shares == pytest.approx([0.625, 0.375, 0, 0] if older else [0.5, 0.3, 0.2, 0])
    head = 4 * (version == 0) + (24 + 128 if (version or old) == 0 else 24 + 96 if older else 32 + 96)
    arrays = 3 * (12 + 12 + 8 + 20) + len(result.palette) * (1 if older else 4) + 12 + 16 * len(result.subsets)
    assert len(data) == len(file(version)) + head + 8 * len(result.elements) + arrays
