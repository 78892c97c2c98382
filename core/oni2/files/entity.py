"""The texts that make a character of files: Entity.type names skeleton and meshes, .anims and .apkg the animations with their aliases.

Sources: Oni2Rebuilt entity_type.rs, anims.rs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from ...files.binary import Bytes
from ...reporting.errors import ExportError, FormatError
from .tokens import Token, Tokens, decode, encode, is_text, line_end, line_end_of, line_start

_MODELS = ("high", "med", "low", "lod")
"""Keywords of models, the most detailed first."""

_KEYWORDS = (*_MODELS, "skel", "bound", "radius")

_LINE_ENDS = ("\n", "\r")

_PACKAGES = ("package", "locopkg", "jumppkg")


@dataclass(frozen=True, eq=False)
class EntityType:
    """text: the whole file, a character for every byte."""

    text: str

    @classmethod
    def parse(cls, data: Bytes) -> EntityType:
        """Raises FormatError when it is no text."""
        return cls(_text(data, "an entity's type"))

    def pack(self) -> bytes:
        return encode(self.text, "a file's name")

    @cached_property
    def _contents(self) -> dict[str, list[Token]]:
        """The values of each keyword, but for those that are none."""
        values: dict[str, list[Token]] = {}
        tokens = Tokens(self.text)
        while (token := tokens.take()) is not None:
            value = _same_line(tokens, token) if token.keyword in _KEYWORDS else None
            if value is not None and value.keyword != "none":
                values.setdefault(token.keyword, []).append(value)
                tokens.take()
        return values

    def _values(self, *keywords: str) -> list[Token]:
        """Those of some keywords, in the keywords' order."""
        return [value for keyword in keywords for value in self._contents.get(keyword, ())]

    @property
    def skeleton(self) -> str:
        """The name of the skeleton's file, "" without one."""
        return next((_named(value, ".skel") for value in self._values("skel")), "")

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the mesh files, the most detailed first."""
        return tuple(_named(value, ".mod") for value in self._values(*_MODELS))

    def with_files(self, skeleton: str, model: str) -> EntityType:
        """With these names of the skeleton's file and of the most detailed mesh's, "" for those that stay. Lines that are not there yet are
        added; a name that stands for the same file stays as it is written."""
        result = self
        for keywords, wanted, suffix, new in (
            (("skel",), skeleton, ".skel", f"SKEL {PurePosixPath(skeleton).stem}"),
            (_MODELS, model, ".mod", f"LodGroup {{\n\thigh {model} 20\n}}"),
        ):
            text, token = result.text, next(iter(result._values(*keywords)), None)
            if not wanted or (token is not None and _named(token, suffix).lower() == wanted.lower()):
                continue
            end = line_end_of(text)
            if token is None:
                text = "".join([text, "" if text.endswith(_LINE_ENDS) or not text else end, new.replace("\n", end), end])
            else:
                name = wanted if _unquoted(token).lower().endswith(suffix) else wanted.removesuffix(suffix)
                text = text[: token.start] + name + text[token.end :]
            result = EntityType(text)
        return result

    @property
    def bound(self) -> str:
        return next(map(_unquoted, self._values("bound")), "")

    @property
    def radius(self) -> float | None:
        """Metres."""
        return next((Token(_unquoted(value), 0).number for value in self._values("radius")), None)


@dataclass(frozen=True, eq=False)
class Anims:
    """.anims or .apkg. text: the whole file, a character for every byte; letters that no file has are refused as it is packed."""

    text: str

    @classmethod
    def parse(cls, data: Bytes) -> Anims:
        """Raises FormatError when it is no text."""
        return cls(_text(data, "a list of animations"))

    def pack(self) -> bytes:
        return encode(self.text, "a clip's name, or what it is used for,")

    @cached_property
    def _contents(self) -> tuple[tuple[str, ...], tuple[_Line, ...]]:
        """Packages, and the animations of all blocks."""
        packages: list[str] = []
        lines: list[_Line] = []
        tokens, inside = Tokens(self.text), False
        while (token := tokens.take()) is not None:
            value = _same_line(tokens, token)
            if token.text in "{}":
                inside = inside and token.text == "{"
            elif inside:
                tokens.skip_line(token)
                lines.append(self._line(token, value, tokens.peek))
            elif token.keyword in _PACKAGES and value is not None:
                packages.append(_unquoted(value))
                tokens.take()
            elif token.keyword == "anims" and tokens.peek is not None and tokens.peek.text == "{":
                tokens.take()
                inside = True
        return tuple(packages), tuple(lines)

    def _line(self, name: Token, alias: Token | None, following: Token | None) -> _Line:
        end = name.end if alias is None else alias.end
        start, stop = line_start(self.text, name.start), min(line_end(self.text, end) + 1, len(self.text))
        alone = not self.text[start : name.start].strip() and (following is None or following.start >= stop)
        return _Line(
            name=_unquoted(name),
            alias="" if alias is None else _unquoted(alias),
            value=(end if alias is None else alias.start, end),
            whole=(start, stop) if alone else (name.start, end),
        )

    @property
    def packages(self) -> tuple[str, ...]:
        """Further lists, as dotted paths below entity.tune."""
        return self._contents[0]

    @property
    def clips(self) -> tuple[tuple[str, str], ...]:
        """File name and alias of each animation, "" for one without."""
        return tuple((line.name, line.alias) for line in self._contents[1])

    def with_clips(self, wanted: Mapping[str, Sequence[str]]) -> Anims:
        """With these aliases of animations, by their file names: an alias that is another one now changes where it stands, lines with those
        that are too many go, and lines for new ones are added. Those of all other animations stay. Raises ExportError for names with
        quotation marks."""
        names = {name.lower(): list(aliases) for name, aliases in wanted.items()}
        written = {name.lower(): name for name in wanted}
        edits: list[tuple[int, int, str]] = []
        lines = self._contents[1]
        for name, aliases in names.items():
            own = [line for line in lines if line.name.lower() == name]
            there = {line.alias.lower() for line in own}
            new = [alias for alias in aliases if alias.lower() not in there]
            for line in own:
                if line.alias.lower() in map(str.lower, aliases) or not (line.alias or new):
                    continue
                edits.append((*line.value, ("" if line.alias else " ") + _quoted(new.pop(0))) if new else (*line.whole, ""))
            names[name] = new
        end = line_end_of(self.text)
        rows = "".join(f"\t{_quoted(written[name])} {_quoted(alias)}{end}" for name, aliases in names.items() for alias in aliases)
        if rows and lines:
            behind = lines[-1].whole[1]
            edits.append((behind, behind, ("" if self.text[:behind].endswith(_LINE_ENDS) else end) + rows))
        text = self.text
        for start, stop, other in sorted(edits, reverse=True):
            text = text[:start] + other + text[stop:]
        if rows and not lines:
            text += ("" if text.endswith(_LINE_ENDS) or not text else end) + f"Anims {{{end}{rows}}}{end}"
        return Anims(text)


class _Line(NamedTuple):
    """An animation in its list. value: from where to where its alias stands, or shall stand; whole: its line, or what it has of one."""

    name: str
    alias: str
    value: tuple[int, int]
    whole: tuple[int, int]


def _quoted(name: str) -> str:
    """A name as the text can hold it. Raises ExportError."""
    if '"' in name:
        raise ExportError(f"{name} cannot stand in a list of animations, since it has a quotation mark")
    return name if re.fullmatch(r"[^\s{}#\"]+", name) and "//" not in name else f'"{name}"'


def package_path(dotted: str) -> str:
    """animpkg.nav.kno -> entity.tune/animpkg/nav/kno.apkg"""
    return f"entity.tune/{dotted.replace('.', '/')}.apkg"


def _text(data: Bytes, what: str) -> str:
    text = decode(data)
    if not is_text(text):
        raise FormatError(f"not {what}: not a text", text.index("\0"))
    return text


def _same_line(tokens: Tokens, token: Token) -> Token | None:
    """The token that follows on the same line, unless it is a brace."""
    following = tokens.peek
    if following is None or following.text in "{}" or following.start >= line_end(tokens.text, token.end):
        return None
    return following


def _unquoted(token: Token) -> str:
    return token.text.strip('"')


def _named(token: Token, suffix: str) -> str:
    """The file that a token names."""
    name = _unquoted(token)
    return name if name.lower().endswith(suffix) else name + suffix
