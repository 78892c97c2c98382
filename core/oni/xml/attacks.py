"""The attacks in OniSplit's XML of a TRAM, and what it derives from them [AnimationXmlReader.cs, AnimationDatWriter.cs]."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from .. import enums
from ..records import tram_layout
from ..records.tram import Tram
from .floats import exact, single
from .motion import STEPS, U16
from .tree import Node
from .values import Cursor, branch, from_hundredths, hundredths, leaf, numbers, table, wrong

RADIANS_PER_DEGREE = np.float32(0.017453294)
"""As OniSplit has it: 90 degrees become 1.5707965."""

DEGREES_PER_RADIAN = np.float32(57.29578)
"""As OniSplit has it, in single precision."""

THROW_TARGET = 0x10000

U32 = 0xFFFFFFFF

Array = NDArray[Any]


def radians(degrees: float) -> np.float32:
    """As OniSplit has it for a number in single precision; with more digits all angles of a record stay distinct."""
    with np.errstate(over="ignore"):
        return np.float32(float(degrees) * float(RADIANS_PER_DEGREE))


@dataclass(frozen=True, eq=False)
class Attacks:
    """attacks: (n,) of ATTACK. extents: (m,) of EXTENT. spans: (m, 4) degrees, length, min Y and max Y as they are written."""

    attacks: Array
    extents: Array
    spans: Floats


def read_attacks(cursor: Cursor) -> Attacks:
    """Raises FormatError."""
    attacks: list[tuple[Any, ...]] = []
    extents: list[tuple[int, ...]] = []
    spans: list[tuple[float, ...]] = []
    for node in cursor.all("Attack"):
        one = Cursor(node)
        start, end = one.whole("Start"), one.whole("End")
        bones, flags = one.enumerated("Bones", enums.BONE_MASK.value, U32), one.enumerated("Flags", enums.ATTACK_FLAGS.value, U32)
        knockback, points = one.single("Knockback"), one.whole("HitPoints", -32768, 32767)
        kind = one.enumerated("HitType", enums.ANIMATION_TYPE.value, U16)
        lengths = tuple(one.whole(tag) for tag in ("HitLength", "StunLength", "StaggerLength"))
        attacks.append((bones, knockback, flags, points, start, end, kind, *lengths, b""))
        listed = one.optional("Extents")
        for offset, extent in enumerate(Cursor(listed).all("Extent") if listed is not None else []):
            span, stored = _extent(extent)
            extents.append(((start + offset + 0x8000) % 0x10000 - 0x8000, *stored))
            spans.append(span)
        one.finish()
    return Attacks(np.array(attacks, tram_layout.ATTACK), np.array(extents, tram_layout.EXTENT), np.array(spans, np.float64).reshape(-1, 4))


def _extent(node: Node) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Its values, and how the record stores them behind the frame."""
    values = Cursor(node)
    angle, size, low, high = (values.take(tag) for tag in ("Angle", "Length", "MinY", "MaxY"))
    values.finish()
    degrees = numbers(angle, 1)[0]
    if not 0 <= degrees <= 360:
        raise wrong(angle, f"<Angle>: {angle.text} is not between 0 and 360")
    stored = (round(degrees * STEPS), hundredths(size, 0, U16), 0, hundredths(low, -32768, 32767), hundredths(high, -32768, 32767))
    return (degrees, *(numbers(value, 1)[0] for value in (size, low, high))), stored


def read_ring(node: Node) -> Array:
    """(36,) float32. Raises FormatError."""
    lengths = Cursor(node).all("Length")
    if len(lengths) != 36:
        raise wrong(node, f"<AttackRing>: {len(lengths)} lengths instead of 36")
    return table(lengths, 1)[:, 0].astype("<f4")


def derived(document: Tram, spans: Floats, path: NDArray[np.float32]) -> Tram:
    """With what OniSplit derives from attacks and extents. spans: as in `Attacks`. path: (frames, 2) of the root."""
    if document.extents is None or document.attacks is None or not len(spans):
        return document
    frames = document.extents["frame"].astype(np.int64) & U16
    forward = np.append(path[:, 1], np.float32(0))[np.minimum(frames, len(path))]
    farthest = int(np.argmax(spans[:, 1].astype(np.float32) + forward))
    first, largest = _point(document, spans, 0, path), document.max_extent
    first["attack"] = first["frame_offset"] = 0
    first["min_y"] = round(float(first["min_y"]), 2)
    if not document.flags & THROW_TARGET:
        largest = _point(document, spans, farthest, path)
        largest["max_y"] = round(float(largest["max_y"]), 2)
    return replace(
        document,
        reach=np.float32(document.attack_ring.max()),
        min_y=np.float32(spans[:, 2].min()),
        max_y=np.float32(spans[:, 3].max()),
        first_extent=first,
        max_extent=largest,
    )


def _point(document: Tram, spans: Floats, index: int, path: NDArray[np.float32]) -> Array:
    """An extent with the position of the root, and the first attack that is active then."""
    assert document.extents is not None
    assert document.attacks is not None
    frame = int(document.extents["frame"][index]) & U16
    point = np.zeros((), tram_layout.EXTENT_POINT)
    point["frame"] = frame
    going = np.flatnonzero((document.attacks["start"] <= frame) & (frame <= document.attacks["end"]))
    if len(going):
        point["attack"], point["frame_offset"] = going[0] & 0xFF, (frame - int(document.attacks["start"][going[0]])) & 0xFF
    if frame < len(path):
        point["x"], point["z"] = path[frame, 0], -path[frame, 1]
    if document.heights is not None and frame < len(document.heights):
        point["height"] = document.heights[frame]
    point["angle"], point["length"], point["min_y"], point["max_y"] = radians(spans[index, 0]), *spans[index, 1:]
    return point


def write_attacks(document: Tram) -> list[Node]:
    """Attacks and ring; nothing where there are no attacks."""
    if document.attacks is None or not len(document.attacks):
        return []
    nodes: list[Node] = []
    for attack, own in zip(document.attacks, _own_extents(document), strict=True):
        start, end = int(attack["start"]), int(attack["end"])
        nodes.append(
            branch(
                "Attack",
                leaf("Start", start),
                leaf("End", end),
                leaf("Bones", enums.BONE_MASK.text(int(attack["bones"]))),
                leaf("Flags", enums.ATTACK_FLAGS.text(int(attack["flags"]))),
                leaf("Knockback", single(attack["knockback"])),
                leaf("HitPoints", int(attack["hit_points"])),
                leaf("HitType", enums.ANIMATION_TYPE.name_of(int(attack["hit_type"]))),
                leaf("HitLength", int(attack["hit_length"])),
                leaf("StunLength", int(attack["stun_length"])),
                leaf("StaggerLength", int(attack["stagger_length"])),
                branch("Extents", *(_written(document, extent) for extent in own)),
            )
        )
    return [branch("Attacks", *nodes), branch("AttackRing", *(leaf("Length", single(length)) for length in document.attack_ring))]


def _own_extents(document: Tram) -> list[list[Any]]:
    """The extents of each attack: one a frame, attacks in order; where the record has others, those of the attack's frames."""
    assert document.attacks is not None
    extents = document.extents if document.extents is not None else np.zeros(0, tram_layout.EXTENT)
    stored = [frame & U16 for frame in extents["frame"].tolist()]
    spans = [range(start, end + 1) for start, end in zip(document.attacks["start"].tolist(), document.attacks["end"].tolist(), strict=True)]
    if sum(map(len, spans)) == len(stored) and all(one == two for one, two in zip(stored, chain.from_iterable(spans), strict=True)):
        ends = np.cumsum([0, *map(len, spans)]).tolist()
        return [list(extents[first:last]) for first, last in pairwise(ends)]
    position = {frame: index for index, frame in reversed(list(enumerate(stored)))}
    return [[extents[position[frame]] for frame in span if frame in position] for span in spans]


def _written(document: Tram, extent: Any) -> Node:
    """An extent, as exact as the record's summary knows it [AnimationDatReader.ReadExtentInfo]."""
    frame = int(extent["frame"]) & U16
    angle = single(np.float32(float(extent["angle"]) * 360 / 65535))
    values = {name: from_hundredths(extent[name]) for name in ("length", "min_y", "max_y")}
    for point in (document.first_extent, document.max_extent):
        if int(point["frame"]) != frame:
            continue
        rotation = np.float32(point["angle"])
        rotated = exact(rotation, np.float32(rotation * DEGREES_PER_RADIAN), radians, float(rotation) / float(RADIANS_PER_DEGREE))
        angle = rotated if _stored(rotated, STEPS) == int(extent["angle"]) else angle
        for name in values:
            better = single(np.float32(point[name]))
            values[name] = better if _stored(better, 100) == int(extent[name]) else values[name]
        break
    for name, summary in (("min_y", document.min_y), ("max_y", document.max_y)):
        if _stored(single(summary), 100) == int(extent[name]):
            values[name] = single(summary)
    return branch(
        "Extent", leaf("Angle", angle), leaf("Length", values["length"]), leaf("MinY", values["min_y"]), leaf("MaxY", values["max_y"])
    )


def _stored(text: str, factor: float) -> int | None:
    """The whole number that the record has for a text, None for one without end."""
    value = np.float64(np.float32(float(text)) * np.float32(100)) if factor == 100 else np.float64(float(text)) * factor
    return int(np.rint(value)) if np.isfinite(value) else None
