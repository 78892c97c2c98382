"""What Blender shows of a control rig after its new action is written: between controls and skin there are constraints, which no
calculation of ours follows, so that it is read from evaluated poses, at the frames in which most may go wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.rotations import quaternion as quat
from ....core.motion.rotations.angles import wrapped
from ....core.motion.rotations.directions import angle_between
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting.labels import first_few
from ....core.retarget import retarget
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.motion import Motion
from ....core.retarget.limb_goals.limb_joints import joint_roles
from ....core.retarget.mapping.layers import Layers, layers_of
from ....core.retarget.reports import chain_lines, flips, measures
from ....core.retarget.reports.report import GOOD_ANGLE, GOOD_PATH, GOOD_SKATE, Report
from ....core.retarget.setup import Setup
from ...blender import armature, scene
from ...blender.motion import evaluated
from ..reading import read
from . import constraints, unbent
from .shaped import Shape

_PAIRS = 16
"""Frames that are looked at, each with the one before it."""

_BENT = 5.0
"""Degrees by which the skin may be bent otherwise than the controls, as the spines of many rigs are."""

_FAR = 20.0
"""The same of a human's rig, of which arms and legs are measured by themselves: what a person sees of a trunk or of toes."""

_APART = 0.002
"""Leg lengths: feet that are nearer to where their keys put them slide as these say."""

_ROUNDED = 1e-3
"""Degrees that are none."""


class Shown:
    """What Blender shows of one armature. figure: of all its bones. shape: of a rig whose controls are elsewhere than the bones they
    move."""

    def __init__(self, context: bpy.types.Context, obj: bpy.types.Object, figure: Figure, shape: Shape | None) -> None:
        self._context, self._obj, self._figure, self._shape = context, obj, figure, shape
        self._fps = scene.fps(context.scene)

    @cached_property
    def _layers(self) -> Layers | None:
        return layers_of(self._figure)

    @cached_property
    def _showing(self) -> dict[str, str]:
        """Control -> the bone that shows what it does, of any rig in layers."""
        return {} if self._layers is None else self._layers.shown

    @cached_property
    def _whole(self) -> frozenset[str]:
        """Bones that are no parts of a limb's bone: of a rig in layers those of which it was made, and those that move the skin there."""
        bones = self._figure.names if self._layers is None else self._layers.bones
        return frozenset((*bones, *(self._skins[name] for name in bones)))

    @cached_property
    def _skins(self) -> dict[str, str]:
        """Bone -> the one that moves the skin in its position: itself where there is none else."""
        names = self._figure.names
        return dict(zip(names, names, strict=True)) | constraints.skins(self._obj, names)

    @cached_property
    def _deforming(self) -> NDArray[np.bool_]:
        bones = armature.bones_of(self._obj)
        return np.array([bones[name].use_deform for name in self._figure.names], bool)

    def measured(
        self, action: bpy.types.Action, setup: Setup, source: Motion, result: retarget.Result, *, check_all: bool = False
    ) -> Report:
        """The result's report with the limbs of the controls, and the rotation from frame to frame of the bones that move the skin, as they
        are shown. source: what was retargeted. check_all: at all frames, as they are read also where limits hold bones back in some."""
        obj, figure, names = self._obj, self._figure, setup.binding.target.names
        limits = constraints.limiting(obj, names, constraints.MOVING)
        limited = [bone for bone, name in enumerate(names) if name in limits]
        rows = np.arange(len(source.frames)) if check_all else _rows(result.motion, setup.binding.target, limited)
        with evaluated.alone(obj, action):
            poses = read.shown(self._context, obj, figure, source.frames[rows])
        showing = self._bones(setup)
        bones = [figure.index[name] for name in showing]
        moved = source.at(rows)
        reported = _limbs(replace(result.report, frames_read=len(rows)), setup, moved, poses, bones)
        if self._shape is None:  # else the bones that show what these do stand otherwise at rest
            reported = _chains(reported, setup, moved, _some(poses, bones))
        skins = {control: figure.index[self._skins[name]] for control, name in zip(names, showing, strict=True)}
        reported = _skin(reported, setup, moved, poses, skins)
        if limited and len(rows) < len(source.frames) and reported.limb_max >= max(GOOD_ANGLE, result.report.limb_max + _ROUNDED):
            return self.measured(action, setup, source, result, check_all=True)  # limits do act: where most, no choice of frames tells
        walking = _some(replace(poses, frames=moved.frames), list(skins.values()))
        if len(rows) < len(source.frames) and _are_feet_elsewhere(setup, result, rows, walking):
            return self.measured(action, setup, source, result, check_all=True)  # how far they slide, all of them tell
        if len(rows) == len(source.frames):
            sliding = measures.skates(setup.binding, result.limbs, walking, self._fps, setup.legs.target, in_source=False)
            reported = replace(reported, skate=float(sliding[0]))
        limbs = {setup.binding.followers[row].target for pair in measures.role_limbs(setup.binding) for row in pair}
        named = self._showing if limbs and self._shape is None else {}
        others = {bone: self._skins[named.get(names[bone], each)] for bone, each in enumerate(showing) if bone not in limbs}
        if not evaluated.carried(obj):  # else all of it is elsewhere, and its hips are named
            off, twisted = self._apart(setup.binding.target, result.motion, rows, poses, others)
            reported = _with_twisted(_with_skin(reported, off, _FAR if limbs else _BENT), twisted)
        every = {control: self._skins[self._showing.get(control, name)] for control, name in zip(names, showing, strict=True)}
        known = {*names, *every.values()}
        rig = unbent.ShownRig(figure, poses, every, self._whole, constraints.limiting(obj, known))
        reported = unbent.reported(reported, setup, moved, rig)
        reported = _carried(reported, setup, result.motion, rows, poses.positions[:, bones])
        reported = _limited(reported, result.report.skate, constraints.limiting(obj, known, constraints.MOVING))
        return self._flipping(reported, setup, moved, poses, np.flatnonzero(np.diff(rows) == 1))

    def motion(self, action: bpy.types.Action, setup: Setup, frames: Floats) -> Motion:
        """The setup's target at `frames`, as it is shown."""
        with evaluated.alone(self._obj, action):
            poses = read.shown(self._context, self._obj, self._figure, frames)
        return _some(poses, [self._figure.index[name] for name in self._bones(setup)])

    def _bones(self, setup: Setup) -> Sequence[str]:
        """Which bones show those of a setup's target."""
        names = setup.binding.target.names
        return names if self._shape is None else self._shape.bones(names)

    def _apart(
        self, target: Figure, motion: Motion, rows: NDArray[np.int64], poses: Motion, skins: dict[int, str]
    ) -> tuple[dict[str, float], dict[str, float]]:
        """By bone of the skin the degrees that it is off from where the keys put the bone it is to follow, and those about itself, but of
        limbs in parts, which share that. motion: of the target by the keys. poses: of all bones, as shown, at `rows`. skins: bone of the
        target -> the one that moves the skin there."""
        bones = armature.bones_of(self._obj)
        off: dict[str, float] = {}
        twisted: dict[str, float] = {}
        # Of ends that are mirrored, as those of games' skeletons that carry nothing, no rotation is what they show.
        ends = {bone.name for bone in armature.pose_bones(self._obj) if np.array(bone.scale).prod() < 0 and not bone.children}
        for bone, skin in skins.items():
            if bones[skin].use_deform and skin not in ends:
                along = target.rotation @ np.array(bones[skin].matrix_local, np.float64)[:3, 1]
                away = quat.multiply(motion.rotations[rows, bone], quat.conjugate(target.quaternions[bone]))
                wanted = quat.rotate(away, along)
                has = quat.rotate(poses.rotations[:, self._figure.index[skin]], np.array([0.0, 1.0, 0.0]))
                off[skin] = float(np.degrees(angle_between(has, wanted)).max())
                if all(child.name in self._whole for child in bones[skin].children if child.use_deform):
                    index = self._figure.index[skin]
                    shown = quat.multiply(poses.rotations[:, index], quat.conjugate(self._figure.quaternions[index]))
                    beside = quat.multiply(quat.conjugate(away), shown)
                    twisted[skin] = float(np.degrees(np.abs(wrapped(quat.twist_angle(beside, along)))).max())
        return off, twisted

    def _flipping(self, reported: Report, setup: Setup, source: Motion, poses: Motion, following: NDArray[np.int64]) -> Report:
        """With bones of the skin that flip. source, poses: at the frames that are looked at. following: rows of those whose next frame is
        looked at, too."""
        if not self._deforming.any() or not len(following):
            return reported
        used = flips.leading(setup.binding)
        steps = np.degrees(_steps(poses.rotations[:, self._deforming]))[following]
        excess = steps - np.degrees(_steps(source.rotations[:, used]))[following].max(axis=1)[:, None]
        is_flip = excess >= flips.least(source.frames, following)[:, None]
        if not is_flip.any():
            return reported
        pair, bone = np.unravel_index(int(np.argmax(np.where(is_flip, excess, -np.inf))), excess.shape)
        name, angle = np.array(self._figure.names)[self._deforming][bone], steps[pair, bone]
        frame = source.frames[following[pair] + 1]
        note = f"{name} flips by {angle:.0f}° at frame {frame:g} in what Blender shows: look at the constraints of the rig there"
        is_known = reported.flips > 0 and frame == reported.flip_frame  # by the keys, of which a line says it already
        return replace(
            reported,
            flips=max(reported.flips, int(is_flip.sum())),
            rotation_excess=max(reported.rotation_excess, float(excess[pair, bone])),
            notes=reported.notes if is_known else (*reported.notes, note),
        )


def _rows(motion: Motion, figure: Figure, limited: list[int]) -> NDArray[np.int64]:
    """The frames into which bones rotate most, and those before them, ascending; of a figure in which some bones are limited as many of
    those in which these rotate furthest."""
    count, pairs = len(motion.frames), _PAIRS // 2 if limited else _PAIRS
    if count <= 2 * _PAIRS:
        return np.arange(count)
    most = np.argsort(-_steps(motion.rotations).max(axis=1))[:pairs] + 1
    furthest = _furthest(motion, figure, limited, 2 * (_PAIRS - pairs)) if limited else most
    return np.unique(np.concatenate([most, most - 1, furthest, [0, count - 1]]))


def _furthest(motion: Motion, figure: Figure, bones: list[int], count: int) -> NDArray[np.int64]:
    """So many frames, in the order in which bones rotate further there about any of their axes, to either side, than before and behind,
    each of these in its turn."""
    every: list[NDArray[np.int64]] = []
    for bone in bones:
        above = motion.rotations[:, parent] if (parent := int(figure.parents[bone])) >= 0 else motion.standing.rotations
        own = quat.relative(figure.links.rotations[bone], quat.relative(above, motion.rotations[:, bone]))
        rotated = own[:, 1:] * np.where(own[:, :1] < 0, -1.0, 1.0)
        far = np.concatenate([rotated, -rotated], axis=1)
        beside = np.pad(far, ((1, 1), (0, 0)), constant_values=-np.inf)
        peaks = np.where((far >= beside[:-2]) & (far >= beside[2:]), far, -np.inf)
        every.append(np.argsort(-peaks, axis=0, kind="stable")[:count])
    order = np.concatenate(every, axis=1).ravel()
    return order[np.sort(np.unique(order, return_index=True)[1])][:count]


def _are_feet_elsewhere(setup: Setup, result: retarget.Result, rows: NDArray[np.int64], shown: Motion) -> bool:
    """Whether what stands goes otherwise over the ground than its keys have it. shown: of the setup's target, at these frames."""
    for limb in result.limbs:
        bone = setup.binding.followers[limb.rows[3]].target
        if limb.name.endswith("Foot") and limb.held.any():
            off = (shown.positions[:, bone] - result.motion.positions[rows, bone])[:, :2]
            if np.ptp(off, axis=0).max() > _APART * setup.legs.target:
                return True
    return False


def _carried(reported: Report, setup: Setup, motion: Motion, rows: NDArray[np.int64], shown: Floats) -> Report:
    """How far something else than the keys takes the hips from where these put them. motion: of the target, by the keys. rows: frames of
    it. shown: (rows, T, 3) joints there."""
    row = setup.binding.roles.get("hips")
    if row is None:
        return reported
    hips = setup.binding.followers[row].target
    away = np.linalg.norm(shown[:, hips] - motion.positions[rows, hips], axis=1) / setup.legs.target
    worst = int(np.argmax(away))
    return replace(reported, carried=float(away[worst]), carried_frame=float(motion.frames[rows[worst]]))


def _limited(reported: Report, skate: float, limits: Mapping[str, Sequence[str]]) -> Report:
    """With the constraints and drivers that may be why bones are not where their keys put them. skate: by the keys. limits: by bone."""
    is_off = reported.limb_max >= GOOD_ANGLE or reported.carried > GOOD_PATH or reported.skate > skate + GOOD_SKATE
    if not limits or not is_off:
        return reported
    every = first_few([f"{bone} ({', '.join(own)})" for bone, own in limits.items()], 6)
    text = (
        f"limits, Copy Location or drivers may keep bones from what they follow: {every}: mute them where the motion is to be as the "
        "source's"
    )
    return replace(reported, amiss=(*reported.amiss, text))


def _limbs(reported: Report, setup: Setup, source: Motion, poses: Motion, bones: list[int]) -> Report:
    """The error of the limbs as shown, but for those that the foot pass or a goal bends. bones: of the poses, those of the setup's
    target."""
    binding, reflection = setup.binding, measures.reflection_of(setup)
    errors = measures.limb_errors(binding, source, _some(poses, bones), setup.frame, reflection, measures.limb_rows(binding))
    return _with_limbs(reported, setup, {binding.named(row): float(values.max()) for row, values in errors.items()})


def _chains(reported: Report, setup: Setup, source: Motion, shown: Motion) -> Report:
    """How far the lines of chains are from their sources', as shown."""
    reflection = measures.reflection_of(setup)
    for each in chain_lines.uneven(setup.binding, reflection):
        away = chain_lines.off(setup, each, source, shown, reflection)
        at = int(away.argmax())
        if away[at] > reported.chain_off:
            named = chain_lines.named(setup.binding, each[0])
            reported = replace(reported, chain_off=float(away[at]), chain_off_which=named, chain_off_frame=float(source.frames[at]))
    return reported


def _some(poses: Motion, bones: list[int]) -> Motion:
    """Of some bones alone."""
    sizes = None if poses.sizes is None else poses.sizes[:, bones]
    return replace(poses, rotations=poses.rotations[:, bones], positions=poses.positions[:, bones], sizes=sizes)


def _skin(reported: Report, setup: Setup, source: Motion, poses: Motion, skins: dict[str, int]) -> Report:
    """The error of arms and legs by the bones that move the skin where the controls are, whichever carries which. skins: control -> the
    one of the poses' bones that moves the skin there."""
    binding, reflection = setup.binding, measures.reflection_of(setup)
    names = [binding.named(row) for row in range(len(binding))]
    joints = poses.positions[:, [skins[name] for name in names]]
    apart = measures.directions_apart(binding, source, joints, setup.frame, measures.role_limbs(binding), reflection)
    return _with_limbs(reported, setup, {names[first]: float(values.max()) for (first, _), values in apart.items()})


def _with_skin(reported: Report, off: dict[str, float], most: float) -> Report:
    """With what is amiss of the skin. most: degrees that are none."""
    worst = max(off, key=lambda name: off[name], default="")
    if not worst or off[worst] < most:
        return reported
    more = sum(angle >= most for angle in off.values()) - 1
    text = (
        f"{worst}{f' and {more} more bones' if more else ''} of the skin: up to {off[worst]:.0f}° from where the keys put what they are to "
        "follow, as constraints of the rig move them otherwise: choose its controls in the bone map"
    )
    return replace(reported, amiss=(*reported.amiss, text))


def _with_twisted(reported: Report, twisted: dict[str, float]) -> Report:
    """With what a rig rotates otherwise about itself, though it points where the source's does."""
    some = {name: angle for name, angle in twisted.items() if angle >= _FAR}
    if not some:
        return reported
    text = (
        f"{first_few(sorted(some, key=some.__getitem__, reverse=True), 3)} of the skin: up to {max(some.values()):.0f}° otherwise about "
        f"{'themselves' if len(some) > 1 else 'itself'} than the source's, as the rig hands that on from bone to bone: the tweak controls "
        "rotate them"
    )
    return replace(reported, notes=(*reported.notes, text))


def _with_limbs(reported: Report, setup: Setup, every: dict[str, float]) -> Report:
    """With the errors of limbs by bone, where these are larger. What the foot pass or a goal bends is no fault."""
    reaching = {role for item in reported.goals for role in joint_roles(item.limb)}
    held = {
        setup.binding.named(row)
        for role, row in setup.binding.roles.items()
        if (reported.foot_pass > 0 and role.endswith(("Leg", "Foot"))) or (setup.options.hands and role.endswith("Arm")) or role in reaching
    }
    bent = max(every, key=lambda name: every[name], default="")
    if bent and every[bent] > reported.limb_shown:
        reported = replace(reported, limb_shown=every[bent], limb_shown_worst=bent)
    largest = {name: value for name, value in every.items() if name not in held}
    worst = max(largest, key=lambda name: largest[name], default="")
    if not worst or largest[worst] <= reported.limb_max:
        return reported
    is_held = reported.limb_held and largest[worst] < reported.limb_max + _ROUNDED
    return replace(reported, limb_max=largest[worst], limb_worst=worst, limb_held=is_held)


def _steps(rotations: Floats) -> Floats:
    """(F - 1, B) radians from each frame to the next."""
    return quat.angle(quat.multiply(quat.conjugate(rotations[:-1]), rotations[1:]))
