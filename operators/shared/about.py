"""What whoever mends a problem needs to know first: versions, system, and what the last run said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

from . import messages


def about(context: bpy.types.Context) -> str:
    """As lines of text."""
    import platform

    build: Any = bpy.app.build_hash
    blender = f"Blender {bpy.app.version_string} ({build.decode('ascii', 'replace')})"
    heads = (f"Retro Game Animation {_manifest()['version']}", blender, platform.platform(), *_graphics())
    return "\n".join([*heads, *messages.of_last_run(context), ""])


def _graphics() -> list[str]:
    """Card and driver, where there is a window."""
    if bpy.app.background:
        return []
    import gpu

    return [f"{gpu.platform.renderer_get()}, {gpu.platform.version_get()}"]


def _manifest() -> dict[str, Any]:
    """What the extension says of itself."""
    import tomllib

    return tomllib.loads((Path(__file__).resolve().parents[2] / "blender_manifest.toml").read_text(encoding="utf-8"))
