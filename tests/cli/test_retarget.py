"""The arguments of `retarget`, which are declared with its options."""

from __future__ import annotations

import argparse
from typing import Any

import pytest
from retro_anim.cli.commands import retarget
from retro_anim.core.reporting.errors import OptionError
from retro_anim.core.retarget.options import Options, RetargetOptions


def parsed(*arguments: str) -> RetargetOptions:
    parser = argparse.ArgumentParser()
    retarget.add_to(parser.add_subparsers())
    namespace = parser.parse_args(["retarget", "walk.bvh", "--onto", "rig.blend", "-o", "out.blend", *arguments])
    return retarget.options_of(namespace)


def test_without_arguments_options_are_the_defaults() -> None:
    assert parsed() == RetargetOptions()


@pytest.mark.parametrize(
    ("arguments", "core", "outer"),
    [
        (("--root-motion", "object", "--keep-speed"), {"root_motion": "OBJECT", "keep_speed": True}, {}),
        (("--align", "t-pose", "--feet", "--hands", "--mirror"), {"align": "TPOSE", "feet": True, "hands": True, "mirror": True}, {}),
        (("--align", "frame", "--pose-frame", "12"), {"align": "FRAME"}, {"pose_frame": 12.0}),
        (("--align", "pose", "--source-pose", "A-pose"), {"align": "POSE"}, {"source_pose": "A-pose"}),
        (("--pose-frame", "12"), {"align": "FRAME"}, {"pose_frame": 12.0}),
        (("--reference", "T-Pose"), {"align": "POSE"}, {"reference": "T-Pose"}),
        (("--target-pose", "T"), {"align": "POSE"}, {"target_pose": "T"}),
        (("--loop", "yes"), {}, {"loop": "YES"}),
        (("--floor", "contact", "--facing", "world", "--scale", "0.5"), {"floor": "CONTACT", "facing": "WORLD", "scale": 0.5}, {}),
        (("--step", "2.5", "--ik"), {}, {"step": 2.5, "rigify_ik": True}),
    ],
)
def test_arguments_become_options(arguments: tuple[str, ...], core: dict[str, Any], outer: dict[str, Any]) -> None:
    assert parsed(*arguments) == RetargetOptions(Options(**core), **outer)


def test_a_value_that_is_no_choice_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed("--align", "sideways")
    assert "t-pose" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "problem"), [(("--step", "0"), "step is 0"), (("--scale", "-1"), "scale is -1")])
def test_numbers_beyond_their_limits_are_refused(arguments: tuple[str, ...], problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        parsed(*arguments)
