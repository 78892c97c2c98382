"""What a release is: the zip, the entry of the changes, and an extension repository that Blender itself reads and installs from."""

from __future__ import annotations

import json
import shutil
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from build_extension import ROOT, BuildError
from release import entry, release
from support.extension_tool import extension_tool

NAMES = ("blender_manifest.toml", "__init__.py", "CHANGELOG.md")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    release(ROOT, folder)
    return folder


def test_the_repository_is_as_blender_would_list_it(folder: Path, tmp_path: Path) -> None:
    (archive,) = folder.glob("*.zip")
    shutil.copy(archive, tmp_path)
    extension_tool("server-generate", f"--repo-dir={tmp_path}")
    ours, blenders = (json.loads((path / "index.json").read_text(encoding="utf-8")) for path in (folder, tmp_path))
    assert ours == blenders


def test_blender_subscribes_and_installs(folder: Path, tmp_path: Path) -> None:
    """Over HTTP, by the client that Blender's preferences start."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/index.json"
        remote = (f"--local-dir={tmp_path}", f"--remote-url={url}")
        extension_tool("sync", *remote)
        extension_tool("install", *remote, "--blender-version=5.2.0", "--python-version=3.13.0", "retro_anim")
        server.shutdown()
    assert (tmp_path / "retro_anim" / "__init__.py").read_bytes() == (ROOT / "__init__.py").read_bytes()


def test_notes_are_the_entry_of_the_changes(folder: Path) -> None:
    notes = (folder / "NOTES.md").read_text(encoding="utf-8")
    assert notes.strip() in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8") and "\n## " not in notes


CHANGES = "# Changes\n\n## 0.2.0 (2026-12-01)\n\n- New\n\n## 0.1.0 (unreleased)\n\n- First\n"


def test_entries() -> None:
    assert entry(CHANGES, "0.2.0", dated=True) == "- New"
    assert entry(CHANGES, "0.1.0", dated=False) == "- First"
    with pytest.raises(BuildError, match=r"0\.1\.0 is marked as unreleased"):
        entry(CHANGES, "0.1.0", dated=True)
    with pytest.raises(BuildError, match=r"no entry for 0\.3\.0"):
        entry(CHANGES, "0.3.0", dated=False)


def test_a_tag_of_another_version_is_refused(tmp_path: Path) -> None:
    for name in NAMES:
        shutil.copy(ROOT / name, tmp_path)
    changes = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8").replace("(unreleased)", "(2026-12-01)")
    (tmp_path / "CHANGELOG.md").write_text(changes, encoding="utf-8")
    with pytest.raises(BuildError, match=r"the tag is v9\.9\.9"):
        release(tmp_path, tmp_path / "dist", "v9.9.9")
    assert not (tmp_path / "dist").exists()
    assert release(tmp_path, tmp_path / "dist", "v0.1.0").name == "retro_anim-0.1.0.zip"


def test_files_of_others_stay(tmp_path: Path) -> None:
    """A release goes into the folder of the one before, not over the list or notes of something else."""
    source = tmp_path / "source"
    source.mkdir()
    for name in NAMES:
        shutil.copy(ROOT / name, source)
    for name, data in (("NOTES.md", "mine"), ("index.json", '{"version": "v1", "data": [{"id": "another"}]}')):
        (tmp_path / name).write_text(data, encoding="utf-8")
        with pytest.raises(BuildError, match=f"{name}: is there already"):
            release(source, tmp_path)
        assert (tmp_path / name).read_text(encoding="utf-8") == data
        (tmp_path / name).unlink()
    assert not list(tmp_path.glob("*.zip"))
    assert release(source, tmp_path) == release(source, tmp_path)
