"""`convert`: through Blender."""
from __future__ import annotations
import argparse
def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    pass
