"""What tells one skeleton from another."""

from __future__ import annotations

import numpy as np
from retro_anim.core.motion.rigs.skeleton import Skeleton


def print_of(names: str, parents: list[int], size: float = 1.0) -> str:
    heads = np.arange(3.0 * len(parents)).reshape(-1, 3) * size
    return Skeleton(tuple(names.split()), np.array(parents, np.int32), heads, heads + size).fingerprint


def test_a_fingerprint_is_of_names_and_hierarchy_alone() -> None:
    """Kept bone maps go by it: the first quarter of the SHA-256 of a line a bone."""
    assert print_of("hips leg", [-1, 0]) == print_of("hips leg", [-1, 0], 7.0) == "40b3a65b11fae9e9"
    assert len({print_of("hips leg", [-1, 0]), print_of("hips leg", [-1, -1]), print_of("hips arm", [-1, 0])}) == 3
