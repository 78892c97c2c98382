"""From a Clip to the curves that it has in Blender, and back: tracks and root motion as blocks, in bulk."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from .clip import Clip, Path, PropertyTrack, Track, TrackKind, Values
from .curves import (
    CLOSEST,
    PROPERTIES,
    Block,
    Channel,
    Curves,
    Placement,
    RootMotion,
    Timing,
    path_channels,
    sample,
)
from .rigs.matrix_rig import MatrixRig
from .rigs.rig import Rig
from .rotations.rotation_matrix import Floats


def blocks_of(clip: Clip, rig: Rig | MatrixRig, timing: Timing, scale: float, root_motion: RootMotion, placement: Placement) -> list[Block]:
    """As `blocks_of_all`, for one clip."""
    return blocks_of_all([(clip, timing)], rig, scale, root_motion, placement)[0]


def blocks_of_all(
    clips: Sequence[tuple[Clip, Timing]], rig: Rig | MatrixRig, scale: float, root_motion: RootMotion, placement: Placement
) -> list[list[Block]]:
    """What the clips look like in Blender; the values of tracks that move the same bones are converted in one go.

    scale: Blender units a game unit. Raises ValueError for root motion that rotates, where the rig is a MatrixRig.
    """
    values = _track_values([track for clip, _ in clips for track in clip.tracks], rig, scale)
    paths = _path_values([clip.path for clip, _ in clips if clip.path is not None], rig, scale, root_motion, placement)
    where, rotation = path_channels(rig, root_motion)
    known = {timing: _Frames(timing, [clip for clip, its in clips if its == timing]) for timing in {timing for _, timing in clips}}
    channels_of: dict[Hashable, list[Channel]] = {}
    out: list[list[Block]] = []
    for clip, timing in clips:
        frames = known[timing]
        blocks: list[Block] = []
        for track in clip.tracks:
            same = track.kind, track.bones.tobytes(), track.components
            channels = channels_of.get(same)
            if channels is None:
                channels = channels_of[same] = track_channels(track, rig)
            blocks.append(frames.block(channels, track, next(values)))
        if clip.path is not None:
            when, generated = frames.at(clip.path.times), clip.path.generated
            blocks.append(Block(where, when, next(paths), generated))
            if clip.path.rotation is not None:
                blocks.append(Block(rotation, when, next(paths), generated))
        for track in clip.properties:
            values_of = np.ascontiguousarray(track.values.T, np.float32)
            channels = _property_channels(rig.skeleton.names[track.bone], track.name, _elements(track))
            blocks.append(Block(channels, frames.at(track.times), values_of, track.generated, track.stepped))
        out.append(blocks)
    return out


def track_channels(track: Track, rig: Rig | MatrixRig) -> list[Channel]:
    """What the values of a track drive, bone after bone."""
    name, count = PROPERTIES[track.kind]
    if not track.components:
        return _bone_channels(rig.skeleton.names, tuple(track.bones.tolist()), name, count)
    targets, _ = rig.targets(track.kind, track.bones, track.components)
    names = rig.skeleton.names
    return [Channel(names[bone], name, index) for bone, row in zip(track.bones.tolist(), targets.tolist(), strict=True) for index in row]


def sample_track(curves: Curves, kind: TrackKind, bones: NDArray[np.int64], frames: Floats, rig: Rig | MatrixRig, scale: float) -> Floats:
    """(K, B, components) the values of a whole track at `frames` (K,), the inverse of its block; at rest where there are no curves.

    Rotations must be keyed in the rig's own modes. scale: Blender units a game unit.
    """
    name, count = PROPERTIES[kind]
    rest = {"quaternion": np.array([1.0, 0, 0, 0]), "scale": np.ones(3)}.get(kind, np.zeros(3))
    channels = _bone_channels(rig.skeleton.names, tuple(bones.tolist()), name, count)
    values = sample(curves, channels, frames, np.tile(rest, len(bones))).reshape(len(frames), len(bones), count)
    return rig.from_basis(kind, bones, values / scale if kind == "translation" else values)


def _track_values(tracks: list[Track], rig: Rig | MatrixRig, scale: float) -> Iterator[NDArray[np.float32]]:
    """Of each track in turn (B * components, K): what its curves show."""
    if isinstance(rig, MatrixRig) and rig.own is None and scale == 1 and not any(track.components for track in tracks):
        return (_as_it_is(track.values) for track in tracks)
    alike: dict[tuple[str, bytes, tuple[int, ...]], list[int]] = {}
    for index, track in enumerate(tracks):
        # Quaternions of all bones go together, bone after bone: games that have them mostly key each bone at times of its own.
        bones = b"" if track.kind == "quaternion" else track.bones.tobytes()
        alike.setdefault((track.kind, bones, track.components), []).append(index)
    out: list[NDArray[np.float32]] = [_NOTHING] * len(tracks)
    for members in alike.values():
        same = [tracks[index] for index in members]
        rows = _quaternion_values(same, rig) if same[0].kind == "quaternion" else _vector_values(same, rig, scale)
        for index, values in zip(members, rows, strict=True):
            out[index] = values
    return iter(out)


def _as_it_is(values: Values) -> NDArray[np.float32]:
    """(B * C, K) of values (K, B, C), which often lie so in memory."""
    return np.ascontiguousarray(values.transpose(1, 2, 0).reshape(-1, len(values)), np.float32)


def _vector_values(tracks: list[Track], rig: Rig | MatrixRig, scale: float) -> list[NDArray[np.float32]]:
    """Of tracks of the same kind, bones and components."""
    kind, bones, components = tracks[0].kind, tracks[0].bones, tracks[0].components
    values = np.concatenate([track.values for track in tracks])
    basis = values * rig.targets(kind, bones, components)[1] if components else rig.to_basis(kind, bones, values)
    if kind == "translation":
        basis = basis * scale
    return _split(basis.reshape(len(basis), -1), [len(track.times) for track in tracks])


def _quaternion_values(tracks: list[Track], rig: Rig | MatrixRig) -> list[NDArray[np.float32]]:
    """Of tracks of any bones."""
    values = np.concatenate([track.values.reshape(-1, 4) for track in tracks])
    if all(len(track.bones) == 1 for track in tracks):
        counts = [len(track.times) for track in tracks]
        bones = np.concatenate([track.bones for track in tracks]).repeat(counts)
        return _split(rig.to_basis("quaternion", bones, values[None])[0], counts)
    bones = np.concatenate([np.tile(track.bones, len(track.times)) for track in tracks])
    basis = rig.to_basis("quaternion", bones, values[None])[0]
    ends = list(accumulate(len(track.times) * len(track.bones) for track in tracks))
    parts = [basis[end - len(track.times) * len(track.bones) : end] for track, end in zip(tracks, ends, strict=True)]
    return [np.ascontiguousarray(part.reshape(len(track.times), -1).T, np.float32) for track, part in zip(tracks, parts, strict=True)]


def _path_values(
    paths: list[Path], rig: Rig | MatrixRig, scale: float, root_motion: RootMotion, placement: Placement
) -> Iterator[NDArray[np.float32]]:
    """Of each path in turn location and rotation (3, K), the latter where it has one, also where they never change: another action may
    have left the character elsewhere."""
    if not paths:
        return iter(())
    positions = _split(
        _path_positions(np.concatenate([path.positions for path in paths]), rig, scale, root_motion, placement),
        [len(path.times) for path in paths],
    )
    rotations = [path.rotation for path in paths if path.rotation is not None]
    if not rotations:
        return iter(positions)
    if isinstance(rig, MatrixRig):
        raise ValueError("root motion that rotates is in Euler angles, which this rig has not")
    angles = iter(_split(_path_angles(np.concatenate(rotations), rig, root_motion, placement), [len(each) for each in rotations]))
    rows = [[where] if path.rotation is None else [where, next(angles)] for path, where in zip(paths, positions, strict=True)]
    return chain.from_iterable(rows)


def _path_positions(positions: Floats, rig: Rig | MatrixRig, scale: float, root_motion: RootMotion, placement: Placement) -> Floats:
    """(K, 3) game units -> values of the location channels."""
    if root_motion == "BONE":
        return np.asarray(rig.to_basis("translation", np.zeros(1, np.int64), positions[:, None])[:, 0] * scale, np.float64)
    positions = positions @ rig.axes.T * scale
    if root_motion == "OBJECT":
        return placement.location + (positions * placement.scale) @ placement.rotation.T
    return positions


def _path_angles(rotation: Floats, rig: Rig, root_motion: RootMotion, placement: Placement) -> Floats:
    """(K, 3) the game's angles -> values of the rotation channels."""
    if root_motion == "BONE":
        return rig.euler_to_basis(np.zeros(1, np.int64), rotation[:, None])[:, 0]
    angles = _object_angles(rotation, rig)
    return angles + placement.angles if root_motion == "OBJECT" else angles


def _split(values: Values, counts: list[int]) -> list[NDArray[np.float32]]:
    """(R, C) values of several in turn -> (C, K) of each."""
    rows = np.ascontiguousarray(values.T, np.float32)
    ends = list(accumulate(counts))
    return [rows[:, end - count : end] for end, count in zip(ends, counts, strict=True)]


_NOTHING = np.zeros((0, 0), np.float32)


class _Frames:
    """Times as frames; tracks of a clip mostly share one array of times, which is converted once."""

    def __init__(self, timing: Timing, clips: Sequence[Clip]) -> None:
        """clips: whose times will be asked for."""
        self.timing = timing
        tracks = [track for clip in clips for track in clip.tracks]
        self._any_between = bool(tracks) and bool(np.concatenate([track.generated[:-1] for track in tracks]).any())
        every = {id(track.times): track.times for track in tracks if not self._generated_between(track)}
        every |= {id(clip.path.times): clip.path.times for clip in clips if clip.path is not None}
        frames = timing.frames_of_all(list(every.values()))
        self._known = {number: (times, row) for (number, times), row in zip(every.items(), frames, strict=True)}
        self._placed: dict[tuple[int, int], tuple[Floats, NDArray[np.bool_], tuple[Floats, NDArray[np.bool_], Floats]]] = {}

    def _generated_between(self, track: Track) -> bool:
        """Whether a key that no file has stands before the last one."""
        return self._any_between and bool(np.count_nonzero(track.generated[:-1]))

    def at(self, times: Floats) -> NDArray[np.float32]:
        known = self._known.get(id(times))
        if known is None:
            known = self._known[id(times)] = times, self.timing.frames(times).astype(np.float32)
        return known[1]

    def block(self, channels: list[Channel], track: Track, values: NDArray[np.float32]) -> Block:
        """values: (C, K). Keys of the file stand where all tracks have them. A generated one between them goes where Blender could not
        keep it apart, or behind the key before it, which spreading may have moved that far, with the value that is shown there."""
        if not self._generated_between(track):
            return Block(channels, self.at(track.times), values, track.generated)
        known = self._placed.get((id(track.times), id(track.generated)))
        if known is None:
            known = self._placed[id(track.times), id(track.generated)] = (
                track.times,
                track.generated,
                self._stand(track.times, track.generated),
            )
        frames, kept, late = known[2]
        if late.any():
            values = values.copy()
            values[:, :-1] += np.diff(values) * late[:-1].astype(np.float32)
        if kept.all():
            return Block(channels, frames.astype(np.float32), values, track.generated)
        return Block(channels, frames.astype(np.float32)[kept], values.compress(kept, axis=1), track.generated[kept])

    def _stand(self, times: Floats, generated: NDArray[np.bool_]) -> tuple[Floats, NDArray[np.bool_], Floats]:
        """(K,) frames, which keys stay, and what part of the way to the next key one stands later than its time."""
        frames, late = self.timing.start + times * (self.timing.fps / self.timing.rate), np.zeros(len(times))
        if np.diff(frames).min(initial=np.inf) > CLOSEST:  # as nearly always
            return frames, np.ones(len(times), np.bool_), late
        real = np.flatnonzero(~generated)
        between = generated.copy()
        between[real[-1] + 1 if len(real) else 0 :] = False
        if not between.any():
            return self.timing.frames(times), ~between, late
        frames[~between] = self.timing.frames(times[~between])
        after = np.flatnonzero(between[1:] & ~between[:-1]) + 1
        moved = np.maximum(frames[after - 1] + CLOSEST - frames[after], 0)
        span = frames[after + 1] - frames[after]
        fits = moved < span
        late[after[fits]] = moved[fits] / span[fits]
        frames[after[fits]] += moved[fits]
        gaps = np.diff(frames)
        gaps = np.minimum(np.append(np.inf, gaps), np.append(gaps, np.inf))
        return frames, ~between | (gaps > 0.75 * CLOSEST), late


@lru_cache(maxsize=256)
def _bone_channels(names: tuple[str, ...], bones: tuple[int, ...], name: str, count: int) -> list[Channel]:
    """`count` a bone. The clips of a character mostly move the same bones."""
    return [Channel(names[bone], name, index) for bone in bones for index in range(count)]


@lru_cache(maxsize=256)
def _property_channels(bone: str, name: str, elements: tuple[int, ...]) -> list[Channel]:
    return [Channel(bone, f'["{name}"]', index) for index in elements]


def _elements(track: PropertyTrack) -> tuple[int, ...]:
    return track.components or tuple(range(track.values.shape[1]))


def _object_angles(rotation: Floats, rig: Rig) -> Floats:
    """Game angles -> Euler angles of the object, in mode ZYX of Blender's axes."""
    out = np.zeros_like(rotation)
    for axis, component, sign in rig.convention.product:
        out[:, axis] = sign * rotation[:, component]
    return out


def path_from(
    curves: Curves, frames: Floats, rig: Rig, scale: float, root_motion: RootMotion, placement: Placement
) -> tuple[Floats, Floats]:
    """The inverse of the path blocks, sampled at `frames`: positions (K, 3) in game units and rotation (K, 3) in radians."""
    where, angle_channels = path_channels(rig, root_motion)
    rest_location = placement.location if root_motion == "OBJECT" else np.zeros(3)
    rest_angles = placement.angles if root_motion == "OBJECT" else np.zeros(3)
    positions = sample(curves, where, frames, rest_location)
    angles = sample(curves, angle_channels, frames, rest_angles)
    root = np.zeros(1, np.int64)
    if root_motion == "BONE":
        return rig.location_from_basis(root, positions[:, None] / scale)[:, 0], rig.euler_from_basis(root, angles[:, None])[:, 0]
    if root_motion == "OBJECT":
        positions = (positions - placement.location) @ placement.rotation / np.where(placement.scale == 0, 1, placement.scale)
        angles = angles - placement.angles
    rotation = np.zeros_like(angles)
    for axis, component, sign in rig.convention.product:
        rotation[:, component] = sign * angles[:, axis]
    return positions / scale @ rig.convention.axes, rotation
