"""Creatures of which but one has end bones, as some programs add one behind the last bone of each limb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures import creatures as laid
from retro_anim.core.retarget.mapping.creatures.body import bodies
from retro_anim.core.retarget.mapping.creatures.ends import Side, may_have_ends, without_ends
from retro_anim.core.retarget.mapping.mapping import map_bones
from retro_anim.core.retarget.mapping.naming.names import read_names

from .beasts import Row, beast, numbered, sided
from .creatures import Creature, creatures, followed
from .given import figure_of


def with_ends(creature: Creature) -> Creature:
    """With a bone at the tip of each of the last ones of the limbs."""
    last = [bone for bone, call in enumerate(creature.calls) if bone not in creature.parents and call[-1] in "LR"]
    return replace(
        creature,
        names=creature.names + [f"{creature.names[bone]}_end" for bone in last],
        calls=creature.calls + [f"end{creature.calls[bone]}" for bone in last],
        parents=creature.parents + last,
        offsets=np.concatenate([creature.offsets, 0.6 * creature.offsets[last]]),
    )


@pytest.mark.parametrize(("kind", "least"), [("canine", 0.97), ("ant", 0.97), ("crab", 0.8), ("dragon", 0.79)])
def test_an_end_bone_is_no_joint(kind: str, least: float) -> None:
    """Numbered, so that only the shape shows it: nothing is wrong without a mark, and most is right without one. The last joints of
    dragons' fingers and hind feet are such that some of them may as well be ends."""
    bones = sure = 0
    wrong: list[str] = []
    for one, two in permutations(creatures()[kind], 2):
        for seed in range(3):
            plain, ended = one.varied(seed, named=False), with_ends(two).varied(seed + 50, named=False)
            for source, target in ((plain, ended), (ended, plain)):
                result = followed(source, target)
                bones += len({*source[1].values()} & {*target[1].values()})
                sure += sum(call in calls and not doubtful for call, (calls, doubtful) in result.items())
                wrong += [call for call, (calls, doubtful) in result.items() if call not in calls and not doubtful]
    assert not wrong
    assert sure >= least * bones


def test_of_copies_no_bone_is_left_out_as_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither has what the other has not, whatever lengths have changed; of two of which one has ends, that one is asked for them, as each
    of its legs has a joint more."""
    asked: list[int] = []
    monkeypatch.setattr(laid, "without_ends", lambda side: asked.append(len(Side.whole(side.bodies, side.names).bones)))
    one = creatures()["canine"][0]
    followed(one.varied(0, named=False), one.varied(50, named=False))
    assert not asked
    followed(one.varied(0, named=False), with_ends(one).varied(50, named=False))
    assert asked == [len(with_ends(one).names)]


@pytest.mark.parametrize(
    ("ones", "twos", "may"),
    [
        ((5, 6), (4, 5), True),
        ((5, 6), (5, 5), False),  # as a bear's paws have a joint more than a horse's hooves have
        ((4, 5), (5, 6), False),
        ((5, 6), (4, 5, 4), True),  # which are the same legs does not show
        ((), (), True),
    ],
)
def test_a_leg_with_mere_ends_has_more_joints(ones: Sequence[int], twos: Sequence[int], may: bool) -> None:
    """Each of them has, as makers add them to all."""
    sides: list[Any] = [SimpleNamespace(bodies=[SimpleNamespace(joints_of_legs=lambda each=each: each)]) for each in (ones, twos)]
    assert may_have_ends(*sides) == may


def test_of_a_figure_without_ends_it_is_known() -> None:
    """Of legs of three bones each the last ones are left out; what is the last one then is no end."""
    heads = np.array([[0, 0, 1], *([side, 0.3 * bone, 1 - 0.4 * bone] for side in (1, -1) for bone in range(3))])
    figure = figure_of(list("abcdefg"), [-1, 0, 1, 2, 0, 4, 5], heads, heads + np.array([0, 0.3, -0.4]))
    names = read_names(figure.names)
    whole = Side.whole(bodies(figure, [name.side for name in names]), names)
    less = without_ends(whole)
    assert less is not None
    assert [(list(each.bones), each.lacks_ends) for each in (whole, less)] == [(list(range(7)), False), ([0, 1, 2, 4, 5], True)]


def test_an_end_bone_against_a_toe_is_doubtful() -> None:
    """The forepaws of one beast have toes, those of the other mere ends far in front of them, as by the proportion of the last step to the
    one before, .39 and .65; the toes of copies are sure. Another bone, on the hips of one of them, changes nothing of that."""
    helper: list[Row] = [("helper", "hips", (0, 0, 0.05))]
    toed = beast(3, 2, 5, 0.6, toes=True, ears=False)
    ended = beast(4, 2, 7, 0.65, toes=False, ears=False) + sided([("foreend*", "forepaw*", (0, -0.01, -0.11))])
    for (one, two), seed in product(
        [(toed, ended), (ended, toed), (toed + helper, ended), (ended, toed + helper), (toed, toed), (toed, toed + helper)], range(6)
    ):
        (source, first), (target, second) = numbered(one, seed), numbered(two, seed + 50)
        paired = [(first[pair.source], second[pair.target], pair.note) for pair in map_bones(source, target).pairs]
        toes = [(called, name, note) for called, name, note in paired if {called[:-1], name[:-1]} & {"foretoe", "foreend"}]
        assert len(toes) == 2
        assert all(bool(note) == (called != name) for called, name, note in toes)


def test_ends_that_ears_show_are_no_toes() -> None:
    """One of two beasts has toes, the other mere ends of the same lengths, there and behind the ears, where alone that shows."""
    toed = beast(3, 2, 5, 0.6, toes=True, ears=True)
    tips: list[Row] = [("foreend*", "forepaw*", (0, -0.06, -0.03)), ("hindend*", "hindpaw*", (0, -0.06, -0.03))]
    ended = beast(4, 2, 7, 0.65, toes=False, ears=True) + sided([*tips, ("earend*", "tip*", (0.01, 0, 0.03))])
    for one, two in permutations((toed, ended)):
        (source, first), (target, second) = numbered(one, 1), numbered(two, 51)
        short = [replace(figure, lengths=np.full(len(figure), 1e-3)) for figure in (source, target)]
        paired = [(first[pair.source], second[pair.target], pair.note) for pair in map_bones(*short).pairs]
        toes = [note for called, name, note in paired if {called[:-1], name[:-1]} & {"foreend", "hindend"}]
        assert len(toes) == 4
        assert all(toes)


def test_targets_on_the_floor_are_no_part_of_the_body() -> None:
    """Of one of two spiders, which as a whole reaches as far as before: all the rest follows as surely."""
    one, two = creatures()["ant"]
    feet = [bone for bone, call in enumerate(two.calls) if call.startswith("leg") and bone not in two.parents]
    heads = np.zeros((len(two.calls), 3))
    for bone, above in enumerate(two.parents):
        heads[bone] = two.offsets[bone] + (heads[above] if above >= 0 else 0.0)
    aimed = replace(
        two,
        names=two.names + [f"ik{two.names[foot]}" for foot in feet],
        calls=two.calls + [f"ik{two.calls[foot]}" for foot in feet],
        parents=two.parents + [0] * len(feet),
        offsets=np.concatenate([two.offsets, heads[feet] - heads[0]]),
    )
    sure = [sum(not note for _, note in followed(one.varied(0, False), each.varied(50, False)).values()) for each in (two, aimed)]
    assert sure[0] == sure[1] > 30
