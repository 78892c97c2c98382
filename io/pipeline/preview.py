"""What an export of every clip would do, each to the file or entry that it belongs to; nothing is written."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import bpy

from ...core.declare.game import Game
from ...core.declare.options import chosen
from ...core.declare.shared import Source
from ...core.games import GAMES
from ...core.reporting.errors import RetroAnimError
from ..blender import actions, identity, scene, source_data
from . import clips, exporting, settling, targets, writing
from .changes import Change, Subject
from .exporting import Writer


def what_would_change(context: bpy.types.Context, source: Source, **values: Any) -> list[Change]:
    """The clips of all games that `source` means. values: further export options, by name; what is none of a game's is left out."""
    with tempfile.TemporaryDirectory() as nowhere, clips.for_export():
        there = [identity.game_of(obj) for obj in context.scene.objects]
        games = [game for game in GAMES.values() if game in there]
        return [change for game in games for change in _of_game(context, game, source, values, nowhere)]


def _of_game(context: bpy.types.Context, game: Game, source: Source, values: dict[str, Any], nowhere: str) -> list[Change]:
    """nowhere: a folder for clips without a file that can be written."""
    kind: type[Writer[Any, Any]] = import_module(f"..{game.id}.write", __package__).Writer
    extension = game.holding("clip", "character")[0]
    own: dict[str, Any] = {**chosen(game.export_options, values), "source": source, "dry_run": True}
    options = game.export_options(path=str(Path(nowhere) / f"clip{extension}"), **own)
    rate = scene.fps(context.scene) if options.fps_from == "SCENE" else None
    with actions.played_at(rate):
        writer = kind(context, options)
        homes: dict[str, list[Subject]] = {}
        for obj, action in writer.subjects:
            if ((identity.game_of(action) if action is not None else None) or identity.game_of(obj)) is not game:
                continue
            block = action if action is not None else obj.data
            homes.setdefault(_home(game, block) or str(Path(nowhere) / f"{len(homes)}{extension}"), []).append((obj, action))
        result: list[Change] = []
        for path, subjects in homes.items():
            writer.options = replace(options, path=path)
            writer.subjects = subjects
            result += _planned(writer, subjects, Path(path).parent == Path(nowhere))
        return result


def _home(game: Game, block: Any) -> str:
    """The file that a block goes to, "" where that is none the game writes."""
    path = targets.home(block)
    holds = game.written.get(Path(path).suffix.lower())
    return path if path and holds in ("clip", "archive", "character") and Path(path).parent.is_dir() else ""


def _planned(writer: Writer[Any, Any], subjects: Sequence[Subject], nowhere: bool) -> list[Change]:
    try:
        plan = exporting.planned(writer)
    except RetroAnimError as error:
        names = [(action.name if action is not None else "", obj.name) for obj, action in subjects]
        return [Change(action, obj, "", "refused", messages=(str(error),)) for action, obj in names]
    if not nowhere:
        return plan.changes
    edited = {output.where: _state(output) for output in plan.outputs}
    return [
        change if change.state == "refused" else replace(change, target="", state=edited.get(change.target, "new"))
        for change in plan.changes
    ]


def _state(output: writing.Output) -> Any:
    """Of what has no file to be written to."""
    if output.block is None or source_data.kept(output.block) is None:
        return "new"
    return "changed" if settling.edited(output) else "unchanged"
