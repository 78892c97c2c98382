"""Random TRAMs with every block and of every size through Blender: the same bytes again, whatever way they came in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.oni.oni_trams import random_tram

Part = Callable[[str], ModuleType]
FRAMES = (1, 2, 3, 17, 255, 256, 257, 400)


@pytest.mark.parametrize("settings", [{}, {"keys": "EVERY", "root_motion": "OBJECT"}], ids=str)
def test_random_animations(part: Part, tmp_path: Path, settings: dict[str, Any]) -> None:
    oni, documents = part("io.oni"), part("core.oni.files.documents")
    written: dict[str, bytes] = {}
    for seed, frames in enumerate(FRAMES):
        document = documents.TramFile.new(random_tram(seed, frames))
        written[document.tram.name] = document.pack()
        (tmp_path / f"{document.tram.name}.oni").write_bytes(written[document.tram.name])
    paths = tuple(str(path) for path in sorted(tmp_path.iterdir()))
    built = oni.import_oni(bpy.context, oni.ImportOptions(paths, **settings))
    (obj,) = built.armatures
    assert len(built.actions) == len(FRAMES)
    saved = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    bpy.ops.wm.open_mainfile(filepath=saved)
    obj = bpy.context.view_layer.objects.active
    out = tmp_path / "out"
    out.mkdir()
    oni.export_oni(bpy.context, oni.ExportOptions(str(out / "all.oni"), source="ALL"))
    for name, data in written.items():
        assert (out / f"{name}.oni").read_bytes() == data, name
    assert obj is not None


def test_random_animations_stand_as_the_chain_says(part: Part, tmp_path: Path) -> None:
    """On our own body, between keys too, where turns are large: nlerp of the keys, slerp with one a frame."""
    oni, documents, posing = part("io.oni"), part("core.oni.files.documents"), part("core.oni.posing")
    body = part("core.oni.body.mannequin").mannequin()
    path = tmp_path / "TRAMtest3.oni"
    document = documents.TramFile.new(random_tram(3, 24))
    path.write_bytes(document.pack())
    for keys, interpolation in (("GAME", "nlerp"), ("EVERY", "slerp")):
        built = oni.import_oni(bpy.context, oni.ImportOptions((str(path),), keys=keys))
        wanted = posing.joints_at(document.tram, body, np.arange(24.0), interpolation).positions
        obj: Any = built.armatures[0]
        result = []
        for frame in range(24):
            bpy.context.scene.frame_set(1 + frame)
            bones = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
            result.append([tuple(bones[name].head) for name in body.names])
        heads = np.array(result) * 10
        assert np.abs(np.stack([heads[..., 0], heads[..., 2], -heads[..., 1]], axis=-1) - wanted).max() < 1e-4
        bpy.data.objects.remove(obj)


@pytest.mark.parametrize("rate", [24])
def test_a_key_a_frame_at_fewer_frames_a_second(part: Part, tmp_path: Path, rate: int) -> None:
    """Between the game's frames, too, where a bone rotates by more than half a circle in a frame of Blender: as near as keys may be."""
    oni, documents, posing = part("io.oni"), part("core.oni.files.documents"), part("core.oni.posing")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.render.fps = rate
    body = part("core.oni.body.mannequin").mannequin()
    path = tmp_path / "TRAMtest3.oni"
    document = documents.TramFile.new(random_tram(3, 24))
    path.write_bytes(document.pack())
    built = oni.import_oni(bpy.context, oni.ImportOptions((str(path),), keys="EVERY", fps_mode="KEEP"))
    times = np.arange(0, 23, 0.25)
    wanted = posing.joints_at(document.tram, body, times, "slerp").positions
    result = []
    for frame in (1 + times * rate / 60).tolist():
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
        bones = built.armatures[0].evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        result.append([tuple(bones[name].head) for name in body.names])
    heads = np.array(result) * 10
    assert np.abs(np.stack([heads[..., 0], heads[..., 2], -heads[..., 1]], axis=-1) - wanted).max() < 2e-3
