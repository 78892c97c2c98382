"""Targets inside Blender: whatever a file makes Blender's own code do, with the meshes, images, names, curves and armatures in it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import bpy as blender
import numpy as np

from ..core import formats
from ..core.games import GAMES
from ..core.reporting import log
from ..core.reporting.errors import RetroAnimError
from ..io.blender import compat
from ..io.pipeline import games
from .target import Target

bpy: Any = blender
SAMPLES = Path(__file__).resolve().parent.parent / "samples"

_FILES = {
    "anm": ("lba", "lba1", "walk.anm"),
    "anm2": ("lba", "lba2", "walk.anm"),
    "lm1": ("lba", "lba1", "mannequin.lm1"),
    "lm2": ("lba", "lba2", "mannequin.lm2"),
    "tram": ("oni", "oni", "TRAMmannequin_walk.oni"),
    "oban": ("oni", "oni", "OBANmannequin_camera.oni"),
    "oni-body": ("oni", "oni", "TRBSmannequin.oni"),
    "anim": ("oni2", "oni2/Entity/mannequin", "mannequin_walk.anim"),
    "skel": ("oni2", "oni2/Entity/mannequin", "mannequin.skel"),
    "mod": ("oni2", "oni2/Entity/mannequin", "mannequin.mod"),
    "lab": ("mindpower", "mindpower", "animation/0001.lab"),
    "lgo": ("mindpower", "mindpower", "model/character/0001000000.lgo"),
    "bmp": ("mindpower", "mindpower", "texture/character/0001000000.bmp"),
}
"""Game, folder and file of a sample: the fuzzed file lies there in its stead."""

_OPENED_WITH = {"bmp": "model/character/0001000000.lgo"}
"""What is opened where the fuzzed file only belongs to it."""

_EDITED = ("anm", "anm2", "tram", "oban", "anim", "lab")
_KINDS = ("objects", "armatures", "meshes", "cameras", "actions", "materials", "images", "texts", "collections")


def targets() -> Iterator[Target]:
    """Each by itself, and all together, for a short run: there the first byte says which."""
    each = list(_targets())
    seeds = tuple(bytes([number]) + seed for number, target in enumerate(each) for seed in target.seeds)
    yield from each
    yield Target("together", seeds, lambda data: each[data[0] % len(each)].run(data[1:]) if data else None)


def _targets() -> Iterator[Target]:
    for name, (game, folder, file) in _FILES.items():
        seed = (SAMPLES / folder / file).read_bytes()
        yield Target(f"import-{name}", (seed,), _imported(game, folder, file, _OPENED_WITH.get(name, file)))
    for name in _EDITED:
        game, folder, file = _FILES[name]
        yield Target(f"edit-{name}", (bytes(16), bytes(range(64))), _edited(game, folder, file))


def _copied(folder: str) -> Path:
    """The sample's folder, to write in."""
    copy = Path(tempfile.mkdtemp(prefix="retro_anim_fuzz_")) / "files"
    shutil.copytree(SAMPLES / folder, copy, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    return copy


def _clear() -> None:
    bpy.data.batch_remove([block for kind in _KINDS for block in getattr(bpy.data, kind)])


def _counts() -> list[int]:
    return [len(getattr(bpy.data, kind)) for kind in _KINDS]


def _imported(game: str, folder: str, file: str, opened: str) -> Callable[[bytes], None]:
    """Opened: a failure leaves nothing behind. What could be opened, and is written, stays as it is to the byte, with nothing edited."""
    copied = cache(partial(_copied, folder))
    row = GAMES[game]

    def run(data: bytes) -> None:
        _clear()
        copy = copied()
        target = copy / file
        target.write_bytes(data)
        before = _counts()
        with log.collect():
            try:
                games.import_(bpy.context, row, [str(copy / opened)], {})
            except RetroAnimError:
                assert _counts() == before, "an import that failed left something behind"
                raise
            if target.suffix not in row.written or file != opened:
                return
            games.export(bpy.context, row, str(target), {})
            assert target.read_bytes() == data, "an unedited export is not what was opened"

    return run


def _edited(game: str, folder: str, file: str) -> Callable[[bytes], None]:
    """Keys of the sample's curves at any frame and of any value: the export refuses them, or writes a file that can be read."""
    copied = cache(partial(_copied, folder))
    row = GAMES[game]

    def run(data: bytes) -> None:
        _clear()
        copy = copied()
        target = copy.parent / f"out{Path(file).suffix}"
        with log.collect():
            result: Any = games.import_(bpy.context, row, [str(copy / file)], {})
            for action in result.actions:
                _edit(action, data)
            games.export(bpy.context, row, str(target), {"overwrite": True})
            formats.open_file(str(target))
        target.unlink(missing_ok=True)

    return run


def _edit(action: Any, data: bytes) -> None:
    """Twelve bytes an edit: curve, key, what is done, the value."""
    curves = list(compat.curves(action))
    for start in range(0, min(len(data), 240) - 11, 12):
        curve_index, key_index, what = np.frombuffer(data, "<u2", 3, start).tolist()
        value = float(np.frombuffer(data, "<f4", 1, start + 8)[0])
        curve = curves[curve_index % len(curves)]
        keys = curve.keyframe_points
        if not len(keys):
            continue
        key = keys[key_index % len(keys)]
        match what % 4:
            case 0:
                key.co.y = value
            case 1:
                key.co.x = value
            case 2:
                keys.remove(key)
            case _:
                key.interpolation = ("CONSTANT", "LINEAR", "BEZIER")[key_index % 3]
        curve.update()
