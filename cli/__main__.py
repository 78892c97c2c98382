"""`python -m retro_anim.cli`."""

import sys

from . import main

sys.exit(main())
