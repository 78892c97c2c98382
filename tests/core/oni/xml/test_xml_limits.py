"""Limits of the XML of an animation, to the last that is allowed and the first that is not; and where what is written anew stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.oni.files.documents import ObanFile
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.oni.xml import tree
from retro_anim.core.oni.xml.documents import ObanXml, TramXml
from retro_anim.core.oni.xml.tree import Node
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError

from ..files.test_instance_files import BLACKVAN
from .texts import KEY, ONE_FRAME, animation


def many(children: int) -> str:
    """7 + 4 * children bytes."""
    return f"<a>{'<b/>' * children}</a>"


@pytest.mark.parametrize(("children", "encoding"), [(166, "utf-8"), (503, "utf-16")])
def test_a_file_may_have_a_hundred_elements_and_one_for_every_ten_bytes(children: int, encoding: str) -> None:
    """7 + 4 * 166 = 671 bytes: 167 elements; with a mark of 2, 16 + 8 * 503 = 4040 bytes: 504. It stays so when it is edited."""
    data = many(children).encode(encoding)
    root, other = tree.parse(data), tree.parse(data)
    assert len(root.children) == children
    other.children[-1].text = "c"
    assert tree.update(data, root, root, other).decode(encoding) == f"<a>{'<b/>' * (children - 1)}<b>c</b></a>"
    with pytest.raises(FormatError, match="line 1: more elements than an animation can have"):
        tree.parse(many(children + 1).encode(encoding))


def test_elements_are_no_deeper_in_one_another_than_16() -> None:
    assert tree.parse(b"<a>" * 16 + b"</a>" * 16).tag == "a"
    with pytest.raises(FormatError, match="more elements") as raised:
        tree.parse(b"<a>" * 17 + b"</a>" * 17)
    assert raised.value.offset == 3 * 16


def test_what_has_other_elements_is_written_anew_at_its_depth() -> None:
    """Four spaces for each element around it; what stands before and behind it stays, down to the element that is another one."""
    data = b"<a>\n  <b/><c>\n    <d>  <e/>  </d> <f/></c></a> "
    before, after = tree.parse(data), tree.parse(data)
    after.children[1].children[0].children = [Node("e"), Node("g", "5")]
    expected = b"<d>\n            <e />\n            <g>5</g>\n        </d>"
    assert tree.update(data, before, before, after) == data.replace(b"<d>  <e/>  </d>", expected)


def test_a_text_that_changes_leaves_those_beside_it() -> None:
    data = b"<a><b x='&gt;'>1</b><c>2</c>\n</a>\n"
    before, after = tree.parse(data), tree.parse(data)
    after.children[0].text = "3 < 4"
    assert tree.update(data, before, before, after) == data.replace(b"<b x='&gt;'>1</b>", b'<b x="&gt;">3 &lt; 4</b>')
    assert (before.children[1].line, before.children[1].start, before.children[1].end) == (1, 20, 28)


def bone(*keys: str) -> str:
    return f"<Bone>{''.join(f'<EKey>{key}</EKey>' for key in keys)}</Bone>"


def motion(rotations: str = "", lists: dict[str, int] | None = None, offset: str = "") -> str:
    """lists: how many elements of heights, velocities and positions there are."""
    heights, velocities, positions = ((lists or {}).get(name, 0) for name in ("heights", "velocities", "positions"))
    rows = "<Position><Height>16</Height><YOffset>-0.5</YOffset></Position>"
    return (
        f"<Heights>{'<Height>9</Height>' * heights}</Heights><Velocities>{'<Velocity>0.1 0.2</Velocity>' * velocities}</Velocities>"
        f"<Rotations>{rotations}</Rotations>{offset}<Positions>{rows * positions}</Positions>"
    )


@pytest.mark.parametrize("name", ["heights", "velocities", "positions"])
def test_lists_have_an_element_for_every_frame(name: str) -> None:
    keys = bone("2 0 0 0", "1 0 0 0")
    for count in (0, 3):
        assert TramXml.parse(animation(motion(keys, {name: count}))).tram.frame_count == 3
    for count in (2, 4):
        with pytest.raises(FormatError, match=f"{count} {name} for 3 frames"):
            TramXml.parse(animation(motion(keys, {name: count})))


@pytest.mark.parametrize(
    ("lists", "frames"), [({"heights": 4}, 4), ({"velocities": 5}, 5), ({"positions": 6}, 6), ({"heights": 2, "positions": 2}, 2)]
)
def test_without_rotations_the_other_lists_say_how_many_frames_there_are(lists: dict[str, int], frames: int) -> None:
    read = TramXml.parse(animation(motion(lists=lists))).tram
    assert (read.frame_count, read.duration, read.bone_count, read.compression, read.rotations) == (frames, frames, 19, 6, None)


def test_an_animation_has_a_frame() -> None:
    with pytest.raises(FormatError, match="0 frames; 1 to 65535 are possible"):
        TramXml.parse(animation(motion()))


def test_all_bones_have_keys_for_the_same_time() -> None:
    with pytest.raises(FormatError, match="bone 1: its keys are 2 frames long, those of bone 0 3"):
        TramXml.parse(animation(motion(bone("3 0 0 0") + bone("1 0 0 0", "1 0 0 0"))))


@pytest.mark.parametrize("length", ["0", "256", "1.5", "-1"])
def test_a_key_holds_for_1_to_255_whole_frames(length: str) -> None:
    assert TramXml.parse(animation(motion(bone("255 0 0 0", "1 0 0 0")))).tram.frame_count == 256
    with pytest.raises(FormatError, match="bone 1: it needs keys, with whole numbers of frames from 1 to 255"):
        TramXml.parse(animation(motion(bone("1 0 0 0") + bone(f"{length} 0 0 0"))))
    with pytest.raises(FormatError, match="bone 1: it needs keys"):
        TramXml.parse(animation(motion(bone("1 0 0 0") + "<Bone />")))


def test_keys_are_no_longer_than_the_frames_of_16_bits() -> None:
    """257 times 255 frames are 65535."""
    most = bone(*["255 0 0 0"] * 257)
    assert TramXml.parse(animation(motion(most))).tram.frame_count == 65535
    with pytest.raises(FormatError, match="bone 0: its keys are 65536 frames long; at most 65535 are possible"):
        TramXml.parse(animation(motion(bone(*["255 0 0 0"] * 257, "1 0 0 0"))))


def test_the_last_key_is_put_at_the_last_frame() -> None:
    """Angles are 65535/360 steps a degree: 10, 90 and -90 degrees are 1820, 16384 and -16384."""
    read = TramXml.parse(animation(motion(bone("2 10 90 -90", "3 20 0 0") + bone("4 0 0 0", "1 0 0 0")))).tram
    assert read.rotations is not None
    block = Rotations.parse(read.rotations, 2, 5, 6)
    times, keys = block.track(0)
    assert times.tolist() == [0, 2, 4] and keys.tolist() == [[1820, 16384, -16384], [3641, 0, 0], [3641, 0, 0]]
    assert block.track(1)[0].tolist() == [0, 4]


def test_angles_that_are_no_angles_are_refused() -> None:
    assert TramXml.parse(animation(motion(bone("1 999999 0 0")))).tram.frame_count == 1
    for degrees in ("1000000", "NaN", "-INF"):
        with pytest.raises(FormatError, match="an angle beyond all limits"):
            TramXml.parse(animation(motion(bone(f"1 {degrees} 0 0"))))


def test_keys_are_written_in_degrees() -> None:
    """Of 16 bits: v * 180 / 32767.5, so that 1820 steps are 9.997711 and -32768 are -180.0027, whose 7 digits are not enough to read it
    back. Each holds until the next one."""
    keys = np.array([[1820, 0, -32768], [0, 1, 0]], np.int16)
    block = Rotations.of_tracks([np.array([0, 7])], [keys], 8, 6)
    written = TramXml.new(replace(Tram.new("TRAMtest", 8, 1), rotations=block.pack())).data.decode("utf-8-sig")
    assert [line.strip() for line in written.splitlines() if "EKey" in line] == [
        "<EKey>7 9.997711 0 -180.002747</EKey>", "<EKey>1 0 0.005493248 0</EKey>"]  # fmt: skip


def test_where_a_character_is_comes_of_its_velocities() -> None:
    """In hundredths from the offset on, which are signed numbers of 16 bits; what is beyond is as far as these go."""
    offset = "<PositionOffset><X>1.5</X><Z>-400</Z></PositionOffset>"
    read = TramXml.parse(animation(motion(lists={"velocities": 3, "positions": 3}, offset=offset))).tram
    assert read.positions is not None
    assert read.positions.tolist() == [(150, -32768, 1600, -50), (160, -32768, 1600, -50), (170, -32768, 1600, -50)]
    far = TramXml.parse(animation(motion(lists={"positions": 1}, offset="<PositionOffset><X>400</X><Z>327.67</Z></PositionOffset>"))).tram
    assert far.positions is not None and far.positions.tolist() == [(32767, 32767, 1600, -50)]


def test_a_name_has_room_for_a_zero_behind_it() -> None:
    sound = "<Sound><Name>{}</Name><Start>4</Start></Sound>"
    read = TramXml.parse(animation(sounds=sound.format("n" * 31))).tram
    assert read.sounds is not None and read.sounds.tolist() == [(b"n" * 31, 4)]
    with pytest.raises(FormatError, match=f"<Name>: {'n' * 32} has 32 characters; at most 31 are possible"):
        TramXml.parse(animation(sounds=sound.format("n" * 32)))


@pytest.mark.parametrize(
    ("start", "problem"), [("65536", "65536 is not between 0 and 65535"), ("-1", "-1 is not between"), ("1.0", "no whole")]
)
def test_a_frame_is_a_number_of_16_bits(start: str, problem: str) -> None:
    sound = "<Sound><Name>a</Name><Start>{}</Start></Sound>"
    for allowed in (0, 65535):
        read = TramXml.parse(animation(sounds=sound.format(allowed))).tram
        assert read.sounds is not None and read.sounds["frame"].tolist() == [allowed]
    with pytest.raises(FormatError, match=problem):
        TramXml.parse(animation(sounds=sound.format(start)))


def test_a_quaternion_stands_as_in_the_file() -> None:
    read = TramXml.parse(animation(ONE_FRAME.replace(KEY, "<QKey>1 0 0 0 -1</QKey>"), flags="Overlay")).tram
    assert (read.compression, read.rotations) == (16, b"\2\0" + bytes(12) + np.float32(-1).tobytes())


def test_a_motion_in_a_file_that_is_not_there_is_none() -> None:
    data = animation("").replace(b"<Animation>", b'<Animation><Import Path="none.dae"/>')
    with log.collect() as said:
        document = TramXml.parse(data, "folder/TRAMtest.xml")
    assert (document.tram.frame_count, document.tram.rotations, document.motion_path, document.pack()) == (0, None, "", data)
    assert said.digest() == ["its motion is in none.dae, which is not there: there is nothing that moves"]


def test_what_is_the_same_stays_in_an_encoding_that_has_a_letter_twice() -> None:
    """Of cp1006 the bytes B1 and B2 are one letter: read and written it would be the same byte in both places."""
    data = b'<?xml version="1.0" encoding="cp1006"?><a><!-- \xb1\xb2 --><b>1</b></a>'
    assert tree.update(data, tree.parse(data), tree.parse(data), tree.parse(data)) == data


@pytest.mark.parametrize(
    ("old", "allowed", "refused"),
    [
        ("<Flags></Flags>", "<Flags>4294967295</Flags>", "<Flags>4294967296</Flags>"),
        ("<FrameLength>80<", "<FrameLength>-32768<", "<FrameLength>-32769<"),
        ("<FrameLength>80<", "<FrameLength>32767<", "<FrameLength>32768<"),
        ("<FrameCount>501<", "<FrameCount>65535<", "<FrameCount>65536<"),
        ("<HalfStopFrame>0<", "<HalfStopFrame>65535<", "<HalfStopFrame>-1<"),
        ("<Time>500<", "<Time>4294967295<", "<Time>4294967296<"),
        ("<Time>0<", "<Time>499<", "<Time>-1<"),
    ],
)
def test_the_numbers_of_an_object_animation_are_those_of_its_record(old: str, allowed: str, refused: str) -> None:
    text = ObanXml.new(ObanFile.parse(bytes.fromhex(BLACKVAN)).oban).data.decode("utf-8-sig")
    assert text.count(old) == 1
    data = text.replace(old, allowed).encode("utf-8-sig")
    assert ObanXml.new(ObanXml.parse(data).oban).data == data
    with pytest.raises(FormatError, match="is not between"):
        ObanXml.parse(text.replace(old, refused).encode())


@pytest.mark.parametrize(
    ("height", "offset", "fits"),
    [
        ("655.35", "-327.68", True),
        ("0", "327.67", True),
        ("655.36", "0", False),
        ("-0.01", "0", False),
        ("1", "-327.69", False),
        ("1", "327.68", False),
    ],
)
def test_sizes_are_hundredths_of_sixteen_bits(height: str, offset: str, fits: bool) -> None:
    """The height without a sign, how far it is above the ground with one."""
    size = f"<Positions><Position><Height>{height}</Height><YOffset>{offset}</YOffset></Position></Positions>"
    data = animation(ONE_FRAME.replace("<Positions />", size))
    if not fits:
        with pytest.raises(FormatError, match=r"line 9: .* is not between (0 and 655\.35|-327\.68 and 327\.67)"):
            TramXml.parse(data)
        return
    positions = TramXml.parse(data).tram.positions
    assert positions is not None
    assert (positions["height"].tolist(), positions["y_offset"].tolist()) == ([round(100 * float(height))], [round(100 * float(offset))])
