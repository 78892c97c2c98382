"""A new action instead of an old one: with its name, its users and all that was said about it beside its curves."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import bpy

from ..blender import compat
from ..blender.motion import shape_key_actions, standing
from ..blender.motion.strips import every_strip
from .along import along

_ASIDE = "\1"
"""A name that nothing has."""

_RUNS = {standing.STOOD}
"""Custom properties that a run gives new actions only where they are right."""

_SIMPLE = {"BOOLEAN", "INT", "FLOAT", "STRING", "ENUM", "POINTER"}


class Left(NamedTuple):
    """What is left of an old action. beside: by names of shape keys, before there were slots, the actions that these had with it. names:
    of these, in their order. fake: whether it was to be saved without users."""

    action: bpy.types.Action
    beside: dict[str, bpy.types.Action]
    names: list[str]
    fake: bool


def beside(action: bpy.types.Action, target: bpy.types.Object) -> list[bpy.types.Action]:
    """Actions of shape keys that belong to one, before there were slots."""
    return list(_beside(action, target).values())


def _beside(action: bpy.types.Action, target: bpy.types.Object) -> dict[str, bpy.types.Action]:
    actions = {keys.name: shape_key_actions.action_beside(action, keys) for keys in along.shapes(target)} if not compat.SLOTTED else {}
    return {name: own for name, own in actions.items() if own is not None}


def take_over(old: bpy.types.Action, new: bpy.types.Action, target: bpy.types.Object) -> Left:
    """Whatever plays the old action plays the new one, in strips of the NLA too, and this has its name."""
    others = _beside(old, target)
    left = Left(old, others, [action.name for action in others.values()], old.use_fake_user)
    for number, own in enumerate(others.values()):
        own.name = f"{_ASIDE}{number}"
    _remapped(old, new)
    return left


def finish(new: bpy.types.Action, left: Left, target: bpy.types.Object) -> None:
    """When the new action is complete."""
    new.use_fake_user = left.fake
    now = _beside(new, target)
    for name, old in left.beside.items():
        if name in now:
            _remapped(old, now[name], named=False)


def give_back(new: bpy.types.Action, left: Left) -> None:
    """Instead of that: the old action has its name and its users again. What shape keys have beside the new one must be gone."""
    _remapped(new, left.action)
    for name, action in zip(left.names, left.beside.values(), strict=True):
        action.name = name


def remove(every: Iterable[Left]) -> None:
    """The last step: the old actions, which nothing plays any more."""
    bpy.data.batch_remove([action for left in every for action in (left.action, *left.beside.values())])


def _remapped(old: bpy.types.Action, new: bpy.types.Action, named: bool = True) -> None:
    players = [(player, user) for user in _users(old) for player in _players(user, old)]
    muted = {id(player) for player, _ in players if compat.has_no_slot(player)}
    old.user_remap(new)
    for player, user in players:
        if id(player) not in muted:
            compat.give_slot(player, new, user)
    if named:
        name, old.name = old.name, _ASIDE
        new.name = name


def _users(action: bpy.types.Action) -> set[Any]:
    return set(bpy.data.user_map(subset=[action])[action])


def _players(user: Any, action: bpy.types.Action) -> list[Any]:
    """What plays an action in one of its users: its animation data, and strips of its NLA, also inside others."""
    data = getattr(user, "animation_data", None)
    if data is None:
        return []
    inside = every_strip(strip for track in data.nla_tracks for strip in track.strips)
    return [player for player in (data, *inside) if player.action == action]


def describe(old: Any, new: Any, without: Collection[str]) -> None:
    """What the user, or an export, has said about the old action. without: custom properties that it does not hand on."""
    for name in set(old.keys()) - set(new.keys()) - {*_RUNS, *without}:
        value = old[name]
        new[name] = value.to_dict() if hasattr(value, "to_dict") else value
    _copy_settings(old, new)
    if old.asset_data is not None:
        _mark(old, new)


def _copy_settings(old: Any, new: Any) -> None:
    """What add-ons have registered, such as a game's fields, with groups and lists of it: from Blender 5.0 on these are no custom
    properties."""
    for item in old.bl_rna.properties:
        name = item.identifier
        if not item.is_runtime:
            continue
        if item.type == "COLLECTION":
            rows = getattr(new, name)
            rows.clear()
            for row in getattr(old, name):
                _copy_settings(row, rows.add())
        elif item.type == "POINTER" and isinstance(getattr(old, name), bpy.types.PropertyGroup):
            _copy_settings(getattr(old, name), getattr(new, name))
        elif item.type in _SIMPLE and not item.is_readonly and old.is_property_set(name):
            with suppress(TypeError):  # a choice that there is no more
                setattr(new, name, getattr(old, name))


def _mark(old: Any, new: Any) -> None:
    """As an asset."""
    new.asset_mark()
    theirs, own = old.asset_data, new.asset_data
    for name in ("catalog_id", "description", "author", "license", "copyright"):
        setattr(own, name, getattr(theirs, name))
    for tag in theirs.tags:
        own.tags.new(tag.name, skip_if_exists=True)
    if old.preview is not None and tuple(old.preview.image_size) != (0, 0):
        shown = new.preview_ensure()
        shown.image_size = old.preview.image_size
        shown.image_pixels = old.preview.image_pixels[:]
