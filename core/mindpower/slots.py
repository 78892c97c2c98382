"""What the dummies of a skeleton are for: their ids are slots of the game (the engine's CharacterModel.h)."""

from __future__ import annotations

SLOTS = (
    "base", "head top", "chest", "pelvis", "left shoulder", "left arm", "left hand", "right shoulder", "right arm", "right hand",
    "left leg 1", "left leg 2", "left leg 3", "right leg 1", "right leg 2", "right leg 3",
    "extra 1", "extra 2", "extra 3", "extra 4", "extra 5", "extra 6", "extra 7", "extra 8",
)  # fmt: skip


def slot_name(number: int) -> str:
    """ "6 left hand"; a number beyond the game's slots alone."""
    return f"{number} {SLOTS[number]}" if 0 <= number < len(SLOTS) else str(number)
