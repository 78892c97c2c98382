"""Run in a Python with Blender: `checks.py FOLDER FILE OUT`. FOLDER holds a copy of the package with the new game.

Prints one JSON document.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

FOLDER, FILE, OUT = map(Path, sys.argv[1:])
sys.path.insert(0, str(FOLDER))

import bpy  # noqa: E402
import retro_anim  # noqa: E402
from retro_anim.cli.main import main  # noqa: E402
from retro_anim.core.games import GAMES  # noqa: E402
from retro_anim.io.pipeline import games  # noqa: E402

bpy.context.preferences.addons.new().module = "retro_anim"
retro_anim.register()
ops: Any = bpy.ops
results: dict[str, Any] = {}


def command(*arguments: object) -> tuple[int, str]:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        code = main([str(argument) for argument in arguments])
    return code, text.getvalue()


def empty() -> None:
    ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


class Layout:
    """Takes whatever a panel or a menu draws, and notes names of operators and properties."""

    def __init__(self, drawn: list[str]) -> None:
        self.__dict__["drawn"] = drawn

    def __setattr__(self, name: str, value: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        def take(*arguments: Any, **options: Any) -> Any:
            self.drawn.extend(str(argument) for argument in (*arguments, *options.values()))
            return (Layout(self.drawn), Layout(self.drawn)) if name == "panel" else Layout(self.drawn)

        return take


class Drawing:
    """Stands for a panel or a menu that is drawn."""

    def __init__(self, kind: Any, drawn: list[str]) -> None:
        self.layout, self.kind = Layout(drawn), kind

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kind, name)


def drawn(kind: Any) -> list[str]:
    lines: list[str] = []
    kind.draw(Drawing(kind, lines), bpy.context)
    return lines


types: Any = bpy.types
results["menus"] = ["import_anim.stick" in drawn(types.RETRO_ANIM_MT_import), "export_anim.stick" in drawn(types.RETRO_ANIM_MT_export)]
handler = types.IO_FH_stick
results["handler"] = [handler.bl_import_operator, handler.bl_file_extensions]

empty()
results["imported"] = sorted(ops.import_anim.stick(filepath=str(FILE)))
obj: Any = bpy.context.object
action = obj.animation_data.action
results["scene"] = [obj.type, action.name, [bone.name for bone in obj.data.bones], action["stick_mood"], action["stick_author"]]
results["panel"] = ["stick_mood" in "".join(drawn(types.VIEW3D_PT_retro_anim))]

target = OUT / "again.stick"
ops.export_anim.stick(filepath=str(target))
results["identical"] = target.read_bytes() == FILE.read_bytes()
action["stick_mood"] = 10
try:
    ops.export_anim.stick(filepath=str(target), overwrite=True)
    results["refused"] = ""
except RuntimeError as error:
    results["refused"] = str(error)
action["stick_mood"] = 4
obj.pose.bones["hand"].rotation_quaternion = (0.6, 0.8, 0, 0)
obj.pose.bones["hand"].keyframe_insert("rotation_quaternion", frame=1)
ops.export_anim.stick(filepath=str(target), overwrite=True)
before, after = FILE.read_text().split("\n"), target.read_text().split("\n")
results["edited"] = [[old, new] for old, new in zip(before, after, strict=True) if old != new]

empty()
results["list"] = [[line.key, line.label] for line in games.contents(GAMES["stick"], str(FILE), {})["clips"]]
results["chosen"] = [*ops.import_anim.stick_choose(filepath=str(FILE), entries="0"), len(bpy.data.actions)]

results["info"] = json.loads(command("info", FILE, "--json")[1])["files"][0]
results["verify"] = json.loads(command("verify", FILE, "--json")[1])
results["pose"] = json.loads(command("pose", FILE, "--frame", "1", "--json")[1])
glb, back = OUT / "walk.glb", OUT / "back.stick"
results["convert"] = [command("convert", FILE, "-o", glb)[0], command("convert", FILE, "-o", back)[0]]
results["converted"] = [glb.stat().st_size > 0, back.read_bytes() == FILE.read_bytes()]
onto = OUT / "onto.stick"
onto.write_bytes(FILE.read_bytes())
blend, retargeted = OUT / "retargeted.blend", OUT / "retargeted.stick"
results["retarget"] = [
    command("retarget", FILE, "--onto", glb, "-o", blend)[0],
    command("retarget", glb, "--onto", onto, "-o", retargeted)[0],
]
results["retargeted"] = json.loads(command("pose", retargeted, "--frame", "1", "--json")[1]) if retargeted.exists() else None
retro_anim.unregister()
sys.__stdout__.write("RESULTS " + json.dumps(results) + "\n")
sys.__stdout__.flush()
import os  # noqa: E402

os._exit(0)
