"""Fuzzing: coverage-guided inputs for whatever reads bytes. `python -m retro_anim.fuzz`; see __main__.py."""
