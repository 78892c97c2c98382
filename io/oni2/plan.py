"""Oni 2: everything an import asks for is read, checked and grouped by character before the scene is touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import bpy

from ...core import formats
from ...core.files import address
from ...core.files.format import Archive
from ...core.formats import Opened
from ...core.oni2.characters import companions, game_files
from ...core.oni2.characters.companions import SkeletonMatch
from ...core.oni2.files.anim import Anim
from ...core.oni2.files.entity import Anims, EntityType
from ...core.oni2.files.interpretation import using
from ...core.oni2.files.mesh.mod import Mod
from ...core.oni2.files.skeleton.skel import Skel
from ...core.oni2.game import GAME, ImportOptions
from ...core.oni2.motion.channels import Layout, layout_for
from ...core.reporting import log
from ...core.reporting.errors import ExportError, FormatError, RetroAnimError
from ...core.reporting.progress import Steps
from ..blender.source_data import LOOSE
from ..pipeline.into_blender import plan
from . import figure

_ORDER = (".type", ".anims", ".skel", ".mod")
"""Extensions of what is read before animations: whole characters first, with what belongs to them."""


@dataclass(frozen=True, eq=False)
class Clip(plan.Clip):
    """layout: how its channels lie on the skeleton. aliases: what the entity's lists of animations use it for."""

    anim: Anim
    layout: Layout
    aliases: tuple[str, ...] = ()


@dataclass(eq=False, kw_only=True)
class Character(plan.Character[Clip]):
    """skel: as it will stand. address: of the skeleton's file, "" for a made-up one. models: meshes with their addresses."""

    skel: Skel
    address: str
    models: list[tuple[str, Mod]] = field(default_factory=list[tuple[str, Mod]])


class Plan(plan.Plan[ImportOptions, Character]):
    """figure: the active armature as a skeleton, if it is one of the game. given: the skeleton of the options, with its address.
    visited: addresses that need not be opened again. clips: the animations among the paths."""

    game = GAME

    def __init__(self, context: bpy.types.Context, options: ImportOptions) -> None:
        super().__init__(context, options)
        self.visited: set[str] = set()
        self.clips: list[str] = []
        self.known: companions.Known = {}
        self.figure = self._active_figure()
        self.given = self._given()

    def takes(self, obj: bpy.types.Object) -> bool:
        return figure.is_figure(obj)

    def ordered(self, paths: Sequence[str]) -> list[str]:
        return sorted((*paths, *self.options.meshes), key=_rank)

    def steps(self) -> Steps[list[Character]]:
        """As of every plan. Raises RetroAnimError, too, where animations are among the paths and none of them can be imported."""
        with using(self.options.interpretation):
            characters = yield from super().steps()
        if self.clips and not any(character.clips for character in characters):
            failure = next((each for each in self.failures if isinstance(each, FormatError) and each.path in self.clips), self.failures[0])
            left = ", ".join(character.name for character in characters)
            raise RetroAnimError(f"{failure}; nothing was imported: open {left} alone for a character without animations")
        return characters

    def open(self, path: str) -> Iterator[str] | None:
        if path in self.visited or str(Path(path).absolute()) in self.visited:
            return None
        if _is_clip(path):
            self.clips.append(path)
        opened = companions.open_at(path, formats.REGISTRY)
        if opened.format.kind == "archive":
            return self._archive(opened.document, opened.address)
        self._add(opened)
        return None

    def _add(self, opened: Opened) -> None:
        document, where = opened.document, opened.address
        if opened.format.game != GAME.id:
            raise FormatError(f"a file of another game: {opened.format.label}", path=where)
        if isinstance(document, Anim):
            self._clip(document, opened.data, where)
        elif isinstance(document, Skel):
            self._character(document, where)
        elif isinstance(document, Mod):
            self._model(document, where)
        elif isinstance(document, EntityType):
            self._entity(where)
        elif isinstance(document, Anims):
            self._entity(companions.type_of_list(where))

    def _archive(self, archive: Archive, where: str) -> Iterator[str]:
        """Characters first, with what belongs to them; then what is left."""
        names = {index: archive.name(index) for index in range(len(archive))}
        entries = self.options.entries
        chosen = [index for index in address.select(entries, len(archive), names) if not archive.blank(index)]
        chosen = [index for index in chosen if entries or _is_known(names[index])]
        if not chosen:
            raise FormatError("none of the entries is a character, a skeleton, a mesh or an animation", path=where)
        for index in sorted(chosen, key=lambda index: _rank(names[index])):
            entry = formats.entry_address(archive, index, where)
            yield names[index]
            if entries and _is_clip(entry):
                self.clips.append(entry)
            if entry not in self.visited:
                with self.guarded(entry), log.about(entry):
                    self._add(companions.open_at(entry, formats.REGISTRY))

    def _entity(self, where: str) -> None:
        """A character with its most detailed mesh and all its animations; those that fail do not harm the others."""
        entity = companions.gather(where)
        character = self._of_entity(entity)
        self.visited |= {where, entity.skeleton, *entity.models, *(clip for clip, _ in entity.clips)}
        for model in entity.models[:1]:
            self._part(model, character)
        if len(entity.models) > 1:
            log.info(f"{len(entity.models) - 1} less detailed meshes were left out")
        for clip, aliases in entity.clips:
            self._part(clip, character, aliases)
        if character is None and not entity.clips and not entity.models:
            raise FormatError("an entity without skeleton, mesh and animations", path=where)

    def _of_entity(self, entity: companions.Gathered) -> Character | None:
        """On the skeleton of the options, or its own; None where it has none."""
        if self.given is not None:
            return self._character(*self.given)
        return self._character(_skeleton_at(entity.skeleton), entity.skeleton, entity.name) if entity.skeleton else None

    def _part(self, where: str, character: Character | None, aliases: tuple[str, ...] = ()) -> None:
        with self.guarded(where), log.about(where):
            opened = companions.open_at(where, formats.REGISTRY)
            if isinstance(opened.document, Anim):
                self._clip(opened.document, opened.data, where, character, aliases)
            elif isinstance(opened.document, Mod):
                self._model(opened.document, where, character)

    def _clip(self, anim: Anim, data: bytes, where: str, character: Character | None = None, aliases: tuple[str, ...] = ()) -> None:
        count, order = anim.channel_count, self.options.order
        if character is None and self.given is not None:
            layout_for(self.given[0], count, order)  # before there is an armature that no animation fits
            character = self._character(*self.given)
        if character is not None:
            layout = layout_for(character.skel, count, order)
        else:
            character, layout = self._character_for(anim, where)
        character.clips.append(Clip(stem(where), *origin(where), data, anim, layout, aliases))

    def _character_for(self, anim: Anim, where: str) -> tuple[Character, Layout]:
        """The active armature if it fits, a skeleton that lies beside, or a made-up chain."""
        count = anim.channel_count
        match: SkeletonMatch | None = None
        with log.collect() as reported, suppress(FormatError):
            match = companions.skeleton_for(where, count, self.options.interpretation, self.known)
        active = self._active_for(count, match)
        if active is not None:
            return active
        log.repeat(reported)
        if match is None:
            why = "".join(f"; {message.text}" for message in reported.of("WARNING")[:1])
            remedy = "give its .skel, or make an armature that came from it the active one"
            raise FormatError(f"no skeleton with {count} channels lies beside it, and no plain one has so many: {remedy}{why}", path=where)
        name = stem(match.address) if match.address else stem(where)
        is_new = match.address not in self.characters
        character = self._character(match.skel, match.address, name)
        mesh = companions.mesh_of(match.address) if is_new and match.address and character.armature is None else ""
        if mesh and not character.models and not self.options.meshes and mesh not in self.visited:
            self.visited.add(mesh)
            self._part(mesh, character)
        return character, match.layout

    def _active_for(self, count: int, match: SkeletonMatch | None) -> tuple[Character, Layout] | None:
        """The active armature, unless another skeleton belongs to the animation, or its own does not fit."""
        if self.figure is None or (match is not None and match.address and not self._is_active(match.skel)):
            return None
        try:
            with log.collect():
                layout = layout_for(self.figure.skel, count, self.options.order)
        except FormatError:
            return None
        if layout.assumption and match is not None and not match.address:
            return None
        return self._existing(self.figure), layout

    def _model(self, mod: Mod, where: str, character: Character | None = None) -> None:
        bones = mod.model.bone_count
        if character is None and self.given is not None:
            character = self._character(*self.given)
        if character is None and self.figure is not None and not self.characters and len(self.figure.skel.bones) >= bones:
            character = self._existing(self.figure)
        if character is None:
            skel, source = companions.skeleton_of_mesh(where, bones)
            character = self._character(skel, source, stem(source) if source else stem(where))
        if bones > len(character.skel.bones):
            raise FormatError(f"bone {bones - 1} carries vertices, but the skeleton has {len(character.skel.bones)} bones", path=where)
        character.models.append((where, mod))

    def _character(self, skel: Skel, where: str, name: str = "") -> Character:
        if self.figure is not None and self._is_active(skel):
            return self._existing(self.figure)
        key = where or skel.text
        if key not in self.characters:
            self.characters[key] = Character(name or stem(where), skel=skel, address=where)
            self.visited.add(where)
        return self.characters[key]

    def _existing(self, active: figure.Figure) -> Character:
        return self.characters.setdefault(active.obj, Character(active.obj.name, active.obj, skel=active.skel, address=""))

    def _is_active(self, skel: Skel) -> bool:
        """Whether the active armature came from this skeleton, or one just like it."""
        if self.figure is None:
            return False
        source = self.figure.source
        if source is not None and len(source.bones) == len(self.figure.skel.bones):  # else bones were added or removed since
            return source.text == skel.text
        return self.figure.skel.skeleton().fingerprint == skel.skeleton().fingerprint

    def _active_figure(self) -> figure.Figure | None:
        try:
            return figure.read(self.active) if self.active is not None else None
        except ExportError as error:
            log.warning(f"the active armature takes no animations: {error}")
            return None

    def _given(self) -> tuple[Skel, str] | None:
        given = self.options.skeleton
        return (_skeleton_at(given), given) if given else None


def _skeleton_at(where: str) -> Skel:
    document = companions.open_at(where, formats.REGISTRY).document
    if not isinstance(document, Skel):
        raise FormatError("no skeleton", path=where)
    return document


def origin(where: str) -> tuple[str, int]:
    """The file of FILE or FILE#ENTRY, and the entry's number as the source data keeps it."""
    path, entry = address.split(where)
    if not entry:
        return path, LOOSE
    index = game_files.opened(path).find(entry)
    return path, int(entry) if index is None else index


def stem(where: str) -> str:
    """The file's own name without its extension; in an archive too."""
    return PurePosixPath(where.replace("\\", "/").replace("#", "/")).stem


def _suffix(where: str) -> str:
    return PurePosixPath(where).suffix.lower()


def _is_clip(where: str) -> bool:
    return _suffix(where) == ".anim"


def _is_known(where: str) -> bool:
    return _suffix(where) in (".type", ".skel", ".mod", ".anim")


def _rank(where: str) -> int:
    """In which order files are read."""
    suffix = _suffix(where)
    return _ORDER.index(suffix) if suffix in _ORDER else len(_ORDER)
