"""The list of textures (TRMA) that a class of a level draws a body with, taken out as a file of its own with another texture."""

from __future__ import annotations

from pathlib import Path

import pytest

SKINS = ("TXMPIteration001/KS_pelvis", "TXMPIteration001/KS_head")


@pytest.fixture
def level(tmp_path: Path) -> Path:
    """Two classes; the second has the body and, of two bones, the list."""
