"""Progress as one line that is written over, in a terminal as in a notebook."""

from __future__ import annotations

import sys
from typing import TextIO


class ProgressLine:
    """For `progress=` of a check: shows the newest line in the place of the one before.

    >>> foretell.check(path, progress=foretell.ProgressLine())  # doctest: +SKIP
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._width = 0

    def __call__(self, line: str) -> None:
        shown = line.replace("\r", " ").replace("\n", " ")
        # Blanks cover what is left of a longer line.
        self._stream.write("\r" + shown.ljust(self._width))
        self._stream.flush()
        self._width = len(shown)
