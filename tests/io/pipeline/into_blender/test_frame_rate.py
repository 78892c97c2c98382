"""The scene's frame rate at import: a second game never makes the first one's clips faster or slower."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

SAMPLES = Path(__file__).resolve().parents[4] / "samples"
TRAM, ANM = str(SAMPLES / "oni/TRAMmannequin_walk.oni"), str(SAMPLES / "lba1/ANIM.HQR")


def rate() -> float:
    return bpy.context.scene.render.fps / bpy.context.scene.render.fps_base


@pytest.fixture
def oni(part: Callable[[str], ModuleType]) -> Callable[..., Any]:
    module = part("io.oni")
    return lambda **options: module.import_oni(bpy.context, module.ImportOptions((TRAM,), **options))


@pytest.mark.parametrize(("mode", "first", "second"), [("AUTO", 60, 50), ("KEEP", 24, 50), ("SET", 60, 60)])
def test_the_scene_s_rate(oni: Any, fetch: Any, mode: str, first: float, second: float) -> None:
    oni(fps_mode=mode)
    assert rate() == pytest.approx(first)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    fetch(ANM, entries="1", fps_mode="SET")
    oni(fps_mode=mode)
    assert rate() == pytest.approx(second)


def test_both_go_out_as_they_came(oni: Any, fetch: Any, part: Callable[[str], ModuleType], tmp_path: Path) -> None:
    fetch(ANM, entries="1", fps_mode="SET")
    obj = oni().armatures[0]
    bpy.context.view_layer.objects.active = obj
    module, target = part("io.oni"), tmp_path / "walk.oni"
    module.export_oni(bpy.context, module.ExportOptions(str(target)))
    assert target.read_bytes() == Path(TRAM).read_bytes()
