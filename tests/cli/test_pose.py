"""`pose`: numbers of the worked examples, and the choice of the body."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.lba import lba1_chain

from .conftest import Ran

Run = Callable[..., Ran]

LOCAL = [
    (0, (0, 0, 0)),
    (0, (0, 100, 0)),
    (1, (0, 0, 0)),
    (1, (50, 200, 0)),
    (1, (-50, 200, 0)),
    (2, (0, 0, 0)),
    (2, (0, 0, 300)),
    (3, (0, 0, 0)),
    (3, (-100, 0, 0)),
    (4, (0, 0, 0)),
    (4, (0, -80, 40)),
]
"""The chain's points: group, and place relative to the group's pivot."""

FRAME_1 = {
    2: (0, 112, -8),
    6: (122.89405, 354.69994, 279.85964),
    8: (-131.75848, 255.04241, -16.44886),
    10: (116.02154, 266.73974, 265.17047),
}
FRAME_2 = {
    3: (50, 288, 8),
    6: (69.44177, 175.8069, 285.5513),
    8: (-131.75848, 344.95759, -0.44886),
    10: (153.05387, 187.61561, 315.0398),
}


def points(pose: dict, local: list[tuple[int, tuple]] = LOCAL) -> np.ndarray:
    """The points of the body from the bones' matrices."""
    matrices = np.array([bone["matrix"] for bone in pose["bones"]]).reshape(-1, 4, 4)
    return np.array([(matrices[group] @ (*position, 1))[:3] for group, position in local])


def test_an_interpolation_of_quaternions_is_not_for_angles(run: Run, chain: Path) -> None:
    given = run("pose", chain / "chain.anm", "--time", 0.1, "--interpolation", "nlerp")
    assert "its bones have angles, each of which is interpolated by itself: nlerp is not used" in given.err
    assert given.out == run("pose", chain / "chain.anm", "--time", 0.1).out


def test_the_shape_of_the_document(run: Run, chain: Path) -> None:
    pose = run("pose", chain / "chain.anm", "--frame", 1, "--json").json
    assert set(pose) == {"format", "time", "bones", "root"}
    assert set(pose["root"]) == {"position", "heading"}
    assert [bone["parent"] for bone in pose["bones"]] == [-1, 0, 1, 1, 2]
    for bone in pose["bones"]:
        assert set(bone) == {"name", "parent", "position", "matrix", "pivot"}
        assert bone["position"] == bone["matrix"][3:12:4]
        assert bone["matrix"][12:] == [0, 0, 0, 1]
    assert (pose["format"], pose["time"]) == ("ANM", 0.3)
    assert pose["bones"][1]["pivot"] == [0, 100, 0]
    assert pose["bones"][1]["position"] == [0, 112, -8]


@pytest.mark.parametrize(
    ("frame", "time", "expected"), [(1, 0.3, FRAME_1), (2, 0.5, FRAME_2), (3, 0.6, {3: (50, 300, 0), 6: (50, 300, 300)})]
)
def test_the_made_up_example(run: Run, chain: Path, frame: int, time: float, expected: dict[int, tuple]) -> None:
    for when in (("--frame", frame), ("--time", time)):
        posed = points(run("pose", chain / "chain.anm", *when, "--json").json)
        for point, position in expected.items():
            assert posed[point] == pytest.approx(position, abs=1e-3)


def test_root_motion(run: Run, chain: Path) -> None:
    root = run("pose", chain / "chain.anm", "--frame", 3, "--json").json["root"]
    assert root["position"] == pytest.approx((101.84402, -20, 491.73109), abs=1e-4)
    assert root["heading"] == 0
    assert run("pose", chain / "chain.anm", "--frame", 2, "--json").json["root"]["heading"] == pytest.approx(math.radians(22.5))
    assert run("pose", chain / "chain.anm", "--time", 0, "--json").json["root"]["position"] == [0, 0, 0]


def test_between_keys_and_beyond_the_last(run: Run, chain: Path) -> None:
    halfway = run("pose", chain / "chain.anm", "--time", 0.15, "--json").json
    assert halfway["bones"][1]["position"] == pytest.approx((0, 106, -4))
    assert halfway["root"]["position"] == pytest.approx((0, 0, 120))
    last, beyond = (run("pose", chain / "chain.anm", "--time", time, "--json").json for time in (0.6, 99))
    assert (last["bones"], last["root"]) == (beyond["bones"], beyond["root"])


def test_entries_of_an_archive_take_the_body_in_it(run: Run, chain: Path) -> None:
    (chain / "chain.lm1").unlink()
    posed = points(run("pose", f"{chain / 'chain.hqr'}#1", "--frame", 1, "--json").json)
    assert posed[6] == pytest.approx(FRAME_1[6], abs=1e-3)


def test_a_body_that_is_given(run: Run, chain: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone.anm"
    alone.write_bytes(lba1_chain.ANM)
    for body in (chain / "chain.lm1", f"{chain / 'chain.hqr'}#3"):
        pose = run("pose", alone, "--skeleton", body, "--frame", 1, "--json").json
        assert points(pose)[10] == pytest.approx(FRAME_1[10], abs=1e-3)


def test_the_only_fitting_body_of_the_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "walk.anm").write_bytes(lba1_chain.ANM)
    (tmp_path / "someone.LM1").write_bytes(lba1_chain.LM1)
    ran = run("pose", tmp_path / "walk.anm", "--frame", 1, "--json")
    assert points(ran.json)[6] == pytest.approx(FRAME_1[6], abs=1e-3)
    assert "someone.LM1: the only body" in ran.err


def test_without_a_body_there_is_a_plain_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "walk.anm").write_bytes(lba1_chain.ANM)
    ran = run("pose", tmp_path / "walk.anm", "--frame", 1, "--json")
    assert [bone["parent"] for bone in ran.json["bones"]] == [-1, 0, 0, 0, 0]
    assert "plain" in ran.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--frame", "4"), 1),
        (("--frame", "-1"), 2),
        (("--time", "nan"), 2),
        (("--time", "-1"), 2),
        ((), 2),
        (("--frame", "1", "--time", "1"), 2),
        (("--frame", "1", "--skeleton", "chain.anm"), 1),
        (("--frame", "1", "--skeleton", "nothing.lm1"), 1),
    ],
)
def test_what_cannot_be_done(run: Run, chain: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int) -> None:
    monkeypatch.chdir(chain)
    ran = run("pose", "chain.anm", *arguments)
    assert (ran.code, ran.out) == (code, "")
    if code == 1:
        assert len(ran.errors) == 1


def test_a_body_has_no_pose(run: Run, chain: Path) -> None:
    ran = run("pose", chain / "chain.lm1", "--frame", 0)
    assert (ran.code, ran.errors) == (1, [f"{chain / 'chain.lm1'}: no animation: LBA1 body"])


def test_the_walk_of_the_game(run: Run, game_data: Path) -> None:
    """Pivots and points of the first six groups, as the engine's arithmetic gives them in floating point."""
    pose = run("pose", f"{game_data / 'lba1' / 'ANIM.HQR'}#1", "--frame", 1, "--json").json
    pivots = [bone["pivot"] for bone in pose["bones"][:6]]
    expected = [(0, 0, 0), (0, 33, 0), (0, 554, 33), (0, 586.752, 28.960), (129.014, 887.455, 53.905), (169.460, 678.386, 169.227)]
    assert np.array(pivots) == pytest.approx(np.array(expected), abs=1e-3)
    local = [(1, (0, 533, 33)), (3, (0, 0, -133)), (4, (0, -200, -120)), (5, (33, -200, 0))]
    placed = [(0, 554, 33), (32.316, 583.586, -100.015), (135.287, 655.105, 34.560), (165.066, 549.706, 325.788)]
    assert points(pose, local) == pytest.approx(np.array(placed), abs=1e-3)
    assert (pose["time"], pose["root"]["position"]) == (0.18, [0, 0, 240])


def test_the_turn_of_the_game(run: Run, game_data: Path) -> None:
    root = run("pose", f"{game_data / 'lba1' / 'ANIM.HQR'}#3", "--time", 99, "--json").json["root"]
    assert root["heading"] == pytest.approx(204 / 1024 * 2 * math.pi)


def test_text(run: Run, chain: Path) -> None:
    assert len(run("pose", chain / "chain.anm", "--frame", 1).out.splitlines()) == 6
