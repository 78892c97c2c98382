"""The lines of the browser: what a file holds, what is ticked, and what the search leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import bpy

from ...core.declare.game import Game
from ...core.games import GAMES

if TYPE_CHECKING:
    from ...io.pipeline.contents import Contents

_Item = tuple[str, str, str]
_tabs: list[_Item] = []
"""Of the pages of the file that is shown. Blender does not keep the texts of choices: somebody must."""

_searched: list[tuple[str, str]] = []
"""Page and text of every line, as the search compares them: thousands of them are looked through with each letter."""


_alone: dict[str, int] = {}
"""By page the line that is ticked there without anybody having ticked it: the tick goes with the line that is clicked."""


def clicked(browser: Any) -> None:
    """Whoever clicks a line and ticks nothing means that line, not the first one."""
    index, lines = browser.index, browser.lines
    if not 0 <= index < len(lines):
        return
    page = lines[index].page
    last = _alone.get(page)
    ticked = [number for number, chosen in enumerate(ticks(browser)) if chosen and lines[number].page == page]
    if last is not None and ticked == [last]:
        lines[index].chosen = True
        _alone[page] = index


def ticked(line: Any, context: Any) -> None:
    """The first tick of a person takes the place of the one that nobody made."""
    last = _alone.pop(line.page, None)
    if last is not None and line.chosen:
        lines = browser_of(context).lines
        if 0 <= last < len(lines) and lines[last] != line:
            lines[last].chosen = False


def page_chosen(browser: Any) -> None:
    """The active line, whose picture is shown, is one of the page that is shown: the one that is ticked there, else the first."""
    index, lines = browser.index, browser.lines
    if 0 <= index < len(lines) and lines[index].page == browser.tab:
        return
    here = [number for number, line in enumerate(lines) if line.page == browser.tab]
    if here:
        browser.index = next((number for number in here if lines[number].chosen), here[0])


def typed(browser: Any) -> None:
    """A tick that nobody made goes to the first line that the search leaves: who searches and presses Import means what is seen."""
    last, left = _alone.get(browser.tab), shown(browser)
    if last is not None and last < len(left) and not left[last] and any(left):
        browser.index = left.index(True)


def forget_alone(browser: Any) -> None:
    """Before many are ticked at once: a tick that nobody made does not stay where the search hides it."""
    last, left = _alone.pop(browser.tab, None), shown(browser)
    if last is not None and last < len(left) and not left[last]:
        browser.lines[last].chosen = False


def several_pages() -> bool:
    """Whether the file that is shown has more than one page."""
    return len(_tabs) > 1


def tab_items() -> list[_Item]:
    """Of the choice of a page."""
    return _tabs or [("NONE", "None", "")]  # Blender warns of a choice without any


def browser_of(context: bpy.types.Context) -> Any:
    manager: Any = context.window_manager
    return manager.retro_anim_browser


def fill(browser: Any, game: Game, contents: Contents, path: str = "") -> bool:
    """Show what the file at `path` holds; False where that is nothing. What is to be ticked at first is; of a page without such its first
    line."""
    browser.game, browser.path = game.id, path
    browser.lines.clear()
    browser.index, browser.search = 0, ""
    _searched.clear()
    _alone.clear()
    filled = [page for page in game.pages if contents.get(page.name)]
    for page in filled:
        lines = contents[page.name]
        ticked = any(line.chosen for line in lines)
        first = len(browser.lines)
        for number, line in enumerate(lines):
            item = browser.lines.add()
            item.name, item.page, item.key = f"{line.title} {line.label}".strip(), page.name, line.key
            item.title, item.kind = line.title or line.label, line.kind
            item.clips, item.frames, item.seconds = line.clips, line.frames, line.seconds
            item.chosen = line.chosen if ticked else number == 0
            item.pictured = page.whole or not line.frames  # a single animation would show the same body again and again
            _searched.append((page.name, _plain(item.name)))
        if not ticked:
            _alone[page.name] = first
    _tabs[:] = [(page.name, f"{page.title} ({len(contents[page.name])})", page.help) for page in filled]
    if filled:
        browser.tab = filled[0].name
    return bool(filled)


def follow(browser: Any, game: Game, contents: Contents, path: str) -> bool:
    """Show what the same file holds now, or with other options: what is ticked, searched and active stays so, as far as it is still there.
    Returns whether a line differs."""
    said = [(line.page, line.key, line.title, line.kind) for line in browser.lines]
    there = [(page.name, line.key, line.title or line.label, line.kind) for page in game.pages for line in contents.get(page.name, ())]
    if said == there or not there:
        return False
    before = [key[:2] for key in said]
    chosen = {key for key, ticked in zip(before, ticks(browser), strict=True) if ticked}
    active = before[browser.index] if 0 <= browser.index < len(before) else ("", "")
    tab, search, alone = browser.tab, browser.search, {before[index] for index in _alone.values()}
    fill(browser, game, contents, path)
    keys = [(line.page, line.key) for line in browser.lines]
    position = {key: number for number, key in enumerate(keys)}
    kept = {page for page, _ in before} - {page for page, _ in chosen} | {page for page, _ in chosen & position.keys()}
    tick(browser, [key in chosen if key[0] in kept else now for key, now in zip(keys, ticks(browser), strict=True)])
    for page in kept:
        _alone.pop(page, None)
    _alone.update((key[0], position[key]) for key in alone & position.keys())  # before the search, which moves such ticks
    browser.tab = tab if tab in {page for page, *_ in _tabs} else browser.tab
    browser.search = search
    browser.index = position.get(active, browser.index)
    return True


def pictured(browser: Any, item: Any) -> tuple[Game, str, str, str]:
    """Whose picture a line has: the game, the file, and the import option that takes the line, with its key."""
    game = GAMES[browser.game]
    option = next(page.option for page in game.pages if page.name == item.page)
    return game, browser.path, option, item.key


def _plain(text: str) -> str:
    """In small letters without accents, which not every keyboard has: zoe finds Zoé."""
    import unicodedata  # a library that Blender's start does not need

    return "".join(letter for letter in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(letter))


def shown(browser: Any) -> list[bool]:
    """For each line whether the page and the search leave it."""
    if len(_searched) != len(browser.lines):
        _searched[:] = [(line.page, _plain(line.name)) for line in browser.lines]
    tab, parts = browser.tab, _plain(browser.search).split()
    return [page == tab and all(part in text for part in parts) for page, text in _searched]


def ticks(browser: Any) -> list[bool]:
    """For each line whether it is ticked."""
    chosen = [False] * len(browser.lines)
    browser.lines.foreach_get("chosen", chosen)
    return chosen


def tick(browser: Any, chosen: Sequence[bool]) -> None:
    browser.lines.foreach_set("chosen", chosen)


def _meant(browser: Any) -> list[bool]:
    """For each line whether it is ticked, but for a tick that nobody made where the search leaves nothing that it could go to."""
    chosen, last = ticks(browser), _alone.get(browser.tab)
    if last is not None and last < len(chosen) and not shown(browser)[last]:
        chosen[last] = False
    return chosen


def keys(browser: Any) -> list[str]:
    """Of the ticked lines of the page, whether the search shows them or not."""
    return [line.key for line, chosen in zip(browser.lines, _meant(browser), strict=True) if chosen and line.page == browser.tab]


def elsewhere(browser: Any) -> list[str]:
    """Titles of the other pages on which a person has ticked lines, with their number: Import takes those of the page that is shown."""
    ticked = Counter(page for (page, _), chosen in zip(_searched, ticks(browser), strict=True) if chosen)
    others = [(page, title) for page, title, _ in _tabs if ticked[page] and page != browser.tab and page not in _alone]
    return [f"{ticked[page]} in {title.rpartition(' (')[0]}" for page, title in others]


def counts(browser: Any) -> tuple[int, int, int]:
    """Of the page: the lines that are ticked, all lines, and those that the search leaves."""
    tab = browser.tab
    left = shown(browser)
    chosen = _meant(browser)
    here = [page == tab for page, _ in _searched]
    return sum(a and b for a, b in zip(here, chosen, strict=True)), sum(here), sum(left)
