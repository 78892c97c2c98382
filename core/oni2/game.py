"""Oni 2: the game's row."""

from __future__ import annotations

from ..declare.game import Game, Page, View
from .options import ExportOptions, ImportOptions

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
    locks=True,
    forward="Y",
    telling=("oni2_facing", "oni2_kind"),
    used_for="oni2_aliases",
    view=View(azimuth=180.0, elevation=12.0, field=60.0, light=(-30.0, 55.0)),
    onwards=True,
)
