"""OniSplit's XML of a TRAM, read: its elements in their fixed order, and what OniSplit derives from them [AnimationXmlReader.cs]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from .. import enums
from ..motion.derived import derive
from ..records import tram_layout
from ..records.tram import Tram
from .attacks import derived, radians, read_attacks, read_ring
from .dae_motion import DaeMotion
from .motion import read_motion
from .tree import Node
from .values import Cursor, numbers, wrong

OVERLAY = 0x2000
"""The flag of animations whose keys may be quaternions in OniSplit."""

U8, U16, U32 = 0xFF, 0xFFFF, 0xFFFFFFFF

Array = NDArray[Any]


@np.errstate(over="ignore", invalid="ignore")  # what is beyond single precision is infinite, and kept or refused as that
def read(root: Node, motion_of: Callable[[Node, bool], DaeMotion | None] | None = None) -> tuple[Tram, Node | None]:
    """The TRAM of <Oni><Animation>, without a name, and its Import element, if there is one: its motion is in another file then.

    motion_of: reads that file, from the Import element, and whether keys are quaternions; without it, and where it finds none, there are
    no frames and no motion.

    Raises FormatError naming the element and its line for one that is not where it should be, and for values beyond what the record holds.
    """
    if root.tag != "Oni":
        raise wrong(root, f"<Oni> expected, not <{root.tag}>")
    outer = Cursor(root)
    animation = outer.enter("Animation")
    outer.finish()
    imported = animation.optional("Import") or animation.optional("DaeImport")
    fields = _settings(animation)
    for tag, (name, one, kind, row) in _EVENTS.items():
        fields[name] = _rows(animation.enter(tag), one, kind, row)
    path = np.zeros((0, 2), np.float32)
    moving: DaeMotion | None = None
    if imported is None:
        motion, path = read_motion(animation)
        fields |= motion
    elif motion_of is not None and (moving := motion_of(imported, bool(fields["flags"] & OVERLAY))) is not None:
        fields |= moving.fields
        path = moving.path[:-1]
    else:
        log.warning(f"its motion is in {imported_path(imported) or 'another file'}, which is not there: there is nothing that moves")
    fields["throw"] = _throw(animation.enter("ThrowSource"))
    fields["self_damage"] = _rows(animation.enter("SelfDamage"), "Damage", tram_layout.DAMAGE, _damage)
    attacks = animation.optional("Attacks")
    result = None if attacks is None else read_attacks(Cursor(attacks))
    ring = animation.optional("AttackRing")
    if ring is not None:
        fields["attack_ring"] = read_ring(ring)
    animation.finish()
    document = replace(Tram.new("", 0), **fields)
    if result is not None and len(result.attacks):
        document = replace(document, attacks=result.attacks, extents=result.extents if len(result.extents) else None)
        document = derived(document, result.spans, path)
    return (document if moving is None else _with_positions(document, moving)), imported


def imported_path(imported: Node) -> str:
    """What an Import element names, as it stands there."""
    return imported.attributes.get("Path") or next((node.text for node in imported.children if node.tag == "Path"), "") or imported.text


def _with_positions(document: Tram, moving: DaeMotion) -> Tram:
    """With how tall and where the character is, which such a file leaves to the importer; without meshes by its joints."""
    with log.collect():  # an export says so, where it counts
        return derive(document, moving.figure, extents=False)


def _settings(animation: Cursor) -> dict[str, Any]:
    """Lookup to Impact."""
    fields: dict[str, Any] = {}
    _lookup(animation.enter("Lookup"), fields)
    fields["flags"] = animation.enumerated("Flags", enums.ANIMATION_FLAGS.value, U32)
    _pair(animation, "Atomic", ("Start", "End"), fields, ("atomic_start", "atomic_end"))
    _pair(animation, "Invulnerable", ("Start", "End"), fields, ("invulnerable_start", "invulnerable_end"), U8)
    overlay = animation.enter("Overlay")
    fields["used_bones"] = overlay.enumerated("UsedBones", enums.BONE_MASK.value, U32)
    fields["replaced_bones"] = overlay.enumerated("ReplacedBones", enums.BONE_MASK.value, U32)
    overlay.finish()
    links = animation.enter("DirectAnimations")
    fields["direct"] = (links.take("Link").text, links.take("Link").text)
    links.finish()
    _pair(animation, "Pause", ("Hard", "Soft"), fields, ("hard_pause", "soft_pause"))
    _pair(animation, "Interpolation", ("End", "Max"), fields, ("interpolation_end", "interpolation_max"))
    fields["final_rotation"] = radians(_heading(animation.take("FinalRotation")))
    fields["direction"] = animation.enumerated("Direction", enums.DIRECTION.value, U16)
    fields["vocalization"] = animation.whole("Vocalization")
    fields["action_frame"] = animation.whole("ActionFrame")
    fields["impact"] = _name(animation.take("Impact"), 16)
    return fields


def _heading(node: Node) -> float:
    """Degrees. What is no number is kept, as the records may have it, and named."""
    (angle,) = numbers(node, 1)
    if not np.isfinite(angle):
        log.warning(f"<{node.tag}> is {node.text.strip()}, by which the game rotates the character when the clip is over: give it a number")
    return angle


def _lookup(cursor: Cursor, fields: dict[str, Any]) -> None:
    fields["type"] = cursor.enumerated("Type", enums.ANIMATION_TYPE.value, U16)
    fields["aiming_type"] = cursor.enumerated("AimingType", enums.ANIMATION_TYPE.value, U16)
    fields["from_state"] = cursor.enumerated("FromState", enums.ANIMATION_STATE.value, U16)
    fields["to_state"] = cursor.enumerated("ToState", enums.ANIMATION_STATE.value, U16)
    fields["varient"] = cursor.enumerated("Varient", enums.VARIENT.value, U16)
    fields["first_level"] = cursor.whole("FirstLevel")
    fields["shortcuts"] = _rows(cursor.enter("Shortcuts"), "Shortcut", tram_layout.SHORTCUT, _shortcut)
    cursor.finish()


def _pair(cursor: Cursor, tag: str, inner: tuple[str, str], fields: dict[str, Any], names: tuple[str, str], high: int = U16) -> None:
    """An element of two whole numbers."""
    pair = cursor.enter(tag)
    for element, name in zip(inner, names, strict=True):
        fields[name] = pair.whole(element, 0, high)
    pair.finish()


def _rows(cursor: Cursor, tag: str, kind: np.dtype[Any], row: Any) -> Array | None:
    """The elements of a list, None for an empty one."""
    result = [row(Cursor(node)) for node in cursor.all(tag)]
    return np.array(result, kind) if result else None


def _shortcut(cursor: Cursor) -> tuple[Any, ...]:
    state = cursor.enumerated("FromState", enums.ANIMATION_STATE.value, U16)
    length, atomic = cursor.whole("Length"), cursor.take("ReplaceAtomic")
    if atomic.text not in ("yes", "no"):
        raise wrong(atomic, f"<ReplaceAtomic>: {atomic.text or 'nothing'} is neither yes nor no")
    cursor.finish()
    return state, length, int(atomic.text == "yes")


def _particle(cursor: Cursor) -> tuple[Any, ...]:
    start, end = cursor.whole("Start"), cursor.whole("End")
    bone, name = cursor.enumerated("Bone", enums.BONE.value, U32), _name(cursor.take("Name"), 16)
    cursor.finish()
    return start, end, bone, name


def _blur(cursor: Cursor) -> tuple[Any, ...]:
    bones = cursor.enumerated("Bones", enums.BONE_MASK.value, U32)
    start, end = cursor.whole("Start"), cursor.whole("End")
    details = tuple(cursor.whole(tag, 0, U8) for tag in ("Lifetime", "Alpha", "Interval"))
    cursor.finish()
    return bones, start, end, *details, 0


def _footstep(cursor: Cursor) -> tuple[Any, ...]:
    if cursor.node.attributes:
        raise wrong(cursor.node, "<Footstep> with attributes: OniSplit does not read them; <Frame> and <Type> are elements")
    frame, kind = cursor.whole("Frame"), cursor.enumerated("Type", enums.FOOTSTEP.value, U16)
    cursor.finish()
    return frame, kind


def _sound(cursor: Cursor) -> tuple[Any, ...]:
    name, frame = _name(cursor.take("Name"), 32), cursor.whole("Start")
    cursor.finish()
    return name, frame


def _damage(cursor: Cursor) -> tuple[Any, ...]:
    points, frame = cursor.whole("Points"), cursor.whole("Frame")
    cursor.finish()
    return points, frame


def _throw(cursor: Cursor) -> Array | None:
    if not cursor.node.children:
        return None
    adjustment = cursor.enter("TargetAdjustment")
    position, angle = numbers(adjustment.take("Position"), 3), adjustment.single("Angle")
    adjustment.finish()
    distance, kind = cursor.single("Distance"), cursor.enumerated("TargetType", enums.ANIMATION_TYPE.value, U16)
    cursor.finish()
    return np.array((position, angle, distance, kind), tram_layout.THROW)


def _name(node: Node, size: int) -> bytes:
    """A name in a field of `size` bytes with a zero at the end."""
    try:
        name = node.text.encode("latin-1")
    except UnicodeEncodeError:
        raise wrong(node, f"<{node.tag}>: {node.text} has characters that the game does not have") from None
    if len(name) >= size:
        raise wrong(node, f"<{node.tag}>: {node.text} has {len(name)} characters; at most {size - 1} are possible")
    return name


_EVENTS: dict[str, tuple[str, str, np.dtype[Any], Callable[[Cursor], tuple[Any, ...]]]] = {
    "Particles": ("particles", "Particle", tram_layout.PARTICLE, _particle),
    "MotionBlur": ("motion_blur", "MotionBlur", tram_layout.BLUR, _blur),
    "Footsteps": ("footsteps", "Footstep", tram_layout.FOOTSTEP, _footstep),
    "Sounds": ("sounds", "Sound", tram_layout.SOUND, _sound),
}
"""The lists between Impact and the motion: the block's name, its elements, how they are stored and how they are read."""
