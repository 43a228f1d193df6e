"""Foretell: a certifying model checker for Horn clauses, transition systems and C programs.

>>> import foretell
>>> answer = foretell.check('''
... (set-logic HORN)
... (declare-fun p (Int) Bool)
... (assert (p 0))
... (assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 1)))))
... (assert (forall ((x Int)) (=> (p x) (<= x 10))))
... ''')
>>> answer.verdict
'safe'
>>> answer.model["p"].parameters
(('x', 'Int'),)

The program runs in processes of its own: limits hold, and a crash is an exception.
"""

from ._errors import (
    Error,
    Finding,
    InputError,
    MalformedInput,
    ToolError,
    UnsupportedInput,
    UsageError,
)
from ._program import executable, version
from ._progress import ProgressLine
from ._result import (
    Check,
    Counterexample,
    Definition,
    Model,
    PropertyResult,
    Result,
    State,
    Step,
    Validation,
    Verdict,
)
from ._run import acheck, annotate, check, info, validate
from ._session import CommandError, Session

__all__ = [
    "Check",
    "CommandError",
    "Counterexample",
    "Definition",
    "Error",
    "Finding",
    "InputError",
    "MalformedInput",
    "Model",
    "ProgressLine",
    "PropertyResult",
    "Result",
    "Session",
    "State",
    "Step",
    "ToolError",
    "UnsupportedInput",
    "UsageError",
    "Validation",
    "Verdict",
    "acheck",
    "annotate",
    "check",
    "executable",
    "info",
    "validate",
    "version",
]
