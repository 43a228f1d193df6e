//! Every engine on every problem of the corpus, in this process and to a checked answer.
//!
//! * Under a small limit of work no engine may contradict the folder a file lies in, have a witness
//!   rejected, lose one on the way back, refuse the text or panic.
//! * An engine that a header names must give the folder's answer, however long it takes; a name that is no
//!   engine is an error.
//!
//! The passes are turned on and off over a part of the matrix, so that every way back is walked.
//! `FORETELL_MATRIX=20` multiplies the limits.

use foretell_driver::VerdictKind;
use foretell_driver::registry::{self, ENGINES, Origin, Proofs};
use foretell_kernel::Work;
use foretell_testkit::backends::scripts;
use foretell_testkit::corpus::problems;
use foretell_testkit::{Answer, Case, Expected, Plan, RunLimits, attempt, corpus, must};

/// What an engine may take for one file that it need not decide.
fn small() -> RunLimits {
    let factor = std::env::var("FORETELL_MATRIX").ok();
    let factor = factor.and_then(|n| n.parse().ok()).unwrap_or(1);
    RunLimits {
        queries: 24 * factor,
        work: Work::of_millis(8 * factor),
        ..RunLimits::NONE
    }
}

/// What is wrong with an answer, or the word for it.
fn judge(case: &Case, plan: &Plan) -> Result<VerdictKind, String> {
    let answer = attempt(&case.bytes, &plan.clone().about(case), &scripts());
    let wrong = match &answer {
        Answer::Certified(said) => match (said.verdict, case.expected) {
            (VerdictKind::Safe, Expected::Safe) | (VerdictKind::Unsafe, Expected::Unsafe) => false,
            (VerdictKind::Unknown, Expected::Open) => false,
            (VerdictKind::Unknown, _) => carries(plan) && said.words.contains("not carried back"),
            _ => true,
        },
        _ => true,
    };
    match answer {
        Answer::Certified(said) if !wrong => Ok(said.verdict),
        _ => Err(format!(
            "{} × {} {:?}: {answer:?}",
            case.name, plan.engine, plan.settings
        )),
    }
}

/// Whether the proofs of an engine can be carried back over any pass.
fn carries(plan: &Plan) -> bool {
    let mut entries = ENGINES.iter().filter(|entry| entry.name == plan.engine);
    entries.all(|entry| entry.proofs == Proofs::OneStep)
}

/// Asks plans about the files of some folders; every answer must fit, and at least so many must be
/// verdicts.
#[track_caller]
fn none_contradicts(folders: &[&str], plans: &[Plan], least: usize) {
    let (mut faults, mut verdicts) = (Vec::new(), 0);
    for case in folders.iter().flat_map(|folder| corpus(folder)) {
        for plan in plans {
            match judge(&case, plan) {
                Ok(verdict) => verdicts += usize::from(verdict != VerdictKind::Unknown),
                Err(words) => faults.push(words),
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(verdicts >= least, "only {verdicts} verdicts");
}

fn named(folder: &str, name: &str) -> Case {
    let mut all = corpus(folder).into_iter();
    all.find(|case| case.name == format!("{folder}/{name}.smt2"))
        .expect(name)
}

fn engine(name: &str) -> Plan {
    Plan::new(name).within(small())
}

fn engines() -> Vec<Plan> {
    // A solver by command is another one in each configuration.
    let known = ENGINES.iter().filter(|e| e.origin != Origin::Command);
    known.map(|entry| engine(entry.name)).collect()
}

#[test]
fn no_engine_refutes_safe_clauses() {
    none_contradicts(&["chc/safe"], &engines(), 400);
}

#[test]
fn no_engine_proves_unsafe_clauses() {
    none_contradicts(&["chc/unsafe", "chc/unknown"], &engines(), 200);
}

#[test]
fn no_engine_misjudges_systems() {
    none_contradicts(&["vmt/safe", "vmt/unsafe"], &engines(), 200);
}

#[test]
fn no_way_back_loses_a_witness() {
    let plans = [
        engine("bmc").with(&["passes.simplify=false"]),
        engine("ic3ia").with(&["passes.flatten=true"]),
        engine("candidates").with(&["passes.simplify=false"]),
    ];
    none_contradicts(&["chc/safe", "chc/unsafe"], &plans, 240);
}

/// With lists as numbers goals about sizes have proofs, which without have none; derivations get values
/// of lists again.
#[test]
fn folds_say_what_constructors_do_not() {
    let safe = named("chc/safe", "list_append");
    let folds = Plan::new("candidates").with(&["passes.folds=true"]);
    must(&safe, &folds);
    let without = judge(&safe, &engine("candidates"));
    assert_eq!(without, Ok(VerdictKind::Unknown));
    let sums = named("chc/safe", "tree_sum");
    let folds = Plan::new("spacer").with(&["passes.folds=true", "passes.fold_sums=true"]);
    must(&sums, &folds);
    let derivation = Plan::new("bmc").with(&["passes.folds=true"]);
    must(&named("chc/unsafe", "list_length"), &derivation);
}

/// With sums as arguments goals about all cells together have proofs; derivations forget them.
#[test]
fn sums_say_what_cells_do_not() {
    let sums = Plan::new("lazy_annotation").with(&["passes.all_prefix_sums=true"]);
    must(&named("chc/safe", "array_sum_there_and_back"), &sums);
    let derivation = Plan::new("bmc").with(&["passes.all_prefix_sums=true"]);
    must(&named("chc/unsafe", "array_sum_one_left"), &derivation);
}

/// With equal arguments as one a proof needs a few bounds; without, the engine numbers the values one by one.
#[test]
fn twins_say_what_bounds_do_not() {
    let safe = named("chc/safe", "lia_twins");
    let bound = "lazy_annotation.max_bound=3";
    let twins = Plan::new("lazy_annotation").with(&[bound]);
    must(&safe, &twins);
    let without = Plan::new("lazy_annotation").with(&[bound, "passes.twins=false"]);
    assert_eq!(judge(&safe, &without), Ok(VerdictKind::Unknown));
}

/// Words as integers: nothing is contradicted, inequalities of words have proofs that they have not
/// without, and runs wrap around as words do.
#[test]
fn integers_say_what_words_do_not() {
    let exact = ["passes.integers=true"];
    let has_words = |case: &Case| case.bytes.windows(6).any(|window| window == b"BitVec");
    let cases = ["chc/safe", "chc/unsafe"].map(corpus).into_iter().flatten();
    for case in cases.filter(has_words) {
        for name in ["lazy_annotation", "bmc"] {
            judge(&case, &engine(name).with(&exact)).unwrap();
        }
    }
    let safe = named("chc/safe", "bv32_sum_conserved");
    let limits = RunLimits {
        queries: 200,
        work: Work::of_millis(1000),
        ..RunLimits::NONE
    };
    let words = Plan::new("lazy_annotation").within(limits);
    let integers = words.clone().with(&exact);
    assert_eq!(judge(&safe, &integers), Ok(VerdictKind::Safe));
    assert_eq!(judge(&safe, &words), Ok(VerdictKind::Unknown));
    let wraps = named("chc/unsafe", "bv16_signed_overflow");
    must(&wraps, &Plan::new("bmc").with(&exact));
}

#[test]
fn engines_decide_what_headers_say() {
    for case in problems() {
        for name in case.engines() {
            assert!(
                registry::engine(name).is_ok(),
                "{}: no engine is called {name}",
                case.name
            );
            must(&case, &Plan::new(name));
        }
    }
}
