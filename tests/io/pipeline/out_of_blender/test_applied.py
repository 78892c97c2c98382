"""An armature whose object was rotated, scaled or moved, and that applied; and bones that were moved in Edit Mode."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import bpy
import pytest
from mathutils import Vector

OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parent.parent.parent.parent.parent / "samples"
FILES = {
    "lba": ("lba1/walk.anm", ".anm"),
    "oni": ("oni/TRAMmannequin_walk.oni", ".oni"),
    "oni2": ("oni2/RB.DAT", ".anim"),
}


class Stage:
    def __init__(self, part: Any, folder: Path, game: str) -> None:
        sample, self.extension = FILES[game]
        self.row, self.games, self.log, self.folder = (
            part("core.games").GAMES[game],
            part("io.pipeline.games"),
            part("core.reporting.log"),
            folder,
        )
        options = {"entries": "*walk*.anim"} if game == "oni2" else {}
        self.obj = self.games.import_(bpy.context, self.row, [str(SAMPLES / sample)], options).armatures[0]
        bpy.context.view_layer.objects.active = self.obj
        for obj in bpy.context.scene.objects:
            obj.select_set(obj == self.obj)

    def export(self, name: str) -> tuple[bytes, list[str]]:
        target = self.folder / f"{name}{self.extension}"
        with self.log.collect() as said:
            self.games.export(bpy.context, self.row, str(target), {})
        return target.read_bytes(), said.digest("WARNING")


@pytest.fixture(params=FILES)
def stage(part: Any, tmp_path: Path, request: Any) -> Stage:
    return Stage(part, tmp_path, request.param)


@pytest.mark.parametrize(
    "what, value, expected",
    [
        ("rotation", (0.0, 0.0, 0.9), "rotation of 51.57 degrees, mostly about Z"),
        ("rotation", (1.5707963, 0.0, 0.0), "rotation of 90 degrees, mostly about X"),
        ("scale", (2.0, 2.0, 2.0), "scale of 2"),
    ],
)
def test_what_was_applied_is_refused_with_the_remedy(part: Any, stage: Stage, what: str, value: Any, expected: str) -> None:
    before, said = stage.export("before")
    assert not any("applied" in line for line in said)
    stage.obj.animation_data.action = None
    action = next(iter(bpy.data.actions))
    stage.obj.rotation_mode = "XYZ"
    setattr(stage.obj, {"rotation": "rotation_euler", "scale": "scale"}[what], value)
    OPS.object.transform_apply(location=False, rotation=what == "rotation", scale=what == "scale")
    part("io.blender.compat").assign(stage.obj, action)
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=f"{expected}.* was applied to its bones"):
        stage.export("after")
    inverse = {"rotation": tuple(-angle for angle in value), "scale": (0.5, 0.5, 0.5)}[what]
    stage.obj.animation_data.action = None
    stage.obj.rotation_mode = "XYZ"
    stage.obj.rotation_euler, stage.obj.scale, stage.obj.location = (0, 0, 0), (1, 1, 1), (0, 0, 0)
    setattr(stage.obj, {"rotation": "rotation_euler", "scale": "scale"}[what], inverse)
    OPS.object.transform_apply(location=False, rotation=what == "rotation", scale=what == "scale")
    part("io.blender.compat").assign(stage.obj, action)
    after, said = stage.export("again")
    assert len(after) == len(before) and not any("applied" in line for line in said)


def test_a_bone_that_was_moved_is_named(part: Any, tmp_path: Path) -> None:
    """Of a game whose animations leave the skeleton to the body."""
    stage = Stage(part, tmp_path, "lba")
    before, said = stage.export("before")
    assert not said
    OPS.object.mode_set(mode="EDIT")
    bone: Any = stage.obj.data.edit_bones["group 03"]
    bone.head.x += 0.25
    bone.tail.x += 0.25
    OPS.object.mode_set(mode="OBJECT")
    after, said = stage.export("after")
    (line,) = [line for line in said if "at rest since the import" in line]
    assert "group 03 by 250 units" in line and "Edit Mode" in line
    assert after == before


@pytest.mark.parametrize("game", ["lba", "oni"])
def test_a_copy_of_a_bone_came_in_nowhere(part: Any, tmp_path: Path, game: str) -> None:
    """Wherever it stands, as on the other side after Symmetrize; the bone that it is a copy of is moved, or hung elsewhere, by itself."""
    stage = Stage(part, tmp_path, game)
    before, _ = stage.export("before")
    name = next(bone.name for bone in reversed(stage.obj.data.bones) if bone.parent and bone.parent.parent)
    OPS.object.mode_set(mode="EDIT")
    OPS.armature.select_all(action="DESELECT")
    bone: Any = stage.obj.data.edit_bones[name]
    root, bone.select, bone.select_head, bone.select_tail = stage.obj.data.edit_bones[0].name, True, True, True
    OPS.armature.duplicate()
    copy: Any = stage.obj.data.edit_bones[f"{name}.001"]
    copy.head.x += 0.25
    copy.tail.x += 0.25
    OPS.object.mode_set(mode="OBJECT")
    after, said = stage.export("after")
    assert after == before and not any("at rest since the import" in line or "hung on" in line for line in said)
    OPS.object.mode_set(mode="EDIT")
    stage.obj.data.edit_bones[name].parent = stage.obj.data.edit_bones[root]
    OPS.object.mode_set(mode="OBJECT")
    (line,) = [line for line in stage.export("hung")[1] if "hung on" in line]
    assert f"{name} hung on " in line


@pytest.mark.parametrize("game", ["lba", "oni"])
def test_a_renamed_bone_is_the_games_and_no_copy_of_it(part: Any, tmp_path: Path, game: str) -> None:
    """As with Symmetrize, for which it needs a name with a side: the other side stands first among the bones, or behind."""
    stage = Stage(part, tmp_path, game)
    before, _ = stage.export("before")
    bone = next(bone for bone in reversed(stage.obj.data.bones) if bone.parent and bone.parent.parent and abs(bone.head_local.x) > 0.01)
    bone.name = "part.L"
    OPS.object.mode_set(mode="EDIT")
    OPS.armature.select_all(action="DESELECT")
    edited: Any = stage.obj.data.edit_bones["part.L"]
    edited.select = edited.select_head = edited.select_tail = True
    OPS.armature.symmetrize()
    OPS.object.mode_set(mode="OBJECT")
    assert "part.R" in stage.obj.data.bones
    after, said = stage.export("after")
    assert after == before and said == []


def test_a_bone_that_no_clip_holds_is_named(part: Any, tmp_path: Path) -> None:
    """Of a game whose skeletons are files of their own."""
    stage = Stage(part, tmp_path, "oni2")
    OPS.object.mode_set(mode="EDIT")
    bone: Any = stage.obj.data.edit_bones[-1]
    name = bone.name
    bone.head.x += 0.25
    bone.tail.x += 0.25
    OPS.object.mode_set(mode="OBJECT")
    _, said = stage.export("after")
    (line,) = [line for line in said if "at rest since the import" in line]
    assert f"{name} by 0.25 units" in line and "export the skeleton, too (.skel)" in line and "Edit Mode" in line


@pytest.mark.parametrize("game, extension", [("lba", ".lm1"), ("oni", ".oni"), ("oni2", ".skel")])
def test_a_bone_that_was_moved_is_no_matter_once_a_file_holds_that(part: Any, tmp_path: Path, game: str, extension: str) -> None:
    """The body, or the skeleton; until the bone is moved once more. A dry run writes nothing."""
    stage = Stage(part, tmp_path, game)
    name = with_children(stage)

    def moved() -> bool:
        return any("at rest since the import" in line for line in stage.export("after")[1])

    def move() -> None:
        OPS.object.mode_set(mode="EDIT")
        bone: Any = stage.obj.data.edit_bones[name]
        bone.head.x += 0.125
        bone.tail.x += 0.125
        OPS.object.mode_set(mode="OBJECT")

    move()
    assert moved()
    target = str(tmp_path / f"own{extension}")
    if game == "oni2":
        stage.games.export(bpy.context, stage.row, target, {"dry_run": True})
        assert moved()
        stage.games.export(bpy.context, stage.row, target, {})
    else:
        part(f"io.{game}.bodies").export_body(bpy.context, stage.obj, part(f"core.{game}.game").BodyOptions(path=target))
    assert not moved()
    move()
    assert moved()


def test_another_rotation_of_the_object_is_no_matter(stage: Stage) -> None:
    before, _ = stage.export("before")
    stage.obj.delta_rotation_euler = (0.3, 0.2, 0.1)
    after, said = stage.export("after")
    assert after == before and not any("applied" in line for line in said)


def with_children(stage: Stage) -> str:
    """A bone that others hang on, none of them joined to its tail."""
    bones = [bone for bone in stage.obj.data.bones if bone.parent and bone.children]
    return next(bone.name for bone in bones if not any(child.use_connect for child in bone.children))


def test_a_tail_that_was_moved(part: Any, stage: Stage) -> None:
    """No joint is elsewhere, so none is named. Games with angles of their own axes refuse it with bone and remedy, the others write what
    is shown."""
    name = with_children(stage)
    OPS.object.mode_set(mode="EDIT")
    bone: Any = stage.obj.data.edit_bones[name]
    bone.tail += Vector((0.03, 0.01, 0))
    OPS.object.mode_set(mode="OBJECT")
    if stage.extension == ".oni":
        assert not any("at rest since the import" in line for line in stage.export("after")[1])
        return
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=f"{name} is not axis-aligned at rest.*Edit Mode"):
        stage.export("after")


@pytest.mark.parametrize("game", ["oni", "lba"])
def test_a_bone_that_is_gone_is_named(part: Any, tmp_path: Path, game: str) -> None:
    """The last of the game's: the others still have all numbers, and the file one bone too few. Oni reads as many as its body has, and no
    such file is written; Little Big Adventure plays what there is."""
    stage = Stage(part, tmp_path, game)
    assert not any("was deleted" in line for line in stage.export("before")[1])
    count = sum("retro_anim_bone" in bone for bone in stage.obj.data.bones)
    last = max(stage.obj.data.bones, key=lambda bone: bone["retro_anim_bone"]).name
    OPS.object.mode_set(mode="EDIT")
    bones: Any = stage.obj.data.edit_bones
    bones.remove(bones[last])
    OPS.object.mode_set(mode="OBJECT")
    said = rf"{stage.obj.name}: bone {count - 1} of the game's skeleton was deleted, .* does not fit its body: undo that in Edit Mode"
    if game == "oni":
        with pytest.raises(part("core.reporting.errors").ExportError, match=said):
            stage.export("after")
    else:
        assert any(re.search(said, line) for line in stage.export("after")[1])
