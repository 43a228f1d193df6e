//! Random programs: our execution against gcc with its sanitizer, and the clauses against our
//! execution. Without a compiler only the second half runs.

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::{Random, Writer};
use foretell_c::encode::{ClauseKind, EncodeOptions, Encoded, PredKind, Ranges, Slot, encode};
use foretell_c::program::{Group, InputId, InputValue, Program};
use foretell_c::run::state::{Cell, State};
use foretell_c::run::{End, Inputs, Witness, execute, execute_before};
use foretell_c::text::NoFiles;
use foretell_c::{Settings, read};
use foretell_terms::eval::Assignment;
use foretell_terms::{ArrayValue, Integer, Term, TermStore, Value};

const FILES: u64 = 5;
const PROGRAMS: usize = 40;

/// The same numbers that the compiled programs get.
struct Table {
    at: usize,
}

const TABLE: [i128; 7] = [3, -5, 120, 40000, -1, 0, 2_147_483_647];

impl Inputs for Table {
    fn next(&mut self, _site: InputId) -> InputValue {
        self.at += 1;
        InputValue::Int(TABLE[(self.at - 1) % TABLE.len()])
    }
}

/// In the compiled text V is volatile: `x - x` must not be folded away with an overflow beside it.
const PRELUDE: &str = "#ifndef V\n#define V\n#endif\nextern int nondet_int(void);\n";

fn generate(seed: u64) -> Vec<String> {
    let mut random = Random(0x1234_5678_9abc_def1 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let program = |number| {
        let mut writer = Writer::new(&mut random);
        writer.program(number);
        writer.out
    };
    (0..PROGRAMS).map(program).collect()
}

fn read_entry(text: &str, entry: &str) -> Program {
    let text = &format!("{PRELUDE}{text}");
    let settings = Settings {
        entry: entry.to_owned(),
        ..Settings::default()
    };
    match read("random.c", text.as_bytes(), &NoFiles, &settings) {
        Ok(program) => program,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// The last value of a variable in a run.
fn last(program: &Program, run: &foretell_c::run::Run, name: &str) -> i128 {
    let changes = run.steps.iter().rev();
    let found = changes
        .into_iter()
        .find(|s| program.var(s.var).name == name);
    found.map_or(0, |s| s.value)
}

fn compile(programs: &[String], seed: u64) -> Option<PathBuf> {
    let dir = std::env::temp_dir().join(format!("foretell-random-{}-{seed}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder for the test");
    let mut whole = String::from("#define V volatile\n#include <stdio.h>\n#include <stdlib.h>\n");
    let table: Vec<String> = TABLE.iter().map(ToString::to_string).collect();
    whole.push_str(&format!(
        "static int at; int nondet_int(void) {{ static const int t[] = {{{}}}; return t[at++ % {}]; }}\n",
        table.join(","),
        TABLE.len()
    ));
    whole.push_str(PRELUDE);
    programs.iter().for_each(|text| whole.push_str(text));
    whole.push_str("int main(int argc, char **argv) { switch (atoi(argv[1])) {\n");
    for number in 0..PROGRAMS {
        whole.push_str(&format!(
            "case {number}: run_{number}(); printf(\"%u\\n\", h_{number}); break;\n"
        ));
    }
    whole.push_str("} return 0; }\n");
    let (source, binary) = (dir.join("random.c"), dir.join("random"));
    std::fs::write(&source, whole).expect("the test's own file");
    let mut gcc = Command::new("gcc");
    gcc.args([
        "-w",
        "-O0",
        "-fsanitize=undefined",
        "-fno-sanitize-recover=all",
        "-o",
    ]);
    let status = gcc.arg(&binary).arg(&source).status().ok()?;
    assert!(
        status.success(),
        "gcc refuses what we wrote: {}",
        source.display()
    );
    Some(binary)
}

#[test]
fn runs_agree_with_a_compiled_program() {
    let (mut compared, mut violated, mut missed) = (0, 0, Vec::new());
    for seed in 0..FILES {
        let programs = generate(seed);
        let Some(binary) = compile(&programs, seed) else {
            return;
        };
        for (number, text) in programs.iter().enumerate() {
            let program = read_entry(text, &format!("run_{number}"));
            let run = execute(&program, &mut Table { at: 0 }, 1_000_000);
            let output = Command::new(&binary)
                .arg(number.to_string())
                .output()
                .expect("it runs");
            let context = || {
                format!(
                    "file {seed}, run_{number}: {:?}\n{}",
                    run.end,
                    String::from_utf8_lossy(&output.stderr)
                )
            };
            match run.end {
                End::Finished => {
                    assert!(
                        output.status.success(),
                        "gcc sees an error, we do not: {}",
                        context()
                    );
                    let printed: i128 = String::from_utf8_lossy(&output.stdout)
                        .trim()
                        .parse()
                        .expect("a number");
                    let ours = last(&program, &run, &format!("h_{number}"));
                    assert_eq!(printed, ours, "{}", context());
                }
                End::Violated(check) => {
                    violated += 1;
                    let check = program.check(check);
                    let place = (check.kind, program.source.location(check.span).line);
                    if output.status.success() {
                        missed.push(format!("{place:?} {}", context()));
                    }
                }
                End::Limit | End::Undefined => panic!("{}", context()),
            }
            compared += 1;
        }
        let _ = std::fs::remove_dir_all(binary.parent().expect("it lies in a folder"));
    }
    // The sanitizer sees nothing in what the compiler folded away before; that is rare.
    assert!(
        missed.len() <= 2,
        "we see errors, gcc does not: {missed:#?}"
    );
    // Both kinds must occur, or the test compares nothing.
    assert!(
        compared == 200 && violated > 10 && violated < 190,
        "{violated} of {compared} fail"
    );
}

/// Checks that every edge that is run satisfies its clause.
struct Replay<'a> {
    terms: &'a TermStore,
    encoded: &'a Encoded,
    /// The clause of each edge.
    clauses: Vec<(usize, usize)>,
    seen: usize,
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Int(n) => Value::Int(Integer::from(*n)),
        Cell::Array(table) => {
            let int = |n: i128| Value::Int(Integer::from(n));
            let mut array = ArrayValue::constant(int(table.default_value()), None);
            for (at, n) in table.entries() {
                array.store(at.iter().map(|i| int(*i)).collect(), int(n));
            }
            Value::Array(array)
        }
    }
}

impl Replay<'_> {
    /// The arguments of an atom against a state: variables get their value, others must have it.
    fn arguments(&self, pred: usize, args: &[Term], state: &State) -> Vec<(Term, Value)> {
        let (PredKind::Point(_), slots) = &self.encoded.preds[pred] else {
            panic!("a point")
        };
        let now = slots.iter().zip(args).filter_map(|(slot, arg)| match slot {
            Slot::Now(var) => Some((*arg, value(state.get(*var)))),
            Slot::Entry(_) => None,
        });
        now.collect()
    }
}

impl Witness for Replay<'_> {
    fn edge(
        &mut self,
        number: usize,
        before: &State,
        inputs: &[(InputId, InputValue)],
        after: &State,
    ) {
        let found = self
            .clauses
            .binary_search_by_key(&number, |(edge, _)| *edge);
        let at = self.clauses[found.expect("a clause for the edge")].1;
        let clause = &self.encoded.system.clauses[at];
        let mut assignment = Assignment::new();
        for (term, value) in
            self.arguments(clause.body[0].pred.index(), &clause.body[0].args, before)
        {
            assignment.insert(term, value);
        }
        for ((_, term), (_, value)) in self.encoded.clauses[at].1.iter().zip(inputs) {
            let InputValue::Int(n) = value else {
                panic!("guesses are numbers")
            };
            let number = Value::Int(Integer::from(*n));
            let array = self.terms.array_parts(self.terms.sort(*term)).is_some();
            let whole = Value::Array(ArrayValue::constant(number.clone(), None));
            assignment.insert(*term, if array { whole } else { number });
        }
        let holds = self.terms.eval_bool(clause.constraint, &assignment);
        assert_eq!(
            holds,
            Ok(true),
            "edge {number}: {}",
            self.terms.print(clause.constraint)
        );
        let head = clause.head.as_ref().expect("an edge has a head");
        for (term, value) in self.arguments(head.pred.index(), &head.args, after) {
            assert_eq!(
                self.terms.eval(term, &assignment),
                Ok(value),
                "edge {number}"
            );
        }
        self.seen += 1;
    }
}

#[test]
fn clauses_agree_with_runs() {
    let mut seen = 0;
    for seed in 0..FILES {
        let programs = generate(seed);
        for number in (0..PROGRAMS).step_by(4) {
            let program = read_entry(&programs[number], &format!("run_{number}"));
            for ranges in [Ranges::All, Ranges::Unsigned] {
                let terms = TermStore::new();
                let options = EncodeOptions {
                    group: Group::Assert,
                    ranges,
                };
                let encoded = encode(&program, options, &terms);
                encoded
                    .system
                    .validate(&terms)
                    .expect("well-formed clauses");
                let mut clauses: Vec<(usize, usize)> = Vec::new();
                for (i, (kind, _)) in encoded.clauses.iter().enumerate() {
                    if let ClauseKind::Edge(edge) = kind {
                        clauses.push((*edge, i));
                    }
                }
                clauses.sort_unstable();
                let mut replay = Replay {
                    terms: &terms,
                    encoded: &encoded,
                    clauses,
                    seen: 0,
                };
                execute_before(&program, &mut Table { at: 0 }, 1_500, &mut replay);
                seen += replay.seen;
            }
        }
    }
    assert!(seen > 1000, "only {seen} edges were compared");
}
