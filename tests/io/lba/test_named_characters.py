"""Whole characters by their names: those that are built in, and those of a person's own list."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops
SAMPLES = Path(__file__).parents[3] / "samples" / "lba1"


def armatures() -> list[str]:
    return [obj.name for obj in bpy.context.scene.objects if obj.type == "ARMATURE"]


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("*nurse*", ["Nurse, clipboard"]),
        ("praying mantis", ["Praying mantis"]),
        ("Nurse, clipboard; 20", ["Nurse, clipboard", "Tank"]),
    ],
)
@pytest.mark.parametrize("how", ["entities", "entries", "address"])
def test_built_in(game_file: Callable[[str], Path], wanted: str, names: list[str], how: str) -> None:
    path = str(game_file("lba1/FILE3D.HQR"))
    if how == "address":
        OPS.import_anim.lba(filepath=f"{path}#{wanted}")
    else:
        OPS.import_anim.lba(filepath=path, **{how: wanted})
    assert sorted(armatures()) == names


def test_a_clip_by_what_a_character_uses_it_for(game_file: Callable[[str], Path]) -> None:
    """As `archive list` shows it: entry 1 of the first game is how Twinsen walks."""
    OPS.import_anim.lba(filepath=f"{game_file('lba1/ANIM.HQR')}#Twinsen, normal: walk")
    assert [action.name for action in bpy.data.actions] == ["ANIM 1 walk"]


def test_one_that_has_no_name_is_called_by_its_number(game_file: Callable[[str], Path]) -> None:
    """As the browser does, so that wildcards mean it, too. Its body is not among the test's files."""
    with pytest.raises(RuntimeError, match=r"BODY\.HQR#391: entry 391 is blank"):
        OPS.import_anim.lba(filepath=str(game_file("lba2/RESS.HQR")), entities="*entity*")


def test_clips_that_are_blank_are_one_line(game_file: Callable[[str], Path], part: Callable[[str], Any]) -> None:
    """Of Twinsen's car clips 83 and 192 to 202 are not among the test's files, of Twinsen, athletic, 66 to 81 and 83, too."""
    lba = part("io.lba")
    with part("core.reporting.log").collect() as said:
        lba.import_lba(bpy.context, lba.ImportOptions(paths=(str(game_file("lba2/ANIM.HQR")),), entities="1,12"))
    (line,) = [message.text for message in said.of("WARNING", "ERROR") if "blank" in message.text]
    assert line.endswith("28 entries are blank, so that nothing comes of them: 66-81, 83, 192-202")


@pytest.mark.parametrize("kind", ["FILE3D.hqd", "FILE3D.HQR.json", "given"])
def test_of_a_list(tmp_path: Path, kind: str) -> None:
    for file in SAMPLES.glob("*.HQR"):
        shutil.copy(file, tmp_path)
    text = json.dumps({"entries": [{"type": "entity", "game": "LBA1", "description": "Old Hero, blue"}]})
    listed = tmp_path / ("mine.json" if kind == "given" else kind)
    listed.write_text("Who\nOld Hero, blue\n" if kind.endswith("hqd") else text)
    own = {"names": str(listed)} if kind == "given" else {}
    OPS.import_anim.lba(filepath=str(tmp_path / "FILE3D.HQR"), entities="*hero*", **own)
    assert armatures() == ["Old Hero, blue"]
    with pytest.raises(RuntimeError, match="no entry is called villain"):
        OPS.import_anim.lba(filepath=str(tmp_path / "FILE3D.HQR"), entities="villain", **own)
