"""The Python interface against the program: `python3 -m unittest discover python/tests`."""

from __future__ import annotations

import asyncio
import io
import os
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import foretell  # noqa: E402
from foretell._syntax import children  # noqa: E402

SAFE = """
(set-logic HORN)
(declare-fun |a loop| (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (|a loop| x))))
(assert (forall ((x Int)) (=> (and (|a loop| x) (< x 10)) (|a loop| (+ x 1)))))
(assert (forall ((x Int)) (=> (and (|a loop| x) (> x 10)) false)))
"""
UNSAFE = SAFE.replace("(> x 10)", "(> x 5)")
# Needs an invariant that relates a product, and a bug that is a million steps away.
HARD = """
(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int)) (p x 0 0)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p x (+ y 1) (+ z (* x x x))))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y z) (= (* y (+ y 7)) (+ 1000003 (* z z z)))) false)))
"""


class Answers(unittest.TestCase):
    def test_safe_has_a_model(self) -> None:
        answer = foretell.check(SAFE, timeout=60)
        self.assertEqual(answer.verdict, "safe")
        self.assertTrue(answer.safe)
        definition = answer.model["a loop"]
        self.assertEqual([sort for _, sort in definition.parameters], ["Int"])
        self.assertIn(definition.body, definition.text)
        self.assertTrue(foretell.validate(SAFE, str(answer.model)))
        self.assertFalse(foretell.validate(UNSAFE, str(answer.model)))
        self.assertIn("safe" if answer.answer == "safe" else "sat", answer._repr_html_())

    def test_unsafe_has_steps(self) -> None:
        answer = foretell.check(UNSAFE, timeout=60)
        self.assertEqual(answer.verdict, "unsafe")
        counterexample = answer.counterexample
        assert counterexample is not None
        self.assertEqual(len(counterexample), len(counterexample.steps))
        self.assertIs(counterexample.steps[-1].derives, False)
        self.assertTrue(foretell.validate(UNSAFE, str(answer.certificate)))

    def test_unknown_has_a_reason(self) -> None:
        answer = foretell.check(HARD, timeout=1)
        self.assertEqual(answer.verdict, "unknown")
        self.assertTrue(answer.reason)

    def test_paths_and_bytes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a b.smt2")
            path.write_text(SAFE)
            self.assertTrue(foretell.check(path, timeout=60).safe)
            self.assertTrue(foretell.check(str(path), timeout=60).safe)
        self.assertTrue(foretell.check(SAFE.encode(), timeout=60).safe)

    def test_errors_are_located(self) -> None:
        with self.assertRaises(foretell.MalformedInput) as raised:
            foretell.check("(set-logic HORN)\n(assert (p 0))\n")
        self.assertIn("p", str(raised.exception))
        (finding,) = raised.exception.findings
        self.assertEqual((finding.line, finding.column), (2, 10))
        with self.assertRaises(foretell.UsageError):
            foretell.check("/nonexistent/file")
        with self.assertRaises(foretell.UsageError):
            foretell.check(SAFE, engine="nobody")
        with self.assertRaises(foretell.MalformedInput):
            foretell.info("(set-logic HORN)\n(assert\n")

    def test_progress_is_told(self) -> None:
        lines: list[str] = []
        foretell.check(HARD, timeout=3, progress=lines.append)
        self.assertTrue(lines)

    def test_a_line_of_progress_is_written_over(self) -> None:
        stream = io.StringIO()
        line = foretell.ProgressLine(stream)
        line("a long line")
        line("short\n")
        self.assertEqual(stream.getvalue(), "\ra long line\rshort      ")

    def test_progress_is_told_to_those_who_await(self) -> None:
        lines: list[str] = []
        answer = asyncio.run(foretell.acheck(HARD, timeout=2, progress=lines.append))
        self.assertEqual(answer.verdict, "unknown")
        self.assertTrue(lines)

    def test_info(self) -> None:
        self.assertEqual(foretell.info(SAFE)["format"], "horn")


class Cancelled(unittest.TestCase):
    def test_leaves_no_process(self) -> None:
        async def scenario() -> None:
            task = asyncio.create_task(foretell.acheck(HARD, timeout=60))
            await asyncio.sleep(1)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        asyncio.run(scenario())
        for _ in range(50):
            if not children_of(os.getpid()):
                return
            time.sleep(0.1)
        self.fail("a process was left")

    def test_acheck_answers(self) -> None:
        self.assertTrue(asyncio.run(foretell.acheck(SAFE, timeout=60)).safe)


def children_of(process: int) -> list[int]:
    """The processes whose parent is this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text()
            except OSError:
                continue
            if int(status.rsplit(")", 1)[1].split()[1]) == process:
                found.append(int(entry.name))
    return found


class Conversation(unittest.TestCase):
    def test_levels_and_faults(self) -> None:
        with foretell.Session(timeout=60) as session:
            session.command(SAFE)
            self.assertEqual(session.check_sat(), "sat")
            self.assertIn("a loop", session.model())
            session.push()
            with self.assertRaises(foretell.CommandError):
                session.command("(assert (nobody 1))")
            session.command("(assert (forall ((x Int)) (=> (|a loop| x) (< x 3))))")
            self.assertEqual(session.check_sat(), "unsat")
            session.pop()
            self.assertEqual(session.check_sat(), "sat")

    def test_closing_ends_a_check(self) -> None:
        session = foretell.Session()
        assert session._process.stdin is not None
        session._process.stdin.write(HARD + "(check-sat)\n")
        session._process.stdin.flush()
        time.sleep(0.5)
        session.close()
        self.assertFalse(children_of(os.getpid()))


class Syntax(unittest.TestCase):
    def test_children(self) -> None:
        self.assertEqual(children("(a (b |c )| \"d(\") e)"), ["a", "(b |c )| \"d(\")", "e"])
        self.assertEqual(children("(a) (b c)"), ["(a)", "(b c)"])
        self.assertEqual(children("()"), [])
        with self.assertRaises(ValueError):
            children("(a |b")


if __name__ == "__main__":
    unittest.main()
