"""An edited bone map whose bones got other names since."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ....reporting import log
from ....reporting.labels import counted
from .bone_map import BoneMap, Chain, Pair


def with_edits(edited: BoneMap, fresh: BoneMap, sources: Collection[str], targets: Collection[str]) -> BoneMap:
    """The edited map, but for lines of bones that are there no more, instead of which it has what was found for their other bones. fresh:
    the map that was found for the bones of source and target as they are called now."""
    stays = [each for each in edited.lines if _bones(each)[0].issubset(sources) and _bones(each)[1].issubset(targets)]
    taken = {bone for each in stays for bone in _bones(each)[1]}
    gone = [_bones(each) for each in edited.lines if each not in stays]
    anew = [
        each
        for each in fresh.lines
        if taken.isdisjoint(_bones(each)[1]) and any(_bones(each)[0] & one or _bones(each)[1] & other for one, other in gone)
    ]
    log.warning(f"bones of the bone map have other names now: {counted(len(anew), 'line')} mapped anew, the others stay")
    lines = (*stays, *anew)
    return replace(
        fresh,
        pairs=tuple(each for each in lines if isinstance(each, Pair)),
        chains=tuple(each for each in lines if isinstance(each, Chain)),
        limbs=edited.limbs,
    )


def _bones(line: Pair | Chain) -> tuple[set[str], set[str]]:
    """Of the source and of the target."""
    return ({line.source}, {line.target}) if isinstance(line, Pair) else ({*line.source}, {*line.target})
