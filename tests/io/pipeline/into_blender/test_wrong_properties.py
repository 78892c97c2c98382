"""Custom properties that somebody gave another type: an export or import is refused in one line, or goes on without them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.sample_files import CLIPS, SAMPLES

WRONG = ["text", [1, 2], ["a", "b"], {"a": 1}, -1, float("nan"), b"\xff\x00"]

Run = Callable[[str], list[Any]]


@pytest.fixture(params=CLIPS)
def character(request: pytest.FixtureRequest, part: Any, tmp_path: Path) -> tuple[Any, Run, Run]:
    """A character of the game with its armature active, its export to a file of this name, and its import once more."""
    game = request.param
    module, source = part(f"io.{game}"), SAMPLES / CLIPS[game]

    def opened(_name: str) -> list[Any]:
        return getattr(module, f"import_{game}")(bpy.context, module.ImportOptions((str(source),))).armatures

    def export(name: str) -> list[Any]:
        path = tmp_path / f"{name}{source.suffix}"
        getattr(module, f"export_{game}")(bpy.context, module.ExportOptions(str(path)))
        return [path.read_bytes()]

    return opened("")[0], opened, export


@pytest.mark.thorough
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_scale_and_bone_numbers(part: Any, character: tuple[Any, Run, Run], wrong: Any) -> None:
    """Without them an armature is none of the game's; an import of Oni 2 then makes a new one."""
    armature, opened, export = character
    error = part("core.reporting.errors").RetroAnimError
    for block, name in ((armature.data, "retro_anim_scale"), (armature.data.bones[1], "retro_anim_bone")):
        before = block[name]
        block[name] = wrong
        bpy.context.view_layer.objects.active = armature
        with pytest.raises(error):
            export("refused")
        try:
            assert armature not in opened("again")
        except error as problem:
            assert armature.name in str(problem)
        block[name] = before
    bpy.context.view_layer.objects.active = armature
    assert export("whole")


@pytest.mark.thorough
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_is_only_remembered(character: tuple[Any, Run, Run], wrong: Any) -> None:
    """As if it were gone: the motion is written all the same."""
    armature, _, export = character
    action = armature.animation_data.action
    expected = export("first")
    remembered = [(action, "retro_anim_entry"), (armature.data.bones[1], "retro_anim_name"), (action, "retro_anim_block")]
    remembered += [(armature.data, "oni_boxes"), (action, "oni_markers"), (action, "oni2_offsets")]
    blocks = [(block, name) for block, name in remembered if name in block]
    for block, name in blocks:
        before = block[name] if isinstance(block[name], str | int) else list(block[name])
        block[name] = wrong
        assert export("again")
        block[name] = before
    assert export("last") == expected


@pytest.mark.parametrize("wrong", ["text", -1, b"\xff\x00", b""], ids=str)
def test_source_data(character: tuple[Any, Run, Run], wrong: Any) -> None:
    """It is not read, and the next import has source data of its own."""
    armature, opened, export = character
    text = armature.animation_data.action["retro_anim_source"]
    text["file"] = wrong
    assert export("motion")
    again = opened("again")
    assert again[-1].animation_data.action["retro_anim_source"] != text


def test_frames_that_a_file_does_not_have(part: Any, tmp_path: Path) -> None:
    """A range of the time line, given to an action by hand."""
    mindpower = part("io.mindpower")
    mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(SAMPLES / CLIPS["mindpower"]),)))
    for action in bpy.data.actions:
        first, last = action["mindpower_range"]
        action["mindpower_range"] = [first + 1000, last + 1000]
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=r"stands for frames up to 1\d\d\d of a file of 138"):
        mindpower.export_mindpower(bpy.context, mindpower.ExportOptions(str(tmp_path / "out.lab")))
