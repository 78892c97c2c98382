"""Nothing is lost by an export of Oni, Oni 2 and Tales of Pirates either: other kinds of files, and what else one holds, stay."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.one_edit import edit
from support.oni.oni_trams import random_tram
from support.oni2.oni2_blender import two_bones

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops


@pytest.fixture
def oni(part: Part) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Importing and exporting."""
    module = part("io.oni")
    return (
        lambda *paths, **options: module.import_oni(bpy.context, module.ImportOptions(tuple(map(str, paths)), **options)),
        lambda path, **options: module.export_oni(bpy.context, module.ExportOptions(str(path), **options)).paths,
    )


def oni_file(part: Part, *records: Any) -> bytes:
    """A .oni with several instances."""
    module = part("core.oni.files.onifile")
    return module.OniFile.build([module.Part(each.tag, each.name, each.level_id, each.body, each.blocks) for each in records]).pack()


@pytest.fixture
def tram(part: Part, tmp_path: Path) -> Path:
    path = tmp_path / "TRAMtest1.oni"
    path.write_bytes(part("core.oni.files.documents").TramFile.new(random_tram(1)).pack())
    return path


def test_a_body_is_never_replaced_by_a_tram(oni: Any, part: Part, tram: Path, tmp_path: Path, errors: Any) -> None:
    body = tmp_path / "TRBSman.oni"
    imported = part("core.oni.body.body_file").body_file(part("core.oni.body.mannequin").mannequin(), "TRBSman")
    body.write_bytes(imported.pack())
    before = body.read_bytes()
    fetch, write = oni
    fetch(tram)
    for options in ({}, {"overwrite": True}):
        with pytest.raises(errors, match=r"TRBSman\.oni holds TRBSman and \d+ more instances, which would be lost: choose another file"):
            write(body, **options)
    assert body.read_bytes() == before


def test_what_else_a_oni_holds_stays(oni: Any, part: Part, tmp_path: Path, tram: Path) -> None:
    path, documents, onifile = tmp_path / "both.oni", part("core.oni.files.documents"), part("core.oni.files.onifile")
    first = documents.TramFile.parse(tram.read_bytes()).file.record(0)
    second = replace(first, name="TRAMother")
    plain = [replace(each, links={}) for each in (first, second)]
    path.write_bytes(oni_file(part, *plain))
    before = path.read_bytes()
    fetch, write = oni
    (action,) = fetch(tram).actions
    edit(part, action)
    write(path)
    after = onifile.OniFile.parse(path.read_bytes())
    assert [after.name(index) for index in range(2)] == [first.name, "TRAMother"]
    old = onifile.OniFile.parse(before)
    assert vars(after.record(1)) == vars(old.record(1))
    assert vars(after.record(0)) != vars(old.record(0))
    assert path.with_name("both.oni.bak").read_bytes() == before


def test_an_oni_that_another_program_changed(oni: Any, part: Part, tram: Path, errors: Any, said: Any) -> None:
    fetch, write = oni
    (action,) = fetch(tram).actions
    changed = part("core.oni.files.documents").TramFile.new(replace(random_tram(2), name="TRAMtest1")).pack()
    tram.write_bytes(changed)
    assert "changed by another program" in said(write, tram)
    edit(part, action)
    with pytest.raises(errors, match="changed by another program"):
        write(tram)
    assert tram.read_bytes() == changed
    write(tram, overwrite=True)
    assert tram.with_name(f"{tram.name}.bak").read_bytes() == changed


def test_xml_of_another_kind_is_not_replaced(oni: Any, tram: Path, tmp_path: Path, errors: Any) -> None:
    fetch, write = oni
    fetch(tram)
    for text in ("<Oni><ONCC id='0'/></Oni>", "<html/>", "no xml"):
        path = tmp_path / "other.xml"
        path.write_text(text)
        with pytest.raises(errors, match=r"other\.xml: what is there is not one TRAM alone"):
            write(path)
        assert path.read_text() == text


def test_skeletons_and_animations_of_oni_2(part: Part, tmp_path: Path, errors: Any) -> None:
    folder = two_bones(tmp_path)
    assert OPS.import_anim.oni2(filepath=str(folder / "two_step.anim")) == {"FINISHED"}
    skel = tmp_path / "three.skel"
    skel.write_text((folder / "two.skel").read_text())
    assert OPS.export_anim.oni2(filepath=str(skel)) == {"FINISHED"}
    before = skel.read_text().replace("bone ", "bone other_", 1)
    skel.write_text(before)
    assert OPS.export_anim.oni2(filepath=str(skel)) == {"FINISHED"}
    assert skel.read_text() == before, "the armature was not edited"
    foreign = tmp_path / "foreign.skel"
    foreign.write_text(before)
    with pytest.raises(RuntimeError, match=r"foreign\.skel holds another skeleton, of \d+ bones: choose Replace Anyway"):
        OPS.export_anim.oni2(filepath=str(foreign))
    assert foreign.read_text() == before
    assert OPS.export_anim.oni2(filepath=str(foreign), overwrite=True) == {"FINISHED"}
    assert (tmp_path / "foreign.skel.bak").read_text() == before
    junk = tmp_path / "junk.anim"
    junk.write_text("a list of animations, not one")
    with pytest.raises(RuntimeError, match="what is there is something else"):
        OPS.export_anim.oni2(filepath=str(junk))
    assert junk.read_text() == "a list of animations, not one"


@pytest.mark.parametrize("rest", [b"abc", bytes(40)])
def test_a_file_with_more_behind_what_it_has_is_written_again(part: Part, tmp_path: Path, rest: bytes) -> None:
    """Its size is not that of its kind, and of 40 zeros more it looks like an archive without entries."""
    path = two_bones(tmp_path) / "two_step.anim"
    before = path.read_bytes() + rest
    path.write_bytes(before)
    OPS.import_anim.oni2(filepath=str(path))
    edit(part, next(iter(bpy.data.actions)))
    assert OPS.export_anim.oni2(filepath=str(path)) == {"FINISHED"}
    after = path.read_bytes()
    assert after.endswith(rest) and len(after) == len(before)
    assert sum(old != new for old, new in zip(before, after, strict=True)) in range(1, 5), "more than one number of 32 bits"


def test_a_lab_of_another_character_is_not_replaced(part: Part, game_file: Any, tmp_path: Path) -> None:
    export, module = part("io.mindpower.write"), part("io.mindpower.build")
    labs = sorted(Path(game_file("mindpower")).rglob("*.lab"))
    names = {path: part("core.mindpower.files.skeleton.lab").Lab.parse(path.read_bytes()).names for path in labs[:6]}
    first = labs[0]
    second = next(path for path in names if set(names[path]) != set(names[first]))
    source, target = (Path(shutil.copyfile(path, tmp_path / path.name)) for path in (first, second))
    module.import_mindpower(bpy.context, module.ImportOptions((str(source),)))
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="holds another skeleton"):
        export.export_mindpower(bpy.context, export.ExportOptions(str(target)))
    assert target.read_bytes() == second.read_bytes()
    export.export_mindpower(bpy.context, export.ExportOptions(str(target), overwrite=True))
    assert target.read_bytes() == first.read_bytes()
    assert target.with_name(f"{target.name}.bak").read_bytes() == second.read_bytes()
