"""Where along the body the bones of the middle are, on bones laid by hand, a metre apart if nothing else is said: from -1 at the end of the
tail over 0 and 1, where the hind and fore limbs hang, to 2 at the head."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE, RIGHT
from retro_anim.core.retarget.mapping.creatures.stations import StationFinder

from .given import figure_of
from .laid import Bone


class Beast:
    """Of bones by name where they are, wherever the figure is. Limbs of a mass of 1 are large; of each pair only the left one is there."""

    def __init__(self, bones: Sequence[Bone], size: float = 1.0, legs: Sequence[str] = ()) -> None:
        names = [bone.name for bone in bones]
        parents = [names.index(bone.above) if bone.above else -1 for bone in bones]
        heads = size * (np.array([bone.head for bone in bones], float) + np.array([2, 50, -30]))
        figure = figure_of(names, parents, heads)
        above = np.array(parents)
        steps = np.where(above >= 0, np.linalg.norm(heads - heads[above], axis=1), 0.0)
        mass = np.array([bone.mass for bone in bones])
        kinds = [bone.kind for bone in bones]
        main, standing = (mass == 1.0) & (above >= 0) & (np.array(kinds) != MIDDLE), [names.index(leg) for leg in legs]
        result = StationFinder(figure, heads, kinds, main, steps, mass, parents, standing).run()
        self.along = dict(zip(names, result.along.tolist(), strict=True))
        self.off = dict(zip(names, result.off.tolist(), strict=True))
        self.blurred = {name for name, is_blurred in zip(names, result.blurred, strict=True) if is_blurred}
        self.head = names[result.head] if result.head != -1 else ""


def row(names: Sequence[str], above: str, *points: Sequence[float]) -> list[Bone]:
    """Forward and up."""
    return [Bone(name, over, (0, y, z)) for name, over, (y, z) in zip(names, [above, *names], points, strict=False)]


def limb(name: str, above: str, at: Sequence[float], mass: float = 1.0, kind: int = LEFT) -> list[Bone]:
    return [Bone(name, above, (1, *at), kind, mass), Bone(f"{name} end", name, (1, at[0], at[1] - 1), kind, mass)]


TRUNK = row(["hips", "spine", "chest"], "", (0, 3), (1, 3), (4, 3))
LEGS = [*limb("leg", "hips", (0, 3)), *limb("arm", "chest", (4, 3))]
NECK = row(["neck", "head", "jaw"], "chest", (5, 3), (7, 3), (8, 3))
EAR = limb("ear", "head", (7, 4), 0.1)
TAIL = row(["tail", "tip"], "hips", (-1, 3), (-4, 3))


@pytest.mark.parametrize("size", [0.01, 1.0])
def test_a_beast_from_tail_to_head(size: float) -> None:
    """What hangs on the way is where that hangs; on the head hangs most."""
    beast = Beast([*TRUNK, *LEGS, *NECK, *EAR, *TAIL], size)
    middle = {"hips": 0, "spine": 0.25, "chest": 1, "neck": 1 + 1 / 3, "head": 2, "tail": -0.25, "tip": -1}
    hung = {"jaw": 2.0, "ear": 2, "ear end": 2, "leg": 0, "leg end": 0, "arm": 1, "arm end": 1}
    assert beast.along == pytest.approx(middle | hung)
    assert beast.off == dict.fromkeys(middle, 0.0) | dict.fromkeys(hung, 1.0)
    assert beast.head == "head" and not beast.blurred


@pytest.mark.parametrize("kind", [RIGHT, LEFT])
@pytest.mark.parametrize("mass", [0.9, 1.0])
def test_which_limbs_show_where_trunks_begin_and_end(kind: int, mass: float) -> None:
    """Large ones of the left side that hang on the middle."""
    more = limb("fin", "tip", (-4, 3), mass, kind)
    beast = Beast([*TRUNK, *LEGS, *NECK, *EAR, *TAIL, *more, *limb("toe", "leg end", (-9, 2))])
    shows = kind == LEFT and mass == 1.0
    assert beast.along["spine"] == pytest.approx(5 / 8 if shows else 1 / 4) and beast.along["tip"] == pytest.approx(0 if shows else -1)


def test_a_figure_without_large_limbs_has_no_stations() -> None:
    beast = Beast([*TRUNK, *NECK, *EAR])
    assert set(beast.along.values()) == set(beast.off.values()) == {0.0} and not beast.head and not beast.blurred


def test_a_trunk_may_begin_between_its_ends() -> None:
    """On what hips and spine hang on is where the hips are; it counts up as well as forward which limbs are the foremost ones."""
    bones = [
        Bone("root", "", (0, 2, 3)),
        Bone("hips", "root", (0, 0, 3)),
        Bone("chest", "root", (0, 0, 7)),
        *limb("leg", "hips", (0, 3)),
        *limb("arm", "chest", (0, 7)),
    ]
    for order in (bones, [bones[0], bones[2], bones[1], *bones[3:]]):
        beast = Beast(order)
        assert beast.along == pytest.approx({"root": 0, "hips": 0, "chest": 1, "leg": 0, "leg end": 0, "arm": 1, "arm end": 1})
        assert [beast.off[name] for name in ("root", "hips", "chest")] == [0, 0, 0]
    between = Beast([bones[1]._replace(above=""), bones[0]._replace(above="hips"), *bones[2:]])
    assert between.along["root"] == pytest.approx(2 / (2 + 20**0.5)), "in its order it is a part of the spine"


def test_a_trunk_may_hang_on_its_front() -> None:
    trunk = [Bone("chest", "", (0, 4, 3)), Bone("spine", "chest", (0, 1, 3)), Bone("hips", "spine", (0, 0, 3))]
    beast = Beast([*trunk, *LEGS, *NECK, *EAR, *TAIL])
    assert [beast.along[name] for name in ("chest", "spine", "hips", "head", "tip")] == pytest.approx([1, 0.25, 0, 2, -1])


def test_bodies_without_a_common_root_are_apart() -> None:
    """No bones lead from the hind limbs to the fore ones: these are at 1, where the neck begins; what goes forward is no tail."""
    beast = Beast([*TRUNK[:2], TRUNK[2]._replace(above=""), *LEGS, *NECK, *EAR])
    assert [beast.along[name] for name in ("hips", "spine", "chest", "head")] == pytest.approx([0, 0, 1, 2])


def test_of_several_tails_and_necks_the_longest_is_the_one() -> None:
    stub, hump = row(["stub"], "hips", (-2, 3)), row(["hump"], "chest", (4, 5))
    for more in ([*TAIL, *stub, *NECK, *EAR, *hump], [*hump, *NECK, *EAR, *stub, *TAIL]):
        beast = Beast([*TRUNK, *LEGS, *more])
        assert [beast.along[name] for name in ("tip", "stub", "head", "hump")] == pytest.approx([-1, 0, 2, 1])
        assert [beast.off[name] for name in ("tip", "stub", "head", "hump")] == [0, 1, 0, 1]


FISH = [Bone("body", "", (0, 0, 0)), *limb("fin", "body", (0, 0))]


def test_what_has_its_limbs_at_one_bone_is_in_the_middle_there() -> None:
    """What goes forward and up is the front, the most of all, and what goes back and down the tail."""
    front, beside = row(["neck", "head", "snout"], "body", (1, 0), (2, 0), (3, 0)), row(["back"], "body", (0, 0.5))
    tail, belly = row(["tail", "tip"], "body", (-2, 0), (-3, 0)), row(["belly"], "body", (0, -0.5))
    for bones in ([*front, *beside, *tail, *belly], [*belly, *tail, *beside, *front]):
        beast = Beast([*FISH, *bones])
        assert beast.along == pytest.approx(
            {"body": 0.5, "fin": 0.5, "fin end": 0.5, "neck": 4 / 3, "head": 5 / 3, "snout": 2, "back": 0.5}
            | {"tail": -2 / 3, "tip": -1, "belly": 0.5}
        )
        assert [beast.off[name] for name in ("body", "back", "belly", "tip", "snout")] == [0, 1, 1, 0, 0]
    assert Beast([*FISH, *front]).along["neck"] == pytest.approx(4 / 3) and Beast([*FISH, *tail]).along["tip"] == -1
    assert Beast([*FISH, Bone("level", "body", (0.5, 1, -1))]).off["level"] == 1, "neither forward nor back"
    over = Beast([*FISH, *row(["tail", "sting"], "body", (-1, 0), (1, 4))])
    assert over.along["sting"] == 2, "as a whole it is above the body"


@pytest.mark.parametrize(("roots", "bare"), [(1, {"root0"}), (2, {"root0", "root1"}), (3, {"root0", "root1"})])
def test_roots_on_which_but_one_bone_hangs_are_no_tail(roots: int, bare: set[str]) -> None:
    """Two at most; nothing is where they are."""
    names = [f"root{number}" for number in range(roots)]
    bones = row(names, "", *((-9.0 + number, 0) for number in range(roots)))
    beast = Beast([*bones, FISH[0]._replace(above=names[-1]), *FISH[1:], *row(["neck", "head", "snout"], "body", (1, 0), (2, 0), (3, 0))])
    assert {name for name in names if beast.off[name] == 1} == bare
    assert {beast.along[name] for name in bare} == {0.0}
    chain = Beast([Bone("a", "", (0, 0, 0)), Bone("b", "a", (0, 1, 0)), *limb("fin", "b", (1, 0))])
    assert chain.along["b"] == 0.5


@pytest.mark.parametrize(("other", "ends"), [(1.19, "tip"), (1.21, "fork")])
def test_a_tail_ends_where_it_forks(other: float, ends: str) -> None:
    """Where something else goes on by more than 0.6 of the rest, 2: all that hangs there counts."""
    tail = row(["tail", "fork", "more", "tip"], "hips", (-1, 3), (-2, 3), (-3, 3), (-4, 3))
    second = row(["other", "other tip"], "fork", (-2, 2.5), (-2, 3 - other))
    beast = Beast([*TRUNK, *LEGS, *NECK, *EAR, *tail, *second])
    assert beast.along[ends] == pytest.approx(-1) and beast.along["tip"] == pytest.approx(-1)
    assert beast.off["tip"] == (0 if ends == "tip" else 1) and beast.off["other"] == 1
    first = Beast([*TRUNK, *LEGS, *NECK, *EAR, tail[1]._replace(above="hips"), *tail[2:], *second])
    assert first.off["tip"] == (0 if ends == "tip" else 1), "also at its first bone"


@pytest.mark.parametrize(("lower", "off"), [(0.59, 0), (0.61, 1)])
def test_a_tail_may_fork_at_its_last_bone_but_one(lower: float, off: int) -> None:
    """As that of a fish."""
    tail = row(["tail", "upper"], "hips", (-1, 3), (-1, 4))
    assert Beast([*TRUNK, *LEGS, *NECK, *EAR, *tail, *row(["lower"], "tail", (-1, 3 - lower))]).off["upper"] == off


def bent(part: float, angle: float, count: int = 3, more: Sequence[Bone] = (), size: float = 1.0) -> Beast:
    """A neck of so many bones, the first of which is far from the body, the last so long of a metre, and so many degrees from straight."""
    names = [f"neck{number}" for number in range(count)]
    points = [(9.0 + number, 0.0) for number in range(count - 1)]
    bend = np.radians(angle)
    points.append((points[-1][0] + part * float(np.cos(bend)), part * float(np.sin(bend))))
    return Beast([*FISH, *row(names, "body", *points), *more], size)


@pytest.mark.parametrize(
    ("part", "angle", "last", "sure"),
    [
        (1.0, 34, True, True),
        (1.0, 36, True, False),  # it may be a jaw, bent by more than 35 degrees
        (0.71, 1, True, True),
        (1.99, 1, True, True),
        (2.01, 1, True, False),  # it may be the head's mere end
        (0.69, 1, True, False),  # or short of 0.7 of a step
        (0.51, 1, True, False),
        (0.49, 1, False, False),  # a jaw: less than half
        (0.36, 1, False, False),
        (0.34, 1, False, True),
        (1.0, 64, True, False),
        (1.0, 66, False, True),  # a jaw: bent by more than 65 degrees,
        (1.42, 66, False, True),
        (1.44, 66, True, False),  # unless it is long
    ],
)
@pytest.mark.parametrize("size", [0.01, 1.0])
def test_whether_a_neck_ends_in_a_jaw(part: float, angle: float, last: bool, sure: bool, size: float) -> None:
    for count in (3, 4):
        beast = bent(part, angle, count, size=size)
        names = [f"neck{number}" for number in range(count)]
        head = names[-1 if last else -2]
        assert beast.along[head] == pytest.approx(2) and beast.along[names[-1]] == pytest.approx(2)
        assert beast.head == (head if sure else "")
        assert beast.blurred == (set() if sure else {*names[-2:]})
        assert beast.off[names[-1]] == (0.5 if not sure else 0 if last else 1) and beast.off[names[-2]] == 0


@pytest.mark.parametrize(("part", "sure"), [(0.09, False), (0.11, True), (1.99, True), (2.01, False)])
def test_a_face_may_hang_on_a_bone_inside_the_head(part: float, sure: bool) -> None:
    """One that begins where the bone before it does, or two steps of the neck or more away."""
    ears = [ear for number in (1, 2) for ear in limb(f"ear{number}", "neck3", (12, number), 0.1)]
    beast = bent(part, 60, 4, ears)
    assert beast.head == "neck3" and beast.off["neck3"] == 0 and beast.along["neck3"] == pytest.approx(2)
    assert beast.blurred == (set() if sure else {"neck2", "neck3"})
    short = bent(part, 60, 2, [ear._replace(above="neck1") if ear.above == "neck3" else ear for ear in ears])
    assert short.head == "neck1" and not short.blurred, "no neck to compare it with"


def test_a_jaw_may_have_an_end() -> None:
    """That goes straight on from it: behind a jaw that is sure or not, but of no neck that goes straight on."""
    for part, angle, sure in ((0.34, 1, True), (0.45, 1, False), (1.0, 66, True)):
        jaw = bent(part, angle)
        bend = np.radians(angle)
        end = Bone("end", "neck2", (0, 10 + 2 * part * float(np.cos(bend)), 2 * part * float(np.sin(bend))))
        beast = bent(part, angle, more=[end])
        assert beast.along["neck1"] == jaw.along["neck1"] == pytest.approx(2)
        assert beast.head == ("neck1" if sure else "") == jaw.head
    # 0.67 metres straight up behind a jaw of 0.34 are as long as the mean of the steps before: the jaw of a head that begins behind it.
    up = bent(0.34, 0, more=[Bone("up", "neck2", (0, 10.34, 0.67))])
    assert up.head == "neck2" and up.off["up"] == 1
    straight = bent(1.0, 0, 5)
    assert straight.head == "neck4" and straight.along["neck3"] == pytest.approx(2 - 1 / 13)


def test_short_necks_show_no_head() -> None:
    """One or two bones may be neck, head or jaw."""
    one, two = (Beast([*FISH, *row(names, "body", (1, 0), (2, 0))]) for names in (["a"], ["a", "b"]))
    assert one.blurred == {"a"} and one.off["a"] == 0.5 and not one.head and one.along["a"] == 2
    assert two.blurred == {"a", "b"} and two.off == {"body": 0, "fin": 1, "fin end": 1, "a": 0, "b": 0.5} and two.along["b"] == 2
    assert not Beast(FISH).blurred and not Beast(FISH).head


def test_a_head_is_where_most_hangs_the_last_of_those_of_as_much() -> None:
    """Beside the bone that goes on; a pair counts for two, and of the right side nothing; three bones behind it are too many for a jaw and
    its tongue."""
    neck = row(["a", "b", "c", "d", "e"], "body", (1, 0), (2, 0), (3, 0), (4, 0), (5, 0))
    horn, ear = Bone("horn", "b", (0, 2, 1)), Bone("ear", "c", (1, 3, 1), LEFT, 0.1)
    assert Beast([*FISH, *neck[:4], horn]).head == "b"
    assert Beast([*FISH, *neck[:4], horn, ear]).head == "c"
    others = [Bone("other", "b", (0, 2, 2)), Bone("third", "b", (0, 2, 3))]
    assert Beast([*FISH, *neck[:4], horn, others[0], ear]).head == "c"
    assert Beast([*FISH, *neck[:4], horn, *others, ear]).head == "b"
    assert Beast([*FISH, *neck[:4], horn, ear._replace(kind=RIGHT)]).head == "b"
    long = Beast([*FISH, *neck, horn])
    assert not long.head and long.along["b"] == pytest.approx(2) and not long.blurred


@pytest.mark.parametrize(("mass", "joints", "head"), [(0.26, 3, "d"), (0.25, 3, ""), (0.26, 2, "")])
def test_where_wings_hang_is_a_chest(mass: float, joints: int, head: str) -> None:
    """Of three joints or more, and large: behind it the head is looked for."""
    neck = row(["a", "b", "c", "d"], "body", (1, 0), (2, 0), (3, 0), (4, 0.1))
    wing = [Bone(f"wing{at}", f"wing{at - 1}" if at else "a", (1 + at, 1, 0), LEFT, mass) for at in range(joints)]
    beast = Beast([*FISH, *neck, *wing])
    assert beast.head == head and beast.along["a"] == pytest.approx(2 if not head else 1.25, abs=0.01)
    near = Beast([*FISH, *neck, *(bone._replace(above="b") if bone.above == "a" else bone for bone in wing)])
    assert near.head == "b", "among the last three bones it is none"


def test_a_jaw_begins_where_the_head_does() -> None:
    """Where nothing else shows it: the bone before one that begins at the same place is the head."""
    neck = row(["a", "b", "c", "d", "e"], "body", (1, 0), (2, 0), (3, 0), (3.05, 0), (3.2, -0.5))
    for bones in (neck, neck[:4]):
        beast = Beast([*FISH, *bones])
        assert beast.head == "c" and beast.along["c"] == pytest.approx(2) and not beast.blurred


@pytest.mark.parametrize(("apart", "head"), [(0.3, "c"), (0.4, "muzzle")])
def test_a_head_is_where_jaw_and_muzzle_begin_at_one_place(apart: float, head: str) -> None:
    """Rather than the muzzle on which lips are; nearer to each other than 0.35 of the way to them."""
    neck = row(["a", "b", "c", "muzzle"], "body", (1, 0), (2, 0), (3, 0), (3, -1))
    beast = Beast([*FISH, *neck, Bone("jaw", "c", (0, 3 - apart, -1)), Bone("lip", "muzzle", (0.2, 3, -1.2), LEFT, 0.1)])
    assert beast.head == head


@pytest.mark.parametrize(("ahead", "legs", "is_head"), [(1.41, ("leg", "arm"), True), (1.39, ("leg", "arm"), False), (2.0, (), False)])
@pytest.mark.parametrize("neck", [True, False])
def test_what_is_far_in_front_of_the_fore_legs_is_a_head(ahead: float, legs: Sequence[str], is_head: bool, neck: bool) -> None:
    """By 0.35 of the 4 from leg to leg of what stands on fours, of a neck of one bone or none; else it may be a jaw."""
    names, points = (["neck", "head"], [(4.5, 3.0), (4.5 + ahead, 3.0)]) if neck else (["head"], [(4 + ahead, 3.0)])
    beast = Beast([*TRUNK, *LEGS, *TAIL, *row(names, "chest", *points)], legs=legs)
    assert beast.head == ("head" if is_head else "") and bool(beast.blurred - {"chest"}) != is_head
    assert not legs or "chest" in beast.blurred


@pytest.mark.parametrize(("at", "blurred"), [(4.0, True), (4.7, True), (4.8, False), (3.3, True), (3.2, False)])
def test_whether_a_bone_is_of_spine_or_neck_shows_little_where_fore_legs_begin(at: float, blurred: bool) -> None:
    """Within a quarter of the 3 to a bone that bears them; of what stands on two pairs of legs."""
    legs = [*limb("leg", "hips", (0, 3)), *limb("arm", "chest", (at, 3))]
    bones = [*TRUNK, *legs, *NECK, *EAR]
    assert ("chest" in Beast(bones, legs=("leg", "arm")).blurred) == blurred
    assert not Beast(bones, legs=("leg", "arm", "leg")).blurred and not Beast(bones).blurred
    spined = [bone._replace(above="spine") if bone.name == "arm" else bone for bone in bones]
    assert "chest" not in Beast(spined, legs=("leg", "arm")).blurred
