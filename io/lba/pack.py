"""Little Big Adventure out of Blender: which actions are meant, what they hold, and where they are written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import bpy
import numpy as np

from ...core.files import disk
from ...core.formats import recognise_entry
from ...core.lba import formats
from ...core.lba.files.anm import Anm
from ...core.lba.files.hqr import Hqr
from ...core.lba.files.variant import GAMES, LBA1, LBA2, Game
from ...core.lba.motion.motion import CONVENTION
from ...core.lba.motion.update import Settings, keyframes_of, see, update
from ...core.motion.curves import Curves, Timing
from ...core.motion.rig import Rig
from ...core.motion.rotation_matrix import Floats
from ...core.motion.sampling import sample_curves, sample_poses
from ...core.reporting import log, progress
from ...core.reporting.errors import ExportError, RetroAnimError, reading
from ..blender import actions, armature, evaluated, fcurves, properties, scene, source_data
from ..pipeline import writing
from ..pipeline.selection import Source, chosen_actions
from .build import FORMAT


@dataclass(frozen=True)
class ExportOptions:
    """path: an .anm or an .hqr. source: which actions. sampling: KEYS, the curves, or VISUAL, the evaluated pose.

    entry: the archive entry to write ("12"), "new" for one behind the last, empty for the one an action came from.
    step: frames between samples of an evaluated pose, 0 for the frames that have keys. game: lba1, lba2, or auto for the one it came from.
    overwrite: also what another program has changed, or nobody chose.
    """

    path: str
    source: Source = "ACTIVE"
    sampling: Literal["KEYS", "VISUAL"] = "KEYS"
    entry: str = ""
    step: float = 0.0
    game: str = "auto"
    overwrite: bool = False


@dataclass(frozen=True, eq=False)
class Packed:
    """An action as the bytes of an ANM."""

    action: bpy.types.Action
    data: bytes
    game: Game


def export_lba(context: bpy.types.Context, options: ExportOptions) -> list[str]:
    """Write the chosen actions; returns the paths written, as FILE or FILE#ENTRY. Raises RetroAnimError, with nothing written,
    when one of them holds what the game cannot, or two of them go to the same place."""
    chosen = chosen_actions(context, options.source, FORMAT)
    if not chosen:
        raise ExportError("there is no action to export: select an armature with an action")
    packed = [pack_action(context, obj, action, options) for obj, action in progress.steps(chosen)]
    if Path(options.path).suffix.lower() == ".hqr":
        return _write_archive(options, packed)
    return _write_loose(options, packed)


def pack_action(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, options: ExportOptions) -> Packed:
    """The ANM that an action on an armature stands for."""
    with log.about(action.name):
        try:
            rig, scale = armature.read_rig(obj, CONVENTION)
        except ValueError as error:
            raise ExportError(f"{obj.name}: {error}; import a body of the game and animate that") from error
        original = _original(action, options)
        settings = settings_of(context, obj, action, rig, scale, original, options)
        evaluated.warn_of_object(obj)
        modes = {"": "ZYX", **dict(zip(rig.skeleton.names, rig.modes, strict=True))}
        read = fcurves.read_curves(action, obj, modes, looks=options.sampling == "VISUAL")
        if options.sampling == "VISUAL":
            _warn_of_root(obj)
            frames = _visual_frames(context, action, read.curves, settings, options.step)
            near = sample_curves(read.curves, frames, rig, scale)
            with evaluated.alone(obj, action):
                bones = sample_poses(evaluated.poses(context, obj, rig.skeleton.names, frames), rig, scale, near)
        else:
            frames = keyframes_of(read.curves, settings)
            bones = sample_curves(read.curves, frames, rig, scale)
        seen = see(read.curves, frames, bones, rig, settings, read.closing)
        try:
            anm = update(seen, rig, settings, original)
        except ExportError as error:
            raise ExportError([f"{action.name}: {problem}" for problem in error.problems]) from error
        return Packed(action, anm.pack(), settings.game)


def _warn_of_root(obj: bpy.types.Object) -> None:
    root = next((obj.pose.bones[bone.name] for bone in armature.bones_of(obj) if bone.get(armature.INDEX) == 0), None)
    if any(not one.mute and one.influence > 0 for one in (*obj.constraints, *(root.constraints if root else ()))):
        log.warning("the way through the world is that of the curves: constraints of the object and of the root bone are left out")


def _came_from(action: bpy.types.Action) -> Game | None:
    return GAMES.get(str(action.get("lba_game", "")))


def _original(action: bpy.types.Action, options: ExportOptions) -> Anm | None:
    """The document that the action came from; none where it is written for the other game, which has other numbers for everything."""
    if options.game in GAMES and _came_from(action) not in (None, GAMES[options.game]):
        return None
    data = source_data.kept(action) if action.get(source_data.FORMAT) == FORMAT else None
    return Anm.parse(data) if data is not None else None


def settings_of(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    action: bpy.types.Action,
    rig: Rig,
    scale: float,
    original: Anm | None,
    options: ExportOptions,
) -> Settings:
    """What was remembered at import; for an action that never was imported, what the scene says."""
    came = options.game if options.game in GAMES else str(action.get("lba_game", obj.data.get("lba_game", LBA1.name)))
    game = GAMES.get(came, LBA1)
    before = actions.remembered(action)
    if before is None:
        timing = Timing(game.rate, scene.fps(context.scene), float(action.frame_range[0]))
        first = round(game.rate / 5)
        root_motion = actions.root_motion_of(obj, "OBJECT")
        return Settings(game, timing, scale, root_motion, actions.start_of(obj, action), first_duration=first)
    if abs(before.scale - scale) > 1e-9 * scale:
        log.warning(f"the armature's scale is {scale:g}, the action came in at {before.scale:g}")
    other = _came_from(action) or game  # for the other game, time and angles are told in its own units
    step, rotation = (_words(action, f"lba_first_{name}", (0, 0, 0)) for name in ("step", "turn"))
    rotation = tuple(round(word * game.rotation / other.rotation) for word in rotation)
    first = _word(action, "lba_first_duration", int(original.durations[0]) if original is not None else round(other.rate / 5))
    return Settings(
        game,
        Timing(game.rate, before.fps, before.start),
        scale,
        before.root_motion,
        before.placement,
        _word(action, "lba_bone_count", 0),
        _word(action, "lba_loop_frame", 0),
        _word(action, "lba_word3", 0) if "lba_word3" in action and other is game else None,
        round(first * game.rate / other.rate),
        (step[0], step[1], step[2]),
        (rotation[0], rotation[1], rotation[2]),
    )


def _word(action: bpy.types.Action, name: str, default: int) -> int:
    """A property that becomes an unsigned word of the file. Raises ExportError for what is none."""
    value = action.get(name, default)
    if not isinstance(value, int) or not 0 <= value <= 65535:
        raise ExportError(f"{action.name}: {name} is {value}, and must be a whole number from 0 to 65535")
    return value


def _words(action: bpy.types.Action, name: str, default: tuple[int, int, int]) -> tuple[int, int, int]:
    """Three signed words. Raises ExportError for what is none."""
    words = properties.whole(action.get(name, default)) or ()
    if len(words) != 3 or not all(-32768 <= word <= 32767 for word in words):
        raise ExportError(f"{action.name}: {name} must be three whole numbers from -32768 to 32767")
    return words[0], words[1], words[2]


def _visual_frames(context: bpy.types.Context, action: bpy.types.Action, curves: Curves, settings: Settings, step: float) -> Floats:
    """Where the pose is sampled: at the keys, or from the first to the last every `step` frames; the scene's frames where there is none.

    The keyframe to which the loop goes back stays, and so does the one before: the way back takes its time and its step."""
    if not curves:
        return np.arange(context.scene.frame_start, context.scene.frame_end + 1e-6, step if step > 0 else 1.0)
    keyed = keyframes_of(curves, settings)
    if step <= 0 or len(keyed) < 2:
        return keyed
    frames = np.append(np.arange(keyed[0], keyed[-1] - step / 2, step), keyed[-1])
    loop = settings.loop_frame
    if 0 < loop < len(keyed):
        frames = frames[(frames < keyed[loop - 1] - step / 2) | (frames > keyed[loop] + step / 2)]
        frames = np.sort(np.append(frames, keyed[loop - 1 : loop + 1]))
    return frames


def _write_loose(options: ExportOptions, packed: list[Packed]) -> list[str]:
    """One action at the path itself, several beside it, named after the actions."""
    outputs: list[writing.Output] = []
    for item in packed:
        derived, name = len(packed) > 1, item.action.name
        path = str(Path(options.path).parent / f"{disk.file_name(name)}.anm") if derived else options.path
        present = writing.present(path)
        writing.refuse_other(path, present, formats.ANM)
        outputs.append(writing.Output(name, path, item.data, item.action, present=present, derived=derived))
    return writing.write_files(outputs, options.overwrite)


def _write_archive(options: ExportOptions, packed: list[Packed]) -> list[str]:
    """Every action at its entry; the other entries keep their bytes, and so does one whose content did not change."""
    target = Path(options.path)
    archive = _base(target, packed)
    outputs: list[writing.Output] = []
    for item in packed:
        index = _entry(options, item, max([len(archive), *(output.entry + 1 for output in outputs)]))
        present = _present(archive, index, target)
        outputs.append(writing.Output(item.action.name, str(target), item.data, item.action, index, present))
    settled = writing.settle(outputs, options.overwrite)
    games: dict[object, Game] = {item.action: item.game for item in packed}
    for output in sorted(settled.changed, key=lambda output: output.entry):
        index = output.entry
        shared = archive.shared(index) if index < len(archive) else []
        if shared:
            log.warning(f"entry {index} was the same as {', '.join(map(str, shared))}; those keep what they had")
        archive = archive.with_entry(index, output.data, 2 if games[output.block] is LBA2 and _method(archive, index) != 1 else 1)
    if settled.changed or not target.exists():
        disk.write_file(target, archive.pack(), backup=True)
    writing.remember(settled)
    return settled.places(outputs)


def _base(target: Path, packed: list[Packed]) -> Hqr:
    """The archive that is there; else a copy of the one the actions came from; else an empty one."""
    data = writing.present(target)
    if data is not None:
        with reading(str(target)):
            return Hqr.parse(data) if data else Hqr.empty()
    origins = {source_data.path_of(item.action) for item in packed}
    source = Path(origins.pop()) if len(origins) == 1 else Path()
    if source.suffix.lower() == ".hqr" and source.is_file():
        log.info(f"{target.name} starts as a copy of {source}")
        return Hqr.parse(disk.read_file(source))
    return Hqr.empty()


def _entry(options: ExportOptions, item: Packed, free: int) -> int:
    """The entry asked for, else the one that the action was written to last, or came from."""
    if options.entry.strip().lower() == "new":
        return free
    if options.entry.strip():
        if not options.entry.strip().isdigit():
            raise RetroAnimError(f"an entry is a number or 'new', not {options.entry}")
        return int(options.entry)
    origin = writing.entry_for(item.action, options.path)
    if origin == source_data.LOOSE:
        raise ExportError(f"{item.action.name} did not come from an archive: say which entry it goes to, or 'new'")
    return origin


def _present(archive: Hqr, index: int, target: Path) -> bytes | None:
    """What an entry holds, None for a blank or a new one. Raises ExportError for what is no animation, or cannot be read."""
    if index >= len(archive) or archive.blank(index):
        return None
    where, remedy = f"{target}#{index}", "choose another number as entry, or 'new'"
    try:
        data = archive.read(index)
    except RetroAnimError as error:
        raise ExportError(f"{where} cannot be read, so it is not replaced: {error}; {remedy}") from error
    kind = recognise_entry(data, target.name)
    if kind is not formats.ANM:
        found = (
            f"an entry of another kind ({kind.label})" if kind is not None else "an entry of another kind (a sound, a picture or the like)"
        )
        raise ExportError(f"{where} is {found}, and no animation: {remedy}")
    return data


def _method(archive: Hqr, index: int) -> int:
    try:
        return archive.entry(index).method if index < len(archive) else 2
    except RetroAnimError:
        return 2
