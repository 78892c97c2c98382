"""Curves that have the name of a bone from before it was renamed: Blender renames those of the actions in use alone, and the others move
nothing any more."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import bpy

from ....core.reporting import log
from ....core.reporting.labels import first_few
from .. import armature, compat, identity
from ..paths import BONE, data_path

TOPIC = "renamed"
"""Of the message that bones stand still for that reason."""


def report(alone: Collection[str], doubled: Collection[str], renamed: Mapping[str, str], looks: bool) -> None:
    """Say that curves move nothing. alone, doubled: bones, by their present names, that have curves of the name of before, and none or
    others of the present one. renamed: the present name by that of before. looks: whether the evaluated pose is written."""
    if alone:
        written = "so they are written" if looks else "their motion is written all the same"
        log.warning(
            "bones that stand still in Blender, since their curves have the names from before they were renamed: "
            f"{_named(alone, renamed)}: {written}: choose Rename Curves",
            topic=TOPIC,
            bone=min(alone),
        )
    if doubled:
        log.warning(
            "curves that have the names of bones from before they were renamed are left out, since there are such of the new names: "
            f"{_named(doubled, renamed)}: delete the ones or the others",
            bone=min(doubled),
        )


def _named(bones: Collection[str], renamed: Mapping[str, str]) -> str:
    return first_few([f"{before} (now {now})" for before, now in sorted(renamed.items()) if now in bones])


def rename(actions: Iterable[bpy.types.Action], owner: bpy.types.Object) -> list[bpy.types.Action]:
    """Give the curves of actions the names that the bones of `owner` have now; returns those of which it renamed any. Where another bone
    has the name of before now, or there is a curve of the new name already, nobody knows which is meant: they stay."""
    bones, renamed = armature.bones_of(owner), identity.renamed(owner)
    names = {before: now for before, now in renamed.items() if before not in bones}
    changed = [action for action in actions if _rename_all(action, owner, names)]
    for now in renamed.values():
        bones[now][identity.FOLLOWED] = now
    return changed


def _rename_all(action: bpy.types.Action, owner: bpy.types.Object, names: Mapping[str, str]) -> bool:
    changed = False
    for slot in [compat.slot_in_use(action, owner), *compat.further_slots(action, owner)]:
        curves = compat.curves_in(action, slot)
        taken = {(curve.data_path, curve.array_index) for curve in curves}
        for curve in curves:
            match = re.match(BONE, curve.data_path)
            before = bpy.utils.unescape_identifier(match[1]) if match else ""
            if match is None or before not in names:
                continue
            path = data_path(names[before], curve.data_path[match.end() :].removeprefix("."))
            if (path, curve.array_index) not in taken:
                _rename(curve, path, before, names[before])
                changed = True
    return changed


def _rename(curve: Any, path: str, before: str, now: str) -> None:
    """And the group that is called as the bone, as Blender does."""
    curve.data_path = path
    if curve.group is not None and curve.group.name == before:
        curve.group.name = now
