"""The parts of Little Big Adventure in the side panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import bpy

from ...core.lba.fields import COLOUR, REACH, REGION, TYPE
from ...core.lba.game import GAME
from ..shared.layout import below, beside, draw_whole, is_narrow, split_layout
from ..shared.panel import active_action
from ..shared.parts import GamePart, MakePart, draw_parts

if TYPE_CHECKING:
    from ...core.lba.characters.users import User

_MATERIAL = ((TYPE, "Polygon Type"), (COLOUR, "Colour in Palette"), (REACH, "Shades of Light"), (REGION, "Texture Region"))


class Lba(GamePart):
    title = "Little Big Adventure"
    game = GAME

    def draw(self, context: bpy.types.Context) -> None:
        super().draw(context)
        draw_parts(self.layout, context, (LbaBody, LbaUsers))


class LbaBody(GamePart):
    title = "Body"
    game = GAME

    def draw(self, context: bpy.types.Context) -> None:
        layout, obj = split_layout(self), context.object
        material = obj.active_material if obj is not None and obj.type == "MESH" else None
        column = layout.column(align=True)
        for name, label in _MATERIAL:
            if material is not None and name in material:
                row = below(column, context.region, label).row(align=True)
                row.prop(material, f'["{name}"]', text="" if is_narrow(context.region) else label, translate=False)
                if name == COLOUR:
                    row.operator("retro_anim.lba_colour", text="", icon="COLOR")
        layout.operator("export_mesh.lba", icon="EXPORT")
        layout.operator("retro_anim.lba_page", icon="TEXTURE")


def _users(action: bpy.types.Action) -> Sequence[User]:
    """Who uses an action: only one of an archive can have users, and to look for them takes the archives' readers, which opening a .blend
    does not load."""
    from ...io.blender import source_data
    from ...io.pipeline.destination import targets

    if targets.entry_for(action, targets.home(action)) == source_data.LOOSE:
        return ()
    from ...io.lba.characters import users

    return users.users(action)


class LbaUsers(GamePart):
    title = "Characters of the Game"
    game = GAME

    def draw(self, context: bpy.types.Context) -> None:
        layout, action = split_layout(self), active_action(context)
        column = layout.column(align=True)
        for user in _users(action) if action is not None else ():
            draw_whole(column, f"{user.entity} {user.name}".rstrip() + f": {', '.join(user.roles)}", context.region)
        own = action.get("lba_entity") if action is not None else None
        if isinstance(own, int):
            draw_whole(layout, f"Used For: by character {own}", context.region)
        row = beside(layout, context.region)
        row.operator("retro_anim.lba_role", icon="ADD")
        row.operator("retro_anim.lba_wear", icon="ARMATURE_DATA")
        layout.operator("retro_anim.lba_events", icon="MARKER_HLT")
        layout.operator("retro_anim.archive", icon="PACKAGE")


class LbaMake(MakePart):
    title = "Use in Little Big Adventure"
    game = GAME

    def draw(self, context: bpy.types.Context) -> None:
        self.layout.operator("retro_anim.lba_make", icon="OUTLINER_OB_ARMATURE")
        self.layout.operator("retro_anim.lba_page", icon="TEXTURE")


PARTS = (Lba, LbaMake)
