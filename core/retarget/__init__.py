"""Retargeting: any motion onto any skeleton, by world rotations from aligned rest poses."""
