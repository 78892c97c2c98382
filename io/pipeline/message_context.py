"""What a message speaks of in the scene: the object and its action by their names, the bone and the frame where it knows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import bpy

from ...core.reporting.errors import RetroAnimError
from ...core.reporting.log import Message
from ..blender import armature, compat, identity, scene


@dataclass(frozen=True)
class Pointer:
    """Names, empty where the message has none. frame: None where it has none."""

    obj: str = ""
    action: str = ""
    bone: str = ""
    frame: float | None = None

    def __bool__(self) -> bool:
        return bool(self.obj or self.action)


class Scene:
    """What messages may speak of, looked up once for many of them."""

    def __init__(self, context: bpy.types.Context) -> None:
        self.objects = [obj for obj in context.scene.objects if obj.type == "ARMATURE" and obj.data is not None]
        self.active = scene.active(context)
        self._of_actions = _any_of(action.name for action in bpy.data.actions)
        self._of_objects = _any_of(obj.name for obj in context.scene.objects)

    def pointer(self, message: Message) -> Pointer:
        """The names at the beginning of a message count before those further on."""
        text = str(message)
        action = _first(self._of_actions, text)
        obj = self._owner(bpy.data.actions.get(action)) if action else None
        if obj is None:
            obj = bpy.data.objects.get(_first(self._of_objects, text))
        if obj is None and not action:
            return Pointer()
        return Pointer(obj.name if obj is not None else "", action, message.bone, message.frame)

    def _owner(self, action: Any) -> bpy.types.Object | None:
        """The armature that shows an action, else one whose clip it is; the active one before others."""
        ordered = sorted(self.objects, key=lambda obj: obj != self.active)
        showing = [obj for obj in ordered if obj.animation_data is not None and obj.animation_data.action == action]
        rig = action.get(identity.RIG) if action is not None else None
        having = [obj for obj in ordered if rig and armature.data_of(obj).get(identity.RIG) == rig]
        return next(iter(showing or having), None)


def go(context: bpy.types.Context, pointer: Pointer) -> bool:
    """Make the object active with its action, select the bone, and go to the frame; False where the object is gone."""
    obj = context.view_layer.objects.get(pointer.obj)
    if obj is None:
        return False
    scene.leave_edit_mode(context)
    obj.hide_set(False)
    scene.make_active(context, obj)
    action = bpy.data.actions.get(pointer.action)
    if action is not None and (obj.animation_data is None or obj.animation_data.action != action):
        compat.assign(obj, action)
    if pointer.bone and obj.type == "ARMATURE" and pointer.bone in armature.bones_of(obj):
        compat.select_bones(obj, [pointer.bone])
        armature.bones_of(obj).active = armature.bones_of(obj)[pointer.bone]
        with suppress(RetroAnimError):  # a linked object has none
            scene.enter_mode(obj, "POSE")
    if pointer.frame is not None:
        whole = int(pointer.frame // 1)
        context.scene.frame_set(whole, subframe=pointer.frame - whole)
    return True


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    """Any of the names as a whole, the longest first; what is no more than digits would be found in every number."""
    usable: Sequence[str] = sorted((name for name in names if not name.isdigit()), key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, usable)) + r")(?!\w)") if usable else None


def _first(pattern: re.Pattern[str] | None, text: str) -> str:
    match = pattern.search(text) if pattern is not None else None
    return match[0] if match else ""
