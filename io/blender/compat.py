"""Every difference between Blender 4.2 and 5.2 that we meet, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from ...core.reporting.errors import RetroAnimError

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


BELOW_MODES = "AXIS_ANGLE" if bpy.app.version[:2] not in ((4, 2), (4, 3), (4, 4), (5, 0)) else "QUATERNION"
"""The rotation mode that is shown where a keyed one is a number below all that there are: the nearest, or quaternions."""


class NewCurves:
    """Makes F-curves of one action. source: what has its curves, the action itself before there were slots."""

    def __init__(self, source: Any) -> None:
        self._groups: dict[str, Any] = {}
        self._curves, self._all_groups = source.fcurves, source.groups

    def new(self, path: str, index: int, group: str, like: Any = None) -> Any:
        """An F-curve. like: another one, whose keys it shall have, where Blender DUPLICATES."""
        if not SLOTTED:
            return self._curves.new(path, index=index, action_group=group)
        curve = self._curves.new(path, index=index) if like is None else self._copy(like, path, index)
        known = self._groups.get(group)
        if known is None:
            known = self._groups[group] = self._all_groups.get(group) or self._all_groups.new(group)
        curve.group = known
        return curve

    def model(self, number: int) -> Any:
        """A curve for others to be `like`, in no group, until it is removed. number: others than those of models that are there."""
        return self._curves.new(_MODEL, index=number)

    def remove(self, curve: Any) -> None:
        self._curves.remove(curve)

    def _copy(self, like: Any, path: str, index: int) -> Any:
        """Blender gives a copy the index of its model, and refuses a path and an index that are there already: others get theirs later."""
        if like.array_index == index:
            return self._curves.new_from_fcurve(like, data_path=path)
        curve = self._curves.new_from_fcurve(like, data_path=_ASIDE)
        curve.data_path, curve.array_index = path, index
        return curve


_ASIDE, _MODEL = "\1", "\2"
"""Paths that nothing has."""


def new_action(name: str, owner: bpy.types.Object) -> tuple[bpy.types.Action, NewCurves]:
    """An action for `owner`, and what fills it."""
    action: Any = bpy.data.actions.new(name)
    if not SLOTTED:
        action.id_root = "OBJECT"
        return action, NewCurves(action)
    slot = action.slots.new("OBJECT", owner.name)
    return action, NewCurves(action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True))


def name_slot(action: Any, owner: bpy.types.Object) -> None:
    """Make a copy of an action that `new_action` made for another object one for `owner`."""
    if SLOTTED:
        action.slots[0].name_display = owner.name


def more_curves(action: bpy.types.Action, owner: bpy.types.Object) -> NewCurves | None:
    """What adds curves to an action of `owner`; None where it has no place for them."""
    bags = _bags(action, owner) if SLOTTED else [action]
    return NewCurves(bags[0]) if bags else None


def named_slot(action: Any, identifier: str) -> Any:
    """The slot of this identifier, whose first two letters are of the type that it moves; None where there is none."""
    return next((slot for slot in action.slots if slot.identifier == identifier), None)


def node_inputs(modifier: Any) -> dict[str, Any]:
    """What the inputs of the group of a Geometry Nodes modifier are set to, by their identifiers. Up to Blender 5.1 these are its custom
    properties."""
    if (own := getattr(modifier, "properties", None)) is not None:
        names = [each.identifier for each in own.inputs.bl_rna.properties if each.identifier not in ("rna_type", "name")]
        return {name: getattr(getattr(own.inputs, name), "value", None) for name in names}
    return {name: value for name, value in modifier.items() if not name.endswith(("_use_attribute", "_attribute_name"))}


def shader_tree(material: Any) -> Any:
    """The node tree of a new material: always there from 5.0 on, made on demand before."""
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    return material.node_tree


def curves(action: Any, owner: bpy.types.Object | None = None) -> list[Any]:
    """The F-curves of an action: of the slot that `owner` uses or would use, else of the first object slot."""
    if not SLOTTED:
        return list(action.fcurves)
    return [curve for bag in _bags(action, owner) for curve in bag.fcurves]


def _bags(action: Any, owner: bpy.types.Object | None) -> list[Any]:
    slot = _slot(action, owner)
    return [bag for bag in _all_bags(action) if slot is not None and bag.slot == slot]


def all_curves(action: Any) -> list[Any]:
    """The F-curves of an action, of all its slots."""
    return [curve for slot in moving_slots(action) for curve in curves_in(action, slot)]


def every_curve(action: Any) -> list[Any]:
    """The F-curves of an action, whatever they move."""
    return [curve for bag in _all_bags(action) for curve in bag.fcurves] if SLOTTED else list(action.fcurves)


def listed_everywhere(action: Any) -> list[Any]:
    """As `every_curve`, for whoever reads all their keys: out of what a function gives, as `listed_curves` has them."""
    if not SLOTTED:
        return list(action.fcurves)
    bags = [strip.channelbag(slot) for slot in action.slots for layer in action.layers for strip in layer.strips]
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def curves_of_other_slots(action: Any) -> list[Any]:
    """The F-curves of an action of which `new_action` made the first slot, but for those of this."""
    return [curve for bag in _all_bags(action) if bag.slot != action.slots[0] for curve in bag.fcurves] if SLOTTED else []


def listed_curves(action: Any) -> list[Any]:
    """The F-curves of an action that `new_action` made, or of a copy of it, in Blender's order. From 4.4 on, keys are reached the quicker
    the fewer lists lead to their curve, and what a function gives has none above it."""
    return list(action.layers[0].strips[0].channelbag(action.slots[0]).fcurves if SLOTTED else action.fcurves)


def exact_curves(action: Any, owner: bpy.types.Object, paths: list[tuple[str, int]]) -> list[Any] | None:
    """The F-curves of these data paths and indices, of an action that has no others for `owner`; None where it has others. From 4.4 on,
    keys of a curve that was looked up by its path are reached in half the time that it takes from a list."""
    bags = _bags(action, owner) if SLOTTED else [action]
    if len(bags) != 1 or len(bags[0].fcurves) != len(paths):
        return None
    find = bags[0].fcurves.find
    curves = [find(path, index=index) for path, index in paths]
    return None if None in curves else curves


def quick_curves(action: Any, owner: bpy.types.Object) -> list[Any]:
    """As `curves`, for whoever reads all their keys: out of what a function gives, as `listed_curves` has them."""
    if not SLOTTED:
        return list(action.fcurves)
    slot = _slot(action, owner)
    if slot is None:
        return []
    bags = [strip.channelbag(slot) for layer in action.layers for strip in layer.strips]
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def _slot(action: bpy.types.Action, owner: bpy.types.Object | None) -> Any:
    if owner is not None and owner.animation_data and owner.animation_data.action == action and owner.animation_data.action_slot:
        return owner.animation_data.action_slot
    fitting = [slot for slot in action.slots if slot.target_id_type in ("OBJECT", "UNSPECIFIED")]
    named = [slot for slot in fitting if owner is not None and slot.identifier == f"OB{owner.name}"]
    return (named or fitting or [None])[0]


def guessed_slot(action: Any, owner: bpy.types.Object) -> str:
    """The slot of an action that `owner` would use, by its name: where `owner` has the action and no slot of it, so that Blender shows
    nothing of it, or where none has its name and several move bones. "" where it is plain which is meant."""
    slot = _slot(action, owner) if SLOTTED else None
    if slot is None:
        return ""
    data = owner.animation_data
    present = data is not None and data.action == action
    if data is not None and present and data.action_slot is not None:
        return ""
    posing = [each for each in moving_slots(action) if any(curve.data_path.startswith("pose.bones") for curve in curves_in(action, each))]
    return str(slot.name_display) if present or (len(posing) > 1 and slot.name_display != owner.name) else ""


def has_muted_groups(action: Any) -> bool:
    """Whether a muted group silences curves: actions with slots play those of such groups all the same."""
    return not SLOTTED and any(group.mute for group in action.groups)


def is_muted(curve: Any) -> bool:
    """Whether Blender leaves a curve out."""
    group = None if SLOTTED else curve.group
    return bool(curve.mute or (group is not None and group.mute))


def silenced_by_strips(some: Iterable[Any]) -> list[Any]:
    """Which F-curves of an action play where it is active, and not in a strip of the NLA: those of muted groups, where it has slots."""
    return [curve for curve in some if SLOTTED and curve.group is not None and curve.group.mute and not curve.mute]


def key_points(curve: Any) -> Any:
    """The keys of a curve, or the samples that it has instead after *Keys to Samples*: of `co` alone, joined by straight lines."""
    return curve.keyframe_points if len(curve.keyframe_points) else curve.sampled_points


def has_values(curve: Any) -> bool:
    """Whether a curve has keys, or samples instead."""
    return len(key_points(curve)) > 0


def has_no_slot(player: Any) -> bool:
    """Whether an object's animation data, or a strip of the NLA, has an action of which no slot is chosen, so that it plays nothing."""
    return SLOTTED and player.action is not None and player.action_slot is None


def give_slot(player: Any, action: Any, user: Any) -> None:
    """Let animation data or a strip of the NLA of `user`, which was given an action instead of another, play a slot of it."""
    if not SLOTTED or player.action_slot is not None:
        return
    fitting = [slot for slot in action.slots if slot.target_id_type in (user.id_type, "UNSPECIFIED")]
    if fitting:
        player.action_slot = named_slot(action, f"{fitting[0].identifier[:2]}{user.name}") or fitting[0]


def moving_slots(action: Any) -> list[Any]:
    """The slots of an action for objects that have curves, in their order; [None] where actions have no slots."""
    if not SLOTTED:
        return [None]
    moved = {bag.slot.handle for bag in _all_bags(action) if len(bag.fcurves)}
    return [slot for slot in action.slots if slot.target_id_type in ("OBJECT", "UNSPECIFIED") and slot.handle in moved]


def further_slots(action: Any, owner: bpy.types.Object) -> list[Any]:
    """The slots of an action for objects that have curves, but for that which `owner` uses or would use, and those that others use."""
    if not SLOTTED:
        return []
    own = _slot(action, owner)
    slots = [slot for slot in moving_slots(action) if own is None or slot.handle != own.handle]
    return [slot for slot in slots if not any(user != owner for user in slot.users())]


def curves_in(action: Any, slot: Any) -> list[Any]:
    """The F-curves of one of the slots that `moving_slots` gives."""
    return list(action.fcurves) if not SLOTTED else [curve for bag in _all_bags(action) if bag.slot == slot for curve in bag.fcurves]


def slot_in_use(action: Any, owner: bpy.types.Object) -> Any:
    """The slot of an action that `owner` uses or would use; None where there is none."""
    return _slot(action, owner) if SLOTTED else None


def keep_slot(action: Any, slot: Any) -> None:
    """Remove all other slots of an action, with their curves. slot: of the action, or of the one that it is a copy of."""
    if slot is not None:
        for other in [each for each in action.slots if each.handle != slot.handle]:
            action.slots.remove(other)


def own_copy(owner: bpy.types.Object, name: str) -> bpy.types.Action | None:
    """Gives an object a copy of its action, without the slots of others; None where it has none."""
    data = owner.animation_data
    if data is None or data.action is None:
        return None
    slot = data.action_slot if SLOTTED else None
    copy: Any = data.action.copy()
    copy.name = name[:NAME_LIMIT]
    keep_slot(copy, slot)
    data.action = copy
    if slot is not None:
        data.action_slot = copy.slots[0]
    return copy


def new_curve(action: Any, path: str, index: int, group: str) -> Any:
    """One more F-curve of an action, of its first slot."""
    if not SLOTTED:
        return action.fcurves.new(path, index=index, action_group=group)
    (bag,) = (each for each in _all_bags(action) if each.slot == action.slots[0])
    curve = bag.fcurves.new(path, index=index)
    curve.group = bag.groups.get(group) or bag.groups.new(group)
    return curve


def _all_bags(action: Any) -> list[Any]:
    return [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]


def assign(owner: bpy.types.Object, action: bpy.types.Action | None) -> None:
    """Make `action` the object's active one, with its slot, so that it really moves. Raises RetroAnimError in the NLA's tweak mode."""
    data = owner.animation_data or owner.animation_data_create()
    if data.use_tweak_mode:
        raise RetroAnimError(f"{owner.name} is in the tweak mode of the NLA: leave it first")
    data.action = action
    if SLOTTED and action is not None and data.action_slot is None:
        data.action_slot = _slot(action, owner)


def select_bones(obj: Any, names: Iterable[str]) -> None:
    """Select these bones of an armature object and no others, as they are posed."""
    wanted = set(names)
    for posed in obj.pose.bones:
        (posed if bpy.app.version >= (5, 0, 0) else posed.bone).select = posed.name in wanted


def selected_bones(obj: Any) -> list[str]:
    """Names of the bones of an armature object that are selected as they are posed."""
    return [posed.name for posed in obj.pose.bones if (posed if bpy.app.version >= (5, 0, 0) else posed.bone).select]


def is_shown(posed: Any) -> bool:
    """Whether the view shows a posed bone: it is not hidden, and one of its collections is shown where it is in any."""
    hidden = (posed if bpy.app.version >= (5, 0, 0) else posed.bone).hide
    collections = posed.bone.collections
    return not hidden and (not collections or any(each.is_visible_effectively for each in collections))
