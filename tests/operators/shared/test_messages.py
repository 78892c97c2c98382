"""How the list of messages says what they are about."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/games/lba2/ANIM.HQR: 12 entries are blank", "ANIM.HQR: 12 entries are blank"),
        ("/games/lba2/ANIM.HQR#192: entry 192 is blank", "#192: entry 192 is blank"),
        ("/games/oni/level1_Final.dat#TRAMidle: shown on Konoko", "TRAMidle: shown on Konoko"),
        ("Twinsen walk: /games is full: make room", "Twinsen walk: /games is full: make room"),
        ("nothing was imported", "nothing was imported"),
    ],
)
def test_without_the_folders_of_a_file(part: Callable[[str], ModuleType], text: str, shown: str) -> None:
    assert part("operators.shared.messages").without_folder(text) == shown


def test_what_merely_informs_in_the_same_words_is_one_line(part: Callable[[str], ModuleType]) -> None:
    """Warnings lead to the clip of each, and bones to themselves."""
    messages, log = part("operators.shared.messages"), part("core.reporting.log")
    said = [
        log.Message(level, "odd", f"clip {number}", bone=bone)
        for level in ("INFO", "WARNING")
        for bone in ("", "hips")
        for number in (1, 2)
    ]
    listed = [str(message) for message in messages.folded(said)]
    assert listed == ["clip 1: odd (2 times)", "clip 1: odd", "clip 2: odd", "clip 1: odd", "clip 2: odd", "clip 1: odd", "clip 2: odd"]


def test_a_row_shows_the_beginning_of_its_text(part: Callable[[str], ModuleType]) -> None:
    """As much of it as has room, and that there is more."""
    beginning, text = part("operators.shared.layout").beginning, "the game loops back to keyframe 1, and the closing key shows another pose"
    narrow, wide = (beginning(text, SimpleNamespace(width=width), 70) for width in (200, 300))
    assert 5 < len(narrow) < len(wide) < len(text)
    for shown in (narrow, wide):
        assert shown.endswith("…") and text.startswith(shown[:-1]) and shown[-2] != " "
    assert beginning(text, SimpleNamespace(width=2000), 70) == beginning(text, None, 70) == text


@pytest.mark.parametrize(("lines", "beside"), [(6, 72), (7, 92)])
def test_a_list_with_a_scroll_bar_has_less_room(part: Callable[[str], ModuleType], monkeypatch: Any, lines: int, beside: int) -> None:
    """Blender would cut the middle out of what is too long for it."""
    messages, given = part("operators.shared.messages"), list[int]()
    monkeypatch.setattr(messages, "beginning", lambda text, region, beside: given.append(beside) or text)
    row = SimpleNamespace(label=lambda **_: None)
    item = SimpleNamespace(short="short", name="name", level="INFO", obj="")
    context, layout = SimpleNamespace(region=None), SimpleNamespace(row=lambda align: row)
    messages.RETRO_ANIM_UL_messages.draw_item(None, context, layout, SimpleNamespace(lines=[item] * lines), item, 0, None, "")
    assert given == [beside]
