"""OniSplit's XML with its motion in a .dae beside it, the form in which mods are exchanged, against the same motion in the XML itself."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core import formats
from retro_anim.core.files.document import same
from retro_anim.core.motion.rotations.rotation_matrix import from_quaternion
from retro_anim.core.oni.motion.evaluate import local_rotations, rotations_of
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.oni.xml import collada, dae_motion
from retro_anim.core.oni.xml.documents import TramXml
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.oni import oni_dae
from support.oni.oni_trams import random_tram

from ..example import OFFSETS

FRAMES = 7
RANDOM = np.random.default_rng(5)
ANGLES = RANDOM.uniform(-179, 179, (FRAMES, 19, 3))
ANGLES[:, :, 1] /= 2.05
ROOT = RANDOM.uniform(-3, 12, (FRAMES + 1, 3))


def inline(rest: Tram | None = None) -> str:
    """The XML with the motion in itself: one key a frame. rest: what it holds besides."""
    text = TramXml.new(replace(rest or random_tram(3, FRAMES), flags=0x90)).data.decode("utf-8-sig")
    bones = "".join(
        "<Bone>" + "".join(f"<EKey>1 {x!r} {y!r} {z!r}</EKey>" for x, y, z in ANGLES[:, bone].tolist()) + "</Bone>" for bone in range(19)
    )
    single = ROOT.astype(np.float32)
    heights = "".join(f"<Height>{height!r}</Height>" for height in single[:-1, 1].tolist())
    steps = "".join(f"<Velocity>{x!r} {z!r}</Velocity>" for x, z in np.diff(single[:, [0, 2]], axis=0).tolist())
    start, end = text.index("<Heights"), text.index("<PositionOffset>")
    return f"{text[:start]}<Heights>{heights}</Heights><Velocities>{steps}</Velocities><Rotations>{bones}</Rotations>{text[end:]}"


def pair(folder: Path, dae: str, attributes: str = "", rest: Tram | None = None) -> Path:
    text = inline(rest)
    start, end = text.index("<Heights"), text.index("<ThrowSource")
    text = (text[:start] + text[end:]).replace("<Animation>", f'<Animation>\n<Import Path="walk.DAE"{attributes}/>')
    (folder / "TRAMwalk.xml").write_text(text, "utf-8")
    (folder / "Walk.dae").write_text(dae, "utf-8")
    return folder / "TRAMwalk.xml"


def read(path: Path) -> Tram:
    return formats.open_file(path).document.tram


def angle_between(one: Tram, other: Tram) -> float:
    """The largest, in degrees, over all keys of all frames."""
    both = [rotations_of(each).quaternions() for each in (one, other)]
    return float(np.degrees(2 * np.arccos(np.abs((both[0] * both[1]).sum(axis=1)).clip(0, 1))).max())


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("up", ["", "ROOT", "ALL", "BLENDER"])
def test_the_same_motion_as_in_the_xml_itself(tmp_path: Path, up: str, backwards: bool) -> None:
    wanted = TramXml.parse(inline().encode()).tram
    path = pair(tmp_path, oni_dae.dae(ANGLES, ROOT, OFFSETS, up, backwards))
    with log.collect() as said:
        result = read(path)
    assert said.digest("WARNING") == []
    assert (result.frame_count, result.duration, result.bone_count, result.compression) == (FRAMES, FRAMES, 19, 6)
    assert result.heights is not None and result.velocities is not None
    np.testing.assert_array_equal(result.heights, wanted.heights)
    np.testing.assert_array_equal(result.velocities, wanted.velocities)
    assert angle_between(result, wanted) < 0.01
    if not up:
        assert result.rotations == wanted.rotations
    assert same(result.attacks, wanted.attacks) and same(result.extents, wanted.extents) and same(result.max_extent, wanted.max_extent)
    assert result.positions is not None and len(result.positions) == FRAMES
    assert result.positions["y_offset"].min() < result.heights.min() * 100


def test_angles_in_the_order_in_which_they_are_written(tmp_path: Path) -> None:
    """Another program's file with Z up, whose rotX comes first and means it: the pelvis stands upright only so."""
    standing = np.zeros((FRAMES, 19, 3))
    standing[:, 0] = [20, 85, 60]
    wanted = read(pair(tmp_path, oni_dae.dae(standing, ROOT, OFFSETS)))
    text = oni_dae.dae(standing, ROOT, OFFSETS)
    above = '<node id="above"><rotate>1 0 0 90</rotate><node id="pelvis"'
    text = text.replace("Y_UP", "Z_UP").replace('<node id="pelvis"', above, 1).replace("</visual_scene>", "</node></visual_scene>")
    assert angle_between(read(pair(tmp_path, text)), wanted) < 0.02


def test_curves_with_tangents(tmp_path: Path) -> None:
    """As OniSplit samples them: by the values of the tangents alone, at even times."""
    text = oni_dae.dae(np.tile(ANGLES[0], (FRAMES, 1, 1)), ROOT, OFFSETS)
    bent = oni_dae.animation(999, "head/rotY.angle", np.array([0.0, 60.0])).replace(">0 0.01666667<", ">0 0.1<").replace("LINEAR", "BEZIER")
    bent = bent.replace('<sampler id="p999">', TANGENTS + '<sampler id="p999"><input semantic="OUT_TANGENT" source="#out"/>' + INSIDE)
    target = 'target="head/rotY.ANGLE"'
    block = next(part for part in re.findall(r"<animation>.*?</animation>\n", text, re.DOTALL) if target in part)
    keys = rotations_of(read(pair(tmp_path, text.replace(block, bent)))).track(10)[1]
    part = np.arange(FRAMES) / 6
    wanted = 3 * 5 * (1 - part) ** 2 * part + 3 * 50 * (1 - part) * part**2 + 60 * part**3
    assert keys[:, 1].tolist() == np.rint(wanted * 65535 / 360).tolist()
    assert read(pair(tmp_path, text.replace(block, bent.replace("0.05 5 9 9", "5 9")))).rotations is not None
    with pytest.raises(FormatError, match="3 numbers of its OUT_TANGENT for 2 keys of 1 numbers"):
        read(pair(tmp_path, text.replace(block, bent.replace("0.05 5 9 9", "5 9 9"))))


def test_of_three_keys_each_step_bends_by_its_own_tangents(tmp_path: Path) -> None:
    """The first with the first key's OUT and the second's IN; the second is straight, as its first key says."""
    text = oni_dae.dae(np.tile(ANGLES[0], (FRAMES, 1, 1)), ROOT, OFFSETS)
    bent = oni_dae.animation(999, "head/rotY.angle", np.array([0.0, 60.0, 20.0])).replace("LINEAR", "BEZIER", 1)
    bent = bent.replace(">0 0.01666667 0.03333333<", ">0 0.05 0.1<")
    tangents = TANGENTS.replace('"4"', '"3"').replace("0.05 5 9 9", "5 9 9").replace("9 9 0.01 50", "9 50 9")
    bent = bent.replace('<sampler id="p999">', tangents + '<sampler id="p999"><input semantic="OUT_TANGENT" source="#out"/>' + INSIDE)
    block = next(part for part in re.findall(r"<animation>.*?</animation>\n", text, re.DOTALL) if 'target="head/rotY.ANGLE"' in part)
    keys = rotations_of(read(pair(tmp_path, text.replace(block, bent)))).track(10)[1]
    part = np.arange(4) / 3
    wanted = 3 * 5 * (1 - part) ** 2 * part + 3 * 50 * (1 - part) * part**2 + 60 * part**3
    assert keys[:, 1].tolist() == np.rint(np.array([*wanted, 60 - 40 / 3, 60 - 80 / 3, 20]) * 65535 / 360).tolist()


TANGENTS = (
    '<source id="out"><float_array id="outs" count="4">0.05 5 9 9</float_array></source>'
    '<source id="in"><float_array id="ins" count="4">9 9 0.01 50</float_array></source>'
)
INSIDE = '<input semantic="IN_TANGENT" source="#in"/>'


def test_reaches_stay_as_the_xml_says(tmp_path: Path) -> None:
    """The importer derives positions alone: extents stand beside the attacks."""
    attacks, extents = np.zeros(1, tram_layout.ATTACK), np.zeros(2, tram_layout.EXTENT)
    attacks["start"], attacks["end"] = 2, 3
    extents["frame"], extents["length"], extents["max_y"] = [2, 3], [1234, 5678], [600, 700]
    tram = replace(random_tram(3, FRAMES), attacks=attacks, extents=extents)
    result = read(pair(tmp_path, oni_dae.dae(ANGLES, ROOT, OFFSETS), rest=tram))
    assert result.extents is not None and result.extents[["frame", "length", "max_y"]].tolist() == [(2, 1234, 600), (3, 5678, 700)]


def test_a_part_of_the_frames(tmp_path: Path) -> None:
    """End is not one of them, as in OniSplit."""
    whole = read(pair(tmp_path, oni_dae.dae(ANGLES, ROOT, OFFSETS)))
    part = read(pair(tmp_path, oni_dae.dae(ANGLES, ROOT, OFFSETS), ' Start="2" End="5"'))
    assert part.frame_count == 3
    assert part.heights is not None and whole.heights is not None
    assert part.heights.tolist() == whole.heights[2:5].tolist()
    assert rotations_of(part).keys.reshape(19, 3, 3).tolist() == rotations_of(whole).keys.reshape(19, FRAMES, 3)[:, 2:5].tolist()
    element = pair(tmp_path, oni_dae.dae(ANGLES, ROOT, OFFSETS), ' Start="two"')
    with pytest.raises(FormatError, match="Start of <Import>: two is no frame"):
        read(element)


def test_times_of_few_digits(tmp_path: Path) -> None:
    """The last key a little before its frame is at it."""
    text = oni_dae.dae(ANGLES, ROOT, OFFSETS)
    assert read(pair(tmp_path, text.replace("0.1166667", "0.11665"))).frame_count == FRAMES


def test_curves_that_step_hold_their_values() -> None:
    curve = collada.Curve(np.array([1.0, 2, 4]), np.array([[10.0], [20], [40]]), step=True)
    assert curve.at(np.array([0.0, 1, 1.9, 2, 3.9, 4, 9])).ravel().tolist() == [10, 10, 10, 20, 20, 40, 40]


def test_bent_curves_hold_before_and_behind_their_keys() -> None:
    curve = collada.Curve(np.array([1.0, 2]), np.array([[10.0], [20]]), bends=np.array([[[10.0], [20]]]))
    assert curve.at(np.array([0.0, 1, 1.5, 2, 9])).ravel() == pytest.approx([10, 10, 15, 20, 20])


@pytest.mark.parametrize("target", ["", "head", "/rotX", "nobody/rotX.ANGLE", "head/scale.X", "head/rotX.ANGLE.more"])
def test_channels_of_nothing_that_is_there_are_passed_over(tmp_path: Path, target: str) -> None:
    text = oni_dae.dae(ANGLES, ROOT, OFFSETS)
    source = re.findall(r'<channel source="([^"]*)"', text)[0]
    more = text.replace(
        "</library_animations>", f'<animation><channel source="{source}" target="{target}"/></animation></library_animations>'
    )
    assert same(read(pair(tmp_path, more)).rotations, read(pair(tmp_path, text)).rotations)


def test_keys_between_frames_stay_there(tmp_path: Path) -> None:
    """Two keys, the second a third of a frame behind the second frame: there the first third of the way is still to go."""
    text = oni_dae.dae(np.tile(ANGLES[0], (FRAMES, 1, 1)), ROOT, OFFSETS)
    bent = oni_dae.animation(999, "head/rotY.angle", np.array([0.0, 40.0])).replace(">0 0.01666667<", f">0 {4 / 3 / 60:.7f}<")
    block = next(part for part in re.findall(r"<animation>.*?</animation>\n", text, re.DOTALL) if 'target="head/rotY.ANGLE"' in part)
    keys = rotations_of(read(pair(tmp_path, text.replace(block, bent)))).track(10)[1]
    assert keys[:3, 1].tolist() == np.rint(np.array([0, 30, 40]) * 65535 / 360).tolist()


def test_a_curve_of_all_numbers_may_turn_the_axis(tmp_path: Path) -> None:
    """About Y by 0 degrees in the first frame, then halfway about Y and Z, last about Z by 90."""
    text = re.sub(r"<library_animations>.*</library_animations>", "", oni_dae.dae(np.zeros((3, 19, 3)), ROOT[:4], OFFSETS), flags=re.DOTALL)
    rows = np.array([[0, 1, 0, 0], [0, 1, 1, 45], [0, 0, 1, 90]], float)
    sources = "".join(
        f'<source id="{name}"><float_array count="{values.size}">{" ".join(map(str, values.ravel().tolist()))}</float_array></source>'
        for name, values in (("t", np.arange(3) / 60), ("v", rows))
    )
    inputs = '<input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#v"/>'
    curve = f'<animation>{sources}<sampler id="s">{inputs}</sampler><channel source="#s" target="head/rotY"/></animation>'
    animated = text.replace("<library_visual_scenes>", f"<library_animations>{curve}</library_animations><library_visual_scenes>")
    rotations = rotations_of(read(pair(tmp_path, animated)))
    half = np.radians(22.5)
    wanted = np.array([[1, 0, 0, 0], [np.cos(half), 0, np.sin(half) / 2**0.5, np.sin(half) / 2**0.5]])
    assert local_rotations(rotations, np.array([0.0, 1]))[:, 10] == pytest.approx(wanted, abs=1e-4)


def test_of_several_scenes_the_one_that_is_shown(tmp_path: Path) -> None:
    text = oni_dae.dae(ANGLES, ROOT, OFFSETS)
    more = text.replace("<library_visual_scenes>", '<library_visual_scenes><visual_scene id="empty"><node id="lamp"/></visual_scene>')
    assert same(read(pair(tmp_path, more)).rotations, read(pair(tmp_path, text)).rotations)


def test_a_single_frame_from_wherever_it_is_asked(tmp_path: Path) -> None:
    """A file without curves has one pose, which a start behind its end does not move."""
    still = re.sub(r"<library_animations>.*</library_animations>", "", oni_dae.dae(ANGLES, ROOT, OFFSETS), flags=re.DOTALL)
    assert read(pair(tmp_path, still, ' Start="1" End="2"')).frame_count == 1


def test_other_names_and_wrapped_in_other_nodes(tmp_path: Path) -> None:
    names = [f"Konoko-{name.replace('_biceps', '_arm').replace('_handfist', '_Fist')}" for name in oni_dae.NAMES]
    wanted = read(pair(tmp_path, oni_dae.dae(ANGLES, ROOT, OFFSETS)))
    assert read(pair(tmp_path, oni_dae.dae(ANGLES, ROOT, OFFSETS, names=names))).rotations == wanted.rotations
    numbered = ["pelvis", *(f"n{index}" for index in range(1, 19))]
    assert read(pair(tmp_path, oni_dae.dae(ANGLES, ROOT, OFFSETS, names=numbered))).rotations == wanted.rotations
    wrapped = oni_dae.dae(ANGLES, ROOT, OFFSETS).replace('<visual_scene id="scene">', '<visual_scene id="scene"><node id="Armature">')
    wrapped = wrapped.replace("</visual_scene>", "</node></visual_scene>")
    assert angle_between(read(pair(tmp_path, wrapped)), wanted) < 0.01
    inches = oni_dae.dae(ANGLES, ROOT, OFFSETS).replace('meter="0.1"', 'meter="0.2"')
    twice = read(pair(tmp_path, inches))
    assert twice.heights is not None and wanted.heights is not None
    np.testing.assert_allclose(twice.heights, 2 * wanted.heights, rtol=1e-6)


def test_a_pose_without_a_curve(tmp_path: Path) -> None:
    still = re.sub(r"<library_animations>.*</library_animations>", "", oni_dae.dae(ANGLES, ROOT, OFFSETS), flags=re.DOTALL)
    result = read(pair(tmp_path, still))
    assert result.frame_count == 1
    assert result.heights is not None and result.heights[0] == np.float32(ROOT[0, 1])
    assert rotations_of(result).keys.tolist() == [[0, 0, 0]] * 19


def test_keys_between_frames_and_rotations_that_stand_still(tmp_path: Path) -> None:
    """Curves are interpolated where they have no key; a bone that does not move keeps two keys."""
    angles = np.tile(ANGLES[0], (FRAMES, 1, 1))
    text = oni_dae.dae(angles, ROOT, OFFSETS)
    rotations = rotations_of(read(pair(tmp_path, text)))
    assert [len(rotations.track(bone)[0]) for bone in range(19)] == [2] * 19
    spare = oni_dae.animation(999, "head/rotY.ANGLE", np.array([0.0, 60.0])).replace(">0 0.01666667<", ">0 0.1<")
    target = 'target="head/rotY.ANGLE"'
    block = next(part for part in re.findall(r"<animation>.*?</animation>\n", text, re.DOTALL) if target in part)
    keys = rotations_of(read(pair(tmp_path, text.replace(block, spare)))).track(10)[1]
    assert keys[:, 1].tolist() == [round(10 * frame * 65535 / 360) for frame in range(FRAMES)]


@pytest.mark.parametrize("kind", ["smooth", "wild"])
def test_more_keys_than_a_record_has_room_for(tmp_path: Path, kind: str) -> None:
    """65,535 bytes are 492 frames of 19 bones."""
    count = 700
    time = np.linspace(0, 20, count)[:, None, None]
    angles = 60 * np.sin(time + RANDOM.uniform(0, 6, (1, 19, 3))) if kind == "smooth" else RANDOM.uniform(-80, 80, (count, 19, 3))
    dae = oni_dae.dae(angles, np.tile(ROOT[:1], (count + 1, 1)), OFFSETS)
    if kind == "wild":
        with pytest.raises(FormatError, match="split the animation"):
            dae_motion.read(dae.encode())
        return
    with log.collect() as said:
        rotations = dae_motion.read(dae.encode()).rotations
    (line,) = said.digest("WARNING")
    off = float(line.split("by up to ")[1].split()[0])
    assert off <= 0.1
    assert len(rotations.pack()) <= 65535
    shown = local_rotations(rotations, np.arange(float(count)))
    wanted = np.array([[oni_dae.matrix(bone) for bone in frame] for frame in angles[::50]])
    apart = np.einsum("fbij,fbij->fb", from_quaternion(shown[::50]), wanted)
    assert np.degrees(np.arccos(((apart - 1) / 2).clip(-1, 1))).max() < off + 0.01


def test_the_files_stay_as_they_are_until_the_motion_is_edited(tmp_path: Path) -> None:
    path = pair(tmp_path, oni_dae.dae(ANGLES, ROOT, OFFSETS))
    document = formats.open_file(path).document
    assert document.pack() == path.read_bytes()
    assert replace(document, tram=replace(document.tram, soft_pause=5)).pack().decode() == path.read_text().replace("<Soft>0", "<Soft>5")
    moved = replace(document, tram=replace(document.tram, heights=document.tram.heights + np.float32(1)))
    with log.collect() as said:
        again = TramXml.parse(moved.pack())
    assert again.imported is None
    assert same(again.tram.heights, moved.tram.heights) and again.tram.rotations == document.tram.rotations
    assert "the motion is in the XML itself now, no longer in walk.DAE" in said.digest()[0]
    away = replace(document, tram=replace(document.tram)).beside(str(tmp_path / "elsewhere" / "TRAMwalk.xml"))
    assert TramXml.parse(away.pack()).tram.rotations == document.tram.rotations
    assert replace(document, tram=replace(document.tram)).beside(str(tmp_path / "TRAMother.xml")).pack() == path.read_bytes()


def test_overlays_keep_quaternions(tmp_path: Path) -> None:
    path = pair(tmp_path, oni_dae.dae(ANGLES, ROOT, OFFSETS))
    wanted = read(path)
    path.write_text(re.sub(r"<Flags>[^<]*</Flags>", "<Flags>Overlay</Flags>", path.read_text(), count=1))
    result = read(path)
    assert result.compression == 16
    assert angle_between(result, wanted) < 0.01


PROBLEMS = {
    "no bone": ("left_calf", "left_calfe", "no node for left_calf: a character has 19 bones"),
    "a number": (">0 0.01666667", ">zero 0.01666667", "could not convert string to float"),
    "infinite": (">0 0.01666667", ">0 inf", "a number beyond all limits"),
    "too few": ('<rotate sid="rotX">1 0 0 0</rotate>', '<rotate sid="rotX">1 0 0</rotate>', "3 numbers instead of 4"),
    "backwards": (">0 0.01666667", ">5 0.01666667", "the times do not ascend"),
    "other counts": (">0 0.01666667", ">0", "for 7 keys of 1 numbers"),
    "no sampler": ('source="#p0"', 'source="#p"', "there is no sampler #p"),
    "no scene": ("visual_scene", "other_scene", "there is no <visual_scene>"),
    "not COLLADA": ("COLLADA", "collada", "<COLLADA> expected"),
    "entities": ("<COLLADA", '<!DOCTYPE a [<!ENTITY b "c">]>\n<COLLADA', "XML with a DTD is not read"),
    "far too long": (">0 0.01666667 0.03333333", ">0 0.01666667 99999999", "frames; 1 to 65535 are possible"),
}


@pytest.mark.parametrize("case", list(PROBLEMS))
def test_what_is_wrong_is_said_with_file_and_line(tmp_path: Path, case: str) -> None:
    old, new, problem = PROBLEMS[case]
    text = oni_dae.dae(ANGLES, ROOT, OFFSETS)
    assert old in text
    if case == "far too long":
        text = re.sub(r">0 0\.0166[^<]*<", ">0 1 2 3 4 5 6 99999999<", text, count=1)
    elif case == "backwards":
        text = text.replace(old, new, 1)
    elif case == "other counts":
        text = re.sub(r">0 0\.0166[^<]*<", ">0 1 2 3 4 5 6<", text, count=1)
    else:
        text = text.replace(old, new) if case in ("no bone", "no scene", "not COLLADA") else text.replace(old, new, 1)
    with pytest.raises(FormatError, match=re.escape(problem)) as caught:
        read(pair(tmp_path, text))
    assert Path(str(caught.value.path)).name.lower() == "walk.dae"


@given(data=st.data())
def test_anything_is_a_motion_or_an_error(data: st.DataObject) -> None:
    text = bytearray(oni_dae.dae(ANGLES[:2], ROOT[:3], OFFSETS, data.draw(st.sampled_from(["", "ROOT", "ALL"]))).encode())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(text) - 1))
        length = data.draw(st.integers(0, 40))
        text[at : at + length] = data.draw(st.binary(max_size=12))
    with suppress(FormatError), log.collect():
        dae_motion.read(bytes(text), data.draw(st.integers(0, 3)), data.draw(st.integers(0, 3)))


@given(data=st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    for start in (b"", b"<COLLADA>"):
        with suppress(FormatError):
            dae_motion.read(start + data)
