"""What is raised when there is no answer."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """One message about the input."""

    code: str
    message: str
    line: int | None = None
    column: int | None = None
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}: " if self.line is not None else ""
        return f"{place}{self.message} [{self.code}]"


class Error(Exception):
    """There is no answer."""


class UsageError(Error):
    """An argument is wrong, or a file cannot be read (exit code 2)."""


class ToolError(Error):
    """The program failed or is not there (exit code 1)."""


@dataclass
class InputError(Error):
    """The input was refused; `findings` says where and why."""

    text: str
    findings: tuple[Finding, ...] = field(default=())

    def __str__(self) -> str:
        return self.text


class MalformedInput(InputError):
    """The input is not well-formed (exit code 3)."""


class UnsupportedInput(InputError):
    """The input is outside what the program reads (exit code 4)."""
