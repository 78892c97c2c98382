"""Oni: the game's row, and the options of its importer and exporter."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..declare import shared
from ..declare.game import Game, Page, View
from ..declare.options import Choice, Options, changed, option

Pieces: TypeAlias = "Literal['ONE', 'SEPARATE', 'NONE']"
Keys: TypeAlias = "Literal['GAME', 'EVERY']"
Target: TypeAlias = "Literal['EMPTY', 'CAMERA', 'ACTIVE']"


class ImportOptions(shared.ImportOptions):
    """entries: of every level among the paths (names, wildcards, numbers; empty for all animations)."""

    entries: str = changed(
        shared.ImportOptions,
        "entries",
        help="Instances of a level: TRAMKONOKOidle1, TRAMKONCOM* or numbers. Empty: a list to choose from; a script gets all",
    )
    skeleton: str = changed(
        shared.ImportOptions,
        "skeleton",
        label="Body",
        help="ONCC, TRBS or TRCM: a .oni, or LEVEL.dat#NAME. Empty: found automatically; the active armature if it fits, else one beside",
        files=(".oni", ".dat"),
    )
    detail: int = option(4, "Level of Detail", "Of the body: 4 has the most triangles", minimum=0, maximum=4, group="Include")
    pieces: Pieces = option(
        "ONE",
        "Body Mesh",
        "How the body comes in",
        choices=(
            Choice("ONE", "One Mesh", "The whole body as one skinned mesh"),
            Choice("SEPARATE", "One per Bone", "Each bone's mesh as an object of its own"),
            Choice("NONE", "None", "Only the armature"),
        ),
        group="Include",
    )
    target: Target = option(
        "EMPTY",
        "Objects",
        "What an object animation moves",
        choices=(
            Choice("EMPTY", "A New Empty", "An empty named after the animation"),
            Choice("CAMERA", "A New Camera", "A camera that looks as the game's do"),
            Choice("ACTIVE", "The Active Object", "The object that is active now"),
        ),
        group="Include",
    )
    keys: Keys = option(
        "GAME",
        "Keys",
        choices=(
            Choice("GAME", "The Game's", "Keys where the game has them; in between Blender interpolates the quaternions' components"),
            Choice(
                "EVERY", "Every Frame", "A key every frame, by the game's interpolation; those put in between are left out by an export"
            ),
        ),
        group="Animation",
    )
    scale: float = changed(shared.ImportOptions, "scale", 0.1, soft_maximum=1.0)
    root_motion: shared.RootMotion = shared.by_root_bone(
        "The pelvis moves, as in the game",
        "The armature object moves, from where it stands; the height stays the pelvis's",
        "The character stays; the root motion is kept as properties of the pelvis",
    )
    bone_direction: shared.BoneDirection = changed(
        shared.ImportOptions,
        "bone_direction",
        choices=(
            Choice("GAME", "Along the Limb", "Each bone along the game's own axis, on which nearly all limbs lie"),
            Choice("CHILD", "Towards Child", "Each bone points exactly at its child; no less exact"),
        ),
    )


class ExportOptions(shared.FewerKeysOptions):
    """path: an .oni or an .xml. entry: the instance of an existing .oni to update, by name or number; empty: the one of the same name."""

    reduction: shared.Reduction = shared.until_it_fits(
        "As few keys as OniSplit can import, within the smallest angle; all keys where they are few enough"
    )

    entry: str = changed(
        shared.EntryOptions, "entry", help="Instance of an existing .oni to update, by name or number. Empty: by the clip's name"
    )


class BodyOptions(Options):
    """path: an .oni."""

    path: str = ""
    textures: Literal["INSIDE", "BESIDE", "NAMES"] = option(
        "INSIDE",
        "Textures",
        "What becomes of pictures that are new or were edited",
        choices=(
            Choice("INSIDE", "In the Body's File", "Without names, for this body alone; the textures of a class (ONCC) come before them"),
            Choice("BESIDE", "Files Beside It", "TXMP of the material's name, which everything uses that has a texture of this name"),
            Choice("NAMES", "Names Alone", "Meshes name their textures, no picture is written"),
        ),
        group="Include",
        flag="--textures",
    )
    form: Literal["AUTO", "BGR", "BGR555", "BGRA5551", "BGRA4444", "RGBA"] = option(
        "AUTO",
        "Texture Format",
        "How new and edited pictures are stored, by OniSplit's names",
        choices=(
            Choice("AUTO", "As Needed", "BGR; with holes BGRA5551, with other alpha BGRA4444, or what a texture with alpha was stored as"),
            Choice("BGR", "BGR", "8 bits a channel, no alpha"),
            Choice("BGR555", "BGR555", "5 bits a channel, no alpha"),
            Choice("BGRA5551", "BGRA5551", "5 bits a channel, 1 of alpha"),
            Choice("BGRA4444", "BGRA4444", "4 bits a channel"),
            Choice("RGBA", "RGBA", "8 bits a channel; the game knows it only with a patch such as the Daodan DLL"),
        ),
        group="Include",
    )
    normals: shared.Normals = option(
        "KEEP",
        "Normals",
        "Of points that were in the file",
        choices=(
            Choice("KEEP", "The File's", "Points that came in keep theirs; new ones have those that are shown"),
            Choice("NEW", "As Shown", "All points have those that are shown"),
        ),
        group="Include",
    )
    every_detail: bool = option(
        False,
        "All Levels of Detail",
        "The five levels of detail become this one mesh; otherwise the others stay as they are",
        group="Include",
    )
    overwrite: bool = shared.overwrite()


class SaveOptions(Options):
    """Where a whole character goes. folder: of what has no .oni of its own. collection: FILE or FILE#ENTRY."""

    folder: str = option(
        "",
        "Folder",
        "Where what is new goes, and what came from a level (.dat) and was edited, as .oni files, which OniSplit imports into the level "
        "(OniSplit -import). Empty: beside the .oni that it came from",
        subtype="FOLDER",
        group="Character",
    )
    collection: str = option(
        "",
        "Collection",
        "A .oni with the collection (TRAC) that new animations go into, or LEVEL.dat#NAME. Empty: the character's own, where one is found",
        subtype="FILE",
        files=(".oni", ".dat"),
        group="Character",
        remembered=False,
    )
    sampling: shared.Sampling = changed(shared.ExportOptions, "sampling", "KEYS", group="Character")
    reduction: shared.Reduction = changed(ExportOptions, "reduction", group="Character", flag="")
    textures: Literal["INSIDE", "BESIDE", "NAMES"] = changed(BodyOptions, "textures", group="Character", flag="")
    normals: shared.Normals = changed(BodyOptions, "normals", group="Character")
    every_detail: bool = changed(BodyOptions, "every_detail", group="Character")
    overwrite: bool = changed(BodyOptions, "overwrite", group="Character", flag="")


class MakeOptions(Options):
    """What an armature and its meshes become."""

    height: float = option(
        0.0,
        "Height",
        "In units of the game: its characters have about 16. 0: as high as it is, at 0.1 m a unit",
        minimum=0.0,
        maximum=1000.0,
        group="Body",
    )


NOT_WRITTEN = "level files are not written: export a .oni, and import it into the level with OniSplit (OniSplit -import)"

GAME = Game(
    id="oni",
    label="Oni",
    opened=(".oni", ".dat", ".xml"),
    written={".oni": "clip", ".xml": "clip"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    dropped=(".oni", ".dat", ".xml"),
    instead={
        **dict.fromkeys((".raw", ".sep"), "raw data of a level: open the .dat of the same name"),
        ".xml": "XML, but no animation of a character or an object of Oni: all else that OniSplit extracts is opened as .oni",
        ".dae": "COLLADA: of OniSplit's, open the .xml beside it",
    },
    refused=dict.fromkeys((".dat", ".raw", ".sep"), NOT_WRITTEN),
    pages=(
        Page("characters", "Animations", "Of characters (TRAM)"),
        Page("objects", "Object Animations", "Of objects and cameras (OBAN)"),
        Page("bodies", "Bodies", "Characters without an animation (ONCC, TRBS)"),
    ),
    rate=60.0,
    hanging_meshes=True,
    plain_colours=False,
    opacity=False,
    all_bones=True,
    telling=("oni_body", "oni_every_frame"),
    prefixes=("TRAM", "OBAN"),
    view=View(azimuth=180.0, elevation=12.0, field=60.0, light=(-30.0, 55.0), tile=10.0),
)
