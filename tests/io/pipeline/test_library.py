"""Actions as assets: with the pose of their middle as a picture, in catalogues that other files share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender
import numpy as np
import pytest
from support.sample_files import CLIPS, SAMPLES

bpy: Any = blender
OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


def picture(action: Any) -> Any:
    """(H, W, 4) as Blender has it: the bottom row first."""
    preview = action.preview
    width, height = preview.image_size
    return np.array(preview.image_pixels[:], np.int64).astype(np.int32).view(np.uint8).reshape(height, width, 4)


@pytest.mark.parametrize("game", CLIPS)
def test_at_import(game: str) -> None:
    getattr(OPS.import_anim, game)(filepath=str(SAMPLES / CLIPS[game]), assets=True)
    scene, obj = bpy.context.scene, bpy.context.view_layer.objects.active
    action = obj.animation_data.action
    assert action.asset_data is not None and action.asset_data.catalog_id
    assert (picture(action)[..., 3] > 128).mean() > (0.02 if obj.children else 0.005)  # without a mesh its bones are drawn, as lines
    assert scene.frame_current == min(scene.frame_preview_start, round(action.curve_frame_range[0]))


@pytest.mark.parametrize(
    ("game", "path", "options", "use"),
    [("oni2", "oni2/Entity/mannequin/Entity.type", {}, "WALK"), ("lba", "lba1/FILE3D.HQR", {"entities": "0"}, "walk")],
)
def test_the_description_says_what_the_game_uses_it_for(game: str, path: str, options: dict[str, str], use: str) -> None:
    getattr(OPS.import_anim, game)(filepath=str(SAMPLES / path), assets=True, **options)
    assert use in [action.asset_data.description for action in bpy.data.actions]


def test_the_picture_is_of_the_pose(part: Part) -> None:
    """Where the walk's middle is mirrored the picture is another one; it does not matter where the object stands."""
    OPS.import_anim.lba(filepath=str(SAMPLES / "lba1/walk.anm"))
    obj = bpy.context.view_layer.objects.active
    action = obj.animation_data.action
    portraits = part("io.blender.surface.portrait").Portraits(bpy.context, obj, 64, np.array([0.0, -1, 0]))
    first, other, again = (portraits.draw(action, frame).astype(int) for frame in (6, 26, 6))
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 50
    obj.delta_location.x += 100.0
    assert np.abs(portraits.draw(action, 6).astype(int) - first).mean() < 0.5


def test_catalogues_beside_the_file(part: Part, tmp_path: Path) -> None:
    """What is in the list already stays, and another run adds nothing twice."""
    listed = tmp_path / "blender_assets.cats.txt"
    listed.write_text("# mine\nVERSION 1\n\n00000000-0000-0000-0000-000000000001:Mine:Mine")
    OPS.import_anim.lba(filepath=str(SAMPLES / "lba1/walk.anm"))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    for _ in range(2):
        assert OPS.retro_anim.mark_assets() == {"FINISHED"}
    lines = listed.read_text().splitlines()
    assert lines[:4] == ["# mine", "VERSION 1", "", "00000000-0000-0000-0000-000000000001:Mine:Mine"]
    paths = {line.split(":")[1]: line.split(":")[0] for line in lines[4:]}
    name = bpy.context.view_layer.objects.active.name
    game = "Little Big Adventure 1 and 2"
    assert list(paths) == [game, f"{game}/{name}", f"{game}/{name}/Loops"]
    action = bpy.context.view_layer.objects.active.animation_data.action
    assert action.asset_data.catalog_id == paths[f"{game}/{name}/Loops"]
    bpy.ops.wm.read_homefile(use_empty=True)


def test_catalogues_of_what_was_marked_before_saving(tmp_path: Path) -> None:
    """Also where the .blend is saved elsewhere afterwards; not for a copy, nor for what is no asset any more or stands in another one."""
    listed = "blender_assets.cats.txt"
    for game in ("lba", "oni"):
        getattr(OPS.import_anim, game)(filepath=str(SAMPLES / CLIPS[game]), assets=True)
    kept, other = bpy.data.actions
    for name, actions in (("first", (kept, other)), ("second", (kept,)), ("third", ())):
        (tmp_path / name).mkdir()
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / name / "copy.blend"), copy=True)
        assert not (tmp_path / name / listed).exists()
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / name / "own.blend"))
        written = (tmp_path / name / listed).read_text() if (tmp_path / name / listed).exists() else ""
        for action in (kept, other):
            known = action.asset_data is not None and f"{action.asset_data.catalog_id}:" in written
            assert known == (action in actions), (name, action.name)
        if other.asset_data is not None:
            other.asset_clear()
        else:
            kept.asset_data.catalog_id = "00000000-0000-0000-0000-000000000001"
    bpy.ops.wm.read_homefile(use_empty=True)


def test_nothing_to_mark() -> None:
    bpy.context.view_layer.objects.active = None
    with pytest.raises(RuntimeError, match="no clip to mark"):
        OPS.retro_anim.mark_assets(source="ALL")


def test_why_no_clip_is_marked(tmp_path: Path) -> None:
    OPS.import_anim.lba(filepath=str(SAMPLES / "lba1/walk.anm"))
    obj = bpy.context.view_layer.objects.active
    obj.animation_data.action.retro_anim_ticked = False
    with pytest.raises(RuntimeError, match="none is ticked"):
        OPS.retro_anim.mark_assets(source="TICKED")
    path, name = str(tmp_path / "clip.blend"), obj.name
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (there, wanted):
        assert name in there.objects
        wanted.objects = [name]
    (linked,) = wanted.objects
    bpy.context.scene.collection.objects.link(linked)
    bpy.context.view_layer.objects.active = linked
    with pytest.raises(RuntimeError, match=f"those of {linked.name} are linked: mark them in the file that they are in"):
        OPS.retro_anim.mark_assets(source="ALL")


def test_an_asset_on_another_character_of_its_kind(part: Part, tmp_path: Path) -> None:
    """A clip of the library becomes one of the active character's, and is shown; one for other bones leaves nothing behind."""
    for path in ("lba1/walk.anm", "oni/TRAMmannequin_walk.oni"):
        bpy.ops.wm.read_homefile(use_empty=True)
        getattr(OPS.import_anim, path.split("/")[0].rstrip("1"))(filepath=str(SAMPLES / path), assets=True)
        (action,) = bpy.data.actions
        action.name = f"{Path(path).stem} of the library"
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / f"{Path(path).stem}.blend"), copy=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    OPS.import_anim.lba(filepath=str(SAMPLES / "lba1/FILE3D.HQR"), entities="0")
    obj, before = bpy.context.view_layer.objects.active, len(bpy.data.actions)
    own = part("operators.clips").clips_of
    assert OPS.retro_anim.use_asset(name="walk of the library", filepath=str(tmp_path / "walk.blend")) == {"FINISHED"}
    action = obj.animation_data.action
    assert action.name == "walk of the library" and action.asset_data is None and len(own(obj)) == before + 1
    with pytest.raises(RuntimeError, match="moves no bone of"):
        OPS.retro_anim.use_asset(name="TRAMmannequin_walk of the library", filepath=str(tmp_path / "TRAMmannequin_walk.blend"))
    with pytest.raises(RuntimeError, match="no action nobody in it"):
        OPS.retro_anim.use_asset(name="nobody", filepath=str(tmp_path / "walk.blend"))
    with pytest.raises(RuntimeError, match=r"there\.blend"):
        OPS.retro_anim.use_asset(name="walk", filepath=str(tmp_path / "there.blend"))
    assert len(bpy.data.actions) == before + 1 and obj.animation_data.action == action
