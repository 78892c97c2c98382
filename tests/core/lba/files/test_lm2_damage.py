"""Bodies of LBA2 that are broken, or odd as some of the game's own are: what is refused, kept and left still."""

from __future__ import annotations

import dataclasses
import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.body.visible_faces import shown_faces
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.palette import Palette
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from retro_anim.core.surface.holdable import holdable
from support.lba import lba2_chain as chain2

GROUPS, _, NORMALS, _, POLYGONS, LINES, SPHERES, _, END = chain2.starts()
RUN_STARTS = chain2.run_starts()


def test_bytes_after_the_end_are_kept_with_a_warning() -> None:
    with log.collect() as said:
        body = Lm2.parse(chain2.LM2 + b"rest")
    assert [(message.level, "4 bytes" in message.text) for message in said.messages] == [("WARNING", True)]
    assert body.pack() == chain2.LM2 + b"rest"


def test_a_static_body_has_no_groups() -> None:
    body = dataclasses.replace(Lm2.parse(chain2.LM2), groups=Lm2.parse(chain2.LM2).groups[:0], info=16)
    read = Lm2.parse(body.pack())
    assert same(read, body)
    assert Body.of(read).group_count == 1
    assert Body.of(Lm2.parse(dataclasses.replace(body, info=0x110).pack())).group_count == 1


def test_groups_of_a_body_that_is_not_animated_are_kept_and_mean_nothing() -> None:
    """The engine turns all points of such a body with one matrix (BodyDisplay)."""
    body = dataclasses.replace(Lm2.parse(chain2.LM2), info=0x410)
    strange = body.groups.copy()
    strange["parent"], strange["point_count"] = 900, 7
    read = Lm2.parse(dataclasses.replace(body, groups=strange).pack())
    assert read.groups["parent"].tolist() == [900] * 5
    shown = Body.of(read)
    assert (shown.group_count, shown.rest_points.tolist()) == (1, body.points["position"].tolist())


@pytest.mark.parametrize(("groups", "warned"), [(1, False), (2, True)])
def test_a_header_of_zeros_claims_groups_where_there_are_several(groups: int, warned: bool) -> None:
    """Which are broken: they have more points than there are."""
    body = Lm2.parse(chain2.LM2)
    strange = body.groups[:groups].copy()
    strange["point_count"] = 900
    with log.collect() as said:
        Lm2.parse(dataclasses.replace(body, info=0, groups=strange).pack())
    assert any("its groups do not move" in message.text for message in said.messages) is warned


def test_cut_off_anywhere() -> None:
    for size in range(len(chain2.LM2)):
        with pytest.raises(FormatError):
            Lm2.parse(chain2.LM2[:size])


@given(data=st.data())
def test_spoiled_bytes_are_refused_or_kept(data: st.DataObject) -> None:
    spoiled = bytearray(chain2.LM2)
    for _ in range(data.draw(st.integers(1, 4))):
        spoiled[data.draw(st.integers(0, len(spoiled) - 1))] = data.draw(st.integers(0, 255))
    try:
        body = Lm2.parse(spoiled)
    except FormatError:
        return
    assert body.pack() == spoiled
    Body.of(body).mesh(Palette.plain())


@given(data=st.binary(max_size=200))
def test_random_bytes_are_refused_or_kept(data: bytes) -> None:
    for head in (b"", chain2.LM2[:96]):
        try:
            body = Lm2.parse(head + data)
        except FormatError:
            continue
        assert body.pack() == head + data


def patched(at: int, value: int) -> bytes:
    return chain2.LM2[:at] + value.to_bytes(2, "little") + chain2.LM2[at + 2 :]


@pytest.mark.parametrize(
    ("at", "value", "problem", "offset"),
    [
        (0x34, NORMALS - 8, f"the normals are at {NORMALS - 8} instead of {NORMALS}", 0x34),
        (0x44, 96, f"the polygons are at 96 instead of {POLYGONS}", 0x44),
        (0x54, SPHERES - 4, f"the spheres are at {SPHERES - 4} instead of {SPHERES}", 0x54),
        (0x5C, 0, "the textures are at 0", 0x5C),
        (0x4C, POLYGONS - 4, "the lines are at", 0x4C),
        (0x4C, END + 4, "the lines are at", 0x4C),
        (0x4C, LINES - 2, "polygons of type 10 take 24 bytes, 22 are left", RUN_STARTS[8]),
        (RUN_STARTS[0], 24, "unknown polygon type 24", RUN_STARTS[0]),
        (RUN_STARTS[0], 0x80FF, "unknown polygon type 255", RUN_STARTS[0]),
        (RUN_STARTS[8] + 2, 2, "2 polygons of type 10 take 40 bytes, 24 are left", RUN_STARTS[8]),
    ],
)
def test_a_broken_rule(at: int, value: int, problem: str, offset: int | None) -> None:
    with pytest.raises(FormatError, match=re.escape(problem)) as caught:
        Lm2.parse(patched(at, value))
    assert caught.value.offset == (at if offset is None else offset)


@pytest.mark.parametrize(
    ("at", "value", "missing", "others"),
    [
        (RUN_STARTS[0] + 8, 11, {0}, (1, 2)),
        (RUN_STARTS[1] + 8 + 12 + 4, 11, {2}, (1, 2)),
        (RUN_STARTS[3] + 8 + 6, 0xFFFF, {4}, (1, 2)),
        (RUN_STARTS[4] + 8 + 6, 3, set[int](), (1, 2)),  # a texture: it is shown in its colour
        (RUN_STARTS[7] + 8 + 6, 9, set[int](), (1, 2)),
        (LINES + 6, 11, set[int](), (0, 2)),
        (SPHERES + 8 + 4, 11, set[int](), (1, 1)),
    ],
)
def test_a_reference_to_nothing(at: int, value: int, missing: set[int], others: tuple[int, int]) -> None:
    body = Lm2.parse(patched(at, value))
    assert body.pack() == patched(at, value)
    assert set(shown_faces(Lm2.parse(chain2.LM2)).tolist()) - set(shown_faces(body).tolist()) == missing
    mesh = Body.of(body).mesh(Palette.plain())
    assert mesh is not None
    held = holdable(mesh)
    assert (len(held.lines), len(held.spheres)) == others


@pytest.mark.parametrize(
    ("at", "value", "problem"),
    [
        (GROUPS + 24, 3, "group 3: its parent does not come before it (3)"),
        (GROUPS + 24, 4, "group 3: its parent does not come before it (4)"),
        (GROUPS + 24, 900, "group 3: its parent does not come before it (900)"),
        (GROUPS + 26, 7, "group 3: its pivot is no point of the groups before it (7)"),
        (GROUPS + 26, 5000, "group 3: its pivot is no point of the groups before it (5000)"),
        (GROUPS + 28, 3, "the groups have 12 points, the body 11"),
        (GROUPS + 28, 1, "the groups have 10 points, the body 11"),
    ],
)
def test_groups_that_cannot_be_posed_stay_still(at: int, value: int, problem: str) -> None:
    with log.collect() as said:
        body = Lm2.parse(patched(at, value))
    assert any(problem in line and "do not move" in line for line in said.digest("WARNING"))
    assert (body.animated, Body.of(body).group_count, body.pack()) == (False, 1, patched(at, value))


def said_of_groups(info: int, at: int, value: int) -> list[str]:
    data = bytearray(patched(at, value))
    data[:4] = info.to_bytes(4, "little")
    with log.collect() as said:
        body = Lm2.parse(bytes(data))
    assert body.pack() == bytes(data)
    return [line for line in said.digest("WARNING") if "do not move" in line]


@pytest.mark.parametrize(("info", "reported"), [(0x110, True), (0x510, True), (0x10, False), (0x410, False), (0, True)])
def test_groups_that_are_said_to_stand_still_need_no_sense(info: int, reported: bool) -> None:
    """Bit 8 of the first word says that a body is animated; 0 in what people made, where all with several groups are."""
    assert bool(said_of_groups(info, GROUPS + 24, 4)) is reported


@pytest.mark.parametrize("section", [1, 2, 3, 4, 6, 7])
@pytest.mark.parametrize("size", [1, 4, 1000])
def test_bytes_between_sections_are_kept(section: int, size: int) -> None:
    """The engine finds each section by its offset; polygons end where the lines begin."""
    offsets = [int.from_bytes(chain2.LM2[at : at + 4], "little") for at in range(0x24, 0x60, 8)]
    moved = [offset + size * (index >= section) for index, offset in enumerate(offsets)]
    data = bytearray(chain2.LM2[: offsets[section]] + b"\x5a" * size + chain2.LM2[offsets[section] :])
    for index, offset in enumerate(moved):
        data[0x24 + 8 * index : 0x28 + 8 * index] = offset.to_bytes(4, "little")
    with log.collect() as said:
        body, plain = Lm2.parse(bytes(data)), Lm2.parse(chain2.LM2)
    bytes_between = "1 byte" if size == 1 else f"{size} bytes"
    assert said.digest("WARNING") == [f"{bytes_between} between the sections; kept"]
    assert body.pack() == bytes(data)
    unsaid = bytes(32) + bytes(data[32:])
    assert Lm2.parse(unsaid).pack() == unsaid, "of a header that says nothing"
    for name in ("points", "normals", "face_normals", "stream", "lines", "spheres", "textures"):
        np.testing.assert_array_equal(getattr(body, name), getattr(plain, name))


@pytest.mark.parametrize("section", range(8))
def test_huge_counts_cost_nothing(section: int) -> None:
    at = 0x20 + 8 * section
    data = chain2.LM2[:at] + b"\xff\xff\xff\xff" + chain2.LM2[at + 4 :]
    tracemalloc.start()
    try:
        if section == 4:  # the engine does not read this one
            assert Lm2.parse(data).pack() == data
        else:
            with pytest.raises(FormatError):
                Lm2.parse(data)
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()


def test_runs_without_end_cost_little() -> None:
    """Empty runs, a million of them."""
    data = chain2.LM2[:POLYGONS] + bytes(8 << 20)
    lines = POLYGONS + (8 << 20)
    data = data[:0x4C] + lines.to_bytes(4, "little") + data[0x50:]
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="more than 65535 runs"):
            Lm2.parse(data)
        assert tracemalloc.get_traced_memory()[1] < 2 * len(data)
    finally:
        tracemalloc.stop()


def test_what_some_of_the_games_files_do_is_accepted() -> None:
    """A normal beyond the list; a run of another size than it says; a pivot on an earlier group than the parent."""
    for at, value in ((RUN_STARTS[1] + 8 + 10, 999), (RUN_STARTS[2] + 4, 7), (GROUPS + 4 * 8 + 2, 4)):
        assert Lm2.parse(patched(at, value)).pack() == patched(at, value)


def test_a_pivot_on_another_group_than_the_parent() -> None:
    with log.collect() as said:
        body = Body.of(Lm2.parse(patched(GROUPS + 4 * 8 + 2, 4)))
    assert "group 4 hangs on point 4" in said.messages[0].text
    assert body.pivot_positions[4].tolist() == [-50, 300, 0]
