"""Stick: the small game of the walk-through in docs/architecture.md. One text file holds a skeleton and its animation."""
