"""Materials of Oni 2's meshes out of Blender: their names, colours and textures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

import bpy

from ...core.oni2.files.mesh import mod_write
from ...core.oni2.files.mesh.mod import Mod
from ...core.oni2.files.mesh.model import Model, Surface
from ...core.reporting import labels
from ..blender import compat
from ..blender.surface.materials.images import name_of
from ..blender.surface.materials.plain_colour import DEFAULT, shown, source_of

Slot = bpy.types.Material | None

_TEXTURE = "texture"
"""Custom property of a material: the name of its texture."""

_PLAIN = Surface("material", 0, DEFAULT, "")
"""Of faces without a material."""

_ALIKE = 1e-4
"""Of the parts of a colour, 0 to 1, within which it is the file's."""


def edited(mod: Mod, model: Model, materials: Sequence[Slot]) -> Model | None:
    """With the names, colours and textures that its materials have now; None where the file has no room for them."""
    slots = [*materials, *[None] * len(model.surfaces)]
    surfaces = [before if slot is None else _edited_surface(slot, before) for before, slot in zip(model.surfaces, slots, strict=False)]
    pairs = enumerate(zip(model.surfaces, surfaces, strict=True))
    if not all(mod_write.can_patch(mod, before, after, index) for index, (before, after) in pairs):
        return None
    return model if surfaces == list(model.surfaces) else replace(model, surfaces=tuple(surfaces))


def _edited_surface(slot: bpy.types.Material, before: Surface) -> Surface:
    """What a material of the file is now; parts of its colour that are shown as an import shows the file's are those."""
    now = _surface(slot, before, before.packets)
    red, green, blue = (
        old if source_of(slot) or abs(min(max(old, 0.0), 1.0) - new) < _ALIKE else new
        for old, new in zip(before.diffuse, now.diffuse, strict=True)
    )
    return replace(now, diffuse=(red, green, blue))


def anew(materials: Sequence[Slot], known: Sequence[Surface]) -> list[Surface]:
    """A material of the file for each of the mesh; one of the file's own keeps its name and texture."""
    pairs = zip_longest(materials, known[: len(materials)])
    return [_PLAIN if slot is None else _surface(slot, before, 0) for slot, before in pairs] or [_PLAIN]


def _surface(slot: bpy.types.Material, known: Surface | None, packets: int) -> Surface:
    """A material as one of the file. known: what it was there; a picture of its own comes before the texture that it had."""
    plain = re.sub(r"\.\d{3}$", "", slot.name)
    own = known is not None and plain in (known.name, labels.label(known.name, "material", compat.NAME_LIMIT))
    texture = Path(name_of(slot)).stem or str(slot.get(_TEXTURE, ""))
    red, green, blue = (round(part, 6) for part in shown(slot))
    return Surface(known.name if own and known is not None else plain, packets, (red, green, blue), texture)
