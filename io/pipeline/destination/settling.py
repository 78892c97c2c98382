"""What an export may write: one output for each file or entry, and nothing that would be a loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bpy

from ....core.declare.naming import called
from ....core.declare.options import declared
from ....core.declare.shared import ExportOptions
from ....core.files.disk import disk
from ....core.reporting import log
from ....core.reporting.errors import RetroAnimError
from ...blender import source_data
from ...blender.motion import actions, fcurves
from ...blender.source_data import LOOSE
from .questions import Answer, Question, answer_to
from .targets import check_folder, original_of, written
from .writing import Output, Refused, Settled, digest, is_of_session, written_from_here, written_here


def settle(outputs: Sequence[Output], overwrite: bool) -> Settled:
    """What must be written. An unedited block leaves alone what another program has changed, which is reported.

    Refused are two outputs that differ and go to the same file or entry, and what something would be lost by that another program has
    written or nobody chose to replace (this not with `overwrite`), and what goes where it cannot be written. What was answered counts.
    """
    changed: list[Output] = []
    unchanged: list[Output] = []
    left = [output for output in outputs if _answer(output) == "LEAVE"]
    outputs = [output for output in outputs if output not in left]
    meant, refused = _one_each(outputs)
    kept = {output.key: output.data for output in meant}
    left += [output for output in outputs if kept.get(output.key, output.data) != output.data]
    for output in meant:
        if output.present == output.data:
            unchanged.append(output)
            continue
        known = _known_contents(output)
        foreign, replaces = _foreign(output, known), overwrite or _answer(output) == "REPLACE"
        if foreign and known and not _differs_from_source(output):
            log.warning(f"{output.where} {foreign}; {output.title} was not edited, so that is left as it is")
            left.append(output)
        elif (original := original_of(output.block)) and known and not (replaces or output.chosen or _beside(original, outputs)):
            remedy = "name the entry that it goes to, 'new' for one of its own" if output.entry != LOOSE else "choose another file"
            problem = f"{output.title} is a copy of {original.name}, and would go to where that belongs, {output.where}"
            refused.append(_asked(output, f"{problem}: {remedy}, or {_replace()}", "NEW", "REPLACE", "LEAVE"))
        elif foreign and not replaces:
            remedy = f"choose {_replace()} to replace it with {output.title}, or another target"
            refused.append(_asked(output, f"{output.where} {foreign}: {remedy}", *(("LEAVE",) if _is_clip(output) else ()), "REPLACE"))
        else:
            changed.append(replace(output, backup=output.backup or _is_first(output)))
    for output in tuple(changed):
        try:
            disk.check_target(output.path)
            check_folder(output.block, output.path)
        except RetroAnimError as error:
            changed.remove(output)
            refused.append(Refused(output, str(error)))
    return Settled(changed, unchanged, left, refused)


def _replace() -> str:
    """The option that replaces what is there."""
    return called(declared(ExportOptions)["overwrite"])


def _answer(output: Output) -> Answer | None:
    return answer_to(output.title, output.where)


def _asked(output: Output, problem: str, *answers: Answer) -> Refused:
    return Refused(output, problem, Question(output.title, output.where, problem, answers))


def _is_clip(output: Output) -> bool:
    """Whether an output is a clip alone, that can be left out, and not a part of something."""
    return isinstance(output.block, bpy.types.Action)


def _one_each(outputs: Sequence[Output]) -> tuple[list[Output], list[Refused]]:
    """One output for each file or entry; and those that differ where there is but one for them. Of copies the edited one counts."""
    groups: dict[tuple[str, int], list[Output]] = {}
    for output in outputs:
        groups.setdefault(output.key, []).append(output)
    meant: list[Output] = []
    refused: list[Refused] = []
    for group in groups.values():
        chosen, problem = _meant(group)
        meant += [chosen] if chosen is not None else []
        if chosen is None:
            asked = all(map(_is_clip, group))
            first, *others = sorted(group, key=lambda output: original_of(output.block) is not None)
            refused += [_asked(first, problem, "REPLACE", "NEW", "LEAVE") if asked else Refused(first, problem)]
            refused += [_asked(each, problem, "NEW", "REPLACE", "LEAVE") if asked else Refused(each, problem) for each in others]
    return meant, refused


def _meant(group: list[Output]) -> tuple[Output | None, str]:
    """The one of a group that goes to its file or entry; None with the reason where that is not known."""
    different = {output.data: output for output in reversed(group)}
    if len(different) == 1:
        return group[0], ""
    replacing = [output for output in group if _answer(output) == "REPLACE"]
    if len(replacing) == 1:
        return replacing[0], ""
    newer = [output for output in different.values() if output.data != output.present and (output.block is None or edited(output))]
    if len(different) > 1 and any(output.data == output.present for output in group):
        slower = [output for output in newer if _plays_at_another_rate(output)]
        for output in slower:
            log.warning(f"{output.title} is left out: it came in at another frame rate, and {output.where} holds what another action has")
        newer = [output for output in newer if output not in slower]
    if len(newer) < 2 and all(_known_contents(output) for output in group):
        meant = newer or [output for output in different.values() if output.data == output.present]
        if meant:
            others = ", ".join(output.title for output in group if output.data != meant[0].data)
            original = original_of(meant[0].block)
            title = f"{meant[0].title}, a copy of {original.name}," if original is not None else meant[0].title
            does = "is written to" if newer else "is what is in"
            log.info(f"{title} {does} {meant[0].where}: {others} {'were' if ', ' in others else 'was'} not edited")
            return meant[0], ""
    first, second = list(different.values())[::-1][:2]
    remedy = "let one of them go to entry 'new'" if first.entry != LOOSE else "choose another file for one of them under Goes To"
    return None, f"{first.title} and {second.title} both go to {first.where}, and differ: {remedy}"


def _plays_at_another_rate(output: Output) -> bool:
    """Whether a clip is not what the file holds for that alone, perhaps, that the scene has another rate than when it came in."""
    rate, came = actions.rate_in_force(), output.block.get(fcurves.IMPORTED) if output.block is not None else None
    return rate is not None and isinstance(came, int | float) and abs(came - rate) > 1e-6 * rate


def _foreign(output: Output, known: set[str]) -> str:
    """Why what is there may not be replaced unasked, "" where it may."""
    if output.present is None or digest(output.present) in known:
        return ""
    if known:
        if other := _written_by(output):
            return f"holds {other} now"
        if is_of_session(output):
            return "holds what was written from here in the meantime"
        return "was changed by another program since it was imported or written"
    return f"holds {output.other}" if output.other else "is there already, and was not chosen" if output.derived else ""


def _is_first(output: Output) -> bool:
    """Whether what is there came from the game, or from anybody else: it is kept. What was written from here may be made again, and what
    came from there was not, also where an export has met it and had nothing to write."""
    if output.block is None:
        return bool(output.present)
    last, origin, own = written(output.block), source_data.origin(output.block), written_from_here(output)
    if origin is not None and output.goes_to(*origin) and (data := source_data.kept(output.block)) is not None:
        came = digest(data)
        own -= {came, last.content if last is not None and last.document == came else came}
    return bool(output.present) and digest(output.present or b"") not in own


def _written_by(output: Output) -> str:
    """The name of another action that was written to where an output goes, and is there still; "" for none."""
    there = digest(output.present or b"")
    known = ((action.name, last) for action in bpy.data.actions if action != output.block and (last := written(action)) is not None)
    return next((name for name, last in known if last.content == there and output.goes_to(last.path, last.entry)), "")


def _known_contents(output: Output) -> set[str]:
    """Digests of what the file or entry held when its block came from there, or was written there; none of another file or entry."""
    block, digests = output.block, set(written_here(output))
    if block is None:
        return digests
    origin, last = source_data.origin(block), written(block)
    if origin is not None and output.goes_to(*origin) and (data := source_data.kept(block)) is not None:
        digests.add(digest(data))
    if last is not None and output.goes_to(last.path, last.entry):
        digests.add(last.content)
    return digests


def edited(output: Output) -> bool:
    """Whether the block stands for anything else than what came in, or was written last."""
    assert output.block is not None
    last = written(output.block)
    return (last is None or digest(output.own) != last.document) and _differs_from_source(output)


def _differs_from_source(output: Output) -> bool:
    """Whether edits would be lost with what another program has changed: also those that were written there before."""
    assert output.block is not None
    kept = source_data.kept(output.block)
    return kept is None or digest(output.own) != digest(kept)


def _beside(original: bpy.types.Action, outputs: Sequence[Output]) -> bool:
    """Whether the original is exported, too: then the edited one of the two is meant."""
    return any(output.block == original for output in outputs)
