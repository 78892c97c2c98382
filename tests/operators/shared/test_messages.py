"""How the list of messages says what they are about."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/games/lba2/ANIM.HQR: 12 entries are blank", "ANIM.HQR: 12 entries are blank"),
        ("/games/lba2/ANIM.HQR#192: entry 192 is blank", "ANIM.HQR#192: entry 192 is blank"),
        ("Twinsen walk: /games is full: make room", "Twinsen walk: /games is full: make room"),
        ("nothing was imported", "nothing was imported"),
    ],
)
def test_without_the_folders_of_a_file(part: Callable[[str], ModuleType], text: str, shown: str) -> None:
    assert part("operators.shared.messages").without_folder(text) == shown
