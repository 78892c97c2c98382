"""Which way the rows of bones of a creature go, to its front or to its back, and where its head is. The bones are but numbered."""

from __future__ import annotations

import pytest
from retro_anim.core.retarget.mapping.creatures.creatures import bodies_of
from retro_anim.core.retarget.mapping.mapping import labels_of

from .beasts import Row, chain, numbered, sided
from .creatures import followed


def snake(ahead: int, behind: int, root: bool, eyes: bool) -> list[Row]:
    """It lies straight, and its bones go from its middle to either end."""
    rows: list[Row] = [("root", "", (0, 0, 0))] if root else []
    rows += [("body", "root" if root else "", (0, 0.05, 0.08))]
    rows += chain("front", "body", *[(0.0, -1.4 / ahead, 0.0)] * ahead) + chain("back", "body", *[(0.0, 1.5 / behind, -0.003)] * behind)
    rows += [("head", f"front{ahead - 1}", (0, -0.1, 0.01)), ("jaw", "head", (0, -0.03, -0.02))]
    return rows + (sided([("eye*", "head", (0.05, -0.1, 0.04))]) if eyes else [])


@pytest.mark.parametrize("bones", [(8, 10, 11, 8), (11, 8, 8, 10), (9, 9, 7, 12)])
@pytest.mark.parametrize("eyes", [(False, True), (True, False), (False, False)])
def test_the_front_of_a_snake_is_no_mirror_image_of_its_back(bones: tuple[int, int, int, int], eyes: tuple[bool, bool]) -> None:
    """As many bones or not, with eyes or with nothing but a jaw that shows where the head is: front follows front, and back back."""
    for seed in range(3):
        source = numbered(snake(*bones[:2], root=False, eyes=eyes[0]), seed)
        target = numbered(snake(*bones[2:], root=True, eyes=eyes[1]), seed + 50)
        result = followed(source, target)
        ends = {call: calls for call, (calls, _) in result.items() if call.startswith(("front", "back"))}
        assert len(ends) > 0.9 * sum(bones[2:])
        for call, calls in ends.items():
            assert any(each.startswith(call.rstrip("0123456789")) for each in calls), (call, calls)


def bat(body: float, spine: int, legs: int, tail: int) -> list[Row]:
    """Its wings are stretched, 2 m from tip to tip. body: metres."""
    rows: list[Row] = [("body", "", (0, 0, 1)), *chain("spine", "body", *[(0.0, -0.3 * body / spine, 0.02 * body)] * spine)]
    hub = f"spine{spine - 1}"
    rows += [("neck", hub, (0, -0.3 * body, 0.1 * body)), ("head", "neck", (0, -0.2 * body, 0.05 * body))]
    rows += [("jaw", "head", (0, -0.03 * body, -0.03 * body)), *chain("tail", "body", *[(0.0, 0.2 * body / tail, 0.0)] * tail)]
    side: list[Row] = [("wing0*", hub, (0.05, 0, 0)), ("wing1*", "wing0*", (0.25, 0, 0)), ("wing2*", "wing1*", (0.25, -0.01, 0))]
    side += [("wing3*", "wing2*", (0.25, 0.01, 0)), ("wing4*", "wing3*", (0.2, 0, 0))]
    leg: list[Row] = [("leg0*", "body", (0.03, 0, -0.03)), ("leg1*", "leg0*", (0, 0, -0.03)), ("leg2*", "leg1*", (0, -0.02, 0))]
    return rows + sided(side + leg[:legs])


@pytest.mark.parametrize("seed", range(3))
def test_stretched_wings_are_no_snake(seed: int) -> None:
    """The body between them is a tenth as long as they are: each wing follows a wing, and the neck a neck."""
    source, target = numbered(bat(0.2, 1, 2, 2), seed), numbered(bat(0.9, 2, 3, 3), seed + 50)
    result = followed(source, target)
    for call in ("wing0L", "wing1L", "wing2L", "wing3L", "wing4L", "wing0R", "wing1R", "wing2R", "wing3R", "wing4R", "neck", "head"):
        assert result[call][0] == {call}, (call, result)


def scorpion(thorax: bool) -> list[Row]:
    """With a tail whose end is above its body; the legs hang on the body, or on a bone before it."""
    rows: list[Row] = [("body", "", (0, 0, 0.12)), *([("thorax", "body", (0, -0.06, 0.0))] if thorax else [])]
    hub, ahead = ("thorax", 0.06) if thorax else ("body", 0.0)
    rows += chain("tail", "body", (0, 0.09, 0), (0, 0.13, 0.02), (0, 0.13, 0.03), (0, 0.13, 0.22), (0, -0.07, 0.14), (0, -0.12, 0.1))
    side: list[Row] = []
    for leg in range(4):
        y = 0.05 * leg - 0.12 + ahead
        side += [(f"leg{leg}0*", hub, (0.06, y, 0.0)), (f"leg{leg}1*", f"leg{leg}0*", (0.1, 0.06 * leg - 0.08, 0.06))]
        side += [(f"leg{leg}2*", f"leg{leg}1*", (0.1, 0.06 * leg - 0.08, -0.1))]
    side += [("claw0*", hub, (0.06, ahead - 0.14, 0)), ("claw1*", "claw0*", (0.12, -0.08, 0.03)), ("claw2*", "claw1*", (-0.02, -0.14, 0))]
    return rows + sided(side)


@pytest.mark.parametrize("thorax", [(False, True), (True, False), (False, False), (True, True)])
def test_the_end_of_a_tail_above_a_body_is_at_its_back(thorax: tuple[bool, bool]) -> None:
    for seed in range(4):
        source, target = (numbered(scorpion(each), seed + 50 * at) for at, each in enumerate(thorax))
        result = followed(source, target)
        for bone in range(6):
            assert result[f"tail{bone}"][0] == {f"tail{bone}"}


@pytest.mark.parametrize("seed", range(4))
def test_a_chest_with_small_wings_is_no_head(seed: int) -> None:
    """Of a bird with long legs, on whose head hangs no more than a jaw: its neck is between chest and head."""
    figure, names = numbered(ostrich(4), seed)
    for body in bodies_of(figure, labels_of(figure)):
        if body.ahead > 0:
            along = {names[name]: float(body.stations.along[bone]) for bone, name in enumerate(figure.names)}
            off = {names[name]: float(body.stations.off[bone]) for bone, name in enumerate(figure.names)}
            assert (off["neck3"], off["head"], off["jaw"]) == (0, 0, 1)
            assert 0.5 < along["spine2"] < along["neck0"] < along["neck3"] < along["head"] == 2


def ostrich(neck: int) -> list[Row]:
    rows: list[Row] = [("hips", "", (0, 0.1, 0.9)), *chain("spine", "hips", *[(0.0, -0.1, 0.01)] * 3)]
    rows += chain("neck", "spine2", (0, -0.08, 0.04), *[(0.0, -0.03, 0.6 / neck)] * (neck - 1))
    rows += [("head", f"neck{neck - 1}", (0, -0.02, 0.6 / neck)), ("jaw", "head", (0, -0.04, -0.02)), *chain("tail", "hips", (0, 0.1, 0.0))]
    side: list[Row] = [("thigh*", "hips", (0.08, 0, -0.02)), ("shin*", "thigh*", (0, -0.1, -0.3)), ("shank*", "shin*", (0, 0.15, -0.3))]
    side += [("foot*", "shank*", (0, -0.03, -0.25)), ("toe*", "foot*", (0, -0.08, -0.02))]
    side += [("wing0*", "spine2", (0.07, 0.03, 0.02)), ("wing1*", "wing0*", (0.02, 0.13, -0.05))]
    side += [("wing2*", "wing1*", (0.01, -0.14, -0.04)), ("wing3*", "wing2*", (0.01, 0.13, 0.0))]
    return rows + sided(side)
