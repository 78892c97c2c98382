"""What the operating system refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.reporting.errors import RetroAnimError, of_system


def test_one_line(tmp_path: Path) -> None:
    with pytest.raises(RetroAnimError, match=r"none: No such file or directory$"), of_system():
        (tmp_path / "none").read_bytes()
    with pytest.raises(RetroAnimError, match=r"^there is not enough memory: Unable to allocate .*$"), of_system():
        np.empty(1 << 55)


def test_who_reads_the_output_has_had_enough() -> None:
    with pytest.raises(BrokenPipeError), of_system():
        raise BrokenPipeError
