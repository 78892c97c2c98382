"""Reasons in the rig why a bone is not written as it is shown: what else moves it, and how it hangs on others."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from .....core.motion.comparison import REST
from .....core.motion.curves import PATH_PROPERTY, Channel, is_rotation, rotation_property, values_of
from .....core.motion.rotations import rotation_matrix
from .....core.reporting.labels import with_article
from ....blender import armature, rest
from ....blender.motion import evaluated
from ....blender.motion.fcurves import MODE
from .. import object_size
from .case import CLOSE, Case, own_frames


def constraint(case: Case) -> str:
    """The constraint that moves the bone, or a bone above or below whose IK does."""
    bone, keyed = case.bone, evaluated.keyed_constraints(case.pair.clip.obj, case.pair.clip.action)

    def acts(one: bpy.types.Constraint) -> bool:
        on = not one.mute or one.path_from_id("mute") in keyed
        return on and (one.influence > 0 or one.path_from_id("influence") in keyed)

    own = [one for one in bone.constraints if acts(one)]
    if own:
        return _kind(own[0])
    if isinstance(bone, bpy.types.PoseBone):
        for child in bone.children_recursive:
            for one in child.constraints:
                if one.type == "IK" and acts(one) and _within(bone, child, one.chain_count):
                    return f"{_kind(one)} on {child.name}"
    return ""


def object_constraint(case: Case) -> str:
    """Of an object itself: how its bones look does not say where it is."""
    return constraint(case) if isinstance(case.bone, bpy.types.Object) else ""


def _kind(constraint: Any) -> str:
    name = constraint.bl_rna.properties["type"].enum_items[constraint.type].name
    return with_article(f"{name} constraint")


def _within(bone: bpy.types.PoseBone, end: bpy.types.PoseBone, count: int) -> bool:
    chain = [end, *end.parent_recursive]
    return bone in (chain[:count] if count else chain)


def driver(case: Case) -> bool:
    own = f'bones["{bpy.utils.escape_identifier(case.difference.bone)}"]'
    paths = [curve.data_path for curve in evaluated.driven(case.pair.clip.obj)]
    return any(path.removeprefix("pose.").startswith(own) or ("" in case.owners and _is_of_object(path)) for path in paths)


def data_keyed(case: Case) -> str:
    """What of the armature's data is keyed, of the bone or of all of them, by its name in Blender."""
    obj, bone = case.pair.clip.obj, case.bone
    if not isinstance(bone, bpy.types.PoseBone):
        return ""
    owners = bone.bone.bl_rna, armature.data_of(obj).bl_rna
    own = f'bones["{bpy.utils.escape_identifier(bone.name)}"].'
    names = {path.removeprefix(own) for path in evaluated.keyed_data(obj) if path.startswith(own) or "." not in path}
    return next((owner.properties[name].name for name in sorted(names) for owner in owners if name in owner.properties), "")


def object_driver(case: Case) -> bool:
    """Of an object itself, as `object_constraint`."""
    return isinstance(case.bone, bpy.types.Object) and driver(case)


def _is_of_object(path: str) -> bool:
    """Whether a path leads to the object's own transform."""
    return path.removeprefix("delta_") in REST or path == "delta_rotation_euler"


def nla(case: Case) -> bool:
    return case.pair.evaluated == "the NLA"


def object_nla(case: Case) -> bool:
    """Of an object itself, as it looks: its motion is read from its own curves."""
    return case.pair.looks and isinstance(case.bone, bpy.types.Object) and nla(case)


def rotated_by_hand(case: Case) -> bool:
    """Whether the object is rotated and goes the path that it went before: its bones look elsewhere than where they go."""
    return case.difference.outside and case.pair.rotated_by_hand


def object_scale_keyed(case: Case) -> bool:
    """Whether keys make an armature grow or shrink."""
    keyed = [curve for channel, curve in case.curves if not channel.bone and channel.property == "scale"]
    return case.difference.outside and case.pair.clip.obj.type == "ARMATURE" and any(np.ptp(each.keys[:, 1]) > 1e-5 for each in keyed)


def mode_keyed(case: Case) -> bool:
    return any(channel.property == MODE and channel.bone in case.owners for channel in case.pair.curves)


def deltas(case: Case) -> bool:
    return case.pair.evaluated == "delta transforms" and root(case)


def parent(case: Case) -> bool:
    """Whether what an object hangs on moves it, and not in the game, too."""
    clip = case.pair.clip
    return (case.difference.outside or not case.difference.bone) and not (clip.carried or evaluated.parent_stands(clip.obj))


def inherits(case: Case) -> bool:
    bone = case.bone
    return isinstance(bone, bpy.types.PoseBone) and not (bone.bone.use_inherit_rotation and bone.bone.use_local_location)


def connected(case: Case) -> bool:
    """Whether Blender does not move it from its parent."""
    moved = not (case.difference.rotated or case.difference.scaled)
    return moved and isinstance(case.bone, bpy.types.PoseBone) and case.bone.bone.use_connect


def inherits_scale(case: Case) -> str:
    kind = case.bone.bone.inherit_scale if isinstance(case.bone, bpy.types.PoseBone) else "FULL"
    return "" if kind in ("FULL", "NONE") else kind.replace("_", " ").title()


def without_scale(case: Case) -> bool:
    """Whether it leaves out a scale that a bone above it has."""
    if not isinstance(case.bone, bpy.types.PoseBone) or (bone := _owner_of(case.bone.bone)).inherit_scale != "NONE":
        return False
    above = {each.name for each in bone.parent_recursive}
    return any(channel.property == "scale" and channel.bone in above for channel in (*case.pair.curves, *case.pair.still))


def muted(case: Case) -> bool:
    return any(channel.bone in case.owners and channel.property in REST for channel in case.pair.muted)


def posed(case: Case) -> bool:
    return any(
        channel.bone in case.owners and channel in case.pair.different for channel in case.pair.still.keys() - case.pair.curves.keys()
    )


def hangs_on_others(case: Case) -> str:
    """The names of bones that are not the game's, between this one and the next of the game's above it."""
    if not isinstance(case.bone, bpy.types.PoseBone) or case.pair.clip.foreign is not None:
        return ""
    known = case.pair.clip.modes  # some are of the file: an import puts two below a sheared bone
    return ", ".join(bone.name for bone in armature.others_above(case.bone.bone) if bone.name not in known)


def helper_keyed(case: Case) -> str:
    """A bone that an import puts below another one to hold its shear, where its keys are others than they came in. The file holds what both
    are together, which moves what hangs on the other bone, too."""
    bone, came = case.bone, case.pair.clip.before()
    if not isinstance(bone, bpy.types.PoseBone) or came is None:
        return ""
    known = values_of(came)
    line = {each.name for each in (bone, *bone.parent_recursive)}
    edited = (each.bone for each, curve in case.pair.curves.items() if not np.array_equal(curve.keys[:, 1], known.get(each, ())))
    bones = armature.bones_of(case.pair.clip.obj)
    helpers = (name for name in sorted({*edited} & case.pair.suspects) if name in bones and armature.INDEX not in bones[name])
    return next((name for name in helpers if not line.isdisjoint((name, _owner_of(bones[name]).name))), "")


def _owner_of(bone: bpy.types.Bone) -> bpy.types.Bone:
    """The bone of the game that a bone is or hangs on, the highest one where none of them is any."""
    while armature.INDEX not in bone and bone.parent is not None:
        bone = bone.parent
    return bone


def moved_at_rest(case: Case) -> bool:
    """Whether that alone accounts for the difference."""
    if not isinstance(case.bone, bpy.types.PoseBone) or case.difference.rotated or case.difference.scaled or case.difference.outside:
        return False
    return rest.moved(case.bone.bone) / armature.scale_of(case.pair.clip.obj) > 0.5 * case.difference.size


def object_scale(case: Case) -> bool:
    obj, action, before = case.pair.clip.obj, case.pair.clip.action, case.pair.before
    if not case.difference.outside or obj.type != "ARMATURE" or before is None:
        return False
    return object_size.is_other(obj, action, case.pair.clip.carried)


def scaled(case: Case) -> bool:
    """Where the game holds no scale of the bone."""
    return case.difference.scaled and "scale" in case.pair.clip.unheld(case.difference.bone)


def carried(case: Case) -> bool:
    """A root alone, while everything below it is where it is shown."""
    return case.difference.carried


def root(case: Case) -> bool:
    return case.is_root


def begins_away(case: Case) -> bool:
    """A root, or the object, that is elsewhere at its first key, and not by a rotation: the game puts a clip's beginning where the
    character is. So it is off all the time, wherever it is by most."""
    own = own_frames(case.pair, case.pair.clip.modes)
    if not case.is_root or case.difference.rotated or case.difference.scaled or not len(own):
        return False
    pairs = [(case.pair.shown_value(each, own[:1]), case.pair.written_value(each, own[:1])) for each in _moving(case)]
    away = float(np.linalg.norm([shown[0] - written[0] for shown, written in pairs])) / case.pair.clip.scale
    at_first = not case.difference.outside and abs(own[0] - case.difference.frame) < CLOSE
    return at_first or away > 0.5 * case.difference.size


def _moving(case: Case) -> set[Channel]:
    """The channels that say where a root is."""
    known = {*dict(case.curves), *case.pair.written}
    return {each for each in known if each.property == PATH_PROPERTY or (each.property == "location" and each.bone in case.owners)}


def at_root(case: Case) -> bool:
    """Whether it is a root's bone, or one right below that."""
    bone = case.bone
    return isinstance(bone, bpy.types.PoseBone) and sum(above.name in case.pair.clip.modes for above in bone.parent_recursive) <= 1


def unheld(case: Case) -> str:
    """What a bone is given, by whatever, of which no key would be written either."""
    lacks = case.pair.clip.unheld(case.difference.bone) if isinstance(case.bone, bpy.types.PoseBone) else ()
    if case.difference.scaled:
        giver = constraint(case) or ("a driver" if driver(case) else "")
        given = f", which {giver} gives it" if giver else ""
        return f"scale of it{given}" if "scale" in lacks else ""
    posed = any(channel.bone == case.difference.bone and channel.property == "location" for channel in case.pair.still)
    return "location of it" if "location" in lacks and posed and not (case.difference.rotated or case.difference.outside) else ""


def mode(case: Case) -> str:
    """The mode and the one that it should be, where the same numbers are another rotation in it."""
    owner = case.owners[0]
    now, meant = case.pair.mode(owner), case.pair.clip.modes.get(owner)
    channels = {*dict(case.curves), *case.pair.still}
    if meant is not None and rotation_property(now) != rotation_property(meant):  # whose curves do nothing
        channels |= case.pair.written.keys()
    rotates = any(each.bone == owner and is_rotation(each.property) for each in channels)
    # Where a bone leaps from an angle to a translation by the same numbers, other angles are another translation.
    leaps = bool(case.pair.clip.unit) and not (case.difference.rotated or case.difference.scaled or case.is_root)
    if meant in (None, now) or not rotates or not (case.difference.rotated or leaps) or posed(case):
        return ""
    if not {now, meant} & {"QUATERNION", "AXIS_ANGLE"} and not leaps and _apart(case, owner, now, meant) < case.difference.size / 2:
        return ""
    return f"{now} and not {meant}"


def other_mode(case: Case) -> str:
    """The same of a rotation between two keys, which are converted."""
    owner = case.owners[0]
    now, meant = case.pair.mode(owner), case.pair.clip.modes.get(owner)
    if meant in (None, now) or not case.difference.rotated:
        return ""
    angles = not {now, meant} & {"QUATERNION", "AXIS_ANGLE"}
    alike = case.is_root and angles and _apart(case, owner, now, meant) < case.difference.size / 2
    return "" if alike else f"{now} and not {meant}"


def _apart(case: Case, owner: str, first: str, second: str) -> float:
    """Degrees between what the shown Euler angles are in two modes."""
    at = np.array([case.difference.frame])
    angles = np.stack([case.pair.shown_value(Channel(owner, "rotation_euler", axis), at) for axis in range(3)], axis=1)
    one, other = (rotation_matrix.from_euler(angles, mode)[0] for mode in (first, second))
    return float(np.degrees(rotation_matrix.angle(one.T @ other)))
