"""How well it went, an action at a time."""

from __future__ import annotations

import bpy

from ...shared.layout import draw_whole
from ...shared.parts import Part
from ..settings import settings_of


class Report(Part):
    title = "Report"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return len(settings_of(context).reports) > 0

    def draw_folded(self, context: bpy.types.Context) -> None:
        """That somebody should open it."""
        if not all(report.is_good for report in settings_of(context).reports):
            row = self.layout.row()
            row.alignment = "RIGHT"
            row.label(text="", icon="ERROR")

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = self.layout, settings_of(context)
        doubtful, several = sum(not report.is_good for report in settings.reports), len(settings.reports) > 1
        if several:
            says = f"{doubtful} of {len(settings.reports)} actions ask for a look" if doubtful else "No action asks for a look"
            draw_whole(layout, says, context.region, icon="ERROR" if doubtful else "CHECKMARK")
            layout.template_list("RETRO_ANIM_UL_reports", "", settings, "reports", settings, "report", rows=3)
        if 0 <= settings.report < len(settings.reports):
            report = settings.reports[settings.report]
            reasons = report.reasons.split("\n")
            lines = report.lines.split("\n")
            for line in filter(reasons.__contains__, lines):
                draw_whole(layout, line, context.region, icon="ERROR")
            if report.is_good and (doubtful or not several):  # else it is said above the list
                layout.label(text="Nothing asks for a look", icon="CHECKMARK")
            header, body = layout.panel("retro_anim_retarget_figures", default_closed=True)
            header.label(text="Figures", translate=False)
            for line in lines if body else ():
                if line not in reasons:
                    draw_whole(body, line, context.region, indent="    ")
            if body:
                body.operator("retro_anim.retarget_report", icon="FILE_TICK")
