"""OniSplit's XML of a TRAM, written [AnimationXmlWriter.cs]."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import enums
from ..records.tram import Tram
from ..records.tram_layout import text_of
from .attacks import DEGREES_PER_RADIAN, RADIANS_PER_DEGREE, radians, write_attacks
from .floats import exact, single, singles
from .motion import write_motion
from .tree import Node
from .values import branch, leaf


def tree_of(document: Tram, imported: Node | None = None) -> Node:
    """The elements. imported: the Import element of an animation whose motion is in another file."""
    motion = [] if imported is not None else write_motion(document)
    throw = document.throw
    return branch(
        "Oni",
        branch(
            "Animation",
            *([imported] if imported is not None else []),
            *_settings(document),
            branch("Particles", *map(_particle, _rows(document.particles))),
            branch("MotionBlur", *map(_blur, _rows(document.motion_blur))),
            branch("Footsteps", *map(_footstep, _rows(document.footsteps))),
            branch(
                "Sounds",
                *(branch("Sound", _name("Name", sound["name"]), leaf("Start", sound["frame"])) for sound in _rows(document.sounds)),
            ),
            *motion,
            branch("ThrowSource", *([] if throw is None else _throw(throw))),
            branch("SelfDamage", *map(_damage, _rows(document.self_damage))),
            *write_attacks(document),
        ),
    )


def _settings(document: Tram) -> list[Node]:
    """Lookup to Impact."""
    rotation = document.final_rotation
    degrees = exact(rotation, np.float32(rotation * DEGREES_PER_RADIAN), radians, float(rotation) / float(RADIANS_PER_DEGREE))
    return [
        branch(
            "Lookup",
            leaf("Type", enums.ANIMATION_TYPE.name_of(document.type)),
            leaf("AimingType", enums.ANIMATION_TYPE.name_of(document.aiming_type)),
            leaf("FromState", enums.ANIMATION_STATE.name_of(document.from_state)),
            leaf("ToState", enums.ANIMATION_STATE.name_of(document.to_state)),
            leaf("Varient", enums.VARIENT.text(document.varient)),
            leaf("FirstLevel", document.first_level),
            branch("Shortcuts", *map(_shortcut, _rows(document.shortcuts))),
        ),
        leaf("Flags", enums.ANIMATION_FLAGS.text(document.flags)),
        branch("Atomic", leaf("Start", document.atomic_start), leaf("End", document.atomic_end)),
        branch("Invulnerable", leaf("Start", document.invulnerable_start), leaf("End", document.invulnerable_end)),
        branch(
            "Overlay",
            leaf("UsedBones", enums.BONE_MASK.text(document.used_bones)),
            leaf("ReplacedBones", enums.BONE_MASK.text(document.replaced_bones)),
        ),
        branch("DirectAnimations", *(leaf("Link", name) for name in document.direct)),
        branch("Pause", leaf("Hard", document.hard_pause), leaf("Soft", document.soft_pause)),
        branch("Interpolation", leaf("End", document.interpolation_end), leaf("Max", document.interpolation_max)),
        leaf("FinalRotation", degrees),
        leaf("Direction", enums.DIRECTION.name_of(document.direction)),
        leaf("Vocalization", document.vocalization),
        leaf("ActionFrame", document.action_frame),
        _name("Impact", document.impact),
    ]


def _rows(block: Any) -> Iterable[Any]:
    return [] if block is None else block


def _name(tag: str, name: bytes) -> Node:
    return leaf(tag, text_of(name))


def _shortcut(row: Any) -> Node:
    return branch(
        "Shortcut",
        leaf("FromState", enums.ANIMATION_STATE.name_of(int(row["from_state"]))),
        leaf("Length", row["length"]),
        leaf("ReplaceAtomic", "yes" if row["flags"] else "no"),
    )


def _particle(row: Any) -> Node:
    bone = leaf("Bone", enums.BONE.name_of(int(row["bone"])))
    return branch("Particle", leaf("Start", row["start"]), leaf("End", row["end"]), bone, _name("Name", row["name"]))


def _blur(row: Any) -> Node:
    numbers = (leaf(tag, row[tag.lower()]) for tag in ("Start", "End", "Lifetime", "Alpha", "Interval"))
    return branch("MotionBlur", leaf("Bones", enums.BONE_MASK.text(int(row["bones"]))), *numbers)


def _footstep(row: Any) -> Node:
    return branch("Footstep", leaf("Frame", row["frame"]), leaf("Type", enums.FOOTSTEP.name_of(int(row["type"]))))


def _damage(row: Any) -> Node:
    return branch("Damage", leaf("Points", row["points"]), leaf("Frame", row["frame"]))


def _throw(row: Any) -> list[Node]:
    adjustment = branch("TargetAdjustment", leaf("Position", singles(*row["position"])), leaf("Angle", single(row["angle"])))
    kind = leaf("TargetType", enums.ANIMATION_TYPE.name_of(int(row["type"])))
    return [adjustment, leaf("Distance", single(row["distance"])), kind]
