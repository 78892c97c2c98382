"""Each invariant has a mutant of the code that must break it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures import walk
from retro_anim.core.retarget.figures.figure import Figure, Links
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.ground import held, root
from retro_anim.core.retarget.reports import measures
from retro_anim.core.retarget.transfer import chains, mirror, transfer
from retro_anim.core.retarget.transfer.alignment import align, facing

from . import rigs
from .invariants import (
    apart,
    chain_end,
    computed,
    evaluated,
    faster,
    flips,
    grown,
    identity,
    limb_directions,
    one_alone,
    other_axes,
    other_rest,
    reflected,
    remembered,
    rolled,
    run,
    same_joints,
    skating,
    there_and_back,
    untold,
    yawed,
)


def legs_alike(binding: Any, legs: Any = root.legs) -> root.Legs:
    return replace(legs(binding), source=1.0, target=1.0)


def smoothed(binding: Any, motion: Motion, reference: Floats, deltas: Any = transfer.source_deltas) -> Floats:
    result = np.asarray(deltas(binding, motion, reference))
    return quat.normalised(result + result.mean(axis=0, keepdims=True))


def kept(binding: Any, motion: Motion, reference: Floats, deltas: Any = transfer.source_deltas) -> Floats:
    result: Floats = np.asarray(deltas(binding, motion, reference))
    motion.rotations[0] = motion.rotations[-1]
    return result


def parentless(figure: Figure, links: Links, bone: int, *_: Floats | None) -> tuple[Floats, Floats, Floats]:
    return links.rests[bone], links.positions[bone], links.rests[bone]


def no_alignment(goals: Any, binding: Any) -> dict[int, align.Goal]:
    return {}


def swing_only(own: Floats, goal: align.Goal, above: Floats) -> Floats:
    return align.swing(own[0], goal.wanted[0])


MUTANTS: list[tuple[str, Any, str, Any, Callable[[], float], float]] = [
    ("no alignment", align, "rotation_to", lambda own, goal, above: np.eye(3), lambda: same_joints(other_rest, np.pi / 2), 1e-2),
    ("swing only", align, "rotation_to", swing_only, lambda: same_joints(other_rest, np.pi / 2), 1e-2),
    (
        "transposed fit",
        align,
        "fit",
        lambda own, wanted, fit=align.fit: fit(own, wanted).T,
        lambda: same_joints(other_rest, np.pi / 2),
        1e-2,
    ),
    (
        "transposed swing",
        align,
        "swing",
        lambda one, other, swing=align.swing: swing(other, one),
        lambda: same_joints(other_rest, np.pi / 2),
        1e-2,
    ),
    ("no common frame", transfer, "into", lambda frame, rotations: rotations, lambda: same_joints(other_rest, np.pi / 2), 1e-2),
    ("local axes", transfer, "source_deltas", None, lambda: same_joints(rolled, 0), 1e-2),
    ("a fit that is off", align, "fit", lambda own, wanted, fit=align.fit: fit(own, wanted) @ rigs.TILT, there_and_back, 1e-3),
    ("no alignment of limbs", align, "swing", lambda one, other: np.eye(3), limb_directions, 1.0),
    ("no sign fix", quat, "continuous", lambda rotations, axis=0, positive=False, starts=None: rotations, flips, 0.5),
    ("turned back", transfer, "into", lambda frame, rotations: quat.conjugate(rotations), identity, 1e-2),
    ("no pinned end", chains, "rotations", None, chain_end, 1e-2),
    ("no length of legs", root, "legs", legs_alike, grown, 1e-2),
    ("nothing reported", measures, "unmapped", lambda *given: [()], untold, 1.5),
    ("feet let go", held.Lock, "locked", lambda *given: held.Locked(), skating, 0.007),
    ("turned twice", transfer, "into", lambda frame, rotations: quat.multiply(rotations, rotations), faster, 0.1),
    ("no facing", facing, "facing", lambda *given: facing.Facing(), yawed, 1e-2),
    ("input kept", transfer, "source_deltas", kept, remembered, 1e-3),
    ("no parents", walk, "frame_of", parentless, evaluated, 1e-2),
    ("turned back everywhere", transfer, "into", lambda frame, rotations: quat.conjugate(rotations), computed, 1e-2),
    ("other frames", transfer, "source_deltas", smoothed, one_alone, 1e-3),
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant[0] for mutant in MUTANTS])
def test_i10m_mutants_are_found(mutant: tuple[str, Any, str, Any, Callable[[], float], float], monkeypatch: pytest.MonkeyPatch) -> None:
    name, module, attribute, changed, measure, at_least = mutant
    if name == "local axes":
        original = transfer.source_deltas

        def changed(binding: Any, motion: Motion, reference: Floats) -> Floats:
            """Q0^-1 Q instead of Q Q0^-1."""
            rotated = np.asarray(original(binding, motion, reference))
            for row, follower in enumerate(binding.followers):
                start = reference[follower.source]
                rotated[row] = quat.multiply(quat.multiply(quat.conjugate(start), rotated[row]), start)
            return rotated

    if name == "no pinned end":
        rotations = chains.rotations
        monkeypatch.setattr(chains, "rotations", lambda plan, *given: rotations(replace(plan, wanted=plan.wanted * 0.8), *given))
    else:
        monkeypatch.setattr(module, attribute, changed)
    if attribute == "source_deltas":  # which what is plain does without
        monkeypatch.setattr(transfer, "at_once", lambda *given: {})
    assert measure() > at_least


def test_mutant_no_mirrored_axis(monkeypatch: pytest.MonkeyPatch) -> None:
    _, motion = rigs.dance(rigs.rolled(1))
    plain = run(rigs.rolled(1), motion, other_axes())
    monkeypatch.setattr(mirror, "reflect_rotations", lambda rotations, normal: rotations)
    once = run(rigs.rolled(1), motion, other_axes(), mirror=True)
    assert apart(once.motion.positions, reflected(plain.motion).positions) > 1e-2
