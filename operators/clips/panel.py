"""The parts Clips and Goes To of the side panel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

from ...core.declare.shared import EntryOptions
from ...io.blender import identity
from ..shared.decide import SAVE_OPERATORS
from ..shared.layout import below, beside, buttons_of_list, draw_field, draw_whole, is_narrow, split_layout, with_placeholder
from ..shared.panel import active_action, active_armature, animated
from ..shared.parts import Part
from . import game_view
from .preview_range import FOLLOWS
from .targets import FILE, backed_up, backup_from, entry_of, file_of, game_of, goer


class Clips(Part):
    title = "Clips"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = animated(context)
        return obj is not None and (identity.game_of(obj) is not None or active_action(context) is not None)

    def draw(self, context: bpy.types.Context) -> None:
        layout, action = self.layout, active_action(context)
        row = beside(layout, context.region, align=False)
        row.template_list("RETRO_ANIM_UL_clips", "", bpy.data, "actions", context.window_manager, "retro_anim_clip", rows=7)
        column = buttons_of_list(row, context.region)
        column.operator("retro_anim.clip_new", text="", icon="ADD")
        column.operator("retro_anim.clip_duplicate", text="", icon="DUPLICATE")
        column.operator("retro_anim.clip_delete", text="", icon="REMOVE")
        column.separator()
        column.operator("retro_anim.clips_tick", text="", icon="CHECKBOX_HLT").all_clips = True
        column.operator("retro_anim.clips_tick", text="", icon="CHECKBOX_DEHLT").all_clips = False
        column.separator()
        column.operator("retro_anim.mark_assets", text="", icon="ASSET_MANAGER")
        _draw_linked(layout, context, action)
        if action is not None:
            layout.prop(action, "name", text="", icon="ACTION")
        row = layout.row(align=True)
        row.operator("retro_anim.clip_step", text="", icon="TRIA_UP").step = -1
        playing = context.screen is not None and context.screen.is_animation_playing
        row.operator("screen.animation_play", text="Pause" if playing else "Play", translate=False, icon="PAUSE" if playing else "PLAY")
        row.operator("retro_anim.clip_step", text="", icon="TRIA_DOWN").step = 1
        row.prop(context.scene, FOLLOWS, text="", icon="PREVIEW_RANGE", toggle=True)
        row.operator("retro_anim.game_view", text="", icon="OUTLINER_OB_CAMERA", depress=game_view.shown() is not None)
        row = beside(layout, context.region)
        row.operator("retro_anim.save_clips", text="Save", translate=False, icon="FILE_TICK").ticked = False
        row.operator("retro_anim.save_clips", text="Save Ticked", icon="CHECKMARK").ticked = True
        obj = active_armature(context)
        game = identity.game_of(obj) if obj is not None else None
        if game is not None and game.id in SAVE_OPERATORS:
            layout.operator(SAVE_OPERATORS[game.id], icon="COMMUNITY")
        layout.operator("retro_anim.what_would_change", icon="VIEWZOOM")
        row = beside(layout, context.region)
        row.operator("retro_anim.refit_loop", icon="LOOP_BACK")
        row.operator("retro_anim.make_linear", icon="IPO_LINEAR")
        if obj is not None and obj.type == "ARMATURE" and identity.renamed(obj):
            layout.operator("retro_anim.rename_curves", icon="SORTALPHA")
        if action is not None:  # below the buttons, which would move with each clip whose use takes another number of lines
            _draw_use(layout, context, action)


def _draw_linked(layout: Any, context: bpy.types.Context, action: bpy.types.Action | None) -> None:
    """Why fields are grey, and that Blender saves nothing of what the buttons do."""
    library = next((block.library for block in (animated(context), action) if block is not None and block.library is not None), None)
    if library is not None:
        says = f"Linked from {library.name}: edits are not saved, but for those of a library override"
        draw_whole(layout, says, context.region, icon="LINKED")


def _draw_use(layout: Any, context: bpy.types.Context, action: bpy.types.Action) -> None:
    """What the game uses the clip for, all of it where the name says but how much more there is, and where it goes: a new one, too, where
    the game keeps a character and its clips in one file."""
    block = goer(context)
    path = file_of(action) or (file_of(block) if block is not None else "")
    parts = [
        identity.use_of(action),
        "loops" if action.use_cyclic else "plays once",
        Path(path).name if path else "no file yet",
    ]
    draw_whole(layout, ", ".join(part for part in parts if part), context.region)


class Target(Part):
    """Where the active action goes: file, entry, character, what is a copy, and the backup of what was there before."""

    title = "Goes To"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return active_action(context) is not None and game_of(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        from ...io.pipeline.destination import targets

        layout, action = split_layout(self), active_action(context)
        assert action is not None
        game = game_of(context)
        block = goer(context)
        if game is not None and block is not None:
            narrow = is_narrow(context.region)
            row = below(layout, context.region, "File").row(align=True)
            with_placeholder(row, block, FILE, "asked by Save", labelled=not narrow)
            row.operator("retro_anim.choose_file", text="", icon="FILE_FOLDER")
            if issubclass(game.export_options, EntryOptions):
                alone = game.written.get(Path(targets.home(action)).suffix.lower()) == "clip"
                said = ("of an archive" if alone else "number or new") if game.holding("archive") else "by the clip's name"
                entry = below(layout, context.region, "Entry")
                with_placeholder(entry, action, "retro_anim_goes_to_entry", said, labelled=not narrow)
        if active_armature(context) is not None:
            draw_field(layout, action, "retro_anim_belongs_to", context.region, among=(context.scene, "objects"))
        original = targets.original_of(action)
        if original is not None and all(of(action) == of(original) for of in (file_of, entry_of)):
            draw_whole(layout, f"A copy of {original.name}", context.region, icon="INFO")
            draw_whole(layout, "To keep both: entry 'new', another number or file", context.region, icon="BLANK1")
        _draw_backup(layout, context, action)


def _draw_backup(layout: Any, context: bpy.types.Context, action: bpy.types.Action) -> None:
    """Of the file that the action, or its armature where that has it, goes to."""
    path = backed_up(context)
    if not path:
        return
    draw_whole(layout, f"Backup of {Path(path).name}", context.region, icon="FILE_BACKUP")
    draw_whole(layout, f"from {backup_from(path)}", context.region, icon="BLANK1")
    row = beside(layout, context.region)
    row.operator("retro_anim.restore", text="Restore File").filepath = path
    if entry := entry_of(action):
        button = row.operator("retro_anim.restore", text=f"Restore Entry {entry}")
        button.filepath, button.entry = path, entry
