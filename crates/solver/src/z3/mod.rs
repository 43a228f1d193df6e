//! Z3 in this process.
//!
//! Z3's context belongs to the thread; two solvers of one thread share it and nothing else. Limits
//! are amounts of work, Z3's own resource count, which is the same in every run; the clock
//! ([`watch`]) stands behind them. Neither is relied on: hard limits are the supervisor's.
//!
//! A Z3 solver that ran into a limit is not to be trusted any more: asked again, it may say `unsat`
//! of what has a model. So it is thrown away after such an answer, and the next query goes to a new
//! one with the same assertions.
//!
//! Every query has a limit. One without a limit of its own is asked in rounds, each with more work than
//! the one before and each by a solver made in the other of two manners: as configured, and with Z3's
//! full arithmetic and another seed. So a query that one of them would never leave is answered by the
//! other, and one that neither leaves is `Unknown` in the end. What one of them gives up as incomplete is
//! asked of the other once, unless there are quantifiers, with which giving up is common. Whoever sets a limit
//! can do without the answer, so such a query is asked once.

mod data;
mod library;
mod model;
mod translate;
mod watch;

use std::rc::Rc;
use std::time::Duration;

use foretell_kernel::{Answer, Cx, Event, Halt, Solver, SolverConfig, StopReason, Strategy, Work};
use foretell_terms::{Op, Term, TermMap, TermStore};
use z3::ast::Bool;
use z3::{Params, SatResult, StatisticsValue};

pub use library::prepare;
use translate::Translation;

/// An incremental Z3 solver.
pub struct Z3Solver {
    solver: Rc<z3::Solver>,
    translation: Translation,
    /// Names of assumptions that are no literals: term to proxy.
    proxies: TermMap<Bool>,
    /// What was asserted at the open levels, in order; what a new solver must be told.
    asserted: Vec<Bool>,
    levels: Vec<Level>,
    config: SolverConfig,
    manner: Manner,
    /// The limit on resources that Z3 was told last.
    allowance: u32,
    health: Health,
    /// The number of queries so far.
    n_asked: usize,
}

/// How much there was when a level was opened.
#[derive(Clone, Copy)]
struct Level {
    translated: usize,
    proxies: usize,
    asserted: usize,
}

/// Whether Z3's own state can be used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Health {
    /// It can.
    Sound,
    /// A query was cut off, or given up: see the head of this file.
    Cut,
}

/// How a solver of a configuration is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// As the configuration says.
    AsConfigured,
    /// With full arithmetic and another seed.
    Other,
}

impl Manner {
    fn other(self) -> Manner {
        match self {
            Manner::AsConfigured => Manner::Other,
            Manner::Other => Manner::AsConfigured,
        }
    }

    fn seed(self, seed: u32) -> u32 {
        match self {
            Manner::AsConfigured => seed,
            Manner::Other => seed.wrapping_add(OTHER_SEED),
        }
    }
}

/// The work of each round of a query without a limit of its own.
const ROUNDS: [Work; 4] = [
    Work::of_millis(4_000),
    Work::of_millis(4_000),
    Work::of_millis(16_000),
    Work::of_millis(64_000),
];
/// The same where queries are meant to be easy. Light arithmetic sometimes loses its way.
const LIGHT_ROUNDS: [Work; 4] = [
    Work::of_millis(500),
    Work::of_millis(4_000),
    Work::of_millis(16_000),
    Work::of_millis(64_000),
];
/// What is added to the seed in the other manner.
const OTHER_SEED: u32 = 7919;
/// A solver that was told and asked no more than this is small.
const SMALL: usize = 100;
/// With less time than this left, the time is over.
const SHORT: Duration = Duration::from_millis(5);

impl Z3Solver {
    /// A solver of this configuration.
    pub fn new(config: &SolverConfig) -> Z3Solver {
        let (manner, allowance) = (Manner::AsConfigured, first_allowance(config));
        Z3Solver {
            solver: Rc::new(made(config, manner, allowance)),
            translation: Translation::default(),
            proxies: TermMap::default(),
            asserted: Vec::new(),
            levels: Vec::new(),
            config: config.clone(),
            manner,
            allowance,
            health: Health::Sound,
            n_asked: 0,
        }
    }

    /// Takes a new solver with the same assertions when the old one was cut off.
    fn renew_if_cut(&mut self) {
        if self.health == Health::Sound {
            return;
        }
        let solver = made(&self.config, self.manner, self.allowance);
        let mut told = 0;
        for level in &self.levels {
            self.asserted[told..level.asserted]
                .iter()
                .for_each(|a| solver.assert(a));
            solver.push();
            told = level.asserted;
        }
        self.asserted[told..].iter().for_each(|a| solver.assert(a));
        (self.solver, self.health) = (Rc::new(solver), Health::Sound);
    }

    fn tell(&mut self, formula: Bool) {
        self.solver.assert(&formula);
        self.asserted.push(formula);
    }

    /// Asks Z3 within the query's own limit, or in rounds where it has none.
    fn ask(&mut self, literals: &[Bool], cx: &Cx<'_>) -> SatResult {
        match self.config.query_limit {
            Some(own) => self.ask_metered(literals, own, cx),
            None => self.ask_in(rounds(&self.config), literals, cx),
        }
    }

    /// Asks in rounds with so much work each, until one is answered.
    fn ask_in(&mut self, rounds: &[Work], literals: &[Bool], cx: &Cx<'_>) -> SatResult {
        let mut n_given_up = 0;
        for &work in rounds {
            let result = self.ask_metered(literals, work, cx);
            let is_over = cx.budget.work_left() == Some(Work(0))
                || cx.budget.remaining().is_some_and(|left| left < SHORT);
            if result != SatResult::Unknown || is_over {
                return result;
            }
            if self.health == Health::Sound {
                n_given_up += 1;
                if n_given_up == 2 || !self.config.quantifier_free {
                    return result;
                }
                self.health = Health::Cut;
            }
            self.manner = self.manner.other();
        }
        SatResult::Unknown
    }

    /// Asks once, within this work and what is left of the run, whichever is less.
    fn ask_once(&mut self, literals: &[Bool], most: Work, cx: &Cx<'_>) -> SatResult {
        self.renew_if_cut();
        self.n_asked += 1;
        let work = cx.budget.work_left().map_or(most, |left| left.min(most));
        let patience = work.patience();
        let time = cx
            .budget
            .remaining()
            .map_or(patience, |left| left.min(patience));
        self.allow(work);
        let solver = &self.solver;
        let result = watch::under_clock(time, || match literals {
            [] => solver.check(),
            _ => solver.check_assumptions(literals),
        });
        // What Z3 gives up by itself is incomplete; everything else is an interruption.
        let gave_up = || {
            solver
                .get_reason_unknown()
                .is_some_and(|words| words.contains("incomplete"))
        };
        if result == SatResult::Unknown && !gave_up() {
            self.health = Health::Cut;
        }
        result
    }

    /// Asks, and accounts for the work where it is limited. Elsewhere it is not even read: reading
    /// Z3's statistics takes 5 µs and changes what it does next.
    fn ask_metered(&mut self, literals: &[Bool], most: Work, cx: &Cx<'_>) -> SatResult {
        if cx.budget.work_left().is_none() {
            return self.ask_once(literals, most, cx);
        }
        // The count belongs to the thread: a new solver goes on where the old one was.
        let before = self.resource_count();
        let result = self.ask_once(literals, most, cx);
        cx.budget
            .spend(Work(self.resource_count().saturating_sub(before)));
        result
    }

    /// What Z3 has used of its resources so far, in this thread.
    fn resource_count(&self) -> u64 {
        let statistics = self.solver.get_statistics();
        let count = statistics.entries().find(|e| e.key == "rlimit count");
        count.map_or(0, |entry| match entry.value {
            StatisticsValue::UInt(n) => u64::from(n),
            StatisticsValue::Double(n) => n as u64,
        })
    }

    /// Limits the work of the next query, rounded up to a power of two: to set a parameter is not
    /// free, and Z3 does not like parameters that change with every query.
    fn allow(&mut self, work: Work) {
        let allowance = allowance(work);
        if self.allowance != allowance {
            self.allowance = allowance;
            let mut params = Params::new();
            params.set_u32("rlimit", allowance);
            self.solver.set_params(&params);
        }
    }

    /// The Z3 literal of an assumption; anything but a literal is named by a proxy `p ⇒ formula`.
    fn literal(&mut self, terms: &TermStore, assumption: Term) -> Result<Bool, Halt> {
        let (atom, _) = terms.strip_not(assumption);
        let is_literal = matches!(terms.op(atom), Op::App(_)) && terms.args(atom).is_empty();
        if is_literal {
            return self.formula(terms, assumption);
        }
        if let Some(proxy) = self.proxies.get(&assumption) {
            return Ok(proxy.clone());
        }
        let formula = self.formula(terms, assumption)?;
        let proxy = Bool::fresh_const("assume");
        self.tell(proxy.implies(&formula));
        self.proxies.insert(assumption, proxy.clone());
        Ok(proxy)
    }

    fn formula(&mut self, terms: &TermStore, term: Term) -> Result<Bool, Halt> {
        let mut definitions = Vec::new();
        let ast = self
            .translation
            .term(terms, term, &mut |definition| definitions.push(definition));
        definitions
            .into_iter()
            .for_each(|definition| self.tell(definition));
        ast?.as_bool()
            .ok_or_else(|| Halt::Solver("a formula was expected".into()))
    }
}

/// The rounds of queries without a limit of their own.
fn rounds(config: &SolverConfig) -> &'static [Work] {
    match config.light_arithmetic {
        true => &LIGHT_ROUNDS,
        false => &ROUNDS,
    }
}

/// What Z3 is told of a limit on work.
fn allowance(work: Work) -> u32 {
    let units = u32::try_from(work.0).unwrap_or(u32::MAX).max(1);
    units.checked_next_power_of_two().unwrap_or(u32::MAX)
}

/// The allowance of the first query, where the run has no less.
fn first_allowance(config: &SolverConfig) -> u32 {
    allowance(config.query_limit.unwrap_or(rounds(config)[0]))
}

/// A Z3 solver of a configuration.
fn made(config: &SolverConfig, manner: Manner, allowance: u32) -> z3::Solver {
    library::settle();
    let params = parameters(config, manner, allowance);
    if config.strategy == Strategy::Direct {
        return library::direct(&params);
    }
    let named = config.logic.and_then(z3::Solver::new_for_logic);
    let solver = named.unwrap_or_default();
    solver.set_params(&params);
    solver
}

fn parameters(config: &SolverConfig, manner: Manner, allowance: u32) -> Params {
    let mut params = Params::new();
    params.set_u32("rlimit", allowance);
    if config.quantifier_free {
        params.set_u32("relevancy", 0);
    }
    if config.light_arithmetic && manner == Manner::AsConfigured {
        // The older simplex: about half the time per query where queries are small.
        params.set_u32("arith.solver", 2);
    }
    params.set_u32("random_seed", manner.seed(config.seed));
    if config.minimal_cores {
        params.set_bool("core.minimize", true);
    }
    params
}

impl Drop for Z3Solver {
    fn drop(&mut self) {
        let is_small = self.n_asked <= SMALL && self.asserted.len() <= SMALL;
        if is_small && self.health == Health::Sound {
            library::leave(&self.solver);
        }
    }
}

impl Solver for Z3Solver {
    fn assert(&mut self, terms: &TermStore, formula: Term) -> Result<(), Halt> {
        let formula = self.formula(terms, formula)?;
        self.tell(formula);
        Ok(())
    }

    fn push(&mut self) {
        self.levels.push(Level {
            translated: self.translation.mark(),
            proxies: self.proxies.len(),
            asserted: self.asserted.len(),
        });
        self.solver.push();
    }

    fn pop(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.solver.pop(1);
            self.translation.back_to(level.translated);
            self.proxies.truncate(level.proxies);
            self.asserted.truncate(level.asserted);
        }
    }

    fn check<'s>(&'s mut self, assumptions: &[Term], cx: &Cx<'_>) -> Result<Answer<'s>, Halt> {
        cx.budget.spend_query()?;
        let mut literals = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            literals.push(self.literal(cx.terms, assumption)?);
        }
        cx.events.emit(Event::Asked(self.config.purpose));
        let before = cx.budget.elapsed();
        let result = self.ask(&literals, cx);
        cx.events.emit(Event::Query(
            self.config.purpose,
            cx.budget.elapsed().saturating_sub(before),
        ));
        match result {
            SatResult::Sat => Ok(Answer::Sat(Box::new(model::Z3Model::new(
                &self.solver,
                &mut self.translation,
            )))),
            SatResult::Unsat => {
                let core = self.solver.get_unsat_core();
                let used = assumptions
                    .iter()
                    .zip(&literals)
                    .filter(|(_, l)| core.iter().any(|c| c.ast_eq(*l)));
                Ok(Answer::Unsat(used.map(|(&a, _)| a).collect()))
            }
            SatResult::Unknown => {
                let words = self
                    .solver
                    .get_reason_unknown()
                    .unwrap_or_else(|| "no reason given".into());
                if cx.budget.remaining().is_some_and(|left| left < SHORT) {
                    return Err(Halt::Stopped(StopReason::Time));
                }
                cx.budget.check()?;
                Ok(Answer::Unknown(words))
            }
        }
    }

    fn reset(&mut self) {
        self.solver.reset();
        self.translation = Translation::default();
        self.proxies.clear();
        self.asserted.clear();
        self.levels.clear();
    }
}

#[cfg(test)]
mod tests {
    use foretell_kernel::{Budget, NullSink, Rng};
    use foretell_terms::Sort;

    use super::*;
    use crate::Z3Oracles;

    fn without_limits(test: fn(&Cx<'_>)) {
        let (terms, rng, budget) = (TermStore::new(), Rng::new(0), Budget::unlimited());
        test(&Cx {
            terms: &terms,
            events: &NullSink,
            budget: &budget,
            oracles: &Z3Oracles::default(),
            rng: &rng,
        });
    }

    /// What one manner gives up is a question for the other one, but where there may be quantifiers.
    #[test]
    fn a_query_that_was_given_up_is_asked_in_the_other_manner() {
        without_limits(given_up);
    }

    fn given_up(cx: &Cx<'_>) {
        let terms = cx.terms;
        let (x, y) = (terms.new_var("x", Sort::INT), terms.new_var("y", Sort::INT));
        let more = terms.add(&[terms.mul(&[y, y]), terms.int(2)]);
        let equation = terms.eq(terms.mul(&[x, x]), more);
        let config = SolverConfig::new("test").with_light_arithmetic();
        for (config, then) in [
            (config.clone(), Manner::AsConfigured),
            (config.quantifier_free(), Manner::Other),
        ] {
            let mut z3 = Z3Solver::new(&config);
            z3.push();
            z3.assert(terms, equation).expect("a formula");
            let given_up = z3.ask_in(&[Work::of_millis(10_000)], &[], cx);
            assert_eq!(given_up, SatResult::Unknown);
            assert!(z3.manner == then);
        }
    }

    /// What the first round does not answer, the second does, by another solver that knows the same.
    #[test]
    fn a_query_that_was_cut_off_is_asked_in_the_other_manner() {
        without_limits(cut_off);
    }

    fn cut_off(cx: &Cx<'_>) {
        let terms = cx.terms;
        let config = SolverConfig::new("test").with_light_arithmetic();
        let mut z3 = Z3Solver::new(&config);
        let vars: Vec<Term> = (0..30).map(|_| terms.new_var("x", Sort::INT)).collect();
        for pair in vars.windows(2) {
            let below = terms.lt(pair[0], pair[1]);
            z3.assert(terms, below).expect("a formula");
        }
        z3.push();
        let back = terms.lt(vars[29], vars[0]);
        z3.assert(terms, back).expect("a formula");
        let none = z3.ask_in(&[Work(1), Work(1)], &[], cx);
        assert_eq!(none, SatResult::Unknown);
        assert!(z3.manner == Manner::AsConfigured, "two rounds, two changes");
        let answered = z3.ask_in(&[Work(1), Work::of_millis(10_000)], &[], cx);
        assert_eq!(answered, SatResult::Unsat);
        assert!(z3.manner == Manner::Other);
        z3.pop();
        let answered = z3.ask_in(&[Work::of_millis(10_000)], &[], cx);
        assert_eq!(answered, SatResult::Sat);
    }
}
