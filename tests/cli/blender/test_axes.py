"""Files of motion capture and of glTF stand upright and look along -Y in Blender, whatever their axes are."""

from __future__ import annotations

import argparse
import itertools
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

Convert = Callable[..., tuple[int, list[str], list[str]]]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
GIVEN = ("cmu_01_01_600", "ad_cmu1_jumping_jacks", "ad_fair1_zombie", "ad_rokoko_jesse_dance")

CHANGES = {
    "Z up": {"X": "X", "Y": "Z", "Z": "-Y"},
    "X up": {"X": "-Y", "Y": "X", "Z": "Z"},
    "looks along X": {"X": "-Z", "Y": "Y", "Z": "X"},
    "looks along -Z": {"X": "-X", "Y": "Y", "Z": "-Z"},
}
"""Where the axes of a file with Y up go, which looks along Z."""


def with_axes(text: str, axes: dict[str, str]) -> str:
    """A .bvh with its axes renamed: proper rotations of all offsets and channels."""
    signs: list[float] = []

    def channels(match: re.Match[str]) -> str:
        names = match[2].split()
        signs.extend(-1.0 if axes[name[0]].startswith("-") else 1.0 for name in names)
        return f"{match[1]}{' '.join(axes[name[0]][-1] + name[1:] for name in names)}\n"

    def offset(match: re.Match[str]) -> str:
        values = dict(zip("XYZ", map(float, match[2].split()), strict=True))
        result = {target[-1]: -values[axis] if target.startswith("-") else values[axis] for axis, target in axes.items()}
        return f"{match[1]}{result['X']!r} {result['Y']!r} {result['Z']!r}\n"

    head, motion = text.replace("\r", "").split("MOTION")
    head = re.sub(r"(OFFSET\s+)([^\n]+)\n", offset, head)
    head = re.sub(r"(CHANNELS\s+\d+\s+)([^\n]+)\n", channels, head)
    lines = motion.strip("\n").split("\n")
    rows = [" ".join(repr(float(value) * sign) for value, sign in zip(line.split(), signs, strict=True)) for line in lines[2:42] if line]
    return f"{head}MOTION\nFrames: {len(rows)}\n{lines[1]}\n" + "\n".join(rows) + "\n"


def joints(path: Path) -> dict[str, np.ndarray]:
    """Of each bone its head in the world, frame by frame."""
    bpy.ops.wm.open_mainfile(filepath=str(path))
    (obj,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    result: dict[str, list[np.ndarray]] = {bone.name: [] for bone in obj.pose.bones}
    for frame in range(1, 30, 7):
        bpy.context.scene.frame_set(frame)
        for bone in obj.pose.bones:
            result[bone.name].append(np.array(obj.matrix_world @ bone.head))
    return {name: np.array(positions) for name, positions in result.items()}


def middle(positions: dict[str, np.ndarray], pattern: str) -> np.ndarray:
    """Of the bones of a kind, over all frames."""
    return np.mean([moved.mean(axis=0) for name, moved in positions.items() if re.search(pattern, name, re.IGNORECASE)], axis=0)


@pytest.mark.thorough
@pytest.mark.parametrize("name", GIVEN)
def test_the_given_clips_stand(convert: Convert, game_file: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    """One of them lies at rest, and moves upright."""
    assert convert(game_file(f"mocap/{name}.bvh"), "-o", tmp_path / "out.blend")[0] == 0
    positions = joints(tmp_path / "out.blend")
    up = middle(positions, "head") - middle(positions, "foot|ankle")
    assert up[2] / np.linalg.norm(up) > 0.9


@pytest.mark.parametrize("axes", list(CHANGES))
def test_other_axes_are_found_out(convert: Convert, game_file: Callable[[str], Path], tmp_path: Path, axes: str) -> None:
    """The same clip with its axes renamed is the same in Blender."""
    text = game_file("mocap/cmu_01_01_600.bvh").read_text()
    for name, mapping in (("plain", {axis: axis for axis in "XYZ"}), ("other", CHANGES[axes])):
        (tmp_path / f"{name}.bvh").write_text(with_axes(text, mapping))
        assert convert(tmp_path / f"{name}.bvh", "-o", tmp_path / f"{name}.blend")[0] == 0
    plain, other = joints(tmp_path / "plain.blend"), joints(tmp_path / "other.blend")
    assert plain.keys() == other.keys()
    assert max(np.abs(plain[name] - other[name]).max() for name in plain) < 1e-3
    assert max(np.ptp(positions, axis=0).max() for positions in plain.values()) > 1


@pytest.mark.parametrize("axes", ["Z up", "X up"])
def test_joints_that_are_only_numbered_show_their_axes_by_structure(
    convert: Convert, game_file: Callable[[str], Path], tmp_path: Path, axes: str
) -> None:
    text = with_axes(game_file("mocap/cmu_01_01_600.bvh").read_text(), CHANGES[axes])
    number = itertools.count(1)
    numbered = re.sub(r"(ROOT|JOINT)\s+\S+", lambda match: f"{match[1]} joint_{next(number)}", text)
    (tmp_path / "named.bvh").write_text(text)
    (tmp_path / "numbered.bvh").write_text(numbered)
    for name in ("named", "numbered"):
        assert convert(tmp_path / f"{name}.bvh", "-o", tmp_path / f"{name}.blend")[0] == 0
    named, other = (list(joints(tmp_path / f"{name}.blend").values()) for name in ("named", "numbered"))
    assert max(np.abs(first - second).max() for first, second in zip(named, other, strict=True)) < 1e-3


def test_axes_that_are_given_count(convert: Convert, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    text = game_file("mocap/cmu_01_01_600.bvh").read_text()
    (tmp_path / "plain.bvh").write_text(with_axes(text, {axis: axis for axis in "XYZ"}))
    assert convert(tmp_path / "plain.bvh", "-o", tmp_path / "plain.blend")[0] == 0
    assert convert(tmp_path / "plain.bvh", "--forward", "X", "-o", tmp_path / "side.blend")[0] == 0
    plain, side = joints(tmp_path / "plain.blend"), joints(tmp_path / "side.blend")
    for name, positions in plain.items():  # X of the file, which was left, is now the front
        x, y, z = positions.T
        np.testing.assert_allclose(side[name], np.stack([y, -x, z], axis=1), atol=1e-3)
    code, _, errors = convert(tmp_path / "plain.bvh", "--forward", "X", "--up=-X", "-o", tmp_path / "side.blend")
    assert code == 1
    assert "-X cannot be up when the character looks along X" in errors[0]


def test_gltf(convert: Convert, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """Stands as the format says, or as it is said to be."""
    source = game_file("mocap/cesium_man.gltf")
    assert convert(source, "-o", tmp_path / "plain.blend")[0] == 0
    assert convert(source, "--up", "Z", "--forward=-Y", "-o", tmp_path / "lies.blend")[0] == 0
    plain, lies = joints(tmp_path / "plain.blend"), joints(tmp_path / "lies.blend")
    for name, positions in plain.items():
        x, y, z = positions.T
        np.testing.assert_allclose(lies[name], np.stack([x, z, -y], axis=1), atol=1e-5)
    heights = [positions[0, 2] for positions in plain.values()]
    assert np.ptp(heights) > 1.0


LYING = """HIERARCHY
ROOT Hips
{{
 OFFSET 0 0 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
 JOINT LeftUpLeg
 {{
  OFFSET 5 0 10
  CHANNELS 3 Zrotation Yrotation Xrotation
  JOINT LeftFoot
  {{
   OFFSET 80 0 0
   CHANNELS 3 Zrotation Yrotation Xrotation
   End Site
   {{
    OFFSET 10 0 0
   }}
  }}
 }}
 JOINT Spine
 {{
  OFFSET 20 0 0
  CHANNELS 3 Zrotation Yrotation Xrotation
  JOINT Head
  {{
   OFFSET 50 0 0
   CHANNELS 3 Zrotation Yrotation Xrotation
   End Site
   {{
    OFFSET 20 0 0
   }}
  }}
 }}
}}
MOTION
Frames: 9
Frame Time: 0.033333
{rows}
"""
"""A rest pose that shows nothing: all bones along X, as some captures have it."""


def lying(up: list[float]) -> str:
    """up: of the hips, in the first frame, where Y (X turned by 90 degrees about Z) or Z (by -90 about Y) is up."""
    rows = []
    for frame in range(9):
        rotated = ([0, -90, 0], [0, 90, 0]) if up[2] else ([90, 0, 0], [-90, 0, 0])
        channels = [up[0] + frame, up[1] - (frame if up[2] else 0), up[2], 0, 0, 0, *rotated[1], 0, 0, 0, *rotated[0], 0, 0, 0]
        rows.append(" ".join(map(str, channels)))
    return LYING.format(rows="\n".join(rows))


@pytest.mark.parametrize(
    ("hips", "stands"),
    [
        pytest.param([0, 0, 85], True, id="Z is up, and the feet are on its ground"),
        pytest.param([0, 85, 0], True, id="Y is up"),
        pytest.param([0, 10, 85], False, id="it lies on the ground of Y, with its feet at the origin by chance"),
        pytest.param([0, 10, 300], False, id="it lies on the ground of Y"),
    ],
)
def test_a_rest_pose_that_lies_leaves_it_to_the_motion(convert: Convert, tmp_path: Path, hips: list[float], stands: bool) -> None:
    text = lying(hips)
    if not stands:  # a body that lies, which moves along the ground
        text = "\n".join(re.sub(r"^(\d+) \S+ ", rf"\1 {hips[1]} ", line) for line in text.split("\n"))
    (tmp_path / "clip.bvh").write_text(text)
    assert convert(tmp_path / "clip.bvh", "-o", tmp_path / "out.blend")[0] == 0
    positions = joints(tmp_path / "out.blend")
    up = (positions["Head"] - positions["LeftFoot"])[0]
    assert (up[2] / np.linalg.norm(up) > 0.9) == stands


@pytest.mark.parametrize(
    ("hips", "step", "stands"),
    [
        pytest.param([0, 0, 85], [0, -10, 0], True, id="it walks on the ground of Z"),
        pytest.param([0, 0, 85], [0, 0, 60], False, id="it flies along Z, with its feet at the origin first"),
        pytest.param([0, 100, 0], [0, 0, 0], False, id="it swims on the spot, with its hips at the origin"),
        pytest.param([0, 10, 85], [0, 0, 0], False, id="it lies on the ground of Y"),
        pytest.param([0, 70, 85], [0, 0, 0], False, id="it lies on a table"),
        pytest.param([0, 50, 85], [1, 0, 0], False, id="it lies on a bed, and turns a little"),
        pytest.param([0, -8, 85], [0, 0, 0], False, id="it lies on a ground that is too low"),
    ],
)
def test_a_rest_pose_that_stands_with_y_up_may_lie_on_the_ground_of_z(
    convert: Convert, tmp_path: Path, hips: list[float], step: list[float], stands: bool
) -> None:
    """A T-pose on its back, as a capture may have it: the motion alone shows whether that or the figure lies."""
    rows = [
        " ".join(str(value) for value in (*(start + frame * far for start, far in zip(hips, step, strict=True)), 0, 0, 90, *[0] * 12))
        for frame in range(9)
    ]
    text = LYING.format(rows="\n".join(rows)).replace("OFFSET 80 0 0", "OFFSET 0 -85 0").replace("OFFSET 5 0 10", "OFFSET 5 0 0")
    (tmp_path / "clip.bvh").write_text(re.sub(r"OFFSET (\d+) 0 0", r"OFFSET 0 \1 0", text))
    assert convert(tmp_path / "clip.bvh", "-o", tmp_path / "out.blend")[0] == 0
    positions = joints(tmp_path / "out.blend")
    up = (positions["Head"] - positions["LeftFoot"])[0]
    assert (up[2] / np.linalg.norm(up) > 0.9) == stands


@pytest.mark.parametrize("output", ["out.glb", "out.bvh", "out/"])
def test_a_game_s_file_has_the_axes_that_it_has(convert: Convert, tmp_path: Path, output: str) -> None:
    """Which is said, instead of leaving the argument out."""
    code, written, errors = convert(SAMPLES / "oni/TRAMmannequin_walk.oni", "--up", "Z", "-o", f"{tmp_path}/{output}")
    assert (code, written, list(tmp_path.iterdir())) == (1, [], [])
    assert "--up and --forward are for .glb, .gltf, .fbx, .bvh: others say themselves which axis is up" in errors[-1]


def test_a_new_character_s_source_may_have_axes_of_its_own(part: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, client = SAMPLES / "oni/TRAMmannequin_walk.oni", tmp_path / "client"
    shutil.copytree(SAMPLES / "mindpower", client, copy_function=shutil.copyfile)
    assert part("cli.main").main(["character", "make", str(source), str(client), "--up", "Z"]) == 1
    assert "--up and --forward are for .glb" in capsys.readouterr().err


def test_axes_that_are_given_count_in_a_folder_too(convert: Convert, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """The files there are made anew for others."""
    text = game_file("mocap/cmu_01_01_600.bvh").read_text()
    (tmp_path / "walk.bvh").write_text(with_axes(text, {axis: axis for axis in "XYZ"}))
    shown: list[dict[str, np.ndarray]] = []
    for arguments in ((), ("--forward", "X")):
        code, written, errors = convert(tmp_path / "walk.bvh", *arguments, "--to", "blend", "-o", f"{tmp_path}/out/", "--jobs", 1)
        assert code == 0, errors
        shown.append(joints(Path(written[0])))
    plain, side = shown
    for name, positions in plain.items():
        x, y, z = positions.T
        np.testing.assert_allclose(side[name], np.stack([y, -x, z], axis=1), atol=1e-3)


@pytest.mark.parametrize("prefix", ["", "onto-"])
def test_axes_that_were_found_out_name_the_arguments_of_that_file(
    part: Any, game_file: Callable[[str], Path], tmp_path: Path, prefix: str
) -> None:
    path = tmp_path / "walk.bvh"
    path.write_text(with_axes(game_file("mocap/cmu_01_01_600.bvh").read_text(), CHANGES["Z up"]))
    arguments = argparse.Namespace(up="", forward="", onto_up="", onto_forward="")
    with part("core.reporting.log").collect() as said:
        part("cli.blender").empty_scene()
        part("cli.blender").load(str(path), part("cli.axes").Axes.of(arguments, prefix))
    assert any(f"--{prefix}up and --{prefix}forward say otherwise" in message.text for message in said.of("INFO"))
