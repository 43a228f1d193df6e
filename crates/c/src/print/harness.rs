//! A program that fails: the source with insertions only, and a file with its inputs.
//!
//! Nothing is deleted, so lines stay. Inserted are a value for every variable that is declared
//! without one, behind its declaration, and a mark at the start of `reach_error` where the file
//! defines it. The second file defines the functions that give inputs, by a table in the order of
//! the calls, and those that have a meaning and no body. The mark ends the run with exit code 99;
//! undefined behaviour is reported by the sanitizers.

use std::fmt::Write;

use indexmap::IndexMap;

use crate::program::{InputKind, InputValue, Op, Program, VarId, VarType};
use crate::run::Run;

/// The exit code of a run that reached the error.
pub const HIT: i32 = 99;

/// The files of a harness, by name.
#[derive(Clone, Debug)]
pub struct Harness {
    /// Names and contents; the first is the source.
    pub files: Vec<(String, String)>,
}

/// The declarations of what is inserted; the compiler includes them in front of the source, whose first
/// line may be a directive.
fn marks(program: &Program, run: &Run) -> String {
    let mut out = String::from("extern void __foretell_hit(void);\n");
    for unset in unset(program, run) {
        if let VarType::Int(ty) = unset.ty {
            let _ = writeln!(out, "extern {} {}(void);", ty.name(), unset.function());
        }
    }
    out
}

/// The harness of a run.
pub fn harness(program: &Program, run: &Run) -> Harness {
    let mut files = vec![
        ("prog.c".to_owned(), source(program, run)),
        ("marks.h".to_owned(), marks(program, run)),
        ("inputs.c".to_owned(), inputs(program, run)),
    ];
    let header = "seahorn/seahorn.h";
    if let Some(text) = crate::text::headers::builtin(header) {
        files.push((header.to_owned(), text.to_owned()));
    }
    let arguments = arguments(".");
    let script = format!(
        "#!/bin/sh\ncc {} && ./prog; test $? = {HIT}\n",
        arguments.join(" ")
    );
    files.push(("run.sh".to_owned(), script));
    Harness { files }
}

/// The arguments of the C compiler for a harness in a folder.
pub fn arguments(folder: &str) -> Vec<String> {
    let fixed = [
        "-g",
        "-O0",
        "-w",
        "-fsanitize=undefined,address",
        "-fno-sanitize-recover=all",
        "-o",
    ];
    let mut list: Vec<String> = fixed.iter().map(|s| (*s).to_owned()).collect();
    list.push(format!("{folder}/prog"));
    list.push(format!("-I{folder}"));
    list.push("-include".to_owned());
    list.push(format!("{folder}/marks.h"));
    list.push(format!("{folder}/prog.c"));
    list.push(format!("{folder}/inputs.c"));
    list
}

/// A variable that is declared without a value.
struct Unset {
    /// The place of its declaration.
    offset: usize,
    name: String,
    ty: VarType,
    /// What the run read there, in order.
    values: Vec<InputValue>,
}

impl Unset {
    /// The function that gives its value; places of one array have one declaration.
    fn function(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = self.name.chars().map(plain).collect();
        format!("__foretell_unset_{}_{name}", self.offset)
    }
}

/// The variables without a value, in the order of the run.
fn unset(program: &Program, run: &Run) -> Vec<Unset> {
    let mut found: IndexMap<(usize, VarId), Unset> = IndexMap::new();
    for (site, value) in &run.inputs {
        let input = &program.inputs[site.index()];
        let (file, offset) = program.source.origin(input.span.start);
        if input.kind != InputKind::Uninitialised || file != 0 {
            continue;
        }
        let target = program
            .edges
            .iter()
            .flat_map(|e| &e.ops)
            .find_map(|(op, _)| match op {
                Op::Input(var, id) if id == site => Some(*var),
                _ => None,
            });
        let Some(id) = target else {
            continue;
        };
        let var = program.var(id);
        let entry = found.entry((offset, id)).or_insert_with(|| Unset {
            offset,
            name: var.name.clone(),
            ty: var.ty,
            values: Vec::new(),
        });
        entry.values.push(value.clone());
    }
    found.into_values().collect()
}

fn source(program: &Program, run: &Run) -> String {
    let text = program.source.main_text();
    let mut insertions: Vec<(usize, String)> = Vec::new();
    for unset in unset(program, run) {
        let (offset, name) = (unset.offset, &unset.name);
        if name.contains('.') || !matches!(unset.ty, VarType::Int(_)) {
            continue;
        }
        // Behind the declaration; a declaration without a value ends at the next semicolon.
        if let Some(end) = text.get(offset..).and_then(|rest| rest.find(';')) {
            let call = format!(" {name} = {}();", unset.function());
            insertions.push((offset + end + 1, call));
        }
    }
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

fn table(out: &mut String, name: &str, ty: &str, values: &[i128]) {
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

fn literal(n: i128) -> String {
    if n == i128::from(i64::MIN) {
        "(-9223372036854775807LL - 1)".to_owned()
    } else if n > i128::from(i64::MAX) {
        format!("{n}ULL")
    } else {
        format!("{n}LL")
    }
}

fn inputs(program: &Program, run: &Run) -> String {
    let mut out = String::from(
        "extern void _exit(int);\n#define WEAK __attribute__((weak))\n\
         void __foretell_hit(void) { _exit(99); }\n\
         WEAK void reach_error() { _exit(99); }\nWEAK void __VERIFIER_error() { _exit(99); }\n\
         WEAK void __VERIFIER_assert(int c) { if (!c) _exit(99); }\n\
         WEAK void sassert(int c) { if (!c) _exit(99); }\nWEAK void assert(int c) { if (!c) _exit(99); }\n\
         WEAK void assume(int c) { if (!c) _exit(0); }\n\
         WEAK void __VERIFIER_assume(int c) { if (!c) _exit(0); }\n\
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
    for unset in unset(program, run) {
        if let VarType::Int(ty) = unset.ty {
            let numbers: Vec<i128> = unset.values.iter().map(number).collect();
            table(&mut out, &unset.function(), &ty.name(), &numbers);
        }
    }
    out
}

fn number(value: &InputValue) -> i128 {
    match value {
        InputValue::Int(n) | InputValue::Array(n, _) => *n,
    }
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
            made[2].starts_with("  int x, y = 1; x = __foretell_unset_"),
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
