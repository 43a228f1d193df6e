"""A conversation with the program: `foretell --in`."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from types import TracebackType

from ._errors import Error, ToolError
from ._program import environment, executable
from ._result import Model


class CommandError(Error):
    """The program answered a command by `(error …)`; the conversation goes on."""


class Session:
    """Commands in, answers out; every check is a whole checked run on the text that counts.

    >>> with Session(timeout=10) as session:
    ...     session.command("(set-logic HORN)")
    ...     session.command("(declare-fun p (Int) Bool)")
    ...     session.command("(assert (p 0))")
    ...     session.command("(assert (forall ((x Int)) (=> (p x) (< x 1))))")
    ...     session.check_sat()
    'sat'
    """

    def __init__(
        self, *, timeout: float | None = None, engine: str = "auto", options: Sequence[str] = ()
    ) -> None:
        words = [executable(), "--in", "--engine", engine, *options]
        if timeout is not None:
            words += ["--timeout", f"{timeout:g}s"]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment(),
                text=True,
                encoding="utf-8",
            )
        except OSError as error:
            raise ToolError(f"{words[0]}: {error}") from error
        self._count = 0

    def command(self, text: str) -> str:
        """Says one or more commands; what is answered, without the end of the line.

        Raises `CommandError` with what was said of faults.
        """
        # A mark behind the command tells where its answer ends; faults are told before it.
        self._count += 1
        mark = f"end of answer {self._count}"
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.write(f'{text}\n(echo "{mark}")\n')
            stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            raise ToolError("the conversation has ended") from error
        lines: list[str] = []
        faults: list[str] = []
        for line in stdout:
            line = line.rstrip("\n")
            if line == mark:
                break
            (faults if line.startswith("(error ") else lines).append(line)
        else:
            raise ToolError("the conversation has ended")
        if faults:
            raise CommandError("\n".join(faults))
        return "\n".join(lines)

    def check_sat(self) -> str:
        """`sat`, `unsat` or `unknown`."""
        return self.command("(check-sat)")

    def model(self) -> Model:
        """The model of the last check, which must have been safe."""
        text = self.command("(get-model)").strip()
        return Model(text[1:-1] if text.startswith("(") else text)

    def push(self, levels: int = 1) -> None:
        """Opens levels."""
        self.command(f"(push {levels})")

    def pop(self, levels: int = 1) -> None:
        """Forgets what was said since the last levels were opened."""
        self.command(f"(pop {levels})")

    def close(self) -> None:
        """Ends the conversation and all its processes."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                pass
        try:
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
