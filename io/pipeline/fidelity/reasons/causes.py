"""Why a bone is not written as it is shown, and what to do about it: one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .....core.reporting.labels import CLEAR
from ....blender.motion import renamed_curves
from .. import object_size
from . import in_keys, in_rig, in_strips
from .case import Case


class Cause(NamedTuple):
    """holds: whether it is this. why: the end of a sentence about the bone; "{}" is what `holds` gives. remedy: what to do; where that is
    "{looks}", to write the clip as it looks, it is no reason at keys that are written so. topic: that of the message in which a game has
    explained it already, in its own words."""

    holds: Callable[[Case], str | bool]
    why: str
    remedy: str
    topic: str = ""


def _unknown(_: Case) -> bool:
    return True


_LEAPS = "it bends or leaps between two frames of the game, which goes straight from one to the next", "give that more frames"

CAUSES: tuple[Cause, ...] = (
    Cause(
        in_rig.rotated_by_hand,
        "the object was rotated after the import, and its path was not, nor is that rotation keyed",
        "rotate it back, or insert a keyframe of its rotation",
    ),
    Cause(in_keys.between_samples, *_LEAPS),
    Cause(
        in_keys.closing_elsewhere,
        "{} has it elsewhere at the end of the loop than at its first keyframe, to which that goes back",
        "let both frames show one pose, or bake it into keys and choose Refit Loop",
        "loop",
    ),
    Cause(in_rig.unheld, "the game holds no {}", CLEAR),
    Cause(in_rig.object_nla, "the NLA takes part", "mute its tracks, or bake its motion: Bake Action with Visual Keying"),
    Cause(in_rig.nla, "the NLA takes part", "{looks}, or mute its tracks"),
    Cause(in_rig.object_constraint, "{} moves it", "bake its motion: Bake Action with Visual Keying and Clear Constraints"),
    Cause(in_rig.constraint, "{} moves it", "{looks}"),
    Cause(in_rig.object_driver, "a driver moves it", "bake its motion: Bake Action with Visual Keying, and delete the driver"),
    Cause(in_rig.driver, "a driver moves it", "{looks}"),
    Cause(in_rig.data_keyed, "{} of the armature's data is keyed", "{looks}, or delete these keys"),
    Cause(
        in_rig.object_scale,
        "the object's scale was changed after the import",
        "scale the object back to what it was",
        object_size.TOPIC,
    ),
    Cause(in_rig.deltas, "its delta transform moves it", "key its own location and rotation instead"),
    Cause(in_rig.object_scale_keyed, "its scale is keyed, which the game does not hold", "delete these keys"),
    Cause(in_rig.mode_keyed, "its rotation mode is keyed", "{looks}, or delete these keys"),
    Cause(in_rig.parent, "its parent moves it", "bake its motion: Bake Action with Visual Keying and Clear Parents"),
    Cause(
        in_rig.inherits,
        "it does not inherit rotation or location from its parent",
        "{looks}, or put Inherit Rotation and Local Location on",
    ),
    Cause(in_rig.hangs_on_others, "it hangs on {}, which the game does not have and no clip holds", "{looks}, or key bones of the game"),
    Cause(in_rig.inherits_scale, "it inherits scale as {}", "{looks}, or set Inherit Scale to Full"),
    Cause(
        in_rig.moved_at_rest,
        "it was moved at rest, which the file holds for its meshes alone",
        "undo that in Edit Mode, or pose the bone",
    ),
    Cause(
        in_rig.connected,
        "it is connected, so that its location keys do not move it",
        "{looks}, or take Connected off in Edit Mode",
    ),
    Cause(
        in_keys.renamed,
        "its curves have the name from before it was renamed, {}, and move nothing",
        "choose Rename Curves",
        renamed_curves.TOPIC,
    ),
    Cause(in_rig.muted, "its curves are muted", "unmute or delete them"),
    Cause(in_keys.skipped, "what is shown between two samples is written as a straight line", "set a smaller Sample Step"),
    Cause(in_keys.modifier, "its curves have modifiers", "bake them into keys"),
    Cause(
        in_rig.carried, "the game puts the root itself at its origin, and the bones below it take the rest", "move these instead", "root"
    ),
    Cause(in_rig.mode, "its rotation mode is {}", "set it back, or put keys between"),
    Cause(in_keys.half_circle, "a rotation of {}: the game rotates the other way", "put a key between", "half circle"),
    Cause(
        in_keys.in_between,
        "keys of the type {} lie there, between the game's frames, where the file has none",
        "key it at whole frames, and delete the keys of that type beside them",
    ),
    Cause(
        in_keys.at_once,
        "between {} it goes from rotated to moved, or back, which the game does at once",
        "put a key between at which it is at rest, or only rotate or only move it",
    ),
    Cause(in_keys.opposite, "more than half a circle between {}: the game rotates the other way", "put a key between"),
    Cause(in_keys.later, "the game's clip begins with its first key, which is at {}", "move all keys back"),
    Cause(in_keys.closing, "the loop goes back to its first keyframe, not to what the last key shows", "choose Refit Loop", "loop"),
    Cause(
        in_strips.between_frames,
        "between two frames the NLA shows something else than the straight line that the game goes",
        "let strips end in the pose that follows, blend them, or give them whole frames of the game's rate",
    ),
    Cause(
        in_strips.bent,
        "its curves bend or leap between two frames, which the game passes straight",
        "choose Make Linear, and bake modifiers into keys",
    ),
    Cause(in_keys.lacking, "the clip's file has no channel for its {}", "delete these keys, or move a bone that has one"),
    Cause(in_keys.curved, "its curves are not straight lines between keys, as the game goes", "choose Make Linear, or put keys between"),
    Cause(in_keys.lengths, "its quaternion keys are not of length 1, which shifts what lies between them", "{looks}"),
    Cause(in_keys.chord, "between two keys Blender takes the chord of a rotation, and the game the arc", "put keys between"),
    Cause(
        in_keys.begins_before,
        "its curves go on in a line before their first key",
        "let the frame range begin at the first key, or set their extrapolation to Constant",
    ),
    Cause(in_keys.goes_on, "its curves go on in a line behind their last key", "put a key at the end of the clip"),
    Cause(in_rig.posed, "it is posed and not keyed", "insert a keyframe for it"),
    Cause(
        in_keys.unclosed,
        "the key that closes a loop is written of none that is played once",
        "put Cyclic Animation on again, or delete that key, or make it one of the type Keyframe",
    ),
    Cause(
        in_keys.unheld,
        "keys of the type {} are what an import puts between the game's own, and no file holds them",
        "make them of the type Keyframe",
    ),
    Cause(
        in_keys.other_rate,
        "at the scene's {} frames per second its keys lie between the game's own times",
        "give the scene the rate again with which it came in, or choose Import as Frame Rate",
    ),
    Cause(
        in_strips.cut_between,
        "the part of the action {}, between two frames of the game's rate",
        "let it begin and end on these: move the marker, or the ends of the strip",
    ),
    Cause(in_keys.left_behind, "the file ends before", "move its keys into the action's frame range"),
    Cause(in_keys.overtaken, "keys stand behind the key that closed its loop", "choose Refit Loop, or delete them", "closing"),
    Cause(
        in_strips.rescaled,
        "with Scale {} of the NLA strip its keys lie between the game's own times, or too close together",
        "choose a Scale with which they lie on these, or bake what it plays into an action",
    ),
    Cause(
        in_keys.off_grid, "its keys lie between the game's own times, or too close together", "move them to whole frames of the game's rate"
    ),
    Cause(
        in_rig.helper_keyed,
        "{} only holds what Blender cannot show of the bone above it, and its keys were edited",
        "undo that, and key the bone above it",
    ),
    Cause(in_rig.without_scale, "it does not inherit the scale of bones above it", "{looks}, or set Inherit Scale to Full"),
    Cause(in_rig.scaled, "the game does not hold that scale", "apply or remove it"),
    Cause(in_keys.loop_pose, "the pose of the key that closes the loop is written", "choose Refit Loop", "loop"),
    Cause(in_rig.other_mode, "its rotation mode is {}", "set it back, or put keys between"),
    Cause(in_keys.within_frame, *_LEAPS),
    Cause(
        in_rig.begins_away,
        "the game begins a clip where the character is, wherever the root is shown then",
        "begin it at its origin, or where it came in",
    ),
    Cause(in_rig.root, "the game does not hold that much of a root", "move the bones below it instead", "root"),
    Cause(_unknown, "the file does not hold it", "look at its keys there"),
)
"""In this order; the first that holds is said."""


def cause_of(case: Case) -> tuple[Cause, str | bool]:
    """With what `holds` gives."""
    looks = case.is_taken
    return next((cause, what) for cause in CAUSES if not (looks and "{looks}" in cause.remedy) and (what := cause.holds(case)))


def topics_of(case: Case) -> set[str]:
    """Those of messages in which the game may have explained it. As it looks, what moves a root is given to the bones below it by a game
    that puts it at its origin, and they are off between its keyframes."""
    cause = cause_of(case)[0]
    at_root = case.pair.looks and in_rig.at_root(case) and (case.is_root or cause.holds is _unknown)
    return {cause.topic, "root" if at_root else ""} - {""}
