"""How the mannequin moves: walking, standing, waving and turning, in keyframes of LBA1 (1/50 s, 1024 steps a full circle).

Feet are placed first; the angles of the legs follow from them. Character axes: Y up, front +Z, left +X. A leg, an arm or the
trunk is rotated by Rx(alpha) Rz(gamma) Ry(beta) against its parent: alpha swings what hangs backwards, gamma to the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.lba.files.anm import ROTATE, TRANSLATE, Anm, frame_dtype
from ..core.motion.rotations.rotation_matrix import about, from_euler, to_euler
from .mannequin import BALL, HEEL, HIP_HEIGHT, HIP_WIDTH, HIPS, SHIN, THIGH, TOE, Segment
from .shapes import Floats, whole

ORDER = "YZX"
"""Rx Rz Ry on column vectors, as core.motion.rotations.rotation_matrix names it."""
FULL_CIRCLE = 1024

Angles = tuple[float, float, float]


@dataclass(frozen=True)
class Foot:
    """Where a foot's ankle is, in units, and how the foot is rotated: pitch downwards, yaw to the left, in degrees."""

    ankle: Floats
    pitch: float = 0.0
    yaw: float = 0.0


def rolled(pitch: float) -> Floats:
    """(x, y, z) of the ankle of a foot on the ground, from the spot below the ankle of the same foot before it rolled without
    sliding: on the heel with the toes up (pitch below 0), on the ball, and then on the tip of the toes."""
    edge = np.arctan2(TOE[0] - BALL[0], TOE[1] - BALL[1])
    angle = np.radians(pitch)
    corner = np.array([0.0, *(HEEL if angle < 0 else BALL if angle < edge else TOE)])
    spot = np.array([0.0, 0.0, corner[2]])
    if angle >= edge:
        spot[2] = BALL[1] + np.hypot(TOE[0] - BALL[0], TOE[1] - BALL[1])
    return spot - about(0, angle) @ corner


def on_ground(side: int, width: float, forward: float, pitch: float = 0.0, lift: float = 0.0, yaw: float = 0.0) -> Foot:
    """side: 1 left, -1 right. width: from the middle. forward: of the spot below the ankle when the foot was flat."""
    spot = np.array([side * width, lift, forward]) + rolled(pitch)
    return Foot(about(1, np.radians(yaw)) @ spot, pitch, yaw)


@dataclass(frozen=True)
class Stance:
    """One keyframe. ticks: to get there. hips: shift from rest in units. rotations: degrees of the trunk and arms by segment.

    feet: left and right. heading: how far the character rotates until then, in steps.
    """

    ticks: int
    hips: tuple[float, float, float]
    rotations: dict[str, Angles]
    feet: tuple[Foot, Foot]
    heading: int = 0


def steps_of(degrees: Floats) -> Floats:
    return whole(degrees * FULL_CIRCLE / 360)


def leg(hip_centre: Floats, hips: Floats, side: int, foot: Foot) -> dict[str, Angles]:
    """Degrees of the three joints of a leg that stands as `foot` wants. hips: (3, 3) how the pelvis is rotated."""
    joint = hip_centre + hips @ np.array([side * HIP_WIDTH, HIP_HEIGHT - HIPS[1], 0.0])
    target = hips.T @ (foot.ankle - joint)
    reach = np.linalg.norm(target)
    if reach > THIGH + SHIN:
        raise ValueError(f"the leg of {THIGH + SHIN} units cannot reach {reach:.1f}")
    knee = np.pi - np.arccos((THIGH**2 + SHIN**2 - reach**2) / (2 * THIGH * SHIN))
    down, back = THIGH + SHIN * np.cos(knee), SHIN * np.sin(knee)
    gamma = np.arcsin(target[0] / down)
    alpha = np.arctan2(target[2], target[1]) - np.arctan2(-back, -down * np.cos(gamma))
    thigh = np.degrees([alpha, 0, gamma])
    shin = np.degrees([knee, 0, 0])
    above = hips @ rotated(thigh) @ rotated(shin)
    sole = about(1, np.radians(foot.yaw)) @ about(0, np.radians(foot.pitch))
    name = "left" if side > 0 else "right"
    bent = np.degrees(to_euler(above.T @ sole, ORDER))
    joints = zip(("thigh", "shin", "foot"), np.array([thigh, shin, bent]).tolist(), strict=True)
    return {f"{name} {part}": (a, b, c) for part, (a, b, c) in joints}


def rotated(degrees: Floats | Angles) -> Floats:
    """(3, 3) of angles as the file can hold them: whole steps."""
    return from_euler(steps_of(np.asarray(degrees, np.float64)) * 2 * np.pi / FULL_CIRCLE, ORDER)


def keyframes(segments: Sequence[Segment], stances: Sequence[Stance], loop_frame: int = 0) -> Anm:
    frames = np.zeros(len(stances), frame_dtype(len(segments)))
    index = {segment.name: number for number, segment in enumerate(segments)}
    frames["bones"]["type"][:, 1:] = ROTATE
    frames["bones"]["type"][:, index["bob"]] = TRANSLATE
    for frame, stance in zip(frames, stances, strict=True):
        frame["duration"] = stance.ticks
        frame["bones"]["value"][0] = 0, stance.heading, 0
        frame["bones"]["type"][0] = stance.heading != 0
        shift = whole(np.array(stance.hips))
        frame["bones"]["value"][index["bob"]] = shift
        pelvis = rotated(stance.rotations.get("hips", (0, 0, 0)))
        rotations = dict(stance.rotations)
        for side, foot in zip((1, -1), stance.feet, strict=True):
            rotations |= leg(HIPS + shift, pelvis, side, foot)
        for name, degrees in rotations.items():
            frame["bones"]["value"][index[name]] = steps_of(np.array(degrees)).astype(int) % FULL_CIRCLE
    return Anm(loop_frame, loop_frame, frames)


# One leg in a walk of eight keyframes, from heel strike to heel strike: where the foot would stand flat
# (units before the hips), lift from the ground, pitch. On the ground it falls back evenly.
GAIT = [
    (180, 0, -20),
    (85, 0, 0),
    (-10, 0, 0),
    (-105, 0, 10),
    (-200, 0, 36),
    (-176, 16, 58),
    (-40, 48, 34),
    (128, 34, -8),
]
SINK = (-30, -38, -20, -12)


def walk(segments: Sequence[Segment]) -> Anm:
    """Eight keyframes of 5 ticks, two steps; at keyframe 0 the left heel strikes, at 4 the right one."""
    stances: list[Stance] = []
    for key in range(8):
        angle = 2 * np.pi * key / 8
        swing, sway = float(np.cos(angle)), float(np.sin(angle))
        left, right = (on_ground(side, 52, *_gait(key + late)) for side, late in ((1, 0), (-1, 4)))
        rotations: dict[str, Angles] = {
            "hips": (3, -9 * swing, 3.5 * sway),
            "chest": (4 + 1.5 * np.cos(2 * angle), 16 * swing, -6 * sway),
            "head": (-6 - 1.5 * np.cos(2 * angle), -7 * swing, 2 * sway),
            "left upper arm": (4 + 32 * swing, 0, 11),
            "left forearm": (-26 + 16 * swing, 0, 0),
            "left hand": (-8 + 6 * swing, 0, -4),
            "right upper arm": (4 - 32 * swing, 0, -11),
            "right forearm": (-26 - 16 * swing, 0, 0),
            "right hand": (-8 - 6 * swing, 0, 4),
        }
        stances.append(Stance(5, (14 * sway, SINK[key % 4], 0), rotations, (left, right)))
    anm = keyframes(segments, stances)
    for key in range(8):
        side = 1 if 1 <= key <= 4 else -1
        anm.steps[key, 2] = whole(spot(segments, anm, key - 1, side) - spot(segments, anm, key, side))[2]
    return anm


def spot(segments: Sequence[Segment], anm: Anm, key: int, side: int) -> Floats:
    """Where a foot would stand flat on the ground, from the angles of a keyframe: it moves back by what the character moves on."""
    index = {segment.name: number for number, segment in enumerate(segments)}
    name = "left" if side > 0 else "right"
    position = HIPS + anm.values[key, index["bob"]]
    matrix = np.eye(3)
    chain = {
        "hips": (side * HIP_WIDTH, HIP_HEIGHT - HIPS[1], 0),
        f"{name} thigh": (0, -THIGH, 0),
        f"{name} shin": (0, -SHIN, 0),
        f"{name} foot": (0, 0, 0),
    }
    for joint, bone in chain.items():
        matrix = matrix @ from_euler(anm.values[key, index[joint]] * 2 * np.pi / FULL_CIRCLE, ORDER)
        position = position + matrix @ np.array(bone, np.float64)
    return position - rolled(float(np.degrees(np.arcsin(-matrix[1, 2]))))


def _gait(key: int) -> tuple[float, float, float]:
    forward, lift, pitch = GAIT[key % 8]
    return forward, pitch, lift


RELAXED: dict[str, Angles] = {
    "left upper arm": (3, 0, 6),
    "left forearm": (-14, 0, 0),
    "left hand": (-4, 0, -3),
    "right upper arm": (3, 0, -6),
    "right forearm": (-14, 0, 0),
    "right hand": (-4, 0, 3),
}


def _standing() -> tuple[Foot, Foot]:
    return on_ground(1, 70, -6, yaw=8), on_ground(-1, 70, -6, yaw=-8)


def idle(segments: Sequence[Segment]) -> Anm:
    """Breathing in and out twice while the weight goes from one leg to the other; the first keyframe is how the body stands."""
    stances: list[Stance] = []
    for key in range(4):
        breath, weight = (0.0, 1.0)[key % 2], (0.0, 1.0, 0.0, -1.0)[key]
        rotations = RELAXED | {
            "hips": (0, 4 * weight, -2.5 * weight),
            "chest": (2 - 4 * breath, -2 * weight, 3.5 * weight),
            "head": (-2 + 3 * breath, -9 * weight, 0),
            "left upper arm": (3 - 2 * breath, 0, 6 + 3 * breath),
            "right upper arm": (3 - 2 * breath, 0, -6 - 3 * breath),
        }
        stances.append(Stance(35, (18 * weight, -7 - 2 * abs(weight), 0), rotations, _standing()))
    return keyframes(segments, stances)


def wave(segments: Sequence[Segment]) -> Anm:
    """The right arm goes up through keyframe 0, and waves from keyframe 1 on."""
    stances: list[Stance] = []
    for key in range(5):
        out = (0.0, 1.0, -1.0, 0.85, -0.85)[key]
        up = key > 0
        rotations = RELAXED | {
            "hips": (0, -3, 2.5),
            "chest": (1, -5, -3 - out),
            "head": (-3, 2, -5 + 2 * out),
            "right upper arm": (-8, 0, -104 if up else -48),
            "right forearm": (0, -80, -58 + 26 * out) if up else (-30, -40, -40),
            "right hand": (0, 0, 12 * out),
        }
        stances.append(Stance(12 if key < 2 else 9, (-12, -10, 0), rotations, _standing()))
    return keyframes(segments, stances, loop_frame=1)


def turning(segments: Sequence[Segment]) -> Anm:
    """To the left on the spot, 48 steps of heading (16.9 degrees) a keyframe: the left foot moves first, then the right one follows."""
    stances: list[Stance] = []
    by = 48
    degrees = by * 360 / FULL_CIRCLE
    for key in range(4):
        # How far each foot is ahead of the heading, and how high, at keyframes 0 to 3.
        ahead = degrees * np.array([(0, 1, 2, 1), (0, -1, -2, -1)])[:, key]
        lift = 42 * np.array([(0, 1, 0, 0), (0, 0, 0, 1)])[:, key]
        left, right = (
            on_ground(side, 70, -6, pitch=12.0 * bool(lift[foot]), lift=lift[foot], yaw=ahead[foot]) for foot, side in enumerate((1, -1))
        )
        twist = float(ahead[0]) / degrees
        rotations = RELAXED | {
            "hips": (0, 0, (0, -3, 0, 3)[key]),
            "chest": (3, 4 * twist, (0, 4, 0, -4)[key]),
            "head": (-3, 7 * twist, 0),
            "left upper arm": (-3 + 6 * twist, 0, 12),
            "right upper arm": (9 - 6 * twist, 0, -12),
        }
        stances.append(Stance(10, ((0, -16, 0, 16)[key], (-14, -18, -22, -18)[key], 0), rotations, (left, right), heading=by))
    return keyframes(segments, stances)
