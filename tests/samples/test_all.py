"""The samples that the repository keeps are those that the script makes, byte for byte, and no others."""

from __future__ import annotations

import subprocess
from pathlib import Path

from retro_anim.samples import build

ROOT = Path(__file__).resolve().parents[2]


def test_no_file_of_another_origin_is_kept(tmp_path: Path) -> None:
    build.main(tmp_path)
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    listed = subprocess.run(["git", "ls-files", "."], cwd=ROOT / "samples", stdout=subprocess.PIPE, text=True, check=True).stdout
    kept = {name for name in listed.splitlines() if not name.endswith(".py")}
    assert kept == written
    assert [name for name in sorted(kept) if (ROOT / "samples" / name).read_bytes() != (tmp_path / name).read_bytes()] == []
