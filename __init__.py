"""Retro Game Animation: skeletal animations of old games in Blender, both ways."""


def register() -> None:
    from . import operators

    operators.register()


def unregister() -> None:
    from . import operators

    operators.unregister()
