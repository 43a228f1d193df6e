//! Every reader of foreign text as a function of bytes, for fuzzing: none may panic, whatever it is given.
//!
//! The functions are shared by the mutational fuzzer of `campaign` and by the targets
//! of `cargo fuzz` in the folder `fuzz`. Where a reader accepts, more is asked: a problem that was read is
//! well-formed, and its text comes back as a problem of the same size.

use foretell_bench::{Row, Tool, taskdef};
use foretell_certify::cex::{self, is_counterexample, read_derivation, read_trace};
use foretell_certify::{
    Document, chc_obligations, replay_derivation, replay_trace, vmt_obligations,
};
use foretell_driver::protocol::{Job, Message};
use foretell_driver::{Portfolio, registry};
use foretell_frontends::{Format, Problem, print_chc, print_vmt, read, read_as};
use foretell_systems::Property;
use foretell_terms::TermStore;

/// A reader to be fuzzed.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Whether a file of the corpus, by its path, is a good start.
    pub starts_from: fn(&str) -> bool,
    /// Reads bytes; a panic is a finding.
    pub read: fn(&[u8]),
}

/// Between a problem and a witness in the inputs of targets that take both.
pub const SEPARATOR: &str = "\n;;; witness\n";

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "any",
        starts_from: is_problem,
        read: any,
    },
    Target {
        name: "horn",
        starts_from: |p| p.contains("chc/"),
        read: |b| as_format(b, Format::Horn),
    },
    Target {
        name: "rules",
        starts_from: |p| p.contains("chc/"),
        read: |b| as_format(b, Format::Z3Rules),
    },
    Target {
        name: "vmt",
        starts_from: |p| p.contains("vmt/"),
        read: |b| as_format(b, Format::Vmt),
    },
    Target {
        name: "checker",
        starts_from: is_problem,
        read: checker,
    },
    Target {
        name: "certificate",
        starts_from: |p| p.contains("witnesses/"),
        read: certificate,
    },
    Target {
        name: "counterexample",
        starts_from: |p| p.contains("counterexamples/"),
        read: counterexample,
    },
    Target {
        name: "protocol",
        starts_from: |p| p.contains("protocol/"),
        read: protocol,
    },
    Target {
        name: "suite",
        starts_from: |p| p.contains("suite/"),
        read: suite,
    },
];

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|t| t.name == name)
}

fn is_problem(path: &str) -> bool {
    path.contains("chc/") || path.contains("vmt/")
}

/// The front end, with its own choice of the format.
fn any(bytes: &[u8]) {
    let terms = TermStore::new();
    if let Ok(input) = read(bytes, &terms) {
        comes_back(&terms, &input.problem);
    }
}

fn as_format(bytes: &[u8], format: Format) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let terms = TermStore::new();
    if let Ok(input) = read_as(format, text, &terms) {
        comes_back(&terms, &input.problem);
    }
}

/// Contract of readers and printers: what was read is well-formed, and so is its text.
fn comes_back(terms: &TermStore, problem: &Problem) {
    let (text, format) = match problem {
        Problem::Chc(system) => {
            assert_eq!(system.validate(terms), Ok(()));
            (print_chc(terms, system), Format::Horn)
        }
        Problem::Vmt { system, properties } => {
            assert_eq!(system.validate(terms), Ok(()));
            (print_vmt(terms, system, properties), Format::Vmt)
        }
    };
    let again = TermStore::new();
    match read_as(format, &text, &again) {
        Ok(input) => assert_eq!(size(problem), size(&input.problem), "{text}"),
        Err(list) => panic!("printed but not read: {}\n{text}", list[0].message),
    }
}

/// Numbers that survive printing.
fn size(problem: &Problem) -> (usize, usize) {
    match problem {
        // A script without a query gets one that asks nothing.
        Problem::Chc(system) => (
            system.preds.len(),
            system.clauses.iter().filter(|c| !c.is_query()).count(),
        ),
        Problem::Vmt { properties, .. } => (0, properties.len()),
    }
}

/// The reader of the checker, which shares nothing with the front end.
fn checker(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = Document::read(text);
    let _ = chc_obligations(text, "");
    let _ = vmt_obligations(text, "true", Property::All);
}

/// A problem and a witness of safety.
fn certificate(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (problem, witness) = text.split_once(SEPARATOR).unwrap_or((PROBLEM, text));
    let _ = chc_obligations(problem, witness);
    let _ = vmt_obligations(problem, witness, Property::All);
}

/// A problem and a counterexample, in either spelling; what can be read is replayed.
fn counterexample(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (problem, witness) = text.split_once(SEPARATOR).unwrap_or((PROBLEM, text));
    let _ = is_counterexample(witness);
    let _ = cex::read(witness);
    let terms = TermStore::new();
    match read(problem.as_bytes(), &terms).map(|input| input.problem) {
        Ok(Problem::Chc(system)) => {
            if let Ok(derivation) = read_derivation(&terms, &system, witness) {
                let _ = replay_derivation(&terms, &system, &derivation);
            }
        }
        Ok(Problem::Vmt { system, .. }) => {
            if let Ok(trace) = read_trace(&terms, &system, witness, Property::All) {
                let _ = replay_trace(&terms, &system, &trace);
            }
        }
        Err(_) => {}
    }
}

/// For witnesses that come without a problem.
const PROBLEM: &str = "(set-logic HORN)\n(declare-fun p (Int (Array Int Int)) Bool)\n\
(assert (forall ((x Int) (a (Array Int Int))) (=> (= x 0) (p x a))))\n\
(assert (forall ((x Int) (a (Array Int Int))) (=> (p x a) (p (+ x 1) (store a x x)))))\n\
(assert (forall ((x Int) (a (Array Int Int))) (=> (and (p x a) (= (select a 0) 5)) false)))\n(check-sat)\n";

/// What worker and supervisor say to each other, settings and portfolios.
fn protocol(bytes: &[u8]) {
    let _ = serde_json::from_slice::<Message>(bytes);
    let _ = serde_json::from_slice::<Job>(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = Portfolio::default().extend(text);
    let _ = registry::settings(&[text.to_owned()]);
}

/// What describes a suite of benchmarks: task definitions, tools, rows of results.
fn suite(bytes: &[u8]) {
    let _ = serde_json::from_slice::<Row>(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = taskdef::parse(text);
    let _ = Tool::parse(text);
    let _ = foretell_process::split_words(text);
    let _ = foretell_process::limits::parse_duration(text);
    let _ = foretell_process::limits::parse_bytes(text);
}
