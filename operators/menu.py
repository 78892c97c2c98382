"""What the buttons of the side panel do, in Object > Animation and Pose > Animation: Blender's search (F3) finds what is in menus alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
from bpy.types import Menu, Operator

from ..core.declare.game import Game
from ..core.games import GAMES
from .files.exporter import Exporter
from .files.importer import Importer
from .shared.layout import TAB

OF_GAMES: dict[str, tuple[str, ...]] = {}
"""By the id of a game its operators that stand in no menu of Blender's."""


def take(game: str, kinds: Sequence[Any]) -> None:
    """Of a game's operators those that its menu has: importers and exporters of clips are in File, and internal ones no use alone. It is
    called as briefly as its importer: the search has not much room behind the menus that something is in."""
    importer: Any = next(kind for kind in kinds if issubclass(kind, Importer))
    _GAMES[game].bl_label = importer.bl_label.removeprefix("Import ")
    OF_GAMES[game] = tuple(kind.bl_idname for kind in kinds if issubclass(kind, Operator) and _has_button(kind))


def _has_button(kind: Any) -> bool:
    in_file = issubclass(kind, Importer) or (issubclass(kind, Exporter) and kind.category == "export_anim")
    return not in_file and "INTERNAL" not in getattr(kind, "bl_options", ())


def _of_game(game: Game) -> type[Menu]:
    def draw(self: Any, _context: bpy.types.Context | None) -> None:
        for operator in OF_GAMES[game.id]:
            self.layout.operator(operator)

    return type(_menu_of(game.id), (Menu,), {"bl_label": game.label, "draw": draw, "__module__": __name__})


def _menu_of(game: str) -> str:
    return f"{VIEW3D_MT_retro_anim.__name__}_{game}"


class VIEW3D_MT_retro_anim_retarget(Menu):
    bl_label = "Retarget"

    def draw(self: Any, _context: bpy.types.Context | None) -> None:
        for names in _RETARGETING:
            for name in names:
                self.layout.operator(f"retro_anim.retarget_{name}")
            self.layout.separator()


_RETARGETING = (
    ("swap", "contacts", "report"),
    ("map_load", "map_save", "chain", "chain_join", "chain_split"),
    ("pose", "pose_as_source", "pose_rest", "pose_keep"),
)
"""What the panel has besides its main buttons, by the part that it stands in."""


class VIEW3D_MT_retro_anim(Menu):
    bl_label = TAB

    def draw(self: Any, context: bpy.types.Context | None) -> None:
        from .retarget.operators import pass_on
        from .retarget.settings import settings_of

        layout = self.layout
        pass_on(layout.operator("retro_anim.retarget", icon="ARMATURE_DATA"), settings_of(context or bpy.context))
        layout.operator("retro_anim.retarget_preview", text="Preview Retargeting", icon="HIDE_OFF")
        layout.operator("retro_anim.retarget_map", icon="BONE_DATA")
        layout.menu(VIEW3D_MT_retro_anim_retarget.__name__)
        layout.separator()
        layout.operator("retro_anim.clip_new", icon="ADD")
        layout.operator("retro_anim.clip_duplicate", icon="DUPLICATE")
        layout.operator("retro_anim.clip_delete", icon="REMOVE")
        layout.operator("retro_anim.save_clips", text="Save Clip", icon="FILE_TICK").ticked = False
        layout.operator("retro_anim.save_clips", text="Save Ticked Clips", icon="CHECKMARK").ticked = True
        layout.operator("retro_anim.what_would_change", icon="VIEWZOOM")
        layout.operator("retro_anim.refit_loop", icon="LOOP_BACK")
        layout.operator("retro_anim.make_linear", icon="IPO_LINEAR")
        layout.operator("retro_anim.rename_curves", icon="SORTALPHA")
        layout.operator("retro_anim.mark_assets", icon="ASSET_MANAGER")
        layout.separator()
        for game, operators in OF_GAMES.items():
            if operators:
                layout.menu(_menu_of(game))
        layout.separator()
        layout.operator("retro_anim.game_view", icon="OUTLINER_OB_CAMERA")
        layout.operator("retro_anim.archive", icon="PACKAGE")
        layout.operator("retro_anim.export_everything", icon="EXPORT")
        layout.operator("retro_anim.documentation", icon="HELP")


def draw(menu: Any, _context: bpy.types.Context | None) -> None:
    menu.layout.separator()
    menu.layout.menu(VIEW3D_MT_retro_anim.__name__)


_GAMES = {game.id: _of_game(game) for game in GAMES.values()}

CLASSES = (VIEW3D_MT_retro_anim, VIEW3D_MT_retro_anim_retarget, *_GAMES.values())
