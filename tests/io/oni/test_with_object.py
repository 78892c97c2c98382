"""An object animation that carries a character, by the numbers of the format's description, and what is exported then."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context


@pytest.fixture
def folder(game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    for name in ("TRBSTESTbody", "TRAMTESTrandom", "OBANBlackvan_FB_wiki"):
        shutil.copyfile(game_file(f"oni/instances/{name}.oni"), tmp_path / f"{name}.oni")
    return tmp_path


def character(folder: Path) -> Any:
    OPS.import_anim.oni(filepath=str(folder / "TRAMTESTrandom.oni"))
    return CONTEXT.object


def test_the_object_carries_the_character(folder: Path) -> None:
    """At frame 0 of the given file X becomes (1.82, 0, 0), Y (0, 0, -1.82) and Z (0, 1.82, 0), around (1188.83, -55.00, -109.01)."""
    obj = character(folder)
    assert OPS.retro_anim.oni_together(file=str(folder / "OBANBlackvan_FB_wiki.oni")) == {"FINISHED"}
    CONTEXT.scene.frame_set(1)
    posed = obj.evaluated_get(CONTEXT.evaluated_depsgraph_get())
    own = np.array(posed.pose.bones["head"].head)
    x, y, z = own[0] / 0.1, own[2] / 0.1, -own[1] / 0.1
    game = 1.82 * np.array([x, z, -y]) + [1188.825561, -54.997646, -109.012428]
    shown = np.array(posed.matrix_world @ posed.pose.bones["head"].head)
    assert shown == pytest.approx(np.array([game[0], -game[2], game[1]]) * 0.1, abs=1e-3)
    assert "RealWorld" in obj.animation_data.action.oni_tram.flags


def test_both_are_exported_as_before(folder: Path, tmp_path: Path) -> None:
    obj = character(folder)
    OPS.retro_anim.oni_together(file=str(folder / "OBANBlackvan_FB_wiki.oni"), real_world=False)
    OPS.export_anim.oni(filepath=str(tmp_path / "out.oni"))
    assert (tmp_path / "out.oni").read_bytes() == (folder / "TRAMTESTrandom.oni").read_bytes()
    CONTEXT.view_layer.objects.active = obj.parent
    OPS.export_anim.oni(filepath=str(tmp_path / "object.oni"))
    assert (tmp_path / "object.oni").read_bytes() == (folder / "OBANBlackvan_FB_wiki.oni").read_bytes()


def test_a_camera_looks(folder: Path) -> None:
    obj = character(folder)
    OPS.retro_anim.oni_together(file=str(folder / "OBANBlackvan_FB_wiki.oni"), camera=True)
    assert obj.parent is None
    assert CONTEXT.scene.camera.animation_data.action.name == "OBANBlackvan_FB_wiki"
    assert "RealWorld" not in obj.animation_data.action.oni_tram.flags


def test_the_selected_object(folder: Path) -> None:
    OPS.import_anim.oni(filepath=str(folder / "OBANBlackvan_FB_wiki.oni"))
    empty = CONTEXT.object
    obj = character(folder)
    with pytest.raises(RuntimeError, match="select the object with the object animation besides the character"):
        empty.select_set(False)
        OPS.retro_anim.oni_together()
    empty.select_set(True)
    assert OPS.retro_anim.oni_together() == {"FINISHED"}
    assert obj.parent == empty
    with pytest.raises(RuntimeError, match="is no object animation"):
        OPS.retro_anim.oni_together(file=str(folder / "TRAMTESTrandom.oni"))


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_what_the_object_does_is_no_part_of_the_character_s_file(folder: Path, tmp_path: Path, part: Any, sampling: str) -> None:
    """Only the flag has changed: nobody is asked to bake the object's motion into it, which the game would then play twice."""
    obj = character(folder)
    OPS.retro_anim.oni_together(file=str(folder / "OBANBlackvan_FB_wiki.oni"))
    options = part("core.oni.game").ExportOptions(str(tmp_path / "out.oni"), sampling=sampling)
    with part("core.reporting.log").collect() as said:
        part("io.oni").export_oni(CONTEXT, options)
    assert not [message.text for message in said.messages if "parent" in message.text]
    before, after = ((path / name).read_bytes() for path, name in ((folder, "TRAMTESTrandom.oni"), (tmp_path, "out.oni")))
    if sampling == "KEYS":
        (changed,) = (index for index, (one, other) in enumerate(zip(before, after, strict=True)) if one != other)
        assert after[changed] ^ before[changed] == 2 and obj.parent is not None  # 0x20000
