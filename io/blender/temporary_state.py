"""Armatures that show something for a while, such as a preview: what they were like before is kept on them, in the file's own data, so
that it comes back also after an undo, a crash or in another session, whatever Python has forgotten by then."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import bpy
import numpy as np

from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from . import armature, compat, identity, paths
from .motion import evaluated

_SPOILED = (KeyError, TypeError, ValueError)
"""What a record raises that a stranger or somebody's hand has changed: what is not in it as it should be stays as it is."""

_OWN = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


def take(obj: bpy.types.Object, kind: str) -> None:
    """Keep what an armature is like, and take its action and its NLA off it, so that its pose can be set. Nothing where that was done.

    Raises RetroAnimError as `check`."""
    if identity.is_staged(obj):
        return
    check(obj)
    data: Any = obj.animation_data
    obj[identity.STAGED] = {"kind": kind, **_present(obj)}
    if data:
        data.use_nla, data.action = False, None
    _set_position(obj, "POSE")


def check(obj: bpy.types.Object) -> None:
    """Raises RetroAnimError for one that cannot be taken: that is linked, in the tweak mode of the NLA, or that was saved in its file while
    it showed something."""
    if identity.is_staged(obj):
        return
    if identity.comes_staged(obj):
        raise RetroAnimError(came_staged(obj))
    if obj.library is not None:
        raise RetroAnimError(f"{obj.name} is linked: make a library override of it first")
    data: Any = obj.animation_data
    if data and data.use_tweak_mode:
        raise RetroAnimError(f"{obj.name} is in the tweak mode of the NLA: leave it first")


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
    """Make an armature what it was before `take`; bones that were made or renamed meanwhile stay as they are, and so does an action that
    was given to it meanwhile. The record is there until all of it was given back."""
    if identity.is_staged(obj):
        _leave_tweak_mode(obj)
        _give(obj, obj[identity.STAGED].to_dict())
        del obj[identity.STAGED]


def _leave_tweak_mode(obj: bpy.types.Object) -> None:
    """There no action can be given to it, and the strip's stands in the place of its own. What was keyed in the strip is kept."""
    if obj.animation_data:
        obj.animation_data.use_tweak_mode = False


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
    action, meanwhile = kept.get("action"), data.action
    if action is not None and not isinstance(action, bpy.types.Action):
        return
    if meanwhile is not None:
        stays = action is None or not _keyed_unasked(meanwhile)  # it was chosen, or made by a key
        _keep_in_file(action if stays else meanwhile)
        if stays:
            return
    data.action = action
    if compat.SLOTTED and action is not None:
        data.action_slot = next((slot for slot in action.slots if slot.identifier == kept.get("slot")), None)


def _keep_in_file(action: bpy.types.Action | None) -> None:
    """One that no object shows any more, where nothing but it, or its record, has it."""
    if action is not None and action.library is None and action.users <= 1:
        action.use_fake_user = True


def _keyed_unasked(action: bpy.types.Action) -> bool:
    """Whether it comes from posing with Auto Keying on, which makes an action of any pose: nobody else has it."""
    return bpy.context.scene.tool_settings.use_keyframe_insert_auto and action.users == 1 and not action.use_fake_user


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
    for bone, path, value in _properties(kept):
        with suppress(*_SPOILED):  # it is no longer there
            paths.set_at(obj, bone, path, value)


def _properties(kept: dict[str, Any]) -> Generator[tuple[str, str, Any]]:
    """Bone, path and value of what `keep_property` has kept."""
    for key, value in kept.items():
        if key.startswith("property "):
            with suppress(*_SPOILED, AttributeError):
                named = key[len("property ") :]
                if "\n" not in named:  # files of earlier versions have the value itself here
                    named, value = value, kept[f"value {named}"]
                bone, path = named.split("\n")
                yield bone, path if path == paths.STRETCH or path.endswith(("]", ".influence")) else f'["{path}"]', value


def give_all_back(kind: str = "") -> list[bpy.types.Object]:
    """The same for every armature of the file that shows something, of that kind, one after the other also where one fails. Returns
    them."""
    objects = staged(kind)
    with ExitStack() as each:
        for obj in objects:
            each.callback(give_back, obj)
    return objects


def staged(kind: str = "") -> list[bpy.types.Object]:
    """The armatures of the file that show something, of that kind."""
    return [obj for obj in bpy.data.objects if identity.is_staged(obj, kind)]


def give_back_with(objects: Iterable[bpy.types.Object]) -> None:
    """The same of all where one of these shows something that is to have another action: both figures belong together."""
    if any(identity.is_staged(obj) for obj in objects):
        give_all_back()


Aside = list[tuple[identity.Followed, str, dict[str, Any], list[tuple[str, str, Any]]]]
"""Armatures, what each shows something for, what it is like now, and the properties that were kept, each with its present value."""


def aside(kind: str = "") -> Aside:
    """What the armatures of the file show, of that kind, so that they can be given back and show the same again with `resume`."""
    shown: Aside = []
    for obj in staged(kind):
        what_for = obj[identity.STAGED].get("kind")
        if what_for in (identity.PREVIEW, identity.POSE):
            _leave_tweak_mode(obj)
            notes = {name: value for name, value in obj[identity.STAGED].to_dict().items() if name.startswith("noted ")}
            shown.append((identity.Followed(obj), what_for, _present(obj) | notes, list(_switches(obj))))
    return shown


def _switches(obj: bpy.types.Object) -> Generator[tuple[str, str, Any]]:
    for bone, path, _ in _properties(obj[identity.STAGED].to_dict()):
        with suppress(*_SPOILED):  # it is no longer there
            yield bone, path, paths.value_at(obj, bone, path)


def resume(shown: Aside) -> None:
    """Show the same again, as far as each can still be taken."""
    for followed, kind, present, switches in shown:
        with suppress(RetroAnimError):
            if (obj := followed.obj) is not None:
                take(obj, kind)
                _show_again(obj, present, switches)


def _show_again(obj: bpy.types.Object, present: dict[str, Any], switches: list[tuple[str, str, Any]]) -> None:
    _give(obj, present)
    obj[identity.STAGED].update({name: value for name, value in present.items() if name.startswith("noted ")})
    for bone, path, value in switches:
        with suppress(*_SPOILED):
            keep_property(obj, bone, path)
            paths.set_at(obj, bone, path, value)


@contextmanager
def kept_on_failure() -> Generator[None]:
    """Inside, reference poses may be given back: where an error leaves the block, the figures show them again, else it is said that one
    has ended that nobody has kept."""
    shown = aside(identity.POSE)
    unkept = [followed for followed, _, present, _ in shown if _differs(present)]
    try:
        yield
    except BaseException:
        resume(shown)
        raise
    if any((obj := followed.obj) is None or not identity.is_staged(obj, identity.POSE) for followed in unkept):
        log.warning("the reference pose has ended and was not kept: press Keep, with Show Aligned, before it ends")


def note(obj: bpy.types.Object) -> None:
    """What an armature shows now is nothing that would be lost: it is computed, or kept."""
    obj[identity.STAGED].update({f"noted {name}": values.ravel().tolist() for name, values in evaluated.pose_values(obj).items()})


def _differs(present: dict[str, Any]) -> bool:
    """Whether an armature shows something else than was noted last. present: as `aside` has it."""
    pairs = [(present[f"pose {name}"], present.get(f"noted {name}", ())) for name in evaluated.REST]
    return any(len(now) != len(noted) or not np.allclose(now, noted, atol=1e-5) for now, noted in pairs)


def _set_position(obj: bpy.types.Object, position: Any) -> None:
    data = armature.data_of(obj)
    if data.pose_position != position:
        data.pose_position = position
