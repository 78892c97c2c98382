"""Remedies in the report of `retarget` are what its command line has."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from retro_anim.cli.main import main
from retro_anim.cli.retarget.table import table
from retro_anim.cli.retarget.wording import WITHOUT_OPTION, as_options, messages_as_options, report_as_options
from retro_anim.core.declare.options import declared
from retro_anim.core.reporting import log
from retro_anim.core.retarget.options import Options, RetargetOptions
from retro_anim.core.retarget.reports.fields import Reach, Unmapped
from retro_anim.core.retarget.reports.report import Report

REPORT = Report(
    name="walk", frames=9, bones=3, factor=1.0, limb_max=0.0, limb_mean=0.0, limb_worst="", joint_error=None, joints=0, skate_source=0.0,
    skate_plain=0.0, skate=0.0, penetration=0.0, flips=0, rotation_excess=0.0, foot_pass=0.0, unreached=0, missed=0.0, hips_down=0.0,
    unmapped=(),
)  # fmt: skip
WRONG = dataclasses.replace(
    REPORT, limb_max=5.0, limb_worst="arm", yaw=90.0, skate=1.0, off_ground=0.3, off_ground_leg="leftFoot", off_body=0.3, hand_above=0.3,
    hand_above_which="leftHand", snap=90.0, snap_bone="arm", unreached=3, missed=0.1, unmapped=(Unmapped("tail", 90.0, False, 2.0),),
)  # fmt: skip
REPORTS = (
    WRONG,
    dataclasses.replace(
        WRONG, foot_pass=3.0, holds_feet=True, goals=(Reach("leftFoot", 3, 0.1, 0.3), Reach("rightFoot", 3, 0.1, 0.0, False))
    ),
    dataclasses.replace(WRONG, off_ground=0.0, foot_above=0.3, foot_above_which="leftFoot", lowers_hips=True),
    dataclasses.replace(WRONG, off_ground_leg="root"),
    dataclasses.replace(WRONG, bend=30.0, bend_limb="leftFoot", bend_frame=3.0, bend_hips=0.1),
    dataclasses.replace(WRONG, bend=30.0, bend_limb="rightHand", bend_frame=3.0),
)


def window_labels() -> Iterator[str]:
    """That a person looks for in the window: labels of two words and more, those of values, and those of fields of the bone map."""
    for kind in (Options, RetargetOptions):
        for item in declared(kind).values():
            yield from [item.label] * (" " in item.label)
            yield from (f"{item.label}: {choice.label}" for choice in item.choices)
    yield from ("Mark Contacts", "Alignment", "By Limb", "Strength", "Pelvis Height", "Stance", "Stride", "its line of", "add a line")


@pytest.mark.parametrize("report", REPORTS, ids=range(len(REPORTS)))
def test_no_word_of_the_window_is_left(report: Report) -> None:
    lines = report.lines()
    assert any(label in line for line in lines for label in window_labels())
    said = report.lines(as_options)
    assert [(label, line) for line in said for label in window_labels() if label in line] == []
    assert len(said) == len(lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the source's is on it: Hold Hands brings it as near as the arm reaches", "--hands brings it as near as the arm reaches"),
        ("from its goal, where it stands: without Hold Feet it goes there", "with --no-feet it goes there"),
        ("3 frames: Lower the Hips brings feet nearer", "--lower-hips brings feet nearer"),
        ("(Facing: By the World keeps it)", "(--facing world keeps it)"),
        ("Floor: Lowest Contact takes its lowest foot, Floor: Rest Poses what", "--floor contact takes its lowest foot, --floor rest what"),
        ("Step: 0.25 has twice as many", "--step 0.25 has twice as many"),
        ("moves its characters itself: Root Motion: In Place keeps them", "--root-motion none keeps them"),
        ("choose another Alignment than By Poses", "choose another --align than pose"),
        ("choose another Root Motion than Root Bone", "choose another --root-motion than bone"),
    ],
)
def test_options_are_named_by_their_arguments(capsys: pytest.CaptureFixture[str], text: str, said: str) -> None:
    """Which all are arguments of the command."""
    said_here = as_options(text)
    assert said_here.endswith(said)
    assert main(["retarget", "--help"]) == 0
    helped = capsys.readouterr().out
    assert [label for label in said_here.split() if label.strip("()").startswith("--") and label.strip("(),") not in helped] == []


@pytest.mark.parametrize("text", ["LeftStep rotates 9°", "Hold Feet.001 is off", "mixamorig:Hold Feet2: by 3°", "walk: 3 frames, 2 bones"])
def test_names_of_bones_stay(text: str) -> None:
    assert as_options(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "/clips/Mirror/Props.blend has 2 armatures; Mirror was taken",
        "/clips/Hold Feet/walk.bvh: there is no animation in it",
        "'Root Motion: In Place' is no action",
        "Scale: the name of the object",
    ],
)
def test_paths_and_names_within_a_sentence_stay(text: str) -> None:
    assert as_options(text) == text


def test_bones_that_are_called_as_options_stay() -> None:
    """Also where they are called just as an option of several words is."""
    unmapped = (Unmapped("Props", 30.0, False), Unmapped("Hold Feet", 90.0, False, 2.0))
    report = dataclasses.replace(WRONG, limb_worst="Mirror", snap_bone="Lower the Hips", unmapped=unmapped)
    lines = report.lines(as_options)
    assert "limb direction: 5° at most (Mirror), under 0.001° on average: " in next(line for line in lines if line.startswith("limb"))
    assert "not mapped: Props rotates 30.0°" in lines
    (missed,) = [line for line in lines if line.startswith("not mapped: Hold Feet rotates 90.0°: ")]
    assert "--map" in missed
    assert any(line.startswith("Lower the Hips rotates 90° further") for line in lines)


def test_columns_of_the_table_stay_in_line_whatever_clips_are_called() -> None:
    names = ["Hold Feet", "a much longer name", "Floor: Rest Poses", "Step"]
    reports = [dataclasses.replace(WRONG, name=name) for name in names]
    lines = list(table(reports, ["Mirror/Props"] * 4))
    assert [line[: len(name)] for line, name in zip(lines[1:5], names, strict=True)] == names
    assert len(set(map(len, lines[:5]))) == 1
    assert {line.split(": ")[0] for line in lines[5:]} >= {"Hold Feet", "Step"}
    assert all("--" in line for line in lines if "limb direction" in line)


def test_what_a_message_is_about_stays() -> None:
    with log.collect() as said, log.about("Hold Feet"):
        log.warning("it has a pose of its own: Alignment: By Poses takes it")
    assert messages_as_options(said).digest("WARNING") == ["Hold Feet: it has a pose of its own: --align pose takes it"]


def test_sentences_of_a_document_name_arguments() -> None:
    note = "bones may be twisted: Alignment: By Poses takes one in which both stand alike"
    document = report_as_options(dataclasses.replace(WRONG, name="Hold Feet", notes=(note,), asking=(note,), amiss=(note,))).document()
    said = "bones may be twisted: --align pose takes one in which both stand alike"
    assert [document[key] for key in ("notes", "asking", "amiss")] == [(said,)] * 3
    assert document["name"] == "Hold Feet"


def test_each_text_that_is_said_otherwise_is_one_of_the_product() -> None:
    root = Path(__file__).parents[2]
    texts = {
        node.value
        for folder in ("core", "io")
        for path in sorted((root / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert [advice for advice in WITHOUT_OPTION if not any(advice in text for text in texts)] == []


def test_the_table_names_the_file_where_clips_are_called_alike() -> None:
    reports = [dataclasses.replace(WRONG, name=name) for name in ("walk", "run", "walk", "walk")]
    lines = list(table(reports, ["a/walk.bvh", "run.bvh", "b/walk.bvh", ""]))
    assert [line.split("  ")[0] for line in lines[1:5]] == ["walk (a/walk.bvh)", "run", "walk (b/walk.bvh)", "walk"]
    for line in WRONG.reasons(as_options):
        assert f"walk (b/walk.bvh): {line}" in lines and f"run: {line}" in lines
