"""Rules of roles whose answers are known: which bones share a rotation, which controls are for inverse kinematics, where fingers begin."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.mapping import map_bones
from retro_anim.core.retarget.mapping.naming.names import read_names
from retro_anim.core.retarget.mapping.naming.selection import inverse

from .. import rigs
from .given import figure_of

BODY = rigs.humanoid()


def body(*left_out: str, necks: int = 1, prefix: str = "") -> Figure:
    """The made-up body without some of its bones, whose children hang on what they hung on; or with several bones in the neck."""
    names, parents, heads = list[str](), list[int](), list[np.ndarray]()
    kept: dict[int, int] = {-1: -1}
    for bone, (name, parent) in enumerate(zip(rigs.NAMES, rigs.PARENTS.tolist(), strict=True)):
        kept[bone] = kept[parent]
        if name in left_out:
            continue
        for copy in range(necks if name == "neck" else 1):
            parents.append(kept[bone])
            kept[bone] = len(names)
            names.append(prefix + name + (f"_{copy + 1}" if necks > 1 and name == "neck" else ""))
            heads.append(BODY.heads[bone] + np.array([0, 0, 0.04]) * copy)
    return figure_of(names, parents, np.array(heads))


@pytest.mark.parametrize(
    ("source", "target", "role", "spreads"),
    [
        (body("spine", "upperChest"), body(prefix="to_"), "chest", True),
        (body(), body("spine", "upperChest", prefix="to_"), "chest", False),
        (body("upperChest"), body(prefix="to_"), "chest", False),
        (body("spine", "upperChest"), body("spine", "upperChest", prefix="to_"), "chest", False),
        (body("neck"), body(necks=2, prefix="to_"), "head", True),
        (body("neck"), body(prefix="to_"), "head", False),
        (body(necks=2), body(necks=2, prefix="to_"), "head", False),
        (body(necks=2), body("neck", prefix="to_"), "head", False),
    ],
)
def test_what_nothing_else_moves_shares_the_rotation(source: Figure, target: Figure, role: str, spreads: bool) -> None:
    """Bones of the target's spine and neck that the source has not: of its chest or its head, and of nothing else."""
    options = {pair.role: pair.options.distribute for pair in map_bones(source, target)}
    assert [each for each, distributes in options.items() if distributes] == ([role] if spreads else [])
    assert role in options


def test_controls_for_inverse_kinematics_are_those_of_what_others_move() -> None:
    """Of one name but for the layer, on the same side; what has a control of one kind alone keeps it."""
    names = ["hand_fk.L", "hand_ik.L", "hand_ik.R", "toe_ik.L", "hand.L", "foot_ik.R", "foot_fk.R"]
    assert {names[bone] for bone in inverse(read_names(names))} == {"hand_ik.L", "foot_ik.R"}
