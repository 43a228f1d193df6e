"""Problems built with z3py: `foretell.z3py.check(solver_or_fixedpoint)`.

Needs the package `z3-solver`, of any version: only texts are exchanged.
"""

from __future__ import annotations

from typing import Any

import z3

from ._result import Result
from ._run import check as _check


def text(problem: z3.Solver | z3.Fixedpoint, query: Any = None) -> str:
    """The problem as clauses: of a `SolverFor("HORN")`, or of a `Fixedpoint` with its query."""
    if isinstance(problem, z3.Fixedpoint):
        if query is None:
            raise ValueError("a Fixedpoint needs a query")
        return str(problem.to_string([query]))
    return "(set-logic HORN)\n" + str(problem.to_smt2())


def check(
    problem: z3.Solver | z3.Fixedpoint, query: Any = None, **arguments: Any
) -> tuple[Result, list[Any]]:
    """Checks a problem; the second part is the model as z3 formulas, one equation per predicate.

    Each is `forall parameters. predicate(parameters) == body`; the list is empty unless clauses are safe.
    """
    result = _check(text(problem, query), **arguments)
    return result, [_equation(d.text, d.name, d.parameters) for d in result.model.values()]


def _equation(definition: str, name: str, parameters: tuple[tuple[str, str], ...]) -> Any:
    """Reads a definition with z3: renamed apart, it is applied to variables of its own."""
    sorts = " ".join(sort for _, sort in parameters)
    bound = " ".join(f"(|{n}| {sort})" for n, sort in parameters)
    inner = definition.replace(f"define-fun {name} ", "define-fun |foretell body| ", 1)
    inner = inner.replace(f"define-fun |{name}| ", "define-fun |foretell body| ", 1)
    arguments = "".join(f" |{n}|" for n, _ in parameters)
    left = f"(|{name}|{arguments})" if parameters else f"|{name}|"
    right = f"(|foretell body|{arguments})" if parameters else "|foretell body|"
    equation = f"(= {left} {right})"
    if parameters:
        equation = f"(forall ({bound}) {equation})"
    script = f"(declare-fun |{name}| ({sorts}) Bool)\n{inner}\n(assert {equation})"
    return z3.parse_smt2_string(script)[0]
