"""The mannequin as Oni 2 has its characters: reproducible, complete, and standing where its keyframes say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.oni2.characters.companions import gather, skeleton_for
from retro_anim.core.oni2.files.anim import Anim
from retro_anim.core.oni2.files.dave import Dave
from retro_anim.core.oni2.files.interpretation import Interpretation
from retro_anim.core.oni2.files.mesh.mod import Mod
from retro_anim.core.oni2.files.skeleton.skel import Skel
from retro_anim.core.oni2.motion.channels import layout_of
from retro_anim.core.oni2.motion.evaluate import locals_of, world_of
from retro_anim.core.oni2.motion.root_motion import travel_of
from retro_anim.core.reporting import log
from retro_anim.samples import gait, oni2_build
from retro_anim.samples.mannequin import figure
from retro_anim.samples.mindpower_figure import frames_of

FOLDER = "Entity/mannequin/"
HALF_CIRCLE = np.array([-1, 1, -1])


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return oni2_build.files()


@pytest.fixture(scope="module")
def skel(files: dict[str, bytes]) -> Skel:
    return Skel.parse(files[f"{FOLDER}mannequin.skel"])


def clip_of(files: dict[str, bytes], name: str) -> Anim:
    return Anim.parse(files[f"{FOLDER}mannequin_{name}.anim"])


def worlds(skel: Skel, anim: Anim) -> np.ndarray:
    return world_of(skel, locals_of(skel, layout_of(skel), anim.values.astype(float), Interpretation()))


def test_rebuilding_gives_the_committed_bytes(files: dict[str, bytes]) -> None:
    folder = Path(oni2_build.FOLDER)
    committed = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert committed == files


def test_main_writes_every_file(files: dict[str, bytes], tmp_path: Path) -> None:
    oni2_build.main(tmp_path / "out")
    for name, data in files.items():
        assert (tmp_path / "out" / name).read_bytes() == data


@pytest.mark.parametrize(
    ("name", "kind", "flags", "loops", "header"),
    [("walk", "ANI1", 0x80000001, True, 28), ("idle", "ani", 1, True, 29), ("wave", "null", None, False, 17)],
)
def test_a_clip_of_each_kind(
    files: dict[str, bytes], skel: Skel, name: str, kind: str, flags: int | None, loops: bool, header: int
) -> None:
    anim = clip_of(files, name)
    assert (anim.kind, anim.flags, anim.loops) == (kind, flags, loops)
    assert anim.channel_count == len(layout_of(skel)) == 44
    assert len(files[f"{FOLDER}mannequin_{name}.anim"]) == header + 4 * len(anim.table) * (44 + 3 * (kind == "ANI1"))
    assert np.abs(np.diff(anim.values[:, 3:], axis=0)).max() < 1  # no angle jumps


def test_the_entity_gathers_everything(files: dict[str, bytes]) -> None:
    for where in (str(oni2_build.FOLDER / FOLDER / "Entity.type"), f"{oni2_build.FOLDER / 'RB.DAT'}#{FOLDER}Entity.type"):
        with log.collect() as said:
            result = gather(where)
        assert not said.messages
        assert (result.name, result.skeleton[-14:], len(result.models)) == ("mannequin", "mannequin.skel", 1)
        assert {Path(clip).stem: aliases for clip, aliases in result.clips} == {
            "mannequin_walk": ("WALK",), "mannequin_idle": ("STAND",), "mannequin_wave": ("WAVE",)}  # fmt: skip
        assert skeleton_for(result.clips[0][0], 44, Interpretation()).address == result.skeleton


def test_the_archive_holds_the_loose_files(files: dict[str, bytes]) -> None:
    archive = Dave.parse(files["RB.DAT"])
    held = {archive.name(index): archive.read(index) for index in range(len(archive)) if not archive.blank(index)}
    assert held == {name: data for name, data in files.items() if name != "RB.DAT"}


@pytest.mark.parametrize("name", ["walk", "idle", "wave"])
def test_joints_are_where_the_keyframes_say(files: dict[str, bytes], skel: Skel, name: str) -> None:
    """Against the same motion as it is made, turned to the game's front."""
    segments = figure()
    order = oni2_build.ordered(segments)
    frames = list(frames_of(segments, getattr(gait, name)(segments), oni2_build.CLIPS[name][1]))
    result = worlds(skel, clip_of(files, name))
    rotations = np.array([rotation for rotation, _ in frames])[:, order]
    joints = np.array([position for _, position in frames])[:, order] * HALF_CIRCLE * 0.0015
    assert np.abs(result[..., :3, :3] - rotations * HALF_CIRCLE[:, None] * HALF_CIRCLE).max() < 3e-6
    assert np.abs((result - result[:, :1])[..., :3, 3] - (joints - joints[:, :1])).max() < 3e-6


def test_planted_feet_do_not_slide(files: dict[str, bytes], skel: Skel) -> None:
    """Through the walk the lowest point of the feet stays where it is, near the ground, while the root goes on along -Z."""
    anim, heads = clip_of(files, "walk"), skel.skeleton().heads
    result = worlds(skel, anim)
    mesh = Mod.parse(files[f"{FOLDER}mannequin.mod"]).model.mesh(heads, False)
    names = [bone.name for bone in skel.bones]
    feet = np.isin(mesh.bones, [names.index("foot_l"), names.index("foot_r")])
    bones, local = mesh.bones[feet], (mesh.points - heads[mesh.bones])[feet]
    shots = np.einsum("fpij,pj->fpi", result[:, bones, :3, :3], local) + result[:, bones][..., :3, 3]
    heights = shots[..., 1]
    assert heights.min() > -0.02
    assert heights.min(axis=1).max() < 0.02
    lowest = (heights[1:] + heights[:-1]).argmin(axis=1)
    slide = np.linalg.norm((shots[1:] - shots[:-1])[np.arange(len(lowest)), lowest][:, [0, 2]], axis=1)
    assert slide.max() < 0.02
    assert travel_of(anim, layout_of(skel))[-1, 2] == pytest.approx(-1.137 * 23 / 24, abs=5e-3)
    assert anim.deltas is not None
    assert anim.deltas.sum(axis=0) == pytest.approx(anim.stride, abs=1e-5)


def test_it_is_as_high_as_a_person(files: dict[str, bytes], skel: Skel) -> None:
    heads = skel.skeleton().heads
    points = Mod.parse(files[f"{FOLDER}mannequin.mod"]).model.mesh(heads, False).points
    assert points[:, 1].min() == pytest.approx(0, abs=0.01)
    assert points[:, 1].max() == pytest.approx(1.77, abs=0.02)
    toes = points[points[:, 1] < 0.05]
    assert toes[:, 2].min() < -0.15  # it looks along -Z


def test_faces_point_outwards(files: dict[str, bytes], skel: Skel) -> None:
    """The volume inside the surface is that of a body, and positive."""
    mesh = Mod.parse(files[f"{FOLDER}mannequin.mod"]).model.mesh(skel.skeleton().heads, False)
    corners = mesh.points[mesh.corners].reshape(-1, 3, 3)
    volume = np.einsum("fi,fi->f", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert 0.02 < volume < 0.1
