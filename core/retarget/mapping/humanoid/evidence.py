"""What speaks for each bone of a figure while roles are given out: its name, its position in the structure, and the roles of others."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...anatomy.structure import Structure, analyse
from ...anatomy.tree import Positions, Tree
from ...figures.figure import Figure
from ...figures.roles import SIDES
from ..naming.names import Name, Side


@dataclass
class Labels:
    """roles: role -> bone of the figure, with confidence (0 to 1) and, where something is doubtful, a note.

    spine, neck: all their bones, upwards. fingers: `leftIndex` -> its bones, from the hand outwards, without the metacarpal (the thumb's is
    its first). sides: of every bone. directions: left, up and forward at rest, None where the structure does not show it.
    """

    names: list[Name]
    roles: dict[str, int] = field(default_factory=dict[str, int])
    confidence: dict[str, float] = field(default_factory=dict[str, float])
    notes: dict[str, str] = field(default_factory=dict[str, str])
    spine: tuple[int, ...] = ()
    neck: tuple[int, ...] = ()
    fingers: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    sides: tuple[Side, ...] = ()
    directions: tuple[Positions, Positions, Positions] | None = None

    @property
    def humanoid(self) -> bool:
        """Whether there are two legs or two arms on a trunk."""
        limbs = ({f"{side}{part}{limb}" for side in SIDES for part in ("Upper", "Lower")} for limb in ("Leg", "Arm"))
        return any({"hips", *limb} <= self.roles.keys() for limb in limbs)

    def drop(self, role: str) -> None:
        """Take a role back."""
        del self.roles[role], self.confidence[role]
        self.notes.pop(role, None)

    def assume(self, roles: dict[str, int]) -> None:
        """Take these roles for certain. They are all of the trunk that there is; other bones keep what else they are."""
        trunk = {"root", "hips", "spine", "chest", "upperChest", "neck", "head"}
        bones = set(roles.values())
        for role in [role for role, bone in self.roles.items() if role in trunk or role in roles or bone in bones]:
            self.drop(role)
        self.roles.update(roles)
        self.confidence.update(dict.fromkeys(roles, 1.0))
        self.spine = tuple(roles[role] for role in ("spine", "chest", "upperChest") if role in roles)
        self.neck = tuple(roles[role] for role in ("neck",) if role in roles)


class Evidence:
    """tree: the bones that may have a role. names: theirs. positions: role -> bone and confidence of the structure. result: what is
    decided. exchanged: whether the names' left is surely the structure's right.

    Bones are numbers of the tree, but for those in `result`, which are the figure's.
    """

    def __init__(self, figure: Figure, tree: Tree, names: list[Name]) -> None:
        self.figure, self.tree = figure, tree
        self.names = [names[bone] for bone in tree.bones]
        self.structure: Structure | None = analyse(tree, None if figure.left is None else figure.rotation @ figure.left)
        self.result = Labels(names)
        self.positions: dict[str, tuple[int, float]] = {}
        self.exchanged = False

    def named(self, bone: int, part: str) -> float:
        """How surely the bone's name means this part (a role without its side)."""
        return self.names[bone].parts.get(part, 0.0)

    def placed(self, role: str, bone: int) -> float:
        """How surely the structure gives the bone this role."""
        known = self.positions.get(role)
        return known[1] if known is not None and known[0] == bone else 0.0

    def bone(self, role: str) -> int:
        """The bone of a role, -1 without one."""
        return self.tree.bones.index(self.result.roles[role]) if role in self.result.roles else -1

    def common(self, *parts: str) -> int:
        """The lowest bone above both sides' first of these parts, -1 if there is none."""
        result = [next((bone for part in parts if (bone := self.bone(side + part)) >= 0), -1) for side in SIDES]
        return self.tree.common(result)

    def give(self, role: str, bone: int, named: float, between: float = 0.0) -> None:
        """Decide on a role. named: the name's score for it; between: the score of its position between other roles, both 0 to 1."""
        known = self.positions.get(role)
        agrees = max(between, self.placed(role, bone)) * (self.structure.sure(role) if self.structure is not None else 1.0)
        confidence = 1 - (1 - 0.93 * min(1.0, named)) * (1 - 0.9 * agrees)
        note = ""
        if named < 0.2:
            note = "not by its name; by its position in the skeleton"
        elif known is not None and known[0] != bone and known[1] > 0.5:
            confidence -= 0.2 * (1.0 - 0.5 * named)
            note = f"by its name; by its position it would be {self.figure.names[self.tree.bones[known[0]]]}"
        elif named < 0.5 and not agrees:
            note = "the name only suggests it"
        self.result.roles[role] = self.tree.bones[bone]
        self.result.confidence[role] = round(max(0.05, confidence), 3)
        if note:
            self.result.notes[role] = note

    def doubt(self, role: str, most: float, note: str) -> None:
        """Be no surer of a role than `most`, and say why."""
        self.result.confidence[role] = min(self.result.confidence[role], most)
        self.result.notes[role] = note
