"""Clips on skeletons without Blender: what the import writes, as if it were read back."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
from hypothesis import strategies as st
from retro_anim.core.motion.curves import Curves, Placement, Timing, curves_of
from retro_anim.core.motion.rotations.rotation_matrix import from_euler
from retro_anim.core.oni2.files.anim import Anim
from retro_anim.core.oni2.files.header import Header
from retro_anim.core.oni2.files.interpretation import Facing, Interpretation, Offset, Order, ScaleChannels
from retro_anim.core.oni2.files.skeleton.skel import Skel, write
from retro_anim.core.oni2.motion.channels import layout_of
from retro_anim.core.oni2.motion.motion import Conversion, blocks_of, rig_of
from retro_anim.core.oni2.motion.sampling import frames_of, gather, sampled
from retro_anim.core.oni2.motion.update import Before, update
from support.oni2.oni2_strategies import anims_of, bone_lists


def conversion_of(skel: Skel, **options: Any) -> Conversion:
    """Options of Interpretation and of Stage, and `direction` and `fps`."""
    values = {name: options.pop(name) for name in ("order", "offset", "scale_channels", "facing") if name in options}
    if "scale_channels" in values:
        values["scale"] = values.pop("scale_channels")
    interpretation = Interpretation(**values)
    rig = rig_of(skel, interpretation.facing, options.pop("direction", "GAME"))
    timing = Timing(30.0, options.pop("fps", 30.0), options.pop("start", 1.0))
    rest: dict[str, Any] = {"scale": 1.0, "root_motion": "BONE", "placement": Placement.origin()} | options
    return Conversion(skel, layout_of(skel, interpretation.order), rig, timing, interpretation=interpretation, **rest)


angles = np.array([0.3, -0.2, 1.1])
ELSEWHERE = Placement(np.array([1.5, -2.0, 0.25]), from_euler(angles, "ZYX"), angles, np.array([2.0, 1.0, 0.5]))


@st.composite
def conversions(draw: st.DrawFn) -> Conversion:
    skel = write(draw(bone_lists()), draw(st.sampled_from(["101", "101", ""])))
    if not len(layout_of(skel)):
        skel = write(skel.bones, "")
    return conversion_of(
        skel,
        order=draw(st.sampled_from(get_args(Order))),
        offset=draw(st.sampled_from(get_args(Offset))),
        scale_channels=draw(st.sampled_from(get_args(ScaleChannels))),
        facing=draw(st.sampled_from(get_args(Facing))),
        direction=draw(st.sampled_from(["GAME", "CHILD"])),
        fps=draw(st.sampled_from([30.0, 24.0, 60.0, 29.97])),
        start=draw(st.sampled_from([1.0, 0.0, -12.5])),
        scale=draw(st.sampled_from([1.0, 0.01, 3.3])),
        root_motion=draw(st.sampled_from(["BONE", "OBJECT", "NONE"])),
        placement=draw(st.sampled_from([Placement.origin(), ELSEWHERE])),
    )


@st.composite
def clips(draw: st.DrawFn) -> tuple[Conversion, Anim]:
    conversion = draw(conversions())
    return conversion, draw(anims_of(len(conversion.layout)))


def imported(anim: Anim, conversion: Conversion) -> Curves:
    return curves_of(blocks_of(anim, conversion))


def exported(curves: Curves, conversion: Conversion, header: Header, anim: Anim | None, conversion_then: Conversion | None = None) -> Anim:
    frames = frames_of(curves, conversion)
    samples = gather(curves, frames, sampled(curves, frames, conversion), conversion)
    return update(samples, conversion, header, None if anim is None else Before.of(anim, conversion_then or conversion))
