"""What the side panel of retargeting shows: who follows whom, bone by bone, how, and how well it went."""

from __future__ import annotations

from typing import Any

import bpy

from ...shared.parts import draw_parts
from ..mapping import highlight
from . import goals, main, options, pose, report, table

PARTS = (report.Report, pose.ReferencePose, table.BoneMap, goals.HandsAndFeet, options.Options)
"""What a run said is directly below its button."""


def draw(layout: Any, context: bpy.types.Context) -> None:
    highlight.register()
    main.draw(layout, context)
    draw_parts(layout, context, PARTS)
