"""Clips of files, one file after the other, onto a rig: opened beside it, retargeted, and removed again."""

from __future__ import annotations

import argparse
from collections.abc import Hashable
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ...core.reporting import log, progress
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from ...core.retarget.figures.figure import Figure
from ...core.retarget.figures.maps import map_library
from ...core.retarget.figures.maps.bone_map import BoneMap
from ...core.retarget.mapping import mapping
from ...core.retarget.options import RetargetOptions
from ...core.retarget.reports.report import Report
from .. import blender, unused
from ..axes import Axes
from ..report import note
from . import sources
from .sources import Names
from .wording import as_options

_FASTEST = 120
"""Frames a second at which somebody would still work: of a game with more time units a frame is several of them."""

_MANY = 10
"""Clips in a file, from where on their number is reported while they are worked on."""


class Run:
    """paths: of the files. rig: the armature in its scene, in which nothing of the files stays but what is retargeted. actions: names of
    its new actions. reports: of each. origins: the file of each, "" where several were
    opened together. Raises RetroAnimError where there is no file, or no rig."""

    def __init__(self, arguments: argparse.Namespace, options: RetargetOptions) -> None:
        from ...io.retarget.target_cache import Known

        self._arguments, self._options = arguments, options
        self._given = map_library.load(arguments.map) if arguments.map else None
        self.paths = list(sources.files(arguments.files))
        if not self.paths:
            raise RetroAnimError("there is no file to retarget")
        Axes.of(arguments).check(self.paths)
        self.rig = sources.open_rig(arguments)
        self.paths = sources.without_results(self.paths, arguments.files, arguments.output, self.rig.name)
        if not self.paths:
            raise RetroAnimError("there is no file to retarget but what this command has written")
        unused.report(arguments, self.paths, arguments.output.suffix.lower(), rig=arguments.onto)
        self._known = Known(self.rig)
        self._own = own_actions(self.rig)
        self.actions: list[str] = []
        self.reports: list[Report] = []
        self.origins: list[str] = []
        self._rate = _staying_rate(self.rig, self._own, arguments)  # frames a second, by a scene's two numbers
        self._offered: list[str] = []  # actions that there were to choose from
        self._beside: set[str] = set()  # actions and objects that came along, and actions of earlier runs that stay
        self._maps: dict[Hashable, BoneMap] = {}  # by the sources' skeletons

    def retarget(self) -> None:
        """All files. What fails beside others that work is logged as an error. Raises RetroAnimError when nothing could be retargeted."""
        groups, failures = list(sources.groups(self.paths)), list[RetroAnimError]()
        for number, group in enumerate(groups, 1):
            before, count = Names.present(), len(self.actions)
            name = Path(group[0]).name if len(group) == 1 else f"{len(group)} files"
            try:
                self._group(group, before)
            except RetroAnimError as error:
                problem = str(error) if group[0] in str(error) else f"{group[0]}: {as_options(str(error))}"
                failures.append(RetroAnimError(problem))
            finally:
                self.origins += [group[0] if len(group) == 1 else ""] * (len(self.reports) - len(self.origins))
                self._forget(before)
            if len(groups) > 1:
                note(f"[{number}/{len(groups)}] {name}: {counted(len(self.actions) - count, 'clip')}")
        if failures and not self.actions:
            raise failures[0]
        for failure in failures:
            log.error(str(failure))
        if not self.actions:
            there = ", ".join(sorted(set(self._offered))[:20]) or "none"
            raise RetroAnimError(f"no action is called {' or '.join(self._arguments.actions)}; there are: {there}")
        if not self._arguments.keep_actions:
            self._leave_out()
        sources.set_rate(self._rate)

    def _group(self, group: list[str], before: Names) -> None:
        """Files that are opened together. before: what the scene has without them."""
        bpy = blender.module()
        sources.set_rate(self._rate)
        sources.add(group, self._arguments, self._arguments.skeleton or "", Axes.of(self._arguments), keep_rate=self._rate is not None)
        self._rate = self._rate or sources.rate()
        any_there = False
        armatures = [obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj.name not in before.objects]
        for source in armatures:
            names = (source.name,) if self._options.nla else self._chosen(source, before.actions | _others(source, armatures))
            any_there = any_there or bool(names) or bool(self._arguments.actions and self._offered)
            if names:
                self._onto_rig(source, names)
        if not any_there:
            raise RetroAnimError(f"{group[0]}: there is no animation in it")

    def _chosen(self, source: Any, known: set[str]) -> tuple[str, ...]:
        """The names of the armature's actions that are wanted. known: of those that are not the file's, or are another's."""
        from ...io.retarget.reading import source_actions

        patterns = self._arguments.actions
        there = [name for name in source_actions.clip_names(source) if name not in known]
        self._offered += there
        return tuple(name for name in there if not patterns or any(fnmatchcase(name, pattern) for pattern in patterns))

    def _onto_rig(self, source: Any, names: tuple[str, ...]) -> None:
        from ...io.retarget import earlier
        from ...io.retarget import retarget as job
        from ...io.retarget.reading import clips
        from ...io.retarget.reading.read import figure_of

        bpy = blender.module()
        bone_map = self._given or self._mapped(figure_of(source))
        if not bone_map.pairs and not bone_map.chains:
            raise RetroAnimError(f"no bone of {self.rig.name} is like one of {source.name}; give a map")
        if self._arguments.save_map:
            map_library.save(self._arguments.save_map, bone_map)
        options = replace(self._options, actions=() if self._options.nla else names, assign=not self.actions)
        count = len(names)

        def tell(share: float) -> None:
            if count >= _MANY:
                note(f"[{round(share * count) + 1}/{count}] {names[min(round(share * count), count - 1)]}")

        with progress.listen(tell):
            result = job.retarget_actions(bpy.context, source, self.rig, bone_map, options, known=self._known)
        present = sources.rate()
        fps, fps_base = self._rate or present
        factor = fps / fps_base / (present[0] / present[1])
        moving = [prop.animation_data.action for prop in result.props if prop.animation_data and prop.animation_data.action]
        for action in (*result.actions, *result.beside, *moving):
            clips.retime(action, factor)
        for action in result.actions if factor != 1 else ():
            earlier.renew(action, self.rig)
        self._beside |= {item.name for item in (*result.beside, *result.props, *result.staying, *moving)}
        self.actions += [action.name for action in result.actions]
        self.reports += result.reports

    def _mapped(self, source: Figure) -> BoneMap:
        """The map from a source's skeleton, the same for all files that have it."""
        from ...io.retarget.reading.read import figure_of

        known = self._maps.get(source.identity)
        if known is None:
            known = self._maps[source.identity] = mapping.map_bones(source, figure_of(self.rig))
        return known

    def _forget(self, before: Names) -> None:
        """Remove what came with the sources."""
        data = blender.module().data
        kept = before.actions | set(self.actions) | self._beside
        gone = [
            *(obj for obj in data.objects if obj.name not in before.objects | self._beside),
            *(action for action in data.actions if action.name not in kept),
        ]
        data.batch_remove([*gone, *(text for text in data.texts if text.name not in before.texts)])

    def _leave_out(self) -> None:
        """Only the wanted clips are in the result."""
        data = blender.module().data
        for track in list(self.rig.animation_data.nla_tracks):
            self.rig.animation_data.nla_tracks.remove(track)
        data.batch_remove([data.actions[name] for name in self._own - set(self.actions) - self._beside])


def _staying_rate(rig: Any, own: set[str], arguments: argparse.Namespace) -> tuple[int, float] | None:
    """The rate of the result: that of the rig's scene, where clips in it may stay or set it to that of their game; of a game's character
    without clips its time units, unless they are finer than any scene; else None: the first source's is taken. own: the names of the rig's
    actions, shown or not."""
    from ...io.blender import identity, scene
    from ...io.retarget import game

    units = identity.rate_of(rig) if game.game_of(rig) is not None else None
    bpy = blender.module()
    stay = own if arguments.keep_actions else [name for name in own if bpy.data.actions[name].get(identity.RETARGETED) == rig.name]
    if stay or (units is not None and scene.animated(bpy.context.scene)):
        return sources.rate()
    return (round(units), 1.0) if units is not None and units <= _FASTEST else None


def _others(source: Any, sources: list[Any]) -> set[str]:
    """The names of actions that other armatures play and this one does not: with the same bones they would fit it, too."""
    from ...io.retarget.reading.source_actions import played

    theirs = set[Any]().union(*(played(other) for other in sources if other != source)) - played(source)
    return {action.name for action in theirs}


def own_actions(rig: Any) -> set[str]:
    """The names of the actions that move the rig's bones, those of its NLA among them."""
    from ...io.retarget.reading import source_actions

    return {action.name for action in source_actions.played(rig).union(source_actions.actions_of(rig))}
