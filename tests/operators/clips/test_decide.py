"""What an export asks in the window before it writes: copies, and what another program has changed. A script gets the line as an error."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.blender_layout import Layout
from support.lba import lba1_chain
from support.lba.lba_entities import unpacked
from support.one_edit import edit
from support.shown_stages import STAGES

OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[3] / "samples"

Part = Callable[[str], Any]


class Lines(list[Any]):
    def add(self) -> Any:
        self.append(SimpleNamespace())
        return self[-1]


@pytest.fixture
def archive(part: Part, chain: Path) -> Path:
    """Two animations."""
    result = part("core.lba.files.archive.hqr").Hqr.empty()
    for index in range(2):
        result = result.with_entry(index, lba1_chain.ANM)
    path = chain / "chain.hqr"
    path.write_bytes(result.pack())
    return path


@pytest.fixture
def entries(part: Part, archive: Path) -> Callable[[], list[bytes]]:
    def read() -> list[bytes]:
        held = part("core.lba.files.archive.hqr").Hqr.parse(archive.read_bytes())
        return [held.read(index) for index in range(len(held))]

    return read


@pytest.fixture
def walk(fetch: Any, chain: Path, archive: Path) -> Any:
    return fetch(archive, entries="0", skeleton=str(chain / "chain.lm1")).actions[0]


@pytest.fixture
def export(part: Part, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run the exporter as its file browser does, and answer its dialogs in turn, each by the actions' names; returns what was asked. name:
    the game, or an armature whose whole character is saved. said: what the status bar shows, in turn."""
    decide = part("operators.shared.decide")
    kind = decide.RETRO_ANIM_OT_decide
    said = list[str]()

    def run(path: Path, *replies: dict[str, str], name: str = "lba", **options: Any) -> list[list[Any]]:
        opened: list[list[Any]] = []
        asked: list[list[Any]] = []
        monkeypatch.setattr(decide, "_open", lambda operator, again, options, questions: opened.append([options, questions]))
        operator = SimpleNamespace(report=lambda kinds, text: said.append(text))
        game = part("core.games").GAMES.get(name)
        if name == "clips":
            clips = part("operators.clips.saving").RETRO_ANIM_OT_save_clips
            clips.execute(SimpleNamespace(report=operator.report, in_window=True, ticked=False), bpy.context)
        elif game is None:
            decide.save(operator, bpy.context, name, {}, [])
        else:
            decide.export(operator, bpy.context, game, str(path), options, [])
        for reply in replies:
            values, questions = opened.pop()
            asked.append(questions)
            dialog = SimpleNamespace(report=operator.report, questions=Lines(), filepath=str(path), options=json.dumps(values))
            dialog.game, dialog.character = (name, "") if game is not None else ("", "" if name == "clips" else name)
            dialog.clips = json.dumps([bpy.context.object.animation_data.action.name]) if name == "clips" else ""
            dialog.asked = lambda dialog=dialog: kind.asked(dialog)
            kind.fill(dialog, questions)
            for line in dialog.questions:
                line.answer = reply.get(line.title, line.answer)
                assert line.answer in line.answers.split()
            kind.execute(dialog, bpy.context)
        return [*asked, *(questions for _, questions in opened)]

    run.said = said  # type: ignore[attr-defined]
    return run


@pytest.fixture
def copy(part: Part, walk: Any) -> Any:
    """Of an action that was edited and written, an edited copy, which is shown."""
    result = walk.copy()
    result.name = "amble"
    edit(part, result, 0.3)
    part("io.blender.compat").assign(bpy.context.object, result)
    return result


@pytest.mark.parametrize("answer", ["NEW", "REPLACE", "LEAVE"])
def test_a_copy_asks(export: Any, entries: Any, archive: Path, copy: Any, answer: str, part: Part) -> None:
    (asked,) = export(archive, {"amble": answer})
    (question,) = asked
    assert question.title == "amble" and question.where == f"{archive}#0" and set(question.answers) == {"NEW", "REPLACE", "LEAVE"}
    after = entries()
    assert len(after) == (3 if answer == "NEW" else 2) and after[1] == lba1_chain.ANM
    assert (after[0] == lba1_chain.ANM) == (answer != "REPLACE")
    if answer != "LEAVE":
        edit(part, copy, 0.2)
        assert export(archive) == [], "it is known from then on where it goes"
        assert len(entries()) == len(after) and entries()[-1 if answer == "NEW" else 0] != after[-1 if answer == "NEW" else 0]


def test_a_copy_in_a_file_gets_one_of_its_own(export: Any, fetch: Any, part: Part, chain: Path) -> None:
    path = chain / "chain.anm"
    (action,) = fetch(path).actions
    copy = action.copy()
    copy.name = "amble"
    edit(part, copy, 0.3)
    part("io.blender.compat").assign(bpy.context.object, copy)
    export(path, {"amble": "NEW"})
    assert path.read_bytes() == lba1_chain.ANM != (chain / "amble.anm").read_bytes()


def test_two_edited_copies_ask_which(export: Any, entries: Any, archive: Path, walk: Any, copy: Any, part: Part) -> None:
    edit(part, walk, 0.6)
    (asked,) = export(archive, {}, source="ALL")
    assert {(question.title, question.answers[0]) for question in asked} == {(walk.name, "REPLACE"), ("amble", "NEW")}
    after = entries()
    assert len(after) == 3 and lba1_chain.ANM not in (after[0], after[2]) and after[0] != after[2]


def test_contradicting_answers_ask_again(export: Any, entries: Any, archive: Path, walk: Any, copy: Any, part: Part) -> None:
    edit(part, walk, 0.6)
    asked = export(archive, dict.fromkeys((walk.name, "amble"), "REPLACE"), {walk.name: "LEAVE"}, source="ALL")
    assert len(asked) == 2 and {question.answers[0] for question in asked[1]} == {"REPLACE", "NEW"}
    assert len(entries()) == 3 and entries()[0] == lba1_chain.ANM


@pytest.mark.parametrize("name", ["lba", "clips"])
@pytest.mark.parametrize("answer", ["REPLACE", "LEAVE"])
def test_what_another_program_changed_asks(export: Any, entries: Any, archive: Path, walk: Any, part: Part, answer: str, name: str) -> None:
    """By the exporter, and by *Save* in the list of clips; what was left is not known as written."""
    foreign = bytearray(lba1_chain.ANM)
    foreign[8] ^= 1
    hqr = part("core.lba.files.archive.hqr").Hqr
    archive.write_bytes(hqr.parse(archive.read_bytes()).with_entry(0, bytes(foreign)).pack())
    edit(part, walk, 0.3)
    bpy.context.view_layer.update()
    (asked,) = export(archive, {walk.name: answer}, name=name)
    assert (part("operators.clips.states").state(walk) == "unchanged") == (answer == "REPLACE")
    assert export.said[-1].startswith({"REPLACE": "1 of 1 changed: #0 ", "LEAVE": "left alone: #0 "}[answer])
    assert "changed by another program" in asked[0].problem and asked[0].answers == ("LEAVE", "REPLACE")
    assert (entries()[0] == bytes(foreign)) == (answer == "LEAVE")


@pytest.mark.parametrize(
    ("game", "answer"), [("Oni1", "REPLACE"), ("Oni1", "LEAVE"), ("Oni2", "REPLACE"), ("Oni2", "LEAVE"), ("pirates", "REPLACE")]
)
def test_what_another_program_changed_asks_in_other_games(export: Any, part: Part, tmp_path: Path, game: str, answer: str) -> None:
    stage = STAGES[game](part, tmp_path)
    foreign = bytearray(stage.path.read_bytes())
    foreign[-3] ^= 1
    stage.path.write_bytes(foreign)
    assert export(stage.path, name=stage.game) == [] and stage.path.read_bytes() == foreign, "what was not edited asks nothing"
    edit(part, stage.action, 0.3)
    (asked,) = export(stage.path, {stage.action.name: answer}, name=stage.game)
    (question,) = asked
    assert "changed by another program" in question.problem
    assert question.answers == (("REPLACE",) if game == "pirates" else ("LEAVE", "REPLACE"))
    assert (stage.path.read_bytes() == foreign) == (answer == "LEAVE")
    assert stage.path.with_name(f"{stage.path.name}.bak").exists() == (answer == "REPLACE")


def test_a_script_gets_the_line(part: Part, archive: Path, copy: Any) -> None:
    errors = part("core.reporting.errors")
    game, decide = part("core.games").GAMES["lba"], part("operators.shared.decide")
    said: list[str] = []
    operator = SimpleNamespace(report=lambda kinds, text: said.append(text))
    assert decide.export(operator, bpy.context, game, str(archive), {}, None) == {"CANCELLED"}
    assert len(said) == 1 and "is a copy of" in said[0] and "or Replace Anyway" in said[0]
    with pytest.raises(errors.ExportError, match="is a copy of"):
        part("io.pipeline.games").export(bpy.context, game, str(archive), {})


@pytest.mark.parametrize("answer", ["NEW", "LEAVE"])
def test_save_character_asks_as_an_export_does(export: Any, part: Part, tmp_path: Path, fetch: Any, answer: str) -> None:
    game = tmp_path / "game"
    shutil.copytree(SAMPLES / "lba1", game, copy_function=shutil.copyfile)
    archive, states = game / "ANIM.HQR", part("operators.clips.states")
    walk = fetch(archive, entities="0").actions[1]
    copy = walk.copy()
    copy.name = "amble"
    for number, action in enumerate((walk, copy), 1):
        edit(part, action, number)
    before = unpacked(archive.read_bytes())
    (asked,) = export(archive, {"amble": answer}, name=bpy.context.object.name)
    assert {question.title: question.answers[0] for question in asked} == {walk.name: "REPLACE", "amble": "NEW"}
    after = unpacked(archive.read_bytes())
    assert [a == b for a, b in zip(before, after, strict=False)] == [index != 1 for index in range(len(before))]
    assert len(after) == len(before) + (answer == "NEW")
    assert (states.state(walk), states.state(copy)) == ("unchanged", "unchanged" if answer == "NEW" else "")
    assert archive.with_name("ANIM.HQR.bak").exists()


def test_a_script_that_saves_a_character_gets_the_line(part: Part, tmp_path: Path, fetch: Any) -> None:
    game = tmp_path / "game"
    shutil.copytree(SAMPLES / "lba1", game, copy_function=shutil.copyfile)
    walk = fetch(game / "ANIM.HQR", entities="0").actions[1]
    for number, action in enumerate((walk, walk.copy()), 1):
        edit(part, action, number)
    before = (game / "ANIM.HQR").read_bytes()
    with pytest.raises(RuntimeError, match=r"both go to .*ANIM\.HQR#1, and differ"):
        OPS.retro_anim.lba_save()
    assert (game / "ANIM.HQR").read_bytes() == before


def test_save_names_the_other_edited_clips_of_a_file_that_it_writes_whole(
    export: Any, part: Part, tmp_path: Path, monkeypatch: Any
) -> None:
    """A person is asked before anything is written; a script finds it in the messages."""
    shutil.copytree(SAMPLES / "mindpower", tmp_path / "client", copy_function=shutil.copyfile)
    path = tmp_path / "client" / "animation" / "0001.lab"
    OPS.import_anim.mindpower(filepath=str(path))
    before, obj = path.read_bytes(), bpy.context.object
    clips = part("operators.clips").clips_of(obj)
    shown, other = clips[:2]
    part("io.blender.compat").assign(obj, shown)
    edit(part, shown)
    assert export(path, name="clips") == [] and path.read_bytes() != before, "of the one clip alone nothing is asked"
    before = path.read_bytes()
    for action in (shown, other):
        edit(part, action)
    (asked,) = export(path, name="clips")
    assert path.read_bytes() == before and len(asked) == 1
    (question,) = asked
    assert question.answers == ("ALL",) and question.where == str(path)
    assert question.problem.endswith(f"1 other of them was edited and goes along: {other.name}")
    assert question.title == f"2 edited clips of {obj.name}"
    assert export(path, {}, name="clips") == [asked] and path.read_bytes() != before
    for action in (shown, other):
        edit(part, action, -0.1)
    with part("core.reporting.log").collect() as said:
        part("io.pipeline.out_of_blender.saving").save(bpy.context, [shown.name])
    assert [message.text for message in said.of("INFO")] == [question.problem]


def test_the_dialog_says_what_goes_along(part: Part) -> None:
    """All of it, in as many lines as it needs; its own button is the only answer."""
    decide = part("operators.shared.decide")
    names = ", ".join(f"0001 {number} a long name of a clip" for number in range(20))
    problem = f"0001.lab holds all clips of 0001, and 20 others of them were edited and go along: {names}"
    line = SimpleNamespace(title="21 edited clips of 0001", where="/client/animation/0001.lab", problem=problem, answers="ALL")
    drawn: list[Any] = []

    class Dialog(Layout):
        def box(self) -> Layout:
            return Dialog(self.drawn)

    decide.RETRO_ANIM_OT_decide.draw(SimpleNamespace(layout=Dialog(drawn), questions=[line]), bpy.context)
    assert drawn[0] == "21 edited clips of 0001 → 0001.lab"
    assert " ".join(drawn[1:]) == problem and 5 < len(drawn) < 30


LOOSE = {
    "lba": "lba1/walk.anm",
    "oni": "oni/TRAMmannequin_walk.oni",
    "oni2": "oni2/Entity/mannequin/mannequin_walk.anim",
    "mindpower": "mindpower/animation/0001.lab",
}


@pytest.mark.thorough
@pytest.mark.parametrize("game", LOOSE)
def test_save_asks_whether_a_clip_becomes_as_long_as_the_scene_plays_it(export: Any, tmp_path: Path, game: str) -> None:
    """As in a new file that a character was linked into. Nobody has edited it; to a script it is said."""
    kept = tmp_path / "game"
    shutil.copytree(SAMPLES / LOOSE[game].split("/")[0], kept, copy_function=shutil.copyfile)
    path = kept / LOOSE[game].partition("/")[2]
    assert getattr(OPS.import_anim, game)(filepath=str(path)) == {"FINISHED"}
    before, scene = path.read_bytes(), bpy.context.scene
    assert export(path, name="clips") == [] and path.read_bytes() == before
    scene.render.fps, scene.render.fps_base = 24, 2.0
    (asked,) = export(path, {"Frame Rate": "IMPORT"}, name="clips")
    (question,) = asked
    assert question.answers == ("IMPORT", "SCENE") and question.where == scene.name and "the scene has 12 now" in question.problem
    assert path.read_bytes() == before, "as in the game"
    answers = [{"Frame Rate": "SCENE"}] * (1 + (game == "mindpower"))  # whose file holds all clips, which is asked, too
    assert export(path, *answers, name="clips")[0] == asked and path.read_bytes() != before


def test_save_speaks_of_the_rates_of_the_clips_alone_that_it_writes(export: Any, tmp_path: Path, part: Part) -> None:
    game = tmp_path / "game"
    shutil.copytree(SAMPLES / "lba1", game, copy_function=shutil.copyfile)
    assert OPS.import_anim.lba(filepath=str(game / "ANIM.HQR"), entities="0") == {"FINISHED"}
    bpy.context.scene.render.fps = 25
    ((question,),) = export(game / "ANIM.HQR", name="clips")
    assert question.problem.startswith(f"{bpy.context.object.animation_data.action.name} came in at 50")
    whole = export(game / "ANIM.HQR", {"Frame Rate": "IMPORT"}, name=bpy.context.object.name)
    assert whole[0][0].problem.startswith("4 actions (first: ") and whole[0][0].answers == question.answers
    assert not (game / "ANIM.HQR.bak").exists()
    names = [part("operators.clips").clips_of(bpy.context.object)[0].name]
    saved = part("io.pipeline.out_of_blender.saving").save(bpy.context, names)
    (said,) = (line for line in saved.warnings if "came in at" in line)
    assert said.startswith(f"{names[0]} came in at 50") and "choose Import as Frame Rate" in said


def test_save_asks_as_an_export_does_what_a_new_entry_is_used_for(
    export: Any, fetch: Any, part: Part, tmp_path: Path, monkeypatch: Any
) -> None:
    """The game plays it only where a character has it for a role."""
    shutil.copytree(SAMPLES / "lba1", tmp_path / "game", copy_function=shutil.copyfile)
    archive, asked = tmp_path / "game" / "ANIM.HQR", list[list[str]]()
    walk = fetch(archive, entities="0").actions[1]
    copy = walk.copy()
    copy.name = "amble"
    edit(part, copy)
    part("io.blender.compat").assign(bpy.context.object, copy)
    users = part("io.lba.characters.users")
    monkeypatch.setitem(
        part("operators.shared.decide").FOLLOWING, "lba", lambda exported: asked.append([name for name, _ in users.unused_of(exported)])
    )
    export(archive, {"amble": "NEW"}, name="clips")
    assert asked == [["amble"]]
