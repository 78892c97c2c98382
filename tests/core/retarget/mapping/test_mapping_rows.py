"""Limbs in rows: arms all round, fingers beside each other, tentacles of other numbers of bones, and what ends a neck. The bones are but
numbered: what may be another one of its row is never sure to be it."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.mapping import map_bones

from .beasts import Row, chain, numbered, sided, two_legged
from .creatures import Drawn, followed
from .given import figure_of


def octopus(joints: int, eyes: bool, seed: int) -> Drawn:
    """Eight arms of one length but for 15 %, each bone by itself: no arm has its very mirror image."""
    random = np.random.default_rng(seed)
    names, parents, heads = ["body", "mantle", "top"], [-1, 0, 1], [[0.0, 0, 0.3], [0, 0.03, 0.4], [0, 0.08, 0.7]]
    for arm in range(8):
        about, reached = (arm + 0.5) * pi / 4, 0.1
        for joint in range(joints):
            names.append(f"arm{arm}{joint}")
            parents.append(len(parents) - 1 if joint else 0)
            heads.append([reached * sin(about), -reached * cos(about), 0.3 - 0.2 * joint / joints])
            reached += 0.7 / joints * random.uniform(0.85, 1.15)
    for side in (1, -1) if eyes else ():
        names.append(f"eye{side}")
        parents.append(0)
        heads.append([0.08 * side, -0.06, 0.4])
    order = [0, *(1 + random.permutation(2 + 8 * joints + 2 * eyes)).tolist()]
    order.sort(key=lambda bone: _depth(parents, bone))
    number = {bone: at for at, bone in enumerate(order)}
    calls = [f"bone_{at}" for at in range(len(order))]
    figure = figure_of(calls, [number.get(parents[bone], -1) for bone in order], np.array(heads)[order])
    return figure, {call: names[bone] for call, bone in zip(calls, order, strict=True)}


def _depth(parents: list[int], bone: int) -> int:
    return 1 + _depth(parents, parents[bone]) if parents[bone] >= 0 else 0


@pytest.mark.parametrize("joints", [(4, 4), (3, 5), (6, 4)])
def test_arms_all_round_are_not_sure_to_be_those_beside_them(joints: tuple[int, int]) -> None:
    for seed in range(4):
        result = followed(octopus(joints[0], seed < 2, seed), octopus(joints[1], seed % 2 == 0, seed + 50))
        assert len(result) > 8 * joints[1]
        for call, (calls, doubtful) in result.items():
            assert doubtful or call[:4] in {each[:4] for each in calls}, call


def squid(joints: int) -> list[Row]:
    rows: list[Row] = [("body", "", (0, 0, 1)), *chain("mantle", "body", (0, 0.1, 0), (0, 0.3, 0), (0, 0.3, 0))]
    rows += [("fin*", "mantle2", (0.1, 0.05, 0)), ("eye*", "body", (0.07, -0.04, 0.05))]
    step = 0.6 / joints
    for arm, (x, z) in enumerate(((0.03, -0.05), (0.06, -0.02), (0.06, 0.03))):
        rows += [(f"arm{arm}0*", "body", (x, -0.1, z))]
        rows += [(f"arm{arm}{joint}*", f"arm{arm}{joint - 1}*", (0.1 * step, -step, z * step)) for joint in range(1, joints)]
    return [row for row in rows if "*" not in row[0]] + sided([row for row in rows if "*" in row[0]])


@pytest.mark.parametrize("joints", [(4, 7), (7, 4)])
def test_the_end_of_a_tentacle_follows_the_end_of_another(joints: tuple[int, int]) -> None:
    """Not the fourth of seven bones the fourth of four."""
    for seed in range(3):
        result = followed(numbered(squid(joints[0]), seed), numbered(squid(joints[1]), seed + 50))
        for arm in range(3):
            for side in "LR":
                assert result[f"arm{arm}{joints[1] - 1}{side}"][0] == {f"arm{arm}{joints[0] - 1}{side}"}


def clawed(fingers: int, blades: bool) -> list[Row]:
    """A lizard on its hind legs with long arms, that have hands with fingers or end in them."""
    rows = [row for row in two_legged(3, 6, fingers=False) if row[0][:-1] not in ("arm", "forearm", "hand")]
    side: list[Row] = [("blade*", "spine2", (0.1, -0.02, 0))] if blades else []
    side += [("arm*", "blade*" if blades else "spine2", (0.1 if blades else 0.2, -0.03, -0.1)), ("forearm*", "arm*", (0.05, 0, -0.5))]
    side += [("hand*", "forearm*", (0, -0.3, -0.3))]
    side += [(f"finger{number}*", "hand*", (0.05 * number - 0.05, -0.12, -0.05)) for number in range(fingers)]
    return rows + sided(side)


@pytest.mark.parametrize("fingers", [(0, 2), (2, 0), (0, 3), (3, 0)])
def test_a_hand_is_no_finger(fingers: tuple[int, int]) -> None:
    for seed in range(4):
        source, target = (
            numbered(clawed(count, blades), seed + 50 * number)
            for number, (count, blades) in enumerate(zip(fingers, (True, False), strict=True))
        )
        result = followed(source, target)
        for side in "LR":
            assert f"hand{side}" in result[f"hand{side}"][0]
            assert not any(call.startswith("finger") for calls, _ in result.values() for call in calls)


def headed(neck: int, jaw: bool, ears: bool) -> list[Row]:
    rows = [row for row in two_legged(neck, 6, fingers=True) if row[0] != "jaw"]
    rows += [("jaw", "head", (0, -0.05, -0.06))] if jaw else []
    return rows + sided([("ear*", "head", (0.05, 0.02, 0.08)), ("eye*", "head", (0.05, -0.1, 0.05))] if ears else [])


@pytest.mark.parametrize("neck", [(3, 5), (5, 3), (2, 4)])
@pytest.mark.parametrize("ears", [(True, False), (False, True), (False, False)])
@pytest.mark.parametrize("jaw", [(True, False), (False, True)])
def test_a_head_is_no_jaw_and_no_neck(neck: tuple[int, int], ears: tuple[bool, bool], jaw: tuple[bool, bool]) -> None:
    """Of which but one has a jaw, or more bones in its neck: a head follows a head, or what it follows is doubtful."""
    for seed in range(2):
        result = followed(*(numbered(headed(neck[at], jaw[at], ears[at]), seed + 50 * at) for at in (0, 1)))
        calls, doubtful = result.get("head", ({"head"}, False))
        assert doubtful or "head" in calls


def bat(joints: int, spine: int) -> list[Row]:
    """Hands with four long fingers, and short legs."""
    rows: list[Row] = [("hips", "", (0, 0.03, 0.3)), *chain("spine", "hips", *[(0.0, -0.09 / spine, 0.02 / spine)] * spine)]
    top = f"spine{spine - 1}"
    rows += [("neck0", top, (0, -0.02, 0.01)), ("head", "neck0", (0, -0.03, 0.01)), ("jaw", "head", (0, -0.02, -0.01))]
    side: list[Row] = [("thigh*", "hips", (0.02, 0, -0.01)), ("shin*", "thigh*", (0, 0.04, -0.01)), ("paw*", "shin*", (0, 0.04, -0.01))]
    side += [("arm*", top, (0.03, 0, 0.01)), ("forearm*", "arm*", (0.11, 0.06, 0)), ("hand*", "forearm*", (0.14, -0.07, 0))]
    for finger in range(4):
        x, y = 0.25 * cos(0.5 * finger) / joints, 0.25 * sin(0.5 * finger) / joints
        side += [(f"f{finger}0*", "hand*", (0.2 * x, 0.2 * y, 0.0))]
        side += [(f"f{finger}{joint}*", f"f{finger}{joint - 1}*", (x, y, 0.0)) for joint in range(1, joints)]
    side += [("ear*", "head", (0.02, 0, 0.03))]
    return rows + sided(side)


@pytest.mark.parametrize("joints", [2, 3])
def test_a_hand_with_its_fingers_is_no_human(joints: int) -> None:
    """Four fingers in pairs on a hand, as legs and arms on a trunk: what has a mirror image on the other side is no hips."""
    for seed in range(3):
        source, target = numbered(bat(joints, 2), seed), numbered(bat(3, 3), seed + 50)
        result = followed(source, target)
        assert sum(call in calls for call, (calls, _) in result.items()) > 0.6 * len(result)
        assert not any(pair.role for pair in map_bones(source[0], target[0]).pairs)


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("bones", [18, 19, 20])
def test_what_hangs_on_the_other_end_of_a_snake_is_mapped_or_left(bones: int, swapped: bool) -> None:
    """Eyes and hair on the head of one, a saddle on the first bone of the other, which is above all that belongs together."""
    row = chain("body", "root", (0, 1.0, 0.05), *[(0.0, -2 / bones, 0.0)] * (bones - 1))
    head: Row = ("head", f"body{bones - 1}", (0, -0.11, 0.01))
    eyes = sided([("eye*", "head", (0.025, -0.05, 0.02))])
    brows = sided([("brow*", "head", (0.02, -0.06, 0.03)), ("end*", "brow*", (0, -0.006, 0.006))])
    for seed in range(12):
        hair: Row = ("hair", "head", (0, 0.02, 0.09))
        first = numbered([("root", "", (0, 0, 0)), *row, head, *eyes, hair], seed)
        saddle: Row = ("saddle", "body0", (0, -0.2, 0.16))
        second = numbered([("body0", "", (0, 1.0, 0.05)), *row[1:], head, *brows, saddle], seed + 50)
        source, target = (second, first) if swapped else (first, second)
        bone_map = map_bones(source[0], target[0])
        followers = [pair.target for pair in bone_map.pairs] + [name for part in bone_map.chains for name in part.target]
        assert len(followers) == len(set(followers)) > bones // 2
