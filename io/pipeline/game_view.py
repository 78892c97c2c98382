"""A character as its game shows it: camera, light and floor of the game's row, for a while and without a trace.

Nothing of the character is changed: what a clip goes on at each repetition, its root motion, moves the stage under it the other way.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import bpy
from mathutils import Matrix, Vector

from ...core.declare.game import Game
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from ..blender import armature, compat, new_objects, parenting
from ..blender.paths import data_path
from ..blender.surface import skinned
from . import game_stage, modules
from .game_stage import NAME
from .loops import playing
from .loops.playing import Played
from .scene_before import KINDS, Before


@dataclass(eq=False)
class GameView:
    """One that is shown. scene: its session_uid. obj, action: names. played: of the action. events: (frame, text) of its markers. travel:
    (4, 4) what the character does in one loop, in the scene. undo: gives back what the scene was like."""

    scene: int
    obj: str
    action: str = ""
    played: Played = field(default_factory=lambda: Played(1, 1, 1))
    events: tuple[tuple[int, str], ...] = ()
    travel: Matrix = field(default_factory=Matrix)
    stage: str = ""
    pivot: str = ""
    undo: ExitStack = field(default_factory=ExitStack)
    _before: int | None = None

    def close(self) -> None:
        """Give everything back, and remove what was made."""
        self.undo.close()

    def frame_changed(self, scene: bpy.types.Scene, playing_now: bool) -> list[str]:
        """After a change of frame: the events that have passed. In playback from the loop's second half back into its first it repeats, for
        which the stage moves on; any other step back starts anew."""
        obj = bpy.data.objects.get(self.obj)
        if obj is None or scene.session_uid != self.scene:
            return []
        self.follow(obj)
        now, before = scene.frame_current, self._before
        self._before = now
        if before is None or before == now:
            return self._events(now, now)
        if now > before:
            return self._events(before + 1, now)
        middle = (self.played.start + self.played.end) / 2
        if playing_now and self.played.start <= now <= middle <= before:
            self._move_stage(self.travel.inverted_safe())
            return self._events(before + 1, self.played.end) + self._events(self.played.start, now)
        self._move_stage()
        return self._events(now, now)

    def _move_stage(self, by: Matrix | None = None) -> None:
        """By a matrix, else to where it began; unless somebody has deleted it."""
        stage = bpy.data.objects.get(self.stage)
        if stage is not None:
            stage.matrix_basis = Matrix() if by is None else by @ stage.matrix_basis

    def _events(self, first: int, last: int) -> list[str]:
        return [text for frame, text in self.events if first <= frame <= last]

    def follow(self, obj: bpy.types.Object) -> None:
        """Take the armature's present action, if that is another one."""
        action = obj.animation_data.action if obj.animation_data is not None else None
        if action is None or action.name == self.action:
            return
        self._move_stage()
        self.action, self._before = action.name, None
        self.played = playing.played(action)
        self.events = tuple(sorted((marker.frame, marker.name) for marker in action.pose_markers))
        mover = _mover(obj, action)
        self.travel = _travel(obj, action, mover)
        pivot: Any = bpy.data.objects.get(self.pivot)  # somebody may have deleted it, or what moves it
        for limit in pivot.constraints if pivot is not None else ():
            if limit.type == "COPY_LOCATION":
                limit.target, limit.subtarget = obj, mover


def show(context: bpy.types.Context, obj: bpy.types.Object, game: Game, fills: bool = True, outdoors: bool = False) -> GameView:
    """Show an armature and its action as its game does. fills: whether the character fills the picture; else it is as large as on the
    game's screen, where that is known. outdoors: by the camera that the game has under the sky.

    Raises RetroAnimError for an armature without an action, for one that is scaled to nothing, and where the game has no such camera."""
    action = obj.animation_data.action if obj.animation_data is not None else None
    if action is None:
        raise RetroAnimError(f"{obj.name} has no action: choose one of its clips")
    skinned.world_of(obj)
    scene, view = context.scene, game.view
    if outdoors:
        variant = str(action.get(game.variant, armature.data_of(obj).get(game.variant, "")))
        if variant not in game.outdoors:
            raise RetroAnimError(f"the game of {obj.name} has one camera: choose Indoors")
        view = game.outdoors[variant]
    result = GameView(scene.session_uid, obj.name)
    with ExitStack() as failing:
        failing.push(result.undo)
        before = Before(scene)
        result.undo.callback(before.give_back)
        collection = bpy.data.collections.new(NAME)
        scene.collection.children.link(collection)
        _alone(scene, obj, before)
        _dress(context, obj, game, collection, before)
        result.stage, result.pivot = game_stage.build(scene, obj, game, view, collection, fills)
        result.follow(obj)
        if scene.render.engine != "CYCLES":
            scene.view_settings.view_transform = "Standard"
        playing.show(scene, action)
        before.keep(collection)
        failing.pop_all()
    return result


def _alone(scene: Any, obj: bpy.types.Object, before: Before) -> None:
    """Whatever else is in the scene is hidden: it would stand in front of the character, or light it."""
    own = {obj, *obj.children_recursive}
    for other in scene.objects:
        if other not in own and not other.hide_viewport:
            before.hides(other)
            other.hide_viewport = True


def _dress(context: bpy.types.Context, obj: bpy.types.Object, game: Game, collection: bpy.types.Collection, before: Before) -> None:
    """The character as the game draws it, instead of its meshes."""
    if not game.view.dressed:
        return
    known = {kind: {block.as_pointer() for block in getattr(bpy.data, kind)} for kind in KINDS}
    try:
        with new_objects.making() as new:
            hidden = modules.module(game, "game_view").dressed(context, obj)
    except RetroAnimError as error:
        log.info(f"shown with its own materials: {error}")
        return
    finally:
        for kind in KINDS:
            for block in getattr(bpy.data, kind):
                if block.as_pointer() not in known[kind] and not block.name.startswith(NAME):
                    block.name = f"{NAME} {block.name}"
    for mesh in new.taken():
        mesh.hide_select = True
        collection.objects.link(mesh)
    for mesh in hidden:
        before.hides(mesh)
        mesh.hide_viewport = mesh.hide_render = True


def _mover(obj: bpy.types.Object, action: bpy.types.Action) -> str:
    """The bone that carries the root motion, "" for the object itself."""
    paths = {curve.data_path for curve in compat.curves(action, obj)}
    if "location" in paths or "rotation_euler" in paths:
        return ""
    root = next((bone.name for bone in armature.bones_of(obj) if bone.parent is None), "")
    return root if data_path(root, "location") in paths else ""


def _travel(obj: Any, action: bpy.types.Action, mover: str) -> Matrix:
    """From the pose at the loop's start to that of its closing key: over the floor and round the upright axis."""
    if not action.use_cyclic:
        return Matrix()
    start, end = action.frame_range
    curves = {(curve.data_path, curve.array_index): curve for curve in compat.curves(action, obj)}
    path = data_path(mover, "location")

    def value(name: str, axis: int, frame: float) -> float:
        curve = curves.get((name, axis))
        return float(curve.evaluate(frame)) if curve is not None else 0.0

    ends = [Vector([value(path, axis, frame) for axis in range(3)]) for frame in (start, end)]
    if mover:
        moved = (obj.matrix_world.to_3x3() @ obj.data.bones[mover].matrix_local.to_3x3()) @ (ends[1] - ends[0])
        return Matrix.Translation((moved.x, moved.y, 0))
    headings = [value("rotation_euler", 2, frame) for frame in (start, end)]
    first, last = (
        Matrix.Translation((at.x, at.y, 0)) @ Matrix.Rotation(heading, 4, "Z") for at, heading in zip(ends, headings, strict=True)
    )
    above = Matrix(parenting.above(obj).tolist())
    return above @ last @ first.inverted() @ above.inverted_safe()  # what stands above may be scaled to nothing while one looks
