"""A game as one row: what every door (menus, drop handlers, lists, panel, command line, retargeting) asks before it loads anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Literal, TypeAlias

from ..record import Record
from .options import Options
from .shared import ExportOptions, ImportOptions

if TYPE_CHECKING:
    from ..motion.rotations.rotation_matrix import Floats
    from .fields import Field

Axis: TypeAlias = "Literal['X', 'Y', 'Z', '-X', '-Y', '-Z']"

Holds: TypeAlias = "Literal['clip', 'archive', 'character', 'armature', 'mesh']"
"""What one written file holds: one animation; animations as entries; all animations of a character; a skeleton alone; a mesh."""


class View(Record):
    """How a game shows its characters; *Game View* sets camera, light and floor by it."""

    projection: Literal["ORTHO", "PERSP"] = "PERSP"
    """ORTHO: a game unit is `pixels` wide on the screen whatever its distance. PERSP: see `field`, `away` and `distance`."""
    azimuth: float = 30.0
    """Degrees from the character's front towards its left, of the direction towards the viewer."""
    elevation: float = 15.0
    """Degrees up, of the same direction."""
    pixels: float = 0.0
    """ORTHO: of the screen, for a game unit."""
    field: float = 50.0
    """PERSP: degrees that the picture is wide."""
    distance: float = 2.5
    """PERSP: from the viewer, as a multiple of the character's height, where `away` is 0."""
    away: float = 0.0
    """PERSP: from the viewer, in game units."""
    aspect: float = 1.0
    """Width of a pixel by its height."""
    screen: tuple[int, int] = (640, 480)
    """Pixels."""
    light: tuple[float, float] = (30.0, 50.0)
    """Azimuth and elevation of the direction towards the light, degrees."""
    tile: float = 1.0
    """Side of the floor's tiles, game units."""
    background: tuple[float, float, float] = (0.1, 0.1, 0.12)
    """Red, green and blue as displayed, 0 to 1."""
    dressed: bool = False
    """io/<game>/game_view.py gives characters the look that they have in the game."""


class Page(Record):
    """A page of the list that is shown before an import. io/<game>/contents.py fills it."""

    name: str
    title: str
    help: str
    option: str = "entries"
    """The import option that takes the keys of the chosen lines, separated by commas."""
    whole: bool = False
    """Each line is a character with all that belongs to it."""


class Game(Record):
    """The row: a form to fill in. What has no default is needed; a game with one rate fills `rate` in besides."""

    id: str
    """The name of its folder on every floor."""
    label: str
    """As people call it."""
    opened: tuple[str, ...]
    """Extensions, in small letters and with the dot, that its importer takes."""
    written: Mapping[str, Holds]
    """What its exporter writes: by the extension of a file what it holds."""
    import_options: type[ImportOptions]
    """What its importer takes."""
    export_options: type[ExportOptions]
    """What its exporter takes."""
    character_options: type[Options] | None = None
    """What a new character of it is called, where there are such: new_character.py in its folder of core copies one, in that of io makes
    one of an armature."""

    # Its files
    dropped: tuple[str, ...] = ()
    """Those of `opened` that a file dropped on the window gives to it."""
    known: tuple[str, ...] = ()
    """Extensions of further files of the game, which `info` knows."""
    bodies: tuple[str, ...] = ()
    """Those of `opened` that hold one body, which an exporter of their own writes."""
    named: tuple[str, ...] = ()
    """Files that its importer takes by their whole names, besides."""
    instead: Mapping[str, str] = field(default_factory=dict[str, str])
    """Extensions of files that people have of it, of which nothing is read: what they are, and what to open instead."""
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    """Extensions that its exporter does not write, with the reason."""
    folders: bool = False
    """A folder can be opened: it is a client, with a list of characters, of which its `formats.py` tells (`takes`, `characters`)."""
    signatures: bool = True
    """Its formats start with signatures. Contents are tried last against formats that are only plausible."""
    interpretation: str = ""
    """Its module of how files are taken where the sources about the game do not agree; empty where they do."""
    pages: tuple[Page, ...] = ()
    """What the list before an import shows of an archive or a folder."""

    # Time
    rate: float | None = None
    """Time units a second; None where variants of the game differ."""
    variant: str = ""
    """Then the custom property of armatures that names their variant."""
    rates: Mapping[str, float] = field(default_factory=dict[str, float])
    """Then the time units a second, by variant."""
    intros: bool = False
    """A clip can lead into its loop."""
    joint_keys: bool = False
    """A clip has one keyframe for all bones, at any unit of time; others take each bone at their frames, wherever its keys lie."""
    moves_itself: bool = False
    """It moves its characters over the ground itself: a loop begins again where it began before."""

    # Meshes
    hanging_meshes: bool = False
    """A body takes in meshes that hang on a bone, or on the armature, and have no Armature modifier."""
    single_mesh: bool = False
    """A body is one mesh, with a file of its own."""
    corner_colours: bool = False
    """A mesh has a colour for each corner."""
    uv_maps: int = 1
    """How many sets of texture coordinates a mesh has."""
    uvs_alone: bool = True
    """A mesh has texture coordinates also where it has no picture."""
    pictures: str = ""
    """Of a game whose meshes are drawn from pictures that are not written with them, what to do with one that was painted on."""
    plain_colours: bool = True
    """A material has a colour of its own where it has no picture."""
    opacity: bool = True
    """A material says how opaque it is."""
    material_settings: bool = False
    """Alpha and Backface Culling of a material that came in are written where they were edited."""

    # Bones
    exclusive: bool = False
    """A bone rotates or moves, never both."""
    all_bones: bool = False
    """It plays a clip only on a skeleton of just as many bones."""
    onwards: bool = False
    """Bones on which nothing hangs go on from their parents, by no length of the game's: they are short, to be seen."""
    locks: bool = False
    """The locks of pose bones are limits of the game's skeleton."""
    up: Axis = "Z"
    """Of its armatures as they are imported."""
    forward: Axis = "-Y"
    """Of its armatures as they are imported."""

    # In Blender
    telling: tuple[str, ...] = ()
    """Custom properties that only armatures or actions of the game have, for files that do not name their game yet."""
    prefixes: tuple[str, ...] = ()
    """What the names of its clips begin with that a list of one character's clips need not say."""
    used_for: str = ""
    """The custom property of actions that says in words what the game uses a clip for."""
    view: View = View()
    """How the game shows its characters."""
    outdoors: Mapping[str, View] = field(default_factory=dict[str, View])
    """How it does under the sky, by variant, where that is another view."""

    def core(self, module: str) -> ModuleType:
        """A module of its folder in core, loaded when it is asked for: `formats`, `posing`."""
        return import_module(f"..{self.id}.{module}", __package__)

    @property
    def fields(self) -> Mapping[str, tuple[Field, ...]]:
        """What its files say besides motion, by the name of the table (`action`, `armature`, `bone`): FIELDS of its `fields.py`."""
        return self.core("fields").FIELDS

    @property
    def left(self) -> Floats:
        """(3,) towards the left of its characters, in the axes of their armatures."""
        import numpy as np

        up, forward = axis_vector(self.up), axis_vector(self.forward)
        return np.asarray(np.cross(up, forward), np.float64)

    def holding(self, *kinds: Holds) -> tuple[str, ...]:
        """The extensions of the files that it writes which hold one of these."""
        return tuple(extension for extension, holds in self.written.items() if holds in kinds)


def axis_vector(axis: Axis) -> Floats:
    """(3,) of length 1, along an axis."""
    import numpy as np

    return np.asarray(np.eye(3)["XYZ".index(axis[-1])] * (-1 if axis[0] == "-" else 1), np.float64)
