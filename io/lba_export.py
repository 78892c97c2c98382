"""The exporter of Little Big Adventure under the name that scripts knew first; it is in `io.lba`."""

from __future__ import annotations

from .lba import ExportOptions, export_lba

__all__ = ["ExportOptions", "export_lba"]
