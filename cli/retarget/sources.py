"""The files of `retarget`: which are meant, and how they are added to the scene; and which of what they bring is the rig."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ...core.files.file_names import file_name, same_file
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from .. import blender, declared, inputs, scenes
from ..axes import Axes
from ..report import note

_FIGURE = 4
"""Bones of the least figure."""


class Names(NamedTuple):
    """Of all that a scene has of a kind."""

    objects: set[str]
    actions: set[str]
    texts: set[str]

    @classmethod
    def present(cls) -> Names:
        data = blender.module().data
        return cls({obj.name for obj in data.objects}, {action.name for action in data.actions}, {text.name for text in data.texts})


def files(paths: list[str]) -> Iterator[str]:
    """The files meant by `paths`: a folder means all below it that can be sources."""
    for path in paths:
        if not Path(path).is_dir():
            yield path
            continue
        known = inputs.below(path, blender.is_blenders)
        if not known:
            inputs.nothing_below(path)
        yield from known


def without_results(paths: list[str], named: list[str], out: Path, rig: str) -> list[str]:
    """Without the output itself, and what an earlier run wrote beside it and called after clips, where these are only found in a folder.
    named: paths that were given. rig: the name of the armature."""
    from ...io.retarget.result_names import ending

    after_clips = re.compile(rf".+ {re.escape(file_name(ending(rig)))}(\.\d{{3}})?")

    def is_result(path: Path) -> bool:
        if path.suffix.lower() != out.suffix.lower() or same_file(path.parent) != same_file(out.parent):
            return False
        return same_file(path) == same_file(out) or after_clips.fullmatch(path.stem) is not None

    left_out = [path for path in paths if path not in named and is_result(Path(path))]
    if left_out:
        count = f" and {len(left_out) - 1} more are" if len(left_out) > 1 else " is"
        note(f"{left_out[0]}{count} no source here, but what this command writes: name a file itself to have it retargeted")
    return [path for path in paths if path not in left_out]


def groups(paths: list[str]) -> Iterator[list[str]]:
    """Files that are opened together: those of games, so that they find their characters, and each of the others alone."""
    ours = [path for path in paths if not blender.is_blenders(path)]
    if ours:
        yield ours
    yield from ([path] for path in paths if blender.is_blenders(path))


def open_rig(arguments: argparse.Namespace) -> Any:
    """The armature of the rig's file, in an empty scene. Raises RetroAnimError where there is none."""
    path: str = arguments.onto
    own_axes = Axes.of(arguments, "onto-")
    own_axes.check([path])
    blender.empty_scene()
    if path.lower().endswith(".blend"):
        blender.load(path)
        return _rig(path, set())
    before = Names.present().objects
    add([path], arguments, "", own_axes)
    return _rig(path, before)


def add(paths: list[str], arguments: argparse.Namespace, skeleton: str, file_axes: Axes | None = None, *, keep_rate: bool = False) -> None:
    """Add files to the scene. keep_rate: a game's clips, whose keys stand at times, come in at the scene's rate."""
    from ...io.pipeline import games

    if blender.is_blenders(paths[0]):
        blender.add(paths[0], file_axes)
    else:
        _deselect()
        rate = {"fps_mode": "KEEP"} if keep_rate else {}
        values = scenes.COMPLETE | rate | declared.game_values(arguments) | {"skeleton": skeleton}
        games.import_files(blender.module().context, paths, values)


def rate() -> tuple[int, float]:
    """Frames a second, by the scene's two numbers."""
    render = blender.module().context.scene.render
    return render.fps, render.fps_base


def set_rate(wanted: tuple[int, float] | None) -> None:
    """What `rate` gave; None changes nothing."""
    if wanted is not None:
        render = blender.module().context.scene.render
        render.fps, render.fps_base = wanted


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
