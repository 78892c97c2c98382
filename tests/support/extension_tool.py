"""Blender's own tool for extensions, which runs without Blender being started."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

USUAL = ("building:", "complete", "created:", "found 1 packages", "Success parsing", "Validating TOML")


def extension_tool(command: str, *arguments: str) -> str:
    """What a command says (`validate`, `build`, `server-generate`, `sync`, `install`). Raises ValueError with it where that fails."""
    run = subprocess.run(
        [sys.executable, str(_scripts() / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"), command, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    if run.returncode:
        raise ValueError(f"extension {command}:\n{run.stdout}")
    return run.stdout


def validate(path: Path) -> None:
    """Lets Blender look at a zip or a folder. Raises ValueError with what it says where that is any word beyond its usual ones."""
    said = extension_tool("validate", f"--valid-tags={_scripts() / 'modules' / '_bpy_internal' / 'extensions' / 'tags.py'}", str(path))
    if any(line and not line.startswith(USUAL) for line in said.splitlines()):
        raise ValueError(said)


def _scripts() -> Path:
    """The folder of Python scripts inside this environment's bpy wheel, found without starting Blender."""
    spec = find_spec("bpy")
    assert spec and spec.origin, "this needs an environment that has Blender"
    (scripts,) = Path(spec.origin).parent.glob("*/scripts")
    return scripts
