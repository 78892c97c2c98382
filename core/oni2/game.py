"""Oni 2: the game's row."""

from __future__ import annotations

from ..declare.game import Game
from .options import ExportOptions, ImportOptions

GAME = Game(
    id="oni2",
    label="Oni 2",
    opened=(".anim", ".skel", ".mod", ".type", ".anims", ".dat"),
    dropped=(".anim", ".skel", ".mod", ".type", ".anims"),
    written={".anim": "clip", ".skel": "armature"},
    import_options=ImportOptions,
    export_options=ExportOptions,
    rate=30.0,
    telling=("oni2_facing", "oni2_kind"),
)
