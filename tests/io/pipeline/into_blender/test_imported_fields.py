"""What an action keeps of its import is checked at export, in every game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from support.sample_files import CLIPS, SAMPLES


@pytest.mark.parametrize("game", CLIPS)
@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("fps", 0, "retro_anim_fps (Frame Rate) is 0, and must be a number from 0.001 to 100000"),
        ("fps", "fast", "retro_anim_fps (Frame Rate) is 'fast', and must be a number from 0.001 to 100000"),
        ("frame_start", "1", "retro_anim_frame_start (Start Frame) is '1', and must be a number from -1.04857e+06 to 1.04857e+06"),
        ("scale", -1.0, "retro_anim_scale (Scale) is -1, and must be a number from 1e-06 to 1e+06"),
        ("root_motion", "FEET", "retro_anim_root_motion (Root Motion) is 'FEET', and must be one of OBJECT, BONE, NONE"),
        ("placement", [1.0, 2.0], "retro_anim_placement must be nine numbers of at most 1e+15: location, angles and scale"),
        ("placement", [1e300] * 9, "retro_anim_placement must be nine numbers of at most 1e+15: location, angles and scale"),
        ("placement", "here", "retro_anim_placement (Placement) must be up to 9 numbers"),
        ("scale", None, "retro_anim_scale is gone: import the animation again, or delete retro_anim_fps as well"),
    ],
)
def test_a_wrong_value_is_one_line(part: Any, tmp_path: Path, game: str, name: str, value: Any, problem: str) -> None:
    module, path = part(f"io.{game}"), SAMPLES / CLIPS[game]
    run = getattr(module, f"import_{game}")
    action = run(bpy.context, module.ImportOptions((str(path),))).actions[0]
    if value is None:
        del action[f"retro_anim_{name}"]
    else:
        action[f"retro_anim_{name}"] = value
    target = tmp_path / path.name
    with pytest.raises(part("core.reporting.errors").ExportError) as raised:
        getattr(module, f"export_{game}")(bpy.context, module.ExportOptions(str(target)))
    assert str(raised.value).rpartition(f"{action.name}: ")[2] == problem and str(raised.value).startswith(action.name)
    assert not list(tmp_path.iterdir())
