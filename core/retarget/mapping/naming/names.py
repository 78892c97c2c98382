"""Bone names taken apart: tokens, side and numbers, whatever the prefix, the letter case and the separators."""

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
"""Letters that a token must have to be recognised without separators; shorter ones are sides, at the ends of a run."""

_SIDED = 4
"""Bones of each side that a skeleton must have for rare tokens to be sides."""

_UNKNOWN = 0.9
"""What a token that is in no table leaves of the score."""


@dataclass(frozen=True)
class Name:
    """tokens: lower case, without side and numbers. side: left, right or "". numbers: as they stand, with their leading zeros.

    parts: part of the body -> score, helpers' already reduced. joint: which joint of a finger by a token, 0 the metacarpal, None unknown.
    copy: the number of Blender's suffix `.001`, which is no part of `numbers`; -1 without. plain: tokens and numbers in a normal form.
    doubt: what the helper tokens among them leave of the parts' scores.
    """

    tokens: tuple[str, ...]
    side: Side
    numbers: tuple[str, ...]
    parts: Scores
    joint: int | None
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
    """Tokens for left and right; where none of the usual ones is there, letters of Romance languages that come in equal numbers."""
    if not any(_sides(_tokens(text)) for text in texts):
        tokens = Counter(token for text in texts for token in _tokens(text))
        for left, right in vocabulary.RARE_SIDES:
            if tokens[left] == tokens[right] >= _SIDED:
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
    if cut and not _sides(_tokens(cut.group())):
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
    """Whether a prefix names a part of the body, or is only the first letters of a token."""
    tokens = _tokens(prefix)
    if len(prefix) < 2 or _sides(tokens):
        return True
    return any(token in vocabulary.SIDED or vocabulary.CENTRAL.get(token, {}).keys() - {"root"} for token in tokens)


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(token for chunk in _CHUNK.findall(text) for token in _split(chunk))


def _sides(tokens: tuple[str, ...], left: frozenset[str] = vocabulary.LEFT, right: frozenset[str] = vocabulary.RIGHT) -> set[Side]:
    result: set[Side] = set()
    if any(token in left for token in tokens):
        result.add("left")
    if any(token in right for token in tokens):
        result.add("right")
    return result


@lru_cache(maxsize=8192)
def _split(chunk: str) -> tuple[str, ...]:
    """The tokens of a run of letters or digits: by its capitals, or by the known tokens that it consists of, whichever knows more."""
    camel = tuple(token for run in _CAMEL.findall(chunk) for token in (_segments(run.casefold()) or (run.casefold(),)))
    whole = _segments(chunk.casefold())
    return whole if whole and _strange(camel) else camel


def _strange(tokens: tuple[str, ...]) -> int:
    return sum(token not in vocabulary.TOKENS for token in tokens)


@lru_cache(maxsize=8192)
def _segments(run: str) -> tuple[str, ...]:
    """The fewest known tokens that make up a run of small letters, () if there are none that do. A side may be one letter at an end."""
    if run in vocabulary.TOKENS:
        return (run,)
    if len(run) > 48:
        return ()
    best: list[tuple[float, tuple[str, ...]] | None] = [None] * (len(run) + 1)
    best[0] = (0.0, ())
    for end in range(1, len(run) + 1):
        for start in range(end):
            before, token = best[start], run[start:end]
            if before is None or token not in vocabulary.TOKENS:
                continue
            if len(token) < _SHORT and token.isascii() and not (token in "lr" and (start == 0 or end == len(run))):
                continue
            price = before[0] + (1.5 if len(token) < _SHORT and token.isascii() else 1.0)
            now = best[end]
            if now is None or price < now[0]:
                best[end] = (price, (*before[1], token))
    result = best[-1]
    return result[1] if result else ()


@lru_cache(maxsize=8192)
def _read(text: str, left: frozenset[str], right: frozenset[str]) -> Name:
    result = _COPY.search(text)
    copy = int(result.group(1)) if result else -1
    everything = _tokens(text[: result.start()] if result else text)
    numbers = tuple(token for token in everything if token.isdecimal())
    sides = _sides(everything, left, right)
    side: Side = next(iter(sides)) if len(sides) == 1 else ""
    tokens = tuple(token for token in everything if not token.isdecimal() and token not in left | right)
    joint = next((vocabulary.JOINTS[token] for token in tokens if token in vocabulary.JOINTS), None)
    plain = "_".join(("".join(tokens), *(number.lstrip("0") or "0" for number in numbers)))
    parts, doubt = _parts(tokens, side)
    return Name(tokens, side, numbers, parts, joint, copy, plain, doubt)


def _joined(tokens: tuple[str, ...]) -> list[str]:
    """Tokens with qualifiers put to the noun beside them: (up, leg) -> upleg, (arm, upper) -> upperarm, (all, parent) -> allparent."""
    result: list[str] = []
    at = 0
    while at < len(tokens):
        pair = tokens[at : at + 2]
        for first, second in (pair, pair[::-1]) if len(pair) == 2 else ():
            known = vocabulary.QUALIFIERS.get(first, first) + second
            if (first in vocabulary.QUALIFIERS or (first, second) in _PHRASES) and (
                known in vocabulary.CENTRAL or known in vocabulary.SIDED
            ):
                result.append(known)
                at += 2
                break
        else:
            result.append(tokens[at])
            at += 1
    return result


_PHRASES = {("hip", "joint"), ("toe", "base"), ("hand", "fist"), ("foot", "ball"), ("toe", "ball"), ("index", "finger"), ("ring", "finger")}


FRONT_PARTS = {"UpperLeg": "UpperArm", "LowerLeg": "LowerArm", "Foot": "Hand"}
"""The front legs of beasts are what arms are to people."""


def _parts(tokens: tuple[str, ...], side: Side) -> tuple[Scores, float]:
    """What a bone may be by its tokens, and how much its helper tokens leave of that."""
    factor = 1.0
    nouns: list[Scores] = []
    joined = _joined(tokens)
    is_front = not vocabulary.FRONT.isdisjoint(joined) and any(vocabulary.SIDED.get(token, {}).keys() & FRONT_PARTS for token in joined)
    for token in joined:
        if is_front and token in vocabulary.FRONT:  # of a leg, and no finger
            continue
        first, second = (vocabulary.SIDED, vocabulary.CENTRAL) if side else (vocabulary.CENTRAL, vocabulary.SIDED)
        meaning = first.get(token, second.get(token))
        if meaning is not None:
            nouns.append(meaning)
        factor *= vocabulary.HELPERS.get(token, 1.0 if token in vocabulary.TOKENS or meaning is not None else _UNKNOWN)
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
        chosen = {part: score * 0.8 for part, score in chosen.items()}
    if is_front:
        chosen = {FRONT_PARTS.get(part, part): score for part, score in chosen.items()}
    if "upper" in tokens and "chest" in chosen:
        chosen = {**chosen, "upperChest": chosen["chest"]}
    return {part: score * factor for part, score in chosen.items()}, factor
