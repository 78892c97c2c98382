"""Random skeletons and animations of every kind that keep the rules of their formats."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from retro_anim.core.oni2.files.anim import Anim, Kind, has_deltas, stride_length
from retro_anim.core.oni2.files.skeleton.skel import Skel, write
from retro_anim.core.oni2.files.skeleton.skel_bones import KINDS, Bone, Declared

finite = st.floats(width=32, allow_nan=False, allow_infinity=False)
masks = st.integers(0, 2**32 - 1)


@st.composite
def anims(draw: st.DrawFn, channels: int | None = None, kinds: tuple[Kind, ...] = ("ANI1", "ani", "null")) -> Anim:
    """Any flag bits, any loop byte, any finite floats, and sometimes bytes behind the end."""
    kind = draw(st.sampled_from(kinds))
    flags = draw(masks) if kind in ("ANI1", "ani") else None
    count, width = draw(st.integers(1, 6)), channels or draw(st.integers(1, 9))
    width = width // 3 * 3 + 3 if kind == "beta" else width
    table = draw(arrays("<f4", (count, width + 3 * has_deltas(kind, flags)), elements=finite))
    stride = draw(arrays("<f4", stride_length(kind, flags), elements=finite))
    return Anim(kind, flags, stride, None if kind == "ANI1" else draw(st.integers(0, 255)), table, draw(st.binary(max_size=3)))


names = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=8)
short = st.floats(-100, 100, width=32)
triples = st.tuples(short, short, short)


@st.composite
def declarations(draw: st.DrawFn) -> tuple[Declared, ...]:
    """Any of the nine channels, each once, in any order, with and without locks and limits."""
    chosen = draw(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 2)), unique=True, max_size=9))
    limits = st.none() | st.tuples(short, short)
    return tuple(Declared(kind, axis, locked := draw(st.booleans()), draw(short) if locked else 0.0 + (kind == "scale"), draw(limits))
                 for kind, axis in chosen)  # fmt: skip


@st.composite
def bone_lists(draw: st.DrawFn, most: int = 8) -> tuple[Bone, ...]:
    """A random tree in file order: every bone hangs on one of those that are still open."""
    bones: list[Bone] = []
    still_open: list[int] = []
    for index in range(draw(st.integers(1, most))):
        parent = -1
        if index:
            depth = draw(st.integers(1, len(still_open)))
            parent = still_open[depth - 1]
            del still_open[depth:]
        still_open.append(index)
        bound = st.none() | triples
        bones.append(Bone(draw(names), parent, draw(triples), draw(declarations()), draw(bound), draw(bound)))
    return tuple(bones)


@st.composite
def skels(draw: st.DrawFn) -> Skel:
    """As someone may have typed it: any white space, any case, comments, fields that nobody knows."""
    text = write(draw(bone_lists()), draw(st.sampled_from(["101", ""]))).text
    gaps = st.sampled_from([" ", "\t", "\r\n", "\n\n", "  \n\t"])
    lines: list[str] = []
    for line in text.splitlines():
        lines.append("".join(part + draw(gaps) for part in line.split()))
        extra = draw(st.sampled_from(["", "", "", "# bone { \r\n", "// }\n", "mass 1 2\n", "colour { 1 { 2 } }\r\n"]))
        lines.append("\n" + extra if extra else "")
    return Skel("".join(lines))


@st.composite
def anims_of(draw: st.DrawFn, channels: int, kinds: tuple[Kind, ...] = ("ANI1", "ani", "null")) -> Anim:
    """A clip of so many channels, of any kind, with any bits, whose numbers are those of a character: up to 100, zeros, and tiny ones."""
    kind = draw(st.sampled_from(kinds))
    flags = draw(masks) if kind in ("ANI1", "ani") else None
    numbers = short | st.floats(-(2.0**-100), 2.0**-100, width=32) | st.just(-0.0)
    count = draw(st.integers(1, 5))
    table = draw(arrays("<f4", (count, channels + 3 * has_deltas(kind, flags)), elements=numbers))
    stride = draw(arrays("<f4", stride_length(kind, flags), elements=numbers))
    return Anim(kind, flags, stride, None if kind == "ANI1" else draw(st.integers(0, 255)), table, draw(st.binary(max_size=2)))
