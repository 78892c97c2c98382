"""People as real files have them: in parts that hang together nowhere, beside bones that are meshes, with legs on the spine, and with left
and right as one sees them who looks at them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.joined import joined
from retro_anim.core.retarget.mapping.mapping import _in_one, labels_of, map_bones

from .given import figure_of
from .zoo import Built, build
from .zoo_changes import numbered
from .zoo_rigs import COMMON

BIPED = next(rig for rig in COMMON if rig.arm.startswith("Bip01"))
LIMBS = tuple(side + part for side in ("left", "right") for part in ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"))


def apart(built: Built, *roles: str) -> Figure:
    """With the bones of some roles, or all, beside the others instead of on them."""
    figure = built.figure
    parents = figure.parents.copy()
    for bone, name in enumerate(figure.names):
        if not roles or any(name in built.truth[role] for role in roles):
            parents[bone] = -1
    return replace(figure, parents=parents)


def followed(source: Figure, target: Figure) -> dict[str, tuple[str, str]]:
    """By role source and target."""
    bone_map = map_bones(source, target)
    assert (bone_map.source_fingerprint, bone_map.target_fingerprint) == (source.fingerprint, target.fingerprint)
    return {pair.role: (pair.source, pair.target) for pair in bone_map.pairs if pair.role}


@pytest.mark.parametrize(
    "roles", [(), ("leftUpperLeg", "rightUpperLeg"), ("leftUpperLeg", "rightUpperLeg", "leftShoulder", "rightShoulder", "head")]
)
def test_parts_that_hang_together_nowhere_are_one_body(roles: tuple[str, ...]) -> None:
    """Either way round, and each bone by itself as well."""
    built = build(BIPED)
    loose = apart(built, *roles)
    for pairs in (followed(loose, built.figure), followed(built.figure, loose)):
        assert {"hips", "head", *LIMBS} <= pairs.keys()
        assert all(one == two and one in built.truth[role] for role, (one, two) in pairs.items() if role in LIMBS)


@pytest.mark.parametrize("roles", [("head",), ("leftFoot", "rightFoot"), ("rightFoot",)])
def test_a_head_or_feet_beside_all_the_rest_belong_to_the_body(roles: tuple[str, ...]) -> None:
    """Where what hangs together is more than four fifths of all bones, with helpers beside it that belong to nobody."""
    built = build(BIPED)
    loose = apart(built, *roles)
    names = [*loose.names, "foot_ik.L", "prop"]
    loose = figure_of(names, [*loose.parents.tolist(), -1, -1], np.vstack([loose.heads, [[0.1, 0.0, 0.0], [0.5, 0.0, 1.0]]]))
    most = max(len(loose.below(root)) for root in np.flatnonzero(loose.parents < 0).tolist())
    assert most >= 0.8 * len(loose)
    whole = joined(loose)
    assert whole is not None
    assert [whole.names[bone] for bone in np.flatnonzero(whole.parents < 0)][1:] == ["foot_ik.L", "prop"]
    for pairs in (followed(loose, built.figure), followed(built.figure, loose)):
        assert {"hips", "head", *LIMBS} <= pairs.keys()
        assert all(one == two and one in built.truth[role] for role, (one, two) in pairs.items() if role in (*LIMBS, "head"))


def test_parts_hang_on_the_nearest_bone_of_their_side_or_the_middle() -> None:
    """By hand: two legs beside a trunk of two bones; each thigh is nearer to the other one than to the hips, and the head to the arm."""
    names = ["hips", "chest", "leg.L", "foot.L", "leg.R", "foot.R", "arm.L", "head"]
    heads = np.array([[0, 0, 1], [0, 0, 1.5], [0.1, 0, 0.8], [0.1, 0, 0], [-0.1, 0, 0.8], [-0.1, 0, 0], [0.2, 0, 1.6], [0, 0, 1.8]])
    whole = joined(figure_of(names, [-1, 0, -1, 2, -1, 4, -1, -1], heads))
    assert whole is not None
    above = {name: whole.names[parent] if parent >= 0 else "" for name, parent in zip(whole.names, whole.parents.tolist(), strict=True)}
    assert above == {
        "hips": "",
        "chest": "hips",
        "leg.L": "hips",
        "foot.L": "leg.L",
        "leg.R": "hips",
        "foot.R": "leg.R",
        "arm.L": "chest",
        "head": "chest",
    }
    assert all(parent < bone for bone, parent in enumerate(whole.parents.tolist()))
    assert np.array_equal(whole.heads[[whole.names.index(name) for name in names]], heads)
    assert len(whole.sole_points) == len(whole.sole_weights) == 0, "no mesh is looked at"


@pytest.mark.parametrize("away", [0.0, 0.01])
def test_a_part_as_near_to_two_bones_hangs_on_the_one_that_came_first(away: float) -> None:
    """In the middle between the hips and a chest that hangs on them, or nearer to the chest."""
    heads = np.array([[0.0, 0, 0], [0, 0, 1], [2, 0, 0.5 + away]])
    whole = joined(figure_of(["hips", "chest", "wing"], [-1, -1, -1], heads))
    assert whole is not None and whole.names == ("hips", "chest", "wing")
    assert whole.parents.tolist() == [-1, 0, 1 if away else 0]


def test_what_hangs_together_but_for_a_few_props_stays_as_it_is() -> None:
    names = [f"b{number}" for number in range(10)]
    heads = np.arange(30.0).reshape(10, 3)
    chain = list(range(-1, 7))
    assert joined(figure_of(names, [*chain, -1, -1], heads)) is None, "8 of 10 bones"
    assert joined(figure_of(names, [*chain[:7], -1, -1, -1], heads)) is not None
    assert joined(figure_of(names[:8], chain, heads[:8])) is None


def test_a_mesh_called_head_that_became_a_bone_is_no_head() -> None:
    built = build(BIPED)
    figure = built.figure
    more = figure_of([*figure.names, "Head"], [*figure.parents.tolist(), -1], np.vstack([figure.heads, [[0.0, 0.0, 0.0]]]))
    pairs = followed(more, figure)
    assert pairs["head"][0] in built.truth["head"]
    assert pairs["hips"][0] in built.truth["hips"]


@pytest.mark.parametrize(("raised", "hips"), [(0.08, "pelvis"), (0.0, "spine")])
def test_numbered_hips_are_at_the_legs_where_these_hang_on_the_spine(raised: float, hips: str) -> None:
    """As 3ds Max's Biped has it. Where the spine begins there, too, what carries the legs is the hips."""
    built = build(BIPED)
    figure = built.figure
    at = figure.index
    pelvis, spine = at[built.truth["hips"][0]], at[built.truth["spine"][0]]
    thighs = [at[built.truth[side + "UpperLeg"][0]] for side in ("left", "right")]
    heads = np.array(figure.heads)
    heads[pelvis] = heads[thighs].mean(axis=0)
    heads[spine] = heads[pelvis] + [0.0, 0.0, raised]
    parents = figure.parents.copy()
    parents[thighs] = spine
    order = sorted(range(len(figure)), key=lambda bone: 0 if bone <= spine else 1)
    new = {bone: position for position, bone in enumerate(order)}
    loose = figure_of([figure.names[bone] for bone in order], [new.get(int(parents[bone]), -1) for bone in order], heads[order])
    changed = numbered(Built(loose, built.truth), 5)
    result = changed.figure.names[labels_of(changed.figure).roles["hips"]]
    assert result in changed.truth["hips" if hips == "pelvis" else "spine"]


def _exchanged(name: str) -> str:
    return name.replace(" L ", " # ").replace(" R ", " L ").replace(" # ", " R ")


@pytest.mark.parametrize("change", [str, _exchanged])
def test_left_and_right_that_feet_and_knees_contradict_are_doubtful(change: Callable[[str], str]) -> None:
    """A bone follows its namesake all the same, as nothing shows which of both is meant."""
    built = build(BIPED)
    one = replace(built.figure, names=tuple(map(change, built.figure.names)))
    pairs = [pair for pair in map_bones(one, built.figure).pairs if pair.role in LIMBS]
    assert len(pairs) == len(LIMBS)
    assert all(pair.source == pair.target for pair in pairs)
    doubted = [pair.role for pair in pairs if "exchange left and right" in pair.note and pair.confidence <= 0.6]
    assert doubted == ([] if change is str else [pair.role for pair in pairs])


@pytest.mark.parametrize("aside", [0.0, 1.5])
def test_of_two_skeletons_beside_each_other_the_first_is_the_body(aside: float) -> None:
    """As Blender joins two armatures: the other one has the same names with a number behind them."""
    built = build(BIPED)
    figure = built.figure
    count = len(figure)
    heads = np.vstack([figure.heads, figure.heads + np.array([aside, 0.0, 0.0])])
    parents = [*figure.parents.tolist(), *(parent + count if parent >= 0 else -1 for parent in figure.parents.tolist())]
    double = figure_of([*figure.names, *(f"{name}.001" for name in figure.names)], parents, heads)
    for pairs in (followed(double, figure), followed(figure, double)):
        assert {"hips", "head", *LIMBS} <= pairs.keys()
        assert all(one == two for one, two in pairs.values())


@pytest.mark.parametrize("bodies", [1, 2])
def test_what_hangs_on_nothing_beside_a_body_follows_its_namesake(bodies: int) -> None:
    """A coat that is not parented to its wearer, beside one body and beside two."""
    built = build(BIPED)
    figure, coat = built.figure, [f"coat{number}" for number in range(30)]
    names, parents = list(figure.names), figure.parents.tolist()
    for number in range(1, bodies):
        parents += [parent + len(names) if parent >= 0 else -1 for parent in figure.parents.tolist()]
        names += [f"{name}.{number:03}" for name in figure.names]
    heads = np.vstack([figure.heads] * bodies + [np.array([[0.1, 0.3, 1.5 - number / 20] for number in range(len(coat))])])
    parents += [-1, *range(len(names), len(names) + len(coat) - 1)]
    dressed = figure_of([*names, *coat], parents, heads)
    assert joined(dressed) is not None
    assert sorted(_in_one(dressed).names) == sorted([*figure.names, *coat]), "the first body, with what is none"
    pairs = map_bones(dressed, dressed).pairs
    assert sorted(pair.target for pair in pairs if pair.source == pair.target and pair.confidence == 1) == sorted(dressed.names)
    assert len(pairs) == len(dressed)


def test_hundreds_of_bones_that_hang_together_nowhere_take_no_time() -> None:
    """Each is compared with what came in last, not with all of the others again."""
    count = 600
    heads = np.random.default_rng(1).normal(size=(count, 3))
    began = time.process_time()
    whole = joined(figure_of([f"b{number}" for number in range(count)], [-1] * count, heads))
    assert time.process_time() - began < 2
    assert whole is not None
    assert np.count_nonzero(whole.parents < 0) == 1
