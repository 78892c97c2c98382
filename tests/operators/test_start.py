"""What enabling the extension loads: declarations, and nothing that opens, converts or writes, also not to draw the panels."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from inspect import get_annotations
from pathlib import Path
from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parent.parent.parent / "samples"
FILES = {"lba": "lba1/walk.anm", "oni": "oni/TRAMmannequin_walk.oni", "oni2": "oni2/RB.DAT", "mindpower": "mindpower/animation/0001.lab"}

ENABLED = r"""(core|io)(\.\w+)?                                   # packages by themselves
    |core\.(games|looking|record)|core\.(declare|reporting)\.\w+
    |core\.\w+\.(game|options|fields)                       # of each game
    |core\.oni\.enums
    |core\.retarget\.figures(\.roles)?                      # names of the parts of a body
    |io\.blender\.identity|io\.oni\.fields(\.properties)?
    """
"""Modules that declare."""

DRAWN = r"""
    # what files are called, and which two paths are one:
    |core\.files(\.(disk(\.\w+)?|file_names|unpacking))?
    |core\.mindpower\.files(\.tables(\.action_names)?)?
    |io\.blender\.(compat|fields|new_objects|scene|source_data)|io\.pipeline\.destination(\.(questions|targets))?|io\.mindpower\.marks
    """
"""Modules that read custom properties."""

TITLES = ("Clips", "Goes To", "Little Big Adventure", "Oni", "Oni 2", "Tales of Pirates", "Use in Oni", "Bone Map", "Hands and Feet")
PANELS = ("shared.parts", "clips.panel", "lba.panel", "oni.panel", "oni2.panel", "mindpower.panel", "retarget.panels")
"""Modules of the side panel."""

DRAW = """
import json, os, sys
sys.path[:0] = {path!r}
import bpy

class Refused:
    def find_spec(self, name, path=None, target=None):
        assert name.partition(".")[0] != "numpy", "numpy is imported"

for name in [name for name in sys.modules if name.partition(".")[0] == "numpy"]:
    del sys.modules[name]
sys.meta_path.insert(0, Refused())
blender = set(sys.modules)
import retro_anim
retro_anim.register()
loaded = [sorted(set(sys.modules) - blender)]
bpy.ops.wm.open_mainfile(filepath={file!r})
from types import SimpleNamespace
from support.blender_layout import Layout
from retro_anim import operators
drawn = []
for obj in bpy.context.scene.objects:
    bpy.context.view_layer.objects.active = obj
    for kind in operators._CLASSES:
        if issubclass(kind, bpy.types.Panel) and (not hasattr(kind, "poll") or kind.poll(bpy.context)):
            kind.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
            drawn.append(kind.__name__)
loaded.append(sorted(set(sys.modules) - blender))
print("LOADED" + json.dumps([loaded, drawn]))
sys.stdout.flush()
os._exit(0)
"""


@pytest.fixture
def scene_file(addon: Any, tmp_path: Path) -> Path:
    """A character of each game, saved."""
    for game, file in FILES.items():
        assert getattr(OPS.import_anim, game)(filepath=str(SAMPLES / file)) == {"FINISHED"}
    path = tmp_path / "games.blend"
    OPS.wm.save_as_mainfile(filepath=str(path), copy=True)
    return path


def test_only_declarations_are_loaded_by_enabling_and_by_drawing(scene_file: Path) -> None:
    code = DRAW.format(path=[str(Path(__file__).resolve().parent.parent)], file=str(scene_file))
    run = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert "LOADED" in run.stdout, run.stderr
    (line,) = [line for line in run.stdout.splitlines() if line.startswith("LOADED")]
    (enabled, after_drawing), drawn = json.loads(line.removeprefix("LOADED"))
    assert {"VIEW3D_PT_retro_anim", "VIEW3D_PT_retro_anim_retarget", *TITLES} <= set(drawn)
    panels = {f"retro_anim.operators.{name}" for name in PANELS}
    assert not panels & set(enabled) and panels <= set(after_drawing)
    assert "unicodedata" not in enabled  # a library of the system's loader
    for modules, allowed in ((enabled, ENABLED), (after_drawing, ENABLED + DRAWN)):
        ours = [name.removeprefix("retro_anim.") for name in modules if name.startswith(("retro_anim.core", "retro_anim.io"))]
        assert ours
        assert [name for name in ours if not re.fullmatch(allowed, name, re.VERBOSE)] == []
        assert not [name for name in modules if name.startswith("retro_anim.cli")]


def test_no_property_is_declared_as_text(part: Any) -> None:
    """Blender compiles annotations that are text, one by one, whenever the extension is enabled: `from __future__ import annotations`."""
    classes = [*part("operators")._CLASSES, *part("io.oni.fields.properties")._CLASSES]
    assert len(classes) > 100
    assert [
        kind.__name__ for kind in classes for base in kind.__mro__ for note in get_annotations(base).values() if isinstance(note, str)
    ] == []
