"""What the other side shall do instead, and which bone carries root motion, of bones that are given by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.reporting.errors import RetroAnimError
from retro_anim.core.retarget import wanted
from retro_anim.core.retarget.wanted import _root_bone, mirrored


@pytest.mark.parametrize(
    ("root", "hips", "parents", "bone"),
    [
        (None, 2, [-1, 0, 1], 0),  # the highest bone above the hips
        (None, 1, [-1, 0, 1], 0),
        (None, 3, [-1, -1, 1, 2], 1),
        (0, 3, [-1, 0, 1, 2], 2),  # the one that is mapped as root, whatever is above it
        (0, 2, [-1, 0, -1], 2),
    ],
)
def test_which_bone_carries_root_motion(root: int | None, hips: int, parents: list[int], bone: int) -> None:
    roles = {"hips": 1} | ({} if root is None else {"root": root})
    binding = SimpleNamespace(
        roles=roles,
        hips=1,
        followers=[SimpleNamespace(target=2), SimpleNamespace(target=hips)],
        target=SimpleNamespace(parents=np.array(parents), names=tuple("abcd")),
    )
    setup: Any = SimpleNamespace(binding=binding)
    assert _root_bone(setup) == bone


def test_hips_on_which_nothing_is_above_carry_none() -> None:
    target = SimpleNamespace(parents=np.array([-1, -1]), names=("a", "pelvis"))
    setup: Any = SimpleNamespace(binding=SimpleNamespace(roles={}, hips=0, followers=[SimpleNamespace(target=1)], target=target))
    with pytest.raises(RetroAnimError, match="pelvis has no bone above it that could carry the root motion"):
        _root_bone(setup)


def test_the_other_side_moves_as_in_a_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    """About where each bone is at rest; of a partner that is not moved by its own."""
    joints = {5: np.array([1.0, 2, 3]), 6: np.array([-1.0, 2, 4]), 7: np.array([2.0, 0, 0])}
    binding = SimpleNamespace(
        followers=[SimpleNamespace(target=bone, role=role) for bone, role in ((5, "leftFoot"), (6, "rightFoot"), (7, "leftHand"), (8, ""))],
        row={5: 0, 6: 1, 7: 2},
        target=SimpleNamespace(joint=lambda bone, role: joints[bone] if role else None),
    )
    setup: Any = SimpleNamespace(binding=binding, facing=SimpleNamespace(lateral=np.array([1.0, 0, 0])))
    monkeypatch.setattr(wanted.mirror, "partners", lambda _binding: [1, 0, 3, 2])
    monkeypatch.setattr(wanted.mirror, "reflect_rotations", lambda rotations, _normal: -rotations)
    monkeypatch.setattr(wanted, "_columns", lambda _setup, _motion, column: column)
    deltas = np.arange(4.0)[None, :, None] * np.ones((2, 4, 4))
    moved = {5: joints[5] + np.array([[0.1, 0.2, 0.3]]), 6: joints[6] + np.array([[0.4, 0.5, 0.6]]), 7: joints[7] + np.array([[1.0, 1, 1]])}
    motion: Any = None
    columns: Any
    columns, result = mirrored(setup, motion, deltas, moved)
    assert result[5] == pytest.approx(joints[5] + np.array([[-0.4, 0.5, 0.6]]))
    assert result[6] == pytest.approx(joints[6] + np.array([[-0.1, 0.2, 0.3]]))
    assert result[7] == pytest.approx(joints[7] + np.array([[-1.0, 1, 1]]))
    assert [columns(row)[0, 0] for row in range(4)] == [-1, 0, -3, -2]
