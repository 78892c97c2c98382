"""A client's folder: characters by number and name, their meshes by suit, and the tables, whatever the letter case."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from retro_anim.core import games
from retro_anim.core.files.once import looking_once
from retro_anim.core.mindpower.client.client import around, characters, companions, described, skeleton_for
from retro_anim.core.mindpower.client.client_files import Client
from retro_anim.core.mindpower.client.meshes import best_suit, chosen, mesh_file
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError, RetroAnimError
from support.mindpower import mindpower_files


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return mindpower_files.client(tmp_path / "client")


def names(paths: tuple[str, ...]) -> list[str]:
    return [Path(path).name for path in paths]


def test_characters_of_a_client(root: Path) -> None:
    result = characters(root)
    assert [(Path(one.lab).name, one.name, one.number, one.id, one.action_type, one.parts) for one in result] == [
        ("0001.LAB", "Strong Guy", 1, 1, 1, ""),
        ("0007.lab", "Big Crab", 7, 9, 7, "0007000000 0007000002"),
        ("0007.lab", "Small Crab", 7, 10, 7, "0007000000"),
    ]


@pytest.mark.parametrize(
    "path",
    [
        ".",
        "Animation",
        "Animation/0007.lab",
        "model/Character/0007000000.lgo",
        "Texture/CHARACTER/head.bmp",
        "Scripts/TXT/characteraction.TX",
        "Scripts/table/characterinfo.txt",
        "Game.exe",
        "effect/deep/er/some.par",
    ],
)
def test_from_anywhere_inside(root: Path, path: str) -> None:
    assert len(characters(root / path)) == 3


def test_a_folder_that_is_called_as_a_mesh_is_named(root: Path) -> None:
    mesh = root / "model/Character/0007000000.lgo"
    mesh.unlink()
    mesh.mkdir()
    link = root / "model/Character/0007000003.lgo"
    link.symlink_to(root / "nowhere")
    with log.collect() as said:
        assert [one.parts for one in characters(root)] == ["", "0007000002", ""]
    assert said.digest("WARNING") == [f"{mesh}: is a folder, and is not used", f"{link}: is a link that leads nowhere, and is not used"]


@pytest.mark.parametrize("below", ["model", "model/Character", "Animation"])
def test_a_folder_that_nobody_may_look_into_is_named(root: Path, monkeypatch: pytest.MonkeyPatch, below: str) -> None:
    """But none above the client, which nobody need look into."""
    listdir = os.listdir

    def refuse(path: Path) -> list[str]:
        if Path(path) in (root / below, root.parent):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return listdir(path)

    monkeypatch.setattr(os, "listdir", refuse)
    with log.collect() as said:
        client = Client.around(root / "animation" / "0001.lab")
        assert not (client.skeletons if below == "Animation" else client.meshes)
    assert [message.text for message in said.messages] == [f"{root / below}: Permission denied, so nothing in it is used"]


def test_lines_of_the_list_that_are_no_characters_are_counted(root: Path) -> None:
    path = root / "Scripts/table/characterinfo.txt"
    lines = (path.read_bytes().rstrip() + b"\r\n").splitlines(keepends=True)
    known = len(characters(root))
    path.write_bytes(b"".join([*lines, b"//short\r\n", b" \r\n", b"11\tShort Crab\t4\r\n"]))
    with log.collect() as said:
        assert len(characters(root)) == known
    assert said.digest("WARNING") == [
        f"{path}: line {len(lines) + 3} has too few columns or no numbers where they belong, and no character was read of that"
    ]
    with path.open("ab") as file:
        file.write(b"no." + lines[1])
    with log.collect() as said:
        assert len(characters(root)) == known
    assert f"2 lines, the first of them line {len(lines) + 3}, have too few" in said.digest("WARNING")[0]


def test_the_list_is_read_once_for_all_that_are_described(root: Path) -> None:
    """What is odd in it is said once, and the first character is known before the others are."""
    path = root / "Scripts/table/characterinfo.txt"
    path.write_bytes(path.read_bytes().rstrip() + b"\r\n11\tShort Crab\t4\r\n")
    with log.collect() as said:
        crabs = described(path, "* Crab")
        assert next(crabs)["path"] == f"{path}#id=9"
        assert [Path(file).name for file in next(crabs)["files"]] == ["0007.lab", "0007000000.lgo"]
        assert list(crabs) == []
    assert [message.text.split(" ")[-4:] for message in said.of("WARNING")] == [["was", "read", "of", "that"]]


@pytest.mark.parametrize(
    ("path", "takes"),
    [
        (".", True),
        ("Scripts/table/characterinfo.txt", True),
        ("Scripts/table/CharacterInfo copy.txt", False),
        ("Scripts/table/characterinfo.txt.bak", False),
        ("Scripts/TXT/characteraction.TX", False),
        ("Animation", False),
        ("Animation/0001.LAB", False),
    ],
)
def test_a_client_and_its_own_list_have_characters_as_entries(root: Path, path: str, takes: bool) -> None:
    own = root / "Scripts/table/characterinfo.txt"
    for name in ("CharacterInfo copy.txt", "characterinfo.txt.bak"):
        own.with_name(name).write_bytes(own.read_bytes())
    game = games.listing_characters(str(root / path))
    assert (game is not None and game.id) == (takes and "mindpower")


def test_a_folder_that_is_no_client(tmp_path: Path) -> None:
    (tmp_path / "animation").mkdir()
    for path in (tmp_path, tmp_path / "nothing.lab"):
        with pytest.raises(FormatError, match="no client's folder with skeletons") as caught:
            characters(path)
        assert caught.value.path == str(path)


@pytest.mark.parametrize(
    ("entries", "wanted"),
    [
        ("7", ["Big Crab"]),
        ("0007", ["Big Crab"]),
        ("0007.LAB", ["Big Crab"]),
        ("small crab", ["Small Crab"]),
        ("*CRAB", ["Big Crab", "Small Crab"]),
        ("id=10, 1", ["Small Crab", "Strong Guy"]),
        (" strong guy ,, 1", ["Strong Guy"]),
        ("small crab; *guy, 7;", ["Small Crab", "Strong Guy", "Big Crab"]),
    ],
)
def test_picked_by_number_or_name(root: Path, entries: str, wanted: list[str]) -> None:
    assert [choice.name for choice in characters(root, entries)] == wanted


def test_a_name_with_marks_of_wildcards(root: Path) -> None:
    table = root / "Scripts" / "table" / "characterinfo.txt"
    table.write_text(table.read_text().replace("Small Crab", "[A] Crab*"))
    assert [choice.name for choice in characters(root, "[a] crab*")] == ["[A] Crab*"]


@pytest.mark.parametrize("entries", ["crab, small", "7; Crab, small"])
def test_a_name_with_a_comma(root: Path, entries: str) -> None:
    table = root / "Scripts" / "table" / "characterinfo.txt"
    table.write_text(table.read_text().replace("Small Crab", "Crab, small"))
    assert characters(root, entries)[-1].name == "Crab, small"


@pytest.mark.parametrize("entries", ["8", "id=200", "id=77", "crab", "Sloop", "7-9"])
def test_nobody_is_called_so(root: Path, entries: str) -> None:
    with pytest.raises(RetroAnimError, match=f"no character is called {entries}"):
        characters(root, entries)


def test_everything_that_belongs_to_a_monster(root: Path) -> None:
    result = companions(root / "Animation" / "0007.lab")
    assert names(result.meshes) == ["0007000000.lgo", "0007000002.lgo"]
    assert (Path(result.table).name, result.action_type, result.poses) == ("characteraction.TX", 7, "")
    (small,) = characters(root, "small crab")
    assert names(companions(small.lab, small.parts).meshes) == ["0007000000.lgo"]


def test_a_player_has_one_suit_until_others_are_asked_for(root: Path) -> None:
    lab = root / "Animation" / "0001.LAB"
    with log.collect() as said:
        assert names(companions(lab).meshes) == ["0001000000.lgo", "0001000001.LGO", "0001000004.lgo"]
    assert said.digest() == ["suits 0, 3; shown: 0/0, 0/1, 0/4", "a player without part 2, 3: its suit has none"]
    assert names(companions(lab, "3").meshes) == ["0001030002.lgo"]
    assert names(companions(lab, "0, 3").meshes) == ["0001000000.lgo", "0001000001.LGO", "0001030002.lgo", "0001000004.lgo"]
    assert names(companions(lab, "0/4 3/2").meshes) == ["0001030002.lgo", "0001000004.lgo"]
    assert names(companions(lab, "0001000001").meshes) == ["0001000001.LGO"]
    assert len(companions(lab, "all").meshes) == 4
    for entry in ("9", "0/3", "0007000000", "hat", "3/"):
        with pytest.raises(RetroAnimError, match=f"no mesh is meant by {entry}; there are the suits 0, 3"):
            companions(lab, entry)


def numbered(*numbers: int) -> list:
    return [mesh_file(Path(f"{number:010}.lgo")) for number in numbers]


def test_numbers_of_meshes() -> None:
    mesh = mesh_file(Path("x/0725030012.lgo"))
    assert mesh is not None
    assert (mesh.model, mesh.suit, mesh.part, str(mesh)) == (725, 3, 12, "0725030012")
    for name in ("hat.lgo", "07250300123.lgo", "725.lgo", "٣٣٣٣٣٣٣٣٣٣.lgo"):
        assert mesh_file(Path(name)) is None


def test_the_complete_suit_is_taken() -> None:
    files = numbered(2_000_000, 2_000_001, *(2_010_000 + part for part in range(5)), 2_010_007, *(2_020_000 + part for part in range(5)))
    assert best_suit(files, player=True).split() == [f"00020100{part:02}" for part in range(5)]
    assert best_suit(files, player=False).split()[-1] == "0002010007"
    assert best_suit([], player=True) == "all"
    assert chosen([], "all") == []
    assert best_suit(numbered(2_000_009), player=True) == "all"


def test_of_the_same_part_the_last_is_taken() -> None:
    files = numbered(1_000_000, 1_000_001, 1_010_001)
    assert list(map(str, chosen(files, "0 1"))) == ["0001000000", "0001010001"]
    assert list(map(str, chosen(files, "1 0"))) == ["0001000000", "0001000001"]


def test_without_a_list_of_characters(root: Path) -> None:
    (root / "Scripts" / "table" / "characterinfo.txt").unlink()
    assert [(choice.name, choice.parts) for choice in characters(root)] == [("0001", ""), ("0007", "")]
    monster = companions(root / "Animation" / "0007.lab")
    assert (len(monster.meshes), monster.action_type) == (2, 0)
    # The players' models are the first ones, and so are their types: model 1 has type 2, which this table lacks.
    assert companions(root / "Animation" / "0001.LAB").action_type == 0
    table = root / "Scripts" / "TXT" / "characteraction.TX"
    table.write_bytes(table.read_bytes() + b"2\n\t1\t0\t4\n")
    assert companions(root / "Animation" / "0001.LAB").action_type == 2


def test_a_list_that_cannot_be_read_is_told(root: Path) -> None:
    (root / "Scripts" / "table" / "characterinfo.txt").write_bytes(b"1\t\0")
    with log.collect() as said:
        assert len(characters(root)) == 2
    assert "the list of characters is not used" in said.digest("WARNING")[0]


def test_everything_in_one_folder(tmp_path: Path) -> None:
    for name, data in {
        "0003.lab": mindpower_files.arm(5),
        "0003000000.LGO": mindpower_files.lgo(),
        "0004000000.lgo": mindpower_files.lgo(),
        "CHARACTERACTION.TX": mindpower_files.ACTIONS,
    }.items():
        (tmp_path / name).write_bytes(data)
    result = companions(tmp_path / "0003.lab")
    assert names(result.meshes) == ["0003000000.LGO"]
    assert Path(result.table).name == "CHARACTERACTION.TX"
    assert Path(skeleton_for(tmp_path / "0003000000.LGO")).name == "0003.lab"
    assert skeleton_for(tmp_path / "0004000000.lgo") == ""


def test_files_of_the_same_name(tmp_path: Path) -> None:
    for name in ("Walker.lab", "walker.LGO", "Walker_hat.lgo", "walkers.lgo", "other.lgo"):
        (tmp_path / name).write_bytes(b"")
    assert names(companions(tmp_path / "Walker.lab").meshes) == ["walker.LGO", "Walker_hat.lgo"]
    for mesh in ("walker.LGO", "Walker_hat.lgo"):
        assert Path(skeleton_for(tmp_path / mesh)).name == "Walker.lab"
    assert skeleton_for(tmp_path / "other.lgo") == ""


def test_a_client_far_above_is_not_taken_for_a_loose_file(tmp_path: Path) -> None:
    root = mindpower_files.client(tmp_path)
    loose = root / "mine" / "0001.lab"
    loose.parent.mkdir()
    loose.write_bytes(mindpower_files.arm(2))
    assert companions(loose).meshes == ()
    assert Client.of(loose) is None


def test_folders_with_the_names_of_files(root: Path) -> None:
    """And a folder that leads back into itself."""
    (root / "Animation" / "0002.lab").mkdir()
    (root / "model" / "Character" / "0001000002.lgo").mkdir()
    (root / "Animation" / "again").symlink_to(root, target_is_directory=True)
    assert [choice.number for choice in characters(root)] == [1, 7, 7]
    assert [choice.number for choice in characters(root / "Animation" / "again" / "Animation" / "again")] == [1, 7, 7]
    assert len(companions(root / "Animation" / "0001.LAB", "all").meshes) == 4


def test_nothing_there(tmp_path: Path) -> None:
    result = companions(tmp_path / "no" / "such.lab")
    assert (result.meshes, result.table, result.action_type, result.poses) == ((), "", 0, "")
    assert skeleton_for(tmp_path / "no" / "0001000000.lgo") == ""


def test_the_games_own_files(game_file: Callable[[str], Path]) -> None:
    root = game_file("mindpower")
    result = {choice.number: choice for choice in characters(root)}
    assert sorted(result) == sorted(int(path.stem) for path in (root / "animation").glob("*.lab"))
    assert {1, 14, 16, 725, 860} <= set(result)
    assert (result[16].name, result[16].action_type) == ("Horned Penguin", 34)
    with log.collect() as said:
        player = companions(result[1].lab)
        assert names(player.meshes) == [f"000100000{part}.lgo" for part in range(5)]
        assert player.action_type == 2
        assert names(companions(result[725].lab, result[725].parts).meshes) == ["0725000000.lgo", "0725000001.lgo"]
        assert names(companions(result[860].lab).meshes) == ["0860000001.lgo"]
        assert companions(result[14].lab).meshes == ()
    assert said.messages == []
    assert skeleton_for(root / "model" / "character" / "0725000001.lgo") == result[725].lab


def test_what_is_around_many_skeletons_is_read_once(root: Path) -> None:
    """And what is odd in the list is said once; who asks later reads it anew."""
    path = root / "Scripts/table/characterinfo.txt"
    path.write_bytes(path.read_bytes().rstrip() + b"\r\n11\tShort Crab\t4\r\n")
    skeletons = sorted((root / "Animation").iterdir())
    assert len(skeletons) > 1
    with log.collect() as said, looking_once():
        assert [around(skeleton)["character"] for skeleton in skeletons[:2]] == ["Strong Guy", "Big Crab"]
    assert len(said.of("WARNING")) == 1
    path.unlink()
    assert "character" not in around(skeletons[0])
