"""A bone of LBA2 whose rotation mode was changed: its angles are others then, and where its track changes its type the game takes the
numbers of one for the other. That is named with its remedy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from support.shown_stages import STAGES

Part = Callable[[str], ModuleType]


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
@pytest.mark.parametrize("mode", ["XYZ", "ZXY"])
def test_the_mode_is_what_is_named(part: Part, tmp_path: Path, mode: str, sampling: str) -> None:
    """The loop ends in the pose in which it began, by whatever angles."""
    stage = STAGES["LBA2"](part, tmp_path)
    bone = stage.obj.pose.bones["group 02"]
    bone.rotation_mode = mode
    lines = stage.export(stage.out, sampling=sampling, source="ACTIVE").warnings
    assert [line.split("from what is shown: ")[-1] for line in lines] == [
        f"its rotation mode is {mode} and not ZYX: set it back, or put keys between"
    ]
    worst, where = stage.steps_off(stage.out.read_bytes(), stage.frames(1, 48.9), stage.start)
    assert worst > 100, where
    bone.rotation_mode = "ZYX"
    assert stage.export(stage.out, sampling=sampling, source="ACTIVE").warnings == []
    assert stage.out.read_bytes() == stage.path.read_bytes()


@pytest.mark.parametrize("game", ["LBA1", "LBA2", "Oni1"])
def test_what_is_refused_comes_with_a_remedy(part: Part, tmp_path: Path, game: str) -> None:
    stage = STAGES[game](part, tmp_path)
    bone = stage.obj.pose.bones[stage.names[3]]
    for property_name in ("scale", "location"):
        setattr(bone, property_name, (1.5, 1.5, 1.5))
        bone.keyframe_insert(property_name, frame=stage.action.curve_frame_range[0])
        bone.keyframe_insert(property_name, frame=stage.action.curve_frame_range[1])
        with pytest.raises(part("core.reporting.errors").ExportError, match="mute what gives it that"):
            stage.export(stage.out, source="ACTIVE")
        assert bone.keyframe_delete(property_name, frame=stage.action.curve_frame_range[0])
        assert bone.keyframe_delete(property_name, frame=stage.action.curve_frame_range[1])


@pytest.mark.parametrize("remedy", ["set back", "deleted"])
@pytest.mark.parametrize("game", ["LBA2", "Oni1", "Oni2"])
def test_curves_of_another_mode_come_with_a_remedy(part: Part, tmp_path: Path, game: str, remedy: str) -> None:
    """They show nothing in Blender, and are written as they are meant; either remedy makes what is shown what is written."""
    stage = STAGES[game](part, tmp_path)
    bone = stage.obj.pose.bones[stage.names[3]]
    before = bone.rotation_mode
    bone.rotation_mode = "AXIS_ANGLE"
    lines = stage.export(stage.out, source="ACTIVE").warnings
    said = f"rotation mode of {bone.name} is not that of the curves, which do nothing now: their curves are converted"
    assert [line for line in lines if f"{said}: set it back to see them, or delete these curves" in line]
    if remedy == "set back":
        bone.rotation_mode = before
    else:
        curves = part("io.blender.compat").more_curves(stage.action, stage.obj)
        for curve in stage.curves:
            if curve.data_path.startswith(f'pose.bones["{bone.name}"].rotation'):
                curves.remove(curve)
    assert not [line for line in stage.export(stage.out, source="ACTIVE").warnings if said in line]
