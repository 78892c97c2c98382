"""What an export has to ask before it writes: one dialog for all games, with a line for each copy, and for each target that was changed."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import CollectionProperty, EnumProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup

from ...core.declare.game import Game
from ...core.declare.shared import ANSWERS
from ...core.games import GAMES
from ...core.reporting.errors import RetroAnimError
from . import declared, job, messages, modal
from .layout import ask, dialog_width, draw_whole, of_width

if TYPE_CHECKING:
    from ...io.pipeline.destination.questions import Question

WIDTH = 620
"""Of the dialog."""

_asked: list["Question"] = []
"""The questions of the dialog that is about to open."""


SAVE = "retro_anim.save"
"""The dialogs of whole characters, of which each belongs to one game."""

SAVE_OPERATORS: dict[str, str] = {}
"""By the id of a game the operator that saves its characters."""

FOLLOWING: dict[str, Callable[[Any], object]] = {}
"""By the id of a game what follows an export in the window, given what was exported."""

WRITTEN: list[Callable[[Iterable[str]], object]] = []
"""Who wants to know of every export that was written, given the names of the clips that are as in their files now."""


class RetroAnimQuestion(PropertyGroup):
    """A question, and its answer. answers: those that can be given, separated by spaces."""

    title: StringProperty()
    where: StringProperty()
    problem: StringProperty()
    answers: StringProperty()
    answer: EnumProperty(items=[(each.id, each.label, each.help) for each in ANSWERS])


class RETRO_ANIM_OT_decide(Operator):
    """Decide what becomes of copies, and of what another program has changed, and export"""

    bl_idname = "retro_anim.decide"
    bl_label = "Export"
    bl_options = {"UNDO", "INTERNAL"}

    game: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    filepath: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    character: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    clips: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    options: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    questions: CollectionProperty(type=RetroAnimQuestion, options={"SKIP_SAVE"})

    def invoke(self: Any, context: Context, event: Event) -> Any:
        self.fill(_asked)
        does = "Save Character" if self.character else "Save" if self.clips else "Export"
        return ask(self, context, width=dialog_width(context, WIDTH), title="Before Anything Is Written", confirm_text=does)

    def fill(self: Any, asked: list["Question"]) -> None:
        for question in asked:
            line = self.questions.add()
            line.title, line.where, line.problem = question.title, question.where, question.problem
            line.answers, line.answer = " ".join(question.answers), question.answers[0]

    def draw(self: Any, context: Context) -> None:
        for line in self.questions:
            box = self.layout.box()
            where = Path(line.where)
            box.label(text=f"{line.title} → {where.name}", icon="QUESTION")
            whole = "ALL" in line.answers.split()  # what stands behind the colon of others is what a script can do
            says = line.problem if whole else line.problem.partition(": ")[0]
            draw_whole(box, says.replace(line.where, where.name), of_width(dialog_width(context, WIDTH) - 40))
            if whole:
                continue  # the dialog's own button is the only answer
            row = box.row(align=True)
            for answer in line.answers.split():
                row.prop_enum(line, "answer", answer)

    def execute(self: Any, context: Context) -> Any:
        from ...io.blender import fields

        if not len(self.questions):
            self.report({"ERROR"}, "nothing was asked: choose an exporter instead")
            return {"CANCELLED"}
        from ...io.pipeline.destination import questions

        answers = {(line.title, line.where): line.answer for line in self.questions}
        options = fields.grouped(self.options)
        with questions.answered(answers):
            if self.character:
                return save(self, context, self.character, options, self.asked())
            if self.clips:
                return save_clips(self, context, fields.listed(self.clips), self.asked())
            return export(self, context, GAMES.get(self.game), self.filepath, options, self.asked())

    def asked(self: Any) -> list["Question"]:
        """The questions, what was answered now as the first answer."""
        from ...io.pipeline.destination.questions import Question

        return [
            Question(line.title, line.where, line.problem, tuple(sorted(line.answers.split(), key=lambda answer: answer != line.answer)))
            for line in self.questions
        ]


def export(
    operator: Any,
    context: Context,
    game: Game | None,
    path: str,
    options: dict[str, Any],
    asked: "Sequence[Question] | None",
) -> Any:
    """The export of an operator; where somebody is in the window it asks, and goes on while the window stays alive. game: None for all,
    each clip to its own file. asked: what was asked already; None where nobody is there."""
    from ...io.pipeline import games
    from ...io.pipeline.destination import questions
    from ...io.pipeline.out_of_blender import everything

    def work() -> Any:
        if game is None:
            with questions.asking(asked is not None):
                return (yield from everything.steps(context, **options))
        return (yield from games.export_steps(context, game, path, options))

    def then(exported: Any) -> None:
        if game is not None:
            declared.forget(f"export_anim.{game.id}")
        if not exported.dry:
            _know(change.action for change in exported.changes if change.action and change.state in ("changed", "new"))
            _push(exported, asked, "Export")
        _follow(exported, asked)

    again = {"game": game.id if game is not None else "", "filepath": path}
    return modal.run_or_begin(
        operator,
        context,
        *_deciding(work, again, options, asked, _clips, lambda exported: exported.report, then),
        "Exporting",
        asked is not None,
    )


def save(operator: Any, context: Context, name: str, options: dict[str, Any], asked: "Sequence[Question] | None") -> Any:
    """The same for a whole character, at once: its undo step has what it is known by from then on. name: of its armature. options: of its
    game's `SaveOptions`."""
    from ...io.pipeline.destination import questions
    from ...io.pipeline.out_of_blender import character

    def work() -> Any:
        obj = bpy.data.objects.get(name)
        if obj is None:
            raise RetroAnimError(f"{name} is not there any more")
        with questions.asking(asked is not None):
            return character.save_character(context, obj, **options)

    def then(saved: Any) -> None:
        declared.forget(SAVE)
        _know(saved.clips)

    deciding = _deciding(work, {"character": name}, options, asked, lambda saved: saved.clips, lambda saved: saved.summary, then)
    return modal.run_or_begin(operator, context, *deciding, "Saving", in_window=False)


def save_clips(operator: Any, context: Context, names: Sequence[str], asked: "Sequence[Question] | None") -> Any:
    """The same for clips, each back to the file or entry that it goes to. names: of their actions."""
    import json

    def work() -> Any:
        from ...io.pipeline.destination import questions
        from ...io.pipeline.out_of_blender import saving

        with questions.asking(asked is not None):
            return (yield from saving.steps(context, names))

    def then(saved: Any) -> None:
        left = {question.title for question in asked or () if question.answers[0] == "LEAVE"}
        _know(change.action for change in saved.changes if change.action and change.state != "refused" and change.action not in left)
        _push(saved, asked, "Save")
        _follow(saved, asked)

    again = {"clips": json.dumps(list(names))}
    deciding = _deciding(work, again, {}, asked, _clips, lambda saved: saved.report, then)
    return modal.run_or_begin(operator, context, *deciding, "Saving", asked is not None)


def _push(exported: Any, asked: "Sequence[Question] | None", message: str) -> None:
    """Where the clips have gone would be lost with the first edit after it that is undone, and with redo."""
    if any(change.state in ("changed", "new") for change in exported.changes):
        modal.push_undo(asked is not None, message)


def _follow(exported: Any, asked: "Sequence[Question] | None") -> None:
    for follow in FOLLOWING.values() if asked is not None else ():
        follow(exported)


def _know(clips: Iterable[str]) -> None:
    names = list(clips)
    for know in WRITTEN:
        know(names)


def _clips(exported: Any) -> list[str]:
    from . import unkeyed

    return list(unkeyed.clips_of(exported.changes))


def _deciding(
    work: Callable[[], Any],
    again: dict[str, str],
    options: dict[str, Any],
    asked: "Sequence[Question] | None",
    clips: Callable[[Any], Iterable[str]],
    summary: Callable[[Any], str],
    then: Callable[[Any], object],
) -> tuple[job.Job[Any], modal.Conclude]:
    """Work that may end in questions, and what becomes of it. again: what the dialog needs to do it with the answers. clips: the names of
    those that it was about. then: is given what was written."""
    from ...io.pipeline.destination.questions import UndecidedError

    undecided: list[UndecidedError] = []

    def until_asked() -> Any:
        from . import unkeyed

        posed: unkeyed.Posed = {} if asked is None else unkeyed.of_scene(bpy.context)
        try:
            result = work()
            result = (yield from result) if inspect.isgenerator(result) else result
        except UndecidedError as error:
            if asked is None:
                raise
            undecided.append(error)
            return None
        unkeyed.report(posed, clips(result))
        return result

    def conclude(reporter: Any, now: Context, ended: job.Job[Any]) -> Any:
        result = job.conclude(reporter, now, ended, lambda: not undecided, summary)
        if undecided and asked is not None:
            more = undecided[0].questions
            known = {(question.title, question.where) for question in more}
            _open(reporter, again, options, [*(each for each in asked if (each.title, each.where) not in known), *more])
        if result is None:
            return {"CANCELLED"}  # where it asks, too: nothing was changed yet, and the dialog's own operator makes the undo step
        then(result)
        return {"FINISHED"}

    return job.Job(until_asked), conclude


def _open(operator: Any, again: dict[str, str], options: dict[str, Any], asked: list["Question"]) -> None:
    import json

    _asked[:] = asked
    own: Any = bpy.ops
    messages.begun(operator, own.retro_anim.decide, options=json.dumps(options), **again)


CLASSES = (RetroAnimQuestion, RETRO_ANIM_OT_decide)
