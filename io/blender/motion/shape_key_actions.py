"""Actions of shape keys beside an action of an object: a slot of that action; before there were slots, an action with both their names."""

from __future__ import annotations

from typing import Any

import bpy

from .. import compat


def new_curves(action: bpy.types.Action, keys: Any) -> tuple[bpy.types.Action, compat.NewCurves]:
    """What holds curves of the shape keys `keys` beside an action of an object, and what fills it: a slot of the action itself, before
    there were slots an action that has both their names."""
    if not compat.SLOTTED:
        own: Any = bpy.data.actions.new(_both_names(action, keys))
        own.id_root = "KEY"
        return own, compat.NewCurves(own)
    slotted: Any = action
    bag = slotted.layers[0].strips[0].channelbag(slotted.slots.new("KEY", keys.name), ensure=True)
    return action, compat.NewCurves(bag)


def curves(action: Any, keys: Any) -> list[Any]:
    """The F-curves of an action that move shape keys: of the slot that they use or would use; if it has but one for shape keys, of that."""
    if not compat.SLOTTED:
        return list(action.fcurves) if action.id_root == "KEY" else []
    slot = _slot_of_keys(action, keys)
    return [] if slot is None else compat.curves_in(action, slot)


def _slot_of_keys(action: Any, keys: Any) -> Any:
    data = keys.animation_data
    if data is not None and data.action == action and data.action_slot is not None:
        return data.action_slot
    fitting = [slot for slot in action.slots if slot.target_id_type == "KEY"]
    return compat.named_slot(action, f"KE{keys.name}") or (fitting[0] if len(fitting) == 1 else None)


def assign(keys: Any, action: bpy.types.Action) -> None:
    """Let shape keys be moved by what `new_curves` made for them beside an action, if anything."""
    own: Any = action if compat.SLOTTED else bpy.data.actions.get(_both_names(action, keys))
    slot = compat.named_slot(own, f"KE{keys.name}") if compat.SLOTTED else None
    if own is None or (compat.SLOTTED and slot is None):
        return
    data = keys.animation_data or keys.animation_data_create()
    data.action = own
    if slot is not None:
        data.action_slot = slot


def action_beside(action: bpy.types.Action, keys: Any) -> bpy.types.Action | None:
    """What `new_curves` made for shape keys beside an action, before there were slots."""
    return None if compat.SLOTTED else bpy.data.actions.get(_both_names(action, keys))


def _both_names(action: bpy.types.Action, keys: Any) -> str:
    return f"{action.name} {keys.name}"[: compat.NAME_LIMIT]
