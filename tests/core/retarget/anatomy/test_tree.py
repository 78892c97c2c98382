"""Trees of the bones that carry a shape: parents first, whatever bones stand for others."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.retarget.anatomy.tree import tree_of


@given(st.data(), st.integers(1, 12))
def test_parents_come_first_and_none_is_lost_when_stand_ins_make_circles(data: st.DataObject, bones: int) -> None:
    parents = [data.draw(st.integers(-1, bone - 1)) for bone in range(bones)]
    chosen = [bone for bone in range(bones) if data.draw(st.booleans())]
    twins = {bone: data.draw(st.sampled_from(chosen)) for bone in range(bones) if bone not in chosen and chosen}
    points = np.arange(bones * 3.0).reshape(bones, 3)
    tree = tree_of(chosen, parents, points, points, twins)
    assert sorted(tree.bones) == chosen
    assert all(parent < bone for bone, parent in enumerate(tree.parents))


def test_a_circle_of_stand_ins_is_cut_once() -> None:
    """Bones 1 and 2 hang on helpers 3 and 4, for which 2 and 1 stand: 1 stays under 2, and 0 under 1, whose helper is 5."""
    parents = [5, 3, 4, -1, -1, -1]
    tree = tree_of([0, 1, 2], parents, np.zeros((6, 3)), np.zeros((6, 3)), {3: 2, 4: 1, 5: 1})
    assert {tree.bones[bone]: tree.bones[parent] if parent >= 0 else -1 for bone, parent in enumerate(tree.parents)} == {0: 1, 1: 2, 2: -1}
