"""The numbers of attacks in XML, worked out by hand: angles of 360/65535 degrees, hundredths as OniSplit rounds them, and the summary."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.oni.xml.attacks import THROW_TARGET, derived
from retro_anim.core.oni.xml.documents import TramXml
from retro_anim.core.oni.xml.floats import exact
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError

from .texts import animation, attack


def attacking(*attacks: tuple[int, int], frames: list[int], **fields: Any) -> Tram:
    """With attacks from a frame to another, and extents at frames. The ring reaches 7."""
    rows, extents = np.zeros(len(attacks), tram_layout.ATTACK), np.zeros(len(frames), tram_layout.EXTENT)
    rows["start"], rows["end"] = np.array(attacks, np.uint16).T
    extents["frame"] = np.array(frames, np.uint16).view(np.int16)
    ring = np.zeros(36, np.float32)
    ring[5] = 7
    fields = {"heights": np.zeros(9, np.float32), **fields}
    return replace(Tram.new("TRAMtest", 9, 1), attacks=rows, extents=extents, attack_ring=ring, **fields)


def spans(*lengths: float) -> np.ndarray:
    """Degrees, length, min Y, max Y; each reaches a quarter lower and higher than the one before."""
    return np.array([[90, length, 1 - 0.25 * index, 2 + 0.25 * index] for index, length in enumerate(lengths)], float)


PATH = np.array([[0.5 * frame, 0.25 * frame] for frame in range(4)], np.float32)
"""X and Z of the root on four frames."""


def test_the_summary_of_attacks() -> None:
    heights = np.array([9, 9.5, 10], np.float32)
    result = derived(attacking((1, 3), frames=[1, 2, 3], heights=heights), spans(5, 6.5, 6), PATH)
    assert (result.reach, result.min_y, result.max_y) == (7, 0.5, 2.5)
    first, largest = result.first_extent.tolist(), result.max_extent.tolist()
    assert first[:3] == (1, 0, 0) and largest[:3] == (2, 0, 1)
    quarter = pytest.approx(np.pi / 2, rel=1e-6)
    assert (*first[3:],) == (0.5, -0.25, 9.5, 5, 1, 2, quarter)
    assert (*largest[3:],) == (1, -0.5, 10, 6.5, 0.75, 2.25, quarter)


def test_the_farthest_extent_is_measured_from_where_the_character_began() -> None:
    """The way forward counts: 5 at 0.25 m is less than 4.9 at 0.5; behind the last frame of the path there is none."""
    assert int(derived(attacking((1, 2), frames=[1, 2]), spans(5, 4.9), PATH).max_extent["frame"]) == 2
    assert int(derived(attacking((3, 4), frames=[3, 4]), spans(5, 5.7), PATH).max_extent["frame"]) == 3
    assert int(derived(attacking((3, 4), frames=[3, 4]), spans(5, 5.8), PATH).max_extent["frame"]) == 4


def test_where_the_motion_is_over_the_root_is_not_known() -> None:
    """At the last frame of path and heights it is, one frame later it is 0."""
    heights = np.array([9, 9, 9, 8], np.float32)
    known, unknown = (derived(attacking((frame, frame), frames=[frame], heights=heights), spans(5), PATH).max_extent for frame in (3, 4))
    assert [float(known[name]) for name in ("x", "z", "height")] == [1.5, -0.75, 8]
    assert [float(unknown[name]) for name in ("x", "z", "height")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("attacks", "frame", "expected"),
    [
        ([(1, 2), (3, 5)], 3, (1, 0)),
        ([(1, 2), (3, 5)], 5, (1, 2)),
        ([(1, 2), (3, 5)], 2, (0, 1)),
        ([(1, 4), (3, 5)], 4, (0, 3)),
        ([(1, 2), (3, 5)], 6, (0, 0)),
        ([(1, 400)], 301, (0, 300 - 256)),
        ([(0, 0)] * 257 + [(6, 7)], 7, (257 - 256, 1)),
    ],
)
def test_an_extent_names_the_first_attack_that_goes_on_then(attacks: list[tuple[int, int]], frame: int, expected: tuple[int, int]) -> None:
    """And how many frames it has gone on; both in a byte. The first extent of all has zeros there."""
    point = derived(attacking(*attacks, frames=[0, frame]), spans(1, 9), PATH)
    assert (int(point.max_extent["attack"]), int(point.max_extent["frame_offset"])) == expected
    assert (int(point.first_extent["attack"]), int(point.first_extent["frame_offset"])) == (0, 0)


def test_the_lowest_and_the_highest_of_the_summary_have_two_decimals() -> None:
    rows = np.array([[0, 5, 1.2345, 6.7891], [0, 9, 1.2345, 6.7891]])
    result = derived(attacking((1, 2), frames=[1, 2]), rows, PATH)
    assert [np.float32(result.first_extent[name]) for name in ("min_y", "max_y")] == [np.float32(1.23), np.float32(6.7891)]
    assert [np.float32(result.max_extent[name]) for name in ("min_y", "max_y")] == [np.float32(1.2345), np.float32(6.79)]


def test_who_is_thrown_keeps_the_farthest_extent_and_what_has_none_keeps_all() -> None:
    thrown = derived(attacking((1, 2), frames=[1, 2], flags=THROW_TARGET), spans(5, 9), PATH)
    assert (int(thrown.first_extent["frame"]), int(thrown.max_extent["frame"])) == (1, 0xFFFF)
    plain = attacking((1, 2), frames=[])
    assert derived(plain, spans(), PATH) is plain


def test_an_attack_may_go_on_beyond_what_a_frame_of_16_bits_counts() -> None:
    """Frames are signed in the extents, and begin again behind 65535."""
    extent = ("0", "1", "1", "1")
    read = TramXml.parse(
        animation(attacks="<Attacks>" + attack(40000, 40001, [extent] * 2) + attack(65535, 65535, [extent] * 2) + "</Attacks>")
    )
    assert read.tram.extents is not None
    assert read.tram.extents["frame"].tolist() == [40000 - 65536, 40001 - 65536, -1, 0]


@pytest.mark.parametrize(("degrees", "steps"), [("0", 0), ("10", 1820), ("350", 63715), ("360", 65535), ("-0.1", None), ("360.1", None)])
def test_an_angle_of_an_extent_is_within_a_whole_rotation(degrees: str, steps: int | None) -> None:
    data = animation(attacks=f"<Attacks>{attack(0, 0, [(degrees, '1', '1', '1')])}</Attacks>")
    if steps is None:
        with pytest.raises(FormatError, match=f"<Angle>: {degrees} is not between 0 and 360"):
            TramXml.parse(data)
    else:
        read = TramXml.parse(data).tram.extents
        assert read is not None and read["angle"].tolist() == [steps]


def _texts(document: Tram, tag: str) -> list[str]:
    with log.collect():
        data = TramXml.new(document).data.decode("utf-8-sig")
    return re.findall(f"<{tag}>(.*?)</{tag}>", data[data.index("<Extents>") : data.index("</Attacks>")])


def test_an_extent_that_the_summary_does_not_have_is_written_as_it_is_stored() -> None:
    """1820 steps are 9.997711 degrees, 63715 are 350.0023, and 1234 hundredths 12.34."""
    document = attacking((1, 2), frames=[1, 2])
    assert document.extents is not None
    document.extents["angle"], document.extents["length"], document.extents["min_y"] = [1820, 63715], [1234, 5], [-7, 0]
    assert _texts(document, "Angle") == ["9.997711", "350.0023"]
    assert (_texts(document, "Length"), _texts(document, "MinY")) == (["12.34", "0.05"], ["-0.07", "0"])


def test_what_the_summary_says_of_an_extent_is_written_where_it_is_stored_as_the_same() -> None:
    """Of the first frame angle and length are: 0.174533 radians are 10 degrees, 1820 steps; of the second the lowest point alone."""
    document = attacking((1, 2), frames=[1, 2])
    assert document.extents is not None
    document.extents["angle"], document.extents["length"], document.extents["min_y"] = 1820, 1234, 150
    first, largest = document.first_extent.copy(), document.max_extent.copy()
    for point, values in ((first, (1, np.radians(10), 12.341, 1.7)), (largest, (2, 0.5, 12.4, 1.501))):
        point["frame"], point["angle"], point["length"], point["min_y"] = values
    document = replace(document, first_extent=first, max_extent=largest)
    assert [float(text) for text in _texts(document, "Angle")] == pytest.approx([10, 9.997711], abs=2e-6)
    assert (_texts(document, "Length"), _texts(document, "MinY")) == (["12.341", "12.34"], ["1.5", "1.501"])


@pytest.mark.parametrize("number", ["0.295", "0.575", "1.055", "1.275"])
def test_a_number_between_hundredths_comes_back(number: str) -> None:
    """Those are rounded in single precision, by which 0.295 is 29 hundredths and 0.575 is 58, other than in double precision."""
    data = animation(attacks=f"<Attacks>{attack(0, 0, [('10', number, number, number)])}</Attacks>")
    read = TramXml.parse(data).tram
    hundredths = {"0.295": 29, "0.575": 58, "1.055": 105, "1.275": 128}[number]
    assert read.extents is not None and read.extents[["length", "min_y", "max_y"]].tolist() == [(hundredths,) * 3]
    assert (_texts(read, "Angle"), _texts(read, "Length"), _texts(read, "MinY")) == (["10"], [number], [number])


def test_a_lowest_point_without_end_is_not_taken_for_that_of_an_extent() -> None:
    document = attacking((1, 1), frames=[1], min_y=np.float32(np.inf), max_y=np.float32(-np.inf))
    assert document.extents is not None
    document.extents["min_y"] = document.extents["max_y"] = -1
    assert (_texts(document, "MinY"), _texts(document, "MaxY")) == (["-0.01"], ["-0.01"])


def test_extents_that_are_not_one_a_frame_go_to_the_attack_of_their_frame() -> None:
    """The first one of each frame; those of other frames go nowhere."""
    document = attacking((1, 2), (4, 4), frames=[9, 4, 2, 2])
    assert document.extents is not None
    document.extents["length"] = [900, 400, 200, 250]
    assert _texts(document, "Length") == ["2", "4"]


@pytest.mark.parametrize("steps", [-3, -1, 0, 2, 3])
def test_a_number_is_written_that_is_read_as_the_same(steps: int) -> None:
    """The guess, or one of three numbers on either side of it."""
    value = guess = np.float32(0.1)
    for _ in range(abs(steps)):
        value = np.nextafter(value, np.float32(np.sign(steps) * np.inf))
    assert np.float32(float(exact(value, guess, np.float32, 7.5))) == value


def test_a_number_that_no_near_one_is_read_as_is_written_in_full() -> None:
    value = np.float32(0.1)
    for _ in range(4):
        value = np.nextafter(value, np.float32(1))
    assert exact(value, np.float32(0.1), np.float32, 0.12345678901) == "0.12345678901"
    assert exact(np.float32(np.nan), np.float32(np.nan), np.float32, float("nan")) == "NaN"
    assert exact(np.float32(-np.inf), np.float32(-np.inf), np.float32, 1.0) == "-INF"


def test_of_numbers_that_are_read_as_the_same_the_shortest_is_written() -> None:
    """Where whole numbers are meant, 0.99999994 would do as well as 1."""
    below = np.nextafter(np.float32(1), np.float32(0))
    assert exact(np.float32(1), below, lambda number: np.float32(round(number)), 1.0) == "1"


@pytest.mark.parametrize("count", [35, 37])
def test_a_ring_has_36_lengths(count: int) -> None:
    attacks = f"<Attacks>{attack(0, 0, [])}</Attacks><AttackRing>{'<Length>1</Length>' * count}</AttackRing>"
    with pytest.raises(FormatError, match=f"<AttackRing>: {count} lengths instead of 36"):
        TramXml.parse(animation(attacks=attacks))


@pytest.mark.parametrize(("points", "allowed"), [("-32768", True), ("32767", True), ("-32769", False), ("32768", False)])
def test_hit_points_are_a_signed_number_of_16_bits(points: str, allowed: bool) -> None:
    data = animation(attacks=f"<Attacks>{attack(0, 0, [])}</Attacks>").replace(b"<HitPoints>0", f"<HitPoints>{points}".encode())
    if allowed:
        read = TramXml.parse(data).tram.attacks
        assert read is not None and read["hit_points"].tolist() == [int(points)]
    else:
        with pytest.raises(FormatError, match=f"<HitPoints>: {points} is not between -32768 and 32767"):
            TramXml.parse(data)


def test_an_extent_in_the_record() -> None:
    """Frame, steps of the angle, then hundredths, a zero between: the length is from 0 to 655.35, the others have signs."""
    data = animation(attacks=f"<Attacks>{attack(3, 4, [('10', '0', '-327.68', '327.67'), ('0', '655.35', '0', '0')])}</Attacks>")
    read = TramXml.parse(data).tram.extents
    assert read is not None and read.tolist() == [(3, 1820, 0, 0, -32768, 32767), (4, 0, 65535, 0, 0, 0)]
    for values in (("-0.01", "0", "0"), ("655.36", "0", "0"), ("0", "-327.69", "0"), ("0", "327.68", "0"), ("0", "0", "-327.69"),
                   ("0", "0", "327.68")):  # fmt: skip
        with pytest.raises(FormatError, match="is not between"):
            TramXml.parse(animation(attacks=f"<Attacks>{attack(3, 3, [('10', *values)])}</Attacks>"))
