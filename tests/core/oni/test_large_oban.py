"""An OBAN of very many keys: what is wrong is named wherever it stands, and its document is a view on bytes that nobody can change."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import numpy as np
import pytest
from retro_anim.core.oni.files.documents import ObanFile
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records.oban import KEY, Array, Oban, problem_of
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError

MOST_KEYS = 0xFFFF
"""What two bytes count."""

FIRST_KEY = 0x8 + 0x78
"""Of a record: behind its prefix and its head."""


def turning(count: int) -> Array:
    """Keys at every second frame, with unit quaternions of all directions."""
    random = np.random.default_rng(5)
    keys, numbers = np.zeros(count, KEY), random.normal(size=(count, 4))
    keys["rotation"] = numbers / np.linalg.norm(numbers, axis=1)[:, None]
    keys["translation"] = random.normal(size=(count, 3))
    keys["frame"] = 2 * np.arange(count)
    return keys


def packed(keys: Array) -> bytes:
    return ObanFile.new(replace(Oban.new("OBANlong"), keys=keys)).pack()


WARNED = "rotations whose length is not 1; normalised"

AT = [1, 8191, 8192, 16383, 16384, 32767, 32768, MOST_KEYS - 1]


@pytest.mark.parametrize("at", AT)
def test_a_wrong_key_is_named_with_its_offset(at: int) -> None:
    start = OniFile.parse(packed(turning(1))).tables.span(0)[0] + FIRST_KEY
    changes: dict[str, tuple[object, str]] = {
        "frame": (2 * at - 2, f"key {at} at frame {2 * at - 2}, not after frame {2 * at - 2}"),
        "rotation": (0, f"key {at}: its rotation is none"),
    }
    for field, (value, problem) in changes.items():
        keys = turning(MOST_KEYS)
        keys[field][at] = value
        with pytest.raises(FormatError, match=problem) as raised:
            ObanFile.parse(packed(keys))
        assert raised.value.offset == start + 32 * at, field


@pytest.mark.parametrize("component", range(4))
def test_a_length_is_of_all_four_numbers(component: int) -> None:
    for value, problem in ((nan, "its rotation is none"), (1e30, ""), (1.002, ""), (1.0, None)):
        keys = turning(20000)
        keys["rotation"][17000] = 0
        keys["rotation"][17000, component] = value
        assert shown(keys) == ("" if problem is None else f"key 17000: {problem}" if problem else WARNED), value


@pytest.mark.parametrize("component", range(4))
def test_every_number_counts_beside_another(component: int) -> None:
    for other in {0, 1, 2, 3} - {component}:
        keys = turning(20000)
        keys["rotation"] = 0
        keys["rotation"][:, component] = 1
        assert not shown(keys)
        keys["rotation"][17000, other] = 0.1
        assert shown(keys) == WARNED, other


def shown(keys: Array) -> str:
    with log.collect() as said:
        problem = problem_of(keys)
    return problem[1] if problem else "\n".join(said.digest("WARNING"))


def test_a_document_does_not_change_with_the_buffer_that_it_came_from() -> None:
    data = packed(turning(100))
    buffer = bytearray(data)
    document = ObanFile.parse(buffer)
    buffer[:] = bytes(len(buffer))
    assert document.pack() == data
    assert not document.oban.keys.flags.writeable


@pytest.mark.parametrize("level_id", [0, 7])
def test_what_was_edited_is_packed_as_a_new_file_is(level_id: int) -> None:
    data = bytearray(packed(turning(100)))
    span = OniFile.parse(bytes(data)).tables.span(0)
    data[span[0] + 4 : span[0] + 8] = level_id.to_bytes(4, "little")
    document = ObanFile.parse(bytes(data))
    assert document.pack() == data
    other = document.oban.keys.copy()
    assert replace(document, oban=replace(document.oban, keys=other)).pack() == data
    other["translation"][60] = 1, 2, 3
    changed = replace(document, oban=replace(document.oban, keys=other)).pack()
    start = span[0] + FIRST_KEY + 32 * 60 + 16
    expected = data[:start] + np.array([1, 2, 3], "<f4").tobytes() + data[start + 12 :]
    assert changed == expected
    longer = replace(document, oban=replace(document.oban, keys=turning(101))).pack()
    assert ObanFile.parse(longer).oban.keys.tobytes() == turning(101).tobytes()
    named = replace(document, oban=replace(document.oban, name="OBANother")).pack()
    assert ObanFile.parse(named).oban.name == "OBANother"


def test_another_body_is_what_another_record_is() -> None:
    record = replace(Oban.new("OBANone"), keys=turning(40)).record()
    file = OniFile.of(record)
    changed = replace(Oban.of(record), flags=5, level_id=9)
    written = file.packed_with(changed.level_id, changed.parts())
    assert written == file.with_record(0, changed.record()).pack() != file.pack()
    assert file.packed_with(0, Oban.of(record).parts()) == file.pack()
    assert file.packed_with(0, replace(changed, keys=turning(41)).parts()) is None
    assert file.with_record(0, record) is file


@pytest.mark.parametrize("count", [40, 41])
def test_an_instance_that_lies_on_the_same_bytes_stays_as_it_is(count: int) -> None:
    records = [replace(Oban.new(name), keys=turning(40)).record() for name in ("OBANone", "OBANother")]
    file = OniFile.build([Part(each.tag, each.name, body=each.body) for each in records])
    descriptors = file.tables.descriptors.copy()
    descriptors["data"][1] = descriptors["data"][0]
    document = ObanFile.parse(replace(file, tables=replace(file.tables, descriptors=descriptors)).pack())
    edited = OniFile.parse(replace(document, oban=replace(document.oban, flags=5, keys=turning(count))).pack())
    assert Oban.of(edited.record(0)).flags == 5
    assert vars(edited.record(1)) == vars(document.file.record(1))


@pytest.mark.parametrize("length", [0.9992, 1.0008])
def test_of_a_key_that_needs_a_closer_look_the_others_are_not_warned_of(length: float) -> None:
    """The square of the length is more than 0.001 off 1, the length itself is not."""
    keys = turning(3)
    keys["rotation"] *= length
    assert shown(keys) == ""
    keys["frame"] = [0, 2, 2]
    assert shown(keys) == "key 2 at frame 2, not after frame 2"
