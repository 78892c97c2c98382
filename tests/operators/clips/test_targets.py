"""Where the active action goes: fields of the side panel that an export goes by, and the backup."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.blender_layout import Layout, draw_part
from support.lba import lba1_chain
from support.one_edit import edit

OPS: Any = bpy.ops
TYPES: Any = bpy.types
SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@pytest.fixture
def archive(part: Any, chain: Path, fetch: Any) -> Path:
    """chain.hqr with the animation as entries 0 and 1, of which 0 is opened."""
    hqr = part("core.lba.files.archive.hqr").Hqr.empty().with_entry(0, lba1_chain.ANM).with_entry(1, lba1_chain.ANM)
    path = chain / "chain.hqr"
    path.write_bytes(hqr.pack())
    fetch(path, entries="0", skeleton=str(chain / "chain.lm1"))
    return path


def drawn(part: Any) -> list[str]:
    lines: list[str] = []
    panel = part("operators.clips.panel").Target
    assert panel.poll(bpy.context)
    draw_part(panel, Layout(lines))
    return lines


def test_the_entry_can_be_changed(archive: Path, part: Any, entry: Any, write: Any) -> None:
    (action,) = bpy.data.actions
    shown: Any = action
    assert (shown.retro_anim_goes_to_file, shown.retro_anim_goes_to_entry) == (str(archive), "0")
    edit(part, action)
    shown.retro_anim_goes_to_entry = "1"
    assert shown.retro_anim_goes_to_entry == "1"
    assert OPS.export_anim.lba(filepath=str(archive), overwrite=True) == {"FINISHED"}
    assert entry(archive, 0) == lba1_chain.ANM != entry(archive, 1)
    shown.retro_anim_goes_to_entry = "new"
    assert OPS.export_anim.lba(filepath=str(archive)) == {"FINISHED"}
    assert entry(archive, 2) == entry(archive, 1) and shown.retro_anim_goes_to_entry == "2"
    shown.retro_anim_goes_to_entry = "0"
    shown.retro_anim_goes_to_entry = "2"
    assert "retro_anim_to_entry" not in action


def test_a_clip_of_no_game_yet_can_be_sent_to_an_entry(archive: Path, part: Any, entry: Any) -> None:
    """As one that was retargeted onto a character of the game: the fields that the exporter's message names are there."""
    (own,) = bpy.data.actions
    obj: Any = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    clip: Any = bpy.data.actions.new("walk on someone")
    obj.animation_data.action = clip
    obj.pose.bones[0].keyframe_insert("rotation_euler", frame=1)
    obj.pose.bones[0].keyframe_insert("rotation_euler", frame=9)
    assert {"retro_anim_goes_to_file", "retro_anim_goes_to_entry"} <= set(drawn(part))
    with pytest.raises(RuntimeError, match="or 'new' for one behind the last, in Entry or its Goes To"):
        OPS.export_anim.lba(filepath=str(archive))
    clip.retro_anim_goes_to_file, clip.retro_anim_goes_to_entry = str(archive), "new"
    assert OPS.retro_anim.save_clips() == {"FINISHED"}
    assert entry(archive, 2) and entry(archive, 0) == lba1_chain.ANM
    assert clip.retro_anim_goes_to_entry == "2" and own.name in bpy.data.actions


def test_the_file_can_be_changed(archive: Path, part: Any, write: Any, tmp_path: Path) -> None:
    (action,) = bpy.data.actions
    shown: Any = action
    other = action.copy()
    shown.retro_anim_goes_to_file = str(tmp_path / "own.anm")
    assert part("operators.files.exporter")._suggested(action, (".anm",)) == str(tmp_path / "own.anm")
    written = write(archive.with_name("all.anm"), source="ALL")
    assert sorted(Path(path).name for path in written) == [f"{other.name}.anm", "own.anm"]
    assert shown.retro_anim_goes_to_file == str(tmp_path / "own.anm") and "retro_anim_to_file" not in action


def test_a_clip_of_another_character(archive: Path, part: Any, fetch: Any, chain: Path, write: Any, tmp_path: Path) -> None:
    (action,) = bpy.data.actions
    shown: Any = action
    first = bpy.context.object
    bpy.context.view_layer.objects.active = None
    (second,) = fetch(chain / "chain.lm1").armatures
    second.data["retro_anim_rig"] = "another figure"
    assert shown.retro_anim_belongs_to == first.name
    shown.retro_anim_belongs_to = second.name
    assert shown.retro_anim_belongs_to == second.name
    bpy.context.view_layer.objects.active = second
    assert len(write(tmp_path / "all.anm", source="ALL")) == 1
    bpy.context.view_layer.objects.active = first
    first.animation_data.action = None
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="no action"):
        write(tmp_path / "all.anm", source="ALL")


def test_the_panel_says_what_is_a_copy_and_what_is_kept(archive: Path, part: Any, entry: Any) -> None:
    (action,) = bpy.data.actions
    assert not any("Backup" in line or "copy" in line for line in drawn(part))
    edit(part, action)
    before = archive.read_bytes()
    assert OPS.export_anim.lba(filepath=str(archive)) == {"FINISHED"}
    year = __import__("time").strftime("%Y-")
    assert "Backup of chain.hqr" in drawn(part) and any(line.startswith(f"from {year}") for line in drawn(part))
    assert drawn(part).count("retro_anim.restore") == 2
    copy: Any = action.copy()
    part("io.blender.compat").assign(bpy.context.object, copy)
    assert any(line.startswith(f"A copy of {action.name}") for line in drawn(part))
    copy.retro_anim_goes_to_entry = "new"
    assert not any("copy" in line for line in drawn(part)), "both are kept"
    assert OPS.retro_anim.restore(filepath=str(archive), entry="0") == {"FINISHED"}
    assert entry(archive, 0) == lba1_chain.ANM
    archive.write_bytes(b"anything")
    assert OPS.retro_anim.restore(filepath=str(archive)) == {"FINISHED"}
    assert archive.read_bytes() == before == archive.with_name("chain.hqr.bak").read_bytes()
    with pytest.raises(RuntimeError, match="there is no backup"):
        OPS.retro_anim.restore(filepath=str(archive.with_name("chain.anm")))


def test_without_a_file_that_of_the_active_character_is_restored(archive: Path, part: Any) -> None:
    before = archive.read_bytes()
    with pytest.raises(RuntimeError, match=r"it would need .*chain\.hqr\.bak"):
        OPS.retro_anim.restore()
    edit(part, bpy.data.actions[0])
    assert OPS.export_anim.lba(filepath=str(archive)) == {"FINISHED"}
    assert archive.read_bytes() != before
    assert OPS.retro_anim.restore() == {"FINISHED"}
    assert archive.read_bytes() == before


def test_a_new_clip_is_exported_beside_its_character_at_first(part: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that was retargeted: it came from no file itself."""
    exporter, targets = part("operators.files.exporter"), part("io.pipeline.destination.targets")
    obj: Any = bpy.data.objects.new("someone", bpy.data.armatures.new("someone"))
    bpy.context.scene.collection.objects.link(obj)
    clip = bpy.data.actions.new("walk on someone")
    owner = SimpleNamespace(row=SimpleNamespace(id="lba"))
    view: Any = bpy.context.view_layer
    view.objects.active = obj
    monkeypatch.setattr(targets, "home", lambda block: str(tmp_path / "BODY.HQR") if block == obj.data else "")
    folder = exporter.Exporter._folder(owner, bpy.context)
    assert exporter._suggested(clip, (".anm",), folder) == str(tmp_path / "walk on someone.anm")
    assert exporter._suggested(clip, (".anm",), str(tmp_path / "gone")) == "walk on someone.anm"
    monkeypatch.setattr(targets, "home", lambda _block: f"{tmp_path}/")  # a folder that was chosen under Goes To
    assert exporter._suggested(clip, (".anm",)) == str(tmp_path / "walk on someone.anm")
    monkeypatch.setattr(targets, "home", lambda _block: "")
    monkeypatch.setattr(exporter.preferences, "last_folder", lambda _context, game: f"/{game}")
    assert exporter.Exporter._folder(owner, bpy.context) == "/lba"


def test_a_clip_of_no_archive_becomes_a_new_entry_of_the_one_that_is_chosen(part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the window, whose dialog is closed by then. Files of its own have no entries, and a script says what it means."""
    exporter, given = part("operators.files.exporter"), []
    monkeypatch.setattr(exporter.decide, "export", lambda _operator, _context, _row, path, values, _asked: given.append(values["entry"]))
    owner = SimpleNamespace(collection="", in_window=True, row=part("core.games").GAMES["lba"], said=lambda _context, _name: "new")
    for entry, in_window, path in (("", True, "ANIM.HQR"), ("7", True, "ANIM.HQR"), ("", True, "walk.anm"), ("", False, "ANIM.HQR")):
        owner.values, owner.in_window = (lambda entry=entry: {"entry": entry}), in_window
        owner.asked = partial(exporter.Exporter.asked, owner)
        exporter.Exporter.export(owner, bpy.context, path)
    assert given == ["new", "7", "", ""]


def test_the_entry_of_a_clip_that_came_from_none_is_asked_for(part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not "the one it came from", which it has not."""
    exporter, targets = part("operators.files.exporter"), part("io.pipeline.destination.targets")
    clip = bpy.data.actions.new("walk on someone")
    owner = SimpleNamespace(category="export_anim", source="ACTIVE", row=part("core.games").GAMES["lba"], suggestion=lambda _: (clip, ()))
    assert exporter.Exporter.said(owner, bpy.context, "entry") == "new"
    assert exporter.Exporter.said(owner, bpy.context, "path") == ""
    owner.source = "ALL"
    assert exporter.Exporter.said(owner, bpy.context, "entry") == ""
    owner.category = "export_mesh"  # there is one body, whatever clips are chosen
    assert exporter.Exporter.said(owner, bpy.context, "entry") == "new"
    owner.category, owner.source = "export_anim", "ACTIVE"
    monkeypatch.setattr(targets, "shown_entry", lambda _action: "7")
    assert exporter.Exporter.said(owner, bpy.context, "entry") == ""
    monkeypatch.setattr(targets, "shown_entry", lambda _action: "")
    owner.row = part("core.games").GAMES["oni"]  # writes no archive: an instance is found by its name
    assert exporter.Exporter.said(owner, bpy.context, "entry") == ""


def test_oni_asks_for_no_entry_by_number(part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a game without archives that are written, the panel says what an empty field means."""
    samples = Path(__file__).parents[3] / "samples"
    assert OPS.import_anim.oni(filepath=str(samples / "oni" / "TRAMmannequin_walk.oni")) == {"FINISHED"}
    said: dict[str, str] = {}
    module = part("operators.clips.panel")
    monkeypatch.setattr(module, "with_placeholder", lambda _layout, _owner, name, text, **_details: said.update({name: text}))
    drawn(part)
    assert said["retro_anim_goes_to_entry"] == "by the clip's name"


class Window:
    """A context whose window opens file browsers: which operators asked for one."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.window_manager = SimpleNamespace(fileselect_add=self.asked.append)

    def __getattr__(self, name: str) -> Any:
        return getattr(bpy.context, name)


def test_the_file_is_chosen_beside_the_character(archive: Path, part: Any) -> None:
    """Also of a clip that goes nowhere yet; what is chosen is where it goes, and one step of undo."""
    kind = part("operators.clips.targets").RETRO_ANIM_OT_choose_file
    window, chooser = Window(), SimpleNamespace(filepath="", filter_glob="")
    assert kind.invoke(chooser, window, None) == {"RUNNING_MODAL"} and window.asked == [chooser]
    assert (chooser.filepath, chooser.filter_glob) == (str(archive), "*.anm;*.hqr")
    assert OPS.retro_anim.clip_new() == {"FINISHED"}
    kind.invoke(chooser, window, None)
    assert Path(chooser.filepath) == archive.parent and chooser.filepath.endswith(("/", "\\"))
    bpy.ops.ed.undo_push(message="before")
    assert OPS.retro_anim.choose_file(filepath=str(archive.with_name("own.anm"))) == {"FINISHED"}
    shown: Any = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    assert shown.animation_data.action.retro_anim_goes_to_file == str(archive.with_name("own.anm"))


def test_a_folder_is_no_file_that_a_clip_goes_to(archive: Path) -> None:
    """The file browser gives one where nobody has named a file."""
    shown: Any = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE").animation_data
    with pytest.raises(RuntimeError, match="is a folder: name a file in it"):
        OPS.retro_anim.choose_file(filepath=f"{archive.parent}/")
    assert shown.action.retro_anim_goes_to_file == str(archive)


def test_a_character_whose_client_was_moved_is_saved_where_it_is_now(part: Any, tmp_path: Path) -> None:
    """Tales of Pirates: the field is the skeleton's, with all clips."""
    shutil.copytree(SAMPLES / "mindpower", tmp_path / "client", copy_function=shutil.copyfile)
    OPS.import_anim.mindpower(filepath=str(tmp_path / "client" / "animation" / "0001.lab"))
    path = (tmp_path / "client").rename(tmp_path / "moved") / "animation" / "0001.lab"
    edit(part, bpy.data.actions[0])
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match=r"under Goes To"):
        OPS.retro_anim.save_clips()
    assert "retro_anim_goes_to_file" in drawn(part)
    assert OPS.retro_anim.choose_file(filepath=str(path)) == {"FINISHED"}
    assert OPS.retro_anim.save_clips() == {"FINISHED"}
    assert path.read_bytes() != before


def test_a_new_clip_of_a_character_in_one_file_goes_there(part: Any, tmp_path: Path) -> None:
    """Save does not ask for a file: none is missing."""
    shutil.copytree(SAMPLES / "mindpower", tmp_path / "client", copy_function=shutil.copyfile)
    OPS.import_anim.mindpower(filepath=str(tmp_path / "client" / "animation" / "0001.lab"))
    assert OPS.retro_anim.clip_new() == {"FINISHED"}
    lines: list[str] = []
    draw_part(part("operators.clips.panel").Clips, Layout(lines))
    assert "plays once, 0001.lab" in lines


def test_a_new_file_of_oni_is_called_with_the_tag_that_onisplit_goes_by() -> None:
    """The name of a .oni is that of its first instance [OniSplit, Importer.cs]: a tag of four letters, and the name."""
    named: list[str] = []
    OPS.import_anim.oni(filepath=str(SAMPLES / "oni" / "TRAMmannequin_walk.oni"))
    obj: Any = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    new: Any = bpy.data.actions.new("walk of someone")
    obj.data.name, obj.animation_data.action = "hero", new
    for name in ("EXPORT_ANIM_OT_oni", "EXPORT_MESH_OT_oni"):
        kind = getattr(TYPES, name)
        named.append(kind.new_name(SimpleNamespace(), new if "ANIM" in name else obj.data))
    assert named == ["TRAMwalk_of_someone", "TRBShero"]
    assert OPS.retro_anim.oni_new() == {"FINISHED"}
    new.oni_tram.name = "TRAMKONCOMwalk"  # the field Name of its record
    assert TYPES.EXPORT_ANIM_OT_oni.new_name(SimpleNamespace(), new) == "TRAMKONCOMwalk"


def test_nobody_is_asked_whether_to_lose_what_cannot_be_restored(
    archive: Path, part: Any, entry: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry that was added since the backup stays; nothing of the archive is written before the answer."""
    (action,) = bpy.data.actions
    edit(part, action)
    action["retro_anim_to_entry"] = "new"
    assert OPS.export_anim.lba(filepath=str(archive)) == {"FINISHED"}
    targets, before = part("operators.clips.targets"), archive.read_bytes()
    asked: list[str] = []
    monkeypatch.setattr(targets, "confirm", lambda *given: asked.append(given[-1]) or {"RUNNING_MODAL"})
    said: list[str] = []
    for number in ("2", "0", ""):
        operator = SimpleNamespace(filepath=str(archive), entry=number, bl_label="Restore", report=lambda _, text: said.append(text))
        targets.RETRO_ANIM_OT_restore.invoke(operator, bpy.context, None)
    assert len(said) == 1 and "the backup has no entry 2, which was added since, and stays" in said[0]
    assert [text.partition(" since")[0] for text in asked] == [
        "What was written to entry 0 of chain.hqr",
        "What was written to chain.hqr",
    ]
    assert archive.read_bytes() == before
