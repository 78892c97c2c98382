"""Retargeting in Blender: actions of one armature as new actions of another."""

from typing import TYPE_CHECKING

from .. import on_demand

if TYPE_CHECKING:
    from .retarget import RetargetOptions, retarget_actions

__getattr__ = on_demand(__name__, RetargetOptions="retarget", retarget_actions="retarget")

__all__ = ["RetargetOptions", "retarget_actions"]
