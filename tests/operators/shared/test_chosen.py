"""Dialogs whose work failed open with what was chosen in them, for the same, until it is finished."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops


class Dialog(SimpleNamespace):
    """An operator of which some properties are no option, and set by whoever opens it. given: those."""

    def __init__(self, given: tuple[str, ...] = (), **values: Any) -> None:
        own = {name: SimpleNamespace(is_skip_save=name == "filepath") for name in values}
        rna = SimpleNamespace(properties=own)
        super().__init__(properties=SimpleNamespace(bl_rna=rna, is_property_set=lambda name: name in given), **values)


@pytest.fixture(autouse=True)
def chosen(part: Any) -> Any:
    module = part("operators.shared.declared")
    module._kept.clear()
    return module


def test_what_was_chosen_for_the_same_comes_back(chosen: Any) -> None:
    walk, run = (bpy.data.actions.new(name) for name in ("walk", "run"))
    chosen.keep(Dialog(filepath="/full/walk.anm", fps=50), "export", walk, ("filepath", "fps"))
    for action, given, shown in (
        (walk, (), ("/full/walk.anm", 50)),
        (run, (), ("", 25)),
        (None, (), ("", 25)),
        (walk, ("filepath", "fps"), ("", 50)),  # what options keep is set by Blender, and is older
    ):
        dialog = Dialog(given, filepath="", fps=25)
        chosen.restore(dialog, "export", action)
        assert (dialog.filepath, dialog.fps) == shown
    chosen.forget("export")
    dialog = Dialog(filepath="")
    chosen.restore(dialog, "export", walk)
    assert dialog.filepath == ""


def test_an_exporter_keeps_it_until_it_has_written(part: Any, chosen: Any, chain: Path, fetch: Any, tmp_path: Path) -> None:
    """A name that is refused, a folder that is not there; then the file."""
    fetch(chain / "chain.anm", skeleton=str(chain / "chain.lm1"))
    kind = part("operators.lba").EXPORT_ANIM_OT_lba
    (tmp_path / "walk.txt").write_text("mine")
    reports: list[Any] = []
    options = {name: None for names in kind.groups().values() for name in names}
    owner = SimpleNamespace(**options, filepath=str(tmp_path / "walk.txt"), in_window=True, extensions=kind.extensions, row=kind.row)
    owner.suggestion, owner.groups, owner.dialog = (lambda _context: (bpy.data.actions[0], ())), kind.groups, kind.dialog
    owner.report = lambda *said: reports.append(said)
    assert kind.execute(owner, bpy.context) == {"CANCELLED"} and reports
    known = chosen._kept["export_anim.lba"]
    assert (known[0], known[1]["filepath"]) == (str(bpy.data.actions[0].session_uid), str(tmp_path / "walk.txt"))
    with pytest.raises(RuntimeError):
        OPS.export_anim.lba(filepath=str(tmp_path / "gone" / "walk.anm"))
    assert chosen._kept
    assert OPS.export_anim.lba(filepath=str(tmp_path / "walk.anm")) == {"FINISHED"}
    assert not chosen._kept
