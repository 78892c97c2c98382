"""What the dialogs of Little Big Adventure begin with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy as blender
import pytest
from support.blender_layout import Layout

bpy: Any = blender
SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@pytest.mark.parametrize("name", ["role", "wear"])
def test_who_uses_it_begins_with_the_character_itself(part: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Not with character 0, whose list would be changed by whoever overlooks the number."""
    users = part("operators.lba.users")
    shown: list[int] = []
    monkeypatch.setattr(users, "ask", lambda operator, *_, **__: shown.append(operator.entity))
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / "lba2/ANIM.HQR"), entities="0") == {"FINISHED"}
    obj = bpy.context.view_layer.objects.active
    assert obj.data["lba_entity"] == 0
    for own, number in ((7, 7), (-1, 0), ("spoilt", 0)):
        obj.data["lba_entity"] = own
        operator = SimpleNamespace(entity=3, fill=lambda _new: None)
        getattr(users, f"RETRO_ANIM_OT_lba_{name}").invoke(operator, bpy.context, None)
        assert shown.pop() == number


@pytest.mark.parametrize("in_window", [True, False])
def test_a_body_that_was_made_comes_into_view_with_its_source(part: Any, monkeypatch: pytest.MonkeyPatch, in_window: bool) -> None:
    """Beside which it stands; a script's view stays."""
    framed: list[str] = []
    monkeypatch.setattr(part("operators.shared.framing"), "frame", lambda _context, objects: framed.extend(obj.name for obj in objects))
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / "lba2/ANIM.HQR"), entities="0") == {"FINISHED"}
    obj = bpy.context.view_layer.objects.active
    kind, takes = part("operators.lba.character").RETRO_ANIM_OT_lba_make, part("core.lba.game").MakeOptions
    names = [name for group in part("operators.shared.declared").groups(takes).values() for name in group]
    options = {name: getattr(takes(), name) for name in names} | {"game": "lba1"}
    operator = SimpleNamespace(row=kind.row, takes=takes, in_window=in_window, report=lambda *_: None, summary=str, **options)
    assert kind.execute(operator, bpy.context) == {"FINISHED"}
    built = [each.name for each in bpy.context.scene.objects if each.type == "ARMATURE" and each != obj]
    assert framed == ([obj.name, *built] if in_window else []) and len(built) == 1


def test_the_dialog_of_a_body_says_what_a_height_of_0_is(part: Any) -> None:
    kind, takes = part("operators.lba.character").RETRO_ANIM_OT_lba_make, part("core.lba.game").MakeOptions
    for height, says in ((0, True), (1240, False)):
        drawn: list[str] = []
        owner = SimpleNamespace(takes=takes, height=height, bl_rna=bpy.ops.retro_anim.lba_make.get_rna_type())
        kind.draw_option(owner, Layout(drawn), "height")
        assert ("0: it stays as high as it is" in drawn) is says and "height" in drawn


def test_the_panel_names_who_uses_a_clip(part: Any, tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "lba1", tmp_path / "lba1", copy_function=shutil.copyfile)
    names = {"entries": [{"description": "Mannequin of the shop"}]}
    (tmp_path / "lba1" / "FILE3D.HQR.json").write_text(json.dumps(names), encoding="utf-8")
    assert bpy.ops.import_anim.lba(filepath=str(tmp_path / "lba1" / "ANIM.HQR"), entities="0") == {"FINISHED"}
    drawn: list[str] = []
    panel = part("operators.lba.panel").LbaUsers
    panel.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
    assert " ".join(drawn).startswith("0 Mannequin of the shop: ")


def test_a_new_entry_is_called_as_in_the_list_of_clips(part: Any) -> None:
    """Beside its role there is no room for the whole name of an action, which ends with the character's."""
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / "lba2/ANIM.HQR"), entities="0") == {"FINISHED"}
    new = bpy.data.actions.new(f"jumping jacks on {bpy.context.object.name}")
    uses = [SimpleNamespace(action=name, role="") for name in (new.name, "gone")]
    said: list[str] = []

    class Fields(Layout):
        def prop(self, *_: Any, text: str = "", **__: Any) -> None:
            said.append(text)

    operator = SimpleNamespace(layout=Fields([]), clips=uses, draw_entity=lambda _layout: None)
    part("operators.lba.users").RETRO_ANIM_OT_lba_role.draw(operator, bpy.context)
    assert said == ["jumping jacks", "gone"]
