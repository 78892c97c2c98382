"""A quick look at everything that users reach, with our samples: these also run in the zip, as Blender installs it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from build_extension import ROOT

pytestmark = pytest.mark.smoke

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]

SAMPLES = [
    ("lba", "lba1/ANIM.HQR", {"entities": "0"}, 4),
    ("lba", "lba1/walk.anm", {}, 1),
    ("lba", "lba2/ANIM.HQR", {"entities": "0"}, 4),
    ("oni", "oni/TRAMmannequin_walk.oni", {}, 1),
    ("oni", "oni/OBANmannequin_camera.oni", {}, 1),
    ("oni2", "oni2/Entity/mannequin/mannequin_walk.anim", {}, 1),
    ("mindpower", "mindpower/animation/0001.lab", {}, 3),
]
"""Game, sample, options of the import, and how many actions it gives."""


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """A copy of our samples that a test may write into."""
    copy = tmp_path / "samples"
    shutil.copytree(ROOT / "samples", copy, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return copy


@pytest.mark.parametrize(("game", "name", "options", "actions"), SAMPLES, ids=[f"{sample[0]} {sample[1]}" for sample in SAMPLES])
def test_a_sample_comes_in_and_goes_out_unchanged(samples: Path, game: str, name: str, options: dict[str, str], actions: int) -> None:
    source = samples / name
    before = source.read_bytes()
    assert getattr(OPS.import_anim, game)(filepath=str(source), **options) == {"FINISHED"}
    assert len(bpy.data.actions) == actions
    source.unlink()
    target = source.parent / f"written{source.suffix}" if actions == 1 else source
    if actions > 1 and game == "lba":
        target.write_bytes(before)
    assert getattr(OPS.export_anim, game)(filepath=str(target), source="ALL" if actions > 1 else "ACTIVE") == {"FINISHED"}
    assert target.read_bytes() == before


def test_an_edited_key_is_written(part: Part, samples: Path) -> None:
    source, target = samples / "lba1/walk.anm", samples / "lba1/edited.anm"
    OPS.import_anim.lba(filepath=str(source))
    (action,) = bpy.data.actions
    curve = next(curve for curve in part("io.blender.compat").curves(action) if curve.data_path.endswith("rotation_euler"))
    curve.keyframe_points[1].co.y += 0.5
    assert OPS.export_anim.lba(filepath=str(target)) == {"FINISHED"}
    first, second = source.read_bytes(), target.read_bytes()
    assert len(first) == len(second) and 1 <= sum(old != new for old, new in zip(first, second, strict=True)) <= 6


def test_one_game_onto_another(samples: Path) -> None:
    OPS.import_anim.lba(filepath=str(samples / "lba1/walk.anm"))
    source = bpy.context.object
    OPS.import_anim.mindpower(filepath=str(samples / "mindpower/animation/0001.lab"))
    target = bpy.context.object
    assert source is not None and target is not None and source != target
    before = set(bpy.data.actions)
    settings: Any = bpy.context.scene
    settings.retro_anim_retarget.source, settings.retro_anim_retarget.target = source, target
    assert OPS.retro_anim.retarget() == {"FINISHED"}
    (action,) = set(bpy.data.actions) - before
    assert target.animation_data is not None and target.animation_data.action == action


def test_the_command_line(part: Part, samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*arguments: object) -> Any:
        capsys.readouterr()
        assert part("cli.main").main([*map(str, arguments)]) == 0
        return capsys.readouterr().out

    walk = samples / "lba1/walk.anm"
    assert json.loads(run("info", walk, "--json"))
    assert json.loads(run("pose", walk, "--time", "0.1", "--json"))["bones"]
    verified = json.loads(run("verify", samples, "--json"))
    assert verified["identical"] >= 20 and not verified["different"] and not verified["failed"]
    run("convert", walk, "-o", tmp_path / "walk.blend")
    run("convert", tmp_path / "walk.blend", "-o", tmp_path / "walk.anm")
    assert (tmp_path / "walk.anm").read_bytes() == walk.read_bytes()
    run("retarget", walk, "--onto", samples / "mindpower/animation/0001.lab", "-o", tmp_path / "walk.glb")
    assert (tmp_path / "walk.glb").stat().st_size > 1000
