"""Every difference between Blender 4.2 and 5.2 that we meet, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import bpy

SLOTTED = bpy.app.version >= (4, 4, 0)
"""Actions have slots, layers and channelbags."""

NAME_LIMIT = 255 if bpy.app.version >= (5, 0, 0) else 63
"""Bytes in a data-block's name."""

_PROPERTIES: Any = bpy.types.Keyframe.bl_rna.properties
_KEY_TYPES = _PROPERTIES["type"].enum_items
GENERATED_KEY = "GENERATED" if "GENERATED" in _KEY_TYPES else "JITTER"
"""The keyframe type of keys that make the in-betweens right but belong to no file. Older Blenders have no type of that name."""

GENERATED_VALUE = _KEY_TYPES[GENERATED_KEY].value
KEYFRAME_VALUE = _KEY_TYPES["KEYFRAME"].value
_INTERPOLATIONS = _PROPERTIES["interpolation"].enum_items
LINEAR = _INTERPOLATIONS["LINEAR"].value
CONSTANT = _INTERPOLATIONS["CONSTANT"].value

DUPLICATES = bpy.app.version >= (5, 0, 0)
"""F-curves can be made from others, keys and all, which takes half the time of making them from nothing."""


Make = Callable[[str, int, str, bytes], tuple[Any, "Copied"]]
"""(data path, index, group, keys) -> an F-curve, and what it has already."""


class Copied(Enum):
    """What a new F-curve has of another one: no keys; keys of the same number, interpolation and type; the very same keys."""

    NOTHING = 0
    KEYS = 1
    ALL = 2


class NewCurves:
    """Makes the F-curves of one new action."""

    def __init__(self, action: Any, owner: bpy.types.Object) -> None:
        self._groups: dict[str, Any] = {}
        if not SLOTTED:
            action.id_root = "OBJECT"
            self._curves, self._made = action.fcurves, action.groups
            return
        slot = action.slots.new("OBJECT", owner.name)
        bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
        self._curves, self._made = bag.fcurves, bag.groups

    def alike(self) -> Make:
        """Makes curves whose keys are alike in number, interpolation and type."""
        new = self._curves.new
        if not SLOTTED:
            return lambda path, index, group, keys: (new(path, index=index, action_group=group), Copied.NOTHING)
        groups, copy = self._groups, self._curves.new_from_fcurve if DUPLICATES else None
        sources: dict[int, Any] = {}
        same: dict[tuple[int, bytes], Any] = {}

        def make(path: str, index: int, group: str, keys: bytes) -> tuple[Any, Copied]:
            source, twin = sources.get(index), same.get((index, keys))
            if source is None or copy is None:
                curve, copied = new(path, index=index), Copied.NOTHING
                sources[index] = curve
            else:
                curve, copied = copy(twin or source, data_path=path), Copied.ALL if twin else Copied.KEYS
            if twin is None:
                same[index, keys] = curve
            known = groups.get(group)
            if known is None:
                known = groups[group] = self._made.new(group)
            curve.group = known
            return curve, copied

        return make


def new_action(name: str, owner: bpy.types.Object) -> tuple[bpy.types.Action, NewCurves]:
    """An action for `owner`, and what fills it."""
    action = bpy.data.actions.new(name)
    return action, NewCurves(action, owner)


def shader_tree(material: Any) -> Any:
    """The node tree of a new material: always there from 5.0 on, made on demand before."""
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    return material.node_tree


def curves(action: Any, owner: bpy.types.Object | None = None) -> list[Any]:
    """The F-curves of an action: of the slot that `owner` uses or would use, else of the first object slot."""
    if not SLOTTED:
        return list(action.fcurves)
    slot = _slot(action, owner)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags if slot is not None and bag.slot == slot for curve in bag.fcurves]


def _slot(action: bpy.types.Action, owner: bpy.types.Object | None) -> Any:
    if owner is not None and owner.animation_data and owner.animation_data.action == action and owner.animation_data.action_slot:
        return owner.animation_data.action_slot
    fitting = [slot for slot in action.slots if slot.target_id_type in ("OBJECT", "UNSPECIFIED")]
    named = [slot for slot in fitting if owner is not None and slot.identifier == f"OB{owner.name}"]
    return (named or fitting or [None])[0]


def assign(owner: bpy.types.Object, action: bpy.types.Action | None) -> None:
    """Make `action` the object's active one, with its slot, so that it really moves."""
    data = owner.animation_data or owner.animation_data_create()
    data.action = action
    if SLOTTED and action is not None and data.action_slot is None:
        data.action_slot = _slot(action, owner)
