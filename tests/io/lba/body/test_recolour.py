"""A colour picked from the palette: what the material shows, and the bytes of its faces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]


def mesh_of(path: Path, entry: str, look: str) -> Any:
    OPS.import_anim.lba(filepath=str(path), entries=entry, look=look)
    armature = CONTEXT.object
    mesh = next(child for child in armature.children_recursive if child.name.endswith("mesh"))
    CONTEXT.view_layer.objects.active = mesh
    return mesh


@pytest.mark.parametrize("look", ["PLAIN", "GAME"])
@pytest.mark.parametrize(("archive", "entry"), [("lba1/BODY.HQR", "0"), ("lba2/BODY.HQR", "2")])
def test_it_is_shown_and_written(game_file: Callable[[str], Path], part: Part, archive: str, entry: str, look: str) -> None:
    mesh = mesh_of(game_file(archive), entry, look)
    slots = [slot.material for slot in mesh.material_slots]
    mesh.active_material_index = next(index for index, each in enumerate(slots) if "lba_colour" in each and each["lba_reach"] > 2)
    old = mesh.active_material
    kind, colour, reach = old["lba_type"], old["lba_colour"], old["lba_reach"]
    faces = sum(polygon.material_index == mesh.active_material_index for polygon in mesh.data.polygons)
    wanted = (colour + 96) % 256 // 16 * 16
    assert OPS.retro_anim.lba_colour(colour=wanted) == {"FINISHED"}
    new = mesh.active_material
    assert (new["lba_type"], new["lba_colour"], new["lba_reach"]) == (kind, wanted, reach)
    assert (" game" in new.name) == (look == "GAME")
    palette = part("core.lba.files.palette").Palette.parse(part("core.archives").content(f"{game_file(archive.replace('BODY', 'RESS'))}#0"))
    assert np.array(new["retro_anim_ramp"])[:3] == pytest.approx(palette.colours[wanted] / 255, abs=1e-6)
    bodies, options = part("io.lba.bodies"), part("core.lba.game").BodyOptions()
    armature = mesh.find_armature()
    before, after = part("io.blender.source_data").kept(armature.data), bodies.pack_body(CONTEXT, armature, options).pack()
    changed = [index for index in range(len(before)) if before[index] != after[index]]
    assert len(after) == len(before) and len(changed) == faces
    assert {(before[index], after[index]) for index in changed} == {(colour, wanted)}


def test_only_for_what_has_a_colour(game_file: Callable[[str], Path]) -> None:
    mesh = mesh_of(game_file("lba1/BODY.HQR"), "0", "PLAIN")
    CONTEXT.view_layer.objects.active = mesh.find_armature()
    assert not OPS.retro_anim.lba_colour.poll()
    CONTEXT.view_layer.objects.active = mesh
    mesh.active_material = bpy.data.materials.new("of one's own")
    assert not OPS.retro_anim.lba_colour.poll()
