"""Whether the meshes of a character are seen to follow the bones of a clip otherwise than in the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeAlias

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting import log
from ....core.reporting.errors import RetroAnimError
from ...blender import armature
from ...blender.arrays import values_of
from ...blender.motion import evaluated
from ...blender.surface.skinned import mesh_of
from ...blender.surface.skinning import Deviation
from ..changes import Item

_VISIBLE = 1e-3
"""Of the size of a mesh, how far a vertex is elsewhere that somebody sees."""

_FRAMES = 17
"""Of a clip, at which its meshes are looked at."""

Deviations: TypeAlias = Callable[[bpy.types.Object, bpy.types.Object], Iterable[Deviation]]
"""Those in which a mesh is set to move otherwise than in the game, of an armature and the mesh."""


def report(context: bpy.types.Context, items: Iterable[Item], deviations: Deviations) -> None:
    """Say which of the deviations are seen in clips of a game's armatures, and when."""
    clips: dict[bpy.types.Object, list[bpy.types.Action]] = {}
    for clip in (checked.clip for item in items for checked in item.clips):
        if armature.is_game_armature(clip.obj):
            clips.setdefault(clip.obj, []).append(clip.action)
    meshes: dict[bpy.types.Object | None, list[bpy.types.Object]] = {}
    for mesh in context.view_layer.objects if clips else ():
        if mesh.type == "MESH":
            meshes.setdefault(mesh.find_armature(), []).append(mesh)
    for obj, actions in clips.items():
        left = [(mesh, deviation) for mesh in meshes.get(obj, ()) for deviation in deviations(obj, mesh)]
        for action in actions:
            with suppress(RetroAnimError):  # nobody sees it
                for mesh, deviation, frame in _visible(context, obj, action, left):
                    left.remove((mesh, deviation))
                    with log.about(mesh.name):
                        log.warning(deviation.text, frame=frame)


def _visible(
    context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, deviations: Sequence[tuple[bpy.types.Object, Deviation]]
) -> list[tuple[bpy.types.Object, Deviation, float]]:
    """Those of the deviations that put vertices elsewhere in an action, and at which frame first."""
    result: list[tuple[bpy.types.Object, Deviation, float]] = []
    if not deviations:
        return result
    left = list(deviations)
    with evaluated.alone(obj, action), evaluated.evaluation(context, obj) as at:
        for frame in _frames(action).tolist():
            at(frame)
            shown = {mesh: _vertices(context, mesh) for mesh, _ in left}
            for mesh, deviation in list(left):
                with deviation.without():
                    plain = _vertices(context, mesh)
                if _differ(shown[mesh], plain):
                    left.remove((mesh, deviation))
                    result.append((mesh, deviation, frame))
            if not left:
                break
    return result


def _frames(action: bpy.types.Action) -> Floats:
    first, last = action.curve_frame_range
    return np.unique(np.linspace(first, last, _FRAMES).round())


def _vertices(context: bpy.types.Context, mesh: bpy.types.Object) -> NDArray[np.float32]:
    """(N, 3) where Blender shows the vertices, in the mesh's own space."""
    context.view_layer.update()
    data = mesh_of(mesh.evaluated_get(context.evaluated_depsgraph_get()))
    return values_of(data.vertices, "co", np.float32, 3)


def _differ(shown: NDArray[np.float32], plain: NDArray[np.float32]) -> bool:
    if shown.shape != plain.shape:
        return True
    with np.errstate(invalid="ignore"):  # what is nowhere is seen nowhere
        size = float(np.ptp(plain, axis=0).max()) if len(plain) else 0.0
        return bool(np.abs(shown - plain).max(initial=0.0) > _VISIBLE * size)
