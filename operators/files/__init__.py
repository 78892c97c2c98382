"""What the importer and the exporter of a game share: ids, labels, properties and dialog, complete by the game's row; and where they are
found: in File > Import and Export, in the side panel, and for files dropped on the view."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import bpy
from bpy.types import Context, FileHandler, Menu
from bpy_extras.io_utils import poll_file_object_drop

from ...core.declare.game import Game
from ...core.games import GAMES
from ..shared import declared, preferences
from ..shared.layout import split_layout

_FOLDED = ("Interpretation",)
"""Parts of a dialog that are folded in at first."""


class GameOperator:
    """row: of the table of games. A class below gets from it, when it is made, what it has not of its own: ids, labels and properties."""

    if TYPE_CHECKING:  # at run time Blender would read them for every class that it registers
        row: ClassVar[Game]
        options_class: ClassVar[type]
        bl_idname: ClassVar[str]

    @classmethod
    def _complete(cls, category: str, kind: type, extensions: Sequence[str], own: Mapping[str, Any]) -> None:
        """kind: its options class. extensions: of its files. own: further properties."""
        game = cls.row
        defaults = {
            "bl_idname": f"{category}.{game.id}",
            "bl_label": f"{category.partition('_')[0].title()} {game.label}",
            "menu_label": f"{game.label} ({', '.join(extensions)})",
        }
        for name, value in defaults.items():
            if name not in vars(cls):
                setattr(cls, name, value)
        if getattr(cls, "options_class", None) is not kind:  # else a class above it has them
            cls.options_class = kind
            cls.__annotations__ = {**own, **declared.properties(kind), **cls.__annotations__}

    @classmethod
    def groups(cls) -> Mapping[str, tuple[str, ...]]:
        """By the title of each part of the dialog its properties."""
        return declared.groups(cls.options_class)

    def draw(self: Any, context: Context) -> None:
        layout = split_layout(self)
        for title, names in self.groups().items():
            header, body = layout.panel(f"{self.bl_idname.replace('.', '_')}_{title.lower()}", default_closed=title in _FOLDED)
            header.label(text=title, translate=False)
            if body is None:
                continue
            for name in names:
                if self.shown(name):
                    row = body.row()
                    row.enabled = self.usable(context, name)
                    declared.draw(row, self, self.options_class, name, self.said(context, name))

    def shown(self, name: str) -> bool:
        """Whether the dialog has the property now."""
        return True

    def said(self, context: Context, name: str) -> str:
        """What the property's text field says now while it is empty; "" for what the option's help says."""
        return ""

    def usable(self, context: Context, name: str) -> bool:
        """Whether the property can be changed now."""
        return True

    def values(self) -> dict[str, Any]:
        """The game's options, by name."""
        return declared.values(self.options_class, self)

    def refused(self: Any) -> Any:
        self.report({"ERROR"}, "no file was given")
        return {"CANCELLED"}


IMPORTERS: list[Any] = []
EXPORTERS: list[Any] = []
"""Operator classes with a `menu_label`, in the order of the table of games."""

_IN_BLENDERS_MENU = 4
"""Games that were opened, in File > Import."""


def draw_importers(menu: Any, context: Context | None) -> None:
    for operator in IMPORTERS:
        menu.layout.operator(operator.bl_idname, text=operator.menu_label)
    preferences.draw_remembered(menu.layout, context or bpy.context, _IN_BLENDERS_MENU)


def draw_exporters(menu: Any, _context: Context | None) -> None:
    for operator in EXPORTERS:
        menu.layout.operator(operator.bl_idname, text=operator.menu_label)


class RETRO_ANIM_MT_import(Menu):
    bl_idname = "RETRO_ANIM_MT_import"
    bl_label = "Import"

    def draw(self, context: Context | None) -> None:
        for operator in IMPORTERS:
            self.layout.operator(operator.bl_idname, text=operator.menu_label)
        preferences.draw_remembered(self.layout, context or bpy.context)


class RETRO_ANIM_MT_export(Menu):
    bl_idname = "RETRO_ANIM_MT_export"
    bl_label = "Export"

    def draw(self, context: Context | None) -> None:
        draw_exporters(self, context)
        self.layout.separator()
        self.layout.operator("retro_anim.export_everything", icon="EXPORT")


def file_handler(importer: Any, exporter: Any) -> type[FileHandler]:
    """Gives files that are dropped on the 3D view to the importer, by its game's row, and collections the exporter.

    Blender asks for extensions alone, and where several handlers have one it lets the user choose. So only the first game that takes an
    extension has it here: the importer looks into the file, and hands it to the game that it is of. What the game takes by whole names
    comes by their extensions, and the importer refuses others with these."""
    row = importer.row
    name, named = f"IO_FH_{row.id}", sorted({Path(each).suffix.lower() for each in row.named})
    before = list(GAMES.values())[: list(GAMES).index(row.id)]
    dropped = [each for each in row.dropped if not any(each in game.dropped for game in before)]
    body = {
        "bl_idname": name,
        "bl_label": row.label,
        "bl_import_operator": importer.bl_idname,
        "bl_export_operator": exporter.bl_idname,
        "bl_file_extensions": ";".join([*dropped, *named]),
        "poll_drop": classmethod(lambda _class, context: poll_file_object_drop(context)),
        "__module__": importer.__module__,
    }
    return type(name, (FileHandler,), body)


CLASSES = (RETRO_ANIM_MT_import, RETRO_ANIM_MT_export)
