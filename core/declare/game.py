"""A game as one row: what every door (menus, drop handlers, lists, panel, command line, retargeting) asks before it loads anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Literal, TypeAlias

from ..record import Record
from .fields import Field
from .options import Options
from .shared import ExportOptions, ImportOptions

if TYPE_CHECKING:
    from ..motion.rotation_matrix import Floats

Axis: TypeAlias = "Literal['X', 'Y', 'Z', '-X', '-Y', '-Z']"

Holds: TypeAlias = "Literal['clip', 'archive', 'character', 'armature', 'mesh']"
"""What one written file holds: one animation; animations as entries; all animations of a character; a skeleton alone; a mesh."""


class View(Record):
    """azimuth, elevation: degrees, of the direction towards the viewer; round the character from its front towards its left, and up.

    projection: ORTHO, where a game unit is `pixels` wide on the screen whatever its distance, or PERSP, whose picture is `field` degrees
    wide, from `away` game units away, or `distance` times the character's height where that is 0. aspect: how much wider than high a
    pixel is. screen: in pixels. light: azimuth and elevation of the direction towards the light. tile: of the floor, in game units.
    background: red, green, blue as displayed. dressed: whether io/<game>/game_view.py gives characters the look that they have in the
    game.
    """

    projection: Literal["ORTHO", "PERSP"] = "PERSP"
    azimuth: float = 30.0
    elevation: float = 15.0
    pixels: float = 0.0
    field: float = 50.0
    distance: float = 2.5
    away: float = 0.0
    aspect: float = 1.0
    screen: tuple[int, int] = (640, 480)
    light: tuple[float, float] = (30.0, 50.0)
    tile: float = 1.0
    background: tuple[float, float, float] = (0.1, 0.1, 0.12)
    dressed: bool = False


class Page(Record):
    """A page of the list that is shown before an import. option: the import option that takes the keys of the chosen lines, separated by
    commas. io/<game>/contents.py fills it. whole: whether each line is a character with all that belongs to it."""

    name: str
    title: str
    help: str
    option: str = "entries"
    whole: bool = False


class Game(Record):
    """id: the name of its folder on every floor. label: as people call it.

    opened: the extensions that its importer takes. dropped: those of them that a file dropped on the window gives to it.
    known: extensions of further files of the game, which `info` knows. named: files that it takes by their whole names, besides.
    written: by the extension of a file what it holds.
    refused: extensions that its exporter does not write, with the reason.
    folders: whether a folder can be opened, which then is a client with a list of characters. pages: what the list before an import
    shows of an archive or a folder.
    signatures: whether its formats start with signatures; contents are tried last against formats that are only plausible.
    interpretation: its module of how files are taken where the sources about the game do not agree, empty where they do.
    import_options, export_options: what its importer and exporter take. character_options: what a new character of it is called,
    where there are such: new_character.py in its folder of core copies one, and that of io makes one of an armature.
    fields: what its files say besides motion, by table name.
    rate: time units a second, None where variants of the game differ: then rates has them by variant, and variant is the custom
    property of armatures that names theirs. exclusive: whether a bone rotates or moves, never both. locks: whether the locks of pose
    bones are limits of the game's skeleton. intros: whether a clip can lead into its loop. telling: custom properties that only
    armatures or actions of the game have, for files that do not name their game yet.
    view: how the game shows its characters. outdoors: how it does under the sky, by variant, where that is another view.
    prefixes: what the names of its clips begin with that a list of one character's clips need not say. used_for: the custom property of
    actions that says in words what the game uses a clip for.
    up, forward: axes of its armatures as they are imported.
    """

    id: str
    label: str
    opened: tuple[str, ...]
    written: Mapping[str, Holds]
    import_options: type[ImportOptions]
    export_options: type[ExportOptions]
    character_options: type[Options] | None = None
    dropped: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    folders: bool = False
    pages: tuple[Page, ...] = ()
    signatures: bool = True
    interpretation: str = ""
    fields: Mapping[str, tuple[Field, ...]] = field(default_factory=dict[str, tuple[Field, ...]])
    rate: float | None = None
    variant: str = ""
    rates: Mapping[str, float] = field(default_factory=dict[str, float])
    exclusive: bool = False
    locks: bool = False
    intros: bool = False
    telling: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    used_for: str = ""
    view: View = View()
    outdoors: Mapping[str, View] = field(default_factory=dict[str, View])
    up: Axis = "Z"
    forward: Axis = "-Y"

    def core(self, module: str) -> ModuleType:
        """A module of its folder in core, loaded when it is asked for: `formats`, `posing`."""
        return import_module(f"..{self.id}.{module}", __package__)

    @property
    def left(self) -> Floats:
        """(3,) towards the left of its characters, in the axes of their armatures."""
        import numpy as np

        up, forward = (np.eye(3)["XYZ".index(axis[-1])] * (-1 if axis[0] == "-" else 1) for axis in (self.up, self.forward))
        return np.asarray(np.cross(up, forward), np.float64)

    def holding(self, *kinds: Holds) -> tuple[str, ...]:
        """The extensions of the files that it writes which hold one of these."""
        return tuple(extension for extension, holds in self.written.items() if holds in kinds)
