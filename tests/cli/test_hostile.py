"""Bad files: one clear line each, no traceback, and little memory."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.lba import lba1_chain, lba2_chain

from .conftest import Ran, archive

Run = Callable[..., Ran]

FOUR_GB = 0xFFFFFFFF

HOSTILE = {
    "empty.anm": b"",
    "counts.anm": struct.pack("<4H", 65535, 65535, 0, 0) + bytes(64),
    "nothing.anm": struct.pack("<4H", 0, 0, 0, 0),
    "points.lm1": lba1_chain.LM1[:26] + b"\xff\xff" + lba1_chain.LM1[28:],
    "polygons.lm1": lba1_chain.LM1[:0x128] + b"\xff\xff" + lba1_chain.LM1[0x12A:],
    "counts.lm2": lba2_chain.LM2[:0x20] + b"\xff" * 64 + lba2_chain.LM2[0x60:],
    "sections.lm2": lba2_chain.LM2[:0x44] + struct.pack("<I", 0x7FFFFFFF) + lba2_chain.LM2[0x48:],
    "runs.lm2": lba2_chain.LM2.replace(struct.pack("<4H", 0, 1, 20, 0), struct.pack("<4H", 0, 65535, 20, 0)),
    "empty.hqr": b"",
    "short.hqr": b"\x08\0\0",
    "beyond.hqr": struct.pack("<2I", 0xFFFFFFFC, 8),
    "odd.hqr": struct.pack("<2I", 7, 8) + bytes(20),
    "blank.hqr": bytes(64),
    "palette.pal": bytes(767),
    "outside.hqr": struct.pack("<3I", 12, 0x7FFFFFFF, 23) + archive(lba1_chain.ANM[:1])[8:],
    "method.hqr": archive(b"\0", method=3),
    "huge.hqr": archive(lba1_chain.ANM, method=1, claim=FOUR_GB),
    "stored.hqr": archive(lba1_chain.ANM, method=0, claim=FOUR_GB),
    "before.hqr": archive(b"\0" + b"\xff\xff" * 8, method=1, claim=100),
    "ends.hqr": archive(b"\xffabc", method=2, claim=20),
}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name, data in HOSTILE.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize("name", HOSTILE)
def test_one_line_a_file(run: Run, hostile: Path, name: str) -> None:
    path = hostile / name
    ran = run("verify", path, "--json")
    assert ran.code == 1
    assert len(ran.errors) == 1
    assert ran.errors[0].startswith(str(path))
    (failed,) = ran.json["failed"]
    assert set(failed) == {"path", "error"}
    assert ran.errors[0] == f"{failed['path']}: {failed['error']}"
    assert str(path) not in failed["error"]


def test_a_whole_folder(run: Run, hostile: Path) -> None:
    ran = run("verify", hostile, "--json")
    assert (ran.code, ran.json["files"], len(ran.json["failed"]), len(ran.errors)) == (1, len(HOSTILE), len(HOSTILE), len(HOSTILE))


@pytest.mark.parametrize(("name", "data"), [("chain.anm", lba1_chain.ANM), ("chain.lm1", lba1_chain.LM1)])
def test_cut_off_anywhere(run: Run, tmp_path: Path, name: str, data: bytes) -> None:
    last = 2 if name.endswith(".lm1") else 0  # the word behind a body's spheres, which says nothing, may be missing
    for length in range(len(data)):
        (tmp_path / name).write_bytes(data[:length])
        ran = run("verify", tmp_path / name)
        refused = length < len(data) - last
        assert (ran.code, len(ran.errors)) == (refused, refused), length


def test_an_archive_cut_off_anywhere(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "chain.hqr"
    for length in range(len(lba1_chain.HQR)):
        path.write_bytes(lba1_chain.HQR[:length])
        ran = run("verify", path, "--json")
        assert ran.code == 1
        assert len(ran.errors) == len(ran.json["failed"]) > 0, length
        assert ran.json["different"] == []


@pytest.mark.parametrize("command", [("verify",), ("info",), ("archive", "list")])
def test_many_entries_that_fail_alike_are_one_line(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    """An archive that was cut off has hundreds of entries outside; the JSON names each."""
    path = tmp_path / "cut.hqr"
    count, start = 196, 4 * 197
    entry = archive(lba1_chain.ANM)[8:]
    outside = struct.pack("<195I", *range(0x7FFF0000, 0x7FFF0000 + 4 * 195, 4))
    path.write_bytes(struct.pack("<I", start) + outside + struct.pack("<I", start + len(entry)) + entry)
    ran = run(*command, path)
    assert (ran.code, len(ran.errors)) == (1, 1)
    assert ran.err.startswith(f"{path}: 195 entries with the same fault (1, 2, 3, 4, 5 and 190 more; --json lists all), the first: ")
    assert "entry 1 lies outside the file, at 0x7FFF0000" in ran.err
    ran = run(*command, path, "--json")
    assert len(ran.errors) == 1 and all(f"entry {index} lies outside" in ran.out for index in range(1, count))


@pytest.mark.parametrize("name", HOSTILE)
def test_info_and_pose_say_it_too(run: Run, hostile: Path, name: str) -> None:
    ran = run("info", hostile / name)
    assert (ran.code, len(ran.errors)) == (1, 1)
    ran = run("pose", hostile / name, "--frame", 0)
    assert (ran.code, len(ran.errors), ran.out) == (1, 1, "")


_PEAK = (
    "print(1024 * int(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1]))"
    if sys.platform == "linux"  # where getrusage knows the peak of the process that started this one, too
    else "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == 'darwin' else 1024))"
)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell a process's peak of memory this way")
def test_memory(hostile: Path) -> None:
    code = "import sys; from retro_anim.cli.main import main; code = main(['verify', sys.argv[1]]); " + _PEAK + "; sys.exit(code)"
    ran = subprocess.run([sys.executable, "-c", code, hostile], capture_output=True, text=True, timeout=300)
    assert (ran.returncode, "Traceback" in ran.stderr) == (1, False)
    assert int(ran.stdout.splitlines()[-1]) < 200e6


def test_a_file_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    assert run("verify", tmp_path / "nothing.anm").errors == [f"{tmp_path / 'nothing.anm'}: No such file or directory"]
    (tmp_path / "notes.txt").write_text("no game file\n" * 20)
    assert run("verify", tmp_path / "notes.txt").errors == [f"{tmp_path / 'notes.txt'}: not a file of any known format"]
    (tmp_path / "link.anm").symlink_to(tmp_path / "link.anm")
    assert len(run("verify", tmp_path, "--json").errors) <= 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such file names")
def test_a_name_with_anything_in_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / b"line\nbreak\xff.anm".decode(errors="surrogateescape")
    path.write_bytes(b"")
    ran = run("verify", path, "--json")
    assert (ran.code, len(ran.errors), len(ran.json["failed"])) == (1, 1, 1)


def test_names_do_not_reach_the_terminal_as_they_are(run: Run, tmp_path: Path) -> None:
    """Escapes of the terminal, C1, DEL, line breaks and marks of direction are written out, in results and errors."""
    name = "a\x1b[31m\x7f\x9b\u202e\n\u200fz"
    good, bad = tmp_path / f"{name}.pal", tmp_path / f"{name}.txt"
    good.write_bytes(bytes(768))
    bad.write_bytes(b"nothing")
    ran = run("info", good, bad)
    for text in (ran.out, ran.err):
        assert "a\\x1b[31m\\x7f\\x9b\\u202e\\x0a\\u200fz" in text
        assert text.replace("\n", "").isprintable()


def test_a_body_of_oni_without_instances(run: Run, tmp_path: Path) -> None:
    """Its first tag is there, but the count of instances is 0: found by fuzzing."""
    sample = (Path(__file__).resolve().parents[2] / "samples/oni/TRBSmannequin.oni").read_bytes()
    path = tmp_path / "none.oni"
    path.write_bytes(sample[:0x14] + bytes(4) + sample[0x18:])
    ran = run("info", path)
    assert (ran.code, len(ran.errors)) == (1, 1) and "no instance" in ran.err


def test_arguments_do_not_reach_the_terminal_as_they_are(run: Run) -> None:
    ran = run("convert", "a.anm", "-o", "a\x1b[31m\u202e.none")
    assert ran.code == 2 and "a\\x1b[31m\\u202e.none does not end in one of" in ran.err
    assert ran.err.replace("\n", "").isprintable()


@pytest.mark.parametrize("command", [("info",), ("verify",), ("archive", "list"), ("archive", "extract")])
def test_names_that_no_system_takes(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    ran = run(*command, tmp_path / ("x" * 300 + ".hqr"))
    assert ran.code == 1 and len(ran.errors) == 1 and "too long" in ran.err.lower()


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="no such devices here")
@pytest.mark.parametrize("name", ["null.anm", "null.oni", "null.hqr"])
def test_devices_and_pipes_are_not_waited_for(run: Run, tmp_path: Path, name: str) -> None:
    """They may have no end, or nobody who writes into them."""
    path = tmp_path / name
    path.symlink_to("/dev/null")
    for command in (("info",), ("verify",), ("archive", "list")):
        assert run(*command, path).errors == [f"{path}: is no regular file"]
