"""What import contracts cannot say: imports inside the package are relative, and Blender is only asked for when it is needed.

`nox -s lint` checks the contracts themselves: floors, circles, and games that must not know each other.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("core", "io", "cli", "operators")
BLENDER = {"bpy", "bpy_extras", "bmesh", "mathutils", "gpu", "addon_utils", "bl_math", "idprop"}
NEEDS_BLENDER = {*BLENDER, "io", "operators"}
"""What `cli` and the package's root import only inside functions."""

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def modules() -> Iterator[Path]:
    """Every module of the extension, relative to the repository."""
    yield Path("__init__.py")
    for floor in FLOORS:
        yield from sorted(path.relative_to(ROOT) for path in (ROOT / floor).rglob("*.py"))


def problems(path: Path, source: str) -> Iterator[str]:
    """What is wrong with a module's imports, as "PATH:LINE: problem"."""
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    while pending:
        node, inside = pending.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (f"{path.as_posix()}:{node.lineno}: {problem}" for problem in import_problems(path, node, inside))
        pending += [(child, inside or isinstance(node, FUNCTIONS)) for child in ast.iter_child_nodes(node)]


def import_problems(path: Path, node: ast.Import | ast.ImportFrom, inside: bool) -> Iterator[str]:
    level = node.level if isinstance(node, ast.ImportFrom) else 0
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    names = [f"{module}.{alias.name}".strip(".") for alias in node.names]
    tops = {name.partition(".")[0] for name in names}
    if level == 0 and tops & {"retro_anim", "core", "cli", "operators"}:
        yield f"{names[0]} has to be imported relatively"
    if level > len(path.parts):
        yield f"{names[0]} lies outside of the package"
    at_root, local = level == len(path.parts), len(path.parts) == 1 or path.parts[0] == "cli"
    wanted = NEEDS_BLENDER if at_root else BLENDER if level == 0 else set[str]()
    if local and not inside and tops & wanted:
        yield f"{names[0]} has to be imported inside a function"


def test_imports_are_relative_and_blender_is_asked_for_late() -> None:
    assert [problem for path in modules() for problem in problems(path, (ROOT / path).read_text(encoding="utf-8"))] == []


def test_such_imports_are_noticed() -> None:
    broken = {
        "core/lba/a.py": "from ....elsewhere import a",
        "io/a.py": "from retro_anim.core import rig",
        "operators/a.py": "def f():\n    import core.rig",
        "cli/a.py": "from ..io import armature",
        "cli/b.py": "from .. import io",
        "cli/c.py": "if True:\n    import bpy.types",
        "__init__.py": "from . import operators",
    }
    for path, source in broken.items():
        assert len(list(problems(Path(path), source))) == 1, path
    fine = {
        "io/a.py": "import io, bpy\nfrom ..core import rig",
        "cli/a.py": "import io\nfrom ..core import rig\ndef f():\n    import bpy\n    from ..io import armature",
        "__init__.py": "def register():\n    from . import operators",
    }
    assert [problem for path, source in fine.items() for problem in problems(Path(path), source)] == []


GAMES = ("lba", "oni", "oni2", "mindpower")


def properties_of_games(source: str) -> list[str]:
    """The texts of a module that are custom properties of one game."""
    texts = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [text for text in texts if text.partition("_")[0] in GAMES and text.isidentifier() and "_" in text]


def test_what_all_games_share_names_no_property_of_one() -> None:
    """It asks the game's row."""
    assert properties_of_games('action.get("lba_roles")') == ["lba_roles"]
    shared = [path for path in modules() if not set(path.parts) & set(GAMES)]
    named = {path.as_posix(): properties_of_games((ROOT / path).read_text(encoding="utf-8")) for path in shared}
    assert {path: texts for path, texts in named.items() if texts} == {}


def test_core_and_cli_are_imported_without_blender() -> None:
    """The root, all of core and all of cli, in a Python that refuses Blender's modules; the floors that need Blender are left alone."""
    paths = [path for path in modules() if path.parts[0] in ("core", "cli", "__init__.py") and path.stem != "__main__"]
    names = sorted({".".join(["retro_anim", *(part for part in path.with_suffix("").parts if part != "__init__")]) for path in paths})
    code = f"""
import importlib, importlib.util, sys
for name in {sorted(BLENDER)!r}:
    sys.modules[name] = None
spec = importlib.util.spec_from_file_location("retro_anim", "__init__.py", submodule_search_locations=["."])
package = sys.modules["retro_anim"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(package)
for name in {names!r}:
    importlib.import_module(name)
    loaded = sorted(name for name in sys.modules if name.startswith(("retro_anim.io", "retro_anim.operators")))
    assert not loaded, f"{{name}} imports {{loaded}}"
"""
    run = subprocess.run([sys.executable, "-P", "-c", code], cwd=ROOT, stderr=subprocess.PIPE, text=True, timeout=300)
    assert run.stderr == ""
