"""What a retargeting did, measured on source and target."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from ..motion import quaternion as quat
from ..motion.rotation_matrix import Floats
from .figures.figure import Figure
from .figures.motion import Local, Motion
from .ground import contacts, feet
from .ground.feet import Limb
from .ground.root import Legs
from .report import Report, Unmapped
from .setup import Setup
from .transfer import mirror
from .transfer.binding import Binding

_AT_HAND = 16384
"""Frames of bones that are looked at together."""

MOVING = 1.0
"""Degrees: an unmapped bone that rotates less is not worth reporting."""


def report_of(
    setup: Setup,
    motion: Motion,
    plain: Motion,
    final: Motion,
    local: Local,
    rotated: tuple[int, ...],
    limbs: list[feet.Limb],
    locked: feet.Locked,
    fps: float,
    name: str,
    aimed: set[int],
    seconds: float,
) -> Report:
    binding, measured = setup.binding, setup.legs
    reflection = _Reflection(mirror.partners(binding), setup.facing.lateral) if setup.options.mirror else None
    errors = limb_errors(binding, motion, plain, setup.frame, reflection)
    largest, worst = _largest(errors)
    shown, bent = (largest, worst) if final is plain else _largest(limb_errors(binding, motion, final, setup.frame, reflection))
    joints = np.zeros(0) if setup.options.mirror else joint_errors(binding, motion, plain, setup.frame, setup.factor)
    legs = [limb for limb in limbs if limb.name.endswith("Foot")]
    source_legs = feet.mirrored(legs) if setup.options.mirror else legs
    unreached, miss = missed(locked, measured)
    changes = [
        quat.angle(quat.multiply(quat.conjugate(plain.rotations[:, bone]), rotations)).max() for bone, rotations in locked.rotations.items()
    ]
    return Report(
        name,
        len(motion.frames),
        len(rotated),
        setup.factor,
        largest,
        float(np.mean([values.mean() for values in errors.values()])) if errors else 0.0,
        worst,
        float(joints.max()) if len(joints) else None,
        len(joints),
        skates(binding, source_legs, motion, fps, measured.source, True),
        skates(binding, legs, plain, fps, measured.target, False),
        skates(binding, legs, final, fps, measured.target, False),
        penetration(binding, final, measured),
        flips(local.rotations),
        rotation_excess(binding, motion, plain, aimed) if not setup.options.mirror else 0.0,
        float(np.degrees(max(changes, default=0.0))),
        unreached,
        miss,
        float(locked.hips.max()) if len(locked.hips) else 0.0,
        unmapped(binding, motion, measured.source),
        seconds,
        notes=(*doubts(binding, motion), *_assumed(setup)),
        above=max(0.0, feet.height(legs, binding, final, False, measured) or 0.0),
        yaw=float(np.degrees(setup.facing.yaw)),
        limb_shown=shown,
        limb_shown_worst=bent,
    )


@dataclass(frozen=True, eq=False)
class _Reflection:
    """partners: of each follower the row of the other side's. normal: (3,) from the right to the left."""

    partners: list[int]
    normal: Floats


def _largest(errors: dict[str, Floats]) -> tuple[float, str]:
    """Of all limbs, and whose it is."""
    worst = max(errors, key=lambda bone: float(errors[bone].max()), default="")
    return (float(errors[worst].max()), worst) if worst else (0.0, "")


def _assumed(setup: Setup) -> tuple[str, ...]:
    """The figures of which nothing shows where they face, where the clip is turned for it."""
    if not setup.facing.yaw:
        return ()
    return tuple(f"nothing shows where the {side} faces: it is taken to look along -Y" for side in setup.facing.assumed)


def limb_errors(
    binding: Binding, source: Motion, target: Motion, frame: Floats, reflection: _Reflection | None = None
) -> dict[str, Floats]:
    """Target bone's name -> (F,) degrees between the directions of limbs with one mapped bone below them. reflection: if mirrored."""
    rows: list[int] = []
    for row, below in enumerate(binding.steering):
        follower = binding.followers[row]
        if len(below) != 1 or _uneven(binding, row) or _uneven(binding, below[0]) or follower.options.rotation != "ALL":
            continue
        if binding.followers[below[0]].role not in ("hips", "root") and follower.role != "root":
            rows.append(row)
    starts, ends = [binding.followers[row] for row in rows], [binding.followers[binding.steering[row][0]] for row in rows]
    leads = [starts, ends]
    if reflection is not None:
        leads = [[binding.followers[reflection.partners[binding.row[one.target]]] for one in followers] for followers in leads]
    result: dict[str, Floats] = {}
    for some in _portions(len(rows), len(source.frames)):
        wanted = _of_bones(source.positions, [one.source for one in leads[1][some]])
        wanted -= _of_bones(source.positions, [one.source for one in leads[0][some]])
        has = _of_bones(target.positions, [one.target for one in ends[some]])
        has -= _of_bones(target.positions, [one.target for one in starts[some]])
        wanted = wanted if (frame == np.eye(3)).all() else wanted @ frame.T
        angles = _between(wanted if reflection is None else mirror.reflect_vectors(wanted, reflection.normal), has)
        result |= {binding.named(row): angle for row, angle in zip(rows[some], angles, strict=True)}
    return result


def _of_bones(values: Floats, bones: list[int]) -> Floats:
    """(N, F, ...) of some bones, from (F, B, ...): as they lie together in memory."""
    return values.swapaxes(0, 1)[bones]


def _portions(bones: int, frames: int) -> Generator[slice]:
    """So many bones at a time as a processor keeps at hand: much faster than all at once, and with hardly any memory."""
    step = max(1, _AT_HAND // max(1, frames))
    yield from (slice(start, start + step) for start in range(0, bones, step))


def _between(first: Floats, second: Floats) -> Floats:
    """(...) degrees between vectors (..., 3), exact also for small angles."""
    x, y, z = first[..., 0], first[..., 1], first[..., 2]
    a, b, c = second[..., 0], second[..., 1], second[..., 2]
    across = (y * c - z * b) ** 2 + (z * a - x * c) ** 2 + (x * b - y * a) ** 2
    return np.degrees(np.arctan2(np.sqrt(across), x * a + y * b + z * c))


def doubts(binding: Binding, source: Motion) -> tuple[str, ...]:
    """What a person should look at in the source itself."""
    hips, head = binding.roles.get("hips"), binding.roles.get("head")
    if hips is None or head is None:
        return ()
    first, second = binding.followers[hips], binding.followers[head]
    feet_down = [
        binding.followers[row].anchor - first.anchor for side in ("left", "right") if (row := binding.roles.get(f"{side}Foot")) is not None
    ]
    if any(offset[2] < -0.5 * np.linalg.norm(offset) for offset in feet_down):
        return ()  # it stands on its feet: a four-legged one's back is level
    offsets = np.concatenate([(second.anchor - first.anchor)[None], source.positions[:, second.source] - source.positions[:, first.source]])
    if (np.abs(offsets[:, 2]) < 0.5 * np.linalg.norm(offsets, axis=1)).all():
        return ("the source lies down at rest and all the time: was its file opened with the right up axis?",)
    return ()


def joint_errors(binding: Binding, source: Motion, target: Motion, frame: Floats, factor: float) -> Floats:
    """(N,) greatest distances in metres of the joints that are in proportion all the way from the hips."""
    start = binding.roles.get("hips")
    if start is None:
        return np.zeros(0)
    hips = binding.followers[start]
    result: list[float] = []
    waiting = [start]
    while waiting:
        row = waiting.pop()
        first = binding.followers[row]
        for child in binding.below[row]:
            second = binding.followers[child]
            wanted = float(np.linalg.norm(second.anchor - first.anchor)) * factor
            has = float(np.linalg.norm(binding.target.heads[second.target] - binding.target.heads[first.target]))
            if abs(has - wanted) > 0.01 * wanted or _uneven(binding, child):
                continue
            goal = (source.positions[:, second.source] - source.positions[:, hips.source]) @ frame.T * factor + target.positions[
                :, hips.target
            ]
            result.append(float(np.linalg.norm(goal - target.positions[:, second.target], axis=1).max()))
            waiting.append(child)
    return np.array(result)


def unmapped(binding: Binding, source: Motion, leg: float) -> tuple[Unmapped, ...]:
    """Source bones that nothing follows and that move, those that rotate most first. leg: metres."""
    used = {follower.source for follower in binding.followers}
    used |= {bone for follower in binding.followers if follower.chain for bone in follower.chain[0].sources}
    carries: set[int] = set()
    for bone in used:
        parent = int(binding.source.parents[bone])
        while parent >= 0 and parent not in carries:
            carries.add(parent)
            parent = int(binding.source.parents[parent])
    figure, result = binding.source, list[Unmapped]()
    rest = figure.quaternions
    for bone, parent in enumerate(figure.parents.tolist()):
        if bone in used:
            continue
        rotation, still = source.rotations[:, bone], rest[bone]
        if parent >= 0:
            rotation = quat.multiply(quat.conjugate(source.rotations[:, parent]), rotation)
            still = quat.multiply(quat.conjugate(rest[parent]), still)
        away = np.degrees(quat.angle(quat.multiply(quat.conjugate(still), rotation)))
        if np.degrees(quat.angle(quat.multiply(quat.conjugate(rotation[0]), rotation))).max() > MOVING:
            result.append(Unmapped(figure.names[bone], round(float(away.max()), 3), bone in carries, round(_reach(figure, bone) / leg, 3)))
    return tuple(sorted(result, key=lambda item: -item.largest))


def _reach(figure: Figure, bone: int) -> float:
    """Metres from a bone's joint to the furthest joint or end of what hangs on it."""
    below = [child for child in range(len(figure)) if figure.is_below(child, bone)]
    ends = np.concatenate([figure.heads[below], figure.tails[below] if figure.children[bone] else figure.heads[below]])
    return float(np.linalg.norm(ends - figure.heads[bone], axis=1).max())


def skates(binding: Binding, result: list[Limb], motion: Motion, fps: float, leg: float, in_source: bool) -> float:
    """The worst foot's skate."""
    seconds = motion.frames / fps
    values = [0.0]
    for item in result:
        follower = binding.followers[item.rows[3]]
        positions = motion.positions[:, follower.source if in_source else follower.target]
        values.append(contacts.skate(positions, seconds, item.touching, leg))
    return max(values)


def penetration(binding: Binding, target: Motion, measured: Legs) -> float:
    """Metres by which feet or toes go deepest below their heights at rest; below the floor where the target does not stand at rest."""
    deepest = 0.0
    for part in ("Toes", "Foot"):
        for side in ("left", "right"):
            row = binding.roles.get(side + part)
            if row is not None:
                bone = binding.followers[row].target
                rest = float(binding.target.heads[bone, 2]) if measured.stands[1] else measured.target_floor
                deepest = max(deepest, float((rest - target.positions[:, bone, 2]).max()))
    return deepest


def rotation_excess(binding: Binding, source: Motion, target: Motion, aimed: set[int]) -> float:
    """Degrees by which a bone rotates more from one frame to the next than its source. aimed: bones that follow more than one of it."""
    followers = [
        follower
        for follower in binding.followers
        if follower.chain is None and follower.target not in aimed and follower.options.rotation == "ALL"
    ]
    if not followers or len(source.frames) < 2:
        return 0.0
    most = 0.0
    for some in _portions(len(followers), len(source.frames)):
        steps = _steps(_of_bones(target.rotations, [follower.target for follower in followers[some]]))
        steps -= _steps(_of_bones(source.rotations, [follower.source for follower in followers[some]]))
        most = max(most, float(steps.max()))
    return float(np.degrees(most))


def _steps(rotations: Floats) -> Floats:
    """(B, F - 1) radians from frame to frame of (B, F, 4), by the chord between the quaternions, which is exact also for small ones."""
    sides = np.where(np.einsum("bfi,bfi->bf", rotations[:, 1:], rotations[:, :-1]) < 0, -1.0, 1.0)
    chords = rotations[:, 1:] * sides[..., None]
    chords -= rotations[:, :-1]
    return 4 * np.arcsin((np.sqrt(np.einsum("bfi,bfi->bf", chords, chords)) / 2).clip(0, 1))


def flips(rotations: Floats) -> int:
    """How many neighbours of (F, B, 4) quaternions as keyed have a negative dot product."""
    return int((np.einsum("fbi,fbi->fb", rotations[1:], rotations[:-1]) < 0).sum())


def missed(locked: feet.Locked, measured: Legs) -> tuple[int, float]:
    """Frames in which a goal is missed by more than it may, and the greatest miss in metres."""
    if not locked.missed:
        return 0, 0.0
    values = np.stack(list(locked.missed.values()))
    return int((values > feet.UNREACHED * measured.target).any(axis=0).sum()), float(values.max())


def _uneven(binding: Binding, row: int) -> bool:
    """Whether a follower is in a chain of other length than its source's, so that their joints do not correspond."""
    chain = binding.followers[row].chain
    return chain is not None and len(chain[0].sources) != len(chain[0].targets)
