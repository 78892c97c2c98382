"""What an animation says besides its motion: the same to the bit while nobody touches it, and only what was edited changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.oni import enums
from retro_anim.core.oni.field_values import Details, details_of, edited_by_hand, with_details
from retro_anim.core.oni.fields import OBAN_FIELDS, TRAM_FIELDS, TRAM_LISTS
from retro_anim.core.oni.files.documents import ObanFile, TramFile
from retro_anim.core.oni.records import oban, tram_layout
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting.errors import ExportError
from support.oni.oni_trams import random_tram


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_untouched_details_keep_every_bit(seed: int) -> None:
    document = random_tram(seed, 3)
    assert same(with_details(document, details_of(document)), document)
    assert same(with_details(document, Details({}, {})), document)


def test_the_given_file(game_file: Callable[[str], Path]) -> None:
    document = TramFile.parse(game_file("oni/instances/TRAMTESTrandom.oni").read_bytes()).tram
    result = details_of(document)
    assert enums.ANIMATION_TYPE.name_of(result.values["type"]) == "Walk"
    assert result.values["direct_1"] == "TRAMSHINZOMidle1_wiki"
    assert {name: len(rows) for name, rows in result.lists.items()} == {
        "attacks": 1, "self_damage": 1, "particles": 1, "footsteps": 2, "sounds": 1, "motion_blur": 1, "shortcuts": 1, "throw": 1,
        "extents": 3,
    }  # fmt: skip
    assert same(with_details(document, result), document)


def test_edits_change_what_they_say(game_file: Callable[[str], Path]) -> None:
    document = TramFile.parse(game_file("oni/instances/TRAMTESTrandom.oni").read_bytes()).tram
    result = details_of(document)
    result.values["type"] = enums.ANIMATION_TYPE.value("PunchHeavy")
    result.values["direct_2"] = "other"
    result.values["impact"] = "Heavy"
    result.lists["attacks"][0]["hit_points"] = -7
    result.lists["footsteps"].append({"frame": 20, "type": 2})
    result.lists["sounds"] = []
    built = with_details(document, result)
    assert isinstance(built, Tram)
    assert (built.type, built.direct, built.impact) == (52, ("TRAMSHINZOMidle1_wiki", "TRAMother"), b"Heavy")
    assert built.attacks is not None and document.attacks is not None
    assert built.attacks["hit_points"].tolist() == [-7]
    assert built.attacks["knockback"].tobytes() == document.attacks["knockback"].tobytes()
    assert built.footsteps is not None
    assert built.footsteps.tolist()[2:] == [(20, 2)]
    assert built.sounds is None
    changed = [item for item in Tram.__dataclass_fields__ if not same(getattr(built, item), getattr(document, item))]
    assert sorted(changed) == ["attacks", "direct", "footsteps", "impact", "sounds", "type"]


def test_the_flag_of_a_shortcut_is_one_byte(game_file: Callable[[str], Path]) -> None:
    document = TramFile.parse(game_file("oni/instances/TRAMTESTrandom.oni").read_bytes()).tram
    assert isinstance(document, Tram) and document.shortcuts is not None
    result = details_of(document)
    ((before,), after) = document.shortcuts.tobytes()[4:5], list(result.lists["shortcuts"])
    assert (before, after[0]["flags"]) == (1, 1)
    result.lists["shortcuts"] = [after[0] | {"flags": 0}]
    built = with_details(document, result)
    assert isinstance(built, Tram) and built.shortcuts is not None
    assert built.shortcuts.tobytes() == document.shortcuts.tobytes()[:4] + bytes(4)
    assert same(replace(built, shortcuts=document.shortcuts), document)
    assert same(TramFile.parse(TramFile.new(built).pack()).tram.footsteps, built.footsteps)


def test_bits_without_a_word_and_padding_stay() -> None:
    document = replace(random_tram(1), flags=0x80000001)
    attacks = np.zeros(1, tram_layout.ATTACK)
    attacks["zero"], attacks["bones"] = b"\x01\x02", 0x80000004
    document = replace(document, attacks=attacks)
    result = details_of(document)
    result.values["flags"] = 0x10
    result.lists["attacks"][0]["bones"] = 1
    built = with_details(document, result)
    assert isinstance(built, Tram)
    assert built.flags == 0x80000010
    assert built.attacks is not None
    assert (int(built.attacks["bones"][0]), bytes(built.attacks["zero"][0])) == (0x80000001, b"\x01\x02")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"values": {"impact": "a name that is too long"}}, "impact.*at most 15"),
        ({"values": {"invulnerable_end": 256}}, "Invulnerable End is 256, and must be a whole number from 0 to 255"),
        ({"values": {"name": "TRAM" + "x" * 60}}, "at most 63"),
        ({"lists": {"sounds": [{"name": "x" * 32, "frame": 0}]}}, "sounds 1, name.*at most 31"),
        ({"lists": {"footsteps": [{"frame": 1, "type": 1}] * 256}}, "256 footsteps; at most 255"),
        ({"lists": {"throw": [{"type": 1}] * 2}}, "2 throw; at most 1"),
        ({"lists": {"particles": [{"name": "ö"}]}}, "characters that the game does not have"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, dict], match: str) -> None:
    with pytest.raises(ExportError, match=f"(?i){match}"):
        with_details(random_tram(1), Details(change.get("values", {}), change.get("lists", {})))


def test_reaches_by_hand(game_file: Callable[[str], Path]) -> None:
    """In game units and radians; of the ring only the sector that was edited changes its bits."""
    document = TramFile.parse(game_file("oni/instances/TRAMTESTrandom.oni").read_bytes()).tram
    result = details_of(document)
    assert document.extents is not None
    row, stored = result.lists["extents"][1], document.extents[1]
    assert row["length"] == pytest.approx(int(stored["length"]) / 100)
    assert row["angle"] == pytest.approx(np.radians(int(stored["angle"]) * 360 / 65535))
    row["length"], row["angle"], row["min_y"] = 12.34, np.pi, -0.5
    result.values["ring_right"] = (7.25, *result.values["ring_right"][1:])
    built = with_details(document, result)
    assert isinstance(built, Tram)
    assert built.extents is not None
    assert [int(built.extents[1][name]) for name in ("length", "angle", "min_y")] == [1234, 32768, -50]
    assert built.extents[[0, 2]].tobytes() == document.extents[[0, 2]].tobytes()
    changed = np.flatnonzero(built.attack_ring != document.attack_ring)
    assert changed.tolist() == [18] and built.attack_ring[18] == np.float32(7.25)
    assert edited_by_hand(result, document) == {"extents", "attack_ring"}
    assert edited_by_hand(details_of(document), document) == edited_by_hand(None, document) == frozenset()


def test_format_fields(game_file: Callable[[str], Path]) -> None:
    document = TramFile.parse(game_file("oni/instances/TRAMTESTrandom.oni").read_bytes()).tram
    result = details_of(document)
    assert (result.values["compression"], result.values["fps"], result.values["alternate_direction"]) == (6, 60, 0)
    result.values.update(compression=16, fps=30, alternate_direction=3)
    assert same(with_details(document, result), replace(document, compression=16, fps=30, alternate_direction=3))


def test_objects(game_file: Callable[[str], Path]) -> None:
    document = ObanFile.parse(game_file("oni/instances/OBANBlackvan_FB_wiki.oni").read_bytes()).oban
    result = details_of(document)
    assert same(with_details(document, result), document)
    result.values["half_stop"], result.values["flags"] = 12, 9
    built = with_details(document, result)
    assert same(built, replace(document, half_stop=12, flags=9))


def test_every_column_of_a_block_is_shown() -> None:
    """All but padding."""
    for name, columns in TRAM_LISTS.items():
        assert {item.name for item in columns} == {column for column in tram_layout.BLOCKS[name][1].names or () if column != "zero"}, name


def test_limits_are_those_of_the_file_s_types() -> None:
    """The tables are written out, since they are read before anything else is loaded: here the records' own types have their say."""
    tables = [
        (TRAM_FIELDS, tram_layout.RECORD),
        (OBAN_FIELDS, oban.HEAD),
        *((columns, tram_layout.BLOCKS[name][1]) for name, columns in TRAM_LISTS.items()),
    ]
    checked = set[str]()
    for columns, kind in tables:
        for item in columns:
            if item.kind not in ("integer", "text") or item.name not in (kind.names or ()):
                continue
            stored = kind[item.name]
            checked.add(item.name)
            if item.kind == "text":
                assert item.length == stored.itemsize - 1, item.name
            else:
                assert (item.minimum, item.maximum) == (np.iinfo(stored).min, np.iinfo(stored).max), item.name
    assert {"invulnerable_end", "hit_points", "ticks", "vocalization", "alpha", "impact", "name", "half_stop"} <= checked


def test_each_choice_has_its_number() -> None:
    for item in (*TRAM_FIELDS, *OBAN_FIELDS, *(column for columns in TRAM_LISTS.values() for column in columns)):
        if isinstance(item.codes, enums.Enumeration):
            assert [choice.id for choice in item.choices] == [*item.codes.names, "OTHER"]
        elif isinstance(item.codes, enums.Flags):
            assert [choice.id for choice in item.choices] == list(item.codes.bits)
    assert {item.name: item.none for item in TRAM_FIELDS if item.none is not None} == {
        "vocalization": tram_layout.NONE,
        "action_frame": tram_layout.NONE,
    }
