"""The import of every game: read and check everything, then build character by character, and undo it all when that fails."""

from __future__ import annotations

import gc
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.declare.game import Game
from ....core.declare.imported import IMPORTED_FIELDS
from ....core.declare.shared import FrameRate
from ....core.files import unpacking
from ....core.files.once import looking_once
from ....core.motion.clip import Clip as Motion
from ....core.motion.curves import Block, Placement, RootMotion, Timing
from ....core.motion.time_limits import report_late
from ....core.reporting import log, progress
from ....core.reporting.errors import of_system
from ...blender import armature, fields, identity, new_objects, scene, source_data, temporary_state
from ...blender.motion import actions
from .. import library
from ..fidelity import object_size
from ..loops import playing
from . import layout
from .plan import CharacterT, Clip, OptionsT, Plan


@dataclass(frozen=True, eq=False)
class Imported:
    """The result, in the order of the files: armature objects, other objects and cameras, meshes, the actions of them all, and the paths
    that it came from, without those that failed."""

    armatures: list[bpy.types.Object] = field(default_factory=list[bpy.types.Object])
    objects: list[bpy.types.Object] = field(default_factory=list[bpy.types.Object])
    meshes: list[bpy.types.Object] = field(default_factory=list[bpy.types.Object])
    actions: list[bpy.types.Action] = field(default_factory=list[bpy.types.Action])
    paths: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, eq=False)
class NewAction:
    """A clip as it becomes an action. blocks: its curves. motion: its end, loop and events; its tracks are not used.

    kind: the format's name, kept with its source data. values: of the game's fields, by name. properties: custom properties besides."""

    clip: Clip
    blocks: list[Block]
    motion: Motion
    timing: Timing
    kind: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    properties: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(eq=False)
class Stage:
    """The armature or other object that takes clips; each game adds what it needs. scale: Blender units per game unit.

    root_motion, placement: what carries the root motion, and from where; None for what the options say, and where the object is.
    packed: the character's document as source data stores it. actions: the new ones, from `finish` on, one for each clip. points: (P, 3)
    in the object's space, of meshes that `finish` will make."""

    obj: bpy.types.Object
    scale: float
    root_motion: RootMotion | None = None
    placement: Placement | None = None
    packed: source_data.Packed | None = None
    actions: Sequence[bpy.types.Action] = ()
    points: NDArray[np.float64] | None = None


StageT = TypeVar("StageT", bound=Stage)


class Builder(ABC, Generic[OptionsT, CharacterT, StageT]):
    """What a game's `build` module defines. result: what has been built so far; a game adds meshes. names: of new actions, which get
    them when all are there."""

    def __init__(self, context: bpy.types.Context, options: OptionsT) -> None:
        self.context = context
        self.options = options
        self.result = Imported()
        self.names: list[tuple[bpy.types.Action, str]] = []
        self._armatures: dict[int, bpy.types.Object] = {}

    @abstractmethod
    def frame_rate(self, characters: Sequence[CharacterT]) -> float | None:
        """Frames a second at which the game's time steps are whole frames; None where nothing of them moves."""

    def figure(self, character: CharacterT) -> armature.Figure | None:  # noqa: ARG002 - for those that define it
        """What a new character's armature is built of, where that is known beforehand: then the armatures of all are made together."""
        return None

    def prepare(self, characters: Sequence[CharacterT]) -> None:
        """The armatures of all new characters that have a `figure`."""
        figures = {id(each): figure for each in characters if each.armature is None and (figure := self.figure(each)) is not None}
        self._armatures = dict(zip(figures, armature.build_all(self.context, list(figures.values())), strict=True))

    def prepared(self, character: CharacterT) -> bpy.types.Object:
        """The armature of a new character, as its `figure` is."""
        return new_objects.link(self.context, self._armatures.pop(id(character)))

    def discard(self) -> None:
        """Remove what was prepared for characters that are not built."""
        unused, self._armatures = list(self._armatures.values()), {}
        bpy.data.batch_remove([block for obj in unused for block in (obj, armature.data_of(obj))])

    @abstractmethod
    def stage(self, character: CharacterT) -> StageT:
        """The character's armature or object, of the scene or a new one, with its meshes and all else that does not move."""

    @abstractmethod
    def clips(self, stage: StageT, character: CharacterT, fps: float, placement: Placement) -> list[NewAction]:
        """The character's clips as curves. Raises FormatError."""

    def describe(self, stage: StageT, character: CharacterT, action: bpy.types.Action) -> None:
        """Give an action that others are copied from what `finish` would else give each of them."""

    def show(self, stage: StageT, action: bpy.types.Action) -> None:
        """Make the first action the active one."""
        actions.show(stage.obj, action, stage.root_motion or self.options.root_motion)

    def finish(self, stage: StageT, character: CharacterT) -> None:
        """What is left to do when the actions are there."""


def run(game: Game, plan: Plan[Any, Any], builder: Builder[Any, Any, Any]) -> Imported:
    """`steps`, all at once."""
    return progress.finish(steps(game, plan, builder))


def steps(game: Game, plan: Plan[Any, Any], builder: Builder[Any, Any, Any], beside: bool = False) -> progress.Steps[Imported]:
    """Build what a plan asks for; beside: new characters to the right of those that are there, and not at the origin. Raises
    RetroAnimError when nothing could be opened; the scene is as it was then. What failed beside others that worked is reported as an error
    in the log. Stopped, it keeps the characters that are whole, and raises StoppedError where none is."""
    with of_system(), unpacking.operation(), looking_once(), _seldom_collecting():
        return (yield from _steps(game, plan, builder, beside))


@contextmanager
def _seldom_collecting() -> Generator[None]:
    """Inside, Python looks for garbage in circles less often: it would go through all that is being made, over and over, and find none."""
    before = gc.get_threshold()
    gc.set_threshold(_MANY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


_MANY = 200_000
"""Objects after which Python looks for garbage."""


def _steps(game: Game, plan: Plan[Any, Any], builder: Builder[Any, Any, Any], beside: bool) -> progress.Steps[Imported]:
    characters = yield from plan.steps()
    builder.result.paths.extend(plan.read or plan.options.paths)  # of none as a whole, perhaps
    reused = [character.armature for character in characters if character.armature is not None]
    with temporary_state.kept_on_failure():
        temporary_state.give_back_with(reused)
        return (yield from _built(game, plan, builder, characters, reused, beside))


def _built(
    game: Game,
    plan: Plan[Any, Any],
    builder: Builder[Any, Any, Any],
    characters: Sequence[Any],
    reused: Sequence[bpy.types.Object],
    beside: bool,
) -> progress.Steps[Imported]:
    """What was read, in the scene. reused: the armatures of it that are there."""
    context, result = builder.context, builder.result
    rows = layout.Rows(len(characters) - len(reused), layout.right_end(context) if beside else None)
    with scene.unchanged_on_failure(context, reused), scene.object_mode(context, follow=True):
        first_motion = builder.options.fps_mode == "AUTO" and not scene.animated(context.scene)
        _set_rate(context.scene, builder.options.fps_mode, builder.frame_rate(characters))
        new, clips = layout.New(), list[library.Clip]()
        builder.prepare(characters)
        with new_objects.making() as present:
            for number, character in enumerate(characters):
                if (yield progress.Step(number, len(characters), character.name)):
                    _stopped(number, len(characters))
                    result.paths[:] = plan.only(characters[:number]) or result.paths
                    builder.discard()
                    break
                before = len(result.actions)
                with log.about(character.name):
                    obj = _build(game, builder, character, rows)
                clips += [(obj, action) for action in result.actions[before:]]
                new.add(character.name, present.taken(), obj.type == "ARMATURE" and character.armature is None)
        actions.give_names(builder.names)
        layout.link(context, new)
        for obj in (result.armatures or result.objects)[-1:]:
            scene.make_active(context, obj)
        context.view_layer.update()
        if first_motion:
            _play(context, result)
        if builder.options.assets:
            yield from library.mark(context, clips)
    return result


def _stopped(number: int, count: int) -> None:
    if not number:
        raise progress.StoppedError("stopped before the first character: nothing was imported")
    log.warning(f"stopped: {number} of {count} characters came in, each of them whole")


def _play(context: bpy.types.Context, result: Imported) -> None:
    """Give a scene in which nothing was animated the playback of the clip that is shown."""
    shown = scene.active(context)
    action = shown.animation_data.action if shown is not None and shown.animation_data else None
    if action is None or action not in result.actions:
        return
    frames = playing.show(context.scene, action)
    context.scene[playing.FOLLOWS] = True
    log.info(f"the scene now has {scene.fps(context.scene):g} frames a second and repeats frames {frames.start} to {frames.end}")


def _set_rate(present: bpy.types.Scene, mode: FrameRate, rate: float | None) -> None:
    """Give the scene the game's rate where that is wanted. Clips that were there before would play faster or slower by it."""
    if rate is None or mode == "KEEP":
        return
    if mode == "SET" or not scene.animated(present):
        scene.set_fps(present, rate)
    elif abs(scene.fps(present) - rate) > 1e-3:
        log.info(f"the scene keeps its {scene.fps(present):g} frames a second, since it is animated already; the game has {rate:g}")


def _build(game: Game, builder: Builder[Any, Any, Any], character: Any, rows: layout.Rows) -> bpy.types.Object:
    """The character's armature or object, where it stands. rows: of new characters."""
    result = builder.result
    meshes = len(result.meshes)
    kept = [clip for clip in character.clips if clip.data]
    documents = [character.document] if character.document else []
    with source_data.packing([*(clip.data for clip in kept), *documents]) as packing:
        packed = dict(zip(map(id, kept), packing, strict=False))
        stage: Stage = builder.stage(character)
        stage.packed = packing[-1] if documents else None
        obj = stage.obj
        (result.armatures if obj.type == "ARMATURE" else result.objects).append(obj)
        identity.mark(obj, game)
        if obj.type == "ARMATURE" and character.armature is None:
            obj.location[:2] = rows.stand(obj, result.meshes[meshes:], stage.points)
        root_motion = stage.root_motion or builder.options.root_motion
        placement = stage.placement or actions.placement_of(obj)
        new = builder.clips(stage, character, scene.fps(builder.context.scene), placement)
        report_late((item.clip.name, item.blocks) for item in new)
        whose = object_size.memory(obj, placement.scale) | identity.marks(game, obj)
        memories = {timing: actions.memory(timing, stage.scale, root_motion, placement) | whose for timing in {item.timing for item in new}}
        table = game.fields.get("action", ())
        properties = [
            memories[item.timing] | _source(item, packed.get(id(item.clip))) | fields.properties(table, item.values) | item.properties
            for item in new
        ]
        alike = fields.Alike((*IMPORTED_FIELDS, *table), properties)

        def prepare(action: bpy.types.Action) -> None:
            alike.prepare(action)
            builder.describe(stage, character, action)

        created = actions.write(obj, [item.blocks for item in new], prepare)
        builder.names += [(action, item.clip.name) for action, item in zip(created, new, strict=True)]
        for action, item, own in zip(created, new, properties, strict=True):
            actions.finish(action, item.motion, item.timing)
            alike.complete(action, own)
    if created:
        builder.show(stage, created[0])
    result.actions.extend(created)
    stage.actions = created
    builder.finish(stage, character)
    return obj


def _source(item: NewAction, packed: source_data.Packed | None) -> dict[str, Any]:
    """The custom properties of an action that say what it came from. packed: as `source_data.packing` gives it."""
    clip = item.clip
    if not clip.data:
        return {source_data.FORMAT: item.kind}
    return source_data.pointing(clip.path, clip.entry, item.kind, clip.data, packed)
