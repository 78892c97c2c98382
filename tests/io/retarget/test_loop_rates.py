"""Loops of a second at any rate of the scene and from any frame are loops of a second in every game. Read back from the files alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

from .test_game_ready import GAMES, READ, character, export

Part = Callable[[str], ModuleType]
RATES = [(24, 1.001, -3.7), (24, 1.0, 1.25), (25, 1.0, -12.0), (30, 1.001, 0.5), (30, 1.0, -0.1), (50, 1.0, 7.33), (60, 1.0, 1001.9)]
"""Of the scene, as its two numbers, and where the action starts."""


def walker(part: Part, fps: float, start: float, seconds: float = 1.0) -> Any:
    """A rig that swings its limbs once, with keys about a frame apart, on the spot."""
    obj = rigs.build("walker", names=rigs.MIXAMO)
    phase = 2 * np.pi * np.linspace(0, 1, round(fps * seconds) + 1)
    values: dict[tuple[str, str], Any] = {}
    for role, size, late in (("leftUpperLeg", 0.5, 0.0), ("rightUpperLeg", 0.5, np.pi), ("leftUpperArm", 0.6, 1.0), ("head", 0.3, 2.0)):
        angle = size * np.sin(phase + late)
        values[rigs.MIXAMO[role], "rotation_quaternion"] = np.stack([np.cos(angle / 2), np.sin(angle / 2), 0 * angle, 0 * angle])
    action = rigs.keyed(part, obj, "walk", values, 0.0)
    for curve in part("io.blender.compat").curves(action, obj):
        for number, key in enumerate(curve.keyframe_points):
            key.co.x = start + number * fps * seconds / (len(phase) - 1)
        curve.update()
    action.use_frame_range = True
    action.frame_start, action.frame_end = start, start + fps * seconds
    return obj


@pytest.fixture(params=RATES, ids=lambda rate: f"{rate[0] / rate[1]:.3f} from {rate[2]}")
def start(request: pytest.FixtureRequest, scene: Any) -> tuple[float, float]:
    """The rate, and where the action starts."""
    fps, base, first = request.param
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = fps, base
    return fps / base, first


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_a_loop_of_a_second(part: Part, tmp_path: Path, game: str, start: tuple[float, float]) -> None:
    source = walker(part, *start)
    source.animation_data.action.use_cyclic = True
    data, result = export(part, game, source, character(part, game), tmp_path)
    (created,) = result.actions
    assert created.use_cyclic
    assert created.frame_start == pytest.approx(start[1], abs=1e-4)
    assert created.frame_end == pytest.approx(sum(start), abs=1e-3)
    clip = READ[game](data)
    if game.startswith("lba"):
        assert (clip.loop, clip.times[-1]) == (1, clip.rate)
        assert (clip.poses[0] == clip.poses[-1]).all()
        return
    assert len(clip.poses) == clip.rate
    assert clip.loop in ((1,) if game == "oni2" else (None,))
    steps = np.linalg.norm(np.diff(clip.poses, axis=0), axis=1)
    assert 0 < np.linalg.norm(clip.poses[-1] - clip.poses[0]) < 1.5 * steps.max()


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_a_clip_that_is_played_once_ends_in_its_last_pose(part: Part, tmp_path: Path, game: str, start: tuple[float, float]) -> None:
    """It lasts 1.01 s, which is between two of most games' time units, and ends in the pose in which it starts."""
    source = walker(part, *start, 1.01)
    clip = READ[game](export(part, game, source, character(part, game), tmp_path)[0])
    ticks = 1.01 * clip.rate
    last = clip.times[-1] if game.startswith("lba") else len(clip.poses) - 1
    assert ticks - 2e-3 <= last < ticks + 1
    assert np.abs(clip.poses[-1] - clip.poses[0]).max() <= (1 if game.startswith("lba") else 1e-4)
    assert clip.loop in (None, 0)


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "rate"), [("lba1", 50), ("lba2", 1000)])
def test_keyframes_are_at_the_time_units_nearest_to_the_source_s_frames(
    part: Part, tmp_path: Path, game: str, rate: int, start: tuple[float, float]
) -> None:
    """Which is where what bends at a frame does so in the game; between frames that are more than 20 ms apart there is one more."""
    fps, first = start
    source = walker(part, fps, first)
    source.animation_data.action.use_cyclic = True
    export(part, game, source, character(part, game), tmp_path)
    path = tmp_path / "all.anm"
    part("io.pipeline.games").export_file(bpy.context, str(path), {"reduction": "NONE"})
    times = READ[game](path.read_bytes()).times
    if game == "lba1":
        assert (np.diff(times) == 1).all()
        return
    apart = rate / fps / (2 if fps < 31 else 1)
    inside = np.arange(1, np.ceil(rate / apart)) * apart
    inside = inside[np.rint(inside) <= rate - max(1, apart / 8)]
    assert times == pytest.approx([0, *inside, rate], abs=0.501)
