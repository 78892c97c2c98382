"""Whatever an animator does with strips of the NLA and slots: what a clip writes moves as Blender plays it, or the export names what does
not. The file is evaluated by the rules of the format, apart from the code under test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from .test_seen import Chain, edits

Part = Callable[[str], ModuleType]

strips = st.fixed_dictionaries(
    {
        "at": st.integers(-3, 30),
        "scale": st.sampled_from((1.0, 1.0, 0.5, 2.0, 1.3)),
        "repeat": st.sampled_from((1.0, 1.0, 2.0, 1.5)),
        "trim": st.sampled_from(((0, 0), (0, 0), (5, 0), (0, 6), (3, 4))),
        "reverse": st.booleans(),
        "blend_in": st.sampled_from((0, 0, 0, 4)),
        "blend": st.sampled_from(("REPLACE", "REPLACE", "COMBINE", "ADD")),
        "influence": st.sampled_from((1.0, 1.0, 0.4)),
    }
)

PLAIN = {"at": 0, "scale": 1.0, "repeat": 1.0, "trim": (0, 0), "reverse": False, "blend_in": 0, "blend": "REPLACE", "influence": 1.0}


class Stack(Chain):
    """The chain whose clip is played by strips, each on a track of its own."""

    begins = 1.0
    ends = 1.0

    @property
    def start(self) -> float:
        return self.begins

    def push(self, wanted: list[dict[str, Any]]) -> None:
        data = self.obj.animation_data
        slot = getattr(data, "action_slot", None)
        data.action = None
        for number, each in enumerate(wanted):
            track = data.nla_tracks.new()
            strip = track.strips.new(f"strip {number}", each["at"], self.action)
            if slot is not None:
                strip.action_slot = slot
            strip.use_auto_blend = False
            first, last = self.action.curve_frame_range  # and not the range that repeats
            strip.action_frame_start, strip.action_frame_end = first + each["trim"][0], last - each["trim"][1]
            strip.scale, strip.repeat, strip.use_reverse = each["scale"], each["repeat"], each["reverse"]
            if number:  # the lowest one has nothing to blend with
                strip.blend_type, strip.blend_in, strip.influence = each["blend"], each["blend_in"], each["influence"]
                strip.use_animated_influence = each["influence"] < 1
        shown = [strip for track in data.nla_tracks for strip in track.strips]
        self.begins = min(strip.frame_start for strip in shown)
        self.ends = max(strip.frame_end for strip in shown)

    def shown(self, frames: Any) -> tuple[Any, Any]:
        """From where the character stands as the first strip begins: a clip of the game starts nowhere else."""
        rotations, positions = super().shown(frames)
        bpy.context.scene.frame_set(int(np.floor(self.begins)), subframe=self.begins - np.floor(self.begins))
        stands = np.array(self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)
        back = np.linalg.inv(stands[:3, :3])
        return back @ rotations, (positions - stands[:3, 3] / 0.001) @ back.T

    def frames(self) -> Any:
        """Quarters of frames, but not the very last: a strip that another pass follows jumps there."""
        return np.arange(self.begins, self.ends + 1e-3, 0.25)


@settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(wanted=st.lists(edits, max_size=1), stack=st.lists(strips, min_size=1, max_size=2))
@example(wanted=[], stack=[PLAIN, {**PLAIN, "repeat": 2.0}])
def test_strips(part: Part, chain: Path, wanted: list[Any], stack: list[dict[str, Any]]) -> None:
    it = Stack(part, chain)
    for each in wanted:
        it.edit(*each)
    it.push(stack)
    try:
        exported = it.export("KEYS")
    except part("core.reporting.errors").RetroAnimError:
        return  # refused by name
    worst, where = it.steps_off()
    (change,) = exported.changes
    if worst > 2:
        assert exported.warnings, f"silent, and {where} is {worst:.1f} steps off"
    if worst < 0.9:
        assert change.worst is None, f"{change.messages}, and the worst is {worst:.2f} steps ({where})"


@pytest.mark.skipif(bpy.app.version < (4, 4), reason="actions have no slots")
@settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(first=st.lists(edits, max_size=1), second=st.lists(edits, min_size=1, max_size=2))
@example(first=[], second=[("value", 3, 1, 0.7)])
def test_slots(part: Part, chain: Path, first: list[Any], second: list[Any]) -> None:
    """Two slots of one action are two clips; each is in a file of its own."""
    it = Chain(part, chain)
    data = it.obj.animation_data
    bag = it.action.layers[0].strips[0].channelbags[0]
    slot = it.action.slots.new("OBJECT", "Other")
    other = it.action.layers[0].strips[0].channelbags.new(slot)
    for curve in bag.fcurves:
        copy = other.fcurves.new(curve.data_path, index=curve.array_index)
        for point in curve.keyframe_points:
            copy.keyframe_points.insert(*point.co).interpolation = "LINEAR"
        for old, new in zip(curve.keyframe_points, copy.keyframe_points, strict=True):
            new.type = old.type
    for own, wanted in ((data.action_slot, first), (slot, second)):
        data.action_slot = own
        for each in (each for each in wanted if each[0] not in ("mode", "constraint", "pose", "stretch")):
            it.edit(*each)
    data.action_slot = it.action.slots[0]
    folder = chain / "out"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    try:
        exported = it.lba.export_lba(bpy.context, it.lba.ExportOptions(str(folder / "x.anm"), source="ALL", overwrite=True))
    except part("core.reporting.errors").RetroAnimError:
        return
    assert len(exported.changes) == 2
    for change, own in zip(exported.changes, it.action.slots, strict=True):
        data.action_slot = own
        it.out = Path(change.target)
        worst, where = it.steps_off()
        if worst > 2:
            assert change.messages, f"{own.identifier}: silent, and {where} is {worst:.1f} steps off"
        if worst < 0.9:
            assert change.worst is None, f"{own.identifier}: {change.messages}, and the worst is {worst:.2f} steps ({where})"
