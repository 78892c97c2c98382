"""Which bone follows which: pairs, chains of different length, and the options of each bone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

_SIDED = (
    "Shoulder",
    "UpperArm",
    "LowerArm",
    "Hand",
    "UpperLeg",
    "LowerLeg",
    "Foot",
    "Toes",
    *(f"{finger}{joint}" for finger in ("Thumb",) for joint in ("Metacarpal", "Proximal", "Distal")),
    *(f"{finger}{joint}" for finger in ("Index", "Middle", "Ring", "Little") for joint in ("Proximal", "Intermediate", "Distal")),
)

ROLES = (
    "root",
    "hips",
    "spine",
    "chest",
    "upperChest",
    "neck",
    "head",
    "jaw",
    "leftEye",
    "rightEye",
    *(f"{side}{part}" for side in ("left", "right") for part in _SIDED),
)
"""What a bone may be to a humanoid, in VRM's terms; "root" is a bone above the hips that carries the root motion."""

Space = Literal["WORLD", "LOCAL"]
RotationMode = Literal["ALL", "SWING", "TWIST", "NONE"]
ChainMode = Literal["INTERPOLATED", "ONE_TO_ONE", "REVERSED"]


def other_side(role: str) -> str:
    """The role on the other side of the body; the role itself where it has none."""
    for one, other in (("left", "right"), ("right", "left")):
        if role.startswith(one):
            return other + role[len(one) :]
    return role


@dataclass(frozen=True)
class PairOptions:
    """space: WORLD, the rotation away from the reference pose in the world, or LOCAL, relative to the parent (wings, tails).

    rotation: ALL of it, only the SWING or the TWIST about the target bone's own axis, or NONE: then it is not keyed.
    weight: 0 (reference pose) to 1. offset: further rotation in the target bone's own axes, Euler XYZ in radians.
    location: copy the offset from the rest position, scaled. scale: copy the bone's scale.
    distribute: unmapped target bones above it, up to the next mapped one, take equal parts of the rotation.
    tail: a bone without mapped bones below it is aligned by its tail.
    """

    space: Space = "WORLD"
    rotation: RotationMode = "ALL"
    weight: float = 1.0
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    location: bool = False
    scale: bool = False
    distribute: bool = False
    tail: bool = False


@dataclass(frozen=True)
class Pair:
    """The target bone that follows a source bone. role: one of ROLES, or "". confidence: 0 to 1. note: why it is doubtful."""

    source: str
    target: str
    role: str = ""
    confidence: float = 1.0
    note: str = ""
    options: PairOptions = field(default_factory=PairOptions)


@dataclass(frozen=True)
class Chain:
    """Bones that follow bones in another number: spine, neck, fingers, tails. Both from the root outwards; none of them is in a pair.

    INTERPOLATED: each target bone takes the rotation that the source has at the same part of the length. ONE_TO_ONE: in order, what is too
    much is left out. REVERSED: in order from the tips. The last bones always agree. name: what it is, "spine" for example.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    name: str = ""
    mode: ChainMode = "INTERPOLATED"
    confidence: float = 1.0
    note: str = ""


@dataclass(frozen=True)
class BoneMap:
    """pairs and chains; no target bone stands in two of them. The fingerprints are those of the two figures, "" if unknown."""

    pairs: tuple[Pair, ...]
    chains: tuple[Chain, ...] = ()
    source_fingerprint: str = ""
    target_fingerprint: str = ""

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def role(self, role: str) -> Pair | None:
        """The pair of a role."""
        return next((pair for pair in self.pairs if pair.role == role), None)

    def reversed(self) -> BoneMap:
        """The reverse direction: sources and targets exchanged."""
        return BoneMap(
            tuple(replace(pair, source=pair.target, target=pair.source) for pair in self.pairs),
            tuple(replace(chain, source=chain.target, target=chain.source) for chain in self.chains),
            self.target_fingerprint,
            self.source_fingerprint,
        )
