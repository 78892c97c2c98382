"""The clips of the active character: a list to play, edit and save them from."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, IntProperty

from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity
from . import clip_states, game_view, job, modal
from .layout import SidePanel, confirm
from .panel import active_action, active_armature, animated

FOLLOWS = "retro_anim_follows"
"""Custom property of a scene: whether its preview range goes with the active action."""

_last: list[str] = []
"""Scene and action that the preview range was set for last."""

_range: list[float] = []
"""Frame range of the action then, which keys and *Refit Loop* may move."""


def belongs(action: bpy.types.Action, obj: bpy.types.Object) -> bool:
    """Whether an action is one of an object's clips: made for its figure, or what it shows now."""
    shown = obj.animation_data.action if obj.animation_data else None
    figure = obj.data.get(identity.RIG) if obj.data is not None else None
    return action == shown or (bool(figure) and action.get(identity.RIG) == figure)


def clips_of(obj: bpy.types.Object | None) -> list[bpy.types.Action]:
    """In the order of the list, which is that of their names as people count: 2 comes before 10."""
    return sorted((action for action in bpy.data.actions if belongs(action, obj)), key=_counted) if obj is not None else []


def _counted(action: bpy.types.Action) -> list[str | int]:
    """A name as texts and numbers by turns."""
    return [int(part) if position % 2 else part.lower() for position, part in enumerate(re.split(r"(\d+)", action.name))]


def make_active(context: bpy.types.Context, action: bpy.types.Action) -> None:
    """Show a clip on its character. Raises RetroAnimError in the tweak mode of the NLA."""
    from ...io.blender import actions

    obj = animated(context)
    if obj is not None:
        actions.show(obj, action, actions.root_motion_of(obj, "OBJECT"))


def _choose(context: bpy.types.Context, action: bpy.types.Action) -> None:
    """As `make_active`, for a person who chose it in the list: a character that the loop of the clip has out of sight comes back into
    view."""
    make_active(context, action)
    _updated(context.scene)
    obj = animated(context)
    if obj is not None and _last == [context.scene.name, action.name]:
        from ...io.pipeline import playing
        from . import framing

        framing.bring_back(context, obj, playing.played(action))


def _index(_manager: Any) -> int:
    action = active_action(bpy.context)
    return bpy.data.actions.find(action.name) if action is not None else -1


def _set_index(_manager: Any, index: int) -> None:
    if not 0 <= index < len(bpy.data.actions):
        return
    try:
        _choose(bpy.context, bpy.data.actions[index])
    except RetroAnimError as error:
        text = str(error)
        bpy.context.window_manager.popup_menu(lambda menu, _context: menu.layout.label(text=text), title="Clip", icon="ERROR")


_LETTERS = 12
"""Of a file's name in the list, which is narrow."""


def goes_to(action: bpy.types.Action) -> str:
    """Where a clip goes, as short as it can be said: its entry, or its file, whose ending is enough where nobody chose it."""
    from ...io.blender import source_data
    from ...io.pipeline import targets

    path, entry = targets.home(action), targets.shown_entry(action)
    if entry:
        return f"#{entry}"
    file = Path(path)
    name = file.name if path != source_data.path_of(action) and file.stem != action.name else file.suffix
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"


def short_name(action: bpy.types.Action, obj: bpy.types.Object | None) -> str:
    """Without the name of its character, with which it begins, or ends where it was retargeted onto it, and without what all clips of its
    game begin with: the list is narrow."""
    name, own, game = action.name, obj.name if obj is not None else "", identity.game_of(action)
    for prefix in game.prefixes if game is not None else ():
        name = name.removeprefix(prefix) or name
    return without(name.removesuffix(f" on {own}") or name if own else name, own)


def without(name: str, own: str) -> str:
    """The name of a clip without that of its character, with which it begins."""
    rest = name.removeprefix(own).lstrip(" _-.") if own and name[len(own) :][:1] in tuple(" _-.") else ""
    return rest or name


def frames(action: bpy.types.Action) -> int:
    """That are shown, before it repeats: the last one of a loop is its first one again."""
    start, end = action.frame_range
    return max(round(end - start) + (not action.use_cyclic), 0)


class RETRO_ANIM_UL_clips(bpy.types.UIList):
    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        name, rest = layout.row(align=True), layout.row(align=True)
        name.prop(item, identity.TICKED, text="")
        name.label(text=short_name(item, animated(context)), translate=False)
        rest.alignment = "RIGHT"
        rest.label(text=str(frames(item)))
        rest.label(text=goes_to(item), translate=False)
        rest.label(text="", icon=clip_states.ICONS.get(clip_states.state(item), "BLANK1"))

    def filter_items(self, context: Any, data: Any, property: str) -> tuple[list[int], list[int]]:  # noqa: A002 - Blender's own name
        obj, text = animated(context), self.filter_name.lower()
        visible: int = self.bitflag_filter_item
        clips = list(bpy.data.actions)
        here = [obj is not None and belongs(action, obj) and text in action.name.lower() for action in clips]
        flags = [visible if there != (bool(text) and self.use_filter_invert) else 0 for there in here]
        positions = [0] * len(clips)
        listed = sorted((index for index, flag in enumerate(flags) if flag), key=lambda index: _counted(clips[index]))
        for position, index in enumerate([*listed, *(index for index, flag in enumerate(flags) if not flag)]):
            positions[index] = position
        return flags, positions


class _OfClip:
    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_action(context) is not None and animated(context) is not None


class RETRO_ANIM_OT_clip_step(_OfClip, bpy.types.Operator):
    """Show the next clip of the character, or the one before"""

    bl_idname = "retro_anim.clip_step"
    bl_label = "Next Clip"
    bl_options = {"UNDO"}

    step: IntProperty(name="Step", default=1)

    def execute(self: Any, context: bpy.types.Context) -> Any:
        clips, action = clips_of(animated(context)), active_action(context)
        assert action is not None
        new = clips[(clips.index(action) + self.step) % len(clips)]
        if job.run(self, context, lambda: _choose(context, new) or new, lambda: False) is None:
            return {"CANCELLED"}
        return {"FINISHED"}


class RETRO_ANIM_OT_clip_new(bpy.types.Operator):
    """Make a new clip for the character: an empty action of its own, which an export takes for a new animation"""

    bl_idname = "retro_anim.clip_new"
    bl_label = "New Clip"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = active_armature(context)
        return obj is not None and obj.data is not None

    def execute(self: Any, context: bpy.types.Context) -> Any:
        from ...io.blender import compat

        obj = active_armature(context)
        assert obj is not None and obj.data is not None
        action, _ = compat.new_action(f"{obj.name} new", obj)
        action.use_fake_user = True
        game = identity.game_of(obj)
        if game is not None:
            action[identity.GAME] = game.id
        if obj.data.get(identity.RIG):
            action[identity.RIG] = obj.data[identity.RIG]
        if job.run(self, context, lambda: compat.assign(obj, action) or action, lambda: False) is None:
            bpy.data.actions.remove(action)
            return {"CANCELLED"}
        clip_states.know({action.name: "new"})
        return {"FINISHED"}


class RETRO_ANIM_OT_clip_duplicate(_OfClip, bpy.types.Operator):
    """Copy the clip and show the copy; it needs an entry or a file of its own before it is saved, under Goes To"""

    bl_idname = "retro_anim.clip_duplicate"
    bl_label = "Duplicate Clip"
    bl_options = {"UNDO"}

    def execute(self: Any, context: bpy.types.Context) -> Any:
        action = active_action(context)
        assert action is not None
        copy = action.copy()
        copy.use_fake_user = True
        if job.run(self, context, lambda: make_active(context, copy) or copy, lambda: False) is None:
            bpy.data.actions.remove(copy)
            return {"CANCELLED"}
        clip_states.know({copy.name: "new"})
        return {"FINISHED"}


class RETRO_ANIM_OT_clip_delete(_OfClip, bpy.types.Operator):
    """Remove the clip from the file; what it came from stays as it is"""

    bl_idname = "retro_anim.clip_delete"
    bl_label = "Delete Clip"
    bl_options = {"UNDO"}

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        return confirm(self, context, event, self.bl_label, "What it came from stays as it is")

    def execute(self: Any, context: bpy.types.Context) -> Any:
        action, obj = active_action(context), animated(context)
        assert action is not None and obj is not None and obj.animation_data is not None
        clips = clips_of(obj)
        after = [each for each in (*clips[clips.index(action) + 1 :], *clips[: clips.index(action)][::-1]) if each != action]
        name = action.name
        if after and job.run(self, context, lambda: make_active(context, after[0]) or after[0], lambda: False) is None:
            return {"CANCELLED"}
        bpy.data.actions.remove(action)
        self.report({"INFO"}, f"deleted: {name}")
        return {"FINISHED"}


class RETRO_ANIM_OT_clips_tick(bpy.types.Operator):
    """Tick all clips of the character, or none"""

    bl_idname = "retro_anim.clips_tick"
    bl_label = "Tick Clips"
    bl_options = {"UNDO", "INTERNAL"}

    all_clips: BoolProperty(name="All")

    def execute(self: Any, context: bpy.types.Context) -> Any:
        for action in clips_of(animated(context)):
            setattr(action, identity.TICKED, self.all_clips)
        return {"FINISHED"}


class RETRO_ANIM_OT_save_clips(bpy.types.Operator):
    """Write the clip back to the file or entry that it goes to; nothing else of an archive changes"""

    bl_idname = "retro_anim.save_clips"
    bl_label = "Save"

    ticked: BoolProperty(name="Ticked", description="All ticked clips of the character instead of the one that is shown")
    in_window = False

    def invoke(self: Any, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        self.in_window = True
        return self.execute(context) if self.ticked else self._asked(context) or self.execute(context)

    def _asked(self: Any, context: bpy.types.Context) -> Any:
        """Of a clip that no file can take yet, as one of a level or a new one: where it goes is asked, by its game's exporter."""
        from ...io.pipeline import saving

        action, obj = active_action(context), animated(context)
        game = identity.game_of(action) or identity.game_of(obj) if action is not None and obj is not None else None
        if game is None or not game.holding("clip") or saving.has_home(game, action):
            return None
        getattr(bpy.ops.export_anim, game.id)("INVOKE_DEFAULT")
        return {"CANCELLED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return animated(context) is not None

    def execute(self: Any, context: bpy.types.Context) -> Any:
        names = [action.name for action in chosen_clips(context, self.ticked)]

        def work() -> Any:
            from ...io.pipeline import saving

            return (yield from saving.steps(context, names))

        def conclude(reporter: Any, now: bpy.types.Context, ended: job.Job[Any]) -> Any:
            saved = job.conclude(reporter, now, ended, summary=lambda result: result.report)
            if saved is None:
                return {"CANCELLED"}
            clip_states.know({change.action: "unchanged" for change in saved.changes if change.action and change.state != "refused"})
            return {"FINISHED"}

        return modal.run_or_begin(self, context, job.Job(work), conclude, "Saving", self.in_window)


def chosen_clips(context: bpy.types.Context, ticked: bool) -> Sequence[bpy.types.Action]:
    """The ticked clips of the character, or the one that is shown."""
    action: Any = active_action(context)
    if not ticked:
        return [action] if action is not None else []
    return [each for each in clips_of(animated(context)) if getattr(each, identity.TICKED, False)]


class VIEW3D_PT_retro_anim_clips(SidePanel, bpy.types.Panel):
    bl_label = "Clips"
    bl_idname = "VIEW3D_PT_retro_anim_clips"
    bl_parent_id = "VIEW3D_PT_retro_anim"
    bl_order = 0

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = animated(context)
        return obj is not None and (identity.game_of(obj) is not None or active_action(context) is not None)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout, action = self.layout, active_action(context)
        row = layout.row()
        row.template_list("RETRO_ANIM_UL_clips", "", bpy.data, "actions", context.window_manager, "retro_anim_clip", rows=7)
        column = row.column(align=True)
        column.operator("retro_anim.clip_new", text="", icon="ADD")
        column.operator("retro_anim.clip_duplicate", text="", icon="DUPLICATE")
        column.operator("retro_anim.clip_delete", text="", icon="REMOVE")
        column.separator()
        column.operator("retro_anim.clips_tick", text="", icon="CHECKBOX_HLT").all_clips = True
        column.operator("retro_anim.clips_tick", text="", icon="CHECKBOX_DEHLT").all_clips = False
        if action is not None:
            layout.prop(action, "name", text="", icon="ACTION")
        row = layout.row(align=True)
        row.operator("retro_anim.clip_step", text="", icon="TRIA_UP").step = -1
        playing = context.screen is not None and context.screen.is_animation_playing
        row.operator("screen.animation_play", text="Pause" if playing else "Play", icon="PAUSE" if playing else "PLAY")
        row.operator("retro_anim.clip_step", text="", icon="TRIA_DOWN").step = 1
        row.prop(context.scene, FOLLOWS, text="", icon="PREVIEW_RANGE", toggle=True)
        row.operator("retro_anim.game_view", text="", icon="OUTLINER_OB_CAMERA", depress=game_view.shown() is not None)
        if action is not None:
            _draw_use(layout, action)
        row = layout.row(align=True)
        row.operator("retro_anim.save_clips", text="Save", icon="FILE_TICK").ticked = False
        row.operator("retro_anim.save_clips", text="Save Ticked", icon="CHECKMARK").ticked = True
        layout.operator("retro_anim.what_would_change", icon="VIEWZOOM")
        layout.operator("retro_anim.export_everything", icon="EXPORT")
        layout.operator("retro_anim.mark_assets", icon="ASSET_MANAGER")
        row = layout.row(align=True)
        row.operator("retro_anim.refit_loop", icon="LOOP_BACK")
        row.operator("retro_anim.make_linear", icon="IPO_LINEAR")


def _draw_use(layout: Any, action: bpy.types.Action) -> None:
    """What the game uses the clip for, and where it came from."""
    from ...io.pipeline import targets

    roles, path = action.get("lba_roles"), targets.home(action)
    parts = [
        roles if isinstance(roles, str) else "",
        "loops" if action.use_cyclic else "plays once",
        Path(path).name if path else "no file yet",
    ]
    layout.label(text=", ".join(part for part in parts if part), translate=False)


def _follows(scene: Any) -> bool:
    return bool(scene.get(FOLLOWS, False))


def _set_follows(scene: Any, follows: bool) -> None:
    scene[FOLLOWS] = follows
    _last.clear()
    _range.clear()


@persistent
def _updated(scene: Any, depsgraph: Any = None, stay: bool = False) -> None:
    """The preview range goes with the active action, however that was changed, and with where that begins and ends."""
    if not scene.get(FOLLOWS) or scene != getattr(bpy.context, "scene", None):
        return
    action = active_action(bpy.context)
    present = [scene.name, action.name if action is not None else ""]
    if action is None or (present == _last and not (depsgraph is not None and depsgraph.id_type_updated("ACTION"))):
        return
    known, frame_range = present == _last, [*map(float, action.frame_range[:])]
    if known and frame_range == _range:
        return
    first = not _last
    _last[:], _range[:] = present, frame_range
    if first and scene.use_preview_range:
        return  # as it was found
    from ...io.pipeline import playing

    playing.follow(scene, action, stay or known)


@persistent
def _played(scene: Any, depsgraph: Any = None) -> None:
    """A change is noticed with the next frame, as while Blender plays; a frame that a person or a script goes to is kept."""
    screen = getattr(bpy.context, "screen", None)
    _updated(scene, depsgraph, stay=screen is None or not screen.is_animation_playing)


def _handlers() -> Sequence[tuple[Any, Any]]:
    return (bpy.app.handlers.depsgraph_update_post, _updated), (bpy.app.handlers.frame_change_post, _played)


def register() -> None:
    kinds: Any = bpy.types
    kinds.WindowManager.retro_anim_clip = IntProperty(name="Clip", get=_index, set=_set_index)
    setattr(
        kinds.Action,
        identity.TICKED,
        BoolProperty(name="Ticked", description="Save Ticked, and exports of Ticked Clips, write it", default=True),
    )
    setattr(
        kinds.Scene,
        FOLLOWS,
        BoolProperty(
            name="Follow the Clip",
            description="The preview range is the loop of the clip that is shown, whichever that is",
            get=_follows,
            set=_set_follows,
        ),
    )
    for handlers, handler in _handlers():
        handlers.append(handler)


def unregister() -> None:
    kinds: Any = bpy.types
    for handlers, handler in _handlers():
        handlers.remove(handler)
    for owner, name in ((kinds.Scene, FOLLOWS), (kinds.Action, identity.TICKED), (kinds.WindowManager, "retro_anim_clip")):
        delattr(owner, name)


CLASSES = (
    RETRO_ANIM_UL_clips,
    RETRO_ANIM_OT_clip_step,
    RETRO_ANIM_OT_clip_new,
    RETRO_ANIM_OT_clip_duplicate,
    RETRO_ANIM_OT_clip_delete,
    RETRO_ANIM_OT_clips_tick,
    RETRO_ANIM_OT_save_clips,
    VIEW3D_PT_retro_anim_clips,
)
