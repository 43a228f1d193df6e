//! Mutational fuzzing of the readers, without a special compiler: deterministic, from the corpus.
//!
//! Input `n` is made from the start texts by a generator with seed `n`; an input that panics or takes more
//! than a second is a finding. A process that dies tells how far it was, and `--from` continues there.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use foretell_kernel::Rng;
use foretell_testkit::corpus::{Case, ERRORS, PROBLEMS, WITNESSES, case, corpus};
use foretell_testkit::mutate::mutate;
use foretell_testkit::targets::{SEPARATOR, Target};

use crate::run::{thread_seconds, words};

/// Processor time for one input.
const SLOW: f64 = 1.0;
/// Inputs between two looks at the clock.
const ROUND: u64 = 256;

/// What fuzzing came to.
#[derive(Debug, Default)]
pub struct Fuzzed {
    /// Inputs tried.
    pub inputs: u64,
    /// The findings: input and words.
    pub findings: Vec<(Vec<u8>, String)>,
}

/// Fuzzes a target from input `from` on, for a time and at most `most` inputs.
pub fn fuzz(
    target: &Target,
    starts: &[Vec<u8>],
    from: u64,
    (most, time): (u64, Duration),
    tell: &mut dyn FnMut(u64),
) -> Fuzzed {
    let began = Instant::now();
    let mut fuzzed = Fuzzed::default();
    while fuzzed.inputs < most {
        if fuzzed.inputs.is_multiple_of(ROUND) {
            tell(from + fuzzed.inputs);
            if began.elapsed() >= time {
                break;
            }
        }
        let input = input(starts, from + fuzzed.inputs);
        fuzzed.inputs += 1;
        if let Some(words) = finding(target, &input) {
            fuzzed.findings.push((input, words));
            if fuzzed.findings.len() >= 20 {
                break;
            }
        }
    }
    fuzzed
}

/// The input of a number.
pub fn input(starts: &[Vec<u8>], number: u64) -> Vec<u8> {
    let rng = Rng::new(number ^ 0x7e57_0000_0000);
    let n = starts.len().max(1) as u64;
    let start = usize::try_from(rng.below(n))
        .ok()
        .and_then(|i| starts.get(i));
    mutate(start.map_or(&[], Vec::as_slice), starts, &rng)
}

/// What is wrong with an input, if anything.
pub fn finding(target: &Target, input: &[u8]) -> Option<String> {
    let begin = thread_seconds();
    let read = catch_unwind(AssertUnwindSafe(|| (target.read)(input)));
    let seconds = thread_seconds() - begin;
    match read {
        Err(payload) => Some(format!("panic: {}", words(payload.as_ref()))),
        Ok(()) if seconds > SLOW => Some(format!("{seconds:.1} s")),
        Ok(()) => None,
    }
}

/// The start texts of a target: files of the corpus, witnesses together with their problems.
pub fn starts(target: &Target) -> Vec<Vec<u8>> {
    let folders = PROBLEMS.iter().chain(&ERRORS).chain(&WITNESSES);
    let files = folders.flat_map(|folder| corpus(folder));
    let start = |file: Case| match file.directive("for") {
        Some(problem) => [&case(problem).bytes, SEPARATOR.as_bytes(), &file.bytes].concat(),
        None => file.bytes,
    };
    let mut list: Vec<Vec<u8>> = files
        .filter(|file| (target.starts_from)(&file.name))
        .map(start)
        .collect();
    list.extend(BUILT_IN.iter().map(|text| text.as_bytes().to_vec()));
    list
}

/// Starts for readers that have no files in the corpus.
const BUILT_IN: &[&str] = &[
    "(counterexample (format foretell-1) (kind chc) (step 1 (clause 0) (values (x 0) (a ((as const (Array Int Int)) 5)))))",
    "{\"format\":\"foretell-1\",\"kind\":\"chc\",\"steps\":[{\"clause\":0,\"values\":{\"x\":0},\"premises\":[]}]}",
    "{\"type\":\"answer\",\"outcome\":{\"verdict\":\"safe\",\"certificate\":\"true\",\"model\":null},\"checks\":[]}",
    "{\"configuration\":{\"name\":\"bmc\",\"engine\":\"bmc\"},\"property\":\"together\",\"settings\":[],\"seed\":0}",
    "[[configuration]]\nname = \"a\"\nengine = \"bmc\"\nsettings = [\"bmc.max_bound=3\"]\n[[schedule]]\nname = \"b\"\nsteps = [\"a 3s\"]\n",
    "format_version: '2.0'\ninput_files: 'a.smt2'\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\n",
    "z3=/usr/bin/z3 -T:20 {file}",
    "bmc.max_bound=10",
];
