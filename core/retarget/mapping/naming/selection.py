"""Which bones of a rig show its shape: the deform bones or the controls, without IK, mechanism, hair and props."""

from __future__ import annotations

from collections.abc import Sequence, Set

from ...anatomy.tree import Tree, tree_of
from ...figures.figure import Figure
from .names import Name
from .vocabulary import ALONG, HELPERS

MECHANISM = frozenset(("mch", "org", "vis", "wgt", "widget", "drv", "driver"))
DEFORM = frozenset(("def",))
FORWARD = frozenset(("fk",))
HIDDEN = MECHANISM | DEFORM
"""Of bones that nobody is to move by hand."""
LAYERS = HIDDEN | FORWARD | frozenset(("ctrl", "control"))

FEW = 8
"""Bones that a rig must have of a layer for it to be one."""


def has_layers(names: Sequence[Name], *layers: Set[str]) -> bool:
    """Whether a rig has each of these layers, by the tokens of names."""
    return all(sum(not layer.isdisjoint(name.tokens) for name in names) >= FEW for layer in layers)


def select(figure: Figure, names: Sequence[Name], controls: bool) -> Tree:
    """The bones that may have a role. controls: of a rig with several layers, those that a person moves; else those that deform."""
    tokens = [frozenset(name.tokens) for name in names]
    deform = {bone for bone, have in enumerate(tokens) if have & DEFORM}
    mechanism = {bone for bone, have in enumerate(tokens) if have & MECHANISM}
    chosen = [bone for bone, name in enumerate(names) if name.doubt > 0.25 or not _drops(name)]
    if len(deform) >= FEW and len(mechanism) >= FEW:
        layer = set(range(len(names))) - deform - mechanism if controls else deform
        chosen = [bone for bone in chosen if bone in layer]
        if controls:
            chosen = _forward_only(chosen, names)
    if len(chosen) < 3:
        chosen = list(range(len(names)))
    return tree_of(chosen, figure.parents.tolist(), figure.heads, figure.tails, _twins(chosen, names))


def _drops(name: Name) -> bool:
    return any(HELPERS.get(token, 1.0) < 0.25 and token not in ALONG for token in name.tokens)


def key(name: Name, *others: str) -> tuple[object, ...]:
    """What a bone has in common with those that do its work on other layers. others: tokens that make no difference either."""
    return (*(token for token in name.tokens if token not in LAYERS and token not in others), name.side, name.numbers, name.copy)


def inverse(names: Sequence[Name]) -> set[int]:
    """The controls for inverse kinematics of what others move by forward kinematics."""
    forward = {key(name) for name in names if FORWARD & frozenset(name.tokens)}
    return {bone for bone, name in enumerate(names) if "ik" in name.tokens and key(name, "ik") in forward}


def _forward_only(chosen: list[int], names: Sequence[Name]) -> list[int]:
    """Where a bone has a control for forward kinematics, only that."""
    forward = {key(names[bone]) for bone in chosen if "fk" in names[bone].tokens}
    return [bone for bone in chosen if "fk" in names[bone].tokens or key(names[bone]) not in forward]


def _twins(chosen: Sequence[int], names: Sequence[Name]) -> dict[int, int]:
    """Bones of other layers -> the chosen bone of the same name."""
    by_key = {key(names[bone]): bone for bone in chosen}
    inside = set(chosen)
    twins: dict[int, int] = {}
    for bone, name in enumerate(names):
        twin = by_key.get(key(name), -1)
        if bone not in inside and twin >= 0 and frozenset(name.tokens) & LAYERS:
            twins[bone] = twin
    return twins
