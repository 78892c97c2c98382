"""Retargeting in Blender: every chosen action of one armature as a new action of another, and nothing else changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import bpy
import numpy as np

from ...core.motion.curves import Block
from ...core.motion.rotation_matrix import Floats
from ...core.reporting import log, progress
from ...core.reporting.errors import RetroAnimError
from ...core.retarget import loops, retarget
from ...core.retarget.figures import hub, reference_pose
from ...core.retarget.figures.bone_map import BoneMap
from ...core.retarget.figures.clip import Clip
from ...core.retarget.figures.figure import Figure
from ...core.retarget.figures.motion import Motion, rest_motion
from ...core.retarget.figures.parts import free_parts, held, reduced, reduced_motion
from ...core.retarget.options import RetargetOptions
from ...core.retarget.report import GOOD_REACH, Report
from ...core.retarget.setup import Poses, Setup, prepare
from ..blender import actions, compat, curve_writer, fcurves, scene, staged
from . import along, along_nla, clips, controls, game, ik, markers, props, read, rest, shown, standing
from .chosen import actions_of, chosen_actions
from .losses import losses

_LOOKED = 24
"""Frames of the target's own motion that show where it faces."""


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The new actions and the report of each. beside: actions of shape keys that belong to the first ones, where Blender's actions have no
    slots. props: copies of what hangs on the source's bones."""

    actions: list[bpy.types.Action]
    reports: list[Report]
    beside: list[bpy.types.Action] = field(default_factory=list[bpy.types.Action])
    props: list[bpy.types.Object] = field(default_factory=list[bpy.types.Object])


@dataclass(frozen=True, eq=False)
class Computed:
    """A retargeted action before it is written. motion: the source's. blocks: all keys that the new action is to have."""

    setup: Setup
    motion: Motion
    result: retarget.Result
    blocks: list[Block]


def retarget_actions(
    context: bpy.types.Context,
    source: bpy.types.Object,
    target: bpy.types.Object,
    bone_map: BoneMap,
    options: RetargetOptions | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Retargeted:
    """Retarget actions of `source` onto `target`. cancelled: asked before each action. What failed beside others that worked is logged
    as an error. Raises RetroAnimError when nothing could be retargeted."""
    options = options or RetargetOptions()
    chosen = [None] if options.nla else chosen_actions(source, options.actions)
    job = Job(context, source, target, bone_map, options)
    for action in progress.steps(chosen):
        if cancelled is not None and cancelled():
            log.warning(f"stopped after {len(job.result.actions)} of {len(chosen)} actions")
            break
        job.step(action)
    return job.finish()


class Job:
    """The retargeting of several actions: `step` for each of them, then `finish`."""

    def __init__(
        self, context: bpy.types.Context, source: bpy.types.Object, target: bpy.types.Object, bone_map: BoneMap, options: RetargetOptions
    ) -> None:
        for obj in (source, target):
            if obj.type != "ARMATURE":
                raise RetroAnimError(f"{obj.name} is no armature")
        if source == target:
            raise RetroAnimError("source and target are the same armature")
        self.context, self.source, self.target, self.options = context, source, target, options
        for obj in (source, target):
            staged.give_back(obj)
        context.view_layer.update()  # matrices may be behind what was set by a script
        for obj in (source, target):
            _check_scale(obj)
        self.result = Retargeted([], [])
        self._setup: Setup | None = None
        self._standing: Figure | None = None
        self._writer = curve_writer.Writer(target)
        self._origins: list[tuple[bpy.types.Action | None, Clip]] = []
        self._failures: list[RetroAnimError] = []
        self.bone_map, core = game.adapted(target, bone_map, options.core)
        self.core = core
        self.bone_map = controls.with_torso(target, self.bone_map)
        self._sized = read.sizes_that_count(source, self.bone_map)
        figure = self.whole = read.figure_of(target, read.still_world(target, _present(target)))
        self.bone_map = hub.with_hub(figure, self.bone_map)
        self.rig = controls.Controls.of(context, target, self.bone_map, options.rigify_ik)
        self.figure = self.rig.figure(figure) if self.rig else game.limited(target, figure, self.bone_map)
        self.grid = game.grid_of(target, scene.fps(context.scene), options.step)
        self.part = reduced(self.figure, self.bone_map)
        self._differs = self.rig is not None or shown.differs(target, self.part.names)
        self._moved = rest.moved(target, held(self.part, self.bone_map), actions_of(target), game.bones_in_file(target))

    def step(self, action: bpy.types.Action | None) -> None:
        """One action; None: what the NLA shows. What fails is logged as an error."""
        with log.about(self.source.name if action is None else action.name):
            try:
                self._run(action)
            except RetroAnimError as error:
                self._failures.append(error)
                log.error(str(error))

    def finish(self) -> Retargeted:
        """What the new actions are beside their curves, and the first of them shown. Raises RetroAnimError when all actions failed."""
        if self._failures and not self.result.actions:
            raise self._failures[0]
        for number, (created, (action, clip)) in enumerate(zip(self.result.actions, self._origins, strict=True)):
            _finish_action(created, action, clip, self.target)
            if fcurves.moves_object(created, self.target):
                created[read.STOOD] = self.whole.world.ravel().tolist()
            with log.about(created.name):
                rounded = losses(self.context, self.target, created)
            if rounded is not None:
                angle, distance = rounded
                self.result.reports[number] = replace(self.result.reports[number], quantisation=angle, quantisation_distance=distance)
            if self.options.shape_keys:
                moving = along_nla.shape_keys_of(self.context, self.source, action, clip)
                with log.about(created.name):
                    self.result.beside.extend(along.shape_keys(moving, self.target, clip, created))
        if self.options.props and self._setup is not None:
            self.result.props.extend(props.hang(self.context, self.source, self.target, self._setup))
        if self.options.assign and self.result.actions:
            self._show(self.result.actions[0])
        return self.result

    def _show(self, action: bpy.types.Action) -> None:
        if self.target.library is not None:
            log.info(f"{self.target.name} is linked: the new actions can be assigned once it is overridden")
            return
        try:
            compat.assign(self.target, action)
            along.show_shape_keys(self.target, action)
        except (AttributeError, RuntimeError, TypeError) as error:
            log.warning(f"{self.target.name} does not take the new action: {error}")

    def _run(self, action: bpy.types.Action | None) -> None:
        started = time.perf_counter()
        clip = self.clip_of(action)
        motion = self.read(action, clip.sampled)
        setup = self.setup(action, motion)
        clip, motion = self.closed(clip, setup, motion)
        self._setup = setup
        computed = self.computed(action, clip.frames, motion, setup, clip.loop)
        if self.options.properties:
            written = {channel for block in computed.blocks for channel in block.channels}
            moving = along_nla.properties_of(self.context, self.source, action, clip)
            computed.blocks.extend(along.properties(moving, self.target, setup, clip, written))
        created = self._writer.write(computed.blocks)
        name = f"{self.source.name} NLA" if action is None else action.name
        created.name = f"{name} on {self.target.name}"[: compat.NAME_LIMIT]
        self.result.actions.append(created)
        self._origins.append((action, clip))
        reported = computed.result.report
        if self._differs:
            reported = shown.measured(self.context, self.target, created, computed.setup, computed.motion, computed.result)
        self.result.reports.append(replace(reported, seconds=time.perf_counter() - started))

    def clip_of(self, action: bpy.types.Action | None) -> Clip:
        """Where the source's action, or its NLA, is looked at, and where the new keys are."""
        if action is None:
            return clips.of_nla(self.source, self.options, self.grid)
        return clips.clip_of(action, self.source, self.options, self.grid, game.leads_into_loops(self.target))

    def read(self, action: bpy.types.Action | None, frames: Floats) -> Motion:
        """What the source's action shows at `frames`, or its NLA."""
        source = self._figure(action)
        if action is None:
            return read.shown(self.context, self.source, source, frames)
        return read.read_motion(self.context, self.source, action, source, frames, self._sized)

    def setup(self, action: bpy.types.Action | None, motion: Motion | None) -> Setup:
        """What is the same for all frames of an action, of which `motion` is what it shows; without an action by the rest poses alone."""
        source = self._figure(action)
        poses = self._poses(action, source)
        setup = prepare(source, self.part, self.bone_map, self.core, poses, motion, self._own_motion, self._setup)
        if setup.free is None and self.rig is None:
            setup = replace(setup, free=free_parts(self.figure, self.bone_map, GOOD_REACH * setup.legs.target))
        return setup

    def _figure(self, action: bpy.types.Action | None) -> Figure:
        """The source's, the same for all actions in which the object stands alike."""
        world = read.still_world(self.source, action)
        if self._standing is None or not np.array_equal(self._standing.world, world):
            self._standing = read.figure_of(self.source, world)
        return self._standing

    def computed(
        self, action: bpy.types.Action | None, frames: Floats, motion: Motion, setup: Setup | None = None, loop: int | None = None
    ) -> Computed:
        """One action as curves, of which nothing is written yet. motion: as `read` gives it. setup: as `setup` gives it, if it is known.
        loop: the frame, by its row, whose pose the last one repeats."""
        setup = setup or self.setup(action, motion)
        name, marked = (f"{self.source.name} NLA", {}) if action is None else (action.name, markers.contacts(action, frames))
        result = retarget.retarget(setup, motion, scene.fps(self.context.scene), name, marked, loop)
        blocks = list(result.keys)
        blocks += rest.blocks(self._moved, blocks, frames)
        if result.standing is not None:
            blocks += standing.object_blocks(self.target, frames, result.standing)
        if self.rig:
            blocks += self.rig.blocks(float(frames[0]))
            blocks += ik.blocks(self.whole, list(self.rig.limbs), self.rig.carriers, self.part, result.motion)
        return Computed(setup, motion, result, blocks)

    def _own_motion(self) -> Motion | None:
        """How the target moves by itself: its present action, unless that came from another figure."""
        action = _present(self.target)
        if self.rig or action is None or actions.RETARGETED in action:
            return None
        frames = read.frames_of(action, self.target, 1.0, False)
        rows = np.linspace(0, len(frames) - 1, min(len(frames), _LOOKED)).astype(int)
        return read.read_motion(self.context, self.target, action, self.part, frames[rows])

    def closed(self, clip: Clip, setup: Setup, motion: Motion) -> tuple[Clip, Motion]:
        """At the frames of the new keys; where a loop does not end in its first pose, with one more step that leads back to it."""
        motion = replace(motion, frames=clip.frames)
        if clip.loop is None or loops.ends_as_it_starts(setup.binding, motion, clip.loop):
            return clip, motion
        longer = clip.longer(self.grid.tick * self.grid.step if self.grid else self.options.step)
        return longer, loops.closed(setup.binding, motion, clip.loop, float(longer.frames[-1]))

    def _poses(self, action: bpy.types.Action | None, source: Figure) -> Poses | None:
        options = self.options
        if options.core.align == "FRAME":
            if action is None:
                raise RetroAnimError(f"{self.source.name} has no action whose frame {options.pose_frame:g} could be its reference pose")
            return Poses(read.read_motion(self.context, self.source, action, source, np.array([options.pose_frame])))
        if options.core.align == "POSE" and options.reference:
            kept = reference_pose.named(self.bone_map, options.reference)
            return Poses(reference_pose.motion_of(source, kept.source), reference_pose.motion_of(self.part, kept.target))
        if options.core.align == "POSE":
            return Poses(self._pose(options.source_pose, self.source, source), self._pose(options.target_pose, self.target, self.figure))
        return None

    def _pose(self, name: str, obj: bpy.types.Object, figure: Figure) -> Motion:
        if not name:
            return rest_motion(self.part if obj == self.target else figure)
        (action,) = chosen_actions(obj, (name,))
        pose = read.keyed(obj, action, figure, read.frames_of(action, obj, 1.0, True)[:1])
        return reduced_motion(pose, figure, self.bone_map) if obj == self.target else pose


def _check_scale(obj: bpy.types.Object) -> None:
    """Raises RetroAnimError for a mirrored armature, whose bones rotate in the opposite direction; warns where one is stretched."""
    linear = np.array(obj.matrix_world, np.float64)[:3, :3]
    if np.linalg.det(linear) < 0:
        raise RetroAnimError(f"{obj.name} is mirrored by a negative scale: apply the scale first")
    size = np.linalg.norm(linear, axis=0)
    if not np.allclose(size, size[0], rtol=1e-4):
        log.warning(f"{obj.name} is scaled differently along its axes, which bends what it does")


def _finish_action(created: bpy.types.Action, action: bpy.types.Action | None, clip: Clip, target: bpy.types.Object) -> None:
    """Frame range, cycle and markers, and whose it is."""
    clips.finish(created, action, clip)
    created[actions.RETARGETED] = target.name
    figure = target.data.get(actions.RIG) if target.data else None
    if figure is not None:
        created[actions.RIG] = figure


def _present(obj: bpy.types.Object) -> bpy.types.Action | None:
    return obj.animation_data.action if obj.animation_data else None
