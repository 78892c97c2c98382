"""Beasts of which one has what the other has elsewhere: the ends of its legs in its bones' tails, a jaw on another bone."""

from __future__ import annotations

from itertools import pairwise, permutations, product

import numpy as np
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.mapping import map_bones
from support.counted import calls

from .beasts import KINDS, Row, beast, numbered, rooted, sided
from .creatures import spread
from .given import figure_of

LEG = np.array([[0.1, 0.05, 0.3], [0.2, 0.1, 0.34], [0.6, 0.3, 0.65], [0.95, 0.45, 0.3], [1.1, 0.5, 0.0]])
"""The joints of a leg, and its foot."""


def spider(joints: list[int], seed: int) -> tuple[Figure, dict[str, str]]:
    """Legs that have bones from these joints on, each to the next, the last one to the foot; and what each bone is."""
    random = np.random.default_rng(seed)
    names = ["body", "head", "abdomen"]
    parents = [-1, 0, 0]
    heads = [[0, 0, 0.3], [0, -0.12, 0.3], [0, 0.15, 0.32]]
    tails = [[0, -0.1, 0.3], [0, -0.25, 0.28], [0, 0.6, 0.36]]
    for leg, ahead in enumerate((-3.0, -1.0, 1.0, 3.0)):
        points = LEG[[*joints, -1]] * [1, ahead, 1] * random.uniform(0.9, 1.1)
        for side, sign in (("L", 1), ("R", -1)):
            for number, (start, end) in enumerate(pairwise(points)):
                parents.append(len(names) - 1 if number else 0)
                names.append(f"leg{leg}{side}")
                heads.append((start * [sign, 1, 1]).tolist())
                tails.append((end * [sign, 1, 1]).tolist())
    numbers = [f"bone_{bone}" for bone in range(len(names))]
    return figure_of(numbers, parents, np.array(heads), np.array(tails)), dict(zip(numbers, names, strict=True))


def test_a_leg_of_two_bones_ends_where_its_last_bone_does() -> None:
    """Without its tails it ends at the knee, and stands on nothing."""
    for (one, two), seed in product(permutations(([0, 2], [0, 1, 2, 3])), range(4)):
        (source, first), (target, second) = spider(one, seed), spider(two, seed + 20)
        bone_map = map_bones(source, target)
        rows = [(first[pair.source], second[pair.target]) for pair in bone_map.pairs]
        rows += [(first[bone], second[name]) for chain in bone_map.chains for bone in chain.source for name in chain.target]
        assert all(called == name for called, name in rows)
        assert {f"leg{leg}{side}" for leg in range(4) for side in "LR"} <= {name for _, name in rows}


def test_a_jaw_may_hang_on_another_bone_of_the_trunk() -> None:
    """On the head of one rig, and on the other's neck."""
    rows = KINDS["wolf"][0]
    offsets = {name: np.array(offset) for name, _, offset in rows}
    x, y, z = (offsets["head"] + offsets["jaw"]).tolist()
    moved: list[Row] = [("jaw", "neck1", (x, y, z)) if row[0] == "jaw" else row for row in rows]
    for one, two in permutations((rows, moved)):
        (source, first), (target, second) = numbered(one, 1), numbered(two, 101)
        pairs = {second[pair.target]: first[pair.source] for pair in map_bones(source, target).pairs}
        assert pairs.get("jaw") == "jaw"
        assert pairs.get("head") == "head"


def test_a_bone_between_root_and_hips_does_not_follow_the_root() -> None:
    """The root on the floor follows the other's alone, wherever the body of but one of them has a bone above its hips."""
    plain = rooted(beast(3, 2, 5, 0.6, toes=True, ears=True))
    raised: list[Row] = [("cog", "root", (0, 0.3, 0.6))]
    raised += [("hips", "cog", (0, 0.05, 0)) if row[0] == "hips" else row for row in plain]
    for one, two in permutations((plain, raised)):
        (source, first), (target, second) = numbered(one, 1), numbered(two, 101)
        bone_map = map_bones(source, target)
        assert [second[pair.target] for pair in bone_map.pairs if first[pair.source] == "root"] == ["root"]
        assert not any(first[bone] in ("root", "cog") for chain in bone_map.chains for bone in chain.source)


def test_what_is_small_on_a_head_follows_by_its_place_in_the_skull() -> None:
    """In a skull that is 1.3 times as large and has lips besides; lengths differ by up to 15 %."""
    face: list[Row] = [("ear*", "head", (0.06, 0.03, 0.09)), ("eye*", "head", (0.05, -0.1, 0.05))]
    more: list[Row] = [(name, above, (1.3 * x, 1.3 * y, 1.3 * z)) for name, above, (x, y, z) in face]
    more += [("eartip*", "ear*", (0.01, 0, 0.06)), ("lip*", "head", (0.02, -0.25, -0.02))]
    plain = [row for row in beast(3, 2, 5, 0.6, toes=True, ears=False) if row[0] != "nose"] + sided(face)
    full = beast(4, 3, 7, 0.65, toes=True, ears=False) + sided(more)
    sure: list[str] = []
    for (one, two), seed in product(permutations((plain, full)), (1, 2)):
        (source, first), (target, second) = numbered(one, seed), numbered(two, seed + 50)
        rows = [(first[pair.source], second[pair.target], pair.note) for pair in map_bones(source, target).pairs]
        assert all(called == name for called, name, _ in rows if {called[:3], name[:3]} & {"ear", "eye", "jaw", "lip", "nos", "hea"})
        sure += [name for _, name, note in rows if name in ("head", "jaw", "eyeL", "eyeR") and not note]
    assert len(sure) >= 14, "of 16"


def hung_elsewhere(rows: list[Row], moves: dict[str, str]) -> list[Row]:
    """The same joints, of which these hang on other bones, by name."""
    at: dict[str, np.ndarray] = {"": np.zeros(3)}
    for name, above, offset in rows:
        at[name] = at[above] + offset
    result = [(name, moves.get(name, above)) for name, above, _ in rows]
    result.sort(key=lambda row: _depth(row[0], dict(result)))
    return [(name, above, (float(x), float(y), float(z))) for name, above in result for x, y, z in [at[name] - at[above]]]


def _depth(name: str, above: dict[str, str]) -> int:
    return 1 + _depth(above[name], above) if name in above else 0


def test_limbs_hang_where_they_begin_whatever_their_parents() -> None:
    """Blades behind the neck's first joint hang on it, thighs and tail at the hips on the spine: spine and neck stay what they are."""
    moves = {f"blade{side}": "neck0" for side in "LR"} | {f"thigh{side}": "spine0" for side in "LR"} | {"tail0": "spine0"}
    for one, two in permutations((beast(3, 3, 5, 0.6, toes=True, ears=True), hung_elsewhere(beast(4, 3, 7, 0.65, True, True), moves))):
        (source, first), (target, second) = numbered(one, 1), numbered(two, 51)
        bone_map = map_bones(source, target)
        rows = [([first[pair.source]], second[pair.target], pair.note) for pair in bone_map.pairs]
        rows += [([first[bone] for bone in part.source], second[name], part.note) for part in bone_map.chains for name in part.target]
        parts = {name: {source.rstrip("0123456789") for source in sources} for sources, name, note in rows if not note}
        assert parts["hips"] == {"hips"}
        assert all(parts.get(f"neck{bone}") == {"neck"} for bone in range(3))
        assert all(parts.get(f"spine{bone}", {"spine"}) == {"spine"} for bone in range(4))
        assert {part for name, part in ((name, parts[name]) for name in parts if name.startswith("tail")) for part in part} == {"tail"}


def test_a_mane_is_no_head() -> None:
    """It hangs where the head does, and goes on further; eyes and ears show which is which."""
    mane: list[Row] = [("mane0", "neck2", (0, -0.02, 0.1)), ("mane1", "mane0", (0, -0.25, 0.05)), ("mane2", "mane1", (0, -0.25, 0))]
    maned = [*beast(3, 3, 5, 0.6, toes=True, ears=True), *mane]
    for one, two in permutations((maned, beast(4, 3, 7, 0.65, toes=True, ears=True))):
        (source, first), (target, second) = numbered(one, 1), numbered(two, 51)
        pairs = {second[pair.target]: (first[pair.source], pair.note) for pair in map_bones(source, target).pairs}
        assert pairs["head"] == ("head", "")


def test_a_bone_in_the_skull_that_bears_the_face_is_no_head_in_silence() -> None:
    """Nor is the head of the one the neck of the other."""
    plain = beast(4, 2, 7, 0.65, toes=True, ears=True)
    faced: list[Row] = []
    for name, above, offset in beast(3, 2, 5, 0.6, toes=True, ears=True):
        faced.append((name, "face" if above == "head" else above, offset))
        if name == "head":
            faced.append(("face", "head", (0, -0.4, -0.05)))
    for seed in range(5):
        for one, two in permutations((plain, faced)):
            (source, first), (target, second) = numbered(one, seed), numbered(two, 50 + seed)
            bone_map = map_bones(source, target)
            sure = [((pair.source,), pair.target) for pair in bone_map.pairs if not pair.note]
            sure += [each for chain in bone_map.chains if not chain.note for each in spread(chain)]
            calls = [({first[bone] for bone in sources}, second[name]) for sources, name in sure]
            assert not [each for each in calls if "head" in (*each[0], each[1]) and each[0] != {each[1]}]


def test_numbers_that_are_other_bones_in_a_copy_are_no_names() -> None:
    """Of a snake, whose tree shows no other order: eyes and jaw."""
    body = [("body0", "", (0.0, 0.0, 0.0)), *((f"body{at}", f"body{at - 1}", (0.0, -0.2, 0.0)) for at in range(1, 9))]
    rows: list[Row] = [*body, ("jaw", "body8", (0, -0.04, -0.02)), *sided([("eye*", "body8", (0.02, -0.08, 0.02))])]
    orders: set[tuple[str, ...]] = set()
    for seed in range(8):
        (source, first), (target, second) = numbered(rows, 1), numbered(rows, 50 + seed)
        orders.add(tuple(second.values()))
        assert source.fingerprint == target.fingerprint
        pairs = map_bones(source, target).pairs
        assert len(pairs) == len(rows) and all(first[pair.source] == second[pair.target] for pair in pairs)
    assert len(orders) > 1


def test_the_same_bones_twice_are_not_compared_each_with_each() -> None:
    """Pieces of something broken, or what a cloth was baked to: hundreds that hang on one."""

    def work(count: int) -> int:
        heads = np.concatenate([np.zeros((1, 3)), np.random.default_rng(0).normal(size=(count, 3))])
        one, two = (figure_of([f"bone_{bone}" for bone in range(count + 1)], [-1, *[0] * count], heads, heads + 0.1) for _ in range(2))
        with calls() as counted:
            pairs = map_bones(one, two).pairs
            result = counted()
        assert [pair.source for pair in pairs] == [pair.target for pair in pairs] and len(pairs) == count + 1
        return result

    assert work(240) < 5 * work(60)
