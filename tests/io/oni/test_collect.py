"""*Put Into Collection*: the animation that was exported under a new name, in the file of the character's collection."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context


def test_under_the_name_that_it_was_exported_by(
    game_file: Callable[[str], Path], part: Callable[[str], ModuleType], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    onifile, documents = part("core.oni.files.onifile"), part("core.oni.files.documents")
    collection = tmp_path / "TRACkonoko.oni"
    collection.write_bytes(onifile.OniFile.build([onifile.Part("TRAC", "TRACkonoko", body=bytes(24))]).pack())
    shutil.copyfile(game_file("oni/instances/TRAMTESTrandom.oni"), tmp_path / "TRAMTESTrandom.oni")
    OPS.import_anim.oni(filepath=str(tmp_path / "TRAMTESTrandom.oni"))
    OPS.export_anim.oni(filepath=str(tmp_path / "TRAMTESTnew.oni"))
    assert part("io.oni.fields.copied_fields").likely_file(CONTEXT.object.animation_data.action, None, "TRAC") == str(collection)
    assert OPS.retro_anim.oni_collect(file=str(collection), weight=30) == {"FINISHED"}
    assert f"written: {collection}, with TRAMTESTnew, 1 animation\n" in capfd.readouterr().out
    written = documents.CollectionFile.parse(collection.read_bytes()).collection
    assert (written.names, written.weights) == (("TRAMTESTnew",), (30,))
    assert OPS.retro_anim.oni_collect(file=str(collection), how="REMOVE") == {"FINISHED"}
    assert documents.CollectionFile.parse(collection.read_bytes()).collection.names == ()
    with pytest.raises(RuntimeError, match="a TRAM, and not a TRAC"):
        OPS.retro_anim.oni_collect(file=str(tmp_path / "TRAMTESTrandom.oni"))
