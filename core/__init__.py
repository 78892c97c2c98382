"""Bytes <-> plain data. Python and numpy only: this floor never imports bpy or mathutils."""
