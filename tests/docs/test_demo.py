"""The demonstration of the README, with files that it treats differently, in a process of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from build_extension import ROOT

FILES = ("oni/OBANmannequin_camera.oni", "lba1/ANIM.HQR", "oni2/Entity/mannequin/mannequin_wave.anim", "mindpower/animation/0001.lab")
RUN = """import os, sys
from retro_anim.samples import demo
if sys.argv[1] == "plain":
    demo.render_strip = lambda *arguments: 0
code = demo.main(sys.argv[2:])
sys.stdout.flush()
os._exit(code)
"""
"""Ends at once: some Blenders hang when they are left to end by themselves."""


def demonstrate(tmp_path: Path, *names: str, draw: bool = False) -> str:
    """What it prints for copies of our samples, exported to OUT."""
    folder = tmp_path / "samples"
    shutil.copytree(ROOT / "samples", folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"), copy_function=shutil.copyfile)
    files = [str(folder / name) for name in names]
    command = [sys.executable, "-P", "-c", RUN, "draw" if draw else "plain", *files, "--out", str(tmp_path / "out")]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_every_file_comes_back_byte_for_byte(tmp_path: Path) -> None:
    printed = demonstrate(tmp_path, *FILES)
    assert printed.count("byte-identical") == len(FILES), printed
    for name in FILES:
        assert (tmp_path / "out" / Path(name).name).read_bytes() == (ROOT / "samples" / name).read_bytes()


def test_an_object_without_a_mesh_has_no_picture(tmp_path: Path) -> None:
    assert "No picture" in demonstrate(tmp_path, FILES[0], draw=True)
