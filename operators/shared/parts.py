"""The parts of the side panel that fold in: drawn by it, and loaded with its first drawing, so that Blender's start makes none of them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import bpy

from ...core.declare.game import Game
from ...core.reporting.labels import counted
from ...io.blender import identity
from . import fields, messages
from .layout import draw_whole, split_layout
from .panel import active_action, active_armature


class Part:
    """title: of its header. closed: whether it is folded in at first. layout: where it is drawn. One that is not always there has a `poll`,
    as panels have."""

    title: ClassVar[str]
    closed: ClassVar[bool] = False
    layout: Any

    def draw_folded(self, context: bpy.types.Context) -> None:
        """What stands behind its title while it is folded in."""

    def draw(self, context: bpy.types.Context) -> None:
        raise NotImplementedError


def draw_parts(layout: Any, context: bpy.types.Context, parts: Iterable[type[Part]]) -> None:
    """Those that are there now, below each other. One that fails takes no other along, as with panels; Blender prints why."""
    with ExitStack() as drawing:
        for kind in reversed(list(parts)):
            drawing.callback(_draw_part, layout, context, kind)


def _draw_part(layout: Any, context: bpy.types.Context, kind: type[Part]) -> None:
    poll = getattr(kind, "poll", None)
    if poll is not None and not poll(context):
        return
    part = kind()
    part.layout, body = layout.panel(f"retro_anim_{kind.__name__}", default_closed=kind.closed)
    part.layout.label(text=kind.title, translate=False)
    if body is None:
        part.draw_folded(context)
    else:
        body.use_property_split, body.use_property_decorate = False, True  # as of a panel, whatever those around it have
        part.layout = body
        part.draw(context)


class GamePart(Part):
    """A game's own part: where the active action came from, and the fields of the action and of the armature.

    game: the row. A game with more to show has a `draw` and a `poll` of its own."""

    game: ClassVar[Game]

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the active action or armature is of the game."""
        blocks = (active_action(context), active_armature(context))
        return any(block is not None and identity.game_of(block) is cls.game for block in blocks)

    def draw(self, context: bpy.types.Context) -> None:
        layout, action, obj = split_layout(self), active_action(context), active_armature(context)
        if action is not None and identity.game_of(action) is self.game:
            draw_origin(layout, action)
            fields.draw(layout, action, self.game.fields.get("action", ()))
        if obj is not None and obj.data is not None and identity.game_of(obj) is self.game:
            fields.draw(layout, obj.data, self.game.fields.get("armature", ()))


class MakePart(Part):
    """How armatures that are not of a game yet become the game's; they stand behind what the armature is already. game: the row."""

    game: ClassVar[Game]
    closed = True

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = active_armature(context)
        return obj is not None and obj.type == "ARMATURE" and identity.game_of(obj) is not cls.game


def draw_origin(layout: Any, action: bpy.types.Action) -> None:
    """The file and the entry that an action came from."""
    from ...io.blender import source_data

    origin = source_data.origin(action)
    if origin:
        entry = f", entry {origin[1]}" if origin[1] != source_data.LOOSE else ""
        draw_whole(layout, f"From {Path(origin[0]).name}{entry}", bpy.context.region)
    else:
        layout.label(text="Made in Blender", icon="INFO")


class Messages(Part):
    """Directly below *Clips*, whose buttons say something, and stay where they are; behind all fields nobody would look."""

    title = "Messages"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return bool(len(_kept(context).lines))

    def draw(self, context: bpy.types.Context) -> None:
        kept, layout = _kept(context), self.layout
        if messages.is_undone(context):
            layout.label(text="Said before the undo", icon="LOOP_BACK")
            layout.active = False
        layout.template_list(
            "RETRO_ANIM_UL_messages", "", kept, "lines", kept, "index", rows=min(max(2, len(kept.lines)), messages.MOST_ROWS)
        )
        if 0 <= kept.index < len(kept.lines):
            draw_whole(layout, kept.lines[kept.index].name, context.region)
        row = layout.row()
        levels = [item.level for item in kept.lines]
        serious = [counted(levels.count(level), level.lower()) for level in ("ERROR", "WARNING") if level in levels]
        every = [counted(len(levels), "message")] if "INFO" in levels else []  # else a lone warning reads as two messages
        row.label(text=", ".join((*every, *serious)))
        row.operator("retro_anim.copy_about", text="", icon="HELP")
        row.operator("retro_anim.copy_messages", text="", icon="COPYDOWN")


def _kept(context: bpy.types.Context) -> Any:
    manager: Any = context.window_manager
    return manager.retro_anim_messages
