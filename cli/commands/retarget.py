"""`retarget`: animations of any files onto any rig, with a report of how well each went."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from ...core.files.disk.one_change import one_change
from ...core.files.file_names import file_name
from ...core.reporting import log, partial
from ...core.reporting.errors import RetroAnimError
from ...core.retarget.options import Options, RetargetOptions
from .. import axes, blender, declared, inputs, sampled, scenes
from .. import clips as engine_clips
from ..report import fail, note, show, show_json
from ..retarget.run import Run, own_actions
from ..retarget.table import table
from ..retarget.wording import as_options, messages_as_options, report_as_options
from . import Commands, convert


def add_to(commands: Commands) -> None:
    command = commands.add_parser("retarget", help="give animations to another rig, with a report")
    command.add_argument(
        "files",
        nargs="+",
        action=inputs.Files,
        metavar="FILE",
        help="a game's file, FILE#ENTRY, .blend, .glb, .gltf, .fbx or .bvh, or a folder of such files",
    )
    command.add_argument("--onto", metavar="RIG", required=True, help="a .blend, .glb, .gltf, .fbx, .bvh, or a game's skeleton")
    command.add_argument(
        "--actions",
        metavar="NAME",
        action="append",
        default=[],
        help="only these actions of the files: a name, or a pattern such as 'walk*'; more than once for several",
    )
    command.add_argument("--keep-actions", action="store_true", help="leave the actions that the rig's file has itself in the result")
    command.add_argument("--map", metavar="MAP.json", default="", help="which bone follows which; by names and structure unless given")
    command.add_argument("--save-map", metavar="MAP.json", default="", help="write the bone map that was used")
    command.add_argument(
        "-o", "--output", metavar="OUT", required=True, type=convert.output, help=f"ends in one of {' '.join(convert.WRITTEN)}"
    )
    declared.add(command, Options)
    declared.add(command, RetargetOptions)
    command.set_defaults(align=None, pose_frame=None)  # each of the poses says how they are brought together
    declared.add_games(command)
    inputs.add_json(command)
    axes.add_to(command, "a FILE that is a")
    axes.add_to(command, "a RIG that is a", "onto-")
    command.set_defaults(run=run)


def options_of(arguments: argparse.Namespace) -> RetargetOptions:
    """What the arguments say. A frame or poses that are named are used. Raises OptionError."""
    given = argparse.Namespace(**vars(arguments))
    if given.align is None:
        posed = given.reference or given.source_pose or given.target_pose
        given.align = "auto" if given.pose_frame is None and not posed else "pose" if posed else "frame"
    if given.pose_frame is None:
        given.pose_frame = RetargetOptions.pose_frame
    return RetargetOptions(Options(**declared.values(Options, given)), **declared.values(RetargetOptions, given))


def unused_of(arguments: argparse.Namespace, align: str) -> Iterator[tuple[str, str]]:
    """Which arguments have no effect beside the others, and why. align: how the rest poses are brought together."""
    poses = [name for name in ("reference", "source_pose", "target_pose") if getattr(arguments, name)]
    if align != "POSE":
        yield from ((name, "it is for --align pose") for name in poses)
    elif poses[:1] == ["reference"]:
        yield from ((name, "--reference names both poses") for name in poses[1:])
    if align != "FRAME" and arguments.pose_frame is not None:
        yield "pose_frame", "it is for --align frame"
    if arguments.nla and arguments.actions:
        yield "actions", "--nla takes what all strips show together"
    if arguments.keep_actions and convert.holds(arguments.output, "clip", "archive", "armature", "mesh"):
        yield "keep_actions", f"a {arguments.output.suffix} has the new clips alone"


def run(arguments: argparse.Namespace) -> int:
    blender.module()
    out: Path = arguments.output
    for path in (out, Path(arguments.save_map or out)):
        if not path.absolute().parent.is_dir():
            raise RetroAnimError(f"{path}: there is no such folder")
    options = options_of(arguments)
    for name, why in unused_of(arguments, options.core.align):
        note(f"--{name.replace('_', '-')} is not used: {why}")
    with log.collect() as said:
        retargeted = Run(arguments, options)
        retargeted.retarget()
        written = _write(retargeted, out, arguments)
    messages = messages_as_options(said)
    for line in messages.digest("WARNING"):
        note(line)
    problems = messages.of("ERROR")
    for problem in problems:
        fail(str(problem))
    reports = list(map(report_as_options, retargeted.reports))
    if arguments.json:
        files = [{"file": path} if path else {} for path in retargeted.origins]
        documents = [report.document() | file for report, file in zip(reports, files, strict=True)]
        show_json({"reports": documents, "written": written})
        return 1 if problems else 0
    if len(reports) > 1:
        for line in table(reports, retargeted.origins):
            show(line)
    elif reports:
        (report,) = reports
        show(report.name)
        for line in report.lines(as_options):
            show(f"  {line}")
    for path in written:
        show(path)
    return 1 if problems else 0


def _write(retargeted: Run, out: Path, arguments: argparse.Namespace) -> list[str]:
    """The rig and its new actions. Returns the paths. What fails beside others is logged as an error; raises RetroAnimError where nothing
    could be written."""
    data, kind = blender.module().data, out.suffix.lower()
    if kind in blender.IMPORTED and kind != ".bvh":
        if kind in engine_clips.EXTENSIONS:
            _prepare(retargeted, out)
        blender.save(out)
        return [str(out)]
    written: list[str] = []
    loose = any(map(convert.is_loose, retargeted.paths)) or not blender.is_blenders(arguments.onto)
    if convert.holds(out, "character"):
        return _write_character(retargeted, out, arguments)
    alone = len(retargeted.actions) == 1 or convert.holds(out, "archive")

    def write(name: str) -> None:
        path = out if alone else out.with_name(f"{file_name(name)}{out.suffix}")
        if not alone:
            inputs.refuse_unnamed(path, written, overwrite=bool(arguments.overwrite))
        scenes.make_current(retargeted.rig, data.actions[name])
        written.extend(convert.write_clip(path, arguments, loose=loose, remedy="a .blend has both"))

    with one_change(out):
        partial.each(retargeted.actions, write)
    return written


def _prepare(retargeted: Run, out: Path) -> None:
    """The rig's clips as `convert` has them for engines: what a loop begins with is a clip of its own, and ends are on whole frames."""
    rig, kind = retargeted.rig, out.suffix.lower()
    blender.module().context.view_layer.update()  # the sources are gone
    names = dict.fromkeys([*retargeted.actions, *sorted(own_actions(rig))])
    clips_of = {rig: [blender.module().data.actions[name] for name in names]}
    scenes.make_current(rig, clips_of[rig][0])
    several = len([obj for obj in scenes.everyone() if obj.type == "ARMATURE"]) > 1
    sampled.bound(clips_of, kind, out.name)
    engine_clips.prepare_all(clips_of, godot=False)
    if several and kind != ".fbx":  # beside other armatures glTF's exporter knows by tracks alone whose clips are
        blender.stash(rig, clips_of[rig])


def _write_character(retargeted: Run, out: Path, arguments: argparse.Namespace) -> list[str]:
    """All clips in one file."""
    scenes.make_current(retargeted.rig, blender.module().data.actions[retargeted.actions[0]])
    values = {**scenes.COMPLETE, "source": "ALL" if len(retargeted.actions) > 1 else "ACTIVE", **declared.game_values(arguments)}
    return scenes.export(str(out), values)
