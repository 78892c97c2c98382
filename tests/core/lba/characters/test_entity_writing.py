"""Entities written: one role, one body, one event changed changes that alone, in FILE3D.HQR and in the entity table of RESS.HQR."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from retro_anim.core.lba.characters import characters, edit
from retro_anim.core.lba.files.actions import Action, action_of, actions_of, bytes_of
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.entity_table import EntityTable
from retro_anim.core.lba.files.file3d import ANIMATION, BODY, Entity
from retro_anim.core.reporting.errors import ExportError
from support.lba import lba2_chain as chain2


@pytest.fixture(params=["lba1/FILE3D.HQR", "lba2/RESS.HQR"])
def source(request: pytest.FixtureRequest, game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    return Path(shutil.copyfile(game_file(request.param), tmp_path / Path(request.param).name))


def records(data: bytes, wide: bool) -> list[tuple[int, int, int, bytes]]:
    """op, role, index, actions of a stream: read without the package."""
    at, result = 0, []
    while data[at] != 0xFF:
        op = data[at]
        long = wide and op == 3
        role = struct.unpack_from("<H", data, at + 1)[0] if long else data[at + 1]
        size_at = at + 2 + long
        end = size_at + data[size_at]
        result.append((op, role, struct.unpack_from("<h", data, size_at + 1)[0], data[size_at + 3 : end]))
        at = end
    return result


def streams(path: Path) -> list[bytes]:
    """Every entity's bytes; blank ones empty."""
    archive = Hqr.parse(path.read_bytes())
    if path.name == "FILE3D.HQR":
        return [b"" if archive.blank(index) else archive.read(index) for index in range(len(archive))]
    data = archive.read(44)
    offsets = struct.unpack_from(f"<{struct.unpack_from('<I', data)[0] // 4}I", data)
    ordered = sorted({*offsets} - {0})
    following = dict(pairwise(ordered))
    return [data[offset : following[offset]] if offset else b"" for offset in offsets[:-1]]


def test_every_entity_and_all_its_actions_pack_to_the_same_bytes(source: Path) -> None:
    table = characters.of_file(str(source))
    count = 0
    for index in range(len(table)):
        if table.blank(index):
            continue
        entity = table.entity(index)
        for record in entity.records:
            if record.op in (BODY, ANIMATION):
                actions, claimed = actions_of(record.actions, entity.wide, record.op)
                assert len(actions) == claimed and bytes_of(actions, entity.wide, record.op) == record.actions
                count += claimed
    assert count > 20


def test_a_new_role_is_one_record_and_nothing_else(source: Path) -> None:
    wide = source.name == "RESS.HQR"
    before = streams(source)
    edit.change(str(source), 0, edit.use(77, 3))
    after = streams(source)
    assert after[1:] == before[1:] and len(after) == len(before)
    assert records(after[0], wide) == [*records(before[0], wide), (3, 77, 3, b"\0")]
    edit.change(str(source), 0, edit.stop_using(77))
    assert streams(source) == before
    assert source.with_name(source.name + ".bak").exists()
    others = Hqr.parse(source.read_bytes()), Hqr.parse(source.with_name(source.name + ".bak").read_bytes())
    for index in range(len(others[0])):
        if not others[0].blank(index):
            assert others[0].read(index) == others[1].read(index)


def test_several_changes_at_once(source: Path) -> None:
    """A change of a change, an empty new one, a copy, and a copy of what was changed before; nothing is written, and the others stay."""
    wide, before, was = source.name == "RESS.HQR", streams(source), source.read_bytes()
    count, other = len(before), next(index for index, stream in enumerate(before) if index and stream)
    wanted = [
        edit.Wanted(0, [edit.use(77, 3)]),
        edit.Wanted(0, [edit.use(78, 4)]),
        edit.Wanted(None, []),
        edit.Wanted(None, [edit.use(79, 5)], like=other),
        edit.Wanted(None, [], like=0),
        edit.Wanted(other, []),
    ]
    path, data, numbers = edit.with_changes(str(source) + "#44" * wide, wanted)
    assert (path, source.read_bytes(), numbers) == (source, was, [0, 0, count, count + 1, count + 2, other])
    source.write_bytes(data)
    after = streams(source)
    changed = [*records(before[0], wide), (3, 77, 3, b"\0"), (3, 78, 4, b"\0")]
    assert after[1:count] == before[1:] and len(after) == count + 3
    assert [records(after[index], wide) for index in (0, count, count + 2)] == [changed, [], changed]
    assert records(after[count + 1], wide) == [*records(before[other], wide), (3, 79, 5, b"\0")]


def test_without_a_change_it_is_the_file(source: Path) -> None:
    assert edit.with_changes(str(source), [edit.Wanted(0, [])]) == (source, source.read_bytes(), [0])


def test_another_animation_in_a_role_keeps_the_role_s_events(source: Path) -> None:
    wide = source.name == "RESS.HQR"
    before = records(streams(source)[0], wide)
    op, role, index, actions = next(record for record in before if record[0] == 3 and record[3] != b"\0")
    edit.change(str(source), 0, edit.use(role, index + 1))
    after = records(streams(source)[0], wide)
    assert [one for one, other in zip(before, after, strict=True) if one != other] == [(op, role, index, actions)]
    assert (3, role, index + 1, actions) in after


@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_role_that_is_there_already_keeps_its_place(row: int) -> None:
    """Three records of type, role, size, entry and a list of actions; the entry is all that changes."""
    rows = [bytes((1, 0, 4, 5, 0, 0)), bytes((3, 1, 6, 6, 0, 1, 15, 4)), bytes((3, 2, 4, 7, 0, 0))]
    stream = b"".join(rows) + b"\xff!"
    entity = Entity.parse(stream).with_record(rows[row][0], rows[row][1], 9)
    rows[row] = rows[row][:3] + b"\x09" + rows[row][4:]
    assert entity.pack() == b"".join(rows) + b"\xff!"


def sounds(*wanted: tuple[int, int]) -> list[Action]:
    """(keyframe, sample), type 6."""
    return [Action(frame, 6, f"sound {sample}", (("sample", sample),)) for frame, sample in wanted]


@pytest.mark.parametrize(
    ("now", "first", "second"),
    [
        ([(3, 42), (10, 42)], [(3, 42)], [(10, 42)]),
        ([(3, 42), (4, 42), (11, 42)], [(3, 42), (4, 42)], [(11, 42), (4, 42)]),
        ([(3, 42), (13, 42), (8, 42)], [(3, 42), (13, 42)], [(8, 42), (13, 42)]),
        ([(3, 42), (2, 7)], [(3, 42)], [(2, 7)]),
        ([(3, 42)], [(3, 42)], []),
        ([], [], []),
    ],
)
def test_an_action_that_was_changed_is_the_nearest_one_like_it(
    now: list[tuple[int, int]], first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    """Two roles of one animation, with sound 42 at keyframe 3, which stays, and at 10. What is new goes to both."""
    entity = Entity(()).with_record(ANIMATION, 1, 5, sounds((3, 42))).with_record(ANIMATION, 2, 5, sounds((10, 42)))
    after = Entity.parse(entity.with_actions(5, sounds(*now)).pack())
    assert [actions_of(record.actions, False, ANIMATION)[0] for record in after.records] == [sounds(*first), sounds(*second)]


@pytest.mark.parametrize(("index", "fits"), [(-1, False), (0, True), (0x7FFF, True), (0x8000, False)])
def test_an_entry_is_a_number_of_sixteen_bits_with_a_sign(index: int, fits: bool) -> None:
    entity = Entity(())
    if fits:
        assert entity.with_record(BODY, 2, index).pack() == struct.pack("<BBBhBB", 1, 2, 4, index, 0, 0xFF)
    else:
        with pytest.raises(ExportError, match=f"entry {index}: the file reaches 32767"):
            entity.with_record(BODY, 2, index)


@pytest.mark.parametrize(("op", "wide", "most"), [(BODY, False, 255), (ANIMATION, False, 255), (BODY, True, 255), (ANIMATION, True, 65535)])
def test_only_animations_of_the_second_game_have_roles_of_sixteen_bits(op: int, wide: bool, most: int) -> None:
    entity = Entity((), wide=wide)
    assert Entity.parse(entity.with_record(op, most, 1).pack(), wide).records[0].role == most
    with pytest.raises(ExportError, match=f"role {most + 1}: the file has room for {most}"):
        entity.with_record(op, most + 1, 1)


@pytest.mark.parametrize("strike", ["left step", "hit, strength 1"])
def test_a_record_has_room_for_252_bytes_of_actions(strike: str) -> None:
    """Their number takes one, and each of 124 steps and one more two, or a hit three."""
    actions = [action for name in [strike, *["left step"] * 124] if (action := action_of(name, 3, False))]
    assert len(Entity(()).with_record(ANIMATION, 0, 1).with_actions(1, actions).pack()) == 5 + 1 + 2 * len(actions) + ("hit" in strike) + 1
    with pytest.raises(ExportError, match=f"the actions take {253 + ('hit' in strike)} bytes, a record has room for 252"):
        Entity(()).with_record(ANIMATION, 0, 1).with_actions(1, [*actions, actions[-1]])


def test_a_whole_new_entity_and_its_body(source: Path) -> None:
    wide = source.name == "RESS.HQR"
    before = streams(source)
    number = edit.add(str(source), edit.wear(0, 12), like=0)
    after = streams(source)
    assert number == len(before) and after[:-1] == before
    same = [record for record in records(before[0], wide) if record[:2] != (1, 0)]
    assert [record for record in records(after[-1], wide) if record[:2] != (1, 0)] == same
    assert next(record for record in records(after[-1], wide) if record[:2] == (1, 0))[2] == 12
    empty = edit.add(str(source), edit.wear(0, 5), edit.use(0, 9))
    assert records(streams(source)[empty], wide) == [(1, 0, 5, b"\0"), (3, 0, 9, b"\0")]


def test_a_loose_table_of_entities(tmp_path: Path) -> None:
    """Without an archive around it."""
    path = tmp_path / "entities.obl"
    path.write_bytes(chain2.entity_table([chain2.entity([(0, 7)], [(1, 2)])]))
    edit.change(str(path), 0, edit.wear(0, 12))
    assert path.read_bytes() == chain2.entity_table([chain2.entity([(0, 12)], [(1, 2)])])


def test_an_event_on_another_keyframe(source: Path) -> None:
    wide = source.name == "RESS.HQR"
    entity = characters.of_file(str(source)).entity(0)
    animation = next(each for each in entity.animations if entity.actions_of(each))
    actions = entity.actions_of(animation)
    moved = [replace(actions[0], frame=actions[0].frame + 1), *actions[1:]]
    before = records(streams(source)[0], wide)
    edit.change(str(source), 0, edit.with_actions(animation, moved))
    after = records(streams(source)[0], wide)
    changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    assert changed and all(one[:3] == other[:3] and one[2] == animation for one, other in changed)
    assert sum(a != b for a, b in zip(changed[0][0][3], changed[0][1][3], strict=True)) == 1


def test_what_the_file_cannot_hold_is_refused_and_nothing_is_written(source: Path) -> None:
    before = source.read_bytes()
    limit = 0xFFFF if source.name == "RESS.HQR" else 0xFF
    for steps, problem in (
        ((edit.use(limit + 1, 0),), f"role {limit + 1}: the file has room for {limit}"),
        ((edit.use(1, 40000),), "entry 40000: the file reaches 32767"),
        ((edit.use(200, 1), edit.stop_using(201)), "no animation in the role 201"),
    ):
        with pytest.raises(ExportError, match=problem):
            edit.change(str(source), 0, *steps)
    assert source.read_bytes() == before and not source.with_name(source.name + ".bak").exists()


def test_markers_as_actions() -> None:
    for wide in (False, True):
        step = action_of("left step", 3, wide)
        assert step is not None and (step.kind, step.frame, dict(step.numbers)) == (15, 3, {})
        sound = action_of("sound 42, random frequency 7", 2, wide)
        assert sound is not None and (sound.kind, dict(sound.numbers)) == (7, {"sample": 42, "random frequency": 7})
        plain = action_of("sound 42", 2, wide)
        assert plain is not None and (plain.kind, dict(plain.numbers)) == (6, {"sample": 42})
        assert action_of("somebody's note", 0, wide) is None
    assert action_of("left jump", 1, False) is None and action_of("left jump", 1, True) is not None


def test_a_table_keeps_what_entities_share() -> None:
    layout = Hqr.empty()
    table = EntityTable(layout).with_entity(0, Entity((), wide=True)).with_entity(1, Entity((), wide=True))
    again = EntityTable.parse(table.pack())
    assert len(again) == 2 and again.with_entity(1, again.entity(1).with_record(BODY, 0, 3)).entity(0).records == ()


def test_the_roles_of_an_animation_keep_their_own_events(game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """Twinsen of the second game throws one of two balls with one animation, by its role."""
    source = Path(shutil.copyfile(game_file("lba2/RESS.HQR"), tmp_path / "RESS.HQR"))
    before = records(streams(source)[0], True)
    both = [record for record in before if record[2] == 28 and record[0] == 3 and record[3] != b"\0"]
    assert len({record[3] for record in both}) == 2
    table = characters.of_file(str(source))
    actions = table.entity(0).actions_of(28)
    shared, single = (
        next(action for action in actions if sum(packed(action) in record[3] for record in both) == count) for count in (2, 1)
    )
    for moved, count in ((shared, 2), (single, 1)):
        changed = [replace(action, frame=action.frame + 1) if action == moved else action for action in actions]
        after = Entity.parse(table.entity(0).with_actions(28, changed).pack(), wide=True)
        differing = [(one, other) for one, other in zip(before, records(after.pack(), True), strict=True) if one != other]
        assert len(differing) == count
        for one, other in differing:
            assert [b - a for a, b in zip(one[3], other[3], strict=True) if a != b] == [1]
    without = table.entity(0).with_actions(28, [action for action in actions if action != single])
    left = [record[3] for record in records(without.pack(), True) if record[2] == 28 and record[3] != b"\0"]
    assert sorted(map(len, left)) == sorted(len(record[3]) - len(packed(single)) * (packed(single) in record[3]) for record in both)


def packed(action: Action) -> bytes:
    """Its bytes, without the count."""
    return bytes_of([action], True, ANIMATION)[1:]
