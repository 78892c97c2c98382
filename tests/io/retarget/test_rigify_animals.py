"""Rigify's animals as targets and sources: by their controls, which are elsewhere than the bones that they move: a spine is controlled
from its middle, a tail lies reversed below its controls. Measured on the skin's bones. They run in a process of their own, see noxfile.py.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
FRAMES = 24

LEGS = ("thigh", "shin", "foot", "toe")
"""The rig's hang on the pelvis, those of the skeleton on the next bone of the spine."""

PELVIS = ("pelvis.L", "pelvis.R")
"""No control moves the halves of the pelvis."""

UNMOVED = (*PELVIS, "skull", "skull.L", "skull.R", "skull.006.L", "skull.006.R", "abdomen", "hip", "toes_parent.L", "toes_parent.R")
"""Nor these of a horse and a bird."""


@pytest.fixture(scope="module")
def animals(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """One of Rigify's animals as it is added, and the rig that is generated from it, once: `animals("horse")`."""
    folder, files = tmp_path_factory.mktemp("rigify"), dict[str, Path]()

    def animal(kind: str) -> Path:
        if kind not in files:
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            OPS.preferences.addon_enable(module="rigify")
            getattr(OPS.object, f"armature_{kind}_metarig_add")()
            bpy.context.object.name = "plain"
            OPS.pose.rigify_generate()
            bpy.context.object.name = "rig"
            files[kind] = folder / f"{kind}.blend"
            bpy.data.libraries.write(str(files[kind]), {bpy.data.objects["rig"], bpy.data.objects["plain"]})
        return files[kind]

    return animal


def opened(path: Path) -> tuple[Any, Any]:
    """The plain skeleton and the rig."""
    libraries: Any = bpy.data.libraries
    with libraries.load(str(path)) as (_, wanted):
        wanted.objects = ["plain", "rig"]
    for obj in wanted.objects:
        bpy.context.collection.objects.link(obj)
    return wanted.objects[0], wanted.objects[1]


@pytest.fixture
def both(animals: Callable[[str], Path]) -> tuple[Any, Any]:
    return opened(animals("basic_quadruped"))


def walk(part: Part, obj: Any, names: list[str], root: str) -> None:
    """Every bone swings by itself, the root goes ahead and up and down."""
    random, time = np.random.default_rng(3), np.arange(FRAMES) / FRAMES
    values: dict[tuple[str, str], Any] = {}
    for name in names:
        obj.pose.bones[name].rotation_mode = "QUATERNION"
        waves = 0.18 * random.normal(size=(3, 3, 1)) * np.sin(random.uniform(0, 6, (3, 3, 1)) + time * np.array([1, 2.1, 3.3])[:, None])
        axes = waves.sum(axis=1)
        angles = np.maximum(np.linalg.norm(axes, axis=0), 1e-12)
        values[name, "rotation_quaternion"] = np.concatenate([np.cos(angles / 2)[None], axes / angles * np.sin(angles / 2)])
    values[root, "location"] = np.stack([0.1 * time, 0.05 * np.sin(5 * time), 0.1 * np.sin(3 * time)])
    rigs.keyed(part, obj, "walk", values)


def off(plain: Any, rig: Any) -> dict[str, tuple[float, float]]:
    """Bone -> degrees between where it points and where the rig's bone of the skin does, and metres between their joints. Those of the tail
    have their ends exchanged."""
    worst: dict[str, tuple[float, float]] = {}
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        one, two = plain.evaluated_get(graph).pose.bones, rig.evaluated_get(graph).pose.bones
        for name in [bone.name for bone in plain.data.bones if f"DEF-{bone.name}" in two]:
            first, second = one[name], two["DEF-" + name]
            is_reversed = first.bone.matrix_local.col[1].xyz.dot(second.bone.matrix_local.col[1].xyz) < 0
            axes = [np.array(bone.matrix.to_3x3().col[1].normalized()) for bone in (first, second)]
            apart = np.linalg.norm(axes[0] + axes[1] if is_reversed else axes[0] - axes[1])
            degrees = float(np.degrees(2 * np.arcsin(min(1.0, float(apart) / 2))))
            away = float((first.head - (second.tail if is_reversed else second.head)).length)
            before = worst.get(name, (0.0, 0.0))
            worst[name] = max(before[0], degrees), max(before[1], away)
    return worst


def twisted(plain: Any, rig: Any, name: str) -> float:
    """Degrees at most between how a bone and the rig's bone of the skin, which point alike, are rotated."""
    worst = 0.0
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        one, two = plain.evaluated_get(graph).pose.bones[name], rig.evaluated_get(graph).pose.bones[f"DEF-{name}"]
        away = [bone.matrix.to_quaternion() @ bone.bone.matrix_local.to_quaternion().inverted() for bone in (one, two)]
        angle = float(np.degrees(away[0].rotation_difference(away[1]).angle))
        worst = max(worst, min(angle, 360 - angle))
    return worst


def test_a_walk_onto_the_controls_of_a_quadruped(part: Part, run: Any, both: tuple[Any, Any]) -> None:
    plain, rig = both
    walk(part, plain, list(plain.data.bones.keys()), "spine.004")
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(plain), figure(rig))
    hidden = ("ORG-", "DEF-", "MCH-", "VIS_")
    assert [pair.target for pair in bone_map.pairs if pair.target.startswith(hidden)] == []
    followed = {pair.source: pair.target for pair in bone_map.pairs}
    expected = {
        "spine.004": "spine_fk.004",
        "spine.003": "spine.003",
        "front_shin.L": "front_shin_fk.L",
        "spine.009": "neck",
        "spine.010": "tweak_spine.010",
        "spine.011": "head",
        "toe.R": "toe.R",
    }
    assert {name: followed.get(name) for name in expected} == expected
    report = run(plain, rig, bone_map, feet=False, facing="WORLD").reports[0]
    assert report.limb_max < 1e-3 and report.carried < 1e-3
    apart = off(plain, rig)
    assert not any("moves several bones" in line for line in report.lines())
    about_itself = twisted(plain, rig, "spine.006")
    assert about_itself > 20
    assert any(line.startswith(f"DEF-spine.006 of the skin: up to {about_itself:.0f}° otherwise about itself") for line in report.lines())
    for name, (degrees, metres) in apart.items():
        if name not in PELVIS:
            assert degrees < 0.01, name
            assert metres < (0.1 if name.startswith(LEGS) else 1e-3), name


@pytest.mark.parametrize(("kind", "root", "neck"), [("horse", "spine.001", "neck.001"), ("bird", "spine.003", "neck.001")])
def test_necks_bend_by_the_controls_between_their_ends(
    part: Part, run: Any, animals: Callable[[str], Path], kind: str, root: str, neck: str
) -> None:
    """A horse's neck has four bones, for which the rig has a control of IK and a bend beside; what is between hangs on it, as the mane."""
    plain, rig = opened(animals(kind))
    walk(part, plain, list(plain.data.bones.keys()), root)
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(plain), figure(rig))
    assert {pair.source: pair.target for pair in bone_map.pairs}[neck] == "neck"
    report = run(plain, rig, bone_map, feet=False, facing="WORLD").reports[0]
    assert not any("moves several bones" in line or "from where the keys put" in line for line in report.lines())
    assert {name: degrees for name, (degrees, _) in off(plain, rig).items() if name not in UNMOVED and degrees > 0.01} == {}


def test_a_leg_of_two_halves_is_not_called_bent(part: Part, run: Any, animals: Callable[[str], Path]) -> None:
    """A horse's leg has a joint more; what moves the skin of a thigh are two halves of one bone, and no control is between them."""
    paths = animals("horse"), animals("wolf")
    (plain, _), (_, rig) = map(opened, paths)
    walk(part, plain, [bone.name for bone in plain.data.bones if bone.name.startswith(("thigh", "lower_leg", "hind"))], "spine.001")
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(plain), figure(rig))
    assert not any("moves several" in line for line in run(plain, rig, bone_map, feet=False, facing="WORLD").reports[0].lines())


def test_root_motion_of_a_quadruped_by_the_control_on_the_ground(part: Part, run: Any, both: tuple[Any, Any]) -> None:
    """The rig's root goes over the ground, and the body comes to the same positions as without it."""
    plain, rig = both
    walk(part, plain, list(plain.data.bones.keys()), "spine.004")
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(plain), figure(rig))
    report = run(plain, rig, bone_map, feet=False, facing="WORLD", root_motion="BONE").reports[0]
    assert report.is_good
    bpy.context.scene.frame_set(FRAMES)
    root = rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["root"].matrix
    assert root.translation.xy.length > 0.05 and abs(root.translation.z) < 1e-6
    assert abs(root.to_quaternion().to_euler().x) < 1e-6  # upright: it has the heading alone
    for name, (degrees, metres) in off(plain, rig).items():
        if name not in PELVIS:
            assert degrees < 0.01, name
            assert metres < (0.1 if name.startswith(LEGS) else 1e-3), name


def test_renamed_bones_onto_the_controls_of_a_quadruped(part: Part, both: tuple[Any, Any]) -> None:
    """Whatever they are called, what they are is seen in the bones that the rig was made of."""
    plain, rig = both
    figure = part("io.retarget.reading.read").figure_of
    original = figure(rig)
    expected = part("core.retarget.mapping.mapping").map_bones(figure(plain), original)
    names = plain.data.bones.keys()
    for number, name in enumerate(names):
        plain.data.bones[name].name = f"bone_{number}"
    followed = {pair.source: pair.target for pair in part("core.retarget.mapping.mapping").map_bones(figure(plain), original).pairs}
    right = [pair for pair in expected.pairs if followed.get(f"bone_{names.index(pair.source)}") == pair.target]
    assert len(right) > 0.75 * len(expected.pairs)
    wrong = [target for target in followed.values() if target.startswith(("ORG-", "DEF-", "MCH-"))]
    assert not wrong


def test_controls_of_a_quadruped_as_the_source(part: Part, run: Any, both: tuple[Any, Any]) -> None:
    """Of a walk keyed on controls the bones follow that show it."""
    plain, rig = both
    figure = part("io.retarget.reading.read").figure_of
    layers = part("core.retarget.mapping.layers").layers_of(figure(rig))
    walk(part, rig, sorted({control for control in layers.controls if control}), "torso")
    for side in "LR":
        for name in ("thigh_parent", "front_thigh_parent"):
            rig.pose.bones[f"{name}.{side}"]["IK_FK"] = 1.0
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(rig), figure(plain))
    assert len(bone_map.pairs) == len(plain.data.bones)
    run(rig, plain, bone_map, feet=False, facing="WORLD")
    assert max(degrees for name, (degrees, _) in off(plain, rig).items() if not name.startswith(("thigh", "shin", "foot", "toe"))) < 0.5
