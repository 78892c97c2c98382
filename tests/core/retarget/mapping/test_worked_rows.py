"""Limbs in rows of which one figure has more than the other, on figures laid by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, RIGHT
from retro_anim.core.retarget.mapping.creatures.rows import of_uneven_rows

from .laid import Bone, body_of, laid


@dataclass(frozen=True)
class Leg:
    """mass: as of `Body`. down: how far down it reaches, of 1. joints: besides its first one."""

    mass: float = 1.0
    down: float = 1.0
    joints: int = 1
    kind: int = LEFT


def insect(*legs: Leg) -> Any:
    """A trunk of a bone for each leg, and one before them."""
    bones = [Bone("head", "", (0, -1, 0))]
    for number, leg in enumerate(legs):
        bones.append(Bone(f"hub{number}", bones[-1].name if not number else f"hub{number - 1}", (0, number, 0)))
        for joint in range(leg.joints + 1):
            above = f"leg{number}.{joint - 1}" if joint else f"hub{number}"
            bones.append(Bone(f"leg{number}.{joint}", above, (joint + 1, number, 0), leg.kind, leg.mass))
    body = body_of(bones)
    for bone in bones:
        if bone.kind != MIDDLE:
            body.reach[body.figure.names.index(bone.name), 2] = -legs[int(bone.name[3])].down
    return body


def uneven(one: Any, two: Any, legs: str) -> tuple[set[str], set[str]]:
    """legs: the numbers of those that belong together."""
    match = laid(one, two, {f"leg{number}.0": f"leg{number}.0" for number in legs})
    bones = of_uneven_rows(match)
    first, second = ({body.figure.names[bone] for bone in each} for body, each in zip((one, two), bones, strict=True))
    return first, second


def row(numbers: str, joints: int = 1) -> set[str]:
    return {f"hub{number}" for number in numbers} | {f"leg{number}.{joint}" for number in numbers for joint in range(joints + 1)}


def test_a_row_of_which_some_belong_to_none_is_uneven() -> None:
    """All of its bones, and those on which it hangs, in both; what has three legs at least is a row."""
    two, three = insect(Leg(), Leg()), insect(Leg(), Leg(), Leg())
    assert uneven(three, two, "01") == (row("012"), row("01"))
    assert uneven(two, three, "01") == (row("01"), row("012"))
    assert uneven(three, three, "012") == uneven(two, two, "0") == (set(), set())
    assert uneven(three, three, "01") == (row("012"), row("012"))
    assert uneven(three, three, "") == (set(), set()), "nothing belongs together"


@pytest.mark.parametrize(
    ("last", "alike"),
    [
        (Leg(mass=0.61), True),
        (Leg(mass=0.6), False),
        (Leg(mass=1.66), True),
        (Leg(mass=1.67), False),
        (Leg(down=0.71), True),
        (Leg(down=0.69), False),
        (Leg(down=1.29), True),
        (Leg(down=1.31), False),
        (Leg(joints=2), False),
        (Leg(kind=RIGHT), False),
    ],
)
def test_limbs_of_a_row_are_much_alike(last: Leg, alike: bool) -> None:
    """As long by 0.6, reaching as far down by 0.3, of as many joints, of one side."""
    assert uneven(insect(Leg(), Leg(), last), insect(Leg(), Leg()), "01") == ((row("012"), row("01")) if alike else (set(), set()))


@pytest.mark.parametrize(("mass", "large"), [(0.24, False), (0.25, True)])
def test_small_limbs_are_no_row(mass: float, large: bool) -> None:
    feelers = [Leg(mass=mass)] * 3
    assert uneven(insect(*feelers), insect(*feelers), "01") == ((row("012"), row("012")) if large else (set(), set()))
    assert uneven(insect(*feelers[:2], Leg(mass=mass, kind=RIGHT)), insect(*feelers), "01")[0] == (row("01") if large else set())


def test_what_is_no_row_in_the_other_is_none() -> None:
    """Where only its own is large."""
    assert uneven(insect(Leg(), Leg(), Leg()), insect(*[Leg(mass=0.1)] * 2), "01") == (set(), set())
    assert np.all(insect(Leg()).mass == 1.0)
