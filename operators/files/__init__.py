"""What the importer and the exporter of a game share: ids, labels, properties and dialog, complete by the game's row."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import bpy

from ...core.declare.game import Game
from ..shared import declared
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

    def draw(self: Any, context: bpy.types.Context) -> None:
        layout = split_layout(self)
        for title, names in self.groups().items():
            header, body = layout.panel(f"{self.bl_idname.replace('.', '_')}_{title.lower()}", default_closed=title in _FOLDED)
            header.label(text=title)
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

    def said(self, context: bpy.types.Context, name: str) -> str:
        """What the property's text field says now while it is empty; "" for what the option's help says."""
        return ""

    def usable(self, context: bpy.types.Context, name: str) -> bool:
        """Whether the property can be changed now."""
        return True

    def values(self) -> dict[str, Any]:
        """The game's options, by name."""
        return declared.values(self.options_class, self)

    def refused(self: Any) -> Any:
        self.report({"ERROR"}, "no file was given")
        return {"CANCELLED"}
