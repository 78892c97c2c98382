"""A folder in which accepted bone maps are kept, by the fingerprints of both skeletons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ....files.disk.disk import check_own, read_file, write_file
from ....reporting import log
from ....reporting.errors import FormatError, RetroAnimError, reading
from ..figure import Figure
from . import map_file
from .bone_map import BoneMap, PairOptions, ReferencePose


def load(path: str | Path) -> BoneMap:
    """Read a map's file. Raises FormatError, which names it."""
    with reading(str(path)):
        return map_file.parse(read_file(path))


def save(path: str | Path, bone_map: BoneMap) -> None:
    """Write a map's file. Raises RetroAnimError where that is not possible, or a file is there that is no bone map."""
    check_own(path, "a bone map", map_file.is_meant)
    write_file(path, map_file.pack(bone_map))


def remember(folder: str | Path, bone_map: BoneMap) -> Path:
    """Keep a map in the folder, which is created if need be, instead of an older one of the same skeletons. Returns its file.

    Raises RetroAnimError when the map does not name its skeletons or the file can not be written.
    """
    if not bone_map.source_fingerprint or not bone_map.target_fingerprint:
        raise RetroAnimError("the bone map does not name which skeletons it is for")
    path = _path(folder, bone_map.source_fingerprint, bone_map.target_fingerprint)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RetroAnimError(f"{path.parent}: cannot be created: {error.strerror or error}") from error
    write_file(path, map_file.pack(bone_map))
    return path


def recall(folder: str | Path, source: Figure, target: Figure) -> BoneMap | None:
    """The map of these two skeletons that was kept; else that of the reverse direction, reversed, without its bones' options.

    A file that is there but can not be read is warned of and passed over.
    """
    result = _kept(_path(folder, source.fingerprint, target.fingerprint))
    if result is not None:
        return result
    back = _kept(_path(folder, target.fingerprint, source.fingerprint))
    if back is None:
        return None
    rotated = back.reversed()
    return replace(rotated, pairs=tuple(replace(pair, options=PairOptions()) for pair in rotated.pairs))


def with_poses(folder: str | Path, bone_map: BoneMap, source: Figure, target: Figure) -> BoneMap:
    """The map with the reference poses that other maps of the folder keep for its target: a pose is its skeleton's, whatever it follows."""
    poses = {pose.name: pose for pose in bone_map.poses}
    own = _path(folder, source.fingerprint, target.fingerprint)
    for path in sorted(Path(folder).glob(f"*-{target.fingerprint}.json")):
        other = _kept(path) if path != own else None
        for pose in other.poses if other is not None else ():
            poses.setdefault(pose.name, ReferencePose(pose.name, {}, pose.target))
    return replace(bone_map, poses=tuple(poses.values())) if len(poses) > len(bone_map.poses) else bone_map


def forget_pose(folder: str | Path, target: str, name: str) -> None:
    """Remove a reference pose from all maps of the folder for this target's fingerprint: from any of them it would be offered again. Raises
    RetroAnimError when a file can not be written."""
    for path in sorted(Path(folder).glob(f"*-{target}.json")) if target else ():
        kept = _kept(path)
        if kept is not None and any(pose.name == name for pose in kept.poses):
            write_file(path, map_file.pack(replace(kept, poses=tuple(pose for pose in kept.poses if pose.name != name))))


def _path(folder: str | Path, source: str, target: str) -> Path:
    return Path(folder) / f"{source}-{target}.json"


def _kept(path: Path) -> BoneMap | None:
    if not path.is_file():
        return None
    try:
        return load(path)
    except FormatError as error:
        log.warning(str(error))
        return None
