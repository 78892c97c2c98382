"""`character`: a new character with all that belongs to it, in the folders of a game that takes such."""

from __future__ import annotations

import argparse
from typing import Any

from ...core import games
from ...core.declare.game import Game
from ...core.files import address
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from .. import axes, blender, declared, inputs, scenes
from ..axes import Axes
from ..report import note, show, show_json
from . import Commands


def add_to(commands: Commands) -> None:
    labels = ", ".join(game.label for game in games.GAMES.values() if game.character_options is not None)
    group = commands.add_parser("character", help=f"a new character: skeleton, meshes, textures and tables; for {labels}")
    actions: Any = group.add_subparsers(title="actions", required=True, metavar="ACTION")
    command: argparse.ArgumentParser = actions.add_parser("copy", help="one of the game's under a new number")
    command.add_argument(
        "source", type=inputs.one_file, metavar="FOLDER#ENTRY", help="a character of the game's list, such as CLIENT#Attendant or CLIENT#88"
    )
    _add_options(command)
    command.set_defaults(run=copy)
    command = actions.add_parser("make", help="of a character from another file, through Blender")
    command.add_argument(
        "source", type=inputs.one_file, metavar="FILE", help="a file with one armature: .blend .glb .gltf .fbx .bvh, or of a game"
    )
    command.add_argument("folder", type=inputs.one_file, metavar="FOLDER", help="the game's folder")
    _add_options(command)
    axes.add_to(command)
    command.set_defaults(run=make)


def _add_options(command: argparse.ArgumentParser) -> None:
    for game in games.GAMES.values():
        if game.character_options is not None:
            declared.add(command, game.character_options)
    inputs.add_json(command)


def _game(path: str) -> Game:
    game = games.taking_characters(path)
    if game is None:
        raise RetroAnimError(f"{path}: no folder of a game that takes new characters")
    return game


def _options(game: Game, arguments: argparse.Namespace) -> Any:
    assert game.character_options is not None
    return game.character_options(**declared.values(game.character_options, arguments))


def copy(arguments: argparse.Namespace) -> int:
    path, entry = address.split(arguments.source)
    game = _game(path)
    with log.collect() as said:
        result = game.core("new_character").copy_character(path, entry, _options(game, arguments))
    return _report(arguments, said, result)


def make(arguments: argparse.Namespace) -> int:
    context = blender.module().context
    from ...io.blender import scene
    from ...io.pipeline import games as pipeline

    game, own_axes = _game(arguments.folder), Axes.of(arguments)
    own_axes.check([arguments.source])
    with log.collect() as said:
        blender.empty_scene()
        if blender.is_blenders(arguments.source):
            blender.load(arguments.source, own_axes)
        else:
            scenes.import_ours([arguments.source], {})
        armatures = [obj for obj in scenes.characters() if obj.type == "ARMATURE"]
        if len(armatures) != 1:
            raise RetroAnimError(f"{arguments.source}: {len(armatures)} armatures; a character is one")
        scene.make_active(context, armatures[0])
        result = pipeline.make_character(context, game, armatures[0], arguments.folder, _options(game, arguments))
    return _report(arguments, said, result)


def _report(arguments: argparse.Namespace, said: log.Log, result: Any) -> int:
    for line in said.digest("WARNING"):
        note(line)
    if arguments.json:
        show_json(result.facts)
        return 0
    show(result.summary)
    for path in result.paths:
        show(f"written: {path}")
    return 0
