"""The rotations of the source away from its reference pose, applied to the target's aligned reference pose, in the world.

With D = Q_source(f) * Q_source_reference^-1 and C the common frame, Q_target(f) = C D C^-1 * Reference_target. What unmapped source bones
between mapped ones do is inside Q_source; unmapped target bones keep their rest and follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import cast

import numpy as np

from ...motion.rotations import quaternion as quat
from ...motion.rotations import rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ..figures.columns import Columns, Recent
from ..figures.maps.bone_map import PairOptions
from ..figures.motion import Motion
from . import chains
from .binding import Binding
from .solve import Rotations


def source_deltas(binding: Binding, motion: Motion, reference: Floats) -> Floats:
    """(F, T, 4) for each follower the rotation of its source away from the reference pose, in the source's world; computed when they are
    asked for.

    reference: (S, 4) rotations of the reference pose there."""

    def delta(bone: int) -> Floats:
        return quat.multiply(motion.rotations[:, bone], quat.conjugate(reference[bone]))

    def of_chain(number: int) -> Floats:
        plan = plans[number]
        return chains.rotations(plan, {bone: delta(bone) for bone in {*plan.sources, plan.carrier} - {-1}}, motion.spans.starts.tolist())

    def column(row: int) -> Floats:
        follower = binding.followers[row]
        if not follower.chain:
            return delta(follower.source)
        plan, position = follower.chain
        return by_plan[plans.index(plan)][:, position]

    plans = list({id(each.chain[0]): each.chain[0] for each in binding.followers if each.chain}.values())
    by_plan: Recent[Floats] = Recent(of_chain, 1)
    return cast(Floats, Columns((len(motion.frames), len(binding), 4), column))


def into(frame: Floats, rotations: Floats) -> Floats:
    """World rotations (..., 4) as seen in the frame (3, 3): C D C^-1."""
    if (frame == np.eye(3)).all():
        return rotations
    rotation = quat.of_matrix(frame)
    return quat.multiply(quat.multiply(rotation, rotations), quat.conjugate(rotation))


def at_once(binding: Binding, motion: Motion, frame: Floats, reference: Floats, references: Floats) -> dict[int, Callable[[], Floats]]:
    """By row what gives (F, 4) the target bone's rotation in the world, of the followers whose options change nothing. All that is done
    with the source's is linear there, so that it is one matrix, whose rows are what becomes of 1, i, j and k. reference: (S, 4), of the
    source. references: (target bones, 4)."""
    rows = [row for row, follower in enumerate(binding.followers) if follower.chain is None and is_plain(follower.options)]
    some = [binding.followers[row] for row in rows]
    starts, ends = reference[[each.source for each in some]], references[[each.target for each in some]]
    deltas = into(frame, quat.multiply(np.eye(4), quat.conjugate(starts)[:, None]))
    matrices = quat.multiply(deltas, ends[:, None])

    def rotated(source: int, matrix: Floats) -> Floats:
        return np.asarray(motion.rotations[:, source] @ matrix, np.float64)

    return {row: partial(rotated, each.source, matrix) for row, each, matrix in zip(rows, some, matrices, strict=True)}


def is_plain(options: PairOptions) -> bool:
    """Whether a bone takes over all of the rotation, or none, as it is."""
    return options.weight == 1 and options.rotation not in ("SWING", "TWIST") and not any(options.offset)


def local_deltas(binding: Binding, row: int, motion: Motion, reference: Floats) -> Floats:
    """(F, 4) the rotation of a follower's source away from the reference pose, relative to its own parent, in the axes of the world."""
    bone = binding.followers[row].source
    parent = int(binding.source.parents[bone])
    own = quat.multiply(motion.rotations[:, bone], quat.conjugate(reference[bone]))
    if parent < 0:
        return own
    return quat.multiply(quat.conjugate(quat.multiply(motion.rotations[:, parent], quat.conjugate(reference[parent]))), own)


def with_options(options: PairOptions, delta: Floats, reference: Floats, starts: Sequence[int] = (0,)) -> Floats:
    """(F, 4) the target bone's rotation in the world: `delta` (F, 4) as far as the options let it, upon `reference` (4,). starts: of the
    clips."""
    if options.weight != 1:
        delta = quat.power_over(delta, options.weight, starts)
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


def world_rotations(
    binding: Binding,
    deltas: Floats,
    references: Floats,
    known: Mapping[int, Callable[[], Floats]] | None = None,
    starts: Sequence[int] = (0,),
) -> Rotations:
    """Of the target's bones. deltas: (F, T, 4) in the target's world. references: (target bones, 4) aligned rest rotations there. known: by
    row what `at_once` gives. starts: of the clips."""
    make: dict[int, Callable[[], Floats]] = {}
    for row, follower in enumerate(binding.followers):
        reference = references[follower.target]
        make[follower.target] = lambda row=row, options=follower.options, reference=reference: with_options(
            options, deltas[:, row], reference, starts
        )
        if known is not None and row in known:
            make[follower.target] = known[row]
        if follower.options.distribute:
            make |= _distributed(binding, row, make, references, starts)
    for bone, above in _left_behind(binding).items():
        if bone not in make:
            carrying, carried = make[above], quat.multiply(quat.conjugate(references[above]), references[bone])
            make[bone] = lambda carrying=carrying, carried=carried: quat.multiply(carrying(), carried)
    return Rotations(make)


def _left_behind(binding: Binding) -> dict[int, int]:
    """Unmapped target bones between mapped ones that do not inherit the rotation of their parents, and the mapped one above each, which
    has to carry them all the same."""
    figure, result = binding.target, dict[int, int]()
    for row, follower in enumerate(binding.followers):
        bone, above = int(figure.parents[follower.target]), int(binding.above[row])
        while above >= 0 and bone not in binding.row:
            if figure.hinged[bone]:
                result[bone] = binding.followers[above].target
            bone = int(figure.parents[bone])
    return result


def between(binding: Binding, row: int) -> list[int]:
    """The target's bones above a follower up to the next one, from the body outwards; all above the first one."""
    result: list[int] = []
    bone = int(binding.target.parents[binding.followers[row].target])
    while bone >= 0 and bone not in binding.row:
        result.insert(0, bone)
        bone = int(binding.target.parents[bone])
    return result


def _distributed(
    binding: Binding, row: int, make: Mapping[int, Callable[[], Floats]], references: Floats, starts: Sequence[int]
) -> dict[int, Callable[[], Floats]]:
    """Equal parts of the rotation for the unmapped target bones between a follower and the next one above, as far as the lines of both let
    it through. make: gives (F, 4) rotations of both in the world."""
    above, bones = int(binding.above[row]), between(binding, row)
    if above < 0:
        return {}
    ends = [(make[each], quat.conjugate(references[each])) for each in (binding.followers[end].target for end in (above, row))]

    def part(bone: int, share: float) -> Floats:
        first, last = (quat.multiply(rotated(), back) for rotated, back in ends)
        return quat.multiply(quat.multiply(first, quat.power_over(quat.relative(first, last), share, starts)), references[bone])

    shares = [(position + 1) / (len(bones) + 1) for position in range(len(bones))]
    return {bone: lambda bone=bone, share=share: part(bone, share) for bone, share in zip(bones, shares, strict=True)}
