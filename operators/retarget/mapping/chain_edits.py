"""What becomes of the bone map's lines: chains made of bones, joined and split; and the bone that a click means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector
from mathutils.geometry import intersect_point_line

from ....core.reporting.errors import RetroAnimError
from ....core.retarget.figures.maps.bone_map import Chain
from ....core.retarget.figures.roles import LIMB_JOINTS, ROLES
from ....io.blender import compat
from .. import above, all_roles, bones_of, chain_of, path, roles_of
from .bone_map import find
from .map_table import set_chain, set_pair

_NEAR = 40
"""Pixels from the mouse to a bone, at most."""


def make(context: bpy.types.Context, settings: Any) -> None:
    """A chain of the bones selected in the target, which follows those selected in the source, or what they followed before."""
    target, source = _chosen_path(context, settings.target), _chosen_path(context, settings.source)
    if not target:
        raise RetroAnimError(f"select bones of {settings.target.name} in pose mode")
    known = [line for line in settings.pairs if set(bones_of(line, "target")) & set(target)]
    followed = [bone for line in known for bone in bones_of(line, "source")]
    if not source and followed:
        source = _through(settings.source, followed)
    if not source:
        raise RetroAnimError(f"select bones of {settings.source.name}, too: both armatures can be in pose mode")
    _add(settings, source, target)


def join(settings: Any, line: Any) -> None:
    """A line with the one whose bones come next below it."""
    own = {side: bones_of(line, side) if line is not None else [] for side in ("source", "target")}
    if not own["source"] or not own["target"]:
        raise RetroAnimError("choose a line with a bone on both sides")
    below = _next(settings, own)
    joined = {side: path(getattr(settings, side), own[side][0], bones_of(below, side)[-1]) for side in ("source", "target")}
    _add(settings, joined["source"], joined["target"], line)


def split(settings: Any, line: Any, at: str, active: Any) -> None:
    """A chain in two, before a bone of the target, the active one where none is named, or in the middle."""
    if line is None or not line.is_chain:
        raise RetroAnimError("only a chain can be split: choose a line with the sign of a link")
    source, target = bones_of(line, "source"), bones_of(line, "target")
    if len(target) < 2 or len(source) < 2:
        raise RetroAnimError("a chain with a single bone on one side cannot be split: pick further ends for it first")
    name = at or (active.name if active is not None and active.id_data == settings.target else "")
    position = target.index(name) if name in target[1:] else (len(target) + 1) // 2
    mode, weight = line.mode, line.weight
    theirs, roles = _roles(settings, line)
    along = round(position * len(source) / len(target))
    cut = Chain(tuple(source), tuple(target), roles=roles, source_roles=theirs).joints.get(position, along)
    cut = min(max(cut, 1), len(source) - 1)
    first = settings.index
    is_role = line.role in ROLES and line.role not in roles.values()  # a finger's chain has the name of all of its joints
    called = {target[0]: line.role} if is_role else {}
    _set(line, source[:cut], target[:position], theirs, called | roles)
    second = settings.pairs.add()
    second.role, second.mode, second.weight = roles.get(target[position], ""), mode, weight
    _set(second, source[cut:], target[position:], theirs, roles)
    settings.pairs.move(len(settings.pairs) - 1, first + 1)
    settings.index = first + 1


def _roles(settings: Any, line: Any) -> tuple[dict[str, str], dict[str, str]]:
    """By bone of a chain's source and target its role; where the chain does not say it, as in a file without roles, which joint of a limb
    it is in the map that names and structure give, of those that no line has."""
    try:
        pairs = find(settings.source, settings.target, anew=True).pairs
    except RetroAnimError:
        pairs = ()
    called = {other.role for other in settings.pairs if other != line}

    def on(side: str) -> dict[str, str]:
        free = LIMB_JOINTS - called.union(all_roles(settings.pairs, side).values())
        joints = {getattr(pair, side): pair.role for pair in pairs if pair.role in free}
        return {bone: joints[bone] for bone in bones_of(line, side) if bone in joints} | roles_of(line, side)

    return on("source"), on("target")


def _chosen_path(context: bpy.types.Context, obj: bpy.types.Object) -> list[str]:
    """From the topmost selected bone of an armature to the lowest one; none selected: nothing."""
    names = [bone.name for bone in (getattr(context, "selected_pose_bones", None) or ()) if bone.id_data == obj]
    if not names:
        return []
    result = _through(obj, names)
    end = result[-1]
    outside = next((name for name in names if name not in result), "")
    if outside:
        raise RetroAnimError(f"{outside} is in another line of bones than {end}")
    return result


def _through(obj: bpy.types.Object, names: list[str]) -> list[str]:
    """From the topmost of some bones to the lowest one."""
    known = above(obj)
    depth = {name: len(chain_of(known, name)) for name in names}
    return path(obj, min(names, key=lambda name: depth[name]), max(names, key=lambda name: depth[name]), known)


def _add(settings: Any, source: list[str], target: list[str], like: Any = None) -> None:
    """A chain's line, instead of all lines that its target bones were in, whose roles they keep. Each chain is called as its first bone."""
    theirs, roles = (all_roles(settings.pairs, side) for side in ("source", "target"))
    names = roles | {bones[0]: line.role for line in settings.pairs if (bones := bones_of(line, "target")) and line.role}
    mode, weight = (like.mode, like.weight) if like is not None else ("INTERPOLATED", 1.0)
    first = len(settings.pairs)
    for position in reversed(range(len(settings.pairs))):
        line = settings.pairs[position]
        left = [bone for bone in bones_of(line, "target") if bone not in target]
        if line.is_chain and left and len(left) < len(bones_of(line, "target")):
            set_chain(line, bones_of(line, "source"), left, theirs, roles)
            line.role = names.get(left[0], "")
        elif not left:
            settings.pairs.remove(position)
            first = position
    line = settings.pairs.add()
    line.role, line.mode, line.weight = next((names[bone] for bone in target if bone in names), ""), mode, weight
    set_chain(line, source, target, theirs, roles)
    settings.index = min(first, len(settings.pairs) - 1)
    settings.pairs.move(len(settings.pairs) - 1, settings.index)


def _set(line: Any, source: list[str], target: list[str], theirs: Mapping[str, str], roles: Mapping[str, str]) -> None:
    """A part of a chain: of one bone on each side a pair. theirs, roles: by bone of the source and of the target."""
    if len(source) == len(target) == 1:
        set_pair(line, source[0], target[0], roles.get(target[0], ""))
    else:
        set_chain(line, source, target, theirs, roles)


def _next(settings: Any, own: dict[str, list[str]]) -> Any:
    """The line whose bones are the nearest below others on both sides. Two that are as near as each other, as both legs below the hips, are
    none."""
    below: list[tuple[int, Any]] = []
    known = {side: above(getattr(settings, side)) for side in own}
    for line in settings.pairs:
        ends = {side: bones_of(line, side) for side in ("source", "target")}
        try:
            lengths = [len(path(getattr(settings, side), own[side][-1], ends[side][0] if ends[side] else "", known[side])) for side in ends]
        except RetroAnimError:
            continue
        if min(lengths) > 1:
            below.append((sum(lengths), line))
    if not below:
        raise RetroAnimError(f"no line goes on below {own['target'][-1]}: choose the upper one of the two")
    nearest = [line for length, line in below if length == min(below, key=lambda each: each[0])[0]]
    if len(nearest) > 1:
        names = " and ".join(bones_of(line, "target")[0] for line in nearest)
        raise RetroAnimError(f"below {own['target'][-1]} are {names}: select the bones that are meant, and use Chain of Selected Bones")
    return nearest[0]


def nearest_bone(obj: Any, region: Any, view: Any, point: tuple[float, float]) -> str:
    """The bone whose line in a view is nearest to a point of it, in pixels; "" where none is near. None of those that are not shown, of
    which a control rig has most."""
    nearest, result = float(_NEAR), ""
    for bone in filter(compat.is_shown, obj.pose.bones):
        ends = [location_3d_to_region_2d(region, view, obj.matrix_world @ end) for end in (bone.head, bone.tail)]
        if None in ends:
            continue
        at, share = intersect_point_line(Vector(point), *ends)
        at = ends[0] if share < 0 else ends[1] if share > 1 else at.to_2d()
        distance = (Vector(point) - at.to_2d()).length
        if distance < nearest:
            nearest, result = distance, bone.name
    return result


def bone_under(context: bpy.types.Context, obj: Any, point: tuple[int, int]) -> str:
    """The bone that is nearest to a point of the window; "" where that is in no view, or none is near."""
    window: Any = context.window
    region = view_at(window.screen, *point)
    return "" if region is None else nearest_bone(obj, region, region.data, (point[0] - region.x, point[1] - region.y))


def view_at(screen: Any, x: int, y: int) -> Any:
    """The 3D view that shows a point of the window: its region, of which a quad view has four, each with a view of its own as `data`. None
    where there is no view."""
    for area in screen.areas:
        for region in area.regions if area.type == "VIEW_3D" else ():
            if region.type == "WINDOW" and 0 <= x - region.x < region.width and 0 <= y - region.y < region.height:
                return region
    return None


def selected_bone(context: bpy.types.Context, obj: Any) -> str:
    """The bone of an armature that is active, or is the first one selected where that is not; "" for none."""
    chosen = [bone for bone in (getattr(context, "selected_pose_bones", None) or ()) if bone.id_data == obj]
    active = obj.data.bones.active
    name = active.name if active is not None else chosen[0].name if chosen else ""
    return chosen[0].name if chosen and name not in [bone.name for bone in chosen] else name
