//! Engines against the truth: random finite systems, decided by enumeration.
//!
//! No engine may contradict the enumerator, before any check of its witness. `FORETELL_SYSTEMS` sets how
//! many systems of each kind are tried (default 60).

use foretell_driver::registry::{self, ENGINES};
use foretell_kernel::options::Settings;
use foretell_kernel::{Alone, Budget, Cx, Engine, Halt, Problem, Verdict, Work};
use foretell_testkit::enumerate::{self, Truth};
use foretell_testkit::generate::{Generator, Shape};
use foretell_testkit::with_cx;

/// Queries and work an engine may take; one that takes more says nothing.
const LIMITS: (u64, Work) = (400, Work::of_millis(200));
/// Unrolling asks ever larger queries and never gives up on a safe system.
const BOUNDS: [&str; 4] = [
    "bmc.max_bound=12",
    "kinduction.max_k=6",
    "unfold.max_height=6",
    "unfold.max_nodes=300",
];

fn systems() -> u64 {
    let wanted = std::env::var("FORETELL_SYSTEMS");
    wanted.ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

fn settings() -> Settings {
    let bounds = BOUNDS.map(str::to_owned);
    registry::settings(&bounds).expect("these options exist")
}

/// How many answers there were.
#[derive(Default)]
struct Answers {
    proofs: usize,
    refutations: usize,
}

impl Answers {
    /// Asks an engine; what it says must be the truth.
    fn ask<P: Problem>(
        &mut self,
        mut engine: Box<dyn Engine<P>>,
        problem: &P,
        (seed, truth): (u64, Truth),
        cx: &Cx<'_>,
    ) {
        let budget = Budget::unlimited().with_queries(LIMITS.0).slice(LIMITS.1);
        if engine.accepts(problem, cx).is_err() {
            return;
        }
        let said = match engine.check(problem, &Alone, &cx.with_budget(&budget)) {
            Ok(Verdict::Safe(_)) => Truth::Safe,
            Ok(Verdict::Unsafe(_)) => Truth::Unsafe,
            Ok(Verdict::Unknown(_))
            | Err(Halt::Stopped(_) | Halt::Solver(_) | Halt::Unsupported(_)) => return,
            Err(halt) => panic!("{}: {halt}", engine.name()),
        };
        if truth != Truth::Undecided {
            assert_eq!(said, truth, "seed {seed}, {}", engine.name());
            self.proofs += usize::from(said == Truth::Safe);
            self.refutations += usize::from(said == Truth::Unsafe);
        }
    }

    fn enough(&self) {
        let Answers {
            proofs,
            refutations,
        } = *self;
        assert!(
            proofs > 9 && refutations > 9,
            "{proofs} proofs, {refutations} refutations"
        );
    }
}

#[test]
fn engines_agree_with_enumeration_on_transition_systems() {
    let (mut answers, settings) = (Answers::default(), settings());
    for seed in 0..systems() {
        with_cx(|cx| {
            let system = Generator::new(cx.terms, seed).transition_system();
            let truth = enumerate::transition_system(cx.terms, &system);
            for make in ENGINES.iter().filter_map(|entry| entry.on_systems) {
                let engine = make(&settings).expect("the bounds are numbers");
                answers.ask(engine, &system, (seed, truth), cx);
            }
        });
    }
    answers.enough();
}

#[test]
fn engines_agree_with_enumeration_on_clauses() {
    let (mut answers, settings) = (Answers::default(), settings());
    for seed in 0..systems() {
        with_cx(|cx| {
            let shape = if seed % 3 == 0 {
                Shape::NonLinear
            } else {
                Shape::Linear
            };
            let system = Generator::new(cx.terms, 1_000_000 + seed).clauses(shape);
            let truth = enumerate::clauses(cx.terms, &system);
            for make in ENGINES.iter().filter_map(|entry| entry.on_clauses) {
                let engine = make(&settings).expect("the bounds are numbers");
                answers.ask(engine, &system, (seed, truth), cx);
            }
        });
    }
    answers.enough();
}
