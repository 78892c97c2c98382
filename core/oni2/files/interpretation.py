"""What the sources about the game do not agree on: every doubt is an option, whose first value is the default."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, get_args

from ...record import Record
from ...reporting.errors import RetroAnimError

Order = Literal["FILE", "BONE", "GROUPED"]
Offset = Literal["REPLACE", "ADD"]
ScaleChannels = Literal["APPLY", "IGNORE"]
Facing = Literal["-Z", "+Z"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "order": get_args(Order),
    "offset": get_args(Offset),
    "scale": get_args(ScaleChannels),
    "facing": get_args(Facing),
}

SYNTAX = ", ".join([*(f"{name}={'|'.join(choices).lower()}" for name, choices in _CHOICES.items()), "beta"])
"""What `Interpretation.parse` takes, for people."""


class Interpretation(Record):
    """order: of the channels in a frame: FILE bone by bone as the lines stand, BONE bone by bone but always translation, rotation, scale
    and x, y, z, GROUPED all translations, then all rotations, then all scales. offset: whether an animated translation replaces the
    bone's offset or is added to it. scale: whether scale channels are applied. facing: where characters look to in the game's axes.
    beta: open animations of Midtown Madness 2's beta too."""

    order: Order = "FILE"
    offset: Offset = "REPLACE"
    scale: ScaleChannels = "APPLY"
    facing: Facing = "-Z"
    beta: bool = False

    @classmethod
    def parse(cls, text: str) -> Interpretation:
        """From "order=grouped,offset=add,beta", in any letter case. Raises RetroAnimError for a part that is none of it."""
        values: dict[str, str | bool] = {}
        for part in filter(None, text.replace(" ", "").split(",")):
            name, _, value = part.lower().partition("=")
            if name == "beta" and not value:
                values["beta"] = True
            elif name in _CHOICES and value.upper() in _CHOICES[name]:
                values[name] = value.upper()
            else:
                raise RetroAnimError(f"{part} is no interpretation of Oni 2: {SYNTAX}")
        return cls(**values)  # pyright: ignore[reportArgumentType]

    @property
    def text(self) -> str:
        """What `parse` takes."""
        parts = [f"{name}={str(getattr(self, name)).lower()}" for name in _CHOICES]
        return ",".join([*parts, *(["beta"] if self.beta else [])])

    @property
    def values(self) -> dict[str, str | bool]:
        """By the names of the import's options."""
        return {
            "order": self.order,
            "offset": self.offset,
            "scale_channels": self.scale,
            "facing": self.facing,
            "beta": self.beta,
        }


_current: ContextVar[Interpretation] = ContextVar("interpretation", default=Interpretation())  # noqa: B039 - it is immutable


def current() -> Interpretation:
    """What has been chosen for the job that is running, the defaults where nothing was."""
    return _current.get()


@contextmanager
def using(interpretation: Interpretation) -> Generator[None]:
    """Use it for everything that is opened inside."""
    token = _current.set(interpretation)
    try:
        yield
    finally:
        _current.reset(token)
