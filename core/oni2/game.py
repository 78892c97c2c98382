"""Oni 2: the game's row, and the options of its importer and exporter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from ..declare import shared
from ..declare.game import Game, Page, View
from ..declare.options import Choice, Options, changed, option

if TYPE_CHECKING:
    from .files.interpretation import Facing, Interpretation, Offset, Order, ScaleChannels

Kind: TypeAlias = "Literal['AUTO', 'ANI1', 'ani', 'null']"
Deltas: TypeAlias = "Literal['AUTO', 'WRITE', 'LEAVE']"

FACINGS = (
    Choice("-Z", "-Z", "As the sources say: such a character looks along Blender's +Y"),
    Choice("+Z", "+Z", "Rotated by half a circle"),
)


class ImportOptions(shared.ImportOptions):
    """entries: of every archive among the paths (numbers, names, wildcards; empty for all). meshes: .mod files besides.

    order, offset, scale_channels, facing, beta: what the sources about the game do not agree on."""

    entries: str = changed(
        shared.ImportOptions,
        "entries",
        help="Which of an archive, by path: Entity/kno/* or numbers. An Entity.type brings the whole character. "
        "Empty: a list to choose from; a script gets all",
    )
    skeleton: str = changed(
        shared.ImportOptions,
        "skeleton",
        help="A .skel, or RB.DAT#PATH. Empty: found automatically; the active armature if it fits, else one beside it or a made-up chain",
        files=(".skel", ".dat"),
    )
    meshes: tuple[str, ...] = shared.mesh_files("A .mod to open besides, or RB.DAT#PATH. Empty: that of its entity")
    scale: float = changed(shared.ImportOptions, "scale", help="Metres per metre of the game")
    root_motion: shared.RootMotion = shared.by_root_bone(
        "The root bone moves, as in the game",
        "The armature object moves, from where it stands",
        "The character stays; the root motion is kept as a property of the root bone",
    )
    limits: bool = option(False, "Limits as Constraints", "Limit Rotation constraints for the skeleton's rotation limits", group="Armature")
    order: Order = option(
        "FILE",
        "Channel Order",
        "In which order a frame has the channels. It matters only where other bones than the root move or are scaled",
        choices=(
            Choice("FILE", "As in the File", "Bone by bone, as the skeleton's lines stand"),
            Choice("BONE", "Bone by Bone", "Bone by bone, in each translation, rotation, scale, and x, y, z"),
            Choice("GROUPED", "Grouped", "All translations, then all rotations, then all scales"),
        ),
        group="Interpretation",
    )
    offset: Offset = option(
        "REPLACE",
        "Translations",
        choices=(
            Choice("REPLACE", "Replace the Offset", "An animated translation stands for the bone's offset"),
            Choice("ADD", "Add to the Offset", "An animated translation is added to the bone's offset"),
        ),
        group="Interpretation",
    )
    scale_channels: ScaleChannels = option(
        "APPLY",
        "Scale Channels",
        choices=(Choice("APPLY", "Apply", "Scale the bones"), Choice("IGNORE", "Ignore", "Keep the numbers as properties of the bones")),
        group="Interpretation",
    )
    facing: Facing = option("-Z", "Facing", "Where characters look to in the game's axes", choices=FACINGS, group="Interpretation")
    beta: bool = option(
        False,
        "Beta Animations",
        "Open animations of the beta of Midtown Madness 2 too, which only their size tells from other files",
        group="Interpretation",
    )

    @property
    def interpretation(self) -> Interpretation:
        from .files.interpretation import Interpretation  # which Blender's start does not need

        return Interpretation(self.order, self.offset, self.scale_channels, self.facing, self.beta)


class ExportOptions(shared.ExportOptions):
    """path: an .anim, or a .skel for the armatures instead of their actions."""

    kind: Kind = option(
        "AUTO",
        "Kind",
        choices=(
            Choice("AUTO", "As Imported", "The kind the action came from; ANI1 for a new one"),
            Choice("ANI1", "ANI1", "Stride along three axes; may have the root's deltas"),
            Choice("ani", "ani", "Stride along three axes, and a loop byte"),
            Choice("null", "null", "Stride along Z, and a loop byte; as in Midtown Madness 2"),
        ),
        group="Animation",
    )
    deltas: Deltas = option(
        "AUTO",
        "Root Deltas",
        "How far the root goes with each frame, besides its channels",
        choices=(
            Choice("AUTO", "As Imported", "Where the action came in with them"),
            Choice("WRITE", "Write", "Always, by the root motion where there are none"),
            Choice("LEAVE", "Leave Out", "Never"),
        ),
        group="Animation",
    )
    normals: shared.Normals = option(
        "KEEP",
        "Normals",
        "Of meshes",
        choices=(
            Choice("KEEP", "The File's", "Corners that came in keep theirs; a mesh with other faces has those that are shown"),
            Choice("NEW", "As Shown", "All corners have those that are shown"),
        ),
        group="Output",
    )
    facing: Facing = option(
        "-Z", "Facing", "Where an armature that did not come from the game is to look to there", choices=FACINGS, group="Animation"
    )


class SaveOptions(Options):
    """Where a whole character goes. folder: the one that holds `Entity` and `entity.tune`."""

    folder: str = option(
        "",
        "Folder",
        "The game's folder, for what came from RB.DAT, which is not written, and was edited: loose files come before it. Empty: that of "
        "RB.DAT, or where the files came from",
        subtype="FOLDER",
        group="Character",
    )
    sampling: shared.Sampling = changed(shared.ExportOptions, "sampling", "KEYS", group="Character")
    normals: shared.Normals = changed(ExportOptions, "normals", group="Character")
    overwrite: bool = changed(shared.ExportOptions, "overwrite", group="Character", flag="")


GAME = Game(
    id="oni2",
    label="Oni 2",
    opened=(".anim", ".skel", ".mod", ".type", ".anims", ".dat"),
    written={".anim": "clip", ".skel": "armature", ".mod": "mesh", ".type": "character"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    dropped=(".anim", ".skel", ".mod", ".type", ".anims", ".dat"),
    known=(".apkg",),
    refused={".dat": "RB.DAT is not written: loose files go beside it, in the folders that it names, such as Entity/kno/kno_walk.anim"},
    interpretation="files.interpretation",
    pages=(
        Page("characters", "Characters", "A skeleton with its mesh and all its animations", whole=True),
        Page("files", "Files", "Single skeletons, meshes and animations"),
    ),
    rate=30.0,
    single_mesh=True,
    corner_colours=True,
    opacity=False,
    locks=True,
    forward="Y",
    telling=("oni2_facing", "oni2_kind"),
    used_for="oni2_aliases",
    view=View(azimuth=180.0, elevation=12.0, field=60.0, light=(-30.0, 55.0)),
    onwards=True,
)
