"""An armature as the skeleton of Tales of Pirates that it came from, read again for an export."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ....core.files import unpacking
from ....core.mindpower.files.skeleton.lab import Lab
from ....core.mindpower.motion import prepared
from ....core.mindpower.motion.channels import BoneNames
from ....core.mindpower.motion.rig import LabRig, to_blender
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting import log
from ....core.reporting.errors import ExportError, FormatError, Problem
from ....core.reporting.labels import counted, first_few
from ....core.surface.holdable import LARGEST
from ...blender import armature, source_data
from ...blender.motion import fcurves
from ...pipeline.fidelity import object_size
from ..marks import SKELETON
from .figure import FRAMES, HELPER, REST, SHEAR, SHEARED, SPARE, Figure

_MOST_KEYS = 1 << 24
"""Bones times frames of a file whose source data is lost: nothing else says how large it was."""

_SAME_SIZE = 1e-2
"""By how much the determinant of a bone's matrix at rest may differ from 1, since Blender keeps it in single precision."""


def read(obj: bpy.types.Object) -> Figure:
    """Raises ExportError when bones of the file are missing, or hang on others than in the file, or custom properties are spoiled."""
    with properties_of(obj.name):
        return _read(obj)


def _read(obj: bpy.types.Object) -> Figure:
    data = armature.data_of(obj)
    with log.collect():  # what is odd in the file was said when it came in
        template = Lab.parse(unpacking.inflate(data[SKELETON]))
        kept = source_data.kept(data)
        original = prepared.ordered(Lab.parse(kept)) if kept is not None else None
    names = _names(obj, template)
    bones = armature.bones_of(obj)
    scale = armature.scale_of(obj)
    binds = to_blender(np.linalg.inv(template.inverse_binds.astype(np.float64)), scale)
    full = np.array([bones[name].inherit_scale == "FULL" for name in names.bones])
    now = np.array([bones[name].matrix_local for name in names.bones], np.float64)
    flat = np.abs(np.linalg.det(now[:, :3, :3])) < 1e-6
    if flat.any():
        bone = names.bones[int(np.argmax(flat))]
        raise ExportError(Problem(f"{obj.name}: {bone} has no size: a scale of 0 was applied; undo that", bone))
    then = np.array([bones[name].get(REST, now[index].ravel()) for index, name in enumerate(names.bones)], np.float64).reshape(-1, 4, 4)
    runs = [int(frame) for frame in data.get(SPARE, ())]
    lengths = [last - first + 1 for first, last in zip(runs[::2], runs[1::2], strict=True)]
    if min([*runs, *lengths], default=0) < 0 or (sum(lengths) or 1) != template.frame_count:
        raise ValueError("spare frames")
    spare = np.concatenate([np.zeros(0, np.int64), *(np.arange(runs[at], runs[at + 1] + 1) for at in range(0, len(runs), 2))])
    if not (_stand(then) and scale > 0 and np.isfinite(scale)):
        raise ValueError("bones at rest, scale")
    frame_count = int(data.get(FRAMES, (original or template).frame_count))
    least, most = max(runs[1::2], default=0) + 1, _MOST_KEYS // len(binds)
    if not least <= frame_count <= most if original is None else frame_count != original.frame_count:
        raise ValueError("number of frames")
    return Figure(
        obj,
        LabRig(template.parents, binds, now, full, scale),
        LabRig(template.parents, binds, then, full.copy(), scale),
        names,
        template,
        spare,
        frame_count,
        original,
        _errors(data, frame_count),
    )


def _stand(rests: Floats) -> bool:
    """Whether these are matrices (bones, 4, 4) that bones stand at rest by: rotations, and somewhere within reach."""
    if not np.abs(rests).max(initial=0) < LARGEST:  # nor where they are no numbers
        return False
    return bool(np.abs(np.linalg.det(rests) - 1).max(initial=0) < _SAME_SIZE)


def is_from(obj: bpy.types.Object, data: bytes) -> bool:
    """Whether an armature was made from the file of these bytes, wherever that lay, and still has its bones."""
    kept = source_data.kept(armature.data_of(obj))
    if kept is not None and kept != data:
        return False
    try:
        with log.collect():
            figure, lab = read(obj), prepared.ordered(Lab.parse(data))
    except ExportError:
        return False
    there = kept is not None or prepared.excerpt(lab, figure.spare).pack() == unpacking.inflate(armature.data_of(obj)[SKELETON])
    return there and lab.frame_count == figure.frame_count


def check_object(figure: Figure) -> None:
    """What was done to the whole armature object: its transform is not exported, which is said; that it was applied to the bones is
    refused, since no keys follow. Raises ExportError."""
    obj, now, then = figure.obj, figure.rig.rest, figure.imported.rest
    _, rotation, scale = obj.matrix_world.decompose()
    action = obj.animation_data.action if obj.animation_data else None
    if action is not None and fcurves.moves_object(action, obj):
        rotation.identity()  # where it looks as its action starts is where that is ahead
    resized = bool(np.abs(np.array(scale) - 1).max() > 1e-4)
    if rotation.angle > 1e-4 or resized:
        log.warning(
            f"{obj.name} is rotated or scaled as an object, which the file does not hold: rotate or scale its root bone instead",
            topic=object_size.TOPIC if resized else "",
        )
    if len(now) < 2 or not figure.moved.all():
        return
    applied = now[0, :3, :3] @ then[0, :3, :3].T
    points = [rest[:, :3, 3] - rest[:, :3, 3].mean(axis=0) for rest in (then, now)]
    before, after = (float(np.linalg.norm(item)) for item in points)
    size = after / before if before > 1e-9 else 1.0
    off = (
        np.abs(now[:, :3, :3] - applied @ then[:, :3, :3]).max(),
        np.abs(points[1] - size * points[0] @ applied.T).max() / max(after, 1e-9),
    )
    if max(off) > 1e-3:
        return
    axis, angle = Matrix(applied.tolist()).to_quaternion().to_axis_angle()
    if abs(size - 1) > 1e-4:
        what, back = f"scale of {size:.4g}", f"scale it by {1 / size:.4g}"
    elif abs(angle) > 1e-4:
        name = "XYZ"[int(np.argmax(np.abs(np.array(axis))))]
        what, back = f"rotation of {np.degrees(angle):.4g} degrees, mostly about {name}", "rotate it back"
    else:
        what, back = "location", "move it back"
    raise ExportError(
        f"{obj.name}: the object's {what} was applied to its bones, but not to their keys: undo that, or {back} and apply again"
    )


@contextmanager
def properties_of(name: str) -> Generator[None]:
    """Reads what anybody may have edited under Custom Properties. Raises ExportError for what is not as the import wrote it."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, FormatError) as error:
        raise ExportError(f"{name}: its custom properties are not as the import wrote them: put them back, or import it again") from error


def _errors(data: bpy.types.Armature, frames: int) -> dict[int, NDArray[np.float32]]:
    if SHEARED not in data:
        return {}
    bones = [int(bone) for bone in data[SHEARED]]
    values = np.frombuffer(unpacking.inflate(data[SHEAR]), np.float32).reshape(len(bones), frames, 3, 4)
    return dict(zip(bones, values, strict=True))


def _names(obj: bpy.types.Object, template: Lab) -> BoneNames:
    """What the file's bones are called now."""
    by_index = armature.by_number(obj)
    helpers: dict[int, list[bpy.types.Bone]] = {}
    for bone in armature.bones_of(obj):
        if HELPER in bone:
            helpers.setdefault(int(bone[HELPER]), []).append(bone)
    missing = [name for index, name in enumerate(template.names) if index not in by_index]
    if missing:
        raise ExportError(f"{obj.name}: {armature.of_deleted(missing)}")
    ordered = [by_index[index] for index in range(template.bone_count)]
    known = {bone.name for bone in ordered}.union(*({bone.name for bone in pair} for pair in helpers.values()))
    if others := [bone.name for bone in armature.bones_of(obj) if bone.name not in known]:
        left = f"{counted(len(others), 'bone')} left out that the file does not have ({first_few(others)})"
        log.warning(f"{left}: {armature.WITHOUT_OTHERS}", bone=others[0])
    number = {bone.name: index for index, bone in enumerate(ordered)}
    for index, bone in enumerate(ordered):
        if armature.parent_among(bone, number) != template.parents[index]:
            raise ExportError(Problem(f"{bone.name} hangs on another bone than in the file: undo that in Edit Mode", bone.name))
    pairs: dict[int, tuple[str, str]] = {}
    for index, pair in sorted(helpers.items()):
        if len(pair) == 2:
            first, second = sorted(pair, key=lambda bone: len(bone.parent_recursive))
            pairs[index] = first.name, second.name
    return BoneNames(tuple(bone.name for bone in ordered), pairs)
