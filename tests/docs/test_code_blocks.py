"""Every block of code in our pages is run: Python in Blender, the command line by its own function, JSON by its reader."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from build_extension import ROOT
from markdown_it import MarkdownIt

Part = Callable[[str], ModuleType]

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "benchmarks" / "README.md"]
COMMANDS = ("retro-anim ", "python3 dev.py ", "python3 tools/", ".venv/", "git ")
COMMENT = re.compile(r"\s{2,}\S.*")
"""What follows a command after some space says what it is for."""


def blocks() -> Iterator[tuple[str, str, str]]:
    """Where each block of code stands, its language and its text; "sh" for commands, which are indented, as are drawings."""
    for page in PAGES:
        for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
            if token.type in ("fence", "code_block"):
                assert token.map is not None
                language = token.info.strip() or ("sh" if token.content.startswith(COMMANDS) else "")
                yield f"{page.relative_to(ROOT).as_posix()}:{token.map[0] + 1}", language, token.content


BLOCKS = list(blocks())


def of_language(language: str) -> Any:
    """The parameters of a test: all blocks of a language."""
    chosen = [block for block in BLOCKS if block[1] == language]
    return pytest.mark.parametrize("text", [text for _, _, text in chosen], ids=[where for where, _, _ in chosen])


def test_paths_on_our_pages_exist() -> None:
    """What stands in backquotes and begins with a folder of ours; `<game>` stands for each of the four, of which one has it at least.
    Those of the walk-through's game lie in its own folders."""
    folders = "core|io|operators|cli|samples|benchmarks|tools|tests|docs"
    paths = {
        path
        for page in PAGES
        for path in re.findall(rf"`((?:{folders})/[\w./<>-]*)`", page.read_text(encoding="utf-8"))
        if "GAME" not in path
    }
    assert len(paths) > 50
    games = ("lba", "oni", "oni2", "mindpower")
    roots = (ROOT, ROOT / "tests" / "new_game" / "floors")
    assert [
        path for path in sorted(paths) if not any((root / path.replace("<game>", game)).exists() for root in roots for game in games)
    ] == []


def test_all_languages_are_known() -> None:
    assert {language for _, language, _ in BLOCKS} == {"python", "json", "sh", ""}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: Part) -> Path:
    """A working folder with files of the names that the pages use, made of our samples."""
    samples, work = ROOT / "samples", tmp_path / "work"
    shutil.copytree(samples / "lba1", work, copy_function=shutil.copyfile)
    shutil.copytree(samples / "lba1", work / "FOLDER", copy_function=shutil.copyfile)
    shutil.copytree(samples / "mindpower", work / "CLIENT", copy_function=shutil.copyfile)
    shutil.copytree(samples / "oni", work / "oni", copy_function=shutil.copyfile)
    shutil.copytree(samples / "lba1", work / "GAME_FOLDER", copy_function=shutil.copyfile)
    shutil.copyfile(work / "CLIENT/animation/0001.lab", work / "CLIENT/animation/0088.lab")
    shutil.copyfile(work / "ANIM.HQR", work / "ANIM.HQR.bak")
    shutil.copyfile(next((samples / "lba2").glob("*.lm2")), work / "hero.lm2")
    for path in (samples / "mindpower").rglob("*.*"):
        shutil.copyfile(path, work / path.name)
    (work / "KONOKO").mkdir()
    for name, source in (("TRBSkonoko_generic", "TRBSmannequin"), ("TRAMKONCOMpunch_heavy", "TRAMmannequin_walk")):
        shutil.copyfile(samples / "oni" / f"{source}.oni", work / "KONOKO" / f"{name}.oni")
    onifile = part("core.oni.files.onifile")
    collection = onifile.OniFile.build([onifile.Part("TRAC", "TRACkonoko_animations", body=bytes(24))])
    (work / "KONOKO/TRACkonoko_animations.oni").write_bytes(collection.pack())
    monkeypatch.chdir(work)
    convert = part("cli.main").main
    for source, target in (
        ("walk.anm", "dance.bvh"),
        ("walk.anm", "clips.blend"),
        ("ANIM.HQR#1", "scene.blend"),
        ("0001.lab", "rig.blend"),
        ("0001.lab", "mannequin.fbx"),
        ("walk.anm", "someone.glb"),
    ):
        assert convert(["convert", source, "-o", target]) == 0
    shutil.copyfile(work / "clips.blend", work / "moves.blend")
    (work / "mocap").mkdir()
    for name in ("first.bvh", "second.bvh"):
        shutil.copyfile(work / "dance.bvh", work / "mocap" / name)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return work


@pytest.mark.thorough
@of_language("sh")
def test_commands(part: Part, folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "map.json" in text:
        assert (
            part("cli.main").main(["retarget", "clips.blend", "--onto", "mannequin.fbx", "--save-map", "map.json", "-o", "first.glb"]) == 0
        )
    for line in text.splitlines():
        match shlex.split(COMMENT.sub("", line.strip())):
            case ["retro-anim", *arguments]:
                assert part("cli.main").main(arguments) == 0, line
            case ["git" | "cd", *_]:
                pass  # how to come by this repository
            case ["python3", "dev.py", *arguments]:
                check_dev(arguments, monkeypatch)
            case [str(python), "-P", "-m", module, *_] if python.startswith(".venv/"):
                path = ROOT / module.removeprefix("retro_anim.").replace(".", "/")
                assert module == "pytest" or path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), line
            case [str(python), script, *_] if python == "python3" or python.startswith(".venv/"):
                assert (ROOT / script).is_file(), line
            case _:
                raise AssertionError(f"no command: {line}")


def check_dev(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is there, and so are the sessions that it names."""
    spec = spec_from_file_location("dev", ROOT / "dev.py")
    assert spec and spec.loader
    dev = module_from_spec(spec)
    spec.loader.exec_module(dev)
    called: list[list[str]] = []
    for name in ("build", "docs", "demo", "test"):
        monkeypatch.setattr(dev, name, lambda rest: called.append(rest) or 0)
    assert dev.main(arguments) == 0
    (rest,) = called
    sessions = set(re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text(encoding="utf-8"), re.MULTILINE))
    if "-s" in rest:
        ours = rest[: rest.index("--")] if "--" in rest else rest  # what follows goes to pytest
        assert {name.partition("(")[0] for name in ours[ours.index("-s") + 1 :]} <= sessions


@pytest.mark.thorough
@of_language("python")
def test_python(part: Part, folder: Path, text: str) -> None:
    """In a scene with two characters of the names that the pages use, the first of them with a clip and active."""
    if '"Guard"' in text:  # whom the command above it makes
        assert part("cli.main").main(["character", "copy", "CLIENT#Mannequin", "--number", "900", "--name", "Guard"]) == 0
    source, target = characters(part)
    exec(compile(text, "example", "exec"), {"bpy": bpy, "source": source, "target": target})


def characters(part: Part) -> tuple[Any, Any]:
    ops: Any = bpy.ops
    ops.import_anim.mindpower(filepath="0001.lab")
    target: Any = bpy.context.object
    target.name = "rig"
    ops.import_anim.lba(filepath="ANIM.HQR", entities="0")
    return bpy.context.object, target


@of_language("json")
def test_json(part: Part, text: str) -> None:
    """Our only documents for people to write are bone maps."""
    bone_map = part("core.retarget.figures.maps.map_file").parse(text.encode())
    document = json.loads(text)
    assert len(bone_map.pairs) == len(document["pairs"])
    assert len(bone_map.chains) == len(document["chains"])
