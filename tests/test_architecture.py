"""The floors of the house: imports go downwards only, and core knows no Blender."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

FLOORS = ["core", "io", "cli", "operators"]
"""From the ground up. A floor imports itself and those below it."""

BLENDER = {"bpy", "bpy_extras", "bmesh", "mathutils", "gpu", "addon_utils", "bl_math", "idprop"}

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

Import = tuple[str, bool, int]
"""What is imported ("bpy.types", or "..io.lba" as ".io.lba" from the root), whether inside a function, and the line."""


def sources(root: Path) -> Iterator[Path]:
    """Every module of the package, relative to its root."""
    yield Path("__init__.py")
    for floor in FLOORS:
        yield from sorted(path.relative_to(root) for path in (root / floor).rglob("*.py"))


def imports(root: Path, path: Path) -> Iterator[Import]:
    """All imports of a module, also those hidden in functions and calls of the import system."""
    tree = ast.parse((root / path).read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    inside = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        for name in imported_names(node, path):
            yield name, id(node) in inside, getattr(node, "lineno", 0)


def imported_names(node: ast.AST, path: Path) -> Iterator[str]:
    match node:
        case ast.Import():
            yield from (alias.name for alias in node.names)
        case ast.ImportFrom(level=0, module=str(module)):
            yield module
        case ast.ImportFrom(level=level, module=module):
            package = list(path.parent.parts)
            if level > len(package) + 1:
                yield ".outside of the package"
                return
            base = package[: len(package) + 1 - level] + (module.split(".") if module else [])
            yield from ("." + ".".join([*base, alias.name]) for alias in node.names)
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            yield name
        case _:
            pass


def violations(root: Path) -> list[str]:
    """Every import that the design forbids, as "PATH:LINE: what is wrong"."""
    return [
        f"{path.as_posix()}:{line}: {problem}"
        for path in sources(root)
        for name, inside, line in imports(root, path)
        if (problem := wrong(path, name, inside))
    ]


def wrong(path: Path, name: str, inside: bool) -> str | None:
    """What is wrong with the import of `name` in the module `path`; None if nothing is."""
    here = path.parts[0] if len(path.parts) > 1 else "the root"
    top = name.lstrip(".").partition(".")[0]
    if name.startswith("."):
        if here == "the root":
            return None if inside else "the root imports only inside functions"
        if top not in FLOORS:
            return f"{name} is on no floor"
        if FLOORS.index(top) > FLOORS.index(here):
            return f"{here} imports {name}, which is higher"
        if (here, top) == ("cli", "io") and not inside:
            return "cli imports io only inside functions"
        return None
    if top in ("retro_anim", "core", "cli", "operators"):
        return f"{name} has to be imported relatively"
    if top in BLENDER and here == "core":
        return f"core imports {name}"
    if top in BLENDER and here in ("cli", "the root") and not inside:
        return f"{here} imports {name} outside of a function"
    return None


def import_without_blender(root: Path) -> str:
    """Imports the root, all of core and cli in a Python in which Blender's modules can not be imported.

    Returns what went wrong as text, empty when all went well and the floors that need Blender were not touched.
    """
    modules = [path.with_suffix("").parts for path in sources(root) if path.parts[0] in ("core", "cli", "__init__.py")]
    names = sorted({".".join(["retro_anim", *(part for part in parts if part != "__init__")]) for parts in modules})
    code = f"""
import importlib, importlib.util, sys
for name in {sorted(BLENDER)!r}:
    sys.modules[name] = None
spec = importlib.util.spec_from_file_location("retro_anim", "__init__.py", submodule_search_locations=["."])
package = sys.modules["retro_anim"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(package)
for name in {names!r}:
    if not name.endswith("__main__"):
        importlib.import_module(name)
    loaded = sorted(name for name in sys.modules if name.startswith(("retro_anim.io", "retro_anim.operators")))
    assert not loaded, f"{{name}} imports {{loaded}}"
"""
    run = subprocess.run([sys.executable, "-P", "-c", code], cwd=root, stderr=subprocess.PIPE, text=True)
    return run.stderr


def test_imports_go_downwards_only() -> None:
    assert violations(ROOT) == []


def test_core_and_cli_import_without_blender() -> None:
    assert import_without_blender(ROOT) == ""


@pytest.fixture(scope="module")
def package_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("copy") / "house"
    for path in sources(ROOT):
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, copy / path)
    return copy


@pytest.mark.parametrize(
    ("path", "line", "problem"),
    [
        ("core/broken.py", "import bpy", "core imports bpy"),
        ("core/broken.py", "def f():\n    from mathutils import Vector", "core imports mathutils"),
        ("core/broken.py", "import importlib\nimportlib.import_module('bpy')", "core imports bpy"),
        ("core/broken.py", "from ..io import armature", "core imports .io.armature, which is higher"),
        ("core/broken.py", "def f():\n    from .. import operators", "core imports .operators, which is higher"),
        ("core/lba/broken.py", "from ...cli import main", "core imports .cli.main, which is higher"),
        ("core/broken.py", "from ...elsewhere import thing", ".outside of the package is on no floor"),
        ("io/broken.py", "from ..operators import lba", "io imports .operators.lba, which is higher"),
        ("io/broken.py", "from .. import cli", "io imports .cli, which is higher"),
        (
            "cli/broken.py",
            "from ..io import armature",
            "cli imports io only inside functions",
        ),
        ("cli/broken.py", "import bpy", "cli imports bpy outside of a function"),
        ("operators/broken.py", "from retro_anim.core import rig", "retro_anim.core has to be imported relatively"),
        ("operators/broken.py", "from core import rig", "core has to be imported relatively"),
        ("operators/broken.py", "from ..tests import conftest", ".tests.conftest is on no floor"),
        ("__init__.py", "import bpy", "the root imports bpy outside of a function"),
        ("__init__.py", "from . import operators", "the root imports only inside functions"),
    ],
)
def test_a_forbidden_import_is_found(package_copy: Path, path: str, line: str, problem: str) -> None:
    broken = package_copy / path
    before = broken.read_bytes() if broken.exists() else None
    broken.parent.mkdir(parents=True, exist_ok=True)
    broken.write_text(line, encoding="utf-8")
    try:
        assert [found.partition(": ")[2] for found in violations(package_copy)] == [problem]
    finally:
        broken.write_bytes(before) if before is not None else broken.unlink()


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("io/allowed.py", "import io, bpy\nfrom mathutils import Vector\nfrom ..core import rig"),
        ("cli/allowed.py", "from ..core import rig\ndef f():\n    import bpy\n    from ..io import armature"),
        ("operators/allowed.py", "import bpy\nfrom .. import core, io, cli"),
        ("core/lba/allowed.py", "import io\nfrom .. import rig\nfrom ..binary import Reader\nfrom . import hqr"),
    ],
)
def test_a_proper_import_is_not(package_copy: Path, path: str, line: str) -> None:
    allowed = package_copy / path
    allowed.parent.mkdir(parents=True, exist_ok=True)
    allowed.write_text(line, encoding="utf-8")
    try:
        assert violations(package_copy) == []
    finally:
        allowed.unlink()


@pytest.mark.parametrize("line", ["import bpy", "exec('import ' + 'mathutils')", "from ..io import needed"])
def test_an_import_that_happens_is_found(package_copy: Path, line: str) -> None:
    broken, needed = package_copy / "core" / "broken.py", package_copy / "io" / "needed.py"
    needed.parent.mkdir(exist_ok=True)
    needed.touch()
    broken.write_text(line, encoding="utf-8")
    try:
        assert "Error" in import_without_blender(package_copy)
    finally:
        broken.unlink()
        needed.unlink()
