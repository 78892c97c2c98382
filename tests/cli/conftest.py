"""A small character made up for tests: a body of five groups, an animation of four keyframes, and an archive with both."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.lba import lba1_chain


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
        from retro_anim.cli.main import main  # not before Blender has started: it may be the installed zip that is under test

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
    for name, data in (("chain.anm", lba1_chain.ANM), ("chain.lm1", lba1_chain.LM1), ("chain.hqr", lba1_chain.HQR)):
        (folder / name).write_bytes(data)
    return folder


def archive(*entries: bytes, method: int = 0, claim: int | None = None) -> bytes:
    """An HQR of `entries` as they are, all headers with `method`; claim: what they say they unpack to."""
    offset, table, body = 4 * (len(entries) + 1), [], b""
    for entry in entries:
        table.append(offset + len(body))
        real = len(entry) if claim is None else claim
        body += b"".join(number.to_bytes(size, "little") for number, size in ((real, 4), (len(entry), 4), (method, 2))) + entry
    return b"".join(number.to_bytes(4, "little") for number in (*table, offset + len(body))) + body
