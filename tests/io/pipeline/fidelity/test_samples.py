"""*Keys to Samples* leaves a curve with samples instead of keys: it shows as before, and is written as the same curve with a key at each
of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"
GAMES = {
    "lba": "lba1/walk.anm",
    "oni": "oni/TRAMmannequin_walk.oni",
    "oni2": "oni2/Entity/mannequin/mannequin_walk.anim",
    "mindpower": "mindpower/animation",
}


def _moving(compat: ModuleType, action: Any, obj: Any) -> list[Any]:
    """The rotation curves of the bone that rotates most."""
    curves = [curve for curve in compat.curves(action, obj) if curve.data_path.endswith(("rotation_euler", "rotation_quaternion"))]
    most = max(curves, key=lambda curve: float(np.ptp([point.co[1] for point in curve.keyframe_points])))
    return [curve for curve in curves if curve.data_path == most.data_path]


def _keyed_at_each(curve: Any, first: int, last: int) -> None:
    values = [(frame, curve.evaluate(frame)) for frame in range(first, last + 1)]
    curve.keyframe_points.clear()
    for frame, value in values:
        curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"
    curve.update()


@pytest.mark.parametrize("game", GAMES)
def test_samples_are_written_as_keys_are(game: str, part: Part, tmp_path: Path) -> None:
    source = SAMPLES / GAMES[game]
    folder = tmp_path / "game"
    shutil.copytree(SAMPLES / "mindpower" if game == "mindpower" else source.parent, folder)
    path = min((folder / "animation").glob("*.lab")) if game == "mindpower" else folder / source.name
    module, compat = part(f"io.{game}"), part("io.blender.compat")
    written: list[bytes] = []
    for change in ("keys", "samples"):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        (obj,) = getattr(module, f"import_{game}")(bpy.context, module.ImportOptions((str(path),))).armatures
        action = obj.animation_data.action
        bpy.context.view_layer.objects.active = obj
        first, last = (int(frame) for frame in action.curve_frame_range)
        for curve in _moving(compat, action, obj):
            if change == "keys":
                _keyed_at_each(curve, first, last)
            else:
                curve.convert_to_samples(first, last + 1)
                assert not len(curve.keyframe_points) and len(curve.sampled_points)
        target = tmp_path / change / path.name
        target.parent.mkdir()
        shutil.copy(path, target)
        getattr(module, f"export_{game}")(bpy.context, module.ExportOptions(str(target)))
        written.append(target.read_bytes())
    assert written[0] == written[1]
