"""A material of a body in another colour of the game's palette, as it is shown and as it is written."""

from __future__ import annotations

import bpy

from ....core.lba.body import lm1_mesh, lm2_mesh
from ....core.lba.body.light import colours_of
from ....core.lba.fields import COLOUR, REACH, TYPE
from ....core.lba.files.palette import Palette
from ....core.lba.game import Look
from ....core.reporting.errors import RetroAnimError
from ...blender import armature, source_data
from ...blender.surface.materials import materials
from ...blender.surface.materials.materials import RAMP
from . import resources


def palette_of(obj: bpy.types.Object) -> Palette:
    """That of the body of a mesh object, a plain one where there is none. Raises RetroAnimError for another object."""
    return resources.palette_of(armature.data_of(_armature(obj)))


def recolour(obj: bpy.types.Object, index: int) -> bpy.types.Material:
    """Give the active slot of a body's mesh the material with another colour of the palette: of the same polygon type, lit as far, in the
    same look. Faces with the old one in other slots, and of other bodies, stay. Raises RetroAnimError for what has no colour."""
    before = obj.active_material
    kind, reach = (before.get(name) if before is not None else None for name in (TYPE, REACH))
    if before is None or not isinstance(kind, int) or COLOUR not in before:
        raise RetroAnimError(f"{obj.name}: its active material has no colour of the palette")
    look: Look = "PLAIN" if RAMP not in before or " game" not in before.name else "GAME"
    palette = palette_of(obj)
    resources.report_plain(palette)
    of = lm2_mesh if armature.data_of(_armature(obj)).get(source_data.FORMAT) == "lba-lm2" else lm1_mesh
    wanted = of.plain_material(colours_of(palette, look), kind & 0xFF, index, reach if isinstance(reach, int) else 0)
    (new,) = materials.build_all([wanted])
    obj.material_slots[obj.active_material_index or 0].material = new
    return new


def _armature(obj: bpy.types.Object) -> bpy.types.Object:
    owner = obj.find_armature() if obj.type == "MESH" else None
    if owner is None:
        raise RetroAnimError(f"{obj.name} is no mesh of a body")
    return owner
