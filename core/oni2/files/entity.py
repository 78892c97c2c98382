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
    def _contents(self) -> dict[str, list[str]]:
        values: dict[str, list[str]] = {}
        tokens = Tokens(self.text)
        while (token := tokens.take()) is not None:
            if token.keyword in (*_MODELS, "skel", "bound", "radius"):
                value = _same_line(tokens, token)
                if value is not None and value.keyword != "none":
                    values.setdefault(token.keyword, []).append(value.text.strip('"'))
                    tokens.take()
        return values

    @property
    def skeleton(self) -> str:
        """The name of the skeleton's file, "" without one."""
        return next((_named(name, ".skel") for name in self._contents.get("skel", ())), "")

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the mesh files, the most detailed first."""
        return tuple(_named(name, ".mod") for keyword in _MODELS for name in self._contents.get(keyword, ()))

    def with_files(self, skeleton: str, model: str) -> EntityType:
        """With these names of the skeleton's file and of the most detailed mesh's, "" for those that stay. Lines that are not there yet are
        added; a name that stands for the same file stays as it is written."""
        text = self.text
        for keywords, wanted, suffix, new in (
            (("skel",), skeleton, ".skel", f"SKEL {PurePosixPath(skeleton).stem}"),
            (_MODELS, model, ".mod", f"LodGroup {{\n\thigh {model} 20\n}}"),
        ):
            token = _value(text, keywords)
            if not wanted or (token is not None and _named(token.text.strip('"'), suffix).lower() == wanted.lower()):
                continue
            end = line_end_of(text)
            if token is None:
                text = "".join([text, "" if text.endswith(_LINE_ENDS) or not text else end, new.replace("\n", end), end])
            else:
                name = wanted if token.text.strip('"').lower().endswith(suffix) else wanted.removesuffix(suffix)
                text = text[: token.start] + name + text[token.end :]
        return EntityType(text)

    @property
    def bound(self) -> str:
        return next(iter(self._contents.get("bound", ())), "")

    @property
    def radius(self) -> float | None:
        """Metres."""
        return Token(self._contents["radius"][0], 0).number if "radius" in self._contents else None


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
    def _contents(self) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        packages: list[str] = []
        clips: list[tuple[str, str]] = []
        tokens, inside = Tokens(self.text), False
        while (token := tokens.take()) is not None:
            value = _same_line(tokens, token)
            if token.text in "{}":
                inside = inside and token.text == "{"
            elif not inside and token.keyword in _PACKAGES and value is not None:
                packages.append(value.text.strip('"'))
                tokens.take()
            elif not inside and token.keyword == "anims":
                brace = tokens.peek
                if brace is not None and brace.text == "{":
                    tokens.take()
                    inside = True
            elif inside:
                clips.append((token.text.strip('"'), "" if value is None else value.text.strip('"')))
                tokens.skip_line(token)
        return tuple(packages), tuple(clips)

    @property
    def packages(self) -> tuple[str, ...]:
        """Further lists, as dotted paths below entity.tune."""
        return self._contents[0]

    @property
    def clips(self) -> tuple[tuple[str, str], ...]:
        """File name and alias of each animation, "" for one without."""
        return self._contents[1]

    def with_clips(self, wanted: Mapping[str, Sequence[str]]) -> Anims:
        """With these aliases of animations, by their file names: an alias that is another one now changes where it stands, lines with those
        that are too many go, and lines for new ones are added. Those of all other animations stay. Raises ExportError for names with
        quotation marks."""
        names = {name.lower(): list(aliases) for name, aliases in wanted.items()}
        written = {name.lower(): name for name in wanted}
        edits: list[tuple[int, int, str]] = []
        lines = self._lines
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

    @cached_property
    def _lines(self) -> list[_Line]:
        """Each animation of a block that has a line of its own."""
        rows: list[_Line] = []
        tokens, inside = Tokens(self.text), False
        while (token := tokens.take()) is not None:
            value = _same_line(tokens, token)
            if token.text in "{}":
                inside = token.text == "{"
            elif inside:
                end = token.end if value is None else value.end
                tokens.skip_line(token)
                start, stop = line_start(self.text, token.start), min(line_end(self.text, end) + 1, len(self.text))
                alone = not self.text[start : token.start].strip() and (tokens.peek is None or tokens.peek.start >= stop)
                at = (end, end) if value is None else (value.start, end)
                alias = "" if value is None else value.text.strip('"')
                rows.append(_Line(token.text.strip('"'), alias, at, (start, stop) if alone else (token.start, end)))
        return rows


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


def _value(text: str, keywords: tuple[str, ...]) -> Token | None:
    """The first value of one of these keywords, in their order."""
    values: dict[str, Token] = {}
    tokens = Tokens(text)
    while (token := tokens.take()) is not None:
        value = _same_line(tokens, token) if token.keyword in keywords else None
        if value is not None and value.keyword != "none":
            values.setdefault(token.keyword, value)
            tokens.take()
    return next((values[keyword] for keyword in keywords if keyword in values), None)


def _same_line(tokens: Tokens, token: Token) -> Token | None:
    """The token that follows on the same line, unless it is a brace."""
    following = tokens.peek
    if following is None or following.text in "{}" or following.start >= line_end(tokens.text, token.end):
        return None
    return following


def _named(name: str, suffix: str) -> str:
    return name if name.lower().endswith(suffix) else name + suffix
