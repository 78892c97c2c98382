"""Root motion and keyframes' times that are worked out by hand: arcs of the game beside straight lines, and which keyframe was which."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.lba.motion.loop import closing_frame
from retro_anim.core.lba.motion.motion import CONVENTION, EXTRA, clip_of
from retro_anim.core.lba.motion.playback import root_at_keys
from retro_anim.core.lba.motion.root import Root, _report_arcs
from retro_anim.core.lba.motion.sampled import Before, Sampled, Settings, with_root
from retro_anim.core.lba.motion.times import retimed
from retro_anim.core.motion.curves import Channel, Curve, Timing
from retro_anim.core.motion.rigs.rig import Rig
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.motion.sampling import BoneSamples, sample_curves
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError

from ..edits import Action


def shown(frames: Floats, positions: Floats) -> Sampled:
    """A root that goes straight from key to key, and no bones."""

    def path_at(when: Floats) -> tuple[Floats, Floats]:
        return np.stack([np.interp(when, frames, row) for row in positions.T], axis=1), np.zeros((len(when), 3))

    bones = BoneSamples(*(np.zeros((len(frames), 0, 3)) for _ in range(3)))
    return Sampled(frames, bones, positions, np.zeros_like(positions), None, None, {}, np.zeros(0, bool), path_at)


def arcs(game: Variant, sizes: list[int], away: float, allowed: float = 0.0, kept: bool = False) -> list[str]:
    """What is said where the character goes by each of the sizes along X, far away from the origin, and rotates by a quarter on the way:
    the game has it on an arc by the heading that grows, at a part s of the way at s times the size, and (1 - s) quarters beside the line.
    Half-way that is farthest from it: sin 22.5 degrees times the size, 38.27 of 100."""
    frames = np.arange(len(sizes) + 1, dtype=np.float64) * 10
    path = np.zeros((len(frames), 3))
    path[1:, 0] = np.cumsum(sizes)
    quarter = game.rotation // 4
    steps, rotations = np.zeros((2, len(frames), 3), np.int64)
    headings = np.arange(len(frames))
    rotations[1:, 1] = quarter
    for key, size in enumerate(sizes, 1):  # along X, in the axes of a character that has rotated by so many quarters
        steps[key] = size * np.array([(1, 0, 0), (0, 0, 1), (-1, 0, 0), (0, 0, -1)])[key % 4]
    root = Root(steps, rotations, path, np.outer(headings, [0, np.pi / 2, 0]), np.full(len(frames), kept))
    settings = Settings(game, Timing(game.rate, 50.0), 0.001, "OBJECT", allowed=allowed)
    with log.collect() as said:
        _report_arcs(root, shown(frames, path + np.array([0, away, 0])), settings)
    return said.digest()


BOTH = pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)


@BOTH
def test_an_arc_beside_a_straight_line_is_reported(game: Variant) -> None:
    (line,) = arcs(game, [100], 0.0)
    assert "between frames 0 and 10 the game has the character up to 38.27 units away from where it is shown" in line
    assert "other pair" not in line
    (line,) = arcs(game, [100, 200, 100, 5], 0.0)
    assert "between frames 10 and 20 the game has the character up to 76.54 units away" in line
    assert "and between 2 other pairs of keyframes" in line
    assert arcs(game, [5], 0.0) == arcs(game, [100], 0.0, kept=True) == [], "1.91 units are rounding"


@BOTH
@pytest.mark.parametrize(
    ("away", "allowed", "reported"),
    [(3.6e6, 0, True), (3.65e6, 0, False), (0, 38.2, True), (0, 38.3, False), (3e5, 35.2, True), (3e5, 35.3, False)],
)
def test_far_away_as_much_as_float32_loses_is_none(game: Variant, away: float, allowed: float, reported: bool) -> None:
    """A hundred thousandth of the distance, on top of two units or of what was asked for."""
    assert bool(arcs(game, [100], away, allowed)) is reported


@BOTH
def test_other_pairs_are_those_that_are_as_far_off(game: Variant) -> None:
    """20 units and what is asked for at a distance of two millions: of 38.27, 15.31 and 76.54 the second is none."""
    (line,) = arcs(game, [100, 40, 200], 2e6)
    assert "76.54 units" in line and "and between 1 other pair of keyframes" in line


@BOTH
def test_root_motion_of_several_animations_starts_anew_with_each(game: Variant) -> None:
    """By a quarter and 10 units on, then two keyframes of another: its first one's own step and rotation do not count."""
    quarter = game.rotation // 4
    steps = np.array([(0, 0, 9), (0, 0, 10), (5, 5, 5), (1, 2, 3)])
    rotations = np.array([(0, 7, 0), (0, quarter, 0), (0, 99, 0), (0, 0, 0)])
    root = root_at_keys(steps, rotations, game, np.array([0, 2]))
    assert root.positions == pytest.approx(np.array([(0, 0, 0), (10, 0, 0), (0, 0, 0), (1, 2, 3)]), abs=1e-9)
    assert root.angles.tolist() == [[0, 0, 0], [0, quarter, 0], [0, 0, 0], [0, 0, 0]]


@BOTH
@pytest.mark.parametrize("begins", [0.1, 0.4, 90.0])
def test_a_path_is_in_the_axes_of_the_heading_that_it_begins_with(game: Variant, begins: float) -> None:
    """In degrees, however few: the game rotates the character with its path. Nothing is left for the bones below."""
    frames = np.zeros(2, frame_dtype(2))
    frames["duration"], frames["step"][1, 2] = 10, 10_000
    edit = Action.of(Anm(9, 0, frames), game, 50.0)
    edit.lines[Channel("", "rotation_euler", 2)].values[:] = np.radians(begins)
    after, said = edit.export()
    angle = np.radians(begins)
    assert after.steps[1].tolist() == [round(-10_000 * np.sin(angle)), 0, round(10_000 * np.cos(angle))]
    text = f"the character starts rotated by {begins:g} degrees at frame 1"
    assert [text in line for line in said] == [True] * (begins > 1.5 * 360 / game.rotation)
    assert not after.values[:, 1].any()


@BOTH
@pytest.mark.parametrize(("size", "frame"), [((32767, 32767), None), ((32768, 0), 11.0), ((0, -32769), 21.0), ((-40000, 40000), 11.0)])
def test_how_far_a_keyframe_moves_the_character(game: Variant, size: tuple[int, int], frame: float | None) -> None:
    """Ahead, in numbers of sixteen bits with a sign."""
    frames = np.zeros(3, frame_dtype(1))
    frames["duration"] = game.rate // 5
    edit = Action.of(Anm(9, 0, frames), game, 50.0)
    edit.lines[Channel("", "location", 1)].values[1:] = -np.cumsum(size) / 1000
    if frame is None:
        assert edit.export()[0].steps[1:, 2].tolist() == list(size)
        return
    with pytest.raises(ExportError, match="the character moves or rotates too far in one keyframe: at most 32767 units") as refused:
        edit.export()
    assert refused.value.where.frame == frame


FRAMES = np.array([1.0, 11, 21, 31])


def which(match: list[int], frames: list[float], gone: tuple[int, ...] = ()) -> list[int]:
    original = Before(Anm(0, 0, np.zeros(4, frame_dtype(1))), shown(FRAMES, np.zeros((4, 3))))
    return retimed(np.array(match), np.array(frames), original, np.array(gone, np.int64)).tolist()


@pytest.mark.parametrize(
    ("match", "frames", "expected"),
    [
        ([0, -1, 2, 3], [1, 14, 21, 31], [0, 1, 2, 3]),  # one was moved
        ([0, -1, -1, 3], [1, 14, 25, 31], [0, 1, 2, 3]),  # two were
        ([0, -1, 1, -1], [1, 6, 11, 17], [0, -1, 1, -1]),  # two are new, and two gone
        ([-1, 0, -1, -1], [-9, 1, 17, 26], [-1, 0, -1, -1]),  # the first is new, and the others are not where they were
        ([0, -1, -1, -1], [1, 21.04, 41, 61], [0, 1, 2, 3]),  # all is twice as long
        ([0, 2, -1, -1], [1, 21, 41, 61], [0, 1, 2, 3]),  # where another was
        ([0, 2, -1, -1], [1, 21, 41.06, 61], [0, 2, -1, -1]),  # nearly so
        ([0, 1, 2], [1, 11, 21], [0, 1, 2]),  # the last is gone
    ],
)
def test_which_keyframe_each_of_them_was(match: list[int], frames: list[float], expected: list[int]) -> None:
    assert which(match, frames) == expected


def test_keyframes_that_have_gone_into_the_one_behind() -> None:
    assert which([0, 2, -1], [1, 21, 32], (1,)) == [0, 2, 3]
    assert which([0, 1, -1], [1, 11, 32], (1,)) == [0, 1, -1]
    assert retimed(np.array([-1]), np.array([1.0]), None, np.zeros(0, np.int64)).tolist() == [-1]


@BOTH
@pytest.mark.parametrize(("bones", "kept"), [(None, []), (0, [1, 2]), (1, [1, 2]), (2, [2]), (3, []), (9, [])])
def test_bones_that_an_armature_does_not_have_are_kept_as_numbers(game: Variant, bones: int | None, kept: list[int]) -> None:
    """Of the animation's three; the root, which has its motion, is always one of them."""
    frames = np.zeros(2, frame_dtype(3))
    frames["bones"]["type"] = [[0, 0, 1], [0, 0, 1]]
    frames["bones"]["value"] = np.arange(18).reshape(2, 3, 3)
    clip = clip_of(Anm(9, 0, frames), game, "clip", shown=bones)
    extra = {track.name: np.asarray(track.values).tolist() for track in clip.properties if track.name.startswith(EXTRA.format(""))}
    rows = {1: [[0, 3, 4, 5], [0, 12, 13, 14]], 2: [[1, 6, 7, 8], [1, 15, 16, 17]]}
    assert extra == {EXTRA.format(bone): rows[bone] for bone in kept}


@BOTH
def test_which_tracks_a_clip_has(game: Variant) -> None:
    """Of bones that rotate, that move, and that do both, with a key for the change; the root is no pose."""
    frames = np.zeros(3, frame_dtype(5))
    frames["duration"] = 10
    frames["bones"]["type"][:, 2] = frames["bones"]["type"][2:, 3] = 1
    frames["bones"]["value"][:, 1:, 0] = np.arange(3)[:, None] * 10
    clip = clip_of(Anm(9, 0, frames), game, "clip")
    kept = [(track.kind, track.bones.tolist(), len(track.times)) for track in clip.tracks]
    assert kept == [("euler", [1, 4], 3), ("translation", [2], 3), ("euler", [2], 1), ("euler", [3], 4), ("translation", [3], 4)]


@pytest.mark.parametrize(
    ("bones", "keyed", "closing"),
    [
        (2, ["group 01"], 31.0),
        (3, ["group 01"], None),  # of one bone alone it may be what a change of type needs
        (3, ["group 01", "group 02"], 31.0),
        (3, [""], 31.0),
        (3, ["group 00"], 31.0),
        (3, [], None),
    ],
)
def test_where_generated_keys_close_a_loop(bones: int, keyed: list[str], closing: float | None) -> None:
    rig = Rig.build(Body.plain(bones).skeleton(), CONVENTION)
    ends = {Channel(bone, "rotation_euler", 0): np.array([31.0]) for bone in keyed}
    curves = {channel: Curve(np.array([1, 21], np.float32), np.zeros(2, np.float32)) for channel in ends}
    assert closing_frame(curves, ends, rig) == closing


def test_a_root_that_more_than_its_curves_moves_has_keys_as_it_is_shown() -> None:
    """By a control above it: 5 game units to the left and an eighth of a circle, at the second of three frames."""
    rig = Rig.build(Body.plain(2).skeleton(), CONVENTION)
    frames, still = np.array([1.0, 11, 21]), np.zeros((3, 2, 3))
    shown = BoneSamples(still.copy(), still.copy(), still + 1)
    parts = [(frames[:1], BoneSamples(*(each[:1] for each in (shown.angles, shown.positions, shown.sizes))))]
    parts.append((frames[1:], BoneSamples(*(each[1:] for each in (shown.angles, shown.positions, shown.sizes)))))
    own = {Channel("group 01", "location", 0): Curve(np.array([1], np.float32), np.ones(1, np.float32))}
    assert with_root(own, parts, rig, 0.001) is own
    shown.positions[1, 0, 0], shown.angles[1, 0, 1] = 5, np.pi / 4
    after = with_root(own, parts, rig, 0.001)
    assert after.keys() - own.keys() == {Channel("group 00", name, axis) for name in ("location", "rotation_euler") for axis in range(3)}
    back = sample_curves(after, frames, rig, 0.001)
    assert np.allclose(back.positions[:, 0], shown.positions[:, 0]) and np.allclose(back.angles[:, 0], shown.angles[:, 0])


@pytest.mark.parametrize("circles", [0.49, 0.51, 1.5])
def test_the_first_game_rotates_a_character_as_far_as_it_is_told(circles: float) -> None:
    """In one keyframe; the second one takes half a circle and more the other way round."""
    frames = np.zeros(2, frame_dtype(1))
    frames["duration"] = 10
    edits = [Action.of(Anm(9, 0, frames), game, 50.0) for game in (LBA1, LBA2)]
    for edit in edits:
        edit.lines[Channel("", "rotation_euler", 2)].values[1] = circles * 2 * np.pi
    assert edits[0].export()[0].values[1, 0].tolist() == [0, round(circles * 1024), 0]
    if circles < 0.5:
        assert edits[1].export()[0].values[1, 0].tolist() == [0, round(circles * 4096), 0]
    else:
        with pytest.raises(ExportError, match="by half a turn or more in one keyframe"):
            edits[1].export()


@BOTH
@pytest.mark.parametrize(("kind", "warned"), [(0, False), (1, False), (2, True), (3, True)])
def test_types_that_move_nothing_in_the_first_game_are_reported(game: Variant, kind: int, warned: bool) -> None:
    frames = np.zeros(2, frame_dtype(2))
    frames["duration"], frames["bones"]["type"][1, 1] = 10, kind
    with log.collect() as heard:
        Anm(0, 0, frames).check(game)
    assert bool([text for text in heard.digest("WARNING") if "type" in text or "bone" in text]) is (warned and game is LBA1)
