"""What each bone of one figure is: names and structure weighed together, limb by limb, the trunk between them, fingers and face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .figure import Figure
from .names import Name, Side, other, read_names
from .paths import best_limb, best_states
from .selection import select
from .structure import Structure, analyse
from .tree import Places, Tree
from .vocabulary import FINGERS

ARM = ("Shoulder", "UpperArm", "LowerArm", "Hand")
LEG = ("UpperLeg", "LowerLeg", "Foot", "Toes")
_MISSING = {"Shoulder": 0.0, "UpperArm": 0.5, "LowerArm": 0.5, "Hand": 0.2, "UpperLeg": 0.5, "LowerLeg": 0.5, "Foot": 0.2, "Toes": 0.0}
_STATES = ("root", "hips", "spine", "neck", "head", "")
_JOINTS = ("Proximal", "Intermediate", "Distal")

_BY_PLACE = 0.45
"""What the structure's word counts beside a name's."""

_FINGER = 0.3


@dataclass
class Labels:
    """roles: role -> bone of the figure, with confidence (0 to 1) and, where something is doubtful, a note.

    spine, neck: all their bones, upwards. fingers: `leftIndex` -> its bones, from the hand outwards, without the metacarpal (the thumb's is
    its first). sides: of every bone. directions: left, up and forward at rest, None where the structure does not say.
    """

    names: list[Name]
    roles: dict[str, int] = field(default_factory=dict[str, int])
    confidence: dict[str, float] = field(default_factory=dict[str, float])
    notes: dict[str, str] = field(default_factory=dict[str, str])
    spine: tuple[int, ...] = ()
    neck: tuple[int, ...] = ()
    fingers: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    sides: tuple[Side, ...] = ()
    directions: tuple[Places, Places, Places] | None = None

    @property
    def humanoid(self) -> bool:
        """Whether there are two legs or two arms on a trunk."""
        legs = {"leftUpperLeg", "rightUpperLeg", "leftLowerLeg", "rightLowerLeg"} <= self.roles.keys()
        arms = {"leftUpperArm", "rightUpperArm", "leftLowerArm", "rightLowerArm"} <= self.roles.keys()
        return "hips" in self.roles and (legs or arms)

    def assume(self, roles: dict[str, int]) -> None:
        """Take these roles for certain. They are all of the trunk that there is; other bones keep what else they are."""
        trunk = {"root", "hips", "spine", "chest", "upperChest", "neck", "head"}
        bones = set(roles.values())
        for role in [role for role, bone in self.roles.items() if role in trunk or role in roles or bone in bones]:
            del self.roles[role], self.confidence[role]
            self.notes.pop(role, None)
        self.roles.update(roles)
        self.confidence.update(dict.fromkeys(roles, 1.0))
        self.spine = tuple(roles[role] for role in ("spine", "chest", "upperChest") if role in roles)
        self.neck = tuple(roles[role] for role in ("neck",) if role in roles)


def label(figure: Figure, controls: bool = False) -> Labels:
    """The roles of a figure's bones. controls: of a rig in layers, those of the controls instead of the deform bones."""
    names = read_names(figure.names)
    tree = select(figure, names, controls)
    return _Labeller(figure, tree, names).run()


class _Labeller:
    def __init__(self, figure: Figure, tree: Tree, names: list[Name]) -> None:
        self.figure, self.tree = figure, tree
        self.names = [names[bone] for bone in tree.bones]
        self.structure = analyse(tree)
        self.result = Labels(names)
        self.places: dict[str, tuple[int, float]] = {}
        """Role -> bone and confidence of the structure, its sides brought in line with the names."""

    def run(self) -> Labels:
        if self.structure is not None:
            self._read_structure(self.structure)
        for side in ("left", "right"):
            self._limb(side, LEG)
            self._limb(side, ARM)
        self._uncross()
        self._trunk()
        for side in ("left", "right"):
            self._fingers(side)
        self._face()
        self.result.sides = self._all_sides()
        return self.result

    def _put(self, role: str, bone: int, named: float) -> None:
        """Give a role, with what the name says for it."""
        place, sure = self.places.get(role, (-1, 0.0))
        agrees = sure if place == bone else 0.0
        confidence = 1 - (1 - 0.93 * min(1.0, named)) * (1 - 0.9 * agrees)
        note = ""
        if named < 0.2:
            note = "the name does not say; by its place in the skeleton"
        elif place >= 0 and place != bone and sure > 0.5:
            confidence -= 0.2 * (1.0 - 0.5 * named)
            note = f"by its name; by its place it would be {self.figure.names[self.tree.bones[place]]}"
        elif named < 0.5 and not agrees:
            note = "the name only suggests it"
        self.result.roles[role] = self.tree.bones[bone]
        self.result.confidence[role] = round(max(0.05, min(1.0, confidence)), 3)
        if note:
            self.result.notes[role] = note

    def _read_structure(self, structure: Structure) -> None:
        """Take the structure's roles over, with left and right as the names have them."""
        self.result.directions = (structure.left, structure.up, structure.forward)
        swapped = {kind: self._swapped(structure, kind) for kind in (LEG, ARM)}
        if swapped[LEG] is None and swapped[ARM] is not None:
            swapped[LEG] = swapped[ARM]
        if swapped[ARM] is None and swapped[LEG] is not None:
            swapped[ARM] = swapped[LEG]
        for role, bone in structure.roles.items():
            wanted = role
            for kind, swap in swapped.items():
                for side in ("left", "right"):
                    if swap and role.startswith(side) and role[len(side) :] in kind:
                        wanted = other(side) + role[len(side) :]
            self.places[wanted] = (bone, structure.confidence[role])

    def _swapped(self, structure: Structure, kind: Sequence[str]) -> bool | None:
        """Whether the names call the structure's left limbs right; None where they do not say."""
        vote = 0
        for side in ("left", "right"):
            for part in kind:
                bone = structure.roles.get(side + part, -1)
                if bone >= 0 and self.names[bone].side:
                    vote += 1 if self.names[bone].side == side else -1
        return None if vote == 0 else vote < 0

    def _limb(self, side: Side, parts: Sequence[str]) -> None:
        """One limb as one assignment."""
        scores = [self._scores(bone, side, parts) for bone in range(len(self.tree))]
        _, chosen = best_limb(self.tree, scores, [_MISSING[part] for part in parts])
        if sum(bone >= 0 for bone in chosen) < 2:
            return
        for part, bone in zip(parts, chosen, strict=True):
            if bone >= 0:
                self._put(side + part, bone, self.names[bone].parts.get(part, 0.0))

    def _scores(self, bone: int, side: Side, parts: Sequence[str]) -> list[float]:
        name = self.names[bone]
        if name.side == other(side):
            return [0.0] * len(parts)
        named = 1.0 if name.side else 0.0
        return [named * name.parts.get(part, 0.0) + self._placed(side + part, bone) for part in parts]

    def _placed(self, role: str, bone: int) -> float:
        place, sure = self.places.get(role, (-1, 0.0))
        return _BY_PLACE * sure if place == bone else 0.0

    def _uncross(self) -> None:
        """No bone on both sides: what both claim belongs to neither."""
        for part in (*ARM, *LEG):
            left, right = self.result.roles.get("left" + part), self.result.roles.get("right" + part)
            if left is not None and left == right:
                for side in ("left", "right"):
                    del self.result.roles[side + part], self.result.confidence[side + part]

    def _inner(self, role: str) -> int:
        """The tree's bone of a role, -1 without one."""
        bone = self.result.roles.get(role, -1)
        return self.tree.bones.index(bone) if bone >= 0 else -1

    def _common(self, *parts: str) -> int:
        """The lowest bone above both sides' first of these parts."""
        found = [next((bone for part in parts if (bone := self._inner(side + part)) >= 0), -1) for side in ("left", "right")]
        return self.tree.common(found) if min(found) >= 0 else -1

    def _head(self) -> int:
        """The head's bone: the uppermost of those that are called so best, else the structure's."""
        limbs = {self.tree.bones.index(bone) for bone in self.result.roles.values()}
        best, most = -1, 0.35
        for bone, name in enumerate(self.names):
            score = name.parts.get("head", 0.0) - 1e-3 * self.tree.depths[bone]
            if not name.side and bone not in limbs and score > most:
                best, most = bone, score
        return best if best >= 0 else self.places.get("head", (-1, 0.0))[0]

    def _trunk(self) -> None:
        """Root, hips, spine, neck and head along the way down to the head."""
        tree = self.tree
        legs, arms, head = self._common("UpperLeg", "LowerLeg"), self._common("Shoulder", "UpperArm", "LowerArm"), self._head()
        end = head if head >= 0 else arms
        if end < 0:
            end = max(range(len(tree)), key=lambda bone: self._spine_name(bone) - 1e-3 * tree.depths[bone], default=-1)
            if end < 0 or self._spine_name(end) < 0.3:
                return
        path = tree.path_up(end)[::-1]
        hub = tree.common([legs, end]) if legs >= 0 else -1
        low = path.index(hub) if hub in path else -1
        shared = tree.common([arms, end]) if arms >= 0 else -1
        high = path.index(shared) if shared in path else len(path) - 1
        side_hips = self._side_hips(legs, hub)
        keep = [place for place, bone in enumerate(path) if place > high or self.names[bone].doubt > 0.25]
        path, low, high = [path[place] for place in keep], sum(place < low for place in keep), sum(place < high for place in keep)
        if legs < 0:
            low = -1
        scores = self._trunk_scores(path, low, high, head >= 0)
        states = best_states(scores, (False, True, False, False, True, False), (0.0, 0.3 if side_hips >= 0 else 1.0, 0.0, 0.0, 0.5, 0.0))
        self._name_trunk(path, states, side_hips)

    def _spine_name(self, bone: int) -> float:
        parts = self.names[bone].parts
        return max(parts.get("spine", 0.0), parts.get("chest", 0.0), parts.get("upperChest", 0.0))

    def _side_hips(self, legs: int, hub: int) -> int:
        """A pelvis that carries the legs alone, beside the spine: the bone of the way from the hub to the legs with the best name."""
        way = self.tree.between(hub, legs)[1:] if hub >= 0 and legs >= 0 else []
        found = max(way, key=lambda bone: self.names[bone].parts.get("hips", 0.0), default=-1)
        if found >= 0 and self.names[found].parts.get("hips", 0.0) >= 0.5:
            return found
        return self.places["hips"][0] if "hips" in self.places and self.places["hips"][0] in way else -1

    def _trunk_scores(self, path: Sequence[int], low: int, high: int, headed: bool) -> list[list[float]]:
        necks = any(self.names[bone].parts.get("neck", 0.0) > 0.5 for bone in path)
        rows: list[list[float]] = []
        for place, bone in enumerate(path):
            parts = self.names[bone].parts
            spine = self._spine_name(bone)
            if place > high and not necks:
                spine = min(spine, 0.1)
            named = [parts.get("root", 0.0), parts.get("hips", 0.0), spine, parts.get("neck", 0.0), parts.get("head", 0.0), 0.0]
            last = place == len(path) - 1
            if place < low:
                expected = [0.3, 0.0, 0.0, 0.0, 0.0, 0.0]
            elif place == low:
                expected = [0.0, 0.4, 0.0, 0.0, 0.0, 0.0]
            elif place <= high and not (last and headed and high < low):
                expected = [0.0, 0.0, 0.4, 0.0, 0.0, 0.0]
            elif last and headed:
                expected = [0.0, 0.0, 0.0, 0.0, 0.5, 0.0]
            else:
                expected = [0.0, 0.0, 0.0, 0.35, 0.0, 0.0]
            rows.append([a + b for a, b in zip(named, expected, strict=True)])
        return rows

    def _name_trunk(self, path: Sequence[int], states: Sequence[int], side_hips: int) -> None:
        by_state = {name: [bone for bone, state in zip(path, states, strict=True) if _STATES[state] == name] for name in _STATES}
        hips = by_state["hips"][0] if by_state["hips"] else -1
        if side_hips >= 0 and (hips < 0 or self.names[hips].parts.get("hips", 0.0) < 0.7):
            if hips >= 0:
                by_state["root"].append(hips)
            hips = side_hips
        if hips >= 0:
            self._put("hips", hips, self.names[hips].parts.get("hips", 0.0))
        if by_state["head"]:
            bone = by_state["head"][0]
            self._put("head", bone, self.names[bone].parts.get("head", 0.0))
        if by_state["neck"]:
            bone = by_state["neck"][0]
            self._put("neck", bone, self.names[bone].parts.get("neck", 0.0))
        above = [bone for bone in by_state["root"] if hips < 0 or bone in self.tree.path_up(hips)]
        if above:
            root = max(above, key=lambda bone: self.names[bone].parts.get("root", 0.0))
            self._put("root", root, max(0.3, self.names[root].parts.get("root", 0.0)))
        spine = by_state["spine"]
        for role, bone in self._spine_roles(spine).items():
            self._put(role, bone, self._spine_name(bone))
        self.result.spine = tuple(self.tree.bones[bone] for bone in spine)
        self.result.neck = tuple(self.tree.bones[bone] for bone in by_state["neck"])

    def _spine_roles(self, spine: Sequence[int]) -> dict[str, int]:
        """VRM's three roles: one bone is the chest unless it is called spine; of more the names say, else the ends and the middle."""
        if len(spine) < 2:
            called = [self.names[bone].parts for bone in spine]
            return {
                "spine" if parts.get("spine", 0.0) > parts.get("chest", 0.0) else "chest": bone
                for bone, parts in zip(spine, called, strict=True)
            }
        if len(spine) == 2:
            return {"spine": spine[0], "chest": spine[1]}
        inner = spine[1:-1]
        called = [bone for bone in inner if self.names[bone].parts.get("chest", 0.0) > self.names[bone].parts.get("spine", 0.0)]
        return {"spine": spine[0], "chest": (called or [inner[len(inner) // 2]])[0], "upperChest": spine[-1]}

    def _fingers(self, side: Side) -> None:
        """Fingers by name, below the hand."""
        hand = self._inner(side + "Hand")
        below = self.tree.below(hand)[1:] if hand >= 0 else range(len(self.tree))
        for finger in FINGERS:
            bones = [bone for bone in below if self._is_finger(bone, side, finger, hand >= 0)]
            chain = self._longest(bones)
            if finger != "Thumb" and self._has_metacarpal(chain):
                chain = chain[1:]
            chain = chain[:3]
            joints = ("Metacarpal", "Proximal", "Distal") if finger == "Thumb" else _JOINTS
            for joint, bone in zip(joints, chain, strict=False):
                self._put(f"{side}{finger}{joint}", bone, self.names[bone].parts.get(finger, 0.0))
            if chain:
                self.result.fingers[side + finger] = tuple(self.tree.bones[bone] for bone in chain)

    def _has_metacarpal(self, chain: Sequence[int]) -> bool:
        first = self.names[chain[0]] if len(chain) > 1 else None
        return first is not None and (first.joint == 0 or (len(chain) == 4 and first.numbers[-1:] in (("0",), ("00",))))

    def _is_finger(self, bone: int, side: Side, finger: str, below_hand: bool) -> bool:
        name = self.names[bone]
        return name.parts.get(finger, 0.0) > _FINGER and (name.side == side or (below_hand and not name.side))

    def _longest(self, bones: Sequence[int]) -> list[int]:
        """The longest chain of bones that hang on each other, from its upper end."""
        inside = set(bones)
        best: list[int] = []
        for bone in bones:
            chain = [one for one in self.tree.path_up(bone) if one in inside][::-1]
            if len(chain) > len(best):
                best = chain
        return best

    def _face(self) -> None:
        """Eyes and jaw by name."""
        for role, side, part in (("leftEye", "left", "Eye"), ("rightEye", "right", "Eye"), ("jaw", "", "jaw")):
            found = [
                (self.names[bone].parts.get(part, 0.0) - 1e-3 * self.tree.depths[bone], -bone)
                for bone in range(len(self.tree))
                if self.names[bone].side == side
            ]
            score, bone = max(found, default=(0.0, 0))
            if score > 0.22 and self.tree.bones[-bone] not in self.result.roles.values():
                self._put(role, -bone, score)

    def _all_sides(self) -> tuple[Side, ...]:
        """Of every bone of the figure: by its name, else that of the limb it hangs on."""
        sides: list[Side] = [name.side for name in self.result.names]
        for role, bone in self.result.roles.items():
            for side in ("left", "right"):
                if role.startswith(side):
                    sides[bone] = side
        for bone, parent in enumerate(self.figure.parents.tolist()):
            if not sides[bone] and parent >= 0:
                sides[bone] = sides[parent]
        return tuple(sides)
