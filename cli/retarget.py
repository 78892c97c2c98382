"""`retarget`: animations of any file onto any rig, with a report of how well each went."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..core.files.disk import file_name
from ..core.reporting import log
from ..core.reporting.errors import RetroAnimError
from ..core.retarget.figures import map_library
from ..core.retarget.figures.bone_map import BoneMap
from ..core.retarget.mapping import mapping
from ..core.retarget.options import Options, RetargetOptions
from ..core.retarget.report import Report
from . import axes, blender, convert, declared, inputs, scenes
from .axes import Axes
from .commands import Commands
from .report import fail, note, show, show_json


def add_to(commands: Commands) -> None:
    command = commands.add_parser("retarget", help="give animations to another rig, with a report")
    command.add_argument("files", nargs="+", metavar="FILE", help="a game's file, FILE#ENTRY, .blend, .glb, .gltf, .fbx or .bvh")
    command.add_argument("--onto", metavar="RIG", required=True, help="a .blend, .glb, .gltf, .fbx, .bvh, or a game's skeleton")
    command.add_argument("--map", metavar="MAP.json", default="", help="which bone follows which; by names and structure unless given")
    command.add_argument("--save-map", metavar="MAP.json", default="", help="write the bone map that was used")
    command.add_argument(
        "-o", "--output", metavar="OUT", required=True, type=convert.output, help=f"ends in one of {' '.join(convert.WRITTEN)}"
    )
    declared.add(command, Options)
    declared.add(command, RetargetOptions)
    declared.add_games(command)
    inputs.add_json(command)
    axes.add_to(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    blender.module()
    out: Path = arguments.output
    for path in (out, Path(arguments.save_map or out)):
        if not path.absolute().parent.is_dir():
            raise RetroAnimError(f"{path}: there is no such folder")
    options = RetargetOptions(Options(**declared.values(Options, arguments)), **declared.values(RetargetOptions, arguments))
    with log.collect() as said:
        outcome = retarget(arguments, options)
        written = _write(outcome, out, arguments)
    for line in said.digest("WARNING"):
        note(line)
    problems = said.of("ERROR")
    for problem in problems:
        fail(str(problem))
    if arguments.json:
        show_json({"reports": [report.document() for report in outcome.reports], "written": written})
    else:
        for report in outcome.reports:
            show(report.name)
            for line in report.lines():
                show(f"  {line}")
        for path in written:
            show(path)
    return 1 if problems else 0


@dataclass
class Outcome:
    """The rig, the names of its new actions, their reports."""

    rig: Any
    actions: list[str]
    reports: list[Report]
    loose: bool = False


def retarget(arguments: argparse.Namespace, options: RetargetOptions) -> Outcome:
    """The rig with its new actions in a scene where nothing of the sources is left. Raises RetroAnimError."""
    bpy = blender.module()
    given = map_library.load(arguments.map) if arguments.map else None
    paths = list(inputs.files(arguments.files))
    if not paths:
        raise RetroAnimError("there is no file to retarget")
    blender.empty_scene()
    if arguments.onto.lower().endswith(".blend"):
        blender.load(arguments.onto)
        rig = _rig(arguments.onto, set())
    else:
        rig = _rig(arguments.onto, _open([arguments.onto], arguments, ""))
    outcome = Outcome(rig, [], [], any(convert.is_loose(path) for path in paths))
    rates: set[float] = set()
    for group in _groups(paths):
        known = _names()
        _open(group, arguments, arguments.skeleton or "", Axes.of(arguments))
        rates.add(bpy.context.scene.render.fps / bpy.context.scene.render.fps_base)
        sources = [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj.name not in known[0]]
        moving = [obj for obj in sources if obj.animation_data and obj.animation_data.action]
        if not moving:
            raise RetroAnimError(f"{group[0]}: there is no animation in it")
        for source in moving:
            _onto(source, given, outcome, arguments, options)
        _forget(known, outcome)
    if len(rates) > 1:
        log.warning(f"the files have different frame rates ({', '.join(f'{rate:g}' for rate in sorted(rates))}): retarget them one by one")
    return outcome


def _onto(source: Any, given: BoneMap | None, outcome: Outcome, arguments: argparse.Namespace, options: RetargetOptions) -> None:
    from ..io.retarget import retarget as job
    from ..io.retarget.read import figure_of

    bone_map = given or mapping.map_bones(figure_of(source), figure_of(outcome.rig))
    if not bone_map.pairs and not bone_map.chains:
        raise RetroAnimError(f"no bone of {outcome.rig.name} is like one of {source.name}; give a map")
    if arguments.save_map:
        map_library.save(arguments.save_map, bone_map)
    names = tuple(action.name for action in job.actions_of(source))
    options = replace(options, actions=names, assign=not outcome.actions)
    result = job.retarget_actions(blender.module().context, source, outcome.rig, bone_map, options)
    outcome.actions += [action.name for action in result.actions]
    outcome.reports += result.reports


def _groups(paths: list[str]) -> Iterator[list[str]]:
    """Files that are opened together: those of games, so that they find their characters, and each of the others alone."""
    ours = [path for path in paths if not blender.is_blenders(path)]
    if ours:
        yield ours
    yield from ([path] for path in paths if blender.is_blenders(path))


def _open(paths: list[str], arguments: argparse.Namespace, skeleton: str, file_axes: Axes | None = None) -> set[str]:
    """Add files to the scene. Returns the names of the objects that were there before."""
    from ..io.pipeline import games

    before = _names()[0]
    if blender.is_blenders(paths[0]):
        blender.add(paths[0], file_axes)
    else:
        _deselect()
        values = scenes.COMPLETE | declared.game_values(arguments) | {"skeleton": skeleton}
        games.import_files(blender.module().context, paths, values)
    return before


def _deselect() -> None:
    """So that a game's animation does not take an armature that is there for its own."""
    context = blender.module().context
    for obj in context.selected_objects:
        obj.select_set(False)
    context.view_layer.objects.active = None


def _rig(path: str, before: set[str]) -> Any:
    """The armature of the rig's file: the active one, the one made by Rigify, else the one with the most bones."""
    bpy = blender.module()
    armatures = [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj.name not in before]
    if not armatures:
        raise RetroAnimError(f"{path}: there is no armature in it")
    active = bpy.context.view_layer.objects.active
    best = active if active in armatures and not before else max(armatures, key=lambda obj: ("rig_id" in obj.data, len(obj.data.bones)))
    if len(armatures) > 1:
        log.warning(f"{path} has {len(armatures)} armatures; {best.name} was taken")
    return best


def _names() -> tuple[set[str], set[str], set[str]]:
    """Of all objects, actions and texts."""
    data = blender.module().data
    return {obj.name for obj in data.objects}, {action.name for action in data.actions}, {text.name for text in data.texts}


def _forget(known: tuple[set[str], set[str], set[str]], outcome: Outcome) -> None:
    """Remove what came with the sources."""
    data = blender.module().data
    kept = known[1] | set(outcome.actions)
    gone = [
        *(obj for obj in data.objects if obj.name not in known[0]),
        *(action for action in data.actions if action.name not in kept),
    ]
    data.batch_remove([*gone, *(text for text in data.texts if text.name not in known[2])])


def _write(outcome: Outcome, out: Path, arguments: argparse.Namespace) -> list[str]:
    """The rig and its new actions. Returns the paths."""
    if not outcome.actions:
        raise RetroAnimError("nothing was retargeted")
    data, kind = blender.module().data, out.suffix.lower()
    if kind in blender.IMPORTED and kind != ".bvh":
        blender.save(out)
        return [str(out)]
    written: list[str] = []
    names = outcome.actions[:1] if convert.holds(out, "character") else outcome.actions
    for name in names:
        alone = len(names) == 1 or convert.holds(out, "archive")
        path = out if alone else out.with_name(f"{file_name(name)}{out.suffix}")
        if not alone:
            inputs.refuse_unnamed(path, written, bool(arguments.overwrite))
        scenes.make_current(outcome.rig, data.actions[name])
        written += convert.write_clip(path, outcome.loose or not blender.is_blenders(arguments.onto), arguments)
    return written
