"""What an imported action keeps of its import, so that the export can undo it: one table of fields for all games."""

from __future__ import annotations

from .fields import Field
from .shared import ROOT_MOTIONS

IMPORTED_FIELDS = (
    Field(
        "fps",
        "Frame Rate",
        "number",
        key="retro_anim_fps",
        help="The scene's frame rate at the import",
        unit="frames per second",
        minimum=0.001,
        maximum=100000,
        editable=False,
    ),
    Field(
        "frame_start",
        "Start Frame",
        "number",
        key="retro_anim_frame_start",
        help="Where the clip's first keyframe was put",
        unit="frames",
        minimum=-1048574,
        maximum=1048574,
        editable=False,
    ),
    Field(
        "scale",
        "Scale",
        "number",
        key="retro_anim_scale",
        help="Metres per game unit",
        minimum=1e-6,
        maximum=1e6,
        editable=False,
    ),
    Field(
        "root_motion",
        "Root Motion",
        "choice",
        key="retro_anim_root_motion",
        help="What carries the root motion",
        choices=ROOT_MOTIONS,
        editable=False,
    ),
    Field(
        "placement",
        "Placement",
        "numbers",
        key="retro_anim_placement",
        help="The object's location, Euler angles (ZYX) and scale from which its root motion starts",
        size=9,
        editable=False,
    ),
)
