"""What a .stick has to choose from: it is no archive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..pipeline.contents import Contents


def contents(path: str, options: Mapping[str, Any]) -> Contents:
    return {}
