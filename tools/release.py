"""Makes all that a release is: python3 tools/release.py [--tag vVERSION] [FOLDER]

Into FOLDER (`dist` if not given) come the zip, NOTES.md with this version's entry of CHANGELOG.md, and index.json, with which the folder is
an extension repository that Blender can subscribe to, wherever it is published. Any Python from 3.11 on does, with nothing installed.
With a tag, it has to be this version's, and the entry has to have its date.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from build_extension import ROOT, BuildError, build, read_manifest


def release(source: Path, output: Path, tag: str | None = None) -> Path:
    """Makes everything, of the checkout `source`; returns the zip. Raises BuildError where tag, manifest and changes do not agree."""
    manifest = read_manifest(source)
    version = manifest["version"]
    notes = entry((source / "CHANGELOG.md").read_text(encoding="utf-8"), version, dated=tag is not None)
    if tag is not None and tag != f"v{version}":
        raise BuildError(f"the tag is {tag}, and blender_manifest.toml has version {version}")
    _check_folder(output)
    archive = build(source, output)
    (output / "index.json").write_text(json.dumps(listing(manifest, archive), indent=2) + "\n", encoding="utf-8", newline="\n")
    (output / "NOTES.md").write_text(notes + "\n", encoding="utf-8", newline="\n")
    return archive


def _check_folder(output: Path) -> None:
    """Raises BuildError where the folder has a list or notes that are not of an earlier release."""
    there = [path for path in (output / "index.json", output / "NOTES.md") if path.exists()]
    try:
        known = json.loads((output / "index.json").read_text(encoding="utf-8")) if there else {}
        ours = [each["id"] for each in known["data"]] == ["retro_anim"] if there else True
    except (OSError, ValueError, TypeError, KeyError):
        ours = False
    if not ours:
        raise BuildError(f"{there[0]}: is there already, and is not of a release of this extension: choose another folder")


def entry(changes: str, version: str, *, dated: bool) -> str:
    """What CHANGELOG.md says of a version, without its heading. Raises BuildError where it says nothing, or has no date and should."""
    match = re.search(rf"^## {re.escape(version)} \(([^)]*)\)\n(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)
    if not match or not match[2].strip():
        raise BuildError(f"CHANGELOG.md has no entry for {version}")
    if dated and not re.fullmatch(r"\d{4}-\d\d-\d\d", match[1]):
        raise BuildError(f"CHANGELOG.md: {version} is marked as {match[1]}: write the date of the release (2026-01-31) there")
    return match[2].strip()


def listing(manifest: dict[str, Any], archive: Path) -> dict[str, Any]:
    """An extension repository with this one, as Blender's `extension server-generate` writes it. The zip is beside it."""
    data = archive.read_bytes()
    about = {key: value for key, value in manifest.items() if key not in ("build", "wheels")}
    about["archive_url"] = f"./{archive.name}"
    about["archive_size"] = len(data)
    about["archive_hash"] = f"sha256:{hashlib.sha256(data).hexdigest()}"
    return {"version": "v1", "blocklist": [], "data": [about]}


def main(arguments: list[str]) -> int:
    command = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist")
    command.add_argument("--tag")
    options = command.parse_args(arguments)
    try:
        print(release(ROOT, options.folder.resolve(), options.tag))
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
