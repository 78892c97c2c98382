"""Which bone follows which: pairs, chains of different length, and the options of each bone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ..roles import LIMB_JOINTS, ROLES

Space = Literal["WORLD", "LOCAL"]
RotationMode = Literal["ALL", "SWING", "TWIST", "NONE"]
ChainMode = Literal["INTERPOLATED", "ONE_TO_ONE", "REVERSED"]
LimbName = Literal["hips", "leftHand", "rightHand", "leftFoot", "rightFoot"]
Reach = Literal["NONE", "LIMB", "BODY", "HAND", "SELF", "PROP"]
Quaternion = tuple[float, float, float, float]


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
    """The target bone that follows a source bone. role: one of roles.ROLES, or "". confidence: 0 to 1. note: why it is doubtful."""

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
    much is left out. REVERSED: in order from the tips. The last bones always agree. name: what it is, "spine" for example. roles: by target
    bone one of roles.ROLES, of those that are joints of a limb; source_roles: by source bone.

    Where both sides have the same joints of an arm or a leg, INTERPOLATED goes from each of these `joints` to the next, and what only one
    side has before the first or behind the last of them is left out.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    name: str = ""
    mode: ChainMode = "INTERPOLATED"
    confidence: float = 1.0
    note: str = ""
    weight: float = 1.0
    roles: Mapping[str, str] = field(default_factory=dict[str, str])
    source_roles: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def joints(self) -> dict[int, int]:
        """By index of a bone of the target that of the source's that is the same joint of an arm or a leg, from the body outwards."""
        roles = [self.source_roles.get(bone, "") for bone in self.source]
        result: dict[int, int] = {}
        start = 0
        for position, bone in enumerate(self.target):
            role = self.roles.get(bone, "")
            if role in LIMB_JOINTS and role in roles[start:]:
                result[position] = roles.index(role, start)
                start = result[position] + 1
        return result

    @property
    def in_common(self) -> tuple[range, range]:
        """Indices of the bones of source and target that take part: all but what the mode leaves out, or what only one side has before the
        first joint of both or behind the last."""
        one, two = len(self.source), len(self.target)
        many = min(one, two)
        if self.mode == "ONE_TO_ONE":
            return range(many), range(many)
        if self.mode == "REVERSED":
            return range(one - many, one), range(two - many, two)
        if not (joints := self.joints):
            return range(one), range(two)
        (first, first_source), (last, last_source) = min(joints.items()), max(joints.items())
        start = (0, 0) if first and first_source else (first_source, first)
        end = (last_source + 1, last + 1) if two == last + 1 or one == last_source + 1 else (one, two)
        return range(start[0], end[0]), range(start[1], end[1])

    def role_of(self, bone: str) -> str:
        """What a bone of the target is: also what a chain onto it alone is called, where that is a role. "" for nothing."""
        return self.roles.get(bone) or (self.name if self.target == (bone,) and self.name in ROLES else "")

    def source_of(self, bone: str) -> str | None:
        """The bone of the source that is the same joint as one of the target, else as far along the chain by the number of bones; the last
        ones agree. None for what is left out. A `Plan` knows the lengths, too, which say what INTERPOLATED is nearest to."""
        sources, targets = self.in_common
        position = self.target.index(bone)
        if not sources or position not in targets:
            return None
        many = len(targets) - 1
        along = sources[round(targets.index(position) * (len(sources) - 1) / many) if many else -1]
        return self.source[self.joints.get(position, along) if self.mode == "INTERPOLATED" else along]

    def reversed(self) -> Chain:
        """The reverse direction. Roles that one side alone has stay, and the other's bones that correspond get them: of several the first,
        but at the last bone the last."""
        roles = dict(self.source_roles)
        if not roles:
            known = [(one, role) for bone in self.target if (role := self.roles.get(bone)) and (one := self.source_of(bone)) is not None]
            roles = dict(reversed(known)) | {one: role for one, role in known if one == self.source[-1]}
        return replace(self, source=self.target, target=self.source, roles=roles, source_roles=self.roles)


@dataclass(frozen=True)
class Limb:
    """Where a hand or a foot goes besides what its bones' rotations give, or how high the hips are.

    reach: NONE, where the rotations put it; LIMB, where the source's is from shoulder or hip, by the length of the limb; BODY, where it is
    from the hips, by the length of the legs; HAND, where it is from the other hand (foot); SELF, where it is from the part of the own body
    that it is nearest to; PROP, where it is from a bone that both have, such as a weapon's. prop: that bone of the target.
    strength: 0 (pose) to 1 (goal). near: leg lengths within which the goal counts in full, beyond twice that not at all; 0: everywhere,
    but of SELF where the end is beside the body, and so near to a joint of it as hands on hips are.
    stride: factor of a foot's way forwards and back. stance: metres by which it stands further out. height: factor of the hips' height.
    """

    limb: LimbName
    reach: Reach = "NONE"
    prop: str = ""
    strength: float = 1.0
    near: float = 0.0
    stride: float = 1.0
    stance: float = 0.0
    height: float = 1.0


@dataclass(frozen=True)
class ReferencePose:
    """A pose in which both figures stand alike. source, target: by bone the rotation away from its rest, in its own axes; bones that are
    left out are at rest."""

    name: str
    source: Mapping[str, Quaternion] = field(default_factory=dict[str, Quaternion])
    target: Mapping[str, Quaternion] = field(default_factory=dict[str, Quaternion])


@dataclass(frozen=True)
class BoneMap:
    """pairs and chains; no target bone stands in two of them. The fingerprints are those of the two figures, "" if unknown. limbs: what is
    other than usual. poses: reference poses to choose from, by their names."""

    pairs: tuple[Pair, ...]
    chains: tuple[Chain, ...] = ()
    source_fingerprint: str = ""
    target_fingerprint: str = ""
    limbs: tuple[Limb, ...] = ()
    poses: tuple[ReferencePose, ...] = ()

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def lines(self) -> tuple[Pair | Chain, ...]:
        """The pairs, then the chains."""
        return (*self.pairs, *self.chains)

    def role(self, role: str) -> Pair | None:
        """The pair of a role, also of two bones of chains; None where nothing follows as such."""
        pair = next((pair for pair in self.pairs if pair.role == role), None)
        if pair is not None:
            return pair
        chained = ((chain.source_of(bone), bone) for chain in self.chains for bone in chain.target if role and chain.role_of(bone) == role)
        return next((Pair(source, bone, role) for source, bone in chained if source is not None), None)

    def sources(self) -> set[str]:
        """The source's bones that are followed."""
        return {*(pair.source for pair in self.pairs), *(name for chain in self.chains for name in chain.source)}

    def targets(self) -> list[str]:
        """The target's bones that follow, each once."""
        every = [*(pair.target for pair in self.pairs), *(name for chain in self.chains for name in chain.target)]
        return list(dict.fromkeys(every))

    def limb(self, name: LimbName) -> Limb:
        """What is asked of a limb."""
        return next((limb for limb in self.limbs if limb.limb == name), Limb(name))

    def reversed(self) -> BoneMap:
        """The reverse direction: sources and targets exchanged; what is asked of limbs is of this direction alone."""
        return BoneMap(
            tuple(replace(pair, source=pair.target, target=pair.source) for pair in self.pairs),
            tuple(chain.reversed() for chain in self.chains),
            self.target_fingerprint,
            self.source_fingerprint,
            poses=tuple(replace(pose, source=pose.target, target=pose.source) for pose in self.poses),
        )
