"""`pose`: where the bones are at one time, in the game's own axes and units."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable

from ..core import address, formats, log
from ..core.errors import FormatError
from ..core.lba import companions
from ..core.lba.anm import Anm
from ..core.lba.body import Body
from ..core.lba.lm1 import Lm1
from ..core.lba.pose import pose_at, pose_of_keyframe
from ..core.pose import Pose
from . import inputs
from .report import note, show, show_json


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("pose", help="the bones at one time, in the game's own axes and units")
    command.add_argument("file", metavar="FILE", help="an animation, or FILE#ENTRY")
    command.add_argument("--skeleton", metavar="FILE", help="the body, or FILE#ENTRY; one found beside the animation unless given")
    when = command.add_mutually_exclusive_group(required=True)
    when.add_argument("--frame", type=frame, metavar="N", help="the frame, counted from 0")
    when.add_argument("--time", type=seconds, metavar="SECONDS", help="from frame 0; beyond the last key it holds")
    command.add_argument("--interpolation", choices=("slerp", "nlerp"), default="slerp", help="between keys of formats with quaternions")
    inputs.add_game(command)
    inputs.add_json(command)
    command.set_defaults(run=run)


def frame(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def seconds(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def run(arguments: argparse.Namespace) -> int:
    with log.collect() as said:
        pose = pose_of(arguments)
    for line in said.digest("WARNING", "INFO"):
        note(f"{arguments.file}: {line}")
    if arguments.json:
        show_json(pose.document())
    else:
        tell(pose)
    return 0


def pose_of(arguments: argparse.Namespace) -> Pose:
    """Raises FormatError when the animation or the skeleton cannot be used, or has no such frame."""
    opened = formats.open_file(arguments.file)
    anm = opened.document
    if not isinstance(anm, Anm):
        raise FormatError(f"no animation: {opened.format.label}", path=arguments.file)
    path, entry = address.split(opened.address)
    if arguments.skeleton:
        body, given = given_body(arguments.skeleton), True
    else:
        body, given = companions.body_for(path, int(entry) if entry else None, anm.bone_count)[0], False
    game, why = companions.game_of(anm, path, body if given or body.source else None, arguments.game)
    log.info(f"{game.label}: {why}")
    if arguments.frame is None:
        return pose_at(anm, body, game, arguments.time)
    if arguments.frame >= len(anm.frames):
        raise FormatError(f"there is no frame {arguments.frame}; the animation has {len(anm.frames)}, counted from 0", path=arguments.file)
    return pose_of_keyframe(anm, body, game, arguments.frame)


def given_body(skeleton: str) -> Body:
    opened = formats.open_file(skeleton)
    if not isinstance(opened.document, Lm1):
        raise FormatError(f"no body: {opened.format.label}", path=skeleton)
    return Body.from_lm1(opened.document)


def tell(pose: Pose) -> None:
    show(f"{pose.format}, {pose.time:g} s, {len(pose.names)} bones, root at {numbers(pose.root_position)}, heading {pose.root_heading:.6f}")
    width = max(map(len, pose.names))
    for name, matrix in zip(pose.names, pose.matrices, strict=True):
        show(f"{name:{width}} {numbers(matrix[:3, 3])}")


def numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:10.3f}" for value in values)
