"""The side panel of retargeting draws with what Blender really has: properties, operators and their options, lists and icons."""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from support import blender_rigs as rigs
from support.blender_layout import Layout

OPS: Any = bpy.ops
TYPES: Any = bpy.types


@pytest.mark.parametrize("state", ["empty", "mapped", "chosen", "done"])
def test_panels_draw(part: Any, state: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part("operators.retarget.bone_map"), "folder", lambda: tmp_path)
    settings: Any = bpy.context.scene.retro_anim_retarget
    if state != "empty":
        rigs.dance(part, rigs.build("hero", names=rigs.MIXAMO))
        rigs.build("mannequin", names={role: name for role, name in rigs.UNREAL.items() if role != "upperChest"})
        OPS.retro_anim.retarget_map(source="hero", target="mannequin")
        settings.pairs[0].note = "doubtful; a second reason"
    if state == "chosen":
        settings.actions_from, settings.align, settings.feet = "CHOSEN", "POSE", True
        OPS.retro_anim.retarget_list()
        settings.choices[0].chosen = True
        OPS.retro_anim.retarget_map_add()
    if state == "done":
        OPS.retro_anim.retarget()
    drawn: list[str] = []
    for name in ("", "_map", "_options", "_report"):
        panel: Any = getattr(TYPES, f"VIEW3D_PT_retro_anim_retarget{name}")
        if not hasattr(panel, "poll") or panel.poll(bpy.context):

            class Self:
                layout = Layout(drawn)

            panel.draw(Self, bpy.context)
    assert "retro_anim.retarget" in drawn
    assert ("retro_anim.retarget_report" in drawn) == (state == "done")
    assert ("a second reason" in drawn) == (state in ("mapped", "done"))
    if state == "chosen":
        assert {"source_pose", "target_pose", "hips_down", "chosen"} <= set(drawn)


def test_the_table_can_be_narrowed(part: Any) -> None:
    settings: Any = bpy.context.scene.retro_anim_retarget
    for number in range(3):
        line = settings.pairs.add()
        line.name = line.source = line.target = f"bone {number}"
        line.note = "why" if number == 1 else ""
    kind: Any = TYPES.RETRO_ANIM_UL_pairs

    class Self:
        filter_name, bitflag_filter_item = "", 1

    assert kind.filter_items(Self, bpy.context, settings, "pairs") == ([1, 1, 1], [])
    settings.only_doubtful = True
    settings.pairs[1].note = "why"
    assert kind.filter_items(Self, bpy.context, settings, "pairs")[0] == [0, 1, 0]
