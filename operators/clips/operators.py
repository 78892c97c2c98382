"""What is done with the clips of a character: shown, made, copied, deleted, ticked, made linear, saved."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, IntProperty
from bpy.types import Action, Context, Event, Operator

from ...core.reporting.labels import line
from ...io.blender import identity
from ..shared import decide, job, messages, modal
from ..shared.layout import LINKED, allowed, confirm
from ..shared.panel import active_action, active_armature, animated
from . import chosen_clips, clips_of, make_active, preview_range, states


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


class RETRO_ANIM_OT_make_linear(_OfClip, Operator):
    """Draw straight lines between the keys of the active action, as the games go from key to key"""

    bl_idname = "retro_anim.make_linear"
    bl_label = "Make Linear"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        action = active_action(context)
        return super().poll(context) and allowed(cls, action is not None and action.library is None, LINKED)

    def execute(self: Any, context: Context) -> Any:
        from ...io.blender.motion import fcurves

        action, obj = active_action(context), animated(context)
        assert action is not None and obj is not None
        self.report({"INFO"}, f"{action.name}: {fcurves.make_linear(action, obj)} curves made linear")
        return {"FINISHED"}


class RETRO_ANIM_OT_save_clips(modal.InWindow, Operator):
    """Write the clip back to the file or entry that it goes to; nothing else of an archive changes"""

    bl_idname = "retro_anim.save_clips"
    bl_label = "Save"

    ticked: BoolProperty(name="Ticked", description="All ticked clips of the character instead of the one that is shown")

    @classmethod
    def description(cls, _context: Context, properties: Any) -> str:
        every = "Write all ticked clips, each back to the file or entry that it goes to, or none where one is refused"
        return every if properties.ticked else ""  # the class's own

    def invoke(self: Any, context: Context, event: Event) -> Any:
        self.in_window = True
        return self.execute(context) if self.ticked else self._asked(context) or self.execute(context)

    def _asked(self: Any, context: Context) -> Any:
        """Of a clip that no file can take yet, as one of a level or a new one: where it goes is asked, by its game's exporter."""
        from ...io.pipeline.destination import targets
        from ...io.pipeline.out_of_blender import clips_by_file

        action, obj = active_action(context), animated(context)
        game = identity.game_of(action) or identity.game_of(obj) if action is not None and obj is not None else None
        if game is None or not game.holding("clip") or clips_by_file.has_home(game, action):
            return None
        home = targets.home(action)
        reason = game.refused.get(Path(home).suffix.lower(), "") or "no file has it yet: name one"
        self.report({"INFO"}, line(f"{action.name}: {reason}"))
        messages.begun(self, getattr(bpy.ops.export_anim, game.id))
        return {"CANCELLED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, animated(context) is not None, "Needs an active object whose clips are saved")

    def execute(self: Any, context: Context) -> Any:
        names = [action.name for action in chosen_clips(context, self.ticked)]
        return decide.save_clips(self, context, names, [] if self.in_window else None)


def register() -> None:
    action: Any = Action
    setattr(
        action,
        identity.TICKED,
        BoolProperty(name="Ticked", description="Save Ticked, and exports of Ticked Clips, write it", default=True),
    )


def unregister() -> None:
    delattr(Action, identity.TICKED)


CLASSES = (
    RETRO_ANIM_OT_clip_step,
    RETRO_ANIM_OT_clip_new,
    RETRO_ANIM_OT_clip_duplicate,
    RETRO_ANIM_OT_clip_delete,
    RETRO_ANIM_OT_clips_tick,
    RETRO_ANIM_OT_make_linear,
    RETRO_ANIM_OT_save_clips,
)
