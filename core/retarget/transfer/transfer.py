"""The rotations of the source away from its reference pose, applied to the target's aligned reference pose, in the world.

With D = Q_source(f) * Q_source_reference^-1 and C the common frame, Q_target(f) = C D C^-1 * Reference_target. What unmapped source bones
between mapped ones do is inside Q_source; unmapped target bones keep their rest and follow.
"""

from __future__ import annotations

import numpy as np

from ...motion import quaternion as quat
from ...motion import rotation_matrix
from ...motion.rotation_matrix import Floats
from ..figures.bone_map import PairOptions
from ..figures.motion import Motion, empty
from . import chains
from .binding import Binding


def source_deltas(binding: Binding, motion: Motion, reference: Floats) -> Floats:
    """(F, T, 4) for each follower the rotation of its source away from the reference pose, in the source's world.

    reference: (S, 4) rotations of the reference pose there."""
    result = empty(len(motion.frames), len(binding), 4)
    used = {bone for follower in binding.followers if follower.chain for bone in (*follower.chain[0].sources, follower.chain[0].carrier)}
    deltas: Floats | None = None
    if used - {-1}:
        deltas = np.zeros_like(motion.rotations)
        bones = np.array(sorted(used - {-1}))
        deltas[:, bones] = quat.multiply(motion.rotations[:, bones], quat.conjugate(reference[bones]))
    by_plan: dict[int, Floats] = {}
    pairs = [row for row, follower in enumerate(binding.followers) if not follower.chain]
    if pairs:
        sources = [binding.followers[row].source for row in pairs]
        result[:, pairs] = quat.multiply(motion.rotations[:, sources], quat.conjugate(reference[sources]))
    for row, follower in enumerate(binding.followers):
        if follower.chain and deltas is not None:
            plan, position = follower.chain
            if id(plan) not in by_plan:
                by_plan[id(plan)] = chains.rotations(plan, deltas)
            result[:, row] = by_plan[id(plan)][:, position]
    return result


def into(frame: Floats, rotations: Floats) -> Floats:
    """World rotations (..., 4) as seen in the frame (3, 3): C D C^-1."""
    if (frame == np.eye(3)).all():
        return rotations
    rotation = quat.of_matrix(frame)
    return quat.multiply(quat.multiply(rotation, rotations), quat.conjugate(rotation))


def local_deltas(binding: Binding, row: int, motion: Motion, reference: Floats) -> Floats:
    """(F, 4) the rotation of a follower's source away from the reference pose, relative to its own parent, in the axes of the world."""
    bone = binding.followers[row].source
    parent = int(binding.source.parents[bone])
    own = quat.multiply(motion.rotations[:, bone], quat.conjugate(reference[bone]))
    if parent < 0:
        return own
    return quat.multiply(quat.conjugate(quat.multiply(motion.rotations[:, parent], quat.conjugate(reference[parent]))), own)


def with_options(options: PairOptions, delta: Floats, reference: Floats) -> Floats:
    """(F, 4) the target bone's rotation in the world: `delta` (F, 4) as far as the options let it, upon `reference` (4,)."""
    if options.weight != 1:
        delta = quat.power(delta, options.weight)
    if options.rotation in ("SWING", "TWIST"):
        # In the bone's own axes a rotation is a swing after a twist about its Y axis.
        own = quat.multiply(quat.conjugate(reference), quat.multiply(delta, reference))
        along = np.array([0.0, 1.0, 0.0])
        twist = quat.about(along, quat.twist_angle(own, along))
        own = twist if options.rotation == "TWIST" else quat.multiply(own, quat.conjugate(twist))
        rotated = quat.multiply(reference, own)
    else:
        rotated = quat.multiply(delta, reference)
    if any(options.offset):
        rotated = quat.multiply(rotated, quat.of_matrix(rotation_matrix.from_euler(np.array(options.offset), "XYZ")))
    return rotated


def world_rotations(binding: Binding, deltas: Floats, references: Floats) -> dict[int, Floats]:
    """Target bone -> (F, 4). deltas: (F, T, 4) in the target's world. references: (target bones, 4) aligned rest rotations there."""
    result: dict[int, Floats] = {}
    targets = [follower.target for follower in binding.followers]
    whole = quat.multiply(deltas, references[targets])
    for row, follower in enumerate(binding.followers):
        options = follower.options
        plain = options.rotation == "ALL" and options.weight == 1 and not any(options.offset)
        result[follower.target] = whole[:, row] if plain else with_options(options, deltas[:, row], references[follower.target])
        if follower.options.distribute:
            result |= _distributed(binding, row, deltas, references)
    return result


def _distributed(binding: Binding, row: int, deltas: Floats, references: Floats) -> dict[int, Floats]:
    """Equal parts of the rotation for the unmapped target bones between a follower and the next one above."""
    above = int(binding.above[row])
    between: list[int] = []
    bone = int(binding.target.parents[binding.followers[row].target])
    while bone >= 0 and bone not in binding.row:
        between.insert(0, bone)
        bone = int(binding.target.parents[bone])
    if above < 0 or not between:
        return {}
    relative = quat.multiply(quat.conjugate(deltas[:, above]), deltas[:, row])
    shares = [(position + 1) / (len(between) + 1) for position in range(len(between))]
    return {
        bone: quat.multiply(quat.multiply(deltas[:, above], quat.power(relative, share)), references[bone])
        for bone, share in zip(between, shares, strict=True)
    }
