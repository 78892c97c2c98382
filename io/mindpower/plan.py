"""Tales of Pirates on its way into Blender: everything is read and checked before the scene is touched."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import bpy
import numpy as np

from ...core import formats
from ...core.files import address, disk
from ...core.mindpower.client import client
from ...core.mindpower.client.textures import TextureFinder, images_of
from ...core.mindpower.files.action_table import ActionTable
from ...core.mindpower.files.lab import Lab, new_lab
from ...core.mindpower.files.lgo import Lgo
from ...core.mindpower.files.pose_info import PoseInfo
from ...core.mindpower.files.ranges import Row
from ...core.mindpower.motion.prepared import ordered
from ...core.mindpower.options import ImportOptions
from ...core.mindpower.surface.surface import surface_of
from ...core.reporting import log
from ...core.reporting.errors import FormatError, RetroAnimError, reading
from ...core.surface.mesh import Mesh
from ..blender import source_data
from . import figure as mindpower_figure
from . import meshes as mindpower_mesh


@dataclass(frozen=True, eq=False)
class Part:
    """A mesh file on its way in."""

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


@dataclass(eq=False)
class Character:
    """A skeleton with its meshes and its table. lab: parents first. path, data: empty for a skeleton that only a mesh stands for.

    thing: an armature of the scene that takes what is new, None for a new one. animated: whether its actions are wanted.
    """

    name: str
    lab: Lab
    path: str = ""
    data: bytes = b""
    parts: list[Part] = field(default_factory=list)
    table: Table | None = None
    obj: bpy.types.Object | None = None
    animated: bool = True


class Plan:
    """Everything is read and checked here."""

    def __init__(self, context: bpy.types.Context, options: ImportOptions) -> None:
        self.options = options
        self.characters: dict[object, Character] = {}
        self.failures: list[RetroAnimError] = []
        active = context.view_layer.objects.active
        self.active = active if mindpower_figure.is_figure(active) else None
        self.worn: set[tuple[str, int] | None] = set()
        """Where the active armature's meshes came from."""
        if self.active is not None:
            self.worn = {source_data.origin(mesh.data) for mesh in mindpower_mesh.meshes_of(self.active, context)}

    def finish(self) -> list[Character]:
        """What is to be built. Raises RetroAnimError when there is nothing."""
        if not self.characters:
            raise self.failures[0] if self.failures else FormatError("nothing to import was found")
        for failure in self.failures:
            log.error(str(failure))
        return list(self.characters.values())

    def read(self) -> None:
        """All paths; skeletons first, so that their meshes find them."""
        meshes: list[str] = []
        for path in self.options.paths:
            try:
                if self.options.entries or Path(path).is_dir() or self._kind(path) not in ("LAB", "LGO"):
                    self._client(path)
                elif self._kind(path) == "LAB":
                    self._skeleton(path)
                else:
                    meshes.append(path)
            except RetroAnimError as error:
                self._failed(error, path)
        for path in meshes:
            try:
                self._mesh(path)
            except RetroAnimError as error:
                self._failed(error, path)

    def _failed(self, error: RetroAnimError, path: str) -> None:
        if isinstance(error, FormatError):
            error.path = error.path or path
        self.failures.append(error)

    def _kind(self, path: str) -> str:
        found = formats.recognise_file(address.split(path)[0])
        if found is None or found.game != "mindpower":
            raise FormatError("not a file of Tales of Pirates", path=path)
        return found.name

    def _client(self, path: str) -> None:
        for character in client.characters(path, self.options.entries):
            try:
                self._skeleton(character.lab, character.name, character.action_type, character.parts)
            except RetroAnimError as error:
                self._failed(error, character.lab)

    def _skeleton(self, path: str, name: str = "", action_type: int = 0, parts: str = "") -> None:
        """A skeleton file with everything that is found for it."""
        with reading(path), log.about(path):
            data = disk.read_file(path)
            lab = Lab.parse(data)
        obj = self.active if not name and self.active is not None and mindpower_figure.is_from(self.active, data) else None
        character = Character(obj.name if obj is not None else name or Path(path).stem, ordered(lab), path, data, obj=obj)
        self.characters[obj or (_key(path), name, parts)] = character
        found = client.companions(path, self.options.parts or parts)
        for mesh in self.options.meshes or found.meshes:
            if obj is not None and (_key(mesh), source_data.LOOSE) in self.worn:
                continue
            try:
                character.parts.append(self._part(mesh, lab))
            except RetroAnimError as error:
                self._failed(error, mesh)
        character.table = self._table(path, found, action_type)

    def _table(self, path: str, found: client.Found, action_type: int) -> Table | None:
        source = self.options.table or found.table
        if not source:
            log.info(f"{Path(path).name}: no action table beside it, so its time line is one action")
            return None
        with reading(source), log.about(source):
            document = ActionTable.parse(disk.read_file(source))
        number = self.options.action_type or action_type or found.action_type
        if not number and len(document.type_numbers) == 1:
            (number,) = document.type_numbers
        if not number:
            log.info(f"{Path(path).name}: no list of characters tells its type in the action table: its time line is one action")
            return None
        if number not in document.type_numbers:
            log.warning(f"{Path(path).name}: the action table has no type {number}; say which one is the character's (action_type)")
            return None
        with log.about(source):
            for problem in document.problems(number):
                log.warning(problem)
        poses = None
        if found.poses:
            try:
                with reading(found.poses):
                    poses = PoseInfo.parse(disk.read_file(found.poses))
            except FormatError as error:
                log.warning(str(error))
        return Table(source, document, number, poses)

    def _part(self, path: str, lab: Lab | None) -> Part:
        with reading(path), log.about(path):
            data = disk.read_file(path)
            lgo = Lgo.parse(data)
            images = images_of(lgo.materials, TextureFinder(path)) if lgo.materials is not None else []
            name = Path(path).stem
            surface = surface_of(lgo, lab.bone_count if lab is not None else 1 << 31, images, name)
        if lab is not None and (lab.order != np.arange(lab.bone_count)).any():
            surface.bones[:] = np.argsort(lab.order)[surface.bones]
        return Part(path, data, lgo, surface, name)

    def _mesh(self, path: str) -> None:
        """A mesh for a skeleton that is given, active, being imported, or found; else on plain bones."""
        for character in self.characters.values():
            if any(_key(part.path) == _key(path) for part in character.parts):
                return
        source = self.options.skeleton or client.skeleton_for(path)
        if not self.options.skeleton and self.active is not None and (not source or _came_from(self.active, source)):
            figure = mindpower_figure.read(self.active)
            character = self.characters.setdefault(
                self.active, Character(self.active.name, figure.template, obj=self.active, animated=False)
            )
            character.parts.append(self._part(path, figure.template))
            return
        known = next((one for one in self.characters.values() if source and one.path and _key(one.path) == _key(source)), None)
        if known is not None:
            known.parts.append(self._part(path, known.lab))
        elif source:
            with reading(source), log.about(source):
                data = disk.read_file(source)
                lab = Lab.parse(data)
            character = Character(Path(source).stem, ordered(lab), source, data, [self._part(path, lab)], animated=False)
            self.characters[_key(source)] = character
        else:
            part = self._part(path, None)
            log.warning(f"{path}: no skeleton file for it is found; its bones are plain ones")
            count = int(part.surface.bones.max(initial=0)) + 1
            parents = [-1, *[0] * (count - 1)]
            lab = new_lab([f"bone {bone:02}" for bone in range(count)], parents, np.tile(np.eye(4), (count, 1, 1)))
            lab = lab.with_quaternions(np.zeros((count, 1, 3)), np.tile([0.0, 0, 0, 1], (count, 1, 1)))
            self.characters[_key(path)] = Character(part.name, lab, parts=[part], animated=False)


def _key(path: str) -> str:
    return str(Path(path).resolve())


def _came_from(obj: bpy.types.Object, path: str) -> bool:
    return source_data.origin(obj.data) == (_key(path), source_data.LOOSE)
