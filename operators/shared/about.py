"""What whoever mends a problem needs to know first: versions, system, and what the last run said."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.reporting import manifest
from . import messages


def about(context: bpy.types.Context) -> str:
    """As lines of text."""
    import platform

    build: Any = bpy.app.build_hash
    blender = f"Blender {bpy.app.version_string} ({build.decode('ascii', 'replace')})"
    heads = (f"Retro Game Animation {manifest.read()['version']}", blender, platform.platform(), *_graphics())
    return "\n".join([*heads, *messages.of_last_run(context), ""])


def _graphics() -> list[str]:
    """Card and driver, where there is a window."""
    if bpy.app.background:
        return []
    import gpu

    return [f"{gpu.platform.renderer_get()}, {gpu.platform.version_get()}"]
