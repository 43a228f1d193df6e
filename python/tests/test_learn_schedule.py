"""Schedules learnt from runs of single engines: tools/learn-schedule."""

import importlib.machinery
import importlib.util
import pathlib
import unittest

TOOL = pathlib.Path(__file__).parents[2] / "tools" / "learn-schedule"
loader = importlib.machinery.SourceFileLoader("learn_schedule", str(TOOL))
spec = importlib.util.spec_from_loader("learn_schedule", loader)
assert spec is not None
tool = importlib.util.module_from_spec(spec)
loader.exec_module(tool)


def steps(*texts):
    return [tool.Step(text) for text in texts]


def times(**engines):
    """Seconds to the answer by engine and file; None: no answer in five seconds."""
    rows = []
    for engine, files in engines.items():
        for file, wall in files.items():
            verdict = "unknown" if wall is None else "safe"
            row = {"tool": engine, "file": file, "verdict": verdict, "timeout_ms": 5000}
            rows.append(row | {"wall": 5.0 if wall is None else wall})
    return tool.Times(rows)


class Played(unittest.TestCase):
    def test_an_engine_goes_on_where_it_was_suspended(self):
        known = times(a={"f": 1.0}, b={"f": None}, c={"f": None}, d={"f": None})
        plan = steps("a 400ms", "b 400ms", "c 400ms", "d 400ms")
        # Turns of a: 0 to 0.4, then 0.8 to 1.4; the first moments are crowded.
        self.assertAlmostEqual(tool.play(plan, known, "f"), 1.4, delta=0.05)

    def test_what_waits_runs_when_its_time_has_come(self):
        known = times(a={"f": None}, b={"f": 0.1})
        plan = steps("a 2s", "b 2s after 40ms")
        self.assertAlmostEqual(tool.play(plan, known, "f"), 0.14, delta=0.001)
        self.assertIsNone(tool.play(steps("a 2s"), known, "f"))

    def test_an_engine_that_gives_up_makes_room(self):
        known = times(a={"f": None}, b={"f": None}, c={"f": 0.5})
        known.ended["a", "f"] = 0.1
        at = tool.play(steps("a 2s", "b 2s", "c 2s"), known, "f")
        self.assertAlmostEqual(at, 0.6, delta=0.05)


class Learnt(unittest.TestCase):
    def test_the_engine_that_answers_is_among_the_first(self):
        slow = {f"f{n}": None for n in range(6)}
        quick = {f"f{n}": 0.1 for n in range(6)}
        known = times(a=slow, b=slow, c=slow, d=quick)
        plan = steps("a 1s", "b 1s", "c 1s", "d 1s")
        order = tool.learnt(plan, known, known.files, 10)
        self.assertIn("d", [step.name for step in order[:2]])
        self.assertLess(
            tool.cost(order, known, known.files), tool.cost(plan, known, known.files)
        )

    def test_families_stay_together(self):
        self.assertEqual(tool.family("x/om1_3_9.smt2"), tool.family("x/om1_14_2.smt2"))
        self.assertNotEqual(tool.family("x/a.smt2"), tool.family("y/a.smt2"))


class Portfolio(unittest.TestCase):
    def test_texts_are_sent_where_the_portfolio_sends_them(self):
        by_name, standing_in = tool.schedules()
        for text, name in (
            ("(declare-fun p (Int) Bool)", "scalar"),
            ("(declare-fun p ((Array Int Int)) Bool)", "auto"),
            ("(declare-fun p ((_ BitVec 8)) Bool)", "words"),
            ("(declare-fun p (Int) Bool) (assert (=> (and (p 0) (p 1)) (p 2)))", "trees"),
            ("(declare-fun p (Int) Bool) (assert (=> (p 0) (p 1))) (assert (p 2))", "scalar"),
            ("(declare-rel p (Array)) (rule (=> (and (p a) (p b)) (p c)))", "calls"),
            ("(declare-datatype T ((c)))", "lists"),
            ("(declare-datatype T ((c))) (Array Int T)", "datatypes"),
        ):
            self.assertEqual(tool.chosen(text, standing_in), name)
            self.assertIn(name, by_name)


if __name__ == "__main__":
    unittest.main()
