"""Reading BVH, and writing it anew as Blender's importer understands it, which knows one of the forms that programs write.

The importer wants each word of the format in a line of its own form, three rotations or none for each joint, points in decimals,
"Frame Time:" in two words and whole rows of numbers; here all of that is optional. Where a file leaves something out, what is filled in
moves nothing: rotations of 0, the offset as a position.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np

from ...files import code_pages
from ...reporting import log
from ...reporting.errors import FormatError
from ...reporting.labels import counted, first_few
from .. import finite
from ..rotations.rotation_matrix import Floats

_POSITIONS = ("Xposition", "Yposition", "Zposition")
_ROTATIONS = ("Xrotation", "Yrotation", "Zrotation")
_CHANNELS = {name.lower(): name for name in (*_POSITIONS, *_ROTATIONS)}
_UNSAID = 30
"""Frames a second where a file does not say it."""
_SHORTEST = 1e-6
"""Seconds of a frame that is one."""


@dataclass(eq=False)
class Joint:
    """parent: -1 of a root. channels: as the file has them, any letter case. end: the offset of its tip; None without one."""

    name: str
    parent: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    channels: tuple[str, ...] = ()
    end: tuple[float, float, float] | None = None
    children: list[int] = field(default_factory=list[int])


@dataclass(frozen=True, eq=False)
class File:
    """joints: a parent before its children. rows: (F, C) one value for each channel of each joint, in the file's order. seconds: of a
    frame."""

    joints: Sequence[Joint]
    rows: Floats
    seconds: float


def plain(data: bytes) -> str:
    """The text of a file as Blender's importer understands it. Raises FormatError."""
    return text_of(parse(data))


def parse(data: bytes) -> File:
    """Raises FormatError. What is left out or mended of the motion is logged."""
    text = code_pages.decoded(data)
    head, parted, tail = _parted(text)
    joints = _joints(head)
    if not parted:
        raise FormatError("this BVH has no MOTION")
    frames, seconds, numbers = _motion_head(tail)
    width = sum(len(joint.channels) for joint in joints)
    return File(joints, _rows(numbers, width, frames), _known(seconds))


def _parted(text: str) -> tuple[str, bool, str]:
    start = re.match(r"\s*(?:(?:#|//).*\n\s*)*HIERARCHY\b", text, re.IGNORECASE)
    if start is None:
        raise FormatError("this is not a BVH: it does not begin with HIERARCHY")
    motion = re.search(r"^\s*MOTION\s*$", text, re.IGNORECASE | re.MULTILINE) or re.search(r"\}\s*MOTION\b", text, re.IGNORECASE)
    if motion is None:
        return text[start.end() :], False, ""
    return text[start.end() : motion.start() + motion.group().count("}")], True, text[motion.end() :]


_NAMED = re.compile(r"(?<![^\s{}])(ROOT|JOINT)\b\s*([^\n{]*?)[ \t]*(?=\{|$)", re.IGNORECASE | re.MULTILINE)
_END = re.compile(r"(?<![^\s{}])END\s+SITE\b[^\n{]*", re.IGNORECASE)
_NONE = -1
"""Instead of a joint: the file, or an end site."""
_TOKEN = re.compile(r"[{}]|[^\s{}]+")
_KEYWORDS = frozenset(["{", "}", "ROOT", "JOINT", "END", "OFFSET", "CHANNELS"])
"""What ends the list of a joint's channels."""


def _joints(head: str) -> list[Joint]:
    head = _END.sub(" END ", head)  # some give the tip a name
    names = ["_".join(match.group(2).split()) for match in _NAMED.finditer(head)]
    # Of a capital I with a dot, as Turkish programs may write it, only the expression knows that it is one.
    tokens = _TOKEN.findall(_NAMED.sub(lambda match: " ROOT " if match.group(1)[0] in "Rr" else " JOINT ", head))
    joints: list[Joint] = []
    inside, opened = [_NONE], _NONE
    for at, token in enumerate(tokens):
        keyword = token.upper()
        if keyword in ("ROOT", "JOINT"):
            parent = next((joint for joint in reversed(inside) if joint >= 0), -1) if keyword == "JOINT" else -1
            if parent >= 0:
                joints[parent].children.append(len(joints))
            opened = len(joints)
            joints.append(Joint(names[opened] or f"joint{opened}", parent))
        elif keyword == "END":
            opened = _NONE
        elif keyword == "{":
            inside.append(opened)
        elif keyword == "}" and len(inside) > 1:
            inside.pop()
        elif keyword in ("OFFSET", "CHANNELS") and joints:
            _fill(joints, inside, keyword, tokens[at + 1 : at + 16])
    if not joints:
        raise FormatError("this BVH has no joints")
    return joints


def _fill(joints: list[Joint], inside: list[int], keyword: str, values: list[str]) -> None:
    """Give a joint, or its tip, what follows OFFSET or CHANNELS. inside: the joints whose braces are open."""
    if keyword == "CHANNELS":
        if inside[-1] >= 0:  # all that are there, as Blender takes them, also where their number is another one
            joints[inside[-1]].channels = tuple(takewhile(lambda value: value.upper() not in _KEYWORDS, values[1:]))
        return
    joint = joints[max(inside[-2:])]
    try:
        x, y, z = (_number(value) for value in values[:3])
    except ValueError:
        raise FormatError(f"the OFFSET of {joint.name} is not three numbers") from None
    if inside[-1] >= 0:
        joint.offset = x, y, z
    else:
        joint.end = x, y, z


def _number(token: str) -> float:
    """Raises ValueError, also for what is not finite."""
    value = float(token.rstrip(",").replace(",", "."))
    if not math.isfinite(value):
        raise ValueError(token)
    return value


def _motion_head(tail: str) -> tuple[int, float, str]:
    """The number of frames and the seconds of one, 0 where they are not said; the text of the numbers."""
    frames = re.search(r"Frames\s*:?\s*(\d{1,18})\d*", tail, re.IGNORECASE)
    time = re.search(r"Frame\s*Time\s*:?\s*(\S+)", tail, re.IGNORECASE)
    end = max((match.end() for match in (frames, time) if match), default=0)
    try:
        seconds = _number(time.group(1)) if time else 0.0
    except ValueError:
        seconds = 0.0
    return int(frames.group(1)) if frames else 0, seconds, tail[end:]


def _known(seconds: float) -> float:
    if seconds > _SHORTEST:
        return seconds
    log.warning(f"it does not say how long a frame is; {_UNSAID} a second are taken")
    return 1 / _UNSAID


def _rows(text: str, width: int, frames: int) -> Floats:
    """(F, width) of the motion. Rows may be broken into several lines, or hold more than they should."""
    if "," in text:
        text = text.replace(", ", " ") if re.search(r"\d\.\d", text) else re.sub(r",(?=\d)", ".", text)
        text = text.replace(",", " ")
    lines = [line.split() for line in text.splitlines()]
    lines = [line for line in lines if line]
    if not width:
        return np.zeros((max(len(lines), 1), 0))
    lengths = [len(line) for line in lines]
    whole = [line[:width] for line in lines if len(line) >= width]
    broken = len(whole) < len(lines) - 1 or not whole  # all but the last may be broken off
    if broken or (sum(lengths) == frames * width and max(lengths) > width):
        tokens = [token for line in lines for token in line]
        whole = [tokens[first : first + width] for first in range(0, len(tokens) - width + 1, width)]
    elif max(lengths) > width:
        log.warning(f"rows of {max(lengths)} numbers, of which the joints have the first {width}: the others are left out")
    if not whole:
        raise FormatError("this BVH has no frames")
    if len(whole) < frames:
        log.warning(f"only {counted(len(whole), 'frame')} of {frames} are in it")
    try:
        values = np.array(whole, np.float64)
    except ValueError:
        values = np.array([[_or_nan(token) for token in row] for row in whole])
    return _finite(values)


def _or_nan(token: str) -> float:
    try:
        return float(token)
    except ValueError:
        return math.nan


def _finite(values: Floats) -> Floats:
    """What is no number becomes what the frame before has, or the next one that has any."""
    bad = ~np.isfinite(values)
    if not bad.any():
        return values
    rows = int(bad.any(axis=1).sum())
    log.warning(f"{counted(rows, 'frame')} with values that are no numbers: what the frames before have was taken")
    return finite.kept(values)


def text_of(file: File) -> str:
    """Each joint with its three rotations, and its three positions where it has any; in its own order of rotations."""
    lines, unmoved = ["HIERARCHY"], _counts_from_offsets(file)
    _tell_unknown(file)
    firsts = np.cumsum([0, *(len(joint.channels) for joint in file.joints)])
    ready = [
        _completed(joint, file.rows[:, first : first + len(joint.channels)], unmoved and joint.parent >= 0)
        for joint, first in zip(file.joints, firsts.tolist(), strict=False)
    ]
    for root in (index for index, joint in enumerate(file.joints) if joint.parent < 0):
        _write(file.joints, root, [names for names, _ in ready], lines)
    columns = [values for _, values in ready]
    rows = np.concatenate(columns, axis=1) if columns else file.rows
    lines += ["MOTION", f"Frames: {len(rows)}", f"Frame Time: {file.seconds!r}"]
    lines += [" ".join(map(repr, row)) for row in rows.tolist()]
    return "\n".join(lines) + "\n"


def _tell_unknown(file: File) -> None:
    """Channels that are neither positions nor rotations, such as scales, which Blender's importer knows not."""
    unknown = {joint.name: [name for name in joint.channels if name.lower() not in _CHANNELS] for joint in file.joints}
    names = [name for name, channels in unknown.items() if channels]
    if names:
        kinds = ", ".join(sorted({channel for channels in unknown.values() for channel in channels}))
        log.warning(f"neither positions nor rotations, and left out: {kinds} of {first_few(names)}")


def _counts_from_offsets(file: File) -> bool:
    """Whether positions of joints count from their offsets, which they replace as a rule: where all of them are 0 though offsets are not,
    the figure would be but a point."""
    firsts = np.cumsum([0, *(len(joint.channels) for joint in file.joints)])
    held: list[bool] = []
    for joint, first in zip(file.joints, firsts.tolist(), strict=False):
        columns = [first + column for column, name in enumerate(joint.channels) if _CHANNELS.get(name.lower()) in _POSITIONS]
        if joint.parent >= 0 and columns and any(joint.offset):
            held.append(not file.rows[:, columns].any())
    return len(held) > 1 and all(held)


def _completed(joint: Joint, values: Floats, unmoved: bool) -> tuple[list[str], Floats]:
    """The channels of a joint that Blender reads, and their values (F, channels). unmoved: its positions count from its offset, and are
    0."""
    known = [name for name in (_CHANNELS.get(name.lower(), "") for name in joint.channels) if name]
    if len(set(known)) < len(known):
        raise FormatError(f"{joint.name} has a channel twice, which Blender cannot read")
    own = {_CHANNELS.get(name.lower(), name): column for name, column in zip(joint.channels, values.T, strict=True)}
    count = len(values)
    names: list[str] = list(_POSITIONS) if not unmoved and any(name in own for name in _POSITIONS) else []
    turning = [name for name in own if name in _ROTATIONS]
    if turning:
        names += [*turning, *(name for name in _ROTATIONS if name not in turning)]
    rest: dict[str, float] = dict(zip(_POSITIONS, joint.offset, strict=True))
    if not names:
        return [], np.zeros((count, 0))
    return names, np.stack([own.get(name, np.full(count, rest.get(name, 0.0))) for name in names], axis=1)


def _write(joints: Sequence[Joint], root: int, channels: Sequence[Sequence[str]], lines: list[str]) -> None:
    """Without indents: those of ten thousand joints below one another would be hundreds of megabytes."""
    stack = [(root, False)]
    while stack:
        joint, closing = stack.pop()
        if closing:
            lines.append("}")
            continue
        own, named = joints[joint], channels[joint]
        lines += [f"{'ROOT' if own.parent < 0 else 'JOINT'} {own.name}", "{", f"OFFSET {_spaced(own.offset)}"]
        lines.append(f"CHANNELS {len(named)} {' '.join(named)}")
        if own.end is not None:
            lines += ["End Site", "{", f"OFFSET {_spaced(own.end)}", "}"]
        stack.append((joint, True))
        stack += [(child, False) for child in reversed(own.children)]


def _spaced(values: Sequence[float]) -> str:
    return " ".join(map(repr, values))
