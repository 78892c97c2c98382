"""`pose`: where the bones are at one time, in the game's own axes and units."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable

from ...core import poses
from ...core.motion.pose import Pose, Wanted
from ...core.reporting import log
from ...core.reporting.errors import FormatError
from ...core.reporting.labels import counted
from .. import declared, inputs, unused
from ..report import note, show, show_json
from . import Commands

INTERPOLATION = "between keys of formats with quaternions; as an import shows it unless given: nlerp for Oni, slerp for the others"


def add_to(commands: Commands) -> None:
    command = commands.add_parser("pose", help="the bones at one time, in the game's own axes and units")
    command.add_argument("file", type=inputs.one_file, metavar="FILE", help="an animation, FILE#ENTRY, or FOLDER#CHARACTER")
    declared.add_games(command, "--skeleton", "--game")
    when = command.add_mutually_exclusive_group(required=True)
    when.add_argument("--frame", type=frame, metavar="N", help="the frame, counted from 0")
    when.add_argument("--time", type=seconds, metavar="SECONDS", help="from frame 0; beyond the last key it holds")
    command.add_argument("--interpolation", choices=("slerp", "nlerp"), default="", help=INTERPOLATION)
    inputs.add_json(command)
    command.set_defaults(run=run)


def frame(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def seconds(text: str) -> float:
    number = float(text)
    if not math.isfinite(number) or number < 0:
        raise ValueError
    return number


def run(arguments: argparse.Namespace) -> int:
    unused.report(arguments, [arguments.file])
    game, skeleton = arguments.game or "auto", arguments.skeleton or ""
    wanted = Wanted(skeleton, arguments.frame, arguments.time or 0.0, arguments.interpolation, game)
    with log.collect() as said:
        pose = poses.pose_of(_animation(arguments.file), wanted)
    for line in said.digest("WARNING", "INFO"):
        note(f"{arguments.file}: {line}")
    if arguments.json:
        show_json(pose.document())
    else:
        print_pose(pose)
    return 0


def _animation(path: str) -> str:
    """The file that a path means: of FOLDER#CHARACTER its skeleton. Raises FormatError where there is no such character, or several."""
    characters = inputs.characters(path)
    if characters is None:
        return path
    skeletons = list(dict.fromkeys(character["files"][0] for character in characters))
    if len(skeletons) > 1:
        raise FormatError(f"means {len(skeletons)} characters with skeletons of their own: choose one", path=path)
    return skeletons[0]


def print_pose(pose: Pose) -> None:
    bones = counted(len(pose.names), "bone")
    show(f"{pose.format}, {pose.time:g} s, {bones}, root at {numbers(pose.root_position)}, heading {pose.root_heading:.6f}")
    width = max(map(len, pose.names))
    for name, matrix in zip(pose.names, pose.matrices, strict=True):
        show(f"{name:{width}} {numbers(matrix[:3, 3])}")


def numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:10.3f}" for value in values)
