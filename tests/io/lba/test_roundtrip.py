"""Into Blender and out again without a change: the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

OPS: Any = bpy.ops
"""The stubs do not know our operators."""

Part = Callable[[str], ModuleType]
VARIANTS = [dict(zip(("root_motion", "bone_direction", "fps_mode"), chosen, strict=True)) for chosen in product(
    ("OBJECT", "BONE", "NONE"), ("GAME", "CHILD"), ("KEEP", "SET"))]  # fmt: skip
SAMPLE = "0-7,71,94,103,178,196,308,426,443"
FEW = "1,3,94"


@pytest.fixture
def differing(part: Part) -> Callable[[Path], list[str]]:
    """The names of the actions that do not stand for the bytes of their entry; every action is packed on an armature it drives."""
    export, source_data, hqr, chosen = (
        part("io.lba.pack"),
        part("io.blender.source_data"),
        part("core.lba.files.archive.hqr"),
        part("io.pipeline.out_of_blender.selection.selection"),
    )

    def find(path: Path) -> list[str]:
        archive, options, compared = hqr.Hqr.parse(path.read_bytes()), export.ExportOptions(""), {}
        for obj in [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]:
            bpy.context.view_layer.objects.active = obj
            for owner, action in chosen.chosen_actions(bpy.context, "ALL", part("io.lba.build").FORMAT):
                data = export.pack_action(bpy.context, owner, action, options).data
                compared[action.name] = data == archive.read(action[source_data.ENTRY])
        assert len(compared) == len(bpy.data.actions)
        return [name for name, same in compared.items() if not same]

    return find


def test_every_animation(fetch: Any, differing: Any, anims: Path) -> None:
    result = fetch(anims)
    assert len(result.actions) >= 70
    assert differing(anims) == []


@pytest.mark.thorough
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: "-".join(variant.values()))
def test_every_way_of_importing(fetch: Any, differing: Any, anims: Path, variant: dict[str, str], tmp_path: Path) -> None:
    bpy.context.scene.render.fps = 24
    fetch(anims, entries=SAMPLE, **variant)
    assert differing(anims) == []
    saved = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    bpy.ops.wm.open_mainfile(filepath=saved)
    assert differing(anims) == []


@pytest.mark.thorough
@pytest.mark.parametrize("variant", VARIANTS[::3], ids=lambda variant: "-".join(variant.values()))
def test_without_the_holder_the_motion_is_the_same(fetch: Any, part: Part, anims: Path, entry: Any, variant: dict[str, str]) -> None:
    imported = fetch(anims, entries=SAMPLE, skeleton=f"{anims.with_name('BODY.HQR')}#0", **variant)
    numbers = [(action, action["retro_anim_entry"]) for action in imported.actions]
    bpy.data.batch_remove(list(bpy.data.texts))
    export, parse = part("io.lba.pack"), part("core.lba.files.anm").Anm.parse
    for action, index in numbers:
        now = parse(export.pack_action(bpy.context, imported.armatures[0], action, export.ExportOptions("")).data)
        before = parse(entry(anims, index))
        assert (now.durations == before.durations).all(), action.name
        assert (now.steps == before.steps).all(), action.name
        moves = (before.types[:, 1:] != 0) & before.values[:, 1:].any(axis=2)
        assert (now.types[:, 1:][moves] == before.types[:, 1:][moves]).all(), action.name
        rotation = np.where((before.types == 1)[..., None], 65536, 1024)
        assert not ((now.values.astype(int) - before.values) % rotation)[:, 1:].any(), action.name
        assert (now.values[1:, 0, 1] == before.values[1:, 0, 1]).all(), action.name


def test_archive_and_loose_file(fetch: Any, write: Any, entry: Any, anims: Path, tmp_path: Path) -> None:
    before = anims.read_bytes()
    fetch(anims, entries=FEW, skeleton=f"{anims.with_name('BODY.HQR')}#0")
    assert len(write(anims, source="ALL")) == 3
    assert anims.read_bytes() == before
    loose = tmp_path / "one.anm"
    assert write(loose) == [str(loose)]
    assert loose.read_bytes() == entry(anims, 1)


def test_operators(anims: Path, entry: Any, tmp_path: Path) -> None:
    before = anims.read_bytes()
    assert OPS.import_anim.lba(filepath=str(anims), entries="1") == {"FINISHED"}
    assert OPS.export_anim.lba(filepath=str(anims)) == {"FINISHED"}
    assert anims.read_bytes() == before
    loose = tmp_path / "one.anm"
    assert OPS.export_anim.lba(filepath=str(loose)) == {"FINISHED"}
    assert loose.read_bytes() == entry(anims, 1)


@pytest.mark.parametrize("link", [False, True], ids=["append", "link"])
def test_an_action_in_another_file(fetch: Any, write: Any, entry: Any, anims: Path, tmp_path: Path, link: bool) -> None:
    name = fetch(anims, entries="1").actions[0].name
    saved = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    obj = fetch(anims, entries="3").armatures[0]
    libraries: Any = bpy.data.libraries
    with libraries.load(saved, link=link) as (_, wanted):
        wanted.actions = [name]
    obj.animation_data.action = wanted.actions[0]
    if hasattr(obj.animation_data, "action_slot") and obj.animation_data.action_slot is None:
        obj.animation_data.action_slot = wanted.actions[0].slots[0]
    loose = tmp_path / "one.anm"
    write(loose)
    assert loose.read_bytes() == entry(anims, 1)


def test_a_copy_keeps_its_origin_and_equal_ones_are_no_conflict(fetch: Any, write: Any, anims: Path) -> None:
    imported = fetch(anims, entries="1")
    before = anims.read_bytes()
    copy = imported.actions[0].copy()
    imported.actions[0].name, copy.name = "stroll", "amble"
    assert write(anims, source="ALL") == [f"{anims}#1"]
    assert anims.read_bytes() == before
    assert not anims.with_name("ANIM.HQR.bak").exists()
    imported.armatures[0].animation_data.action = copy
    assert write(anims) == [f"{anims}#1"]
    assert anims.read_bytes() == before


def test_new_and_blank_entries_and_the_backup(fetch: Any, write: Any, entry: Any, part: Part, anims: Path) -> None:
    hqr = part("core.lba.files.archive.hqr").Hqr
    fetch(anims, entries="1")
    before, walk = anims.read_bytes(), entry(anims, 1)
    (new,) = write(anims, entry="new")
    assert entry(anims, int(new.rpartition("#")[2])) == walk
    assert all(entry(anims, index) == hqr.parse(before).read(index) for index in (0, 1, 37, 94, 443))
    (backup,) = anims.parent.glob("*.bak")
    assert backup.read_bytes() == before
    write(anims, entry="new")
    assert list(anims.parent.glob("*.bak")) == [backup]
    assert backup.read_bytes() == before
    archive = hqr.parse(before)
    blank = next((index for index in range(len(archive)) if archive.blank(index)), None)
    if blank is not None:
        write(anims, entry=str(blank))
        assert entry(anims, blank) == walk


def test_an_archive_by_its_other_name(fetch: Any, write: Any, entry: Any, anims: Path, tmp_path: Path) -> None:
    """An island's, which is not there yet."""
    fetch(anims, entries="1")
    island = tmp_path / "CITADEL.OBL"
    (new,) = write(island, entry="new")
    assert entry(island, int(new.rpartition("#")[2])) == entry(anims, 1)
