"""Little Big Adventure: everything an import asks for is read, checked and grouped by character before the scene is touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import bpy

from ...core import formats
from ...core.files import address, letter_case
from ...core.lba import formats as lba_formats
from ...core.lba.body.body import Body
from ...core.lba.characters import characters, which_game
from ...core.lba.characters.characters import Characters
from ...core.lba.characters.opened import open_archive
from ...core.lba.characters.users import User, all_users
from ...core.lba.files.anm import Anm
from ...core.lba.files.archive.hqd import EntryNames, names_for
from ...core.lba.files.archive.hqr import Hqr
from ...core.lba.files.entity_table import EntityTable
from ...core.lba.files.file3d import Entity, role_name
from ...core.lba.files.variant import VARIANTS
from ...core.lba.game import GAME, ImportOptions
from ...core.reporting import log
from ...core.reporting.errors import FormatError
from ..blender import armature, identity, source_data
from ..pipeline.into_blender import plan
from .body.plan_bodies import Bodies, Character, Clip, Use, is_body, stem_of


class Plan(plan.Plan[ImportOptions, Character]):
    """names, users: by archive the names of its entries, and who uses them."""

    game = GAME

    def __init__(self, context: bpy.types.Context, options: ImportOptions) -> None:
        super().__init__(context, options)
        self.bodies = Bodies(options, self.active, self.characters)
        self.names: dict[str, EntryNames] = {}
        self.users: dict[str, dict[int, tuple[User, ...]]] = {}

    def takes(self, obj: bpy.types.Object) -> bool:
        return armature.is_game_armature(obj) and identity.game_of(obj) in (GAME, None)

    def ordered(self, paths: Sequence[str]) -> list[str]:
        """Loose bodies first, for the animations among the paths."""
        return sorted(paths, key=lambda path: Path(path).suffix.lower() not in GAME.bodies)

    def open(self, path: str) -> Iterator[str] | None:
        file, entry = address.split(path)
        named = entry if not entry.isdigit() else ""
        opened = formats.open_file(file if named else path)
        if opened.format.kind == "archive" and isinstance(opened.document, Hqr):
            return self._archive(file, opened, named)
        if named:
            raise FormatError(f"no archive, so it has no entry {entry}", path=file)
        if opened.format.kind == "animation":
            file, entry = address.split(opened.address)
            if entry:
                self._entry_clip(opened.data, file, int(entry), self._names(file))
            else:
                self._clip(opened.data, file, source_data.LOOSE, stem_of(path))
        elif opened.format.kind == "body":
            self.bodies.loose.append(self.bodies.character(Body.of(opened.document), path, stem_of(path)))
        elif isinstance(opened.document, EntityTable):
            return self._entities(Characters(path, opened.document), self.options.entities or self.options.entries, path)
        elif opened.format.kind == "entity":
            number = address.split(opened.address)[1]
            self._entity(opened.document, path, (Path(address.split(path)[0]),), stem_of(path), int(number) if number.isdigit() else None)
        else:
            raise FormatError(f"a {opened.format.label} holds nothing to import", path=path)
        return None

    def _archive(self, path: str, opened: formats.Opened, named: str = "") -> Iterator[str]:
        """named: of FILE#ENTRY, where the entry is no number: names of the entries, or of the characters in a file of entities."""
        archive: Hqr = opened.document
        own = characters.of_archive(path, archive)
        if own is not None and own.table is archive:
            own = replace(own, listed=self.options.names)
        if self.options.entities or (own is not None and (own.table is archive or named)):
            wanted = self.options.entities or named or self.options.entries
            yield from self._entities(own or self._characters_for(path), wanted, path)
            return
        names, wanted = self._names(path), named or self.options.entries
        try:
            chosen = address.select(wanted, len(archive), names.by_entry)
        except address.UnknownEntryError:
            chosen = formats.chosen(archive, wanted, path, opened.format, self.options.names)
        explicit = bool(wanted)
        count = 0
        for index in chosen:
            if archive.blank(index) and not explicit:
                continue
            yield f"entry {index} {names[index]}".strip()
            with self.guarded(f"{path}#{index}"):
                count += self._entry(archive.read(index), path, index, names, explicit)
        if not count and not self.failures:
            raise FormatError("none of the entries is an animation or a body", path=path)

    def _entry(self, data: bytes, path: str, index: int, names: EntryNames, explicit: bool) -> bool:
        """Whether the entry is something to import. Raises FormatError where it is not and was asked for."""
        kind = lba_formats.REGISTRY.recognise_entry(data, path)
        if kind is not None and kind.game != GAME.id:
            kind = None
        if kind is not None and kind.kind == "animation":
            self._entry_clip(data, path, index, names)
        elif kind is not None and kind.kind == "body":
            self.bodies.character(Body.of(kind.parse(data), data), f"{path}#{index}", f"{stem_of(path)} {index} {names[index]}".strip())
        elif kind is not None and isinstance(document := kind.parse(data), EntityTable):
            for _ in self._entities(Characters(f"{path}#{index}", document), "", path):
                pass
        elif explicit:
            raise FormatError("neither an animation nor a body")
        else:
            return False
        return True

    def _entry_clip(self, data: bytes, path: str, index: int, names: EntryNames) -> None:
        """An animation of an archive, named by its list of names, or else by what the character uses it for."""
        user = self._user(path, index)
        use = Use(user.roles, user.actions) if user is not None else Use()
        label = names[index] or " + ".join(use.roles)
        self._clip(data, path, index, f"{stem_of(path)} {index} {label}".strip(), use=use)

    def _user(self, path: str, index: int) -> User | None:
        """Of the characters that use an animation the one whose body it comes in on, else the first."""
        if path not in self.users:
            self.users[path] = all_users(path, self.options.file3d)
        users = self.users[path].get(index, ())
        origin = source_data.origin(self.active.data) if self.active is not None else None
        shown = address.split(self.bodies.given[1])[1] if self.bodies.given is not None else str(origin[1]) if origin is not None else ""
        having = [user for user in users if shown.isdigit() and int(shown) in user.bodies]
        return next(iter(having or users), None)

    def _names(self, path: str) -> EntryNames:
        if path not in self.names:
            game = VARIANTS.get(self.options.game) or (which_game.game_beside(path) or (None, ""))[0]
            self.names[path] = names_for(path, game, self.options.names)
        return self.names[path]

    def _characters_for(self, path: str) -> Characters:
        """Those given, else those beside an archive."""
        table = characters.of_file(self.options.file3d) if self.options.file3d else characters.beside(path)
        if table is None:
            raise FormatError("to import by entity, FILE3D.HQR, or LBA2's RESS.HQR, is needed beside it", path=path)
        return table

    def _entities(self, table: Characters, wanted: str, opened: str) -> Iterator[str]:
        """opened: the file that was asked for; what is beside it comes before what is beside the entities."""
        titles = {index: table.name(index) or f"entity {index}" for index in range(len(table))}
        names = {index: title for index, title in titles.items() if not table.blank(index)}
        for index in address.select(wanted, len(table), names):
            if table.blank(index) and not wanted:
                continue
            yield titles[index]
            with self.guarded(table.where(index)):
                beside = (Path(address.split(opened)[0]), table.folder / "FILE3D.HQR")
                self._entity(table.entity(index), table.where(index), beside, titles[index], index)

    def _entity(self, entity: Entity, where: str, beside: tuple[Path, ...], name: str, number: int | None) -> None:
        """A body, and every animation of the character once, named by all its roles. beside: files that archives are looked for beside.
        number: of the entity, None for a loose one."""
        body_path, clip_path = (_first_beside(beside, archive) for archive in ("BODY.HQR", "ANIM.HQR"))
        if clip_path is None and body_path is None:
            raise FormatError("neither BODY.HQR nor ANIM.HQR beside it", path=where)
        character, own = None, None
        bodies = list(entity.bodies)
        if self.bodies.given is not None:
            character = self.bodies.character(*self.bodies.given)
        elif bodies and body_path is not None:
            character = self._entity_body(bodies, body_path, where, name)
            if character is not None and number is not None:
                character.entities.append(number)
                own = number
        if clip_path is None:
            log.warning(f"{where}: no ANIM.HQR beside it, so only the body came in")
            return
        archive = open_archive(clip_path)
        for index, roles in entity.animations.items():
            names = tuple(dict.fromkeys(role_name(role) for role in roles))
            with self.guarded(f"{clip_path}#{index}"):
                data = archive.read(index)
                use = Use(names, tuple(entity.actions_of(index)), own)
                self._clip(data, str(clip_path), index, f"{name} {' + '.join(names)}", character, use)

    def _entity_body(self, bodies: list[int], body_path: Path, where: str, name: str) -> Character | None:
        """The one of a character's bodies that is wanted; None where it cannot be read."""
        if self.options.body >= len(bodies):
            log.warning(f"{where}: it has no body {self.options.body}, only {len(bodies)}: the first one is taken")
        index = bodies[self.options.body if self.options.body < len(bodies) else 0]
        where = f"{body_path}#{index}"
        with self.guarded(where):
            opened = lba_formats.REGISTRY.open_entry(open_archive(body_path).read(index), where)
            if opened is None or not is_body(opened):
                raise FormatError("not a body")
            return self.bodies.character(Body.of(opened.document, opened.data), where, name)
        return None

    def _clip(self, data: bytes, path: str, entry: int, name: str, character: Character | None = None, use: Use | None = None) -> None:
        where = path if entry == source_data.LOOSE else f"{path}#{entry}"
        with log.about(where):
            anm = Anm.parse(data)
            character = character or self.bodies.of_animation(anm, path, entry)
            game, why = self.bodies.game_of(anm, path, character)
            anm.check(game)
            groups = character.body.group_count
            if groups < anm.bone_count:
                log.info(
                    "it has more bones than the body has groups, as many clips of the game do: those show nothing, and stay in the file"
                )
            elif groups > anm.bone_count:
                log.info(
                    "it has fewer bones than the body has groups, as many clips of the game do: the last groups stay as they are at rest"
                )
        character.clips.append(Clip(name, path, entry, data, anm, game, use or Use()))
        if why:
            log.info(f"{game.label}: {why}")


def _first_beside(beside: tuple[Path, ...], name: str) -> Path | None:
    return next((file for path in beside if (file := letter_case.find_beside(path, name)) is not None), None)
