"""The list of a character's clips, and what is done with them: shown, made, copied, deleted, ticked."""

from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty
from bpy.types import Action, Context, Event, Operator, UIList

from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity, register_property
from ..shared import job, modal
from ..shared.layout import LINKED, allowed, confirm, is_narrow, split_layout
from ..shared.panel import active_action, active_armature, animated
from . import belongs, clips_of, counted, make_active, preview_range, states


def choose(context: Context, action: Action) -> None:
    """As `make_active`, for a person who chose it in the list: a character that the loop of the clip has out of sight comes back into
    view."""
    make_active(context, action)
    preview_range.update(context.scene)
    obj = animated(context)
    if obj is not None and preview_range.is_of(context.scene, action):
        from ...io.pipeline.loops import playing
        from ..shared import framing

        framing.bring_back(context, obj, playing.played(action))


class _OfClip:
    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, active_action(context) is not None, "Needs a clip: the active object shows none")


class RETRO_ANIM_OT_clip_step(_OfClip, Operator):
    """Show the next clip of the character, or the one before"""

    bl_idname = "retro_anim.clip_step"
    bl_label = "Next or Previous Clip"
    bl_options = {"UNDO"}

    step: IntProperty(name="Step", default=1)

    @classmethod
    def description(cls, _context: Context, properties: Any) -> str:
        return "Show the next clip of the character" if properties.step > 0 else "Show the clip of the character before this one"

    def execute(self: Any, context: Context) -> Any:
        clips, action = clips_of(animated(context)), active_action(context)
        assert action is not None
        new = clips[(clips.index(action) + self.step) % len(clips)]
        if job.run(self, context, lambda: choose(context, new) or new, lambda: False) is None:
            return {"CANCELLED"}
        return {"FINISHED"}


def _add(operator: Any, context: Context, action: Action, show: Callable[[], object]) -> Any:
    """A new clip that is shown at once, and removed again where that fails."""
    if job.run(operator, context, lambda: show() or action, lambda: False) is None:
        bpy.data.actions.remove(action)
        return {"CANCELLED"}
    states.know({action.name: "new"})
    return {"FINISHED"}


class RETRO_ANIM_OT_clip_new(Operator):
    """Make a new clip for the character: an empty action of its own, which an export takes for a new animation"""

    bl_idname = "retro_anim.clip_new"
    bl_label = "New Clip"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = active_armature(context)
        if obj is None or obj.data is None:
            return allowed(cls, False, "Needs an armature that is active, or a mesh on one")
        return allowed(cls, obj.library is None, LINKED)

    def execute(self: Any, context: Context) -> Any:
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
        return _add(self, context, action, lambda: compat.assign(obj, action))


class RETRO_ANIM_OT_clip_duplicate(_OfClip, Operator):
    """Copy the clip and show the copy; it needs an entry or a file of its own before it is saved, under Goes To"""

    bl_idname = "retro_anim.clip_duplicate"
    bl_label = "Duplicate Clip"
    bl_options = {"UNDO"}

    def execute(self: Any, context: Context) -> Any:
        action = active_action(context)
        assert action is not None
        copy = action.copy()
        copy.use_fake_user = True
        return _add(self, context, copy, lambda: make_active(context, copy))


class RETRO_ANIM_OT_clip_delete(_OfClip, Operator):
    """Remove the clip from this .blend file; the game's file that it came from stays as it is"""

    bl_idname = "retro_anim.clip_delete"
    bl_label = "Delete Clip"
    bl_options = {"UNDO"}

    def invoke(self, context: Context, event: Event) -> Any:
        action = active_action(context)
        assert action is not None
        return confirm(self, context, event, self.bl_label, f"{action.name}: out of this .blend file; the game's stays as it is")

    def execute(self: Any, context: Context) -> Any:
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


class RETRO_ANIM_OT_clips_tick(Operator):
    """Tick all clips of the character, or none"""

    bl_idname = "retro_anim.clips_tick"
    bl_label = "Tick Clips"
    bl_options = {"UNDO", "INTERNAL"}

    all_clips: BoolProperty(name="All")

    @classmethod
    def description(cls, _context: Context, properties: Any) -> str:
        return "Tick all clips of the character" if properties.all_clips else "Untick all clips of the character"

    def execute(self: Any, context: Context) -> Any:
        for action in clips_of(animated(context)):
            setattr(action, identity.TICKED, self.all_clips)
        return {"FINISHED"}


class RETRO_ANIM_OT_game_view(Operator):
    """Show the character as the game does: its camera, light and look, the clip from its beginning and then its loop, on a floor, with the
    events as they pass. Once more gives everything back as it was"""

    bl_idname = "retro_anim.game_view"
    bl_label = "Game View"
    bl_options = {"REGISTER", "UNDO"}

    size: EnumProperty(
        name="Size",
        items=(
            ("PICTURE", "Fills the Picture", "The character is large in the picture"),
            ("GAME", "As in the Game", "As large as on the game's screen, where that is known"),
        ),
    )

    where: EnumProperty(
        name="Camera",
        items=(
            ("INDOORS", "Indoors", "The game's own, of Little Big Adventure 2 that of its rooms"),
            ("OUTDOORS", "Outdoors", "Of Little Big Adventure 2 under the sky: from behind, in perspective"),
        ),
    )

    ends: BoolProperty(options={"HIDDEN", "SKIP_SAVE"})
    """Whether it was the end: that begins nothing when it is adjusted, which comes after an undo."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        from . import game_view

        obj = active_armature(context)
        fine = game_view.shown() is not None or (obj is not None and obj.type == "ARMATURE" and identity.game_of(obj) is not None)
        return allowed(cls, fine, "Needs a game's character that is active")

    def draw(self: Any, context: Context) -> None:
        layout = split_layout(self)
        layout.enabled = not self.ends
        layout.prop(self, "size")
        layout.prop(self, "where")

    def execute(self: Any, context: Context) -> Any:
        from ...io.pipeline.game_view import show
        from . import game_view

        if self.ends or game_view.shown() is not None:
            self.ends = True
            game_view.end()
            return {"FINISHED"}
        obj = active_armature(context)
        game = identity.game_of(obj) if obj is not None else None
        assert obj is not None and game is not None
        fills, outdoors = self.size == "PICTURE", self.where == "OUTDOORS"
        view = job.run(self, context, lambda: show(context, obj, game, fills, outdoors), lambda: False)
        if view is None:
            return {"CANCELLED"}
        game_view.begin(context, view)
        return {"FINISHED"}


class RETRO_ANIM_UL_clips(UIList):
    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        from ..shared import clip_names  # which Blender's start does not need
        from . import names

        name = layout.row(align=True)
        name.prop(item, identity.TICKED, text="")
        short, frames, state = clip_names.short_name(item, animated(context)), str(names.frames(item)), states.state(item)
        if is_narrow(context.region):  # Blender would cut the name off before all others: only a mark that asks for something is left
            name.label(text=short, translate=False, icon="NONE" if state in ("", "unchanged") else states.ICONS[state])
            return
        name.label(text=short, translate=False)
        rest = layout.row(align=True)
        rest.alignment = "RIGHT"
        rest.label(text=frames)
        if goes := names.goes_to(item, names.room(context.region, short, frames)):  # even an empty label takes room from the name
            rest.label(text=goes, translate=False)
        rest.label(text="", icon=states.ICONS[state])

    def filter_items(self, context: Any, data: Any, property: str) -> tuple[list[int], list[int]]:  # noqa: A002 - Blender's own name
        obj, text = animated(context), self.filter_name.lower()
        visible: int = self.bitflag_filter_item
        clips = list(bpy.data.actions)
        here = [obj is not None and belongs(action, obj) and text in action.name.lower() for action in clips]
        flags = [visible if there != (bool(text) and self.use_filter_invert) else 0 for there in here]
        positions = [0] * len(clips)
        listed = sorted((index for index, flag in enumerate(flags) if flag), key=lambda index: counted(clips[index], obj))
        for position, index in enumerate([*listed, *(index for index, flag in enumerate(flags) if not flag)]):
            positions[index] = position
        return flags, positions


def _index(_manager: Any) -> int:
    action = active_action(bpy.context)
    return bpy.data.actions.find(action.name) if action is not None else -1


def _set_index(_manager: Any, index: int) -> None:
    if not 0 <= index < len(bpy.data.actions):
        return
    shown = active_action(bpy.context)
    try:
        choose(bpy.context, bpy.data.actions[index])
    except RetroAnimError as error:
        text = str(error)
        bpy.context.window_manager.popup_menu(lambda menu, _context: menu.layout.label(text=text), title="Clip", icon="ERROR")
        return
    if not bpy.app.background and active_action(bpy.context) != shown:
        bpy.app.timers.register(_push_choice, first_interval=0)  # of what a list changes in the window manager Blender keeps no step


def _push_choice() -> None:
    """A step of undo for the clip that was chosen: else Ctrl+Z would take back what was done before it, too."""
    from ...io.blender import scene

    with scene.in_a_window(bpy.context):
        modal.push_undo(True, "Show Clip")


def register() -> None:
    register_property(
        bpy.types.Action,
        identity.TICKED,
        BoolProperty(name="Ticked", description="Save Ticked, and exports of Ticked Clips, write it", default=True),
    )
    register_property(
        bpy.types.WindowManager,
        "retro_anim_clip",
        IntProperty(name="Clip", description="It is shown, and the buttons below are about it", get=_index, set=_set_index),
    )


def unregister() -> None:
    manager: Any = bpy.types.WindowManager
    del manager.retro_anim_clip
    delattr(bpy.types.Action, identity.TICKED)


CLASSES = (
    RETRO_ANIM_OT_clip_step,
    RETRO_ANIM_OT_clip_new,
    RETRO_ANIM_OT_clip_duplicate,
    RETRO_ANIM_OT_clip_delete,
    RETRO_ANIM_OT_clips_tick,
    RETRO_ANIM_OT_game_view,
    RETRO_ANIM_UL_clips,
)
