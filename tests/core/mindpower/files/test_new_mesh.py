"""New mesh files: what goes in comes out, laid out as the game's own are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.mindpower.files.mesh.lgo import Lgo, recognise
from retro_anim.core.mindpower.files.mesh.materials import Materials, new_material
from retro_anim.core.mindpower.surface.new_mesh import Vertices, groups_of_bones, new_lgo
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError

SKIN = Materials(np.concatenate([new_material(["skin.bmp"]), new_material(["cloth.bmp"])]))


def strip(bones: list[list[int]], weights: list[list[float]], material_of: Sequence[int] = (), **more: Any) -> Lgo:
    """Vertices in a row, each three of them a triangle."""
    count = len(bones)
    spans = np.arange(3 * count).reshape(-1, 3)
    faces = [(at, at + 1, at + 2) for at in range(count - 2)]
    values = {"uvs": np.zeros((1, count, 2)), **more}
    vertices = Vertices(spans, np.tile([0, 0, 1], (count, 1)), bones=bones, weights=weights, **values)
    return new_lgo(vertices, faces, material_of or [0] * len(faces), SKIN)


def test_a_new_material_is_white_and_opaque() -> None:
    (record,) = new_material(["skin.bmp"])
    assert record["opacity"] == 1
    for colour in ("diffuse", "ambient", "specular"):
        assert record[colour].tolist() == [1.0] * len(record[colour])


def test_a_small_mesh() -> None:
    lgo = strip([[7, 3], [3, 7], [9, 3]], [[1, 1], [0.2, 0.6], [5, 0]])
    data = lgo.pack()
    assert recognise(data[:4096], len(data))
    with log.collect() as said:
        read = Lgo.parse(data)
    assert said.messages == []
    assert read.pack() == data
    mesh = read.mesh
    assert mesh is not None
    assert (mesh.fvf, mesh.influences, mesh.palette.tolist()) == (0x1118, 2, [3, 7, 9])
    assert mesh.positions.tolist() == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    bones, weights = mesh.bones_and_weights(10)
    assert bones[0].tolist() == [7, 3]
    assert weights.tolist() == [[0.5, 0.5], [0.75, 0.25], [1, 0]]
    assert mesh.blend is not None
    assert mesh.blend["index"].tolist() == [[1, 0, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0]]
    assert mesh.subsets.tolist() == [(1, 0, 3, 0), (0, 3, 0, 0)]


@pytest.mark.parametrize(("count", "fvf"), [(1, 0x1112), (2, 0x1118), (3, 0x111A), (4, 0x111C)])
def test_vertex_formats_of_the_game(count: int, fvf: int) -> None:
    lgo = strip([list(range(count))] * 3, [[1.0] * count] * 3)
    assert lgo.mesh is not None
    assert (lgo.mesh.fvf, lgo.mesh.influences, lgo.control.tolist()) == (fvf, count, [2, 10 + count, count, 0xFFFFFFFF])


def test_of_more_than_four_weights_the_largest_stay() -> None:
    lgo = strip([[0, 1, 2, 3, 4, 5]] * 3, [[1, 5, 2, 4, 3, 0]] * 3)
    assert lgo.mesh is not None
    bones, weights = lgo.mesh.bones_and_weights(6)
    assert bones[0].tolist() == [1, 3, 4, 2]
    assert np.allclose(weights[0], np.array([5, 4, 3, 2]) / 14)
    assert lgo.mesh.palette.tolist() == [1, 2, 3, 4]


def test_triangles_stand_by_material() -> None:
    lgo = strip([[0]] * 5, [[1.0]] * 5, material_of=[1, 0, 1])
    assert lgo.mesh is not None
    assert lgo.mesh.triangles.tolist() == [[1, 2, 3], [0, 1, 2], [2, 3, 4]]
    assert lgo.mesh.subsets.tolist() == [(1, 0, 3, 1), (2, 3, 5, 0)]
    assert lgo.mesh.triangle_subsets.tolist() == [0, 1, 1]


def test_more_coordinates_and_colours() -> None:
    colours = np.arange(12, dtype="u1").reshape(3, 4)
    lgo = strip([[0]] * 3, [[1.0]] * 3, uvs=np.arange(12.0).reshape(2, 3, 2), colours=colours)
    read = Lgo.parse(lgo.pack()).mesh
    assert read is not None
    assert read.colours is not None
    assert (read.fvf, read.colours.tolist(), read.uvs.shape) == (0x1252, colours.tolist(), (2, 3, 2))
    assert [tuple(row)[1] for row in read.elements.tolist()] == [0, 12, 28, 32, 44, 48, 56, 0]
    with pytest.raises(ExportError, match="3 sets of texture coordinates"):
        strip([[0]] * 3, [[1.0]] * 3, uvs=np.zeros((3, 3, 2)))


def test_limits_are_said_with_their_numbers() -> None:
    strip([[bone] for bone in range(25)], [[1.0]] * 25)
    with pytest.raises(ExportError, match="moved by 26 bones; the game takes 25"):
        strip([[bone] for bone in range(26)], [[1.0]] * 26)
    with pytest.raises(ExportError, match="2 vertices that no bone moves"):
        strip([[0], [0], [0]], [[1.0], [0.0], [float("nan")]])


def test_laid_out_as_the_games_own(game_file: Callable[[str], Path]) -> None:
    """Taken apart and made anew, all but helpers and a palette with unused bones is as it was."""
    for name in ("0001000000", "0860000001"):
        old = Lgo.parse(game_file(f"mindpower/model/character/{name}.lgo").read_bytes())
        assert old.mesh is not None
        assert old.materials is not None
        assert old.mesh.normals is not None
        bones, weights = old.mesh.bones_and_weights(100)
        vertices = Vertices(old.mesh.positions, old.mesh.normals, old.mesh.uvs, bones, weights)
        new = new_lgo(vertices, old.mesh.triangles, old.mesh.triangle_subsets, old.materials)
        assert new.mesh is not None
        assert (new.control.tolist(), new.mesh.fvf, new.mesh.influences) == (old.control.tolist(), old.mesh.fvf, old.mesh.influences)
        assert new.mesh.elements.tolist() == old.mesh.elements.tolist()
        assert new.mesh.subsets.tolist() == old.mesh.subsets.tolist()
        assert same(new.mesh.render_states, old.mesh.render_states)
        assert new.mesh.indices.tolist() == old.mesh.indices.tolist()
        assert set(new.mesh.palette.tolist()) <= set(old.mesh.palette.tolist())


@given(data=st.data(), count=st.integers(1, 40), most=st.integers(6, 25))
def test_split_into_meshes_with_few_bones(data: st.DataObject, count: int, most: int) -> None:
    random = data.draw(st.randoms(use_true_random=False))
    bones = np.array([[random.randrange(60), random.randrange(60)] for _ in range(3 * count)])
    weights = np.array([[1.0, random.choice([0.0, 0.5])] for _ in range(3 * count)])
    triangles = np.arange(3 * count).reshape(-1, 3)
    groups = groups_of_bones(bones, weights, triangles, most)
    assert groups.shape == (count,)
    assert sorted(set(groups.tolist())) == list(range(max(groups) + 1))
    for group in set(groups.tolist()):
        own = triangles[groups == group].ravel()
        assert len(np.unique(bones[own][weights[own] > 0])) <= most


def test_one_mesh_where_one_is_enough() -> None:
    bones = np.arange(25).repeat(3)[:, None]
    assert not groups_of_bones(bones, np.ones((75, 1)), np.arange(75).reshape(-1, 3)).any()
    with pytest.raises(ExportError, match="a triangle with 3 bones; the game takes 2"):
        groups_of_bones(np.arange(3)[:, None], np.ones((3, 1)), np.array([[0, 1, 2]]), 2)
