"""An object that goes round in whole circles from key to key: at every frame of the game the file has what is shown, and what lies
between two frames is named as that."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from math import pi
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.shown_stage import Stage
from support.shown_stages import AXES, STAGES

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"


def rotate(stage: Stage, angles: dict[float, float], axis: int = 2) -> None:
    """Keys of the object's rotation in radians, by frame."""
    obj: Any = stage.obj
    obj.rotation_mode = "ZYX"
    for frame, angle in angles.items():
        obj.rotation_euler[axis] = angle
        obj.keyframe_insert("rotation_euler", frame=frame)
    for curve in stage.curves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT"])
@pytest.mark.parametrize("game", ["Oni2", "Oni2 loop"])
def test_circles_between_two_keys(part: Part, tmp_path: Path, game: str, root_motion: str, sampling: str) -> None:
    stage = STAGES[game](part, tmp_path, root_motion=root_motion)
    first, last = stage.action.curve_frame_range
    rotate(stage, {first: 0.0, last: 4 * pi})
    stage.export(stage.out, sampling=sampling, source="ACTIVE")
    worst, where = stage.steps_off(stage.out.read_bytes(), np.arange(1.0, 13.0), stage.start)
    assert worst < 2, where


@pytest.mark.parametrize("game", ["Oni1", "pirates"])
def test_the_same_of_other_games(part: Part, tmp_path: Path, game: str) -> None:
    stage = STAGES[game](part, tmp_path, root_motion="BONE" if game == "Oni1" else "")
    rotate(stage, {1: 0.0, 12: 4 * pi})
    stage.export(stage.out, source="ACTIVE")
    worst, where = stage.steps_off(stage.out.read_bytes(), np.arange(1.0, 12.0), stage.start, anywhere=False)
    assert worst < 3, where


def test_a_loop_leads_where_it_is_shown_to_lead(part: Part, tmp_path: Path) -> None:
    """Not where its last frame is, in the course of a circle."""
    stage = STAGES["Oni2 loop"](part, tmp_path, root_motion="BONE")
    rotate(stage, {1: 0.0, 13: 4 * pi}, axis=0)
    stage.export(stage.out, source="ACTIVE")
    _, positions = stage.shown(np.array([1.0, 13.0]))
    assert struct.unpack_from("<3f", stage.out.read_bytes(), 16) == pytest.approx((positions[1, 0] - positions[0, 0]) @ AXES, abs=1e-5)


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT"])
def test_refit_loop_closes_what_the_object_rotates(part: Part, tmp_path: Path, root_motion: str, axis: int) -> None:
    """No line recommends it any more, and the root stands at the closing key as at the start, a stride on."""
    stage = STAGES["Oni2 loop"](part, tmp_path, root_motion=root_motion)
    rotate(stage, {1: 0.0, 13: 4 * pi}, axis)
    stage.part("io.pipeline.loops.closing_key").refit(bpy.context, part("core.games").GAMES["oni2"])
    lines = stage.export(stage.out, source="ACTIVE").warnings
    assert not any("Refit Loop" in line for line in lines), lines
    rotations, positions = stage.from_start(stage.shown(np.array([1.0, 13.0])), 1.0)
    assert rotations[1] == pytest.approx(rotations[0], abs=1e-4)
    assert struct.unpack_from("<3f", stage.out.read_bytes(), 16) == pytest.approx((positions[1, 0] - positions[0, 0]) @ AXES, abs=1e-4)


def test_half_a_circle_within_a_frame(part: Part, tmp_path: Path) -> None:
    stage = STAGES["Oni2"](part, tmp_path, root_motion="OBJECT")
    rotate(stage, {1: 0.0, 6: 0.0, 7: pi, 12: pi}, axis=1)
    (line,) = stage.export(stage.out, source="ACTIVE").warnings
    assert "it bends or leaps between two frames of the game, which goes straight from one to the next: give that more frames" in line


def test_a_root_that_begins_beside_its_origin(part: Part, tmp_path: Path) -> None:
    """No bone of Oni moves on its parent: nothing below the pelvis could be moved instead."""
    stage = STAGES["Oni1"](part, tmp_path)
    stage.obj.pose.bones["pelvis"].constraints.new("LIMIT_LOCATION").use_min_x = True
    limit = stage.obj.pose.bones["pelvis"].constraints[0]
    limit.min_x = 0.25
    lines = stage.export(stage.out, sampling="VISUAL", source="ACTIVE").warnings
    assert any("the game begins a clip where the character is" in line and "begin it at its origin" in line for line in lines), lines
    assert not any("move the bones below it" in line for line in lines)


class Walker:
    """Oni's sample, which walks as an object."""

    def __init__(self, part: Part, folder: Path) -> None:
        self.oni, self.out = part("io.oni"), folder / "out.oni"
        self.path = str(folder / "oni" / "TRAMmannequin_walk.oni")
        shutil.copytree(SAMPLES / "oni", folder / "oni", copy_function=shutil.copyfile)
        self.obj: Any = self.bring_in().armatures[0]
        bpy.context.view_layer.objects.active = self.obj

    def bring_in(self) -> Any:
        return self.oni.import_oni(bpy.context, self.oni.ImportOptions((self.path,), root_motion="OBJECT"))

    def rotate(self, axis: int, angle: float) -> None:
        self.obj.rotation_mode = "XYZ"
        self.obj.rotation_euler[axis] += angle

    def export(self, sampling: str = "KEYS") -> list[str]:
        options = self.oni.ExportOptions(path=str(self.out), sampling=sampling)
        return list(self.oni.export_oni(bpy.context, options).warnings)


@pytest.mark.parametrize("remedy", ["back", "keyed", "VISUAL"])
@pytest.mark.parametrize("axis", [0, 2])
def test_an_object_that_is_rotated_and_goes_its_path(part: Part, tmp_path: Path, axis: int, remedy: str) -> None:
    """By hand, without a key: its bones look elsewhere than where it goes, which the file does not have."""
    walker = Walker(part, tmp_path)
    assert walker.export() == []
    before = walker.out.read_bytes()
    walker.rotate(axis, 0.5)
    (line,) = walker.export()
    assert "the object was rotated after the import, and its path was not, nor is that rotation keyed: rotate it back" in line
    assert walker.out.read_bytes() == before
    if remedy == "back":
        walker.rotate(axis, -0.5)
    elif remedy == "keyed":
        walker.obj.keyframe_insert("rotation_euler", frame=1)
    lines = walker.export("VISUAL" if remedy == "VISUAL" else "KEYS")
    assert not any("the object was rotated" in each for each in lines)
    assert (walker.out.read_bytes() == before) == (remedy == "back")


def test_a_clip_that_comes_in_onto_a_rotated_object(part: Part, tmp_path: Path) -> None:
    """Goes its path from there."""
    walker = Walker(part, tmp_path)
    walker.obj.animation_data.action = None
    walker.rotate(2, 0.5)
    walker.bring_in()
    assert walker.export() == []


@pytest.mark.parametrize("game", STAGES)
def test_a_character_that_stands_elsewhere(part: Part, tmp_path: Path, game: str) -> None:
    """With its path inside of it: that goes along."""
    stage = STAGES[game](part, tmp_path, root_motion="" if game == "pirates" else "BONE")
    stage.obj.rotation_mode = "XYZ"
    stage.obj.rotation_euler[2] += 0.5
    lines = stage.export(stage.out, source="ACTIVE").warnings
    assert not any("and its path was not" in each for each in lines)
