"""`convert`: any file that we or Blender can read into any that one of us can write."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from ...core import formats
from ...core.files.disk.one_change import one_change
from ...core.files.file_names import file_name
from ...core.files.format import Archive
from ...core.games import GAMES
from ...core.reporting import log, partial, progress
from ...core.reporting.errors import FormatError, RetroAnimError
from .. import axes, blender, declared, inputs, sampled, scenes, unused
from .. import clips as engine_clips
from ..axes import Axes
from ..batch import converting
from ..report import fail, note, show
from . import Commands

HELD = {".bvh": "clip"} | {extension: holds for game in GAMES.values() for extension, holds in game.written.items()}
"""What a written file holds, by its extension: of the games', and of what Blender writes where it is not a whole scene."""

WRITTEN = tuple(dict.fromkeys((*blender.IMPORTED, *HELD)))


def holds(path: Path, *kinds: str) -> bool:
    """Whether a file of this extension holds one of these, as `Game.written` has it; none where it is a whole scene."""
    return HELD.get(path.suffix.lower()) in kinds


def add_to(commands: Commands) -> None:
    command = commands.add_parser("convert", help="through Blender, to .blend .glb .gltf .fbx .bvh or a game's format")
    command.add_argument(
        "files",
        nargs="+",
        action=inputs.Files,
        metavar="FILE",
        help="a game's file or folder, FILE#ENTRY, .blend, .glb, .gltf, .fbx or .bvh",
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        required=True,
        type=destination,
        help=f"ends in one of {' '.join(WRITTEN)}; or a folder, FOLDER/, for a file a character with all its clips",
    )
    kinds = [extension.removeprefix(".") for extension in converting.EXTENSIONS]
    command.add_argument("--to", choices=kinds, help="into a folder: of which kind the files are; .glb if not given")
    inputs.add_jobs(command, "into a folder: ")
    command.add_argument("--godot", action="store_true", help="names of loops end in -loop, so that Godot loops them; for .glb .gltf .fbx")
    command.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    declared.add_games(command)
    axes.add_to(command)
    command.set_defaults(run=run)


def destination(text: str) -> Path | converting.Folder:
    """A file, or a folder: one that is there, or whose name ends as that of a folder or has no ending at all."""
    if text.endswith(("/", os.sep)) or Path(text).is_dir() or not Path(text).suffix:
        return converting.Folder(Path(text))
    return output(text)


def output(text: str) -> Path:
    suffix = Path(text).suffix.lower()
    for game in GAMES.values():
        if suffix in game.refused:
            raise argparse.ArgumentTypeError(f"{text}: {game.refused[suffix]}")
    if suffix not in WRITTEN:
        raise argparse.ArgumentTypeError(f"{text} does not end in one of {' '.join(WRITTEN)}")
    return Path(text)


def run(arguments: argparse.Namespace) -> int:
    blender.module()
    if isinstance(arguments.output, converting.Folder):
        return converting.run(arguments)
    if not arguments.output.absolute().parent.is_dir():
        raise RetroAnimError(f"{arguments.output}: there is no such folder")
    written: list[str] = []
    problems: list[str] = []
    with log.collect() as messages:
        try:
            written = convert(arguments)
        except RetroAnimError as error:
            problems.append(str(error))
    for line in messages.digest("WARNING"):
        note(line)
    problems += map(str, messages.of("ERROR"))
    for problem in problems:
        fail(problem)
    for path in written:
        show(path)
    return 1 if problems else 0


def convert(arguments: argparse.Namespace) -> list[str]:
    """The paths written. Raises RetroAnimError when nothing could be."""
    out: Path = arguments.output
    paths = [path for path in inputs.files(arguments.files) if path in arguments.files or not is_table(path)]
    Axes.of(arguments).check(paths)
    unused.report(arguments, paths, out.suffix.lower())
    kind = out.suffix.lower()
    if kind in HELD:
        return one_by_one([source for own in partial.each(paths, clips) for source in own], out, arguments)
    blender.empty_scene()
    ours = [path for path in paths if not blender.is_blenders(path)]
    theirs = sorted(filter(blender.is_blenders, paths), key=lambda path: not path.lower().endswith(".blend"))
    values = {**(scenes.FOR_ENGINES if kind in engine_clips.EXTENSIONS else {}), **declared.game_values(arguments)}

    def open_together(together: list[str]) -> None:
        if blender.is_blenders(together[0]):
            blender.load(together[0], Axes.of(arguments))
        else:
            scenes.import_ours(together, values)

    partial.each([[path] for path in theirs] + [ours] * bool(ours), open_together)
    objects = scenes.armatures()
    if kind in engine_clips.EXTENSIONS:
        clips_of = {obj: scenes.actions_of(obj, is_only=len(objects) == 1) for obj in objects}
        sampled.bound(clips_of, kind, out.name)
        engine_clips.prepare_all(clips_of, godot=arguments.godot)
        scenes.stash_several(clips_of)
    blender.save(out, several=len(objects) > 1)
    if kind == ".blend":
        from ...io.pipeline import library

        library.write_catalogues(out.absolute().parent, library.marked_paths())
    return [str(out)]


def is_table(path: str) -> bool:
    """Whether a file is a table of a client, which in a folder would bring every one of its characters a second time."""
    try:
        kind = None if blender.is_blenders(path) else formats.recognise_file(path)
    except RetroAnimError:  # it is gone meanwhile: who opens it says so
        return False
    return kind is not None and kind.kind == "entity" and GAMES[kind.game].folders


def clips(path: str) -> list[str]:
    """The animations of an archive one by one, everything else as it is."""
    return [path] if blender.is_blenders(path) or not inputs.is_archive(path) else list(_animations(path))


def _animations(path: str) -> Iterator[str]:
    archive: Archive = formats.open_file(path).document
    for index in range(len(archive)):
        if archive.blank(index):
            continue
        address = formats.entry_address(archive, index, path)
        try:
            kind = formats.recognise_entry(archive.read(index), path, archive.name(index))
        except FormatError as error:
            error.path = error.path or address
            log.error(str(error))
            continue
        if kind is not None and kind.kind == "animation":
            yield address


def one_by_one(sources: list[str], out: Path, arguments: argparse.Namespace) -> list[str]:
    """Each source in a scene of its own, so that every clip is written from the armature it was made for."""
    written: list[str] = []
    failures: list[RetroAnimError] = []
    with one_change(out):
        for source in progress.steps(sources):
            blender.empty_scene()
            try:
                if blender.is_blenders(source):
                    blender.load(source, Axes.of(arguments))
                else:
                    scenes.import_ours([source], declared.game_values(arguments))
                write_clips(out, arguments, written, several=len(sources) > 1, loose=is_loose(source))
            except RetroAnimError as error:
                failures.append(error)
        partial.report(failures, bool(written))
        if not written:
            raise RetroAnimError(f"{out}: there is no animation to write")
    return written


def is_loose(source: str) -> bool:
    """Whether a clip has no entry of its own in an archive."""
    return "#" not in Path(source).name and not blender.is_blenders(source)


def write_clips(out: Path, arguments: argparse.Namespace, written: list[str], *, several: bool, loose: bool) -> None:
    """The animations of the scene's armatures; in a one-clip format beside `out`, named after them, where there are several.

    written: paths so far, and those that are added. Raises RetroAnimError when one of them would be written twice.
    """
    if holds(out, "mesh", "armature"):
        write_meshes(out, arguments, written, several=several)
        return
    objects = scenes.armatures()
    for obj in objects:
        actions = scenes.actions_of(obj, is_only=len(objects) == 1)
        if holds(out, "character"):
            actions = actions[:1]
        alone = not several and len(objects) == 1 and len(actions) == 1
        for action in actions:
            target = out if alone or holds(out, "archive") else out.with_name(f"{file_name(action.name)}{out.suffix}")
            if target != out or (not holds(target, "archive") and written):
                inputs.refuse_unnamed(target, written, overwrite=bool(arguments.overwrite))
            scenes.make_current(obj, action)
            written += write_clip(target, arguments, loose=loose)


def write_meshes(out: Path, arguments: argparse.Namespace, written: list[str], *, several: bool) -> None:
    """What each armature moves."""
    from ...io.blender import scene

    objects = [obj for obj in blender.module().context.view_layer.objects if obj.type == "ARMATURE"]
    for obj in objects:
        target = out if not several and len(objects) == 1 else out.with_name(f"{file_name(obj.name)}{out.suffix}")
        if target != out:
            inputs.refuse_unnamed(target, written, overwrite=bool(arguments.overwrite))
        scene.make_active(blender.module().context, obj)
        written += scenes.export(str(target), scenes.COMPLETE | declared.game_values(arguments))


def write_clip(target: Path, arguments: argparse.Namespace, *, loose: bool, remedy: str = "a folder as output has both") -> list[str]:
    """The active armature's present action. remedy: what keeps the start of a loop, which a .bvh cannot."""
    if target.suffix.lower() == ".bvh":
        if intro := engine_clips.intro_frames(blender.module().context.view_layer.objects.active.animation_data.action):
            log.warning(f"{target.name} is the loop alone, without the {intro:g} frames before it: {remedy}")
        blender.save(target)
        return [str(target)]
    entry = {"entry": "new"} if loose and holds(target, "archive") else {}
    return scenes.export(str(target), {**scenes.COMPLETE, **entry, **declared.game_values(arguments)})
