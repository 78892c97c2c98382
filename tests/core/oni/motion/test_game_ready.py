"""What the game or OniSplit cannot use, although the file holds it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.oni.files.documents import TramFile
from retro_anim.core.oni.game_ready import missing_names, problems_of
from retro_anim.core.oni.motion.derived import Figure
from retro_anim.core.oni.motion.evaluate import local_rotations
from retro_anim.core.oni.motion.key_reduction import thin_to_fit
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.reporting.errors import ExportError

from ..example import OFFSETS, PARENTS

LAST_TRACK = 0x7FFF
"""OniSplit reads where a track starts with a sign."""

NAMES = tuple(f"bone {index}" for index in range(19))
FIGURE = Figure(PARENTS, OFFSETS)


def playable(frames: int, **fields: object) -> Tram:
    """Idle, from standing to standing."""
    return replace(Tram.new("TRAMown", frames), type=93, from_state=7, to_state=7, **fields)


def dense(frames: int, step: float) -> Rotations:
    """A key a frame, of the angles that a wave of `step` 1/65535 circles has."""
    every = np.arange(frames)
    wave = np.rint(step * np.sin(every / 9))[:, None] * [1, 2, 3]
    return Rotations.of_tracks([every] * 19, [wave.astype(np.int16)] * 19, frames, 6)


def test_a_clip_without_problems() -> None:
    attack = np.zeros(1, tram_layout.ATTACK)
    attack["start"], attack["end"] = 3, 9
    assert problems_of(playable(10, attacks=attack)) == []


@pytest.mark.parametrize("name", ["type", "from_state", "to_state"])
def test_what_is_none_is_never_played(name: str) -> None:
    (line,) = problems_of(replace(playable(10), **{name: 0}))
    assert line.startswith(f"{name.replace('_', ' ')}: None, so that the game never plays it")
    assert problems_of(replace(playable(10), **{name: 0}, flags=0x2000)) == [], "an overlay is played by its name"


def test_the_last_track(game_file: Callable[[str], Path]) -> None:
    """19 tracks with a key a frame take 38 + 19 * (7 n - 1) bytes: the last starts at 38 + 18 * (7 n - 1), up to 32767 for 259 frames."""
    assert problems_of(playable(259, rotations=dense(259, 5).pack())) == []
    (line,) = problems_of(playable(261, rotations=dense(261, 5).pack()))
    assert f"starts at byte {38 + 18 * (7 * 261 - 1)}, and OniSplit imports none that does beyond 32767" in line


def test_attacks_and_events_beyond_the_end() -> None:
    attack, sound = np.zeros(2, tram_layout.ATTACK), np.zeros(1, tram_layout.SOUND)
    attack["start"], attack["end"] = (3, 8), (10, 2)
    sound["frame"] = 99
    assert problems_of(playable(10, attacks=attack, sounds=sound, action_frame=10)) == [
        "attack 1 goes from frame 3 to 10, and the animation ends at 9",
        "attack 2 starts at frame 8, behind its end at 2: it never hits",
        "sound 1 is at frame 99, and the animation ends at 9",
        "its action frame is 10, and the animation ends at 9",
    ]


def test_who_is_thrown_has_256_frames() -> None:
    assert problems_of(playable(256, flags=0x10000)) == []
    assert "the game takes at most 256" in problems_of(playable(257, flags=0x10000))[0]
    assert problems_of(playable(257)) == []


def test_names_that_are_nowhere(game_file: Callable[[str], Path], tmp_path: Path) -> None:
    path = str(shutil.copyfile(game_file("oni/instances/TRAMTESTrandom.oni"), tmp_path / "TRAMTESTrandom.oni"))
    given = TramFile.parse(Path(path).read_bytes()).tram
    assert missing_names(given, path) == [f"its direct animation TRAMSHINZOMidle1_wiki is in no file around {path}"]
    shutil.copyfile(game_file("oni/instances/TRAMSHINZOMidle1_wiki.oni"), tmp_path / "TRAMSHINZOMidle1_wiki.oni")
    assert missing_names(given, path) == []
    (tmp_path / "OSBDother.imp.oni").write_bytes(b"")
    assert [line.split(" is in no file")[0] for line in missing_names(given, path)] == [
        f"its sound {bytes(row['name']).decode()}" for row in given.sounds
    ]


def test_fewer_keys_until_it_fits() -> None:
    """500 frames with a key on each are more than the format itself can hold."""
    frames = 500
    block = dense(frames, 900)
    with pytest.raises(ExportError, match="reduce the keys"):
        block.pack()
    thinned = thin_to_fit(block, NAMES, FIGURE, LAST_TRACK, 1.0)
    offsets = np.frombuffer(thinned.rotations.pack(), "<u2", 19)
    assert offsets[-1] <= 32767
    assert 0 < np.degrees(thinned.angle) <= 0.5
    every = np.arange(frames, dtype=float)
    off = np.abs(np.einsum("tbi,tbi->tb", local_rotations(block, every), local_rotations(thinned.rotations, every))).min()
    assert 2 * np.arccos(min(off, 1)) <= thinned.angle + 1e-4


def test_what_fits_keeps_all_keys() -> None:
    block = dense(100, 900)
    assert thin_to_fit(block, NAMES, FIGURE, LAST_TRACK, 1.0).rotations is block


def test_what_never_fits_is_said() -> None:
    noise = np.random.default_rng(1).integers(-30000, 30000, (300, 3)).astype(np.int16)
    block = Rotations.of_tracks([np.arange(300)] * 19, [noise] * 19, 300, 6)
    with pytest.raises(ExportError, match=r"\d+ rotation keys are left within 5 degrees, and still too many: split the animation"):
        thin_to_fit(block, NAMES, FIGURE, LAST_TRACK, 1.0)
