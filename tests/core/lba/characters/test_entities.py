"""Entities of both games: records, the entries of FILE3D.HQR, and the table of LBA2."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.lba.characters import characters
from retro_anim.core.lba.files import entity_table, file3d
from retro_anim.core.lba.files.actions import is_event
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.entity_table import EntityTable
from retro_anim.core.lba.files.file3d import ANIMATION, BODY, END, Entity, Record
from retro_anim.core.reporting.errors import FormatError
from support.lba import lba2_chain as chain2

from ..strategies import hqr_bytes, octets, record, shorts, unsigned

CREATED = bytes.fromhex("""
    01 00 11 0500 01 0e 0cff f4ff 9cff 0c00 d804 6400
    03 01 08 0100 02 0f 00 10 04
    03 02 0b 0200 01 06 03 2a00 07 01 02
    07 2a 05 0900 beef
    03 01 04 0300 00
    ff aa bb
""")
"""A body with a box; a walk with steps at keyframes 0 and 4; a sound at keyframe 3 and bytes behind it; a record that nobody knows; a
second walk; the end, and two bytes more."""


@st.composite
def entities(draw: st.DrawFn, wide: bool = False) -> Entity:
    """Records of any type but the end mark, with any bytes as actions."""
    records: list[Record] = []
    for _ in range(draw(st.integers(0, 5))):
        op = draw(st.sampled_from([BODY, ANIMATION]) | st.integers(0, END - 1))
        actions = draw(st.binary(max_size=40))
        records.append(Record(op, draw(unsigned if wide and op == ANIMATION else octets), 3 + len(actions), draw(shorts), actions))
    return Entity(tuple(records), draw(st.binary(max_size=5)), wide)


def test_the_fields_of_an_entity_written_by_hand() -> None:
    entity = Entity.parse(CREATED)
    assert [(one.op, one.role, one.size, one.index) for one in entity.records] == [
        (1, 0, 17, 5),
        (3, 1, 8, 1),
        (3, 2, 11, 2),
        (7, 42, 5, 9),
        (3, 1, 4, 3),
    ]
    assert struct.unpack("<6h", entity.records[0].actions[2:]) == (-244, -12, -100, 12, 1240, 100)
    assert entity.bodies == {5: [0]}
    assert entity.animations == {1: [1], 2: [2], 3: [1]}
    assert entity.rest == b"\xaa\xbb"
    assert entity.pack() == CREATED


def test_what_the_game_does_at_keyframes() -> None:
    entity = Entity.parse(CREATED)
    assert entity.events_of(1) == [(0, "left step"), (4, "right step")]
    assert entity.events_of(2) == [(3, "sound 42")]
    assert entity.events_of(3) == entity.events_of(9) == []


EVERY_KIND_1 = """05 01 07   06 02 2a00   07 03 2b00 0010   08 04 6400 09 1000 2000 3000 05 06
    09 05 6400 1000 3000 05   0a 06 2c00 0300   0b 07 6400 09 02 3000 06   0c 08 6400 09 1000 2000 3000 05 06   0d 09 2d00
    0f 0a   10 0b   11 0c   12 0d 0100 0200 0300 09 1000 2000 3000 05 06   13 0e 0100 0200 0300 09 1000 2000 3000 05 06
    14 0f 0100 0200 0300 09 02 3000 06   15 10 0100 0200 0300 1000 3000 05"""
EVERY_KIND_2 = """05 01 07   0a 02 2c00 0000 7f 0010 0300   0e 03 9cff 0000 9cff 6400 c800 6400   16 04 07 0100 0200 0300 9001
    17 05 0100 0200 0300 0b00 1000 2000 3000 05 06   20 0400   1a 06 baff 3002 60ff 11   1b 07 6400 1000 3000 05   1c 08 16
    1d 09   1e 0a 3d00 b301 6702 05   1f 0b   21 0c   22 28   23   24 00000200   25 0d   26 0e   27 0f f501 f4ff 7f 0008
    28 10 1a00 7404 0601 0200   29 11 7801 1664 0064 00 0a   2a 12"""
"""One action of every kind of LBA1 and of LBA2."""


def listed(actions: str, wide: bool) -> Entity:
    """An entity with one animation, 7, that does all this."""
    data = bytes.fromhex(actions)
    count = {EVERY_KIND_1: 16, EVERY_KIND_2: 22}[actions]
    body = struct.pack("<h", 7) + bytes((count,)) + data
    return Entity.parse(bytes((3, 1, *([0] if wide else []), 1 + len(body))) + body + b"\xff", wide)


def test_every_action_of_the_first_game() -> None:
    entity = listed(EVERY_KIND_1, False)
    actions = entity.actions_of(7)
    assert entity.unread == 0
    assert [action.frame for action in actions] == list(range(1, 17))
    assert [action.kind for action in actions] == [5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21]
    assert actions[0].text == "1 hit, strength 7"
    assert actions[2].text == "3 sound 43, random frequency 4096"
    assert [actions[index].title for index in (5, 8)] == ["sound 44 repeated", "sound 45 stops"]
    assert dict(actions[12].numbers) == {
        "x": 1,
        "y": 2,
        "z": 3,
        "sprite": 9,
        "alpha": 16,
        "beta": 32,
        "speed": 48,
        "weight": 5,
        "strength": 6,
    }


def test_every_action_of_the_second_game() -> None:
    """Those without a keyframe happen with the action before."""
    entity = listed(EVERY_KIND_2, True)
    actions = entity.actions_of(7)
    assert entity.unread == 0
    assert {action.kind: action.frame for action in actions if action.kind in (32, 34, 35, 36)} == {32: 5, 34: 12, 35: 12, 36: 12}
    text = {action.kind: action.text for action in actions}
    assert text[10] == "2 sound 44 repeated, offset 0, volume 127, frequency 4096, times 3"
    assert text[14] == "3 box, x min -100, y min 0, z min -100, x max 100, y max 200, z max 100"
    assert text[22] == "4 super hit, strength 7, x 1, y 2, z 3, size 400"
    assert text[23] == "5 throw object 11, x 1, y 2, z 3, alpha 16, beta 32, speed 48, weight 5, strength 6"
    assert text[26] == "6 particles 17, x -70, y 560, z -160"
    assert text[28] == "8 shield, last keyframe 22"
    assert text[36] == "12 scale 131072"
    assert text[39] == "15 sound 501, offset -12, volume 127, frequency 2048"
    assert text[42] == "18 lightning"


def test_which_markers_are_events() -> None:
    titles = [
        action.title for actions, wide in ((EVERY_KIND_1, False), (EVERY_KIND_2, True)) for action in listed(actions, wide).actions_of(7)
    ]
    assert all(map(is_event, titles))
    assert not any(map(is_event, ("loop", "intro", "sound", "left", "step 3", "")))


def test_an_unknown_action_is_counted() -> None:
    """Nothing is known about its size, so that what follows cannot be read either."""
    entity = Entity.parse(bytes.fromhex("03 01 0a 0700 03 0f 02 63 01 10 03 ff"))
    assert (entity.events_of(7), entity.unread) == ([(2, "left step")], 2)


def test_all_actions_of_the_games_own(game_data: Path) -> None:
    """By their lists' own counts: 86 in the given part of LBA1, 3072 in LBA2, 2809 of these of animations."""
    archive = Hqr.parse((game_data / "lba1" / "FILE3D.HQR").read_bytes())
    first = [Entity.parse(archive.read(index)) for index in range(len(archive)) if not archive.blank(index)]
    table = EntityTable.parse(Hqr.parse((game_data / "lba2" / "RESS.HQR").read_bytes()).read(44))
    second = [table.entity(index) for index in range(len(table))]
    for entities_of, total in ((first, 86), (second, 3072)):
        assert sum(record.actions[0] for entity in entities_of for record in entity.records if record.actions) == total
        assert sum(entity.unread for entity in entities_of) == 0
    sounds = {action.text for entity in second for animation in entity.animations for action in entity.actions_of(animation)}
    assert len(sounds) > 500


@pytest.mark.parametrize("wide", [False, True])
@given(data=st.data())
def test_what_is_written_is_read_again(wide: bool, data: st.DataObject) -> None:
    entity = data.draw(entities(wide))
    read = Entity.parse(entity.pack(), wide)
    assert read == entity
    assert sum(len(roles) for roles in entity.animations.values()) == sum(one.op == ANIMATION for one in entity.records)


@pytest.mark.parametrize("wide", [False, True])
@given(data=st.data())
def test_any_bytes_are_refused_or_kept(wide: bool, data: st.DataObject) -> None:
    spoiled = bytearray(data.draw(entities(wide)).pack())
    for _ in range(data.draw(st.integers(0, 3))):
        spoiled[data.draw(st.integers(0, len(spoiled) - 1))] = data.draw(octets)
    spoiled = spoiled[: data.draw(st.integers(0, len(spoiled)))]
    file3d.recognise(bytes(spoiled), len(spoiled))
    try:
        entity = Entity.parse(spoiled, wide)
    except FormatError as error:
        assert error.offset is not None
        assert error.offset <= len(spoiled)
        return
    assert entity.pack() == spoiled
    for animation in entity.animations:
        entity.events_of(animation)


def test_cut_off_anywhere() -> None:
    for size in range(len(CREATED) - 2):
        with pytest.raises(FormatError):
            Entity.parse(CREATED[:size])


def test_records_without_end() -> None:
    with pytest.raises(FormatError, match="more than 65535 records") as caught:
        Entity.parse(bytes((3, 1, 3, 0, 0)) * 200_000)
    assert caught.value.offset == 5 * 65535


@pytest.mark.parametrize("size", [0, 1, 2])
def test_a_record_that_would_not_move_on(size: int) -> None:
    with pytest.raises(FormatError, match="at least 3 are needed") as caught:
        Entity.parse(bytes((3, 1, size, 0, 0, 0xFF)))
    assert caught.value.offset == 2


def test_wide_roles_and_their_size_counts_from_its_own_place() -> None:
    """op 3: u8, u16 role, u8 size, s16 index; the next record is at the place of the size plus the size."""
    data = bytes.fromhex("01 02 04 0500 00  03 c801 06 1000 01 aabb  03 0000 03 ffff ff")
    entity = Entity.parse(data, wide=True)
    assert entity.bodies == {5: [2]}
    assert entity.animations == {16: [0x1C8], -1: [0]}
    assert [one.actions for one in entity.records] == [b"\0", b"\x01\xaa\xbb", b""]
    assert entity.pack() == data


def table_bytes(parts: list[Entity | None], shared: dict[int, int]) -> bytes:
    """parts: None for a blank place. shared: places that show the bytes of an earlier one."""
    location = 4 * (len(parts) + 1)
    offsets: list[int] = []
    out = b""
    for index, part in enumerate(parts):
        if index in shared:
            offsets.append(offsets[shared[index]])
        elif part is None:
            offsets.append(0)
        else:
            offsets.append(location + len(out))
            out += part.pack()
    return struct.pack(f"<{len(offsets) + 1}I", *offsets, location + len(out)) + out


@given(data=st.data())
def test_a_table_with_blank_and_shared_places(data: st.DataObject) -> None:
    parts: list[Entity | None] = [data.draw(entities(True)), *data.draw(st.lists(st.none() | entities(True), max_size=4))]
    shared = {len(parts): 0} if data.draw(st.booleans()) else {}
    blob = table_bytes([*parts, *[None] * len(shared)], shared)
    table = EntityTable.parse(blob)
    assert len(table) == len(parts) + len(shared)
    for index, part in enumerate(parts):
        assert table.blank(index) == (part is None)
        if part is not None:
            assert same(table.entity(index), part)
        else:
            with pytest.raises(FormatError, match=f"no entity {index}"):
                table.entity(index)
    for index in shared:
        assert table.entity(index) == parts[0]
    assert table.pack() == blob


@given(data=st.data())
def test_any_table_is_refused_or_kept(data: st.DataObject) -> None:
    spoiled = bytearray(table_bytes([data.draw(entities(True)), data.draw(entities(True))], {}))
    for _ in range(data.draw(st.integers(0, 3))):
        spoiled[data.draw(st.integers(0, len(spoiled) - 1))] = data.draw(octets)
    spoiled = bytes(spoiled[: data.draw(st.integers(0, len(spoiled)))])
    entity_table.recognise(spoiled, len(spoiled))
    try:
        table = EntityTable.parse(spoiled)
    except FormatError:
        return
    assert table.pack() == spoiled


def test_a_table_cut_off_anywhere() -> None:
    blob = chain2.entity_table([chain2.entity([(0, 0)], [(0, 0), (1, 1)]), chain2.entity([], [(300, 2)])])
    assert entity_table.recognise(blob, len(blob))
    for size in range(len(blob)):
        with pytest.raises(FormatError):
            EntityTable.parse(blob[:size])
        assert not entity_table.recognise(blob[:size], size) or size < 12


@pytest.mark.parametrize("value", [1, 5000])
def test_a_table_that_leads_outside_of_itself_is_refused(value: int) -> None:
    """Its second value of three, into the table or behind all."""
    blob = chain2.entity_table([chain2.entity([(0, 0)], []), chain2.entity([], [(300, 2)])])
    spoiled = blob[:4] + struct.pack("<I", value) + blob[8:]
    with pytest.raises(FormatError, match=f"entity 1 lies outside the table, at 0x{value:X}") as caught:
        EntityTable.parse(spoiled)
    assert caught.value.offset == 4


def test_a_damaged_entity_says_where() -> None:
    blob = chain2.entity_table([chain2.entity([(0, 0)], []), chain2.entity([], [(300, 2)])])
    spoiled = blob[:-8] + bytes((blob[-8] + 1,)) + blob[-7:]
    assert spoiled[-8] == 4  # op 3 became 4, whose role has one byte: its "size" is now the high byte of 300
    with pytest.raises(FormatError, match="entity 1: ") as caught:
        EntityTable.parse(spoiled)
    assert caught.value.offset is not None
    assert caught.value.offset >= len(blob) - 8


def test_found_in_a_folder(tmp_path: Path) -> None:
    assert characters.beside(tmp_path / "ANIM.HQR") is None
    (tmp_path / "RESS.HQR").write_bytes(hqr_bytes([record(bytes(768))], [0, None]))
    assert characters.beside(tmp_path / "ANIM.HQR") is None
    (tmp_path / "RESS.HQR").write_bytes(chain2.resources([chain2.entity([(0, 7)], [(1, 2)])]))
    kept = characters.beside(tmp_path / "ANIM.HQR")
    assert kept is not None
    assert (len(kept), kept.entity(0).bodies, kept.folder) == (1, {7: [0]}, tmp_path)
    assert kept.where(0).endswith("RESS.HQR#44, entity 0")
    (tmp_path / "file3d.hqr").write_bytes(hqr_bytes([record(CREATED[:19] + b"\xff")], [0]))
    kept = characters.beside(tmp_path / "ANIM.HQR")
    assert kept is not None
    assert (kept.entity(0).bodies, kept.where(0)) == ({5: [0]}, f"{tmp_path / 'file3d.hqr'}#0")


def test_given_in_any_form(tmp_path: Path) -> None:
    table = chain2.entity_table([chain2.entity([(0, 7)], [(1, 2)])])
    (tmp_path / "table.bin").write_bytes(table)
    (tmp_path / "RESS.HQR").write_bytes(chain2.resources([chain2.entity([(0, 7)], [(1, 2)])]))
    (tmp_path / "other.hqr").write_bytes(hqr_bytes([record(b"nothing of the kind")], [0]))
    for location in ("table.bin", "RESS.HQR", "RESS.HQR#44"):
        assert characters.of_file(str(tmp_path / location)).entity(0).animations == {2: [1]}
    for location in ("other.hqr", "other.hqr#0", "RESS.HQR#0", "RESS.HQR#name", "missing.hqr"):
        with pytest.raises(FormatError) as caught:
            characters.of_file(str(tmp_path / location))
        assert str(caught.value).startswith(str(tmp_path))


def test_a_damaged_list_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "RESS.HQR").write_bytes(hqr_bytes([record(bytes(768)), record(b"\x08\0\0\0\x40\0\0\0", 90)], [0, *[None] * 43, 1]))
    with pytest.raises(FormatError, match=r"RESS.HQR: holds no entities: entry 44 is no list of characters: .*90 bytes, 8 are there"):
        characters.of_file(str(tmp_path / "RESS.HQR"))


def test_the_games_own(game_data: Path) -> None:
    """Every entity is its bytes, and names nothing that its archives do not have."""
    folder = game_data / "lba1"
    archive = Hqr.parse((folder / "FILE3D.HQR").read_bytes())
    counts = {name: len(Hqr.parse((folder / name).read_bytes())) for name in ("BODY.HQR", "ANIM.HQR")}
    sizes: set[int] = set()
    for index in range(len(archive)):
        if archive.blank(index):
            continue
        data = archive.read(index)
        entity = Entity.parse(data)
        assert entity.pack() == data
        assert entity.rest == b""
        assert all(0 <= body < counts["BODY.HQR"] for body in entity.bodies)
        assert all(0 <= animation < counts["ANIM.HQR"] for animation in entity.animations)
        sizes |= {one.size for one in entity.records if one.op == BODY}
    assert sizes <= {4, 17}
    twinsen = Entity.parse(archive.read(0))
    assert (len(twinsen.bodies), len(twinsen.animations)) == (7, 38)
    assert twinsen.animations[1] == [1]
    assert np.diff([frame for frame, _ in twinsen.events_of(1)]).min(initial=1) >= 0


def test_too_short_for_an_entity() -> None:
    assert not file3d.recognise(b"", 0)
    assert not file3d.recognise(b"\xff", 1)


def test_offsets_outside_the_table_are_no_entities() -> None:
    """Blank ones are, also between others; the walk ends with the head's bytes."""
    good = chain2.entity_table([chain2.entity([(0, 0)], []), chain2.entity([], [(300, 2)])])
    first = int.from_bytes(good[:4], "little")
    moved = struct.pack("<4I", first + 4, 0, *(value + 4 for value in struct.unpack("<2I", good[4:first]))) + good[first:]
    assert entity_table.recognise(moved, len(moved))
    for wrong in (1, first - 4, len(good) + 1):
        spoiled = good[:4] + struct.pack("<I", wrong) + good[8:]
        assert not entity_table.recognise(spoiled, len(spoiled))
    assert not entity_table.recognise(good[:first], len(good) + 1), "the last offset is the table's end"
    for end in range(first, len(good)):
        assert entity_table.recognise(good[:end], len(good))
    at = good.index(END, first)  # behind the first entity's body there: neither a record nor the end
    assert not entity_table.recognise(good[:at] + b"\x07" + good[at + 1 :], len(good))


@pytest.mark.parametrize(("size", "known"), [(2, False), (3, True)])
def test_a_record_has_at_least_its_size_and_an_index(size: int, known: bool) -> None:
    """Of three bytes: one of two would end within its index, here at what looks like the end mark."""
    table = chain2.entity_table([bytes((BODY, 0, size, 7, END, END))])
    assert entity_table.recognise(table, len(table)) is known
    if known:
        assert EntityTable.parse(table).pack() == table
    else:
        with pytest.raises(FormatError, match="claims 2 bytes, at least 3 are needed"):
            EntityTable.parse(table)


@pytest.mark.parametrize("known", range(1, 7))
def test_the_first_record_of_a_table_is_looked_at_as_far_as_it_is_known(known: int) -> None:
    """Its type is its first byte; its size the third one of a body, the fourth one of an animation, and looked at from four bytes on."""
    size = 30
    for entity, good in (
        (bytes((BODY, 0, 3, 7, 0, END)), True),
        (bytes((BODY, 0, 2, 7, 0, END)), known < 4),
        (bytes((ANIMATION, 2, 2, 3, 7, 0, END)), True),
        (bytes((ANIMATION, 9, 9, 2, 7, 0, END)), known < 4),
        (bytes((END, 9, 9, 9, 9, 9)), True),
        (bytes((2, 0, 4, 7, 0, 0, END)), False),
    ):
        head = struct.pack("<2I", 8, size) + entity
        assert entity_table.recognise(head[: 8 + known], size) is good, entity


def test_an_entity_is_recognised_by_as_much_as_is_there() -> None:
    """A record of its type, number, size and so many bytes; of a longer file its first ones."""
    whole = bytes([BODY, 0, 4, 0, 0, 0, END])
    assert file3d.recognise(whole, len(whole))
    assert file3d.recognise(whole[:5], len(whole)) and not file3d.recognise(whole[:4], len(whole))
    assert file3d.recognise(whole[:6], len(whole)), "all of its record, and nothing of what follows"
    for small in (bytes([BODY, 0, 3, 0, 0, END]), whole[:6] + bytes([BODY, 0, 3, 0, 0, END])):
        assert not file3d.recognise(small, len(small)), "less than a record takes"
