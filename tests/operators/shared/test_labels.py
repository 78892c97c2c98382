"""Every label of the window is in Blender's title case, and what can be chosen or changed has a tooltip."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import bpy
import pytest

TYPES: Any = bpy.types

SMALL = {"a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "of", "on", "or", "per", "the", "to", "with"}
"""Words that Blender writes small inside a label."""

OF_THE_FORMATS = {"ani", "null"}
"""What the files call themselves."""


FITS = 22
"""Letters of a placeholder that the file browser's column of options has room for."""


def _wrong(label: str) -> bool:
    """Whether a label is not in title case. Numbers, marks and units in parentheses may stand anywhere."""
    parts = re.sub(r"\([^)]*\)", "", label).split()
    return label not in OF_THE_FORMATS and any(
        part[0].islower() and (index in (0, len(parts) - 1) or part not in SMALL) for index, part in enumerate(parts)
    )


def _classes(part: Any) -> Iterator[Any]:
    yield from part("operators")._CLASSES
    yield from part("io.oni.fields.properties")._CLASSES


def _labels(part: Any) -> Iterator[tuple[str, str]]:
    """Where each label stands, and the label."""
    for kind in _classes(part):
        yield kind.__name__, getattr(kind, "bl_label", "")
        for name, prop in getattr(kind, "bl_rna", kind).properties.items():
            if name not in kind.__annotations__ or prop.is_hidden:
                continue
            yield f"{kind.__name__}.{name}", prop.name if any(map(str.isalpha, prop.name)) and prop.name != name else ""
            if prop.type == "ENUM":
                yield from ((f"{kind.__name__}.{name}.{item.identifier}", item.name) for item in prop.enum_items_static)
    declared = part("core.declare.options").declared
    for game in part("core.games").GAMES.values():
        yield game.id, game.label
        for kind in (game.import_options, game.export_options):
            for name, item in declared(kind).items():
                yield f"{game.id}.{name}", item.label
                yield f"{game.id}.{name}", item.group
                yield from ((f"{game.id}.{name}", choice.label) for choice in item.choices)
        for table, fields in game.fields.items():
            for item in fields:
                yield from ((f"{game.id}.{table}.{item.name}", label) for label in (item.label, item.short, item.group, *item.parts))
                yield from ((f"{game.id}.{table}.{item.name}", choice.label) for choice in item.choices)


def test_labels_are_in_title_case(addon: Any, part: Any) -> None:
    labels = list(_labels(part))
    assert len(labels) > 1000
    assert [(where, label) for where, label in labels if label and _wrong(label)] == []


def test_what_is_wrong_is_found() -> None:
    assert [label for label in ("Keep the scene", "Of the Game", "keep", "Goes To", "Go to", "Limit (m)") if _wrong(label)] == [
        "Keep the scene",
        "keep",
        "Go to",
    ]


def test_operators_have_a_tooltip(addon: Any, part: Any) -> None:
    """And what they do stands on the button of a dialog: no label is the same as Blender's own OK."""
    for kind in part("operators")._CLASSES:
        if issubclass(kind, TYPES.Operator):
            assert kind.bl_rna.description or kind.__doc__, kind.__name__
            area, name = kind.bl_idname.split(".")
            assert "\n" not in getattr(getattr(bpy.ops, area), name).get_rna_type().description, kind.__name__
            assert kind.bl_label.upper() != "OK", kind.__name__


def test_options_have_a_tooltip_themselves_or_in_their_choices(part: Any) -> None:
    declared = part("core.declare.options").declared
    for game in part("core.games").GAMES.values():
        for kind in (game.import_options, game.export_options):
            for name, item in declared(kind).items():
                assert item.help or all(choice.help for choice in item.choices), (game.id, name)
                assert item.help or item.choices, (game.id, name)


def test_what_an_empty_field_says_fits(part: Any) -> None:
    """It is what the option's help says behind "Empty:", up to a semicolon."""
    declared = part("core.declare.options").declared
    games = part("core.games").GAMES.values()
    kinds = [kind for game in games for kind in (game.import_options, game.export_options, game.character_options) if kind]
    said = [part("operators.shared.declared").placeholder(item) for kind in kinds for item in declared(kind).values()]
    assert len([text for text in said if text]) > 15
    assert not [text for text in said if len(text) > FITS]


def test_every_field_of_every_importer_and_exporter_is_drawn(part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside an operator that runs, as Blender has it; what stands in the fields is of its properties, and says what is so while empty."""
    said: dict[tuple[str, str], str] = {}

    class Layout:
        def prop(self, owner: Any, name: str, placeholder: str = "", **_details: Any) -> None:
            getattr(owner, name)
            said[owner.row.id, name] = placeholder

    def draw_all(self: Any, _context: Any) -> Any:
        for names in self.groups().values():
            for name in names:
                part("operators.shared.declared").draw(Layout(), self, self.options_class, name)
        return {"FINISHED"}

    games = part("core.games").GAMES
    for game in games:
        for category in ("import_anim", "export_anim"):
            monkeypatch.setattr(getattr(bpy.types, f"{category.upper()}_OT_{game}"), "execute", draw_all)
            assert getattr(getattr(bpy.ops, category), game)(filepath="x") == {"FINISHED"}
    assert {game for game, _ in said} == set(games) and len(said) > 60
    if bpy.app.version >= (4, 3, 0):
        assert said["oni2", "mesh"] == "that of its entity" and said["oni", "skeleton"] == "found automatically"


def test_a_disabled_button_says_what_it_needs(addon: Any) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    silent: list[str] = []
    disabled = 0
    for kind in bpy.types.Operator.__subclasses__():
        if not kind.__module__.startswith(addon.__name__) or not hasattr(kind, "poll"):
            continue
        category, name = kind.bl_idname.split(".")
        operator = getattr(getattr(bpy.ops, category), name)
        if operator.poll():
            continue
        disabled += 1
        with pytest.raises(RuntimeError) as refused:
            operator()
        if "Needs" not in str(refused.value):
            silent.append(kind.bl_idname)
    assert disabled > 20 and silent == ["retro_anim.no_value"], "the button stands behind a field of what it empties"


def _rna_of(kind: Any) -> Any:
    """With its properties, which an operator's class has not."""
    category, _, name = kind.bl_idname.partition(".")
    return getattr(getattr(bpy.ops, category), name).get_rna_type()


def test_no_label_is_taken_from_blenders_catalogue(part: Callable[[str], Any]) -> None:
    """Where it would stand for something else: *Keys* for door keys, *Facing* for an outer layer, *To* for "in", a *Head* for a beginning,
    *Characters* for letters, *Goal* for the same word as *Target*; where it is longer than its column, as *Source* is in Russian; and where
    a message names it."""
    ours, root = part("io.blender").CONTEXT, part("io").__name__.removesuffix("io")
    taken, looked_at = list[str](), 0
    for kind in _classes(part):
        rna = getattr(kind, "bl_rna", kind)
        if issubclass(kind, (TYPES.Operator, TYPES.Panel, TYPES.Menu)) and rna.translation_context != ours:
            taken.append(kind.__name__)
        names = set[str]().union(*(base.__annotations__ for base in kind.__mro__ if base.__module__.startswith(root)))
        for name, prop in (_rna_of(kind) if issubclass(kind, TYPES.Operator) else rna).properties.items():
            if name in names and name != "name" and prop.name != name:  # which is Blender's own of a group
                looked_at += 1
                taken += [f"{kind.__name__}.{name}"] if prop.translation_context != ours else []
    assert looked_at > 300 and taken == []


def test_no_label_on_blenders_own_types_is_taken_from_its_catalogue(addon: Any, part: Callable[[str], Any]) -> None:
    """Whatever type it is, and whichever module gave it the property."""
    ours: dict[str, str] = {}
    for kind in (TYPES.Action, TYPES.Armature, TYPES.Scene, TYPES.WindowManager):
        runtime = [prop for prop in kind.bl_rna.properties if prop.is_runtime and prop.identifier.startswith(("retro_anim", "oni_"))]
        ours |= {f"{kind.__name__}.{prop.identifier}": prop.translation_context for prop in runtime}
    assert len(ours) >= 12 and {name for name, context in ours.items() if context != part("io.blender").CONTEXT} == set()


def test_blenders_own_properties_keep_their_translations(part: Callable[[str], Any]) -> None:
    """Those that importers and exporters have from classes of Blender, which all add-ons share."""
    from bpy_extras.io_utils import ExportHelper

    rna = _rna_of(part("operators.retarget.operators").RETRO_ANIM_OT_retarget_report)
    assert rna.properties["check_existing"].translation_context == "*"
    assert all("translation_context" not in declared.keywords for declared in ExportHelper.__annotations__.values())
