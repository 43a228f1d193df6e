"""The command `foretell` of the wheel: becomes the program that lies beside this file.

A module of its own, because the package imports much more than a command needs to start.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Replaces this process by the program."""
    here = os.path.dirname(os.path.realpath(__file__))
    program = os.path.join(here, "foretell.scripts", "foretell")
    os.execv(program, [program, *sys.argv[1:]])
