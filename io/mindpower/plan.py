"""Tales of Pirates into Blender: everything is read and checked before the scene is touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import bpy
import numpy as np

from ...core import formats
from ...core.files import address
from ...core.files.disk import disk
from ...core.mindpower.client import client
from ...core.mindpower.client.meshes import mesh_file
from ...core.mindpower.client.textures import TextureFinder, images_of
from ...core.mindpower.files.mesh.lgo import Lgo
from ...core.mindpower.files.ranges import Range, Row, ranges_of
from ...core.mindpower.files.skeleton.lab import Lab, new_lab
from ...core.mindpower.files.tables.action_table import ActionTable
from ...core.mindpower.files.tables.pose_info import PoseInfo
from ...core.mindpower.game import GAME, ImportOptions
from ...core.mindpower.motion.prepared import ordered
from ...core.mindpower.surface.surface import surface_of
from ...core.reporting import log
from ...core.reporting.errors import FormatError, reading
from ...core.reporting.progress import Steps
from ...core.surface.mesh import Mesh
from ..blender import source_data
from ..pipeline.into_blender import plan
from . import marks
from .clips import actions
from .figure import figure_read, meshes


@dataclass(frozen=True, eq=False)
class Part:
    """A mesh file to import."""

    path: str
    data: bytes
    lgo: Lgo
    surface: Mesh
    name: str


@dataclass(frozen=True, eq=False)
class Table:
    """The action table of a character. type: its number in it. poses: what actions are called."""

    path: str
    document: ActionTable
    type: int
    poses: PoseInfo | None

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.document.of_type(self.type)


@dataclass(frozen=True, eq=False)
class Clip(plan.Clip):
    """An action of the file, which the armature keeps. range: its frames. marked: ranges that are markers of a whole time line."""

    range: Range
    marked: tuple[Range, ...] = ()


@dataclass(eq=False)
class Character(plan.Character[Clip]):
    """A skeleton with its meshes and its table; without clips where only meshes are imported. lab: parents first. path, document: empty
    for a skeleton that only a mesh stands for."""

    lab: Lab = field(kw_only=True)
    path: str = ""
    parts: list[Part] = field(default_factory=list[Part])
    table: Table | None = None

    @property
    def poses(self) -> PoseInfo | None:
        return self.table.poses if self.table is not None else None

    def add_clips(self, whole: bool) -> None:
        """An action for every range of the table, or, without one or where it is asked for, the whole time line."""
        count = self.lab.frame_count
        line = Range(0, count - 1)
        ranges = ranges_of(self.table.rows, count) if self.table is not None else []
        chosen, marked = ([line], tuple(ranges)) if whole or not ranges else (ranges, ())
        titles = (f"{self.name} {actions.title(item, self.poses)}".strip() for item in chosen)
        self.clips = [Clip(name, self.path, source_data.LOOSE, b"", item, marked) for name, item in zip(titles, chosen, strict=True)]


class Plan(plan.Plan[ImportOptions, Character]):
    game = GAME

    def __init__(self, context: bpy.types.Context, options: ImportOptions) -> None:
        super().__init__(context, options)
        self.worn: set[tuple[str, int] | None] = set()
        """Where the active armature's meshes came from."""
        if self.active is not None:
            self.worn = {source_data.origin(mesh.data) for mesh in meshes.meshes_of(self.active, context)}

    def takes(self, obj: bpy.types.Object) -> bool:
        return marks.is_figure(obj)

    def steps(self) -> Steps[list[Character]]:
        """As of every game; a skeleton that comes in alone says so, whose mesh might have been dropped beside it."""
        characters = yield from super().steps()
        for character in characters:
            if character.path and not character.parts and character.armature is None and not self.failures:
                with self.spoken.of(character), log.about(character.path):
                    log.warning("no mesh of it lies beside it or in its client, so only the bones came in: import its .lgo, too")
        return characters

    def ordered(self, paths: Sequence[str]) -> list[str]:
        """Skeletons first, so that their meshes find them."""
        return sorted(paths, key=lambda path: Path(address.split(path)[0]).suffix.lower() == ".lgo")

    def open(self, path: str) -> Iterator[str] | None:
        kind = "" if self.options.entries or Path(path).is_dir() else _kind(path)
        if kind == "LAB":
            self._skeleton(path)
        elif kind == "LGO":
            self._mesh(path)
        else:
            return self._client(path)
        return None

    def _client(self, path: str) -> Iterator[str]:
        for character in client.characters(path, self.options.entries):
            yield character.name or Path(character.lab).name
            with self.guarded(character.lab):
                self._skeleton(character.lab, character.name, character.action_type, character.parts)

    def _skeleton(self, path: str, name: str = "", action_type: int = 0, parts: str = "") -> None:
        """A skeleton file with everything that is there for it."""
        data, lab = _read_lab(path)
        obj = self.active if not name and self.active is not None and figure_read.is_from(self.active, data) else None
        title = obj.name if obj is not None else name or Path(path).stem
        character = Character(title, obj, document=data, lab=ordered(lab), path=path)
        self.characters[obj or (_key(path), name, parts)] = character
        companions = client.companions(path, self.options.parts or parts)
        for mesh in self.options.meshes or companions.meshes:
            if obj is not None and (_key(mesh), source_data.LOOSE) in self.worn:
                continue
            with self.guarded(mesh):
                character.parts.append(_part(mesh, lab))
        character.table = self._table(companions, action_type)
        character.add_clips(self.options.actions == "TIMELINE")

    def _table(self, companions: client.Companions, action_type: int) -> Table | None:
        source = self.options.table or companions.table
        if not source:
            log.info("no action table beside it, so its time line is one action")
            return None
        with reading(source), log.about(source):
            document = ActionTable.parse(disk.read_file(source))
        number = self.options.action_type or action_type or companions.action_type
        if not number and len(document.type_numbers) == 1:
            (number,) = document.type_numbers
        if not number:
            log.info("no list of characters has its type in the action table: its time line is one action")
            return None
        if number not in document.type_numbers:
            log.warning(f"the action table has no type {number}; say which one is the character's (action_type)")
            return None
        with log.about(source):
            for problem in [*document.problems(number), *document.nonsense(document.odd_lines_of(number))]:
                log.warning(problem)
        return Table(source, document, number, _poses(companions.poses))

    def _mesh(self, path: str) -> None:
        """A mesh for a skeleton that is given, active, being imported, or there for it; else on plain bones."""
        if any(_key(part.path) == _key(path) for character in self.characters.values() for part in character.parts):
            return
        source = self.options.skeleton or client.skeleton_for(path) or self._along(path)
        if not self.options.skeleton and self.active is not None and (not source or _came_from(self.active, source)):
            template = figure_read.read(self.active).template
            character = self.characters.setdefault(self.active, Character(self.active.name, self.active, lab=template))
            character.parts.append(_part(path, template))
            return
        known = (character for character in self.characters.values() if source and character.path and _key(character.path) == _key(source))
        if (character := next(known, None)) is not None:
            character.parts.append(_part(path, character.lab))
        elif source:
            data, lab = _read_lab(source)
            parts = [_part(path, lab)]
            self.characters[_key(source)] = Character(Path(source).stem, document=data, lab=ordered(lab), path=source, parts=parts)
        else:
            part = _part(path, None)
            log.warning("no skeleton file for it is found; its bones are plain ones")
            self.characters[_key(path)] = Character(part.name, lab=_plain_bones(int(part.surface.bones.max(initial=0)) + 1), parts=[part])

    def _along(self, path: str) -> str:
        """The skeleton that comes in along with a mesh of another folder: that of its model's number, or of its own name; "" for none."""
        mesh = mesh_file(Path(path))
        name = Path(path).stem.lower() if mesh is None else f"{mesh.model:04}"
        return next((each.path for each in self.characters.values() if each.path and Path(each.path).stem.lower() == name), "")


def _kind(path: str) -> str:
    kind = formats.recognise_file(address.split(path)[0])
    if kind is None:
        raise FormatError("not a file of Tales of Pirates", path=path)
    return kind.name


def _read_lab(path: str) -> tuple[bytes, Lab]:
    with reading(path), log.about(path):
        data = disk.read_file(path)
        return data, Lab.parse(data)


def _poses(path: str) -> PoseInfo | None:
    if not path:
        return None
    try:
        with reading(path):
            return PoseInfo.parse(disk.read_file(path))
    except FormatError as error:
        log.warning(str(error))
        return None


def _part(path: str, lab: Lab | None) -> Part:
    """lab: with its bones in the file's order or in that of `ordered`."""
    with reading(path), log.about(path):
        data = disk.read_file(path)
        lgo = Lgo.parse(data)
        images = images_of(lgo.materials, TextureFinder(path)) if lgo.materials is not None else []
        name = Path(path).stem
        surface = surface_of(lgo, lab.bone_count if lab is not None else 1 << 31, images, name)
    if lab is not None and (lab.order != np.arange(lab.bone_count)).any():
        surface.bones[:] = np.argsort(lab.order)[surface.bones]
    return Part(path, data, lgo, surface, name)


def _plain_bones(count: int) -> Lab:
    """Bones at the origin, all below the first."""
    lab = new_lab([f"bone {bone:02}" for bone in range(count)], [-1, *[0] * (count - 1)], np.tile(np.eye(4), (count, 1, 1)))
    return lab.with_quaternions(np.zeros((count, 1, 3)), np.tile([0.0, 0, 0, 1], (count, 1, 1)))


def _key(path: str) -> str:
    return str(Path(path).resolve())


def _came_from(obj: bpy.types.Object, path: str) -> bool:
    return source_data.origin(obj.data) == (_key(path), source_data.LOOSE)
