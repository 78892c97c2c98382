"""Scripts may import this from here; it lies in `retarget.reading.read`."""

from .retarget.reading.read import figure_of

__all__ = ["figure_of"]
