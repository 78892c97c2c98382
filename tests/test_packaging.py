"""What users get: the manifest, the zip for Blender, and the package that pip installs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Any

import pytest
from build_extension import BuildError, build, listed, shipped
from support.extension_tool import extension_tool, validate

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = {"core", "io", "operators", "cli", "__init__.py", "blender_manifest.toml", "LICENSE", "README.md", "CHANGELOG.md", "docs"}


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tracked() -> set[str]:
    run = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return {name for name in run.stdout.splitlines() if (ROOT / name).exists()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("zip"))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files that git knows, in a folder of another name without git."""
    target = tmp_path / "another name"
    for name in listed(ROOT):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target / name)
    return target


def test_one_version(manifest: dict[str, Any]) -> None:
    assert version("retro-anim") == manifest["version"]
    assert f"## {manifest['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_manifest_says_who_we_are(manifest: dict[str, Any]) -> None:
    assert manifest["id"] == "retro_anim"
    assert manifest["name"] == "Retro Game Animation"
    assert manifest["maintainer"] == "Retro Game Animation contributors"
    assert manifest["license"] == ["SPDX:GPL-3.0-or-later"]
    assert manifest["copyright"] == ["2026 Retro Game Animation contributors"]
    assert manifest["blender_version_min"] == "4.2.0"
    assert manifest["tags"] == ["Import-Export", "Animation", "Rigging"]
    assert list(manifest["permissions"]) == ["files"]


def test_manifest_follows_the_platform_rules(manifest: dict[str, Any]) -> None:
    for text in (manifest["name"], manifest["tagline"], *manifest["permissions"].values()):
        assert 0 < len(text) <= 64
        assert text[-1].isalnum()
        assert "Blender" not in text
    assert all(value not in ("", [], {}) for value in manifest.values())


def test_zip_holds_what_users_need_and_nothing_else(built: Path, tracked: set[str]) -> None:
    members = set(zipfile.ZipFile(built).namelist())
    assert members == {name for name in tracked if name.partition("/")[0] in SHIPPED and not name.endswith(".png")}
    assert {"__init__.py", "blender_manifest.toml", "LICENSE"} <= members


def test_no_file_has_both_sides_of_a_merge(tracked: set[str]) -> None:
    texts = [name for name in tracked if name.endswith((".md", ".py", ".toml", ".txt", ".json", ".xml"))]
    marked = [name for name in texts if "\n<<<<<<< " in (ROOT / name).read_text(encoding="utf-8", errors="replace")]
    assert marked == []


def test_blender_takes_the_zip(built: Path) -> None:
    validate(built)


def test_zip_holds_what_blender_would_put_into_it(built: Path, copy: Path, tmp_path: Path) -> None:
    extension_tool("build", "--source-dir", str(copy), "--output-dir", str(tmp_path))
    with zipfile.ZipFile(built) as ours, zipfile.ZipFile(tmp_path / built.name) as blenders:
        assert ours.namelist() == sorted(blenders.namelist())
        assert all(ours.read(name) == blenders.read(name) for name in ours.namelist())


def test_zip_is_the_same_every_time(built: Path, copy: Path, tmp_path: Path) -> None:
    """In a checkout with other times and permissions where something lies about, and in a source without git."""
    assert build(copy, tmp_path / "plain").read_bytes() == built.read_bytes()
    for command in (["init", "-q"], ["add", "--all", "--force"]):
        subprocess.run(["git", *command], cwd=copy, check=True)
    for path in copy.rglob("*.py"):
        os.utime(path, (0, 1_500_000_000))
        path.chmod(0o755)
    (copy / "core" / "left_lying_about.txt").touch()
    assert build(copy, tmp_path / "dist").read_bytes() == built.read_bytes()


def test_zip_needs_nothing_installed(built: Path, tmp_path: Path) -> None:
    """A Python without its packages (-S) and without any setting of the user (-I), in another folder and time zone."""
    command = [sys.executable, "-I", "-S", str(ROOT / "tools" / "build_extension.py"), "here"]
    run = subprocess.run(command, cwd=tmp_path, env={**os.environ, "TZ": "Asia/Tokyo"}, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert Path(run.stdout.strip()).read_bytes() == built.read_bytes()
    assert Path(run.stdout.strip()).parent.samefile(tmp_path / "here")


@pytest.mark.parametrize(("given", "code"), [(["--help"], 0), (["--out"], 2), (["here", "there"], 2)])
def test_an_option_is_no_folder(tmp_path: Path, given: list[str], code: int) -> None:
    command = [sys.executable, str(ROOT / "tools" / "build_extension.py"), *given]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.returncode == code and "build_extension.py [FOLDER]" in run.stdout and not list(tmp_path.iterdir())


def test_patterns_of_the_manifest() -> None:
    names = ["a.py", "docs/a.py", "x/docs/a.py", "b/.hidden", "x.egg-info/PKG", "b.zip", "x/b.zip", "docs.py"]
    assert shipped(names, ["/docs/", ".*", "*.egg-info/", "/*.zip"]) == ["a.py", "docs.py", "x/b.zip", "x/docs/a.py"]
    with pytest.raises(BuildError, match="a/b"):
        shipped(names, ["a/b"])


def test_a_manifest_that_breaks_the_rules_is_refused(tmp_path: Path) -> None:
    text = (ROOT / "blender_manifest.toml").read_text(encoding="utf-8")
    (tmp_path / "__init__.py").touch()
    (tmp_path / "blender_manifest.toml").write_text(text.replace('tags = ["', 'tags = ["Nonsense", "'), encoding="utf-8")
    with pytest.raises(ValueError, match="Nonsense"):
        validate(build(tmp_path, tmp_path / "dist"))


def test_pip_installs_every_module(copy: Path, tmp_path: Path, tracked: set[str]) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(copy)]
    subprocess.run(command, check=True)
    (wheel,) = tmp_path.glob("retro_anim-*.whl")
    installed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    floors = ("core", "io", "operators", "cli", "samples")
    modules = {name for name in tracked if name.endswith(".py") and name.partition("/")[0] in (*floors, "__init__.py")}
    assert {name for name in installed if name.endswith(".py")} == {f"retro_anim/{name}" for name in modules}
    assert "retro_anim/blender_manifest.toml" in installed


def test_pip_installs_the_command() -> None:
    (command,) = entry_points(group="console_scripts", name="retro-anim")
    assert command.value == "retro_anim.cli:script"
