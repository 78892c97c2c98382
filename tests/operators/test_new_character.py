"""The dialog of *New Character* of Tales of Pirates: where it goes, what empty fields say, and what can be chosen from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import pytest
from support import blender_rigs as rigs
from support.blender_layout import Layout
from support.mindpower import mindpower_files

OPS: Any = bpy.ops
TYPES: Any = bpy.types
Part = Callable[[str], ModuleType]


@pytest.fixture
def client(tmp_path: Path) -> Path:
    return mindpower_files.public_client(tmp_path / "client")


@pytest.fixture
def opened(part: Part, client: Path) -> Iterator[Path]:
    """The client, as a game that was opened."""
    preferences = part("operators.shared.preferences")
    own = preferences.preferences(bpy.context)
    own.remembered.clear()
    preferences.remember(bpy.context, "mindpower", str(client), asked=True)
    yield client
    own.remembered.clear()


def asked(part: Part, **given: Any) -> tuple[Any, dict[str, str]]:
    """The operator as its dialog shows it, and what its fields say while they are empty."""
    module, said = part("operators.mindpower.character"), dict[str, str]()

    class Fields(Layout):
        def _inner(self, *_: Any, **__: Any) -> Fields:
            return Fields(self.drawn)

        row = column = _inner

        def panel(self, name: str, **_: Any) -> tuple[Layout, None]:  # folded in
            return Fields(self.drawn), None

        def prop(self, data: Any, name: str, text: str = "", icon: str = "NONE", placeholder: str = "", **_: Any) -> None:
            said[name] = placeholder

    kind = module.RETRO_ANIM_OT_mindpower_character
    values = {"directory": "", "entry": "", "name": "", "like": "", "number": 0, "id": 0, "action_type": 0}
    operator = SimpleNamespace(**(values | given), bl_label=kind.bl_label, bl_rna=OPS.retro_anim.mindpower_character.get_rna_type())
    operator.layout = Fields([])
    manager = SimpleNamespace(invoke_props_dialog=lambda *_, **__: {"RUNNING_MODAL"})
    layer = bpy.context.view_layer
    context: Any = SimpleNamespace(
        window_manager=manager, preferences=bpy.context.preferences, view_layer=layer, object=layer.objects.active, scene=bpy.context.scene
    )
    assert kind.invoke(operator, context, None) == {"RUNNING_MODAL"}
    kind.draw(operator, context)
    return operator, said


def test_it_goes_into_the_client_that_was_opened_last(part: Part, opened: Path) -> None:
    """And an armature that came from no client is called as it is; its numbers, which are folded in, are free ones."""
    bpy.context.view_layer.objects.active = rigs.build("Doll")
    operator, said = asked(part)
    assert Path(operator.directory) == opened
    placeholders = "placeholder" in TYPES.UILayout.bl_rna.functions["prop"].parameters
    assert said == {
        "directory": "",
        "entry": "Doll" if placeholders else "",
        "name": "Doll" if placeholders else "",
        "like": "the first monster" if placeholders else "",
    }
    if placeholders:
        assert asked(part, entry="Big Crab")[1]["name"] == "the copied one's"


def test_without_a_client_it_is_asked_for_one(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """By another operator, whose dialog comes back here; this one is over, and Blender frees it."""
    module, asked_for = part("operators.mindpower.character"), list[str]()
    monkeypatch.setattr(module, "_last_client", lambda _context: "")
    own = SimpleNamespace(mindpower_client=lambda how: asked_for.append(how) or {"RUNNING_MODAL"})
    monkeypatch.setattr(module.bpy, "ops", SimpleNamespace(retro_anim=own))
    context: Any = SimpleNamespace(view_layer=bpy.context.view_layer, object=None, scene=bpy.context.scene)
    kind = module.RETRO_ANIM_OT_mindpower_character
    assert kind.invoke(SimpleNamespace(directory=""), context, None) == {"CANCELLED"} and asked_for == ["INVOKE_DEFAULT"]


def test_characters_of_the_client_are_offered(part: Part, client: Path) -> None:
    offered = part("operators.mindpower.character")._characters
    names = dict(offered(SimpleNamespace(directory=str(client)), bpy.context, ""))
    assert "Big Crab" in names and names["Big Crab"].startswith("id=")
    assert [name for name, _ in offered(SimpleNamespace(directory=str(client)), bpy.context, "BIG C")] == ["Big Crab"]
    assert offered(SimpleNamespace(directory=""), bpy.context, "") == []


def test_a_dialog_reads_the_list_once(part: Part, client: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not with each letter; the next dialog reads anew, since characters may have been added."""
    files, read = part("core.mindpower.client.client_files"), list[str]()
    read_file = files.read_file
    monkeypatch.setattr(files, "read_file", lambda path: read.append(Path(path).name) or read_file(path))
    offered = part("operators.mindpower.character")._characters
    for _ in range(2):
        operator, _ = asked(part, directory=str(client))
        once = len(read)
        for text in ("", "b", "bi", "big"):
            assert "Big Crab" in dict(offered(operator, bpy.context, text))
        assert len(read) == once
    assert once == 2 * len(set(read)) > 0


@pytest.mark.parametrize("failure", [PermissionError(13, "Permission denied"), MemoryError()])
def test_a_list_that_cannot_be_read_is_a_line_of_the_dialog(
    part: Part, client: Path, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """Fields offer nothing, and print nothing."""

    def refused(_: object) -> bytes:
        raise failure

    monkeypatch.setattr(part("core.mindpower.client.client_files"), "read_file", refused)
    operator, _ = asked(part, directory=str(client))
    assert part("operators.mindpower.character")._characters(operator, bpy.context, "b") == []
    assert any("denied" in text or "memory" in text for text in operator.layout.drawn)


def test_without_a_name_it_is_called_as_its_armature(part: Part, client: Path) -> None:
    doll = rigs.build("Doll")
    rigs.dance(part, doll)
    mindpower = part("io.mindpower")
    assert mindpower.make_character(bpy.context, doll, client, mindpower.CharacterOptions(like="Big Crab")).name == "Doll"


def test_a_client_that_was_not_chosen_is_said_in_one_line(addon: Any, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError, match=r"^Error: choose the client's folder\s*$"):
        OPS.retro_anim.mindpower_client("EXEC_DEFAULT")
    assert "Traceback" not in capfd.readouterr().err
