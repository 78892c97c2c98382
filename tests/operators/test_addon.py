"""The add-on as a whole: it comes, goes and comes back."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import pytest
from support.blender_layout import TYPES, Layout

pytestmark = pytest.mark.smoke


WITH_A_CHOICE = {
    "retro_anim.clip_step",
    "retro_anim.use_asset",
    "retro_anim.preview_loop",
    "retro_anim.restore",
}
"""Of no use away from the field, the list or the asset that they belong to, which says what they do."""


def classes(addon: ModuleType) -> set[str]:
    """Those of Blender's types that are the add-on's."""
    return {name for name in dir(bpy.types) if getattr(getattr(bpy.types, name), "__module__", "").startswith(addon.__name__)}


def test_is_enabled_with_its_operators(addon: ModuleType) -> None:
    assert addon.__name__ in bpy.context.preferences.addons
    assert {"IMPORT_ANIM_OT_lba", "EXPORT_ANIM_OT_lba"} <= classes(addon)


def test_goes_and_comes_back_again_and_again(addon: ModuleType) -> None:
    """And leaves nothing: no class, handler, timer or entry of a menu."""
    handlers: Any = bpy.app.handlers
    types: Any = bpy.types

    def left() -> tuple[Any, ...]:
        lists = {name: len(getattr(handlers, name)) for name in dir(handlers) if isinstance(getattr(handlers, name), list)}
        ours = types.TOPBAR_MT_file_import, types.TOPBAR_MT_file_export, types.VIEW3D_MT_object_animation
        menus = [len(kind._dyn_ui_initialize()) for kind in ours]
        return classes(addon), lists, menus

    addon.unregister()  # and what another test was the first to use
    addon.register()
    before = left()
    for _ in range(10):
        addon.unregister()
        try:
            assert classes(addon) == set()
        finally:
            addon.register()
    assert left() == before


def test_blender_s_search_finds_the_buttons_of_the_panel(addon: ModuleType) -> None:
    """It looks into menus alone: Object > Animation and Pose > Animation are one."""
    drawn: list[str] = []
    menu = SimpleNamespace(layout=Layout(drawn))
    for draw in TYPES.VIEW3D_MT_object_animation._dyn_ui_initialize():
        if draw.__module__.startswith(addon.__name__):
            draw(menu, bpy.context)
    assert drawn == ["VIEW3D_MT_retro_anim"]
    for name in drawn:  # and the menus in it
        if "_MT_" in name:
            getattr(TYPES, name).draw(menu, bpy.context)
    menus = [getattr(TYPES, name).bl_label for name in drawn if name.startswith("VIEW3D_MT_retro_anim")]
    assert menus == ["Retro Anim", "Retarget", "LBA", "Oni", "Oni 2", "Tales of Pirates"]  # behind longer ones it cuts off what is in them
    ours = [kind for kind in addon.operators._CLASSES if issubclass(kind, TYPES.Operator)]
    names = {kind.bl_idname for kind in ours if "INTERNAL" not in getattr(kind, "bl_options", ())}
    public = {name for name in names if name.startswith(("retro_anim.", "export_mesh."))}
    assert public - set(drawn) == WITH_A_CHOICE
    assert len(drawn) == len(set(drawn)) + 1  # Save Clip and Save Ticked Clips


def test_there_is_one_copy_of_every_module(addon: ModuleType, part: Callable[[str], ModuleType]) -> None:
    import retro_anim.core.motion.clip

    assert retro_anim.core.motion.clip is part("core.motion.clip")
    assert part("core.motion.clip").__name__ == f"{addon.__name__}.core.motion.clip"


class Evaluated(type):
    """Classes whose annotations are not among their attributes, as from Python 3.14 on."""

    @property
    def __annotations__(cls) -> dict[str, Any]:
        return {"name": bpy.props.StringProperty()} if cls.__name__ == "Some" else {}


def test_classes_keep_their_properties_whichever_python_runs_them(part: Callable[[str], ModuleType]) -> None:
    """Those without any are marked, to be quick."""
    ready = part("operators")._ready
    marked = [hasattr(ready(Evaluated(name, (), {})), "__no_type_check__") for name in ("Some", "None")]
    assert marked == [False, True]
    assert not hasattr(ready(type("Kind", (), {"__annotations__": {"name": str}})), "__no_type_check__")


def test_pictures_of_a_palette_go_with_the_extension(part: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    freed: list[bool] = []
    monkeypatch.setattr(part("operators.lba.character"), "unregister", lambda: freed.append(True))
    for unregister in part("operators")._hooks("unregister"):
        if unregister.__module__.endswith(".lba"):
            unregister()
    assert freed == [True]
