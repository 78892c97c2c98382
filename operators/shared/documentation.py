"""The documentation that comes with the extension, in the browser of the system and without a network."""

from pathlib import Path

import bpy

from . import preferences


def folder() -> Path:
    """Where the pages are made: outside the extension, which an update replaces."""
    try:
        return Path(bpy.utils.extension_path_user(preferences.ADDON, path="documentation"))
    except ValueError:  # it runs without being installed
        return Path(bpy.app.tempdir) / "documentation"


def write_pages(target: Path) -> Path:
    """Make the pages; returns the first one. Raises OSError where they cannot be written."""
    from ...core.reporting import markdown

    own = Path(__file__).resolve().parents[2] / "docs"
    for path in sorted(own.rglob("*.md")):
        page = target / path.relative_to(own).with_suffix(".html")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(markdown.page(path.read_text(encoding="utf-8"), f"Retro Game Animation: {path.stem}"), encoding="utf-8")
    return target / "index.html"
