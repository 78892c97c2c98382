"""Which bone of one skeleton stands for which of another: by names and by structure."""

from .mapping import map_bones

__all__ = ["map_bones"]
