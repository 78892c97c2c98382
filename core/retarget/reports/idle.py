"""What a person has asked for and gets nothing of: options that have nothing to act on in this map."""

from __future__ import annotations

from collections.abc import Callable

from ...reporting.labels import first_few
from ..figures.roles import SIDES
from ..limb_goals.limb_joints import joint_roles
from ..setup import Setup
from ..transfer import mirror
from ..transfer.transfer import between

_NAMED = 4
"""Bones that a line calls by their names."""


def idle(setup: Setup) -> list[str]:
    """A sentence for each option that does nothing, with what helps."""
    binding = setup.binding
    followers = binding.followers

    def named(asked: Callable[[int], bool]) -> str:
        return first_few([binding.named(row) for row in range(len(binding)) if asked(row)], _NAMED)

    spread = named(lambda row: followers[row].options.distribute and (binding.above[row] < 0 or not between(binding, row)))
    tails = [row for row, each in enumerate(followers) if each.options.tail]
    below = named(lambda row: row in tails and bool(binding.steering[row]))
    fixed = named(lambda row: followers[row].options.location and bool(binding.target.fixed[followers[row].target]))
    result: list[str] = []
    if spread:
        text = "Spread does nothing, as no bone without a line is between it and the next one above that follows"
        result.append(f"{spread}: {text}: remove the lines of those that are to share its rotation, or make a chain of them")
    if tails and setup.options.align != "AUTO":
        every = named(lambda row: row in tails)
        result.append(f"{every}: Align Tail does nothing with this Alignment: it counts with Automatic")
    elif below:
        result.append(f"{below}: Align Tail does nothing, as bones below show where it points: remove their lines, or rotate it by Offset")
    if fixed:
        result.append(f"{fixed}: Location does nothing, as it cannot move: where it is connected to its parent, disconnect it in Edit Mode")
    if setup.options.mirror and (rows := mirror.alone(binding, setup.facing.lateral)):
        own = named(lambda row: row in rows)
        result.append(
            f"Mirror leaves {own} on its side, as the bone map has no line of the other one: add that, where there is such a bone"
        )
    if setup.options.hands and not any(binding.roles.keys() >= {*joint_roles(f"{side}Hand")} for side in SIDES):
        result.append("Hold Hands does nothing: the bone map has no arm with upper arm, lower arm and hand: add their lines")
    return result
