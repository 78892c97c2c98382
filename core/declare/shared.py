"""The options that mean the same in every game. A game's own classes stand below these, with its defaults and what is its own."""

from __future__ import annotations

import math
from collections.abc import Iterable
from os import PathLike
from typing import Any, Literal, Self, TypeAlias, cast

from ..reporting.errors import OptionError
from .options import Choice, Options, changed, option

RootMotion: TypeAlias = "Literal['OBJECT', 'BONE', 'NONE']"
BoneDirection: TypeAlias = "Literal['GAME', 'CHILD']"
BoneNames: TypeAlias = "Literal['GAME', 'KNOWN']"
FrameRate: TypeAlias = "Literal['AUTO', 'KEEP', 'SET']"
Source: TypeAlias = "Literal['ACTIVE', 'SELECTED', 'ALL', 'TICKED', 'SCENE', 'NLA', 'MARKERS']"
RateFrom: TypeAlias = "Literal['SCENE', 'IMPORT']"
Sampling: TypeAlias = "Literal['KEYS', 'VISUAL']"
Answer: TypeAlias = "Literal['NEW', 'REPLACE', 'LEAVE', 'ALL', 'IMPORT', 'SCENE']"
Normals: TypeAlias = "Literal['KEEP', 'NEW']"
Reduction: TypeAlias = "Literal['AUTO', 'NONE', 'ANGLE', 'DISTANCE', 'FIT']"
"""The last of a game whose files have room for so many keys."""

FRAME_RATES = (
    Choice(
        "AUTO", "Automatic", "The scene takes the game's rate where nothing in it is animated yet; else it keeps its own, which is reported"
    ),
    Choice("KEEP", "Keep the Scene's", "Keys are placed for the scene's frame rate; the scene is not changed"),
    Choice("SET", "Set the Game's", "The scene takes the game's rate, so that the game's time steps are whole frames"),
)

BONE_DIRECTIONS = (
    Choice("GAME", "Game's Axes", "All bones keep the axes of the game"),
    Choice("CHILD", "Towards Child", "Each bone along the axis that is nearest to its child; no less exact"),
)

BONE_NAMES = (
    Choice("GAME", "Game's", "As the game's file has them; where it has none their numbers"),
    Choice("KNOWN", "Known Parts", "Of a human upper_arm.L, hips and the like; left and right mirror in Blender. The file keeps its own"),
)

ROOT_MOTIONS = (
    Choice("OBJECT", "Object", "The armature object moves, from where it stands"),
    Choice("BONE", "Root Bone", "The root bone moves"),
    Choice("NONE", "In Place", "The character stays; the root motion is kept as properties of the root bone"),
)


SOURCES = (
    Choice("ACTIVE", "Active Action", "The action of the active armature; without one what its NLA shows"),
    Choice(
        "SELECTED",
        "Selected Armatures",
        "Every action that was imported for or retargeted onto one of the selected armatures, and their active ones",
    ),
    Choice("ALL", "All Actions", "Every action that was imported for or retargeted onto the active armature, with all of its slots"),
    Choice("TICKED", "Ticked Clips", "Of these the ones that are ticked in the side panel"),
    Choice("SCENE", "Whole Scene", "All actions of all armatures of the game in the scene"),
    Choice("NLA", "NLA Strips", "Each strip of the active armature's NLA as it plays"),
    Choice(
        "MARKERS",
        "Timeline Markers",
        "The active action in parts: from each marker of the timeline to the frame before the next one, called as the marker",
    ),
)

RATES_FROM = (
    Choice("SCENE", "Scene", "Clips last as long as the scene plays them"),
    Choice("IMPORT", "Import", "The rate that the scene had when a clip came in; new actions take the scene's"),
)

SAMPLINGS = (
    Choice("KEYS", "As Keyed", "The curves' values at their keys; untouched keys keep the file's own numbers"),
    Choice("VISUAL", "As It Looks", "The pose as it is shown, with constraints, IK and the NLA"),
)


REDUCTIONS = (
    Choice("AUTO", "Automatic", "Within the distance for clips that were retargeted, which have a key at every frame; all keys of others"),
    Choice("NONE", "Keep All", "Keys stay where they are"),
    Choice("ANGLE", "Within an Angle", "As few keys as hold each bone's own rotation"),
    Choice("DISTANCE", "Within a Distance", "As few keys as hold the position of every joint, and of what surrounds the bones"),
)

ANSWERS = (
    Choice("NEW", "Keep Apart", "It becomes a clip of its own: a new entry behind the last, new frames, or a file named after it"),
    Choice("REPLACE", "Replace Anyway", "It takes the place of what is there"),
    Choice("LEAVE", "Leave Alone", "What is there stays, and this clip is not written"),
    Choice("ALL", "Save All of Them", "The file is written whole, with every clip that was edited"),
    Choice("IMPORT", "As in the Game", "Clips stay as long as they were there: the frame rate with which they came in counts"),
    Choice("SCENE", "As Shown Now", "Clips become as long as the scene plays them"),
)
"""Of what an export cannot decide by itself; see io/pipeline/destination/questions.py."""


class ImportOptions(Options):
    """What to open and how. paths: files, each may be FILE#ENTRY, or folders where the game has such."""

    paths: tuple[str, ...] = ()
    entries: str = option(
        "",
        "Entries",
        "Which entries of an archive: 1 or 0-5,9 (counted from 0). Empty: a list to choose from; a script gets all",
        group="Include",
        remembered=False,
    )
    skeleton: str = option(
        "",
        "Skeleton",
        "Body file, or ARCHIVE#ENTRY. Empty: found automatically; the active armature if it fits, else a body beside the file",
        subtype="FILE",
        group="Include",
        flag="--skeleton",
        metavar="FILE",
        remembered=False,
    )
    scale: float = option(
        1.0, "Scale", "Metres per game unit", minimum=1e-6, maximum=1e6, soft_maximum=100.0, precision=4, group="Transform"
    )
    bone_direction: BoneDirection = option("CHILD", "Bone Direction", choices=BONE_DIRECTIONS, group="Armature")
    bone_names: BoneNames = option("GAME", "Bone Names", choices=BONE_NAMES, group="Armature", flag="--bone-names")
    root_motion: RootMotion = option(
        "OBJECT",
        "Root Motion",
        "What moves through the scene; an export finds it in either",
        choices=ROOT_MOTIONS,
        group="Animation",
    )
    fps_mode: FrameRate = option("AUTO", "Frame Rate", choices=FRAME_RATES, group="Animation")
    assets: bool = option(
        False,
        "Mark as Assets",
        "Actions become assets with a picture, in catalogues by game, character and kind",
        group="Animation",
        flag="--assets",
    )
    frame_start: float = option(
        1.0, "Start Frame", "Where the clip's first keyframe lies", minimum=-1048574.0, maximum=1048574.0, group="Animation"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        paths = cast("object", self.paths)
        if isinstance(paths, str) or not isinstance(paths, Iterable):
            raise OptionError(f"paths is {paths!r}, and must be a tuple of paths")
        object.__setattr__(self, "paths", tuple(_path("paths", path) for path in cast("Iterable[object]", paths)))


def _path(name: str, path: object) -> str:
    if not isinstance(path, str | PathLike):
        raise OptionError(f"{name} is {path!r}, and must be a path")
    return str(cast("str | PathLike[str]", path))


def mesh_files(about: str) -> Any:
    """The option `meshes`: files to use, for a script and the command line."""
    return option((), "Meshes", about, subtype="FILE", flag="--mesh", metavar="FILE", remembered=False)


def by_root_bone(*helps: str) -> Any:
    """The option `root_motion` of a game whose root bone carries it. helps: of the root bone, the object and in place."""
    labels = ("BONE", "Root Bone"), ("OBJECT", "Object"), ("NONE", "In Place")
    choices = tuple(Choice(*names, text) for names, text in zip(labels, helps, strict=True))
    return changed(ImportOptions, "root_motion", "BONE", choices=choices)


class ExportOptions(Options):
    """Which actions go out, how they are read, and where they go. path: the file to write."""

    path: str = ""
    source: Source = option("ACTIVE", "Source", choices=SOURCES, group="Include")
    sampling: Sampling = option("KEYS", "Sampling", choices=SAMPLINGS, group="Animation")
    fps_from: RateFrom = option(
        "SCENE",
        "Frame Rate",
        "Which rate counts for clips that came in when the scene had another one, which is reported",
        choices=RATES_FROM,
        group="Animation",
        flag="--fps-from",
    )
    overwrite: bool = option(
        False,
        "Replace Anyway",
        "Also replace what another program changed since the import, another skeleton, and files that nobody chose by name; a .bak is kept",
        group="Output",
        flag="--overwrite",
        remembered=False,
    )
    dry_run: bool = option(False, "Dry Run", "Write nothing, report what would change", group="Output", remembered=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "path", _path("path", self.path))

    @property
    def looks(self) -> bool:
        """Whether clips are taken as they look, and not as they are keyed."""
        return self.sampling == "VISUAL"


def overwrite() -> Any:
    """*Replace Anyway* of an exporter that writes one body."""
    what = "Also replace what another program changed since the import; a .bak is kept"
    return option(False, "Replace Anyway", what, group="Include", flag="--overwrite")


class EntryOptions(ExportOptions):
    """Of a game whose files can be written into an archive."""

    entry: str = option(
        "",
        "Entry",
        "Archive entry to write: a number, or 'new' for one behind the last. Empty: the one it came from",
        group="Output",
        remembered=False,
    )


REDUCED_BY = {"max_angle": ("ANGLE",), "max_distance": ("AUTO", "DISTANCE"), "shell": ("AUTO", "DISTANCE", "FIT")}
"""Options of a reduction, with the kinds that they are for."""


class FewerKeysOptions(EntryOptions):
    """Of a game whose files have keys, not a pose for every frame."""

    reduction: Reduction = option("AUTO", "Fewer Keys", choices=REDUCTIONS, group="Animation", flag="--fewer-keys")
    max_angle: float = option(
        math.radians(0.5),
        "Angle",
        "How far a bone's own rotation may be off at any frame",
        subtype="ANGLE",
        minimum=1e-6,
        maximum=math.pi,
        soft_maximum=math.radians(10),
        group="Animation",
    )
    max_distance: float = option(
        0.05,
        "Distance",
        "Game units that any joint, and any point of a sphere around it, may be off at any frame",
        minimum=1e-6,
        soft_maximum=1.0,
        group="Animation",
        flag="--max-distance",
        metavar="UNITS",
    )
    shell: float = option(1.0, "Around Bones", "Radius of that sphere, game units", minimum=0.0, soft_maximum=5.0, group="Animation")

    def reduced(self, retargeted: bool) -> Self:
        """With what is automatic decided. retargeted: whether a clip has a key at every frame that nobody put there."""
        return self if self.reduction != "AUTO" else self.but(reduction="DISTANCE" if retargeted else "NONE")


def until_it_fits(about: str, automatic: str = REDUCTIONS[0].help) -> Any:
    """The option `reduction` of a game that has room for so many keys. about, automatic: what its last and its first choice mean."""
    first, *others = REDUCTIONS
    choices = (Choice(first.id, first.label, automatic), *others, Choice("FIT", "Until It Fits", about))
    return changed(FewerKeysOptions, "reduction", choices=choices)
