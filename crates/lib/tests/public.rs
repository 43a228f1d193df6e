//! What callers in Rust do, each once and for real. This executable serves its own workers, so it has no
//! harness: `main` must begin with [`serve`].
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

#[path = "../examples/readme.rs"]
mod readme;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use foretell_lib::build::{Atom, ChcSystem, Clause, Sort, TermStore, print_chc};
use foretell_lib::{
    Check, Engine, Error, Event, Judgement, Outcome, Refusal, Selection, VerdictKind, Witness,
    serve,
};

const MINUTE: Duration = Duration::from_secs(60);
const SAFE: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (p x) (<= x 10))))";
const HARD: &str = "(set-logic HORN)(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int)) (p x 0 0)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p x (+ y 1) (+ z (* x x x))))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y z) (= (* y (+ y 7)) (+ 1000003 (* z z z)))) false)))";

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap().to_owned()
}

fn a_text() {
    let answer = Check::new(SAFE).timeout(MINUTE).run().unwrap();
    assert_eq!(answer.verdict(), VerdictKind::Safe);
    assert!(answer.model().unwrap().contains("(define-fun p "));
    let wrong = SAFE.replace("(<= x 10)", "(< x 3)");
    let answer = Check::new(wrong.as_str()).timeout(MINUTE).run().unwrap();
    assert_eq!(answer.verdict(), VerdictKind::Unsafe);
    assert!(answer.counterexample().is_some());
    let judged = Witness::new(&wrong, answer.certificate().unwrap()).judge();
    assert_eq!(judged.unwrap(), Judgement::Accepted);
}

fn a_text_with_a_fault() {
    let error = Check::new("(set-logic HORN)\n(assert (p 0))").run();
    let Err(Error::Refused(Refusal::Input(findings))) = error else {
        panic!("{error:?}");
    };
    // The code and the place that the command line tells: line 2, column 10.
    assert_eq!(
        (findings[0].code.as_str(), findings[0].span.start),
        ("E013", 26)
    );
    let error = Check::new(SAFE).engine("nobody").run();
    assert!(matches!(error, Err(Error::Usage(_))), "{error:?}");
}

fn each_property() {
    let text = std::fs::read(root().join("examples/two_properties.vmt")).unwrap();
    let answer = Check::new(text).property(Selection::Each).timeout(MINUTE);
    let answer = answer.run().unwrap();
    let mut verdicts: Vec<(Option<u64>, VerdictKind)> = answer
        .properties()
        .iter()
        .map(|p| (p.property, p.outcome.verdict()))
        .collect();
    verdicts.sort_by_key(|(number, _)| *number);
    let wanted = [(Some(0), VerdictKind::Safe), (Some(1), VerdictKind::Unsafe)];
    assert_eq!(verdicts, wanted);
}

fn stopped_by_a_handle() {
    let mut check = Check::new(HARD);
    let handle = check.stop_handle();
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        handle.set();
    });
    let answer = check.run().unwrap();
    other.join().unwrap();
    assert_eq!(answer.verdict(), VerdictKind::Unknown);
    assert_eq!(answer.reason(), Some("stopped"));
}

fn events_are_followed() {
    let (mut read, mut settled) = (0, 0);
    let tell = |event: &Event<'_>| match event {
        Event::Read(_) => read += 1,
        Event::Settled(_) => settled += 1,
        _ => {}
    };
    Check::new(SAFE).timeout(MINUTE).follow(tell).unwrap();
    assert_eq!((read, settled), (1, 1));
}

fn a_foreign_model() {
    let good = "(define-fun p ((x Int)) Bool (and (<= 0 x) (<= x 10)))";
    let bad = "(define-fun p ((x Int)) Bool (<= 0 x))";
    assert_eq!(
        Witness::new(SAFE, good).judge().unwrap(),
        Judgement::Accepted
    );
    let judged = Witness::new(SAFE, bad).timeout(MINUTE).judge().unwrap();
    assert!(matches!(judged, Judgement::Rejected(_)), "{judged:?}");
}

/// p(0);  p(x) ∧ x < 10 → p(x + 2);  p(x) → x ≤ 11.
fn one_engine_on_a_system_that_was_built() {
    let terms = TermStore::new();
    let mut system = ChcSystem::default();
    let p = system.add_pred(&terms, "p", &[Sort::INT]);
    let x = terms.fresh("x", Sort::INT);
    let number = |n: i64| terms.int(n);
    let at = |term| Atom {
        pred: p,
        args: vec![term],
    };
    let clause = |body: Vec<Atom>, constraint, head: Option<Atom>| Clause {
        vars: vec![x],
        body,
        constraint,
        head,
        line: 0,
    };
    let below = terms.lt(x, number(10));
    let above = terms.lt(number(11), x);
    system.clauses = vec![
        clause(vec![], terms.tt(), Some(at(number(0)))),
        clause(vec![at(x)], below, Some(at(terms.add(&[x, number(2)])))),
        clause(vec![at(x)], above, None),
    ];
    let text = print_chc(&terms, &system);
    let outcome = Engine::new("kinduction")
        .timeout(MINUTE)
        .run(&text)
        .unwrap();
    assert!(matches!(outcome, Outcome::Safe { .. }), "{outcome:?}");
}

fn another_executable() {
    let own = std::env::current_exe().unwrap();
    let answer = Check::new(SAFE)
        .program(&own)
        .timeout(MINUTE)
        .run()
        .unwrap();
    assert_eq!(answer.verdict(), VerdictKind::Safe);
    let missing = Check::new(SAFE).program("/nowhere/foretell").run();
    assert!(matches!(missing, Err(Error::Usage(_))), "{missing:?}");
}

fn the_readme_shows_an_example_that_runs() {
    let page = std::fs::read_to_string(root().join("README.md")).unwrap();
    let block = page.split("```rust\n").nth(1).unwrap();
    let block = block.split("```").next().unwrap();
    assert!(
        include_str!("../examples/readme.rs").contains(block),
        "{block}"
    );
    // Its paths are those of the checkout.
    std::env::set_current_dir(root()).unwrap();
    readme::run().unwrap();
}

fn main() -> ExitCode {
    if let Some(code) = serve() {
        return code;
    }
    let tests: [(&str, fn()); 9] = [
        ("a_text", a_text),
        ("a_text_with_a_fault", a_text_with_a_fault),
        ("each_property", each_property),
        ("stopped_by_a_handle", stopped_by_a_handle),
        ("events_are_followed", events_are_followed),
        ("a_foreign_model", a_foreign_model),
        (
            "one_engine_on_a_system_that_was_built",
            one_engine_on_a_system_that_was_built,
        ),
        ("another_executable", another_executable),
        (
            "the_readme_shows_an_example_that_runs",
            the_readme_shows_an_example_that_runs,
        ),
    ];
    let mut out = io::stdout();
    let mut n_failed = 0;
    for (name, test) in tests {
        if catch_unwind(AssertUnwindSafe(test)).is_err() {
            let _ = writeln!(out, "test {name} ... FAILED");
            n_failed += 1;
        }
    }
    let word = if n_failed == 0 { "ok" } else { "FAILED" };
    let passed = tests.len() - n_failed;
    let _ = writeln!(
        out,
        "test result: {word}. {passed} passed; {n_failed} failed"
    );
    ExitCode::from(u8::from(n_failed > 0))
}
