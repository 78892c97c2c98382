"""Retro Game Animation: skeletal animations of old games in Blender, both ways."""


def register() -> None:
    import gc

    collecting = gc.isenabled()
    gc.disable()  # of what is made here nothing is garbage, and going through all of Blender's objects takes as long as a third of it
    try:
        from . import operators

        operators.register()
    finally:
        if collecting:
            gc.enable()


def unregister() -> None:
    from . import operators

    operators.unregister()
