"""Characters of Little Big Adventure: one of one's own, the whole of one saved, their texture page and the palette."""

from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Object, Operator

from ...core.lba.game import GAME, MakeOptions, SaveOptions
from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity
from ..files.bodies import MakeBody, SaveCharacter
from ..shared import declared, job
from ..shared.layout import allowed, ask, split_layout, with_placeholder
from ..shared.panel import active_armature


class RETRO_ANIM_OT_lba_make(MakeBody, Operator):
    """Build the character that the active armature and its meshes are in Little Big Adventure, beside them: at most 30 groups, each vertex
    on the bone of its largest weight, the nearest colours of the palette"""

    bl_label = "Make It an LBA Body"
    row, takes = GAME, MakeOptions

    def draw(self: Any, context: Context) -> None:
        layout, obj = split_layout(self), active_armature(context)
        for name in ("game", "height"):
            self.draw_option(layout, name)
        layout.prop_search(self, "like", context.scene, "objects")
        for name in ("merge", "palette"):
            self.draw_option(layout, name)
        if obj is not None:
            from ...io.lba import make

            if lines := make.colours_of(context, obj, self.palette, self.game):  # an empty box would be a line across
                box = layout.box().column(align=True)
                for line in lines:
                    box.label(text=line)

    def summary(self, obj: Object) -> str:
        from ...io.blender import armature

        return f"{len(armature.bones_of(obj))} groups; Export LBA Body writes it"


class RETRO_ANIM_OT_lba_page(Operator):
    """The texture page of Little Big Adventure 2, 256 x 256 texels that all its bodies share: as an image for materials of one's own, and
    back into RESS.HQR, of which a backup is kept"""

    bl_idname = "retro_anim.lba_page"
    bl_label = "Texture Page"
    bl_options = {"UNDO"}

    how: EnumProperty(
        name="Action",
        items=(
            ("OPEN", "Open as an Image", "Faces whose material has this image are textured by their place on the page"),
            ("USE", "Use an Image", "An image of 256 x 256 pixels is the page from now on"),
            ("WRITE", "Write into RESS.HQR", "The image, in the nearest colours of the palette"),
        ),
    )
    image: StringProperty(name="Image")
    resources: StringProperty(
        name="RESS.HQR",
        description="Empty: the one that the image came from, or that lies beside the body",
        **declared.suggesting((".hqr",), folders=False),
    )

    def invoke(self: Any, context: Context, event: Event) -> Any:
        if not self.image:
            self.image = next((image.name for image in bpy.data.images if "lba_page" in image), "")
        return ask(self, context, width=420)

    def draw(self: Any, context: Context) -> None:
        layout = split_layout(self)
        layout.prop(self, "how")
        if self.how != "OPEN":
            layout.prop_search(self, "image", bpy.data, "images")
        if self.how != "USE":
            said = "beside the body" if self.how == "OPEN" else "the image's own"
            with_placeholder(layout, self, "resources", said, labelled=True)

    def execute(self: Any, context: Context) -> Any:
        result = job.run(self, context, lambda: self._applied(context), summary=str)
        return {"FINISHED"} if result is not None else {"CANCELLED"}

    def _applied(self: Any, context: Context) -> str:
        from ...io.blender import source_data
        from ...io.lba.body import page

        obj = active_armature(context)
        origin = source_data.path_of(obj.data) if obj is not None and obj.data is not None else ""
        path = bpy.path.abspath(self.resources)
        if self.how == "OPEN":
            return f"the texture page is the image {page.open_page(path or origin).name}"
        image = bpy.data.images.get(self.image)
        if image is None:
            raise RetroAnimError("choose an image")
        if self.how == "USE":
            page.use_as_page(image)
            return f"{image.name} is the texture page"
        return f"written: {page.write_page(image, path or str(image.get('lba_page', '')) or origin)}"


class RETRO_ANIM_OT_lba_save(SaveCharacter, Operator):
    """Write the whole character in one go: its body, all its clips, and its row in the list of characters, into the game's archives; all or
    none, of each a backup is kept"""

    game, takes = GAME, SaveOptions


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

    colour: IntProperty(name="Colour in Palette", description="Its number in the game's palette", min=0, max=255)

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


CLASSES = (RETRO_ANIM_OT_lba_make, RETRO_ANIM_OT_lba_save, RETRO_ANIM_OT_lba_page, RETRO_ANIM_OT_lba_colour)
