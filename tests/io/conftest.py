"""These tests need Blender, which is started once a process."""

from support.blender import *  # noqa: F403
