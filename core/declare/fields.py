"""What a file says besides motion, as a table of fields: the panel is drawn from it, import fills it, export reads and checks it
(checks.py).

A field is kept as one custom property of an action or an armature (`key`), or, of Oni, as a property of a group; see io/blender/fields.py.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Literal, Self, TypeAlias

from .options import Choice

Kind: TypeAlias = (
    "Literal['integer', 'number', 'angle', 'text', 'choice', 'flags', 'hexadecimal', 'vector', 'numbers', 'integers', 'series']"
)
"""One whole number; a number; radians; a text; one of the choices; several of them, as bits; 32 bits as text, such as 0x80000000, since
Blender's own whole numbers end at 2^31; three numbers; up to `size` numbers; `size` whole numbers; any number of whole numbers."""


class Field:
    """name: how the code and the docs call it. key: the custom property, `name` where it is empty. label: in title case.
    help: a sentence without a full stop. unit: of the value, for the docs and the panel. minimum, maximum: both allowed.
    choices: ids are what the property holds; `bits` or positions are what the file holds. none: the value that means none.
    time: whether it is a frame of the animation. size: how many numbers. editable: whether the panel lets it be changed.
    group: the title of the sub-panel that it stands in, empty for those that are always seen; short: its label there, where the title says
    the rest of it. parts: what each of several numbers is. retargeted: whether what is retargeted onto another figure of the game has it,
    too."""

    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    none: Any = None
    time: bool = False
    size: int = 1
    editable: bool = True
    group: str = ""
    short: str = ""
    parts: tuple[str, ...] = ()
    retargeted: bool = False

    def __init__(
        self,
        name: str,
        label: str,
        kind: Kind = "integer",
        help: str = "",  # noqa: A002 - what it is called everywhere
        key: str = "",
        choices: tuple[Choice, ...] = (),
        **details: Any,
    ) -> None:
        self.name, self.label, self.kind, self.help = name, label, kind, help
        self.property, self._choices = key or name, choices
        for detail in details:
            if detail not in Field.__annotations__ and detail not in type(self).__annotations__:
                raise TypeError(f"a field has no {detail!r}")
        self.__dict__.update(details)  # what it has besides is the class's, as of an option: there are many at Blender's start

    def locked(self) -> Self:
        """The same field, not to be edited."""
        result = copy(self)
        result.editable = False
        return result

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self._choices

    @property
    def components(self) -> tuple[str, ...]:
        """What each of its numbers is: of three the axis. Empty where it is one value, or where nobody knows."""
        three = self.kind == "vector" or (self.kind in ("numbers", "integers") and self.size == 3)
        return self.parts or (("X", "Y", "Z") if three else ())

    @property
    def tooltip(self) -> str:
        """What it means, in which unit, and which value means none; without a full stop."""
        unit = f"In {self.unit}" if self.unit and self.unit not in self.help else ""
        return ". ".join(part for part in (self.help, unit) if part)

    @property
    def first(self) -> int:
        """Of a whole number that can be none: the first value that is not."""
        least = int(self.minimum or 0)
        return least if least != self.none else least + 1
