// Runs the Solidity compiler's model checker with Foretell behind it.
//
//   node check.js [contract.sol …]          without arguments: all of contracts/
//
// The compiler hands every query to a callback and reads the first word of the answer. What each
// contract must yield is written in its first lines:
//
//   // proved: 2          so many properties are proved
//   // violated: 1        so many are reported as violated (the compiler says "happens here")
//
// Environment: FORETELL is the executable (default `foretell`), FORETELL_SECONDS the time per query
// (default 10, the compiler's own limit), FORETELL_QUERIES a folder that keeps the queries. OTHER is
// another solver as a command, to which the name of the file is added (`z3 -T:10`): every contract is
// checked with it, too, and what it proves is printed beside.
"use strict";
const { spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const solc = require("solc");

const executable = process.env.FORETELL || "foretell";
const seconds = Number(process.env.FORETELL_SECONDS || "10");
const kept = process.env.FORETELL_QUERIES;
const other = process.env.OTHER ? process.env.OTHER.split(" ") : undefined;
const foretell = [executable, "-q", "--timeout", `${seconds}s`];

/** The answer to one query: its first word is `sat`, `unsat` or `unknown`. */
function ask(query, name, state, command) {
  const folder = kept || state.folder;
  const file = path.join(folder, `${name}-${state.queries++}.smt2`);
  fs.writeFileSync(file, query);
  const run = spawnSync(command[0], [...command.slice(1), file], {
    encoding: "utf8",
    timeout: (seconds + 5) * 1000,
  });
  if (run.error && run.error.code === "ENOENT") {
    throw new Error(`${command[0]} is not there; set FORETELL or OTHER`);
  }
  const word = (run.stdout || "").split(/\s/)[0];
  return ["sat", "unsat"].includes(word) ? word : "unknown";
}

/** The numbers of a contract's first lines. */
function expected(source) {
  const number = (key) => {
    const line = source.match(new RegExp(`^// ${key}: (\\d+)`, "m"));
    return line ? Number(line[1]) : 0;
  };
  return { proved: number("proved"), violated: number("violated") };
}

/** What the compiler's messages say. */
function found(messages) {
  const texts = messages.map((m) => m.formattedMessage || m.message);
  const proved = texts
    .map((t) => t.match(/CHC: (\d+) verification condition\(s\) proved safe/))
    .reduce((sum, m) => sum + (m ? Number(m[1]) : 0), 0);
  const violated = texts.filter((t) => /CHC: .* happens here/.test(t)).length;
  const open = texts.filter((t) => /CHC: .* might happen here/.test(t)).length;
  return { proved, violated, open };
}

function check(file, command) {
  const source = fs.readFileSync(file, "utf8");
  const name = path.basename(file, ".sol");
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "solc-"));
  const state = { queries: 0, folder };
  const input = {
    language: "Solidity",
    sources: { [name]: { content: source } },
    settings: {
      modelChecker: {
        engine: "chc",
        solvers: ["smtlib2"],
        targets: ["assert", "underflow", "overflow", "divByZero", "outOfBounds"],
        showUnproved: true,
        timeout: seconds * 1000,
      },
    },
  };
  const callbacks = { smtSolver: (query) => ({ contents: ask(query, name, state, command) }) };
  const output = JSON.parse(solc.compile(JSON.stringify(input), callbacks));
  fs.rmSync(folder, { recursive: true, force: true });
  const messages = output.errors || [];
  const broken = messages.filter((m) => m.severity === "error");
  if (broken.length > 0) {
    throw new Error(broken.map((m) => m.formattedMessage).join("\n"));
  }
  return { name, queries: state.queries, want: expected(source), got: found(messages) };
}

let failures = 0;
const own = path.join(__dirname, "contracts");
const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : fs.readdirSync(own).filter((f) => f.endsWith(".sol")).sort().map((f) => path.join(own, f));
for (const file of files) {
  const { name, queries, want, got } = check(file, foretell);
  const beside = other ? check(file, other).got : undefined;
  const good = got.proved === want.proved && got.violated === want.violated;
  failures += good ? 0 : 1;
  const numbers = `proved ${got.proved}/${want.proved}, violated ${got.violated}/${want.violated}, open ${got.open}`;
  const words = beside ? `; ${other[0]}: proved ${beside.proved}, violated ${beside.violated}` : "";
  console.log(`${good ? "ok  " : "FAIL"} ${name}: ${numbers} (${queries} queries)${words}`);
}
process.exit(failures === 0 ? 0 : 1);
