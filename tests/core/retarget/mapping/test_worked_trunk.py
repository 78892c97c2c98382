"""What the bones from the root to the head are worth as each part of the trunk, worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.anatomy.tree import Tree
from retro_anim.core.retarget.mapping.humanoid.trunk import _give, _head, _scores, _side_hips, _spine_end, _spine_roles, label_trunk

ROOT, HIPS, SPINE, NECK, HEAD = range(5)
Names = dict[tuple[int, str], float]


def evidence(names: Names, **more: Any) -> Any:
    return SimpleNamespace(named=lambda bone, part: names.get((bone, part), 0.0), **more)


def scores(low: int, high: int, headed: bool, names: Names | None = None) -> list[dict[int, float]]:
    """Of five bones, what is not 0."""
    rows = _scores(evidence(names or {}), range(5), low, high, headed)
    assert all(len(row) == 6 for row in rows)
    return [{state: score for state, score in enumerate(row) if score} for row in rows]


def test_by_where_limbs_hang() -> None:
    """Before the legs a root, there the hips, which nothing behind them is; up to the arms a spine, behind them neck and, last, head."""
    behind = {HIPS: -0.6}
    spine, neck, head = behind | {SPINE: 0.4}, behind | {NECK: 0.35}, behind | {HEAD: 0.7}
    assert scores(1, 2, True) == [{ROOT: 0.3}, {HIPS: 0.4}, spine, neck, head]
    assert scores(1, 2, False) == [{ROOT: 0.3}, {HIPS: 0.4}, spine, neck, neck]
    assert scores(0, 4, True) == [{HIPS: 0.4}, spine, spine, spine, spine]
    assert scores(-1, 2, True) == [{SPINE: 0.4}] * 3 + [{NECK: 0.35}, {HEAD: 0.7}], "without legs"
    assert scores(4, 2, True)[4] == {HIPS: 0.4}, "legs where the head is"
    assert scores(3, 2, True)[3:] == [{HIPS: 0.4}, head], "legs above the arms"


@pytest.mark.parametrize(("neck", "spine"), [(0.0, 0.1), (0.5, 0.1), (0.51, 0.8)])
def test_above_the_arms_a_spine_by_name_is_one_only_where_necks_have_names(neck: float, spine: float) -> None:
    row = scores(1, 2, True, {(3, "chest"): 0.8, (4, "neck"): neck})[3]
    assert row[SPINE] == pytest.approx(spine)
    assert scores(1, 3, True, {(3, "upperChest"): 0.8})[3][SPINE] == pytest.approx(0.8 + 0.4), "where the arms hang it is"


@pytest.mark.parametrize(("part", "state"), [("root", ROOT), ("hips", HIPS), ("spine", SPINE), ("neck", NECK), ("head", HEAD)])
def test_names_count_besides(part: str, state: int) -> None:
    plain, named = scores(1, 2, True)[2], scores(1, 2, True, {(2, part): 0.25})[2]
    assert named.get(state, 0.0) - plain.get(state, 0.0) == pytest.approx(0.25)
    assert {each: score for each, score in named.items() if each != state} == {each: plain[each] for each in plain if each != state}


@pytest.mark.parametrize(("names", "end"), [({}, -1), ({(1, "spine"): 0.29}, -1), ({(1, "spine"): 0.3}, 1), ({(1, "chest"): 0.5}, 1)])
def test_a_spine_ends_at_its_best_name(names: Names, end: int) -> None:
    """Of several that are as good the furthest from the root; none of less than 0.3."""
    points = np.zeros((3, 3))
    tree = Tree((0, 1, 2), (-1, 0, 1), points, points)
    assert _spine_end(evidence(names, tree=tree)) == end
    assert _spine_end(evidence({(bone, "spine"): 0.5 for bone in range(3)}, tree=tree)) == 2


@pytest.mark.parametrize(
    ("name", "position", "hips"), [(0.5, -1, 6), (0.49, -1, -1), (0.49, 5, 5), (0.49, 4, -1), (0.49, 9, -1), (0.5, 5, 6)]
)
def test_hips_beside_the_spine(name: float, position: int, hips: int) -> None:
    """Of the bones behind the one that carries both: by a name of 0.5, or where the structure has them."""
    known = evidence(
        {(6, "hips"): name}, tree=SimpleNamespace(between=lambda _first, _second: [4, 5, 6]), positions={"hips": (position, 1.0)}
    )
    assert _side_hips(known, 6, 4) == hips
    known.tree.between = lambda _first, _second: [4]
    assert _side_hips(known, 4, 4) == -1


@pytest.mark.parametrize(
    ("names", "placed", "depths", "head"),
    [
        ([0.0, 0.5, 0.6], {}, [0, 1, 2], 2),
        ([0.0, 0.6, 0.5], {2: 0.26}, [0, 1, 2], 2),  # 0.4 of what the structure says counts
        ([0.0, 0.6, 0.5], {2: 0.24}, [0, 1, 2], 1),
        ([0.0, 0.5, 0.5], {}, [0, 1, 2], 1),  # the uppermost
        ([0.0, 0.5, 0.5], {}, [0, 2, 1], 2),
        ([0.0, 0.5, 0.5], {}, [0, 1, 1], 1),
        ([0.9, 0.5, 0.5], {}, [0, 1, 2], 0),
        ([0.0, 0.35, 0.0], {1: 1.0}, [0, 1, 2], 7),  # by too weak a name none, whatever the structure says
        ([0.0, 0.36, 0.0], {}, [0, 1, 2], 1),
    ],
)
def test_a_head_is_the_best_name_and_position(names: list[float], placed: dict[int, float], depths: list[int], head: int) -> None:
    """Else where the structure has it, or none; neither a bone of a side nor one of a limb."""
    bones = (10, 11, 12)

    def known(side: int = -1, limb: int = -1, positions: dict[str, tuple[int, float]] | None = None, loose: int = -1) -> Any:
        return SimpleNamespace(
            names=[SimpleNamespace(side="left" if bone == side else "") for bone in range(3)],
            tree=SimpleNamespace(bones=bones, depths=depths, path_up=lambda bone: [bone, *([] if bone == loose else [9])]),
            named=lambda bone, part: names[bone] if part == "head" else 1.0,
            placed=lambda role, bone: placed.get(bone, 0.0) if role == "head" else 1.0,
            positions={"head": (7, 0.5)} if positions is None else positions,
            result=SimpleNamespace(roles={"leftHand": bones[limb]} if limb >= 0 else {}),
        )

    assert _head(known()) == head
    if head != 7:
        assert _head(known(side=head)) != head and _head(known(limb=head)) != head
        assert _head(known(limb=(head + 1) % 3, loose=head)) != head, "in another tree than the limbs"
        assert _head(known(loose=head)) == head, "where there are none"
    assert _head(known(positions={})) == (head if head != 7 else -1)


@pytest.mark.parametrize(
    ("state", "named", "side", "roles"),
    [
        (HIPS, 0.7, 2, {"hips": 0, "chest": 1}),  # its name says it
        (HIPS, 0.69, 2, {"hips": 2, "root": 0, "chest": 1}),
        (HIPS, 0.69, -1, {"hips": 0, "chest": 1}),
        (ROOT, 0.0, 2, {"hips": 2, "root": 0, "chest": 1}),
        (ROOT, 0.0, 3, {"hips": 3, "chest": 1}),  # a root above other bones is none of these hips
        (ROOT, 0.0, -1, {"root": 0, "chest": 1}),
    ],
)
def test_a_pelvis_beside_the_spine_is_the_hips_unless_another_bone_is_called_so(
    state: int, named: float, side: int, roles: dict[str, int]
) -> None:
    """The skeleton's first bone carries the spine and, beside it, the legs' pelvis; what carried both is the root then."""
    points = np.zeros((4, 3))
    given: dict[str, int] = {}
    known = evidence({(0, "hips"): named}, tree=Tree((0, 1, 2, 3), (-1, 0, 0, -1), points, points), result=SimpleNamespace())
    known.give = lambda role, bone, *_: given.update({role: bone})
    _give(known, [0, 1], [state, SPINE], side)
    assert given == roles


@pytest.mark.parametrize(
    ("count", "names", "roles"),
    [
        (0, {}, {}),
        (1, {}, {"chest": 0}),
        (1, {(0, "spine"): 0.5, (0, "chest"): 0.5}, {"chest": 0}),
        (1, {(0, "spine"): 0.6, (0, "chest"): 0.5}, {"spine": 0}),
        (2, {(0, "chest"): 1.0}, {"spine": 0, "chest": 1}),
        (3, {}, {"spine": 0, "chest": 1, "upperChest": 2}),
        (4, {}, {"spine": 0, "chest": 2, "upperChest": 3}),
        (5, {}, {"spine": 0, "chest": 2, "upperChest": 4}),
        (5, {(3, "chest"): 0.5}, {"spine": 0, "chest": 3, "upperChest": 4}),
        (5, {(1, "chest"): 0.5, (3, "chest"): 0.9}, {"spine": 0, "chest": 1, "upperChest": 4}),  # the first of several
        (5, {(1, "chest"): 0.5, (1, "spine"): 0.5}, {"spine": 0, "chest": 2, "upperChest": 4}),  # as much a spine
        (5, {(0, "chest"): 0.9, (4, "chest"): 0.9}, {"spine": 0, "chest": 2, "upperChest": 4}),  # the ends are no middle
    ],
)
def test_the_parts_of_a_spine(count: int, names: Names, roles: dict[str, int]) -> None:
    assert _spine_roles(evidence(names), range(count)) == roles


LEGS, ARMS, HEAD_AT = 1, 3, 5


def labelled(
    names: Names | None = None,
    legs: int = LEGS,
    arms: int = ARMS,
    head: int = HEAD_AT,
    doubts: dict[int, float] | None = None,
    parents: tuple[int, ...] = (-1, 0, 1, 2, 3, 4, 0),
) -> dict[str, int]:
    """The roles of a root, hips, three bones on them, a head, and a bone beside them on the root. legs, arms: the bones on which they hang,
    -1 for none. head: where the structure has it. doubts: what names leave of a bone for being a helper, 1 if nothing else is said."""
    points, given = np.zeros((len(parents), 3)), dict[str, int]()
    known: Any = SimpleNamespace(
        named=lambda bone, part: (names or {}).get((bone, part), 0.0),
        tree=Tree(tuple(range(len(parents))), parents, points, points),
        common=lambda *parts: {("UpperLeg", "LowerLeg"): legs, ("Shoulder", "UpperArm", "LowerArm"): arms}[parts],
        names=[SimpleNamespace(side="", doubt=(doubts or {}).get(bone, 1.0)) for bone in range(len(parents))],
        placed=lambda _role, _bone: 0.0,
        positions={"head": (head, 0.5)} if head >= 0 else {},
        result=SimpleNamespace(roles={}, spine=(), neck=()),
        give=lambda role, bone, *_: given.update({role: bone}),
    )
    label_trunk(known)
    assert set(known.result.spine) >= {bone for role, bone in given.items() if role in ("spine", "chest", "upperChest")}
    assert set(known.result.neck) >= {bone for role, bone in given.items() if role == "neck"}
    return given


PARTS = {"root": 0, "hips": 1, "spine": 2, "chest": 3, "neck": 4, "head": 5}


def test_a_trunk_by_where_legs_arms_and_head_are() -> None:
    """Up to the arms where there is no head, if the name of their bone says that it is none; what is above where no arms are is spine;
    nothing where nothing shows where it ends."""
    assert labelled() == PARTS
    assert labelled({(3, "chest"): 0.2}, head=-1) == {"root": 0, "hips": 1, "spine": 2, "chest": 3}
    assert labelled(arms=-1) == {"root": 0, "hips": 1, "spine": 2, "chest": 3, "upperChest": 4, "head": 5}
    assert labelled({(3, "spine"): 0.5}, arms=-1, head=-1) == {"root": 0, "hips": 1, "spine": 2, "chest": 3}
    assert labelled(legs=-1, arms=-1, head=-1) == {}
    assert labelled(legs=0, arms=0) == {"hips": 0, "neck": 1, "head": 5}


@pytest.mark.parametrize("left", [0.25, 0.26])
def test_helpers_up_to_the_arms_are_no_part_of_the_trunk(left: float) -> None:
    """Of whose names no more than a quarter is left; above the arms nothing is left out. Where the arms' bone is, the next one bears
    them."""
    gone = left == 0.25
    assert labelled(doubts={2: left}) == ({"root": 0, "hips": 1, "chest": 3, "neck": 4, "head": 5} if gone else PARTS)
    assert labelled(doubts={0: left}) == {part: bone for part, bone in PARTS.items() if not gone or part != "root"}
    assert labelled(doubts={3: left}) == ({"root": 0, "hips": 1, "spine": 2, "chest": 4, "head": 5} if gone else PARTS)
    assert labelled(doubts={4: left}) == PARTS
    assert labelled(doubts={0: left, 2: left}).get("neck") == 4


@pytest.mark.parametrize(("legs", "costs", "hips"), [(0, 1.6, 0.4), (-1, 1.0, -0.4), (6, 0.3, 0.4)])
def test_what_a_trunk_without_hips_costs(legs: int, costs: float, hips: float) -> None:
    """More where legs hang on it, least where a pelvis beside it carries them: up to that its first bone is better hips than spine. hips:
    by how much more it is worth as the hips than as spine, by where it is."""
    pelvis: Names = {(6, "hips"): 0.5} if legs == 6 else {}
    for more in (-0.01, 0.01):
        given = labelled({(0, "spine"): costs + hips + more, **pelvis}, legs=legs)
        assert (given.get("spine") == 0) == (more > 0), (more, given)
