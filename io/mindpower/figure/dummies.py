"""Dummies of a skeleton as empties on its bones, and back; bounding spheres and dummies of mesh files as empties to look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ....core.mindpower.files.mesh.helpers import Helpers
from ....core.mindpower.files.skeleton.lab import Lab
from ....core.mindpower.files.skeleton.lab_layout import DUMMY
from ....core.mindpower.game import slot_name
from ....core.mindpower.motion.rig import from_blender, to_blender
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender import armature, new_objects, source_data
from ...blender.arrays import of_property
from ...blender.surface.moved import moved_by
from .figure import Figure, shown_names
from .figure_read import properties_of

ID, ORDER, RAW = "mindpower_dummy", "mindpower_order", "mindpower_matrix"
"""Custom properties of an empty: the dummy's number, its index in the file, and its matrix as the file has it."""

SPHERE = "mindpower_sphere"
"""Custom property of an empty that stands for a bounding sphere: the number of the dummy that it follows."""

AS_IN_FILE = "mindpower_shown"
"""Custom property of an empty to look at: where it came in on what it hangs on, and how large it is drawn."""

CALLED, CAME_WITH = "mindpower_called", "mindpower_came_with"
"""Custom properties of an empty to look at: what it was called; and of its mesh: those that it came with, one a line."""

ON_BONE, ON_DUMMY = 1, 2
"""What a mesh file's own dummy may hang on."""

_SAME = 1e-6

_MOST = 1e30
"""Products of a few such numbers and a rest pose are finite in single precision."""


def build(context: bpy.types.Context, figure: Figure, lab: Lab) -> list[bpy.types.Object]:
    """An empty for every dummy whose bone there is, named after its slot."""
    created: list[bpy.types.Object] = []
    size = max(0.02, 0.03 * float(np.ptp(figure.rig.rest[:, :3, 3], axis=0).max()))
    carriers = shown_names(figure.names)
    for order, dummy in enumerate(lab.dummies):
        bone = int(dummy["parent"])
        if bone >= lab.bone_count:
            continue
        obj = bpy.data.objects.new(f"dummy {slot_name(int(dummy['id']))}", None)
        new_objects.link(context, obj)
        obj.empty_display_type, obj.empty_display_size = "ARROWS", size
        obj.parent, obj.parent_type, obj.parent_bone = figure.obj, "BONE", carriers[bone]
        obj.matrix_parent_inverse = Matrix(_on_bone(_from_tail(figure, carriers[bone]), dummy["matrix"], figure.rig.scale).tolist())
        number = int(dummy["id"])
        obj[ID] = number if number < 1 << 31 else str(number)
        obj[ORDER] = order
        obj[RAW] = dummy["matrix"].ravel().astype(np.float64).tolist()
        created.append(obj)
    return created


def present(figure: Figure) -> list[bpy.types.Object]:
    """The dummies that an armature has."""
    return [child for child in figure.obj.children if ID in child]


def add(context: bpy.types.Context, obj: bpy.types.Object, bone: str, number: int) -> bpy.types.Object:
    """A new dummy at the head of a bone, standing upright."""
    length = armature.bones_of(obj)[bone].length
    created = bpy.data.objects.new(f"dummy {slot_name(number)}", None)
    new_objects.link(context, created)
    created.empty_display_type, created.empty_display_size = "ARROWS", max(0.02, length / 2)
    created.parent, created.parent_type, created.parent_bone = obj, "BONE", bone
    rest = armature.bones_of(obj)[bone].matrix_local
    created.matrix_parent_inverse = Matrix.Translation((0.0, -length, 0.0)) @ rest.to_3x3().inverted().to_4x4()
    created[ID] = number
    return created


def _left_behind(obj: bpy.types.Object) -> bool:
    """Whether an armature came without its dummies: a copy of one that has them, since Blender copies what is selected, and they are
    hidden; or one that is linked, without their collection."""
    owners = _owners()
    if obj in owners:
        return False
    return armature.data_of(obj).library is not None or obj.override_library is not None or any(map(_is_copy_of(obj), owners))


def _owners() -> dict[bpy.types.Object, None]:
    """The armatures that have dummies."""
    above = (_armature_above(each) for each in bpy.data.objects if ID in each)
    return dict.fromkeys(each for each in above if each is not None)


def _is_copy_of(obj: bpy.types.Object) -> Callable[[bpy.types.Object], bool]:
    """Whether `obj` is a copy of another armature: of the same data, or of what came in under a name that `obj` no longer has."""
    data = armature.data_of(obj)
    renamed = data.get(source_data.NAME, data.name) != data.name
    return lambda other: other.data == data or (renamed and _origin(armature.data_of(other)) == _origin(data))


def _origin(data: bpy.types.Armature) -> tuple[object, ...]:
    return tuple(data.get(name) for name in (source_data.SOURCE, source_data.ENTRY, source_data.NAME))


def _from_tail(figure: Figure, bone: str) -> NDArray[np.floating]:
    """Armature space -> the space of what is parented to a bone, which starts at its tail."""
    back = np.linalg.inv(np.array(armature.bones_of(figure.obj)[bone].matrix_local, np.float64))
    back[1, 3] -= armature.bones_of(figure.obj)[bone].length
    return back


def read(figure: Figure) -> NDArray[np.void]:
    """The dummies as they are now, in the file's order, new ones last: array of `DUMMY`. What stands as it did keeps its bits; an
    armature that came without them has those of the file."""
    if _left_behind(figure.obj):
        return figure.template.dummies
    carriers = {name: bone for bone, name in enumerate(figure.names.bones)}
    carriers |= {name: bone for bone, pair in figure.names.helpers.items() for name in pair}
    template = figure.template.dummies
    lost = [(order, dummy) for order, dummy in enumerate(template) if int(dummy["parent"]) >= figure.template.bone_count]
    rows: list[tuple[int, np.void]] = list(lost)
    everyone = [obj for obj in bpy.data.objects if ID in obj]
    for obj in sorted((obj for obj in everyone if _armature_above(obj) == figure.obj), key=lambda child: child.name):
        bone = carriers.get(obj.parent_bone, -1) if obj.parent == figure.obj and obj.parent_type == "BONE" else -1
        if bone < 0:
            _report_left_out(obj)
            continue
        if movers := moved_by(obj):
            own = " and ".join(movers)
            log.warning(f"{obj.name} has {own} of its own, of which the file holds nothing: delete them, and place it on its bone")
        row = np.zeros(1, DUMMY)
        with properties_of(obj.name):
            row["id"], row["parent"] = int(obj[ID]), bone
            row["matrix"] = _matrix(figure, obj)
            rows.append((int(obj.get(ORDER, len(template))), row[0]))
    there = {order for order, _ in rows}
    gone = {order: raw for order, raw in enumerate(template["matrix"].reshape(-1, 16).tolist()) if order not in there}
    for obj in everyone:
        if _armature_above(obj) is None and gone.get(obj.get(ORDER)) == of_property(obj.get(RAW)).tolist():
            _report_left_out(obj)
    if len(rows) == len(lost) < len(template):
        log.warning(
            f"{figure.obj.name} has no dummies any more, and its file is written without the {len(template) - len(lost)} that it has: "
            "append the character with its dummies, or open it again"
        )
    rows.sort(key=lambda item: item[0])
    out = np.zeros(len(rows), DUMMY)
    for matrix, (_, row) in enumerate(rows):
        out[matrix] = row
    return out


def _armature_above(obj: bpy.types.Object) -> bpy.types.Object | None:
    """The armature that an object hangs on, itself or by its parents."""
    above = obj.parent
    while above is not None and above.type != "ARMATURE":
        above = above.parent
    return above


def _report_left_out(obj: bpy.types.Object) -> None:
    if obj.users_scene:  # else it was deleted, and something holds it in memory
        log.warning(f"{obj.name} is not on a bone of the file: left out: parent it to one (Ctrl P, Bone)")


def _matrix(figure: Figure, obj: bpy.types.Object) -> NDArray[np.float64]:
    """(4, 4) for row vectors, in model space at bind; the file's own where the empty has not moved."""
    from_tail = _from_tail(figure, obj.parent_bone)
    own = np.array(obj.matrix_parent_inverse, np.float64) @ np.array(obj.matrix_basis, np.float64)
    matrix = np.linalg.inv(from_tail) @ own
    if RAW in obj:
        raw = np.array(obj[RAW], np.float64).reshape(4, 4)
        # Seen from the armature, or from the bone, as whose own Blender holds it: single precision is enough for one of them.
        if _is_same(matrix, _matrix_of(raw, figure.rig.scale)) or _is_same(own, _on_bone(from_tail, raw, figure.rig.scale)):
            return raw
    return from_blender(matrix, figure.rig.scale)


def _is_same(first: NDArray[np.float64], second: NDArray[np.float64]) -> bool:
    return bool(np.abs(first - second).max() <= _SAME * max(1.0, float(np.abs(second).max())) * 4)


def build_helpers(
    context: bpy.types.Context, figure: Figure, helpers: Helpers, mesh: bpy.types.Object, of_skeleton: Sequence[bpy.types.Object]
) -> list[bpy.types.Object]:
    """The bounding spheres of a mesh file on the dummies that they follow, those without one where the file has them; and its own
    dummies, on a bone, on a dummy of the skeleton, or where they stand. of_skeleton: the armature's dummies."""
    created: list[bpy.types.Object] = []
    scale = figure.rig.scale
    dummies = {str(dummy[ID]): dummy for dummy in reversed(of_skeleton)}
    for sphere in helpers.spheres if helpers.spheres is not None else ():
        number = int(sphere["id"])
        obj = bpy.data.objects.new(f"{mesh.name} sphere {number}", None)
        new_objects.link(context, obj)
        obj.empty_display_type, obj.empty_display_size = "SPHERE", float(np.nan_to_num(sphere["radius"])) * scale
        _hang(figure, obj, dummies.get(str(number)), -1, np.eye(4) if str(number) in dummies else _matrix_of(sphere["matrix"], scale))
        x, y, z = (np.nan_to_num(sphere["centre"].astype(np.float64)) * scale).tolist()
        obj.location = (x, -y, z)
        obj[SPHERE] = number if number < 1 << 31 else str(number)
        created.append(obj)
    for dummy in helpers.dummies if helpers.dummies is not None else ():
        obj = bpy.data.objects.new(f"{mesh.name} dummy {int(dummy['id'])}", None)
        new_objects.link(context, obj)
        obj.empty_display_type, obj.empty_display_size = "ARROWS", 0.05 * scale
        kind, carrier = (int(dummy["parent_type"]), int(dummy["parent"])) if "parent" in (dummy.dtype.names or ()) else (0, 0)
        above = dummies.get(str(carrier)) if kind == ON_DUMMY else None
        matrix = _matrix_of(dummy["local" if above is not None else "matrix"], scale)
        _hang(figure, obj, above, carrier if kind == ON_BONE else -1, matrix)
        created.append(obj)
    for obj in created:
        obj[AS_IN_FILE], obj[CALLED] = [*obj.location, obj.empty_display_size], obj.name
    if created and mesh.data is not None:
        mesh.data[CAME_WITH] = "\n".join(obj.name for obj in created)
    return created


def report_edited(figure: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> None:
    """Say which bounding spheres and dummies of mesh files were moved or scaled, which are there to look at, and which are gone."""
    shown = [obj for obj in figure.children_recursive if AS_IN_FILE in obj and obj.users_collection]
    edited = sorted(obj.name for obj in shown if _is_edited(obj))
    present = {str(obj.get(CALLED)) for obj in shown}
    came = {name for mesh in meshes if mesh.data is not None for name in str(mesh.data.get(CAME_WITH, "")).splitlines()}
    if (gone := sorted(came - present)) and not _left_behind(figure):
        log.warning(
            f"{first_few(gone, 1)}: gone from Blender, and still in the mesh file, whose bounding spheres and dummies are kept as they "
            "are: open the character again, to see what the file has"
        )
    if edited:
        log.warning(
            f"{first_few(edited, 1)}: bounding spheres and dummies of a mesh file are shown, and kept as they are in it: undo that, or "
            "move the dummy of the skeleton that they follow"
        )


def _is_edited(obj: bpy.types.Object) -> bool:
    kept = of_property(obj[AS_IN_FILE])
    if kept.size != 4:
        return True
    *location, size = kept.tolist()
    own = np.array(Matrix.Translation(location), np.float64)
    return not _is_same(np.array(obj.matrix_basis, np.float64), own) or abs(obj.empty_display_size - size) > _SAME * max(1.0, size)


def _on_bone(from_tail: NDArray[np.floating], rows: NDArray[np.floating], scale: float) -> NDArray[np.float64]:
    """(4, 4) what Blender gets for the file's matrix of a dummy on a bone."""
    return _held(from_tail @ _matrix_of(rows, scale))


def _matrix_of(rows: NDArray[np.floating], scale: float) -> NDArray[np.float64]:
    """(4, 4) in Blender's axes of a matrix of a file, which may hold anything."""
    with np.errstate(invalid="ignore", over="ignore"):
        return _held(to_blender(rows, scale))


def _held(matrix: NDArray[np.floating]) -> NDArray[np.float64]:
    """With 0 for what Blender's single precision has no room for."""
    return np.where(np.abs(matrix) < _MOST, matrix, 0.0)


def _hang(figure: Figure, obj: bpy.types.Object, above: bpy.types.Object | None, bone: int, matrix: NDArray[np.float64]) -> None:
    """On another empty, whose own matrix `place` is in; else on a bone, if there is that one, else on the armature, in its space."""
    carriers = shown_names(figure.names)
    if above is None and 0 <= bone < len(carriers):
        obj.parent, obj.parent_type, obj.parent_bone = figure.obj, "BONE", carriers[bone]
        matrix = _from_tail(figure, carriers[bone]) @ matrix
    else:
        obj.parent = above or figure.obj
    obj.matrix_parent_inverse = Matrix(matrix.tolist())
