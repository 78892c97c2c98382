"""What a figure knows of its own joints."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.retarget.figures.figure import Figure
from support import counted

from .. import rigs
from ..mapping.given import figure_of

NAMES, PARENTS = ["root", "a", "b", "a1", "b1", "other"], [-1, 0, 0, 1, 2, -1]
HEADS = np.array([[0.0, 0, 0], [1, 0, 0], [-1, 0, 0], [3, 0, 0], [-1, 0, 2], [9, 9, 9]])


def tree(reach: float = 1.0) -> Figure:
    """Two roots, one of them with two limbs. reach: by how much further a tail is than what it points at."""
    tails = np.array([[0, 0, 2.0], [3, 0, 0], [-1, 0, 2], [3, 0, 0.5], [-1, 0, 5], [9, 9, 9.5]])
    return figure_of(NAMES, PARENTS, HEADS, HEADS + reach * (tails - HEADS))


def test_the_hips_joint_may_be_beside_the_bone_that_rotates_them() -> None:
    """In the world; every other joint is the head of its bone."""
    world = np.array([[0.0, -2, 0, 10], [2, 0, 0, 20], [0, 0, 2, 30], [0, 0, 0, 1]])
    figure = figure_of(["hips", "leg"], [-1, 0], np.array([[0.0, 0, 1], [0.2, -0.3, 0]]))
    figure = replace(figure, world=world, pelvis=np.array([1.0, 2, 3]))
    assert figure.joint(0, "hips").tolist() == [6, 22, 36]
    assert figure.joint(0, "root").tolist() == figure.joint(0).tolist() == [10, 20, 32]
    assert replace(figure, pelvis=None).joint(0, "hips").tolist() == [10, 20, 32]


def test_a_figure_knows_its_hierarchy() -> None:
    figure = tree()
    assert figure.children == ((1, 2), (3,), (4,), (), (), ())
    assert [figure.names[bone] for bone in figure.along_limbs] == ["root", "a", "a1", "b", "b1", "other"]
    assert figure.index == {name: bone for bone, name in enumerate(NAMES)} and len(figure) == 6
    below = [[child for child in range(6) if figure.is_below(child, bone)] for bone in range(6)]
    assert below == [[0, 1, 2, 3, 4], [1, 3], [2, 4], [3], [4], [5]]
    assert not any(figure.is_below(-1, bone) or figure.is_below(bone, -1) for bone in range(-1, 6)), "no bone is below or above any"


def test_a_limb_reaches_to_its_furthest_end() -> None:
    """That of a bone on which nothing hangs is its own joint: its tail may be invented."""
    assert [tree().reach(bone) for bone in range(6)] == pytest.approx([26**0.5, 4.25**0.5, 5, 0, 0, 0])


def test_a_limb_asks_only_what_hangs_on_it() -> None:
    """Of a fur's hairs, twice as many are twice the work, not four times."""

    def work(count: int) -> int:
        figure = figure_of([str(bone) for bone in range(count)], [-1] + [0] * (count - 1), np.zeros((count, 3)))
        with counted.calls() as called:
            assert not any(figure.reach(bone) for bone in range(1, count))
        return called()

    assert work(400) < 2.2 * work(200)


@pytest.mark.parametrize(("reach", "ends"), [(1.0, True), (1.05, True), (0.95, True), (1.5, False), (0.5, False)])
def test_tails_that_miss_the_next_joints_are_an_importer_s(reach: float, ends: bool) -> None:
    """By a tenth of the bone. That of the root, between two limbs, is elsewhere either way: most of the bones count."""
    assert tree(reach).ends_at_joints == ends


def test_bones_on_which_nothing_hangs_show_no_joints() -> None:
    assert not figure_of(["a", "b"], [-1, -1], np.zeros((2, 3)), np.ones((2, 3))).ends_at_joints


def test_where_a_figure_is_in_the_world() -> None:
    """Its object is turned by a right angle about Z, twice as large, and moved."""
    world = rigs.yawed(np.pi / 2, 2.0)
    world[:3, 3] = (10, 20, 30)
    figure = replace(tree(), world=world)
    assert figure.scale == pytest.approx(2) and figure.rotation == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))
    assert figure.heads[3] == pytest.approx([10, 26, 30])
    assert figure.tails[[0, 3]] == pytest.approx(np.array([[10, 20, 34], [10, 26, 31]]))
    soles = replace(figure, sole_points=np.array([[1.0, 2, 3], [0, 0, 0]]), sole_weights=np.zeros((2, 6))).soles
    assert soles == pytest.approx(np.array([[6, 22, 36], [10, 20, 30]]))
    uneven = replace(figure, world=np.diag([1.0, 2, 4, 1]))
    assert uneven.scale == pytest.approx(2), "of three scales the geometric mean"
    assert replace(figure, world=np.diag([-1.0, 1, 1, 1])).scale == pytest.approx(1)


def test_rest_against_the_parent() -> None:
    """The links, put together along a limb, are the rest pose."""
    figure = rigs.rolled(3)
    links = figure.links
    for bone, parent in enumerate(figure.parents.tolist()):
        own = np.eye(4) if parent < 0 else figure.rest[parent]
        assert links.positions[bone] == pytest.approx(own[:3, :3].T @ (figure.rest[bone, :3, 3] - own[:3, 3]), abs=1e-6)


def test_a_fingerprint_is_of_names_and_hierarchy() -> None:
    """It is kept in the files of bone maps: 16 digits of the SHA-256 of a line for each bone."""
    text = b"root\t-1\na\t0\nb\t0\na1\t1\nb1\t2\nother\t-1"
    assert tree().fingerprint == tree(0.5).fingerprint == hashlib.sha256(text).hexdigest()[:16]
    assert replace(tree(), names=("Root", *tree().names[1:])).fingerprint != tree().fingerprint


def test_what_is_not_said_of_bones_is_what_is_usual() -> None:
    figure = tree()
    assert figure.modes == ("QUATERNION",) * 6 and figure.locked.tolist() == [[False] * 3] * 6
    assert not (figure.hinged.any() or figure.unturned.any() or figure.fixed.any())
    assert len(figure.hinged) == len(figure.unturned) == len(figure.fixed) == 6
    said = replace(figure, modes=("XYZ",) * 6, fixed=np.ones(6, bool), locked=np.ones((6, 3), bool))
    assert said.modes == ("XYZ",) * 6 and said.fixed.all() and said.locked.all() and not said.hinged.any()


def test_figures_are_the_same_that_are_the_same_in_everything() -> None:
    assert tree().identity == tree().identity
    others = [replace(tree(), lengths=np.ones(6)), replace(tree(), left=np.array([1.0, 0, 0])), replace(tree(), fixed=np.ones(6, bool))]
    assert len({each.identity for each in (tree(), *others)}) == 4
