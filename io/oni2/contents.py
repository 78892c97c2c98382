"""What RB.DAT has to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.oni2.characters import companions
from ..pipeline.contents import Contents, numbered


def contents(path: str, _options: Mapping[str, Any]) -> Contents:
    """Raises FormatError for what is no archive."""
    return {name: numbered(lines) for name, lines in companions.contents(path).items()}
