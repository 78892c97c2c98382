"""A character's animation and the object animation that belongs to it, together as the game plays them: the object carries the character,
as in chr_envanim, or is the camera that looks."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix

from ...core.motion.rigs.rig import Y_UP
from ...core.oni.enums import OBAN_FLAGS
from ...core.oni.game import ImportOptions
from ...core.oni.records import oban
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ..blender import armature, scene
from ..blender.motion import actions, fcurves
from . import build
from .fields import properties

REAL_WORLD = "RealWorld"
"""The flag of an animation whose character an object animation moves."""

_SAME = 1e-6


def partner_of(context: bpy.types.Context, obj: bpy.types.Object) -> bpy.types.Object | None:
    """The selected object with an object animation of the game, None without."""
    chosen = (each for each in context.selected_objects or () if each != obj and each.type != "ARMATURE")
    return next((each for each in chosen if action_of(each) is not None), None)


def action_of(obj: bpy.types.Object) -> bpy.types.Action | None:
    """The action of an object as an object animation of the game, None where it has none."""
    properties.ensure()
    action = obj.animation_data.action if obj.animation_data is not None else None
    return action if action is not None and getattr(action, properties.OBAN).present else None


def carried(obj: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether an object animation moves a character with this action, as the game has it."""
    return obj.parent is not None and action_of(obj.parent) is not None and REAL_WORLD in getattr(action, properties.TRAM).flags


def opened(context: bpy.types.Context, obj: bpy.types.Object, address: str, camera: bool) -> bpy.types.Object:
    """The object or camera of an object animation (FILE or FILE#ENTRY), at scale and start of a character. Raises RetroAnimError."""
    action = obj.animation_data.action if obj.animation_data is not None else None
    before = actions.remembered(action) if action is not None else None
    scale = armature.scale_of(obj, build.SCALE)
    options = ImportOptions(
        (address,), target="CAMERA" if camera else "EMPTY", scale=scale, frame_start=before.start if before is not None else 1.0
    )
    result = build.import_oni(context, options)
    if not result.objects:
        raise ExportError(f"{address} is no object animation")
    return result.objects[0]


def put_together(context: bpy.types.Context, obj: bpy.types.Object, other: bpy.types.Object, real_world: bool) -> None:
    """Let an object carry a character, or be the camera of the scene. real_world: set the flag of the character's animation without which
    the game moves it by itself, too. Both are exported as before, each to its own file. Raises ExportError."""
    action = action_of(other)
    if action is None:
        raise ExportError(f"{other.name} has no object animation (OBAN)")
    character = obj.animation_data.action if obj.animation_data is not None else None
    _say_lengths(obj, character, other, action)
    if other.type == "CAMERA":
        context.scene.camera = other
        return
    local = bool(sum(OBAN_FLAGS.bits[name] for name in getattr(action, properties.OBAN).flags) & oban.LOCAL)
    away = np.array(obj.location)
    obj.parent, obj.parent_type = other, "OBJECT"
    # The object's own space has the game's axes, that of the armature Blender's.
    back = np.eye(4)
    back[:3, :3] = np.eye(3) if local else Y_UP.T
    obj.matrix_parent_inverse = Matrix(back.tolist())
    if character is None or not fcurves.moves_object(character, obj):
        obj.matrix_basis = Matrix.Identity(4)
        if np.abs(away).max() > _SAME:
            log.info(f"{obj.name} stood elsewhere; now it stands on {other.name}")
    elif np.abs(away).max() > _SAME:
        log.warning(f"{obj.name} moves by itself, too: import it with the root motion on its root bone, or in place")
    group = getattr(character, properties.TRAM) if character is not None else None
    if group is not None and group.present and REAL_WORLD not in group.flags:
        if real_world:
            group.flags |= {REAL_WORLD}
            log.info(f"{group.name} has the flag {REAL_WORLD} now: an object moves the character")
        else:
            log.warning(f"{group.name} lacks the flag {REAL_WORLD}: the game moves the character by itself, too")
    scene.make_active(context, obj)


def _say_lengths(obj: bpy.types.Object, character: bpy.types.Action | None, other: bpy.types.Object, action: bpy.types.Action) -> None:
    if character is None:
        log.warning(f"{obj.name} has no action: it stands still on {other.name}")
        return
    one, two = (tuple(round(float(frame), 3) for frame in each.frame_range) for each in (character, action))
    if one[0] != two[0]:
        log.warning(f"{character.name} starts at frame {one[0]:g}, {action.name} at {two[0]:g}: import both with the same Start Frame")
    if one[1] - one[0] != two[1] - two[0]:
        log.info(f"{character.name} goes on for {one[1] - one[0]:g} frames, {action.name} for {two[1] - two[0]:g}")
