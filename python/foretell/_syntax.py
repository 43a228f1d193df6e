"""S-expressions, as far as models need them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"""\s+|;[^\n]*|(\(|\)|\|[^|]*\||"(?:[^"]|"")*"|[^\s()|";]+)""")


def tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """The words and parentheses of a text with their places."""
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"no S-expression at character {position}")
        position = match.end()
        if match.group(1) is not None:
            yield match.group(1), match.start(1), match.end(1)


def children(text: str) -> list[str]:
    """The parts of a list, each as it is written; of several lists in a row, these."""
    level = 0
    parts: list[str] = []
    start = 0
    outer = text.lstrip().startswith("(") and _is_one(text)
    base = 1 if outer else 0
    for word, first, last in tokens(text):
        if word == "(":
            if level == base:
                start = first
            level += 1
        elif word == ")":
            level -= 1
            if level == base and last > start and text[start] == "(":
                parts.append(text[start:last])
        elif level == base:
            parts.append(word)
    return parts


def _is_one(text: str) -> bool:
    level = 0
    end = None
    for word, _, last in tokens(text):
        if end is not None:
            return False
        level += (word == "(") - (word == ")")
        if level == 0:
            end = last
    return end is not None


def name(word: str) -> str:
    """A symbol without its bars."""
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] == "|" else word
