//! C programs through the real executable: nothing contradicts the folders of `corpus/c`, what is refused
//! has its code, and what `annotate` writes can be proved as it stands.
//!
//! `FORETELL_CORPUS=1` takes every safe program, not one in eight.

use super::{folder, foretell};

fn files(kind: &str) -> Vec<String> {
    let folder = foretell_testkit::corpus::root().join("corpus/c").join(kind);
    let list = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<String> = list
        .map(|entry| entry.unwrap().path().to_string_lossy().into_owned())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{kind} is empty");
    paths
}

fn has_compiler() -> bool {
    let asked = std::process::Command::new("cc").arg("--version").output();
    asked.is_ok_and(|o| o.status.success())
}

#[test]
fn statistics_tell_what_the_runs_did() {
    let path = files("safe")
        .into_iter()
        .find(|p| p.ends_with("/init_loop.c"));
    let engine = ["--engine", "candidates", "--property", "assert", "--stats"];
    let outcome = foretell(&[&engine[..], &[&path.unwrap()]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    for expected in ["assert: safe", "candidates: ", "  cpu ", "  time in pass "] {
        assert!(
            outcome.stderr.contains(expected),
            "{expected}: {}",
            outcome.stderr
        );
    }
}

#[test]
fn no_answer_contradicts_its_folder() {
    let every = std::env::var("FORETELL_CORPUS").map_or(8, |_| 1);
    for path in files("safe").iter().step_by(every) {
        let outcome = foretell(&["--cpu-limit", "2s", "--timeout", "60s", path]);
        assert!(
            matches!(outcome.code, Some(0 | 20)),
            "{path}: {}",
            outcome.stdout
        );
    }
    for path in files("unsafe") {
        let outcome = foretell(&["--timeout", "60s", &path]);
        assert_eq!(outcome.code, Some(10), "{path}: {}", outcome.stdout);
        let last = outcome.stdout.lines().last();
        assert_eq!(last, Some("unsafe"), "{path}: {}", outcome.stdout);
        // A compiled program does not look at annotations.
        let text = std::fs::read_to_string(&path).unwrap();
        let annotated = text.contains("/*@") || text.contains("//@");
        let told = outcome.stdout.contains("executed)") || annotated;
        assert!(
            told || !has_compiler(),
            "{path} is not executed: {}",
            outcome.stdout
        );
    }
    for path in files("error") {
        let outcome = foretell(&[&path]);
        assert!(
            matches!(outcome.code, Some(3 | 4)),
            "{path}: {}",
            outcome.stdout
        );
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = text
            .lines()
            .next()
            .and_then(|l| l.strip_prefix("// expect: "));
        let code = format!("error[{}]", expected.unwrap());
        assert!(outcome.stderr.contains(&code), "{path}: {}", outcome.stderr);
    }
}

#[test]
fn annotated_programs_are_proved_as_they_stand() {
    let path = files("safe")
        .into_iter()
        .find(|p| p.ends_with("acsar_array_init.c"));
    let path = path.unwrap();
    let outcome = foretell(&["annotate", "--timeout", "120s", &path]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let text = &outcome.stdout;
    assert!(text.contains("loop invariant \\forall integer"), "{text}");
    assert!(text.contains("loop assigns a[0 .. n - 1], i;"), "{text}");
    assert_eq!(without_notes(text), std::fs::read_to_string(&path).unwrap());
    let written = folder("annotated").join("annotated.c");
    std::fs::write(&written, text).unwrap();
    let goals = [
        "--acsl",
        "goals",
        "--property",
        "assert",
        "--timeout",
        "120s",
    ];
    let again = foretell(&[&goals[..], &[written.to_str().unwrap()]].concat());
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
}

/// A text without the comments that `annotate` wrote, each with the line end and the blanks behind it.
fn without_notes(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(from) = rest.find("/*@") {
        plain.push_str(&rest[..from]);
        let behind = &rest[from + rest[from..].find("*/").unwrap() + 2..];
        rest = behind.strip_prefix('\n').unwrap().trim_start_matches(' ');
    }
    plain + rest
}

#[test]
fn called_functions_get_contracts() {
    let path = folder("contracts").join("contracts.c");
    let source = "extern int nondet_int(void);
extern void abort(void);
void reach_error() {}
void __VERIFIER_assert(int cond) { if (!(cond)) { reach_error(); abort(); } }
void assume_abort_if_not(int cond) { if (!cond) abort(); }
int twice(int x) { if (x < 0) return 0; return x + x; }
int count(int n) { if (n <= 0) return 0; return count(n - 1) + 1; }
int main() {
  int n = nondet_int();
  assume_abort_if_not(n >= 0 && n <= 1000);
  __VERIFIER_assert(count(n) == n);
  int i = 0;
  while (i < n) i = i + 1;
  __VERIFIER_assert(twice(i) == 2 * n);
  return 0;
}
";
    std::fs::write(&path, source).unwrap();
    let file = path.to_str().unwrap();
    let outcome = foretell(&["annotate", "--property", "assert", "-t", "120s", file]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(without_notes(&outcome.stdout), source);
    for expected in [
        "/*@ assigns \\nothing; */\nextern int nondet_int",
        "/*@ assigns \\nothing;\n    ensures \\false; */\nextern void abort",
        "/*@ requires \\false;\n    assigns \\nothing; */\nvoid reach_error",
        "/*@ requires cond != 0;\n    assigns \\nothing;\n    ensures cond != 0; */\nvoid __V",
        "/*@ assigns \\nothing;\n    ensures cond != 0; */\nvoid assume",
        "ensures \\result == (0 <= x ? 2 * x : 0); */\nint twice",
        "*/\nint count",
        "*/\n  while",
    ] {
        assert!(
            outcome.stdout.contains(expected),
            "{expected}\n{}",
            outcome.stdout
        );
    }
    assert!(
        !outcome.stderr.contains("loops without"),
        "{}",
        outcome.stderr
    );
}
