"""Real pairs: games' characters and motion capture onto common rigs, measured on the poses that Blender shows, with pictures to look at.

    PYTHONPATH=FOLDER_WITH_retro_anim python tools/retarget_pairs.py [--sources a,b] [--targets c,d] [--pictures]

in a Python that has Blender's module. Prints, for each pair, the largest angle between the limbs of source and target without the foot
pass, and how much feet skate with and without it. Pictures go to renders/retarget/.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from retro_anim.core.reporting import log  # noqa: E402
from retro_anim.core.retarget.figures.bone_map import BoneMap  # noqa: E402
from retro_anim.core.retarget.mapping.mapping import map_bones  # noqa: E402
from retro_anim.core.retarget.retarget import Options  # noqa: E402
from retro_anim.io.blender import compat  # noqa: E402
from retro_anim.io.pipeline import games  # noqa: E402
from retro_anim.io.retarget import retarget  # noqa: E402
from retro_anim.io.retarget.read import figure_of, frames_of  # noqa: E402
from stick_picture import draw  # noqa: E402
from support import blender_rigs as rigs  # noqa: E402

DATA = Path(os.environ.get("RETRO_ANIM_GAME_DATA") or ROOT.parent / "shared" / "game_data")
OPS: Any = bpy.ops
LIMBS = tuple(
    (side + one, side + other)
    for side in ("left", "right")
    for one, other in (("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"), ("Foot", "Toes"))
)
SAMPLES = 40


def ours(path: str) -> Callable[[], object]:
    return lambda: games.import_files(bpy.context, [str(DATA / path)], {})


def sample(path: str, clip: str) -> Callable[[], object]:
    """The mannequin of our own in a game's format, with the action whose name holds `clip` shown."""

    def make() -> object:
        bpy.context.view_layer.objects.active = None  # else a game's clip goes to the character that is there
        created = games.import_files(bpy.context, [str(ROOT / "samples" / path)], {})
        for part in created:
            for action in part.actions:
                if clip in action.name:
                    compat.assign(part.armatures[0], action)
        return created

    return make


def twinsen() -> None:
    OPS.import_anim.lba(filepath=str(DATA / "lba1" / "FILE3D.HQR"), entities="0", fps_mode="SET")


def bvh(name: str) -> Callable[[], None]:
    return lambda: OPS.import_anim.bvh(filepath=str(DATA / "mocap" / f"{name}.bvh"), global_scale=0.06, update_scene_fps=True)


def cesium() -> None:
    OPS.import_scene.gltf(filepath=str(DATA / "mocap" / "cesium_man.gltf"))


def metarig() -> None:
    OPS.preferences.addon_enable(module="rigify")
    OPS.object.armature_human_metarig_add()


def generated() -> None:
    """Rigify's own work takes several seconds, so it is kept for the next pairs."""
    path = Path(bpy.app.tempdir) / "rigify.blend"
    if not path.exists():
        metarig()
        OPS.pose.rigify_generate()
        bpy.data.libraries.write(str(path), {bpy.data.objects["rig"]})
        bpy.data.batch_remove(list(bpy.data.objects))
    libraries: Any = bpy.data.libraries
    with libraries.load(str(path)) as (_, wanted):
        wanted.objects = ["rig"]
    bpy.context.collection.objects.link(bpy.data.objects["rig"])


SAMPLES_OF: dict[str, Callable[[], object]] = {
    "sample_lba1": sample("lba1/FILE3D.HQR", "walk"),
    "sample_lba2": sample("lba2/walk.anm", "walk"),
    "sample_oni": sample("oni/TRAMmannequin_walk.oni", "walk"),
    "sample_oni2": sample("oni2/RB.DAT", "walk"),
    "sample_mindpower": sample("mindpower/animation/0001.lab", "run"),
}
SOURCES: dict[str, Callable[[], object]] = {
    **SAMPLES_OF,
    "twinsen": twinsen,
    **{number: ours(f"mindpower/animation/{number}.lab") for number in ("0001", "0005", "0010", "0088", "0741")},
    **{name: bvh(name) for name in ("ad_cmu1_jumping_jacks", "ad_fair1_zombie", "ad_rokoko_jesse_dance", "cmu_01_01_600")},
}
TARGETS: dict[str, Callable[[], object]] = {
    "metarig": metarig,
    "rigify": generated,
    "cesium": cesium,
    "mixamo": lambda: rigs.build("mixamo", names=rigs.MIXAMO, rotation=rigs.rolled(1)),
    "unreal": lambda: rigs.build("unreal", names=rigs.UNREAL, pose=rigs.a_pose(), rotation=rigs.tumbled(2), root="root"),
    "vrm": lambda: rigs.build("vrm", names=rigs.VRM),
    "twinsen": twinsen,
    **SAMPLES_OF,
}


def add(make: Callable[[], object]) -> Any:
    """The armature that comes with it."""
    before = set(bpy.data.objects.keys())
    make()
    objects: Any = bpy.data.objects
    result = [obj for obj in objects if obj.type == "ARMATURE" and obj.name not in before]
    return max(result, key=lambda obj: len(obj.data.bones))


def shown_bone(target: Any, name: str) -> str:
    """What a control of Rigify moves."""
    bone = f"ORG-{name.replace('_fk', '')}"
    return bone if bone in target.pose.bones else name


def joints(obj: Any, bones: list[str], frames: list[float]) -> Any:
    result = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        result.append([shown.matrix_world @ shown.pose.bones[name].head for name in bones])
    return np.array(result, np.float64)


def worst_limb(source: Any, target: Any, bone_map: BoneMap, frame: Any, frames: list[float]) -> tuple[float, str, float]:
    """Degrees and the limb, and the mean, of all limbs that both have. frame: the rotation from one world to the other."""
    roles = {pair.role: pair for pair in bone_map.pairs}
    limbs = [(one, other) for one, other in LIMBS if one in roles and other in roles]
    both = []
    for obj, side in ((source, "source"), (target, "target")):
        names = [getattr(roles[role], side) for limb in limbs for role in limb]
        if side == "target":
            names = [shown_bone(target, name) for name in names]
        positions = joints(obj, names, frames)
        directions = positions[:, 1::2] - positions[:, ::2]
        both.append(directions / np.linalg.norm(directions, axis=2, keepdims=True))
    angles = np.degrees(2 * np.arcsin((np.linalg.norm(both[0] @ frame.T - both[1], axis=2) / 2).clip(0, 1)))
    worst = int(angles.max(axis=0).argmax())
    return float(angles.max()), limbs[worst][0], float(angles.mean())


def common_rotation(source: Any, target: Any, bone_map: BoneMap) -> Any:
    from retro_anim.core.retarget.transfer import binding, facing

    one, two = figure_of(source), figure_of(target)
    return facing.facing(binding.bind(bone_map, one, two, one.heads)).frame


def pair(source_name: str, target_name: str, pictures: bool) -> str:
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    target = add(TARGETS[target_name])
    source = add(SOURCES[source_name])
    own = set(bpy.data.actions.keys())
    bone_map = map_bones(figure_of(source), figure_of(target))
    name = source.animation_data.action.name
    frame = common_rotation(source, target, bone_map)
    results = {}
    with log.collect() as said:
        for feet in (False, True):
            options = retarget.RetargetOptions(core=Options(feet=feet), actions=(name,))
            result = retarget.retarget_actions(bpy.context, source, target, bone_map, options)
            results[feet] = result
            if not feet:
                keys = frames_of(result.actions[0], target, 1.0, True)
                frames = keys[np.linspace(0, len(keys) - 1, SAMPLES).astype(int)].tolist()
                worst, limb, mean = worst_limb(source, target, bone_map, frame, frames)
                if pictures:
                    picture(source, target, bone_map, frames[:: max(1, len(frames) // 8)], f"{source_name}_{target_name}")
    report, plain = results[True].reports[0], results[False].reports[0]
    said_lines = [line for line in said.digest("WARNING", "ERROR") if "linear" not in line]
    grade = "ok " if worst < 0.5 and report.skate <= report.skate_source + 0.005 else "BAD"
    assert own <= set(bpy.data.actions.keys())
    return (
        f"{grade} {source_name:22} {target_name:8} {len(bone_map.pairs):3} pairs  {report.frames:5} frames {plain.seconds:6.2f} s  "
        f"limbs {worst:8.4f}° ({limb}) mean {mean:.4f}°  skate source {report.skate_source:.3f} plain {report.skate_plain:.3f} "
        f"held {report.skate:.3f}  unreached {report.unreached}  down {report.hips_down:.3f} m"
        + (f"  rounded {plain.quantisation:.2g}° {plain.quantisation_distance:.2g} m" if plain.quantisation is not None else "")
        + "".join(f"\n      {line}" for line in said_lines[:3])
    )


def picture(source: Any, target: Any, bone_map: BoneMap, frames: list[float], name: str) -> None:
    """The source above, the target below."""
    roles = {pair.role: pair for pair in bone_map.pairs if pair.role}
    rows = [
        (source, {role: pair.source for role, pair in roles.items()}),
        (target, {role: shown_bone(target, pair.target) for role, pair in roles.items()}),
    ]
    trunk = [("hips", "chest"), ("chest", "neck"), ("chest", "head"), ("neck", "head"), ("hips", "leftUpperLeg"), ("hips", "rightUpperLeg")]
    shoulders = [("chest", "leftUpperArm"), ("chest", "rightUpperArm")]
    draw(rows, [*trunk, *shoulders, *LIMBS], frames, ROOT / "renders" / "retarget" / f"{name}.png")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sources", default=",".join(SOURCES))
    arguments.add_argument("--targets", default=",".join(TARGETS))
    arguments.add_argument("--pictures", action="store_true")
    given = arguments.parse_args()
    import retro_anim

    bpy.context.preferences.addons.new().module = "retro_anim"
    retro_anim.register()
    for target in given.targets.split(","):
        for source in given.sources.split(","):
            if source != target:
                print(pair(source, target, given.pictures), flush=True)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
