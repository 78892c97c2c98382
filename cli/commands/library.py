"""`library`: all clips of a game, a client or a folder as one .blend of assets, with catalogues by game, character and kind."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...core.files.disk.disk import check_own, check_target
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from .. import blender, declared, inputs
from ..batch import converting
from ..report import note, show
from . import Commands


def add_to(commands: Commands) -> None:
    command = commands.add_parser("library", help="all clips of a game as a .blend of assets; needs Blender")
    command.add_argument("files", nargs="+", action=inputs.Files, metavar="GAME", help="a game's folder or archive, as convert takes them")
    command.add_argument("-o", "--output", metavar="LIBRARY.blend", required=True, type=_library, help="the .blend; its list of catalogues")
    inputs.add_jobs(command)
    command.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    declared.add_games(command, *_FLAGS)
    command.set_defaults(run=run, to="blend", godot=False, up="", forward="")


_FLAGS = ("--look", "--bone-names", "--overwrite")
"""Of the games' options, those that matter here."""


_SCENE = "Retro Game Animation Library"
"""The scene of a library, by which another run knows that it may replace it."""


def _library(text: str) -> Path:
    if Path(text).suffix.lower() != ".blend":
        raise argparse.ArgumentTypeError(f"{text} does not end in .blend")
    return Path(text)


def run(arguments: argparse.Namespace) -> int:
    """A .blend for each character in a folder beside the library, where a run that was ended goes on; then all of them in one."""
    blender.module()
    from ...io.pipeline import library

    out: Path = arguments.output
    if not check_target(out).parent.is_dir():
        raise RetroAnimError(f"{out}: there is no such folder")
    if not arguments.worker:
        if not arguments.overwrite:
            check_own(out, "a library that this command has made", lambda _: _is_library(out), "choose another name, or say --overwrite")
        library.check_catalogues(out.absolute().parent)
    parts = out.with_name(f"{out.stem}_parts")
    arguments.output, arguments.assets = converting.Folder(parts), True
    code, files = converting.convert(arguments, parts=True)
    if arguments.worker:
        return code
    note(f"putting {counted(len(files), 'file')} together")
    count = _put_together(sorted(files), out)
    note(f"{counted(count, 'clip')}; {parts} is only needed to go on where a game has changed")
    show(str(out))
    return code


def _is_library(path: Path) -> bool:
    try:
        with blender.module().data.libraries.load(str(path.absolute())) as (there, _):
            return _SCENE in there.scenes
    except OSError:  # no .blend, or a damaged one
        return False


def _put_together(parts: list[Path], out: Path) -> int:
    """Returns the number of clips. Raises RetroAnimError where there are none."""
    from ...io.pipeline import library

    bpy = blender.module()
    blender.empty_scene()
    for part in parts:
        with bpy.data.libraries.load(str(part)) as (there, wanted):
            wanted.actions = there.actions
    bpy.data.batch_remove(list(bpy.data.libraries))  # one by one each takes as long as all together
    clips: list[Any] = [action for action in bpy.data.actions if action.asset_data is not None]
    if not clips:
        raise RetroAnimError(f"{out}: there is no clip to put into it")
    bpy.context.scene.name = _SCENE
    blender.save(out)
    library.write_catalogues(out.absolute().parent, library.marked_paths())
    return len(clips)
