"""What the target's height over its ground is taken from: the source of some clips, and where that is on its own ground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..options import Floor
from ..transfer import mirror
from ..transfer.binding import Binding
from . import feet
from .root import Legs


@dataclass(frozen=True, eq=False)
class Source:
    """Clips of the source, one after another. factor: target metres a source metre. lifts: (N,) metres that each clip stands above its own
    reference pose, as `root.lift_of` gives them. swap: whether left follows right."""

    binding: Binding
    motion: Motion
    fps: float
    legs: Legs
    factor: float
    floor: Floor
    lifts: Floats
    footing: feet.Footing
    swap: bool = False

    @cached_property
    def limbs(self) -> list[feet.Limb]:
        """Those that may stand, as the target has them."""
        return feet.mirrored(self.footing.limbs) if self.swap else self.footing.limbs

    @cached_property
    def leads(self) -> list[int]:
        """Of each follower the one whose bone of the source it does what."""
        return mirror.partners(self.binding) if self.swap else list(range(len(self.binding)))

    @cached_property
    def lift(self) -> Floats:
        """(F,) the same as `lifts`, of each frame."""
        return self.motion.spans.spread(self.lifts)
