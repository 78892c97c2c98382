"""The way in, the same for every game: read and check everything, then build character by character, and undo it all when that fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import bpy

from ...core.declare.game import Game
from ...core.declare.shared import ImportOptions
from ...core.motion.clip import Clip as Motion
from ...core.motion.curves import Block, Placement, Timing
from ...core.reporting import log, progress
from ..blender import actions, fields, identity, scene, source_data
from .plan import Character, Clip, Plan


@dataclass(frozen=True, eq=False)
class Imported:
    """What came in, in the order of the files: armature objects, other objects and cameras, meshes, and the actions of them all."""

    armatures: list[bpy.types.Object] = field(default_factory=list)
    objects: list[bpy.types.Object] = field(default_factory=list)
    meshes: list[bpy.types.Object] = field(default_factory=list)
    actions: list[bpy.types.Action] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class NewAction:
    """A clip on its way to an action. blocks: its curves. motion: its end, loop and events; its tracks are not asked for.

    kind: the format's name, kept with its source data. values: of the game's fields, by name. properties: custom properties besides."""

    clip: Clip
    blocks: list[Block]
    motion: Motion
    timing: Timing
    kind: str
    values: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)


class Stage(Protocol):
    """An armature, or another object, that takes clips. scale: Blender units a game unit."""

    @property
    def obj(self) -> bpy.types.Object: ...

    @property
    def scale(self) -> float: ...


class Builder(Protocol):
    """What a game's `build` module has."""

    def frame_rate(self, characters: Sequence[Any]) -> float | None:
        """Frames a second at which the game's time steps are whole frames; None where nothing of them moves."""
        ...

    def stage(self, context: bpy.types.Context, options: Any, character: Any) -> Stage:
        """The character's armature or object, of the scene or a new one, with its meshes and all else that does not move."""
        ...

    def clips(self, stage: Any, character: Any, options: Any, fps: float, placement: Placement) -> list[NewAction]:
        """The character's clips as curves. Raises FormatError."""
        ...

    def finish(self, context: bpy.types.Context, stage: Any, character: Any, created: list[bpy.types.Action], result: Imported) -> None:
        """What is left to do when the actions are there."""
        ...


def run(context: bpy.types.Context, game: Game, plan: Plan[Any, Any], builder: Builder) -> Imported:
    """Build what a plan asks for. Raises RetroAnimError when nothing could be opened; the scene is as it was then. What failed beside
    others that worked is reported as an error in the log."""
    characters = plan.run()
    options = plan.options
    result = Imported()
    with scene.unchanged_on_failure(context), scene.object_mode(context):
        rate = builder.frame_rate(characters)
        if options.fps_mode == "SET" and rate is not None:
            scene.set_fps(context.scene, rate)
        for character in progress.steps(characters):
            with log.about(character.name):
                _build(context, game, options, character, builder, result)
        last = (result.armatures or result.objects)[-1:]
        if last:
            scene.make_active(context, last[0])
    return result


def _build(
    context: bpy.types.Context, game: Game, options: ImportOptions, character: Character[Any], builder: Builder, result: Imported
) -> None:
    stage = builder.stage(context, options, character)
    obj = stage.obj
    (result.armatures if obj.type == "ARMATURE" else result.objects).append(obj)
    identity.mark(obj, game)
    placement = actions.placement_of(obj)
    with source_data.packing(clip.data for clip in character.clips) as packed:
        new = builder.clips(stage, character, options, scene.fps(context.scene), placement)
        created = actions.write(obj, [(item.clip.name, item.blocks) for item in new])
        for action, item, stored in zip(created, new, packed, strict=True):
            actions.finish(action, item.motion, item.timing)
            actions.remember(action, item.timing, stage.scale, options.root_motion, placement)
            identity.mark_action(action, game, obj)
            source_data.keep(action, item.clip.path, item.clip.entry, item.kind, item.clip.data, stored)
            fields.fill(action, game.fields.get("action", ()), item.values)
            for name, value in item.properties.items():
                action[name] = value
    if created:
        actions.show(obj, created[0], options.root_motion)
    result.actions.extend(created)
    builder.finish(context, stage, character, created, result)
