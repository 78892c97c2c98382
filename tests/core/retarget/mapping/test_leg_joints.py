"""Which joint of a leg is which, of horses, dogs and bears whose legs are drawn after the animals, with and without some of the joints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.creatures.leg_joints import leg_joints, one_joint
from retro_anim.core.retarget.mapping.mapping import map_bones

from .beasts import Row, chain, numbered, sided
from .given import figure_of

Leg = Sequence[tuple[float, float]]
"""How far in front and how high its joints are, in centimetres: blade, shoulder, elbow, wrist, fetlock, hoof; pelvis, hip, stifle …"""

HORSE: tuple[Leg, Leg] = (
    [(-5, 155), (12, 128), (-4, 105), (0, 55), (0, 20), (4, 6)],
    [(0, 150), (-8, 138), (8, 108), (-22, 68), (-16, 20), (-10, 6)],
)
DOG: tuple[Leg, Leg] = (
    [(-4, 62), (6, 50), (-4, 32), (-3, 10), (1, 3), (3, 1)],
    [(0, 58), (-4, 54), (4, 35), (-10, 17), (-6, 3), (-3, 1)],
)
BEAR: tuple[Leg, Leg] = (
    [(0, 95), (8, 74), (-6, 43), (0, 8), (6, 4), (10, 2)],
    [(0, 90), (-4, 78), (10, 40), (-6, 8), (4, 4), (10, 2)],
)


def joints(fore: Leg, hind: Leg, size: float = 1.0) -> list[list[int]]:
    """The likeliest of each bone of the fore and the hind leg."""
    legs = [size * np.array([(0.1, *point) for point in leg], float) for leg in (fore, hind)]
    likely = leg_joints(legs, [float(leg[0, 2]) for leg in legs])
    for each in likely:
        assert each.sum(axis=1) == pytest.approx(1.0)
    return [each.argmax(axis=1).tolist() for each in likely]


@pytest.mark.parametrize(
    ("first", "second", "likely"),
    [
        ((0, 0, 1, 0, 0, 0), (0, 0, 1, 0, 0, 0), 1.0),
        ((0, 0, 0.8, 0.2, 0, 0), (0, 0, 1, 0, 0, 0), 0.8),
        ((0, 0, 0.8, 0.2, 0, 0), (0, 0, 0.5, 0.5, 0, 0), 0.8 * 0.5 + 0.2 * 0.5),
        ((0.2, 0.8, 0, 0, 0, 0), (0.2, 0.8, 0, 0, 0, 0), 1.0),  # as little shows of both
        ((0.2, 0.8, 0, 0, 0, 0), (0.8, 0.2, 0, 0, 0, 0), (2 * 0.4) ** 2),
        ((0, 0, 0, 0, 0.36, 0.64), (0, 0, 0, 0, 1, 0), 0.36),
        ((0, 0, 0, 0.5, 0.5, 0), (0, 0.5, 0, 0, 0.5, 0), 0.25),
    ],
)
def test_how_likely_two_bones_begin_at_one_joint(first: Sequence[float], second: Sequence[float], likely: float) -> None:
    """As likely as both begin at each, all in all; of blade and shoulder, and of fetlock and toe, it counts how alike both are in that."""
    assert one_joint(np.array(first), np.array(second)) == pytest.approx(likely)


@pytest.mark.parametrize("animal", [HORSE, DOG, BEAR], ids=["horse", "dog", "bear"])
@pytest.mark.parametrize("kept", [(0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4), (0, 2, 3, 4)])
@pytest.mark.parametrize("size", [0.01, 3.0])
def test_each_joint_is_known(animal: tuple[Leg, Leg], kept: Sequence[int], size: float) -> None:
    """Also without a hoof; without a shoulder what is above may be that. The lower two are at one place in what stands on its toes."""
    fore, hind = ([leg[joint] for joint in kept] for leg in animal)
    for leg in joints(fore, hind, size=size):
        assert leg[0] == 0 or (leg[0] == 1 and 1 not in kept)
        assert leg[1 : len(kept) - 2] == [*kept[1:-2]]
        assert set(leg[-2:]) <= {3, 4, 5}


def test_the_hind_leg_shows_what_stands_on_hooves() -> None:
    """Straight down from 60 to 10: a horse's elbow and wrist, or a dog's shoulder and elbow, as the hind leg is a horse's or a dog's."""
    fore = [(0.0, 100.0), (0.0, 74.0), (0.0, 42.0), (0.0, 10.0)]
    hooves, toes = ([(0.0, 100.0), *((0.0, 100.0 * height) for height in heights)] for heights in ((0.72, 0.45, 0.05), (0.57, 0.29, 0.05)))
    assert joints(fore, hooves)[0][:3] == [0, 2, 3]
    assert joints(fore, toes)[0][:3] == [0, 1, 2]


def test_elbows_and_hocks_are_bent_backwards() -> None:
    """At the height between an elbow's and a wrist's, of a hoofed animal's, and between a stifle's and a hock's."""
    for hind, (top, height) in enumerate([(85.0, 53.0), (90.0, 58.0)]):
        known: list[int] = []
        for bent in (-8.0, 8.0):
            leg = [(0.0, 100.0), (0.0, top), (bent, height), (0.0, 12.0)]
            known.append(joints(HORSE[0] if hind else leg, leg if hind else HORSE[1])[hind][2])
        assert known == ([3, 2] if hind else [2, 3])


def test_of_hundreds_of_bones_none_shows() -> None:
    """What has so many is no leg: their likelihood is below any number there is."""
    row = np.stack([np.zeros(800), np.zeros(800), np.linspace(1.0, 0.0, 800)], axis=1)
    assert not any(each.any() for each in leg_joints([row, row], [1.0, 1.0]))


def standing(animal: tuple[Leg, Leg], kept: tuple[Sequence[int], Sequence[int]], spine: int) -> list[Row]:
    """An animal with these of the joints of its legs, metres, looking along -Y."""
    fore, hind = (np.array(leg) / 100 for leg in animal)
    rows: list[Row] = [("hips", "", (0, 0.5 * hind[0, 1], hind[0, 1]))]
    length = 0.9 * float(fore[0, 1])
    rows += chain("spine", "hips", *[(0.0, -length / spine, (fore[0, 1] - hind[0, 1]) / spine)] * spine)
    rows += chain("neck", f"spine{spine - 1}", *[(0.0, -0.12 * fore[0, 1], 0.1 * fore[0, 1])] * 2)
    rows += [("head", "neck1", (0, -0.12 * fore[0, 1], 0.1 * fore[0, 1])), ("jaw", "head", (0, -0.1, -0.05))]
    rows += chain("tail", "hips", *[(0.0, 0.1 * hind[0, 1], -0.05 * hind[0, 1])] * 4)
    side: list[Row] = [("ear*", "head", (0.04, 0.02, 0.08))]
    for name, leg, above, joints_of in (("fore", fore, f"spine{spine - 1}", kept[0]), ("hind", hind, "hips", kept[1])):
        at = np.array([0.0, -leg[0, 0], leg[0, 1]])
        for joint in joints_of:
            point = np.array([0.12 * leg[0, 1], -leg[joint, 0], leg[joint, 1]])
            side.append((f"{name}{joint}*", above, tuple((point - at).tolist())))
            above, at = f"{name}{joint}*", point
    return rows + sided(side)


@pytest.mark.parametrize("seed", range(3))
def test_a_dog_s_joints_follow_a_horse_s(seed: int) -> None:
    """The dog has neither hooves nor halves of a pelvis: its elbow is a third of its leg, and the wrist of a horse is as high."""
    dog, horse = standing(DOG, ((0, 1, 2, 3, 4), (1, 2, 3, 4)), 3), standing(HORSE, ((0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 5)), 4)
    for one, two in ((dog, horse), (horse, dog)):
        (source, first), (target, second) = numbered(one, seed), numbered(two, seed + 50)
        rows = [(first[pair.source], second[pair.target], pair.note) for pair in map_bones(source, target).pairs]
        legs = [row for row in rows if row[0].startswith(("fore", "hind"))]
        assert all(source == target for source, target, note in legs if not note)
        upper = [row for row in legs if row[1][4] in "123"]
        assert sum(source == target and not note for source, target, note in upper) >= 10


def test_legs_of_one_bone_follow_each_other() -> None:
    """Of toys whose legs begin as high as their backs: which joint one alone is, does not show."""
    toys: list[Figure] = []
    for prefix, tail, size in (("one", 6, 1.0), ("bone_", 4, 1.4)):
        joints_at = [(0.0, y, 1.0) for y in (0.35, 0.0, -0.35)] + [(0.0, -0.6 - 0.1 * bone, 1.3 + 0.1 * bone) for bone in range(3)]
        legs = [(above, x, y) for above, y in ((2, -0.33), (0, 0.33)) for x in (0.12, -0.12)]
        parents = [-1, 0, 1, 2, 3, 4, *(above for above, _, _ in legs), 0, *range(10, 9 + tail)]
        tips = [*joints_at[1:], (0.0, -0.9, 1.6), *((x, y, 0.0) for _, x, y in legs)]
        joints_at += [(x, y, 1.0) for _, x, y in legs] + [(0.0, 0.4 + 0.1 * bone, 1.02) for bone in range(tail)]
        tips += [(0.0, 0.5 + 0.1 * bone, 1.02) for bone in range(tail)]
        names = [f"{prefix}{bone:02}" for bone in range(len(parents))]
        toys.append(figure_of(names, parents, size * np.array(joints_at), size * np.array(tips)))
    pairs = {pair.source[-2:]: pair.target[-2:] for pair in map_bones(*toys).pairs}
    assert {leg: pairs.get(leg) for leg in ("06", "07", "08", "09")} == {leg: leg for leg in ("06", "07", "08", "09")}
