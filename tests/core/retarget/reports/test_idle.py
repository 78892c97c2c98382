"""Options of the bone map, and of its limbs, that have nothing to act on are named with what helps; those that have something are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, PairOptions
from retro_anim.core.retarget.figures.motion import rest_motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import retarget
from retro_anim.core.retarget.setup import prepare

from ..rigs import SAME, humanoid


def lines(without: tuple[str, ...] = (), asked: Options | None = None, **options: dict[str, Any]) -> list[str]:
    """Which lines speak of something that does nothing. without: roles that the map lacks. options: by bone."""
    pairs = [replace(pair, options=PairOptions(**options.get(pair.target, {}))) for pair in SAME.pairs if pair.target not in without]
    source, target = humanoid(), humanoid()
    target = replace(target, fixed=np.array([name == "head" for name in target.names]))
    report = retarget(prepare(source, target, BoneMap(tuple(pairs)), asked or Options()), rest_motion(source), 30.0).report
    assert not set(report.asking) & {line for line in report.notes if "does nothing" in line}
    return [line for line in report.lines() if "does nothing" in line]


@pytest.mark.parametrize(
    ("without", "asked", "options", "wanted"),
    [
        ((), Options(), {}, []),
        ((), Options(), {"chest": {"distribute": True}}, ["chest: Spread does nothing"]),
        (("hips", "spine"), Options(), {"chest": {"distribute": True}}, ["chest: Spread does nothing"]),
        (("spine",), Options(), {"chest": {"distribute": True}}, []),
        ((), Options(), {"neck": {"tail": True}, "leftLowerArm": {"tail": True}}, ["neck, leftLowerArm: Align Tail does nothing"]),
        ((), Options(), {"head": {"tail": True}}, []),
        ((), Options(align="REST"), {"head": {"tail": True}}, ["head: Align Tail does nothing with this Alignment"]),
        ((), Options(), {"head": {"location": True}, "neck": {"location": True}}, ["head: Location does nothing"]),
        ((), Options(hands=True), {}, []),
        (("leftHand",), Options(hands=True), {}, []),
        (("leftHand", "rightLowerArm"), Options(hands=True), {}, ["Hold Hands does nothing"]),
    ],
)
def test_what_does_nothing_is_named(without: tuple[str, ...], asked: Options, options: dict[str, Any], wanted: list[str]) -> None:
    shown = lines(without, asked, **options)
    assert len(shown) == len(wanted)
    assert all(line.startswith(start) and ": " in line[len(start) :] for line, start in zip(shown, wanted, strict=True))


@pytest.mark.parametrize(
    ("without", "wanted"),
    [((), []), (("rightHand", "neck"), ["Mirror leaves leftHand"]), (("leftUpperArm", "leftFoot"), ["Mirror leaves"])],
)
def test_what_has_no_other_side_is_named_in_the_mirror(without: tuple[str, ...], wanted: list[str]) -> None:
    said = noted(without, Options(mirror=True))
    assert [line[: len(start)] for line, start in zip(said, wanted, strict=True)] == wanted
    assert all("add that" in line and all(name.replace("left", "right") in line for name in without if "left" in name) for line in said)
    assert noted(without, Options()) == []


def noted(without: tuple[str, ...], asked: Options) -> list[str]:
    """What is noted of the mirror. without: roles that the map lacks."""
    pairs, figure = [pair for pair in SAME.pairs if pair.target not in without], humanoid()
    notes = retarget(prepare(figure, figure, BoneMap(tuple(pairs)), asked), rest_motion(figure), 30.0).report.notes
    return [line for line in notes if line.startswith("Mirror")]
