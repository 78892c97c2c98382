"""Direct3D's render states of a material: one of them changes, and all others stay, whatever a file has in their slots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from retro_anim.core.mindpower.files.mesh.materials import OLD_STATE, STATE, UNUSED, new_states, set_state, used_states

EMPTY = (UNUSED, (0, 0))
BEFORE: list[Any] = [(7, (1, 2)), (15, (1, 1)), (7, (3, 3)), EMPTY, (24, (5, 5)), (UNUSED, (9, 9)), EMPTY, EMPTY]
"""One with two unlike values, one twice, and one behind the first empty slot, where the engine does not look."""


@pytest.mark.parametrize(
    ("state", "value", "now"),
    [
        (22, 1, [*BEFORE[:3], (22, (1, 1)), *BEFORE[3:7]]),  # a new one
        (15, 4, [BEFORE[0], (15, (4, 4)), *BEFORE[2:]]),
        (15, None, [BEFORE[0], *BEFORE[2:], EMPTY]),
        (7, None, [BEFORE[1], *BEFORE[3:], EMPTY, EMPTY]),  # that is there twice
        (24, None, BEFORE),  # that is not in use
    ],
)
def test_one_state_changes_and_all_others_stay(state: int, value: int | None, now: list[Any]) -> None:
    slots = np.array(BEFORE, STATE)
    set_state(slots, state, value)
    assert slots.tobytes() == np.array(now, STATE).tobytes()


def test_one_state_of_an_old_file() -> None:
    slots = np.array([[(7, 1), (15, 2), *[(UNUSED, 0)] * 6], [(22, 8)] * 8], OLD_STATE)
    set_state(slots, 22, 1)
    set_state(slots, 7, None)
    assert slots.tolist() == [[(15, 2), (22, 1), *[(UNUSED, 0)] * 6], [(22, 8)] * 8]
    assert used_states(slots) == {15: 2, 22: 1}


@pytest.mark.parametrize("last", [(100, (1, 1)), EMPTY])
def test_there_is_room_for_eight(last: Any) -> None:
    """Also where the eighth is behind an empty slot."""
    slots = np.array([*[(state, (1, 1)) for state in range(1, 7)], (7, (1, 1)) if last == EMPTY else EMPTY, last], STATE)
    if last == EMPTY:
        set_state(slots, 22, 1)
        assert used_states(slots) == {**dict.fromkeys(range(1, 8), 1), 22: 1}
    before = slots.copy()
    with pytest.raises(ValueError, match="there is room for 8 render states, and all of it is in use"):
        set_state(slots, 23, 1)
    assert (slots == before).all()
    with pytest.raises(ValueError, match="room for 8"):
        new_states(dict.fromkeys(range(9), 1))
