"""What follows from a choice in the settings: the source's actions to tick, and the bones of a chain between its ends."""

from __future__ import annotations

import json
from typing import Any

from bpy.types import Context

from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import natural
from ...io.retarget.reading import source_actions
from ..shared import clip_names
from ..shared.panel import active_armature, selected_armatures
from . import all_roles, kept_roles, path


def list_choices(settings: Any, source: Any, context: Context) -> None:
    """The actions to tick of the source, else of the selected armature beside the active one; those that are ticked stay so."""
    if source is None:
        active = active_armature(context)
        source = next((obj for obj in selected_armatures(context) if obj != active), None)
    before = {choice.name for choice in settings.choices if choice.chosen}
    settings.choices.clear()
    for name in sorted(source_actions.clip_names(source), key=natural) if source is not None else ():
        line = settings.choices.add()
        line.name, line.title, line.chosen = name, clip_names.without(name, source.name), name in before


def between_ends(settings: Any, line: Any) -> str:
    """Give a chain the bones between its ends, on the sides where both are set. Returns what is wrong with them, "" for nothing."""
    note = ""
    for side in ("source", "target"):
        obj, start, end = getattr(settings, side), getattr(line, f"{side}_start"), getattr(line, f"{side}_end")
        if obj is None or not start or not end:
            continue
        try:
            line[side] = json.dumps(path(obj, start, end))
        except RetroAnimError as error:
            note = note or str(error)
    for side in ("source", "target"):
        setattr(line, f"{side}_roles", json.dumps(kept_roles(line, side) | all_roles(settings.pairs, side)))
    return note
