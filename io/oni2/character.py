"""A whole character of Oni 2 out of Blender: skeleton, mesh, animations, and the texts that name them."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import NamedTuple

import bpy

from ...core.files import address
from ...core.files.disk import disk
from ...core.files.file_names import same_file
from ...core.files.format import Format
from ...core.oni2 import formats
from ...core.oni2.characters import companions, game_files
from ...core.oni2.characters.companions import TYPE
from ...core.oni2.fields import ACTION_FIELDS
from ...core.oni2.files.entity import Anims, EntityType
from ...core.oni2.game import ExportOptions
from ...core.reporting import log
from ...core.reporting.errors import FormatError
from ..blender import armature, identity, source_data
from ..blender.source_data import Block
from ..blender.surface.skinned import report_unmoved
from ..pipeline.destination.targets import original_of, wanted_file, written
from ..pipeline.fidelity.reasons import added_bones
from ..pipeline.out_of_blender.character import report_gone
from ..pipeline.out_of_blender.selection import selection
from . import figure, meshes
from .build import FORMAT
from .pack import pack_action

_ALIASES = next(item.property for item in ACTION_FIELDS if item.name == "aliases")


class File(NamedTuple):
    """block: remembers where it went, None for a text that goes along. came: of such a text what it was."""

    title: str
    path: Path
    data: bytes
    kind: Format
    block: Block | None = None
    came: bytes | None = None


class Entity(NamedTuple):
    """The texts of an entity: its type, its own list of animations, where that is, "" for nowhere, and by their names in lower case what
    its animations are used for in all of its lists."""

    kind: EntityType
    anims: Anims
    listed: str
    aliases: dict[str, tuple[str, ...]]

    def with_list(self, anims: Anims) -> Entity:
        """With another list of its own."""
        own = {name.lower() for name, _ in (*self.anims.clips, *anims.clips)}
        known = {name: tuple(alias for clip, alias in anims.clips if clip.lower() == name) for name in own}
        packed = {
            name: tuple(
                alias for alias in aliases if (name, alias.lower()) not in {(clip.lower(), own.lower()) for clip, own in self.anims.clips}
            )
            for name, aliases in self.aliases.items()
        }
        aliases = {name: (*packed.get(name, ()), *known.get(name, ())) for name in {*packed, *known}}
        return self._replace(anims=anims, aliases=aliases)


def files_of(context: bpy.types.Context, obj: bpy.types.Object, options: ExportOptions) -> list[File]:
    """What goes into the folder of the Entity.type at the options' path, and its list of animations into entity.tune.

    Texts that are there already, else those of the entity that the character came from, change where they must. Raises ExportError."""
    target = Path(options.path).absolute()
    folder, name = target.parent, target.parent.name
    root = folder.parent.parent if folder.parent.name.lower() == "entity" else folder
    stand = figure.standing(obj, options.facing)
    added = added_bones.of_armature(context, obj)
    figure.report_others(sorted(added.carrying))
    entity = _entity(str(target)) if target.exists() else _origin(obj, root)
    beside = _beside(obj, folder) if not entity.kind.skeleton else ""  # found without a line that names it
    skeleton = entity.kind.skeleton or beside or f"{name}.skel"
    files = [File(obj.name, folder / skeleton, stand.skel.pack(), formats.SKEL, obj.data)]
    mesh, model = meshes.mesh_of(context, stand), next(iter(entity.kind.models), f"{name}.mod")
    report_unmoved(context, obj)
    if mesh is None and entity.kind.models:
        report_gone(obj, model)
    if mesh is not None:
        files.append(File(mesh.name, folder / model, meshes.pack(mesh, stand, options.normals), formats.MOD, mesh.data))
    wanted: dict[str, tuple[str, ...]] = {}
    chosen = [action for _, action in selection.chosen_actions(context, "ALL", FORMAT, selection.NEW, objects=[obj])]
    for action in chosen:
        original = original_of(action)
        other = original in chosen and action.get(_ALIASES, "") != original.get(_ALIASES, "")  # it is for something else
        clip = _clip_name(action, folder, other)
        known = stand if figure.is_figure(obj) else None
        with log.about(action.name):
            added_bones.report(obj, action, added)
        files.append(File(action.name, folder / f"{clip}.anim", pack_action(context, obj, action, options, known), formats.ANIM, action))
        known_uses = entity.aliases.get(clip.lower(), ())
        named = action.get(_ALIASES)  # of a clip that came in without its entity nobody has said anything
        aliases = known_uses if named is None else tuple(str(named).replace(",", " ").split())
        if set(aliases) != set(known_uses):
            wanted[clip] = _own(action, entity, clip, aliases)
        elif not aliases and clip.lower() not in entity.aliases:
            _warn_unused(action)
    kind = entity.kind.with_files("" if beside else skeleton, model if mesh is not None else "")
    files.append(File(TYPE, folder / TYPE, kind.pack(), formats.TYPE, came=entity.kind.pack()))
    anims = entity.anims.with_clips(wanted)
    if anims.text.strip():
        listed_at = Path(*PurePosixPath(entity.listed).parts) if entity.listed else Path("entity.tune", name, f"{name}.anims")
        path = root / listed_at if root != folder else folder / listed_at.name
        files.append(File(listed_at.name, path, anims.pack(), formats.ANIMS, came=entity.anims.pack()))
    return files


def _beside(obj: bpy.types.Object, folder: Path) -> str:
    """The name of the skeleton's file that an armature came from, where that lies in this folder; "" for any other."""
    path = Path(address.split(str(armature.data_of(obj).get(identity.RIG, "")))[0])
    own = path.suffix.lower() == formats.SKEL.extensions[0] and same_file(path.parent) == same_file(folder)
    return path.name if own and path.is_file() and (folder / TYPE).is_file() else ""


def _own(action: bpy.types.Action, entity: Entity, clip: str, aliases: tuple[str, ...]) -> tuple[str, ...]:
    """The uses of a clip for the entity's own list, of one whose uses changed: those that a package names, which is not written, stay
    there."""
    own = {alias.lower() for name, alias in entity.anims.clips if name.lower() == clip.lower()}
    packed = {alias.lower(): alias for alias in entity.aliases.get(clip.lower(), ()) if alias.lower() not in own}
    left = [alias for lower, alias in packed.items() if lower not in map(str.lower, aliases)]
    if left:
        log.warning(f"{action.name} stays in use for {', '.join(left)}: a package (.apkg) says so, which is not written")
    elif not aliases:
        _warn_unused(action)
    return tuple(alias for alias in aliases if alias.lower() not in packed)


def _warn_unused(action: bpy.types.Action) -> None:
    log.warning(f"{action.name} is used for nothing, and the game never plays it: name its uses in Used For, such as WALK")


def _entity(where: str) -> Entity:
    """The texts around an Entity.type, FILE or FILE#ENTRY. Raises FormatError."""
    files, path = game_files.located(where)
    kind = EntityType.parse(files.read(path))
    folder, name = path.rpartition("/")[0], PurePosixPath(path).parent.name
    listed = files.find(f"entity.tune/{name}/{name}.anims") or files.find(f"{folder}/{name}.anims" if folder else f"{name}.anims")
    with log.collect():
        clips = companions.gather(where).clips
    aliases = {PurePosixPath(clip.replace("\\", "/").replace("#", "/")).stem.lower(): names for clip, names in clips}
    return Entity(kind, Anims.parse(files.read(listed)) if listed else Anims(""), listed, aliases)


def _origin(obj: bpy.types.Object, root: Path) -> Entity:
    """The texts of the entity that an armature came from; empty ones where there is none. root: the folder where its list of animations
    may lie already, which counts instead of the one that it came with."""
    where = str(armature.data_of(obj).get(identity.RIG, ""))
    try:
        files, path = game_files.located(where)
        kind = files.find(f"{path.rpartition('/')[0]}/{TYPE}".lstrip("/")) if where else ""
        if kind:
            entity = _entity(files.address(kind))
            here = game_files.Folder(root).find(entity.listed) if entity.listed else ""
            return entity.with_list(Anims.parse(disk.read_file(root / here))) if here else entity
    except FormatError as error:
        log.info(f"the entity that {obj.name} came from is not there any more, so that its texts are made anew: {error}")
    return Entity(EntityType(""), Anims(""), "", {})


def _clip_name(action: bpy.types.Action, folder: Path, new: bool) -> str:
    """The file of a clip without its extension: the one in the entity's folder that the user wants it to go to, or that it was written to
    last, else the one that it came from; of a new one its action's name behind that of the entity, by which the game looks for it."""
    wanted = Path(wanted_file(action))
    if wanted.suffix.lower() == ".anim" and same_file(wanted.parent) == same_file(folder):
        return wanted.stem
    name, last = folder.name, written(action) if not new else None
    if last is not None and Path(last.path).suffix.lower() == ".anim" and same_file(Path(last.path).parent) == same_file(folder):
        return Path(last.path).stem
    origin = source_data.origin(action) if not new else None
    if origin is not None:
        path, entry = origin
        archived = game_files.opened(path).name(entry) if entry != source_data.LOOSE and address.split(path)[0] else ""
        return PurePosixPath((archived or path).replace("\\", "/")).stem
    plain = action.name.replace(" ", "_")
    return plain if plain.lower().startswith(f"{name.lower()}_") else f"{name}_{plain}"
