"""Problems built with z3py; skipped where the package `z3-solver` is not installed."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

try:
    import z3
except ImportError as missing:
    raise unittest.SkipTest("z3-solver is not installed") from missing

import foretell.z3py  # noqa: E402

P = z3.Function("p", z3.IntSort(), z3.BoolSort())
X = z3.Int("x")


class Built(unittest.TestCase):
    def test_solver(self) -> None:
        solver = z3.SolverFor("HORN")
        clauses = [
            P(0),
            z3.ForAll(X, z3.Implies(z3.And(P(X), X < 10), P(X + 1))),
            z3.ForAll(X, z3.Implies(P(X), X <= 10)),
        ]
        solver.add(*clauses)
        result, model = foretell.z3py.check(solver, timeout=60)
        self.assertEqual(result.verdict, "safe")
        # z3 itself finds that the model is one: with its equations no clause can fail.
        judge = z3.Solver()
        judge.add(*model, z3.Not(z3.And(*clauses)))
        self.assertEqual(judge.check(), z3.unsat)

    def test_fixedpoint(self) -> None:
        rules = z3.Fixedpoint()
        rules.register_relation(P)
        rules.declare_var(X)
        rules.rule(P(0))
        rules.rule(P(X + 1), [P(X), X < 10])
        above, _ = foretell.z3py.check(rules, z3.And(P(X), X > 10), timeout=60)
        within, model = foretell.z3py.check(rules, z3.And(P(X), X > 5), timeout=60)
        self.assertEqual((above.verdict, within.verdict, model), ("safe", "unsafe", []))
        self.assertRaises(ValueError, foretell.z3py.check, rules)


if __name__ == "__main__":
    unittest.main()
