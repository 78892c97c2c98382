"""The side panel: import and export, the active character's actions; each game adds a panel of its own inside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import bpy

from ...core.declare.game import Game
from ...io.blender import identity, scene
from . import fields, job
from .layout import SidePanel, allowed, draw_whole, split_layout


class GamePanel(SidePanel):
    """A game's own panel: where the active action came from, and the fields of the action and of the armature.

    game: the row. A game with more to show has a `draw` and a `poll` of its own."""

    bl_parent_id = "VIEW3D_PT_retro_anim"
    if TYPE_CHECKING:  # at run time Blender would read them for every class that it registers
        game: ClassVar[Game]

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active action or armature is of the game."""
        blocks = (active_action(context), active_armature(context))
        return any(block is not None and identity.game_of(block) is cls.game for block in blocks)

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout, action, obj = split_layout(self), active_action(context), active_armature(context)
        if action is not None and identity.game_of(action) is self.game:
            draw_origin(layout, action)
            fields.draw(layout, action, self.game.fields.get("action", ()))
        if obj is not None and obj.data is not None and identity.game_of(obj) is self.game:
            fields.draw(layout, obj.data, self.game.fields.get("armature", ()))


class MakePanel(SidePanel):
    """How armatures that are not of a game yet become the game's. game: the row."""

    bl_parent_id = "VIEW3D_PT_retro_anim"
    if TYPE_CHECKING:
        bl_options: ClassVar[set[str]]
        game: ClassVar[Game]
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 50
    """Behind what the armature is already."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = active_armature(context)
        return obj is not None and obj.type == "ARMATURE" and identity.game_of(obj) is not cls.game


class OfArmature:
    """Of an operator that works on the active armature."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = active_armature(context)
        return allowed(cls, obj is not None and obj.type == "ARMATURE", "Needs an armature that is active, or a mesh on one")


class OfCharacter:
    """Of an operator or a panel for armatures of one game. game: the row."""

    if TYPE_CHECKING:
        game: ClassVar[Game]

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = active_armature(context)
        fine = obj is not None and obj.type == "ARMATURE" and identity.game_of(obj) is cls.game
        return allowed(cls, fine, f"Needs a character of {cls.game.label} that is active")


def active_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active object, or the armature that deforms it."""
    obj = scene.active(context)
    return obj if obj is None or obj.type == "ARMATURE" else obj.find_armature()


def animated(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active armature, or the active object where it has none."""
    return active_armature(context) or scene.active(context)


def active_action(context: bpy.types.Context) -> bpy.types.Action | None:
    """The action of the active armature, or of the active object where it has none."""
    obj = animated(context)
    data = obj.animation_data if obj else None
    return data.action if data else None


def draw_origin(layout: Any, action: bpy.types.Action) -> None:
    """The file and the entry that an action came from."""
    from ...io.blender import source_data

    origin = source_data.origin(action)
    if origin:
        entry = f", entry {origin[1]}" if origin[1] != source_data.LOOSE else ""
        layout.label(text=f"From {Path(origin[0]).name}{entry}", translate=False)
    else:
        layout.label(text="Not from a file", icon="INFO")


class RETRO_ANIM_OT_preview_loop(bpy.types.Operator):
    """Set the preview range to the action's loop, so that playback repeats it as the game does"""

    bl_idname = "retro_anim.preview_loop"
    bl_label = "Preview Loop"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return allowed(cls, active_action(context) is not None, "Needs a clip: the active object shows none")

    def execute(self, context: bpy.types.Context) -> Any:
        action = active_action(context)
        assert action is not None
        from ...io.pipeline.loops import playing

        playing.show(context.scene, action)
        return {"FINISHED"}


class RETRO_ANIM_OT_refit_loop(bpy.types.Operator):
    """Put the closing key behind the last key, with the pose to which the game goes back, and make the frame range the loop"""

    bl_idname = "retro_anim.refit_loop"
    bl_label = "Refit Loop"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        action, obj = active_action(context), animated(context)
        fine = action is not None and obj is not None and (identity.game_of(action) or identity.game_of(obj)) is not None
        return allowed(cls, fine, "Needs a clip of a game's character: the active object shows none")

    def execute(self, context: bpy.types.Context) -> Any:
        from ...io.pipeline.loops import closing_key as loops

        action, obj = active_action(context), animated(context)
        assert action is not None and obj is not None
        game = identity.game_of(action) or identity.game_of(obj)
        assert game is not None
        fitted = job.run(self, context, lambda: loops.refit(context, game), lambda: False)
        if fitted is None:
            return {"CANCELLED"}
        self.report({"INFO"}, f"{fitted[0].name}: the loop goes from frame {fitted[1]:g} to its closing key at frame {fitted[2]:g}")
        return {"FINISHED"}


class VIEW3D_PT_retro_anim(SidePanel, bpy.types.Panel):
    bl_label = "Retro Game Animation"
    bl_idname = "VIEW3D_PT_retro_anim"
    bl_order = 1

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        self.layout.operator("retro_anim.documentation", text="", icon="HELP", emboss=False)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        row = layout.row(align=True)
        row.menu("RETRO_ANIM_MT_import", icon="IMPORT")
        row.menu("RETRO_ANIM_MT_export", icon="EXPORT")
        obj = animated(context)
        if obj is None or (obj.type != "ARMATURE" and active_action(context) is None):
            layout.label(text="Import a character, or select one")
            return
        bone: Any = getattr(context, "active_bone", None)  # there is none without a window
        if obj.mode == "POSE" and bone is not None and isinstance(bone.get(identity.BONE), int):
            called = bone.get(identity.CALLED)
            name = f"{called}, number" if isinstance(called, str) else "number"
            draw_whole(layout, f"{bone.name}: {name} {bone[identity.BONE]} in the game", context.region, icon="BONE_DATA")


CLASSES = (RETRO_ANIM_OT_preview_loop, RETRO_ANIM_OT_refit_loop, VIEW3D_PT_retro_anim)
