"""Materials of one's own for Tales of Pirates' meshes: pictures go along, and plain colours, which the game shows of pictures alone, are
painted into one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.files.file_names import file_name
from ....core.images import pictures
from ....core.images.swatches import swatches
from ....core.mindpower.files.mesh.materials import Materials, fitting, new_material
from ....core.mindpower.surface.welded import Triangles
from ....core.reporting import log
from ....core.reporting.labels import counted
from ...blender.surface.materials.images import image_of
from ...blender.surface.materials.plain_colour import alpha_of, as_bytes, is_coloured, is_plain, shown, source_of
from ...blender.surface.materials.shown_nodes import CORNERS
from .mesh_materials import encoded, materials_of, own_colours

_TWO_SIDED, _HOLES = {22: 1}, {15: 1, 25: 5, 24: 0}
"""Direct3D render states: no culling; alpha test with "greater than 0"."""

_OPAQUE = 0.995
"""From which on a material is wholly opaque."""


@dataclass(frozen=True, eq=False)
class NewMaterials:
    """What slots of meshes become. records: (1,) each. record_of: (slots,) which of them each slot is. middles: (slots, 2) where on its
    picture all of what has a plain colour lies, v downwards; not a number for slots that keep their texture coordinates. pictures: files
    that go along, by their names."""

    records: list[NDArray[Any]]
    record_of: NDArray[np.int64]
    middles: NDArray[np.float64]
    pictures: dict[str, bytes]

    def of(self, triangles: Triangles) -> Triangles:
        """Triangles whose materials are slots with the records as their materials."""
        return replace(triangles.within(self.middles), materials=self.record_of[triangles.materials])


def new_materials(slots: Sequence[bpy.types.Material | None], used: Collection[int], name: str) -> NewMaterials:
    """Of meshes that never were the game's. used: the slots that faces have. name: of the character or mesh, for a picture of colours."""
    planned = _planned(slots, used, {}, name)
    different = dict.fromkeys(record.tobytes() for slot, record in enumerate(planned.records) if slot in used)
    order = list(different)
    record_of = [order.index(record.tobytes()) if slot in used else 0 for slot, record in enumerate(planned.records)]
    first = {record.tobytes(): record for record in planned.records}
    return replace(planned, records=[first[data] for data in order], record_of=np.array(record_of, np.int64))


def with_new_slots(obj: bpy.types.Object, materials: Materials, used: Collection[int]) -> tuple[Materials, NewMaterials]:
    """The file's materials and those of the mesh's further slots, as many as its faces use, since the game needs a material for each part
    of a mesh; also those in whose stead are colours of one's own. With the new ones the files of the pictures that these alone have."""
    own = len(materials)
    slots = materials_of(obj)[: max(own, max(used, default=-1) + 1)]
    new = {slot for slot in used if slot >= own} | (own_colours(obj) & set(used))
    known: dict[bpy.types.Image | None, str] = {}
    for index, slot in enumerate(slots[:own]):
        if slot is not None and index not in new and (names := materials.textures(index)):
            known[image_of(slot)] = names[0]
    planned = _planned(slots, new, known, obj.name)
    records = [
        fitting(record, materials.records) if index >= own or index in new else materials.records[index : index + 1]
        for index, record in enumerate(planned.records)
    ] + [materials.records[index : index + 1] for index in range(len(planned.records), own)]
    return replace(materials, records=np.concatenate([materials.records[:0], *records])), planned


def _planned(
    slots: Sequence[bpy.types.Material | None], used: Collection[int], known: Mapping[bpy.types.Image | None, str], name: str
) -> NewMaterials:
    """A record for each slot. known: names of pictures that are files already; any other goes along."""
    textures: dict[str, bytes] = {}
    middles = np.full((len(slots), 2), np.nan)
    plain = [index for index, slot in enumerate(slots) if index in used and is_plain(slot)]
    painted = ""
    if any(is_coloured(slots[index]) for index in plain):
        pixels, middles[plain] = swatches(np.array([as_bytes(shown(slots[index])) for index in plain]))
        painted = f"{file_name(name)[:24]}_{crc32(pixels.tobytes()):08x}.bmp"  # never another's
        textures[painted] = pictures.encode(pixels, painted)
        log.info(f"{counted(len(plain), 'plain colour')} in the picture {painted}, since the game shows none without one")
    records = [
        _new_record(slot, known, textures, painted if index in plain else "") if index in used else new_material([])
        for index, slot in enumerate(slots)
    ]
    _report_nodes([slots[index] for index in sorted(used) if index < len(slots)])
    return NewMaterials(records, np.arange(len(slots)), middles, textures)


def _new_record(
    slot: bpy.types.Material | None, known: Mapping[bpy.types.Image | None, str], textures: dict[str, bytes], painted: str
) -> NDArray[Any]:
    """(1,) of a material. known: names of pictures that are files already; any other goes into `textures`. painted: the picture that its
    plain colour is in."""
    image = image_of(slot) if slot is not None else None
    states = dict(_TWO_SIDED) if slot is not None and not slot.use_backface_culling else {}
    names = [painted] if painted else list[str]()
    if image is not None:
        name, data, holes = encoded(image)
        names, states = [known.get(image, name)], states | (_HOLES if holes else {})
        if image not in known:
            textures[name] = data
    record = new_material(names, states)
    if slot is not None and alpha_of(slot) < _OPAQUE:
        record["opacity"] = max(alpha_of(slot), 0.0)
    return record


def _report_nodes(slots: Sequence[bpy.types.Material | None]) -> None:
    """Say which materials have a colour that nodes make, and that neither a picture nor the corners' colours have."""
    mixed = [slot for slot in slots if slot is not None and image_of(slot) is None and source_of(slot) not in ("", *CORNERS)]
    if mixed:
        names = ", ".join(dict.fromkeys(slot.name for slot in mixed))
        log.warning(f"{names}: nodes make the colour, which the game draws white: bake it into a picture")
