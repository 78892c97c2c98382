"""Whatever an animator does to a clip of Little Big Adventure, the file moves as Blender shows it, or the export names what does not.

The file is evaluated here by the rules of the format, apart from the code under test: component-wise angles, the destination's type rules,
steps and heading from keyframe to keyframe.
"""

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

Part = Callable[[str], ModuleType]
STEP = 2 * np.pi / 1024
MODES = ("QUATERNION", "XYZ", "YZX", "AXIS_ANGLE")

edits = st.one_of(
    st.tuples(st.just("value"), st.integers(0, 99), st.integers(0, 3), st.floats(-3, 3)),
    st.tuples(st.just("move"), st.integers(0, 99), st.integers(0, 3), st.floats(-4, 4)),
    st.tuples(st.just("delete"), st.integers(0, 99), st.integers(0, 3), st.just(0.0)),
    st.tuples(st.just("insert"), st.integers(0, 99), st.just(0), st.floats(1, 40)),
    st.tuples(st.just("stretch"), st.just(0), st.just(0), st.sampled_from((0.5, 2.0, 1.3, 3.0))),
    st.tuples(st.just("interpolation"), st.integers(0, 99), st.integers(0, 2), st.just(0.0)),
    st.tuples(st.just("handles"), st.integers(0, 99), st.integers(0, 3), st.floats(-1, 1)),
    st.tuples(st.just("mute"), st.integers(0, 99), st.just(0), st.just(0.0)),
    st.tuples(st.just("noise"), st.integers(0, 99), st.just(0), st.floats(0, 0.5)),
    st.tuples(st.just("mode"), st.integers(1, 4), st.integers(0, 3), st.just(0.0)),
    st.tuples(st.just("constraint"), st.integers(1, 4), st.integers(0, 2), st.floats(0, 1)),
    st.tuples(st.just("root"), st.integers(0, 2), st.just(0), st.floats(-0.5, 0.5)),
    st.tuples(st.just("pose"), st.integers(1, 4), st.integers(0, 2), st.floats(-1, 1)),
    st.tuples(st.just("unkey"), st.integers(0, 99), st.just(0), st.just(0.0)),
)


class Chain:
    """The chain with its clip, freshly imported."""

    def __init__(self, part: Part, folder: Path) -> None:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        self.part, self.out = part, folder / "out.anm"
        self.out.unlink(missing_ok=True)
        self.lba = part("io.lba")
        paths = (str(folder / "chain.anm"),)
        options = self.lba.ImportOptions(paths, skeleton=str(folder / "chain.lm1"), bone_direction="GAME", fps_mode="SET")
        imported = self.lba.import_lba(bpy.context, options)
        self.obj, self.action = imported.armatures[0], imported.actions[0]
        bpy.context.view_layer.objects.active = self.obj
        self.bones = sorted(self.obj.pose.bones, key=lambda bone: bone.name)

    @property
    def start(self) -> float:
        """The frame of the clip's time 0."""
        return float(self.action["retro_anim_frame_start"])

    @property
    def curves(self) -> list[Any]:
        return [curve for curve in self.part("io.blender.compat").curves(self.action) if not curve.data_path.endswith("]")]

    def edit(self, kind: str, which: int, index: int, amount: float) -> None:
        curve = self.curves[which % len(self.curves)]
        if kind in ("mode", "constraint", "root", "pose"):
            self.edit_bone(kind, which, index, amount)
        elif kind in ("value", "move", "delete", "insert", "stretch"):
            self.edit_keys(kind, curve, index, amount)
        else:
            self.edit_curve(kind, curve, index, amount)
        for each in self.curves:
            each.update()

    def edit_keys(self, kind: str, curve: Any, index: int, amount: float) -> None:
        points = curve.keyframe_points
        point = points[index % len(points)]
        if kind == "value":
            point.co[1] += amount * (0.1 if "location" in curve.data_path else 1)
        elif kind == "move":
            point.co[0] += amount
        elif kind == "delete" and len(points) > 1:
            points.remove(point)
        elif kind == "insert":
            points.insert(round(amount), curve.evaluate(round(amount)) + 0.2).interpolation = "LINEAR"
        elif kind == "stretch":
            for one in (one for each in self.curves for one in each.keyframe_points):
                one.co[0] = 1 + (one.co[0] - 1) * amount

    def edit_curve(self, kind: str, curve: Any, index: int, amount: float) -> None:
        points = curve.keyframe_points
        point = points[index % len(points)]
        if kind == "interpolation":
            for one in points:
                one.interpolation = ("BEZIER", "CONSTANT", "SINE")[index]
        elif kind == "handles":
            point.interpolation, point.handle_right_type = "BEZIER", "FREE"
            point.handle_right = (point.co[0] + 3, point.co[1] + amount)
        elif kind == "mute":
            curve.mute = True
        elif kind == "noise":
            curve.modifiers.new("NOISE").strength = amount
        elif kind == "unkey":
            self.remove(curve)

    def edit_bone(self, kind: str, which: int, index: int, amount: float) -> None:
        if kind == "mode":
            self.bones[which].rotation_mode = MODES[index]
        elif kind == "constraint":
            self.constrain(self.bones[which], index, amount)
        elif kind == "root":
            self.obj.location[which] += amount
            self.obj.keyframe_insert("location", index=which, frame=10)
        elif kind == "pose":
            self.bones[which].rotation_euler[index] += amount

    def remove(self, curve: Any) -> None:
        owners = [self.action] if not hasattr(self.action, "layers") else self.action.layers[0].strips[0].channelbags
        for owner in owners:
            if any(each == curve for each in owner.fcurves):
                owner.fcurves.remove(curve)
                return

    def constrain(self, bone: Any, kind: int, amount: float) -> None:
        constraint = bone.constraints.new(("LIMIT_ROTATION", "COPY_ROTATION", "DAMPED_TRACK")[kind])
        constraint.influence = amount
        if kind == 0:
            constraint.owner_space = "LOCAL"
            constraint.use_limit_x = constraint.use_limit_y = True
        else:
            constraint.target, constraint.subtarget = self.obj, self.bones[0].name

    def export(self, sampling: str) -> Any:
        return self.lba.export_lba(bpy.context, self.lba.ExportOptions(str(self.out), sampling=sampling))

    def written(self, frames: Any) -> tuple[Any, Any]:
        """Rotations (K, B, 3, 3) and positions (K, B, 3) in game units and Blender's axes, in the world, by the rules of the format."""
        anm = self.part("core.lba.files.anm").Anm.parse(self.out.read_bytes())
        rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
        start = self.start
        count, loop = len(anm.frames), anm.loop_frame
        order = [*range(count), *([loop] if loop < count else [])]
        durations = [0, *(int(anm.durations[key]) for key in order[1:])]
        times = np.cumsum(durations)
        ticks = ((np.asarray(frames) - start) * 50 / rate).clip(0, times[-1])
        kinds, values = anm.types.astype(int), anm.values.astype(int)
        heading, position = 0.0, np.zeros(3)
        path = [(heading, position)]
        for key in order[1:]:
            heading += int(values[key, 0, 1]) * STEP
            x, y, z = (int(number) for number in anm.steps[key])
            step = np.array([x * np.cos(heading) + z * np.sin(heading), y, z * np.cos(heading) - x * np.sin(heading)])
            position = position + step
            path.append((heading, position))
        parents = [self.bones.index(bone.parent) if bone.parent else -1 for bone in self.bones]
        heads = np.array([bone.bone.head_local for bone in self.bones]) / 0.001
        rotations, positions = np.zeros((len(ticks), len(parents), 3, 3)), np.zeros((len(ticks), len(parents), 3))
        for row, tick in enumerate(ticks.tolist()):
            after = int(np.searchsorted(times, tick - 1e-6).clip(1, len(order) - 1)) if len(order) > 1 else 0
            before = max(after - 1, 0)
            share = (tick - times[before]) / max(times[after] - times[before], 1) if after else 0.0
            new, old = order[after], order[before]
            angle = path[before][0] + (path[after][0] - path[before][0]) * share
            moved = path[before][1] + (path[after][1] - path[before][1]) * share
            rotations[row, 0] = about(2, angle)
            positions[row, 0] = moved[0], -moved[2], moved[1]
            for bone in range(1, len(parents)):
                above = parents[bone]
                first, last = values[old, bone], values[new, bone]
                offset = heads[bone] - heads[above]
                if kinds[new, bone] == 0:
                    first, last = first & 1023, last & 1023
                    away = last - first
                    away = np.where(away < -512, away + 1024, np.where(away > 512, away - 1024, away))
                    alpha, beta, gamma = (first + away * share) * STEP
                    own, shift = about(0, alpha) @ about(1, -gamma) @ about(2, beta), np.zeros(3)
                else:
                    a, b, c = first + (last - first) * share
                    own, shift = np.eye(3), np.array([a, -c, b])
                rotations[row, bone] = rotations[row, above] @ own
                positions[row, bone] = positions[row, above] + rotations[row, above] @ (offset + shift)
        return rotations, positions

    def shown(self, frames: Any) -> tuple[Any, Any]:
        rotations, positions = [], []
        for frame in np.asarray(frames).tolist():
            bpy.context.scene.frame_set(int(np.floor(frame)), subframe=frame - np.floor(frame))
            posed = self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            worlds = [np.array(posed.matrix_world @ posed.pose.bones[bone.name].matrix) for bone in self.bones]
            rotations.append([world[:3, :3] for world in worlds])
            positions.append([world[:3, 3] / 0.001 for world in worlds])
        return np.array(rotations), np.array(positions)

    def frames(self) -> Any:
        keys = np.unique([point.co[0] for curve in self.curves for point in curve.keyframe_points])
        parts = keys[:-1, None] + np.diff(keys)[:, None] * np.array([0, 0.25, 0.5, 0.75])
        return np.append(parts.ravel(), keys[-1])

    def steps_off(self) -> tuple[float, str]:
        """The most steps that a bone is off in itself and in the world, and where."""
        frames = self.frames()
        bpy.context.scene.frame_set(1)
        ours, theirs = self.shown(frames), self.written(frames)
        parents = [self.bones.index(bone.parent) if bone.parent else -1 for bone in self.bones]
        worst, where = 0.0, ""
        for bone, above in enumerate(parents):
            world = steps(ours[0][:, bone], theirs[0][:, bone], ours[1][:, bone] - theirs[1][:, bone], bone == 0)
            if above >= 0:
                (r0, p0), (r1, p1) = (
                    (np.einsum("kji,kjl->kil", r[:, above], r[:, bone]), np.einsum("kji,kj->ki", r[:, above], p[:, bone] - p[:, above]))
                    for r, p in (ours, theirs)
                )
                world = np.minimum(world, steps(r0, r1, p0 - p1, False))
            row = int(np.argmax(world))
            if world[row] > worst:
                worst, where = float(world[row]), f"{self.bones[bone].name} at frame {frames[row]:g}"
        return worst, where


def steps(one: Any, other: Any, away: Any, root: bool) -> Any:
    """(K,) the larger of angle and distance, in the format's steps; of the root's way the heading's rounding counts, too."""
    chord = np.linalg.norm(one - other, axis=(1, 2)) / np.sqrt(8)
    return np.maximum(2 * np.arcsin(chord.clip(0, 1)) / STEP, np.linalg.norm(away, axis=1) / (2 if root else 1))


def about(axis: int, angle: float) -> Any:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = np.eye(3)
    out[i, i] = out[j, j] = np.cos(angle)
    out[j, i], out[i, j] = np.sin(angle), -np.sin(angle)
    return out


def test_unedited(part: Part, chain: Path) -> None:
    it = Chain(part, chain)
    assert it.export("KEYS").warnings == []
    assert it.steps_off()[0] < 0.01


@pytest.mark.thorough
@settings(
    max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(wanted=st.lists(edits, min_size=1, max_size=3), sampling=st.sampled_from(("KEYS", "KEYS", "VISUAL")))
@example(wanted=[("mode", 2, 0, 0.0)], sampling="KEYS")
@example(wanted=[("root", 0, 0, 0.3)], sampling="KEYS")
def test_shown_or_named(part: Part, chain: Path, wanted: list[Any], sampling: str) -> None:
    it = Chain(part, chain)
    for each in wanted:
        it.edit(*each)
    try:
        exported = it.export(sampling)
    except part("core.reporting.errors").RetroAnimError:
        return  # refused by name
    worst, where = it.steps_off()
    (change,) = exported.changes
    if worst > 2:
        assert exported.warnings, f"silent, and {where} is {worst:.1f} steps off"
    if worst < 0.9:
        assert change.worst is None, f"{change.messages}, and the worst is {worst:.2f} steps ({where})"
    assert change.messages if change.worst is not None else not any("from what is shown" in line for line in change.messages)


def test_the_comparison_can_fail(part: Part, chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the check the same edit is silent: what the other test relies on."""
    it = Chain(part, chain)
    curve = next(curve for curve in it.curves if "rotation" in curve.data_path and "pose" in curve.data_path)
    curve.modifiers.new("NOISE").strength = 0.5
    monkeypatch.setattr(part("io.pipeline.fidelity.shown"), "differences", lambda *_: [])
    assert not any("from what is shown" in line for line in it.export("KEYS").warnings) and it.steps_off()[0] > 2
