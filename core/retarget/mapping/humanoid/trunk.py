"""Root, hips, spine, neck and head: the bones on the path from the root to the head, in this order, by names and by where the limbs
hang."""

from __future__ import annotations

from collections.abc import Sequence

from .assignment import best_states
from .evidence import Evidence

_STATES = ("root", "hips", "spine", "neck", "head", "")
_ONCE = (False, True, False, False, True, False)

_BETWEEN = 0.5
"""What a bone's position on the path from the legs to the head adds to its role's score."""

_CALLED = 0.5
"""A bone on which the legs hang is the hips for certain by a name as good as this, whatever the structure has above it."""

_LEAST = 0.35
"""A bone whose name suggests the head less surely is not taken for it."""


def label_trunk(evidence: Evidence) -> None:
    """Give the trunk's roles, once the limbs have theirs."""
    tree = evidence.tree
    legs, arms = evidence.common("UpperLeg", "LowerLeg"), evidence.common("Shoulder", "UpperArm", "LowerArm")
    head = _head(evidence)
    end = next((bone for bone in (head, arms, _spine_end(evidence)) if bone >= 0), -1)
    if end < 0:
        return
    path = tree.path_up(end)[::-1]
    hub, shared = tree.common([legs, end]), tree.common([arms, end])
    above = evidence.positions.get("hips", (-1, 0.0))[0]
    low = path.index(hub) if hub in path else -1
    if above in path[: max(low, 0)] and evidence.named(hub, "hips") < _CALLED:
        low = path.index(above)
    high = path.index(shared) if shared in path else len(path) - 1
    keep = [position for position, bone in enumerate(path) if position > high or evidence.names[bone].doubt > 0.25]
    low, high = sum(position < low for position in keep) if legs >= 0 else -1, sum(position < high for position in keep)
    path = [path[position] for position in keep]
    side_hips = _side_hips(evidence, legs, hub)
    without_hips = 0.3 if side_hips >= 0 else 1.6 if legs >= 0 else 1.0
    missing = (0.0, without_hips, 0.0, 0.0, 0.5, 0.0)
    states = best_states(_scores(evidence, path, low, high, head >= 0), _ONCE, missing)
    _give(evidence, path, states, side_hips)


def _head(evidence: Evidence) -> int:
    """The head's bone: of those that are called so best the uppermost, unless the structure says another; else the structure's. What hangs
    together with no limb, as a mesh does that an importer makes a bone, is none."""
    limbs = {bone for bone, own in enumerate(evidence.tree.bones) if own in set(evidence.result.roles.values())}
    trees = {evidence.tree.path_up(bone)[-1] for bone in limbs}
    best, most = -1, _LEAST
    for bone, name in enumerate(evidence.names):
        if name.side or bone in limbs or evidence.named(bone, "head") <= _LEAST:
            continue
        if trees and evidence.tree.path_up(bone)[-1] not in trees:
            continue
        score = evidence.named(bone, "head") + 0.4 * evidence.placed("head", bone) - 1e-3 * evidence.tree.depths[bone]
        if score > most:
            best, most = bone, score
    return best if best >= 0 else evidence.positions.get("head", (-1, 0.0))[0]


def _spine_end(evidence: Evidence) -> int:
    """Without head and arms: the bone whose name suggests best a part of the spine; of several the furthest from the root."""
    bones = range(len(evidence.tree))
    end = max(bones, key=lambda bone: _spine_name(evidence, bone) + 1e-3 * evidence.tree.depths[bone], default=-1)
    return end if end >= 0 and _spine_name(evidence, end) >= 0.3 else -1


def _spine_name(evidence: Evidence, bone: int) -> float:
    return max(evidence.named(bone, part) for part in ("spine", "chest", "upperChest"))


def _side_hips(evidence: Evidence, legs: int, hub: int) -> int:
    """A pelvis that carries the legs alone, beside the spine: the bone of the path from the hub to the legs with the best name."""
    path = evidence.tree.between(hub, legs)[1:]
    chosen = max(path, key=lambda bone: evidence.named(bone, "hips"), default=-1)
    if chosen >= 0 and evidence.named(chosen, "hips") >= 0.5:
        return chosen
    position = evidence.positions.get("hips", (-1, 0.0))[0]
    return position if position in path else -1


def _scores(evidence: Evidence, path: Sequence[int], low: int, high: int, headed: bool) -> list[list[float]]:
    """(P, 6) of each bone for each state. low, high: positions on the path where legs and arms hang. headed: whether it ends at the
    head."""
    necks = any(evidence.named(bone, "neck") > 0.5 for bone in path)
    rows: list[list[float]] = []
    for position, bone in enumerate(path):
        spine = _spine_name(evidence, bone)
        if position > high and not necks:
            spine = min(spine, 0.1)
        row = [
            evidence.named(bone, "root"),
            evidence.named(bone, "hips"),
            spine,
            evidence.named(bone, "neck"),
            evidence.named(bone, "head"),
            0.0,
        ]
        last = headed and position == len(path) - 1
        if position < low:
            row[0] += 0.3
        elif position == low:
            row[1] += 0.4
        elif position <= high and not (last and high < low):
            row[2] += 0.4
        elif last:
            row[4] += 0.7
        else:
            row[3] += 0.35
        if position > low >= 0:
            row[1] -= 0.6
        rows.append(row)
    return rows


def _give(evidence: Evidence, path: Sequence[int], states: Sequence[int], side_hips: int) -> None:
    """Give the roles as the states have them."""
    chosen = {name: [bone for bone, state in zip(path, states, strict=True) if _STATES[state] == name] for name in _STATES}
    hips = chosen["hips"][0] if chosen["hips"] else -1
    if side_hips >= 0 and (hips < 0 or evidence.named(hips, "hips") < 0.7):
        if hips >= 0:
            chosen["root"].append(hips)
        hips = side_hips
    if hips >= 0:
        evidence.give("hips", hips, evidence.named(hips, "hips"), _BETWEEN)
    for role in ("head", "neck"):
        if chosen[role]:
            evidence.give(role, chosen[role][0], evidence.named(chosen[role][0], role), _BETWEEN)
    roots = [bone for bone in chosen["root"] if hips < 0 or bone in evidence.tree.path_up(hips)]
    if roots:
        root = max(roots, key=lambda bone: evidence.named(bone, "root"))
        evidence.give("root", root, max(0.3, evidence.named(root, "root")))
    for role, bone in _spine_roles(evidence, chosen["spine"]).items():
        evidence.give(role, bone, _spine_name(evidence, bone), _BETWEEN)
    evidence.result.spine = tuple(evidence.tree.bones[bone] for bone in chosen["spine"])
    evidence.result.neck = tuple(evidence.tree.bones[bone] for bone in chosen["neck"])


def _spine_roles(evidence: Evidence, spine: Sequence[int]) -> dict[str, int]:
    """VRM's three roles: one bone is the chest unless it is called spine; of more by their names, else the ends and the middle."""
    called_chest = [bone for bone in spine if evidence.named(bone, "chest") > evidence.named(bone, "spine")]
    if not spine:
        return {}
    if len(spine) == 1:
        called_spine = evidence.named(spine[0], "spine") > evidence.named(spine[0], "chest")
        return {"spine" if called_spine else "chest": spine[0]}
    if len(spine) == 2:
        return {"spine": spine[0], "chest": spine[1]}
    inner = spine[1:-1]
    chest = next((bone for bone in called_chest if bone in inner), inner[len(inner) // 2])
    return {"spine": spine[0], "chest": chest, "upperChest": spine[-1]}
