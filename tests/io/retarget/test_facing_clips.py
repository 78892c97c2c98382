"""Clips of a figure that stands between two quarter turns at rest, as fighters do: its facing is the same in all of them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]
STANCE = 43
"""Degrees about Z from -Y: nearest to that, but not near it."""


def fighter(part: Part, name: str, clips: dict[str, float], rotated: tuple[str, ...] = ()) -> Any:
    """An armature in its stance at rest. clips: degrees about Z from there in which it stands in each; the first one is shown. rotated:
    those that rotate the object by 90 degrees."""
    obj = rigs.build(name, names=rigs.MIXAMO, pose={"hips": (0.0, 0.0, np.radians(STANCE))})
    obj.rotation_mode = "QUATERNION"
    axis = np.linalg.inv(np.array(obj.data.bones[rigs.MIXAMO["hips"]].matrix_local.to_3x3()))[:, 2]
    for clip, degrees in reversed(clips.items()):
        angle = np.full(15, np.radians(degrees) / 2)
        values = np.concatenate([np.cos(angle)[None], axis[:, None] * np.sin(angle)])
        quarter = {("", "rotation_quaternion"): np.full((4, 15), np.sqrt(0.5)) * [[1], [0], [0], [1]]} if clip in rotated else {}
        rigs.keyed(part, obj, clip, {(rigs.MIXAMO["hips"], "rotation_quaternion"): values, **quarter})
    return obj


def yaws(part: Part, source: Any, target: Any, *names: str) -> dict[str, float]:
    """Degrees by which each clip was turned."""
    job, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    result = job.retarget_actions(bpy.context, source, target, bone_map, job.RetargetOptions(actions=names))
    return {name: round(report.yaw, 3) for name, report in zip(names, result.reports, strict=True)}


@pytest.mark.parametrize("names", [("guard",), ("guard", "run"), ("run", "guard")])
def test_a_clip_in_the_stance_is_turned_as_those_that_show_where_the_figure_looks(part: Part, scene: Any, names: tuple[str, ...]) -> None:
    """Whichever of them are chosen, in whatever order: it looks along X, as its run shows."""
    source = fighter(part, "fighter", {"guard": 0, "run": 90 - STANCE})
    target = rigs.build("plain", names=rigs.UNREAL, rotation=rigs.rolled(5))
    assert yaws(part, source, target, *names) == dict.fromkeys(names, -90)


@pytest.mark.parametrize(("rotated", "looks"), [("run", 0), ("guard", 90)])
def test_a_clip_that_rotates_its_object_shows_where_the_figure_looks_upon_that(part: Part, scene: Any, rotated: str, looks: int) -> None:
    """One of both, the run that shows it or the stance that does not, stands the object a quarter round."""
    source = fighter(part, "fighter", {"guard": 0, "run": 90 - STANCE}, rotated=(rotated,))
    target = rigs.build("plain", names=rigs.UNREAL, rotation=rigs.rolled(5))
    degrees = yaws(part, source, target, "guard")["guard"]
    assert np.isclose(np.cos(np.radians(degrees + 90 + looks)), 1)


def test_clips_that_stand_otherwise_are_read_once(part: Part, scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """To know where the figure looks, however many are retargeted of which the object stands otherwise."""
    names = [f"guard{number}" for number in range(4)]
    source = fighter(part, "fighter", dict.fromkeys(names, 0), rotated=tuple(names[1:3]))
    target = rigs.build("plain", names=rigs.UNREAL, rotation=rigs.rolled(5))
    read, asked = part("io.retarget.reading.read"), list[str]()
    whole = read.read_motion

    def counted(context: Any, obj: Any, action: Any, *rest: Any) -> Any:
        asked.append(action.name)
        return whole(context, obj, action, *rest)

    monkeypatch.setattr(read, "read_motion", counted)
    yaws(part, source, target, *names)
    assert sorted(asked) == names


def test_clips_of_the_target_s_own_show_where_it_looks(part: Part, scene: Any) -> None:
    """Beside the present one, which does not."""
    source = rigs.build("plain", names=rigs.UNREAL, rotation=rigs.rolled(5))
    target = fighter(part, "fighter", {"guard": 0, "run": 90 - STANCE})
    still = np.tile([[1.0], [0.0], [0.0], [0.0]], 15)
    rigs.keyed(part, source, "still", {(rigs.UNREAL["head"], "rotation_quaternion"): still})
    assert yaws(part, source, target, "still") == {"still": 90}


def test_between_two_of_one_figure_nothing_is_turned(part: Part, scene: Any) -> None:
    source, target = fighter(part, "fighter", {"run": 90 - STANCE}), fighter(part, "second", {"guard": 0})
    target.animation_data_clear()
    assert yaws(part, source, target, "run") == {"run": 0}
