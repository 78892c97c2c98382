"""Bodies: the made-up one of the test files out of a .oni and a level, our own, what is refused, and which one is taken."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.oni.body.body import Body
from retro_anim.core.oni.body.body_file import body_file
from retro_anim.core.oni.body.body_read import parents_of, read_body
from retro_anim.core.oni.body.body_search import find_body
from retro_anim.core.oni.body.geometry import to_strips
from retro_anim.core.oni.body.mannequin import mannequin
from retro_anim.core.oni.files.documents import BodyFile
from retro_anim.core.oni.files.instances import PLACEHOLDER
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.motion.rig import OniRig
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError, FormatError

from ..example import OFFSETS, PARENTS, T_POSE

CHILD = [1, 2, 3, 0, 5, 6, 0, 8, 9, 0xA, 0, 0xC, 0xD, 0xE, 0, 0x10, 0x11, 0x12, 0]
SIBLING = [0, 4, 0, 0, 7, 0, 0, 0, 0, 0, 0xB, 0xF, 0, 0, 0, 0, 0, 0, 0]
"""The standard hierarchy of the format's description."""

SMALL = body_file(
    replace(mannequin(), parents=np.array([-1, 0], np.int32), offsets=np.zeros((2, 3)), pieces=mannequin().pieces[:2]), "TRBSa"
).pack()

NEAR_PELVIS = [(0, -0.2, -0.2), (0, 0.2, -0.2), (0, 0, 0.3)]


@pytest.fixture(params=["instances/TRBSTESTbody.oni", "level/level1_Final.dat#TRBSTESTbody", "level/level1_Final.dat#17"])
def body(request: pytest.FixtureRequest, game_file: Callable[[str], Path]) -> Body:
    path, _, entry = f"oni/{request.param}".partition("#")
    return read_body(f"{game_file(path)}#{entry}" if entry else str(game_file(path)))


def test_the_skeleton_is_that_of_the_worked_example(body: Body) -> None:
    assert body.parents.tolist() == PARENTS.tolist()
    assert np.abs(body.offsets - OFFSETS).max() < 1e-6
    rest = body.rest.positions[0]
    assert np.abs(rest - rest[0] - (T_POSE - T_POSE[0])).max() < 1e-5
    rig = OniRig.build(body.names, body.parents, body.offsets, body.lengths, height=body.height)
    assert np.allclose(rig.skeleton.heads, rest)


def test_the_soles_are_on_the_floor(body: Body) -> None:
    """The meshes reach one unit below the feet, whose joints are 8.25 below the pelvis."""
    assert body.mesh().points[:, 1].min() == pytest.approx(0, abs=1e-6)
    assert body.height == pytest.approx(9.25, abs=0.01)


def test_the_mesh_stands_in_the_t_pose(body: Body) -> None:
    """Each bone has the same little spike of length 1 along its +X, around the joint."""
    mesh = body.mesh()
    piece = body.pieces[0]
    assert piece is not None
    assert piece.points[:3].tolist() == np.array(NEAR_PELVIS, np.float32).tolist()
    assert mesh.points.shape == (19 * 8, 3)
    assert mesh.bones.tolist() == np.repeat(np.arange(19), 8).tolist()
    tips = mesh.points.reshape(19, 8, 3)[:, 3]
    joints = body.rest.positions[0]
    for bone, options in ((7, (0, 1, 0)), (2, (0, -1, 0)), (13, (1, 0, 0)), (17, (-1, 0, 0))):
        assert np.allclose(tips[bone] - joints[bone], options, atol=1e-6)
    assert mesh.counts.tolist() == [3] * (19 * 4)
    assert body.mesh([3, 4]).bones.tolist() == [3] * 8 + [4] * 8
    assert np.allclose(mesh.normals.reshape(19, -1, 3)[7], (0, 1, 0), atol=1e-6), "all along the bone"
    assert mesh.uvs["UVMap"].min() >= 0
    assert mesh.uvs["UVMap"].max() <= 1


def test_winding_follows_the_face_normals(body: Body) -> None:
    for piece in body.pieces:
        assert piece is not None
        one, two, three = (piece.points[piece.triangles[:, corner]] for corner in range(3))
        cross = np.cross(two - one, three - one)
        assert np.allclose(cross / np.linalg.norm(cross, axis=1, keepdims=True), piece.faces, atol=1e-5)


def test_a_triangle_the_other_way_is_turned(tmp_path: Path) -> None:
    """The strip says nothing certain about the side; the face normal does."""
    body = mannequin()
    inside = [piece and replace(piece, faces=-piece.faces) for piece in body.pieces]
    path = tmp_path / "TRBSnew.oni"
    path.write_bytes(body_file(replace(body, pieces=inside), "TRBSnew").pack())
    for read, written in zip(read_body(str(path)).pieces, body.pieces, strict=True):
        assert read is not None
        assert written is not None
        assert read.triangles.tolist() == written.triangles[:, [0, 2, 1]].tolist()


def test_strips_of_several_triangles() -> None:
    from retro_anim.core.oni.body import geometry

    strip = np.array([0, 1, 2, 3, 4, 2, 3, 4], np.uint32)
    strip[[0, 5]] |= geometry.NEW_STRIP
    result = geometry._triangles(strip.view(np.int32))  # pyright: ignore[reportPrivateUsage]
    assert result.tolist() == [[0, 1, 2], [2, 1, 3], [2, 3, 4], [2, 3, 4]]
    assert geometry._triangles(to_strips(result)).tolist() == result.tolist()  # pyright: ignore[reportPrivateUsage]
    assert geometry._triangles(np.array([1, 2, 3], np.int32)).tolist() == []  # pyright: ignore[reportPrivateUsage]


def test_hierarchy() -> None:
    assert parents_of(CHILD, SIBLING).tolist() == PARENTS.tolist()
    cases = [
        ([1, 0], [0, 1], "comes to bone 1 twice"),
        ([1, 2, 1], [0, 0, 0], "comes to bone 1 twice"),
        ([0, 0], [0, 0], "bone 1 is not in the hierarchy"),
        ([5, 0], [0, 0], "leads to bone 5 of 2"),
        ([2, 0, 1], [0, 0, 0], "bone 1 stands before its parent"),
        ([0, 0], [1, 0], "bone 1 stands before its parent"),
    ]
    for child, sibling, problem in cases:
        with pytest.raises(FormatError, match=problem):
            parents_of(child, sibling)


def test_our_own() -> None:
    own = mannequin()
    assert own.parents.tolist() == PARENTS.tolist()
    mesh = own.mesh()
    assert 15.5 < np.ptp(mesh.points[:, 1]) < 17
    assert np.abs(mesh.points[:, 0].max() + mesh.points[:, 0].min()) < 1e-12, "left as right"
    assert (own.offsets[[1, 11], 2] > 0).all(), "left is +Z of the torso"
    for piece in own.pieces:
        assert piece is not None
        out = piece.points[piece.triangles].mean(axis=1) - piece.points.mean(axis=0)
        assert (np.einsum("ij,ij->i", out, piece.faces) > 0).all()


def test_a_body_as_a_file(body: Body, tmp_path: Path) -> None:
    textured = replace(body, pieces=[None, *(replace(piece, texture="TXMPskin") for piece in body.pieces[1:] if piece is not None)])
    for written in (body, mannequin(), textured):
        path = tmp_path / "TRBSnew.oni"
        path.write_bytes(body_file(written, "TRBSnew").pack())
        assert BodyFile.parse(path.read_bytes()).pack() == path.read_bytes()
        read = read_body(str(path))
        assert (read.name, read.address) == ("TRBSnew", str(path))
        assert read.parents.tolist() == written.parents.tolist()
        assert np.array_equal(read.offsets, written.offsets.astype(np.float32))
        for one, other in zip(read.pieces, written.pieces, strict=True):
            assert one is not None, "OniSplit reads a mesh of every bone"
            if other is None:
                assert len(one.triangles) == 1
                assert np.ptp(one.points, axis=0).max() < 2e-3, "nobody sees it"
                continue
            assert np.array_equal(one.points, other.points.astype(np.float32))
            assert np.array_equal(one.triangles, other.triangles)
            assert np.allclose(one.normals, other.normals, atol=1e-7)
            assert np.allclose(one.faces, other.faces, atol=1e-7)
            assert np.array_equal(one.uvs, other.uvs.astype(np.float32))
            assert one.texture == other.texture
    with pytest.raises(ExportError, match="begins with TRBS"):
        body_file(body, "ONCCnew")
    with pytest.raises(ExportError, match="at most 63"):
        body_file(body, "TRBS" + "n" * 60)


def test_the_hierarchy_is_the_standard_one() -> None:
    links = BodyFile.parse(body_file(mannequin(), "TRBSnew").pack()).records[4].items
    assert links is not None
    assert links["child"].tolist() == CHILD
    assert links["sibling"].tolist() == SIBLING


def test_an_oncc_leads_to_its_body(game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """Through a placeholder into another file; textures are only named. Of two characters the one that has the animation is taken."""
    shutil.copy(game_file("oni/instances/TRBSTESTbody.oni"), tmp_path / "TRBSone.oni")
    shutil.copy(tmp_path / "TRBSone.oni", tmp_path / "TRBStwo.oni")
    item = b"\1\0" + bytes(6)
    for name, animations in (("one", ["TRAMother"]), ("two", ["TRAMother", "TRAMmine"])):
        parts = [
            Part("ONCC", f"ONCC{name}", body=bytes(0xD00), links={0xC34: 1, 0xC80: 2}),
            Part("TRBS", f"TRBS{name}", flags=PLACEHOLDER),
            Part("TRAC", f"TRAC{name}", flags=PLACEHOLDER),
        ]
        (tmp_path / f"ONCC{name}.oni").write_bytes(OniFile.build(parts).pack())
        count = len(animations)
        body = bytes(20) + b"\0\0" + count.to_bytes(2, "little") + (item + bytes(4)) * count
        links = {32 + 12 * index: 1 + index for index in range(count)}
        listed = [Part("TRAM", animation, flags=PLACEHOLDER) for animation in animations]
        (tmp_path / f"TRAC{name}.oni").write_bytes(OniFile.build([Part("TRAC", f"TRAC{name}", body=body, links=links), *listed]).pack())
    assert read_body(str(tmp_path / "ONCCone.oni")).name == "TRBSone"
    assert find_body(str(tmp_path / "TRAMmine.oni"), "TRAMmine").address == str(tmp_path / "ONCCtwo.oni")
    assert find_body(str(tmp_path / "TRAMother.oni"), "TRAMother").address == str(tmp_path / "ONCCone.oni")
    (tmp_path / "TRBSone.oni").unlink()
    with pytest.raises(FormatError, match="its TRBS TRBSone is in no file beside it"):
        read_body(str(tmp_path / "ONCCone.oni"))
    with log.collect() as said:
        assert find_body(str(tmp_path / "TRAMother.oni"), "TRAMother").address == str(tmp_path / "ONCCtwo.oni")
    assert "TRBSone is in no file" in said.digest("WARNING")[0]


@given(st.data())
@settings(max_examples=60)
def test_damage_is_an_error_or_a_body(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    written = bytearray(SMALL)
    for _ in range(data.draw(st.integers(1, 3))):
        written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "TRBSbroken.oni"
    path.write_bytes(written[: data.draw(st.sampled_from([len(written), data.draw(st.integers(0, len(written)))]))])
    try:
        mesh = read_body(str(path)).mesh()
    except FormatError as error:
        assert str(error).startswith(str(path))
        return
    assert len(mesh.points) == len(mesh.bones)


def test_which_body_is_taken(game_file: Callable[[str], Path], tmp_path: Path) -> None:
    instances, level = game_file("oni/instances"), game_file("oni/level")
    beside = find_body(str(instances / "TRAMTESTlong.oni"), "TRAMTESTlong")
    assert beside.address == str(instances / "TRBSTESTbody.oni")
    inside = find_body(f"{level / 'level1_Final.dat'}#TRAMTESTlong", "TRAMTESTlong")
    assert inside.address == f"{level / 'level1_Final.dat'}#TRBSTESTbody"
    assert same(inside.offsets, beside.offsets)
    for name in ("TRAMTESTlong.oni", "TRBSTESTbody.oni"):
        shutil.copy(instances / name, tmp_path)
    shutil.copy(tmp_path / "TRBSTESTbody.oni", tmp_path / "TRBSAnother.oni")
    assert find_body(str(tmp_path / "TRAMTESTlong.oni"), "TRAMTESTlong").address.endswith("TRBSTESTbody.oni")
    assert find_body(str(tmp_path / "TRAMAnidle.xml"), "TRAMAnidle").address.endswith("TRBSAnother.oni")
    with pytest.raises(FormatError, match="a TRAM; a TRCM is expected"):
        read_body(str(tmp_path / "TRAMTESTlong.oni"))
    (tmp_path / "TRBSAnother.oni").write_bytes(b"23RV")
    (tmp_path / "TRBSTESTbody.oni").unlink()
    with log.collect() as said:
        assert find_body(str(tmp_path / "TRAMTESTlong.oni"), "TRAMTESTlong").address == ""
    damaged, none = said.digest("WARNING")
    assert f"not used: {tmp_path / 'TRBSAnother.oni'}: not an Oni instance file" in damaged and "no body at hand" in none
    with log.collect() as said:
        assert len(find_body(str(instances / "TRAMTESTlong.oni"), "TRAMTESTlong", bones=20)) == 19
    assert "no body at hand" in said.digest("WARNING")[0]


@pytest.mark.parametrize("value", [1e38, -3.4e38, np.inf, np.nan])
def test_what_is_out_of_all_reach_is_refused(tmp_path: Path, value: float) -> None:
    """By such a point the body would stand at a height, by such an offset its bones at places, that Blender has no numbers for."""
    plain = mannequin()
    offsets, path = plain.offsets.copy(), tmp_path / "TRBSfar.oni"
    offsets[3, 1] = value
    piece = plain.pieces[2]
    assert piece is not None
    points = piece.points.copy()
    points[5, 1] = value
    pieces = [replace(piece, points=points) if each is piece else each for each in plain.pieces]
    for far, problem in ((replace(plain, offsets=offsets), "offsets of bones"), (replace(plain, pieces=pieces), "points")):
        with np.errstate(all="ignore"):
            path.write_bytes(body_file(far, "TRBSfar").pack())
        with pytest.raises(FormatError, match=f"{problem} that are no numbers, or out of all reach"):
            read_body(str(path))
