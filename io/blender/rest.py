"""The rest pose as it came in: what was done to it since, which no key follows."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...core.motion.rotations.rotation_matrix import Floats
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from . import armature, arrays, identity, scene

_SAME = 1e-3
"""Of a bone's axes, and of the skeleton's size, that a rest pose may differ by and still be the same."""


def check(obj: bpy.types.Object) -> None:
    """Raises ExportError where a rotation, a scale or a location of the object was applied to the bones, and where bones are gone that a
    clip of the game needs. Reports bones that were moved in a game whose files do not hold the skeleton. Nothing is known of armatures
    that did not come in, or long ago, which is said."""
    if obj.type != "ARMATURE":
        return
    _report_hung(obj)
    known, now, then = _known(armature.data_of(obj))
    if len(known) < 2:
        if not known and len(armature.bones_of(obj)) > 1 and identity.game_of(obj) is not None:
            log.info(
                f"{obj.name} came in before rest poses were remembered: whether its transform was applied since then is not known; "
                "import the character again to have that checked"
            )
        return
    if not np.isfinite(then).all() or np.abs(now - then).max() < 1e-6:
        return
    problem = _applied(now, then)
    if problem:
        what, remedy = problem
        raise ExportError(
            f"{obj.name}: the object's {what} was applied to its bones, but not to their keys: undo that, or {remedy} and apply again"
        )
    _report_moved(obj, known, now, then)


def shown(obj: bpy.types.Object) -> tuple[str, str] | None:
    """Why an armature shows its rest pose whatever its clips do, and what ends that; None for one that shows them."""
    if obj.type != "ARMATURE":
        return None
    if scene.is_edited(obj):
        return "is in Edit Mode, which shows its rest pose", "leave Edit Mode"
    if armature.data_of(obj).pose_position == "REST":
        return "is shown in its rest position", "choose Pose Position"
    return None


def settle(data: bpy.types.Armature) -> None:
    """A file of the game holds the skeleton as it stands: bones that were moved, or hung elsewhere, are where they belong from now on. What
    was applied to all of them is as wrong for their keys as before."""
    game = identity.game_of(data)
    if game is None or not game.holding("clip"):
        return
    known, now, then = _known(data)
    if len(known) < 2 or not np.isfinite(then).all() or _applied(now, then):
        return
    for bone, matrix in zip(known, now.reshape(-1, 16), strict=True):
        bone[armature.REST] = matrix
    armature.settle_parents(data)


def _known(data: bpy.types.Armature) -> tuple[list[Any], Floats, Floats]:
    """The bones whose rest pose is remembered, and their matrices (B, 4, 4) now and then; copies of them came in nowhere."""
    own = {bone.name for bone in armature.numbered(data.bones).values()}
    remembered = (bone for bone in data.bones if arrays.of_property(bone.get(armature.REST)).size == 16)
    known: list[Any] = [bone for bone in remembered if bone.name in own or armature.INDEX not in bone]
    then = np.array([arrays.of_property(bone[armature.REST]) for bone in known], np.float64).reshape(-1, 4, 4)
    return known, np.array([bone.matrix_local for bone in known], np.float64).reshape(-1, 4, 4), then


def _report_hung(obj: bpy.types.Object) -> None:
    """Bones that are gone, which some games refuse, and those that hang on others than when they came in, of a game whose clips leave the
    skeleton to another file."""
    game = identity.game_of(obj)
    if game is None or not game.holding("clip"):
        return
    if gone := armature.deleted_bones(obj, armature.by_number(obj)):
        problem = f"{obj.name}: {armature.of_deleted(gone, ', and a clip of fewer bones does not fit its body')}"
        if game.all_bones:
            raise ExportError(problem)
        log.warning(problem)
    changed = armature.hung_elsewhere(obj)
    if changed:
        name, before = changed[0]
        more = f" (and {len(changed) - 1} more)" if len(changed) > 1 else ""
        log.warning(
            f"{name}{more} hung on {before or 'no bone'} when it came in, as in the game's skeleton, which no clip holds: "
            "undo that in Edit Mode",
            bone=name,
        )


def _applied(now: Floats, then: Floats) -> tuple[str, str] | None:
    """What was done to all bones (B, 4, 4) alike, and what undoes it; None where it was not to all of them."""
    rotation = now[0, :3, :3] @ then[0, :3, :3].T
    points = [rest[:, :3, 3] - rest[:, :3, 3].mean(axis=0) for rest in (then, now)]
    before, after = (float(np.linalg.norm(item)) for item in points)
    size = after / before if before > 1e-9 else 1.0
    bent = np.abs(now[:, :3, :3] - rotation @ then[:, :3, :3]).max()
    moved = np.abs(points[1] - size * points[0] @ rotation.T).max() / max(after, 1e-9)
    if max(bent, moved) > _SAME:
        return None
    axis, angle = Matrix(rotation.tolist()).to_quaternion().to_axis_angle()
    if abs(size - 1) > _SAME:
        return f"scale of {size:.4g}", f"scale it by {1 / size:.4g}"
    if abs(angle) > _SAME:
        name = "XYZ"[int(np.argmax(np.abs(np.array(axis))))]
        return f"rotation of {np.degrees(angle):.4g} degrees, mostly about {name},", "rotate it back"
    offset = now[0, :3, 3] - then[0, :3, 3]
    if np.abs(offset).max() > _SAME * max(before, 1e-9):
        return f"location ({', '.join(f'{value:.4g}' for value in offset)})", "move it back"
    return None


def carried_away(obj: bpy.types.Object) -> dict[str, float]:
    """The bones that are elsewhere in the armature at rest than when they came in, as far as that is known, by how far, Blender units."""
    known, now, then = _known(armature.data_of(obj))
    away = np.linalg.norm((now - then)[:, :3, 3], axis=1)
    least = _SAME * max(float(np.ptp(then[:, :3, 3], axis=0).max()), 1e-9) if known else 0.0
    return {bone.name: distance for bone, distance in zip(known, away.tolist(), strict=True) if distance > least}


def moved(bone: Any) -> float:
    """How far a bone's head is at rest from where it came in, as seen from its parent's head or by itself, whichever is more; 0 where that
    is not known."""
    own = [each for each in (bone, bone.parent) if each is not None]
    came = [arrays.of_property(each.get(armature.REST)) for each in own]
    if any(then.size != 16 for then in came):
        return 0.0
    away = [np.array(each.matrix_local, np.float64)[:3, 3] - then.reshape(4, 4)[:3, 3] for each, then in zip(own, came, strict=True)]
    return float(max(np.linalg.norm(away[0]), np.linalg.norm(away[0] - away[-1]) if bone.parent is not None else 0.0))


def _report_moved(obj: bpy.types.Object, bones: list[Any], now: Floats, then: Floats) -> None:
    """Bones whose heads are elsewhere, seen from their parents' heads, of a game whose files of animations leave the skeleton to another
    file. How the parents are rotated at rest is nothing that is seen."""
    game = identity.game_of(obj)
    if game is None or not game.holding("clip"):
        return
    index = {bone.name: number for number, bone in enumerate(bones)}
    parents = np.array([index.get(bone.parent.name, -1) if bone.parent else -1 for bone in bones])
    offsets = [(rest[:, :3, 3] - rest[parents, :3, 3])[parents >= 0] for rest in (then, now)]
    away = np.linalg.norm(offsets[1] - offsets[0], axis=1)
    length = max(float(np.ptp(then[:, :3, 3], axis=0).max()), 1e-9)
    moved = np.flatnonzero(away > _SAME * length)
    if len(moved):
        worst = int(np.flatnonzero(parents >= 0)[moved[np.argmax(away[moved])]])
        scale = armature.scale_of(obj)
        count = f"{len(moved)} bones were moved" if len(moved) > 1 else "a bone was moved"
        own = game.holding("armature")
        kept = "the game has its own rest pose, so that it moves as before;"
        if own:
            kept = f"no clip holds that: export the skeleton, too ({own[0]}), or"
        log.warning(
            f"{count} at rest since the import, {bones[worst].name} by {away.max() / scale:.4g} units: {kept} undo that in Edit Mode, or "
            "pose the bones",
            bone=bones[worst].name,
        )
