"""Undo and redo, fifty steps of each, over what the side panel and the browser do: nothing of it holds what undo has freed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy as blender
import pytest

bpy: Any = blender
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def shown() -> tuple[Any, ...]:
    """What a person sees of the scene: objects, clips with their keys, and the clip that is shown."""
    obj = bpy.context.view_layer.objects.active
    data = obj.animation_data if obj is not None else None
    actions = [(action.name, action.asset_data is not None, round(action.frame_range[1])) for action in bpy.data.actions]
    return (
        [each.name for each in bpy.context.scene.objects],
        actions,
        data.action.name if data is not None and data.action is not None else "",
        bpy.context.scene.frame_preview_end,
    )


def test_fifty_undos_and_redos(addon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(SAMPLES / "lba1" / "FILE3D.HQR")
    steps = [lambda: OPS.import_anim.lba_choose(filepath=path, entities="0", bone_names="KNOWN", ask=True)]
    steps += [lambda: OPS.retro_anim.clip_step(step=1)] * 15
    steps += [OPS.retro_anim.clip_duplicate, OPS.retro_anim.clip_new, OPS.retro_anim.clip_delete, OPS.retro_anim.preview_loop] * 4
    steps += [lambda: OPS.retro_anim.clip_step(step=-1), OPS.retro_anim.mark_assets] * 2
    steps += [lambda: OPS.retro_anim.clips_tick(all_clips=False), lambda: OPS.retro_anim.clips_tick(all_clips=True)] * 7
    assert len(steps) == 50
    monkeypatch.setattr(bpy.context.preferences.edit, "undo_steps", 64)  # Blender keeps 32 by itself
    bpy.ops.ed.undo_push(message="before")
    states = [shown()]
    for step in steps:
        assert step() == {"FINISHED"}
        bpy.ops.ed.undo_push(message="step")
        states.append(shown())
    for state in reversed(states[:-1]):
        bpy.ops.ed.undo()
        assert shown() == state
    for state in states[1:]:
        bpy.ops.ed.redo()
        assert shown() == state
    assert OPS.retro_anim.what_would_change(source="ALL") == {"FINISHED"}


@pytest.mark.parametrize("name", ["lba", "lba_choose"])
def test_adjust_last_operation_imports_anew(addon: Any, name: str) -> None:
    """Blender offers it of what is registered for it; it takes the last operator back and calls it once more, with what was changed."""
    bpy.ops.ed.undo_push(message="before")
    importer = getattr(OPS.import_anim, name)
    importer("EXEC_DEFAULT", True, filepath=str(SAMPLES / "lba1" / "ANIM.HQR"), entries="0", ask=True)
    height, last = bpy.context.object.dimensions.z, bpy.context.window_manager.operators[-1]
    assert {"REGISTER", "UNDO"} <= last.bl_options
    given = {key: getattr(last.properties, key) for key in last.properties.keys() if key != "files"}  # noqa: SIM118 - no mapping
    bpy.ops.ed.undo()
    assert importer(**{**given, "scale": 0.01}) == {"FINISHED"}
    assert len(bpy.data.armatures) == 1 and bpy.context.object.dimensions.z == pytest.approx(10 * height)


@pytest.mark.parametrize("name", ["lba", "lba_choose"])
def test_an_import_that_is_adjusted_opens_no_browser(addon: Any, name: str) -> None:
    """Where the entries are emptied that it had, all come in: Blender has taken back what was there, and shows one panel alone."""
    path = str(SAMPLES / "lba1" / "ANIM.HQR")
    assert getattr(OPS.import_anim, name)(filepath=path, entries="", ask=True, started=True) == {"FINISHED"}
    assert len(bpy.data.actions) == 4


def test_messages_of_what_was_undone_say_so(addon: Any, part: Any) -> None:
    """They stay readable, and are those of the scene again after redo. Undo of something later leaves them as they are."""
    is_undone = part("operators.shared.messages").is_undone
    bpy.ops.ed.undo_push(message="before")
    assert OPS.import_anim.lba(filepath=str(SAMPLES / "lba1" / "walk.anm")) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="import")
    bpy.context.scene.frame_current = 7
    bpy.ops.ed.undo_push(message="later")
    assert not is_undone(bpy.context)
    bpy.ops.ed.undo()
    assert not is_undone(bpy.context)
    bpy.ops.ed.undo()
    assert is_undone(bpy.context) and len(bpy.context.window_manager.retro_anim_messages.lines)
    bpy.ops.ed.redo()
    assert not is_undone(bpy.context)


def test_what_was_saved_and_undone_is_nothing_of_another_program(addon: Any, part: Any, tmp_path: Path) -> None:
    """Of a copy, too, whose original is gone: the file holds what was written from here."""
    path = tmp_path / "walk.anm"
    path.write_bytes((SAMPLES / "lba1" / "walk.anm").read_bytes())
    assert OPS.import_anim.lba(filepath=str(path)) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="import")
    name = bpy.context.object.animation_data.action.name

    def edit(amount: float) -> None:
        action = bpy.context.object.animation_data.action
        curve = next(each for each in part("io.blender.compat").curves(action, bpy.context.object) if "rotation_euler" in each.data_path)
        curve.keyframe_points[1].co[1] += amount
        curve.update()

    edit(0.4)
    bpy.ops.ed.undo_push(message="edit")
    assert OPS.export_anim.lba(filepath=str(path)) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="save")
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert "retro_anim_written" not in bpy.data.actions[name]
    copy = bpy.data.actions[name].copy()
    bpy.context.object.animation_data.action = copy
    bpy.data.actions.remove(bpy.data.actions[name])
    edit(0.7)
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match="holds what was written from here in the meantime: choose Replace Anyway"):
        OPS.export_anim.lba(filepath=str(path))
    assert path.read_bytes() == before


def test_what_was_marked_in_the_window_stays_with_the_undo_of_a_later_edit(addon: Any, part: Any) -> None:
    assert OPS.import_anim.lba(filepath=str(SAMPLES / "lba1" / "walk.anm")) == {"FINISHED"}
    name = bpy.context.object.animation_data.action.name
    bpy.ops.ed.undo_push(message="before")
    operator = SimpleNamespace(report=lambda *_: None, source="ALL", in_window=True)
    assert part("operators.clips.assets").RETRO_ANIM_OT_mark_assets.execute(operator, bpy.context) == {"FINISHED"}
    bpy.context.object.location.x = 1
    bpy.ops.ed.undo_push(message="edit")
    bpy.ops.ed.undo()
    assert bpy.context.object.location.x == 0 and bpy.data.actions[name].asset_data is not None


@pytest.mark.parametrize("by", ["save", "export"])
def test_what_was_saved_is_known_after_the_undo_of_a_later_edit(addon: Any, part: Any, tmp_path: Path, by: str) -> None:
    """And after redo. In the window the work ends after the operator that began it, whose own step of undo would be too early."""
    decide, game = part("operators.shared.decide"), part("core.games").GAMES["lba"]
    path = tmp_path / "walk.anm"
    path.write_bytes((SAMPLES / "lba1" / "walk.anm").read_bytes())
    assert OPS.import_anim.lba(filepath=str(path)) == {"FINISHED"}
    name = bpy.context.object.animation_data.action.name

    def edit() -> None:
        action = bpy.context.object.animation_data.action
        next(iter(part("io.blender.compat").curves(action, bpy.context.object))).keyframe_points[1].co[1] += 0.4
        bpy.ops.ed.undo_push(message="edit")

    edit()
    operator = SimpleNamespace(report=lambda *_: None)
    if by == "save":
        assert decide.save_clips(operator, bpy.context, [name], []) == {"FINISHED"}
    else:
        assert decide.export(operator, bpy.context, game, str(path), {}, []) == {"FINISHED"}
    assert "retro_anim_written" in bpy.data.actions[name]
    edit()
    bpy.ops.ed.undo()
    assert "retro_anim_written" in bpy.data.actions[name]
    bpy.ops.ed.undo()
    assert "retro_anim_written" not in bpy.data.actions[name]
    bpy.ops.ed.redo()
    assert "retro_anim_written" in bpy.data.actions[name]
