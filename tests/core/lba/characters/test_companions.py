"""What lies beside an animation: who uses it, on which body it is shown, what it is called, and which game it is from."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core import formats
from retro_anim.core.files.format import Kind
from retro_anim.core.lba.called import entry_names
from retro_anim.core.lba.characters import characters, companions, which_game
from retro_anim.core.lba.characters.opened import looks_like_lm1
from retro_anim.core.lba.characters.users import User, users_of
from retro_anim.core.lba.contents import contents, listed
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.archive import hqd
from retro_anim.core.lba.files.archive.hqd import EntryNames, names_for
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.texture import TexturePage
from retro_anim.core.lba.files.variant import LBA1, LBA2
from retro_anim.core.lba.formats import FORMATS
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.lba import lba1_chain
from support.lba import lba2_chain as chain2

from ..strategies import hqr_bytes, record


def entity1(bodies: list[int], animations: list[tuple[int, int]]) -> bytes:
    parts = [bytes((1, role, 4, body, 0, 0)) for role, body in enumerate(bodies)]
    return b"".join((*parts, *(bytes((3, role, 4, entry, 0, 0)) for role, entry in animations), b"\xff"))


@pytest.fixture
def lba1(tmp_path: Path) -> Path:
    """ANIM.HQR of a folder with two characters: the first uses animation 0 twice, the second has body 1 and then body 0."""
    folder = tmp_path / "LBA1"
    folder.mkdir()
    (folder / "ANIM.HQR").write_bytes(hqr_bytes([record(lba1_chain.ANM)], [0, 0, 0]))
    (folder / "BODY.HQR").write_bytes(hqr_bytes([record(lba1_chain.LM1), record(lba1_chain.LM1 + b"more")], [0, 1]))
    entities = [entity1([0], [(0, 0), (1, 0), (64, 1)]), entity1([1, 0], [(14, 0)])]
    (folder / "FILE3D.HQR").write_bytes(hqr_bytes([record(entity) for entity in entities], [0, 1]))
    return folder / "ANIM.HQR"


def test_users(lba1: Path) -> None:
    assert users_of(lba1, 0) == (User(0, (0,), ("stand", "walk")), User(1, (1, 0), ("jump",)))
    assert users_of(lba1, 1) == (User(0, (0,), ("animation 64",)),)
    assert users_of(lba1, 2) == ()
    assert users_of(lba1.with_name("BODY.HQR"), 0) == ()


def test_users_of_the_second_game(tmp_path: Path) -> None:
    (tmp_path / "RESS.HQR").write_bytes(chain2.resources([chain2.entity([(0, 3)], [(1, 5), (300, 5)])]))
    assert users_of(tmp_path / "Anim.hqr", 5) == (User(0, (3,), ("walk", "animation 300")),)


def test_users_where_the_entities_are_somewhere_else(lba1: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.hqr").write_bytes(lba1.read_bytes())
    assert users_of(tmp_path / "mine.hqr", 0) == ()
    assert len(users_of(tmp_path / "mine.hqr", 0, str(lba1.with_name("FILE3D.HQR")))) == 2
    assert users_of(tmp_path / "mine.hqr", 0, str(tmp_path / "missing.hqr")) == ()
    with log.collect():
        _, where, reason = companions.body_for(tmp_path / "mine.hqr", 0, 5, str(lba1.with_name("FILE3D.HQR")))
    assert where == f"{lba1.with_name('BODY.HQR')}#0"
    assert "entity 0" in reason


def test_a_changed_file_is_read_again(lba1: Path) -> None:
    file = lba1.with_name("FILE3D.HQR")
    before = file.stat().st_mtime_ns
    assert len(users_of(lba1, 0)) == 2
    file.write_bytes(hqr_bytes([record(entity1([1], [(1, 0)]))], [0]))
    os.utime(file, ns=(before + 10**9, before + 10**9))
    assert users_of(lba1, 0) == (User(0, (1,), ("walk",)),)


@pytest.mark.parametrize(("which", "entry"), [(0, 1), (1, 0), (2, 1)])
def test_which_body_of_a_character(lba1: Path, which: int, entry: int) -> None:
    lba1.with_name("FILE3D.HQR").write_bytes(hqr_bytes([record(entity1([1, 0], [(14, 0)]))], [0]))
    with log.collect():
        body, where, _ = companions.body_for(lba1, 0, 5, which=which)
    assert where == f"{lba1.with_name('BODY.HQR')}#{entry}"
    assert body.group_count == 5


def test_the_nearest_body_of_an_archive_that_has_both(tmp_path: Path) -> None:
    blobs = [record(lba1_chain.ANM), record(lba1_chain.LM1), record(lba1_chain.LM1 + b"more")]
    (tmp_path / "RESS.HQR").write_bytes(hqr_bytes(blobs, [0, 1, 0, None, 2, 0]))
    with log.collect():
        kept = {entry: companions.body_for(tmp_path / "RESS.HQR", entry, 5)[1].partition("#")[2] for entry in (0, 2, 5)}
    assert kept == {0: "1", 2: "1", 5: "4"}


def test_what_is_odd_about_a_body_is_said_of_the_body(tmp_path: Path) -> None:
    (tmp_path / "odd.lm1").write_bytes(lba1_chain.LM1 + b"more")
    (tmp_path / "RESS.HQR").write_bytes(hqr_bytes([record(lba1_chain.ANM), record(lba1_chain.LM1 + b"more")], [0, 1]))
    for name, entry, body in (("walk.anm", None, "odd.lm1"), ("RESS.HQR", 0, "RESS.HQR#1")):
        with log.collect() as said, log.about(f"the animation of {name}"):
            assert companions.body_for(tmp_path / name, entry, 5)[1] == str(tmp_path / body)
        assert {str(message) for message in said.of("WARNING")} == {f"{tmp_path / body}: 4 bytes after the body; kept"}


@pytest.mark.parametrize(("name", "data"), [("body.lm1", lba1_chain.LM1), ("BODY.LM2", chain2.LM2)])
def test_a_loose_body_of_either_game(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with log.collect() as said:
        body, where, _ = companions.body_for(tmp_path / "walk.anm", None, 5)
    assert (where, body.pivots[1:].tolist()) == (str(tmp_path / name), [1, 3, 4, 6])
    assert not said.of("WARNING")


def test_no_body_anywhere(tmp_path: Path) -> None:
    (tmp_path / "some.hqr").write_bytes(hqr_bytes([record(lba1_chain.ANM)], [0]))
    with log.collect() as said:
        body, where, reason = companions.body_for(tmp_path / "some.hqr", 0, 5)
    assert (body.group_count, where, reason) == (5, "", "no body lies beside it")
    assert "plain armature of 5 bones" in said.messages[0].text


def test_a_loose_animation_in_the_game_s_folder(tmp_path: Path) -> None:
    """As many groups would tell nothing: a monster may have them, too. What to do is said."""
    (tmp_path / "BODY.HQR").write_bytes(hqr_bytes([record(lba1_chain.LM1)], [0]))
    with log.collect() as said:
        assert companions.body_for(tmp_path / "walk.anm", None, 5)[1] == ""
    assert said.messages[0].text == (
        "which body of BODY.HQR it is for is not known: a plain armature of 5 bones; name its body as Skeleton, such as "
        f"{tmp_path / 'BODY.HQR'}#0"
    )


def test_names_line_by_line(tmp_path: Path) -> None:
    names = EntryNames.parse("Animations of the game\r\nZo\xe9  stands\r\n\r\nTwinsen\twalks\r\n".encode("cp1252"))
    assert names.title == "Animations of the game"
    assert [names[entry] for entry in range(-1, 5)] == ["", "Zo\xe9 stands", "", "Twinsen walks", "", ""]
    assert names.by_entry == {0: "Zo\xe9 stands", 2: "Twinsen walks"}
    assert EntryNames.parse("\ufeffTitle\nZo\xe9".encode())[0] == "Zo\xe9"
    assert EntryNames.parse(b"Title\rstands\r\rwalks\r").names[:3] == ("stands", "", "walks")
    assert EntryNames.parse(b" " * hqd.LARGEST) == EntryNames("", ())
    for wrong in (b"\0", lba1_chain.HQR, b" " * (hqd.LARGEST + 1)):
        with pytest.raises(FormatError, match="no text"):
            EntryNames.parse(wrong)


@given(data=st.binary(max_size=300))
def test_any_bytes_are_names_or_refused(data: bytes) -> None:
    try:
        names = EntryNames.parse(data)
    except FormatError:
        assert b"\0" in data
        return
    assert len(names.names) == data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
    assert all(name == name.strip() for name in names.names)


def test_names_beside_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "ANIM.HQR"
    assert names_for(archive) == EntryNames.none()
    (tmp_path / "anim2.hqd").write_text("second\ntwo")
    (tmp_path / "ANIM1.HQD").write_text("first\none")
    assert [names_for(archive, game)[0] for game in (None, LBA1, LBA2)] == ["one", "one", "two"]
    (tmp_path / "Anim.Hqd").write_text("its own\nmine")
    assert names_for(archive, LBA2)[0] == "mine"
    assert names_for(archive, LBA2, str(tmp_path / "ANIM1.HQD"))[0] == "one"
    with pytest.raises(FormatError, match="missing"):
        names_for(archive, LBA2, str(tmp_path / "missing.hqd"))
    (tmp_path / "Anim.Hqd").write_bytes(b"\0")
    with log.collect() as said:
        assert names_for(archive)[0] == "one"
    assert said.messages[0].level == "WARNING"


@pytest.mark.parametrize("name", ["ANIM.hqd", "anim1.HQD", "ANIM2.hqd", "ANIM.HQR.json", "ANIM.json"])
def test_names_in_another_folder_where_an_archive_has_none_beside_it(tmp_path: Path, name: str) -> None:
    archive, below = tmp_path / "game" / "ANIM.HQR", tmp_path / "lists" / "names"
    archive.parent.mkdir()
    below.mkdir(parents=True)
    assert hqd.list_in(tmp_path / "lists", archive) == ""
    (below / name).write_text("first\none")
    assert hqd.list_in(tmp_path / "lists", archive) == str(below / name)
    assert hqd.list_in(tmp_path / "lists", archive.with_name("BODY.HQR")) == ""
    archive.with_name("ANIM1.HQD").write_text("first\nmine")
    assert hqd.list_in(tmp_path / "lists", archive) == ""


def test_bodies_of_the_first_game_without_a_name_are_what_their_entity_is(lba1: Path) -> None:
    lba1.with_name("FILE3D1.HQD").write_text("Characters\nA nurse\nA guard")
    bodies = lba1.with_name("BODY.HQR")
    kinds: dict[int, Kind] = dict.fromkeys(range(2), "body")
    assert entry_names(str(bodies), Hqr.parse(bodies.read_bytes()), kinds) == {0: "A nurse", 1: "A guard"}
    assert entry_names(str(bodies), Hqr.parse(bodies.read_bytes()), {}) == {}


def test_an_animation_is_described_with_what_lies_beside_it(lba1: Path) -> None:
    """FILE3D.HQR in the same folder means the first game."""
    located = FORMATS[0].located
    assert located is not None
    assert located(Anm.parse(lba1_chain.ANM), f"{lba1}#1", "auto") == {
        "game": "lba1",
        "game_because": which_game.game_of(Anm.parse(lba1_chain.ANM), str(lba1))[1],
        "bones": 5,
        "frames": 4,
        "keys": 20,
        "duration": 0.6,
        "loop": 1,
    }
    assert located(Anm.parse(lba1_chain.ANM), f"{lba1}#1", "lba2")["game"] == "lba2"


def test_what_there_is_to_choose_from(lba1: Path) -> None:
    lba1.with_name("ANIM1.HQD").write_text("Animations\nA stroll")
    lba1.with_name("BODY1.HQD").write_text("Bodies\n\nThe other one")
    kept = contents(str(lba1))
    assert kept["entities"] == [(0, "0: body 0, 2 animations"), (1, "1: body 1, 0, 1 animations")]
    assert kept["entries"] == [
        (0, "0: A stroll, animation (stand + walk of entity 0), 4 keyframes, 5 bones"),
        (1, "1: animation (animation 64 of entity 0), 4 keyframes, 5 bones"),
        (2, "2: animation, 4 keyframes, 5 bones"),
    ]
    bodies = contents(str(lba1.with_name("BODY.HQR")))
    assert bodies["entries"] == [(0, "0: body, 362 bytes"), (1, "1: The other one, body, 366 bytes")]


def test_animations_are_called_after_who_uses_them(lba1: Path) -> None:
    """Where no list has a name: the entity and what it uses the entry for; what nobody uses has no name."""
    archive = Hqr.parse(lba1.read_bytes())
    kinds: dict[int, Kind] = dict.fromkeys(range(3), "animation")
    assert entry_names(str(lba1), archive, kinds) == {0: "entity 0: stand + walk", 1: "entity 0: animation 64"}
    lba1.with_name("ANIM1.HQD").write_text("Animations\n\nA stroll\nA run")
    assert entry_names(str(lba1), archive, kinds) == {0: "entity 0: stand + walk", 1: "A stroll", 2: "A run"}


def test_the_only_loose_body_that_fits_is_taken(tmp_path: Path) -> None:
    """Of five groups; of two such bodies none is taken, which is said."""
    (tmp_path / "one.lm1").write_bytes(lba1_chain.LM1)
    (tmp_path / "still.lm2").write_bytes(chain2.lm2((chain2.POINTS, [(0xFFFF, 0, 11, 0)]), runs=[]))
    body, where = companions.body_for(tmp_path / "walk.anm", None, 5)[:2]
    assert body.group_count == 5 and where == str(tmp_path / "one.lm1")
    (tmp_path / "two.lm2").write_bytes(chain2.LM2)
    with log.collect() as said:
        assert companions.body_for(tmp_path / "walk.anm", None, 5)[1] == ""
    assert "2 bodies in the folder fit: none is taken" in said.digest("WARNING")
    (tmp_path / "walk.lm2").write_bytes(chain2.LM2)
    assert companions.body_for(tmp_path / "walk.anm", None, 5)[1] == str(tmp_path / "walk.lm2"), "that of its name, whatever else fits"


def test_the_palette_of_a_game_and_a_loose_one(tmp_path: Path) -> None:
    """Entry 0 of RESS.HQR, or a file; 256 colours of three bytes."""
    colours = bytes(range(256)) * 3
    (tmp_path / "own.pal").write_bytes(colours)
    (tmp_path / "RESS.HQR").write_bytes(hqr_bytes([record(colours)], [0]))
    for name, address in (("own.pal", "own.pal"), ("RESS.HQR", "RESS.HQR#0")):
        palette, where = companions.palette_of(tmp_path / name)
        assert (palette.colours.tobytes(), where) == (colours, str(tmp_path / address))
    assert companions.palette_beside(tmp_path / "ANIM.HQR")[1] == str(tmp_path / "RESS.HQR#0")


def test_the_texture_page_of_a_game(tmp_path: Path) -> None:
    """Entry 6 of RESS.HQR: 256 rows of 256 colours."""
    texels = bytes(range(256)) * 256
    (tmp_path / "RESS.HQR").write_bytes(hqr_bytes([record(bytes([index])) for index in range(6)] + [record(texels)], range(7)))
    assert companions.page_for(f"{tmp_path / 'BODY.HQR'}#3").pack() == texels
    (tmp_path / "RESS.HQR").write_bytes(hqr_bytes([record(b"none")], [0]))
    for path, said in (
        (tmp_path / "BODY.HQR", "plain squares instead of textures"),
        (tmp_path / "none" / "x", "no RESS.HQR"),
        ("", "no RESS.HQR"),
    ):
        with log.collect() as heard:
            assert companions.page_for(path).pack() == TexturePage.plain().pack()
        assert said in heard.digest("WARNING")[0]


@pytest.mark.parametrize("count", [43, 44, 45])
def test_an_archive_without_a_table_of_characters_has_none(count: int) -> None:
    """It would be entry 44."""
    archive = Hqr.parse(hqr_bytes([record(b"nothing of the kind")], [0] * count))
    assert characters.of_archive("RESS.HQR", archive) is None


def test_how_long_the_clips_of_an_entity_are(lba1: Path) -> None:
    """4 keyframes and 30 time units of 20 ms each; what the archive has not adds nothing, nor does an archive that is not there."""
    table = lba1.with_name("FILE3D.HQR")
    entities = [entity1([0], [(0, 0), (1, 1)]), entity1([0], [(0, 2), (1, 9)])]
    table.write_bytes(hqr_bytes([record(entity) for entity in entities], [0, 1]))
    lengths = [(entry.clips, entry.frames, entry.seconds) for entry in listed(str(table))["entities"]]
    assert lengths == [(2, 8, pytest.approx(1.2)), (2, 4, pytest.approx(0.6))]
    lba1.unlink()
    assert [(entry.frames, entry.seconds) for entry in listed(str(table))["entities"]] == [(0, 0.0)] * 2


def test_an_entity_of_nothing_is_no_choice(lba1: Path, tmp_path: Path) -> None:
    """A free place of the list, in either game: there is nothing of it to import."""
    table = lba1.with_name("FILE3D.HQR")
    table.write_bytes(hqr_bytes([record(entity1([], [])), record(entity1([0], [])), record(entity1([], [(0, 1)]))], [0, 1, 2]))
    assert [index for index, _ in contents(str(table))["entities"]] == [1, 2]
    resources = tmp_path / "RESS.HQR"
    resources.write_bytes(chain2.resources([chain2.entity([], []), chain2.entity([(0, 0)], [])]))
    assert [index for index, _ in contents(str(resources))["entities"]] == [1]


def test_entities_are_called_as_their_list_says(lba1: Path) -> None:
    """Beside FILE3D.HQR, as soon as it is there; one that is given comes first. Blanks and what the list does not name stay numbers."""
    table, entities = lba1.with_name("FILE3D.HQR"), [contents(str(lba1))["entities"]]
    assert entities[0][0] == (0, "0: body 0, 2 animations")
    lba1.with_name("FILE3D.HQR.json").write_text('{"entries": [null, {"type": "entity", "description": "A\u00e9lys"}]}')
    for path in (lba1, table):
        assert contents(str(path))["entities"] == [(0, "0: body 0, 2 animations"), (1, "1: Aélys, body 1, 0, 1 animations")]
    given = lba1.with_name("given.hqd")
    given.write_text("Entities\nZoé", encoding="utf-8")
    assert contents(str(table), names=str(given))["entities"][0] == (0, "0: Zoé, body 0, 2 animations")
    assert contents(str(lba1), names=str(given))["entities"][0] == (0, "0: body 0, 2 animations")


VARIANTS = {
    "a body given": ({}, "wanted", LBA2, "asked for"),
    "a body of LBA2 of the same name": ({"walk.lm2": b"", "FILE3D.HQR": b""}, "", LBA2, "has its name"),
    "a body of LBA1 of the same name": ({"walk.lm1": b"", "other.lm2": b""}, "", LBA1, "has its name"),
    "only bodies of LBA2": ({"other.LM2": b""}, "", LBA2, "lie beside"),
    "FILE3D": ({"FILE3D.HQR": b""}, "", LBA1, "FILE3D.HQR"),
    "bodies of both, so FILE3D": ({"one.lm1": b"", "two.lm2": b"", "FILE3D.HQR": b""}, "", LBA1, "FILE3D.HQR"),
    "an entity table": ({"RESS.HQR": chain2.resources([chain2.entity([], [])])}, "", LBA2, "entity table"),
    "nothing": ({}, "", LBA1, "nothing speaks for LBA2"),
}


@pytest.mark.parametrize("case", VARIANTS)
def test_the_game_of_a_loose_file(tmp_path: Path, case: str) -> None:
    files, wanted, game, reason = VARIANTS[case]
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "walk.anm").write_bytes(lba1_chain.ANM)
    kept, why = which_game.game_of(Anm.parse(lba1_chain.ANM), tmp_path / "walk.anm", wanted="lba2" if wanted else "")
    assert kept is game
    assert reason in why


@pytest.mark.parametrize("data", [None, b"", b"abc", b"\xff" * 64])
def test_what_is_no_archive_says_nothing_of_its_game(tmp_path: Path, data: bytes | None) -> None:
    file = tmp_path / "ANIM.HQR"
    if data is not None:
        file.write_bytes(data)
    assert which_game.game_beside(file) is None


def test_the_game_of_an_archive(tmp_path: Path) -> None:
    """Bodies beside it, then method 2, then FILE3D, then the numbers."""
    anm, file = Anm.parse(chain2.ANM), tmp_path / "ANIM.HQR"
    file.write_bytes(hqr_bytes([record(chain2.ANM)], [0]))
    assert which_game.game_of(anm, file)[0] is LBA2  # by its numbers
    (tmp_path / "FILE3D.HQR").write_bytes(hqr_bytes([record(b"\xff")], [0]))
    assert which_game.game_of(anm, file) == (LBA1, "FILE3D.HQR lies beside it")
    file.write_bytes(chain2.archive([chain2.ANM]))
    assert which_game.game_of(anm, file) == (LBA2, "its archive has entries of compression method 2")
    (tmp_path / "BODY.HQR").write_bytes(hqr_bytes([record(lba1_chain.LM1)], [0]))
    assert which_game.game_of(anm, file) == (LBA1, "BODY.HQR holds Little Big Adventure 1 bodies")
    file = tmp_path / "deeper"
    file.mkdir()
    (file / "BODY.HQR").write_bytes(chain2.archive([b"damaged", chain2.LM2]))
    assert which_game.game_of(anm, file / "ANIM.HQR") == (LBA2, "BODY.HQR holds Little Big Adventure 2 bodies")
    island = tmp_path / "island"
    island.mkdir()
    (island / "CITADEL.OBL").write_bytes(chain2.archive([chain2.LM2]))
    assert which_game.game_of(anm, island / "CITADEL.OBL") == (LBA2, "CITADEL.OBL holds Little Big Adventure 2 bodies")


@pytest.mark.parametrize(
    ("change", "game"),
    [
        ({}, LBA1),
        ({"word3": 2}, LBA2),
        ({"duration": 101}, LBA2),
        ({"angle": 1024}, LBA2),
        ({"angle": -1}, LBA2),
        ({"move": -400}, LBA1),
        ({"master": -94}, LBA1),
    ],
)
def test_the_game_by_its_numbers(change: dict[str, int], game: object) -> None:
    anm = Anm.parse(lba1_chain.ANM)
    frames = anm.frames.copy()
    frames["duration"][0] = change.get("duration", 10)
    frames["bones"]["value"][1, 2, 1] = change.get("angle", 40)
    frames["bones"]["value"][1, 1, 1] = change.get("move", 12)
    frames["bones"]["value"][1, 0, 1] = change.get("master", 0)
    kept, _ = which_game.game_of(Anm(1, change.get("word3", 1), frames))
    assert kept is game


@pytest.mark.parametrize(
    ("archive", "expected"),
    [
        ("BODY.HQR", "LM1"),
        ("body (2).hqr", "LM1"),
        ("Anim2.hqr", "ANM"),
        ("ANIM3DS.HQR", None),
        ("bodyguard.hqr", None),
        ("ress.hqr", None),
    ],
)
def test_what_looks_like_nothing(archive: str, expected: str | None) -> None:
    """In the games' own archives it is a damaged one of the usual kind."""
    kept = formats.recognise_entry(b"of no kind at all", archive)
    assert (kept.name if kept is not None else None) == expected


def test_what_only_starts_like_a_body() -> None:
    polygons = 0x128
    assert looks_like_lm1(lba1_chain.LM1, len(lba1_chain.LM1))
    assert looks_like_lm1(lba1_chain.LM1[: polygons + 20], len(lba1_chain.LM1))
    for corners in (0, 2, 17, 255):
        spoiled = lba1_chain.LM1[: polygons + 3] + bytes((corners,)) + lba1_chain.LM1[polygons + 4 :]
        assert not looks_like_lm1(spoiled, len(spoiled))


def test_polygons_of_a_body_end_within_the_file() -> None:
    """The last, lit at four corners, ends where 2 + 8 bytes of lines, as many of spheres and a last word of 2 follow."""
    end = len(lba1_chain.LM1) - 22
    assert looks_like_lm1(lba1_chain.LM1[:end], end)
    assert not looks_like_lm1(lba1_chain.LM1[: end - 1], end - 1)


@pytest.mark.parametrize(("corners", "known"), [(3, True), (2, False)])
def test_a_body_without_groups_has_its_normals_behind_its_points(corners: int, known: bool) -> None:
    """Flags without the one for groups, a point, no normal, and a triangle of type 0."""
    head = struct.pack("<H12xH10x", 1, 10) + struct.pack("<H3h", 1, 7, 7, 7) + struct.pack("<H", 0)
    data = head + struct.pack("<HBBHH3H", 1, 0, corners, 20, 0, 0, 0, 0) + bytes(6)
    assert looks_like_lm1(data, len(data)) is known
