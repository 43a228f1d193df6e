//! The part of the long tests that runs before every change lands. `FORETELL_SYSTEMS`, `FORETELL_FAULTS`
//! and `FORETELL_INPUTS` say how much of each is done; the commands of `docs/testing.md` do more.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::time::Duration;

use foretell_campaign::case::{Case, CaseReport};
use foretell_campaign::faults::Corpus;
use foretell_campaign::parsers;
use foretell_campaign::worker::STACK;
use foretell_testkit::backends::scripts;
use foretell_testkit::targets::TARGETS;

fn amount(variable: &str, default: u64) -> u64 {
    std::env::var(variable)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(default)
}

/// Judges cases on a large stack; gives all reports.
fn judge(cases: impl Iterator<Item = (u64, Case)> + Send + 'static) -> Vec<CaseReport> {
    let work = move || {
        let scripts = scripts();
        cases
            .map(|(number, case)| case.judged(number, &scripts, &mut |_| {}))
            .collect()
    };
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap()
}

#[track_caller]
fn no_findings(reports: &[CaseReport]) {
    let words: Vec<String> = reports
        .iter()
        .flat_map(|r| r.findings.iter().map(move |f| (r.seed, f)))
        .map(|(seed, f)| {
            format!(
                "{seed}: {} {} {:?} {}\n{}",
                f.kind, f.engine, f.settings, f.words, f.text
            )
        })
        .collect();
    assert!(words.is_empty(), "{}", words.join("\n"));
}

fn said(reports: &[CaseReport], verdict: &str) -> usize {
    reports
        .iter()
        .flat_map(|r| &r.runs)
        .filter(|r| r.ends_with(verdict))
        .count()
}

#[test]
fn generated_systems_get_no_wrong_answer() {
    let n = amount("FORETELL_SYSTEMS", 120);
    let here = |seed: u64| {
        let mut case = Case::generated(seed);
        case.questions.retain(|q| !q.plan.needs_processes());
        (seed, case)
    };
    let reports = judge((0..n).map(here));
    no_findings(&reports);
    assert!(
        said(&reports, ":safe") > 20 && said(&reports, ":unsafe") > 20,
        "too few answers"
    );
}

#[test]
fn a_failing_solver_leads_to_no_wrong_answer() {
    let corpus = Corpus::read();
    let n = amount("FORETELL_FAULTS", 100);
    // Hangs and deaths need an executable that can be a worker: see the tests of the command line.
    let cases = (0..n).map(move |number| (number * 7, corpus.case(number * 7)));
    let here = cases.filter(|(_, case)| case.questions.iter().all(|q| !q.plan.needs_processes()));
    let reports = judge(here);
    no_findings(&reports);
    assert!(said(&reports, ":unknown") > 20, "the faults do nothing");
    // How many there are depends on the settings that are drawn and on what the machine has time for.
    assert!(
        said(&reports, ":safe") + said(&reports, ":unsafe") > 5,
        "the faults prevent everything"
    );
}

#[test]
fn mutated_texts_make_no_reader_panic() {
    let limits = (amount("FORETELL_INPUTS", 400), Duration::from_secs(600));
    for target in TARGETS {
        let starts = parsers::starts(target);
        assert!(starts.len() > 3, "{}", target.name);
        let fuzzed = parsers::fuzz(target, &starts, 0, limits, &mut |_| {});
        if let Some((input, words)) = fuzzed.findings.first() {
            panic!(
                "{}: {words}\n{}",
                target.name,
                String::from_utf8_lossy(input)
            );
        }
    }
}

/// The oracles would notice: a case whose folder says the opposite is a finding.
#[test]
fn a_wrong_answer_is_found() {
    let corpus = Corpus::read();
    let case = |number: u64| {
        let mut case = corpus.case(number);
        for question in &mut case.questions {
            (question.plan.faults, question.plan.engine) = (None, "kinduction".into());
        }
        case.truth = match case.truth {
            foretell_testkit::enumerate::Truth::Safe => foretell_testkit::enumerate::Truth::Unsafe,
            _ => foretell_testkit::enumerate::Truth::Safe,
        };
        (number, case)
    };
    let cases: Vec<(u64, Case)> = (0..6).map(case).collect();
    let reports = judge(cases.into_iter());
    let answers = said(&reports, ":safe") + said(&reports, ":unsafe");
    let wrong = reports
        .iter()
        .flat_map(|r| &r.findings)
        .filter(|f| f.kind == "wrong")
        .count();
    assert!(answers > 0 && wrong == answers, "{wrong} of {answers}");
}
