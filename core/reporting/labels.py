"""Names for Blender, whatever the file has there: text without what Blender cuts or cannot write, and none twice.

The file's own name stays in the file that is kept, and is written back where nobody has renamed what carries it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

LIMIT = 63
"""Bytes in most of Blender's names."""

LONGEST_LINE = 1000
"""Letters of a message that are shown."""

CLEAR = "clear that, or mute what gives it that"
"""What to do about what a game does not hold of a bone."""

REPEAT = "set the strip's Repeat to 1, with Cyclic Animation on in its action, since the game repeats a loop by itself"
"""What to do about a loop that a strip repeats, and the game cannot go on with as the strip does."""

BAKE = "bake what it plays into an action of its own, to let that go on in another way"
"""The same of a loop that a strip, or a part between markers, plays in part or at another speed: its action's is as it was."""

_SURROGATE_BYTES = range(0xDC80, 0xDD00)


def label(text: str, fallback: str = "unnamed", limit: int = LIMIT) -> str:
    """As Blender takes it: control characters, direction marks and halves of characters as escapes (`\\x00`), at most `limit` bytes of
    UTF-8, `fallback` where nothing is left."""
    return _cut(escaped(text).strip(), limit).strip() or _cut(fallback, limit)


def escaped(text: str) -> str:
    """The text in one line, as it can be shown anywhere: what controls a terminal or turns the direction of writing as escapes."""
    return text if text.isprintable() else "".join(map(_shown, text))


def line(text: str) -> str:
    """A message as one line of bounded length, whatever names and values stand in it."""
    half = LONGEST_LINE // 2
    return escaped(text if len(text) <= LONGEST_LINE else f"{text[:half]} ... {text[-half:]}")


def with_article(noun: str) -> str:
    """As it is spoken: an LBA body, an animation, a bone."""
    vowels = "AEFHILMNORSX" if noun[1:2].isupper() else "aeiouAEIOU"
    return f"an {noun}" if noun[0] in vowels else f"a {noun}"


def unique(names: Iterable[str], taken: Iterable[str] = (), limit: int = LIMIT, fallback: str = "bone") -> tuple[str, ...]:
    """As `label`, none twice and none of `taken`: numbers behind those that would be. Empty ones are the fallback and their position."""
    used, last = set(taken), dict[str, int]()
    unique: list[str] = []
    for index, name in enumerate(names):
        wanted = label(name, f"{fallback} {index}", limit)
        chosen = wanted
        while chosen in used:
            last[wanted] = last.get(wanted, 0) + 1
            number = f".{last[wanted]:03}"
            chosen = _cut(wanted, limit - len(number)) + number
        used.add(chosen)
        unique.append(chosen)
    return tuple(unique)


def _shown(letter: str) -> str:
    import unicodedata

    code = ord(letter)
    if code in _SURROGATE_BYTES:  # a byte that was no text
        return f"\\x{code - 0xDC00:02x}"
    if letter == " " or unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return letter
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _cut(text: str, size: int) -> str:
    """At most `size` bytes of it."""
    return text.encode(errors="replace")[: max(size, 0)].decode(errors="ignore")


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: 1 character, 3 characters. plural: where it does not end in a mere s."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def natural(text: str) -> list[str | int]:
    """Texts and numbers by turns, by which names are sorted as people count: 2 comes before 10."""
    return [int(part) if position % 2 else part.lower() for position, part in enumerate(re.split(r"(\d+)", text))]


def first_few(names: Sequence[object], most: int = 5, between: str = "") -> str:
    """The first of them, and how many more there are: a, b and 3 more. between: unless commas, or semicolons where names have commas."""
    first = [str(name) for name in names[:most]]
    shown = (between or ("; " if any("," in name for name in first) else ", ")).join(first)
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def spans(names: Sequence[str]) -> str:
    """Sorted names in one line, three numbers or more that follow each other as a span: 3, 5-9, arm."""
    rows: list[list[str]] = []
    for name in names:
        follows = rows and name.isdecimal() and rows[-1][-1].isdecimal() and int(name) == int(rows[-1][-1]) + 1
        if follows:
            rows[-1].append(name)
        else:
            rows.append([name])
    return ", ".join(f"{row[0]}-{row[-1]}" if len(row) > 2 else ", ".join(row) for row in rows)


def counted_from(first: str, number: int, noun: str) -> str:
    """How many there are, and the first of them: 3 bones (first: arm); one alone by its name."""
    return f"{counted(number, noun)} (first: {first})" if number > 1 else first


def rather(name: str, names: Sequence[str]) -> str:
    """What helps who asked for a name that there is not: did you mean a; b? Or, where none is like it, there are c; d and 3 more.

    Those that have it in them, or are in it, unless they are of a letter or two, come first, the nearest in length before others; else
    those that are spelled almost like it.
    """
    from difflib import get_close_matches

    by_letters = {each.lower(): each for each in names if each}
    wanted = name.strip("*? ").lower()
    parts = [each for each in by_letters if wanted and (wanted in each or (len(each) > 2 and each in wanted))]
    near = sorted(parts, key=lambda each: abs(len(each) - len(wanted)))[:3] or get_close_matches(wanted, by_letters, 3)
    if near:
        return f"did you mean {'; '.join(by_letters[each] for each in near)}?"
    return f"there are {first_few(list(by_letters.values()), between='; ')}"  # a name may have a comma
