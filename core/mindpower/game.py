"""Tales of Pirates: the game's row, and the options of its importer and exporter."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from ..declare import shared
from ..declare.game import Game, Page, View
from ..declare.options import Choice, Options, changed, option

Actions: TypeAlias = "Literal['RANGES', 'TIMELINE']"
KeyType: TypeAlias = "Literal['AUTO', 'QUAT', 'MAT43', 'MAT44']"


class ImportOptions(shared.ImportOptions):
    """paths: skeletons, meshes, a client's folder or any table of it. entries: which characters of a client, by number or name.

    meshes: files to use instead of those found. Root motion is always the root bone's."""

    root_motion: shared.RootMotion = field(default="BONE", init=False)

    entries: str = changed(
        shared.ImportOptions,
        "entries",
        label="Characters",
        help="Of the client's folder: numbers of skeletons or names, such as 88, Attendant. Empty: the file itself",
    )
    skeleton: str = changed(
        shared.ImportOptions,
        "skeleton",
        help="For a mesh: the .lab. Empty: found automatically; the active armature if it fits, else that of the mesh",
        files=(".lab",),
    )
    bone_direction: shared.BoneDirection = changed(
        shared.ImportOptions,
        "bone_direction",
        choices=(
            Choice("GAME", "Game's Axes", "All bones keep the axes of the game"),
            Choice(
                "CHILD",
                "Towards Child",
                "Each bone along the axis that is nearest to its child; one that would point back at its parent, where Blender rounds too "
                "much for the mesh, keeps the axes of the game",
            ),
        ),
    )
    meshes: tuple[str, ...] = shared.mesh_files("A mesh to use instead of those found beside")
    parts: str = option(
        "",
        "Parts",
        "Which meshes: suits (3), parts of a suit (3/2), or 'all'. Empty: as the game shows; of a player one suit",
        group="Include",
        flag="--parts",
        remembered=False,
    )
    table: str = option(
        "",
        "Action Table",
        "CharacterAction.tx. Empty: the client's own; else the one beside the file",
        subtype="FILE",
        files=(".tx", ".txt", ".bin"),
        group="Include",
        remembered=False,
    )
    action_type: int = option(
        0,
        "Action Type",
        "The character's number in the action table. 0: by the list of characters",
        minimum=0,
        maximum=65535,
        group="Include",
        flag="--action-type",
        metavar="NUMBER",
    )
    actions: Actions = option(
        "RANGES",
        "Actions",
        choices=(
            Choice("RANGES", "One per Range", "An action for every range of frames that the action table names, from its own start"),
            Choice("TIMELINE", "One Timeline", "One long action with a marker where each range starts"),
        ),
        group="Animation",
    )
    helper_bones: bool = option(
        True,
        "Helper Bones",
        "Two more bones below each sheared one, which Blender's bones cannot hold alone, where a vertex shows it; so the mesh is exact",
        group="Armature",
    )


class ExportOptions(shared.ExportOptions):
    """path: a .lab or an .lgo. table: the action table to write, empty for the one beside the skeleton."""

    source: shared.Source = changed(
        shared.ExportOptions,
        "source",
        "ALL",
        help="What is joined; the file's other frames stay as they were",
        choices=(
            Choice("ACTIVE", "Active Action", "The action of the active armature"),
            Choice("SELECTED", "Selected Armatures", "All actions of all selected armatures, a file for each"),
            Choice("ALL", "All Actions", "All actions of the active armature, and new ones that have a number"),
            Choice("TICKED", "Ticked Clips", "Of these the ones that are ticked in the side panel"),
            Choice("SCENE", "Whole Scene", "All actions of all armatures of the game in the scene, a file for each"),
            *shared.SOURCES[-2:],
        ),
    )
    key_type: KeyType = option(
        "AUTO",
        "Keys",
        "How the bones' keys are stored",
        choices=(
            Choice("AUTO", "As Needed", "As in the file; of a new one quaternions, or matrices where anything is scaled or mirrored"),
            Choice("QUAT", "Quaternions", "Refused where anything is scaled or mirrored"),
            Choice("MAT43", "Matrices", "Matrices of three columns"),
            Choice("MAT44", "Full Matrices", "Matrices of four columns, which no known file has"),
        ),
        group="Animation",
        flag="--keys",
    )
    table: str = option(
        "",
        "Action Table",
        "Where the ranges are written; those of other characters stay. Empty: the client's own; else CharacterAction.tx beside the file",
        subtype="FILE",
        files=(".tx", ".txt", ".bin"),
        group="Output",
        remembered=False,
    )
    with_meshes: bool = option(False, "Meshes", "Also write the character's meshes, beside the skeleton", group="Output")
    normals: shared.Normals = option(
        "KEEP",
        "Normals",
        "Of meshes whose vertices were moved",
        choices=(
            Choice("KEEP", "The File's", "Vertices that came in keep theirs; a mesh with other vertices or faces has those that are shown"),
            Choice("NEW", "As Shown", "All vertices have those that are shown"),
        ),
        group="Output",
    )


class SaveOptions(Options):
    """How a whole character is written."""

    sampling: shared.Sampling = changed(shared.ExportOptions, "sampling", "KEYS", group="Character")
    normals: shared.Normals = changed(ExportOptions, "normals", group="Character")
    table: str = changed(ExportOptions, "table", group="Character")
    overwrite: bool = changed(shared.ExportOptions, "overwrite", group="Character", flag="")


class CharacterOptions(Options):
    """What a character under a new number is called. like: as the entries of a client are named."""

    number: int = option(
        0,
        "Skeleton Number",
        "Of its .lab and its meshes. 0: the first free one",
        minimum=0,
        maximum=4293,
        group="Character",
        flag="--number",
        remembered=False,
    )
    name: str = option(
        "",
        "Name",
        "In the list of characters. Empty: the copied one's; of an armature its own",
        group="Character",
        flag="--name",
        remembered=False,
    )
    id: int = option(
        0,
        "Character Number",
        "In the list of characters, by which a server asks for it. 0: the first free one",
        minimum=0,
        maximum=2499,
        group="Character",
        flag="--id",
        remembered=False,
    )
    action_type: int = option(
        0,
        "Action Type",
        "Its number in the action table. 0: the first free one",
        minimum=0,
        maximum=32767,
        group="Character",
        flag="--action-type",
        remembered=False,
    )
    like: str = option(
        "",
        "Like",
        "Another character of the client, such as 88, Attendant or id=15, as which it is in size, strength and sounds. Empty: as it was; "
        "or the first monster",
        group="Character",
        flag="--like",
        remembered=False,
    )


GAME = Game(
    id="mindpower",
    label="Tales of Pirates",
    opened=(".lab", ".lgo", ".tx"),
    written={".lab": "character", ".lgo": "mesh"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    character_options=CharacterOptions,
    dropped=(".lab", ".lgo"),
    named=("CharacterInfo.txt", "Characterinfo.bin"),
    instead={
        **dict.fromkeys((".lmo", ".lxo"), "models of the scene, which no skeleton moves: characters are .lab and .lgo"),
        **dict.fromkeys((".eff", ".par"), "an effect, which no skeleton moves: characters are .lab and .lgo"),
    },
    folders=True,
    pages=(
        Page("characters", "Characters", "The characters of a client's folder", whole=True),
        Page("suits", "Suits", "The meshes of a character", "parts"),
    ),
    rate=30.0,
    moves_itself=True,
    uv_maps=4,
    corner_colours=True,
    material_settings=True,
    telling=("mindpower_skeleton", "mindpower_range"),
    used_for="mindpower_names",
    view=View(azimuth=40.0, elevation=35.0, field=45.0, light=(60.0, 50.0)),
    onwards=True,
)

SLOTS = (
    "base", "head top", "chest", "pelvis", "left shoulder", "left arm", "left hand", "right shoulder", "right arm", "right hand",
    "left leg 1", "left leg 2", "left leg 3", "right leg 1", "right leg 2", "right leg 3",
    "extra 1", "extra 2", "extra 3", "extra 4", "extra 5", "extra 6", "extra 7", "extra 8",
)  # fmt: skip
"""What the dummies of a skeleton are for: their ids are slots of the game (the engine's CharacterModel.h)."""


def slot_name(number: int) -> str:
    """ "6 left hand"; a number beyond the game's slots alone."""
    return f"{number} {SLOTS[number]}" if 0 <= number < len(SLOTS) else str(number)
