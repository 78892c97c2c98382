"""A Rig as an armature object, and back."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.declare.checks import shown
from ...core.motion.rigs.matrix_rig import MatrixRig
from ...core.motion.rigs.rig import Convention, Rig
from ...core.motion.rigs.skeleton import Skeleton
from ...core.reporting import labels
from ...core.reporting.errors import RetroAnimError
from . import compat, fields, identity, new_objects
from .arrays import of_property, values_of

INDEX = identity.BONE
"""Custom property of every bone: its number in the game's files."""

NAME = identity.NAME
"""Custom property of every bone: what it was called when it came in."""

REST = "retro_anim_rest"
"""Custom property of every bone: its rest matrix, row by row, when it came in."""

PARENTS = "retro_anim_parents"
"""Custom property of the armature: the number of each bone's parent when it came in, -1 for none, in the order of the game's file.

As floats: Blender's .fbx exporter takes three numbers for a vector, and fails where they are integers.
"""

MOVED = "Game Bones"
"""The collection of the bones that the game moves."""

SCALE = "retro_anim_scale"
"""Custom property of the armature: Blender units a game unit."""

_SCALES = 1e-6, 1e6
"""Least and most, as of the option."""

WITHOUT_OTHERS = "remove them in Edit Mode, or let bones of the file move what they carry"
"""What to do about bones that no file of the game can have."""


class Figure(NamedTuple):
    """What an armature is built of. scale: Blender units a game unit. called: its bones in the game, where that is not how the rig has
    them."""

    name: str
    rig: Rig | MatrixRig
    scale: float
    called: Sequence[str] = ()


def build(context: bpy.types.Context, name: str, rig: Rig | MatrixRig, scale: float, called: Sequence[str] = ()) -> bpy.types.Object:
    """A new armature object, in rest pose, at the origin, with the rig's rest orientations and rotation modes.

    The object mode must be on. Bones are never connected; each is as long as the distance to what it points at, within bounds.
    """
    return new_objects.link(context, build_all(context, [Figure(name, rig, scale, called)])[0])


def build_all(context: bpy.types.Context, figures: Sequence[Figure]) -> list[bpy.types.Object]:
    """As `build`, all of them at once; in no collection yet."""
    objects: list[bpy.types.Object] = []
    for figure in figures:
        name = labels.label(figure.name, "armature", compat.NAME_LIMIT)
        objects.append(bpy.data.objects.new(name, bpy.data.armatures.new(name)))
    if not objects:
        return objects
    with new_objects.editing_all(context, objects) as bones_of_all:
        names = [_add_bones(bones, figure) for bones, figure in zip(bones_of_all, figures, strict=True)]
    for obj, figure, bone_names in zip(objects, figures, names, strict=True):
        data = data_of(obj)
        data[SCALE], data[PARENTS] = figure.scale, figure.rig.skeleton.parents.astype(float).tolist()
        data.display_type = "OCTAHEDRAL"
        obj.show_in_front = True
        moved = data.collections.new(MOVED)
        posed: Any
        by_name = {bone.name: (bone, posed) for bone, posed in zip(bones_of(obj), pose_bones(obj), strict=True)}
        rests = dict(zip(by_name, rest_of(bones_of(obj)).reshape(-1, 16), strict=True))
        for index, (bone_name, mode) in enumerate(zip(bone_names, figure.rig.modes, strict=True)):
            bone, posed = by_name[bone_name]
            moved.assign(bone)
            bone[INDEX], bone[NAME], bone[REST] = index, bone_name, rests[bone_name]
            posed.rotation_mode = mode
        for bone_name, before in zip(bone_names, figure.called, strict=False):
            if bone_name != before:
                by_name[bone_name][0][identity.CALLED] = before
    return objects


def rest_of(bones: Any) -> NDArray[np.float64]:
    """(B, 4, 4) rest matrices of all bones of an armature, in armature space."""
    return values_of(bones, "matrix_local", np.float32, 4, 4).transpose(0, 2, 1).astype(np.float64)


_SHORTEST = 1e-5
"""Blender units, and share of a bone's distance from the origin: up to 5.0 Blender removes bones of a tenth of that when edit mode ends,
and those whose tail single precision cannot tell from their head."""


def _add_bones(bones: bpy.types.ArmatureEditBones, figure: Figure) -> list[str]:
    """Into an armature in edit mode; the names that they have got."""
    rig, scale = figure.rig, figure.scale
    along = np.einsum("nj,nj->n", rig.tips - rig.heads, rig.rest[:, :, 1]) * scale
    size = max(float(np.ptp(rig.heads, axis=0).max()), 1.0) * scale
    shortest = np.maximum(1.0, np.abs(rig.heads).max(axis=1) * scale) * _SHORTEST
    lengths = np.clip(along, np.maximum(size * 0.04, shortest), np.maximum(size * 0.4, shortest))
    edit_bones = [bones.new(bone_name) for bone_name in rig.skeleton.names]
    matrices = np.tile(np.eye(4), (len(edit_bones), 1, 1))
    matrices[:, :3, :3], matrices[:, :3, 3] = rig.rest, rig.heads * scale
    for edit, length, matrix, parent in zip(edit_bones, lengths.tolist(), matrices.tolist(), rig.skeleton.parents.tolist(), strict=True):
        edit.head, edit.tail = (0.0, 0.0, 0.0), (0.0, length, 0.0)
        edit.matrix = Matrix(matrix)
        if parent >= 0:
            edit.parent = edit_bones[parent]
    return [edit.name for edit in edit_bones]


def data_of(obj: bpy.types.Object) -> bpy.types.Armature:
    """The armature of an armature object."""
    assert isinstance(obj.data, bpy.types.Armature)
    return obj.data


def bones_of(obj: bpy.types.Object) -> bpy.types.ArmatureBones:
    """The bones at rest of an armature object."""
    return data_of(obj).bones


def pose_bones(obj: bpy.types.Object) -> bpy.types.bpy_prop_collection[bpy.types.PoseBone]:
    """The bones of an armature object as they are posed."""
    assert obj.pose is not None
    return obj.pose.bones


def is_game_armature(obj: bpy.types.Object | None) -> bool:
    """Whether its bones carry the numbers of a game's file."""
    return obj is not None and obj.type == "ARMATURE" and any(INDEX in bone for bone in bones_of(obj))


def others_above(bone: bpy.types.Bone) -> list[bpy.types.Bone]:
    """The bones between a game's bone and the next one of the game above it, which somebody put there."""
    others: list[bpy.types.Bone] = []
    above = bone.parent
    while above is not None and INDEX not in above:
        others.append(above)
        above = above.parent
    return others


def read_rig(obj: bpy.types.Object, convention: Convention) -> tuple[Rig, float]:
    """The rig that an armature stands for, bones in the order of the game's file, and its scale.

    Raises ValueError when its bones carry no numbers, or are not axis-aligned as the game's rotations need.
    """
    names, parents, matrices, scale = read_bones(obj)
    heads = matrices[:, :3, 3] @ convention.axes / scale
    skeleton = Skeleton(names, parents, heads, heads)
    return Rig.of_rest(skeleton, convention, matrices[:, :3, :3]), scale


def read_bones(obj: bpy.types.Object) -> tuple[tuple[str, ...], NDArray[np.int32], NDArray[np.float64], float]:
    """Of an armature's bones in the order of the game's file: names, parents (B,), rest matrices (B, 4, 4) in armature space; and its
    scale. Raises ValueError when its bones carry no numbers, or its scale is none."""
    bones = by_number(obj)
    gone = deleted_bones(obj, bones)
    if bones and min(bones) >= 0 and gone and gone[0] < len(bones):  # else those that are left have all numbers
        raise ValueError(of_deleted(gone))
    if not bones or sorted(bones) != list(range(len(bones))):
        raise ValueError(
            "its bones do not carry the numbers of a game's skeleton: Retarget its actions onto an imported character, and export that"
        )
    scale = _scale(obj, 1.0)
    ordered = [bones[index] for index in range(len(bones))]
    number = {bone.name: index for index, bone in enumerate(ordered)}
    parents = np.array([parent_among(bone, number) for bone in ordered], np.int32)
    matrices = np.array([bone.matrix_local for bone in ordered], np.float64)
    return tuple(bone.name for bone in ordered), parents, matrices, scale


def by_number(obj: bpy.types.Object) -> dict[int, bpy.types.Bone]:
    """The game's bones. A copy of one has its number, too; the one that still has its name is the game's."""
    return numbered(bones_of(obj))


def numbered(among: Iterable[bpy.types.Bone]) -> dict[int, bpy.types.Bone]:
    """Those of bones that are the game's, as `by_number`; of a renamed one and its copies the one that is nearest to where it came in, as
    a copy on the other side is not."""
    bones: dict[int, bpy.types.Bone] = {}
    for bone in among:
        index = bone.get(INDEX)
        if isinstance(index, int) and (index not in bones or _away(bone) < _away(bones[index])):
            bones[index] = bone
    return bones


def _away(bone: bpy.types.Bone) -> float:
    """How far a bone with another name than it came in with is from there at rest; less than any for one with that name."""
    if bone.get(NAME) == bone.name:
        return -1.0
    came = of_property(bone.get(REST))
    return float(np.abs(np.array(bone.matrix_local, np.float64) - came.reshape(4, 4)).max()) if came.size == 16 else 0.0


def copies(obj: bpy.types.Object) -> dict[str, str]:
    """The copies of a game's bones in an armature, each with the bone that it is a copy of; none in other objects."""
    if obj.type != "ARMATURE":
        return {}
    bones = by_number(obj)
    pairs = ((bone.name, bones[index].name) for bone in bones_of(obj) if isinstance(index := bone.get(INDEX), int))
    return {name: own for name, own in pairs if name != own}


def deleted_bones(obj: bpy.types.Object, bones: Mapping[int, bpy.types.Bone]) -> list[int]:
    """The numbers of the game's bones that an armature has no more, as far as it is known how many it had. bones: as of `by_number`."""
    return [number for number in range(max(len(of_property(data_of(obj).get(PARENTS))), len(bones))) if number not in bones]


def of_deleted(bones: Sequence[int | str], effect: str = "") -> str:
    """What to say of the game's bones, by number or name, that an armature has no more. effect: what follows from that, as ", and ..."."""
    subject, verb = ("bone", "was") if len(bones) == 1 else ("bones", "were")
    return f"{subject} {labels.first_few(bones)} of the game's skeleton {verb} deleted{effect}: undo that in Edit Mode, or import it again"


def hung_elsewhere(obj: bpy.types.Object) -> list[tuple[str, str]]:
    """The bones that hang on another one than when they came in, each with the one of before, "" for none; bones that are gone aside."""
    then = of_property(data_of(obj).get(PARENTS)).tolist()
    bones = by_number(obj)
    numbers = {bone.name: number for number, bone in bones.items()}
    names: dict[float, str] = {number: name for name, number in numbers.items()}
    changed: list[tuple[str, str]] = []
    for number, bone in bones.items():
        if not 0 <= number < len(then):
            continue
        before = names.get(then[number], "") if then[number] >= 0 else ""
        now = parent_among(bone, numbers)
        if now != then[number] and (before or then[number] < 0):
            changed.append((bone.name, before))
    return changed


def settle_parents(data: bpy.types.Armature) -> None:
    """The game's bones came in, from now on, hanging on those that they hang on."""
    bones = numbered(data.bones)
    numbers = {bone.name: number for number, bone in bones.items()}
    if sorted(bones) == list(range(len(bones))):
        data[PARENTS] = [float(parent_among(bones[number], numbers)) for number in range(len(bones))]


def scale_of(obj: bpy.types.Object, otherwise: float = 1.0) -> float:
    """Blender units a game unit. otherwise: for an armature of no game. Raises RetroAnimError for a property that is no such number."""
    with readable(obj):
        return _scale(obj, otherwise)


def _scale(obj: bpy.types.Object, otherwise: float) -> float:
    scale = data_of(obj).get(SCALE, otherwise)
    least, most = _SCALES
    if not isinstance(scale, int | float) or not least <= scale <= most:
        raise ValueError(f"its property {SCALE} is {shown(fields.plain(scale))}, and must be a number from {least:g} to {most:g}")
    return float(scale)


@contextmanager
def readable(obj: bpy.types.Object) -> Generator[None]:
    """For an import onto an armature: what `read_bones` raises inside names it, and is an error of that import alone."""
    try:
        yield
    except ValueError as error:
        raise RetroAnimError(f"{obj.name}: {error}") from error


def parent_among(bone: bpy.types.Bone, number: dict[str, int]) -> int:
    """The nearest parent that belongs to the game; helper bones in between are passed over."""
    parent = bone.parent
    while parent is not None and parent.name not in number:
        parent = parent.parent
    return number[parent.name] if parent is not None else -1
