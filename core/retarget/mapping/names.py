"""Bone names taken apart: words, side and numbers, whatever the prefix, the letter case and the separators."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from . import vocabulary
from .vocabulary import Scores

Side = Literal["left", "right", ""]

_CHUNK = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[A-Z]|[^A-Z]+")
_COPY = re.compile(r"\.(\d{3})$")
_MOST = 0.6
"""What this part of the bones begin or end with is no part of their names."""

_SHORT = 2
"""Letters that a word must have to be found without separators; shorter ones are sides, at the ends of a run."""

_SIDED = 4
"""Bones of each side that a skeleton must have for rare words to be sides."""

_UNKNOWN = 0.9
"""What a word that is in no table leaves of the score."""


@dataclass(frozen=True)
class Name:
    """words: lower case, without side and numbers. side: left, right or "". numbers: as they stand, with their leading zeros.

    parts: part of the body -> score, helpers' already reduced. joint: which joint of a finger by a word, 0 the metacarpal, -1 unknown.
    copy: the number of Blender's suffix `.001`, which is no part of `numbers`; -1 without. plain: words and numbers in a normal form.
    doubt: what the helper words among them leave of the parts' scores.
    """

    words: tuple[str, ...]
    side: Side
    numbers: tuple[str, ...]
    parts: Scores
    joint: int
    copy: int
    plain: str
    doubt: float

    @property
    def finger(self) -> str:
        """Which finger the name means, "" if none."""
        return next((finger for finger in vocabulary.FINGERS if self.parts.get(finger, 0) > 0), "")


def other(side: Side) -> Side:
    """The opposite side."""
    return "right" if side == "left" else "left" if side == "right" else ""


def read_names(names: Sequence[str]) -> list[Name]:
    """All names of a skeleton, without what most of them begin or end with."""
    texts = [vocabulary.plain(name) for name in names]
    texts = [re.split(r"[:|]", text)[-1] or text for text in texts]
    texts = _without_common(texts)
    left, right = _sides_of(texts)
    return [_read(text, left, right) for text in texts]


def _sides_of(texts: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Words for left and right; where none of the usual ones is there, letters of Romance languages that come in equal numbers."""
    if not any(_sides(_words(text)) for text in texts):
        words = Counter(word for text in texts for word in _words(text))
        for left, right in vocabulary.RARE_SIDES:
            if words[left] == words[right] >= _SIDED:
                return frozenset((left,)), frozenset((right,))
    return vocabulary.LEFT, vocabulary.RIGHT


def _without_common(texts: list[str]) -> list[str]:
    """Cut the prefix (`mixamorig`, `Bip01 `) and the suffix (`_jnt`, `.001`) that most names share."""
    if len(texts) < 5:
        return texts
    prefix = _common([text.casefold() for text in texts])
    if prefix and not _ends_inside(prefix):
        texts = [text[len(prefix) :] if text.casefold().startswith(prefix) and len(text) > len(prefix) else text for text in texts]
    suffix = _common([text.casefold()[::-1] for text in texts])[::-1]
    cut = re.search(r"[\W_].*", suffix)
    if cut and not _sides(_words(cut.group())):
        end = cut.group()
        texts = [text[: -len(end)] if text.casefold().endswith(end) and len(text) > len(end) else text for text in texts]
    return texts


def _common(texts: list[str]) -> str:
    """The longest beginning that most of the texts share; digits that differ behind it are not cut apart."""
    prefix, left = "", texts
    while True:
        following = Counter(text[len(prefix)] for text in left if len(text) > len(prefix))
        letter, count = following.most_common(1)[0] if following else ("", 0)
        if count < _MOST * len(texts):
            break
        prefix += letter
        left = [text for text in left if text.startswith(prefix)]
    digits = re.search(r"\d+$", prefix)
    if digits and sum(len(text) == len(prefix) or text[len(prefix)].isdecimal() for text in left) > len(left) / 4:
        prefix = prefix[: digits.start()]
    return prefix


def _ends_inside(prefix: str) -> bool:
    """Whether a prefix says something about the body, or is only the first letters of a word."""
    words = _words(prefix)
    if len(prefix) < 2 or _sides(words):
        return True
    return any(word in vocabulary.SIDED or vocabulary.CENTRAL.get(word, {}).keys() - {"root"} for word in words)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for chunk in _CHUNK.findall(text) for word in _split(chunk))


def _sides(words: tuple[str, ...], left: frozenset[str] = vocabulary.LEFT, right: frozenset[str] = vocabulary.RIGHT) -> set[Side]:
    found: set[Side] = set()
    if any(word in left for word in words):
        found.add("left")
    if any(word in right for word in words):
        found.add("right")
    return found


@lru_cache(maxsize=8192)
def _split(chunk: str) -> tuple[str, ...]:
    """The words of a run of letters: by its capitals, or by the words that it is made of, whichever knows more."""
    if chunk.isdecimal():
        return (chunk,)
    camel = tuple(word for run in _CAMEL.findall(chunk) for word in (_segments(run.casefold()) or (run.casefold(),)))
    whole = _segments(chunk.casefold())
    return whole if whole and _strange(camel) else camel


def _strange(words: tuple[str, ...]) -> int:
    return sum(word not in vocabulary.WORDS for word in words)


@lru_cache(maxsize=8192)
def _segments(run: str) -> tuple[str, ...]:
    """The fewest known words that make up a run of small letters, () if there are none that do. A side may be one letter at an end."""
    if run in vocabulary.WORDS:
        return (run,)
    if len(run) > 48:
        return ()
    best: list[tuple[float, tuple[str, ...]] | None] = [None] * (len(run) + 1)
    best[0] = (0.0, ())
    for end in range(1, len(run) + 1):
        for start in range(end):
            before, word = best[start], run[start:end]
            if before is None or word not in vocabulary.WORDS:
                continue
            if len(word) < _SHORT and word.isascii() and not (word in "lr" and (start == 0 or end == len(run))):
                continue
            price = before[0] + (1.5 if len(word) < _SHORT and word.isascii() else 1.0)
            now = best[end]
            if now is None or price < now[0]:
                best[end] = (price, (*before[1], word))
    found = best[-1]
    return found[1] if found else ()


@lru_cache(maxsize=8192)
def _read(text: str, left: frozenset[str], right: frozenset[str]) -> Name:
    found = _COPY.search(text)
    copy = int(found.group(1)) if found else -1
    everything = _words(text[: found.start()] if found else text)
    numbers = tuple(word for word in everything if word.isdecimal())
    sides = _sides(everything, left, right)
    side: Side = next(iter(sides)) if len(sides) == 1 else ""
    words = tuple(word for word in everything if not word.isdecimal() and word not in left | right)
    joint = next((vocabulary.JOINTS[word] for word in words if word in vocabulary.JOINTS), -1)
    plain = "_".join(("".join(words), *(number.lstrip("0") or "0" for number in numbers)))
    parts, doubt = _parts(words, side)
    return Name(words, side, numbers, parts, joint, copy, plain, doubt)


def _joined(words: tuple[str, ...]) -> list[str]:
    """Words with qualifiers put to the noun beside them: (up, leg) -> upleg, (arm, upper) -> upperarm, (all, parent) -> allparent."""
    result: list[str] = []
    at = 0
    while at < len(words):
        pair = words[at : at + 2]
        for first, second in (pair, pair[::-1]) if len(pair) == 2 else ():
            known = vocabulary.QUALIFIERS.get(first, first) + second
            if (first in vocabulary.QUALIFIERS or (first, second) in _PHRASES) and (
                known in vocabulary.CENTRAL or known in vocabulary.SIDED
            ):
                result.append(known)
                at += 2
                break
        else:
            result.append(words[at])
            at += 1
    return result


_PHRASES = {("hip", "joint"), ("toe", "base"), ("hand", "fist"), ("foot", "ball"), ("toe", "ball"), ("index", "finger"), ("ring", "finger")}


_FRONT = {"UpperLeg": "UpperArm", "LowerLeg": "LowerArm", "Foot": "Hand"}
"""The front legs of beasts are what arms are to people."""


def _parts(words: tuple[str, ...], side: Side) -> tuple[Scores, float]:
    """What a bone may be by its words, and how much its helper words leave of that."""
    factor = 1.0
    nouns: list[Scores] = []
    for word in _joined(words):
        first, second = (vocabulary.SIDED, vocabulary.CENTRAL) if side else (vocabulary.CENTRAL, vocabulary.SIDED)
        meaning = first.get(word, second.get(word))
        if meaning is not None:
            nouns.append(meaning)
        factor *= vocabulary.HELPERS.get(word, 1.0 if word in vocabulary.WORDS or meaning is not None else _UNKNOWN)
    fingers = [noun for noun in nouns if any(part in vocabulary.FINGERS for part in noun)]
    if fingers:
        chosen: Scores = dict(fingers[-1])
    elif any("Finger" in noun for noun in nouns):
        chosen = {"Finger": 1.0}
    else:
        chosen = {}
        limbs = [noun for noun in nouns if any(part in vocabulary.LIMBS for part in noun)] or nouns
        for position, noun in enumerate(reversed(limbs)):
            for part, score in noun.items():
                chosen[part] = max(chosen.get(part, 0.0), score * 0.8**position)
    if not side and any(part in vocabulary.LIMBS for part in chosen):
        chosen = {part: score * (1.0 if part not in vocabulary.LIMBS else 0.8) for part, score in chosen.items()}
    if "front" in words:
        chosen = {_FRONT.get(part, part): score for part, score in chosen.items()}
    if "upper" in words and "chest" in chosen:
        chosen = {**chosen, "upperChest": chosen["chest"]}
    return {part: score * factor for part, score in chosen.items()}, factor
