"""The skeleton of an animation, and the skeleton, meshes and animations (with their aliases) of an entity."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from ...files import address, once
from ...files.registry import Opened, Registry
from ...reporting import log
from ...reporting.errors import FormatError
from ...reporting.labels import counted, first_few
from ..files.entity import Anims, EntityType, package_path
from ..files.interpretation import Interpretation
from ..files.skeleton.skel import Skel, write
from ..files.skeleton.skel_bones import MOST, Bone
from ..motion import channels
from ..motion.channels import Layout
from .game_files import Files, located, opened

TYPE = "Entity.type"


@dataclass(frozen=True)
class SkeletonMatch:
    """A skeleton, its address ("" for a made-up one), and the layout of the clip on it."""

    skel: Skel
    address: str
    layout: Layout


Known = dict[tuple[Files, str, str], tuple[list[str], list[str]]]
"""What lies around animations, by their files, their folder and the start of their names: for many that are opened together."""


def skeleton_for(where: str, count: int, interpretation: Interpretation, known: Known | None = None) -> SkeletonMatch:
    """The skeleton of the animation at `where`, FILE or FILE#ENTRY, whose frames have `count` channels; a made-up chain where none of
    those that belong to it fits. Which one it is, is reported. Raises FormatError when not even a chain fits.

    known: what was looked up for other animations, while the files stay as they are."""
    files, path = located(where)
    refused: list[str] = []
    for candidate in _candidates(files, path, {} if known is None else known):
        try:
            skel = _skeleton(files, candidate)
            layout = channels.layout_for(skel, count, interpretation.order)
        except FormatError as error:
            refused.append(f"{files.address(candidate)}: {error}")
            continue
        log.info(f"skeleton {files.address(candidate)}")
        return SkeletonMatch(skel, files.address(candidate), layout)
    for line in refused:
        log.warning(line)
    skel = channels.plausible(count)
    return SkeletonMatch(skel, "", channels.layout_of(skel, interpretation.order))


def skeleton_of_mesh(where: str, bones: int) -> tuple[Skel, str]:
    """The skeleton of the mesh at `where`, which needs so many bones, and its address; one made up, with all bones at one position and ""
    as address, where none of those that belong to it has them. Which one it is, is reported. Raises FormatError for too many."""
    files, path = located(where)
    for candidate in _candidates(files, path, {}):
        try:
            skel = _skeleton(files, candidate)
        except FormatError as error:
            log.warning(f"{files.address(candidate)}: {error}")
            continue
        if len(skel.bones) >= bones:
            log.info(f"skeleton {files.address(candidate)}")
            return skel, files.address(candidate)
    if bones > MOST:
        raise FormatError(f"no skeleton, and {bones} bones are more than there can be", path=where)
    if bones > 1:
        log.warning(f"no skeleton: the mesh needs one of {bones} bones, so its parts are all at the origin; give its .skel")
    return write([Bone("root" if not bone else f"bone_{bone:02}", min(bone, 1) - 1) for bone in range(max(bones, 1))], ""), ""


def mesh_of(where: str) -> str:
    """The address of the most detailed mesh of the entity whose skeleton is at `where`, "" where there is none."""
    files, path = located(where)
    folder = path.rpartition("/")[0]
    entity = files.find(_join(folder, TYPE))
    try:
        document = EntityType.parse(files.read(entity)) if entity else None
    except FormatError:
        document = None  # it was reported with the skeleton
    if document is None or files.find(_join(folder, document.skeleton)) != path:
        return ""
    return next((files.address(present) for model in document.models if (present := files.find(_join(folder, model)))), "")


def _candidates(files: Files, path: str, known: Known) -> list[str]:
    """Skeletons that may belong to an animation, the surest first: of its own name, of its entity, of the entity that its name begins
    with, and whatever lies beside it."""
    folder, name = path.rpartition("/")[0], PurePosixPath(path).stem
    prefix = name.split("_")[0]
    around = known.get((files, folder, prefix))
    if around is None:
        wanted = [_of_type(files, folder), _of_type(files, f"Entity/{prefix}"), f"Entity/{prefix}/{prefix}.skel"]
        present = [files.find(candidate) for candidate in (*wanted, _join(folder, f"{prefix}.skel")) if candidate]
        beside = [_join(folder, file) for file in files.names(folder, ".skel")]
        around = known[files, folder, prefix] = present, beside
    own = files.find(_join(folder, f"{name}.skel"))
    return list(dict.fromkeys([*filter(None, (own, *around[0])), *around[1]]))


def _of_type(files: Files, folder: str) -> str:
    path = files.find(_join(folder, TYPE))
    if not path:
        return ""
    try:
        skeleton = EntityType.parse(files.read(path)).skeleton
    except FormatError as error:
        log.warning(str(error))
        return ""
    return _join(folder, skeleton) if skeleton else ""


def type_of_list(where: str) -> str:
    """The Entity.type of the entity that the .anims file at `where` belongs to. Raises FormatError when there is none."""
    files, path = located(where)
    entity = files.find(f"Entity/{PurePosixPath(path).stem}/{TYPE}") or files.find(_join(path.rpartition("/")[0], TYPE))
    if not entity:
        raise FormatError(f"a list of animations; the {TYPE} of its entity is not there", path=where)
    return files.address(entity)


def contents(path: str) -> dict[str, list[tuple[int, str]]]:
    """What an archive holds, as entry and label: "characters", by their entities' names, and "files" that can be imported one by one.

    Raises FormatError when it cannot be opened."""
    archive = opened(path)
    lists: dict[str, list[tuple[int, str]]] = {"characters": [], "files": []}
    for index in range(len(archive)):
        name = PurePosixPath(archive.name(index))
        if archive.blank(index):
            continue
        if name.name.lower() == TYPE.lower():
            lists["characters"].append((index, name.parent.name))
        elif name.suffix.lower() in (".skel", ".mod", ".anim"):
            lists["files"].append((index, str(name)))
    return {kind: sorted(lines, key=lambda line: line[1].lower()) for kind, lines in lists.items()}


def open_at(where: str, registry: Registry) -> Opened:
    """FILE or FILE#ENTRY, as `gather` gives them; the archive is read only once. Raises FormatError naming it."""
    if not address.split(where)[1]:
        return registry.open_file(where)
    files, path = located(where)
    entry = registry.open_entry(files.read(path), where)
    if entry is None:
        raise FormatError("an entry of no known kind", path=where)
    return entry


@dataclass(frozen=True)
class Gathered:
    """An entity's files, as addresses. skeleton: "" without one. models: the most detailed first. clips: address and aliases."""

    name: str
    skeleton: str
    models: tuple[str, ...]
    clips: tuple[tuple[str, tuple[str, ...]], ...]


def gather(where: str) -> Gathered:
    """Everything of the entity whose Entity.type is at `where`. What is named but not there is reported. Raises FormatError."""
    files, path = located(where)
    folder = path.rpartition("/")[0]
    name = folder.rpartition("/")[2] or files.address(path).replace("\\", "/").split("/")[-2:][0]
    document = EntityType.parse(files.read(path))
    missing: list[str] = []

    def look(file: str) -> str:
        present = files.find(_join(folder, file))
        if not present:
            missing.append(file)
        return present

    skeleton = look(document.skeleton) if document.skeleton else ""
    models = [present for model in document.models if (present := look(model))]
    clips: dict[str, dict[str, None]] = {}
    for file, alias in _listed(files, folder, name):
        clip = _clip(files, folder, file)
        if not clip:
            missing.append(f"{file}.anim")
            continue
        clips.setdefault(clip, {}).update({alias: None} if alias else {})
    for file in files.names(folder, ".anim"):
        clips.setdefault(_join(folder, file), {})
    if missing:
        log.warning(f"{name}: {counted(len(missing), 'file')} named but not there: {first_few(missing)}")
    aliased = tuple((files.address(clip), tuple(aliases)) for clip, aliases in clips.items())
    return Gathered(name, files.address(skeleton) if skeleton else "", tuple(map(files.address, models)), aliased)


def _listed(files: Files, folder: str, name: str) -> list[tuple[str, str]]:
    """File names and aliases of an entity's list and of the packages that it names, each package once."""
    path = files.find(f"entity.tune/{name}/{name}.anims") or files.find(_join(folder, f"{name}.anims"))
    waiting, visited = [path] if path else [], set[str]()
    clips: list[tuple[str, str]] = []
    while waiting:
        path = waiting.pop(0)
        if path in visited:
            continue
        visited.add(path)
        try:
            document = Anims.parse(files.read(path))
        except FormatError as error:
            log.warning(str(error))
            continue
        clips += document.clips
        for package in document.packages:
            path_of_package = files.find(package_path(package))
            if path_of_package:
                waiting.append(path_of_package)
            else:
                log.warning(f"{path}: there is no {package_path(package)}")
    return clips


def _clip(files: Files, folder: str, file: str) -> str:
    """The animation in the entity's own folder, else in that of the entity that its name begins with."""
    name = file if file.lower().endswith(".anim") else f"{file}.anim"
    return files.find(_join(folder, name)) or files.find(f"Entity/{file.split('_')[0]}/{name}")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _skeleton(files: Files, path: str) -> Skel:
    """The skeleton that `files` has at a path, which all animations of a character ask for. Raises FormatError."""
    return once.kept("skeleton", (files.address(path),), lambda: _skel(files.read(path)))


@lru_cache(maxsize=8)
def _skel(data: bytes) -> Skel:
    return Skel.parse(data)
