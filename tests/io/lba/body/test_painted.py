"""Pixels that were painted on a picture of an LBA2 body, which is drawn from the texture page in RESS.HQR: named with what writes them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"


def opened(folder: Path) -> tuple[Any, Any]:
    """The armature, and the picture of its body."""
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    OPS.import_anim.lba(filepath=str(folder / "RESS.HQR"), entities="0")
    obj = next(each for each in CONTEXT.scene.objects if each.type == "ARMATURE")
    CONTEXT.view_layer.objects.active = obj
    return obj, next(image for image in bpy.data.images if image.name.startswith("LBA2 texture "))


def reported(part: Part, obj: Any) -> list[str]:
    with part("core.reporting.log").collect() as said:
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    lines = said.digest("WARNING")
    row, path = part("core.games").GAMES["lba"], str(Path(bpy.app.tempdir, "out.anm"))
    exported = part("io.pipeline.games").export(bpy.context, row, path, {"source": "ALL", "dry_run": True})
    assert [line for line in lines if "painted" in line] == [f"{obj.name}: {line}" for line in exported.warnings if "painted" in line]
    return lines


def painted(image: Any) -> None:
    """All of it red, the same as somewhere in the game's palette or near it."""
    pixels = np.tile(np.array([0.8, 0.1, 0.1, 1.0], np.float32), image.size[0] * image.size[1])
    image.pixels.foreach_set(pixels)
    image.update()


def test_pixels_painted_on_a_picture(part: Part, tmp_path: Path) -> None:
    folder = tmp_path / "lba2"
    shutil.copytree(SAMPLES / "lba2", folder, copy_function=shutil.copyfile)
    obj, image = opened(folder)
    assert reported(part, obj) == []
    painted(image)
    (line,) = reported(part, obj)
    assert f"{image.name} was painted on, and the game draws it from its texture page: choose Texture Page, Open as an Image" in line
    image.reload()  # as it was packed
    assert reported(part, obj) == []

    painted(image)
    image.pack()  # as a .blend that is saved keeps it
    assert len(reported(part, obj)) == 1
    assert OPS.retro_anim.lba_page(how="OPEN") == {"FINISHED"}
    page = next(each for each in bpy.data.images if "lba_page" in each)
    painted(page)
    assert page.is_dirty
    assert OPS.retro_anim.lba_page(how="WRITE", image=page.name) == {"FINISHED"}
    assert not page.is_dirty
    obj, image = opened(folder)
    assert reported(part, obj) == []
    red, green, blue, alpha = np.array(image.pixels[:]).reshape(-1, 4).mean(axis=0)
    assert red > 2 * max(green, blue) and alpha == 1
