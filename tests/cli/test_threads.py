"""A process of our own leaves numpy no threads, which wait at full load for small matrices; whoever runs it may say otherwise."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CODE = """
import os, sys
from retro_anim import cli
from retro_anim.cli import main as command_line

def main():
    assert "numpy" not in sys.modules, "numpy has its threads by now"
    print(os.environ["OPENBLAS_NUM_THREADS"])
    return 0

command_line.main = main
cli.script()
"""


@pytest.mark.parametrize(("given", "number"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_threads_of_numpy(given: dict[str, str], number: str) -> None:
    settings = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"} | given
    ran = subprocess.run([sys.executable, "-P", "-c", CODE], capture_output=True, text=True, check=False, env=settings)
    assert (ran.returncode, ran.stdout.strip(), ran.stderr) == (0, number, "")
