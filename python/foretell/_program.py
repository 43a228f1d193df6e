"""Where the program is."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path

from ._errors import ToolError


@functools.cache
def executable() -> str:
    """The path of the program: `$FORETELL`, that of this package, of a checkout, or of PATH."""
    named = os.environ.get("FORETELL")
    if named:
        return named
    package = Path(__file__).resolve().parent
    for place in (
        package.parent / "foretell.scripts" / "foretell",
        package.parent.parent / "target" / "release" / "foretell",
    ):
        if os.access(place, os.X_OK):
            return str(place)
    found = shutil.which("foretell")
    if found is None:
        raise ToolError("the program `foretell` was not found; set FORETELL to its path")
    return found


def environment() -> dict[str, str]:
    """The environment of the program; it finds its solver relative to itself."""
    variables = dict(os.environ)
    solver = Path(__file__).resolve().parent / "_bin" / "z3"
    if "FORETELL_Z3" not in variables and os.access(solver, os.X_OK):
        variables["FORETELL_Z3"] = str(solver)
    return variables


def version() -> str:
    """The version of the program."""
    run = subprocess.run(
        [executable(), "--version"], capture_output=True, text=True, check=False, env=environment()
    )
    if run.returncode != 0:
        raise ToolError(run.stderr.strip() or f"exit code {run.returncode}")
    return run.stdout.strip().removeprefix("foretell ")
