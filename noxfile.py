"""What `python3 dev.py test` runs. One session alone: `python3 dev.py test -s lint`.

The virtual environments are dev.py's, so that nox shares them with the demonstration.
"""

import os
import subprocess
import sys
from pathlib import Path

import nox

sys.path.append(str(Path(__file__).parent))
import dev

CI = os.environ.get("CI") == "true"
BLENDERS = list(dev.project()["tool"]["retro_anim"]["python"])
ENVIRONMENT = {"PYTHONSAFEPATH": "1"}  # else the folder `io` would stand on the import path of every `python -m`

nox.options.default_venv_backend = "none"


@nox.session
def lint(session: nox.Session) -> None:
    """Style and common mistakes."""
    python = dev.environment("lint", dev.ANY_PYTHON, "lint", install=False)
    session.run(python, "-m", "ruff", "check", "--output-format=concise", ".", env=ENVIRONMENT)
    session.run(python, "-m", "ruff", "format", "--check", ".", env=ENVIRONMENT)


@nox.session
def types(session: nox.Session) -> None:
    """Types: strict in core, basic elsewhere, against stubs of the newest Blender."""
    python = dev.environment("types", dev.ANY_PYTHON, "types", install=False)
    link_as_package()
    session.run(python, "-m", "pyright", "--pythonpath", python, *session.posargs, env=ENVIRONMENT)


def link_as_package() -> None:
    """Makes .venv/link/retro_anim lead to the checkout, whatever its folder is called: pyright looks there for it."""
    link = dev.VENVS / "link" / "retro_anim"
    if link.exists():
        return
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    if sys.platform == "win32":  # a symbolic link would take administrator rights
        subprocess.run(["cmd", "/c", "mklink", "/J", str(link), str(dev.ROOT)], check=True)
    else:
        link.symlink_to(dev.ROOT)
