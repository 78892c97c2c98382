"""What the invariants I1 to I14 measure: figures, motions, and how far a retargeting is off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer import mirror

from . import rigs

Options = retarget.Options


def run(
    source: Figure, motion: Motion, target: Figure, bone_map: BoneMap = rigs.SAME, fps: float = 30.0, **options: Any
) -> retarget.Result:
    return retarget.retarget(prepare(source, target, bone_map, Options(**options)), motion, fps, "clip")


def apart(one: Floats, other: Floats) -> float:
    return float(np.linalg.norm(one - other, axis=-1).max())


def straightened(motion: Motion, angle: float) -> Floats:
    """Places as seen from a figure that faces `angle` away."""
    return motion.positions @ rotation_matrix.about(2, np.array(angle))


# The figures of I2 to I4: one set of joints, dressed differently.
def rolled() -> Figure:
    return rigs.rolled(3)


def other_axes() -> Figure:
    return rigs.humanoid(rigs.random_rotations(4))


def other_rest() -> Figure:
    return rigs.reposed(rigs.humanoid(rigs.random_rotations(5)), 6, np.radians(25), rigs.yawed(np.pi / 2))


def identity() -> float:
    """I1: the curves of the source."""
    figure = rigs.rolled(1)
    local, motion = rigs.dance(figure)
    result = run(figure, motion, figure)
    rotations = quat.continuous(local.rotations, positive=True)
    return max(float(np.abs(rotations - result.local.rotations).max()), float(np.abs(local.locations - result.local.locations).max()))


def same_joints(target: Callable[[], Figure], angle: float) -> float:
    """I2 to I4: the joints of the source."""
    _, motion = rigs.dance(rigs.rolled(1))
    result = run(rigs.rolled(1), motion, target())
    return apart(straightened(result.motion, angle), motion.positions)


def there_and_back() -> float:
    """I6: to other proportions and axes, and back, without held feet."""
    source = rigs.rolled(1)
    offsets = rigs.OFFSETS * np.random.default_rng(9).uniform(0.7, 1.4, (len(rigs.NAMES), 1))
    target = rigs.reposed(rigs.humanoid(rigs.random_rotations(8), offsets), 2, 0.4)
    _, motion = rigs.dance(source)
    there = run(source, motion, target, feet=False)
    back = run(target, there.motion, source, rigs.SAME.reversed(), feet=False)
    return apart(back.motion.positions, motion.positions)


def limb_directions() -> float:
    """I7, in degrees."""
    offsets = rigs.OFFSETS * np.random.default_rng(9).uniform(0.6, 1.5, (len(rigs.NAMES), 1))
    target = rigs.reposed(rigs.humanoid(rigs.random_rotations(8), offsets), 2, 0.5)
    _, motion = rigs.dance(rigs.rolled(1))
    result = run(rigs.rolled(1), motion, target)
    worst = 0.0
    for name in rigs.LIMBS:
        bone = rigs.NAMES.index(name)
        child = int(np.flatnonzero(bone == rigs.PARENTS)[0])
        lines = [moved.positions[:, child] - moved.positions[:, bone] for moved in (result.motion, motion)]
        one, other = (offset / np.linalg.norm(offset, axis=1, keepdims=True) for offset in lines)
        worst = max(worst, float(np.degrees(np.arccos((one * other).sum(axis=1).clip(-1, 1))).max()))
    return worst


def flips() -> float:
    """I9: negative dot products of neighbours. The head turns round and round."""
    figure = rigs.rolled(1)
    local, _ = rigs.dance(figure, 80)
    local.rotations[:, rigs.NAMES.index("head")] = quat.about(np.array([0.0, 1.0, 0.0]), np.linspace(0, 6 * np.pi, 80))
    motion = forward(figure, np.arange(80.0), local)
    motion = replace(
        motion, rotations=quat.of_matrix(rotation_matrix.from_quaternion(motion.rotations))
    )  # signs as they come from evaluated poses
    keys = [block.values for block in run(figure, motion, rolled()).keys if block.channels[0].property == "rotation_quaternion"]
    assert keys
    return float(sum(int((np.einsum("cf,cf->f", own[:, 1:], own[:, :-1]) < 0).sum()) for own in keys))


def reflected(motion: Motion) -> Motion:
    """A symmetric figure's motion in the mirror x = 0, by hand: the joints of the other side, reflected."""
    swap = [rigs.NAMES.index(mirror.other_side(name)) for name in rigs.NAMES]
    return replace(motion, positions=motion.positions[:, swap] * np.array([-1.0, 1, 1]))


def two_bone_spine() -> tuple[Figure, BoneMap]:
    """The humanoid with `chest` and `upperChest` made one."""
    keep = [bone for bone, name in enumerate(rigs.NAMES) if name != "chest"]
    parents = [int(rigs.PARENTS[bone]) for bone in keep]
    parents = [rigs.NAMES.index("spine") if parent == rigs.NAMES.index("chest") else parent for parent in parents]
    full = rigs.humanoid(rigs.random_rotations(12))
    figure = Figure(
        tuple(rigs.NAMES[bone] for bone in keep),
        np.array([keep.index(parent) if parent >= 0 else -1 for parent in parents], np.int32),
        full.rest[keep],
        full.lengths[keep],
    )
    pairs = tuple(pair for pair in rigs.SAME if pair.source not in ("spine", "chest", "upperChest"))
    return figure, BoneMap(pairs, (Chain(("spine", "chest", "upperChest"), ("spine", "upperChest"), "spine"),))


def chain_end() -> float:
    source = rigs.rolled(1)
    target, bone_map = two_bone_spine()
    _, motion = rigs.dance(source)
    there = run(source, motion, target, bone_map)
    back = run(target, there.motion, source, bone_map.reversed())
    end = rigs.NAMES.index("upperChest")
    rotations = quat.multiply(quat.conjugate(motion.rotations[:, end]), back.motion.rotations[:, end])
    return float(quat.angle(rotations).max())


def grown() -> float:
    """I5: the joints of the source, 1.7 times as far."""
    _, motion = rigs.dance(rigs.rolled(1))
    target = rigs.humanoid(rigs.random_rotations(3), scale=1.7)
    return apart(run(rigs.rolled(1), motion, target).motion.positions, motion.positions * 1.7)


def untold() -> float:
    """I6b: how many moving bones that nothing follows the report does not name."""
    _, motion = rigs.dance(rigs.rolled(1))
    fewer = BoneMap(tuple(pair for pair in rigs.SAME if pair.source not in ("neck", "leftHand")))
    reported = {item.bone: item.largest for item in run(rigs.rolled(1), motion, other_axes(), fewer).report.unmapped}
    return float(len({"neck", "leftHand"} - {name for name, largest in reported.items() if largest > 5}))


def walk(frames: int = 90) -> tuple[Figure, Motion]:
    """Steps in place of the feet: each leg swings while the other stands, and the hips go on over the ground, so that feet stand still."""
    figure = rigs.rolled(1)
    time = np.arange(frames) / 30
    local = Local(np.zeros((frames, len(figure), 3)), np.broadcast_to(quat.IDENTITY, (frames, len(figure), 4)).copy())
    plain = forward(figure, np.arange(1, frames + 1, dtype=np.float64), local)
    positions, rotations = plain.positions.copy(), plain.rotations.copy()
    for side, phase in (("left", 0.0), ("right", 0.5)):
        step = (time + phase) % 1.0
        swing = 0.5 * np.cos(2 * np.pi * step)
        hip, knee, foot, toe = (rigs.NAMES.index(side + part) for part in ("UpperLeg", "LowerLeg", "Foot", "Toes"))
        bend = quat.about(np.array([1.0, 0.0, 0.0]), swing)
        for bone in (hip, knee, foot, toe):
            rotations[:, bone] = quat.multiply(bend, rotations[:, bone])
            positions[:, bone] = positions[:, hip] + quat.rotate(bend, positions[:, bone] - positions[:, hip])
    # The lower foot carries the body: it stays on the ground where it came down.
    toes = [rigs.NAMES.index(side + "Toes") for side in ("left", "right")]
    lower = np.array(toes)[np.argmin(positions[:, toes, 2], axis=1)]
    standing = positions[np.arange(frames), lower]
    before = positions[np.maximum(np.arange(frames) - 1, 0), lower]
    path = -np.cumsum(standing - before, axis=0)
    path[:, 2] = positions[0, toes, 2].min() - standing[:, 2]
    return figure, replace(plain, positions=positions + path[:, None], rotations=rotations)


def skating() -> float:
    """I8: leg lengths a second by which feet slide more than the source's, on longer shins and shorter thighs, with wider hips."""
    figure, motion = walk()
    sizes = np.ones((len(rigs.NAMES), 1))
    sizes[[rigs.NAMES.index(side + "LowerLeg") for side in ("left", "right")]] = 0.7
    sizes[[rigs.NAMES.index(side + "Foot") for side in ("left", "right")]] = 1.3
    target = rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * sizes)
    report = run(figure, motion, target, feet=True).report
    return report.skate - report.skate_source


def changed_by_feet() -> set[str]:
    """The bones whose turns in the world the foot pass changes."""
    figure, motion = walk()
    target = rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * 1.2)
    one, other = (run(figure, motion, target, feet=feet).motion for feet in (False, True))
    away = quat.angle(quat.multiply(quat.conjugate(one.rotations), other.rotations)).max(axis=0)
    return {name for name, angle in zip(rigs.NAMES, away, strict=True) if angle > 1e-6}


def faster() -> float:
    """I9: degrees by which a bone turns more from frame to frame than its source."""
    _, motion = rigs.dance(rigs.rolled(1), 200, most=2.5)
    return run(rigs.rolled(1), motion, other_rest()).report.rotation_excess


def yawed() -> float:
    """I10: what a turn of the whole scene changes."""
    source, target = rigs.rolled(1), other_axes()
    local, motion = rigs.dance(source)
    rotated = replace(source, world=rigs.yawed(0.7))
    return apart(
        run(source, motion, target).motion.positions, run(rotated, forward(rotated, motion.frames, local), target).motion.positions
    )


def one_alone() -> float:
    """I10: what the other frames change in one."""
    _, motion = rigs.dance(rigs.rolled(1))
    batch = run(rigs.rolled(1), motion, other_rest())
    return apart(run(rigs.rolled(1), motion.at(slice(17, 18)), other_rest()).motion.positions[0], batch.motion.positions[17])


def remembered() -> float:
    """I11: what a clip changes in the next one with the same preparation, and in what it was given."""
    source, target = rigs.rolled(1), other_axes()
    motions = [rigs.dance(source, seed=seed)[1] for seed in range(3)]
    setup = prepare(source, target, rigs.SAME, Options())
    together = [retarget.retarget(setup, motion, 30.0) for motion in motions]
    untouched = [rigs.dance(source, seed=seed)[1] for seed in range(3)]
    given = max(apart(one.rotations, other.rotations) for one, other in zip(motions, untouched, strict=True))
    alone = [run(source, motion, target) for motion in untouched]
    results = max(apart(one.motion.positions, other.motion.positions) for one, other in zip(together, alone, strict=True))
    return max(results, given)


def by_matrices(figure: Figure, local: Local) -> Floats:
    """(F, B, 3) heads in the world by Blender's own formula: pose = parent's pose * parent's rest^-1 * rest * basis, with 4x4 matrices."""
    basis = np.zeros((*local.rotations.shape[:2], 4, 4))
    basis[..., :3, :3], basis[..., :3, 3], basis[..., 3, 3] = rotation_matrix.from_quaternion(local.rotations), local.locations, 1
    poses: list[Floats] = []
    for bone, parent in enumerate(figure.parents.tolist()):
        rest = figure.rest[bone] @ basis[:, bone]
        poses.append(rest if parent < 0 else poses[parent] @ np.linalg.inv(figure.rest[parent]) @ rest)
    return (figure.world @ np.stack(poses, axis=1))[..., :3, 3]


def evaluated() -> float:
    """I12: how far the joints by key arrays are from those by whole matrices."""
    figure = replace(other_rest(), world=rigs.yawed(0.4, 1.3))
    local, _ = rigs.dance(figure)
    return apart(forward(figure, np.arange(40.0), local).positions, by_matrices(figure, local))


KNOWN = {
    "hips": [0.992414113, -0.0331571047, -0.00500235562, 0.118278531],
    "leftUpperArm": [0.924315305, 0.205477381, 0.309096182, 0.0887683102],
    "rightHand": [0.921843894, -0.274241524, 0.262874026, 0.0767637139],
    "leftLowerLeg": [0.944153518, 0.281217006, -0.153432741, -0.0771331577],
    "head": [0.969416873, 0.0728101455, 0.197686842, -0.125894882],
}
"""Of the keys on the last frame."""


def computed() -> float:
    """I13: how far the keys are from those that every Blender, with its own numpy, gives."""
    _, motion = rigs.dance(rigs.rolled(1))
    rotations = run(rigs.rolled(1), motion, other_rest()).local.rotations
    return max(float(np.abs(rotations[-1, rigs.NAMES.index(name)] - numbers).max()) for name, numbers in KNOWN.items())
