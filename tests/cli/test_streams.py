"""A command that was started without standard streams: no file takes the number of one, and nothing ends in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import os, sys
for number in map(int, sys.argv.pop(1)):
    os.close(number)
    setattr(sys, ("stdin", "stdout", "stderr")[number], None)
from retro_anim.cli import blender
from retro_anim.cli.commands import convert
from retro_anim.cli.main import main

def run(arguments):
    with open(arguments.files[0], "w") as file, blender._errors_of("a"):
        print("what Blender prints")
        os.write(1, b"and its C code")
        os.write(2, b"and its errors")
        file.write(str(file.fileno() > 2))
    print("a result")
    return 3

convert.run = run
code = main(sys.argv[1:])
os._exit(code)
"""


@pytest.mark.parametrize("closed", ["", "0", "1", "2", "12", "012"])
def test_streams_that_are_closed(closed: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    command = [sys.executable, "-P", "-c", CODE, closed, "convert", str(path), "-o", str(tmp_path / "out.glb")]
    ran = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL, env=os.environ)
    assert (ran.returncode, ran.stderr) == (3, b"")
    assert path.read_text() == "True"


def test_errors_do_not_go_to_standard_output(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-c", CODE, "2", "info", "--json", str(tmp_path / "nothing")]
    ran = subprocess.run(command, capture_output=True, check=False)
    assert ran.returncode == 1
    assert json.loads(ran.stdout)["failed"][0]["path"] == str(tmp_path / "nothing")
