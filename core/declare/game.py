"""A game as one row: what every door (menus, drop handlers, lists, panel, command line, retargeting) asks before it loads anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Literal

from .fields import Field
from .shared import ExportOptions, ImportOptions

Holds = Literal["clip", "archive", "character", "armature", "mesh"]
"""What one written file holds: one animation; animations as entries; all animations of a character; a skeleton alone; a mesh."""


@dataclass(frozen=True)
class Game:
    """id: the name of its folder on every floor. label: as people call it.

    opened: the extensions that its importer takes. dropped: those of them that a file dropped on the window gives to it.
    named: files that it takes by their whole names, besides. written: by the extension of a file what it holds.
    folders: whether a folder can be opened, which then is a client with a list of characters.
    import_options, export_options: what its importer and exporter take. fields: what its files say besides motion, by table name.
    rate: time units a second, None where files of the game differ. telling: custom properties that only armatures or actions of the game
    have, for files that were made before they said of which game they are.
    """

    id: str
    label: str
    opened: tuple[str, ...]
    written: Mapping[str, Holds]
    import_options: type[ImportOptions]
    export_options: type[ExportOptions]
    dropped: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    folders: bool = False
    fields: Mapping[str, tuple[Field, ...]] = field(default_factory=dict[str, tuple[Field, ...]])
    rate: float | None = None
    telling: tuple[str, ...] = ()

    def core(self, module: str) -> ModuleType:
        """A module of its folder in core, loaded when it is asked for: `formats`, `posing`."""
        return import_module(f"..{self.id}.{module}", __package__)
