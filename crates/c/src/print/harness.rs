//! A program that fails: the source with insertions only, and a file with its inputs.
//!
//! Nothing is deleted, so lines stay. Inserted are a value for everything that has none of its own
//! ([`super::unset`]), and a mark at the start of `reach_error` where the file defines it. Another file
//! defines the functions that give inputs, by a table in the order of the calls, and those that have a
//! meaning and no body; a third one, included in front of the source, what it uses without declaring it.
//! The mark ends the run with exit code 99; undefined behaviour is reported by the sanitizers.

use std::fmt::Write;

use indexmap::IndexMap;

use super::unset::{Plan, Unset, plan};
use crate::program::{DataModel, InputKind, InputValue, Op, Program, Rank, Var};
use crate::run::Run;

/// The exit code of a run that reached the error.
pub const HIT: i32 = 99;

/// The files of a harness, by name.
#[derive(Clone, Debug)]
pub struct Harness {
    /// Names and contents; the first is the source.
    pub files: Vec<(String, String)>,
    /// What it is compiled for.
    pub target: Target,
    /// Whether everything that the run took from outside has its value: then the compiled program must
    /// do what the run did.
    pub complete: bool,
}

/// The harness of a run.
pub fn harness(program: &Program, run: &Run) -> Harness {
    let plan = plan(program, run);
    let mut files = vec![
        ("prog.c".to_owned(), source(program, &plan)),
        ("marks.h".to_owned(), marks(program, &plan)),
        ("inputs.c".to_owned(), inputs(program, run, &plan)),
    ];
    let header = "seahorn/seahorn.h";
    if let Some(text) = crate::text::headers::builtin(header) {
        files.push((header.to_owned(), text.to_owned()));
    }
    // What the input includes by quotes; its names have been checked.
    for file in program.source.files().iter().skip(1) {
        let known = files.iter().any(|(name, _)| *name == file.name);
        if !file.name.starts_with('<') && !known {
            files.push((file.name.clone(), file.text.clone()));
        }
    }
    let target = Target::of(program);
    files.extend(target.files());
    let arguments = target.arguments(".");
    let script = format!(
        "#!/bin/sh\ncc {} && ./prog; test $? = {HIT}\n",
        arguments.join(" ")
    );
    files.push(("run.sh".to_owned(), script));
    Harness {
        files,
        target,
        complete: plan.complete,
    }
}

/// What is declared in front of the source, whose first line may be a directive: the compiler includes it.
/// Besides the functions that are inserted these are the names that the source uses without defining them
/// and the compiler may not know.
fn marks(program: &Program, plan: &Plan) -> String {
    let mut out = String::from("extern void __foretell_hit(void);\n");
    let text = program.source.main_text();
    for (name, words) in program.source.predefined() {
        if text.contains(&name[..]) {
            let _ = writeln!(out, "#define {name} {words}");
        }
    }
    for (name, ty) in &program.undeclared {
        let _ = writeln!(out, "extern {} {name}();", ty.name());
    }
    out.extend(plan.list.iter().map(Unset::declaration));
    out
}

/// What a harness is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// This machine and its library, with sanitizers.
    Hosted,
    /// 32 bits, for programs that mean something else on this machine. The library for it is seldom there,
    /// so there is none: the headers are those the program was read with, and undefined behaviour ends
    /// the run without a report.
    Bare,
}

impl Target {
    fn of(program: &Program) -> Target {
        let long = |v: &Var| v.ty.element().rank == Rank::Long;
        if program.model == DataModel::Ilp32 && program.vars.iter().any(long) {
            Target::Bare
        } else {
            Target::Hosted
        }
    }

    /// Files that only this target needs.
    fn files(self) -> Vec<(String, String)> {
        let header = |name: &&str| {
            let text = crate::text::headers::builtin(name)?;
            Some((format!("headers/{name}"), text.to_owned()))
        };
        match self {
            Target::Hosted => Vec::new(),
            Target::Bare => {
                let start = include_str!("../../harness/bare.c").to_owned();
                let headers = crate::text::headers::NAMES.iter().filter_map(header);
                headers.chain([("bare.c".to_owned(), start)]).collect()
            }
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            Target::Hosted => &["-fsanitize=undefined,address", "-fno-sanitize-recover=all"],
            Target::Bare => &[
                "-m32",
                "-ffreestanding",
                "-nostdlib",
                "-nostdinc",
                "-static",
                "-fno-pic",
                "-fno-stack-protector",
                "-fsanitize=undefined",
                "-fsanitize-undefined-trap-on-error",
            ],
        }
    }

    /// The arguments of the C compiler for a harness in a folder.
    pub fn arguments(self, folder: &str) -> Vec<String> {
        let fixed = ["-g", "-O0", "-w"].iter().chain(self.options());
        let mut list: Vec<String> = fixed.map(|s| (*s).to_owned()).collect();
        list.extend(["-o".to_owned(), format!("{folder}/prog")]);
        list.push(format!("-I{folder}"));
        if self == Target::Bare {
            list.push(format!("-I{folder}/headers"));
        }
        list.extend(["-include".to_owned(), format!("{folder}/marks.h")]);
        list.push(format!("{folder}/prog.c"));
        list.push(format!("{folder}/inputs.c"));
        if self == Target::Bare {
            list.push(format!("{folder}/bare.c"));
        }
        list
    }
}

fn source(program: &Program, plan: &Plan) -> String {
    let text = program.source.main_text();
    let mut insertions = plan.insertions.clone();
    if let Some(start) = error_body(text) {
        insertions.push((start, " __foretell_hit();".to_owned()));
    }
    insertions.sort_by_key(|(at, _)| *at);
    let mut out = String::with_capacity(text.len() + 256);
    let mut from = 0;
    for (at, words) in insertions {
        out.push_str(text.get(from..at).unwrap_or(""));
        out.push_str(&words);
        from = at;
    }
    out.push_str(text.get(from..).unwrap_or(""));
    out
}

/// The offset behind the brace that opens the body of `reach_error`.
fn error_body(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text.get(from..)?.find("reach_error") {
        let at = from + found + "reach_error".len();
        let rest = text.get(at..)?;
        let close = rest.find(')')?;
        let after = rest.get(close + 1..)?;
        let brace = after.trim_start();
        if brace.starts_with('{') {
            return Some(at + close + 1 + (after.len() - brace.len()) + 1);
        }
        from = at;
    }
    None
}

pub(super) fn table(out: &mut String, name: &str, ty: &str, values: &[i128]) {
    if values.is_empty() {
        let _ = writeln!(out, "WEAK {ty} {name}() {{ return 0; }}");
        return;
    }
    let list: Vec<String> = values
        .iter()
        .map(|n| format!("({ty}){}", literal(*n)))
        .collect();
    let _ = writeln!(
        out,
        "{ty} {name}() {{\n  static const {ty} table[] = {{ {} }};\n  static unsigned at;\n  \
         return at < {} ? table[at++] : 0;\n}}",
        list.join(", "),
        values.len()
    );
}

pub(super) fn literal(n: i128) -> String {
    if n == i128::from(i64::MIN) {
        "(-9223372036854775807LL - 1)".to_owned()
    } else if n > i128::from(i64::MAX) {
        format!("{n}ULL")
    } else {
        format!("{n}LL")
    }
}

fn inputs(program: &Program, run: &Run, plan: &Plan) -> String {
    let mut out = String::from(
        "extern void _exit(int);\n#define WEAK __attribute__((weak))\n\
         void __foretell_hit(void) { _exit(99); }\n\
         WEAK void reach_error() { _exit(99); }\nWEAK void __VERIFIER_error() { _exit(99); }\n\
         WEAK void __VERIFIER_assert(int c) { if (!c) _exit(99); }\n\
         WEAK void __CPROVER_assert(int c, ...) { if (!c) _exit(99); }\n\
         WEAK void static_assert(int c, ...) { if (!c) _exit(99); }\n\
         WEAK void __assert() { _exit(99); }\nWEAK void __assert_rtn() { _exit(99); }\n\
         WEAK void sassert(int c) { if (!c) _exit(99); }\nWEAK void assert(int c) { if (!c) _exit(99); }\n\
         WEAK void assume(int c) { if (!c) _exit(0); }\n\
         WEAK void __VERIFIER_assume(int c) { if (!c) _exit(0); }\n\
         WEAK void __CPROVER_assume(int c) { if (!c) _exit(0); }\n\
         WEAK void assume_abort_if_not(int c) { if (!c) _exit(0); }\n",
    );
    // Functions that the run does not call must be there for the linker all the same.
    let mut calls: IndexMap<&str, (String, Vec<i128>)> = IndexMap::new();
    for (op, _) in program.edges.iter().flat_map(|e| &e.ops) {
        if let Op::Input(var, site) = op
            && let InputKind::Call(name) = &program.inputs[site.index()].kind
        {
            let ty = || (program.var(*var).ty.element().name(), Vec::new());
            calls.entry(name).or_insert_with(ty);
        }
    }
    for (site, value) in &run.inputs {
        if let InputKind::Call(name) = &program.inputs[site.index()].kind
            && let InputValue::Int(n) = value
        {
            let int = || ("int".to_owned(), Vec::new());
            calls.entry(name).or_insert_with(int).1.push(*n);
        }
    }
    // What the program prints is not an input of the harness.
    for (name, (ty, values)) in calls
        .iter()
        .filter(|(n, _)| !matches!(**n, "printf" | "puts" | "putchar"))
    {
        table(&mut out, name, ty, values);
    }
    if !plan.list.is_empty() {
        out.push_str(
            "static int before(const unsigned long *a, const unsigned long *b, int n) {\n  \
             for (int k = 0; k < n; k++) if (a[k] != b[k]) return a[k] < b[k];\n  return 0;\n}\n",
        );
    }
    out.extend(plan.list.iter().map(Unset::definition));
    out
}

#[cfg(test)]
mod tests {
    use super::harness;
    use crate::program::Group;
    use crate::run::{Effort, probe};
    use crate::text::NoFiles;
    use crate::{Settings, read};

    /// The harness of the first violation that is found.
    fn files(text: &str) -> Vec<(String, String)> {
        let program = read("x.c", text.as_bytes(), &NoFiles, &Settings::default()).expect("C");
        let effort = Effort {
            runs: 10,
            operations: 10_000,
            long: 0,
            until: None,
        };
        let run = probe(&program, Group::Assert, effort).expect("a violation");
        harness(&program, &run).files
    }

    #[test]
    fn lines_stay_where_they_are() {
        let text = "#include <assert.h>\nint main() {\n  int x, y = 1;\n  assert(x == y);\n}\n";
        let files = files(text);
        let made: Vec<&str> = files[0].1.lines().collect();
        assert_eq!(made.len(), text.lines().count());
        assert_eq!(made[0], "#include <assert.h>");
        assert!(
            made[2].starts_with("  int x = __foretell_unset_0(), y = 1;"),
            "{}",
            made[2]
        );
    }

    #[test]
    fn functions_that_are_not_called_are_there() {
        let text = "extern void abort(void);\nint __VERIFIER_nondet_int();\n\
                    _Bool __VERIFIER_nondet_bool();\nvoid reach_error() { abort(); }\nint main() {\n  \
                    int x = __VERIFIER_nondet_int();\n  \
                    while (x > 1000) if (__VERIFIER_nondet_bool()) x--;\n  reach_error();\n}\n";
        let files = files(text);
        let inputs = &files[2].1;
        assert!(
            inputs.contains("int __VERIFIER_nondet_int() {\n"),
            "{inputs}"
        );
        assert!(inputs.contains("__VERIFIER_nondet_bool() {"), "{inputs}");
    }
}
