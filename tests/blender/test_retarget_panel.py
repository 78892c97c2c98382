"""The side panel of retargeting draws with what Blender really has: properties, operators and their options, lists and icons."""

from __future__ import annotations

from typing import Any

import blender_rigs as rigs
import bpy
import pytest

OPS: Any = bpy.ops
TYPES: Any = bpy.types
PARAMETERS: Any = TYPES.UILayout.bl_rna.functions["prop"].parameters
ICONS = set(PARAMETERS["icon"].enum_items.keys())


class Options:
    """The options of an operator's button; only those that the operator has can be set."""

    known: set[str]

    def __init__(self, operator: Any) -> None:
        object.__setattr__(self, "known", set(operator.get_rna_type().properties.keys()))

    def __setattr__(self, name: str, value: Any) -> None:
        assert name in self.known, name


class Layout:
    """Takes what a panel draws, and complains of what Blender would."""

    drawn: list[str]

    def __init__(self, drawn: list[str]) -> None:
        object.__setattr__(self, "drawn", drawn)

    def __setattr__(self, name: str, value: Any) -> None:
        assert name in TYPES.UILayout.bl_rna.properties, name

    def _inner(self, *_: Any, **__: Any) -> Layout:
        return Layout(self.drawn)

    row = column = split = box = _inner

    def panel(self, name: str, **_: Any) -> tuple[Layout, Layout]:
        return Layout(self.drawn), Layout(self.drawn)

    def label(self, text: str = "", icon: str = "NONE") -> None:
        assert icon in ICONS, icon
        self.drawn.append(text)

    def prop(self, data: Any, name: str, text: str = "", icon: str = "NONE", **_: Any) -> None:
        assert name in data.bl_rna.properties, name
        assert icon in ICONS, icon
        self.drawn.append(name)

    def prop_search(self, data: Any, name: str, searched: Any, list_name: str, **_: Any) -> None:
        assert name in data.bl_rna.properties, name
        assert list_name in searched.bl_rna.properties, list_name
        self.drawn.append(name)

    def template_list(self, kind: str, name: str, data: Any, items: str, active: Any, index: str, **_: Any) -> None:
        assert {items, index} <= set(data.bl_rna.properties.keys())
        shown = getattr(TYPES, kind)
        for item in getattr(data, items):
            shown.draw_item(None, bpy.context, Layout(self.drawn), data, item, 0, active, index)

    def operator(self, name: str, text: str = "", icon: str = "NONE") -> Options:
        assert icon in ICONS, icon
        category, _, short = name.partition(".")
        self.drawn.append(name)
        return Options(getattr(getattr(OPS, category), short))


@pytest.mark.parametrize("state", ["empty", "mapped", "chosen", "done"])
def test_panels_draw(part: Any, state: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part("operators.retarget_map"), "folder", lambda: tmp_path)
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
