"""The side panel: import and export, and below them the parts of it of the active character and of its game."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import bpy
from bpy.props import IntProperty, StringProperty
from bpy.types import Action, Context, Object, Operator, Panel, PropertyGroup

from ...core.declare.game import Game
from ...core.reporting.labels import line
from ...io.blender import identity
from .layout import SidePanel, allowed, beside, draw_whole

BELOW: list[Callable[[Any, Context], None]] = []
"""What draws the parts below import and export, into a layout."""


class OfArmature:
    """Of an operator that works on the active armature."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = active_armature(context)
        return allowed(cls, obj is not None and obj.type == "ARMATURE", "Needs an armature that is active, or a mesh on one")


class OfCharacter:
    """Of an operator or a panel for armatures of one game. game: the row."""

    if TYPE_CHECKING:
        game: ClassVar[Game]

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = active_armature(context)
        fine = obj is not None and obj.type == "ARMATURE" and identity.game_of(obj) is cls.game
        return allowed(cls, fine, f"Needs a character of {cls.game.label} that is active")


def active_armature(context: Context) -> Object | None:
    """The active object, or the armature that deforms it."""
    from ...io.blender import scene

    obj = scene.active(context)
    return obj if obj is None or obj.type == "ARMATURE" else obj.find_armature()


def selected_armatures(context: Context) -> list[Object]:
    """Those that are selected, or whose mesh is, each once."""
    from ...io.blender import scene

    meant = [obj if obj.type == "ARMATURE" else obj.find_armature() for obj in scene.selected(context)]
    return [obj for obj in dict.fromkeys(meant) if obj is not None]


def animated(context: Context) -> Object | None:
    """The active armature, or the active object where it has none."""
    from ...io.blender import scene

    return active_armature(context) or scene.active(context)


def active_action(context: Context) -> Action | None:
    """The action of the active armature, or of the active object where it has none."""
    obj = animated(context)
    data = obj.animation_data if obj else None
    return data.action if data else None


class RETRO_ANIM_OT_preview_loop(Operator):
    """Set the preview range to the action's loop, so that playback repeats it as the game does"""

    bl_idname = "retro_anim.preview_loop"
    bl_label = "Preview Loop"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, active_action(context) is not None, "Needs a clip: the active object shows none")

    def execute(self, context: Context) -> Any:
        action = active_action(context)
        assert action is not None
        from ...io.pipeline.loops import playing

        playing.show(context.scene, action)
        return {"FINISHED"}


class RETRO_ANIM_OT_no_value(Operator):
    """Whether there is none of this"""

    bl_idname = "retro_anim.no_value"
    bl_label = "None"
    bl_options = {"UNDO", "INTERNAL"}

    field: StringProperty(name="Field", description="A property of what the button stands for")
    value: IntProperty(name="Value", description="What it becomes")

    @classmethod
    def poll(cls, context: Any) -> bool:
        return getattr(context, "retro_anim_owner", None) is not None

    def execute(self: Any, context: Any) -> Any:
        owner = context.retro_anim_owner
        if isinstance(owner, PropertyGroup):
            setattr(owner, self.field, self.value)
        else:
            owner[self.field] = self.value
            owner.update_tag()
        return {"FINISHED"}


class RETRO_ANIM_OT_documentation(Operator):
    """Open the documentation, which came with the extension, in the system's browser"""

    bl_idname = "retro_anim.documentation"
    bl_label = "Documentation"
    bl_options = {"INTERNAL"}

    def execute(self: Any, context: Context) -> Any:
        import webbrowser

        from .documentation import folder, write_pages

        try:
            first = write_pages(folder())
        except OSError as error:
            self.report({"ERROR"}, line(f"the pages cannot be written: {error}"))
            return {"CANCELLED"}
        if bpy.app.background or not webbrowser.open(first.as_uri()):
            self.report({"INFO"}, line(f"open it in a browser: {first}"))
        return {"FINISHED"}


class VIEW3D_PT_retro_anim(SidePanel, Panel):
    bl_label = "Retro Game Animation"
    bl_idname = "VIEW3D_PT_retro_anim"
    bl_order = 1

    def draw_header_preset(self, context: Context) -> None:
        self.layout.operator("retro_anim.documentation", text="", icon="HELP", emboss=False)

    def draw(self: Any, context: Context) -> None:
        from . import first_sight

        first_sight.note_drawn()
        _draw_top(self.layout, context)
        for draw_parts in BELOW:
            draw_parts(self.layout, context)
        _draw_bone(self.layout, context)


def _draw_top(layout: Any, context: Context) -> None:
    row = beside(layout, context.region)
    row.menu("RETRO_ANIM_MT_import", icon="IMPORT")
    row.menu("RETRO_ANIM_MT_export", icon="EXPORT")
    obj = animated(context)
    if obj is None or (obj.type != "ARMATURE" and active_action(context) is None):
        draw_whole(layout, "Import a character, or select one", context.region)


def _draw_bone(layout: Any, context: Context) -> None:
    """What the game calls the bone that is posed: below everything, which would jump with each bone that is chosen."""
    obj = animated(context)
    bone: Any = getattr(context, "active_bone", None)  # there is none without a window
    if obj is not None and obj.mode == "POSE" and bone is not None and isinstance(bone.get(identity.BONE), int):
        called = bone.get(identity.CALLED)
        name = f"{called}, number" if isinstance(called, str) else "number"
        draw_whole(layout, f"{bone.name}: {name} {bone[identity.BONE]} in the game", context.region, icon="BONE_DATA")


CLASSES = (RETRO_ANIM_OT_documentation, RETRO_ANIM_OT_no_value, RETRO_ANIM_OT_preview_loop, VIEW3D_PT_retro_anim)
