"""What a figure knows of its own joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..mapping.given import figure_of


def test_the_hips_joint_may_be_beside_the_bone_that_rotates_them() -> None:
    """In the world; every other joint is the head of its bone."""
    world = np.array([[0.0, -2, 0, 10], [2, 0, 0, 20], [0, 0, 2, 30], [0, 0, 0, 1]])
    figure = figure_of(["hips", "leg"], [-1, 0], np.array([[0.0, 0, 1], [0.2, -0.3, 0]]))
    figure = replace(figure, world=world, pelvis=np.array([1.0, 2, 3]))
    assert figure.joint(0, "hips").tolist() == [6, 22, 36]
    assert figure.joint(0, "root").tolist() == figure.joint(0).tolist() == [10, 20, 32]
    assert replace(figure, pelvis=None).joint(0, "hips").tolist() == [10, 20, 32]
