"""Tests inside Blender, either of the checkout or of the zip as Blender itself installs it.

conftest.py of each folder that needs Blender takes all names from here.

RETRO_ANIM_UNDER_TEST says which: "checkout" or "zip", which is built here. Both times `import retro_anim` gives the package under test,
and Blender's settings and add-ons are in a folder of their own.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from build_extension import ROOT, build

from support.lba import lba1_chain

UNDER_TEST = os.environ.get("RETRO_ANIM_UNDER_TEST") or "checkout"
assert UNDER_TEST in ("checkout", "zip"), f"RETRO_ANIM_UNDER_TEST={UNDER_TEST}"
INSTALLED = "bl_ext.user_default.retro_anim"


class InstalledPackage(MetaPathFinder, Loader):
    """Makes `import retro_anim.core` give the installed extension's own module, not a second one from the checkout."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname.partition(".")[0] == "retro_anim" else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(INSTALLED + spec.name.removeprefix("retro_anim"))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state  # the import system has just put the alias's there


def start_blender() -> str:
    """Starts Blender with the add-on enabled. Returns the folder that stands in for the user's own."""
    folder = os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="retro_anim_test_")
    import bpy

    if UNDER_TEST == "checkout":
        import_module("retro_anim")
        bpy.context.preferences.addons.new().module = "retro_anim"
        sys.modules["retro_anim"].register()
    else:
        assert "retro_anim" not in sys.modules, "a conftest.py or test imports the checkout's retro_anim before the zip is installed"
        built = build(ROOT, Path(folder, "built"))
        bpy.ops.extensions.package_install_files(filepath=str(built), repo="user_default", enable_on_install=True)
        sys.meta_path.insert(0, InstalledPackage())
    return folder


collect_ignore_glob = ["*test_*.py"] if find_spec("bpy") is None else []
"""Without Blender the tests of a folder whose conftest.py takes all names from here are left out."""

USER_FOLDER = start_blender() if find_spec("bpy") else None


@pytest.fixture(scope="session")
def addon() -> ModuleType:
    """The package under test, enabled."""
    return import_module("retro_anim")


@pytest.fixture(scope="session")
def part(addon: ModuleType) -> Callable[[str], ModuleType]:
    """A module of the package under test by name: `part("io.lba.build")`."""
    return lambda name: import_module(f"{addon.__name__}.{name}")


@pytest.fixture(autouse=True)
def scene(addon: ModuleType) -> Any:
    """The empty scene of a new file, for every test."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert addon.__name__ in bpy.context.preferences.addons
    return bpy.context.scene


@pytest.fixture
def anims(game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    """ANIM.HQR in a folder of its own, with what belongs to it."""
    folder = tmp_path / "game"
    shutil.copytree(game_file("lba1"), folder, copy_function=shutil.copyfile)
    folder.chmod(0o755)
    return folder / "ANIM.HQR"


@pytest.fixture
def fetch(part: Callable[[str], ModuleType]) -> Callable[..., Any]:
    """Imports: `fetch(path, entries="1", root_motion="BONE")`."""
    import bpy

    lba = part("io.lba")
    return lambda path, **options: lba.import_lba(bpy.context, lba.ImportOptions((str(path),), **options))


@pytest.fixture
def write(part: Callable[[str], ModuleType]) -> Callable[..., list[str]]:
    """Exports: `write(path, source="ALL")`."""
    import bpy

    export = part("io.lba")
    return lambda path, **options: export.export_lba(bpy.context, export.ExportOptions(str(path), **options)).paths


@pytest.fixture
def convert(part: Callable[[str], ModuleType], capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, list[str], list[str]]]:
    """Runs the command `convert`; gives the exit code, the lines of its output and those of its errors."""

    def run(*arguments: object) -> tuple[int, list[str], list[str]]:
        capsys.readouterr()
        code = part("cli.main").main(["convert", *map(str, arguments)])
        said = capsys.readouterr()
        return code, said.out.splitlines(), said.err.splitlines()

    return run


@pytest.fixture
def entry(part: Callable[[str], ModuleType]) -> Callable[[Path, int], bytes]:
    """An archive's entry, unpacked: `entry(path, 1)`."""
    return lambda path, index: part("core.lba.files.archive.hqr").Hqr.parse(path.read_bytes()).read(index)


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """A folder with chain.anm and chain.lm1: a body of five groups and an animation of four keyframes, made up for tests."""
    folder = tmp_path / "chain"
    folder.mkdir()
    (folder / "chain.anm").write_bytes(lba1_chain.ANM)
    (folder / "chain.lm1").write_bytes(lba1_chain.LM1)
    return folder


class BlenderProcess:
    """What pytest does once a process, however many folders' conftest.py need Blender."""

    def __init__(self, user_folder: str) -> None:
        self._user_folder = user_folder
        self._exit_status = 0

    def pytest_report_header(self) -> str:
        import bpy

        return f"Blender {bpy.app.version_string}, testing {UNDER_TEST}"

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._exit_status = int(session.exitstatus)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Ends the process with pytest's exit code at once: Blender may hang when it is left to end by itself."""
        shutil.rmtree(self._user_folder, ignore_errors=True)
        config.get_terminal_writer().flush()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(self._exit_status)


def pytest_configure(config: pytest.Config) -> None:
    if USER_FOLDER is not None and not config.pluginmanager.has_plugin("blender_process"):
        config.pluginmanager.register(BlenderProcess(USER_FOLDER), "blender_process")
