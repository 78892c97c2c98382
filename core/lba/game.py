"""Little Big Adventure 1 and 2: the game's row, and the options of its importer and exporter."""

from __future__ import annotations

from math import atan2, degrees, hypot, sqrt
from typing import Literal, TypeAlias

from ..declare import shared
from ..declare.game import Game, Page, View
from ..declare.options import Choice, Options, changed, option

GameName: TypeAlias = "Literal['auto', 'lba1', 'lba2']"
Look: TypeAlias = "Literal['PLAIN', 'GAME']"

_GAMES = (
    Choice("lba1", "Little Big Adventure", "Time in 1/50 s, 1024 angle steps to the full circle"),
    Choice("lba2", "Little Big Adventure 2", "Time in milliseconds, 4096 angle steps to the full circle"),
)


ARCHIVES = (".hqr", ".obl")
"""How the names of archives end: those of LBA2's islands with their bodies are called .OBL."""

_PALETTES = (".hqr", ".pal")
"""How the names of files with a palette end."""

_LOOKS = (
    Choice("PLAIN", "Plain", "Colours for Blender's own light, other programs and games"),
    Choice(
        "GAME",
        "Game Look",
        "As the game draws: shades of its palette by the angle of its light, flat, smooth or dithered as each face says",
    ),
)


class ImportOptions(shared.ImportOptions):
    """entries: of every archive among the paths. entities: the same for whole characters, by FILE3D.HQR, or by the entity table in LBA2's
    RESS.HQR. The texture page is in the palette's archive."""

    entities: str = option(
        "",
        "Entities",
        "Whole characters by FILE3D.HQR, or LBA2's RESS.HQR: 0 or 0-5,9, or names such as *nurse*. A body and all its animations, "
        "named by their use. Empty: a list to choose from",
        group="Include",
        remembered=False,
    )
    body: int = option(
        0,
        "Body",
        "Which of a character's bodies, counted from 0; the first where it has not so many",
        minimum=0,
        group="Include",
        remembered=False,
    )
    skeleton: str = changed(shared.ImportOptions, "skeleton", files=(".lm1", ".lm2", *ARCHIVES))
    palette: str = option(
        "",
        "Palette",
        "RESS.HQR, with LBA2's textures too, or a loose palette of 768 bytes. Empty: RESS.HQR beside it",
        subtype="FILE",
        files=_PALETTES,
        group="Include",
        remembered=False,
    )
    file3d: str = option(
        "",
        "FILE3D",
        "FILE3D.HQR, or LBA2's RESS.HQR. Empty: beside the archive",
        subtype="FILE",
        files=(".hqr",),
        group="Include",
        remembered=False,
    )
    names: str = option(
        "",
        "Names",
        "What the entries are called: a list (.hqd) or metadata (.json). Empty: one beside it; else by their use",
        subtype="FILE",
        files=(".hqd", ".json"),
        group="Include",
        remembered=False,
    )
    game: GameName = option(
        "auto",
        "Game",
        "Which of the two games an animation is from",
        choices=(Choice("auto", "Detect", "By what lies beside the file, and by its numbers"), *_GAMES),
        group="Include",
        flag="--game",
    )
    look: Look = option("PLAIN", "Materials", "How the faces are coloured", choices=_LOOKS, group="Include", flag="--look")
    scale: float = changed(shared.ImportOptions, "scale", 0.001, soft_maximum=1.0)


class ExportOptions(shared.FewerKeysOptions):
    """path: an .anm or an .hqr. entry: the archive entry to write ("12"), "new" for one behind the last, empty for the one an action came
    from. step: frames between samples of an evaluated pose, 0 for the frames that have keys."""

    reduction: shared.Reduction = shared.until_it_fits(
        "As few keys as the game's largest animations have (7.9 KB in LBA1, 8.2 KB in LBA2), within the smallest distance; all where they "
        "are few enough",
        "Clips that were retargeted, which have a key at every frame, within a fifth of the distance, or as much more of it as leaves no "
        "more keyframes than the game's largest animations have; all keys of others",
    )
    step: float = option(
        0.0,
        "Sample Step",
        "As it looks: frames from one keyframe to the next. 0: at the frames that have keys, or each frame if none has",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=10.0,
        group="Animation",
    )
    game: GameName = option(
        "auto",
        "Game",
        "Which of the two games it is written for",
        choices=(Choice("auto", "As Imported", "The game the action came from"), *_GAMES),
        group="Include",
        flag="--game",
    )
    max_distance: float = changed(shared.FewerKeysOptions, "max_distance", 25.0, soft_maximum=100.0)
    shell: float = changed(shared.FewerKeysOptions, "shell", 50.0, soft_maximum=200.0)


_NORMALS = (
    Choice("KEEP", "The File's", "Faces whose corners are where they were keep their light; new ones take it from the shape"),
    Choice("NEW", "From the Shape", "All lit faces take their light from the shape as it is shown"),
)


class BodyOptions(Options):
    """path: an .lm1, an .lm2 or an .hqr. entry: of an archive ("12"), "new" for one behind the last, empty for the one it came from."""

    path: str = ""
    entry: str = option(
        "", "Entry", "Archive entry to write: a number, or 'new' for one behind the last. Empty: the one it came from", group="Include"
    )
    normals: shared.Normals = option("KEEP", "Light", "Where the normals come from", choices=_NORMALS, group="Include", flag="--light")
    palette: str = option(
        "",
        "Palette",
        "RESS.HQR, or a loose palette of 768 bytes, for colours that are not the game's yet. Empty: RESS.HQR beside it",
        subtype="FILE",
        files=_PALETTES,
        group="Include",
        remembered=False,
    )
    overwrite: bool = shared.overwrite()


class MakeOptions(Options):
    """What an armature and its meshes become. like: name of a character in the scene."""

    game: Literal["lba1", "lba2"] = option("lba2", "Game", "Whose body it becomes", choices=_GAMES, group="Body")
    height: int = option(
        0,
        "Height",
        "In units of the game: Twinsen has 1240. 0: as high as it is, at 0.001 m a unit",
        minimum=0,
        maximum=30000,
        group="Body",
    )
    like: str = option("", "As High As", "A character of the game in the scene whose height it gets", group="Body", remembered=False)
    merge: bool = option(
        True,
        "Merge Bones",
        "Where more bones move vertices than the game has room for, those that move least go into their parents",
        group="Body",
    )
    palette: str = option(
        "",
        "Palette",
        "The game's RESS.HQR, or a loose palette of 768 bytes. Empty: plain colours",
        subtype="FILE",
        files=_PALETTES,
        group="Body",
        remembered=False,
    )


class SaveOptions(Options):
    """Where a whole character goes. folder: of BODY.HQR, ANIM.HQR and the list of characters."""

    folder: str = option("", "Folder", "The folder of the game's archives. Empty: that of the body", subtype="FOLDER", group="Character")
    entity: int = option(
        -1,
        "Character",
        "Its number in the list of characters. -1: the one that has the body, a new one behind the last where none has",
        minimum=-1,
        maximum=65535,
        group="Character",
        remembered=False,
        none="By Its Body, or New",
    )
    like: int = option(
        -1,
        "Copy Of",
        "Which character a new one is a copy of, with all its animations; -1 for an empty one",
        minimum=-1,
        maximum=65535,
        group="Character",
        remembered=False,
        none="None",
    )
    sampling: shared.Sampling = changed(shared.ExportOptions, "sampling", "KEYS", group="Character")
    reduction: shared.Reduction = changed(ExportOptions, "reduction", group="Character", flag="")
    normals: shared.Normals = changed(BodyOptions, "normals", group="Character", flag="")
    palette: str = changed(BodyOptions, "palette", group="Character")
    overwrite: bool = changed(BodyOptions, "overwrite", group="Character", flag="")


_LIGHT = (-34.62, 39.45)

GAME = Game(
    id="lba",
    label="Little Big Adventure 1 and 2",
    opened=(".anm", ".lm1", ".lm2", *ARCHIVES),
    written={".anm": "clip", ".hqr": "archive"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    dropped=(".anm", ".lm1", ".lm2", *ARCHIVES),
    bodies=(".lm1", ".lm2"),
    known=(".pal",),
    signatures=False,
    pages=(
        Page("entities", "Characters", "A body with all its animations", "entities", whole=True),
        Page("entries", "Entries", "Single animations and bodies"),
    ),
    variant="lba_game",
    rates={"lba1": 50.0, "lba2": 1000.0},
    intros=True,
    joint_keys=True,
    hanging_meshes=True,
    uvs_alone=False,
    pictures="the game draws it from its texture page: choose Texture Page, Open as an Image, paint there, and Write into RESS.HQR",
    exclusive=True,
    telling=("lba_game",),
    used_for="lba_roles",
    # P_OB_ISO.ASM: 24 (x - z) / 512 pixels to the right, (12 (x + z) - 30 y) / 512 down, seen from (+, +, +) of the file's axes.
    view=View(
        projection="ORTHO",
        azimuth=45.0,
        elevation=degrees(atan2(12 * sqrt(2), 30)),
        pixels=24 * sqrt(2) / 512,
        aspect=hypot(12 * sqrt(2), 30) / (24 * sqrt(2)),
        light=_LIGHT,
        tile=512.0,
        background=(0.0, 0.0, 0.0),
        dressed=True,
    ),
    # VAR_EXT.CPP: 600 pixels to a distance of 1, on 640; GLOBAL.CPP: 10500 units away, 300 of 4096 steps down; behind the hero.
    outdoors={
        "lba2": View(
            azimuth=180.0,
            elevation=300 / 4096 * 360,
            field=degrees(2 * atan2(320, 600)),
            away=10500.0,
            light=_LIGHT,
            tile=512.0,
            background=(0.0, 0.0, 0.0),
            dressed=True,
        )
    },
)
