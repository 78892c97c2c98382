"""Bones of one name in both figures beside what has a role: weapons, tails, ears."""

from __future__ import annotations

from collections import Counter

from .humanoid.evidence import Labels
from .kinds import plain_bone, says_more
from .pairing import UNSURE, Pairing

_SAME_NAME = 0.85
"""The confidence of a pair that is called the same."""


def pair_same_names(pairing: Pairing) -> None:
    """What is called the same in both: weapons, tails, ears."""
    taken = pairing.taken
    one, two = _free(pairing.source_labels, pairing.used), _free(pairing.target_labels, taken)
    roles_one, roles_two = set(pairing.source_labels.roles.values()), set(pairing.target_labels.roles.values())
    lowest = _first_numbers(pairing.source_labels), _first_numbers(pairing.target_labels)
    for key, first in one.items():
        second = two.get(key, -1)
        if second < 0 or first in roles_one or second in roles_two:
            continue
        if not says_more(pairing.source_labels.names[first]) and not _hang_alike(pairing, first, second):
            continue  # a number alone is a tail here and a sleeve there
        if plain_bone(pairing.source_labels.names[first]) and plain_bone(pairing.target_labels.names[second]):
            counted = lowest[0].get(key[1:2] + pairing.source_labels.names[first].tokens) == lowest[1].get(
                key[1:2] + pairing.target_labels.names[second].tokens
            )
            note = "the same name, but the bones of the limb are numbered otherwise"
            pairing.pair(first, second, "", _SAME_NAME if counted else UNSURE, note)


def _free(labels: Labels, taken: set[int]) -> dict[tuple[str, str, int], int]:
    """Bones without a pair by their name's normal form; those of which there are several are left out."""
    keys = {bone: (name.plain, name.side, name.copy) for bone, name in enumerate(labels.names) if name.tokens}
    often = Counter(keys.values())
    return {key: bone for bone, key in keys.items() if bone not in taken and often[key] == 1}


def _hang_alike(pairing: Pairing, one: int, two: int) -> bool:
    """Whether the nearest bones above them that are paired are paired with each other."""
    ones, twos = pairing.hierarchies
    first = next((bone for bone in ones.above(one) if bone in pairing.paired), -1)
    second = next((bone for bone in twos.above(two) if bone in pairing.followed), -1)
    return first >= 0 and pairing.paired[first] == second


def _first_numbers(labels: Labels) -> dict[tuple[str, ...], int]:
    """The side and tokens of a name -> the lowest number that it is given."""
    result: dict[tuple[str, ...], int] = {}
    for name in labels.names:
        number = int(name.numbers[-1]) if name.numbers and name.numbers[-1].isdigit() else -1
        key = (name.side, *name.tokens)
        result[key] = min(result.get(key, number), number)
    return result
