"""The side panel of retargeting: who follows whom, bone by bone, how, and how well it went."""

from __future__ import annotations

from . import goals, main, options, pose, report, table

CLASSES = (*main.CLASSES, *pose.CLASSES, *table.CLASSES, *goals.CLASSES, *options.CLASSES, *report.CLASSES)
"""The panel that the others stand in is the first; these follow in this order."""
