"""What the command line asks of Blender itself: an empty scene, its own importers and exporters, saving. `bpy` is only imported inside."""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ..core.files.disk.disk import read_file, write_file, write_files
from ..core.files.file_names import same_file
from ..core.reporting import ending, log
from ..core.reporting.errors import FormatError, RetroAnimError, reading
from . import gltf, gltf_reading
from .axes import FOREIGN, Axes, open_bvh, stand
from .import_losses import at_the_scenes_rate, open_gltf, release_moved, true_seconds

IMPORTED = (".blend", *FOREIGN)
"""What Blender opens without us, and writes without us."""

INSTALL = "this needs Blender: run it as `blender --command retro_anim …`, or install Blender's module with `pip install bpy`"


def is_blenders(path: str) -> bool:
    return path.lower().endswith(IMPORTED)


def module() -> Any:
    """Blender's module. Raises RetroAnimError where there is none."""
    if (loaded := sys.modules.get("bpy")) is not None:
        return loaded
    try:
        with _undisturbed():
            import bpy
    except ImportError:
        raise RetroAnimError(INSTALL) from None
    return bpy


@contextlib.contextmanager
def _undisturbed() -> Generator[None]:
    """What asks the process to end waits: Blender's module crashes if it is broken off while it loads."""
    asked: list[int] = []
    before: dict[int, Any] = {}
    for number in ending.signals():
        with contextlib.suppress(ValueError):  # not in the main thread
            if callable(known := signal.getsignal(number)):
                signal.signal(number, lambda number, _: asked.append(number))
                before[number] = known
    try:
        yield
    finally:
        for number, known in before.items():
            signal.signal(number, known)
    for number in asked[:1]:
        signal.raise_signal(number)


def empty_scene() -> None:
    """As in a new file, without anything in it."""
    module().ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def add(path: str, axes: Axes | None = None) -> None:
    """Import a file that Blender knows, or append the objects and actions of a .blend, whose frame rate the scene takes.

    Raises RetroAnimError when it cannot, as of the file that is open."""
    if not path.lower().endswith(".blend"):
        load(path, axes)
        return
    read_file(path, 1)  # its error for a missing file is clearer than Blender's
    bpy = module()
    if bpy.data.filepath and same_file(path) == same_file(bpy.data.filepath):
        raise RetroAnimError(f"{path}: is the rig's own file: give a copy of it under another name")
    with _errors_of(path):
        try:
            with bpy.data.libraries.load(os.path.abspath(path)) as (there, wanted):
                wanted.objects, wanted.actions, wanted.scenes = there.objects, there.actions, there.scenes[:1]
        except OSError as error:
            raise RuntimeError(str(error)) from error
    for scene in wanted.scenes:
        render, own = bpy.context.scene.render, scene.render
        render.fps, render.fps_base = own.fps, own.fps_base
        bpy.data.scenes.remove(scene)
    for obj in wanted.objects:
        bpy.context.scene.collection.objects.link(obj)


def load(path: str, axes: Axes | None = None) -> None:
    """Open or import a file that Blender knows; a .blend replaces everything. axes: of the file, found out unless they are given.

    Raises RetroAnimError when it cannot."""
    operators, wanted, kind = module().ops, axes or Axes(), Path(path).suffix.lower()
    read_file(path, 1)  # as above; Blender's files may be of any size
    absolute = os.path.abspath(path)  # Blender goes by PWD, which a program that starts us elsewhere need not have set
    if kind == ".blend":
        _run(path, operators.wm.open_mainfile, filepath=absolute, load_ui=False, use_scripts=False)
        return
    if kind == ".bvh":
        _load_bvh(path, read_file(path), wanted)
        return
    before = {obj.name for obj in module().data.objects}
    if kind == ".fbx":
        _load_fbx(path, absolute)
    else:
        render = module().context.scene.render
        with gltf_reading.plain(absolute, (render.fps, float(render.fps_base))) as plain:
            open_gltf(lambda: _run(path, operators.import_scene.gltf, filepath=plain))
    if wanted.given:
        stand([obj for obj in module().data.objects if obj.name not in before], wanted)


def _run(path: str, operator: Callable[..., Any], **options: Any) -> None:
    """One of Blender's importers. Raises RetroAnimError where it fails."""
    with _errors_of(path):
        if "FINISHED" not in operator(**options):
            raise RuntimeError("it cannot be opened")


def _load_bvh(path: str, data: bytes, axes: Axes) -> None:
    importer = module().ops.import_anim.bvh
    with _plain_bvh(path, data) as plain:

        def read_bvh(forward: str, up: str) -> None:
            _run(path, importer, filepath=plain, update_scene_fps=True, update_scene_duration=True, axis_forward=forward, axis_up=up)

        open_bvh(read_bvh, path, axes)


def _load_fbx(path: str, absolute: str) -> None:
    data, ops = module().data, module().ops
    objects, actions = set(data.objects), set(data.actions)
    usual = _is_usual_fbx(read_file(path, 27))
    if not usual and "fbx_import" not in dir(ops.wm):
        raise RetroAnimError(f"{path}: no FBX, or one as text, or of before 2011: those are read by Blender 4.5 and newer ones")
    if usual:
        _run(path, ops.import_scene.fbx, filepath=absolute)
        new = [action for action in data.actions if action not in actions]
        at_the_scenes_rate(new)
    else:
        _run(path, ops.wm.fbx_import, filepath=absolute)
        new = [action for action in data.actions if action not in actions]
    release_moved([obj for obj in data.objects if obj not in objects and obj.type == "ARMATURE"], new)


def _is_usual_fbx(head: bytes) -> bool:
    """Whether it is one that Blender's older importer reads: none that is text, or of before 2011."""
    return head.startswith(b"Kaydara FBX Binary") and int.from_bytes(head[23:27], "little") >= 7100


@contextlib.contextmanager
def _plain_bvh(path: str, data: bytes) -> Generator[str]:
    """A copy of a .bvh as Blender's importer reads it, under the same name, by which armature and action are called."""
    from ..core.motion.bvh import reading as bvh_file

    with reading(path), log.about(path):
        text = bvh_file.plain(data)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / Path(path).name
        copy.write_text(text, encoding="utf-8", newline="\n")
        yield str(copy)


def save(path: Path, *, several: bool = False, chosen: bool = False) -> None:
    """Write the scene as a file that Blender knows; the old file is whole until the new one is. Raises RetroAnimError.

    several: there is more than one character, and their actions are stashed, by which exporters know whose they are. chosen: only what is
    selected, of .glb, .gltf and .fbx.
    """
    operators, kind = module().ops, path.suffix.lower()
    with tempfile.TemporaryDirectory() as folder, _errors_of(str(path)):
        written = str(Path(folder) / path.name)
        if kind == ".blend":
            operators.wm.save_as_mainfile(filepath=written, copy=True)
        elif kind in gltf.EXTENSIONS:
            layout = "GLB" if kind == ".glb" else "GLTF_SEPARATE"
            with true_seconds():
                operators.export_scene.gltf(
                    filepath=written,
                    export_format=layout,
                    use_selection=chosen,
                    export_animation_mode="ACTIONS",
                    export_anim_slide_to_zero=True,
                    export_optimize_animation_size=False,
                    export_texture_dir=f"{path.stem}_textures" if kind == ".gltf" else "",
                )
            gltf.put_in_order(Path(written))
        elif kind == ".fbx":
            operators.export_scene.fbx(
                filepath=written,
                use_selection=chosen,
                bake_anim_use_nla_strips=several,
                bake_anim_use_all_actions=not several,
                bake_anim_simplify_factor=0,
                add_leaf_bones=False,
            )
        else:
            from ..io.blender.motion import bvh

            context = module().context
            write_file(written, bvh.text_of(context, context.view_layer.objects.active).encode())
        _take_over(Path(folder), path)


def _take_over(folder: Path, path: Path) -> None:
    """Put all that an exporter has written to where it belongs: the file itself, and what a .gltf has beside it.

    Raises RetroAnimError where one of those would replace a file that the .gltf which is there does not know.
    """
    targets = {file: path.parent / file.relative_to(folder) for file in sorted(folder.rglob("*")) if file.is_file()}
    known = {same_file(path), *(same_file(path.parent / name) for name in _parts_of(path))}
    for file, target in targets.items():
        if same_file(target) not in known and target.exists() and read_file(target) != read_file(file):
            raise RetroAnimError(f"{target}: is there already, and was not named: choose another name for {path.name}")
    write_files({target: (read_file(file), False) for file, target in targets.items()}, folders=True)


def _parts_of(path: Path) -> list[str]:
    """The files that a .gltf consists of besides itself; none of another file, or one that cannot be read."""
    if path.suffix.lower() != ".gltf":
        return []
    try:
        document: Any = json.loads(read_file(path))
        parts = [*document.get("buffers", ()), *document.get("images", ())]
        return [unquote(part["uri"]) for part in parts if isinstance(part.get("uri"), str)]
    except (FormatError, ValueError, AttributeError, TypeError, RecursionError):
        return []


def stash(obj: Any, actions: list[Any]) -> None:
    """Lay every action on a track of its own."""
    for action in actions:
        track = obj.animation_data.nla_tracks.new()
        track.name = action.name
        track.strips.new(action.name, round(action.curve_frame_range[0]), action)
    obj.animation_data.action = None


@contextlib.contextmanager
def _errors_of(path: str) -> Generator[None]:
    """Blender's own errors as RetroAnimError, one line each. What its importers and exporters print besides is not shown."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    kept, nowhere = (os.dup(1), os.dup(2)), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
        ending.check()
    except RuntimeError as error:
        ending.check()
        last = _last_line(str(error))
        if (stopped := re.match(r"KeyboardInterrupt(?:: (\d+))?\Z", last)) is not None:
            raise KeyboardInterrupt(*(int(number) for number in stopped.groups() if number)) from error
        raise RetroAnimError(f"{path}: Blender says: {last}") from error
    finally:
        _flush_c()
        for number, stream in ((1, sys.stdout), (2, sys.stderr)):
            stream.flush()
            os.dup2(kept[number - 1], number)
        for handle in (*kept, nowhere):
            os.close(handle)


def _flush_c() -> None:
    """What Blender has printed in C may still be in the buffers of its runtime library."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None).fflush(None)


def _last_line(text: str) -> str:
    """What is wrong, where Blender gives a whole traceback."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith((" ", "Location:"))]
    return lines[-1].removeprefix("Error: ") if lines else "it failed"
