"""The meshes of a character as those of its bones: every face goes with the bone that most of its corners hang on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.images.pixels import Pixels, digest
from ....core.motion.rigs.rig import Y_UP
from ....core.motion.rotations import quaternion
from ....core.oni.body.body import Body
from ....core.oni.body.drawn import Drawn
from ....core.oni.body.geometry import UNNAMED_TEXTURE
from ....core.oni.body.textures.body_textures import PROPERTY as TEXTURE
from ....core.oni.motion.evaluate import Joints
from ....core.oni.motion.rig import NAMES
from ....core.reporting import log
from ....core.reporting.errors import ExportError
from ....core.reporting.labels import counted
from ....core.surface.mesh import FACE_NUMBER, POINT_NUMBER
from ...blender.arrays import values_of
from ...blender.surface.materials.images import image_of, pixels_of, report_unshown
from ...blender.surface.materials.plain_colour import as_bytes, is_plain
from ...blender.surface.materials.plain_colour import shown as colour_of
from ...blender.surface.skinned import (
    attribute,
    drawn_uvs,
    mesh_of,
    mirrored,
    positions_of,
    report_shared,
    report_unwrapped,
    rest_world_of,
    strongest,
)
from ..fields.properties import instance_name
from . import one_picture

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PICTURE = "oni_picture"
"""Custom property of a picture: the digest of its pixels when it came in."""


@dataclass(eq=False)
class _Taken:
    """Which points and triangles of the file are given away: of copies the first one is what the file has."""

    body: Body
    given: set[str] = field(default_factory=set[str])

    def numbers(self, data: bpy.types.Mesh, name: str, domain: Literal["POINT", "FACE"], size: int, count: int) -> Ints:
        """(size,) in the file as a whole, -1 for new ones."""
        stored = attribute(data, name, domain)
        if stored is None:
            return np.full(size, -1)
        numbers = (stored & 0xFFFF) - 1
        numbers = np.where((stored >> 16 == self.body.stamp) & (numbers < count), numbers, -1)
        first = np.zeros(size, bool)
        first[np.unique(numbers, return_index=True)[1]] = True
        return np.where(first & (numbers >= 0), numbers, -1)


@dataclass(frozen=True, eq=False)
class _Part:
    """A mesh. positions: (V, 3) in the game's axes and units. bones: (V,). triangles: (T, 3) vertices, on: (T,) the bone of each."""

    positions: Floats
    bones: Ints
    numbers: Ints
    triangles: Ints
    face_numbers: Ints
    on: Ints
    normals: Floats
    uvs: Floats
    textures: list[str]


@dataclass(frozen=True, eq=False)
class Read:
    """drawn: of each bone. pictures: those that are new or were edited, by the names of their textures."""

    drawn: list[Drawn | None]
    pictures: dict[str, Pixels]


@dataclass(frozen=True, eq=False)
class Stand:
    """What the meshes hang on. number: the bone of the game that each bone of the armature is of, by its name. space: (4, 4) the scene's
    space -> that of the body, in Blender's axes. scale: Blender units a game unit. joints: the game's bones at rest, (1, B, ...). bare: the
    bone of the game that vertices without one go with, -1 to refuse them. stem: what pictures get a name by that have none, inside a body's
    file; "" to leave them there. together: the name of a picture of all that bones with several pictures or a plain colour have; "" to give
    each bone the texture of most of its faces."""

    obj: bpy.types.Object
    number: Mapping[str, int]
    space: Floats
    scale: float
    joints: Joints
    bare: int = -1
    stem: str = ""
    together: str = ""


def drawn_of(stand: Stand, meshes: Sequence[bpy.types.Object], body: Body, shown: Sequence[str]) -> Read:
    """The meshes of an armature. body: what came in. shown: by which names its bones had their textures then. Raises ExportError for
    vertices that no bone moves."""
    taken = _Taken(body)
    pictures: dict[str, Pixels] = {}
    looks: dict[str, Pixels] = {}
    parts = [_part_of(mesh, stand, taken, pictures, looks) for mesh in meshes]
    whole = _joined(parts)
    if stand.together:
        shared = one_picture.in_one(whole.uvs, whole.textures, whole.on, looks, stand.together)
        whole = replace(whole, uvs=shared.uvs, textures=shared.textures)
        if shared.pixels is not None:
            pictures[stand.together] = shared.pixels
        pictures = {name: pixels for name, pixels in pictures.items() if name in shared.textures}
    drawn = [_of_bone(bone, whole, stand.joints, body, shown[bone] if bone < len(shown) else "") for bone in range(len(body))]
    across = int((whole.bones[whole.triangles] != whole.on[:, None]).any(axis=1).sum())
    if across:
        said = log.info if stand.bare >= 0 else log.warning  # a body that is made of any skinned mesh has many
        said(
            f"{counted(across, 'triangle hangs', 'triangles hang')} on several bones: each goes whole with that of most of its corners: "
            "split such faces off in Edit Mode (Mesh > Split > Selection), and give all corners of each to one bone, to see that",
        )
    return Read(drawn, pictures)


def _part_of(mesh: bpy.types.Object, stand: Stand, taken: _Taken, pictures: dict[str, Pixels], looks: dict[str, Pixels]) -> _Part:
    data = mesh_of(mesh)
    matrix = stand.space @ rest_world_of(mesh, stand.obj)
    positions = positions_of(mesh, matrix) / stand.scale @ Y_UP
    normals = values_of(data.corner_normals, "vector", np.float32, 3).astype(np.float64) @ np.linalg.inv(matrix[:3, :3]) @ Y_UP
    layer = next(iter(drawn_uvs(data)), None)
    report_unwrapped(mesh)
    loops = values_of(data.loops, "vertex_index", np.int32).astype(np.int64)
    uvs = values_of(layer.uv, "vector", np.float32, 2).astype(np.float64) if layer is not None else np.zeros((len(loops), 2))
    data.calc_loop_triangles()
    corners = values_of(data.loop_triangles, "loops", np.int32, 3).astype(np.int64)
    faces = values_of(data.loop_triangles, "polygon_index", np.int32).astype(np.int64)
    if mirrored(matrix):
        corners = corners[:, ::-1]
    bones = _bones(mesh, stand)
    sizes = values_of(data.polygons, "loop_total", np.int32)
    counts = np.zeros((len(data.polygons), len(taken.body)), np.int64)
    np.add.at(counts, (np.repeat(np.arange(len(sizes)), sizes), bones[loops]), 1)
    points_end, faces_end = (int(ends[-1]) for ends in taken.body.starts)
    face_numbers = np.where(sizes == 3, taken.numbers(data, FACE_NUMBER, "FACE", len(sizes), faces_end), -1)
    materials = [slot.material for slot in mesh.material_slots]
    names_of = [_texture(material, pictures, looks, stand) for material in materials] or [""]
    slots = np.clip(values_of(data.polygons, "material_index", np.int32), 0, len(names_of) - 1)
    return _Part(
        positions,
        bones,
        taken.numbers(data, POINT_NUMBER, "POINT", len(positions), points_end),
        loops[corners],
        face_numbers[faces],
        counts.argmax(axis=1)[faces] if len(counts) else np.zeros(0, np.int64),
        normals[corners],
        uvs[corners] * [1.0, -1] + [0.0, 1],
        [names_of[slot] for slot in slots[faces].tolist()],
    )


def _bones(mesh: bpy.types.Object, stand: Stand) -> Ints:
    """(V,) the bone of each vertex."""
    number = stand.number
    vertices = mesh_of(mesh).vertices
    if mesh.parent == stand.obj and mesh.parent_type == "BONE" and mesh.parent_bone in number:
        return np.full(len(vertices), number[mesh.parent_bone], np.int64)
    groups = {group.index: group.name for group in mesh.vertex_groups if group.name in number}
    if not groups and mesh.name.partition(".")[0] in number:  # one of 19 parts that are called as their bones
        return np.full(len(vertices), number[mesh.name.partition(".")[0]], np.int64)
    heaviest = [strongest(vertex, groups) for vertex in vertices]
    report_shared(mesh, groups)
    if None in heaviest and stand.bare >= 0:
        log.warning(f"{mesh.name}: {heaviest.count(None)} vertices have no bone: they go with {NAMES[stand.bare]}")
    elif None in heaviest:
        bare = [index for index, group in enumerate(heaviest) if group is None]
        raise ExportError(f"{mesh.name}: {len(bare)} vertices have no bone of the game (the first is vertex {bare[0]}): give them a weight")
    return np.array([stand.bare if group is None else number[groups[group]] for group in heaviest], np.int64)


def _joined(parts: Sequence[_Part]) -> _Part:
    first = np.cumsum([0, *(len(part.positions) for part in parts)])
    numbers, faces = (np.concatenate([getattr(part, name) for part in parts]) for name in ("numbers", "face_numbers"))
    return _Part(
        np.concatenate([part.positions for part in parts]),
        np.concatenate([part.bones for part in parts]),
        _firsts(numbers),
        np.concatenate([part.triangles + start for part, start in zip(parts, first[:-1].tolist(), strict=True)]),
        _firsts(faces),
        np.concatenate([part.on for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.uvs for part in parts]),
        [name for part in parts for name in part.textures],
    )


def _firsts(numbers: Ints) -> Ints:
    """Of numbers that several have only the first; a mesh that was copied is new."""
    first = np.zeros(len(numbers), bool)
    first[np.unique(numbers, return_index=True)[1]] = True
    return np.where(first, numbers, -1)


def _of_bone(bone: int, part: _Part, joints: Joints, body: Body, shown: str) -> Drawn | None:
    """What hangs on a bone, in its axes."""
    faces = np.flatnonzero(part.on == bone)
    points, triangles = body.starts
    own = (
        (part.numbers >= points[bone]) & (part.numbers < points[bone + 1]) if bone + 1 < len(points) else np.zeros(len(part.numbers), bool)
    )
    used = np.unique(np.concatenate([part.triangles[faces].ravel(), np.flatnonzero(own & (part.bones == bone))]))
    if not len(used):
        return None
    index_of = np.full(len(part.positions), -1)
    index_of[used] = np.arange(len(used))
    back = quaternion.conjugate(joints.rotations[0, bone])
    numbers = np.where(own[used] & (part.bones[used] == bone), part.numbers[used] - int(points[bone]), -1)
    kept = part.face_numbers[faces]
    kept = np.where((kept >= triangles[bone]) & (kept < triangles[bone + 1]), kept - int(triangles[bone]), -1)
    return Drawn(
        quaternion.rotate(back, part.positions[used] - joints.positions[0, bone]),
        numbers,
        index_of[part.triangles[faces]],
        kept,
        quaternion.rotate(back, part.normals[faces].reshape(-1, 3)).reshape(-1, 3, 3),
        part.uvs[faces],
        _texture_of([part.textures[face] for face in faces.tolist()], shown, body.names[bone]),
    )


def _texture_of(names: Sequence[str], shown: str, bone: str) -> str | None:
    """The texture of a bone's mesh: that of most of its faces; None where it is the one that came in."""
    if not names:
        return None
    ((chosen, _), *others) = Counter(names).most_common()
    if others:
        also = ", ".join(name or "none" for name, _ in others)
        log.warning(f"{bone}: a bone's mesh has one texture; its faces with {also} get {chosen or 'none'}")
    return None if chosen == shown else chosen


def _texture(material: bpy.types.Material | None, pictures: dict[str, Pixels], looks: dict[str, Pixels], stand: Stand) -> str:
    """The name of a material's texture, or of its plain colour; its picture goes along where it is new, was edited, or gets a name. looks:
    what it shows, by this name."""
    image, kept = (image_of(material), material.get(TEXTURE)) if material is not None else (None, None)
    if stand.together and not isinstance(kept, str) and is_plain(material):
        return _colour(material, looks)
    if material is None:
        return ""
    if image is None:
        if not isinstance(kept, str):
            log.info(f"{material.name} has no picture: the game draws what has it without a texture")
        return kept if isinstance(kept, str) else ""
    own = image.get(TEXTURE)
    name = own if isinstance(own, str) and own else instance_name(image.name.rpartition(".")[0] or image.name, "TXMP")
    pixels, number = pixels_of(image), name.removeprefix(UNNAMED_TEXTURE)
    stem = stand.stem
    taken_out = bool(stem) and name.startswith(UNNAMED_TEXTURE) and number.isdigit()
    if taken_out:
        name = instance_name(f"{stem}_{number}", "TXMP")
    if taken_out or image.get(PICTURE) != digest(pixels):
        while name in pictures and not np.array_equal(pictures[name], pixels):
            name += "_2"
        pictures[name] = pixels
    report_unshown(material, name)
    looks[name] = pixels
    return name


def _colour(material: bpy.types.Material | None, looks: dict[str, Pixels]) -> str:
    """The name of a plain colour."""
    colour = as_bytes(colour_of(material))
    name = one_picture.PLAIN + bytes(colour).hex()
    looks[name] = np.append(colour, np.uint8(255)).reshape(1, 1, 4)
    return name


def remember(meshes: Sequence[bpy.types.Object]) -> None:
    """Which texture of the game each picture is, and how it looked when it came in."""
    for material in {slot.material for mesh in meshes for slot in mesh.material_slots if slot.material is not None}:
        image, name = image_of(material), material.get(TEXTURE)
        if image is not None and isinstance(name, str):
            image[TEXTURE], image[PICTURE] = name, digest(pixels_of(image))


def forget(meshes: Sequence[bpy.types.Object], names: Container[str]) -> None:
    """Let pictures count as new: no file has them yet."""
    for material in {slot.material for mesh in meshes for slot in mesh.material_slots if slot.material is not None}:
        image = image_of(material)
        if image is not None and image.get(TEXTURE) in names and PICTURE in image:
            del image[PICTURE]
