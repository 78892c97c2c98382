"""Tales of Pirates: from the bytes of the largest skeleton file to an action, against the bare writer, in the same run.

    python -m retro_anim.benchmarks.mindpower [--runs 7] [--game-data FOLDER]

in a Python that has Blender's module. The folder is the one with mindpower/ in it; it may also be named by RETRO_ANIM_GAME_DATA.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import bpy

from ..core.mindpower.files.skeleton.lab import Lab
from ..core.mindpower.motion import fitting
from ..core.mindpower.motion.channels import BoneNames, blocks_of
from ..core.mindpower.motion.rig import LabRig
from ..core.motion.curves import Timing
from ..core.motion.rotations.rotation_matrix import Floats
from ..core.reporting.labels import unique
from ..io.blender.motion import actions
from ..io.mindpower.build import ImportOptions, import_mindpower
from ..io.mindpower.figure import figure_read
from . import yardstick


def main() -> None:
    arguments = yardstick.parser(__doc__, runs=7)
    yardstick.add_game_data(arguments)
    given = arguments.parse_args()
    source = yardstick.game_folder(given, "mindpower") / "animation" / "0001.lab"
    yardstick.say_where(given)
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / source.name  # away from its client, so that nothing but the skeleton and its motion comes in
        path.write_bytes(source.read_bytes())
        _one_action(path, given.runs)
    _client(source, given.runs)


def _one_action(path: Path, runs: int) -> None:
    """The whole time line as one action."""
    data = path.read_bytes()

    def whole() -> object:
        return import_mindpower(bpy.context, ImportOptions((str(path),), fps_mode="SET"))

    grown = yardstick.growth(whole)
    yardstick.fresh()
    imported = import_mindpower(bpy.context, ImportOptions((str(path),), fps_mode="SET"))
    obj = imported.armatures[0]
    kept = [yardstick.curves_of(imported.actions[0], obj)]
    rest = figure_read.read(obj).rig.rest

    times = yardstick.interleaved_times(
        {"bytes to action": lambda: to_action(data, rest), "bare writer": lambda: yardstick.write(kept), "whole import": whole}, runs
    )
    _table(f"0001.lab as one action, memory {grown:.1f} MB more", times, kept)


def to_action(data: bytes, rest: Floats) -> list[bpy.types.Action]:
    """A skeleton file's whole time line as an action. rest: (bones, 4, 4) its bones in Blender."""
    lab = Lab.parse(data)
    rig = LabRig.of(lab).with_rest(rest)
    names = BoneNames(unique(lab.names))
    blocks = blocks_of(fitting.fit(lab, rig, choose=True), names, 0, lab.frame_count, Timing(30.0, 30.0))
    return actions.write(bpy.data.objects.new("owner", bpy.data.armatures.new("owner")), [blocks])


def _client(path: Path, runs: int) -> None:
    """As a person opens it: meshes, textures, dummies, and an action for every range."""

    def whole() -> object:
        return import_mindpower(bpy.context, ImportOptions((str(path),), fps_mode="SET"))

    yardstick.fresh()
    imported = import_mindpower(bpy.context, ImportOptions((str(path),), fps_mode="SET"))
    kept = [yardstick.curves_of(action, imported.armatures[0]) for action in imported.actions]
    times = yardstick.interleaved_times({"bare writer": lambda: yardstick.write(kept), "whole import": whole}, runs)
    _table(f"0001.lab in its client's folder, {len(imported.actions)} actions", times, kept)


def _table(title: str, times: dict[str, float], kept: list[list[yardstick.Curve]]) -> None:
    keys = sum(len(curve.interpolation) for clip in kept for curve in clip)
    print(f"{title}: {sum(map(len, kept))} curves, {keys} keys")
    for name, seconds in times.items():
        share = times["bare writer"] / seconds
        print(f"  {name:16} {1000 * seconds:8.1f} ms  {keys / seconds / 1e6:6.2f} million keys a second  {share:6.1%} of the bare writer")


if __name__ == "__main__":
    main()
    yardstick.leave()
