"""Beasts whose trees begin elsewhere than at the hips: in mid-trunk, at the shoulders, or with all parts on a root on the ground. Built by
hand, so that the truth is what each bone was called when it was built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.creatures.body import Body, bodies
from retro_anim.core.retarget.mapping.creatures.ends import Side
from retro_anim.core.retarget.mapping.creatures.hips import from_hips, has_no_front
from retro_anim.core.retarget.mapping.mapping import map_bones
from retro_anim.core.retarget.mapping.naming.names import read_names

from .beasts import KINDS, Row, numbered, part, rooted
from .creatures import spread
from .given import figure_of

DOG, HOUND, WOLF = KINDS["wolf"][0], KINDS["wolf"][3], KINDS["wolf"][4]


def points(rows: Sequence[Row]) -> dict[str, np.ndarray]:
    result: dict[str, np.ndarray] = {"": np.zeros(3)}
    for name, above, offset in rows:
        result[name] = result[above] + offset
    return result


def begun_at(rows: Sequence[Row], root: str) -> list[Row]:
    """The same joints in a tree that begins at another bone."""
    at = points(rows)
    near: dict[str, list[str]] = {name: [] for name, _, _ in rows}
    for name, above, _ in rows:
        if above:
            near[name].append(above)
            near[above].append(name)
    result: list[Row] = []
    waiting = [(root, "")]
    for name, above in waiting:
        x, y, z = (at[name] - at[above]).tolist()
        result.append((name, above, (x, y, z)))
        waiting += [(other, name) for other in near[name] if other != above]
    return result


def on_the_ground(rows: Sequence[Row], parts: Sequence[str]) -> list[Row]:
    """The same joints with a root on the ground on which parts hang, too."""
    at = points(rows)
    result: list[Row] = [("root", "", (0.0, 0.0, 0.0))]
    for name, above, _ in rows:
        over = "root" if not above or name.rstrip("LR") in parts else above
        x, y, z = (at[name] - (0 if over == "root" else at[over])).tolist()
        result.append((name, over, (x, y, z)))
    return result


OTHERWISE = {
    "mid-trunk": begun_at(DOG, "spine1"),
    "shoulders": begun_at(DOG, "spine2"),
    "ground": on_the_ground(begun_at(DOG, "spine2"), ("neck0", "blade")),
}


def right_and_wrong(source: tuple[Figure, dict[str, str]], target: tuple[Figure, dict[str, str]]) -> tuple[int, int, int, int]:
    """Of bones but for roots: those that the source has, too, those that follow these, others, and of these the ones without a doubt."""
    (one, first), (two, second) = source, target
    bone_map = map_bones(one, two)
    rows = [((pair.source,), pair.target, pair.note) for pair in bone_map.pairs]
    rows += [(sources, name, chain.note) for chain in bone_map.chains for sources, name in spread(chain)]
    good = [any(part(first[bone]) == part(second[name]) for bone in sources) for sources, name, _ in rows]
    parts = {part(name) for name in first.values()} - {"root"}
    unmarked = sum(not right and not note for right, (_, _, note) in zip(good, rows, strict=True))
    return sum(part(name) in parts for name in second.values()), sum(good), len(good) - sum(good), unmarked


@pytest.mark.parametrize("begun", OTHERWISE)
@pytest.mark.parametrize("other", ["hound", "wolf"])
def test_a_beast_follows_one_that_begins_at_the_hips(begun: str, other: str) -> None:
    """And the other way round."""
    total = np.zeros(4, int)
    for seed in range(2):
        figures = numbered(OTHERWISE[begun], seed), numbered(HOUND if other == "hound" else WOLF, 100 + seed)
        total += [*right_and_wrong(*figures)]
        total += [*right_and_wrong(*figures[::-1])]
    bones, right, _, unmarked = total.tolist()
    assert right >= 0.9 * bones
    assert unmarked <= 0.02 * right


@pytest.mark.parametrize("begun", OTHERWISE)
def test_chains_go_outwards_in_both_trees(begun: str) -> None:
    """Whichever way the makers built the trunk."""
    for source, target in ((OTHERWISE[begun], HOUND), (HOUND, OTHERWISE[begun])):
        one, two = numbered(source, 1)[0], numbered(target, 101)[0]
        for chain in map_bones(one, two).chains:
            for figure, names in ((one, chain.source), (two, chain.target)):
                assert all(figure.is_below(below, above) for above, below in pairwise(map(figure.index.__getitem__, names)))


def best_body(figure: Figure) -> Body:
    return max(whole(figure).bodies, key=lambda body: body.ahead)


def whole(figure: Figure) -> Side:
    names = read_names(figure.names)
    return Side.whole(bodies(figure, [name.side for name in names]), names)


@pytest.mark.parametrize("begun", OTHERWISE)
def test_the_front_shows_wherever_a_tree_begins(begun: str) -> None:
    """By its hocks, its ears and its head."""
    figure, _ = numbered(OTHERWISE[begun], 3)
    body = best_body(figure)
    looks = body.position[:, 1] @ (figure.heads[:, 1] - figure.heads[:, 1].mean())
    assert body.ahead > 0.8 and looks < 0, "towards -Y"


@pytest.mark.parametrize("begun", OTHERWISE)
def test_the_trunk_is_read_from_the_hips_on(begun: str) -> None:
    figure, names = numbered(OTHERWISE[begun], 4)
    (side,) = from_hips(whole(figure))
    read = side.bodies[0].figure
    above = {names[name]: names[read.names[parent]] if parent >= 0 else "" for name, parent in zip(read.names, read.parents, strict=True)}
    assert above["spine0"] == "hips" and above["neck0"] == "spine2" and above["bladeL"] == "spine2" and above["thighL"] == "hips"
    assert above["hips"] == ("root" if begun == "ground" else "")


def test_one_that_begins_at_the_hips_stays_as_it_is() -> None:
    side = whole(numbered(DOG, 5)[0])
    assert from_hips(side) == [side] and not has_no_front(side)


@pytest.mark.parametrize(("behind", "aside", "is_root"), [(0.3, 0.03, False), (0.05, 0.02, True)])
def test_hips_bear_the_legs_also_where_the_spine_begins_behind_them(behind: float, aside: float, is_root: bool) -> None:
    """Where the legs do, as of a pelvis whose joint is in front of them: the spine that goes on to the fore legs is no rump, and what is
    near to the root hangs on that."""
    legs: dict[str, tuple[float, float, float]] = {f"thigh{side}": (x, behind, -aside / 2) for side, x in (("L", aside), ("R", -aside))}
    offsets = legs | {"hips": (0.0, 0.35 - behind, 0.6), "spine0": (0.0, behind, 0.0), "spine1": (0.0, -0.2 - behind, 0.0)}
    rows: list[Row] = [(name, above, offsets.get(name, offset)) for name, above, offset in DOG]
    figure, names = numbered(rows if is_root else rooted(rows), 9)
    read = from_hips(whole(figure))[0].bodies[0].figure
    above = {names[name]: names[read.names[parent]] for name, parent in zip(read.names, read.parents, strict=True) if parent >= 0}
    assert above["thighL"] == above["thighR"] == above["spine0"] == "hips"


def stool() -> list[Row]:
    """Four straight legs on a board, which look alike from both ends."""
    rows: list[Row] = [("board", "", (0, 0, 1)), ("rear", "board", (0, 0.5, 0)), ("front", "board", (0, -0.5, 0))]
    for end in ("rear", "front"):
        for side, x in (("L", 0.2), ("R", -0.2)):
            rows += [(f"{end}a{side}", end, (x, 0, -0.05)), (f"{end}b{side}", f"{end}a{side}", (0, 0, -0.45))]
            rows += [(f"{end}c{side}", f"{end}b{side}", (0, 0, -0.5))]
    return rows


def test_nothing_is_sure_of_what_has_no_front() -> None:
    side = whole(numbered(stool(), 6)[0])
    assert has_no_front(side) and len(from_hips(side)) == 2
    bone_map = map_bones(numbered(stool(), 6)[0], numbered(DOG, 106)[0])
    assert all(pair.note for pair in bone_map.pairs) and all(chain.note for chain in bone_map.chains)


@pytest.mark.parametrize(("shows", "fours", "none"), [(False, True, True), (True, True, False), (False, False, False)])
def test_what_has_no_front(shows: bool, fours: bool, none: bool) -> None:
    """What stands on fours alone is asked."""
    each = [SimpleNamespace(ahead=ahead, front_shows=shows, on_fours=fours, rotated=False) for ahead in (-0.5, 0.5)]
    side: Any = SimpleNamespace(bodies=each)
    assert has_no_front(side) == none


@pytest.mark.parametrize("looks", [1.0, -1.0])
def test_a_front_that_is_known_is_asked_of_nothing(looks: float) -> None:
    """Of what has none of its own."""
    figure = replace(numbered(stool(), 6)[0], left=np.array([looks, 0, 0]))
    side = whole(figure)
    (read,) = from_hips(side)
    assert not has_no_front(side) and not has_no_front(read)
    root = int(np.flatnonzero(read.bodies[0].figure.parents < 0)[0])
    assert read.bodies[0].figure.heads[root, 1] * looks > 0, "the hips are behind"


def test_one_from_its_hips_on_looks_where_the_whole_does() -> None:
    """However well trunks say it that begin there."""
    side = whole(numbered(stool(), 6)[0])
    for read in from_hips(side):
        ahead = [[body.ahead for body in each.bodies if not body.rotated] for each in (read, side)]
        assert ahead[0] == ahead[1]


def test_what_has_all_legs_on_one_bone_is_no_rival_of_itself() -> None:
    """Its tree is the same whichever end its hips are at."""
    rows: list[Row] = [("board", "", (0, 0, 1)), ("head", "board", (0, -0.7, 0.1))]
    rows += [("tail0", "board", (0, 0.7, 0)), ("tail1", "tail0", (0, 0.15, -0.05)), ("tail2", "tail1", (0, 0.15, -0.05))]
    for end, y in (("rear", 0.5), ("front", -0.5)):
        for side, x in (("L", 0.2), ("R", -0.2)):
            rows += [(f"{end}a{side}", "board", (x, y, -0.1)), (f"{end}b{side}", f"{end}a{side}", (0, 0, -0.4))]
            rows += [(f"{end}c{side}", f"{end}b{side}", (0, 0, -0.5))]
    figure, names = numbered(rows, 8)
    assert len(from_hips(whole(figure))) == 1
    notes = {names[pair.source]: pair.note for pair in map_bones(figure, numbered(rows, 108)[0]).pairs}
    assert len(notes) == len(rows) and not any(notes.values())


def test_a_leg_hangs_on_the_last_bone_of_the_trunk_behind_it() -> None:
    """Whichever its maker let it hang on."""
    rows = [(name, "hips" if name.startswith("blade") else above, offset) for name, above, offset in DOG]
    at = points(DOG)
    rows = [(name, above, tuple((at[name] - at[above]).tolist())) for name, above, _ in rows]
    figure, names = numbered(rows, 7)
    body = best_body(figure)
    number = {name: figure.index[bone] for bone, name in names.items()}
    assert body.hangs[number["bladeL"]] == number["spine2"] and body.hangs[number["thighL"]] == number["hips"]


def above_each(rows: Sequence[Row]) -> dict[str, str]:
    """What each bone hangs on in the tree from the hips on."""
    at, names = points(rows), [name for name, _, _ in rows]
    parents = [names.index(above) if above else -1 for _, above, _ in rows]
    figure = figure_of([f"bone_{row}" for row in range(len(rows))], parents, np.array([at[name] for name in names]))
    (side,) = from_hips(whole(figure))
    read = side.bodies[0].figure
    called = [names[figure.index[name]] for name in read.names]
    return {name: called[parent] if parent >= 0 else "" for name, parent in zip(called, read.parents, strict=True)}


def hung(rows: Sequence[Row], on: dict[str, str], moved_to: dict[str, np.ndarray] | None = None) -> list[Row]:
    """The same joints, some of which hang on others, or on none, or are elsewhere. on, moved_to: by the name without a side."""
    at = points(rows) | (moved_to or {})
    over = {name: on.get(name.rstrip("LR"), above) for name, above, _ in rows}
    moved = [(name, above, (at[name] - at[above]).tolist()) for name, above in over.items()]
    result: list[Row] = []
    while moved:  # each after what it hangs on
        known = {"", *(name for name, _, _ in result)}
        result += [(name, above, (step[0], step[1], step[2])) for name, above, step in moved if above in known]
        moved = [each for each in moved if each[1] not in known]
    return result


def test_parts_with_roots_of_their_own_hang_on_what_they_are_nearest_to() -> None:
    """Pelvis and tail, trunk, and each leg; a shoulder that begins where the neck does, on the bone before that."""
    at = points(DOG)
    for moved_to in ({}, {f"blade{side}": at["neck0"] + [x, 0.01, 0] for side, x in (("L", 0.03), ("R", -0.03))}):
        above = above_each(hung(DOG, {"spine0": "", "blade": "", "thigh": ""}, moved_to))
        assert (above["spine0"], above["hips"], above["tail0"]) == ("", "spine0", "hips")
        assert (above["bladeL"], above["thighR"]) == ("spine2", "hips")


def test_legs_hang_on_a_rump_that_goes_back_from_the_trunk() -> None:
    """Where they begin, though their maker let all hang on one bone."""
    short = [row for row in DOG if row[0] not in ("spine0", "spine1")]
    at = points(DOG)
    on = {name: "hips" if name == "spine2" else above for name, above, _ in short}
    rows: list[Row] = [(name, above, (x, y, z)) for name, above in on.items() for x, y, z in [(at[name] - at[above]).tolist()]]
    above = above_each(hung(rows, {"hips": "spine2", "spine2": "", "thigh": "spine2"}))
    assert (above["thighL"], above["spine2"], above["tail0"], above["bladeL"]) == ("hips", "hips", "hips", "spine2")


@pytest.mark.parametrize("ears", [True, False])
def test_a_jaw_beside_the_head_hangs_on_it(ears: bool) -> None:
    """Where both begin at one place, to which the neck goes straight on: of both the head is what bears ears, or is higher."""
    rows = [row for row in DOG if ears or not row[0].startswith(("ear", "tip"))] + [("chin", "jaw", (0.0, -0.05, -0.1))]
    at = points(rows)
    above = above_each(hung(rows, {"jaw": "neck1"}, {"jaw": at["head"]}))
    assert (above["jaw"], above["head"], above["nose"], above["chin"]) == ("head", "neck1", "head", "jaw")
    apart = above_each(hung(rows, {"jaw": "neck1"}, {"jaw": at["head"] + [0, 0.02, -0.1]}))
    assert apart["jaw"] == "neck1"
    bent = above_each(hung(rows, {}, {"jaw": at["head"] + [0, -0.1, -0.1], "nose": at["head"] + [0, -0.1, -0.1]}))
    assert bent["jaw"] == bent["nose"] == "head", "the jaws of a head that is bent down"


def test_ears_on_the_neck_s_last_bone_hang_on_the_head() -> None:
    rows = hung([*DOG, ("chin", "jaw", (0.0, -0.05, -0.1))], {"jaw": "neck1", "ear": "neck1"}, {"jaw": points(DOG)["head"]})
    above = above_each(rows)
    assert above["earL"] == above["earR"] == above["jaw"] == "head"


@pytest.mark.parametrize("seed", range(3))
def test_a_neck_on_which_shoulders_hang_is_no_head(seed: int) -> None:
    """Whichever bone their maker let them hang on."""
    rows = hung(KINDS["wolf"][1], {"blade": "neck0"})
    figure, names = numbered(rows, seed)
    assert names[figure.names[best_body(figure).stations.head]] == "head"


@pytest.mark.parametrize("seed", range(3))
def test_large_ears_and_a_trunk_hang_on_a_head(seed: int) -> None:
    """As an elephant's: ears of three joints are no wings, and what goes on from the head for eight bones is no neck."""
    rows = [row for row in DOG if not row[0].startswith(("ear", "tip", "nose"))]
    rows += [("trunk0", "head", (0.0, -0.1, -0.05)), *((f"trunk{n}", f"trunk{n - 1}", (0.0, 0.0, -0.04)) for n in range(1, 8))]
    for side, sign in (("L", 1), ("R", -1)):
        rows += [(f"ear{n}{side}", f"ear{n - 1}{side}" if n else "head", (0.08 * sign, 0.03, 0.0)) for n in range(3)]
    figure, names = numbered(rows, seed)
    stations = best_body(figure).stations
    along = {names[name]: float(stations.along[bone]) for bone, name in enumerate(figure.names)}
    assert names[figure.names[stations.head]] == "head"
    assert [along[name] for name in ("hips", "spine2", "head", "trunk7")] == pytest.approx([0, 1, 2, 2])
