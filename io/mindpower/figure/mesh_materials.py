"""Materials and pictures of Tales of Pirates' meshes out of Blender."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.files.file_names import file_name
from ....core.images import pictures
from ....core.images.pixels import digest
from ....core.mindpower.files import names as file_names
from ....core.mindpower.files.mesh.lgo import Lgo
from ....core.mindpower.files.mesh.materials import UNUSED, Materials, set_state
from ....core.mindpower.surface.surface import CULL_MODE, NO_CULLING, PROPERTY
from ....core.reporting import log
from ....core.reporting.errors import ExportError
from ...blender.surface.materials.images import image_of, pixels_of, report_unshown
from ...blender.surface.materials.plain_colour import is_coloured, is_plain
from ...blender.surface.materials.shown_picture import shown_alpha
from ...blender.surface.skinned import materials_of

FORMAT = "LGO"

_ALIKE = 0.005
"""What the alpha of a material may be off, and still be the file's opacity."""


def own_colours(obj: bpy.types.Object) -> set[int]:
    """The slots of one's own with a plain colour, which is no file's."""
    own = ((index, slot) for index, slot in enumerate(materials_of(obj)) if slot is not None and PROPERTY.format("textures") not in slot)
    return {index for index, slot in own if is_plain(slot) and is_coloured(slot)}


def records_of(obj: bpy.types.Object, original: Lgo) -> tuple[Materials | None, dict[str, bytes]]:
    """The materials of the file with what was changed in their properties and pictures, and the files of the changed pictures."""
    materials = original.materials
    textures: dict[str, bytes] = {}
    if materials is None:
        return None, textures
    records = materials.records.copy()
    slots_of = [*materials_of(obj), *[None] * len(records)][: len(records)]
    painted = own_colours(obj)
    for index, slot in ((index, slot) for index, slot in enumerate(slots_of) if index not in painted):
        if slot is None:
            log.warning(f"material {index + 1} is gone: the file keeps its own")
            continue
        for item in ("opacity", "transparency"):
            value = slot.get(PROPERTY.format(item))
            if item in (records.dtype.names or ()) and value is not None and str(value) != str(getattr(materials, item)(index)):
                most = np.finfo(np.float32).max if item == "opacity" else np.iinfo(np.uint32).max
                if not isinstance(value, int | float) or not 0 <= value <= most:
                    raise ExportError(f"{slot.name}: {PROPERTY.format(item)} is no number that the file can hold: {value}")
                records[item][index] = value
        _shade(records[index : index + 1], slot, materials, index)
        before, now = ", ".join(materials.textures(index)), str(slot.get(PROPERTY.format("textures"), ""))
        slots = records["textures"][index]
        if now and now != before:
            for position, name in enumerate(now.split(",")[: len(slots)]):
                _name(slots, position, name.strip())
        elif (image := _changed_picture(slot, before)) is not None:
            name, data, holes = encoded(image)
            textures[name] = data
            _name(slots, 0, name)
            if int(slots["stage"][0]) == UNUSED:
                slots["stage"][0] = 0
            if holes and "colour_key_type" in (slots.dtype.names or ()):
                slots["colour_key_type"][0] = 0
            log.info(f"{slot.name}: its picture is another one than in the file: {name} is written with the mesh")
    return replace(materials, records=records), textures


def _shade(record: NDArray[Any], slot: bpy.types.Material, materials: Materials, index: int) -> None:
    """What a material of the file shows by its own settings: its alpha, where nobody changed the property, and whether it has two sides."""
    known, shown = materials.opacity(index), shown_alpha(slot)
    own, imported = slot.get(PROPERTY.format("opacity")), float(np.clip(np.nan_to_num(known, nan=1.0), 0, 1))
    if shown is not None and abs(shown - imported) > _ALIKE:
        if own is not None and str(own) != str(known):
            if isinstance(own, int | float) and abs(shown - own) > _ALIKE:
                name = PROPERTY.format("opacity")
                log.warning(f"{slot.name}: its Alpha is {shown:.3g}, and the file has its {name}, {own:.3g}: set that, or delete it")
        elif "opacity" in (record.dtype.names or ()):
            record["opacity"] = shown
        else:
            log.warning(f"{slot.name}: its Alpha is {shown:.3g}, and materials of such an old file are opaque: set it to 1")
    if slot.use_backface_culling == (materials.states(index).get(CULL_MODE) == NO_CULLING):
        try:
            set_state(record["states"][0], CULL_MODE, None if slot.use_backface_culling else NO_CULLING)
        except ValueError as error:
            log.warning(
                f"{slot.name}: Backface Culling is off, and the file keeps it on ({error}): switch it on, or flip copies of its faces"
            )


def _name(slots: NDArray[Any], position: int, name: str) -> None:
    field = slots["file"][position]
    field[:] = np.frombuffer(file_names.encode(name, len(field), field.tobytes()), "u1")


def _changed_picture(material: bpy.types.Material, textures: str) -> bpy.types.Image | None:
    """The picture of a material that shows another one than the file. textures: the file's own, by name."""
    image, before = image_of(material), material.get(PROPERTY.format("picture"))
    if before is None and PROPERTY.format("textures") in material:  # of a scene in which pictures were not remembered
        before = "" if image is None or Path(image.name).stem != Path(textures.split(",")[0]).stem else digest(pixels_of(image))
    if image is None:
        if before or (before is None and textures):
            log.warning(f"{material.name} has no picture any more: the file keeps {textures}")
        return None
    if digest(pixels_of(image)) != before:
        return image
    report_unshown(material, textures)
    return None


def encoded(image: bpy.types.Image) -> tuple[str, bytes, bool]:
    """The name and the bytes of a picture as a file of the game, and whether it has holes."""
    pixels = pixels_of(image)
    holes = bool((pixels[..., 3] < 255).any())
    name = f"{file_name(Path(image.name).stem)[:40]}{'.tga' if holes else '.bmp'}"
    return name, pictures.encode(pixels, name), holes
