"""The game's palette to pick a material's colour from."""

from typing import Any

from bpy.props import IntProperty
from bpy.types import Context, Event, Operator

from ...core.lba.game import GAME
from ...io.blender import identity
from ..shared import job
from ..shared.layout import allowed

_SHADES = 16
"""Of each ramp, a row of the palette."""

_pictures: dict[bytes, Any] = {}
"""Collections of icons, by the colours that they show."""


def _icons(palette: Any) -> Any:
    """One of each colour, by its number as a text."""
    key = palette.colours.tobytes()
    if key not in _pictures:
        from bpy.utils import previews

        pictures: Any = previews.new()
        for index, (red, green, blue) in enumerate(palette.colours.tolist()):
            picture = pictures.new(str(index))
            picture.icon_size = (8, 8)
            picture.icon_pixels_float = [red / 255, green / 255, blue / 255, 1.0] * 64
        _pictures[key] = pictures
    return _pictures[key]


class RETRO_ANIM_OT_lba_colour(Operator):
    """Give the active material another colour of the game's palette: a row is a ramp, to whose end light adds shades"""

    bl_idname = "retro_anim.lba_colour"
    bl_label = "Pick From Palette"
    bl_options = {"UNDO"}

    colour: IntProperty(name="Colour in Palette", min=0, max=255)

    @classmethod
    def poll(cls, context: Context) -> bool:
        from ...core.lba.fields import COLOUR

        obj = getattr(context, "object", None)  # there is none without a window
        material = obj.active_material if obj is not None and obj.type == "MESH" else None
        owner = obj.find_armature() if obj is not None and material is not None else None
        fine = material is not None and COLOUR in material and owner is not None and identity.game_of(owner) is GAME
        return allowed(cls, fine, "Needs a material of the game's palette on the active mesh")

    def invoke(self: Any, context: Context, event: Event) -> Any:
        from ...io.lba.body import recolour

        obj: Any = context.object
        icons = job.run(self, context, lambda: _icons(recolour.palette_of(obj)))
        if icons is None:
            return {"CANCELLED"}

        def draw(menu: Any, _context: Context) -> None:
            menu.layout.operator_context = "EXEC_DEFAULT"
            menu.layout.label(text=self.bl_label, icon="COLOR")
            rows = menu.layout.column(align=True)
            for ramp in range(0, 256, _SHADES):
                row = rows.row(align=True)
                for index in range(ramp, ramp + _SHADES):
                    row.operator(self.bl_idname, text="", icon_value=icons[str(index)].icon_id).colour = index

        context.window_manager.popover(draw, ui_units_x=_SHADES + 2)
        return {"INTERFACE"}

    def execute(self: Any, context: Context) -> Any:
        from ...io.lba.body import recolour

        obj: Any = context.object
        material = job.run(self, context, lambda: recolour.recolour(obj, self.colour), summary=lambda material: material.name)
        return {"FINISHED"} if material is not None else {"CANCELLED"}


def unregister() -> None:
    from bpy.utils import previews

    for pictures in _pictures.values():
        previews.remove(pictures)
    _pictures.clear()


CLASSES = (RETRO_ANIM_OT_lba_colour,)
