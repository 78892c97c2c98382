"""Source and target of a retargeting in Blender, with what is the same for all clips; clips are read and computed, not written."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial

import bpy
import numpy as np

from ...core.motion.curves import Block
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import first_few
from ...core.retarget import loops, retarget
from ...core.retarget.figures import hub
from ...core.retarget.figures.clip import Clip
from ...core.retarget.figures.figure import Figure
from ...core.retarget.figures.maps import reference_pose
from ...core.retarget.figures.maps.bone_map import BoneMap
from ...core.retarget.figures.motion import Motion, rest_motion
from ...core.retarget.figures.parts import free_parts, held, reduced, reduced_motion
from ...core.retarget.options import RetargetOptions
from ...core.retarget.reports.fields import GOOD_REACH
from ...core.retarget.setup import Poses, Setup, prepare
from ..blender import armature, identity, paths, scene, temporary_state
from ..blender.paths import Switch
from . import game, rest_keys
from .control_rigs import constraints, controls, ik
from .control_rigs.placed import PlacedControls
from .control_rigs.shaped import Shape
from .reading import clips, markers, mirrored, object_keys, read, soles
from .reading.source_actions import actions_of, by_name, chosen_actions, played
from .reading.unkeyed import is_stretched, posed_of
from .target_cache import Known, Moved
from .unseen import followed_at_rest, unseen

_STRETCHED = "{} is scaled differently along its axes, which bends what it does: apply its scale"

_NO_POSE = (
    "the controls of {} hang on each other otherwise than the bones that they move, so that it has no reference pose: "
    "choose another Alignment than By Poses"
)

_FEW, _MANY = 2, 10
"""Bones: of a figure that has many more than a few follow another."""

_FLAT = 1e-9
"""A scale, against the greatest of the three: what is smaller leaves nothing to be seen."""

_LOOKED, _CLIPS = 24, 16
"""Frames of a figure's motion that show where it faces, and of how many of its clips."""


@dataclass(frozen=True, eq=False)
class Ready:
    """A clip that is to be retargeted. action: None for what the NLA shows. motion: the source's, at the frames of the new keys."""

    action: bpy.types.Action | None
    clip: Clip
    motion: Motion
    setup: Setup


@dataclass(frozen=True, eq=False)
class Computed:
    """A retargeted clip before it is written. blocks: all keys that the new action is to have."""

    result: retarget.Result
    blocks: list[Block]


class Prepared:
    """Two armatures and the map between them. known: of the target. stretched: whether the target is scaled differently along its axes."""

    by_bones = True
    """Whether a human's rig that is known, too, may be computed by the bones that its controls move: not where a person poses these."""

    def __init__(
        self,
        context: bpy.types.Context,
        source: bpy.types.Object,
        target: bpy.types.Object,
        bone_map: BoneMap,
        options: RetargetOptions,
        known: Known | None = None,
    ) -> None:
        """Raises RetroAnimError for objects that cannot be retargeted."""
        _shown_as_they_are(context, source, target)
        self.context, self.source, self.target, self.options = context, source, target, options
        self.stretched = is_stretched(target)
        self.amiss = [_STRETCHED.format(target.name)] if self.stretched else list[str]()
        for text in (*followed_at_rest(source), *unseen(target)):
            log.warning(text)
        self._setup: Setup | None = None
        self._standing: Figure | None = None
        self._others: list[Motion] | None = None
        self.bone_map, core = game.adapted(target, bone_map, options.core)
        self.core = core
        figure = self.whole = read.figure_of(target, read.still_world(target, _present(target)))
        grounded = core.root_motion == "BONE"
        also_known = self.by_bones and core.align != "POSE" and not grounded
        laid_out, shape = Shape.of(target, figure, self.bone_map, also_known, grounded)
        self.bone_map = controls.by_skin(source, laid_out if shape else controls.with_torso(target, self.bone_map))
        self.posed = posed_of(source)
        self._controlled = any(map(controls.has_constraints, armature.pose_bones(source)))
        self._leading = bone_map.sources()
        self._sized = read.sizes_that_count(source, self.bone_map)
        self.bone_map = self.bone_map if shape else hub.with_hub(figure, self.bone_map)
        self.known = known = known or Known(target)
        self.rig = controls.Controls.of(context, target, self.bone_map, options.rigify_ik, known, shape)
        self.figure = self.rig.figure(figure) if self.rig else game.limited(target, figure, self.bone_map)
        self.notes = ik.unmoved(target, self.bone_map.targets()) if options.rigify_ik else []
        self.grid, self._intros = game.grid_of(target, scene.fps(context.scene), options.step), game.leads_into_loops(target)
        self.part = reduced(self.figure, self.bone_map)
        self.part = self.part if self.rig else soles.with_soles(context, target, self.part, self.bone_map)
        meant = by_name()
        theirs = played(source).union(meant[name] for name in options.actions if name in meant) - played(target)
        own = self._own = [action for action in actions_of(target, known) if action not in theirs]
        others = [known.moved(action) for action in own]
        self.held = self._above if self.rig else held(self.part, self.bone_map)
        self.amiss += self._unfollowed()
        self._left = self._left_by(others)
        self._tell_unswitched([action for action in own if identity.RETARGETED not in action])
        self._moved = rest_keys.moved(target, self.held, others, game.bones_in_file(target))
        self.amiss += self._resized(others)

    @cached_property
    def _above(self) -> list[str]:
        """The target's bones that follow, and all that these hang from."""
        return controls.above(self.target, self.bone_map)

    def _resized(self, others: Sequence[Moved]) -> list[str]:
        """Bones that the new actions give a size at rest: of which somebody will see that, and of which the size mirrors what hangs there.
        others: what the target's actions move."""
        if sized := rest_keys.posed_sizes(self.target, self._moved, others):
            are, have = ("are", "have their") if len(sized) > 1 else ("is", "has its")
            log.warning(f"{self.target.name}: {first_few(sized)} {are} scaled without a key, and {have} size at rest in the new actions")
        negative = [(bone, axis) for (bone, name), sizes in self._moved.items() if name == "scale" for axis in range(3) if sizes[axis] < 0]
        return [text for text in [mirrored.carrying(self.target.name, self.whole, negative, self.held)] if text]

    def _unfollowed(self) -> list[str]:
        """What follows next to nothing is no success, however well it does."""
        followed, total = len(self.bone_map.targets()), len(self.whole)
        if followed > _FEW or total < _MANY:
            return []
        names = f"{self.target.name}'s {total} bones"
        return [f"only {followed} of {names} {'follows' if followed == 1 else 'follow'} {self.source.name}: is it the right armature?"]

    def _tell_unswitched(self, own: Sequence[bpy.types.Action]) -> None:
        """The target's own actions look otherwise behind one that has switched what they have no key of."""
        switches = self.rig.switches if self.rig else ()
        changed = [each for each in switches if paths.value_at(self.target, each.bone, each.path) != each.value]
        names = [action.name for action in own if any((each.bone, each.path) not in self.known.moved(action).channels for each in changed)]
        if names:
            log.warning(
                f"{first_few(names)}: without keys of what the new actions set and leave so "
                f"({controls.named(changed)}): key it there as it is now"
            )

    def _left_by(self, others: Sequence[Moved]) -> list[Switch]:
        """What decides whether constraints take followed bones elsewhere and is keyed by actions of the target's own, but not because of
        the motion: it stays as it is now, whichever of them was shown before."""
        keyed = {path for other in others for path in other.channels if path[1].startswith(("constraints[", "["))}
        if not keyed:
            return []
        own = {(each.bone, each.path) for each in self.rig.switches} if self.rig else set[tuple[str, str]]()
        return [each for each in constraints.keyed(self.target, self._above, keyed) if (each.bone, each.path) not in own]

    def clip_of(self, action: bpy.types.Action | None) -> Clip:
        """Where the source's action, or its NLA, is looked at, and where the new keys are."""
        if action is None:
            return clips.of_nla(self.source, self.options, self.grid)
        return clips.clip_of(action, self.source, self.options, self.grid, self._intros)

    def read(self, action: bpy.types.Action | None, frames: Floats) -> Motion:
        """What the source's action shows at `frames`, or its NLA."""
        source = self._figure(action)
        if action is None:
            return read.shown(self.context, self.source, source, frames)
        return read.read_motion(self.context, self.source, action, source, frames, self._sized)

    def setup(self, action: bpy.types.Action | None, motion: Motion | None, source: Figure | None = None) -> Setup:
        """What is the same for all frames of an action, of which `motion` is what it shows; without an action by the rest poses alone.
        source: the figure, if it is known."""
        source = source or self._figure(action)
        poses, setup = self._poses(action, source), self._setup
        facing = self._own_motions, partial(self._other_motions, source)
        if setup is None or not setup.suits(source, poses, motion, *facing):
            setup = prepare(source, self.part, self.bone_map, self.core, poses, motion, *facing)
        if setup.free is None and self.rig is None:
            setup = replace(setup, free=free_parts(self.figure, self.bone_map, GOOD_REACH * setup.legs.target))
        if setup.free is None and all(self.bone_map.role(role) is not None for role in controls.LIMBS):
            setup = replace(setup, free=frozenset())  # all that a control rig has follows: what is left has no counterpart
        # what has not changed stays the same object, since clips of one setup are computed at once
        return setup if setup.controlled == self._controlled else replace(setup, controlled=self._controlled)

    def _figure(self, action: bpy.types.Action | None) -> Figure:
        """The source's, the same for all actions in which the object stands alike."""
        world = read.still_world(self.source, action)
        if self._standing is None or not np.array_equal(self._standing.world, world):
            self._standing = read.figure_of(self.source, world)
            if len(self.part.sole_points):  # else nothing is compared with the source's
                self._standing = soles.with_soles(self.context, self.source, self._standing, self.bone_map, "source")
        return self._standing

    def computed(self, clips: Sequence[Ready]) -> list[Computed]:
        """Clips of one setup as curves, of which nothing is written yet."""
        binding = clips[0].setup.binding
        loop = loops.all_repeated(binding, [each.motion for each in clips], [each.clip for each in clips])
        asked: list[retarget.Asked] = []
        for each, row in zip(clips, loop, strict=True):
            name = f"{self.source.name} NLA" if each.action is None else each.action.name
            marked = {} if each.action is None else markers.contacts(each.action, each.motion.frames)
            asked.append(retarget.Asked(each.motion, name, marked, row))
        results = retarget.retarget_clips(clips[0].setup, asked, scene.fps(self.context.scene))
        return [Computed(result, self._blocks(each.motion.frames, result)) for each, result in zip(clips, results, strict=True)]

    def _blocks(self, frames: Floats, result: retarget.Result) -> list[Block]:
        """All keys that the new action is to have."""
        own, of_rig = result.keys, list[Block]()
        if self.rig:
            placed = PlacedControls(self.whole, self.rig.carriers, self.part, result.motion, self.rig.shape)
            own = list(placed.keys(own)) if self.rig.shape else own
            of_rig = [*self.rig.blocks(float(frames[0])), *ik.blocks(placed, self.rig.limbs)]
        own = [*own, *of_rig]
        blocks = [*own, *controls.switched(self._left, float(frames[0])), *rest_keys.blocks(self._moved, own, frames)]
        if result.standing is not None:
            blocks += object_keys.object_blocks(self.target, frames, result.standing)
        return blocks

    def _own_motions(self) -> list[Motion]:
        """How the target moves by itself, first in its present action."""
        return [] if self.rig else _standing_as(self.part, self._motions_of_target)

    @cached_property
    def _motions_of_target(self) -> list[Motion]:
        return self._motions(self.target, self.part, self._own)

    def _other_motions(self, figure: Figure) -> list[Motion]:
        """How the source moves in its clips, whichever of them are retargeted."""
        if self._others is None:
            self._others = self._motions(self.source, figure, actions_of(self.source))
        return _standing_as(figure, self._others)

    def _motions(self, obj: bpy.types.Object, figure: Figure, actions: Sequence[bpy.types.Action]) -> list[Motion]:
        """Some frames of each action that did not come from another figure, along the axes of the object as it stands in each."""
        result: list[Motion] = []
        for action in [action for action in actions if identity.RETARGETED not in action][:_CLIPS]:
            with log.collect(), suppress(RetroAnimError):  # what is wrong with a clip is said where that is retargeted
                frames = read.frames_of(action, obj, 1.0, at_keys=False)
                rows = np.linspace(0, len(frames) - 1, min(len(frames), _LOOKED)).astype(int)
                standing = replace(figure, world=read.still_world(obj, action))
                motion = read.read_motion(self.context, obj, action, standing, frames[rows])
                result.append(replace(motion, positions=np.asarray(motion.positions) @ standing.rotation))
        return result

    def closed(self, clip: Clip, setup: Setup, motion: Motion) -> tuple[Clip, Motion]:
        """At the frames of the new keys; where a loop does not end in its first pose, with one more step that leads back to it."""
        motion = replace(motion, frames=clip.frames)
        if clip.loop is None or loops.ends_as_it_starts(setup.binding, motion, clip.loop):
            return clip, motion
        longer = clip.longer(self.grid.behind(clip) if self.grid else float(clip.frames[-1]) + self.options.step)
        return longer, loops.closed(setup.binding, motion, clip.loop, float(longer.frames[-1]))

    def check_posed(self) -> None:
        """Raises RetroAnimError for a target that can have no reference pose."""
        if self.rig and self.rig.shape:
            raise RetroAnimError(_NO_POSE.format(self.target.name))

    def _poses(self, action: bpy.types.Action | None, source: Figure) -> Poses:
        options = self.options
        if options.core.align == "POSE":
            self.check_posed()
        if options.core.align == "FRAME":
            if action is None:
                raise RetroAnimError(f"{self.source.name} has no action whose frame {options.pose_frame:g} could be its reference pose")
            first, last = action.frame_range
            if not first - 0.5 <= options.pose_frame <= last + 0.5:
                log.warning(f"{options.pose_frame:g}, the frame of the reference pose, is outside the action's, {first:g} to {last:g}")
            return Poses(read.read_motion(self.context, self.source, action, source, np.array([options.pose_frame])))
        if options.core.align == "POSE" and options.reference:
            kept = reference_pose.named(self.bone_map, options.reference)
            return Poses(reference_pose.motion_of(source, kept.source), reference_pose.motion_of(self.part, kept.target))
        if options.core.align == "POSE":
            return Poses(self._pose(options.source_pose, self.source, source), self._pose(options.target_pose, self.target, self.figure))
        return Poses()

    def _pose(self, name: str, obj: bpy.types.Object, figure: Figure) -> Motion:
        if not name:
            return rest_motion(self.part if obj == self.target else figure)
        (action,) = chosen_actions(obj, (name,))
        pose = read.keyed(obj, action, figure, read.frames_of(action, obj, 1.0, at_keys=True)[:1])
        return reduced_motion(pose, figure, self.bone_map) if obj == self.target else pose


def _shown_as_they_are(context: bpy.types.Context, source: bpy.types.Object, target: bpy.types.Object) -> None:
    """Give both armatures back what they were shown with for a while. Raises RetroAnimError for what can be no source, or no target."""
    for obj in (source, target):
        if obj.type != "ARMATURE":
            raise RetroAnimError(f"{obj.name} is no armature")
        if armature.data_of(obj).is_editmode:
            raise RetroAnimError(f"{obj.name} is in Edit Mode, where it shows its rest pose: leave that first")
    if source == target:
        raise RetroAnimError("source and target are the same armature")
    for obj in (source, target):
        temporary_state.give_back(obj)
    context.view_layer.update()  # matrices may be behind what was set by a script
    for obj in (source, target):
        _check_scale(obj)


def _check_scale(obj: bpy.types.Object) -> None:
    """Raises RetroAnimError for a mirrored armature, whose bones rotate in the opposite direction, and for one without any size."""
    axes = np.array(obj.matrix_world, np.float64)[:3, :3]
    sizes = np.linalg.norm(axes, axis=0)
    if not np.isfinite(sizes).all() or sizes.min() < _FLAT * max(sizes.max(), _FLAT):
        raise RetroAnimError(f"{obj.name} is scaled to nothing along an axis: give it, or what it hangs on, a scale first")
    if np.linalg.det(axes) < 0:
        raise RetroAnimError(f"{obj.name} is mirrored by a negative scale: apply the scale first")


def _standing_as(figure: Figure, motions: Sequence[Motion]) -> list[Motion]:
    """Motions along the axes of an object, of a figure that stands somewhere."""
    return [replace(motion, positions=motion.positions @ figure.rotation.T) for motion in motions]


def _present(obj: bpy.types.Object) -> bpy.types.Action | None:
    return obj.animation_data.action if obj.animation_data else None
