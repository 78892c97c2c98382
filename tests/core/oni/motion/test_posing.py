"""`pose` for TRAM and OBAN: the worked examples through the files and the bodies beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core import poses
from retro_anim.core.motion.pose import Wanted
from retro_anim.core.oni.body.body import Body
from retro_anim.core.oni.files.documents import ObanFile, TramFile
from retro_anim.core.oni.game import ImportOptions
from retro_anim.core.oni.posing import joints_at
from retro_anim.core.reporting.errors import FormatError
from support.oni.oni_trams import random_tram

from ..example import OFFSETS, PARENTS, SHINZO

Game = Callable[[str], Path]


def test_the_worked_example_on_the_body_beside_it(game_file: Game) -> None:
    """The body is the example's skeleton; the first frame is at height 9."""
    result = poses.pose_of(str(game_file("oni/instances/TRAMSHINZOMidle1_wiki.oni")), Wanted(frame=0))
    assert np.abs(result.matrices[:, :3, 3] - SHINZO).max() < 1e-4
    assert (result.format, result.names[1], result.parents[11]) == ("TRAM", "left_thigh", 9)
    level = poses.pose_of(f"{game_file('oni/level/level1_Final.dat')}#TRAMSHINZOMidle1_wiki", Wanted(frame=0))
    assert np.abs(level.matrices - result.matrices).max() < 1e-9


def test_root_and_time(game_file: Game) -> None:
    path = str(game_file("oni/instances/TRAMTESTrandom.oni"))
    document = TramFile.parse(game_file("oni/instances/TRAMTESTrandom.oni").read_bytes()).tram
    assert document.velocities is not None
    result = poses.pose_of(path, Wanted(frame=7))
    assert result.root_position[[0, 2]] == pytest.approx([document.velocities[axis][:7].sum() for axis in "xz"], abs=1e-4)
    assert result.root_position[1] == 0
    assert result.time == pytest.approx(7 / 60)
    # The last bits of a product of matrices depend on where in memory they lie.
    assert np.allclose(result.matrices, poses.pose_of(path, Wanted(time=7 / 60)).matrices, rtol=0, atol=1e-12)
    last = poses.pose_of(path, Wanted(frame=59)).matrices
    assert np.allclose(last, poses.pose_of(path, Wanted(time=1000)).matrices, rtol=0, atol=1e-12)
    with pytest.raises(FormatError, match="there is no frame 60; the animation has 60"):
        poses.pose_of(path, Wanted(frame=60))


def test_slerp_and_nlerp_agree_on_keys_only(game_file: Game) -> None:
    path = str(game_file("oni/instances/TRAMTESTrandom.oni"))
    one, other = (poses.pose_of(path, Wanted(frame=3, interpolation=settings)).matrices for settings in ("slerp", "nlerp"))
    assert 1e-3 < np.abs(one[:, :3, 3] - other[:, :3, 3]).max() < 2
    one, other = (poses.pose_of(path, Wanted(frame=0, interpolation=settings)).matrices for settings in ("slerp", "nlerp"))
    assert np.abs(one - other).max() < 1e-12


def test_between_keys_as_an_import_shows_it_by_default(game_file: Game) -> None:
    """Keys where the game has them, so nlerp."""
    path = str(game_file("oni/instances/TRAMTESTrandom.oni"))
    default, nlerp = (poses.pose_of(path, wanted).matrices for wanted in (Wanted(frame=3), Wanted(frame=3, interpolation="nlerp")))
    assert np.array_equal(default, nlerp)
    assert ImportOptions(("x",)).keys == "GAME"


def test_an_object_is_one_bone_named_after_it(game_file: Game) -> None:
    path = game_file("oni/instances/OBANBlackvan_FB_wiki.oni")
    document = ObanFile.parse(path.read_bytes()).oban
    result = poses.pose_of(str(path), Wanted(frame=0))
    assert (result.format, result.names, result.parents.tolist()) == ("OBAN", ("OBANBlackvan_FB_wiki",), [-1])
    assert np.abs(result.matrices[0, :3, :3].T - document.initial[:3]).max() < 1e-6
    assert result.matrices[0, :3, 3] == pytest.approx(document.initial[3], abs=1e-4)
    assert not result.root_position.any()


def test_without_heights_it_stands_on_the_ground() -> None:
    body = Body("", "", PARENTS, OFFSETS, [None] * 19)
    document = replace(random_tram(1), heights=None, velocities=None)
    root = joints_at(document, body, np.zeros(1)).positions[0, 0]
    # The lower leg's end of the example's T pose is 8.25 below the pelvis.
    assert root == pytest.approx((0, 8.25, 0), abs=1e-6)


def test_another_number_of_bones(tmp_path: Path, game_file: Game) -> None:
    alone = tmp_path / "TRAMseven.oni"
    alone.write_bytes(TramFile.new(random_tram(1, 5, 7)).pack())
    with pytest.raises(FormatError, match="7 bones"):
        poses.pose_of(str(alone), Wanted(frame=0))
    with pytest.raises(FormatError, match="7 bones; TRBSTESTbody has 19"):
        poses.pose_of(str(alone), Wanted(str(game_file("oni/instances/TRBSTESTbody.oni")), frame=0))
