"""The lines of the bone map: their list, their bones, and those between two ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

import bpy

from ...core.record import Record
from ...core.reporting.errors import RetroAnimError


def above(obj: bpy.types.Object) -> dict[str, str]:
    """By bone the one that it hangs on. Controls of a rig in layers (Rigify) hang on each other as the bones do that they move: their own
    parents help to move them, or are in another order."""
    from ...core.retarget.mapping.layers import layers_of
    from ...io.retarget.reading.read import figure_of

    result = {bone.name: bone.parent.name for bone in (obj.pose.bones if obj.pose else ()) if bone.parent is not None}
    layers = layers_of(figure_of(obj))
    if layers is not None:
        body = layers.controlled(layers.controls)
        result |= {name: body.names[parent] if parent >= 0 else "" for name, parent in zip(body.names, body.parents.tolist(), strict=True)}
    return result


def chain_of(known: Mapping[str, str], bone: str) -> list[str]:
    """From the uppermost bone down to this one, which hangs on it."""
    result = [bone]
    while (parent := known.get(result[0], "")) and parent not in result:
        result.insert(0, parent)
    return result


def path(obj: bpy.types.Object, start: str, end: str, known: Mapping[str, str] | None = None) -> list[str]:
    """The bones from one down to another. known: what `above` says. Raises RetroAnimError where they are not in one line."""
    bones: Any = obj.pose.bones if obj.pose else {}
    for name in (start, end):
        if name not in bones:
            raise RetroAnimError(f"{obj.name} has no bone {name}" if name else f"pick both ends of the chain in {obj.name}")
    result = chain_of(above(obj) if known is None else known, end)
    if start not in result:
        raise RetroAnimError(f"{end} does not hang on {start} in {obj.name}")
    return result[result.index(start) :]


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


def icon_of(line: Any) -> str:
    if not line.source or not line.target:
        return "QUESTION"
    return "ERROR" if wants_look(line) else "CHECKMARK"
