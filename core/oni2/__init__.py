"""Oni 2, the unfinished prototype by Angel Studios."""
