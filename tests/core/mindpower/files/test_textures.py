"""Where textures are found, and what materials get."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from retro_anim.core.mindpower.client.textures import TextureFinder, images_of
from retro_anim.core.mindpower.files.mesh.lgo import Lgo
from retro_anim.core.mindpower.files.mesh.materials import Materials, new_material
from retro_anim.core.reporting import log
from support.picture_files import PIXELS, bmp_24, scrambled


def put(path: Path, data: bytes = b"") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_beside_the_model_whatever_the_letter_case(tmp_path: Path) -> None:
    model, picture = put(tmp_path / "a.lgo"), put(tmp_path / "SKIN.Bmp")
    for near in (model, tmp_path):
        assert TextureFinder(near).find("skin.BMP") == picture
    assert TextureFinder(model).find("other.bmp") is None
    assert TextureFinder(model).find("") is None
    assert TextureFinder(model).find("..") is None


def test_in_the_clients_layout(tmp_path: Path) -> None:
    model = put(tmp_path / "Model" / "Character" / "a.lgo")
    picture = put(tmp_path / "TEXTURE" / "Character" / "x.bmp")
    assert TextureFinder(model).find("X.BMP") == picture
    assert TextureFinder(put(tmp_path / "animation" / "0001.lab")).find("x.bmp") == picture
    other = put(tmp_path / "texture2" / "x.tga")
    assert TextureFinder(model).find("x.tga") == picture, "the name's own extension first, then others"
    assert TextureFinder(put(tmp_path / "mine" / "b.lgo")).find("x.tga") == other


def test_beside_comes_before_the_layout_and_that_before_siblings(tmp_path: Path) -> None:
    model = put(tmp_path / "model" / "character" / "a.lgo")
    sibling = put(tmp_path / "model" / "pictures" / "x.bmp")
    assert TextureFinder(model).find("x.bmp") == sibling
    layout = put(tmp_path / "texture" / "character" / "x.bmp")
    assert TextureFinder(model).find("x.bmp") == layout
    beside = put(tmp_path / "model" / "character" / "x.bmp")
    assert TextureFinder(model).find("x.bmp") == beside


def test_a_path_in_the_name_counts_for_nothing(tmp_path: Path) -> None:
    picture = put(tmp_path / "x.bmp")
    assert TextureFinder(tmp_path).find("D:\\artist\\x.bmp") == picture
    assert TextureFinder(tmp_path).find("../../x.bmp") == picture


def test_images_of_materials(tmp_path: Path) -> None:
    put(tmp_path / "a.bmp", bmp_24())
    put(tmp_path / "b.bmp", scrambled(bmp_24().ljust(88, b"\0")))
    put(tmp_path / "broken.bmp", bmp_24()[:60])
    keyed = new_material(["a.bmp"])
    keyed["textures"]["colour_key_type"][0, 0], keyed["textures"]["colour_key"][0, 0] = 1, [0, 0, 255, 255]
    records = [*(new_material([name] if name else []) for name in ("a.bmp", "B.BMP", "broken.bmp", "gone.bmp", "")), keyed]
    with log.collect() as said:
        images = images_of(Materials(np.concatenate(records)), TextureFinder(tmp_path))
    assert [image and image.name for image in images] == ["a.bmp", "B.BMP", None, None, None, "a.bmp"]
    assert images[0] is not None and images[1] is not None and images[5] is not None
    assert images[0].pixels.tolist() == images[1].pixels.tolist() == PIXELS.tolist()
    assert images[5].pixels[0].tolist() == [[0] * 4, *PIXELS[0, 1:].tolist()]
    broken, gone = said.digest("WARNING")
    assert broken.startswith(f"a texture that cannot be read: {tmp_path / 'broken.bmp'}: pixels")
    assert gone == "texture gone.bmp is not found: shown without"


def test_the_games_own_models_have_all_theirs(game_file: Callable[[str], Path]) -> None:
    sizes = set[tuple[int, ...]]()
    for path in game_file("mindpower/model/character").glob("*.lgo"):
        materials = Lgo.parse(path.read_bytes()).materials
        assert materials is not None
        with log.collect() as said:
            images = images_of(materials, TextureFinder(path))
        assert said.messages == []
        assert all(image is not None and len(np.unique(image.pixels.reshape(-1, 4), axis=0)) > 30 for image in images)
        sizes |= {image.pixels.shape[:2] for image in images if image is not None}
    assert {(64, 64), (128, 128), (256, 256)} <= sizes


def test_a_texture_of_many_materials_is_one_image(tmp_path: Path) -> None:
    """However often a small file names a large one, it takes room once, and is warned of once."""
    put(tmp_path / "a.bmp", bmp_24())
    names = ["a.bmp", "a.bmp", "dir/a.bmp", "a.tga", "gone.bmp", "gone.bmp"]
    keyed = new_material(["a.bmp"])
    keyed["textures"]["colour_key_type"][0, 0] = 1
    with log.collect() as said:
        images = images_of(Materials(np.concatenate([*(new_material([name]) for name in names), keyed, keyed])), TextureFinder(tmp_path))
    assert [image and image.name for image in images] == ["a.bmp", "a.bmp", "dir/a.bmp", "a.tga", None, None, "a.bmp", "a.bmp"]
    assert len({id(image.pixels) for image in images[:4] if image is not None}) == 1
    assert images[0] is images[1] and images[6] is images[7] and images[6] is not images[0]
    assert len(said.messages) == 1
