"""Random skeleton and mesh files of every version, written into documents field by field."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from retro_anim.core.mindpower.files.mesh.geometry import BLEND, ELEMENT, SUBSET, Geometry
from retro_anim.core.mindpower.files.mesh.helpers import BOUNDING_BOX, BOX, DUMMY, FACE, MESH, OLD_DUMMY, SPHERE, HelperMesh, Helpers
from retro_anim.core.mindpower.files.mesh.lgo import Lgo
from retro_anim.core.mindpower.files.mesh.lgo_animation import Animation
from retro_anim.core.mindpower.files.mesh.materials import MATERIAL, MATERIAL_0, MATERIAL_1, OLD_STATE, STATE, TEXTURE, Materials
from retro_anim.core.mindpower.files.skeleton.lab import Lab
from retro_anim.core.mindpower.files.skeleton.lab_layout import BONE
from retro_anim.core.mindpower.files.skeleton.lab_layout import DUMMY as LAB_DUMMY

uint32s = st.integers(0, 0xFFFFFFFF)
versions = st.sampled_from([0, *range(0x1000, 0x1006)])


def floats(shape: int | tuple[int, ...]) -> st.SearchStrategy[np.ndarray[Any, Any]]:
    return arrays("<f4", shape, elements=st.floats(-1e6, 1e6, width=32))


@st.composite
def records(draw: st.DrawFn, kind: Any, count: int) -> np.ndarray[Any, Any]:
    """Any bytes at all in every field."""
    size = np.dtype(kind).itemsize * count
    return np.frombuffer(draw(st.randoms(use_true_random=False)).randbytes(size), kind, count)


@st.composite
def labs(draw: st.DrawFn, version: int | None = None) -> Lab:
    """Random trees, keys of any kind, garbage behind the names."""
    chosen = draw(st.sampled_from([0, 1, *range(0x1000, 0x1006)])) if version is None else version
    count, frames, dummy_count = draw(st.integers(1, 5)), draw(st.integers(1, 4)), draw(st.integers(0, 3))
    bones = draw(records(BONE, count)).copy()
    bones["id"] = np.arange(count)
    bones["parent"] = [0xFFFFFFFF, *(draw(st.integers(0, index - 1)) for index in range(1, count))]
    binds = np.repeat(np.eye(4, dtype="<f4")[None], count, axis=0)
    binds[:, 3, :3] = draw(floats((count, 3)))
    dummies = np.zeros(dummy_count, LAB_DUMMY)
    dummies["id"] = draw(arrays("<u4", dummy_count))
    dummies["parent"] = draw(arrays("<u4", dummy_count, elements=st.integers(0, count - 1)))
    dummies["matrix"] = draw(floats((dummy_count, 4, 4)))
    key_type = draw(st.sampled_from([1, 2, 3]))
    each = {1: 12, 2: 16, 3: 7}[key_type] * frames
    total = 7 * frames + (count - 1) * (3 + 4 * frames) if key_type == 3 and chosen < 0x1003 else count * each
    rest = draw(st.binary(min_size=32, max_size=36)) if chosen == 1 else draw(st.sampled_from([b"", b"more"]))
    return Lab(chosen, key_type, frames, bones, binds, dummies, draw(floats(total)), draw(uint32s) if chosen == 0 else 0, rest)


@st.composite
def materials(draw: st.DrawFn, version: int) -> Materials:
    old = draw(st.integers(0, 2)) if version == 0 else 0
    kind = MATERIAL if version else (MATERIAL_0, MATERIAL_1, MATERIAL)[old]
    return Materials(draw(records(kind, draw(st.integers(0, 3)))), old)


@st.composite
def geometries(draw: st.DrawFn, version: int) -> Geometry:
    """A mesh whose vertex format says what there is."""
    old = draw(st.integers(0, 1)) if version == 0 else 0
    layout = version or old
    vertices, triangles, palette = draw(st.integers(1, 6)), draw(st.integers(0, 4)), draw(st.integers(1, 25))
    sets, has_normals, has_colours, has_blend = (
        draw(st.sampled_from([0, 1, 2, 4])),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.booleans()),
    )
    new = layout >= 0x1004
    says_blend = draw(st.booleans()) if new else has_blend  # the length of the palette counts there
    fvf = draw(uint32s) & ~0x1750 | sets << 8 | 0x10 * has_normals | 0x40 * has_colours | 0x1000 * says_blend
    blend = draw(records(BLEND, vertices)).copy()
    blend["weight"] = draw(floats((vertices, 4)))
    return Geometry(
        fvf,
        draw(floats((vertices, 3))),
        draw(arrays("<u4", 3 * triangles, elements=st.integers(0, vertices - 1))),
        draw(records(SUBSET, draw(st.integers(0, 2)))),
        draw(floats((vertices, 3))) if has_normals else None,
        draw(floats((sets, vertices, 2))),
        draw(arrays("u1", (vertices, 4))) if has_colours else None,
        blend if has_blend else None,
        draw(arrays("<u4" if new else "u1", palette if has_blend else 0, elements=st.integers(0, 200))),
        draw(st.integers(0, 4)) if new else None,
        draw(records(ELEMENT, draw(st.integers(0, 6)) if new else 0)),
        draw(records(OLD_STATE, 16)).reshape(2, 8) if layout == 0 else draw(records(STATE, 8)),
        4,
        0 if has_blend or new else draw(st.integers(0, 25)),
        old,
    )


@st.composite
def helpers(draw: st.DrawFn, version: int) -> Helpers:
    def table(kind: Any) -> np.ndarray[Any, Any] | None:
        return draw(records(kind, draw(st.integers(0, 2)))) if draw(st.booleans()) else None

    meshes = tuple(
        HelperMesh(draw(records(MESH, 1)), draw(floats((draw(st.integers(0, 3)), 3))), draw(records(FACE, draw(st.integers(0, 2)))))
        for _ in range(draw(st.integers(0, 2)))
    )
    return Helpers(
        table(OLD_DUMMY if version <= 0x1000 else DUMMY),
        table(BOX),
        meshes if draw(st.booleans()) else None,
        table(BOUNDING_BOX),
        table(SPHERE),
        draw(st.sampled_from([0, 8, 0x40])),
        draw(uint32s) if version == 0 else 0,
    )


@st.composite
def animations(draw: st.DrawFn, version: int) -> Animation:
    def tracks(each: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        used = draw(st.dictionaries(st.integers(0, 63), each, max_size=3))
        return tuple(used.get(slot) for slot in range(64))

    bones = draw(st.none() | labs(version))
    if bones is not None:
        bones = Lab(
            version, bones.key_type, bones.frame_count, bones.bones, bones.inverse_binds, bones.dummies, bones.keys, bones.old_version
        )
    # A version word of its own is distinguished from a size by the sum alone, so it must not be one.
    return Animation(
        bones,
        draw(st.none() | floats((2, 4, 3))),
        tuple(draw(st.binary(max_size=16)) for _ in range(16)) if version >= 0x1005 else (),
        tracks(floats((1, 4, 4))),
        tracks(records(TEXTURE, 1)),
        draw(st.sampled_from([None, 0xFFFF0000])) if version == 0 else None,
    )


@st.composite
def lgos(draw: st.DrawFn) -> Lgo:
    version = draw(versions)
    return Lgo(
        version,
        draw(st.integers(1, 0xFFFFFFFF)),
        draw(uint32s),
        draw(uint32s),
        draw(floats((4, 4))),
        draw(arrays("<u4", 4)),
        draw(st.binary(min_size=8, max_size=8)),
        draw(st.none() | materials(version)),
        draw(st.none() | geometries(version)),
        draw(st.none() | helpers(version)),
        draw(st.none() | animations(version)),
        draw(st.sampled_from([b"", b"after"])),
    )
