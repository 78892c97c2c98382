"""The side panel of retargeting: who follows whom, bone by bone, how, and how well it went."""

from __future__ import annotations

from . import goals, main, options, pose, report, table

CLASSES = (*main.CLASSES, *report.CLASSES, *pose.CLASSES, *table.CLASSES, *goals.CLASSES, *options.CLASSES)
"""The panel that the others stand in is the first; these follow in this order: what a run said is directly below its button."""
