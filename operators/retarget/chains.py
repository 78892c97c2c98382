"""The lines of the bone map edited in the window: chains made of bones, joined, split, and bones picked in the view."""

from collections.abc import Callable, Mapping
from typing import Any

from bpy.props import EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Object, Operator

from ...core.reporting.errors import RetroAnimError
from ..shared import job
from . import above, bones_of, chain_of, changed, path
from .bone_map import find
from .settings import armatures_of, settings_of

_NEAR = 40
"""Pixels from the mouse to a bone, at most."""

_FIELDS = tuple((name, name, "") for name in ("source", "target", "source_start", "source_end", "target_start", "target_end"))


def _chosen_path(context: Context, obj: Object) -> list[str]:
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


def _through(obj: Object, names: list[str]) -> list[str]:
    """From the topmost of some bones to the lowest one."""
    known = above(obj)
    depth = {name: len(chain_of(known, name)) for name in names}
    return path(obj, min(names, key=lambda name: depth[name]), max(names, key=lambda name: depth[name]), known)


class _OnLine:
    """What the operators on the active line share."""

    bl_options = {"UNDO", "INTERNAL"}  # as Blender wants it

    def edit(self: Any, context: Context, work: Callable[[Any, Any], None]) -> Any:
        """Do something with the settings and their active line."""

        def all_of_it() -> bool:
            settings = settings_of(context)
            if None in armatures_of(settings):
                raise RetroAnimError("choose source and target first")
            line = settings.pairs[settings.index] if 0 <= settings.index < len(settings.pairs) else None
            work(settings, line)
            settings.edited = True
            changed()
            return True

        return {"FINISHED"} if job.run(self, context, all_of_it) else {"CANCELLED"}


def _add(settings: Any, source: list[str], target: list[str], like: Any = None) -> Any:
    """A chain's line, instead of all lines that its target bones were in."""
    from .map_table import set_chain

    name, mode, weight = (like.role, like.mode, like.weight) if like is not None else ("", "INTERPOLATED", 1.0)
    first = len(settings.pairs)
    for position in reversed(range(len(settings.pairs))):
        line = settings.pairs[position]
        left = [bone for bone in bones_of(line, "target") if bone not in target]
        if line.is_chain and left and len(left) < len(bones_of(line, "target")):
            set_chain(line, bones_of(line, "source"), left)
        elif not left:
            settings.pairs.remove(position)
            first = position
    line = settings.pairs.add()
    line.role, line.mode, line.weight = name, mode, weight
    set_chain(line, source, target)
    settings.index = min(first, len(settings.pairs) - 1)
    settings.pairs.move(len(settings.pairs) - 1, settings.index)
    return settings.pairs[settings.index]


def _roles(settings: Any) -> Mapping[tuple[str, str], str]:
    """Of the pairs that names and structure give."""
    try:
        return {(pair.source, pair.target): pair.role for pair in find(settings.source, settings.target, anew=True).pairs}
    except RetroAnimError:
        return {}  # all of them are made by hand


def _set(line: Any, source: list[str], target: list[str], roles: Mapping[tuple[str, str], str]) -> None:
    """A part of a chain: of one bone on each side a pair, whose role is that of the map that is found."""
    from .map_table import set_chain, set_pair

    if len(source) == len(target) == 1:
        set_pair(line, source[0], target[0], roles.get((source[0], target[0]), ""))
    else:
        set_chain(line, source, target)


class RETRO_ANIM_OT_retarget_chain(_OnLine, Operator):
    """Make a chain of the bones selected in the target, which follows those selected in the source, or what they followed before"""

    bl_idname = "retro_anim.retarget_chain"
    bl_label = "Chain of Selected Bones"

    def execute(self, context: Context) -> Any:
        def make(settings: Any, _line: Any) -> None:
            target, source = _chosen_path(context, settings.target), _chosen_path(context, settings.source)
            if not target:
                raise RetroAnimError(f"select bones of {settings.target.name} in pose mode")
            known = [line for line in settings.pairs if set(bones_of(line, "target")) & set(target)]
            followed = [bone for line in known for bone in bones_of(line, "source")]
            if not source and followed:
                source = _through(settings.source, followed)
            if not source:
                raise RetroAnimError(f"select bones of {settings.source.name}, too: both armatures can be in pose mode")
            name = next((line.role for line in known if line.role), "")
            _add(settings, source, target).role = name

        return self.edit(context, make)


class RETRO_ANIM_OT_retarget_chain_join(_OnLine, Operator):
    """Join the line with the one whose bones come next below it, to one chain"""

    bl_idname = "retro_anim.retarget_chain_join"
    bl_label = "Join with Next"

    def execute(self, context: Context) -> Any:
        def join(settings: Any, line: Any) -> None:
            own = {side: bones_of(line, side) if line is not None else [] for side in ("source", "target")}
            if not own["source"] or not own["target"]:
                raise RetroAnimError("choose a line with a bone on both sides")
            below = _next(settings, own)
            joined = {side: path(getattr(settings, side), own[side][0], bones_of(below, side)[-1]) for side in ("source", "target")}
            _add(settings, joined["source"], joined["target"], line)

        return self.edit(context, join)


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
        raise RetroAnimError(f"no line goes on below {own['target'][-1]}")
    nearest = [line for length, line in below if length == min(below, key=lambda each: each[0])[0]]
    if len(nearest) > 1:
        names = " and ".join(bones_of(line, "target")[0] for line in nearest)
        raise RetroAnimError(f"below {own['target'][-1]} are {names}: select the bones that are meant, and use Chain of Selected Bones")
    return nearest[0]


class RETRO_ANIM_OT_retarget_chain_split(_OnLine, Operator):
    """Split the chain before the active bone of the target, or in the middle, the source's at the same part"""

    bl_idname = "retro_anim.retarget_chain_split"
    bl_label = "Split"

    at: StringProperty(name="Bone", description="Of the target, with which the second part begins", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> Any:
        def split(settings: Any, line: Any) -> None:
            if line is None or not line.is_chain:
                raise RetroAnimError("only a chain can be split: choose a line with the sign of a link")
            source, target = bones_of(line, "source"), bones_of(line, "target")
            if len(target) < 2 or len(source) < 2:
                raise RetroAnimError("a chain with a single bone on one side cannot be split: pick further ends for it first")
            active = getattr(context, "active_pose_bone", None)
            name = self.at or (active.name if active is not None and active.id_data == settings.target else "")
            position = target.index(name) if name in target[1:] else (len(target) + 1) // 2
            cut = min(max(round(position * len(source) / len(target)), 1), len(source) - 1)
            like = line.role, line.mode, line.weight
            first = settings.index
            roles = _roles(settings)
            _set(line, source[:cut], target[:position], roles)
            second = settings.pairs.add()
            second.role, second.mode, second.weight = like
            _set(second, source[cut:], target[position:], roles)
            settings.pairs.move(len(settings.pairs) - 1, first + 1)
            settings.index = first + 1

        return self.edit(context, split)


class _Picking(_OnLine):
    """Sets a bone of a line."""

    def set(self: Any, context: Context, name: str) -> Any:
        """An end that does not hang on the other stays as it was picked, for that may be picked next; it is a step of undo as any other."""

        def write(settings: Any, _line: Any) -> None:
            if not 0 <= self.line < len(settings.pairs):
                raise RetroAnimError("choose a line first")
            line = settings.pairs[self.line]
            setattr(line, self.field, name)
            if line.note and line.is_chain:
                self.report({"WARNING"}, line.note)
            else:  # instead of what a click beside all bones left in the status bar
                self.report({"INFO"}, f"{line.bl_rna.properties[self.field].name}: {name}")

        return self.edit(context, write)

    def armature(self: Any, context: Context) -> Any:
        return armatures_of(settings_of(context))[self.field.startswith("target")]


class RETRO_ANIM_OT_retarget_bone_take(_Picking, Operator):
    """Take the bone that is active in the armature"""

    bl_idname = "retro_anim.retarget_bone_take"
    bl_label = "Take Selected Bone"

    line: IntProperty(options={"SKIP_SAVE"})
    field: EnumProperty(items=_FIELDS, options={"SKIP_SAVE"})

    def execute(self, context: Context) -> Any:
        obj = self.armature(context)
        chosen = [bone for bone in (getattr(context, "selected_pose_bones", None) or ()) if bone.id_data == obj]
        active = obj.data.bones.active if obj is not None else None
        name = active.name if active is not None else chosen[0].name if chosen else ""
        if chosen and name not in [bone.name for bone in chosen]:
            name = chosen[0].name
        if not name:
            self.report({"WARNING"}, "no bone of it is selected")
            return {"CANCELLED"}
        return self.set(context, name)


class RETRO_ANIM_OT_retarget_bone_pick(_Picking, Operator):
    """Click on a bone in the view; Esc: leave it as it is"""

    bl_idname = "retro_anim.retarget_bone_pick"
    bl_label = "Pick Bone"

    line: IntProperty(options={"SKIP_SAVE"})
    field: EnumProperty(items=_FIELDS, options={"SKIP_SAVE"})

    def invoke(self, context: Context, event: Event) -> Any:
        if self.armature(context) is None:
            self.report({"WARNING"}, "choose the armature first")
            return {"CANCELLED"}
        context.window.cursor_modal_set("EYEDROPPER")
        context.workspace.status_text_set(f"Click on a bone of {self.armature(context).name}    Esc: none")
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> Any:
        if event.type in ("ESC", "RIGHTMOUSE"):
            return self._end(context, {"CANCELLED"})
        if event.type != "LEFTMOUSE" or event.value != "PRESS":
            return {"PASS_THROUGH"} if event.type in ("MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE") else {"RUNNING_MODAL"}
        name = self._under(context, event.mouse_x, event.mouse_y)
        if not name:
            self.report({"WARNING"}, f"no bone of {self.armature(context).name} is near the click")
            return {"RUNNING_MODAL"}
        self._end(context, set())
        return self.set(context, name)

    def _end(self, context: Context, result: Any) -> Any:
        context.window.cursor_modal_restore()
        context.workspace.status_text_set(None)
        return result

    def _under(self, context: Context, x: int, y: int) -> str:
        """The bone that is nearest to a point of the window."""
        for area in context.window.screen.areas:
            region = next((part for part in area.regions if part.type == "WINDOW"), None)
            if area.type == "VIEW_3D" and region is not None and 0 <= x - region.x < region.width and 0 <= y - region.y < region.height:
                return nearest_bone(self.armature(context), region, area.spaces.active.region_3d, (x - region.x, y - region.y))
        return ""


def nearest_bone(obj: Any, region: Any, view: Any, point: tuple[float, float]) -> str:
    """The bone whose line in a view is nearest to a point of it, in pixels; "" where none is near. None of those that are not shown, of
    which a control rig has most."""
    from bpy_extras.view3d_utils import location_3d_to_region_2d
    from mathutils import Vector
    from mathutils.geometry import intersect_point_line

    from ...io.blender import compat

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


CLASSES = (
    RETRO_ANIM_OT_retarget_chain,
    RETRO_ANIM_OT_retarget_chain_join,
    RETRO_ANIM_OT_retarget_chain_split,
    RETRO_ANIM_OT_retarget_bone_take,
    RETRO_ANIM_OT_retarget_bone_pick,
)
