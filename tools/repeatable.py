"""What comes of the samples: documents and bytes as digests, and in Blender curves as numbers: the same in every run, on every machine.

`python -m retro_anim.tools.repeatable [--blender]` prints it as JSON. tests/data/documents.json and scene.json hold what it printed last:
after a change of what the samples are, or what is reported of them, print them there anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"

CLIPS = (
    "lba1/walk.anm",
    "lba2/walk.anm",
    "oni/TRAMmannequin_walk.oni",
    "oni/OBANmannequin_camera.oni",
    "oni2/Entity/mannequin/mannequin_walk.anim",
    "mindpower/animation/0001.lab",
)


def documents() -> dict[str, str]:
    """By sample and command a digest of the JSON that it prints."""
    known: dict[str, str] = {}
    for path in sorted(path for path in SAMPLES.rglob("*.*") if path.is_file() and path.suffix not in (".py", ".pyc")):
        name = path.relative_to(SAMPLES).as_posix()
        for command in ("info", "verify"):
            known[f"{command} {name}"] = _digest(_printed([command, str(path), "--json"]).encode())
    for name in CLIPS:
        pose = json.loads(_printed(["pose", str(SAMPLES / name), "--frame", "3", "--json"]) or "null")
        known[f"pose {name}"] = _digest(json.dumps(_rounded(pose)).encode())
    return known


def _printed(arguments: list[str]) -> str:
    from ..cli.main import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(arguments)
    return out.getvalue().replace(json.dumps(str(SAMPLES))[1:-1], "SAMPLES")


def _rounded(value: Any) -> Any:
    """Numbers to five digits: the last bits are each library's own."""
    if isinstance(value, float):
        return round(value, 5) + 0.0
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]


def scene() -> dict[str, Any]:
    """By sample what is in Blender after its import: names, and of each curve its length, first, middle and last value; and a digest of the
    file that an export of everything writes."""
    import bpy as blender

    from ..core import formats
    from ..core.games import GAMES
    from ..core.reporting import log
    from ..io.blender import compat
    from ..io.pipeline import games

    bpy: Any = blender
    known: dict[str, Any] = {}
    for name in CLIPS:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        path = SAMPLES / name
        kind = formats.recognise_file(path)
        assert kind is not None
        game = GAMES[kind.game]
        with log.collect(), tempfile.TemporaryDirectory() as folder:
            result = games.import_(bpy.context, game, [str(path)], {})
            curves: dict[str, Any] = {}
            for action in result.actions:
                for curve in compat.curves(action):
                    values = [key.co.y for key in curve.keyframe_points]
                    curves[f"{action.name} {curve.data_path} {curve.array_index}"] = [
                        len(values),
                        values[0],
                        values[len(values) // 2],
                        values[-1],
                    ]
            target = Path(folder, path.name)
            games.export(bpy.context, game, str(target), {})
            names = [block.name for kind in ("objects", "meshes", "materials", "images", "actions") for block in getattr(bpy.data, kind)]
            known[name] = {"names": names, "curves": curves, "file": _digest(target.read_bytes())}
    return known


def as_text(known: dict[str, Any]) -> str:
    """A line for each sample, or sample and command."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in known.items()) + "\n}"


if __name__ == "__main__":
    print(as_text(scene() if "--blender" in sys.argv else documents()), flush=True)
    # Blender as a module may wait for ever for one of its own threads where Python ends by itself.
    os._exit(0)
