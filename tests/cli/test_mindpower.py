"""The files of Tales of Pirates on the command line: facts, bytes and poses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.mindpower import mindpower_files

from .conftest import Ran

Run = Callable[..., Ran]
NOTHING = {"skipped": 0, "different": [], "failed": []}
LABS = ("0001", "0005", "0010", "0014", "0016", "0088", "0311", "0725", "0741", "0860")


@pytest.fixture
def client(tmp_path: Path) -> Path:
    return mindpower_files.client(tmp_path / "client")


def matrices(pose: dict) -> np.ndarray:
    return np.array([bone["matrix"] for bone in pose["bones"]]).reshape(-1, 4, 4)


def test_facts_of_a_skeleton(run: Run, client: Path) -> None:
    (facts,) = run("info", client / "Animation" / "0001.LAB", "--json").json["files"]
    wanted = {"format": "LAB", "version": "0x1005", "key_type": "QUAT", "bones": 2, "frames": 20, "keys": 40, "dummies": 2, "loop": None}
    assert facts == facts | wanted
    assert facts["duration"] == pytest.approx(19 / 30, abs=1e-6)
    assert (facts["character"], facts["action_type"], facts["suits"]) == ("Strong Guy", 1, ["0/0,1,4", "3/2"])


def test_facts_of_a_mesh(run: Run, client: Path) -> None:
    (facts,) = run("info", client / "model" / "Character" / "0001000000.lgo", "--json").json["files"]
    wanted = {"format": "LGO", "version": "0x1005", "vertices": 4, "triangles": 2, "bones": 2, "weights": 1, "uv_sets": 1}
    assert facts == facts | wanted | {"materials": 1, "textures": ["HEAD.BMP"], "spheres": 2, "animated": False}


def test_facts_of_the_tables(run: Run, client: Path) -> None:
    (actions,) = run("info", client / "Scripts" / "TXT" / "characteraction.TX", "--json").json["files"]
    assert actions == actions | {"format": "ACTIONS", "types": 2, "actions": 8, "used": 7, "overlapping": 1, "reversed": 1, "odd_lines": 0}
    assert actions["warnings"] == ["action 8 of type 7, frames 6 to 5: ends before it starts"]
    (people,) = run("info", client / "Scripts" / "table" / "characterinfo.txt", "--json").json["files"]
    assert people == people | {"format": "CHARACTERS", "characters": 3, "players": 1, "ships": 1}


def test_the_list_of_characters_is_told_one_by_one(run: Run, client: Path) -> None:
    path = client / "Scripts" / "table" / "characterinfo.txt"
    (facts,) = run("info", path, "--json").json["files"]
    assert facts["contents"] == [
        {"path": f"{path}#id=1", "character": "Strong Guy", "skeleton": 1, "action_type": 1},
        {"path": f"{path}#id=9", "character": "Big Crab", "skeleton": 7, "action_type": 7, "parts": "0007000000 0007000002"},
        {"path": f"{path}#id=10", "character": "Small Crab", "skeleton": 7, "action_type": 7, "parts": "0007000000"},
    ]
    lines = run("info", path).out.splitlines()
    assert [line.strip().split(": ")[0] for line in lines[1:]] == [f"{path}#id={number}" for number in (1, 9, 10)]
    loose = client.parent / "list.txt"
    loose.write_bytes(path.read_bytes())
    assert "contents" not in run("info", loose, "--json").json["files"][0]


@pytest.mark.parametrize("once", [None, False, True])
def test_a_public_clients_list(run: Run, tmp_path: Path, once: bool | None) -> None:
    table = mindpower_files.PUBLIC if once is None else mindpower_files.obfuscated(mindpower_files.PUBLIC, once)
    path = mindpower_files.public_client(tmp_path / "public", table) / "Scripts" / "table" / "CharacterInfo.BIN"
    (facts,) = run("info", path, "--json").json["files"]
    how = {None: "none", False: "record", True: "file"}[once]
    wanted = {"format": "CHARACTER_TABLE", "characters": 3, "players": 1, "ships": 1, "record_size": 940, "obfuscation": how}
    assert facts == facts | wanted
    assert [entry["path"].split("#")[1] for entry in facts["contents"]] == ["id=1", "id=9", "id=10"]
    assert run("verify", path, "--json").json == {**NOTHING, "files": 1, "entries": 1, "identical": 1}


def test_a_folder_is_a_line_for_each_file(run: Run, client: Path) -> None:
    ran = run("info", client)
    assert (ran.code, len(ran.out.splitlines()), ran.err) == (0, 10 + 3, "")


@pytest.mark.parametrize("listed", [False, True])
def test_a_character_of_a_folder_or_of_its_list(run: Run, client: Path, listed: bool) -> None:
    """Who it is, and its own files: of two with one skeleton the one that was asked for."""
    source = client / "Scripts" / "table" / "characterinfo.txt" if listed else client
    (facts,) = run("info", f"{source}#Small Crab", "--json").json["files"]
    contents = facts.pop("contents")
    assert facts == {"path": f"{source}#id=10", "character": "Small Crab", "skeleton": 7, "action_type": 7, "parts": "0007000000"}
    assert [(Path(each["path"]).name, each["format"]) for each in contents] == [("0007.lab", "LAB"), ("0007000000.lgo", "LGO")]
    ran = run("info", f"{source}#id=9")
    assert (ran.code, ran.err, len(ran.out.splitlines())) == (0, "", 1 + 1 + 2)
    assert ran.out.startswith(f"{source}#id=9: character Big Crab, skeleton 7, action type 7, parts 0007000000 0007000002\n")


@pytest.mark.parametrize("table", ["table/CharacterInfo copy.txt", "TXT/characteraction.TX"])
def test_no_character_of_a_copy_of_the_list_or_of_another_table(run: Run, client: Path, table: str) -> None:
    """The copy's row 9 is somebody else."""
    own = client / "Scripts" / "table" / "characterinfo.txt"
    own.with_name("CharacterInfo copy.txt").write_bytes(own.read_bytes().replace(b"Big Crab", b"Old Crab"))
    path = client / "Scripts" / table
    ran = run("info", f"{path}#9")
    assert (ran.code, ran.out, ran.err) == (1, "", f"{path}: no archive, so it has no entry 9\n")


def test_characters_by_a_pattern_and_one_that_is_not_there(run: Run, client: Path) -> None:
    ran = run("info", f"{client}#* Crab", f"{client}#Nobody", client / "Animation" / "0001.LAB", "--json")
    assert [facts.get("character") for facts in ran.json["files"]] == ["Big Crab", "Small Crab", "Strong Guy"]
    problem = "no character is called Nobody: there are Strong Guy; Big Crab; Small Crab"
    assert (ran.code, ran.err) == (1, f"{client}: {problem}\n")
    assert ran.json["failed"] == [{"path": str(client), "error": problem}]


def test_a_character_with_a_damaged_mesh(run: Run, client: Path) -> None:
    mesh = client / "model" / "Character" / "0007000000.lgo"
    mesh.write_bytes(mesh.read_bytes()[:200])
    ran = run("info", f"{client}#Small Crab", "--json")
    assert (ran.code, len(ran.errors)) == (1, 1)
    assert [each["path"] for each in ran.json["failed"]] == [str(mesh)]
    assert len(ran.json["files"][0]["contents"]) == 2


def test_a_folder_that_is_no_client_has_no_characters(run: Run, tmp_path: Path) -> None:
    ran = run("info", f"{tmp_path}#Attendant")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"{tmp_path}: no client's folder with skeletons: there is no animation/*.lab in it or above it\n"


def test_what_is_odd_is_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "odd.lab"
    path.write_bytes(mindpower_files.arm(3) + b"more")
    (facts,) = run("info", path, "--json").json["files"]
    assert facts["warnings"] == ["4 bytes after the keys; kept"]
    assert run("verify", path).code == 0


def test_verify_a_client(run: Run, client: Path) -> None:
    ran = run("verify", client, "--json")
    assert ran.json == {**NOTHING, "files": 10, "entries": 10, "identical": 10}
    assert ran.code == 0


def test_verify_the_games_own_files(run: Run, game_file: Callable[[str], Path]) -> None:
    for folder, kinds in (("animation", {".lab"}), ("model", {".lgo"}), ("scripts", {".tx", ".txt"})):
        least = sum(path.suffix in kinds for path in game_file(f"mindpower/{folder}").rglob("*"))
        ran = run("verify", game_file(f"mindpower/{folder}"), "--json")
        count = ran.json["files"]
        assert count >= least > 0
        assert ran.json == {**NOTHING, "files": count, "entries": count, "identical": count}


def test_the_games_own_facts(run: Run, game_file: Callable[[str], Path]) -> None:
    """As the specification gives them."""
    files = run("info", game_file("mindpower"), "--json").json["files"]
    by_name = {Path(facts["path"]).name: facts for facts in files}
    assert by_name["0014.lab"] == by_name["0014.lab"] | {
        "version": "0x0001",
        "bones": 24,
        "frames": 78,
        "dummies": 0,
        "saved_range": [0, 77],
    }
    assert by_name["0010.lab"] == by_name["0010.lab"] | {"version": "0x1004", "key_type": "MAT43", "bones": 37, "frames": 173, "dummies": 8}
    assert by_name["CharacterAction.tx"]["types"] == 289
    assert by_name["characterposeinfo.bin"]["poses"] == 54
    assert by_name["0861000001.lgo"]["warnings"] == ["values that are not finite in the mesh; kept"]
    assert all("warnings" not in facts for name, facts in by_name.items() if name.startswith(("0001", "0010", "0014", "0741")))
    assert len(by_name["CharacterAction.tx"]["warnings"]) == 2


def test_a_table_full_of_problems(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.tx"
    path.write_bytes(b"1\n" + b"".join(b"\t%d\t9\t1\n" % number for number in range(1, 30)) + b"who\n")
    (facts,) = run("info", path, "--json").json["files"]
    assert (facts["actions"], facts["reversed"], facts["odd_lines"], len(facts["warnings"])) == (29, 29, 1, 21)
    assert facts["warnings"][-1] == "and 10 more"
    assert run("verify", path).code == 0


def test_the_worked_example(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "neck.lab"
    path.write_bytes(mindpower_files.neck(10))
    for when in (("--frame", 10), ("--time", 10 / 30)):
        pose = run("pose", path, *when, "--json").json
        assert pose["time"] == pytest.approx(10 / 30)
        assert np.abs(matrices(pose)[5] - np.array(mindpower_files.NECK_WORLD).T).max() < 1e-5
        assert pose["bones"][5]["position"] == pytest.approx((0, 1.318333, 4.0666), abs=1e-5)
        assert pose["root"] == {"position": [0, 0, 0], "heading": 0}
        assert [bone["parent"] for bone in pose["bones"]] == mindpower_files.NECK_PARENTS


@pytest.mark.parametrize("name", LABS)
def test_poses_of_the_games_own_files(run: Run, game_file: Callable[[str], Path], name: str) -> None:
    path = game_file(f"mindpower/animation/{name}.lab")
    data = path.read_bytes()
    (facts,) = run("info", path, "--json").json["files"]
    for frame in {0, 10, facts["frames"] // 2, facts["frames"] - 1}:
        pose = run("pose", path, "--frame", frame, "--json").json
        wanted = np.array(mindpower_files.worlds(data, frame)).swapaxes(1, 2)
        assert np.abs(matrices(pose) - wanted).max() < 1e-5
        assert (pose["format"], pose["time"]) == ("LAB", frame / 30)


def test_between_frames(run: Run, tmp_path: Path) -> None:
    """A quarter of the way in position; by nlerp not quite in angle."""
    rotation = (0, 0, np.sin(0.6), np.cos(0.6))
    path = tmp_path / "turn.lab"
    path.write_bytes(mindpower_files.lab([-1], [[(0, 0, 0), (4, 0, 8)]], [[(0, 0, 0, 1), rotation]]))
    angles = {}
    for how in ("slerp", "nlerp"):
        pose = run("pose", path, "--time", 0.25 / 30, "--interpolation", how, "--json").json
        assert pose["bones"][0]["position"] == pytest.approx((1, 0, 2))
        angles[how] = np.arctan2(matrices(pose)[0][1, 0], matrices(pose)[0][0, 0])
    assert angles["slerp"] == pytest.approx(0.3, abs=1e-6)
    assert angles["nlerp"] == pytest.approx(2 * np.arctan2(0.25 * np.sin(0.6), 0.75 + 0.25 * np.cos(0.6)), abs=1e-6)
    assert run("pose", path, "--time", 9, "--json").json["bones"][0]["position"] == [4, 0, 8]


def test_what_has_no_pose(run: Run, client: Path) -> None:
    skeleton, mesh = client / "Animation" / "0001.LAB", client / "model" / "Character" / "0001000000.lgo"
    ran = run("pose", skeleton, "--frame", 20)
    assert ran.errors == [f"{skeleton}: there is no frame 20; the animation has 20, counted from 0"]
    ran = run("pose", mesh, "--frame", 0)
    assert (ran.code, ran.errors) == (1, [f"{mesh}: no animation: MindPower mesh"])
    ran = run("pose", skeleton, "--frame", 1, "--skeleton", mesh)
    assert (ran.code, "is not used" in ran.err) == (0, True)


def test_keys_that_are_too_large(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "huge.lab"
    position, rotation = [(0, 0, 3e38), (0, 0, 3e38)], [(0, 0, 3e38, 0), (0, 3e38, 0, 0)]
    path.write_bytes(mindpower_files.lab([-1, 0, 1, 2, 3, 4], [position] * 6, [rotation] * 6))
    for when in (("--frame", 0), ("--time", 0.01)):
        ran = run("pose", path, *when)
        (error,) = ran.errors
        assert (ran.code, error.startswith(f"{path}: the keys of 'Bip0"), error.endswith("are too large for a pose")) == (1, True, True)


HOSTILE = {
    "empty.lab": b"",
    "version.lab": b"\6\x10\0\0" + mindpower_files.arm(2)[4:],
    "counts.lab": mindpower_files.arm(2)[:4] + b"\xff" * 12 + b"\3\0\0\0",
    "cut.lab": mindpower_files.arm(2)[:-1],
    "circle.lab": mindpower_files.arm(2)[:88] + b"\0\0\0\0" + mindpower_files.arm(2)[92:],
    "empty.lgo": b"",
    "zip.lgo": b"\x1f\x8b\x08" + bytes(200),
    "old.lgo": bytes(400),
    "sizes.lgo": mindpower_files.lgo()[:104] + b"\xff" * 16 + mindpower_files.lgo()[120:],
    "cut.lgo": mindpower_files.lgo()[:-1],
    "picture.tx": bytes(64),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_bad_files_are_one_line(run: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(HOSTILE[name])
    for command in (("verify", path), ("info", path)):
        ran = run(*command)
        assert (ran.code, len(ran.errors)) == (1, 1)
        assert ran.errors[0].startswith(f"{path}: ")
    ran = run("pose", path, "--frame", 0)
    assert (ran.code, len(ran.errors)) == (1, 1)


@pytest.mark.parametrize(("name", "data"), [("a.lab", mindpower_files.arm(2)), ("a.lgo", mindpower_files.lgo()[:700])])
def test_cut_off_anywhere(run: Run, tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        ran = run("verify", path)
        assert (ran.code, len(ran.errors)) == (1, 1), length


def test_characters_are_verified_by_their_names(run: Run, client: Path) -> None:
    """Their skeletons and meshes, each file once though both crabs share one; one that there is not is a failure beside the others."""
    ran = run("verify", f"{client}#* Crab", "--json")
    assert ran.json == {**NOTHING, "files": 3, "entries": 3, "identical": 3}
    ran = run("verify", f"{client}#Nobody", f"{client}#Strong Guy", "--json")
    assert (ran.code, ran.json["files"], ran.json["identical"]) == (1, 4, 4)
    (failed,) = ran.json["failed"]
    assert failed["path"] == str(client)
    assert failed["error"].startswith("no character is called Nobody: there are Strong Guy")


def test_the_pose_of_a_character_is_that_of_its_skeleton(run: Run, client: Path) -> None:
    posed = run("pose", f"{client}#Strong Guy", "--frame", 3, "--json")
    assert posed.json == run("pose", client / "Animation" / "0001.LAB", "--frame", 3, "--json").json
    assert run("pose", f"{client}#* Crab", "--frame", 3).code == 0  # both are of one skeleton
    ran = run("pose", f"{client}#*", "--frame", 3)
    assert (ran.code, ran.out, ran.errors) == (1, "", [f"{client}#*: means 2 characters with skeletons of their own: choose one"])
