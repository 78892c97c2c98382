"""What bones are by where they stand in the skeleton."""

from __future__ import annotations

from retro_anim.core.retarget.anatomy.structure import spine_roles


def test_bones_of_a_spine_have_the_roles_of_vrm() -> None:
    """One is the chest; two are spine and chest; of more the first is the spine, the last the upper chest, one in the middle the chest."""
    assert [spine_roles(range(10, 10 + count)) for count in range(6)] == [
        {},
        {"chest": 10},
        {"spine": 10, "chest": 11},
        {"spine": 10, "chest": 11, "upperChest": 12},
        {"spine": 10, "chest": 12, "upperChest": 13},
        {"spine": 10, "chest": 12, "upperChest": 14},
    ]
