"""What is seen is what is written, or it is named: random edits of any kind, by an evaluator that shares no code with the package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support.animator_edits import EDITS, Animator, object_keyed
from support.oni.oni_shown import Stage, Tram
from support.oni.oni_trams import random_tram

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"

ANGLE, DISTANCE = 0.0086, 1e-3
"""Degrees and game units: the steps of the format, 16 bits of a circle for each of three angles; velocities are floats."""

IMPORTS = st.fixed_dictionaries(
    {
        "keys": st.sampled_from(["GAME", "EVERY"]),
        "root_motion": st.sampled_from(["BONE", "OBJECT", "NONE"]),
        "bone_direction": st.sampled_from(["GAME", "CHILD"]),
        "fps_mode": st.sampled_from(["SET", "SET", "KEEP"]),
    }
)


@pytest.mark.thorough
@settings(
    max_examples=20,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    seed=st.integers(1, 4),
    options=IMPORTS,
    rate=st.sampled_from([24, 25, 30, 50, 60]),
    sampling=st.sampled_from(["KEYS", "VISUAL"]),
    edits=st.lists(EDITS, max_size=2),
)
def test_random_edits(part: Part, tmp_path: Path, seed: int, options: dict[str, Any], rate: int, sampling: str, edits: list[Any]) -> None:
    obj, source = stage(part, tmp_path, seed, options, rate)
    curves = part("io.blender.compat").curves
    animator = Animator(obj, lambda: list(curves(obj.animation_data.action, obj)), "pelvis")
    for edit in edits:
        edit(animator)
    animator.updated()
    data, lines = exported(part, obj, tmp_path, sampling)
    if data is None:
        assert lines
        return
    if not edits:
        assert data == source
    judged(obj, data, lines, options, sampling, [point.co.x for curve in animator.curves() for point in curve.keyframe_points])


def test_a_single_frame_stays_one_as_it_looks(part: Part, tmp_path: Path) -> None:
    """Whatever the scene's range: a pose that came from a file is all of it."""
    obj, source = stage(part, tmp_path, 1, {}, 60, frames=1)
    assert exported(part, obj, tmp_path, "VISUAL") == (source, [])


def stage(part: Part, folder: Path, seed: int, options: dict[str, Any], rate: int, frames: int = 12) -> tuple[Any, bytes]:
    """A body with all its meshes, and an animation on it."""
    bpy.ops.wm.read_homefile(use_empty=True)
    oni, source = part("io.oni"), folder / f"TRAMtest{seed}.oni"
    body = folder / "TRBStest.oni"
    body.write_bytes(part("core.oni.body.body_file").body_file(part("core.oni.body.mannequin").mannequin(), "TRBStest").pack())
    record = replace(random_tram(seed, frames), attacks=None, extents=None)
    source.write_bytes(part("core.oni.files.documents").TramFile.new(record).pack())
    bpy.context.scene.render.fps = rate
    built = oni.import_oni(bpy.context, oni.ImportOptions((str(source),), skeleton=str(body), pieces="NONE", **options))
    return built.armatures[0], source.read_bytes()


def exported(part: Part, obj: Any, folder: Path, sampling: str) -> tuple[bytes | None, list[str]]:
    """What is written, None where it is refused; and what is said."""
    oni, path = part("io.oni"), folder / "out.oni"
    path.unlink(missing_ok=True)
    bpy.context.view_layer.objects.active = obj
    with part("core.reporting.log").collect() as said:
        try:
            oni.export_oni(bpy.context, oni.ExportOptions(str(path), sampling=sampling))
        except part("core.reporting.errors").ExportError as error:
            return None, error.problems
    # Curves of another rotation mode than the one that is on are named although nobody sees them, and so is what the game has no room for.
    unseen = ("since the rotation mode is another one", "the game takes at most 256")
    return path.read_bytes(), [line for line in said.digest("WARNING") if not any(each in line for each in unseen)]


def judged(obj: Any, data: bytes, lines: list[str], options: dict[str, Any], sampling: str, keys: Any = ()) -> None:
    """Silence with a difference fails, and so does a message without one. keys: frames of Blender that are looked at, too, where something
    was said."""
    body, record, fps = Stage(obj), Tram(data), bpy.context.scene.render.fps
    # As it looks there is a key on every frame of the game: what leaps between two of them is named, and nothing else there is seen.
    leaps = any("between two frames" in line for line in lines)
    step = 1 if (sampling == "VISUAL" and not leaps) or record.frames > 40 else 0.25
    times = np.arange(0, record.frames - 0.99, step)
    if lines and (sampling == "KEYS" or leaps):
        at = np.unique(np.array(keys, float))
        more = (np.union1d(at, at - 0.01) - 1) * 60 / fps  # what leaps at a key is what it was right before
        times = np.union1d(times, more[(more >= 0) & (more <= times[-1])])
    shown = body.shown(1 + times * fps / 60)
    written = record.at(times, body.offsets, body.parents, "slerp" if options["keys"] == "EVERY" else "nlerp", body.height)
    put_elsewhere = False
    if options["root_motion"] == "NONE":
        # No velocity puts the character anywhere else at the first frame.
        put_elsewhere = bool(np.abs(shown.positions[0, 0, [0, 2]]).max() > 0.5 * DISTANCE)
        written.positions[..., [0, 2]] -= written.positions[:, :1, [0, 2]]
        shown.positions[..., [0, 2]] -= shown.positions[:, :1, [0, 2]]
    rotated, moved = body.apart(shown, written)
    if not lines:
        assert rotated.max() < 2 * ANGLE, f"{body.names[rotated.max(axis=0).argmax()]} at {times[rotated.max(axis=1).argmax()]}"
        assert moved.max() < 2 * DISTANCE, times[moved.argmax()]
    else:
        assert put_elsewhere or rotated.max() > 0.5 * ANGLE or moved.max() > 0.5 * DISTANCE, lines


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_the_object_takes_an_animation_in_place_along_once(part: Part, tmp_path: Path, sampling: str) -> None:
    """Its path is in the root's properties, and what the object's keys add is in the file once, however it is sampled."""
    obj, source = stage(part, tmp_path, 3, {"root_motion": "NONE", "fps_mode": "SET"}, 60)
    curves = part("io.blender.compat").curves
    animator = Animator(obj, lambda: list(curves(obj.animation_data.action, obj)), "pelvis")
    object_keyed(0.4, 0.0, True)(animator)
    data, lines = exported(part, obj, tmp_path, sampling)
    assert data is not None
    assert not lines
    body = Stage(obj)
    paths = [
        Tram(each).at(np.array([0.0, 8.0]), body.offsets, body.parents, "nlerp", body.height).positions[:, 0] for each in (source, data)
    ]
    # Along -Z of the game, at ten units of it a unit of Blender.
    assert (paths[1] - paths[0])[1][[0, 2]] == pytest.approx([0, -4], abs=1e-3)


@pytest.mark.parametrize("source", ["MARKERS", "NLA"])
@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT", "NONE"])
def test_a_part_of_a_way_begins_anywhere_on_it(part: Part, tmp_path: Path, root_motion: str, source: str) -> None:
    """The game puts the character where it is, and nothing is said of that; of what else moves the root all is said."""
    oni, walk = part("io.oni"), SAMPLES / "oni/TRAMmannequin_walk.oni"
    (obj,) = oni.import_oni(bpy.context, oni.ImportOptions((str(walk),), fps_mode="SET", root_motion=root_motion)).armatures
    bpy.context.view_layer.objects.active, data = obj, obj.animation_data
    moving = [curve for curve in part("io.blender.compat").curves(data.action, obj) if "rotation" not in curve.data_path]
    if source == "MARKERS":
        bpy.context.scene.timeline_markers.new("part", frame=5)
    else:
        action, slot = data.action, getattr(data, "action_slot", None)
        data.action = None
        strip = data.nla_tracks.new().strips.new("part", 1, action)
        if slot is not None:
            strip.action_slot = slot
        strip.action_frame_start, strip.action_frame_end = 5.0, 11.0

    def lines() -> list[str]:
        exported = oni.export_oni(bpy.context, oni.ExportOptions(str(tmp_path / "out.oni"), source=source, dry_run=True))
        return [line for line in exported.warnings if "units off" in line]

    assert lines() == []
    for curve in moving:
        curve.mute = True
    (line,) = lines()
    assert "its curves are muted" in line
