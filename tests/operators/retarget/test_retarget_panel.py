"""The side panel of retargeting draws with what Blender really has: properties, operators and their options, lists and icons."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support import blender_rigs as rigs
from support.blender_layout import Layout, draw_part

OPS: Any = bpy.ops
TYPES: Any = bpy.types


@pytest.mark.parametrize("state", ["empty", "mapped", "chosen", "done"])
def test_panels_draw(part: Any, state: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)
    settings: Any = bpy.context.scene.retro_anim_retarget
    if state != "empty":
        rigs.dance(part, rigs.build("hero", names=rigs.MIXAMO))
        rigs.build("mannequin", names={role: name for role, name in rigs.UNREAL.items() if role != "upperChest"})
        OPS.retro_anim.retarget_map(source="hero", target="mannequin")
        settings.pairs[0].note = "doubtful; a second reason"
    if state == "chosen":
        settings.actions_from, settings.align, settings.feet = "CHOSEN", "POSE", True
        OPS.retro_anim.retarget_list()
        settings.choices[0].chosen = True
        OPS.retro_anim.retarget_map_add()
    if state == "done":
        OPS.retro_anim.retarget()
    drawn: list[str] = []
    TYPES.VIEW3D_PT_retro_anim_retarget.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
    assert "retro_anim.retarget" in drawn
    assert ("retro_anim.retarget_report" in drawn) == (state == "done")
    assert ("a second reason" in drawn) == (state in ("mapped", "done"))
    if state == "chosen":
        assert {"source_pose", "target_pose", "hips_down", "chosen"} <= set(drawn)


def test_what_a_run_changes_is_drawn_below_its_button() -> None:
    """Messages, and the fields of another clip, are in panels of another one, which is below: *Retarget* stays below the mouse."""
    retarget, others = TYPES.VIEW3D_PT_retro_anim_retarget, TYPES.VIEW3D_PT_retro_anim
    assert retarget.bl_order < others.bl_order
    assert "DEFAULT_CLOSED" in retarget.bl_options, "else whoever wants to import first looks for the button"
    tops = [each for each in TYPES.Panel.__subclasses__() if getattr(each, "bl_category", "") == retarget.bl_category]
    assert {each.__name__ for each in tops} <= {retarget.__name__, others.__name__}


def test_why_a_goal_counts_for_nothing_is_said_below_it(part: Any) -> None:
    rigs.build("hero", names=rigs.MIXAMO)
    settings: Any = bpy.context.scene.retro_anim_retarget
    settings.target = bpy.data.objects["hero"]
    limb, table = settings.limb_leftHand, part("operators.retarget.mapping.map_table")

    def said() -> list[str]:
        drawn: list[str] = []
        part("operators.retarget.panels.limbs").draw_limb(Layout(drawn), settings, "leftHand", None, settings.target)
        text = " ".join(drawn)
        return [text] if "No goal" in text else []

    assert said() == []
    limb.reach = "PROP"
    assert ["No goal yet" in text for text in said()] == [True]
    limb.prop = "mixamorig:Head"
    assert said() == []  # Retarget maps it by itself
    table.set_pair(settings.pairs.add(), "head", "mixamorig:Head", "head")
    assert ["no left hand. If source or target has none: add a bone hand.L there" in text for text in said()] == [True]
    table.set_pair(settings.pairs.add(), "hand", "mixamorig:LeftHand", "leftHand")
    assert said() == []
    limb.prop = "mixamorig:Hips"
    assert ["add a line" in text for text in said()] == [True]
    limb.reach = "LIMB"
    assert said() == []


def test_the_table_can_be_narrowed(part: Any) -> None:
    settings: Any = bpy.context.scene.retro_anim_retarget
    for number in range(3):
        line = settings.pairs.add()
        line.name = line.source = line.target = f"bone {number}"
        line.note = "why" if number == 1 else ""
    kind: Any = TYPES.RETRO_ANIM_UL_pairs

    class Self:
        filter_name, bitflag_filter_item = "", 1

    assert kind.filter_items(Self, bpy.context, settings, "pairs") == ([1, 1, 1], [])
    settings.pairs[1].note = "why"
    settings.only_doubtful = True
    assert kind.filter_items(Self, bpy.context, settings, "pairs")[0] == [0, 1, 0]
    assert settings.index == 1, "below the table is no line that is not in it"
    settings.pairs[1].note = ""
    drawn: list[Any] = []
    draw_part(part("operators.retarget.panels.table").BoneMap, Marks(drawn))
    assert drawn[-1][0] == "No line is doubtful"


PREFIXES = [
    (["Bip01 Pelvis", "Bip01 L UpperArm", "Bip01 Head"], "Bip01 "),
    (["mixamorig:Hips", "mixamorig:Spine", ""], "mixamorig:"),
    (["CC_Base_Hip", "CC_Base_Head"], "CC_Base_"),
    (["group 02", "group 14"], ""),  # numbers alone say nothing
    (["Bip01", "Bip01 Head"], ""),
    (["Bip01", "Bip01 Head", "Bip01 L Hand"], "Bip01 "),  # the root is called like what they have in common
    (["spine", "spineUp"], ""),
    (["Bip01 Pelvis"], ""),
]


@pytest.mark.parametrize(("names", "prefix"), PREFIXES)
def test_what_all_names_have_in_common_is_not_shown(part: Any, names: list[str], prefix: str) -> None:
    assert part("operators.retarget.panels.rows").shared(names) == prefix


def test_names_are_whole_in_the_table(part: Any) -> None:
    """Without the prefix of their skeleton; the longer side has more room; a chain shows its ends, and is found by each of its bones."""
    settings: Any = bpy.context.scene.retro_anim_retarget
    lines = part("operators.retarget.mapping.map_table")
    lines.set_pair(settings.pairs.add(), "Bip01 L UpperArm", "arm", "")
    lines.set_chain(settings.pairs.add(), ["Bip01 Spine", "Bip01 Spine1", "Bip01 Neck"], ["back"])
    drawn: list[str] = []
    draw_part(part("operators.retarget.panels.table").BoneMap, Layout([]))
    TYPES.RETRO_ANIM_UL_pairs.draw_item(None, bpy.context, Layout(drawn), settings, settings.pairs[0], 0, settings, "index")
    TYPES.RETRO_ANIM_UL_pairs.draw_item(None, bpy.context, Layout(drawn), settings, settings.pairs[1], 0, settings, "index")
    assert {"L UpperArm", "arm", "Spine…Neck", "back"} <= set(drawn)
    columns = part("operators.retarget.panels.rows").columns
    assert columns(settings.pairs, 30).share > 0.5
    assert [columns(settings.pairs, room).text(settings.pairs[1], "source") for room in (14, 13)] == ["Spine…Neck", "Spine +2"]
    assert "Spine1" in settings.pairs[1].name
    settings.pairs.clear()
    lines.set_pair(settings.pairs.add(), "group 03", "spine_fk.001 +2", "")
    room = 26  # letters; the edges of a column take more than one
    share = columns(settings.pairs, room).share
    assert share * room > len("group 03") + 1.5 and (1 - share) * room > len("spine_fk.001 +2") + 1


def test_a_narrow_table_shows_what_tells_bones_apart(part: Any) -> None:
    """First whole names, then without what all have in common even where only numbers are left, then the target's alone."""
    settings: Any = bpy.context.scene.retro_anim_retarget
    lines, columns = part("operators.retarget.mapping.map_table"), part("operators.retarget.panels.rows").columns
    for number in (2, 14):
        lines.set_pair(settings.pairs.add(), f"group {number:02}", f"Node_{number}", "")
    shown = []
    for room in (15, 14, 4, 2, 1):
        each = columns(settings.pairs, room)
        shown.append([each.text(settings.pairs[1], side) for side in (("source", "target") if each.share else ("target",))])
    assert shown == [["group 14", "Node_14"], *[["14", "14"]] * 2, *[["14"]] * 2]
    assert columns(settings.pairs, 2).share == 0
    part("operators.retarget.panels.rows").shown[:] = [columns(settings.pairs, 2)]
    drawn: list[str] = []
    TYPES.RETRO_ANIM_UL_pairs.draw_item(None, bpy.context, Layout(drawn), settings, settings.pairs[1], 0, settings, "index")
    assert [text for text in drawn if text] == ["14"]
    lines.set_pair(settings.pairs.add(), "a strand of hair by the left ear, the lower one", "Hair", "")
    assert columns(settings.pairs, 19).share > 0, "one long name takes no column away in a panel of usual width"


@pytest.mark.parametrize(("pixels", "beside"), [(280, True), (240, False)])
def test_in_a_narrow_panel_the_table_has_the_whole_width(part: Any, pixels: int, beside: bool) -> None:
    """Its buttons are below it, and so is Preview below Retarget, and the names of source and target below what they are."""
    settings: Any = bpy.context.scene.retro_anim_retarget
    part("operators.retarget.mapping.map_table").set_pair(settings.pairs.add(), "spine", "spine", "")
    drawn_in: dict[str, str] = {}

    class Within(Layout):
        kind: str

        def __init__(self, drawn: list[Any], kind: str = "") -> None:
            super().__init__(drawn)
            object.__setattr__(self, "kind", kind)

        def column(self, *_: Any, **__: Any) -> Within:
            return Within(self.drawn, "column")

        def row(self, *_: Any, **__: Any) -> Within:
            return Within(self.drawn, "row")

        def split(self, *_: Any, **__: Any) -> Within:
            return Within(self.drawn, "split")

        def template_list(self, *_: Any, **__: Any) -> None:
            drawn_in["table"] = self.kind

        def prop(self, _data: Any, name: str, *_: Any, **__: Any) -> None:
            drawn_in[name] = self.kind

        def operator(self, name: str, *_: Any, **__: Any) -> Any:
            drawn_in[name.removeprefix("retro_anim.retarget")] = self.kind
            return SimpleNamespace()

    region = part("operators.shared.layout").of_width(pixels)
    context = SimpleNamespace(scene=bpy.context.scene, view_layer=bpy.context.view_layer, region=region, area=None)
    said: list[Any] = []
    part("operators.retarget.panels.main").draw(Within(said), context)
    assert {"Source", "Target", "Actions"} <= set(said)
    assert drawn_in["target"] == ("split" if beside else "column")
    assert drawn_in["_swap"] == drawn_in["actions_from"] == ("row" if beside else "column")
    parts = part("operators.retarget.panels.table").BoneMap()
    parts.layout = Within([])
    parts.draw(context)
    assert drawn_in["_map"] == drawn_in["_map_load"] == "row", "the last of them is the small one"
    assert (drawn_in["table"], drawn_in["_map_add"], drawn_in["_preview"]) == (
        ("row", "column", "row") if beside else ("column", "row", "column")
    )


def test_bones_are_chosen_from_those_of_whom_the_selection_means(part: Any) -> None:
    """Also while the fields Source and Target are empty, which show whom it means: a limb's prop, there and in the line of the bone map,
    and the bones of that."""
    hero, mannequin = rigs.build("hero", names=rigs.MIXAMO), rigs.build("mannequin", names=rigs.PLAIN)
    settings: Any = bpy.context.scene.retro_anim_retarget
    settings.limb_leftHand.reach = "PROP"
    offered: list[Any] = []

    class Search(Layout):
        def _inner(self, *_: Any, **__: Any) -> Search:
            return Search(self.drawn)

        row = column = split = _inner

        def panel(self, *_: Any, **__: Any) -> tuple[Search, Search]:
            return Search(self.drawn), Search(self.drawn)

        def prop_search(self, _data: Any, name: str, searched: Any, *_: Any, **__: Any) -> None:
            offered.append((name, searched))

    def draw() -> list[Any]:
        offered.clear()
        draw_part(part("operators.retarget.panels.goals").HandsAndFeet, Search([]))
        return offered

    def draw_map() -> list[Any]:
        offered.clear()
        draw_part(part("operators.retarget.panels.table").BoneMap, Search([]))
        return offered

    part("operators.retarget.mapping.map_table").set_pair(settings.pairs.add(), "hand", "mixamorig:LeftHand", "leftHand")
    for obj in (hero, mannequin):
        obj.select_set(True)
    bpy.context.view_layer.objects.active = mannequin
    assert settings.target is None and draw() == [("prop", mannequin.data)]
    assert draw_map() == [("source", hero.data), ("target", mannequin.data), ("prop", mannequin.data)]
    settings.source, settings.target = mannequin, hero
    assert draw() == [("prop", hero.data)]
    assert draw_map() == [("source", mannequin.data), ("target", hero.data), ("prop", hero.data)]
    settings.source = settings.target = None
    mannequin.select_set(False)
    hero.select_set(False)
    assert draw() == []


def test_of_two_of_one_name_the_selected_one_is_meant(part: Any, tmp_path: Any) -> None:
    """A linked armature and one of this file: the bones offered are the linked one's."""
    rigs.build("hero", names=rigs.MIXAMO)
    OPS.wm.save_as_mainfile(filepath=str(tmp_path / "theirs.blend"))
    OPS.wm.read_homefile(use_empty=True)
    theirs, own = rigs.linked(tmp_path / "theirs.blend", "hero"), rigs.build("hero", names=rigs.UNREAL)
    mannequin = rigs.build("mannequin", names=rigs.PLAIN)
    assert theirs.name == own.name
    offered: list[Any] = []

    class Search(Layout):
        def _inner(self, *_: Any, **__: Any) -> Search:
            return Search(self.drawn)

        row = column = split = _inner

        def prop_search(self, _data: Any, name: str, searched: Any, *_: Any, **__: Any) -> None:
            offered.append((name, searched))

    settings: Any = bpy.context.scene.retro_anim_retarget
    part("operators.retarget.mapping.map_table").set_pair(settings.pairs.add(), "hand", "mixamorig:LeftHand", "leftHand")
    for obj in (theirs, own, mannequin):
        obj.select_set(obj != own)
    bpy.context.view_layer.objects.active = mannequin
    draw_part(part("operators.retarget.panels.table").BoneMap, Search([]))
    assert offered[:2] == [("source", theirs.data), ("target", mannequin.data)]


@pytest.mark.parametrize(("pixels", "beside"), [(280, True), (200, False)])
def test_in_a_narrow_panel_labels_are_not_cut_off(part: Any, pixels: int, beside: bool) -> None:
    """A menu has its label above it; numbers and ticks have it inside, where Blender's own column for labels would halve their width."""
    settings: Any = bpy.context.scene.retro_anim_retarget
    settings.limb_leftHand.reach = "HAND"
    drawn: list[tuple[str, str, bool]] = []
    said: list[str] = []

    class Field(Layout):
        use_property_split = True

        def __setattr__(self, name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        def column(self, *_: Any, **__: Any) -> Field:
            return Field([])

        row = column

        def label(self, text: str = "", *_: Any, **__: Any) -> None:
            said.append(text)

        def prop(self, data: Any, name: str, text: str | None = None, *_: Any, **__: Any) -> None:
            drawn.append((name, data.bl_rna.properties[name].name if text is None else text, self.use_property_split))

    region = part("operators.shared.layout").of_width(pixels)
    limb = part("operators.retarget.panels.limbs").draw_limb
    for name in ("hips", "leftHand"):
        limb(Field([]), settings, name, region, None)
    assert drawn == [
        ("height", "Pelvis Height", beside),
        ("reach", "Left Hand" if beside else "", beside),
        ("strength", "Strength", beside),
        ("near", "Blend Distance", beside),
    ]
    assert ("Left Hand" in said) is not beside


def areas_shown(monkeypatch: pytest.MonkeyPatch, highlight: Any, *areas: Any) -> None:
    """These are the areas of Blender's only window."""
    manager = SimpleNamespace(windows=[SimpleNamespace(screen=SimpleNamespace(areas=areas))])
    monkeypatch.setattr(highlight, "bpy", SimpleNamespace(app=bpy.app, context=SimpleNamespace(window_manager=manager)))


def test_the_lines_bones_are_drawn_only_while_the_map_is_open(part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a panel that is folded in Blender draws the header, of a part of it that is folded in we do."""
    highlight, asked = part("operators.retarget.mapping.highlight"), list[str]()
    regions = [SimpleNamespace(type=kind, width=280, tag_redraw=partial(asked.append, kind)) for kind in ("UI", "WINDOW")]
    area = SimpleNamespace(regions=regions, as_pointer=lambda: 1)
    areas_shown(monkeypatch, highlight, area)
    context = SimpleNamespace(scene=bpy.context.scene, view_layer=bpy.context.view_layer, region=None, area=area)
    header = TYPES.VIEW3D_PT_retro_anim_retarget.draw_header
    table = part("operators.retarget.panels.table").BoneMap()
    table.layout = Layout([])

    def is_open(*draws: Any) -> bool:
        asked.clear()
        for draw in draws:
            draw(context)
        highlight.settle()
        return highlight.is_open(area)

    whole = partial(header, SimpleNamespace())
    assert not is_open(whole) and not asked, "folded in from the beginning: nothing to draw anew"
    assert is_open(whole, table.draw) and asked == ["WINDOW"]
    assert is_open(whole, table.draw) and not asked, "the side bar is drawn again, as with each move of the mouse over it"
    assert not is_open(whole, table.draw_folded) and asked == ["WINDOW"]
    assert is_open(whole, table.draw)
    assert not is_open(whole) and asked == ["WINDOW"], "the whole panel"
    is_open(whole, table.draw)
    highlight.unregister()
    assert not highlight.is_open(area)


def test_an_area_that_is_gone_is_not_drawn_anew(part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading what Blender has freed ends Blender: another file was opened before the timer's turn."""
    highlight, read = part("operators.retarget.mapping.highlight"), list[int]()

    class Area:
        def as_pointer(self) -> int:
            return 1

        @property
        def regions(self) -> list[Any]:
            read.append(1)
            return []

    context = SimpleNamespace(area=Area())
    highlight.show(context)
    highlight.hide(context)
    read.clear()
    areas_shown(monkeypatch, highlight)
    highlight.settle()
    assert not read
    highlight.unregister()


def test_a_bone_in_two_lines_is_marked_in_both(part: Any) -> None:
    """Not only when Retarget refuses them."""
    settings: Any = bpy.context.scene.retro_anim_retarget
    lines, panel = part("operators.retarget.mapping.map_table"), part("operators.retarget.panels.table").BoneMap
    lines.set_pair(settings.pairs.add(), "thigh", "leg", "")
    lines.set_pair(settings.pairs.add(), "head", "head", "")
    lines.set_chain(settings.pairs.add(), ["back", "neck"], ["hips", "leg"])
    kind: Any = TYPES.RETRO_ANIM_UL_pairs

    class Self:
        filter_name, bitflag_filter_item = "", 1

    settings.only_doubtful = True
    marked, said = [], []
    for source in ("thigh", ""):
        settings.pairs[0].source = source
        drawn: list[Any] = []
        draw_part(panel, Marks(drawn))
        said.append("leg follows thigh and back…neck" in " ".join(str(each[0]) for each in drawn if isinstance(each, tuple)))
        marked.append(kind.filter_items(Self, bpy.context, settings, "pairs")[0])
    assert said == [True, False]
    assert marked == [[1, 0, 1], [1, 0, 0]], "a line without a source is none, but wants one"


def test_only_what_somebody_has_set_is_called_so(part: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that the names alone make sure stay so when another one is edited."""
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)
    rigs.build("hero", names=rigs.MIXAMO)
    rigs.build("twin", names=rigs.MIXAMO)
    OPS.retro_anim.retarget_map(source="hero", target="twin")
    settings: Any = bpy.context.scene.retro_anim_retarget
    one, other = [index for index, line in enumerate(settings.pairs) if not line.is_chain][:2]
    settings.pairs[one].confidence = settings.pairs[other].confidence = 1.0
    settings.pairs[one].weight = 0.5
    OPS.retro_anim.retarget_map_add()
    said = []
    for index in (one, other, len(settings.pairs) - 1):
        settings.index = index
        drawn: list[str] = []
        draw_part(part("operators.retarget.panels.table").BoneMap, Layout(drawn))
        said.append({"Sure", "Set by hand"} & set(drawn))
    assert said == [{"Set by hand"}, {"Sure"}, {"Set by hand"}]


def test_the_table_is_looked_through_once(part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever all lines have in common is not sought for each row."""
    settings: Any = bpy.context.scene.retro_anim_retarget
    panel, calls = part("operators.retarget.panels.table"), []
    own = panel.columns
    monkeypatch.setattr(panel, "columns", lambda lines, room: calls.append(len(lines)) or own(lines, room))
    for number in range(5):
        part("operators.retarget.mapping.map_table").set_pair(settings.pairs.add(), f"Bip01 {'abcde'[number]}", "x", "")
    draw_part(part("operators.retarget.panels.table").BoneMap, Layout([]))
    for line in settings.pairs:
        TYPES.RETRO_ANIM_UL_pairs.draw_item(None, bpy.context, Layout([]), settings, line, 0, settings, "index")
    assert calls == [5]


def test_the_buttons_of_the_reference_pose_stay_where_they_are(part: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is listed below them: a second click does not meet another button."""
    settings: Any = bpy.context.scene.retro_anim_retarget
    monkeypatch.setattr(part("operators.retarget.posing"), "is_posing", lambda _settings: True)
    rows = []
    for kept in (0, 2):
        for number in range(kept):
            settings.poses.add().name = f"pose {number}"
        drawn: list[str] = []
        draw_part(part("operators.retarget.panels.pose").ReferencePose, Layout(drawn))
        rows.append(drawn)
    assert "retro_anim.retarget_pose" in rows[0] and rows[1][: len(rows[0])] == rows[0] and "Kept: pose 0, pose 1" in rows[1]


@pytest.mark.parametrize("posing", [False, True])
def test_the_way_back_is_shown_once_also_where_the_reference_pose_is_folded_in(
    part: Any, monkeypatch: pytest.MonkeyPatch, posing: bool
) -> None:
    monkeypatch.setattr(part("operators.retarget.posing"), "is_posing", lambda _settings: posing)
    kind, draw_parts = part("operators.retarget.panels.pose").ReferencePose, part("operators.shared.parts").draw_parts

    folded = iter((True, False))

    class Header(Layout):
        def panel(self, name: str, default_closed: bool = False, **_: Any) -> tuple[Layout, Layout | None]:
            return Layout(self.drawn), None if next(folded) else Layout(self.drawn)

    shown: list[int] = []
    for _ in range(2):
        drawn: list[str] = []
        draw_parts(Header(drawn), bpy.context, (kind,))
        shown.append(drawn.count("retro_anim.retarget_pose"))
    assert shown == [posing, 1]


class Marks(Layout):
    """Keeps the icons of labels, and which properties are grey."""

    active: bool

    def __init__(self, drawn: list[Any], active: bool = True) -> None:
        super().__init__(drawn)
        object.__setattr__(self, "active", active)

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _inner(self, *_: Any, **__: Any) -> Marks:
        return Marks(self.drawn)

    row = column = _inner

    def panel(self, name: str, **_: Any) -> tuple[Layout, Layout]:
        return Marks(self.drawn), Marks(self.drawn)

    def label(self, text: str = "", icon: str = "NONE", **_: Any) -> None:
        self.drawn.append((text, icon))

    def prop(self, data: Any, name: str, text: str = "", icon: str = "NONE", **_: Any) -> None:
        self.drawn.append((name, self.active))


def test_the_report_marks_what_asks_for_a_look_and_begins_with_it(part: Any) -> None:
    settings: Any = bpy.context.scene.retro_anim_retarget
    line = settings.reports.add()
    line.lines, line.reasons = "25 frames\nflips: 0\nunreached: 3 frames\nsaid", "unreached: 3 frames"
    drawn: list[Any] = []
    report = part("operators.retarget.panels.report").Report
    draw_part(report, Marks(drawn))
    figures = [("Figures", "NONE"), ("25 frames", "NONE"), ("flips: 0", "NONE"), ("said", "NONE")]
    assert drawn[:5] == [("unreached: 3 frames", "ERROR"), *figures]
    line.lines, line.reasons, line.is_good = "25 frames\nflips: 0\nsaid", "", True
    drawn.clear()
    draw_part(report, Marks(drawn))
    assert drawn[:5] == [("Nothing asks for a look", "CHECKMARK"), *figures]


@pytest.mark.parametrize("good", [False, True])
def test_a_report_that_is_folded_in_shows_that_it_asks_for_a_look(part: Any, good: bool) -> None:
    bpy.context.scene.retro_anim_retarget.reports.add().is_good = good
    drawn: list[Any] = []
    report = part("operators.retarget.panels.report").Report()
    report.layout = Marks(drawn)
    report.draw_folded(bpy.context)
    assert drawn == ([] if good else [("", "ERROR")])


def test_of_many_clips_it_is_said_how_many_ask_for_a_look(part: Any) -> None:
    """Also while the chosen one does not; that of none is said once."""
    settings: Any = bpy.context.scene.retro_anim_retarget
    for number in range(3):
        line = settings.reports.add()
        line.is_good = number != 2
    said = []
    for good in (False, True):
        settings.reports[2].is_good = good
        drawn: list[Any] = []
        draw_part(part("operators.retarget.panels.report").Report, Marks(drawn))
        said.append([each for each in drawn if "for a look" in str(each)])
    none = ("Nothing asks for a look", "CHECKMARK")
    assert said == [[("1 of 3 actions ask for a look", "ERROR"), none], [("No action asks for a look", "CHECKMARK")]]


def test_the_report_is_directly_below_the_button(part: Any) -> None:
    assert part("operators.retarget.panels").PARTS[0] is part("operators.retarget.panels.report").Report


def test_options_that_count_for_nothing_are_grey_and_nothing_moves(part: Any) -> None:
    settings: Any = bpy.context.scene.retro_anim_retarget
    orders = []
    for counts in (True, False):
        settings.feet, settings.keys = counts, "FRAMES" if counts else "SOURCE"
        drawn: list[Any] = []
        draw_part(part("operators.retarget.panels.options").Options, Marks(drawn))
        active = dict(each for each in drawn if isinstance(each, tuple))
        assert active["hips_down"] == active["step"] == counts and active["feet"]
        orders.append([name for name in active if name in settings.bl_rna.properties])
    assert orders[0] == orders[1]


@pytest.mark.parametrize("selected", [True, False])
def test_empty_fields_say_whom_the_selection_means(selected: bool) -> None:
    """Or what they are for, where it does not say."""
    source, target = rigs.build("hero", names=rigs.MIXAMO), rigs.build("mannequin")
    for obj in (source, target):
        obj.select_set(selected)
    bpy.context.view_layer.objects.active = target
    known: list[tuple[str, str]] = []

    class Fields(Layout):
        def _inner(self, *_: Any, **__: Any) -> Fields:
            return Fields(self.drawn)

        row = column = split = _inner

        def prop(self, data: Any, name: str, text: str = "", icon: str = "NONE", placeholder: str = "", **_: Any) -> None:
            known.append((name, placeholder))

    TYPES.VIEW3D_PT_retro_anim_retarget.draw(SimpleNamespace(layout=Fields([])), bpy.context)
    names = ("hero", "mannequin") if selected else ("who moves", "who follows")
    names = names if "placeholder" in TYPES.UILayout.bl_rna.functions["prop"].parameters else ("", "")
    assert known[:2] == [("source", names[0]), ("target", names[1])]


def test_a_field_that_names_who_was_deleted_says_so(part: Any) -> None:
    settings: Any = bpy.context.scene.retro_anim_retarget
    settings.source = rigs.build("hero")
    said: list[bool] = []
    for deleted in (False, True):
        if deleted:
            bpy.context.scene.collection.objects.unlink(settings.source)
        drawn: list[str] = []
        part("operators.retarget.panels.main").draw(Layout(drawn), bpy.context)
        said.append("hero was deleted: the selection counts instead" in " ".join(drawn))
    assert said == [False, True]


@pytest.mark.parametrize("has_ik", [False, True])
def test_ik_controls_are_offered_where_there_are_any(part: Any, has_ik: bool) -> None:
    target = rigs.build("rig", names=rigs.PLAIN | ({"leftHand": "hand_fk.L", "rightHand": "hand_ik.L"} if has_ik else {}))
    settings: Any = bpy.context.scene.retro_anim_retarget
    settings.target = target
    drawn: list[Any] = []
    draw_part(part("operators.retarget.panels.options").Options, Marks(drawn))
    assert ("rigify_ik" in [each[0] for each in drawn if isinstance(each, tuple)]) == has_ik


@pytest.mark.parametrize(("names", "whole"), [(rigs.MIXAMO, True), (rigs.PLAIN, False)])
def test_long_names_of_bones_have_the_whole_width(part: Any, names: dict[str, str], whole: bool, tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)
    rigs.build("hero", names=names)
    rigs.build("mannequin")
    OPS.retro_anim.retarget_map(source="hero", target="mannequin")
    fields: list[str] = []

    class Fields(Layout):
        kind: str

        def __init__(self, drawn: list[Any], kind: str = "") -> None:
            super().__init__(drawn)
            object.__setattr__(self, "kind", kind)

        def column(self, *_: Any, **__: Any) -> Fields:
            return Fields(self.drawn, "column")

        def row(self, *_: Any, **__: Any) -> Fields:
            return Fields(self.drawn, "row")

        split = row

        def prop_search(self, _data: Any, name: str, *_: Any, **__: Any) -> None:
            fields.append(f"{name} in {self.kind}")

    draw_part(part("operators.retarget.panels.table").BoneMap, Fields([]))
    assert fields == [f"{side} in {'column' if whole else 'row'}" for side in ("source", "target")]


def test_what_an_option_means_for_this_target_is_said(part: Any) -> None:
    """A bone of Little Big Adventure rotates or moves: there the object carries the motion that the hips do elsewhere."""
    said: list[str] = []
    for game in ("", "lba"):
        target = rigs.build(f"hero{game}", names=rigs.MIXAMO)
        if game:
            part("io.blender.identity").mark(target, part("core.games").GAMES[game])
        bpy.context.scene.retro_anim_retarget.target = target
        drawn: list[str] = []
        draw_part(part("operators.retarget.panels.options").Options, Layout(drawn))
        said.append(" ".join(drawn))
    assert "0: by the length of the legs" in said[0]
    assert ["The object carries it" in each for each in said] == [False, True]


def test_what_is_asked_of_hands_and_feet_is_counted_while_they_are_folded_in(part: Any) -> None:
    """A remembered bone map may ask for it."""
    settings: Any = bpy.context.scene.retro_anim_retarget
    said = []
    for step in ("nothing", "hips", "hand"):
        if step == "hips":
            settings.limb_hips.height = 1.05
        if step == "hand":
            settings.limb_leftHand.reach, settings.limb_leftHand.strength = "BODY", 0.5
        folded = part("operators.retarget.panels.goals").HandsAndFeet()
        drawn: list[str] = []
        folded.layout = Layout(drawn)
        folded.draw_folded(bpy.context)
        said.append(drawn)
    assert said == [[], ["1 changed"], ["2 changed"]]


def test_only_the_first_part_of_the_options_is_unfolded_and_headers_say_what_was_changed(part: Any) -> None:
    """All at once they are longer than a screen; what somebody has set is not forgotten behind a part that is folded in."""
    settings: Any = bpy.context.scene.retro_anim_retarget
    closed: dict[str, bool] = {}

    class Parts(Layout):
        def panel(self, name: str, default_closed: bool = False, **_: Any) -> tuple[Layout, Layout | None]:
            closed[name] = default_closed
            return Layout(self.drawn), None if default_closed else Layout(self.drawn)

    said: list[list[str]] = []
    for feet in (settings.feet, not settings.feet):
        settings.feet = feet
        drawn: list[str] = []
        draw_part(part("operators.retarget.panels.options").Options, Parts(drawn))
        said.append([text for text in drawn if text.endswith("changed")])
    assert list(closed.values()) == [False, True, True, True, True]
    assert said == [[], ["1 changed"]]


def test_how_a_line_follows_is_folded_in_and_its_header_names_the_bones(part: Any, tmp_path: Any, monkeypatch: Any) -> None:
    """A line that was set in another manner says so; why it is doubtful is not behind the fold."""
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)
    rigs.build("hero", names=rigs.MIXAMO)
    rigs.build("mannequin", names=rigs.PLAIN)
    settings: Any = bpy.context.scene.retro_anim_retarget

    class Folded(Layout):
        _inner = row = column = split = lambda self, *_, **__: Folded(self.drawn)

        def panel(self, name: str, default_closed: bool = False, **_: Any) -> tuple[Layout, Layout | None]:
            assert default_closed
            return Layout(self.drawn), None

        def template_list(self, *_: Any, **__: Any) -> None:
            self.drawn.append("list")

    said: list[list[str]] = []
    for step in ("empty", "mapped", "changed"):
        if step == "mapped":
            OPS.retro_anim.retarget_map(source="hero", target="mannequin")
            settings.index = next(i for i, line in enumerate(settings.pairs) if line.source == "mixamorig:Head")
        elif step == "changed":
            settings.pairs[settings.index].offset, settings.pairs[settings.index].tail = (0.5, 0.0, 0.0), True
            settings.pairs[settings.index].note = "a reason"
        drawn: list[str] = []
        draw_part(part("operators.retarget.panels.table").BoneMap, Folded(drawn))
        said.append(drawn)
    head = settings.pairs[settings.index].target
    chain = settings.pairs.add()
    part("operators.retarget.mapping.map_table").set_chain(chain, ["a", "b"], ["c", "d"])
    settings.index, drawn = len(settings.pairs) - 1, []
    draw_part(part("operators.retarget.panels.table").BoneMap, Folded(drawn))
    assert "How the Chain Follows" in drawn
    assert "list" not in said[0] and "Map Bones shows" in " ".join(said[0])
    assert [each[-1] for each in said[1:]] == [f"How {head} Follows Head", "2 changed"]
    assert "list" in said[1] and "a reason" in said[2] and not {"space", "tail"} & {*said[1], *said[2]}
    settings.pairs.clear()
    set_pair = part("operators.retarget.mapping.map_table").set_pair
    for number in (2, 14):  # of which the rows have room for the numbers alone
        set_pair(settings.pairs.add(), f"a strand of hair by the left ear {number}", f"Node_{number}", "")
    settings.index, drawn = 1, []
    draw_part(part("operators.retarget.panels.table").BoneMap, Folded(drawn))
    assert "How Node_14 Follows a strand of hair by the left ear 14" in drawn


def test_lines_that_are_marked_are_those_that_are_counted(part: Any) -> None:
    """A low confidence says so as well as a note does."""
    wants_look, pairs = part("operators.retarget").wants_look, [("", 1.0), ("", 0.47), ("why", 1.0)]
    assert [wants_look(SimpleNamespace(note=note, confidence=sure)) for note, sure in pairs] == [False, True, True]
