"""BenchExec tool-info module for Foretell.

Use from the repository's root: ``PYTHONPATH=. benchexec definition.xml`` with
``tool="contrib.benchexec.foretell"``; ``foretell bench --emit benchexec`` writes such a definition.
"""

import benchexec.result as result
import benchexec.tools.template

# Exit codes that Foretell documents.
SAFE, UNSAFE, UNKNOWN = 0, 10, 20
FAILURES = {1: "internal error", 2: "usage", 3: "parse", 4: "unsupported"}
# Words that may stand on the verdict line; which of them means what depends on the input's language,
# the exit code does not.
ANSWERS = {"sat", "unsat", "safe", "unsafe"}


class Tool(benchexec.tools.template.BaseTool2):
    """Foretell: model checker for infinite-state systems and programs with arrays."""

    REQUIRED_PATHS = ["bin", "lib"]

    def executable(self, tool_locator):
        # The installed program (docs/install.md); the script of the same name in the repository's root
        # compiles before it runs.
        return tool_locator.find_executable("foretell", subdir="bin")

    def name(self):
        return "Foretell"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="foretell")

    def cmdline(self, executable, options, task, rlimits):
        limits = []
        if rlimits.walltime and "--timeout" not in options:
            limits += ["--timeout", f"{rlimits.walltime}s"]
        if rlimits.cputime and "--cpu-limit" not in options:
            limits += ["--cpu-limit", f"{rlimits.cputime}s"]
        if rlimits.memory and "--memory" not in options:
            # Leaves room for the supervisor, so that the tool and not the kernel ends the run.
            limits += ["--memory", str(rlimits.memory * 95 // 100)]
        return [executable, *options, *limits, task.single_input_file]

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        if run.exit_code.signal:
            return f"{result.RESULT_ERROR} (signal {run.exit_code.signal})"
        lines = [line.strip() for line in run.output]
        code = run.exit_code.value
        if code in (SAFE, UNSAFE):
            if not any(line in ANSWERS for line in lines):
                return f"{result.RESULT_ERROR} (no verdict)"
            return result.RESULT_TRUE_PROP if code == SAFE else result.RESULT_FALSE_PROP
        if code == UNKNOWN:
            reasons = [line[len("unknown ") :] for line in lines if line.startswith("unknown (")]
            return f"{result.RESULT_UNKNOWN} {reasons[-1]}" if reasons else result.RESULT_UNKNOWN
        return f"{result.RESULT_ERROR} ({FAILURES.get(code, code)})"
