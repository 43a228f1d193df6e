"""Tests of the tool-info module: ``PYTHONPATH=. python3 -m unittest contrib/benchexec/test_foretell.py``
from the repository's root, with the package ``benchexec`` installed."""

import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

from benchexec import util
from benchexec.tools.template import BaseTool2

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from contrib.benchexec.foretell import Tool  # noqa: E402


def outcome(code, text, signal=None, reason=None):
    exit_code = util.ProcessExitCode.create(value=None if signal else code, signal=signal)
    output = BaseTool2.RunOutput([line + "\n" for line in text.split("\n")])
    return Tool().determine_result(BaseTool2.Run([], exit_code, output, reason))


def limits(**given):
    return BaseTool2.ResourceLimits(**given)


class ResultTest(unittest.TestCase):
    def test_verdicts_follow_the_exit_code(self):
        self.assertEqual(outcome(0, "sat\n(define-fun p () Bool true)"), "true")
        self.assertEqual(outcome(10, "unsat"), "false")
        self.assertEqual(outcome(10, "sat"), "false")  # the rules dialect
        self.assertEqual(outcome(0, "safe"), "true")

    def test_no_verdict_without_a_verdict_line(self):
        self.assertEqual(outcome(0, ""), "ERROR (no verdict)")
        self.assertEqual(outcome(10, "; unsat"), "ERROR (no verdict)")

    def test_unknown_has_its_reason(self):
        self.assertEqual(outcome(20, "unknown (memory)"), "unknown (memory)")
        self.assertEqual(outcome(20, "unknown"), "unknown")

    def test_failures_are_named(self):
        self.assertEqual(outcome(3, "x.smt2:1:2: error: ..."), "ERROR (parse)")
        self.assertEqual(outcome(77, ""), "ERROR (77)")
        self.assertEqual(outcome(0, "sat", signal=11), "ERROR (signal 11)")
        self.assertEqual(outcome(0, "sat", signal=9, reason="walltime"), "TIMEOUT")


class CommandTest(unittest.TestCase):
    def test_limits_are_passed_on(self):
        task = BaseTool2.Task.with_files(["a.smt2"])
        line = Tool().cmdline("foretell", ["--engine", "bmc"], task, limits(cputime=20, memory=1000))
        self.assertEqual(
            line, ["foretell", "--engine", "bmc", "--cpu-limit", "20s", "--memory", "950", "a.smt2"]
        )
        line = Tool().cmdline("foretell", ["--timeout", "5s"], task, limits(walltime=20))
        self.assertEqual(line, ["foretell", "--timeout", "5s", "a.smt2"])


class InstalledTest(unittest.TestCase):
    def test_benchexecs_own_check_passes(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in Tool.REQUIRED_PATHS:
                pathlib.Path(folder, part).mkdir()
            fake = pathlib.Path(folder, "bin", "foretell")
            fake.write_text("#!/bin/sh\necho foretell 0.1.0\n")
            fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
            root = pathlib.Path(__file__).resolve().parents[2]
            check = subprocess.run(
                [sys.executable, "-m", "benchexec.test_tool_info", "contrib.benchexec.foretell"]
                + ["--no-container", "--tool-directory", folder],
                cwd=root,
                capture_output=True,
                text=True,
                check=False,
            )
        self.assertEqual(check.returncode, 0, check.stderr)
        self.assertIn("0.1.0", check.stdout + check.stderr)
        self.assertNotIn("does not conform", check.stdout + check.stderr)


if __name__ == "__main__":
    unittest.main()
