"""Small bones on two heads, by where they lie in the skull; likeness calculated by hand: e ** -(d / 0.35) ** 2 / 2 of what is apart by d of
its mean distance from the head's joint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures.faces import faces, laid
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, RIGHT

from .laid import Bone, body_of
from .laid import laid as laid_by_hand

Point = tuple[float, float, float]
JAW, EYE = Bone("jaw", "head", (0, 0.6, -0.8), MIDDLE, 0.1), Bone("eye", "head", (0.6, 0, 0.8), LEFT, 0.1)


def skull(*bones: Bone, size: float = 1.0, known: bool = True) -> Any:
    """On a head a metre before the root: where the bones are seen from there. known: whether that is sure to be the head."""
    moved = [bone._replace(head=tuple((np.array(bone.head) * size + [0, 1, 0]).tolist())) for bone in bones]
    return body_of([Bone("root", "", (0, 0, 0)), Bone("head", "root", (0, 1, 0)), *moved], "head" if known else "")


def fitted(one: Any, two: Any) -> dict[str, tuple[str, bool]]:
    match = laid_by_hand(one, two, {"root": "root", "head": "head"})
    first, second = one.figure.names, two.figure.names
    return {first[bone]: (second[other], sure) for bone, (other, sure) in faces(match).items()}


def at(angle: float, name: str = "jaw", kind: int = MIDDLE, mass: float = 0.1) -> Bone:
    """A metre from the head's joint, so far from straight before it that it is apart by that, by the chord."""
    bend = 2 * np.arcsin(angle / 2)
    return Bone(name, "head", (0, float(np.cos(bend)), float(np.sin(bend))), kind, mass)


def test_what_lies_alike_belongs_together() -> None:
    """Several show that the heads do, too, one alone does not."""
    both = {"head": ("head", True), "jaw": ("jaw", True), "eye": ("eye", True)}
    right = EYE._replace(name="right", kind=RIGHT, head=(-0.6, 0, 0.8))
    large, beyond = Bone("neck", "head", (0, 0, 1), MIDDLE, 0.25), Bone("tongue", "jaw", (0, 1, -1), MIDDLE, 0.1)
    for more in ((), (right,), (large,), (beyond,)):
        assert fitted(skull(JAW, EYE, *more), skull(EYE, JAW, *more)) == both
    assert fitted(skull(JAW), skull(JAW)) == {"jaw": ("jaw", True)}
    assert fitted(skull(JAW), skull(EYE)) == {}, "one is in the middle, one on the left"
    assert fitted(skull(JAW, EYE), skull(EYE)) == {"eye": ("eye", True)}
    assert fitted(skull(JAW), skull()) == fitted(skull(), skull(JAW)) == {}


def test_which_bone_the_head_is_must_show() -> None:
    """In the first figure; the second one's may be any, but no other one."""
    assert fitted(skull(JAW, known=False), skull(JAW)) == {}
    assert fitted(skull(JAW), skull(JAW, known=False)) == {"jaw": ("jaw", True)}
    match = laid_by_hand(skull(JAW), skull(JAW), {"root": "root"})
    assert faces(match) == {}
    other = laid_by_hand(skull(JAW), skull(JAW), {"head": "root"})
    assert faces(other) == {}
    first = [Bone("head", "", (0, 0, 0)), JAW]
    assert faces(laid_by_hand(body_of(first, "head"), body_of(first, "head"), {"head": "head"})) == {1: (1, True)}, "also the first bone"


@pytest.mark.parametrize(
    ("apart", "expected"),
    [(0.23, {"jaw": ("jaw", True)}), (0.24, {"jaw": ("jaw", False)}), (0.54, {"jaw": ("jaw", False)}), (0.55, {})],
)
@pytest.mark.parametrize("size", [0.01, 1.0])
def test_how_far_apart_bones_may_be(apart: float, expected: dict[str, tuple[str, bool]], size: float) -> None:
    """Likeness of 0.8, at 0.234, is sure, and of 0.3, at 0.543, the least."""
    assert fitted(skull(at(0), size=size), skull(at(apart), size=size)) == expected
    assert fitted(skull(at(apart), size=size), skull(at(0), size=size)) == expected


@pytest.mark.parametrize(("ratio", "sure"), [(1.0, True), (1.39, True), (1.41, False)])
def test_skulls_may_be_of_another_size(ratio: float, sure: bool) -> None:
    """By a logarithm of 0.334, where they are 0.8 alike, e ** -(0.334 / 0.5) ** 2 / 2, if several bones show it."""
    expected = {"jaw": ("jaw", sure), "eye": ("eye", sure)} | ({"head": ("head", True)} if sure else {})
    for first, second in ((ratio, 1.0), (1.0, ratio)):
        assert fitted(skull(JAW, EYE, size=first), skull(JAW, EYE, size=second)) == expected
        lone = fitted(skull(JAW, size=first), skull(JAW, size=second))
        assert lone == {"jaw": ("jaw", ratio == 1.0)}, "0.65 as they are"


@pytest.mark.parametrize(("ratio", "listed"), [(2.16, True), (2.19, False)])
def test_skulls_of_far_other_sizes_have_nothing_in_common(ratio: float, listed: bool) -> None:
    """A logarithm of 0.776 leaves 0.3."""
    result = fitted(skull(JAW, EYE, size=ratio), skull(JAW, EYE))
    assert result == ({"jaw": ("jaw", False), "eye": ("eye", False)} if listed else {})
    assert fitted(skull(JAW, EYE, size=9.0), skull(JAW, EYE)) == {}


def test_a_bone_at_the_joint_itself_is_as_any_other() -> None:
    there = JAW._replace(name="there", head=(0, 0, 0))
    assert fitted(skull(there), skull(there)) == {"there": ("there", True)}
    assert fitted(skull(there, EYE), skull(JAW, EYE)) == {"eye": ("eye", True)}


@pytest.mark.parametrize(("ratio", "sure"), [(2.22, True), (2.24, False)])
def test_an_ear_is_about_as_long_as_an_ear(ratio: float, sure: bool) -> None:
    """A logarithm of 0.802 leaves 0.8, e ** -(0.802 / 1.2) ** 2 / 2; of what is in the middle the length is no matter."""
    short, long = EYE._replace(mass=0.1), EYE._replace(mass=0.1 * ratio)
    assert fitted(skull(short), skull(long)) == fitted(skull(long), skull(short)) == {"eye": ("eye", sure)}
    assert fitted(skull(JAW), skull(JAW._replace(mass=0.1 * ratio))) == {"jaw": ("jaw", True)}
    assert fitted(skull(EYE._replace(mass=0.0)), skull(EYE._replace(mass=1e-4))) == {"eye": ("eye", True)}
    assert fitted(skull(EYE._replace(mass=0.0)), skull(EYE)) == {}


@pytest.mark.parametrize(("apart", "sure"), [(0.35, False), (0.36, True)])
def test_another_bone_nearby_makes_it_doubtful(apart: float, sure: bool) -> None:
    """More than 0.6 alike, at 0.354; in either figure."""
    one, two = skull(at(0)), skull(at(apart, "other"), at(0))
    assert fitted(one, two) == {"jaw": ("jaw", sure)} and fitted(two, one) == {"jaw": ("jaw", sure)}


def test_the_most_alike_come_first() -> None:
    """Of three in a row, each once: what is left over may be far from what is left."""
    one, two = skull(at(0.0, "a"), at(0.3, "b")), skull(at(0.2, "c"), at(0.32, "d"))
    assert {name: other for name, (other, _) in fitted(one, two).items() if name != "head"} == {"a": "c", "b": "d"}
    lone = skull(at(0.3, "b"), at(0.2, "a"))
    assert {name: other for name, (other, _) in fitted(lone, skull(at(0.2, "c"))).items()} == {"a": "c"}


def matched(pairs: dict[str, str], known: dict[str, tuple[str, bool]]) -> tuple[dict[str, str], dict[str, bool]]:
    """What belongs together after that, and what is sure; of ears of both sides, each with a tip."""
    names = ["head", "jaw", "ear", "tip", "earR", "tipR"]
    kinds = [MIDDLE, MIDDLE, LEFT, LEFT, RIGHT, RIGHT]
    above = ["", "head", "head", "ear", "head", "earR"]
    bones = [Bone(name, over, (at, at, 0), kind) for at, (name, over, kind) in enumerate(zip(names, above, kinds, strict=True))]
    bodies = [body_of(bones) for _ in range(2)]
    for body in bodies:
        body.twins = [-1, -1, 4, 5, 2, 3]
    match = laid_by_hand(bodies[0], bodies[1], pairs)
    sure = laid(match, {names.index(one): (names.index(two), is_sure) for one, (two, is_sure) in known.items()})
    assert match.backward == {two: one for one, two in match.matched.items()}
    assert list(match.matched) == sorted(match.matched)
    return {names[one]: names[two] for one, two in match.matched.items()}, {names[one]: is_sure for one, is_sure in sure.items()}


EARS = {"head": "head", "ear": "ear", "tip": "tip", "earR": "earR", "tipR": "tipR"}


@pytest.mark.parametrize("sure", [True, False])
def test_what_belonged_together_before_stays_so(sure: bool) -> None:
    """With what hangs on it."""
    assert matched(EARS, {"ear": ("ear", sure)}) == (EARS, {"ear": sure, "earR": sure})
    assert matched({"head": "head"}, {"jaw": ("jaw", sure)}) == ({"head": "head", "jaw": "jaw"}, {"jaw": sure})


def test_what_is_sure_to_belong_together_takes_what_it_hung_on() -> None:
    """And what hangs on either belongs to nothing then."""
    assert matched(EARS, {"jaw": ("ear", True)})[0] == {"head": "head", "jaw": "ear", "earR": "earR", "tipR": "tipR"}
    assert matched({"jaw": "ear", "tip": "tip"}, {"ear": ("ear", True)})[0] == {"ear": "ear", "earR": "earR"}
    crossed = {"ear": "tip", "tip": "ear", "earR": "tipR", "tipR": "earR"}
    assert matched(crossed, {"ear": ("ear", True)})[0] == {"ear": "ear", "earR": "earR"}


def test_what_is_doubtful_takes_nothing() -> None:
    """Neither from the first nor from the second."""
    for pairs in ({"jaw": "ear"}, {"ear": "jaw"}):
        assert matched(pairs, {"jaw": ("jaw", False)}) == (pairs, {"jaw": False})
    assert matched({"tip": "tip"}, {"ear": ("ear", False)})[0] == {"ear": "ear", "earR": "earR"}
