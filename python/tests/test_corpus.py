"""The package over the corpus: the verdicts and findings of the command line; nothing is left behind.

A sample; `FORETELL_CORPUS=1` takes every file, `FORETELL_REPEAT=1000` says how many small checks are made
in one process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import foretell  # noqa: E402
from foretell._program import environment  # noqa: E402
from test_api import children_of  # noqa: E402

WHOLE = os.environ.get("FORETELL_CORPUS") == "1"
SMALL = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(assert (=> (p 1) false))"
# What the first three have, a conversation may have too: levels, and nothing at all. What is said of the
# whole of the last one stands behind the end of a file, and a conversation had no end yet.
OTHERWISE = ("push_pop.smt2", "empty.smt2", "only_comments.smt2", "plain_smt.smt2")
VERDICTS = {0: "safe", 10: "unsafe", 20: "unknown"}
ERRORS = {2: foretell.UsageError, 3: foretell.MalformedInput, 4: foretell.UnsupportedInput}


def files(*folders: str) -> list[Path]:
    """The problems of these folders, or every so many of them."""
    names = [p for f in folders for p in sorted((ROOT / "corpus" / f).iterdir())]
    found = [p for p in names if p.suffix != ".expect"]
    return found if WHOLE else found[:: max(1, len(found) // 8)]


def command(path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command line on a file."""
    limit = ["--timeout", "20s"]
    run = [foretell.executable(), *words, *limit, "--", str(path)]
    return subprocess.run(run, capture_output=True, text=True, check=False, env=environment())


def place(finding: foretell.Finding) -> tuple[str, int | None, int | None]:
    return finding.code, finding.line, finding.column


class Corpus(unittest.TestCase):
    def test_same_verdicts_as_the_command_line(self) -> None:
        folders = ["chc/safe", "chc/unsafe", "chc/unknown", "vmt/safe", "vmt/unsafe"]
        folders += ["live/safe", "live/unsafe", "live/unknown", "c/safe", "c/unsafe"]
        counts = {"safe": 0, "unsafe": 0, "unknown": 0}
        for path in files(*folders):
            wanted = VERDICTS[command(path, "--quiet").returncode]
            with self.subTest(path=path.name):
                answer = foretell.check(path, timeout=20)
                self.assertEqual(answer.verdict, wanted)
                if wanted == "unsafe" and path.parent.parent.name in ("chc", "vmt"):
                    self.assertIsNotNone(answer.counterexample)
            counts[wanted] += 1
        if WHOLE:
            print(f"corpus: {counts}", file=sys.stderr)
        self.assertGreater(min(counts["safe"], counts["unsafe"]), 1)

    def test_same_findings_through_every_door(self) -> None:
        for path in files("chc/error", "vmt/error", "c/error"):
            run = command(path, "--format", "json")
            with self.subTest(path=path.name):
                with self.assertRaises(foretell.Error) as raised:
                    foretell.check(path, timeout=20)
                self.assertIs(type(raised.exception), ERRORS[run.returncode])
                told = json.loads(run.stdout)["error"]["findings"]
                wanted = [(f["code"], f.get("line"), f.get("column")) for f in told]
                found = getattr(raised.exception, "findings", ())
                self.assertEqual([place(f) for f in found], wanted)
                # For people the same places stand in the text.
                plain = command(path, "--quiet").stderr
                for code, line, column in wanted:
                    self.assertIn(f"[{code}]", plain)
                    self.assertIn(f"{path}:{line}:{column}", plain)


class Conversations(unittest.TestCase):
    def test_same_findings_in_a_conversation(self) -> None:
        for path in files("chc/error"):
            if path.name in OTHERWISE:
                continue
            try:
                text = path.read_bytes().decode("ascii")
                foretell.check(path, timeout=20)
            except UnicodeDecodeError:
                continue
            except foretell.InputError as error:
                wanted = error.findings[0]
            except foretell.Error:
                continue
            run = subprocess.run(
                [foretell.executable(), "--in", "--timeout", "20s"], input=text, text=True,
                capture_output=True, check=False, env=environment(),
            )
            with self.subTest(path=path.name):
                self.assertEqual(run.returncode, 0)
                faults = [line for line in run.stdout.splitlines() if line.startswith("(error ")]
                self.assertTrue(faults, run.stdout)
                self.assertIn(f"[{wanted.code}]", faults[0])
                self.assertIn(f"line {wanted.line} column {wanted.column}:", faults[0])


class Leaks(unittest.TestCase):
    def test_many_checks_leave_nothing(self) -> None:
        foretell.check(SMALL)
        with tempfile.TemporaryDirectory() as folder:
            before, kept = open_files(), os.environ.get("TMPDIR")
            os.environ["TMPDIR"] = folder
            try:
                for _ in range(int(os.environ.get("FORETELL_REPEAT", "10"))):
                    self.assertEqual(foretell.check(SMALL).verdict, "safe")
                    # A malformed one leaves as little.
                    self.assertRaises(foretell.InputError, foretell.check, "(assert (p 1))")
                self.assertTrue(foretell.validate(SMALL, "(define-fun p ((x Int)) Bool (= x 0))"))
            finally:
                if kept is None:
                    del os.environ["TMPDIR"]
                else:
                    os.environ["TMPDIR"] = kept
            self.assertEqual(os.listdir(folder), [])
        self.assertEqual(open_files(), before)
        self.assertEqual(children_of(os.getpid()), [])


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


if __name__ == "__main__":
    unittest.main()
