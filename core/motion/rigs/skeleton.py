"""A skeleton as all formats share it: names, parents and rest pose, in the game's own axes and units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ONWARDS = 0.15
"""Of the distance to its parent: how far a bone points on from it on which nothing hangs, where no file says how far it reaches. Short, so
that feet stay inside their mesh and markers on the ground do not hang far below it."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """names: one a bone, in the file's order. parents: (bones,) index of the parent, which comes first, -1 for a root.

    heads: (bones, 3) where each bone's joint is at rest, in character space. tips: (bones, 3) what each bone points at, for display.
    """

    names: tuple[str, ...]
    parents: NDArray[np.int32]
    heads: NDArray[np.float64]
    tips: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def fingerprint(self) -> str:
        """The same for skeletons of the same names and hierarchy, whatever their proportions."""
        from hashlib import sha256  # here: it loads all of OpenSSL, and what only looks at files asks for no fingerprint

        text = "\n".join(f"{name}\t{parent}" for name, parent in zip(self.names, self.parents.tolist(), strict=True))
        return sha256(text.encode()).hexdigest()[:16]
