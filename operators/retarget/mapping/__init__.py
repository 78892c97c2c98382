"""The bone map in the window: its table and lines, what is done with them, and the bones drawn over the view."""
