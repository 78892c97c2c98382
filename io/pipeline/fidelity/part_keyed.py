"""What is no pose and has keys for all of its numbers together, such as what a game keeps and does not use: where some have lost theirs."""

from __future__ import annotations

from ....core.motion.comparison import REST
from ....core.motion.curves import PATHS
from ....core.reporting import log
from ....core.reporting.labels import first_few
from .pair import Pair


def report(pair: Pair) -> None:
    """Say which numbers of a property are no longer keyed, so that the file gets 0, where it had others."""
    known = {channel for channel in (*pair.curves, *pair.muted) if channel.property not in REST and channel.property not in PATHS}
    properties = {(channel.bone, channel.property) for channel in known}
    if not properties:
        return
    gone: dict[tuple[str, str], list[int]] = {}
    for block in pair.clip.before() or ():
        for channel, values in zip(block.channels, block.values, strict=True):
            if (owner := (channel.bone, channel.property)) in properties and channel not in known and values.any():
                gone.setdefault(owner, []).append(channel.component)
    for (bone, path), components in gone.items():
        which = first_few([str(component) for component in components])
        name = path.strip('["]')
        log.warning(f"{bone}: {name} has lost its curve of index {which}, and the file gets 0 there: undo that", bone=bone)
