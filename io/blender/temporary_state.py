"""Armatures that show something for a while, such as a preview: what they were like before is kept on them, in the file's own data, so
that it comes back also after an undo, a crash or in another session, whatever Python has forgotten by then."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import bpy
import numpy as np

from ...core.reporting.errors import RetroAnimError
from . import armature, compat, identity, paths
from .motion import evaluated

_SPOILED = (KeyError, TypeError, ValueError)
"""What a record raises that a stranger or somebody's hand has changed: what is not in it as it should be stays as it is."""

_OWN = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


def take(obj: bpy.types.Object, kind: str) -> None:
    """Keep what an armature is like, and take its action and its NLA off it, so that its pose can be set. Nothing where that was done.

    Raises RetroAnimError for one that is linked, in the tweak mode of the NLA, or that was saved in its file while it showed something."""
    if identity.is_staged(obj):
        return
    if identity.comes_staged(obj):
        raise RetroAnimError(came_staged(obj))
    if obj.library is not None:
        raise RetroAnimError(f"{obj.name} is linked: make a library override of it first")
    data: Any = obj.animation_data
    if data and data.use_tweak_mode:
        raise RetroAnimError(f"{obj.name} is in the tweak mode of the NLA: leave it first")
    obj[identity.STAGED] = {"kind": kind, **_present(obj)}
    if data:
        data.use_nla, data.action = False, None
    _set_position(obj, "POSE")


def _present(obj: bpy.types.Object) -> dict[str, Any]:
    """What an armature is like now."""
    names, data = [bone.name for bone in armature.pose_bones(obj)], obj.animation_data
    kept: dict[str, Any] = {"bones": "\n".join(names), "position": armature.data_of(obj).pose_position}
    kept |= {f"pose {name}": values.ravel().tolist() for name, values in evaluated.pose_values(obj).items()}
    kept |= {f"own {name}": list(getattr(obj, name)) for name in _OWN}
    if data:
        kept["use_nla"] = data.use_nla
        if data.action is not None:
            kept["action"] = data.action
            if compat.SLOTTED and data.action_slot is not None:
                kept["slot"] = data.action_slot.identifier
    return kept


def came_staged(obj: bpy.types.Object) -> str:
    """What is to be done about one that was saved while it showed something."""
    original: Any = obj if obj.library is not None else obj.override_library and obj.override_library.reference
    file = bpy.path.basename(original.library.filepath)
    return f"{obj.name} was saved in {file} while Show Aligned was on: open that file, press Leave, and save it"


def keep_property(obj: bpy.types.Object, bone: str, path: str) -> None:
    """Keep what a path leads to, too: a custom property, the influence of a constraint. bone: "" for the object's own."""
    kept: Any = obj[identity.STAGED]
    named, number = f"{bone}\n{path}", 0
    while (key := f"property {number}") in kept and kept[key] != named:
        number += 1
    if key not in kept:  # in two, as what a property is called may be longer than names of custom properties
        kept[key], kept[f"value {number}"] = named, paths.value_at(obj, bone, path)


def give_back(obj: bpy.types.Object) -> None:
    """Make an armature what it was before `take`; bones that were made or renamed meanwhile stay as they are."""
    if not identity.is_staged(obj):
        return
    kept: Any = obj[identity.STAGED].to_dict()
    del obj[identity.STAGED]
    _give(obj, kept)


def _give(obj: bpy.types.Object, kept: dict[str, Any]) -> None:
    for part in (_give_position, _give_motion, _give_pose, _give_own, _give_properties):
        with suppress(*_SPOILED):
            part(obj, kept)
    obj.update_tag(refresh={"OBJECT", "DATA", "TIME"})


def _give_position(obj: bpy.types.Object, kept: dict[str, Any]) -> None:
    _set_position(obj, kept["position"])


def _give_motion(obj: bpy.types.Object, kept: dict[str, Any]) -> None:
    if "use_nla" not in kept:
        return
    data: Any = obj.animation_data or obj.animation_data_create()
    data.use_nla = bool(kept["use_nla"])
    action = data.action = kept.get("action")
    if compat.SLOTTED and action is not None:
        data.action_slot = next((slot for slot in action.slots if slot.identifier == kept.get("slot")), None)


def _give_pose(obj: bpy.types.Object, kept: dict[str, Any]) -> None:
    rows = {name: row for row, name in enumerate(str(kept["bones"]).split("\n"))}
    present = evaluated.pose_values(obj)
    for position, bone in enumerate(armature.pose_bones(obj)):
        if bone.name in rows:
            for name, values in present.items():
                values[position] = np.reshape(kept[f"pose {name}"], (len(rows), -1))[rows[bone.name]]
    evaluated.set_pose_values(obj, present)


def _give_own(obj: bpy.types.Object, kept: dict[str, Any]) -> None:
    for name in _OWN:
        setattr(obj, name, kept[f"own {name}"])


def _give_properties(obj: bpy.types.Object, kept: dict[str, Any]) -> None:
    for key, value in kept.items():
        if key.startswith("property "):
            with suppress(*_SPOILED):  # it is no longer there
                named = key[len("property ") :]
                if "\n" not in named:  # files of earlier versions have the value itself here
                    named, value = value, kept[f"value {named}"]
                bone_name, path = named.split("\n")
                path = path if path == paths.STRETCH or path.endswith(("]", ".influence")) else f'["{path}"]'
                paths.set_at(obj, bone_name, path, value)


def give_all_back(kind: str = "") -> bool:
    """The same for every armature of the file that shows something, of that kind. Returns whether there was one."""
    objects = [obj for obj in bpy.data.objects if identity.is_staged(obj, kind)]
    for obj in objects:
        give_back(obj)
    return bool(objects)


def give_back_with(objects: Iterable[bpy.types.Object]) -> None:
    """The same of all where one of these shows something that is to have another action: what comes back later would take that off."""
    if any(identity.is_staged(obj) for obj in objects):
        give_all_back()


Aside = list[tuple[identity.Followed, str, dict[str, Any]]]
"""Armatures, what each showed something for, and what it was like then."""


def put_aside() -> Aside:
    """Before the file is saved: give all back where one of them is a library override, of which Blender saves no property of ours, so that
    what it was like before would be lost. They show the same again with `resume`."""
    objects = [obj for obj in bpy.data.objects if identity.is_staged(obj)]
    if all(obj.override_library is None for obj in objects):
        return []
    aside = [(identity.Followed(obj), str(obj[identity.STAGED]["kind"]), _present(obj)) for obj in objects]
    give_all_back()
    return aside


def resume(aside: Aside) -> None:
    for followed, kind, shown in aside:
        if (obj := followed.obj) is not None:
            take(obj, kind)
            _give(obj, shown)


def _set_position(obj: bpy.types.Object, position: Any) -> None:
    data = armature.data_of(obj)
    if data.pose_position != position:
        data.pose_position = position
