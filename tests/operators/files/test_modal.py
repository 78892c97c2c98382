"""Long work goes on part by part while Blender is used: what it keeps when it is stopped, and that however it ends its timer is gone, and
cursor and status bar are as before."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy as blender
import numpy as np
import pytest

bpy: Any = blender
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
Part = Callable[[str], ModuleType]
TIMER = SimpleNamespace(type="TIMER", value="NOTHING")
ESC = SimpleNamespace(type="ESC", value="PRESS")
RESTED = ["event_timer_remove", "progress_end", "status_text_set"]


class Window:
    """Stands in for the window manager and the workspace: what is called, in order. texts: what the status bar said."""

    def __init__(self) -> None:
        self.called: list[str] = []
        self.texts: list[str] = []
        self.retro_anim_messages = None
        self.redrawn: list[str] = []
        areas = [SimpleNamespace(type=kind, tag_redraw=partial(self.redrawn.append, kind)) for kind in ("VIEW_3D", "INFO")]
        self.windows = [SimpleNamespace(screen=SimpleNamespace(areas=areas))]

    def __getattr__(self, name: str) -> Callable[..., object]:
        def called(*_arguments: Any, **_named: Any) -> object:
            self.called.append(name)
            return object()

        return called

    def status_text_set(self, text: str | None) -> None:
        self.called.append("status_text_set")
        self.texts += [text] if text else []


class Running:
    """An operator whose work has begun in a window."""

    def __init__(self, part: Part, monkeypatch: pytest.MonkeyPatch, work: Callable[[], Any]) -> None:
        modal = part("operators.shared.modal")
        for longest in ("BUDGET", "LONGEST"):
            monkeypatch.setattr(modal, longest, 0)  # one part at a time, however long this process had to wait
        self.later: list[Callable[[], object]] = []
        timers = SimpleNamespace(register=lambda function, first_interval: self.later.append(function))
        app = SimpleNamespace(background=False, handlers=bpy.app.handlers, timers=timers)
        self.window = Window()
        monkeypatch.setattr(modal, "bpy", SimpleNamespace(app=app, data=bpy.data))
        self.job = part("operators.shared.job").Job(work)
        self.reported: list[tuple[set[str], str]] = []
        self.operator = modal.Lasting()
        self.operator.report = lambda levels, text: self.reported.append((levels, text))
        parts = {name: getattr(bpy.context, name) for name in ("scene", "view_layer", "collection")}
        self.context = SimpleNamespace(window_manager=self.window, workspace=self.window, window=self.window, **parts)
        self.result: Any = None
        self._report = part("operators.shared.job").conclude
        assert self.operator.lasting(self.context, self.job, self._conclude) == {"RUNNING_MODAL"}
        self.window.called.clear()

    def _conclude(self, *given: Any) -> set[str]:
        self.result = self._report(*given)
        return {"CANCELLED"} if self.result is None else {"FINISHED"}

    def send(self, *events: Any) -> Any:
        """What the last of the events gave."""
        return [self.operator.modal(self.context, event) for event in events][-1]


@pytest.fixture
def running(part: Part, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], Running]:
    return lambda work: Running(part, monkeypatch, work)


def test_an_expected_error(part: Part, running: Any) -> None:
    def work() -> Any:
        yield part("core.reporting.progress").Step(0, 2, "first")
        raise part("core.reporting.errors").RetroAnimError("a bone is gone")

    run = running(work)
    assert run.send(TIMER) == {"RUNNING_MODAL"}
    run.window.called.clear()
    assert run.send(TIMER) == {"CANCELLED"}
    assert run.window.called == RESTED and run.reported == [({"ERROR"}, "a bone is gone")]
    assert run.window.redrawn == ["VIEW_3D"]  # at the end, once


def test_any_other_error(running: Any) -> None:
    def work() -> Any:
        raise ReferenceError("StructRNA of type Object has been removed")

    run = running(work)
    with pytest.raises(ReferenceError):
        run.send(TIMER)
    assert run.window.called == RESTED


@pytest.mark.parametrize("parts", [False, True])
def test_numpy_as_another_extension_has_set_it(part: Part, parts: bool) -> None:
    """Motion has tiny numbers; that they become 0 is no reason to stop."""
    tiny = np.full(2, 1e-200)

    def square() -> Any:
        return tiny * tiny

    def in_parts() -> Any:
        yield part("core.reporting.progress").Step(0, 1, "squaring")
        return square()

    job = part("operators.shared.job").Job(in_parts if parts else square)
    with np.errstate(all="raise"):
        job.drain(blender.context)
        assert not job.result.any()
        with pytest.raises(FloatingPointError):
            square()


def test_another_file_is_opened_meanwhile(part: Part, running: Any) -> None:
    undone: list[str] = []

    def work() -> Any:
        try:
            yield part("core.reporting.progress").Step(0, 2, "first")
        finally:
            undone.append("undone")

    run = running(work)
    run.send(TIMER)
    assert run.window.texts == ["Working 1 of 2: first    Esc: Stop Here"]
    run.window.called.clear()
    run.operator.cancel(run.context)
    run.operator.cancel(run.context)
    assert run.window.called == RESTED and undone == ["undone"]


@pytest.mark.parametrize("opens", [False, True])
def test_its_window_is_closed_meanwhile(part: Part, running: Any, opens: bool) -> None:
    """Another one says so, once; not in another file, whose opening closes all windows."""

    def work() -> Any:
        yield part("core.reporting.progress").Step(0, 2, "first")

    run, said = running(work), list[str]()
    run.send(TIMER)
    run.operator.cancel(run.context)
    (later,) = run.later
    menu = SimpleNamespace(layout=SimpleNamespace(label=lambda text, translate: said.append(text)))
    run.window.popup_menu = lambda draw, **_: draw(menu, None)
    run.context.temp_override = lambda window: nullcontext()
    part("operators.shared.modal").bpy.context = run.context
    if opens:
        bpy.ops.wm.read_homefile(app_template="")
    assert later() is None
    assert said == ([] if opens else ["stopped by the closing of its window: nothing of it is left"])
    assert run.window.redrawn == ([] if opens else ["VIEW_3D"])


def test_the_extension_is_disabled_meanwhile(part: Part, running: Any) -> None:
    """Blender does not ask an operator to end whose class goes."""
    undone: list[str] = []

    def work() -> Any:
        try:
            yield part("core.reporting.progress").Step(0, 2, "first")
        finally:
            undone.append("taken back")

    handlers = bpy.app.handlers.undo_pre, bpy.app.handlers.redo_pre
    before = [list(each) for each in handlers]
    run = running(work)
    run.send(TIMER)
    run.window.called.clear()
    part("operators.shared.modal").bpy.context = run.context
    part("operators.shared.modal").unregister()
    assert run.window.called == RESTED and undone == ["taken back"]
    assert [list(each) for each in handlers] == before
    assert running(work).send(TIMER) == {"RUNNING_MODAL"}, "nothing goes on any more"
    part("operators.shared.modal").bpy.context = run.context
    part("operators.shared.modal").unregister()


def test_an_undo_in_another_window(part: Part, running: Any) -> None:
    """What was done is taken back before the data-blocks are others, one line says so, and nothing waits for the next undo."""
    undone: list[str] = []
    handlers = bpy.app.handlers.undo_pre, bpy.app.handlers.redo_pre
    before = [list(each) for each in handlers]

    def work() -> Any:
        try:
            yield part("core.reporting.progress").Step(0, 2, "first")
            yield part("core.reporting.progress").Step(1, 2, "second")
        finally:
            undone.append("taken back")

    run = running(work)
    run.send(TIMER)
    for handler in [each for each in handlers[0] if each not in before[0]]:
        handler(None)
    assert undone == ["taken back"]
    run.window.called.clear()
    assert run.send(TIMER) == {"CANCELLED"} and run.window.called == [*RESTED, "popup_menu"]
    assert run.reported == [({"WARNING"}, "stopped by an undo in another window: nothing of it is left")]
    assert [list(each) for each in handlers] == before


@pytest.mark.parametrize("removed", ["objects", "armatures", "actions", "bones"])
def test_what_it_works_with_is_removed_meanwhile(part: Part, running: Any, tmp_path: Path, removed: str) -> None:
    """In another window: one line, nothing new in the scene, and no file."""
    games, lba = part("io.pipeline.games"), part("core.games").GAMES["lba"]
    clips, out = [str(SAMPLES / "lba1" / f"{name}.anm") for name in ("idle", "turn", "wave")], tmp_path / "out.anm"
    context = bpy.context

    def remove() -> None:
        if removed != "bones":
            bpy.data.batch_remove(list(getattr(bpy.data, removed)))
            return
        bpy.ops.object.mode_set(mode="EDIT")
        bones = context.object.data.edit_bones
        for bone in list(bones)[1:]:
            bones.remove(bone)
        bpy.ops.object.mode_set(mode="OBJECT")

    faults = part("operators.shared.about").about(context).count("Traceback")
    work = [lambda: games.export_steps(context, lba, str(out), {"source": "ALL"})]
    if removed in ("objects", "armatures"):
        work.append(lambda: games.import_steps(context, lba, clips, {}))
    for each in work:
        games.import_(context, lba, clips, {})
        for action in bpy.data.actions:
            part("io.blender.compat").curves(action)[0].keyframe_points[0].co.y += 0.1
        before = len(bpy.data.armatures)
        run = running(each)
        assert run.send(*[TIMER] * (2 if removed == "bones" else 1)) == {"RUNNING_MODAL"}
        remove()
        while (result := run.send(TIMER)) == {"RUNNING_MODAL"}:
            pass
        assert result == {"CANCELLED"} and run.window.called[-4:] == [*RESTED, "popup_menu"]
        assert [text for levels, text in run.reported if levels == {"WARNING"}][-1:] == [
            "stopped by another window or a script, which removed what it works with: nothing of it is left"
        ]
        shown: Any = bpy.context.window_manager
        assert not [item.name for item in shown.retro_anim_messages.lines if "fault of the extension" in item.name]
        assert part("operators.shared.about").about(bpy.context).count("Traceback") == faults
        assert len(bpy.data.armatures) <= before and not out.exists()


@pytest.mark.parametrize("ended", ["Esc", "undo", "another file", "failure"])
def test_what_another_window_makes_meanwhile_stays(part: Part, running: Any, ended: str) -> None:
    """Work that is stopped or fails takes back what it has made, and nothing that came between two of its parts."""
    step, handlers = part("core.reporting.progress").Step, list(bpy.app.handlers.undo_pre)

    def work() -> Any:
        with part("io.blender.scene").unchanged_on_failure(bpy.context):
            for number in range(4):
                bpy.data.meshes.new(f"own {number}")
                if (yield step(number, 4, "part")):
                    raise part("core.reporting.progress").StoppedError("stopped")
            raise part("core.reporting.errors").RetroAnimError("it fails")

    run = running(work)
    for number in range(3):
        assert run.send(TIMER) == {"RUNNING_MODAL"}
        bpy.data.meshes.new(f"theirs {number}")
    if ended == "undo":
        next(each for each in bpy.app.handlers.undo_pre if each not in handlers)(None)
        assert run.send(TIMER) == {"CANCELLED"}
    elif ended == "another file":
        run.operator.cancel(run.context)
    else:
        run.send(*([ESC] if ended == "Esc" else [TIMER, TIMER]))
    assert [mesh.name for mesh in bpy.data.meshes] == ["theirs 0", "theirs 1", "theirs 2"]


def test_only_one_work_at_a_time(part: Part, running: Any) -> None:
    """In another window a second one is refused in a line: what fails takes back everything that is new, also what is another's."""
    begun: list[str] = []

    def work() -> Any:
        begun.append("begun")
        yield part("core.reporting.progress").Step(0, 2, "first")

    first = running(work)
    first.send(TIMER)
    second = part("operators.shared.modal").Lasting()
    reported: list[tuple[set[str], str]] = []
    second.report = lambda levels, text: reported.append((levels, text))
    second.cancel(first.context)  # as of a dialog that is closed
    assert second.lasting(first.context, part("operators.shared.job").Job(work), None) == {"CANCELLED"}
    assert begun == ["begun"]
    assert reported == [({"WARNING"}, "Working goes on in another window: wait for its end, or press Esc there")]
    first.operator.cancel(first.context)
    running(work).operator.cancel(first.context)


def test_the_mouse_moves_meanwhile(part: Part, running: Any) -> None:
    run = running(lambda: part("core.reporting.progress").Step)
    assert run.send(SimpleNamespace(type="MOUSEMOVE", value="NOTHING")) == {"RUNNING_MODAL"}
    plain, quit_keys = ({"type": "Q", "value": "PRESS", "oskey": False, "ctrl": ctrl} for ctrl in (False, True))
    assert run.send(SimpleNamespace(**plain)) == {"RUNNING_MODAL"}
    assert run.send(SimpleNamespace(**quit_keys)) == {"PASS_THROUGH"}, "Blender asks whether to save"
    assert run.send(TIMER) == {"FINISHED"}


def importing(part: Part, folder: Path, running: Any) -> Running:
    """Two characters."""
    bodies = [folder / f"{name}.lm1" for name in ("first", "second")]
    for body in bodies:
        body.write_bytes((SAMPLES / "lba1" / "mannequin.lm1").read_bytes())
    return running(lambda: part("io.pipeline.games").import_steps(bpy.context, part("core.games").GAMES["lba"], list(map(str, bodies)), {}))


def test_an_import_that_is_stopped_keeps_whole_characters(part: Part, running: Any, tmp_path: Path) -> None:
    run = importing(part, tmp_path, running)
    assert run.send(TIMER, TIMER, ESC) == {"FINISHED"}
    assert [obj.name for obj in run.result.armatures] == [data.name for data in bpy.data.armatures] == ["first"]
    assert [obj.name for obj in bpy.context.scene.objects if obj.type == "ARMATURE"] == ["first"]
    assert run.reported[-1] == ({"WARNING"}, "stopped: 1 of 2 characters came in, each of them whole")


def test_of_characters_that_do_not_come_in_nothing_is_said(part: Part, running: Any, tmp_path: Path) -> None:
    """A skeleton without a mesh, one whose mesh is damaged, and what is no skeleton at all: that concerns whoever asked for it."""
    alone, damaged, broken = (tmp_path / "animation" / f"{name}.lab" for name in ("0002", "0003", "0004"))
    mesh = tmp_path / "model" / "character" / "0003000000.lgo"
    for file in (alone, mesh):
        file.parent.mkdir(parents=True, exist_ok=True)
    for file in (alone, damaged):
        file.write_bytes((SAMPLES / "mindpower" / "animation" / "0001.lab").read_bytes())
    for file in (broken, mesh):
        file.write_bytes(b"nothing of it")
    paths, game = [str(file) for file in (alone, damaged, broken)], part("core.games").GAMES["mindpower"]

    def of(stopped: bool) -> tuple[list[str], list[str]]:
        run = running(lambda: part("io.pipeline.games").import_steps(bpy.context, game, paths, {}))
        while run.send(TIMER) == {"RUNNING_MODAL"}:
            if stopped and run.job.step.number == 1:
                run.send(ESC)
                break
        about = [Path(message.where or str(message).partition(": ")[0]).name for message in run.job.said.messages]
        return [name for name in about if "." in name], [Path(path).name for path in run.result.paths]

    about, paths_read = of(stopped=False)
    assert {"0002.lab", "0003000000.lgo", "0004.lab"} <= set(about) and paths_read == ["0002.lab", "0003.lab"]
    bpy.context.view_layer.objects.active = None  # else it would take them, as one that came from such bytes
    about, paths_read = of(stopped=True)
    assert set(about) == {"0002.lab", "0004.lab"} and paths_read == ["0002.lab"]


def test_an_import_that_is_stopped_at_once_leaves_nothing(part: Part, running: Any, tmp_path: Path) -> None:
    before = set(bpy.data.objects)
    run = importing(part, tmp_path, running)
    assert run.send(TIMER) == {"RUNNING_MODAL"} and run.job.said.messages
    assert run.send(ESC) == {"CANCELLED"}
    assert set(bpy.data.objects) == before and not bpy.data.armatures
    assert run.reported == [({"WARNING"}, "stopped before the first character: nothing was imported")]
    assert [message.text for message in run.job.said.messages] == ["stopped before the first character: nothing was imported"]


def test_an_import_given_up_leaves_nothing(part: Part, running: Any, tmp_path: Path) -> None:
    run = importing(part, tmp_path, running)
    run.send(TIMER, TIMER)
    assert bpy.data.armatures and bpy.data.meshes
    run.operator.cancel(run.context)
    assert not bpy.data.armatures and not bpy.data.meshes


def test_a_stopped_export_writes_nothing(part: Part, running: Any, tmp_path: Path) -> None:
    games, game = part("io.pipeline.games"), part("core.games").GAMES["lba"]
    games.import_(bpy.context, game, [str(SAMPLES / "lba1" / "walk.anm"), str(SAMPLES / "lba1" / "wave.anm")], {})
    target = tmp_path / "out.anm"
    run = running(lambda: games.export_steps(bpy.context, game, str(target), {"source": "ALL"}))
    assert run.send(TIMER, TIMER, ESC) == {"CANCELLED"}
    assert not list(tmp_path.iterdir())
    assert run.reported == [({"WARNING"}, "stopped before anything was written")]


@pytest.mark.parametrize("parts", range(1, 7))
@pytest.mark.parametrize("own", [True, False], ids=["a game's", "any"])
def test_a_character_with_many_clips_is_stopped_at_each_of_them(part: Part, running: Any, tmp_path: Path, own: bool, parts: int) -> None:
    """Its file holds all of them; it is not heard at the end alone, where the file would be written all the same."""
    games, game = part("io.pipeline.games"), part("core.games").GAMES["mindpower"]
    kind, path = ("mindpower", "mindpower/animation/0001.lab") if own else ("lba", "lba1/ANIM.HQR")
    games.import_(bpy.context, part("core.games").GAMES[kind], [str(SAMPLES / path)], {} if own else {"entities": "0"})

    def scene() -> list[Any]:
        data, shown = bpy.data, bpy.context.scene
        names = [each.keys() for each in (data.objects, data.armatures, data.meshes, data.actions, data.texts, data.collections)]
        return [names, shown.frame_current, shown.render.fps, [dict(each.items()) for each in data.actions]]

    before = str(scene())
    run = running(lambda: games.export_steps(bpy.context, game, str(tmp_path / "0002.lab"), {"source": "ALL"}))
    assert run.send(*[TIMER] * parts, ESC) == {"CANCELLED"}
    assert not list(tmp_path.iterdir()) and str(scene()) == before
    assert run.reported == [({"WARNING"}, "stopped before anything was written")]
