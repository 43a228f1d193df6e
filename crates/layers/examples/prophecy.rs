//! Runs counterexample-guided prophecy on files and prints one line each.
//!
//! ```text
//! cargo run -p foretell-layers --example prophecy -- FILE … [option=value …] [time=SECONDS] [queries=N] [-v]
//! ```
//!
//! A development aid: it measures the layer over IC3 alone. Verdicts for users come from `foretell`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use foretell_kernel::{Budget, Event, EventSink, OptionTable};
use foretell_layers::ArrayProphecyOptions;
use foretell_terms::TermStore;

/// Counts events; prints the telling ones when asked to.
struct Counts<'a> {
    terms: &'a TermStore,
    verbose: bool,
    events: RefCell<BTreeMap<&'static str, u64>>,
}

impl EventSink for Counts<'_> {
    fn emit(&self, event: Event<'_>) {
        let (name, words) = match event {
            Event::Frame(level) => ("frames", format!("frame {level}")),
            Event::Lemma(level, term) => (
                "lemmas",
                format!("lemma {level} {}", self.terms.print(term)),
            ),
            Event::Predicate(term) => (
                "predicates",
                format!("predicate {}", self.terms.print(term)),
            ),
            Event::Refined => ("refined", "refined".to_string()),
            Event::Axiom(rule) => ("axioms", format!("axiom {rule}")),
            Event::Auxiliary(var, target) => (
                "auxiliaries",
                format!("{} for {}", self.terms.print(var), self.terms.print(target)),
            ),
            Event::Query(..) => ("queries", String::new()),
            Event::Note(words) => ("notes", words.to_string()),
            _ => return,
        };
        *self.events.borrow_mut().entry(name).or_insert(0) += 1;
        if self.verbose && !words.is_empty() {
            println!("{words}");
        }
    }
}

fn main() {
    let (mut files, mut options, mut verbose) =
        (Vec::new(), ArrayProphecyOptions::default(), false);
    let (mut seconds, mut queries) = (20, u64::MAX);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            None if argument == "-v" => verbose = true,
            None => files.push(argument),
            Some(("time", value)) => seconds = value.parse().unwrap(),
            Some(("queries", value)) => queries = value.parse().unwrap(),
            Some((option, value)) => options.set(option, value).unwrap(),
        }
    }
    for file in files {
        let terms = TermStore::new();
        let counts = Counts {
            terms: &terms,
            verbose,
            events: RefCell::default(),
        };
        let budget = Budget::with_time(Duration::from_secs(seconds)).with_queries(queries);
        let text = std::fs::read_to_string(&file).unwrap();
        let answer = common::answer(&text, options.clone(), &budget, &counts, &terms);
        let time = budget.elapsed().as_secs_f64();
        println!(
            "{file:<60} {} {} {time:6.2}s {:?}",
            answer.verdict,
            answer.check,
            counts.events.borrow()
        );
        if verbose {
            println!("{}", answer.certificate);
        }
    }
}
