"""Builds the zip that users install, with Blender's own extension tool: python tools/build_extension.py [FOLDER]

Takes the files that git knows, in the state they are in, and writes retro_anim-VERSION.zip into FOLDER (`dist` if not
given). The same files give the same bytes, on every machine. Runs in an environment with a bpy wheel.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class BuildError(Exception):
    """The extension tool refused or warned; the text is what it said."""


def build(source: Path, output: Path) -> Path:
    """Builds and validates the extension from the files of the git checkout `source`; returns the zip in `output`."""
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        staged, built = Path(temporary, "source"), Path(temporary, "built")
        built.mkdir()
        copy_tracked_files(source, staged)
        extension_tool("validate", str(staged))
        extension_tool("build", "--source-dir", str(staged), "--output-dir", str(built))
        (created,) = built.glob("*.zip")
        target = output / created.name
        pack_reproducibly(created, target)
    extension_tool("validate", str(target))
    return target


def copy_tracked_files(source: Path, target: Path) -> None:
    """Copies what git tracks, so that what else lies about in a working folder cannot get into the zip."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=source, stdout=subprocess.PIPE, check=True).stdout
    for name in filter(None, listing.decode().split("\0")):
        if (source / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, target / name)


def pack_reproducibly(created: Path, target: Path) -> None:
    """The same members in alphabetical order, with fixed times and permissions.

    Stored, not compressed: which bytes compression gives depends on the machine's zlib.
    """
    with zipfile.ZipFile(created) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new:
        for name in sorted(old.namelist()):
            member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            member.create_system = 3  # Unix, on every machine
            member.external_attr = 0o100644 << 16
            new.writestr(member, old.read(name))


def extension_tool(command: str, *arguments: str) -> None:
    """Runs Blender's `extension validate` or `build`; any word beyond its usual ones is taken for a warning."""
    scripts = blender_scripts()
    tool = scripts / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
    tags = scripts / "modules" / "_bpy_internal" / "extensions" / "tags.py"
    run = subprocess.run(
        [sys.executable, str(tool), command, f"--valid-tags={tags}", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    usual = ("building:", "complete", "created:", "Success parsing", "Validating TOML")
    if run.returncode or any(line and not line.startswith(usual) for line in run.stdout.splitlines()):
        raise BuildError(f"extension {command}:\n{run.stdout}")


def blender_scripts() -> Path:
    """The folder of Python scripts inside this environment's bpy wheel, found without starting Blender."""
    spec = find_spec("bpy")
    if spec is None or spec.origin is None:
        raise BuildError("no bpy here: run this with the Python of an environment that has Blender")
    (scripts,) = Path(spec.origin).parent.glob("*/scripts")
    return scripts


if __name__ == "__main__":
    try:
        print(build(ROOT, Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve()))
    except BuildError as error:
        sys.exit(str(error))
