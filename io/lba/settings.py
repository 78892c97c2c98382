"""What an armature and an action stand for besides the curves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import bpy
import numpy as np

from ...core.lba.fields import ACTION_FIELDS
from ...core.lba.files.anm import Anm
from ...core.lba.files.variant import LBA1, VARIANTS, Variant
from ...core.lba.game import ExportOptions
from ...core.lba.motion.motion import CONVENTION
from ...core.lba.motion.sampled import Settings
from ...core.motion.curves import Timing
from ...core.motion.rigs.rig import Rig
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ...core.reporting.labels import BAKE, REPEAT
from ..blender import armature, fields, scene, source_data
from ..blender.arrays import values_of
from ..blender.motion import actions
from ..blender.motion.nla import nla_keys
from .build import FORMAT


@dataclass(frozen=True, eq=False)
class Body:
    """What an armature stands for. scale: Blender units a game unit."""

    obj: bpy.types.Object
    rig: Rig
    scale: float

    @classmethod
    def of(cls, obj: bpy.types.Object) -> Body:
        """Raises ExportError for an armature that is none of the game's."""
        try:
            return cls(obj, *armature.read_rig(obj, CONVENTION))
        except ValueError as error:
            raise ExportError(f"{obj.name}: {error}; import a body of the game and animate that") from error

    @cached_property
    def root_is_visible(self) -> bool:
        """Whether a mesh on the armature has an edge at points of the root bone."""
        root = next((bone.name for bone in armature.bones_of(self.obj) if bone.get(armature.INDEX) == 0), "")
        return any(_weighs(child, root) for child in self.obj.children_recursive if child.type == "MESH")


def _came_from(action: bpy.types.Action) -> Variant | None:
    return VARIANTS.get(str(action.get("lba_game", "")))


def original_of(action: bpy.types.Action, options: ExportOptions) -> Anm | None:
    """The document that the action came from; none where it is written for the other game, which has other numbers for everything."""
    if options.game in VARIANTS and _came_from(action) not in (None, VARIANTS[options.game]):
        return None
    data = source_data.kept(action, FORMAT)
    return Anm.parse(data) if data is not None else None


def settings_of(context: bpy.types.Context, body: Body, action: bpy.types.Action, original: Anm | None, options: ExportOptions) -> Settings:
    """What was remembered at import; for an action that never was imported, what the scene has."""
    obj, scale = body.obj, body.scale
    came = options.game if options.game in VARIANTS else str(action.get("lba_game", armature.data_of(obj).get("lba_game", LBA1.name)))
    game = VARIANTS.get(came, LBA1)
    before = actions.remembered(action)
    if before is None:
        timing = Timing(game.rate, scene.fps(context.scene), float(action.curve_frame_range[0]))
        first = round(game.rate / 5)
        root_motion = actions.root_motion_of(obj, "OBJECT")
        placement, visible = actions.start_of(obj, action), lambda: body.root_is_visible
        return Settings(game, timing, scale, root_motion, placement, first_duration=first, root_is_visible=visible, begins=timing.start)
    if abs(before.scale - scale) > 1e-9 * scale:
        log.warning(f"the armature's scale is {scale:g}, the action came in at {before.scale:g}")
    other = _came_from(action) or game  # the other game has its own units of time and angles
    values = fields.read(action, ACTION_FIELDS)
    first = values.get("first_duration", int(original.durations[0]) if original is not None else round(other.rate / 5))
    first_rotation = [round(angle * game.rotation / other.rotation) for angle in values.get("first_rotation", (0, 0, 0))]
    return Settings(
        game,
        Timing(game.rate, before.fps, before.start),
        scale,
        before.root_motion,
        before.placement,
        bone_count=values.get("bone_count", 0),
        loop_frame=values.get("loop_frame", 0),
        word3=values.get("word3") if other is game else None,
        first_duration=round(first * game.rate / other.rate),
        first_step=values.get("first_step", (0, 0, 0)),
        first_rotation=(first_rotation[0], first_rotation[1], first_rotation[2]),
        root_is_visible=lambda: body.root_is_visible,
        of_loop=REPEAT if nla_keys.REPEATED in action else BAKE if nla_keys.PLAYED in action else "",
        fps_before=before.fps_before,
        markers=tuple((marker.frame, marker.name) for marker in action.pose_markers),
    )


def _weighs(mesh: bpy.types.Object, bone: str) -> bool:
    group = mesh.vertex_groups.get(bone)
    if group is None:
        return False
    assert isinstance(mesh.data, bpy.types.Mesh)
    weighted = [vertex.index for vertex in mesh.data.vertices if any(one.group == group.index for one in vertex.groups)]
    return bool(np.isin(values_of(mesh.data.edges, "vertices", np.int32, 2), weighted).any())
