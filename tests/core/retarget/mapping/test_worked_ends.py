"""Which bones may be mere ends, and which are targets on the floor, on figures that are built by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures.body import bodies
from retro_anim.core.retarget.mapping.creatures.ends import Side, ends_that_show, may_be_ends, without_ends, without_targets
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, RIGHT
from retro_anim.core.retarget.mapping.naming.names import read_names

from .given import figure_of
from .laid import Bone, laid

Row = tuple[str, str, tuple[float, float, float]]


def limb(angle: float | None = 0.0, kind: int = LEFT, above: int = LEFT, more: int = 0) -> set[int]:
    """What may be ends of a trunk's bone 1 with the limb of bones 2, 3 and 4. angle: degrees by which the last bone points elsewhere than
    the one before; None where tails show nothing. more: bones besides, on the third."""
    heads = np.array([(0, 0, 0), (0, 0, 1), (1, 0, 1), (2, 0, 1), (3, 0, 1), *((2, 1, at) for at in range(more))], float)
    tails = np.array([*heads[1:5], (4, 0, 1), *heads[5:]])
    if angle is None:
        tails = heads + np.array([0, 5.0, 0])
    else:
        tails[4] = heads[4] + [np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0]
    figure = figure_of([f"bone{bone}" for bone in range(len(heads))], [-1, 0, 1, 2, 3, *[3] * more], heads, tails)
    body: Any = SimpleNamespace(figure=figure, kinds=[MIDDLE, MIDDLE, kind, above, kind, *[kind] * more])
    return may_be_ends(body)


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        ({}, {4}),
        ({"kind": RIGHT, "above": RIGHT}, {4}),
        ({"angle": 0.8}, {4}),  # the cosine of 0.81 degrees is 1 - 1e-4
        ({"angle": 0.82}, set()),
        ({"angle": None}, {4}),  # where nothing shows where bones end
        ({"kind": MIDDLE, "above": MIDDLE}, set()),
        ({"above": MIDDLE}, set()),  # the only one of a limb
        ({"more": 1}, set()),  # not alone
    ],
)
def test_an_end_goes_on_straight_from_a_limb(options: dict[str, Any], ends: set[int]) -> None:
    assert limb(**options) == ends


def test_a_limb_may_hang_on_nothing() -> None:
    heads = np.arange(3.0)[:, None] * [0, 1, 0]
    body: Any = SimpleNamespace(figure=figure_of(list("abc"), [-1, 0, 1], heads, heads + heads[1]), kinds=[LEFT] * 3)
    assert may_be_ends(body) == {2}
    body.figure = figure_of(list("ab"), [-1, 0], heads[:2], heads[:2] + heads[1])
    assert may_be_ends(body) == {1}


def ear(count: int, mass: float, name: str = "e") -> list[Bone]:
    return [Bone(f"{name}{at}", f"{name}{at - 1}" if at else "r", (1, at, 0), LEFT, mass) for at in range(count)]


@pytest.mark.parametrize(
    ("counts", "masses", "ends"),
    [
        ((3, 2), (0.39, 0.39), ({3}, set())),
        ((2, 3), (0.39, 0.39), (set(), {3})),
        ((2, 2), (0.39, 0.39), (set(), set())),
        ((3, 2), (0.4, 0.39), (set(), set())),  # of what is long in either it shows nothing
        ((3, 2), (0.39, 0.4), (set(), set())),
    ],
)
def test_small_limbs_show_that_a_figure_has_ends(
    counts: tuple[int, int], masses: tuple[float, float], ends: tuple[set[int], set[int]]
) -> None:
    one, two = ([Bone("r", "", (0, 0, 0)), *ear(count, mass)] for count, mass in zip(counts, masses, strict=True))
    assert ends_that_show(laid(one, two, {"r": "r", "e0": "e0"})) == ends
    assert ends_that_show(laid(one, two, {"r": "r"})) == (set(), set()), "what belongs to nothing shows nothing"


@pytest.mark.parametrize(("other", "shows"), [(3, True), (2, False), (1, False)])
def test_all_small_limbs_must_show_it(other: int, shows: bool) -> None:
    """Here one is longer by a bone in the first figure, and another one of two bones there."""
    one, two = ([Bone("r", "", (0, 0, 0)), *ear(a, 0.1), *ear(b, 0.1, "f")] for a, b in ((3, other), (2, 2)))
    assert ends_that_show(laid(one, two, {"e0": "e0", "f0": "f0"}))[0] == ({3, 3 + other} if shows else set())
    assert bool(ends_that_show(laid(two, one, {"e0": "e0", "f0": "f0"}))[1]) == shows


def side(rows: list[Row]) -> Side:
    """What hangs on nothing goes on straight."""
    names, heads = [name for name, _, _ in rows], np.array([head for _, _, head in rows], float)
    parents = [names.index(above) if above else -1 for _, above, _ in rows]
    plain = figure_of(names, parents, heads)
    tails = np.array([plain.tails[bone] if plain.children[bone] else 2 * heads[bone] - heads[parents[bone]] for bone in range(len(names))])
    figure = figure_of(names, parents, heads, tails)
    read = read_names(names)
    return Side.whole(bodies(figure, [name.side for name in read]), read)


BODY: list[Row] = [
    ("root", "", (0, 0, 0)),
    ("aim", "root", (1, 0, 0)),
    ("hips", "root", (0, 0, 2)),
    *(
        (f"{part}{sign}", "hips" if part == "leg" else f"leg{sign}", (sign, 0, z))
        for sign in (1, -1)
        for part, z in (("leg", 2), ("foot", 0))
    ),
    ("chest", "hips", (0, 1, 3)),
]


def kept(rows: list[Row]) -> list[str]:
    whole = side(rows)
    less = without_targets(whole)
    names = [rows[bone][0] for bone in less.bones]
    assert list(less.bodies[0].figure.names) == names and len(less.names) == len(names) and not less.lacks_ends
    assert less is whole or len(names) < len(rows)
    for bone, name in enumerate(names):
        above = next((over for called, over, _ in rows if called == name), "")
        parent = int(less.bodies[0].figure.parents[bone])
        assert (names[parent] if parent >= 0 else "") == above
        np.testing.assert_array_equal(less.bodies[0].figure.heads[bone], whole.bodies[0].figure.heads[less.bones[bone]])
    return names


def test_what_hangs_on_the_floor_beside_a_body_is_no_part_of_it() -> None:
    """A bone, with bones on it, but not two rows one on the other; of a root on the ground, on which most hangs by one bone."""
    body = [name for name, _, _ in BODY if name != "aim"]
    everything = [name for name, _, _ in BODY]
    assert kept(BODY) == body
    assert kept([*BODY, ("pole", "aim", (1, 1, 0))]) == body
    long: list[Row] = [*BODY, ("pole", "aim", (1, 1, 0)), ("more", "pole", (1, 2, 0))]
    assert kept(long) == [name for name, _, _ in long], "a limb"
    lifted: list[Row] = [(name, above, (x, y, z + 1 if name == "root" else z)) for name, above, (x, y, z) in BODY]
    assert kept(lifted) == everything, "no root on the ground"
    many: list[Row] = [*BODY, *((f"aim{at}", "root", (at + 2.0, 0.0, 0.0)) for at in range(3))]
    assert kept(many) == [name for name, _, _ in many], "6 of 11 bones are not most"
    assert kept([*BODY, ("aim0", "root", (3, 0, 0))]) == body
    assert kept([row for row in BODY if row[0] != "aim"]) == body


def test_a_figure_without_ends_has_the_same_names() -> None:
    """Feet that go on straight from the legs are left out; of a figure without any there is no other."""
    whole = side(BODY)
    figure = whole.bodies[0].figure
    less = without_ends(whole)
    assert less is not None and less.lacks_ends and not any(body.rotated for body in less.bodies)
    assert [figure.names[bone] for bone in less.bones] == list(less.bodies[0].figure.names)
    assert "foot1" not in less.bodies[0].figure.names and len(less.bones) == len(BODY) - 2
    assert without_ends(less) is None
