"""What the sources about the game do not agree on: every doubt is a switch, and the first word of each is what is taken by default."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, get_args

from ...reporting.errors import RetroAnimError

Order = Literal["FILE", "BONE", "GROUPED"]
Offset = Literal["REPLACE", "ADD"]
Scale = Literal["APPLY", "IGNORE"]
Facing = Literal["-Z", "+Z"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "order": get_args(Order),
    "offset": get_args(Offset),
    "scale": get_args(Scale),
    "facing": get_args(Facing),
}


@dataclass(frozen=True)
class Reading:
    """order: of the channels in a frame: FILE bone by bone as the lines stand, BONE bone by bone but always translation, rotation, scale
    and x, y, z, GROUPED all translations, then all rotations, then all scales. offset: whether an animated translation replaces the
    bone's offset or is added to it. scale: whether scale channels are applied. facing: where characters look to in the game's axes.
    beta: open animations of Midtown Madness 2's beta too."""

    order: Order = "FILE"
    offset: Offset = "REPLACE"
    scale: Scale = "APPLY"
    facing: Facing = "-Z"
    beta: bool = False

    @classmethod
    def parse(cls, text: str) -> Reading:
        """From "order=grouped,offset=add,beta", in any letter case. Raises RetroAnimError for a word that is none of it."""
        values: dict[str, str | bool] = {}
        for word in filter(None, text.replace(" ", "").split(",")):
            name, _, value = word.lower().partition("=")
            if name == "beta" and not value:
                values["beta"] = True
            elif name in _CHOICES and value.upper() in _CHOICES[name]:
                values[name] = value.upper()
            else:
                known = ", ".join(f"{name}={'|'.join(words).lower()}" for name, words in _CHOICES.items())
                raise RetroAnimError(f"{word} says nothing about Oni 2: {known}, beta")
        return cls(**values)  # pyright: ignore[reportArgumentType]

    @property
    def words(self) -> str:
        """What `parse` takes."""
        told = [f"{name}={str(getattr(self, name)).lower()}" for name in _CHOICES]
        return ",".join([*told, *(["beta"] if self.beta else [])])


def unusual(words: str) -> str:
    """Those of `Reading.words` that are not the defaults, "" where all are."""
    usual = Reading().words.split(",")
    return ", ".join(word for word in words.split(",") if word not in usual)


_current: ContextVar[Reading] = ContextVar("reading", default=Reading())  # noqa: B039 - a Reading never changes


def current() -> Reading:
    """What has been chosen for the job that is running, the defaults where nothing was."""
    return _current.get()


@contextmanager
def using(reading: Reading) -> Generator[None]:
    """Take it for everything that is opened inside."""
    token = _current.set(reading)
    try:
        yield
    finally:
        _current.reset(token)
