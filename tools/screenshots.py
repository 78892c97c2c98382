"""The pictures of the window on our pages, from a real Blender on a virtual screen: python3 tools/screenshots.py [NAME…]

On Linux with Blender's program, Xvfb and ImageMagick, as `apt-get install blender xvfb imagemagick` brings them. Makes the extension's zip,
installs it among settings of its own, and plays the steps of screenshot_story.py with our samples in Blender's window. Each picture is cut,
made smaller and given a palette, and goes to docs/images. Look at them before they are committed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from build_extension import ROOT, build

SCREEN = "1280x760"
WAIT = 400
"""Seconds for all of them: a processor draws what a graphics card should."""


def main(names: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="games_") as temporary:
        folder = Path(temporary)
        samples = shutil.copytree(ROOT / "samples", folder / "samples", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        settings = {**os.environ, "BLENDER_USER_RESOURCES": str(folder / "settings"), "PYTHONUNBUFFERED": "1"}
        archive = build(ROOT, folder)
        subprocess.run(
            ["blender", "--command", "extension", "install-file", "-r", "user_default", "-e", str(archive)], env=settings, check=True
        )
        display = ":78"
        screen = subprocess.Popen(["Xvfb", display, "-screen", "0", f"{SCREEN}x24", "+extension", "GLX"], stderr=subprocess.DEVNULL)
        try:
            time.sleep(2)
            settings |= {"DISPLAY": display, "RETRO_ANIM_SAMPLES": str(samples)}
            return play(names, settings)
        finally:
            screen.terminate()
            screen.wait()


def play(names: list[str], settings: dict[str, str]) -> int:
    """Runs the story inside Blender's window, and takes a picture for each of its lines "SHOOT name"."""
    width, height = SCREEN.split("x")
    command = [
        "blender",
        "--window-geometry",
        "0",
        "0",
        width,
        height,
        "--no-window-focus",
        "--enable-event-simulate",
        "--python",
        str(ROOT / "tools" / "screenshot_story.py"),
    ]
    with tempfile.NamedTemporaryFile("w+") as said:
        blender = subprocess.Popen(command, env=settings, stdout=said, stderr=subprocess.STDOUT)
        taken: list[str] = []
        end = time.monotonic() + WAIT
        while blender.poll() is None and time.monotonic() < end:
            lines = Path(said.name).read_text(encoding="utf-8").splitlines()
            for name in [line.split()[1] for line in lines if line.startswith("SHOOT ")][len(taken) :]:
                time.sleep(1)  # until the window is drawn
                if not names or name in names:
                    shoot(name, settings)
                taken.append(name)
            time.sleep(0.2)
        blender.kill()
        blender.wait()
        log = Path(said.name).read_text(encoding="utf-8")
    print(log)
    return 0 if "\nDONE" in log else 1


def shoot(name: str, settings: dict[str, str]) -> None:
    target = ROOT / "docs" / "images" / f"{name}.png"
    smaller = ["-resize", "960x", "+dither", "-colors", "64", "-define", "png:compression-level=9", "-strip"]
    subprocess.run(["import", "-window", "root", *smaller, f"png8:{target}"], env=settings, check=True)
    print(f"{target}: {target.stat().st_size // 1000} kB", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
