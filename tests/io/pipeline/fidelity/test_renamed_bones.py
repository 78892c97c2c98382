"""Bones that were renamed while clips of theirs were not in use, whose curves Blender leaves as they are: in every game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import bpy
import numpy as np
import pytest
from support.sample_characters import CHARACTERS, SUFFIXES, opened

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops
SAMPLINGS = pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])


class Renamed(NamedTuple):
    """A clip that is not in use, and the bone that was renamed then: its name before. others: of bones that it moves, too."""

    part: Part
    game: str
    folder: Path
    obj: Any
    action: Any
    before: str
    others: list[str]

    def export(self, sampling: str) -> list[str]:
        """What is said of bones and curves."""
        row = self.part("core.games").GAMES[self.game]
        path = self.folder / f"out{SUFFIXES[self.game]}"
        options = {"sampling": sampling, "source": "ACTIVE", "overwrite": True}
        said = self.part("io.pipeline.games").export(bpy.context, row, str(path), options).warnings
        return [line for line in map(str, said) if "renamed" in line or "off at frame" in line]

    def show(self) -> None:
        self.part("io.blender.compat").assign(self.obj, self.action)

    def curves(self, action: Any = None) -> list[Any]:
        return list(self.part("io.blender.compat").curves(action or self.action))

    def keyed(self, action: Any = None) -> set[str]:
        return {curve.data_path.split('"')[1] for curve in self.curves(action) if '"' in curve.data_path}

    def paths(self, bone: str) -> set[str]:
        return {curve.data_path for curve in self.curves() if f'"{bone}"' in curve.data_path}

    def remove(self, curve: Any) -> None:
        self.part("io.blender.compat").more_curves(self.action, self.obj).remove(curve)

    def rename(self, before: str, now: str) -> None:
        self.obj.animation_data.action = None
        self.obj.data.bones[before].name = now

    def states(self, source: str = "ALL") -> list[tuple[str, int]]:
        """What an export would do to the clips of a source, and how many of its keys change."""
        changes = self.part("io.pipeline.out_of_blender.preview").what_would_change(bpy.context, source)
        return [(change.state, change.keys) for change in changes]

    def motion(self, bone: str) -> np.ndarray:
        """(F, 4, 4) of a bone on its parent, evaluated."""
        first, last = map(int, self.action.curve_frame_range)
        rows: list[Any] = []
        for frame in range(first, last + 1):
            bpy.context.scene.frame_set(frame)
            posed: Any = self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[bone]
            rows.append(np.array(posed.matrix_basis))
        return np.array(rows)


def moving(part: Part, action: Any, obj: Any) -> list[str]:
    """Bones with a parent that an action rotates, most of all first."""
    sizes: dict[str, float] = {}
    for curve in part("io.blender.compat").curves(action, obj):
        if "rotation" in curve.data_path and '"' in curve.data_path:
            name = curve.data_path.split('"')[1]
            if obj.pose.bones[name].parent is not None:
                values = [point.co[1] for point in curve.keyframe_points]
                sizes[name] = max(sizes.get(name, 0.0), max(values) - min(values))
    return sorted(sizes, key=lambda name: -sizes[name])


@pytest.fixture(params=CHARACTERS)
def clip(request: pytest.FixtureRequest, part: Part, tmp_path: Path) -> Renamed:
    obj, _ = opened(request.param, tmp_path)
    figure = obj.data["retro_anim_rig"]
    action = next(each for each in bpy.data.actions if each.get("retro_anim_rig") == figure and moving(part, each, obj))
    name, *others = moving(part, action, obj)
    obj.animation_data.action = None
    for posed in obj.pose.bones:
        posed.matrix_basis.identity()
    return Renamed(part, request.param, tmp_path, obj, action, name, others)


@SAMPLINGS
def test_the_button_that_is_named_brings_the_motion_back(clip: Renamed, sampling: str) -> None:
    clip.show()
    there = clip.motion(clip.before)
    assert np.ptp(there, axis=0).max() > 0.01
    clip.rename(clip.before, "Renamed")
    clip.show()
    assert np.ptp(clip.motion("Renamed"), axis=0).max() == 0
    (said,) = clip.export(sampling)
    assert clip.before in said and "Renamed" in said and said.endswith(": choose Rename Curves")
    assert OPS.retro_anim.rename_curves.get_rna_type().name == "Rename Curves"
    assert OPS.retro_anim.rename_curves() == {"FINISHED"}
    np.testing.assert_array_equal(clip.motion("Renamed"), there)
    assert not clip.export(sampling)


def test_what_nobody_edited_is_written_as_it_came(clip: Renamed) -> None:
    clip.rename(clip.before, "Renamed")
    assert set(clip.states()) == {("unchanged", 0)}
    OPS.retro_anim.rename_curves()
    assert set(clip.states()) == {("unchanged", 0)}


def test_a_bone_that_is_renamed_again(clip: Renamed) -> None:
    """After the button the clips know it by its first new name alone."""
    clip.show()
    there = clip.motion(clip.before)
    clip.rename(clip.before, "Renamed")
    OPS.retro_anim.rename_curves()
    clip.rename("Renamed", "Again")
    assert set(clip.states()) == {("unchanged", 0)}
    clip.show()
    (said,) = clip.export("KEYS")
    assert "Renamed (now Again)" in said
    OPS.retro_anim.rename_curves()
    np.testing.assert_array_equal(clip.motion("Again"), there)
    assert not clip.export("KEYS") and set(clip.states()) == {("unchanged", 0)}


def test_what_the_button_leaves_alone(clip: Renamed) -> None:
    """A clip that another object has in use, and one of a skeleton from elsewhere that has a bone of that name."""
    theirs, foreign = clip.action.copy(), clip.action.copy()
    other = clip.obj.copy()
    bpy.context.scene.collection.objects.link(other)
    other.data = clip.obj.data.copy()
    clip.part("io.blender.compat").assign(other, theirs)
    for name in [name for name in foreign.keys() if name.startswith("retro_anim")]:  # noqa: SIM118 - actions are no mappings
        del foreign[name]
    for curve in clip.curves(foreign)[-1:]:
        curve.data_path = 'pose.bones["from elsewhere"].location'
    clip.rename(clip.before, "Renamed")
    OPS.retro_anim.rename_curves()
    assert clip.before not in clip.keyed() and "Renamed" in clip.keyed()
    for action in (theirs, foreign):
        assert "Renamed" not in clip.keyed(action) and clip.before in clip.keyed(action)


def test_a_clip_that_was_made_in_blender(clip: Renamed) -> None:
    """It is one of the character's, whatever its bones were called when it was made."""
    bone = clip.obj.pose.bones[clip.before]
    for frame, value in ((1, 0.0), (9, 0.5)):
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion = (1, value, 0, 0)
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    own, clip.obj.animation_data.action = clip.obj.animation_data.action, None
    own.use_fake_user = True
    number = len(clip.states())
    clip.rename(clip.before, "Renamed")
    assert len(clip.states()) == number
    OPS.retro_anim.rename_curves()
    assert clip.keyed(own) == {"Renamed"}


def test_the_messages_say_what_is_true_after_the_button(clip: Renamed) -> None:
    clip.rename(clip.before, "Renamed")
    OPS.retro_anim.what_would_change()
    assert any("Rename Curves" in line.name for line in bpy.context.window_manager.retro_anim_messages.lines)
    OPS.retro_anim.rename_curves()
    assert not any("Rename Curves" in line.name for line in bpy.context.window_manager.retro_anim_messages.lines)


def test_curves_of_both_names(clip: Renamed) -> None:
    """As of who keys the bone that stands still: what is shown is written, and what is left out is named."""
    clip.rename(clip.before, "Renamed")
    clip.show()
    posed = clip.obj.pose.bones["Renamed"]
    rotation = "rotation_quaternion" if posed.rotation_mode == "QUATERNION" else "rotation_euler"
    posed.keyframe_insert(rotation, frame=int(clip.action.curve_frame_range[0]))
    said = [line for line in clip.export("KEYS") if "left out" in line]
    assert len(said) == 1 and f"{clip.before} (now Renamed)" in said[0]
    assert said[0].endswith(": delete the ones or the others")
    OPS.retro_anim.rename_curves()
    assert clip.paths(clip.before) == {f'pose.bones["{clip.before}"].{rotation}'}
    for curve in clip.curves():
        if f'"{clip.before}"' in curve.data_path:
            clip.remove(curve)
    assert not [line for line in clip.export("KEYS") if "left out" in line or "Rename Curves" in line]


def test_names_that_two_bones_gave_each_other(clip: Renamed) -> None:
    """In a clip that is in use each keeps its motion; of another one nobody knows whose its curves are, and they stay."""
    one, two = clip.before, clip.others[0]
    other = clip.action.copy()
    there = {(curve.data_path, curve.array_index): curve.keyframe_points[0].co[1] for curve in clip.curves(other)}
    clip.show()
    motions = clip.motion(one), clip.motion(two)
    for before, now in ((one, "aside"), (two, one), ("aside", two)):
        clip.obj.data.bones[before].name = now
    OPS.retro_anim.rename_curves()
    np.testing.assert_array_equal(clip.motion(two), motions[0])
    np.testing.assert_array_equal(clip.motion(one), motions[1])
    assert {(curve.data_path, curve.array_index): curve.keyframe_points[0].co[1] for curve in clip.curves(other)} == there
    assert not clip.export("KEYS")
    assert [keys for _, keys in clip.states("ACTIVE")] == [0]


def test_two_bones_that_exchange_names(clip: Renamed) -> None:
    """Blender shows each of them moved as the other one, as is written; nobody meant that, and the names of before bring it back."""
    locks = {bone.name: tuple(bone.lock_rotation) for bone in clip.obj.pose.bones}
    other = next(name for name in clip.others if locks[name] == locks[clip.before])
    for before, now in ((clip.before, "aside"), (other, clip.before), ("aside", other)):
        clip.rename(before, now)
    clip.show()
    (said,) = [line for line in clip.export("KEYS") if "moved as the bones that had these names before" in line]
    assert clip.before in said and other in said
    for before, now in ((clip.before, "aside"), (other, clip.before), ("aside", other)):
        clip.rename(before, now)
    clip.show()
    assert not clip.export("KEYS") and set(clip.states()) == {("unchanged", 0)}


def test_two_bones_that_exchange_names_and_whose_locks_differ(clip: Renamed) -> None:
    """A skeleton of Oni 2 has no channels where the clip goes on then: what is said is not that, but why it goes on there."""
    locks = {bone.name: tuple(bone.lock_rotation) for bone in clip.obj.pose.bones}
    other = next((name for name in clip.others if locks[name] != locks[clip.before]), "")
    if not other:
        pytest.skip("no two of its bones are locked otherwise")
    for before, now in ((clip.before, "aside"), (other, clip.before), ("aside", other)):
        clip.rename(before, now)
    clip.show()
    with pytest.raises(clip.part("core.reporting.errors").ExportError) as refused:
        clip.export("KEYS")
    assert "moved as the bones that had these names before" in str(refused.value) and "locked" not in str(refused.value)
