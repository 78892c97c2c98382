"""What the extension says of itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def read() -> dict[str, Any]:
    """The manifest, which lies beside the code however that was installed."""
    import tomllib

    return tomllib.loads((Path(__file__).resolve().parents[2] / "blender_manifest.toml").read_text(encoding="utf-8"))
