"""`convert` where there is no Blender; with it: tests/cli/blender."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from retro_anim.cli.commands import convert
from retro_anim.cli.main import main

from .conftest import Ran

Run = Callable[..., Ran]


def test_without_blender_it_says_what_to_install(run: Run, chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bpy", None)
    ran = run("convert", chain / "chain.anm", "-o", chain / "out.glb")
    assert (ran.code, ran.out, len(ran.errors)) == (1, "", 1)
    assert "pip install bpy" in ran.errors[0]


def test_wrong_usage(run: Run, chain: Path) -> None:
    for arguments in (
        ("-o", chain / "out.glb"),
        (chain / "chain.anm",),
        (chain / "chain.anm", "-o", chain / "out.mp4"),
        ("a.lab", "--keys", "mat", "-o", "b.lab"),
        ("a.lab", "--action-type", "x", "-o", "b.lab"),
    ):
        ran = run("convert", *arguments)
        assert (ran.code, ran.out) == (2, "")


def test_help_of_an_option_without_a_sentence_has_what_its_choices_mean(run: Run) -> None:
    shown = " ".join(run("convert", "--help").out.split())
    assert "bone names: game (as the game's file has them; where it has none their numbers), known (of a human upper_arm.L" in shown


def test_an_axis_with_a_minus_may_be_a_word_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, str]] = []

    def run(arguments: argparse.Namespace) -> int:
        given.append((arguments.up, arguments.forward))
        return 0

    monkeypatch.setattr(convert, "run", run)
    assert main(["convert", "a.bvh", "-o", "a.glb", "--up", "-Z", "--forward=-Y"]) == 0
    assert main(["convert", "a.bvh", "-o", "a.glb", "--forward", "-Y", "--up", "Z"]) == 0
    assert given == [("-Z", "-Y"), ("Z", "-Y")]
