"""An import that fails half-way onto a character that was there before leaves it as it was; what fails of one says so once."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import bpy
import pytest
from support.lba import lba1_chain

SAMPLES = Path(__file__).resolve().parents[4] / "samples"


def state(obj: bpy.types.Object) -> object:
    """Its action, rotation mode and custom properties, those of its data and its bones."""
    owners = [obj, obj.data, *obj.pose.bones]
    properties = [{name: str(value) for name, value in owner.items() if not hasattr(value, "to_list")} for owner in owners]
    return obj.animation_data.action, obj.rotation_mode, properties, sorted(action.name for action in bpy.data.actions)


def test_the_character_keeps_its_action(part: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    lba, errors = part("io.lba"), part("core.reporting.errors")
    walk, wave = (str(SAMPLES / "lba1" / f"{name}.anm") for name in ("walk", "wave"))
    (obj,) = lba.import_lba(bpy.context, lba.ImportOptions((walk,), root_motion="BONE")).armatures
    before = state(obj)
    builder = part("io.lba.build").Builder

    def fail(*_: object) -> None:
        raise errors.FormatError("broken")

    monkeypatch.setattr(builder, "finish", fail)
    with pytest.raises(errors.FormatError, match="broken"):
        lba.import_lba(bpy.context, lba.ImportOptions((wave,), root_motion="OBJECT"))
    assert bpy.context.object == obj
    assert state(obj) == before


ONE_OF_EACH = {
    "lba": ("lba1/walk.anm", "lba1/mannequin.lm1", "lba2/mannequin.lm2", "lba1/ANIM.HQR", "lba1/FILE3D.HQR"),
    "oni": ("oni/TRAMmannequin_walk.oni", "oni/TRBSmannequin.oni", "oni/OBANmannequin_camera.oni"),
    "oni2": ("oni2/Entity/mannequin/mannequin_walk.anim", "oni2/Entity/mannequin/mannequin.mod", "oni2/RB.DAT"),
    "mindpower": ("mindpower/animation/0001.lab", "mindpower/model/character/0001000000.lgo", "mindpower/scripts/txt/CharacterAction.tx"),
}


@pytest.mark.parametrize("game", ONE_OF_EACH)
def test_another_game_s_files_are_refused_by_their_game_s_name(part: Callable[[str], ModuleType], game: str) -> None:
    """By File > Import's entry of each game, where any file can be chosen."""
    games, errors = part("core.games").GAMES, part("core.reporting.errors")
    import_ = part("io.pipeline.games").import_
    for other in set(ONE_OF_EACH) - {game}:
        for file in ONE_OF_EACH[other]:
            path = str(SAMPLES / file)
            with pytest.raises(errors.FormatError) as raised:
                import_(bpy.context, games[game], [path], {})
            assert str(raised.value).startswith(f"{path}: a file of {games[other].label} (")
    assert not bpy.data.objects and not bpy.data.actions


@pytest.mark.parametrize("file", [ONE_OF_EACH["mindpower"][1], ONE_OF_EACH["oni"][1], ONE_OF_EACH["oni2"][1]])
def test_a_body_of_another_game_is_no_skeleton(part: Callable[[str], ModuleType], file: str) -> None:
    lba, errors = part("io.lba"), part("core.reporting.errors")
    with pytest.raises(errors.FormatError, match="not a body"):
        lba.import_lba(bpy.context, lba.ImportOptions((str(SAMPLES / "lba1/walk.anm"),), skeleton=str(SAMPLES / file)))


def test_many_entries_that_are_cut_off_are_one_line(part: Callable[[str], ModuleType], tmp_path: Path) -> None:
    count = 40
    entry = struct.pack("<IIH", len(lba1_chain.ANM), len(lba1_chain.ANM), 0) + lba1_chain.ANM
    start = 4 * (count + 1)
    table = [start, *range(1 << 30, (1 << 30) + 4 * count - 4, 4), start + len(entry)]
    (tmp_path / "ANIM.HQR").write_bytes(struct.pack(f"<{count + 1}I", *table) + entry)
    lba = part("io.lba")
    with part("core.reporting.log").collect() as said:
        imported = lba.import_lba(bpy.context, lba.ImportOptions((str(tmp_path / "ANIM.HQR"),)))
    assert len(imported.actions) == 1
    (line,) = map(str, said.of("ERROR"))
    assert "39 entries with the same fault (1, 2, 3, 4, 5 and 34 more), the first: entry 1 lies outside the file" in line
