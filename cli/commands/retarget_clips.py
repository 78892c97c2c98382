"""The sources of `retarget`, one file after the other: opened beside the rig, retargeted, and removed again."""

from __future__ import annotations

import argparse
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ...core.reporting import log, progress
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from ...core.retarget.figures import map_library
from ...core.retarget.figures.bone_map import BoneMap
from ...core.retarget.figures.figure import Figure
from ...core.retarget.mapping import mapping
from ...core.retarget.options import RetargetOptions
from ...core.retarget.reports.report import Report
from .. import blender, declared, inputs, scenes
from ..axes import Axes
from ..report import note
from . import convert

_FIGURE = 4
"""Bones of the least figure."""

_MANY = 10
"""Clips in a file, from where on their number is reported while they are worked on."""


@dataclass
class Outcome:
    """The rig, the names of its new actions, their reports. rate: frames a second, by a scene's two numbers. offered: the actions
    that there were to choose from. beside: names of the actions and objects that came along, and of the actions of earlier runs that
    stay. maps: by the sources' skeletons. known: of the rig."""

    rig: Any
    actions: list[str] = field(default_factory=list[str])
    reports: list[Report] = field(default_factory=list[Report])
    loose: bool = False
    rate: tuple[int, float] | None = None
    offered: list[str] = field(default_factory=list[str])
    beside: set[str] = field(default_factory=set[str])
    maps: dict[Hashable, BoneMap] = field(default_factory=dict[Hashable, BoneMap])
    known: Any = None


def retarget(arguments: argparse.Namespace, options: RetargetOptions) -> Outcome:
    """The rig with its new actions in a scene where nothing of the sources is left. What failed beside others that worked is logged as an
    error. Raises RetroAnimError when nothing could be retargeted."""
    from ...io.retarget.target_cache import Known

    given = map_library.load(arguments.map) if arguments.map else None
    paths = list(_files(arguments.files))
    if not paths:
        raise RetroAnimError("there is no file to retarget")
    blender.empty_scene()
    if arguments.onto.lower().endswith(".blend"):
        blender.load(arguments.onto)
        rig = _rig(arguments.onto, set())
    else:
        rig = _rig(arguments.onto, _open([arguments.onto], arguments, ""))
    own = _own_actions(rig)
    outcome = Outcome(rig, loose=any(convert.is_loose(path) for path in paths), known=Known(rig))
    groups, failures = list(_groups(paths)), list[RetroAnimError]()
    for number, group in enumerate(groups, 1):
        known, before = _names(), len(outcome.actions)
        name = Path(group[0]).name if len(group) == 1 else f"{len(group)} files"
        try:
            _group(group, known, given, outcome, arguments, options)
        except RetroAnimError as error:
            problem = str(error) if group[0] in str(error) else f"{group[0]}: {error}"
            failures.append(RetroAnimError(problem))
        finally:
            _forget(known, outcome)
        if len(groups) > 1:
            count = len(outcome.actions) - before
            note(f"[{number}/{len(groups)}] {name}: {counted(count, 'clip')}")
    if failures and not outcome.actions:
        raise failures[0]
    for failure in failures:
        log.error(str(failure))
    if not outcome.actions:
        there = ", ".join(sorted(set(outcome.offered))[:20]) or "none"
        raise RetroAnimError(f"no action is called {' or '.join(arguments.actions)}; there are: {there}")
    if not arguments.keep_actions:
        _leave_out(rig, own, outcome)
    _set_rate(outcome)
    return outcome


def _group(
    group: list[str],
    known: tuple[set[str], set[str], set[str]],
    given: BoneMap | None,
    outcome: Outcome,
    arguments: argparse.Namespace,
    options: RetargetOptions,
) -> None:
    bpy = blender.module()
    _open(group, arguments, arguments.skeleton or "", Axes.of(arguments))
    rate = bpy.context.scene.render.fps, bpy.context.scene.render.fps_base
    outcome.rate = outcome.rate or rate
    any_there = False
    sources = [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj.name not in known[0]]
    for source in sources:
        names = (source.name,) if options.nla else _chosen(source, known[1] | _others(source, sources), arguments.actions, outcome)
        any_there = any_there or bool(names) or bool(arguments.actions and outcome.offered)
        if names:
            _onto(source, names, given, outcome, arguments, options)
    if not any_there:
        raise RetroAnimError(f"{group[0]}: there is no animation in it")


def _others(source: Any, sources: list[Any]) -> set[str]:
    """The names of actions that other armatures play and this one does not: with the same bones they would fit it, too."""
    from ...io.retarget.reading.source_actions import used_by

    return set[str]().union(*(used_by(other) for other in sources if other != source)) - used_by(source)


def _chosen(source: Any, known: set[str], patterns: list[str], outcome: Outcome) -> tuple[str, ...]:
    """The names of the armature's actions that are wanted. known: of those that are not the file's, or are another's."""
    from ...io.retarget.reading import source_actions

    there = [name for name in source_actions.clip_names(source) if name not in known]
    outcome.offered += there
    return tuple(name for name in there if not patterns or any(fnmatchcase(name, pattern) for pattern in patterns))


def _onto(
    source: Any, names: tuple[str, ...], given: BoneMap | None, outcome: Outcome, arguments: argparse.Namespace, options: RetargetOptions
) -> None:
    from ...io.retarget import earlier
    from ...io.retarget import retarget as job
    from ...io.retarget.reading import clips
    from ...io.retarget.reading.read import figure_of

    bpy = blender.module()
    bone_map = given or _mapped(figure_of(source), outcome)
    if not bone_map.pairs and not bone_map.chains:
        raise RetroAnimError(f"no bone of {outcome.rig.name} is like one of {source.name}; give a map")
    if arguments.save_map:
        map_library.save(arguments.save_map, bone_map)
    options = replace(options, actions=() if options.nla else names, assign=not outcome.actions)
    count = len(names)

    def tell(share: float) -> None:
        if count >= _MANY:
            note(f"[{round(share * count) + 1}/{count}] {names[min(round(share * count), count - 1)]}")

    with progress.listen(tell):
        result = job.retarget_actions(bpy.context, source, outcome.rig, bone_map, options, known=outcome.known)
    rate, first = bpy.context.scene.render, outcome.rate or (1, 1.0)
    factor = (first[0] / first[1]) / (rate.fps / rate.fps_base)
    moving = [prop.animation_data.action for prop in result.props if prop.animation_data and prop.animation_data.action]
    for action in (*result.actions, *result.beside, *moving):
        clips.retime(action, factor)
    for action in result.actions if factor != 1 else ():
        earlier.renew(action, outcome.rig)
    outcome.beside |= {item.name for item in (*result.beside, *result.props, *result.staying, *moving)}
    outcome.actions += [action.name for action in result.actions]
    outcome.reports += result.reports


def _mapped(source: Figure, outcome: Outcome) -> BoneMap:
    """The map from a source's skeleton, the same for all files that have it."""
    from ...io.retarget.reading.read import figure_of

    known = outcome.maps.get(source.identity)
    if known is None:
        known = outcome.maps[source.identity] = mapping.map_bones(source, figure_of(outcome.rig))
    return known


def _files(paths: list[str]) -> Iterator[str]:
    """The files meant by `paths`: a folder means all below it that can be sources."""
    for path in paths:
        if not Path(path).is_dir():
            yield path
            continue
        theirs = [str(file) for file in Path(path).rglob("*") if file.is_file() and blender.is_blenders(str(file))]
        both = sorted({*theirs, *inputs.below(path)})
        if not both:
            inputs.nothing_below(path)
        yield from both


def _groups(paths: list[str]) -> Iterator[list[str]]:
    """Files that are opened together: those of games, so that they find their characters, and each of the others alone."""
    ours = [path for path in paths if not blender.is_blenders(path)]
    if ours:
        yield ours
    yield from ([path] for path in paths if blender.is_blenders(path))


def _open(paths: list[str], arguments: argparse.Namespace, skeleton: str, file_axes: Axes | None = None) -> set[str]:
    """Add files to the scene. Returns the names of the objects that were there before."""
    from ...io.pipeline import games

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
    """The armature of the rig's file: the active one, unless that is a mere prop's beside others; the one made by Rigify, else the one with
    the most bones."""
    bpy = blender.module()
    armatures = [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj.name not in before]
    if not armatures:
        raise RetroAnimError(f"{path}: there is no armature in it")
    active = bpy.context.view_layer.objects.active
    best = max(armatures, key=lambda obj: ("rig_id" in obj.data, len(obj.data.bones)))
    if active in armatures and not before and len(active.data.bones) >= min(_FIGURE, len(best.data.bones)):
        best = active
    if len(armatures) > 1:
        log.warning(f"{path} has {len(armatures)} armatures; {best.name} was taken")
    return best


def _names() -> tuple[set[str], set[str], set[str]]:
    """Of all objects, actions and texts."""
    data = blender.module().data
    return {obj.name for obj in data.objects}, {action.name for action in data.actions}, {text.name for text in data.texts}


def _own_actions(rig: Any) -> set[str]:
    """The names of the actions that move the rig's bones before anything is retargeted, those of its NLA among them."""
    from ...io.retarget.reading import source_actions

    tracks = rig.animation_data.nla_tracks if rig.animation_data else ()
    return {action.name for action in source_actions.actions_of(rig)} | {
        strip.action.name for track in tracks for strip in track.strips if strip.action is not None
    }


def _leave_out(rig: Any, own: set[str], outcome: Outcome) -> None:
    """Only the wanted clips are in the result."""
    data = blender.module().data
    for track in list(rig.animation_data.nla_tracks):
        rig.animation_data.nla_tracks.remove(track)
    data.batch_remove([data.actions[name] for name in own - set(outcome.actions) - outcome.beside])


def _set_rate(outcome: Outcome) -> None:
    """All clips are at the rate of the first."""
    if outcome.rate is not None:
        render = blender.module().context.scene.render
        render.fps, render.fps_base = outcome.rate


def _forget(known: tuple[set[str], set[str], set[str]], outcome: Outcome) -> None:
    """Remove what came with the sources."""
    data = blender.module().data
    kept = known[1] | set(outcome.actions) | outcome.beside
    gone = [
        *(obj for obj in data.objects if obj.name not in known[0] | outcome.beside),
        *(action for action in data.actions if action.name not in kept),
    ]
    data.batch_remove([*gone, *(text for text in data.texts if text.name not in known[2])])
