//! Z3 in this process.
//!
//! Z3's context belongs to the thread; two solvers of one thread share it and nothing else. Z3's
//! own time limit is set for each query but not relied on: hard limits are the supervisor's.

mod model;
mod translate;

use std::time::Duration;

use foretell_kernel::{Answer, Cx, Event, Halt, Solver, SolverConfig, StopReason};
use foretell_terms::{Op, Term, TermMap, TermStore};
use z3::ast::Bool;
use z3::{Params, SatResult};

use translate::Translation;

/// An incremental Z3 solver.
pub struct Z3Solver {
    solver: z3::Solver,
    translation: Translation,
    /// Names of assumptions that are no literals: term to proxy.
    proxies: TermMap<Bool>,
    /// For each open level: how much of `translation` and `proxies` existed when it was opened.
    levels: Vec<(usize, usize)>,
    config: SolverConfig,
    timeout_ms: u32,
}

impl Z3Solver {
    /// A solver of this configuration.
    pub fn new(config: &SolverConfig) -> Z3Solver {
        let solver = z3::Solver::new();
        let mut params = Params::new();
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
            timeout_ms: u32::MAX,
        }
    }

    /// The time this query may take: its own limit or what is left of the run, whichever is less.
    fn set_timeout(&mut self, cx: &Cx<'_>) {
        let limits = [self.config.query_timeout, cx.budget.remaining()];
        let limit = limits.into_iter().flatten().min();
        let ms = limit.map_or(u32::MAX, |d| u32::try_from(d.as_millis()).unwrap_or(u32::MAX).max(1));
        // Setting parameters is not free: only when the limit shrank noticeably.
        if ms < self.timeout_ms - self.timeout_ms / 8 || ms > self.timeout_ms {
            self.timeout_ms = ms;
            let mut params = Params::new();
            params.set_u32("timeout", ms);
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
        self.set_timeout(cx);
        let mut literals = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            literals.push(self.literal(cx.terms, assumption)?);
        }
        let before = cx.budget.elapsed();
        let result =
            if literals.is_empty() { self.solver.check() } else { self.solver.check_assumptions(&literals) };
        cx.events.emit(Event::Query(self.config.purpose, cx.budget.elapsed().saturating_sub(before)));
        match result {
            SatResult::Sat => {
                let model =
                    self.solver.get_model().ok_or_else(|| Halt::Solver("sat without a model".into()))?;
                Ok(Answer::Sat(Box::new(model::Z3Model::new(model, &mut self.translation))))
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
        self.timeout_ms = u32::MAX;
    }
}
