"""The lines of the bone map: their list, their bones, and those between two ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, cast

import bpy

from ...core.reporting.errors import RetroAnimError


def path(obj: bpy.types.Object, start: str, end: str) -> list[str]:
    """The bones from one down to another. Raises RetroAnimError where they are not in one line."""
    bones: Any = obj.pose.bones if obj.pose else {}
    for name in (start, end):
        if name not in bones:
            raise RetroAnimError(f"{obj.name} has no bone {name}" if name else f"pick both ends of the chain in {obj.name}")
    result = [end]
    while result[0] != start:
        parent = bones[result[0]].parent
        if parent is None:
            raise RetroAnimError(f"{end} does not hang on {start} in {obj.name}")
        result.insert(0, parent.name)
    return result


def bones_of(line: Any, side: str) -> list[str]:
    """The bones of a line on one side, from the root outwards."""
    from ...io.blender import fields

    text = getattr(line, side)
    return ([text] if text else []) if not line.is_chain else list(map(str, fields.listed(text)))


_SURE = 0.8
"""Lines of less confidence want a look."""


def wants_look(line: Any) -> bool:
    """Whether a line of the table, or a pair or a chain of the map, is doubtful."""
    return bool(line.note) or line.confidence < _SURE


_ENDS = " :_-.|"
"""What a prefix ends with."""


def shared(names: Iterable[str]) -> str:
    """The prefix that all names of a skeleton have before what tells them apart, `mixamorig:` or `Bip01 `: a narrow list shows them
    without. None where only numbers would be left."""
    known = sorted({name for name in names if name})
    ends = list(zip(known[0], known[-1], strict=False)) if len(known) > 1 else []
    prefix = "".join(first for first, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    prefix = prefix[: 1 + max(prefix.rfind(end) for end in _ENDS)]
    return "" if any(not name[len(prefix) : len(prefix) + 1].isalpha() for name in known) else prefix


def columns(lines: Sequence[Any]) -> tuple[str, str, float]:
    """Of the table: what the names of source and target have in common, and the part of a row that the source's take."""
    sides = [[name for line in lines for name in bones_of(line, side)] for side in ("source", "target")]
    prefixes = [shared(names) for names in sides]
    widths = [max((len(name) for name in names), default=0) - len(prefix) for names, prefix in zip(sides, prefixes, strict=True)]
    return prefixes[0], prefixes[1], min(max(widths[0] / max(sum(widths), 1), 0.35), 0.65)


class RETRO_ANIM_UL_pairs(bpy.types.UIList):
    """Target bones and what they follow; doubtful ones are marked. columns: of the table that is drawn, for all of its rows."""

    columns = cast("tuple[str, str, float]", ("", "", 0.5))

    def draw_item(self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any) -> None:
        row = layout.row(align=True)
        icon_of_line = icon_of(item)
        row.label(text="", icon="LINKED" if item.is_chain and icon_of_line == "CHECKMARK" else icon_of_line)
        source, target, factor = RETRO_ANIM_UL_pairs.columns
        split = row.split(factor=factor, align=True)  # text alone: fields have no room for them in a panel of usual width
        split.label(text=item.shown("source", source) or "none", translate=False)
        split.label(text=item.shown("target", target) or "none", translate=False)

    def filter_items(self, context: Any, data: Any, name: str) -> Any:
        lines = getattr(data, name)
        shown = (
            bpy.types.UI_UL_list.filter_items_by_name(self.filter_name, self.bitflag_filter_item, lines, "name") if self.filter_name else []
        )
        shown = shown or [self.bitflag_filter_item] * len(lines)
        if data.only_doubtful:
            shown = [flag if icon_of(line) != "CHECKMARK" else 0 for flag, line in zip(shown, lines, strict=True)]
        return shown, []


def icon_of(line: Any) -> str:
    if not line.source or not line.target:
        return "QUESTION"
    return "ERROR" if wants_look(line) else "CHECKMARK"
