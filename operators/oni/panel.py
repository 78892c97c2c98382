"""The fields of an Oni animation, to read and to edit: the active action's properties, in the side panel."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.oni.fields import OBAN_FIELDS, TRAM_FIELDS, TRAM_LISTS
from ...core.oni.game import GAME
from ...io.oni.fields import properties
from ..shared import fields
from ..shared.layout import split_layout
from ..shared.panel import GamePanel, MakePanel, OfCharacter, active_action, animated, draw_origin
from . import actions, collection
from .actions import TITLES, shown


class VIEW3D_PT_retro_anim_oni(GamePanel, bpy.types.Panel):
    bl_label = "Oni"
    bl_idname = "VIEW3D_PT_retro_anim_oni"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """For what is of the game, or could become so: its characters' actions, and those of any other object."""
        action, obj = active_action(context), animated(context)
        if action is None or obj is None:
            return False
        return shown(action) is not None or not isinstance(obj.data, bpy.types.Armature) or properties.BODY in obj.data

    def draw(self, context: bpy.types.Context) -> None:
        action = active_action(context)
        assert action is not None
        group = shown(action)
        if group is None:
            self.layout.operator("retro_anim.oni_new")
            return
        layout = split_layout(self)
        draw_origin(layout, action)
        layout.operator("retro_anim.oni_like", icon="COPYDOWN")
        is_tram = hasattr(group, "attacks")
        if is_tram:
            layout.operator("retro_anim.oni_collect", icon="COLLECTION_NEW")
        fields.draw(layout, group, TRAM_FIELDS if is_tram else OBAN_FIELDS)
        if is_tram:
            for name, title in TITLES.items():
                _draw_list(layout, group, name, title)


class VIEW3D_PT_retro_anim_oni_body(OfCharacter, GamePanel, bpy.types.Panel):
    """Of a character, with or without an action."""

    bl_label = "Oni Body"
    game = GAME
    bl_idname = "VIEW3D_PT_retro_anim_oni_body"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator("export_mesh.oni", icon="EXPORT")
        self.layout.operator("retro_anim.oni_together", icon="LINKED")


class VIEW3D_PT_retro_anim_oni_make(MakePanel, bpy.types.Panel):
    bl_label = "Use in Oni"
    bl_idname = "VIEW3D_PT_retro_anim_oni_make"
    game = GAME

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator("retro_anim.oni_make", icon="OUTLINER_OB_ARMATURE")


def _draw_list(layout: Any, group: Any, name: str, title: str) -> None:
    lines = getattr(group, name)
    header, body = layout.panel(f"retro_anim_oni_{name}", default_closed=not len(lines))
    header.label(text=f"{title} ({len(lines)})")
    if not body:
        return
    for index, line in enumerate(lines):
        box = body.box()
        row = box.row()
        row.label(text=f"{title.removesuffix('s')} {index + 1}")
        remove = row.operator("retro_anim.oni_line", text="", icon="X", emboss=False)
        remove.what, remove.how, remove.line = name, "REMOVE", index
        fields.draw_line(box, line, TRAM_LISTS[name])
    if name != "throw" or not len(lines):
        add = body.operator("retro_anim.oni_line", text="Add", icon="ADD")
        add.what, add.how = name, "ADD"


def _renew_markers(action: bpy.types.Action) -> None:
    """With the first edit: it needs what Blender's start does not."""
    from ...io.oni.fields import markers

    markers.renew(action)


def register() -> None:
    properties.register()
    properties.listen(_renew_markers)


def unregister() -> None:
    properties.unregister()


CLASSES = (
    *actions.CLASSES,
    *collection.CLASSES,
    VIEW3D_PT_retro_anim_oni,
    VIEW3D_PT_retro_anim_oni_body,
    VIEW3D_PT_retro_anim_oni_make,
)
