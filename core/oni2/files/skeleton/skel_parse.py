"""The text of a skeleton file as its bones."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ....reporting.errors import FormatError
from ..tokens import Token, Tokens
from .skel_bones import KINDS, MOST, Bone, Declared, Kind

_CHANNEL = re.compile(r"(trans|rot|scale)([xyz])\Z")


@dataclass
class Contents:
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

    def run(self) -> Contents:
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
        return Contents(tuple(self.bones), self.version, self.count, remarks)

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


def read(text: str) -> Contents:
    """Raises FormatError with the line, as `Skel.parse` says."""
    return _Parser(text).run()
