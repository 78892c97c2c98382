"""What the numbers of actions stand for: a pose and a weapon mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....record import Record

if TYPE_CHECKING:
    from .pose_info import PoseInfo

WEAPONS = ("unarmed", "sword", "two-hand", "dual", "gun", "bow", "dagger")
"""The weapon modes, in the order of the numbers in a record."""

POSE_COUNT = 54
POSES = (
    "wait", "show", "sleep", "alert wait", "run", "alert run", "attack 1", "attack 2", "attack 3", "power attack",
    "skill 1", "skill 2", "skill 3", "skill 4", "skill 5", "sit", "die", "wave", "cry", "jump",
    "anger", "dare", "gay", "emote 1", "emote 2", "emote 3", "emote 4", "mine", "collect", "sit 2",
    "lean 1", "lean 2", "scene 1", "scene 2", "scene 3", "scene 4", "scene 5", "reserved 1", "reserved 2", "skill 6",
    "skill 7", "fly wait", "fly run", "fly show", "fly sit", "skill 12", "skill 13", "skill 14", "skill 15", "skill 16",
    "skill 17", "skill 18", "skill 19", "skill 20",
)  # fmt: skip
"""The engine's names of poses 1 to 54 (CharacterAction.h)."""


class ActionName(Record):
    """What an action is. pose: 1 to 54, 0 when it is not known. weapon: index into `WEAPONS`. client_name: in the client's own table."""

    number: int
    pose: int
    weapon: int
    client_name: str = ""

    def __str__(self) -> str:
        """The engine's English name, with the weapon unless there is none: "run", "attack 1, sword"."""
        known = POSES[self.pose - 1] if 0 < self.pose <= POSE_COUNT else self.client_name or f"action {self.number}"
        return f"{known}, {WEAPONS[self.weapon]}" if self.weapon else known


def action_name(number: int, info: PoseInfo | None = None) -> ActionName:
    """What action `number` of any type of character is: by the client's table, else by the order that all known clients have."""
    if info is not None and number in info.poses:
        pose, weapon = info.poses[number]
        return ActionName(number, pose, weapon, info.names.get(pose, ""))
    if 0 < number <= POSE_COUNT * len(WEAPONS):
        weapon, pose = divmod(number - 1, POSE_COUNT)
        return ActionName(number, pose + 1, weapon, info.names.get(pose + 1, "") if info else "")
    return ActionName(number, 0, 0)
