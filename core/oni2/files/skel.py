""".skel, the skeleton file: a text of nested bones that names the channels of the animations.

Sources: Oni2Rebuilt skeleton.rs; mc3pc skeldata.cpp; libsr2 crSkeletonData.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes
from ...motion.skeleton import Skeleton
from ...reporting import labels, log
from ...reporting.errors import FormatError
from ...reporting.labels import counted
from .tokens import BOM, ENCODING, Token, Tokens, decode, is_text

MOST = 10_000
"""Bones of a skeleton, at most: far more than the game's 53, and what Blender can still show."""

Kind = Literal["trans", "rot", "scale"]
KINDS: tuple[Kind, Kind, Kind] = ("trans", "rot", "scale")
_CHANNEL = re.compile(r"(trans|rot|scale)([xyz])\Z")

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Declared:
    """A channel keyword of a bone. axis: 0 to 2. value: what a locked channel is held at. limit: lowest and highest value."""

    kind: Kind
    axis: int
    locked: bool = False
    value: float = 0.0
    limit: tuple[float, float] | None = None


@dataclass(frozen=True)
class Bone:
    """parent: index of the enclosing bone, -1 for the root. offset: from the parent, metres. low, high: `rotmin` and `rotmax`, radians.

    label: where the name stands in the text. body: where the text behind the opening brace begins. numbers: where each number of the
    offset stands, empty without one.
    """

    name: str
    parent: int
    offset: Triple = (0.0, 0.0, 0.0)
    channels: tuple[Declared, ...] = ()
    low: Triple | None = None
    high: Triple | None = None
    label: tuple[int, int] = (0, 0)
    body: int = 0
    numbers: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Skel:
    """text: the whole file, a character for every byte; everything else is read from it."""

    text: str

    @classmethod
    def parse(cls, data: Bytes) -> Skel:
        """Raises FormatError with the line for unbalanced braces, no bone or several roots, missing numbers, and too many bones."""
        skel = cls(decode(data))
        contents = skel._contents
        for line in contents.remarks:
            log.warning(line)
        if contents.count is not None and contents.count != len(contents.bones):
            log.warning(f"NumBones is {contents.count}, but the file has {counted(len(contents.bones), 'bone')}")
        return skel

    def pack(self) -> bytes:
        return self.text.encode(ENCODING)

    @cached_property
    def _contents(self) -> _Contents:
        return _read(self.text)

    @property
    def bones(self) -> tuple[Bone, ...]:
        """In file order: parents before children."""
        return self._contents.bones

    @property
    def version(self) -> str:
        """As the file has it, such as 101; "" for v1.00, which has no such line."""
        return self._contents.version

    @cached_property
    def plain(self) -> bool:
        """No bone declares a channel: the root moves and every bone rotates (v1.00)."""
        return not any(bone.channels for bone in self.bones)

    @cached_property
    def offsets(self) -> NDArray[np.float64]:
        """(bones, 3) read-only."""
        offsets = np.array([bone.offset for bone in self.bones], np.float64)
        offsets.setflags(write=False)
        return offsets

    def declared(self, bone: int) -> tuple[Declared, ...]:
        """The channels of a bone, those of v1.00 included."""
        if not self.plain:
            return self.bones[bone].channels
        kinds: tuple[Kind, ...] = ("trans", "rot") if bone == 0 else ("rot",)
        return tuple(Declared(kind, axis) for kind in kinds for axis in range(3))

    def skeleton(self) -> Skeleton:
        """Rest pose: the sums of the offsets. A bone points at its first child, else on from its parent."""
        parents = np.array([bone.parent for bone in self.bones], np.int32)
        offsets, heads = self.offsets, np.zeros((len(parents), 3))
        for bone, parent in enumerate(parents.tolist()):
            heads[bone] = offsets[bone] + (heads[parent] if parent >= 0 else 0)
        tips = heads + np.where(np.abs(offsets).sum(axis=1, keepdims=True) > 0, offsets * 0.5, [[0.0, 0.1, 0.0]])
        for bone in range(len(parents) - 1, 0, -1):
            if offsets[bone].any():
                tips[parents[bone]] = heads[bone]
        return Skeleton(labels.unique(bone.name for bone in self.bones), parents, heads, tips)

    def with_offsets(self, offsets: NDArray[np.float64]) -> Skel:
        """The same text with other numbers (bones, 3), metres, behind `offset`, where they differ as 32-bit numbers; the rest stays."""
        pieces: list[tuple[int, int, str]] = []
        for bone, new in zip(self.bones, offsets.tolist(), strict=True):
            changed = [np.float32(a) != np.float32(b) for a, b in zip(bone.offset, new, strict=True)]
            if not any(changed):
                continue
            if bone.numbers:
                pieces += [(*span, number(value)) for span, value, other in zip(bone.numbers, new, changed, strict=True) if other]
            else:
                pieces.append((bone.body, bone.body, f" offset {' '.join(map(number, new))} "))
        return self._with(pieces)

    def with_names(self, names: Sequence[str]) -> Skel:
        """The same text with other names, where they differ."""
        pairs = zip(self.bones, names, strict=True)
        return self._with([(*bone.label, token(name)) for bone, name in pairs if bone.name != name])

    def _with(self, pieces: list[tuple[int, int, str]]) -> Skel:
        """pieces: start and end of what is replaced, and what stands there instead."""
        parts, position = list[str](), 0
        for start, end, replacement in sorted(pieces):
            parts += [self.text[position:start], replacement]
            position = end
        return Skel("".join([*parts, self.text[position:]])) if pieces else self


def write(bones: Sequence[Bone], version: str = "101") -> Skel:
    """A new, clean text. bones: in file order, a depth-first walk. version: "" for v1.00, which names no channels.

    Raises FormatError when a bone does not follow its parent's other descendants.
    """
    lines = [f"Version: {version}"] if version else []
    lines.append(f"NumBones {len(bones)}")
    open_bones: list[int] = []
    for index, bone in enumerate(bones):
        while open_bones and open_bones[-1] != bone.parent:
            open_bones.pop()
            lines.append("\t" * len(open_bones) + "}")
        if (bone.parent >= 0) != bool(open_bones) or (index > 0) != (bone.parent >= 0):
            raise FormatError(f"bone {bone.name} is out of order")
        tabs = "\t" * len(open_bones)
        lines.append(f"{tabs}bone {token(bone.name)} {{")
        lines.append(f"{tabs}\toffset {' '.join(map(number, bone.offset))}")
        for name, triple in (("rotmin", bone.low), ("rotmax", bone.high)):
            if triple is not None:
                lines.append(f"{tabs}\t{name} {' '.join(map(number, triple))}")
        lines += [f"{tabs}\t{_channel_line(channel)}" for channel in bone.channels if version]
        open_bones.append(index)
    lines += ["\t" * depth + "}" for depth in range(len(open_bones) - 1, -1, -1)]
    return Skel("\n".join(lines) + "\n")


def text_of(channels: Sequence[Declared]) -> str:
    """The channels of a bone as the file declares them, in one line."""
    return " ".join(map(_channel_line, channels))


def channels_of(text: str) -> tuple[Declared, ...]:
    """What `words_of` wrote, or a person. Raises FormatError for anything else."""
    skel = _read(f"bone a {{\n{text}\n}}")
    if len(skel.bones) != 1 or skel.remarks:
        raise FormatError(f"{text}: no channels")
    return skel.bones[0].channels


def number(value: float) -> str:
    """The shortest decimal text of a 32-bit number."""
    return np.format_float_positional(np.float32(value), unique=True, trim="0")


def token(name: str) -> str:
    """A bone's name as one token of the file."""
    cleaned = re.sub(r'[\s{}#"]|//', "_", name.encode(ENCODING, "replace").decode(ENCODING))
    return cleaned or "bone"


def recognise(head: bytes, _size: int) -> bool:
    """Whether a text starts as a skeleton does: a version, a count of bones, or a bone with an offset."""
    text = head.decode(ENCODING).removeprefix(BOM)
    if not is_text(text):
        return False
    text = re.sub(r"(?:#|//)[^\r\n]*", " ", text)
    lead = r"\s*(?:version\s*:?\s*[\d.]+\s+)?"
    return re.match(lead + r"(?:numbones\s*:?\s*\d+\s+bone\b|bone\s+[^\s{}]+\s*\{)", text, re.IGNORECASE) is not None


def _channel_line(channel: Declared) -> str:
    line = channel.kind + "XYZ"[channel.axis]
    if channel.locked:
        line += f" lock {number(channel.value)}"
    if channel.limit is not None:
        line += f" limit {' '.join(map(number, channel.limit))}"
    return line


@dataclass
class _Contents:
    """What a text declares. remarks: what was passed over."""

    bones: tuple[Bone, ...]
    version: str
    count: int | None
    remarks: list[str]


class _Parser:
    """The bones while they are read; no recursion, so any depth of nesting."""

    def __init__(self, text: str) -> None:
        self.tokens = Tokens(text)
        self.bones: list[Bone] = []
        self.open: list[int] = []
        self.braces: list[Token] = []
        self.version = ""
        self.count: int | None = None
        self.unknown: dict[str, None] = {}
        self.repeated: dict[str, None] = {}

    def run(self) -> _Contents:
        while (token := self.tokens.take()) is not None:
            if token.text == "}":
                if not self.open:
                    raise self.tokens.error("a brace closes nothing", token)
                self.open.pop()
                self.braces.pop()
            elif token.text == "{":
                self.tokens.skip_block(token)  # of an unknown keyword
            elif token.keyword == "bone":
                self._bone(token)
            elif self.open:
                self._statement(token)
            else:
                self._header(token)
        if self.braces:
            raise self.tokens.error("a brace is never closed", self.braces[-1])
        if not self.bones:
            raise FormatError("line 1: no bone in it", 0)
        remarks = [f"unknown keyword {keyword}: passed over" for keyword in self.unknown]
        remarks += [f"{channel} is declared twice: counted once" for channel in self.repeated]
        return _Contents(tuple(self.bones), self.version, self.count, remarks)

    def _bone(self, keyword: Token) -> None:
        name, brace = self.tokens.take(), self.tokens.take()
        if name is None or brace is None or name.text in "{}" or brace.text != "{":
            raise self.tokens.error("a bone needs a name and a brace", keyword)
        if not self.open and self.bones:
            raise self.tokens.error(f"a second root, {name.text}", keyword)
        if len(self.bones) == MOST:
            raise self.tokens.error(f"more than {MOST} bones", keyword)
        parent = self.open[-1] if self.open else -1
        self.open.append(len(self.bones))
        self.braces.append(brace)
        self.bones.append(Bone(name.text.strip('"'), parent, label=(name.start, name.end), body=brace.end))

    def _header(self, token: Token) -> None:
        following = self.tokens.peek
        name, colon, value = token.keyword.partition(":")
        if colon and value and name == "version":
            self.version = value
        elif token.keyword == "version" and following is not None and following.text not in ("{", "}", ":"):
            self.version = following.text
            self.tokens.take()
        elif token.keyword == "numbones":
            value = self.tokens.number()
            self.count = int(value) if value is not None else None
        else:
            self._pass_over(token)

    def _statement(self, token: Token) -> None:
        bone = self.bones[self.open[-1]]
        channel = _CHANNEL.match(token.keyword)
        if token.keyword == "offset":
            spans: list[tuple[int, int]] = []
            values: list[float] = []
            for _ in range(3):
                following = self.tokens.peek
                values += self.tokens.numbers(1, "offset", token)
                if following is not None:
                    spans.append((following.start, following.end))
            bone = replace(bone, offset=(values[0], values[1], values[2]), numbers=tuple(spans))
        elif token.keyword in ("rotmin", "rotmax"):
            x, y, z = self.tokens.numbers(3, token.keyword, token)
            bone = replace(bone, low=(x, y, z)) if token.keyword == "rotmin" else replace(bone, high=(x, y, z))
        elif channel is not None:
            declared = self._channel(token, next(kind for kind in KINDS if kind == channel[1]), "xyz".index(channel[2]))
            if any((known.kind, known.axis) == (declared.kind, declared.axis) for known in bone.channels):
                self.repeated[f"{token.text} of {bone.name}"] = None
            else:
                bone = replace(bone, channels=(*bone.channels, declared))
        else:
            self._pass_over(token)
        self.bones[self.open[-1]] = bone

    def _channel(self, token: Token, kind: Kind, axis: int) -> Declared:
        locked, value, limit = False, 1.0 if kind == "scale" else 0.0, None
        while (following := self.tokens.peek) is not None and following.keyword in ("lock", "limit"):
            self.tokens.take()
            if following.keyword == "lock":
                given = self.tokens.number()
                locked, value = True, value if given is None else given
            else:
                low, high = self.tokens.numbers(2, "limit", token)
                limit = (low, high)
        return Declared(kind, axis, locked, value, limit)

    def _pass_over(self, token: Token) -> None:
        self.unknown[token.text[:40]] = None
        self.tokens.skip_line(token)


def _read(text: str) -> _Contents:
    return _Parser(text).run()
