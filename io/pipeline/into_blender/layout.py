"""Where new characters stand: one alone at the origin, many in rows; each in a collection of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.reporting import labels
from ...blender import armature, compat, identity
from ...blender.arrays import values_of

GAP = 0.25
"""Between two characters that stand in a row, as a part of the larger one's size."""

ASTRAY = 1e5
"""Metres from the origin where nothing stands that somebody meant: damaged files have such points."""

HELPERS = "Dummies and Spheres"
"""The collection of the empties that hang on many characters; it is hidden."""

Objects = Sequence[bpy.types.Object]


@dataclass
class Rows:
    """Characters side by side along X, and about as many rows behind each other along Y. The first one stands at the origin.

    Every size becomes known only when its turn comes. So rows are as far apart as the largest so far needs, and what would reach into the
    row before begins a new one. count: how many characters will stand here. start: X from which on there is room, None for the origin.
    """

    count: int
    start: float | None = None
    _x: float = 0.0
    _y: float = 0.0
    _in_row: int = 0
    _front: float = 0.0
    _back: float = 0.0

    def __post_init__(self) -> None:
        self._x = self.start or 0.0

    def stand(self, obj: bpy.types.Object, meshes: Objects, points: NDArray[np.float64] | None = None) -> tuple[float, float]:
        """Where the next character stands: X and Y of its origin. obj, meshes: its armature at the origin, and what that moves. points:
        (P, 3) of what it will move."""
        low, high = _box(obj, meshes, np.zeros((0, 3)) if points is None else points)
        gap = GAP * float((high - low).max())
        front, back = gap / 2 - float(low[1]), gap / 2 + float(high[1])
        if self._in_row == math.ceil(math.sqrt(self.count)) or (self._in_row and front > self._front):
            self._y += self._back + max(self._front, front)
            self._x, self._in_row, self._back = self.start or 0.0, 0, 0.0
        x = self._x + (gap / 2 - float(low[0]) if self._in_row or self.start is not None else 0.0)
        self._front, self._back = max(self._front, front), max(self._back, back)
        self._x, self._in_row = x + float(high[0]) + gap / 2, self._in_row + 1
        return x, self._y


def right_end(context: bpy.types.Context) -> float | None:
    """How far along X the characters reach that a scene shows, None where there are none."""
    ends: list[float] = []
    for obj in context.view_layer.objects:
        if obj.type == "ARMATURE" and identity.game_of(obj) is not None and obj.visible_get(view_layer=context.view_layer):
            low, high = _box(obj, [child for child in obj.children if child.type == "MESH"], np.zeros((0, 3)))
            corners = np.array(list(product(*zip(low, high, strict=True))))
            world = np.array(obj.matrix_world)
            ends.append(float((corners @ world[:3, :3].T + world[:3, 3])[:, 0].max()))
    return max((end for end in ends if abs(end) < ASTRAY), default=None)


def _box(obj: bpy.types.Object, meshes: Objects, others: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The corners, each (3,), of the box around the origin, an armature at rest with its meshes, and other points, as far as they are
    not astray."""
    bones = armature.bones_of(obj)
    ends = [values_of(bones, name, np.float32, 3) for name in ("head_local", "tail_local")]
    points = np.concatenate([*ends, others, *map(_points, meshes)], dtype=np.float64)
    points = points[(np.abs(points) < ASTRAY).all(axis=1)]
    return points.min(axis=0, initial=0.0), points.max(axis=0, initial=0.0)


def _points(obj: bpy.types.Object) -> NDArray[np.float32]:
    """(N, 3) the points of a mesh, which asks for less than its box does."""
    return values_of(obj.data.vertices, "co", np.float32, 3) if isinstance(obj.data, bpy.types.Mesh) else np.zeros((0, 3), np.float32)


@dataclass
class New:
    """What an import made and no collection has yet. characters: names of new ones, each with its objects. others: all other objects."""

    characters: list[tuple[str, Objects]] = field(default_factory=list[tuple[str, Objects]])
    others: list[bpy.types.Object] = field(default_factory=list[bpy.types.Object])

    def add(self, name: str, objects: Objects, is_character: bool) -> None:
        """is_character: whether they are a new character, and not an object or what an armature of the scene got."""
        if is_character:
            self.characters.append((name, objects))
        else:
            self.others.extend(objects)


def link(context: bpy.types.Context, new: New) -> None:
    """Into the active collection; each character into a collection below it, and the empties that hang on them into a hidden one."""
    parent = context.collection
    for obj in new.others:
        parent.objects.link(obj)
    below = [bpy.data.collections.new(labels.label(name, "character", compat.NAME_LIMIT)) for name, _ in new.characters]
    helpers: list[bpy.types.Object] = []
    for collection, (_, objects) in zip(below, new.characters, strict=True):
        for obj in objects:
            if obj.type == "EMPTY":
                helpers.append(obj)
            else:
                collection.objects.link(obj)
    if helpers:
        hidden = bpy.data.collections.new(HELPERS)
        for obj in helpers:
            hidden.objects.link(obj)
        below.append(hidden)
    for collection in below:
        parent.children.link(collection)
    if helpers:
        _hide(context.view_layer.layer_collection, below[-1])


def _hide(layer: bpy.types.LayerCollection, collection: bpy.types.Collection) -> bool:
    """Close the eye of a collection, wherever it is below another."""
    if layer.collection == collection:
        layer.hide_viewport = True
        return True
    return any(_hide(child, collection) for child in layer.children)
