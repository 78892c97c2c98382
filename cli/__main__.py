"""`python -m retro_anim.cli`."""

from . import script

script()
