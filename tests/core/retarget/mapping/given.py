"""Figures of the given files, read the shortest way: names, parents and joints are all that mapping looks at."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.mindpower.files.skeleton.lab import Lab
from retro_anim.core.mindpower.motion.rig import LabRig
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure

Z_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


def figure_of(names: list[str], parents: list[int], heads: Floats, tails: Floats | None = None) -> Figure:
    """Bones from joint to joint; without tails, towards the mean of their children."""
    count = len(names)
    rest, lengths = np.tile(np.eye(4), (count, 1, 1)), np.full(count, 1e-3)
    rest[:, :3, 3] = heads
    for bone in range(count):
        below = [child for child in range(count) if parents[child] == bone]
        end = tails[bone] if tails is not None else heads[below].mean(axis=0) if below else heads[bone]
        along = end - heads[bone]
        length = float(np.linalg.norm(along))
        if length > 1e-9:
            rest[bone, :3, 1], lengths[bone] = along / length, length
            side = np.cross(along, [0.3, 0.8, 0.5])
            rest[bone, :3, 0] = side / np.linalg.norm(side)
            rest[bone, :3, 2] = np.cross(rest[bone, :3, 0], rest[bone, :3, 1])
    return Figure(tuple(names), np.array(parents, np.int32), rest, lengths)


def lba_figure(archive: Path, entry: int) -> Figure:
    """A body of Little Big Adventure, Z up, looking along -Y."""
    skeleton = Body.from_lm1(Lm1.parse(Hqr.parse(archive.read_bytes()).read(entry))).skeleton()
    parents = [int(parent) for parent in skeleton.parents]
    return figure_of(list(skeleton.names), parents, skeleton.heads @ Z_UP.T, skeleton.tips @ Z_UP.T)


def lab_figure(path: Path) -> Figure:
    """A skeleton of Tales of Pirates as it stands in Blender."""
    lab = Lab.parse(path.read_bytes())
    rig = LabRig.of(lab).as_built(lab.names)
    return figure_of(list(lab.names), [int(parent) for parent in lab.parents], rig.heads, rig.tips)


def bvh_figure(path: Path) -> Figure:
    """The hierarchy of a BVH file; its ends belong to their bones."""
    names: list[str] = []
    parents: list[int] = []
    heads: list[Floats] = []
    ends: dict[int, Floats] = {}
    above: list[int] = [-1]
    for line in path.read_text().splitlines():
        tokens = line.split()
        if tokens[:1] == ["MOTION"]:
            break
        if tokens[:1] in (["ROOT"], ["JOINT"], ["End"]):
            above.append(len(names) if tokens[0] != "End" else -2)
            if tokens[0] != "End":
                names.append(tokens[1])
                parents.append(above[-2])
        elif tokens[:1] == ["OFFSET"]:
            offset = Z_UP @ np.array([float(token) for token in tokens[1:4]])
            if above[-1] == -2:
                ends[above[-2]] = heads[above[-2]] + offset
            else:
                heads.append(offset + (heads[above[-2]] if above[-2] >= 0 else 0.0))
        elif tokens[:1] == ["}"]:
            above.pop()
    joints = np.array(heads)
    plain = figure_of(names, parents, joints)
    tails = np.array([ends.get(bone, plain.tails[bone]) for bone in range(len(names))])
    return figure_of(names, parents, joints, tails)


def gltf_figure(path: Path) -> Figure:
    """The first skin of a glTF file, its joints where the inverse bind matrices say; nodes without a name are called Node_N."""
    document = json.loads(path.read_text())
    skin = document["skins"][0]
    accessor = document["accessors"][skin["inverseBindMatrices"]]
    view = document["bufferViews"][accessor["bufferView"]]
    data = base64.b64decode(document["buffers"][view["buffer"]]["uri"].split(",", 1)[1])
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    inverse = np.frombuffer(data, "<f4", 16 * accessor["count"], start).reshape(-1, 4, 4).swapaxes(1, 2).astype(float)
    above = {child: node for node, fields in enumerate(document["nodes"]) for child in fields.get("children", [])}
    joints: list[int] = skin["joints"]
    order = sorted(range(len(joints)), key=lambda position: _depth(above, joints[position]))
    number = {joints[position]: bone for bone, position in enumerate(order)}
    names = [document["nodes"][joints[position]].get("name", f"Node_{joints[position]}") for position in order]
    parents = [number.get(above.get(joints[position], -1), -1) for position in order]
    heads = np.linalg.inv(inverse[order])[:, :3, 3] @ Z_UP.T
    return figure_of(names, parents, heads)


def _depth(above: dict[int, int], node: int) -> int:
    depth = 0
    while node in above:
        node, depth = above[node], depth + 1
    return depth
