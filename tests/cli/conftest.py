"""A small character made up for tests: a body of five groups, an animation of four keyframes, and an archive with both."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from retro_anim.cli import main

CHAIN_ANM = bytes.fromhex("""
    04000500010001000a00000000000000000000000000000001000000000000000000000000000000000000000000000000000000000000000f0000000000f000
    0000000000000000010000000c00f8ff0000e80328000000000018000000640000008000000000000a0000000000f000010000004000000001000000f4ff0800
    00001800d8032c010000e80300009c03000080030002000005000a00ecff1e0001000000c0ff0000010000000000000000000000000000000000000000000000
    0000000000000000
""")

CHAIN_HQR = bytes.fromhex("""
    140000008801000000000000f5010000a70200006a0100006a010000000003006aff960000009001ceff5e010a00000000000000000000000b00000000000000
    0000640000000000000000003200c8000000ceffc8000000000000000000000000002c010000000000009cff000000000000000000000000b0ff280005000000
    02000000ffff0000000000000000000000000000000000000000000000000000000000000c000300060000000000000000000000000001000000000000000000
    000000000000000000001e000200120026000000000000000000080000000000000000000000000000000000000000002a000200180026000000000000000000
    080000000000000000000000000000000000000000003600020024004c0000000000000000000800000000000000000000000000000000000000000001000000
    00004000000103000003140000000c0012000703240000000c001200180009043400000012000000240000003000000018000100000f00002400360001000042
    000019003c000000c8000000630000000100df040005000111000a00500c0010010f000b000f5300f0fb02ef0c00f8ff5000e803282a130118310064310080d3
    00f40574f002720240f502f4ff08730247d8032ce100700330009c3100c580300002500050091003ecff051e7302c05105ff080d006a010000a80000000200ff
    03006aff960000007f9001ceff5e010a9000ea05000b96006496003200c8665000ceff510007002c017300fb9cff5901b0ff280005ca7000023000ff9a010f00
    0c00470300061a0124050a001eb00497120026f600082f0200002ad25002185f020c003650022400d14c5f020a0053084080000300d7000314b0000c10080703
    7d2494001800090434b000a912300031013030001851030ffaf1003691004200001900013c7001
""")
"""The body stored, the animation of method 1, a blank entry, the body of method 2."""

CHAIN_LM1 = CHAIN_HQR[0x1E:0x188]


@dataclass(frozen=True)
class Ran:
    """What a command gave back."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def errors(self) -> list[str]:
        return self.err.splitlines()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs the command line: `run("verify", path, "--json")`."""

    def run_main(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run_main


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """A folder with chain.anm, chain.lm1 and chain.hqr."""
    folder = tmp_path / "chain"
    folder.mkdir()
    for name, data in (("chain.anm", CHAIN_ANM), ("chain.lm1", CHAIN_LM1), ("chain.hqr", CHAIN_HQR)):
        (folder / name).write_bytes(data)
    return folder


def archive(*entries: bytes, method: int = 0, claim: int | None = None) -> bytes:
    """An HQR of `entries` as they are, all headers with `method`; claim: what they say they unpack to."""
    place, table, body = 4 * (len(entries) + 1), [], b""
    for entry in entries:
        table.append(place + len(body))
        real = len(entry) if claim is None else claim
        body += b"".join(number.to_bytes(size, "little") for number, size in ((real, 4), (len(entry), 4), (method, 2))) + entry
    return b"".join(number.to_bytes(4, "little") for number in (*table, place + len(body))) + body
