"""OniSplit's XML of characters' animations: given files both ways, any animation, edits in place, and broken or hostile files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from retro_anim.core import formats
from retro_anim.core.files.document import same
from retro_anim.core.oni.body.mannequin import mannequin
from retro_anim.core.oni.files.documents import TramFile
from retro_anim.core.oni.motion.derived import Figure, derive
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.oban import KEY, Oban
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.oni.xml import tree
from retro_anim.core.oni.xml.documents import ObanXml, TramXml, name_of
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError, FormatError
from support.oni.oni_trams import FIXED, random_tram

from ..strategies import trams

GIVEN = ["TRAMSHINZOMidle1_wiki", "TRAMTESTlong", "TRAMTESToverlay", "TRAMTESTrandom"]
LOST = {"name_pointer", "reach", "min_y", "max_y", "first_extent", "max_extent", "alternate_direction", "unknown_158", "fps", "duration"}
LOST |= {"unknown_172", "positions", "attack_ring", "extents", "bone_count", "compression"}
"""Fields that the XML does not have, or that it derives from others; bone count and compression are those of the rotations."""


def differing(one: Tram, other: Tram) -> set[str]:
    names = {field.name for field in fields(one)} - {"name", "level_id", "tail"}
    return {name for name in names if not same(getattr(one, name), getattr(other, name))}


@pytest.mark.parametrize("name", GIVEN)
def test_given_animations(game_file: Callable[[str], Path], name: str) -> None:
    """What is read is the record of the .oni beside, and written it is the given XML to the byte."""
    path = game_file(f"oni/xml/{name}.xml")
    record = TramFile.parse(game_file(f"oni/instances/{name}.oni").read_bytes()).tram
    read = TramXml.parse(path.read_bytes()).named(str(path))
    assert same(read.tram, record)
    with log.collect() as said:
        assert TramXml.new(record).pack() == path.read_bytes()
    assert not said.messages


@given(trams(2))
@settings(max_examples=25, phases=[Phase.generate])
def test_any_animation(document: Tram) -> None:
    """What comes back otherwise is said; what came back once stays as it is."""
    document = _plain(document)
    if all(getattr(document, name) is None for name in ("rotations", "heights", "velocities", "positions")):
        with pytest.raises(ExportError, match="0 frames"):
            TramXml.new(document)
        return
    with log.collect() as said:
        once = TramXml.parse(TramXml.new(document).data).tram
    lost = differing(document, once)
    assert not lost - LOST
    assert bool(lost) == bool(said.of("WARNING"))
    if document.rotations is not None:
        assert same(once.rotations, document.rotations)
    with log.collect() as said:
        again = TramXml.new(once)
    assert not said.of("WARNING")
    assert not differing(TramXml.parse(again.data).tram, once)


@pytest.mark.parametrize("seed", FIXED)
@pytest.mark.parametrize("flags", [0, 0x2000])
@pytest.mark.parametrize("moves", [True, False])
def test_what_onisplit_makes_of_an_animation_is_said(seed: int, flags: int, moves: bool) -> None:
    """Quaternions stay where the Overlay flag is set, and what has no velocities is not read."""
    plain = _plain(random_tram(seed))
    document = replace(plain, flags=flags, velocities=plain.velocities if moves else None)
    with log.collect() as said:
        TramXml.new(document)
    begins = ["OniSplit converts quaternion keys"] * (document.compression == 16 and not flags)
    begins += ["OniSplit does not read an animation without"] * (document.velocities is None)
    assert [line[: len(begin)] for line, begin in zip(said.digest("INFO"), begins, strict=True)] == begins


def _plain(document: Tram) -> Tram:
    """With names that text can hold, attacks that end, and numbers where OniSplit has limits of its own."""
    changes: dict[str, object] = {"impact": b"hit & run"}
    for name in ("particles", "sounds"):
        block = getattr(document, name)
        if block is not None:
            block = block.copy()
            block["name"] = b"<a name>"
            changes[name] = block
    if document.motion_blur is not None:
        changes["motion_blur"] = block = document.motion_blur.copy()
        block["zero"] = 0
    if document.shortcuts is not None:
        changes["shortcuts"] = block = document.shortcuts.copy()
        block["flags"] &= 1
    if document.attacks is not None:
        changes["attacks"] = block = document.attacks.copy()
        block["zero"] = b""
        block["start"] %= document.frame_count
        block["end"] = block["start"] + block["end"] % 4
    if document.extents is not None:
        # of no attack: those of some of its frames alone begin at its start in the XML, and with it at other frames than in the record
        changes["extents"] = block = document.extents.copy()
        block["frame"] |= 0x4000
    return replace(document, **changes)  # pyright: ignore[reportArgumentType]


def test_what_we_derive_xml_derives_again(game_file: Callable[[str], Path]) -> None:
    """Positions, extents and their summary of a motion of our own, to the bit."""
    body = mannequin()
    document = TramFile.parse(game_file("oni/instances/TRAMTESTrandom.oni").read_bytes()).tram
    assert document.velocities is not None
    moved = document.velocities.copy()
    moved["x"] *= np.float32(1.37)
    result = derive(replace(document, velocities=moved), Figure(body.parents, body.offsets, body.low, body.high))
    assert not same(result.first_extent, document.first_extent)
    with log.collect() as said:
        written = TramXml.new(result)
    assert not said.messages
    assert not differing(TramXml.parse(written.data).tram, result)


def test_edits_leave_the_rest_of_the_file(game_file: Callable[[str], Path]) -> None:
    text = game_file("oni/xml/TRAMTESTrandom.xml").read_text("utf-8-sig").replace("<Lookup>", "<!-- mine -->\n<Lookup  >")
    document = TramXml.parse(text.encode())
    assert document.pack() == text.encode()
    edited = replace(document, tram=replace(document.tram, hard_pause=7, footsteps=None, flags=0x90))
    written = edited.pack().decode()
    expected = text.replace("<Hard>0</Hard>", "<Hard>7</Hard>").replace("<Flags>0</Flags>", "<Flags>Attack Atomic</Flags>")
    start, end = expected.index("<Footsteps>"), expected.index("</Footsteps>") + len("</Footsteps>")
    assert written == expected[:start] + "<Footsteps />" + expected[end:]
    longer = replace(document, tram=replace(document.tram, particles=np.repeat(document.tram.particles, 3)))  # pyright: ignore[reportCallIssue,reportArgumentType]
    assert same(TramXml.parse(longer.pack()).tram, longer.tram)
    utf16 = text.replace("utf-8", "utf-16").encode("utf-16")
    assert TramXml.parse(utf16).pack() == utf16
    changed = replace(TramXml.parse(utf16), tram=edited.tram)
    assert same(TramXml.parse(changed.pack()).tram, edited.tram)


def test_a_byte_order_mark_says_more_than_the_declaration() -> None:
    """As XML has it. An editor that saves as UTF-8 may leave what was declared."""
    data = '<?xml version="1.0" encoding="windows-1252"?>\n<a><b>\xe9</b><c>1</c></a>'.encode("utf-8-sig")
    file, after = tree.parse(data), tree.parse(data)
    assert file.children[0].text == "\xe9"
    after.children[1].text = "\u20ac"
    written = tree.update(data, file, file, after)
    assert written == data.replace(b"1</c>", "\u20ac</c>".encode())
    assert tree.same_tree(tree.parse(written), after)


@pytest.mark.parametrize(
    "named",
    [
        '<Import Path="TRAMTEST.dae"><Start>3</Start></Import>',
        "<Import><Start>3</Start><Path>TRAMTEST.dae</Path></Import>",
        "<Import>TRAMTEST.dae</Import>",
    ],
)
def test_motion_in_another_file(game_file: Callable[[str], Path], named: str) -> None:
    text = game_file("oni/xml/TRAMTESTrandom.xml").read_text("utf-8-sig")
    start, end = text.index("<Heights>"), text.index("<ThrowSource>")
    text = (text[:start] + text[end:]).replace("<Animation>", f"<Animation>\n{named}")
    with log.collect() as said:
        document = TramXml.parse(text.encode())
    assert "TRAMTEST.dae, which is not there" in said.digest("WARNING")[0]
    assert (document.tram.frame_count, document.tram.rotations, document.tram.type) == (0, None, 2)
    assert document.pack() == text.encode()
    edited = replace(document, tram=replace(document.tram, soft_pause=5)).named("TRAMother.xml")
    assert (edited.tram.name, edited.tram.soft_pause) == ("TRAMother", 5)
    assert edited.pack().decode() == text.replace("<Soft>0", "<Soft>5")


PROBLEMS = {
    "not in order": ("<Flags>0</Flags>\n", "", "line 19: <Flags> expected in <Animation>, not <Atomic>"),
    "unknown element": ("<Hard>0</Hard>", "<Hard>0</Hard><Wrong />", "<Soft> expected in <Pause>, not <Wrong>"),
    "unknown word": ("<Type>Walk</Type>", "<Type>wlak</Type>", "line 5: wlak is no animation type; did you mean Walk?"),
    "letter case": ("<Type>Walk</Type>", "<Type>PUNCHLOW</Type>", "line 5: PUNCHLOW is no animation type; did you mean PunchLow; "),
    "like none": ("<Type>Walk</Type>", "<Type>0x10</Type>", "no animation type; there are None; Anything; Walk; Run; Slide and 228 more"),
    "footstep": ("<Footstep>", '<Footstep Frame="5" Type="Left">', "<Footstep> with attributes"),
    "no number": ("<Soft>0", "<Soft>a lot", "<Soft>: a lot is no whole number"),
    "too large": ("<Soft>0", "<Soft>65536", "<Soft>: 65536 is not between 0 and 65535"),
    "long name": ("<Name>c01_test", "<Name>" + "n" * 32, "at most 31 are possible"),
    "no frames": ("<EKey>1 ", "<EKey>0 ", "whole numbers of frames from 1 to 255"),
    "track too long": ("<EKey>1 ", "<EKey>2 ", "frames long, those of bone 0"),
    "entity": ("<Oni>", "<!DOCTYPE a [<!ENTITY b 'c'>]><Oni>", "line 2: XML with a DTD is not read"),
    "two kinds of keys": ("<EKey>", "<QKey>", "no well-formed XML: mismatched tag"),
    "text between": ("<Animation>", "<Animation>word", "text between the elements of <Animation>"),
    "another root": ("Oni>", "Uno>", "<Oni> expected, not <Uno>"),
}


@pytest.mark.parametrize("case", PROBLEMS)
def test_what_is_refused(game_file: Callable[[str], Path], case: str) -> None:
    before, after, problem = PROBLEMS[case]
    text = game_file("oni/xml/TRAMTESTrandom.xml").read_text("utf-8-sig")
    assert before in text
    with pytest.raises(FormatError) as caught:
        TramXml.parse(text.replace(before, after, -1 if case == "another root" else 1).encode())
    assert problem in str(caught.value)
    assert "line " in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"<a>" * 100_000,
        b"<a/>" * 100_000,
        b"<Oni>" + b"<a/>" * 100_000 + b"</Oni>",
        b"<Oni><Animation>" + b"x" * 1_000_000,
        b"<Oni " + b"a" * 1_000_000,
        b"<Oni><Animation a='" + b"<" * 1000,
        b"\xff\xfe<\0O\0",
        b"<?xml version='1.0' encoding='no-such'?><Oni/>",
        b"",
        b"<Oni><Animation/></Oni>",
        b"<Oni><OBAN/></Oni>",
    ],
)
def test_hostile(data: bytes) -> None:
    for kind in (TramXml, ObanXml):
        with pytest.raises(FormatError):
            kind.parse(data)


SMALL = replace(
    Tram.new("TRAMtest", 1, 1), rotations=b"\2\0" + bytes(6), heights=np.zeros(1, np.float32), sounds=np.zeros(1, tram_layout.SOUND)
)


@given(st.data())
@settings(max_examples=100)
def test_damage_is_an_error_or_a_result(data: st.DataObject) -> None:
    written = bytearray(TramXml.new(SMALL).data)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(written) - 1))
        written[at : at + data.draw(st.integers(0, 3))] = data.draw(
            st.sampled_from([b"", b"<", b">", b"/", b"9", b"-", b"e9", b"NaN", b"\0", b"\xff"])
        )
    try:
        result = TramXml.parse(bytes(written)).tram
    except FormatError as error:
        assert str(error)
        return
    assert result.record()


def test_truncated_anywhere() -> None:
    written = TramXml.new(SMALL).data
    for end in range(len(written) - 1):
        with pytest.raises(FormatError):
            TramXml.parse(written[:end])


def test_keys_of_two_kinds_are_refused() -> None:
    """Or of one that there is not."""
    text = TramXml.new(replace(SMALL, rotations=b"\2\0" + bytes(6))).data.decode("utf-8-sig")
    (key,) = re.findall(r"<EKey>.*?</EKey>", text)
    for other in ("<QKey>0 0 0 0 1</QKey>" + key, key.replace("EKey", "ZKey")):
        with pytest.raises(FormatError, match="the keys must be EKey or QKey, all of one kind"):
            TramXml.parse(text.replace(key, other).encode())


def test_what_xml_cannot_hold() -> None:
    with pytest.raises(ExportError, match="cannot be written as XML"):
        TramXml.new(replace(SMALL, impact=b"\1"))
    with log.collect() as said:
        TramXml.new(replace(SMALL, impact=b" a ", unknown_172=4))
    assert said.digest("WARNING") == ["XML cannot hold all of it; only a .oni keeps impact, unknown 172 as it is"]


def test_a_height_a_frame_is_enough() -> None:
    """Without rotations and velocities the heights say how many frames there are."""
    data = TramXml.new(replace(SMALL, velocities=None)).data
    bare = re.sub(rb"<(Rotations|Velocities|Positions)>.*?</\1>", rb"<\1/>", data, flags=re.DOTALL)
    assert b"<Height>" in bare
    read = TramXml.parse(bare).tram
    assert read.heights is not None and read.rotations is None and read.velocities is None
    assert read.frame_count == read.duration == len(read.heights) == bare.count(b"<Height>")


def test_an_attack_without_extents() -> None:
    data = next(data for seed in range(50) if b"<Extent>" in (data := TramXml.new(random_tram(seed)).data))
    read = TramXml.parse(re.sub(rb"\s*<Extents>.*?</Extents>", b"", data, flags=re.DOTALL)).tram
    assert read.attacks is not None and len(read.attacks) == data.count(b"<Attack>") and read.extents is None


def test_a_reach_that_was_rounded_otherwise_stays() -> None:
    """The summary's exact number is written only where it is rounded to the extent's."""
    extent = np.zeros(1, tram_layout.EXTENT)
    extent["frame"], extent["length"], extent["max_y"] = 2, 1234, 600
    attack = np.zeros(1, tram_layout.ATTACK)
    attack["start"], attack["end"] = 2, 2
    point = SMALL.max_extent.copy()
    point["frame"], point["length"], point["max_y"] = 2, 99.0, 6.001
    document = replace(SMALL, attacks=attack, extents=extent, max_extent=point)
    with log.collect():
        data = TramXml.new(document).data
    assert b"<Length>12.34</Length>" in data and b"<MaxY>6.001</MaxY>" in data


def test_the_farthest_reach_names_its_attack() -> None:
    """The one that goes on then, and for how long already, whatever others the move has before it."""
    extents, attacks = np.zeros(3, tram_layout.EXTENT), np.zeros(2, tram_layout.ATTACK)
    extents["frame"], extents["length"] = [1, 2, 3], [100, 200, 900]
    attacks["start"], attacks["end"] = [1, 2], [1, 3]
    with log.collect():
        point = TramXml.parse(TramXml.new(replace(SMALL, flags=0, attacks=attacks, extents=extents)).data).tram.max_extent
    assert (int(point["frame"]), int(point["attack"]), int(point["frame_offset"])) == (3, 1, 1)


def test_names_of_files() -> None:
    assert name_of("/some/TRAMKONidle.xml", "TRAM") == "TRAMKONidle"
    assert name_of("/some/KON%2Fidle.xml", "TRAM") == "TRAMKON/idle"


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("declared", ["utf-16", "utf-8", "UTF-16"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8"])
def test_a_text_in_another_encoding_than_it_declares(encoding: str, declared: str, mark: str, tmp_path: Path) -> None:
    """As editors save it, and as .NET declares what becomes a file later; where it is edited it stays so, with its comments."""
    plain = TramXml.new(random_tram(3, 5)).pack()
    path = tmp_path / "TRAMany.xml"
    text = plain.decode("utf-8-sig").replace("utf-8", declared, 1).replace("<Lookup>", "<!-- mine: 走 --><Lookup\t>")
    path.write_bytes((mark + text).encode(encoding))
    document = TramXml.parse(path.read_bytes())
    assert isinstance(formats.open_file(path).document, TramXml)
    assert document.pack() == path.read_bytes()
    assert differing(document.tram, TramXml.parse(plain).tram) == set()
    old = f"<Hard>{document.tram.hard_pause}</Hard>"
    edited = replace(document, tram=replace(document.tram, hard_pause=7)).pack()
    assert edited.decode(encoding) == mark + text.replace(old, "<Hard>7</Hard>")


@pytest.mark.parametrize("encoding", ["windows-1252", "iso-8859-1"])
def test_a_text_in_an_encoding_of_one_byte(encoding: str) -> None:
    plain = TramXml.new(random_tram(3, 5)).pack().decode("utf-8-sig").replace("utf-8", encoding, 1)
    text = plain.replace("<Lookup>", "<!-- für mich --><Lookup\t>").encode(encoding)
    document = TramXml.parse(text)
    named = replace(document, tram=replace(document.tram, direct=("TRAMgéant", "TRAM走")))
    written = named.pack()
    assert b"<!-- f\xfcr mich --><Lookup\t>" in written and b"g\xe9ant" in written and b"&#36208;" in written
    assert TramXml.parse(written).tram.direct == named.tram.direct


@pytest.mark.parametrize("space", ["\n", ""])
def test_what_was_empty_is_filled(space: str) -> None:
    """The parser says of an empty element's end where it is behind it, of another's where its tag begins."""
    text = TramXml.new(replace(random_tram(3, 5), heights=np.zeros(0, "<f4"))).pack().decode()
    text = re.sub(r">\s+<", f">{space}<", text).replace("<Heights></Heights>", "<Heights />")
    assert f"<Heights />{space}<" in text
    document = TramXml.parse(text.encode())
    tram = replace(document.tram, heights=np.arange(5, dtype="<f4"), direct=("TRAMone", ""))
    with log.collect():
        written = replace(document, tram=tram).pack().decode()
    assert differing(TramXml.parse(written.encode()).tram, tram) == set()
    start, end = written.index("<Heights>"), written.index("</Heights>") + len("</Heights>")
    before = written[:start] + "<Heights />" + written[end:]
    assert before.replace("<Link>TRAMone</Link>", "<Link />") == text


def test_comments_in_what_is_written_anew_come_before_it() -> None:
    """Where an element has other elements than before."""
    plain = TramXml.new(replace(random_tram(3, 5), sounds=np.zeros(1, tram_layout.SOUND))).pack().decode()
    document = TramXml.parse(plain.replace("</Sounds>", "<!-- one\n- two --><!-- 3 --></Sounds>").encode())
    with log.collect():
        written = replace(document, tram=replace(document.tram, sounds=np.zeros(2, tram_layout.SOUND))).pack().decode()
    assert written.index("<!-- one\n- two -->") < written.index("<!-- 3 -->") < written.index("<Sounds>")
    assert written.count("<!--") == 2


@pytest.mark.parametrize("text", ["NaN", "INF", "-Infinity"])
def test_a_heading_that_is_no_number_is_named_and_kept(text: str) -> None:
    given = re.sub(rb"(?<=<FinalRotation>)[^<]*", text.encode(), TramXml.new(random_tram(1, 12)).data)
    with log.collect() as said:
        read = TramXml.parse(given)
    assert not np.isfinite(read.tram.final_rotation) and read.pack() == given
    (message,) = said.of("WARNING")
    assert message.text.startswith(f"<FinalRotation> is {text}, by which the game rotates the character")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("number", ["1e38", "-3.4e38", "1e39", "-1e300", "1e400", "1e-46", "NaN", "INF"])
def test_numbers_of_any_size(number: str) -> None:
    """One after the other in place of each of a file: refused with the line, or kept; nothing else is said."""
    for data in (TramXml.new(random_tram(3, 2, 2)).pack(), ObanXml.new(replace(Oban.new("OBANa"), keys=np.ones(1, KEY))).pack()):
        for number_at in re.finditer(rb"(?<=[ >])-?\d+(\.\d+)?(?=[ <])", data):
            changed = data[: number_at.start()] + number.encode() + data[number_at.end() :]
            try:
                document = (TramXml if data.find(b"<OBAN") < 0 else ObanXml).parse(changed)
            except FormatError as error:
                assert str(error).startswith("line ")
                continue
            assert document.pack() == changed


def test_attacks_at_the_same_frames_have_extents_of_their_own() -> None:
    """As many as frames: one for each frame of the first attack, then for each of the second."""
    extents = np.zeros(4, tram_layout.EXTENT)
    extents["frame"], extents["length"] = [2, 3, 3, 4], [100, 200, 300, 400]
    attacks = np.zeros(2, tram_layout.ATTACK)
    attacks["start"], attacks["end"] = [2, 3], [3, 4]
    with log.collect():
        data = TramXml.new(replace(SMALL, attacks=attacks, extents=extents)).data
    assert re.findall(rb"<Length>(.)</Length><MinY>|<Length>(.)</Length>\s*<MinY>", data) == [
        (b"", each) for each in (b"1", b"2", b"3", b"4")
    ]
