"""What a text field for a file offers while it is typed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

Part = Callable[[str], ModuleType]


def test_files_beside_and_below(part: Part, tmp_path: Path) -> None:
    nearby: Any = part("operators.shared.nearby")
    for name in ("game/ANIM.HQR", "game/RESS.HQR", "game/notes.txt", "game/.hidden.hqr", "other/BODY.HQR", "other/deep/FAR.HQR"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    game = tmp_path / "game"

    def offered(text: str, folders: bool = False) -> list[str]:
        return [str(Path(path).relative_to(tmp_path)) for path in nearby.suggestions(text, game, (".hqr",), folders)]

    assert offered("") == ["game/ANIM.HQR", "game/RESS.HQR", "other/BODY.HQR"]
    assert offered("ress") == ["game/RESS.HQR"]
    assert offered("", folders=True) == ["game", "other", "other/deep"]
    typed = nearby.suggestions(f"{tmp_path}{os.sep}o", game, (".hqr",), False)
    assert typed == [f"{tmp_path / 'other'}{os.sep}"], "a folder on the way"
    assert nearby.suggestions(typed[0], game, (".hqr",), False) == [
        str(tmp_path / "other" / "BODY.HQR"),
        f"{tmp_path / 'other' / 'deep'}{os.sep}",
    ]
    assert nearby.suggestions("ress", None, (".hqr",), False) == []
    assert nearby.suggestions(str(tmp_path / "nowhere" / "x"), game, (), False) == []
