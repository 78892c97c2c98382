"""Makes the zip that users install: python3 tools/build_extension.py [FOLDER]

Any Python from 3.11 on does, with nothing installed. Takes the files that git knows, in the state they are in, and all files where there is
no git, as in a downloaded source; leaves out what the manifest names; writes retro_anim-VERSION.zip into FOLDER (`dist` if not given).
The same files give the same bytes, on every machine.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


class BuildError(Exception):
    """What stands in the way, as one line."""


def build(source: Path, output: Path) -> Path:
    """Makes the extension from the files of the checkout `source`; returns the zip in the folder `output`."""
    manifest = read_manifest(source)
    names = shipped(listed(source), manifest["build"]["paths_exclude_pattern"])
    output.mkdir(parents=True, exist_ok=True)
    target = output / f"{manifest['id']}-{manifest['version']}.zip"
    pack(source, names, target)
    return target


def read_manifest(source: Path) -> dict[str, Any]:
    return tomllib.loads((source / "blender_manifest.toml").read_text(encoding="utf-8"))


def listed(source: Path) -> list[str]:
    """The files of a checkout, as paths with slashes: those that git knows, so that what else lies about cannot get into the zip."""
    if (source / ".git").exists():
        try:
            run = subprocess.run(["git", "ls-files", "-z"], cwd=source, stdout=subprocess.PIPE, check=True)
        except FileNotFoundError:
            raise BuildError("this is a git checkout, and git is not installed: without it, use a downloaded source") from None
        except subprocess.CalledProcessError as error:
            raise BuildError(f"git does not list its files (exit code {error.returncode})") from None
        return [name for name in run.stdout.decode().split("\0") if name and (source / name).is_file()]
    return [path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()]


def shipped(names: list[str], patterns: list[str]) -> list[str]:
    """Those that no pattern of the manifest leaves out, in alphabetical order."""
    for pattern in patterns:
        if "/" in pattern.strip("/") or pattern.startswith("!") or "**" in pattern:
            raise BuildError(f"blender_manifest.toml: the pattern {pattern} is of a kind that is not understood here")
    return sorted(name for name in names if not any(_left_out(name.split("/"), pattern) for pattern in patterns))


def _left_out(parts: list[str], pattern: str) -> bool:
    """As in a .gitignore, for patterns of one part: from the top where it begins with a slash, folders alone where it ends in one."""
    names = parts[:-1] if pattern.endswith("/") else parts
    return any(fnmatchcase(name, pattern.strip("/")) for name in (names[:1] if pattern.startswith("/") else names))


def pack(source: Path, names: list[str], target: Path) -> None:
    """Writes the files with fixed times and permissions, stored: which bytes compression gives depends on the machine's zlib."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name in names:
            member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            member.create_system = 3  # Unix, on every machine
            member.external_attr = 0o100644 << 16
            archive.writestr(member, (source / name).read_bytes())


def main(arguments: list[str]) -> int:
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):  # an option would be the name of a folder
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    try:
        print(build(ROOT, Path(arguments[0] if arguments else ROOT / "dist").resolve()))
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
