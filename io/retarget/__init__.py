"""Retargeting in Blender: actions of one armature as new actions of another."""

from .retarget import RetargetOptions, retarget_actions

__all__ = ["RetargetOptions", "retarget_actions"]
