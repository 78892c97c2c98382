"""What our data-blocks remember does not stand in the way of Blender's own exporters, and is read from older files as well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]


def blocks() -> list[Any]:
    """All that can have custom properties."""
    values: list[Any] = []
    for kind in ("objects", "armatures", "meshes", "cameras", "materials", "images", "actions", "texts", "scenes"):
        values += getattr(bpy.data, kind)
    for armature in bpy.data.armatures:
        values += armature.bones
    for obj in bpy.data.objects:
        values += obj.pose.bones if obj.pose else ()
    return values


def vectors_of_no_floats() -> list[tuple[str, str]]:
    """Properties that the FBX exporter would take for a vector, and fail on."""
    values: list[tuple[str, str]] = []
    for block in blocks():
        for name, value in block.items():
            numbers = value.to_list() if hasattr(value, "to_list") else value if isinstance(value, list) else []
            if len(numbers) == 3 and not all(isinstance(number, float) for number in numbers):
                values.append((block.name, name))
    return values


def to_fbx(folder: Path) -> Path:
    bpy.ops.preferences.addon_enable(module="io_scene_fbx")
    target = folder / "all.fbx"
    bpy.ops.export_scene.fbx(filepath=str(target), use_custom_props=True, bake_anim=False)
    return target


SKELETON = """version: 101
NumBones 2
bone "root" {
  offset 0 1 0
  rotmin -1 0 1
  rotmax 1 2 3
  DOF 6 transx transy transz rotx roty rotz
  bone "tip" { offset 0 0 1 DOF 3 rotx roty rotz }
}
"""


@pytest.fixture
def characters(part: Part, game_file: Callable[[str], Path], tmp_path: Path) -> dict[str, Callable[[], Any]]:
    """Brings in a character of each game."""

    def fetch(game: str, paths: tuple[Path | str, ...], **options: Any) -> Any:
        module = part(f"io.{game}")
        return getattr(module, f"import_{game}")(bpy.context, module.ImportOptions(tuple(map(str, paths)), **options))

    text = tmp_path / "made.skel"
    text.write_text(SKELETON)
    return {
        "lba1": lambda: fetch("lba", (game_file("lba1/ANIM.HQR"),), entries="0-4", skeleton=f"{game_file('lba1/BODY.HQR')}#0"),
        "lba2": lambda: fetch("lba", (game_file("lba2/RESS.HQR").with_name("ANIM.HQR"),), entities="0"),
        "mindpower": lambda: fetch("mindpower", (game_file("mindpower/animation/0088.lab"),)),
        "oni": lambda: fetch("oni", (game_file("oni/instances/TRBSTESTbody.oni"), game_file("oni/instances/TRAMTESTrandom.oni"))),
        "oni2": lambda: fetch("oni2", (text,)),
    }


@pytest.mark.parametrize("game", ["lba1", "lba2", "mindpower", "oni", "oni2"])
def test_characters_go_to_fbx_with_their_properties(characters: Any, game: str, tmp_path: Path) -> None:
    assert characters[game]().armatures
    assert vectors_of_no_floats() == []
    assert to_fbx(tmp_path).stat().st_size > 1000


def test_lists_of_three_bones_go_to_fbx(part: Part, tmp_path: Path) -> None:
    """On an object, where the exporter surely writes them."""
    data = bpy.data.armatures.new("rig")
    obj = bpy.data.objects.new("rig", data)
    bpy.context.collection.objects.link(obj)
    obj["bones"] = part("io.blender.fields").numbers([1, 2, 3])
    assert to_fbx(tmp_path).stat().st_size > 1000
    assert part("io.blender.fields").whole(obj["bones"]) == [1, 2, 3]


def test_what_older_files_hold_is_read(part: Part) -> None:
    whole, block = part("io.blender.fields").whole, bpy.data.objects.new("block", None)
    block["whole"], block["broken"], block["text"], block["none"] = [1, -2, 3], [1.5, 2.0, 3.0], "abc", [float("nan")] * 3
    assert whole(block["whole"]) == [1, -2, 3]
    assert [whole(block[name]) for name in ("broken", "text", "none")] == [None] * 3


def test_first_words_of_older_files(characters: Any, part: Part) -> None:
    """Whole numbers, as they were kept once, give the same file as floats."""
    imported = characters["lba1"]()
    export, (obj,) = part("io.lba.pack"), imported.armatures
    for action in imported.actions:
        now = export.pack_action(bpy.context, obj, action, export.ExportOptions("")).data
        for name in ("lba_first_step", "lba_first_turn"):
            action[name] = [int(value) for value in action[name]]
        assert export.pack_action(bpy.context, obj, action, export.ExportOptions("")).data == now
