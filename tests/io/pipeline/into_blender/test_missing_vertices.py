"""Meshes with references to vertices that are not there: the rest comes in, and the file goes out as it was, edited or not."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.lba import lba1_chain, lba2_chain

OPS: Any = bpy.ops
DATA: Any = bpy.data
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"

LM1_POLYGONS, LM1_LINES, LM1_SPHERES = 0x128, 0x154, 0x15E


@dataclass(frozen=True)
class Case:
    """A file with a reference that leads nowhere. faces: how many the surface has then. at: where these bytes are."""

    path: Path
    data: bytes
    faces: int
    spans: tuple[tuple[int, bytes], ...]


def u16(data: bytes, *patches: tuple[int, int]) -> tuple[bytes, tuple[tuple[int, bytes], ...]]:
    result = bytearray(data)
    for at, value in patches:
        struct.pack_into("<H", result, at, value)
    return bytes(result), tuple((at, struct.pack("<H", value)) for at, value in patches)


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    parts: tuple[Path, bytes, int, tuple[tuple[int, bytes], ...]] = {"LM1": lm1, "LM2": lm2, "LGO": lgo}[request.param](tmp_path)
    path, data, faces, spans = parts
    path.write_bytes(data)
    return Case(path, data, faces, spans)


def lm1(folder: Path) -> tuple[Path, bytes, int, tuple[tuple[int, bytes], ...]]:
    """The first polygon on a point beyond the last one, the second on half a one, the third lit by a normal that is not there; the line
    and the sphere on none."""
    polygon = LM1_POLYGONS + 2
    patches = ((polygon + 4, 66), (polygon + 10 + 6, 7), (polygon + 22 + 8, 300), (LM1_LINES + 2 + 4, 0xFFFF), (LM1_SPHERES + 2 + 6, 66))
    count = struct.unpack_from("<H", lba1_chain.LM1, LM1_POLYGONS)[0]
    data, spans = u16(lba1_chain.LM1, *patches)
    return folder / "odd.lm1", data, count - 2, spans


def lm2(folder: Path) -> tuple[Path, bytes, int, tuple[tuple[int, bytes], ...]]:
    """The first polygon, the first line and the second sphere on a point that is not there; a textured one with a region that is not."""
    data = lba2_chain.LM2
    table = dict(enumerate(struct.iter_unpack("<II", data[0x20:0x60])))
    starts = [table[4][1]]
    for _, records in lba2_chain.RUNS:
        starts.append(starts[-1] + 8 + sum(2 * len(record) for record in records))
    count = sum(len(records) for _, records in lba2_chain.RUNS)
    data, spans = u16(data, (starts[0] + 8, 11), (starts[4] + 8 + 6, 3), (table[5][1] + 6, 40), (table[6][1] + 8 + 4, 0xFFFF))
    return folder / "odd.lm2", data, count - 1, spans


def lgo(folder: Path) -> tuple[Path, bytes, int, tuple[tuple[int, bytes], ...]]:
    """One triangle on a vertex beyond the last one, another on one beyond all reason."""
    root = folder / "client"
    shutil.copytree(SAMPLES / "mindpower", root, copy_function=shutil.copyfile)
    path = root / "model" / "character" / "0001000000.lgo"
    data = path.read_bytes()
    at = struct.unpack_from("<4I", data, 104)
    mesh = 120 + at[0]
    vertices, indices, subsets = struct.unpack_from("<3I", data, mesh + 8)
    first = mesh + at[1] - 16 * subsets - 4 * indices
    changed = bytearray(data)
    struct.pack_into("<I", changed, first + 4, vertices)
    struct.pack_into("<I", changed, first + 12, 0xFFFFFFF0)
    spans = ((first + 4, struct.pack("<I", vertices)), (first + 12, struct.pack("<I", 0xFFFFFFF0)))
    return path, bytes(changed), indices // 3 - 2, spans


def surface() -> Any:
    """The mesh object with the most vertices, that is no line and no sphere."""
    return max((obj for obj in DATA.objects if obj.type == "MESH"), key=lambda obj: (obj.name.endswith("mesh"), len(obj.data.vertices)))


def body_of(part: Part) -> bytes:
    obj = next(each for each in DATA.objects if each.type == "ARMATURE")
    return part("io.lba.bodies").pack_body(bpy.context, obj, part("core.lba.game").BodyOptions()).pack()


def imported(path: Path, part: Part) -> tuple[list[str], Callable[[], bytes]]:
    """What was warned of, and what gives the file anew."""
    log = part("core.reporting.log")
    with log.collect() as said:
        if path.suffix == ".lgo":
            mindpower = part("io.mindpower.build")
            mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),)))
        else:
            part("io.lba").import_lba(bpy.context, part("io.lba").ImportOptions((str(path),)))
    written = path.parent / "written.lgo"

    def out() -> bytes:
        if path.suffix != ".lgo":
            return body_of(part)
        export = part("io.mindpower.write")
        export.export_mindpower(bpy.context, export.ExportOptions(str(written), overwrite=True))
        return written.read_bytes()

    return [message.text for message in said.of("WARNING")], out


@pytest.mark.parametrize("case", ["LM1", "LM2", "LGO"], indirect=True)
def test_the_rest_comes_in_and_the_file_goes_out(case: Case, part: Part) -> None:
    warned, out = imported(case.path, part)
    assert len(surface().data.polygons) == case.faces
    assert any("on vertices that are not there: left out" in line for line in warned)
    with part("core.reporting.log").collect() as said:
        assert out() == case.data
        surface().data.vertices[8].co.x += 0.01  # no pivot
        edited = out()
    assert said.of("WARNING") == []
    assert len(edited) == len(case.data) and edited != case.data
    assert [edited[at : at + len(span)] for at, span in case.spans] == [span for _, span in case.spans]


@pytest.mark.parametrize("case", ["LM1", "LM2"], indirect=True)
def test_a_body_with_more_points_still_names_none(case: Case, part: Part) -> None:
    """A reference to what is not there must not lead to one of the new points."""
    _, out = imported(case.path, part)
    obj = surface()
    obj.data.vertices.add(40)
    for vertex in obj.data.vertices[-40:]:
        vertex.co = (0.1 * vertex.index, 0, 0)
        obj.vertex_groups[0].add([vertex.index], 1.0, "REPLACE")
    files = part("core.lba.files.lm1" if case.path.suffix == ".lm1" else "core.lba.files.lm2")
    document = getattr(files, case.path.suffix[1:].capitalize()).parse(out())
    assert len(document.points) == 11 + 40
    assert len(part("core.lba.body.visible_faces").shown_faces(document)) == case.faces


@pytest.mark.parametrize("case", ["LGO"], indirect=True)
def test_a_mesh_written_anew_says_what_it_leaves_out(case: Case, part: Part) -> None:
    import bmesh

    _, out = imported(case.path, part)
    mesh: Any = bmesh.new()
    mesh.from_mesh(surface().data)
    bmesh.ops.delete(mesh, geom=list(mesh.faces)[:1], context="FACES_ONLY")
    mesh.to_mesh(surface().data)
    mesh.free()
    with part("core.reporting.log").collect() as said:
        assert out() != case.data
    assert "2 faces of the file are not written: they name vertices that it does not have" in [line.text for line in said.of("WARNING")]


def test_oni_2(tmp_path: Path) -> None:
    """An adjunct on a vertex that is not there: the triangles that use it are left out."""
    root = tmp_path / "game"
    shutil.copytree(SAMPLES / "oni2", root, copy_function=shutil.copyfile)
    path = root / "Entity" / "mannequin" / "mannequin.mod"
    lines = path.read_text().splitlines(keepends=True)
    packet = next(index for index, line in enumerate(lines) if line.startswith("packet"))
    adjunct = next(index for index in range(packet, len(lines)) if lines[index].split()[:1] == ["adj"])
    parts = lines[adjunct].split()
    lines[adjunct] = "\t" + "\t".join([parts[0], "99999", *parts[2:]]) + "\n"
    end = next(index for index in range(adjunct, len(lines)) if lines[index].startswith("}"))
    users = sum(line.split()[0] == "tri" and "0" in line.split()[1:] for line in lines[adjunct:end] if line.strip())
    every = sum(line.split()[:1] == ["tri"] for line in lines)
    assert users
    path.write_text("".join(lines), newline="")
    before = path.read_bytes()
    OPS.import_anim.oni2(filepath=str(root / "Entity" / "mannequin" / "Entity.type"), fps_mode="SET")
    assert len(surface().data.polygons) == every - users
    OPS.export_anim.oni2(filepath=str(path), overwrite=True)
    assert path.read_bytes() == before
    surface().data.vertices[100].co.x += 0.125
    OPS.export_anim.oni2(filepath=str(path), overwrite=True)
    changed = [line for line, old in zip(path.read_text().splitlines(True), lines, strict=True) if line != old]
    assert [line.split()[0] for line in changed] == ["v"]


def test_oni(game_file: Callable[[str], Path], tmp_path: Path) -> None:
    from support.oni.oni_bodies import read

    data = game_file("oni/instances/TRBSTESTbody.oni").read_bytes()
    bone = read(data).bones[10]
    assert bone is not None
    at = data.index(bone.strips)
    broken = data[: at + 8] + struct.pack("<I", 5000) + data[at + 12 :]
    path = tmp_path / "TRBSTESTbody.oni"
    path.write_bytes(data)
    OPS.import_anim.oni(filepath=str(path))
    whole = len(surface().data.polygons)
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    path.write_bytes(broken)
    OPS.import_anim.oni(filepath=str(path))
    assert 0 < whole - len(surface().data.polygons) <= 3
    out = tmp_path / "TRBSout.oni"
    OPS.export_mesh.oni(filepath=str(out))
    assert out.read_bytes() == broken
