//! The program that is made from a counterexample fails when it is compiled and run, and is the source with
//! insertions only. Skipped where there is no gcc.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use foretell_c::print::harness::{Harness, harness};
use foretell_c::program::{CheckKind, Group, Program};
use foretell_c::run::{Effort, End, Run, probe};
use foretell_c::text::Files;
use foretell_c::{Settings, read};

/// One file that may be included.
struct Given;

impl Files for Given {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        (path == "part/limit.h").then(|| b"enum { LIMIT = 41 };\n".to_vec())
    }
}

fn load(name: &str, text: &str) -> Program {
    read(name, text.as_bytes(), &Given, &Settings::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn violation(program: &Program, groups: &[Group]) -> Option<Run> {
    let effort = Effort {
        runs: 400,
        operations: 4_000_000,
        long: 0,
        until: None,
    };
    groups.iter().find_map(|g| probe(program, *g, effort))
}

/// What is left of a text when the words that were inserted are taken out: lines stay, and every line
/// of the source is a subsequence of its line.
fn only_inserted(source: &str, made: &str) {
    assert_eq!(source.lines().count(), made.lines().count());
    for (old, new) in source.lines().zip(made.lines()) {
        let mut rest = new.chars();
        let kept = old.chars().all(|c| rest.any(|d| c == d));
        assert!(kept, "{old}\nbecame\n{new}");
        assert!(old == new || new.contains("__foretell_"), "{new}");
    }
}

fn compiled(harness: &Harness, folder: &Path) -> Option<Output> {
    for (name, text) in &harness.files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file of the harness");
    }
    let mut gcc = Command::new("gcc");
    let place = folder.to_string_lossy();
    let made = gcc.args(harness.target.arguments(&place)).output().ok()?;
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(
        made.status.success(),
        "gcc refuses {}: {said}",
        folder.display()
    );
    Command::new(folder.join("prog")).output().ok()
}

/// Compiles and runs the harness of a violation: it fails.
fn fails(name: &str, text: &str, groups: &[Group]) -> Harness {
    let program = load(name, text);
    let run = violation(&program, groups).unwrap_or_else(|| panic!("{name} runs"));
    let made = harness(&program, &run);
    only_inserted(text, &made.files[0].1);
    let End::Violated(id) = run.end else {
        panic!("{name}: {:?}", run.end);
    };
    if program.check(id).kind == CheckKind::Annotation {
        return made;
    }
    let folder = std::env::temp_dir().join(format!("foretell-{}-{name}", std::process::id()));
    let ended = compiled(&made, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    if let Some(ended) = ended {
        let said = String::from_utf8_lossy(&ended.stderr);
        let reported = ["Assertion", "runtime error", "AddressSanitizer"];
        let seen = ended.status.code() == Some(99) || reported.iter().any(|w| said.contains(w));
        assert!(seen, "{name} runs: {ended:?}\n{}", made.files[0].1);
    }
    made
}

/// A body of `main`, behind declarations: its assertion fails, and everything it reads is set.
fn main_fails(name: &str, declarations: &str, body: &str) -> Harness {
    let text = format!(
        "#include <assert.h>\n#include <stdlib.h>\n{declarations}\nint main() {{\n{body}\nreturn 0;\n}}\n"
    );
    let made = fails(name, &text, &[Group::Assert]);
    assert!(made.complete, "{}", made.files[0].1);
    made
}

#[test]
fn the_corpus_fails_when_it_is_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/unsafe");
    let list = std::fs::read_dir(root).expect("the folder of the corpus");
    let mut paths: Vec<PathBuf> = list.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("text");
        let name = path.file_stem().expect("a name").to_string_lossy();
        let made = fails(&name, &text, &Group::ALL);
        assert!(made.complete, "{name}");
    }
}

#[test]
fn arrays_have_the_values_of_the_run() {
    main_fails("fixed", "", "int a[3]; assert(a[2] != 7 || a[0] != 7);");
    main_fails(
        "places",
        "",
        "int i = 1; int a[3][2]; for (; i < 2; i++) assert(a[i + 1][i] != 7);",
    );
    main_fails(
        "variable",
        "extern unsigned nondet_uint();",
        "unsigned n = nondet_uint(), m = 3;\nif (n < 3 || n > 20) return 0;\n\
         short a[n][m]; /* ; */ for (unsigned i = 0; i < n; i++) assert(a[i][2] != (short)n);",
    );
    main_fails(
        "header",
        "",
        "for (int k, a[2]; ; ) { assert(k != 77 || a[k - 76] != 77); break; }",
    );
    main_fails(
        "attribute",
        "",
        "int k __attribute__((unused)), *p = &k; assert(*p != 77);",
    );
}

#[test]
fn an_inlined_function_has_its_values_in_the_order_of_the_calls() {
    let made = main_fails(
        "inlined",
        "int last(int n) { int a[4]; return a[n]; }",
        "int x = last(1), y = last(2);\nassert(x <= y);",
    );
    let calls = made.files[0].1.matches("__foretell_next_").count();
    assert_eq!(calls, 1, "{}", made.files[0].1);
}

#[test]
fn members_and_memory_have_the_values_of_the_run() {
    let list = "struct node { int key; struct { long at[2]; } in; };";
    main_fails(
        "members",
        list,
        "struct node a[3], one; int i = 2;\n\
         for (; i < 3; i++) assert(a[i].in.at[1] != 77 || one.in.at[0] != 77 || one.key != 77);",
    );
    main_fails(
        "memory",
        list,
        "unsigned n = 2; struct node *p = (struct node *)malloc(sizeof(struct node) * n);\n\
         for (int i = 0; i < n; i++) assert(p[i].in.at[1] != 77);\nfree(p);",
    );
    main_fails(
        "automatic",
        "void *alloca(unsigned long);",
        "unsigned n = 2; int *p = alloca((n + 1) * sizeof(int));\n\
         for (int i = 0; i <= n; i++) assert(p[i] != 77);",
    );
}

#[test]
fn names_that_are_known_here_only_are_defined() {
    let made = main_fails("truth", "", "bool b; assert(b == true);");
    assert!(made.files[1].1.contains("#define true 1"));
    // What the program defines itself is left alone.
    let own = "typedef enum { false = 0, true = 3 } bool;";
    let made = main_fails("own", own, "bool b = true; assert(b == 1);");
    assert!(!made.files[1].1.contains("#define"), "{}", made.files[1].1);
    main_fails(
        "header_too",
        "#include <stdbool.h>",
        "bool b; assert(b == true);",
    );
    let constants = "enum { no, false = 0, true };\nint f(bool, bool);";
    main_fails("constants", constants, "bool b = true; assert(!b);");
    main_fails(
        "undeclared",
        "",
        "assert(__VERIFIER_nondet_uint() < 3000000000);",
    );
    let text = "#include \"part/limit.h\"\nvoid reach_error() {}\nint main(int argc) {\n  \
                if (argc > LIMIT) reach_error();\n}\n";
    assert!(fails("included", text, &[Group::Assert]).complete);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn other_sizes_are_compiled_as_such() {
    let text = "#include <assert.h>\n#include <stdlib.h>\nextern unsigned long nondet_ulong();\n\
                int main() {\n  unsigned n = 2;\n  long *p = malloc(n * sizeof(long)), a[2];\n  \
                unsigned long x = nondet_ulong();\n  \
                if (x + 1 < x && a[1] == -1) for (int i = 0; i < n; i++) assert(p[i] != -1);\n}\n";
    let settings = Settings {
        model: foretell_c::program::DataModel::Ilp32,
        ..Settings::default()
    };
    let program = read("bare", text.as_bytes(), &Given, &settings).expect("C");
    let run = violation(&program, &[Group::Assert]).expect("a violation");
    let made = harness(&program, &run);
    assert!(made.complete && made.target == foretell_c::print::harness::Target::Bare);
    let folder = std::env::temp_dir().join(format!("foretell-{}-bare", std::process::id()));
    let ended = compiled(&made, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    if let Some(ended) = ended {
        assert_eq!(ended.status.code(), Some(99), "{ended:?}");
    }
}

#[test]
fn what_a_macro_declares_cannot_be_set() {
    let text = "#include <assert.h>\n#define MAKE int x\nint main() {\n  MAKE;\n  int y;\n  \
                assert(x + y != 77);\n}\n";
    let program = load("macro", text);
    let run = violation(&program, &[Group::Assert]).expect("a violation");
    let made = harness(&program, &run);
    assert!(!made.complete);
    only_inserted(text, &made.files[0].1);
}
