"""An action with two slots is two clips."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]

pytestmark = pytest.mark.skipif(bpy.app.version < (4, 4, 0), reason="actions have no slots")


class Slotted:
    """The walk of LBA1 with a second slot, in which group 03 alone turns by half a radian."""

    def __init__(self, part: Part, write: Any, imported: Any) -> None:
        self.part, self.write = part, write
        self.obj, self.action = imported.armatures[0], imported.actions[0]
        self.other = self.action.slots.new("OBJECT", "second")
        bag = self.action.layers[0].strips[0].channelbag(self.other, ensure=True)
        for frame in (1, 10):
            bag.fcurves.new(f'pose.bones["group {3 + frame // 10:02d}"].rotation_euler', index=0).keyframe_points.insert(1, 0.5)
        self.said: list[str] = []

    def export(self, path: Path, **options: Any) -> dict[str, Any]:
        with self.part("core.reporting.log").collect() as said:
            paths = self.write(path, **options)
        self.said = said.digest("WARNING")
        return {Path(each).stem: self.part("core.lba.files.anm").Anm.parse(Path(each).read_bytes()) for each in paths}


@pytest.fixture
def slotted(part: Part, fetch: Any, write: Any, anims: Path) -> Slotted:
    return Slotted(part, write, fetch(anims, entries="1"))


def test_a_slot_that_nobody_uses_is_named_or_exported(slotted: Slotted, tmp_path: Path, entry: Any, anims: Path) -> None:
    (anm,) = slotted.export(tmp_path / "one.anm").values()
    assert anm.pack() == entry(anims, 1)
    assert slotted.said == ["ANIM 1 walk: its slot second is left out: the source All Actions exports it, too"]
    written = slotted.export(tmp_path / "all.anm", source="ALL")
    assert set(written) == {"ANIM 1 walk", "ANIM 1 walk second"} and not slotted.said
    assert written["ANIM 1 walk"].pack() == entry(anims, 1)
    assert written["ANIM 1 walk second"].values[0, 3].tolist() != [0, 0, 0] and len(written["ANIM 1 walk second"].frames) == 1
    assert [action.name for action in bpy.data.actions] == ["ANIM 1 walk"]


def test_a_slot_of_another_character_is_left_to_that(slotted: Slotted, tmp_path: Path) -> None:
    slotted.other.users()
    twin = slotted.obj.copy()
    bpy.context.scene.collection.objects.link(twin)
    twin.animation_data.action, twin.animation_data.action_slot = slotted.action, slotted.other
    assert len(slotted.export(tmp_path / "one.anm")) == 1 and not slotted.said
    bpy.context.view_layer.objects.active = twin
    (anm,) = slotted.export(tmp_path / "two.anm").values()
    assert len(anm.frames) == 1
    assert twin.animation_data.action == slotted.action and twin.animation_data.action_slot == slotted.other
    for obj in (slotted.obj, twin):
        obj.select_set(True)
    assert len(slotted.export(tmp_path / "both.anm", source="SELECTED")) == 2
    assert len(slotted.export(tmp_path / "both.anm", source="SCENE", overwrite=True)) == 2


def test_a_slot_keeps_the_entry_that_it_is_given(slotted: Slotted, anims: Path, entry: Any, part: Part) -> None:
    """It never goes to that of the slot that came from there."""
    before = entry(anims, 1)
    count = len(part("core.lba.files.archive.hqr").Hqr.parse(anims.read_bytes()))
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="walk second did not come from an archive"):
        slotted.write(anims, source="ALL")
    twin = slotted.obj.copy()
    bpy.context.scene.collection.objects.link(twin)
    twin.animation_data.action, twin.animation_data.action_slot = slotted.action, slotted.other
    bpy.context.view_layer.objects.active = twin
    assert slotted.write(anims, entry="new") == [f"{anims}#{count}"]
    for _ in range(2):
        assert sorted(slotted.write(anims, source="SCENE")) == [f"{anims}#1", f"{anims}#{count}"]
    assert entry(anims, 1) == before != entry(anims, count)


def test_a_slot_for_bones_that_the_armature_does_not_have_is_none_of_its_clips(slotted: Slotted, tmp_path: Path) -> None:
    for curve in slotted.part("io.blender.compat").curves_in(slotted.action, slotted.other):
        curve.data_path = curve.data_path.replace("group", "rig")
    assert len(slotted.export(tmp_path / "all.anm", source="ALL")) == 1 and not slotted.said


def test_a_strip_plays_its_own_slot(slotted: Slotted, tmp_path: Path) -> None:
    slotted.obj.animation_data.action = None
    for name, slot in (("first", slotted.action.slots[0]), ("second", slotted.other)):
        strip = slotted.obj.animation_data.nla_tracks.new().strips.new(name, 1, slotted.action)
        strip.action_slot = slot
    written = slotted.export(tmp_path / "all.anm", source="NLA")
    assert sorted(len(anm.frames) for anm in written.values()) == [1, 5]


@pytest.mark.parametrize("sampled", [False, True], ids=["keys", "constraint"])
def test_an_action_of_which_no_slot_is_chosen_is_named(slotted: Slotted, tmp_path: Path, sampled: bool) -> None:
    """Blender plays nothing of it; what is written is the slot that is named, also where it is read from what is shown."""
    slotted.action.slots.remove(slotted.other)
    slot, name = slotted.action.slots[0], slotted.action.slots[0].name_display
    if sampled:
        slotted.obj.pose.bones["group 03"].constraints.new("LIMIT_ROTATION")
    (before,) = slotted.export(tmp_path / "chosen.anm").values()
    assert not [line for line in slotted.said if "slot" in line]
    slotted.obj.animation_data.action_slot = None
    for source in ("ACTIVE", "SCENE", "ALL"):
        (anm,) = slotted.export(tmp_path / f"{source}.anm", source=source).values()
        assert anm.pack() == before.pack()
        (said,) = [line for line in slotted.said if "no slot of it is chosen" in line]
        assert f"its slot {name} is taken" in said
        assert slotted.obj.animation_data.action_slot is None
    slotted.obj.animation_data.action_slot = slot


def test_a_strip_without_a_slot_is_left_out_as_it_plays_nothing(slotted: Slotted, tmp_path: Path) -> None:
    data = slotted.obj.animation_data
    data.action = None
    for name in ("first", "second"):
        strip = data.nla_tracks.new().strips.new(name, 1, slotted.action)
        strip.action_slot = slotted.action.slots[0] if name == "first" else None
        strip.blend_type = "REPLACE" if name == "first" else "ADD"
        strip.action_frame_start = slotted.action.curve_frame_range[0]  # not what repeats alone
    assert len(slotted.export(tmp_path / "nla.anm", source="NLA")) == 1
    (said,) = slotted.said
    assert "the strip second has no slot" in said
    assert len(slotted.export(tmp_path / "active.anm", source="ACTIVE")) == 1 and not slotted.said


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_what_another_slot_has_posed_is_seen_with_the_slot_in_use(slotted: Slotted, tmp_path: Path, sampling: str) -> None:
    """Group 05 stays as the first slot has left it, and no curve of the second one says so: as keyed it is at rest in the file."""
    bone = slotted.obj.pose.bones["group 05"]
    slotted.obj.animation_data.action_slot = slotted.other
    bone.rotation_euler = (0.75, 0, 0)
    (anm,) = slotted.export(tmp_path / "one.anm", sampling=sampling).values()
    named = [line for line in slotted.said if "posed and not keyed" in line]
    assert (anm.values[0, 5].any(), len(named)) == ((True, 0) if sampling == "VISUAL" else (False, 1))
    assert tuple(bone.rotation_euler) == (0.75, 0, 0)
    slotted.obj.animation_data.action_slot = slotted.action.slots[0]
    slotted.export(tmp_path / "all.anm", source="ALL")
    assert not slotted.said, "another slot than the one in use is at rest where it has no curves"
