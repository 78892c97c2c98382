"""Oni 2 on the command line: the worked example's pose, loose and in an archive, and what the sources leave open as a switch."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.oni2.oni2_files import CHANNELS_SKEL, FRAME, ROOT, SPINE, TWO_BONES, dave

from .conftest import Ran

Run = Callable[..., Ran]

NEXT = (0.3, 1.05, -0.5, 0.3, 0.2, 0.3, -0.4, 0.5, 0.2)


@pytest.fixture
def entity(tmp_path: Path) -> Path:
    """The two bones and two frames of the worked example, as they lie in the game's folders."""
    folder = tmp_path / "Entity" / "two"
    folder.mkdir(parents=True)
    (folder / "two.skel").write_text(TWO_BONES)
    (folder / "Entity.type").write_text("SKEL two\n")
    (folder / "two_step.anim").write_bytes(null_of([FRAME, NEXT], -0.2))
    return folder


def null_of(frames: list[tuple[float, ...]], stride: float) -> bytes:
    return struct.pack("<3IfB", 0, len(frames), len(frames[0]), stride, 0) + np.array(frames, "<f4").tobytes()


def matrices(ran: Ran) -> np.ndarray:
    return np.array([bone["matrix"] for bone in ran.json["bones"]]).reshape(-1, 4, 4)


def test_the_pose_of_the_worked_example(run: Run, entity: Path) -> None:
    ran = run("pose", entity / "two_step.anim", "--frame", 0, "--json")
    assert ran.code == 0
    assert np.abs(matrices(ran)[0, :3] - ROOT).max() < 1e-6
    assert np.abs(matrices(ran)[1, :3] - SPINE).max() < 1e-6
    assert [bone["name"] for bone in ran.json["bones"]] == ["root", "spine"]
    assert ran.json["root"] == {"position": [0, 0, 0], "heading": 0}
    assert "two.skel" in ran.err


def test_between_frames_and_the_root_motion(run: Run, entity: Path) -> None:
    ran = run("pose", entity / "two_step.anim", "--time", 0.5 / 30, "--json").json
    assert ran["bones"][0]["position"] == pytest.approx([0.2, 1.05, -0.4], abs=1e-6)
    assert ran["root"]["position"] == pytest.approx([0.1, 0, -0.1], abs=1e-6)


def test_the_switches(run: Run, entity: Path) -> None:
    clip = entity / "two_step.anim"
    added = run("pose", clip, "--frame", 0, "--json", "--oni2", "offset=add")
    assert matrices(added)[0, :3, 3] == pytest.approx([0.1, 2.05, -0.3], abs=1e-6)
    wrong = run("pose", clip, "--frame", 0, "--oni2", "offset=sometimes")
    assert wrong.code == 2
    assert "offset=sometimes is no interpretation of Oni 2" in wrong.err


def test_the_beta_dialect_opens_on_demand(run: Run, tmp_path: Path) -> None:
    clip = tmp_path / "walk.anim"
    clip.write_bytes(struct.pack("<2IfB", 2, 2, -0.2, 0) + np.array([FRAME, NEXT], "<f4").tobytes())
    refused = run("verify", clip)
    assert refused.code == 1
    assert "opens only on demand" in refused.err
    assert run("verify", clip, "--oni2", "beta").code == 0


def test_a_whole_archive(run: Run, entity: Path, tmp_path: Path) -> None:
    files = {f"Entity/two/{path.name}": path.read_bytes() for path in sorted(entity.iterdir())}
    archive = tmp_path / "RB.DAT"
    archive.write_bytes(dave({"Entity/": b"", "Entity/two/": b"", **files, "readme.xyz": b"hello"}, ["Entity/two/two.skel"]))
    verified = run("verify", archive, "--json").json
    assert (verified["entries"], verified["identical"], verified["skipped"]) == (3, 3, 3)
    result = run("info", archive, "--json").json["files"][0]
    assert {entry["path"].partition("#")[2] for entry in result["contents"]} == {*files, "readme.xyz"}
    pose = run("pose", f"{archive}#Entity/two/two_step.anim", "--frame", 0, "--json")
    assert np.abs(matrices(pose)[1, :3] - SPINE).max() < 1e-6


def test_info(run: Run, entity: Path) -> None:
    facts = run("info", entity / "two_step.anim", "--json").json["files"][0]
    assert {name: facts[name] for name in ("format", "kind", "frames", "channels", "bones", "loop", "stride")} == {
        "format": "ANIM", "kind": "null", "frames": 2, "channels": 9, "bones": 2, "loop": None, "stride": [-0.2]}  # fmt: skip
    assert facts["duration"] == pytest.approx(1 / 30, abs=1e-6)
    (entity / "two.skel").write_text(CHANNELS_SKEL)
    skeleton = run("info", entity / "two.skel", "--json").json["files"][0]
    assert (skeleton["bones"], skeleton["channels"], skeleton["locked"], skeleton["version"]) == (5, 19, 1, "101")


def test_a_skeleton_that_does_not_fit_is_said(run: Run, entity: Path) -> None:
    (entity / "other.skel").write_text(CHANNELS_SKEL.replace("\t\tbone piston", "\t\tbone piston2"))
    ran = run("pose", entity / "two_step.anim", "--frame", 0, "--skeleton", entity / "other.skel")
    assert ran.code == 1
    assert "9 channels, but the skeleton has 19" in ran.err
