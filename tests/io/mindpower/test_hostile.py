"""What cannot be read of Tales of Pirates is refused by a line of its own, and leaves the scene as it was."""

from __future__ import annotations

import struct
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.mindpower.mindpower_warrior import Part

OPS: Any = bpy.ops
"""The stubs do not know our operators."""


def snapshot() -> dict[str, Any]:
    """What the user would notice."""
    kinds = [name for name in dir(bpy.data) if isinstance(getattr(bpy.data, name), bpy.types.bpy_prop_collection)]
    active = bpy.context.view_layer.objects.active
    return {
        **{name: len(getattr(bpy.data, name)) for name in kinds},
        "selected": sorted(obj.name for obj in bpy.context.selected_objects),
        "active": active.name if active else None,
        "rate": (bpy.context.scene.render.fps, bpy.context.scene.render.fps_base),
    }


HOSTILE = {
    "empty": b"",
    "short": b"\x05\x10\x00\x00\x02\x00\x00\x00",
    "counts": b"\x05\x10\x00\x00" + b"\xff" * 12 + b"\x03\x00\x00\x00" + bytes(100),
    "version": b"\x06\x10\x00\x00" + bytes(200),
}


@pytest.mark.parametrize("name", [*HOSTILE, "cut"])
@pytest.mark.parametrize("suffix", [".lab", ".lgo"])
def test_a_hostile_file(part: Part, copied: Path, tmp_path: Path, name: str, suffix: str) -> None:
    whole = next(copied.rglob(f"*{suffix}")).read_bytes()
    file = tmp_path / f"bad{suffix}"
    file.write_bytes(HOSTILE.get(name, whole[: len(whole) // 2]))
    before = snapshot()
    mindpower = part("io.mindpower.build")
    with pytest.raises(part("core.reporting.errors").RetroAnimError) as raised:
        mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(file),), fps_mode="SET"))
    assert str(raised.value).startswith(str(file))
    assert snapshot() == before
    with pytest.raises(RuntimeError) as reported:
        OPS.import_anim.mindpower(filepath=str(file))
    assert "Traceback" not in str(reported.value)
    assert snapshot() == before


def test_a_failure_while_building(part: Part, copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, mindpower = snapshot(), part("io.mindpower.build")

    def fail(*_: object) -> None:
        raise part("core.reporting.errors").FormatError("broken")

    monkeypatch.setattr(part("io.mindpower.figure.dummies"), "build", fail)
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="broken"):
        mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(copied / "animation" / "0741.lab"),), fps_mode="SET"))
    assert snapshot() == before


def test_a_broken_mesh_does_not_keep_the_character_away(part: Part, copied: Path) -> None:
    (copied / "model" / "character" / "0741000000.lgo").write_bytes(b"nothing")
    mindpower = part("io.mindpower.build")
    with part("core.reporting.log").collect() as said:
        imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(copied / "animation" / "0741.lab"),)))
    assert (len(imported.armatures), len(imported.meshes)) == (1, 0)
    assert any("0741000000.lgo" in str(line) for line in said.of("ERROR"))


@pytest.mark.parametrize(
    ("rows", "ranges"),
    [
        (b"\t1\t0\t20\r\n\t2\t10\t30\t15\r\n", [(0, 20), (10, 30)]),
        (b"\t1\t30\t10\r\n\t2\t5\t8\r\n", [(5, 8)]),
        (b"\t1\t70\t99999\t80000\r\n\t2\t500\t600\r\n", [(70, 78)]),
        (b"\t1\t0\t0\r\n", [(0, 78)]),
        (b"\t1\t5\t5\r\n\t3\t5\t5\r\n\t1\t6\t9\t7,8 7\r\n", [(5, 5), (6, 9)]),
        (b"nonsense\r\n\t\t\t\r\n\tx\ty\r\n", [(0, 78)]),
    ],
    ids=["overlapping", "reversed", "beyond", "unused", "one frame", "no numbers"],
)
def test_a_hostile_table(part: Part, copied: Path, rows: bytes, ranges: list[tuple[int, int]]) -> None:
    """Kept, reported, not fatal: the skeleton and the table come out as they went in."""
    path, table = copied / "animation" / "0741.lab", copied / "scripts" / "txt" / "CharacterAction.tx"
    table.write_bytes(b"// comment\r\n7\r\n" + rows + b"8\r\n\t1\t1\t2\r\n")
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.pack")
    imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),), action_type=7))
    assert [tuple(action["mindpower_range"]) for action in imported.actions] == ranges
    packed = export.pack_lab(bpy.context, imported.armatures[0], export.ExportOptions(""))
    assert packed.data == path.read_bytes()
    assert packed.actions.table.with_rows(packed.actions.type, packed.actions.rows).pack() == table.read_bytes()


@pytest.mark.parametrize("where", [(0, 0), (1, 2), (3, 1), slice(None)])
def test_a_dummy_whose_matrix_blender_has_no_room_for(part: Part, copied: Path, where: Any) -> None:
    """It is shown with finite numbers, and comes out as it went in."""
    path, lab = copied / "animation" / "0741.lab", part("core.mindpower.files.skeleton.lab").Lab
    document = lab.parse(path.read_bytes())
    dummies = document.dummies.copy()
    dummies["matrix"][0][where] = 3.4e38
    path.write_bytes(replace(document, dummies=dummies).pack())
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.pack")
    imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),)))
    bpy.context.view_layer.update()
    empties = [obj for obj in bpy.data.objects if "mindpower_dummy" in obj]
    assert empties and all(np.isfinite(np.array(obj.matrix_world)).all() for obj in empties)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        packed = export.pack_lab(bpy.context, imported.armatures[0], export.ExportOptions(""))
    assert packed.data == path.read_bytes()


@pytest.mark.parametrize("column", [0, 1, 2, 3])
def test_a_key_without_an_inverse(part: Part, tmp_path: Path, column: int) -> None:
    """Whatever column of a whole matrix is nothing above a bone that is sheared, the file comes out as it went in."""
    path = tmp_path / "0001.lab"
    head = struct.pack("<5I", 0x1005, 2, 3, 0, 2)
    bones = b"".join(struct.pack("<64s2I", name, number, parent) for number, (name, parent) in enumerate(((b"a", 0xFFFFFFFF), (b"b", 0))))
    keys = np.tile(np.eye(4, dtype="<f4"), (2, 3, 1, 1))
    keys[1, :, 3, 2], keys[1, :, 0, 1] = 1, 0.5
    keys[0, 1, :, column] = 0
    path.write_bytes(head + bones + np.eye(4, dtype="<f4").tobytes() * 2 + keys.tobytes())
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.pack")
    imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        packed = export.pack_lab(bpy.context, imported.armatures[0], export.ExportOptions(""))
    assert packed.data == path.read_bytes()
