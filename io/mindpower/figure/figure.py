"""A skeleton of Tales of Pirates as an armature: built from the file, with what an export needs of it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.mindpower.files.skeleton.lab import Lab
from ....core.mindpower.game import GAME, ImportOptions
from ....core.mindpower.motion import fitting, prepared, shear
from ....core.mindpower.motion.channels import BoneNames
from ....core.mindpower.motion.motion import Motion
from ....core.mindpower.motion.rig import LabRig
from ....core.mindpower.motion.update import Before
from ....core.reporting import labels
from ....core.reporting.errors import FormatError
from ....core.surface.holdable import LARGEST
from ....core.surface.mesh import Mesh
from ...blender import armature, fields, new_objects, source_data
from ...pipeline.into_blender import bone_names
from ..marks import SKELETON

FORMAT = "LAB"

SPARE, FRAMES = (f"mindpower_{name}" for name in ("spare", "frames"))
"""Custom properties of the armature: first and last frame of each run of frames that the file kept in it has; the number of frames."""

SHEARED, SHEAR = "mindpower_sheared", "mindpower_shear"
"""Custom properties of the armature: the numbers of the bones that Blender cannot hold, and what these do not show, compressed: (bones,
frames, 3, 4) float32, as `Motion.errors`."""

REST, HELPER = "mindpower_rest", "mindpower_helper"
"""Custom properties of bones: what the bone was called and how it stood when it came in; of helper bones their bone's number."""

_MOVED = 1e-5
"""Of a rest matrix: what Blender's own rounding in Edit Mode stays below."""


@dataclass(frozen=True, eq=False)
class Figure:
    """An armature that came from a skeleton file.

    rig: as it stands now. imported: as it stood when it came in. template: the file, with the frames alone that no action shows.
    spare: (frames,) which these are. frame_count: of the whole file. original: the whole file, None where it is lost.
    errors: what bones do not show of the file, as `Motion.errors`.
    """

    obj: bpy.types.Object
    rig: LabRig
    imported: LabRig
    names: BoneNames
    template: Lab
    spare: NDArray[np.int64]
    frame_count: int
    original: Lab | None
    errors: dict[int, NDArray[np.float32]]

    @property
    def moved(self) -> NDArray[np.bool_]:
        """(bones,) whose rest is another one than at import."""
        return np.abs(self.rig.rest - self.imported.rest).max(axis=(1, 2)) > _MOVED

    @cached_property
    def before(self) -> Before | None:
        """The file, and what its import would show; None where it is lost."""
        if self.original is None:
            return None
        rig = replace(self.imported, full=np.ones(self.original.bone_count, np.bool_))
        return Before(self.original, fitting.fit(self.original, rig, choose=True, helped=self._helped))

    def motion_of(self, lab: Lab) -> Motion:
        """What the bones, as they stand now, hold at all frames of its file."""
        return fitting.fit(lab, self.rig, helped=self._helped)

    @property
    def _helped(self) -> NDArray[np.bool_]:
        """(bones,) which have helper bones."""
        return np.isin(np.arange(self.template.bone_count), list(self.names.helpers))

    @property
    def shown(self) -> tuple[str, ...]:
        """The bones that carry the mesh: the second helper of those that have some."""
        return shown_names(self.names)


def shown_names(names: BoneNames) -> tuple[str, ...]:
    return tuple(names.helpers[bone][1] if bone in names.helpers else name for bone, name in enumerate(names.bones))


def build(
    context: bpy.types.Context, lab: Lab, name: str, options: ImportOptions, helped: Sequence[Mesh] | None
) -> tuple[bpy.types.Object, Motion, BoneNames]:
    """A new armature with the bones of `lab`, whose parents come first, and what they hold at all frames.

    helped: the meshes that are to be exact, by helper bones where they show that a bone is not; None for no helper bones.
    """
    rig = LabRig.of(lab, options.scale, options.bone_direction)
    _check_reach(lab, rig)
    called = bone_names.named(rig.as_built(labels.unique(lab.names)), GAME, options.bone_names)
    names = called.skeleton.names
    obj = armature.build(context, name, called, options.scale, lab.names)
    bones = armature.bones_of(obj)
    rig = rig.with_rest(np.array([bones[bone].matrix_local for bone in names], np.float64))
    motion = fitting.fit(lab, rig, choose=True)
    if helped is not None:
        motion = motion.helped(shear.in_need(motion, helped, lab.dummies))
    helpers = _add_helpers(context, obj, names, motion) if motion.helpers else {}
    bones = armature.bones_of(obj)
    for index, bone in enumerate(names):
        bones[bone].inherit_scale = "FULL" if motion.rig.full[index] else "NONE"
        bones[bone][REST] = motion.rig.rest[index].ravel().tolist()
    return obj, motion, BoneNames(names, helpers)


def _add_helpers(context: bpy.types.Context, obj: bpy.types.Object, names: tuple[str, ...], motion: Motion) -> dict[int, tuple[str, str]]:
    """Two bones below each one that is sheared, which stand as it does."""
    wanted = [f"{names[bone][: prepared.NAME_LIMIT - 12]} shear {number}" for bone in motion.helpers for number in (1, 2)]
    unique_names = labels.unique(wanted, names)
    by_index = {bone: (unique_names[2 * index], unique_names[2 * index + 1]) for index, bone in enumerate(motion.helpers)}
    data = armature.data_of(obj)
    with new_objects.editing(context, obj) as bones:
        for bone, pair in by_index.items():
            above = bones[names[bone]]
            matrix, length = above.matrix.copy(), above.length
            for name in pair:
                edit = bones.new(name)
                edit.head, edit.tail = (0.0, 0.0, 0.0), (0.0, length, 0.0)
                edit.matrix = matrix
                edit.parent = above
                above = edit
    group = data.collections.new("Helper Bones")
    for bone, pair in by_index.items():
        for name in pair:
            data.bones[name][HELPER] = bone
            armature.pose_bones(obj)[name].rotation_mode = "QUATERNION"
            group.assign(data.bones[name])
    group.is_visible = False
    return by_index


def fresh(obj: bpy.types.Object, lab: Lab, motion: Motion, names: BoneNames) -> Figure:
    """An armature as it was just built."""
    none = np.zeros(0, np.int64)
    return Figure(obj, motion.rig, motion.rig, names, lab, none, lab.frame_count, lab, motion.errors)


def remember(figure_of: Figure, path: str, data: bytes, packed: source_data.Packed | None, spare: list[tuple[int, int]]) -> None:
    """Keep the file with the armature, as it was just built. data, packed: its bytes, empty where there is no file, and how source
    data stores them. spare: runs of frames that no action shows."""
    figure, lab, errors = armature.data_of(figure_of.obj), figure_of.template, figure_of.errors
    if data:
        source_data.keep(figure, path, source_data.LOOSE, FORMAT, data, packed)
    frames = np.concatenate([np.zeros(0, np.int64), *(np.arange(first, last + 1) for first, last in spare)])
    figure[SKELETON] = zlib.compress(prepared.excerpt(lab, frames).pack(), 1)
    figure[SPARE] = [frame for run in spare for frame in run]
    figure[FRAMES] = lab.frame_count
    if errors:
        figure[SHEARED] = fields.numbers(sorted(errors))
        figure[SHEAR] = zlib.compress(np.stack([errors[bone] for bone in sorted(errors)]).tobytes(), 1)


def _check_reach(lab: Lab, rig: LabRig) -> None:
    """Raises FormatError for a bone that stands where Blender's numbers leave no room for a rotation."""
    far = np.abs(rig.rest[:, :3, 3]).max(axis=1)
    if not (far < LARGEST).all():
        bone = int(np.argmin(far < LARGEST))
        raise FormatError(f"bone {bone} {lab.names[bone]!r} rests {far[bone]:.3g} units away, at most {LARGEST:g} can be shown")
