"""Oni 2 on its way into Blender: everything is read, checked and grouped by character before the scene is touched."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal

import bpy

from ...core import formats
from ...core.files import address
from ...core.files.format import Archive
from ...core.formats import Opened
from ...core.motion.curves import RootMotion
from ...core.motion.rig import BoneDirection
from ...core.oni2.characters import companions
from ...core.oni2.files.anim import Anim
from ...core.oni2.files.entity import Anims, EntityType
from ...core.oni2.files.interpretation import Facing, Interpretation, Offset, Order, ScaleChannels, using
from ...core.oni2.files.mod import Mod
from ...core.oni2.files.skel import Skel
from ...core.oni2.motion.channels import Layout, layout_for
from ...core.reporting import log, progress
from ...core.reporting.errors import FormatError, RetroAnimError
from . import figure as oni2_figure
from .figure import Figure

_ORDER = (".type", ".anims", ".skel", ".mod")


@dataclass(frozen=True)
class ImportOptions:
    """paths: files, each may be FILE#ENTRY. entries: of every archive among them (numbers, names, wildcards; empty for all).

    skeleton: a .skel to use instead of those found. meshes: .mod files besides. order, offset, scale_channels, facing, beta: how the
    files are taken, see core.oni2.reading. limits: rotation limits become constraints. scale: metres a metre of the game.
    """

    paths: tuple[str, ...]
    entries: str = ""
    skeleton: str = ""
    meshes: tuple[str, ...] = ()
    order: Order = "FILE"
    offset: Offset = "REPLACE"
    scale_channels: ScaleChannels = "APPLY"
    facing: Facing = "-Z"
    beta: bool = False
    limits: bool = False
    scale: float = 1.0
    frame_start: float = 1.0
    fps_mode: Literal["KEEP", "SET"] = "SET"
    root_motion: RootMotion = "BONE"
    bone_direction: BoneDirection = "GAME"

    @property
    def interpretation(self) -> Interpretation:
        return Interpretation(self.order, self.offset, self.scale_channels, self.facing, self.beta)


@dataclass(frozen=True, eq=False)
class Clip:
    """An animation on its way in, the bytes and the place they came from, and how its channels lie on the skeleton."""

    anim: Anim
    data: bytes
    where: str
    name: str
    layout: Layout
    aliases: tuple[str, ...] = ()


@dataclass(eq=False)
class Character:
    """skel: as it will stand. where: the file of the skeleton, "" for a made-up one. figure: an armature of the scene that takes the
    clips, None for a new one."""

    skel: Skel
    where: str
    name: str
    figure: Figure | None = None
    clips: list[Clip] = field(default_factory=list[Clip])
    models: list[tuple[str, Mod]] = field(default_factory=list[tuple[str, Mod]])


class Plan:
    """Everything is read and checked here."""

    def __init__(self, context: bpy.types.Context, options: ImportOptions) -> None:
        self.options = options
        self.characters: dict[object, Character] = {}
        self.failures: list[RetroAnimError] = []
        self.visited: set[str] = set()
        active = context.view_layer.objects.active
        self.active = oni2_figure.read(active) if active is not None and oni2_figure.is_figure(active) else None
        self.given = self._given()

    def run(self) -> list[Character]:
        """Raises RetroAnimError when nothing can be opened; failures beside others that worked are said as errors."""
        with using(self.options.interpretation):
            paths = sorted((*self.options.paths, *self.options.meshes), key=_rank)
            for path in progress.steps(paths):
                if path not in self.visited and str(Path(path).absolute()) not in self.visited:
                    self._guarded(path)
        if not self.characters:
            raise self.failures[0] if self.failures else FormatError("nothing to import was found")
        for failure in self.failures:
            log.error(str(failure))
        return list(self.characters.values())

    def _guarded(self, where: str) -> None:
        """What is wrong with one file does not harm the others."""
        try:
            with log.about(where):
                self._open(companions.open_at(where))
        except RetroAnimError as error:
            if isinstance(error, FormatError):
                error.path = error.path or where
            self.failures.append(error)

    def _open(self, opened: Opened) -> None:
        document, where = opened.document, opened.address
        if opened.format.game != "oni2":
            raise FormatError(f"a file of another game: {opened.format.label}", path=where)
        if opened.format.kind == "archive":
            self._archive(document, where)
        elif isinstance(document, Anim):
            self._clip(document, opened.data, where)
        elif isinstance(document, Skel):
            self._character(document, where)
        elif isinstance(document, Mod):
            self._model(document, where)
        elif isinstance(document, EntityType):
            self._entity(where)
        elif isinstance(document, Anims):
            self._entity(companions.type_of_list(where))

    def _archive(self, archive: Archive, where: str) -> None:
        """Characters first, with what belongs to them; then what is left."""
        names = {index: archive.name(index) for index in range(len(archive))}
        chosen = [index for index in address.select(self.options.entries, len(archive), names) if not archive.blank(index)]
        wanted = [index for index in chosen if self._is_ours(names[index]) or self.options.entries]
        if not wanted:
            raise FormatError("none of the entries is a character, a skeleton, a mesh or an animation", path=where)
        wanted.sort(key=lambda index: _rank(names[index]))
        for index in progress.steps(wanted):
            entry = formats.entry_address(archive, index, where)
            if entry not in self.visited:
                self._guarded(entry)

    def _is_ours(self, name: str) -> bool:
        return PurePosixPath(name).suffix.lower() in (".type", ".skel", ".mod", ".anim")

    def _entity(self, where: str) -> None:
        """A character with its most detailed mesh and all its animations; those that fail do not harm the others."""
        found = companions.gather(where)
        if self.given is not None:
            character = self._character(*self.given)
        elif found.skeleton:
            opened = companions.open_at(found.skeleton)
            if not isinstance(opened.document, Skel):
                raise FormatError("no skeleton", path=found.skeleton)
            character = self._character(opened.document, found.skeleton, found.name)
        else:
            character = None
        self.visited |= {where, found.skeleton, *found.models, *(clip for clip, _ in found.clips)}
        for model in found.models[:1]:
            self._part(model, character)
        if len(found.models) > 1:
            log.info(f"{len(found.models) - 1} less detailed meshes were left out")
        for clip, aliases in found.clips:
            self._part(clip, character, aliases)
        if character is None and not found.clips and not found.models:
            raise FormatError("an entity without skeleton, mesh and animations", path=where)

    def _part(self, where: str, character: Character | None, aliases: tuple[str, ...] = ()) -> None:
        try:
            with log.about(where):
                opened = companions.open_at(where)
                if isinstance(opened.document, Anim):
                    self._clip(opened.document, opened.data, where, character, aliases)
                elif isinstance(opened.document, Mod):
                    self._model(opened.document, where, character)
        except FormatError as error:
            error.path = error.path or where
            self.failures.append(error)

    def _clip(self, anim: Anim, data: bytes, where: str, character: Character | None = None, aliases: tuple[str, ...] = ()) -> None:
        count, order = anim.channel_count, self.options.order
        if character is None and self.given is not None:
            layout_for(self.given[0], count, order)  # before there is an armature that no clip fits
            character = self._character(*self.given)
        if character is not None:
            layout = layout_for(character.skel, count, order)
        else:
            character, layout = self._found_for(anim, where)
        character.clips.append(Clip(anim, data, where, stem(where), layout, aliases))

    def _found_for(self, anim: Anim, where: str) -> tuple[Character, Layout]:
        """The active armature if it fits, a skeleton that lies beside, or a made-up chain."""
        count, order = anim.channel_count, self.options.order
        with log.collect() as said:
            try:
                found = companions.skeleton_for(where, count, self.options.interpretation)
            except FormatError:
                found = None
        if self.active is not None and (found is None or not found.address or self._is_active(found.skel)):
            try:
                with log.collect():
                    layout = layout_for(self.active.skel, count, order)
            except FormatError:
                pass
            else:
                if not layout.assumption or found is None or found.address:
                    return self._existing(self.active), layout
        log.repeat(said)
        if found is None:
            raise FormatError(f"no skeleton with {count} channels lies beside it, and no plain one has so many: give its .skel", path=where)
        name = stem(found.address) if found.address else stem(where)
        return self._character(found.skel, found.address, name), found.layout

    def _model(self, mod: Mod, where: str, character: Character | None = None) -> None:
        bones = mod.model.bone_count
        if character is None and self.given is not None:
            character = self._character(*self.given)
        if character is None and self.active is not None and not self.characters and len(self.active.skel.bones) >= bones:
            character = self._existing(self.active)
        if character is None:
            skel, source = companions.skeleton_of_mesh(where, bones)
            character = self._character(skel, source, stem(source) if source else stem(where))
        if bones > len(character.skel.bones):
            raise FormatError(f"bone {bones - 1} carries vertices, but the skeleton has {len(character.skel.bones)} bones", path=where)
        character.models.append((where, mod))

    def _character(self, skel: Skel, where: str, name: str = "") -> Character:
        if self.active is not None and self._is_active(skel):
            return self._existing(self.active)
        key = where or skel.text
        if key not in self.characters:
            self.characters[key] = Character(skel, where, name or stem(where))
            self.visited.add(where)
        return self.characters[key]

    def _existing(self, figure: Figure) -> Character:
        return self.characters.setdefault(figure.obj, Character(figure.skel, "", figure.obj.name, figure))

    def _is_active(self, skel: Skel) -> bool:
        """Whether the active armature came from this skeleton, or one just like it."""
        if self.active is None:
            return False
        source = self.active.source
        if source is not None:
            return source.text == skel.text
        return self.active.skel.skeleton().fingerprint == skel.skeleton().fingerprint

    def _given(self) -> tuple[Skel, str] | None:
        if not self.options.skeleton:
            return None
        opened = companions.open_at(self.options.skeleton)
        if not isinstance(opened.document, Skel):
            raise FormatError("no skeleton", path=self.options.skeleton)
        return opened.document, self.options.skeleton


def stem(where: str) -> str:
    """The file's own name without its extension; in an archive too."""
    return PurePosixPath(where.replace("\\", "/").replace("#", "/")).stem


def _rank(where: str) -> int:
    """Whole characters first, with what belongs to them; then what animations need."""
    suffix = PurePosixPath(where).suffix.lower()
    return _ORDER.index(suffix) if suffix in _ORDER else len(_ORDER)
