//! Random programs: our execution against gcc with its sanitizer, and the clauses against our
//! execution. Without a compiler only the second half runs. `FORETELL_C_PROGRAMS` says how many programs
//! are compared with gcc (200).
//!
//! That the comparison can fail is shown by mutants: programs whose meaning was changed after they were
//! read (another division, no wrapping, an index too many, arrays that are one) must not agree with gcc.

mod common;

use std::path::PathBuf;
use std::process::{Command, Output};

use common::{Random, Writer};
use foretell_c::encode::{ClauseKind, EncodeOptions, Encoded, PredKind, Ranges, Slot, encode};
use foretell_c::program::{
    Arith, CheckKind, Compare, Expr, Group, InputId, InputValue, IntType, Op, Program,
};
use foretell_c::run::state::{Cell, State};
use foretell_c::run::{End, Inputs, Witness, execute, execute_before};
use foretell_c::text::NoFiles;
use foretell_c::{Settings, read};
use foretell_terms::eval::Assignment;
use foretell_terms::{ArrayValue, Integer, Term, TermStore, Value};

const FILES: u64 = 5;
const PROGRAMS: usize = 40;

/// How many files of programs are compared with gcc.
fn files() -> u64 {
    let wanted = std::env::var("FORETELL_C_PROGRAMS");
    let wanted = wanted.ok().and_then(|n| n.parse::<u64>().ok());
    wanted.map_or(FILES, |n| n.div_ceil(PROGRAMS as u64).max(FILES))
}

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

/// What became of one comparison.
enum Compared {
    Agrees,
    BothFail,
    /// We see an error, gcc does not: it may have folded the place away.
    OnlyWe(String),
    Contradiction(String),
}

fn compare(program: &Program, number: usize, output: &Output) -> Compared {
    let run = execute(program, &mut Table { at: 0 }, 1_000_000);
    let said = String::from_utf8_lossy(&output.stderr);
    let context = format!("run_{number}: {:?}\n{said}", run.end);
    match run.end {
        End::Finished if !output.status.success() => {
            Compared::Contradiction(format!("gcc sees an error, we do not: {context}"))
        }
        End::Finished => {
            let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            let ours = last(program, &run, &format!("h_{number}"));
            if printed == ours.to_string() {
                Compared::Agrees
            } else {
                Compared::Contradiction(format!("gcc says {printed}, we say {ours}: {context}"))
            }
        }
        End::Violated(check) if output.status.success() => {
            let check = program.check(check);
            let line = program.source.location(check.span).line;
            Compared::OnlyWe(format!("{:?} in line {line}: {context}", check.kind))
        }
        End::Violated(_) => Compared::BothFail,
        End::Limit | End::Undefined => Compared::Contradiction(context),
    }
}

#[test]
fn runs_agree_with_a_compiled_program() {
    let (mut compared, mut violated, mut missed) = (0, 0, Vec::new());
    let mut caught = vec![0; MUTANTS.len()];
    for seed in 0..files() {
        let programs = generate(seed);
        let Some(binary) = compile(&programs, seed) else {
            return;
        };
        for (number, text) in programs.iter().enumerate() {
            let program = read_entry(text, &format!("run_{number}"));
            let mut command = Command::new(&binary);
            let output = command.arg(number.to_string()).output().expect("it runs");
            match compare(&program, number, &output) {
                Compared::Agrees => {}
                Compared::BothFail => violated += 1,
                Compared::OnlyWe(words) => missed.push(format!("file {seed}, {words}")),
                Compared::Contradiction(words) => panic!("file {seed}, {words}"),
            }
            compared += 1;
            // A mutant may run into deep recursion: the first files are enough.
            if seed >= FILES {
                continue;
            }
            for (caught, (_, mutate)) in caught.iter_mut().zip(MUTANTS) {
                let mutant = mutated(&program, *mutate);
                let outcome = compare(&mutant, number, &output);
                *caught += usize::from(matches!(outcome, Compared::Contradiction(_)));
            }
        }
        let _ = std::fs::remove_dir_all(binary.parent().expect("it lies in a folder"));
    }
    // The sanitizer sees nothing in what the compiler folded away before. gcc computes a signed result
    // that is converted at once, `(unsigned char)(i + c)` or `u - (i - j)`, in the type it is converted
    // to: so it was in both that were looked at of the 112 of 5,000 programs that overflow here only.
    assert!(
        missed.len() <= 1 + compared / 33,
        "we see errors, gcc does not: {missed:#?}"
    );
    // Both kinds must occur, or the test compares nothing.
    assert!(
        violated > compared / 20 && violated < compared * 19 / 20,
        "{violated} of {compared} fail"
    );
    for (caught, (name, _)) in caught.iter().zip(MUTANTS) {
        assert!(*caught > 0, "nobody notices: {name}");
    }
}

/// A change of what a program means.
type Mutate = fn(&Program, &mut Expr);

const MUTANTS: &[(&str, Mutate)] = &[
    ("division rounds down", |_, e| {
        if let Expr::Arith(op, _, pair) = e
            && matches!(pair[1], Expr::Int(n) if n > 0)
        {
            match op {
                Arith::Div => *op = Arith::FloorDiv,
                Arith::Rem => *op = Arith::FloorRem,
                _ => {}
            }
        }
    }),
    ("unsigned results are not reduced", |_, e| {
        if let Expr::Arith(_, ty, _) = e {
            *ty = IntType::EXACT;
        }
    }),
    ("conversions do nothing", |_, e| {
        if let Expr::Convert(_, inner) = e {
            *e = (**inner).clone();
        }
    }),
    ("an index may be too small", |_, e| {
        if let Expr::Compare(Compare::Le, pair) = e
            && pair[0] == Expr::Int(0)
        {
            pair[0] = Expr::Int(-6);
        }
    }),
    ("two arrays are one", |program, e| {
        let named = |name: &str| program.vars.iter().position(|v| v.name == name);
        if let Expr::Cell(var, _) = e
            && program.var(*var).name == "B"
            && let Some(other) = named("A")
        {
            *var = foretell_c::program::VarId::new(other);
        }
    }),
    ("a comparison is strict", |_, e| {
        if let Expr::Compare(op @ Compare::Le, pair) = e
            && !matches!(pair[0], Expr::Int(_))
        {
            *op = Compare::Lt;
        }
    }),
];

/// A program whose expressions were changed; checks of indices and ranges only by their own mutant.
fn mutated(program: &Program, mutate: Mutate) -> Program {
    let mut mutant = program.clone();
    for check in &mut mutant.checks {
        if check.kind == CheckKind::Bounds {
            rewrite(program, &mut check.holds, mutate);
        }
    }
    for (op, _) in mutant.edges.iter_mut().flat_map(|e| &mut e.ops) {
        match op {
            Op::Assume(e) | Op::Assign(_, e) => rewrite(program, e, mutate),
            Op::Store(_, indices, e) => {
                rewrite(program, e, mutate);
                indices.iter_mut().for_each(|i| rewrite(program, i, mutate));
            }
            Op::Call { args, .. } => args.iter_mut().for_each(|a| rewrite(program, a, mutate)),
            Op::Fill(..) | Op::Copy(..) | Op::Input(..) | Op::Check(_) => {}
        }
    }
    mutant
}

fn rewrite(program: &Program, e: &mut Expr, mutate: Mutate) {
    mutate(program, e);
    let parts = e.children_mut().iter_mut();
    parts.for_each(|part| rewrite(program, part, mutate));
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
