"""Bodies written from shapes: unedited the same bytes, and edited what was edited."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.body.lm1_write import lm1_of
from retro_anim.core.lba.body.lm2_write import lm2_of
from retro_anim.core.lba.body.nearest_colour import lit_as, nearest
from retro_anim.core.lba.body.shape import Shape, relit_faces
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.lm1 import Lm1, is_lm2
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.palette import Palette
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError
from support.lba import lba1_chain, lba2_chain
from support.lba.lba_shapes import shape_of

CHAIN1, CHAIN2 = Lm1.parse(lba1_chain.LM1), Lm2.parse(lba2_chain.LM2)


def written(shape: Shape, document: Any, **options: Any) -> Any:
    return lm2_of(shape, document, **options) if isinstance(document, Lm2) else lm1_of(shape, document, **options)


def given(game_file: Callable[[str], Path]) -> list[tuple[str, bytes]]:
    bodies = [(path.name, path.read_bytes()) for path in game_file("lba2").glob("*.lm2")]
    for name in ("lba1/BODY.HQR", "lba2/BODY.HQR"):
        archive = Hqr.parse(game_file(name).read_bytes())
        bodies += [(f"{name}#{index}", archive.read(index)) for index in range(len(archive)) if not archive.blank(index)]
    return bodies


def test_every_body_is_the_same_bytes(game_file: Callable[[str], Path]) -> None:
    different: list[str] = []
    with log.collect() as said:
        for name, data in given(game_file):
            document = (Lm2 if is_lm2(data[:96]) else Lm1).parse(data)
            if written(shape_of(document), document).pack() != data:
                different.append(name)
    assert different == []
    assert not [message for message in said.of("WARNING") if "look elsewhere" in message.text]


@pytest.mark.parametrize("document", [CHAIN1, CHAIN2])
def test_normals_that_are_shown_otherwise(document: Any) -> None:
    """Of faces that are lit alone, by the angle between what lights each corner and what is shown."""
    body, shape = Body.of(document), shape_of(document)
    faces, points, normals = body.lit_corners()
    given = {(face, point): normal for face, point, normal in zip(faces.tolist(), points.tolist(), normals, strict=True)}
    owners = np.repeat(shape.face_numbers, shape.counts)
    shown = np.array([given[face, point] for face, point in zip(owners.tolist(), shape.corners.tolist(), strict=True)])
    assert relit_faces(replace(shape, normals=shown), faces, points, normals).max() < 1e-6
    new = replace(shape, normals=-shown, face_numbers=np.full_like(shape.face_numbers, -1))
    assert not relit_faces(new, faces, points, normals).any(), "new faces are lit as they are shown"
    first = int(np.flatnonzero(shown.any(axis=1))[0])
    shown[first] *= -1
    apart = np.degrees(relit_faces(replace(shape, normals=shown), faces, points, normals))
    (face,) = np.flatnonzero(apart > 1).tolist()
    assert apart[face] == pytest.approx(180) and first in shape.face(face)


def test_groups_of_a_body_that_is_not_animated_stay() -> None:
    """Whatever they say, and whichever its points name."""
    groups, points = CHAIN2.groups.copy(), CHAIN2.points.copy()
    groups["parent"], groups["point_count"], points["group"] = 900, 7, 3
    document = replace(CHAIN2, info=0x410, groups=groups, points=points)
    after = written(shape_of(document), document)
    assert after.groups.tobytes() == groups.tobytes() and after.points.tobytes() == points.tobytes()


def test_normals_of_faces_are_behind_those_of_points_however_many_these_are() -> None:
    """One point more, which is not drawn: the flat face of the chain is lit by its first normal of a face."""
    shape = shape_of(CHAIN2)
    more = replace(
        shape,
        positions=np.concatenate([shape.positions, [(5, 5, 5)]]),
        group_of=np.append(shape.group_of, 0),
        numbers=np.append(shape.numbers, -1),
    )
    after = written(more, CHAIN2)
    assert len(after.points) == len(CHAIN2.points) + 1

    def own(body: Lm2) -> list[list[int]]:
        return [
            body.face_normals["direction"][light - len(body.normals)].tolist()
            for light in body.faces.normal.tolist()
            if light >= len(body.normals)
        ]

    assert own(after) == own(CHAIN2) != []


@pytest.mark.parametrize("document", [CHAIN1, CHAIN2])
def test_all_light_anew_changes_normals_alone(document: Any) -> None:
    after = written(shape_of(document), document, fresh_normals=True)
    assert (after.points == document.points).all()
    assert after.lines.tobytes() == document.lines.tobytes() and after.spheres.tobytes() == document.spheres.tobytes()
    faces = [(face.tolist()) for face in (document.polygons["colour"] if isinstance(document, Lm1) else document.faces.colour & 0xFF)]
    now = [(face.tolist()) for face in (after.polygons["colour"] if isinstance(after, Lm1) else after.faces.colour & 0xFF)]
    assert now == faces


@pytest.mark.parametrize("document", [CHAIN1, CHAIN2])
def test_nothing_adds_up_where_points_are_rounded(document: Any) -> None:
    """Each point within half a unit, whatever its pivots' pivots were rounded to."""
    shape = shape_of(document)
    moved = np.random.default_rng(1).uniform(-3, 3, shape.positions.shape)
    heads = Body.of(document).pivots
    positions = shape.positions + moved
    where = positions[heads]
    where[shape.parents < 0] = 0
    edited = replace(shape, positions=positions, heads=where)
    with log.collect():
        after = Body.of(written(edited, document))
    away = np.abs(after.rest_points[None] - positions[:, None]).max(axis=2).min(axis=1)
    assert away.max() <= 0.5
    assert np.abs(after.pivot_positions - where).max() <= 0.5


def rod(count: int) -> Lm1:
    """The chain with further groups of one point each, as many as make up `count`."""
    assert CHAIN1.groups is not None
    more = np.repeat(CHAIN1.groups[-1:], count - len(CHAIN1.groups))
    more["first_point"] = 6 * (len(CHAIN1.points) + np.arange(len(more)))
    more["point_count"], more["pivot"], more["parent"], more["normal_count"] = 1, 0, 0, 0
    points = np.concatenate([CHAIN1.points, np.full((len(more), 3), 7, "<i2")])
    return replace(CHAIN1, groups=np.concatenate([CHAIN1.groups, more]), points=points)


@pytest.mark.parametrize("document", [CHAIN1, CHAIN2])
@pytest.mark.parametrize("edit", ["weights", "parent"])
def test_a_group_hangs_on_a_point_of_its_parent(document: Any, edit: str) -> None:
    """Group 4 hung on point 6, of group 2: where that point or the group belongs to group 1 now, it hangs on a point of its own parent."""
    body, shape = Body.of(document), shape_of(document)
    if edit == "weights":
        shape.group_of[6] = 1
    else:
        shape.parents[4] = 1
    after = Body.of(type(document).parse(written(shape, document).pack()))
    assert after.group_of[after.pivots[1:]].tolist() == after.parents[1:].tolist() == shape.parents[1:].tolist()
    assert after.pivot_positions.tolist() == body.pivot_positions.tolist()
    assert {*map(tuple, body.rest_points.tolist())} == {*map(tuple, after.rest_points.tolist())}


def test_more_groups_than_the_game_has_room_for_stay_as_they_came() -> None:
    """A file that has them is written again with a warning; one more is refused."""
    many = rod(31)
    with log.collect() as said:
        assert written(shape_of(many), many).pack() == many.pack()
    assert [line for line in said.digest("WARNING") if "31 groups, the game has room for 30" in line]
    with pytest.raises(ExportError, match="32 groups, the game has room for 30: merge bones"):
        written(shape_of(rod(32)), many)


def test_a_body_from_nothing_has_what_the_engine_relies_on() -> None:
    shape = shape_of(CHAIN1)
    new = replace(
        shape,
        numbers=np.full_like(shape.numbers, -1),
        face_numbers=np.full_like(shape.face_numbers, -1),
        lines=replace(shape.lines, numbers=np.full_like(shape.lines.numbers, -1)),
        spheres=replace(shape.spheres, numbers=np.full_like(shape.spheres.numbers, -1)),
    )
    first = Lm1.parse(lm1_of(new).pack())
    assert (first.flags, first.info_size, first.tail) == (3, 10, 0)
    assert (Body.of(first).rest_points == Body.of(CHAIN1).rest_points).all()
    assert first.groups is not None and CHAIN1.groups is not None
    for name in ("first_point", "point_count", "pivot", "parent"):
        assert first.groups[name].tolist() == CHAIN1.groups[name].tolist()
    ends = np.cumsum(first.groups["normal_count"])
    assert first.groups["first_normal"].tolist() == (8 * (ends - first.groups["normal_count"])).tolist()
    assert ends[-1] == len(first.normals)
    lengths = np.linalg.norm(first.normals["direction"].astype(float), axis=1)
    assert (np.abs(lengths - 64) < 1).all()
    assert first.box.tolist() == [-150, 50, 0, 300, 0, 340], "what its points reach"
    assert first.spheres[["colour", "radius", "point"]].tolist() == [(66, 25, 60)]
    assert (first.lines["colour"].tolist(), (first.lines["points"] // 6).tolist()) == ([15], [[6, 9]])
    second = Lm2.parse(lm2_of(replace(new, types=np.where(new.types >= 9, 4, np.where(new.types >= 7, 1, 0)))).pack())
    assert (second.info, second.header_size) == (0x110, 96)
    assert (Body.of(second).rest_points == Body.of(CHAIN1).rest_points).all()
    assert second.runs["type"].tolist() == sorted(second.runs["type"].tolist(), key=lambda kind: (kind & 0xFF, kind))
    lit = np.linalg.norm(second.face_normals["direction"].astype(float), axis=1)
    assert (np.abs(lit / 1024 - np.rint(lit / 1024)) < 0.01).all(), "as long as 1024 times the range"


def test_groups_and_points_beyond_the_engine_are_refused() -> None:
    shape = shape_of(CHAIN1)
    many = replace(
        shape,
        names=tuple(f"group {index:02d}" for index in range(31)),
        parents=np.append(shape.parents, np.zeros(26, np.int64)),
        heads=np.concatenate([shape.heads, np.zeros((26, 3))]),
    )
    with pytest.raises(ExportError, match="31 groups, the game has room for 30"):
        lm1_of(many, CHAIN1)
    far = shape.positions.copy()
    far[10, 1] = 40000
    with pytest.raises(ExportError, match="a file reaches 32767"):
        lm1_of(replace(shape, positions=far), CHAIN1)


def test_the_palette_s_own_colours_are_the_nearest() -> None:
    palette = Palette.plain()
    index, away = nearest(palette, palette.colours / 255)
    assert away.max() == 0 and (palette.colours[index] == palette.colours).all()


def test_a_lit_colour_looks_as_asked_for() -> None:
    """A material shows the shade two thirds up those that the light adds."""
    for index in range(256):
        colour, reach = lit_as(index)
        assert colour // 16 == index // 16 and colour % 16 + reach <= 15
        assert colour + (reach + 1) * 2 // 3 == index


def test_a_textured_face_needs_a_region() -> None:
    shape = shape_of(CHAIN2)
    new = replace(shape, face_numbers=np.full_like(shape.face_numbers, -1), regions=np.full_like(shape.regions, -1))
    with pytest.raises(ExportError, match="does not say with which region"):
        lm2_of(new)


def test_bones_of_a_body_point_at_what_hangs_on_them() -> None:
    """The root at its only child, the next one at the middle of its two, and the last at that of its points, (0,0,0) and (0,-80,40)."""
    for document in (CHAIN1, CHAIN2):
        tips = Body.of(document).skeleton().tips
        assert tips[:2].tolist() == [[0, 100, 0], [0, 300, 0]] and tips[4].tolist() == [50, 260, 320]


def test_a_box_is_the_file_s_until_somebody_sets_another() -> None:
    box = np.array([-10, 20, -30, 40, -50, 60])
    for document in (CHAIN1, CHAIN2):
        shape = shape_of(document)
        boxes = [written(replace(shape, box=each), document).box.tolist() for each in (None, box)]
        assert boxes == [[-150, 150, 0, 400, -50, 350], box.tolist()]


def test_lines_and_spheres_on_the_first_point_stay_what_they_are() -> None:
    """Point 0, which leads somewhere as any other does: unedited they are the file's, and are there once."""
    for document in (CHAIN1, CHAIN2):
        lines, spheres = document.lines.copy(), document.spheres.copy()
        lines["points"][0, 0], spheres["point"][0] = 0, 0
        changed = replace(document, lines=lines, spheres=spheres)
        assert written(shape_of(changed), changed).pack() == changed.pack()


def test_groups_that_do_not_count_their_normals_stay_as_they_are() -> None:
    """The engine lights the normals of a group by its count; a file that says none comes back as it was all the same."""
    assert CHAIN1.groups is not None and CHAIN1.groups["normal_count"].any()
    groups = CHAIN1.groups.copy()
    groups["normal_count"] = 0
    document = replace(CHAIN1, groups=groups)
    assert written(shape_of(document), document).pack() == document.pack()


BOTH = pytest.mark.parametrize(("document", "unit"), [(CHAIN1, 6), (CHAIN2, 1)], ids=["lba1", "lba2"])
"""With what the file multiplies references to points by. There are 11 points."""


def leading(document: Any, unit: int, line: tuple[int, int]) -> Any:
    """The chain, whose line has these ends, and whose spheres are on the second of them."""
    lines, spheres = document.lines.copy(), document.spheres.copy()
    lines["points"][0] = np.array(line) * unit
    spheres["point"] = line[1] * unit
    return replace(document, lines=lines, spheres=spheres)


@BOTH
@pytest.mark.parametrize(("point", "after"), [(11, None), (12, 12), (13, 13)])
def test_lines_and_spheres_on_points_that_are_not_there_stay_nowhere(document: Any, unit: int, point: int, after: int | None) -> None:
    """With one more point than there were, the number of the first that was not there would be that of one that is."""
    before = leading(document, unit, (3, point))
    shape = shape_of(before)
    more = replace(
        shape,
        positions=np.append(shape.positions, [[5.0, 6, 7]], axis=0),
        group_of=np.append(shape.group_of, 4),
        numbers=np.append(shape.numbers, -1),
    )
    for wanted, last in ((shape, point * unit), (more, 0xFFFF if after is None else after * unit)):
        result = written(wanted, before)
        assert result.lines["points"].tolist() == [[3 * unit, last]]
        assert set(result.spheres["point"].tolist()) == {last}


def without(shape: Shape, point: int) -> Shape:
    """A point less, on which no face is."""
    return replace(
        shape,
        positions=np.delete(shape.positions, point, axis=0),
        group_of=np.delete(shape.group_of, point),
        numbers=np.delete(shape.numbers, point),
        corners=shape.corners - (shape.corners > point),
    )


@BOTH
def test_a_line_that_leads_nowhere_goes_with_its_other_end(document: Any, unit: int) -> None:
    """Without point 9 the line from there is gone, and the one from point 10, which is the ninth now, stays."""
    for end, after in ((9, []), (10, [[9 * unit, 0xFFFF]]), (0, [[0, 0xFFFF]])):
        before = leading(document, unit, (end, 0xFFFF // unit))
        lines = before.lines.copy()
        lines["points"][0, 1] = 0xFFFF
        before = replace(before, lines=lines)
        assert written(without(shape_of(before), 9), before).lines["points"].tolist() == after
