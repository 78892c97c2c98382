"""The samples of this repository that tests open for every game."""

from __future__ import annotations

from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

CLIPS = {
    "lba": "lba1/walk.anm",
    "oni": "oni/TRAMmannequin_walk.oni",
    "oni2": "oni2/Entity/mannequin/mannequin_walk.anim",
    "mindpower": "mindpower/animation/0001.lab",
}
"""By game a file with one clip."""

EDITIONS = {
    "lba1": "lba1/walk.anm",
    "lba2": "lba2/walk.anm",
    "oni": "oni/TRAMmannequin_walk.oni",
    "oni2": "oni2/RB.DAT",
    "mindpower": "mindpower/animation/0001.lab",
}
"""By edition of a game a file that brings its character along."""
