"""The texts that make a character of files: Entity.type names skeleton and meshes, .anims and .apkg the animations with their aliases.

Sources: Oni2Rebuilt entity_type.rs, anims.rs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...files.binary import Bytes
from ...reporting.errors import FormatError
from .tokens import ENCODING, Token, Tokens, decode, line_end

_MODELS = ("high", "med", "low", "lod")
"""Keywords of models, the most detailed first."""

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
        return self.text.encode(ENCODING)

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

    @property
    def bound(self) -> str:
        return next(iter(self._contents.get("bound", ())), "")

    @property
    def radius(self) -> float | None:
        """Metres."""
        return Token(self._contents["radius"][0], 0).number if "radius" in self._contents else None


@dataclass(frozen=True, eq=False)
class Anims:
    """.anims or .apkg. text: the whole file, a character for every byte."""

    text: str

    @classmethod
    def parse(cls, data: Bytes) -> Anims:
        """Raises FormatError when it is no text."""
        return cls(_text(data, "a list of animations"))

    def pack(self) -> bytes:
        return self.text.encode(ENCODING)

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


def package_path(dotted: str) -> str:
    """animpkg.nav.kno -> entity.tune/animpkg/nav/kno.apkg"""
    return f"entity.tune/{dotted.replace('.', '/')}.apkg"


def _text(data: Bytes, what: str) -> str:
    text = decode(data)
    if "\0" in text:
        raise FormatError(f"not {what}: not a text", text.index("\0"))
    return text


def _same_line(tokens: Tokens, token: Token) -> Token | None:
    """The token that follows on the same line, unless it is a brace."""
    following = tokens.peek
    if following is None or following.text in "{}" or following.start >= line_end(tokens.text, token.end):
        return None
    return following


def _named(name: str, suffix: str) -> str:
    return name if name.lower().endswith(suffix) else name + suffix
