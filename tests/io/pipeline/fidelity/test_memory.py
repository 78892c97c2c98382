"""Of a long clip an export holds a small multiple of its keys: all that is calculated of them is done in pieces."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parent.parent.parent.parent.parent / "samples"
GAMES = {"oni": "oni/TRAMmannequin_walk.oni", "oni2": "oni2/RB.DAT", "mindpower": "mindpower/animation/0001.lab"}

PAIR = 8
"""Bytes of a key's frame and value in 32 bits each."""

MOST = 15
"""Times the bytes that each curve would have with a key a frame."""


def until(part: Part, action: Any, frame: float) -> int:
    """The action edited, and its last keys put far away; how many curves it has."""
    curves = list(part("io.blender.compat").curves(action))
    for curve in curves:
        if len(curve.keyframe_points) > 1:
            curve.keyframe_points[-1].co.x = frame
            curve.keyframe_points[0].co.y += 0.01
            curve.update()
    return len(curves)


def peak(run: Callable[[], Any]) -> int:
    """Bytes that are held at once at most while something runs."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


CASES = [
    ("mindpower", "KEYS", False),
    ("mindpower", "KEYS", True),
    ("mindpower", "VISUAL", False),
    ("oni2", "VISUAL", False),
    ("oni", "VISUAL", False),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "sampling", "constrained"), CASES)
def test_memory_grows_no_faster_than_the_keys(part: Part, tmp_path: Path, game: str, sampling: str, constrained: bool) -> None:
    module = part(f"io.{game}")
    options = module.ImportOptions((str(SAMPLES / GAMES[game]),), fps_mode="SET")
    obj = getattr(module, f"import_{game}")(bpy.context, options).armatures[0]
    bpy.context.view_layer.objects.active = obj
    if constrained:  # so that Blender has to show what it shows
        obj.pose.bones[-1].constraints.new("LIMIT_SCALE")
    exported = module.ExportOptions(str(tmp_path / "out"), dry_run=True, sampling=sampling, source="ACTIVE")

    def export() -> None:
        getattr(module, f"export_{game}")(bpy.context, exported)

    lengths = (600, 1200) if constrained else (1200, 2400)
    curves, peaks = 0, list[int]()
    for length in lengths:
        curves = until(part, obj.animation_data.action, float(length))
        peaks.append(peak(export))
    assert peaks[1] - peaks[0] < MOST * PAIR * curves * (lengths[1] - lengths[0])
