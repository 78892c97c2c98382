"""A panel drawn from a table of fields."""

from __future__ import annotations

from typing import Any

import bpy
import pytest
from support.blender_layout import Layout

DATA: Any = bpy.data
OPS: Any = bpy.ops
CONTEXT: Any = bpy.context


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
    step = [line for axis in "XYZ" for line in (axis, '["lba_first_step"]')]
    always = ["Game: Little Big Adventure 2", "Loop From", '["lba_loop_frame"]']
    assert drawn == [*always, "Header", "Groups: 12", "First Keyframe", "Step (game units)", *step]


def test_flags_of_a_line_are_named(part: Any) -> None:
    """An attack's bones are 19 buttons: each has its name, and room for it beside one other."""
    attack = DATA.actions.new("punch").oni_tram.attacks.add()
    table = [item for item in part("core.oni.fields").TRAM_LISTS["attacks"] if item.kind == "flags"]
    drawn: list[str] = []
    part("operators.shared.fields").draw_line(Layout(drawn), attack, table)
    assert drawn == [text for item in table for text in (item.label, *(choice.id for choice in item.choices))]


def test_text_of_a_value(part: Any) -> None:
    fields, declared = part("operators.shared.fields"), part("core.declare.fields")
    assert fields.text(declared.Field("end", "End", none=65535), 65535) == "None"
    assert fields.text(declared.Field("end", "End", none=65535), 4) == "4"
    assert fields.text(declared.Field("at", "Range", "integers", size=2), [3, 70]) == "3, 70"


def test_six_numbers_have_names_of_their_own(part: Any) -> None:
    armature: Any = DATA.armatures.new("someone")
    armature["lba_box"] = [-1.0, 1.0, -2.0, 2.0, -3.0, 3.0]
    drawn: list[str] = []
    part("operators.shared.fields").draw(Layout(drawn), armature, part("core.lba.fields").ARMATURE_FIELDS)
    names = ["Min X", "Max X", "Min Y", "Max Y", "Min Z", "Max Z"]
    assert drawn == ["Collision Box", "Limits", *(line for name in names for line in (name, '["lba_box"]'))]
    armature["lba_box"] = "nonsense"
    drawn.clear()
    part("operators.shared.fields").draw(Layout(drawn), armature, part("core.lba.fields").ARMATURE_FIELDS)
    assert drawn == ["Collision Box", "Limits", '["lba_box"]']


def test_a_tick_for_none(addon: Any, part: Any) -> None:
    """Of a property group and of a custom property: with none there is no number beside the tick."""
    fields, declared = part("operators.shared.fields"), part("core.declare.fields")
    action = DATA.actions.new("walk")
    group, item = action.oni_tram, next(item for item in part("core.oni.fields").TRAM_FIELDS if item.name == "vocalization")
    owners = ((group, item, 65535, 0), (action, declared.Field("loop", "Loop", minimum=0, none=0), 0, 1))
    for owner, field, none, first in owners:
        if owner is action:
            action["loop"] = 0
        else:
            group.vocalization = none
        for is_none, value in ((True, first), (False, none)):
            drawn: list[str] = []
            fields.draw_line(Layout(drawn), owner, (field,))
            assert (len(drawn) == 2) is is_none, drawn
            with CONTEXT.temp_override(retro_anim_owner=owner):
                assert OPS.retro_anim.no_value(field=field.name, value=value) == {"FINISHED"}
            assert (owner.vocalization if owner is group else owner["loop"]) == value


def test_every_field_of_a_panel_has_a_tooltip_and_no_two_the_same_label(part: Any) -> None:
    """Side by side, in one part of a panel."""
    for game in part("core.games").GAMES.values():
        for name, table in game.fields.items():
            labels = [(item.group, item.short or item.label) for item in table]
            assert len(set(labels)) == len(labels), (game.id, name)
            assert all(len(item.short or item.label) <= 15 for item in table if item.editable), (game.id, name)
            assert all(item.help for item in table if item.editable), (game.id, name)


def test_a_custom_property_has_the_tooltip_and_the_limits_of_its_field(part: Any) -> None:
    action = DATA.actions.new("walk")
    part("io.blender.fields").fill(action, part("core.lba.fields").ACTION_FIELDS, {"loop_frame": 3, "first_duration": 200, "roles": "walk"})
    shown = action.id_properties_ui("lba_loop_frame").as_dict()
    assert (shown["min"], shown["max"], shown["description"]) == (0, 65535, "Keyframe at which the animation starts again")
    assert action.id_properties_ui("lba_first_duration").as_dict()["description"].endswith("In game time units")
    assert action.id_properties_ui("lba_roles").as_dict()["description"].startswith("What the character uses the animation for")


def test_a_game_s_panel_is_for_its_own_blocks(part: Any, action: Any) -> None:
    games, panel = part("core.games").GAMES, part("operators.shared.parts")
    armature = DATA.objects.new("someone", DATA.armatures.new("someone"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    kinds = {name: type(name, (panel.GamePart,), {"game": game}) for name, game in games.items()}
    assert not any(kind.poll(bpy.context) for kind in kinds.values())
    armature.animation_data_create().action = action
    assert [name for name, kind in kinds.items() if kind.poll(bpy.context)] == ["lba"]
    action["lba_loop_frame"] = 0
    drawn: list[str] = []
    shown = kinds["lba"]()
    shown.layout = Layout(drawn)
    shown.draw(bpy.context)
    assert drawn == ["Made in Blender", "Loop From", '["lba_loop_frame"]']
    action["retro_anim_game"] = "oni"
    drawn.clear()
    shown.draw(bpy.context)
    assert drawn == []


@pytest.mark.parametrize(
    ("operator", "number"), [("lba_save", "entity"), ("lba_save", "like"), ("lba_role", "entity"), ("lba_wear", "like")]
)
def test_a_tick_for_no_number_of_a_dialog(addon: Any, part: Any, operator: str, number: str) -> None:
    """A person does not see the -1 that scripts give; the tick and the number follow each other."""
    draw = part("operators.shared.declared").draw_or_none
    given = CONTEXT.window_manager.operator_properties_last(f"retro_anim.{operator}")
    setattr(given, number, -1)
    drawn: list[str] = []
    draw(Layout(drawn), given, number)
    assert drawn == [f"{number}_none"] and getattr(given, f"{number}_none")
    setattr(given, f"{number}_none", False)
    assert getattr(given, number) == 0
    setattr(given, number, 7)
    drawn.clear()
    draw(Layout(drawn), given, number)
    assert drawn == [f"{number}_none", number] and not getattr(given, f"{number}_none")
    texts: list[Any] = []

    class Named(Layout):
        def prop(self, data: Any, name: str, **how: Any) -> None:
            texts.append((name, how.get("text")))

        def row(self, **_: Any) -> Any:
            return self

    draw(Named(drawn), given, number)
    assert texts == [(f"{number}_none", None), (number, "")], "the tick has its own label"
    setattr(given, f"{number}_none", True)
    assert getattr(given, number) == -1


def test_the_dialog_of_a_saved_character_shows_ticks(addon: Any, part: Any) -> None:
    kind, drawn = part("operators.lba.character").RETRO_ANIM_OT_lba_save, list[str]()
    given = CONTEXT.window_manager.operator_properties_last(kind.bl_idname)
    given.entity = given.like = -1
    for name in part("operators.shared.declared").properties(kind.takes):
        part("operators.shared.declared").draw(Layout(drawn), given, kind.takes, name)
    assert drawn == ["folder", "entity_none", "like_none", "sampling", "reduction", "normals", "palette", "overwrite"]


@pytest.mark.parametrize("narrow", [True, False])
def test_in_a_narrow_panel_a_field_is_below_its_label(part: Any, narrow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of 110 pixels shows neither a label nor a name; a number of a vector has its letter inside."""
    layout, declared, fields = part("operators.shared.layout"), part("core.declare.fields"), part("operators.shared.fields")
    monkeypatch.setattr(layout, "width_of", lambda _region: 130 if narrow else 280)
    action = DATA.actions.new("walk")
    action["loop"], action["delta"] = 1, [0.0, 1.0, 2.0]
    halves: list[float] = []
    inside: list[str] = []

    class Field(Layout):
        def split(self, factor: float = 0, **_: Any) -> Any:
            halves.append(factor)
            return self

        def column(self, **_: Any) -> Any:
            return self

        row = column

        def prop(self, data: Any, name: str, text: str = "", icon: str = "NONE", **_: Any) -> None:
            inside.append(text)
            super().prop(data, name, text, icon)

    drawn: list[str] = []
    fields.draw_line(Field(drawn), action, (declared.Field("loop", "Loop", minimum=0),))
    fields.draw_components(Field(drawn), action, '["delta"]', "Delta", "XYZ")
    assert drawn[:3] == ["Loop", '["loop"]', "Delta"]
    assert (inside, halves) == (["", "X", "Y", "Z"], []) if narrow else (["", "", "", ""], [0.5] * 4)
