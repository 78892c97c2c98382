"""The side panel of retargeting, and its lists; what is drawn in it, and loaded with its first drawing, is in panels/."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

import bpy

from ...core.record import Record
from ..shared.layout import SidePanel, split_layout
from . import bones_of, icon_of

_ENDS = " :_-.|"
"""What a prefix ends with."""


def shared(names: Iterable[str]) -> str:
    """The prefix that all names of a skeleton have before what tells them apart, `mixamorig:` or `Bip01 `: a narrow list shows them
    without. None where only numbers would be left. A root may be called like the prefix alone."""
    known = sorted({name for name in names if name})
    if len(known) > 2 and all(name.startswith(known[0]) for name in known) and known[1][len(known[0])] in _ENDS:
        del known[0]
    ends = list(zip(known[0], known[-1], strict=False)) if len(known) > 1 else []
    prefix = "".join(first for first, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    prefix = prefix[: 1 + max(prefix.rfind(end) for end in _ENDS)]
    return "" if any(not name[len(prefix) : len(prefix) + 1].isalpha() for name in known) else prefix


_AROUND = 2
"""Letters that a name needs beside its own, so that the shorter column does not lose its end to the longer one."""


class Columns(Record):
    """How the table's rows show their lines. source, target: what all names of that side have before what tells them apart. share: the part
    of a row that the source's take. briefly: whether there is no room for both ends of chains."""

    source: str = ""
    target: str = ""
    share: float = 0.5
    briefly: bool = False

    def text(self, line: Any, side: str) -> str:
        return line.shown(side, getattr(self, side), self.briefly)

    def widths(self, lines: Sequence[Any]) -> tuple[int, int]:
        """In letters, of source and target."""
        source, target = (max((len(self.text(line, side)) for line in lines), default=0) for side in ("source", "target"))
        return source, target


def columns(lines: Sequence[Any], letters: int) -> Columns:
    """Of a table with room for so many letters in a row."""
    prefixes = [shared(name for line in lines for name in bones_of(line, side)) for side in ("source", "target")]
    whole = Columns(prefixes[0], prefixes[1])
    result = whole.but(briefly=sum(whole.widths(lines)) > letters)
    widths = [width + _AROUND for width in result.widths(lines)]
    return result.but(share=min(max(widths[0] / sum(widths), 0.35), 0.65))


class RETRO_ANIM_UL_pairs(bpy.types.UIList):
    """Target bones and what they follow; doubtful ones are marked. columns: of the table that is drawn, for all of its rows."""

    columns = Columns()

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        row = layout.row(align=True)
        icon_of_line = icon_of(item)
        row.label(text="", icon="LINKED" if item.is_chain and icon_of_line == "CHECKMARK" else icon_of_line)
        shown = RETRO_ANIM_UL_pairs.columns
        split = row.split(factor=shown.share, align=True)  # text alone: fields have no room for them in a panel of usual width
        for side in ("source", "target"):
            split.label(text=shown.text(item, side) or "none", translate=False)

    def filter_items(self, context: Any, data: Any, name: str) -> Any:
        lines = getattr(data, name)
        shown = (
            bpy.types.UI_UL_list.filter_items_by_name(self.filter_name, self.bitflag_filter_item, lines, "name") if self.filter_name else []
        )
        shown = shown or [self.bitflag_filter_item] * len(lines)
        if data.only_doubtful:
            shown = [flag if icon_of(line) != "CHECKMARK" else 0 for flag, line in zip(shown, lines, strict=True)]
        return shown, []


class RETRO_ANIM_UL_choices(bpy.types.UIList):
    """Actions to tick."""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        layout.use_property_split = False  # a list has what its panel has
        layout.prop(item, "chosen", text=item.title or item.name, translate=False)


class RETRO_ANIM_UL_reports(bpy.types.UIList):
    """The new actions."""

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        layout.label(text=item.title or item.name, icon="CHECKMARK" if item.is_good else "ERROR", translate=False)


class VIEW3D_PT_retro_anim_retarget(SidePanel, bpy.types.Panel):
    """Above all others: what a run changes in those, messages and fields of another clip, moves no button away from below the mouse."""

    bl_label = "Retarget"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 0

    def draw(self: Any, context: bpy.types.Context) -> None:
        from . import panels

        panels.draw(split_layout(self), context)


CLASSES = (RETRO_ANIM_UL_choices, RETRO_ANIM_UL_pairs, RETRO_ANIM_UL_reports, VIEW3D_PT_retro_anim_retarget)
