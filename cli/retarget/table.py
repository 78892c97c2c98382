"""Many reports of `retarget` as one table, a line for each clip, and below it what asks for a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...core.retarget.reports.report import Report
from .wording import as_options

_COLUMNS = ("clip", "frames", "bones", "limbs °", "feet slide", "lower m", "above m", "turned °", "rounded °", "s")


def table(reports: Sequence[Report], origins: Sequence[str]) -> Iterator[str]:
    """feet slide: leg lengths a second beyond what the source's feet do. rounded: by the game's numbers. origins: the file of each, "" for
    one of several that were opened together; it is named where clips are called alike."""
    alike = Counter(report.name for report in reports)
    names = [
        f"{report.name} ({path})" if path and alike[report.name] > 1 else report.name for report, path in zip(reports, origins, strict=True)
    ]
    rows = [_COLUMNS, *map(_row, names, reports)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield "  ".join(cells).rstrip()
    for name, report in zip(names, reports, strict=True):
        yield from (f"{name}: {line}" for line in report.reasons(as_options))


def _row(name: str, report: Report) -> tuple[str, ...]:
    return (
        name,
        str(report.frames),
        str(report.bones),
        f"{report.limb_max:.3f}",
        f"{max(report.skate - report.skate_source, 0.0):.3f}",
        f"{report.penetration:.3f}",
        f"{report.above:.3f}",
        f"{report.yaw:.4g}",
        "" if report.quantisation is None else f"{report.quantisation:.3f}",
        f"{report.seconds:.2f}",
    )
