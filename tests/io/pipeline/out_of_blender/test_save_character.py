"""*Save Character* in every game: what was edited goes back to where it came from, all of it or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops
DATA: Any = bpy.data
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"

CHARACTERS = {
    "lba": ("lba2/RESS.HQR", {"entities": "0"}, {"lba2/BODY.HQR", "lba2/ANIM.HQR"}),
    "oni": ("oni/TRAMmannequin_walk.oni", {}, {"oni/TRBSmannequin.oni", "oni/TRAMmannequin_walk.oni"}),
    "oni2": (
        "oni2/Entity/mannequin/Entity.type",
        {},
        {"oni2/Entity/mannequin/mannequin.mod", "oni2/Entity/mannequin/mannequin_walk.anim"},
    ),
    "mindpower": ("mindpower/animation/0001.lab", {}, {"mindpower/animation/0001.lab", "mindpower/model/character/0001000000.lgo"}),
}
"""By game: what is opened, with which options, and the files of its mesh and of its walk, in the samples."""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for game in ("lba2", "oni", "oni2", "mindpower"):
        shutil.copytree(SAMPLES / game, tmp_path / game, copy_function=shutil.copyfile)
    return tmp_path


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def changed(root: Path, before: dict[str, bytes]) -> set[str]:
    after = contents(root)
    assert set(before) <= set(after)
    return {name for name in after if before.get(name) != after[name]}


def opened(root: Path, game: str) -> Any:
    path, options, _ = CHARACTERS[game]
    getattr(OPS.import_anim, game)(filepath=str(root / path), **options)
    obj = next(each for each in CONTEXT.scene.objects if each.type == "ARMATURE")
    CONTEXT.view_layer.objects.active = obj
    return obj


def edit(part: Part, obj: Any) -> None:
    """One vertex of the body, and one key of one clip."""
    mesh = next(each for each in obj.children_recursive if each.type == "MESH")
    mesh.data.vertices[3].co.x += 0.03
    action = next((each for each in DATA.actions if "walk" in each.name), obj.animation_data.action)
    curves = part("io.blender.compat").curves(action)
    curve = next(each for each in curves if "rotation" in each.data_path and len(each.keyframe_points) > 3)
    curve.keyframe_points[2].co.y += 0.1
    curve.update()


def save(game: str, **options: Any) -> None:
    assert getattr(OPS.retro_anim, f"{game}_save")(**options) == {"FINISHED"}


@pytest.mark.parametrize("game", CHARACTERS)
def test_what_was_edited_and_nothing_else(part: Part, files: Path, game: str) -> None:
    obj, before = opened(files, game), contents(files)
    assert (
        part("io.pipeline.out_of_blender.character")
        .save_character(bpy.context, obj)
        .summary.endswith("nothing to save, all of it is where it belongs")
    )
    assert changed(files, before) == set()
    edit(part, obj)
    save(game)
    expected = CHARACTERS[game][2]
    assert changed(files, before) == expected | {f"{name}.bak" for name in expected}
    assert all((files / f"{name}.bak").read_bytes() == before[name] for name in expected)
    before = contents(files)
    save(game)
    assert changed(files, before) == set()


@pytest.mark.parametrize("game", CHARACTERS)
def test_all_or_nothing(part: Part, files: Path, game: str) -> None:
    edit(part, opened(files, game))
    before = contents(files)
    *_, last = sorted(CHARACTERS[game][2])
    (files / last).chmod(0o444)
    with pytest.raises(RuntimeError, match="read-only"):
        save(game)
    (files / last).chmod(0o644)
    assert changed(files, before) == set()


def test_after_undo_the_file_goes_back_too(addon: Any, part: Part, files: Path) -> None:
    """Undo takes from a clip what it knows of the writing; that is no change by another program."""
    before = contents(files)
    opened(files, "lba")
    OPS.ed.undo_push(message="import")
    edit(part, CONTEXT.object)
    OPS.ed.undo_push(message="edit")
    save("lba")
    assert changed(files, before) >= {"lba2/ANIM.HQR", "lba2/BODY.HQR"}
    OPS.ed.undo()
    save("lba")
    assert not changed(files, before) & {"lba2/ANIM.HQR", "lba2/BODY.HQR"}


def test_a_level_is_not_written(part: Part, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """What was edited goes into a folder; new clips into the collection that lies there, once, and with their names."""
    onifile, documents = part("core.oni.files.onifile"), part("core.oni.files.documents")
    for name in ("level1_Final.dat", "level1_Final.raw"):
        shutil.copyfile(game_file(f"oni/level/{name}"), tmp_path / name)
    OPS.import_anim.oni(filepath=str(tmp_path / "level1_Final.dat"), entries="TRAM*")
    before = contents(tmp_path)
    save("oni")
    new = CONTEXT.object.animation_data.action.copy()
    new.name = "TRAMTESTnew"
    with pytest.raises(RuntimeError, match="TRAMTESTnew: new, or from a level, which is not written: choose a Folder"):
        save("oni")
    assert changed(tmp_path, before) == set()
    folder = tmp_path / "out"
    folder.mkdir()
    collection = folder / "TRACkonoko.oni"
    collection.write_bytes(onifile.OniFile.build([onifile.Part("TRAC", "TRACkonoko", body=bytes(24))]).pack())
    for _ in range(2):
        save("oni", folder=str(folder))
        assert changed(tmp_path, before) == {"out/TRACkonoko.oni", "out/TRACkonoko.oni.bak", "out/TRAMTESTnew.oni"}
        assert documents.CollectionFile.parse(collection.read_bytes()).collection.names == ("TRAMTESTnew",)


def test_what_came_from_the_archive_goes_beside_it(files: Path) -> None:
    """Oni 2: of a character in RB.DAT that which was edited, and a new clip with the list that names it."""
    shutil.rmtree(files / "oni2" / "Entity")
    shutil.rmtree(files / "oni2" / "entity.tune")
    OPS.import_anim.oni2(filepath=str(files / "oni2" / "RB.DAT"), entries="*Entity.type")
    before = contents(files)
    new = next(each for each in DATA.actions if "walk" in each.name).copy()
    new.name, new["oni2_aliases"] = "dance", "DANCE"
    for _ in range(2):
        save("oni2")
        listed = "oni2/entity.tune/mannequin/mannequin.anims"
        assert changed(files, before) == {"oni2/Entity/mannequin/mannequin_dance.anim", listed}
        assert b"DANCE" in (files / listed).read_bytes()
    DATA.actions.remove(new)
    save("oni2")
    assert b"DANCE" in (files / listed).read_bytes()


def test_nothing_is_left_of_a_save_that_fails(part: Part, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Oni 2: folders that are new belong to the files; they are made where these are written."""
    shutil.rmtree(files / "oni2" / "Entity")
    shutil.rmtree(files / "oni2" / "entity.tune")
    OPS.import_anim.oni2(filepath=str(files / "oni2" / "RB.DAT"), entries="*Entity.type")
    edit(part, CONTEXT.object)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(part("core.files.disk.disk").os, "fsync", full)
    with pytest.raises(RuntimeError, match="No space left"):
        save("oni2")
    assert [path.name for path in (files / "oni2").rglob("*")] == ["RB.DAT"]


@pytest.mark.parametrize("opened_alone", ["Entity/mannequin/mannequin_walk.anim", "RB.DAT"])
def test_a_clip_that_was_opened_alone_keeps_its_uses(part: Part, files: Path, opened_alone: str) -> None:
    """Oni 2: nobody has said what it is for; the list of the entity says so, and stays as it is until somebody does."""
    listed = files / "oni2/entity.tune/mannequin/mannequin.anims"
    text = listed.read_bytes()
    if opened_alone == "RB.DAT":
        shutil.rmtree(files / "oni2" / "Entity")
        shutil.rmtree(files / "oni2" / "entity.tune")
    OPS.import_anim.oni2(filepath=str(files / "oni2" / opened_alone), entries="*.anim")
    before = contents(files)
    saved = part("io.pipeline.out_of_blender.character").save_character(bpy.context, CONTEXT.object)
    assert saved.summary.endswith("nothing to save, all of it is where it belongs") and changed(files, before) == set()
    walk = next(each for each in DATA.actions if "walk" in each.name)
    walk["oni2_aliases"] = "STROLL"
    save("oni2")
    assert changed(files, before) <= {"oni2/entity.tune/mannequin/mannequin.anims", "oni2/entity.tune/mannequin/mannequin.anims.bak"}
    assert listed.read_bytes() == text.replace(b"WALK", b"STROLL")


def test_two_edited_copies_end_in_what_to_do(part: Part, files: Path) -> None:
    """Oni 2: and doing so is enough."""
    obj, before = opened(files, "oni2"), contents(files)
    walk = next(each for each in DATA.actions if "walk" in each.name)
    obj.animation_data.action = copied = walk.copy()
    for number, action in enumerate((walk, copied)):
        curve = next(each for each in part("io.blender.compat").curves(action) if "rotation" in each.data_path)
        curve.keyframe_points[2].co.y += 0.1 + 0.1 * number
        curve.update()
    with pytest.raises(RuntimeError, match="differ: choose another file for one of them under Goes To"):
        save("oni2")
    assert changed(files, before) == set()
    copied["retro_anim_to_file"] = str(files / "oni2/Entity/mannequin/mannequin_stroll.anim")
    save("oni2")
    name = "oni2/Entity/mannequin/mannequin"
    assert {f"{name}_walk.anim", f"{name}_stroll.anim"} <= changed(files, before)


def test_what_has_no_file_needs_a_folder(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Oni 2: it went to where Blender was started."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    OPS.import_anim.oni2(filepath=str(files / "oni2/Entity/mannequin/mannequin_walk.anim"))
    for block in (CONTEXT.object.data, CONTEXT.object.animation_data.action):
        for key in ("retro_anim_source", "retro_anim_rig", "retro_anim_entry"):
            block.pop(key, None)
    with pytest.raises(RuntimeError, match="choose a Folder"):
        save("oni2")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_two_characters_share_an_action_table(files: Path, part: Part) -> None:
    animation = files / "mindpower" / "animation"
    shutil.copyfile(animation / "0001.lab", animation / "0002.lab")
    for number, name in ((71, "0001.lab"), (72, "0002.lab")):
        OPS.import_anim.mindpower(filepath=str(animation / name), skeleton=str(animation / name))
        new = CONTEXT.object.animation_data.action.copy()
        CONTEXT.object.animation_data.action, new.name = new, f"new {number}"
        OPS.retro_anim.mindpower_new_action(number=number)
    part("io.pipeline.out_of_blender.everything").export_everything(bpy.context)
    rows = (files / "mindpower/scripts/txt/CharacterAction.tx").read_text("latin-1").split("\n")
    assert {line.split()[0] for line in rows if line.strip()} >= {"71", "72"}
