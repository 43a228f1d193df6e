"""Calling the program."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from ._errors import Error, Finding, MalformedInput, ToolError, UnsupportedInput, UsageError
from ._program import environment, executable
from ._result import Result, Validation

Problem = str | bytes | os.PathLike[str]
Progress = Callable[[str], None]
P = ParamSpec("P")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class _Call:
    """A command, what it reads, and who follows it."""

    words: list[str]
    stdin: bytes | None
    progress: Progress | None


def _call(
    problem: Problem,
    *,
    timeout: float | None = None,
    engine: str = "auto",
    property: int | str | None = None,
    jobs: int = 2,
    memory: str | None = None,
    settings: Mapping[str, object] | None = None,
    options: Sequence[str] = (),
    progress: Progress | None = None,
) -> _Call:
    """Decides whether a bad state is reachable.

    `problem` is a path, or the text itself (whatever contains a parenthesis or is `bytes`).
    `timeout` counts seconds, `memory` is such as "4G", `settings` are those of `foretell options`,
    `options` any others of the command line. `progress` is called with a line now and then.
    """
    path, stdin = _parts(problem)
    words = [executable(), "check", "--format", "json", "--engine", engine, "--jobs", str(jobs)]
    words += ["--progress", "line" if progress else "off"]
    if timeout is not None:
        words += ["--timeout", f"{timeout:g}s"]
    if property is not None:
        words += ["--property", str(property)]
    if memory is not None:
        words += ["--memory", memory]
    for name, value in (settings or {}).items():
        shown = str(value).lower() if isinstance(value, bool) else str(value)
        words += ["--set", f"{name}={shown}"]
    return _Call([*words, *options, "--", path], stdin, progress)


def _blocking(call: Callable[P, _Call]) -> Callable[P, Result]:
    """The function with these parameters that waits for the answer."""

    @functools.wraps(call)
    def check(*args: P.args, **kwargs: P.kwargs) -> Result:
        return _run(call(*args, **kwargs))

    return _named(check, "check", Result)


def _awaitable(call: Callable[P, _Call]) -> Callable[P, Coroutine[Any, Any, Result]]:
    """The same for `await`."""

    @functools.wraps(call)
    async def acheck(*args: P.args, **kwargs: P.kwargs) -> Result:
        return await _arun(call(*args, **kwargs))

    acheck.__doc__ = "As `check`; when it is cancelled, the program and all its processes end."
    return _named(acheck, "acheck", Result)


def _named(function: F, name: str, gives: type) -> F:
    """What help shows: the parameters of the call, the name and the answer of the function."""
    function.__name__ = function.__qualname__ = name
    shown = inspect.signature(function).replace(return_annotation=gives.__name__)
    function.__signature__ = shown  # type: ignore[attr-defined]
    return function


check = _blocking(_call)
acheck = _awaitable(_call)


def _run(call: _Call) -> Result:
    try:
        process = subprocess.Popen(
            call.words,
            stdin=subprocess.PIPE if call.stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
    except OSError as error:
        raise ToolError(f"{call.words[0]}: {error}") from error
    with process:
        try:
            out, err = _communicate(process, call.stdin, call.progress)
        except BaseException:
            process.terminate()
            raise
    return _result(process.returncode, out, err)


async def _arun(call: _Call) -> Result:
    try:
        process = await asyncio.create_subprocess_exec(
            *call.words,
            stdin=asyncio.subprocess.PIPE if call.stdin is not None else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment(),
        )
    except OSError as error:
        raise ToolError(f"{call.words[0]}: {error}") from error
    try:
        out, err = await _acommunicate(process, call.stdin, call.progress)
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await asyncio.shield(process.wait())
        raise
    return _result(process.returncode or 0, out, err)


def validate(
    problem: Problem,
    witness: Problem,
    *,
    property: int | None = None,
    timeout: float | None = None,
) -> Validation:
    """Checks somebody's model, certificate or counterexample on the original text."""
    words = [executable(), "validate"]
    if property is not None:
        words += ["--property", str(property)]
    if timeout is not None:
        words += ["--timeout", f"{timeout:g}s"]
    with _file(problem, ".smt2") as first, _file(witness, ".txt") as second:
        run = _simple([*words, "--", first, second])
    verdicts = {0: "accepted", 10: "rejected", 20: "undecided"}
    if run.returncode not in verdicts:
        raise _error(run.returncode, run.stdout, run.stderr)
    text = (run.stdout + run.stderr).decode(errors="replace").strip()
    return Validation(verdicts[run.returncode], text)  # type: ignore[arg-type]


def info(problem: Problem) -> dict[str, Any]:
    """Describes a file: format, size, features."""
    with _file(problem, ".smt2") as path:
        run = _simple([executable(), "info", "--format", "json", "--", path])
    if run.returncode != 0:
        raise _error(run.returncode, run.stdout, run.stderr)
    described: dict[str, Any] = json.loads(run.stdout)
    return described


def annotate(program: Problem, *, timeout: float | None = None) -> str:
    """A C program with the invariants of its loops as ACSL."""
    words = [executable(), "annotate", "--quiet"]
    if timeout is not None:
        words += ["--timeout", f"{timeout:g}s"]
    with _file(program, ".c") as path:
        run = _simple([*words, "--", path])
    if run.returncode not in (0, 10, 20):
        raise _error(run.returncode, run.stdout, run.stderr)
    return run.stdout.decode()


def _parts(problem: Problem) -> tuple[str, bytes | None]:
    """The path, or `-` and the content."""
    if isinstance(problem, bytes):
        return "-", problem
    if isinstance(problem, str) and ("(" in problem or "\n" in problem):
        return "-", problem.encode()
    return os.fspath(problem), None


@contextlib.contextmanager
def _file(problem: Problem, suffix: str) -> Iterator[str]:
    """A path with the content."""
    given, content = _parts(problem)
    if content is None:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="foretell-") as folder:
        path = Path(folder, "input" + suffix)
        path.write_bytes(content)
        yield str(path)


def _simple(words: list[str]) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            words, capture_output=True, check=False, env=environment(), stdin=subprocess.DEVNULL
        )
    except OSError as error:
        raise ToolError(f"{words[0]}: {error}") from error


def _communicate(
    process: subprocess.Popen[bytes], stdin: bytes | None, progress: Progress | None
) -> tuple[bytes, bytes]:
    if progress is None:
        return process.communicate(stdin)
    kept: list[bytes] = []

    def follow() -> None:
        assert process.stderr is not None
        for line in process.stderr:
            kept.append(line)
            progress(_told(line))

    reader = threading.Thread(target=follow, daemon=True)
    reader.start()
    assert process.stdout is not None
    if stdin is not None:
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(stdin)
            process.stdin.close()
    out = process.stdout.read()
    process.wait()
    reader.join()
    return out, b"".join(kept)


async def _acommunicate(
    process: asyncio.subprocess.Process, stdin: bytes | None, progress: Progress | None
) -> tuple[bytes, bytes]:
    if progress is None:
        return await process.communicate(stdin)
    assert process.stdout is not None and process.stderr is not None
    if stdin is not None:
        assert process.stdin is not None
        process.stdin.write(stdin)
        process.stdin.close()
    reading = asyncio.ensure_future(process.stdout.read())
    kept: list[bytes] = []
    try:
        async for line in process.stderr:
            kept.append(line)
            progress(_told(line))
        out = await reading
    finally:
        reading.cancel()
    await process.wait()
    return out, b"".join(kept)


def _told(line: bytes) -> str:
    return line.decode(errors="replace").rstrip().removeprefix("foretell: ")


def _result(code: int, out: bytes, err: bytes) -> Result:
    if code not in (0, 10, 20):
        raise _error(code, out, err)
    try:
        return Result.of(json.loads(out))
    except (ValueError, KeyError) as error:
        raise ToolError(f"the program printed no answer: {error}") from error


def _error(code: int, out: bytes, err: bytes) -> Error:
    text = err.decode(errors="replace").strip()
    findings: tuple[Finding, ...] = ()
    with contextlib.suppress(ValueError, KeyError, TypeError):
        findings = tuple(_finding(f) for f in json.loads(out)["error"]["findings"])
    shown = "\n".join(str(f) for f in findings) or text or f"exit code {code}"
    if code == 2:
        return UsageError(shown)
    if code == 3:
        return MalformedInput(shown, findings)
    if code == 4:
        return UnsupportedInput(shown, findings)
    return ToolError(shown)


def _finding(raw: Mapping[str, Any]) -> Finding:
    return Finding(
        str(raw.get("code", "")),
        str(raw.get("message", "")),
        raw.get("line"),
        raw.get("column"),
        tuple(raw.get("notes", ())),
    )
