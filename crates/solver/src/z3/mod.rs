//! Z3 in this process.
//!
//! Z3's context belongs to the thread; two solvers of one thread share it and nothing else. Z3's
//! own time limit is set for long queries but not relied on: hard limits are the supervisor's. A
//! time limit costs Z3 a thread and half a millisecond, many times what a small query takes; so a
//! query first runs within an allowance of Z3's own resource count, and only when that is used up
//! is it asked again under the clock.

mod model;
mod translate;

use std::time::Duration;

use foretell_kernel::{Answer, Cx, Event, Halt, Solver, SolverConfig, StopReason, Strategy};
use foretell_terms::{Op, Term, TermMap, TermStore};
use z3::ast::Bool;
use z3::{Params, SatResult};

use translate::Translation;

/// What a query may use of Z3's resource count before the clock is started: well under a second.
const FREE_RESOURCES: u32 = 1_000_000;
/// A query with less time than this is under the clock from the beginning.
const SHORT: Duration = Duration::from_millis(1500);

/// An incremental Z3 solver.
pub struct Z3Solver {
    solver: z3::Solver,
    translation: Translation,
    /// Names of assumptions that are no literals: term to proxy.
    proxies: TermMap<Bool>,
    /// For each open level: how much of `translation` and `proxies` existed when it was opened.
    levels: Vec<(usize, usize)>,
    config: SolverConfig,
    limits: Limits,
}

/// The limits Z3 was told last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limits {
    /// None.
    Nothing,
    /// So much of its resource count.
    Resources,
    /// So many milliseconds.
    Time(u32),
}

impl Z3Solver {
    /// A solver of this configuration.
    pub fn new(config: &SolverConfig) -> Z3Solver {
        // Functions are read off entry by entry: compressing them first costs more than it saves.
        z3::set_global_param("model.compact", "false");
        let solver = if config.strategy == Strategy::Direct {
            made_direct()
        } else {
            config.logic.and_then(z3::Solver::new_for_logic).unwrap_or_default()
        };
        let mut params = Params::new();
        if config.quantifier_free {
            params.set_u32("relevancy", 0);
        }
        if config.light_arithmetic {
            // The older simplex: about half the time per query where queries are small.
            params.set_u32("arith.solver", 2);
        }
        params.set_u32("random_seed", config.seed);
        if config.minimal_cores {
            params.set_bool("core.minimize", true);
        }
        solver.set_params(&params);
        Z3Solver {
            solver,
            translation: Translation::default(),
            proxies: TermMap::default(),
            levels: Vec::new(),
            config: config.clone(),
            limits: Limits::Nothing,
        }
    }

    /// Asks Z3, within the query's own limit and what is left of the run, whichever is less.
    fn ask(&mut self, literals: &[Bool], cx: &Cx<'_>) -> SatResult {
        let limit = [self.config.query_timeout, cx.budget.remaining()].into_iter().flatten().min();
        let Some(limit) = limit else {
            self.set_limits(Limits::Nothing);
            return self.ask_once(literals);
        };
        let started = cx.budget.elapsed();
        if limit >= SHORT {
            self.set_limits(Limits::Resources);
            let result = self.ask_once(literals);
            if result != SatResult::Unknown || !self.is_out_of_resources() {
                return result;
            }
        }
        let left = limit.saturating_sub(cx.budget.elapsed().saturating_sub(started));
        self.set_limits(Limits::Time(u32::try_from(left.as_millis()).unwrap_or(u32::MAX).max(1)));
        self.ask_once(literals)
    }

    fn ask_once(&self, literals: &[Bool]) -> SatResult {
        if literals.is_empty() { self.solver.check() } else { self.solver.check_assumptions(literals) }
    }

    fn is_out_of_resources(&self) -> bool {
        let words = self.solver.get_reason_unknown().unwrap_or_default();
        words.contains("resource") || words.contains("cancel")
    }

    /// Setting parameters is not free: only when they change.
    fn set_limits(&mut self, limits: Limits) {
        if self.limits == limits {
            return;
        }
        self.limits = limits;
        let mut params = Params::new();
        let (milliseconds, resources) = match limits {
            Limits::Nothing => (u32::MAX, 0),
            Limits::Resources => (u32::MAX, FREE_RESOURCES),
            Limits::Time(ms) => (ms, 0),
        };
        params.set_u32("timeout", milliseconds);
        params.set_u32("rlimit", resources);
        self.solver.set_params(&params);
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
        self.solver.assert(proxy.implies(&formula));
        self.proxies.insert(assumption, proxy.clone());
        Ok(proxy)
    }

    fn formula(&mut self, terms: &TermStore, term: Term) -> Result<Bool, Halt> {
        let solver = &self.solver;
        let ast = self.translation.term(terms, term, &mut |definition| solver.assert(&definition))?;
        ast.as_bool().ok_or_else(|| Halt::Solver("a formula was expected".into()))
    }
}

/// A solver whose strategy is Z3's main procedure. The parameter is read when the solver is made, which
/// happens at its first use.
fn made_direct() -> z3::Solver {
    z3::set_global_param("tactic.default_tactic", "smt");
    let solver = z3::Solver::new();
    let _ = solver.get_assertions();
    z3::set_global_param("tactic.default_tactic", "");
    solver
}

impl Solver for Z3Solver {
    fn assert(&mut self, terms: &TermStore, formula: Term) -> Result<(), Halt> {
        let formula = self.formula(terms, formula)?;
        self.solver.assert(&formula);
        Ok(())
    }

    fn push(&mut self) {
        self.levels.push((self.translation.mark(), self.proxies.len()));
        self.solver.push();
    }

    fn pop(&mut self) {
        if let Some((mark, proxies)) = self.levels.pop() {
            self.solver.pop(1);
            self.translation.back_to(mark);
            self.proxies.truncate(proxies);
        }
    }

    fn check<'s>(&'s mut self, assumptions: &[Term], cx: &Cx<'_>) -> Result<Answer<'s>, Halt> {
        cx.budget.spend_query()?;
        let mut literals = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            literals.push(self.literal(cx.terms, assumption)?);
        }
        let before = cx.budget.elapsed();
        let result = self.ask(&literals, cx);
        cx.events.emit(Event::Query(self.config.purpose, cx.budget.elapsed().saturating_sub(before)));
        match result {
            SatResult::Sat => {
                Ok(Answer::Sat(Box::new(model::Z3Model::new(&self.solver, &mut self.translation))))
            }
            SatResult::Unsat => {
                let core = self.solver.get_unsat_core();
                let used =
                    assumptions.iter().zip(&literals).filter(|(_, l)| core.iter().any(|c| c.ast_eq(*l)));
                Ok(Answer::Unsat(used.map(|(&a, _)| a).collect()))
            }
            SatResult::Unknown => {
                let words = self.solver.get_reason_unknown().unwrap_or_else(|| "no reason given".into());
                if cx.budget.remaining().is_some_and(|left| left < Duration::from_millis(5)) {
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
        self.levels.clear();
    }
}
