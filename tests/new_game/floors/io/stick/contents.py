"""What a .stick has to choose from: its one animation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core import formats
from ..pipeline.contents import Contents, Line


def contents(path: str, options: Mapping[str, Any]) -> Contents:
    document = formats.open_file(path).document
    return {"clips": [Line("0", f"{Path(path).stem}, {len(document.locations)} frames")]}
