"""How to retarget, once for the operator and for the side panel; and who wants to know of changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.retarget.options import Options, RetargetOptions
from ..shared.declared import groups, values

GROUPS = groups(Options, RetargetOptions)
"""As the panel shows them."""

NAMES = tuple(name for names in GROUPS.values() for name in names)

ALIGNMENT = ("align", "pose_frame", "reference", "source_pose", "target_pose")
"""Those that say in which poses both figures stand alike."""


def options_of(owner: Any, actions: tuple[str, ...]) -> RetargetOptions:
    """From the properties. actions: names of the source's actions."""
    return RetargetOptions(core=Options(**values(Options, owner)), actions=actions, **values(RetargetOptions, owner))


LISTENERS: list[Callable[[], None]] = []
"""Called after a change of the armatures, the table or the options."""


def changed(_settings: Any = None, _context: Any = None) -> None:
    """Tell whoever listens."""
    for listener in LISTENERS:
        listener()
