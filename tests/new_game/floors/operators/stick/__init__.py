"""Stick in Blender's window."""
