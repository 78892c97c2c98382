"""Bones of the skin that one control moves together, such as those of an animal's neck, where the source's bend between their ends."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ....core.motion.rotations.directions import angle_between
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.motion import Motion
from ....core.retarget.reports import measures
from ....core.retarget.reports.report import Report
from ....core.retarget.setup import Setup
from ....core.retarget.transfer import mirror

_SEEN, _FAR = 2.0, 20.0
"""Degrees: less is not reported, and more asks for a look."""


@dataclass(frozen=True, eq=False)
class ShownRig:
    """What Blender shows of a rig. figure: of all its bones. poses: of these, at some frames. skins: control -> the bone of the skin that
    follows it. whole: bones that are no parts of a limb's. limits: bones that constraints bound, which is another matter."""

    figure: Figure
    poses: Motion
    skins: Mapping[str, str]
    whole: Container[str]
    limits: Container[str] = ()


def reported(report: Report, setup: Setup, source: Motion, rig: ShownRig) -> Report:
    """With the controls whose bones point elsewhere than the source's on the way to the next control. source: its motion at the same
    frames."""
    off = _apart(setup, source, rig)
    visible = sorted((each for each in off.items() if each[1][0] >= _SEEN), key=lambda each: -each[1][0])
    if not visible:
        return report
    every = ", ".join(f"{control} ({', '.join(bones)}) {degrees:.1f}°" for control, (degrees, bones) in visible)
    text = f"a control that moves several bones keeps them from where the source's point, up to: {every}: bend them by the controls between"
    if visible[0][1][0] >= _FAR:
        return replace(report, amiss=(*report.amiss, text))
    return replace(report, notes=(*report.notes, text))


def _apart(setup: Setup, source: Motion, rig: ShownRig) -> dict[str, tuple[float, list[str]]]:
    """By control the degrees between its bones and the source's, at most, and these bones."""
    binding, figure, reflection = setup.binding, rig.figure, measures.reflection_of(setup)
    result: dict[str, tuple[float, list[str]]] = {}
    for row, above in enumerate(binding.above.tolist()):
        if above < 0:
            continue
        ends = binding.named(above), binding.named(row)
        shown = [figure.index[rig.skins[name]] for name in ends if name in rig.skins]
        leads = (above, row) if reflection is None else tuple(reflection.partners[each] for each in (above, row))
        theirs = _path(binding.source, *(binding.followers[each].source for each in leads))
        own = [bone for bone in _path(figure, *shown) if figure.names[bone] in rig.whole] if len(shown) == len(ends) else []
        if len(own) < 3 or len(own) != len(theirs) or any(figure.names[bone] in rig.limits for bone in own):
            continue
        wanted = np.diff(source.positions[:, theirs], axis=1) @ setup.frame.T
        wanted = wanted if reflection is None else mirror.reflect_vectors(wanted, reflection.normal)
        degrees = float(np.degrees(angle_between(wanted, np.diff(rig.poses.positions[:, own], axis=1))).max())
        if degrees > result.get(ends[0], (0.0, []))[0]:
            result[ends[0]] = degrees, [figure.names[bone] for bone in own[:-1]]
    return result


def _path(figure: Figure, first: int, last: int) -> list[int]:
    """The bones from one to another below it, both included; none where it is not below."""
    path = [last]
    while path[-1] >= 0 and path[-1] != first:
        path.append(int(figure.parents[path[-1]]))
    return path[::-1] if path[-1] == first else []
