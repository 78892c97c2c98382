"""What is said of faces that keep the file's light though they look elsewhere now."""

from __future__ import annotations

import numpy as np
from retro_anim.core.reporting import log
from retro_anim.core.surface import kept_light


def test_faces_that_clearly_look_elsewhere_are_counted() -> None:
    """From 20 degrees on, which is seen in the light."""
    with log.collect() as said:
        kept_light.report(np.radians([0.0, 19.0]), "face", "normals", "Normals: As Shown, to have them anew")
    assert not said.of("WARNING")
    with log.collect() as said:
        kept_light.report(np.radians([19.0, 21.0, 45.0]), "face", "normals", "Normals: As Shown, to have them anew")
    (line,) = [message.text for message in said.of("WARNING")]
    assert line == (
        "2 faces look elsewhere now, by up to 45 degrees, and keep the normals of the file: choose Normals: As Shown, to have them anew"
    )
    with log.collect() as said:
        kept_light.report(np.radians([21.0]), "triangle", "light", "Light: From the Shape, to have it anew")
    (line,) = [message.text for message in said.of("WARNING")]
    assert line.startswith("1 triangle looks elsewhere now, by up to 21 degrees, and keeps the light of the file: ")


def test_faces_that_are_shaded_otherwise_alone_are_counted_apart() -> None:
    with log.collect() as said:
        kept_light.report(np.radians([45.0, 0.0, 0.0]), "face", "light", "Light", np.radians([50.0, 30.0, 19.0]))
    assert [message.text for message in said.of("WARNING")] == [
        "1 face looks elsewhere now, by up to 45 degrees, and keeps the light of the file: choose Light",
        "1 face has other normals now, by up to 30 degrees, and keeps the light of the file: choose Light",
    ]
    with log.collect() as said:
        kept_light.report_flat(np.radians([45.0, 0.0]))
        kept_light.report_flat(np.radians([1.0]))
    (line,) = [message.text for message in said.of("WARNING")]
    assert line.startswith("1 face is shown with other normals, and its type has one shade in all of a face: ")
