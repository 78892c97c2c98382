"""A panel drawn from a table of fields."""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from support.blender_layout import Layout

DATA: Any = bpy.data


@pytest.fixture
def action() -> Any:
    action = DATA.actions.new("walk")
    action["retro_anim_game"] = "lba"
    return action


def test_what_a_block_has_is_drawn_and_nothing_else(part: Any, action: Any) -> None:
    table = part("core.lba.fields").ACTION_FIELDS
    action["lba_game"], action["lba_loop_frame"], action["lba_first_step"], action["lba_bone_count"] = "lba2", 3, [1.0, 2.0, 3.0], 12
    drawn: list[str] = []
    part("operators.shared.fields").draw(Layout(drawn), action, table)
    assert drawn == ["Game: Little Big Adventure 2", '["lba_loop_frame"]', "Groups: 12", *['["lba_first_step"]'] * 3]


def test_text_of_a_value(part: Any) -> None:
    fields, declared = part("operators.shared.fields"), part("core.declare.fields")
    assert fields.text(declared.Field("end", "End", none=65535), 65535) == "None"
    assert fields.text(declared.Field("end", "End", none=65535), 4) == "4"
    assert fields.text(declared.Field("at", "Range", "integers", size=2), [3, 70]) == "3, 70"


def test_a_game_s_panel_is_for_its_own_blocks(part: Any, action: Any) -> None:
    games, panel = part("core.games").GAMES, part("operators.shared.panel")
    armature = DATA.objects.new("someone", DATA.armatures.new("someone"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    kinds = {name: type(name, (panel.GamePanel,), {"game": game}) for name, game in games.items()}
    assert not any(kind.poll(bpy.context) for kind in kinds.values())
    armature.animation_data_create().action = action
    assert [name for name, kind in kinds.items() if kind.poll(bpy.context)] == ["lba"]
    action["lba_loop_frame"] = 0
    drawn: list[str] = []
    shown = kinds["lba"]()
    shown.layout = Layout(drawn)
    shown.draw(bpy.context)
    assert drawn == ["The source file is not kept", '["lba_loop_frame"]']
    action["retro_anim_game"] = "oni"
    drawn.clear()
    shown.draw(bpy.context)
    assert drawn == []
