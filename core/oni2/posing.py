"""The pose that a person asks for: the skeleton is found first, where it is not given."""

from __future__ import annotations

import numpy as np

from ..files.registry import Opened, Registry
from ..motion.pose import Pose, Wanted
from ..reporting.errors import FormatError
from .characters import companions
from .characters.companions import SkeletonMatch
from .files import interpretation
from .files.anim import RATE, Anim
from .files.skeleton.skel import Skel
from .motion.channels import layout_for
from .motion.evaluate import locals_of, values_at, world_of
from .motion.root_motion import travel_of


def pose_of(opened: Opened, wanted: Wanted) -> Pose:
    """Raises FormatError when the skeleton cannot be used or does not fit, or there is no such frame."""
    document = opened.document
    assert isinstance(document, Anim)
    wanted.report_angles()
    asked = interpretation.current()
    if wanted.skeleton:
        skel = _given(opened.registry, wanted.skeleton)
        match = SkeletonMatch(skel, wanted.skeleton, layout_for(skel, document.channel_count, asked.order))
    else:
        match = companions.skeleton_for(opened.address, document.channel_count, asked)
    count = len(document.table)
    if wanted.frame is not None and wanted.frame >= count:
        raise FormatError(f"there is no frame {wanted.frame}; the animation has {count}, counted from 0")
    frame = np.array([wanted.time * RATE if wanted.frame is None else float(wanted.frame)])
    local = locals_of(match.skel, match.layout, values_at(document.values, frame), asked)
    skeleton = match.skel.skeleton()
    travel = values_at(travel_of(document, match.layout), frame)[0]
    time = wanted.time if wanted.frame is None else wanted.frame / RATE
    return Pose("ANIM", time, skeleton.names, skeleton.parents, world_of(match.skel, local)[0], travel, 0.0, {})


def _given(registry: Registry, skeleton: str) -> Skel:
    opened = registry.open_file(skeleton)
    if not isinstance(opened.document, Skel):
        raise FormatError(f"no skeleton: {opened.format.label}", path=skeleton)
    return opened.document
