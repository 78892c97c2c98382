"""BVH as programs write it, and as Blender's importer understands it: the words of the format by its description, values by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.bvh import reading as bvh_file
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError

PLAIN = """HIERARCHY
ROOT Hips
{
  OFFSET 0.0 9.5 0.0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Knee
  {
    OFFSET 1.0 -4.0 0.5
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0.0 -4.0 0.0
    }
  }
  JOINT Chest
  {
    OFFSET 0.0 2.0 0.0
    CHANNELS 3 Yrotation Zrotation Xrotation
    End Site
    {
      OFFSET 0.0 1.0 0.0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
0.0 9.0 0.25 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0
0.5 9.5 0.25 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5
"""


def tokens(text: str) -> list[str]:
    return text.split()


def plain(text: str | bytes) -> list[str]:
    return tokens(bvh_file.plain(text if isinstance(text, bytes) else text.encode()))


def test_what_blender_reads_stays() -> None:
    assert plain(PLAIN) == tokens(PLAIN)
    assert plain(bvh_file.plain(PLAIN.encode())) == tokens(PLAIN)


def with_braces(text: str) -> str:
    return text.replace("\n{", " {").replace("\n  {", " {").replace("\n    {", " {")


@pytest.mark.parametrize(
    "change",
    [
        with_braces,
        lambda text: text.replace(".", ","),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace(" ", "\t \t").replace("End\t \tSite", "End Site").replace("\t \tTime", " Time"),
        lambda text: text.replace("Frames: ", "Frames:").replace("Frame Time: ", "Frame Time:"),
        lambda text: text.replace("End Site", "End Site tip_of_it"),
        lambda text: text.replace("2.0 3.0 4.0", "2.0\n3.0 4.0").replace("2.5 3.5", "2.5\n 3.5"),
        lambda text: text.replace("9.0\n", "9.0 77 88\n"),
        lambda text: text.replace("6.5 7.5", "6.5, 7.5").replace("1.0 2.0", "1.0,2.0"),
        lambda text: "\ufeff" + text,
        lambda text: text.encode("utf-16"),
        lambda text: text.replace("9.0\n0.5", "9.0 0.5"),
        lambda text: text.replace("ROOT ", "ROOT\n").replace("JOINT ", "JOINT\n  "),
        lambda text: text.replace("CHANNELS 3", "CHANNELS 12").replace("CHANNELS 6", "CHANNELS ²"),
        lambda text: text.upper().replace("HIPS", "Hips").replace("KNEE", "Knee").replace("CHEST", "Chest"),
        lambda text: text.replace("JOINT", "JO\u0130NT"),
        lambda text: "\n \n" + text.replace("\n", "\n\n") + "\n\n",
    ],
)
def test_forms_of_other_programs(change: Any) -> None:
    assert plain(change(PLAIN)) == tokens(PLAIN)


def test_joints_with_fewer_rotations() -> None:
    """A knee that only bends about X, and a chest that only leans: the others are 0, in the joint's own order."""
    text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 1 Xrotation")
    text = text.replace("CHANNELS 3 Yrotation Zrotation Xrotation", "CHANNELS 2 Zrotation Yrotation")
    head, tail = text.split("0.04\n")
    rows = [" ".join(np.array(line.split())[[0, 1, 2, 3, 4, 5, 7, 10, 9]]) for line in tail.splitlines()]
    file = bvh_file.parse(bvh_file.plain((head + "0.04\n" + "\n".join(rows)).encode()).encode())
    knee, chest = file.joints[1:]
    assert knee.channels == ("Xrotation", "Yrotation", "Zrotation") and chest.channels == ("Zrotation", "Yrotation", "Xrotation")
    np.testing.assert_array_equal(file.rows[0], [0, 9, 0.25, 1, 2, 3, 5, 0, 0, 8, 7, 0])


def test_positions_that_a_file_leaves_out_are_the_offset() -> None:
    text = PLAIN.replace("6 Xposition Yposition Zposition ", "4 Yposition ")
    text = text.replace("\n0.0 9.0 0.25", "\n9.0").replace("\n0.5 9.5 0.25", "\n9.5")
    file = bvh_file.parse(bvh_file.plain(text.encode()).encode())
    np.testing.assert_array_equal(file.rows[:, :3], [[0, 9, 0], [0, 9.5, 0]])


@pytest.mark.parametrize("values", ["0 0 0", "1 -4 0.5"])
def test_positions_on_every_joint(values: str) -> None:
    """They replace the offsets; where all are 0 they count from them."""
    text = PLAIN.replace("CHANNELS 3", "CHANNELS 6 Xposition Yposition Zposition")
    head, tail = text.split("0.04\n")
    rows = [line.split() for line in tail.splitlines()]
    second = "0 0 0" if values == "0 0 0" else "0 2 0"
    rows = [[*row[:6], *values.split(), *row[6:9], *second.split(), *row[9:]] for row in rows]
    file = bvh_file.parse(bvh_file.plain((head + "0.04\n" + "\n".join(map(" ".join, rows))).encode()).encode())
    kept = 3 if values == "0 0 0" else 6
    assert [len(joint.channels) for joint in file.joints] == [6, kept, kept]
    np.testing.assert_array_equal(file.rows[0, -3:], [7, 8, 9])


def test_several_roots_and_names() -> None:
    second = "ROOT Left hand prop\n{\n OFFSET 1 2 3\n CHANNELS 0\n}\n"
    file = bvh_file.parse(PLAIN.replace("MOTION", second + "MOTION").encode())
    assert [(joint.name, joint.parent) for joint in file.joints] == [("Hips", -1), ("Knee", 0), ("Chest", 0), ("Left_hand_prop", -1)]
    assert tokens(bvh_file.text_of(file))[-30:] == tokens(PLAIN)[-30:]


def test_a_joint_behind_the_end_of_a_root_hangs_on_none() -> None:
    """Also where there is a brace too many."""
    for end in ("}", "}\n}"):
        figure = bvh_file.parse(f"HIERARCHY\nROOT a\n{{\nJOINT b\n{{\n}}\n{end}\nJOINT c\n{{\n}}\nMOTION\nFrames: 1\n".encode())
        assert [(joint.name, joint.parent) for joint in figure.joints] == [("a", -1), ("b", 0), ("c", -1)]


def test_a_line_may_stand_before_the_motion() -> None:
    assert plain(PLAIN.replace("MOTION", "# from here on\nMotion")) == tokens(PLAIN)


def test_channels_of_a_tip_are_nobody_s() -> None:
    """As some programs write, with the number of none."""
    text = PLAIN.replace("OFFSET 0.0 1.0 0.0", "OFFSET 0.0 1.0 0.0\n CHANNELS 0")
    assert plain(text) == tokens(PLAIN)


def test_what_is_no_number_and_what_is_missing_is_said() -> None:
    text = PLAIN.replace("2.5 3.5", "-1.#IND00 nan").replace("Frames: 2", "Frames: 3").replace("Frame Time: 0.04\n", "")
    with log.collect() as said:
        file = bvh_file.parse(text.encode())
    np.testing.assert_array_equal(file.rows[1, 4:6], [2, 3])
    assert file.seconds == 1 / 30
    lines = said.digest("WARNING")
    assert len(lines) == 3 and any("2 frames of 3" in line for line in lines), lines


@pytest.mark.parametrize(
    ("change", "warning"),
    [
        (lambda text: text.replace("9.0\n", "9.0 77 88\n"), "rows of 14 numbers, of which the joints have the first 12"),
        (lambda text: text.replace(": 0.04", ": 1/30"), "how long a frame is"),
        (lambda text: text.replace(": 0.04", ": 1e-300"), "how long a frame is"),
        (lambda text: text.replace(": 0.04", ": inf"), "how long a frame is"),
        (lambda text: text.replace("Frames: 2", f"Frames: {'9' * 5000}"), "only 2 frames of 999"),
    ],
)
def test_what_is_left_out_is_said(change: Any, warning: str) -> None:
    with log.collect() as said:
        file = bvh_file.parse(change(PLAIN).encode())
    (line,) = said.digest("WARNING")
    assert warning in line and file.rows.shape == (2, 12) and file.seconds in (0.04, 1 / 30)


def test_channels_of_other_kinds_are_left_out_and_said() -> None:
    """Behind the last joint's, so that they are the last numbers of each row."""
    head, rows = PLAIN[: PLAIN.index("MOTION")], PLAIN[PLAIN.index("MOTION") :].splitlines()
    at = head.rindex("CHANNELS 3 ")
    head = head[:at] + head[at:].replace("CHANNELS 3", "CHANNELS 5").replace("rotation\n", "rotation Xscale Yscale\n", 1)
    rows = [f"{row} 1.5 2" if row and row[0] in "-0123456789" else row for row in rows]
    with log.collect() as said:
        text = bvh_file.plain((head + "\n".join(rows)).encode())
    assert tokens(text) == tokens(bvh_file.plain(PLAIN.encode()))
    (line,) = said.digest("WARNING")
    assert "Xscale, Yscale of Chest" in line


def test_a_figure_without_channels_has_one_frame_however_many_are_said() -> None:
    text = "\n".join(line for line in PLAIN.split("MOTION")[0].splitlines() if "CHANNELS" not in line)
    assert bvh_file.parse(f"{text}\nMOTION\nFrames: 3000000000\nFrame Time: 0.04\n".encode()).rows.shape == (1, 0)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("\u5de6\u5927\u817f", "gb2312"),
        ("\u5de6\u8155", "cp932"),
        ("\u5de6\u5927\u817f\u9aa8\u9abc", "big5"),
        ("\u5de6\u5927\u817f", "utf-16"),
        ("Beinl\xe4nge", "latin-1"),
        ("Beinl\xe4", "latin-1"),
        ("F\xfc\xdfe", "cp1252"),
        ("Gr\xf6\xdfe", "cp1252"),
        ("\u0153il", "cp1252"),
        ("L\u5de6", "gb2312"),
        ("\uc67c\ucabd\ub2e4\ub9ac\uc624\ub978\ucabd\ub2e4\ub9ac\uc67c\ucabd\ud314\uafc8\uce58", "cp949"),
        (
            "\u0e41\u0e02\u0e19\u0e02\u0e32\u0e0b\u0e49\u0e32\u0e22\u0e02\u0e32\u0e02\u0e27\u0e32\u0e41\u0e02\u0e19\u0e0b\u0e49\u0e32\u0e22\u0e41\u0e02\u0e19",
            "cp874",
        ),
        ("\u041b\u0435\u0432\u0430\u044f\u041d\u043e\u0433\u0430\u041a\u043e\u043b\u0435\u043d\u043e", "cp1251"),
    ],
)
def test_names_in_the_code_page_of_who_wrote_it(name: str, encoding: str) -> None:
    """No letter behind one of them belongs to it, as it does in another code page."""
    text = PLAIN.replace("Knee", f"{name}Knee").encode(encoding)
    assert [joint.name for joint in bvh_file.parse(text).joints] == ["Hips", f"{name}Knee", "Chest"]


def test_comments_before_it() -> None:
    assert tokens(bvh_file.plain(("# made by hand\n\n// twice\n" + PLAIN).encode())) == tokens(PLAIN)


def test_ten_thousand_joints_below_one_another() -> None:
    """What is written is not much longer than what was read."""
    text = "HIERARCHY\n" + "ROOT a{" + "JOINT b{" * 10_000 + "}" * 10_001 + "MOTION 0"
    length = len(bvh_file.plain(text.encode()))
    assert length < 50 * 10_000


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("MOTION\n", "HIERARCHY"),
        ("HIERARCHY\nMOTION\nFrames: 1\n", "no joints"),
        (PLAIN.split("MOTION")[0], "no MOTION"),
        (PLAIN.split("0.04")[0], "no frames"),
        (PLAIN.replace("9.5 0.0\n", "x 0.0\n", 1), "Hips"),
        (PLAIN.replace("1.0 -4.0", "nan -4.0"), "OFFSET of Knee"),
        (PLAIN.replace("0.0 -4.0", "0.0 1e400"), "OFFSET of Knee"),
        (PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 3 Zrotation Xrotation Zrotation"), "Knee"),
    ],
)
def test_what_cannot_be_read(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        bvh_file.plain(text.encode())
