"""What an archive of Little Big Adventure has to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.lba import contents as archives
from ...core.lba.files.archive.hqd import list_in
from ..pipeline.contents import Contents, Line

name_list = list_in


def contents(path: str, options: Mapping[str, Any]) -> Contents:
    """options: by name, as the importer takes them. Raises FormatError for what is no archive."""
    pages = archives.listed(path, options.get("file3d", ""), options.get("names", ""))
    return {
        name: [
            Line(str(line.index), line.label, False, line.name, line.title, line.kind, line.clips, line.frames, line.seconds, line.unused)
            for line in lines
        ]
        for name, lines in pages.items()
    }
