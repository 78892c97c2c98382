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


def test_what_is_said_in_the_same_words_of_each_clip_is_one_line(part: Callable[[str], ModuleType]) -> None:
    """Whatever its level; bones and other words are lines of their own."""
    messages, log = part("operators.shared.messages"), part("core.reporting.log")
    said = [
        log.Message(level, text, f"clip {number}", bone=bone)
        for number in (1, 2)
        for level in ("INFO", "WARNING", "ERROR")
        for bone in ("", "hips")
        for text in ("odd", "even")
    ]
    groups = messages.folded(said)
    assert len(groups) == 3 * 2 * 2 and sorted(str(each) for same in groups for each in same) == sorted(map(str, said))
    assert {messages.text_of(same) for same in groups} == {"odd (2 times: clip 1, clip 2)", "even (2 times: clip 1, clip 2)"}


def test_a_line_names_what_it_has_room_for_and_says_where_the_others_are(part: Callable[[str], ModuleType]) -> None:
    messages, log = part("operators.shared.messages"), part("core.reporting.log")
    said = [log.Message("WARNING", "odd", f"/games/ANIM.HQR#{number}") for number in range(20)]
    assert messages.text_of(said[:3]) == "odd (3 times: #0, #1, #2)"
    whole = messages.text_of(said)
    assert "20 times" in whole and "#11 and 8 more" in whole and "#12" not in whole and whole.endswith(f"in the text {messages.TEXT})")


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
