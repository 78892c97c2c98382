"""What the commands do with a scene in Blender: import into it, find its characters and their actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.reporting import log
from . import blender
from .report import note

COMPLETE = {"fps_mode": "SET", "bone_direction": "GAME", "with_meshes": True}
"""Options by name: nothing else in the scene sets its rate, so that a frame becomes one time unit of the game; and what is written takes
along all that belongs to it."""

FOR_ENGINES = {"frame_start": 0.0, "helper_bones": True}
"""Options by name, of a scene that is written for an engine and not kept: clips start at time 0, and meshes are exact."""


def import_ours(paths: Sequence[str], values: Mapping[str, Any]) -> None:
    """One frame of the scene is one time unit of the game, so that files sampled by the frame have every key. values: import options by
    name."""
    from ..io.pipeline import games

    games.import_files(blender.module().context, paths, COMPLETE | dict(values))


def export(path: str, values: Mapping[str, Any]) -> list[str]:
    """Write the active armature into a game's file. Returns the paths. values: export options by name. Of an export it is said also what is
    only worth knowing, as which keys were left out; of an import whoever asked for another file does not want to know that."""
    from ..io.pipeline import games

    with log.heard() as said:
        written = games.export_file(blender.module().context, path, values).paths
    for line in said.digest("INFO"):
        note(line)
    return written


def moves(obj: Any) -> bool:
    """Whether an object has an animation."""
    return bool(obj.animation_data and obj.animation_data.action)


def armatures() -> list[Any]:
    """The armatures that have an animation; where none has, the objects that have one."""
    objects = blender.module().context.view_layer.objects
    moving = [obj for obj in objects if moves(obj)]
    return [obj for obj in moving if obj.type == "ARMATURE"] or moving


def actions_of(obj: Any, *, is_only: bool) -> list[Any]:
    """An armature's present action and all others that were made for it; where it is the only armature, all that move bones. Of any
    other object its present action."""
    from ..io.blender import compat
    from ..io.blender.identity import RIG

    if obj.type != "ARMATURE":
        return [obj.animation_data.action]
    present, figure = obj.animation_data.action, obj.data.get(RIG)

    def belongs(action: Any) -> bool:
        if RIG in action and figure is not None:
            return action[RIG] == figure
        return is_only and any("pose.bones" in curve.data_path for curve in compat.curves(action))

    return [present, *(action for action in blender.module().data.actions if action != present and belongs(action))]


def make_current(obj: Any, action: Any) -> None:
    from ..io.blender import compat, scene

    scene.make_active(blender.module().context, obj)
    if obj.animation_data.action != action:
        compat.assign(obj, action)


def characters() -> list[Any]:
    """As `armatures`; where nothing moves, the armatures."""
    return armatures() or [obj for obj in blender.module().context.view_layer.objects if obj.type == "ARMATURE"]


def everyone() -> list[Any]:
    """All armatures, also those that nothing moves, and other objects that move by themselves."""
    objects = blender.module().context.view_layer.objects
    return [obj for obj in objects if obj.type == "ARMATURE" or moves(obj)]


def choose(obj: Any) -> None:
    """Select an object and all that hangs on it, and nothing else."""
    for other in blender.module().context.view_layer.objects:
        above = other
        while above is not None and above != obj:
            above = above.parent
        other.select_set(above == obj)


def stash_several(actions: dict[Any, list[Any]]) -> None:
    """Where there is more than one object, lay the actions of each on tracks of its own, by which exporters know whose they are."""
    if len(actions) > 1:
        for obj, own in actions.items():
            if own:
                blender.stash(obj, own)
