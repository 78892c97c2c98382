"""People with wings, coats, straps, hair, tails and weapons whose bones are but numbered: what is taken for arms and legs is right, or the
map says that it may not be. The truth is what each bone was called when it was built."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.mapping import map_bones

from .beasts import Row, chain, numbered, rooted, sided
from .given import figure_of
from .zoo import build
from .zoo_rigs import COMMON

PARTS = {
    "clav": "Shoulder",
    "arm": "UpperArm",
    "forearm": "LowerArm",
    "hand": "Hand",
    "thigh": "UpperLeg",
    "shin": "LowerLeg",
    "foot": "Foot",
}
CALLED = {"hips": "hips", "head": "head"} | {
    side + role: name + side[0].upper() for side in ("left", "right") for name, role in PARTS.items()
}

Extra = tuple[tuple[str, ...], tuple[float, float, float]]
EXTRAS: dict[str, Extra] = {
    "wing": (("spine1", "spine2"), (0.8, 0.4, 0.3)),
    "coat": (("hips", "spine0"), (0.15, 0.1, -1.0)),
    "strap": (("spine1", "spine2", "hips"), (0.1, -0.1, -1.0)),
    "ears": (("head",), (0.4, 0.0, 1.0)),
    "hair": (("head",), (0.3, 0.3, -1.0)),
}
"""The bones that a pair of chains may hang on, and where the left one goes."""


def person(fingers: bool) -> list[Row]:
    trunk: list[Row] = [("hips", "", (0, 0, 0.98)), *chain("spine", "hips", (0, 0.01, 0.1), (0, 0, 0.15), (0, 0, 0.15))]
    trunk += [("neck0", "spine2", (0, 0, 0.12)), ("head", "neck0", (0, -0.01, 0.1)), ("crown", "head", (0, 0, 0.2))]
    side: list[Row] = [("clav*", "spine2", (0.03, 0, 0.05)), ("arm*", "clav*", (0.14, 0.01, 0)), ("forearm*", "arm*", (0.2, 0.01, -0.2))]
    side += [("hand*", "forearm*", (0.18, -0.02, -0.18)), ("thigh*", "hips", (0.09, 0, -0.05)), ("shin*", "thigh*", (0, -0.015, -0.43))]
    side += [("foot*", "shin*", (0, 0.03, -0.41)), ("toe*", "foot*", (0, -0.13, -0.07))]
    for finger, y in zip("abcde" if fingers else "", (-0.04, -0.03, -0.01, 0.01, 0.03), strict=False):
        side += [(f"{finger}0*", "hand*", (0.06, y, -0.06)), (f"{finger}1*", f"{finger}0*", (0.02, 0, -0.02))]
    return rooted(trunk + sided(side))


def extra(kind: str, random: np.random.Generator) -> list[Row]:
    """A pair of chains with two to five bones, of any length up to twice an arm's."""
    hubs, course = EXTRAS[kind]
    steps = random.dirichlet(np.full(int(random.integers(2, 6)), 6.0)) * random.uniform(0.3, 1.5)
    rows: list[Row] = [(f"{kind}0*", str(random.choice(hubs)), (0.06, -0.1 if kind == "strap" else 0.08, 0.03))]
    for bone, step in enumerate(steps):
        along = np.array(course) + random.normal(size=3) * 0.25
        x, y, z = (along / np.linalg.norm(along) * step).tolist()
        rows.append((f"{kind}{bone + 1}*", f"{kind}{bone}*", (x, y, z)))
    return sided(rows)


def cluttered(seed: int) -> list[Row]:
    """A person with what chance gives."""
    random = np.random.default_rng(seed)
    rows = person(fingers=bool(random.integers(2)))
    for kind in EXTRAS:
        rows += extra(kind, random) if random.random() < 0.4 else []
    if random.random() < 0.5:
        rows += chain("tail", "hips", (0, 0.1, 0), *[(0.0, 0.15, -0.02)] * int(random.integers(2, 7)))
    if random.random() < 0.4:
        rows += [("sword", "handR", (0, 0, 0)), ("blade", "sword", (0, -float(random.uniform(0.3, 1.5)), 0))]
    return rows


@pytest.mark.parametrize("which", [0, 1], ids=["target numbered", "source numbered"])
def test_what_may_be_taken_for_another_limb_is_doubtful(which: int) -> None:
    right = wrong = unmarked = 0
    for seed in range(16):
        figure, names = numbered(cluttered(seed), seed)
        built = build(COMMON[seed % len(COMMON)])
        roles = {bone: CALLED[role] for role, bones in built.truth.items() if role in CALLED for bone in bones}
        for pair in map_bones(*((built.figure, figure), (figure, built.figure))[which]).pairs:
            named, unnamed = ((pair.source, pair.target), (pair.target, pair.source))[which]
            if named in roles:
                good = roles[named] == names[unnamed]
                right, wrong, unmarked = right + good, wrong + (not good), unmarked + (not good and not pair.note)
    assert right > 2 * wrong
    assert unmarked <= 0.01 * (right + wrong)


def test_limbs_without_rivals_are_not_doubtful() -> None:
    """A person with a tail and a weapon has but two arms and two legs."""
    figure, names = numbered([*person(fingers=True), *chain("tail", "hips", (0, 0.1, 0), (0, 0.15, 0), (0, 0.15, 0))], 3)
    pairs = {names[pair.target]: pair for pair in map_bones(build(COMMON[0]).figure, figure).pairs}
    for role, name in CALLED.items():
        if role.endswith(("Arm", "Leg", "Foot", "Hand", "hips")):
            assert pairs[name].role == role and not pairs[name].note


@pytest.mark.parametrize(("apart", "doubtful"), [(0.0, False), (0.1, True)])
def test_a_bone_of_a_control_rig_where_the_foot_begins_is_no_joint(apart: float, doubtful: bool) -> None:
    """As between shin and foot of Rigify's: the leg bends where the other's does. One with a length of its own is a joint."""
    built = build(COMMON[0])
    feet = [built.truth[f"{side}Foot"][0] for side in ("left", "right")]
    names, heads, above = list(built.figure.names), built.figure.heads.tolist(), built.figure.parents.tolist()
    parents = {name: names[row] if row >= 0 else "" for name, row in zip(names, above, strict=True)}
    for foot in feet:
        at = names.index(foot)
        x, y, z = heads[at]
        names.insert(at, pivot := f"pivot {at}")
        heads.insert(at, [x, y, z + apart])
        parents[pivot], parents[foot] = parents[foot], pivot
    rig = figure_of(names, [names.index(parents[name]) if parents[name] else -1 for name in names], np.array(heads))
    notes = {pair.target: pair.note for pair in map_bones(built.figure, rig).pairs}
    assert ["other joints" in notes[foot] for foot in feet] == [doubtful, doubtful]
