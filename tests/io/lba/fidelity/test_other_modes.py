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
        with pytest.raises(part("core.reporting.errors").ExportError, match="or mute what gives it that"):
            stage.export(stage.out, source="ACTIVE")
        assert bone.keyframe_delete(property_name, frame=stage.action.curve_frame_range[0])
        assert bone.keyframe_delete(property_name, frame=stage.action.curve_frame_range[1])
