"""`python -m retro_anim.samples.demo [FILE...] [--out FOLDER]`: from a game's files into Blender and back, with a comparison of the bytes.

Without FILE it opens our sample. Writes NAME.blend, NAME.png, a picture strip of an animation, and the exported file.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import bpy

from ..core import formats
from ..core.files import address
from ..core.games import writing
from ..core.lba.characters import characters
from ..core.reporting import log
from ..core.reporting.errors import RetroAnimError
from ..io.blender import compat, source_data
from ..io.lba import ImportOptions, import_lba
from ..io.pipeline import games
from .strip import render_strip

SAMPLE = Path(__file__).parent / "lba1" / "ANIM.HQR"


@dataclass(frozen=True, eq=False)
class Imported:
    """What was imported: armatures and other animated objects, and the object that each action is for."""

    objects: list[bpy.types.Object]
    owners: dict[bpy.types.Action, bpy.types.Object]


@dataclass(frozen=True)
class Written:
    """An exported file, its source, the number of actions exported into it, and whether its bytes equal the source's: None for a file
    beside it that has no source."""

    path: Path
    source: Path
    count: int
    identical: bool | None


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="demo", description="Open animations in Blender, draw them, and write them back.")
    parser.add_argument("files", nargs="*", metavar="FILE", help="a game's file, or FILE#ENTRY; without any, our sample")
    parser.add_argument("--entity", metavar="N", help="which character, when a FILE is a whole ANIM.HQR (0 if not given)")
    parser.add_argument("--out", default="demo", metavar="FOLDER", help="where to write (demo)")
    options = parser.parse_args(arguments)
    try:
        return _demo(options.files, options.entity, Path(options.out))
    except (RetroAnimError, OSError, RuntimeError) as error:  # Blender's own failures are RuntimeErrors
        print(str(error).strip() or "failed", file=sys.stderr)
        return 1


def _demo(given: list[str], entity: str | None, folder: Path) -> int:
    started = time.perf_counter()
    paths = given or [str(SAMPLE)]
    name = "mannequin" if not given else address.split(given[0])[0]
    target = folder / Path(name).stem
    folder.mkdir(parents=True, exist_ok=True)
    for created in (target.with_suffix(".blend"), target.with_suffix(".png")):
        created.unlink(missing_ok=True)

    with _quiet():
        bpy.ops.wm.read_factory_settings(use_empty=True)
    with log.collect() as reported:
        imported = _open(paths, entity)
    opened = time.perf_counter()
    for line in reported.digest("ERROR", "WARNING"):
        print(f"Note: {line}")
    _report(paths, imported, opened - started)

    with log.collect(), tempfile.TemporaryDirectory() as temporary:
        written = _export(imported.owners, Path(temporary), folder)
    obj, action = _shown(imported)
    if action is not None:
        _show(obj, action)
    with _quiet():
        poses = render_strip(bpy.context, obj, target.with_suffix(".png")) if obj.type == "ARMATURE" else 0
        bpy.ops.wm.save_as_mainfile(filepath=str(target.with_suffix(".blend").resolve()), check_existing=False, compress=True)
    print(f"Wrote {target.with_suffix('.blend')}")
    if poses:
        print(f"Wrote {target.with_suffix('.png')}: {_plural(poses, 'pose')} of {action.name if action else obj.name}")
    else:
        print("No picture: there is no mesh to show")
    for item in written:
        verdict = {
            True: f", byte-identical to {_near(str(item.source))}",
            False: f", NOT the same bytes as {_near(str(item.source))}",
            None: "",
        }
        count = f": {_plural(item.count, 'action')} exported" if item.count else ""
        print(f"Wrote {item.path}{count}{verdict[item.identical]}")
    if not written:
        print("Nothing was exported" + ("" if imported.owners else ": there is no animation"))
    print(f"{time.perf_counter() - started:.1f} seconds in all, Blender {bpy.app.version_string}")
    return 1 if any(item.identical is False for item in written) else 0


def _open(paths: list[str], entity: str | None) -> Imported:
    """Everything that the paths name; of a whole ANIM.HQR, or a list of characters, a single character."""
    archives = [path for path in paths if _holds_characters(path)]
    wanted = entity or "0"
    parts: list[games.Imported] = []
    parts += [import_lba(bpy.context, ImportOptions((path,), entities=wanted, fps_mode="SET")) for path in archives]
    others = [path for path in paths if path not in archives]
    if others:
        parts += games.import_files(bpy.context, others, {})
    for path in archives:
        print(f"{_near(path)}: character {wanted} (--entity N for another one, {Path(path).name}#N for one animation)")
    objects = list(dict.fromkeys(obj for part in parts for obj in part.armatures))
    moving = [obj for obj in bpy.context.view_layer.objects if obj not in objects and obj.animation_data]
    return Imported([*objects, *moving], _owners([*objects, *moving], [action for part in parts for action in part.actions]))


def _holds_characters(path: str) -> bool:
    """Whether it is a whole archive of animations with the list of characters beside it, or that list."""
    file, entry = address.split(path)
    if entry or Path(file).name.lower() not in ("anim.hqr", "file3d.hqr", "ress.hqr") or formats.recognise_file(file) is None:
        return False
    return characters.beside(file) is not None


def _owners(objects: list[bpy.types.Object], actions: list[bpy.types.Action]) -> dict[bpy.types.Action, bpy.types.Object]:
    """Which object each action is for: the first action of an armature is on it, and its others follow."""
    first = {obj.animation_data.action: obj for obj in objects if obj.animation_data and obj.animation_data.action}
    owners: dict[bpy.types.Action, bpy.types.Object] = {}
    obj = None
    for action in actions:
        obj = first.get(action, obj)
        if obj is not None:
            owners[action] = obj
    return owners


def _report(paths: list[str], imported: Imported, seconds: float) -> None:
    keys = sum(len(curve.keyframe_points) for action in imported.owners for curve in compat.curves(action))
    print(f"Opened {', '.join(map(_near, paths))} in {seconds:.2f} seconds: {_plural(len(imported.owners), 'action')}, {keys} keys")
    for obj in imported.objects:
        if obj.type != "ARMATURE":
            print(f"  {obj.name}: {obj.type.lower()}")
            continue
        meshes = [child.data for child in obj.children if isinstance(child.data, bpy.types.Mesh)]
        vertices, faces = sum(len(mesh.vertices) for mesh in meshes), sum(len(mesh.polygons) for mesh in meshes)
        mesh = f"mesh of {vertices} vertices and {faces} faces" if meshes else "no mesh"
        print(f"  {obj.name}: armature of {_plural(len(obj.pose.bones), 'bone')}, {mesh}")
    names = [action.name for action in imported.owners]
    if names:
        print(f"  actions: {', '.join(names[:6])}{f' and {len(names) - 6} more' if len(names) > 6 else ''}")


def _near(path: str) -> str:
    """As seen from the current folder, where that is shorter."""
    try:
        return min(path, os.path.relpath(path), key=len)
    except ValueError:  # on another drive
        return path


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _export(owners: dict[bpy.types.Action, bpy.types.Object], temporary: Path, folder: Path) -> list[Written]:
    """Every action into a file of the same name as its source. A file of clips starts as a copy, so that the export updates it; a file
    with all animations of a character is written anew, in one export."""
    result: dict[Path, list[bpy.types.Action]] = {}
    for action, obj in owners.items():
        result.setdefault(Path(source_data.path_of(action) or source_data.path_of(obj.data)), []).append(action)
    written: list[Written] = []
    for number, (source, actions) in enumerate(result.items()):
        game = writing(source.suffix)
        if game is None:
            print(f"Not written: {source.name} is only read")
            continue
        created = temporary / str(number) / source.name
        created.parent.mkdir()
        whole = game.written[source.suffix.lower()] == "character"
        if not whole:
            shutil.copyfile(source, created)
        paths: list[Path] = []
        for action in actions[:1] if whole else actions:
            obj = owners[action]
            bpy.context.view_layer.objects.active = obj
            if obj.animation_data.action != action:
                compat.assign(obj, action)
            paths += map(Path, games.export_file(bpy.context, str(created), {}).paths)
        for path in dict.fromkeys([created, *(Path(address.split(str(path))[0]) for path in paths)]):
            own = path == created
            target = folder / path.name
            if target in (item.path for item in written):
                target = folder / f"{path.stem} {number}{path.suffix}"
            if target.exists() and target.samefile(source):
                raise RetroAnimError(f"{source}: would be overwritten; choose another folder with --out")
            shutil.copyfile(path, target)
            written.append(Written(target, source, len(actions) if own else 0, target.read_bytes() == source.read_bytes() if own else None))
    return written


def _shown(imported: Imported) -> tuple[bpy.types.Object, bpy.types.Action | None]:
    """What the picture is of: the first action that walks, else one that loops, else any."""
    for wanted in (_walks, lambda action: action.use_cyclic and len(action.pose_markers) > 0, lambda _action: True):
        for action, obj in imported.owners.items():
            if wanted(action):
                return obj, action
    if not imported.objects:
        raise RetroAnimError("there is nothing to show")
    return imported.objects[0], None


def _walks(action: bpy.types.Action) -> bool:
    names = (str(action.get("lba_roles", "")) + action.name).lower()
    return "walk" in names or "run" in names


def _show(obj: bpy.types.Object, action: bpy.types.Action) -> None:
    """Assign the action and set the scene's frame range, for whoever opens the saved file."""
    scene = bpy.context.scene
    bpy.context.view_layer.objects.active = obj
    compat.assign(obj, action)
    first, last = (round(float(frame)) for frame in action.frame_range)
    scene.frame_start, scene.frame_end = first, max(first, last - action.use_cyclic)  # the closing key shows the first pose again
    scene.frame_set(first)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what Blender itself writes on standard output."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
