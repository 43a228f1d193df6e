//! Runs IC3 with implicit abstraction on files and prints one line each, with statistics.
//!
//! ```text
//! cargo run --release -p foretell-engines --example ic3ia -- FILE … [option=value …] [interpolate.option=value …]
//!     [time=SECONDS] [cpu=SECONDS] [-v]
//! ```
//!
//! `time` limits the clock, `cpu` the processor time (for busy machines).
//!
//! A development aid: it measures the engine alone, checks invariants and runs against the transition
//! system the engine saw, and prints no certificate. Verdicts for users come from `foretell`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use foretell_engines::ic3ia::{Ic3ia, Ic3iaOptions};
use foretell_frontends::Problem;
use foretell_interpolate::{InterpolateOptions, Itp, Lemmas};
use foretell_kernel::{
    Alone, Answer, Budget, CancelFlag, Cx, Engine, Event, EventSink, Halt, Interpolator,
    OptionTable, Oracles, Rng, ScriptAnswer, Solver, SolverConfig, Strength, Verdict,
};
use foretell_passes::{PassOptions, simplify, to_transition_system};
use foretell_solver::Z3Oracles;
use foretell_systems::{Trace, TransitionSystem};
use foretell_terms::{Term, TermStore};

/// Z3 with our own interpolation, its options, and the lemmas it keeps.
struct Backends(Z3Oracles, InterpolateOptions, Lemmas);

impl Oracles for Backends {
    fn solver(&self, config: &SolverConfig) -> Box<dyn Solver> {
        self.0.solver(config)
    }

    fn interpolator(&self, strength: Strength) -> Box<dyn Interpolator> {
        Box::new(Itp::new(strength, self.1.clone()).with_lemmas(&self.2))
    }

    fn script(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        self.0.script(script, limit)
    }
}

/// Counts events; prints the telling ones when asked to.
struct Counts<'a> {
    terms: &'a TermStore,
    verbose: bool,
    /// Processor time at which to stop, and how.
    stop: Option<(Duration, CancelFlag)>,
    queries: RefCell<BTreeMap<&'static str, (u64, Duration)>>,
    events: RefCell<BTreeMap<&'static str, u64>>,
}

impl EventSink for Counts<'_> {
    fn emit(&self, event: Event<'_>) {
        let (name, words) = match event {
            Event::Query(purpose, time) => {
                if let Some((limit, flag)) = &self.stop
                    && cpu() >= *limit
                {
                    flag.raise();
                }
                let mut queries = self.queries.borrow_mut();
                let entry = queries.entry(purpose).or_default();
                *entry = (entry.0 + 1, entry.1 + time);
                return;
            }
            Event::Frame(level) => ("frames", format!("frame {level}")),
            Event::Obligation(..) => ("obligations", String::new()),
            Event::Lemma(level, term) => (
                "lemmas",
                format!("lemma {level} {}", self.terms.print(term)),
            ),
            Event::Predicate(term) => (
                "predicates",
                format!("predicate {}", self.terms.print(term)),
            ),
            Event::Refined => ("refined", "refined".to_string()),
            Event::Note(words) => ("notes", words.to_string()),
            _ => return,
        };
        *self.events.borrow_mut().entry(name).or_insert(0) += 1;
        if self.verbose && !words.is_empty() {
            println!("{words}");
        }
    }
}

/// The processor time of this process.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: u64 = fields
        .skip(11)
        .take(2)
        .filter_map(|t| t.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}

fn main() {
    let (mut files, mut options, mut seconds, mut verbose) =
        (Vec::new(), Ic3iaOptions::default(), 20, false);
    let mut limit = None;
    let mut interpolation = InterpolateOptions::default();
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            None if argument == "-v" => verbose = true,
            None => files.push(argument),
            Some(("time", value)) => seconds = value.parse().unwrap(),
            Some(("cpu", value)) => limit = Some(Duration::from_secs(value.parse().unwrap())),
            Some((option, value)) if option.starts_with("interpolate.") => {
                interpolation
                    .set(&option["interpolate.".len()..], value)
                    .unwrap();
            }
            Some((option, value)) => options.set(option, value).unwrap(),
        }
    }
    for file in files {
        let terms = TermStore::new();
        let budget = Budget::with_time(Duration::from_secs(seconds));
        let before = cpu();
        let counts = Counts {
            terms: &terms,
            verbose,
            stop: limit.map(|l| (before + l, budget.cancel_flag())),
            queries: RefCell::default(),
            events: RefCell::default(),
        };
        let (oracles, rng) = (
            Backends(Z3Oracles::default(), interpolation.clone(), Lemmas::new()),
            Rng::new(0),
        );
        let cx = Cx {
            terms: &terms,
            events: &counts,
            budget: &budget,
            oracles: &oracles,
            rng: &rng,
        };
        let words = run(&file, options.clone(), &cx).unwrap_or_else(|halt| format!("halt: {halt}"));
        let queries = counts.queries.borrow();
        let queries: Vec<String> = queries
            .iter()
            .map(|(k, (n, d))| format!("{k} {n}/{:.1}s", d.as_secs_f64()))
            .collect();
        let (time, used) = (
            budget.elapsed().as_secs_f64(),
            (cpu() - before).as_secs_f64(),
        );
        println!(
            "{file:<60} {words:<24} {time:6.2}s cpu {used:5.2}s {:?} {queries:?}",
            counts.events.borrow()
        );
    }
}

fn run(file: &str, options: Ic3iaOptions, cx: &Cx<'_>) -> Result<String, Halt> {
    let input = match foretell_frontends::read(&std::fs::read(file).unwrap(), cx.terms) {
        Ok(input) => input,
        Err(diagnostics) => {
            return Ok(format!(
                "refused: {:?}",
                diagnostics.first().map(|d| d.message.clone())
            ));
        }
    };
    let system = match input.problem {
        Problem::Vmt { system, .. } => system,
        Problem::Chc(clauses) => {
            let reduced = simplify(&clauses, &PassOptions::default(), cx)?;
            to_transition_system(reduced, &PassOptions::default(), cx)?.problem
        }
    };
    let verdict = Ic3ia::new(options).check(&system, &Alone, cx)?;
    let fresh = Budget::with_time(Duration::from_secs(20));
    let cx = cx.with_budget(&fresh);
    Ok(match verdict {
        Verdict::Safe(proof) => {
            let next = system.next(cx.terms, proof.formula);
            let ok = implies(system.init, proof.formula, &cx)?
                && implies(cx.terms.and2(proof.formula, system.trans), next, &cx)?
                && implies(proof.formula, system.property, &cx)?;
            cx.events.emit(Event::Note(&cx.terms.print(proof.formula)));
            format!("safe {}", if ok { "checked" } else { "NOT CHECKED" })
        }
        Verdict::Unsafe(trace) => {
            let ok = replays(&trace, &system, cx.terms);
            format!(
                "unsafe {} {}",
                trace.steps.len() - 1,
                if ok { "checked" } else { "NOT CHECKED" }
            )
        }
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
    })
}

fn implies(premise: Term, conclusion: Term, cx: &Cx<'_>) -> Result<bool, Halt> {
    let mut solver = cx.oracles.solver(&SolverConfig::new("check"));
    solver.assert(cx.terms, premise)?;
    solver.assert(cx.terms, cx.terms.not(conclusion))?;
    Ok(matches!(solver.check(&[], cx)?, Answer::Unsat(_)))
}

fn replays(trace: &Trace, system: &TransitionSystem, terms: &TermStore) -> bool {
    let mut values = trace.rigid.clone();
    trace.steps.iter().enumerate().all(|(i, step)| {
        values.values.extend(step.state.values.clone());
        let starts = i > 0 || terms.eval_bool(system.init, &values) == Ok(true);
        let Some(next) = trace.steps.get(i + 1) else {
            return starts && terms.eval_bool(system.property, &values) == Ok(false);
        };
        values.values.extend(step.inputs.values.clone());
        for var in &system.vars {
            next.state
                .get(var.cur)
                .into_iter()
                .for_each(|v| values.insert(var.next, v.clone()));
        }
        starts && terms.eval_bool(system.trans, &values) == Ok(true)
    })
}
