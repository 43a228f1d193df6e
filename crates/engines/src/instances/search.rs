//! IC3 over the cells of an instance, with schemes as lemmas.
//!
//! ```text
//! run        frames F₀ = I ⊆ F₁ ⊆ …, each with schemes; while a state of the last violates P: block
//! block      obligations (state, level), lowest level first; a predecessor becomes one, a core a scheme
//! general    literals go, pairs may be equal, occurrences get their own variables, while all instances
//!            together stay unreachable from the frame before
//! forward    schemes that hold one frame later; a frame without own ones is a fixpoint
//! needed     the schemes that the property needs, and those they need
//! ```

use foretell_kernel::{Answer, Cx, Event, Halt, Solver, SolverConfig};
use foretell_terms::{Sort, Term, TermSet};
use indexmap::IndexSet;

use super::ground::Ground;
use super::scheme::{Cube, Scheme};

/// Schemes with more instances are not tried.
const INSTANCES: usize = 1_500;

/// How a search ends.
pub(super) enum Found {
    /// Schemes that are inductive in the instance and imply the property with it.
    Schemes(Vec<Scheme>),
    /// A state that violates the property can be reached.
    Violation,
    /// A query was not decided.
    Undecided(String),
}

/// What becomes of an obligation.
enum Blocked {
    Yes,
    Never,
    Undecided(String),
}

/// The answer to a query, with the state of its model.
enum Asked {
    State(Cube),
    Core(Vec<Term>),
    Undecided(String),
}

/// A scheme of a frame with its instances.
pub(super) struct Lemma {
    pub(super) scheme: Scheme,
    /// That no instance holds, now and next.
    pub(super) now: Term,
    pub(super) next: Term,
}

/// The search on one instance.
pub(super) struct Search<'a, 'c> {
    pub(super) ground: &'a Ground,
    pub(super) cx: &'a Cx<'c>,
    pub(super) solver: Box<dyn Solver>,
    /// Literals that switch the initial states, the step, and the property before it on.
    pub(super) init: Term,
    pub(super) step: Term,
    pub(super) safe: Term,
    /// What switches each frame on; frame 0 is the initial states.
    frames: Vec<Term>,
    lemmas: Vec<Vec<Lemma>>,
    /// What holds in all frames.
    always: Vec<Lemma>,
}

impl<'a, 'c> Search<'a, 'c> {
    /// A search that has not begun.
    pub(super) fn new(ground: &'a Ground, cx: &'a Cx<'c>) -> Result<Search<'a, 'c>, Halt> {
        let terms = cx.terms;
        let config = SolverConfig::new("instances").with_logic(Some("QF_BV"));
        let mut solver = cx.oracles.solver(&config);
        let mut switch = |formula: Term| {
            let literal = terms.fresh("on", Sort::BOOL);
            solver.assert(terms, terms.implies(literal, formula))?;
            Ok::<Term, Halt>(literal)
        };
        let init = switch(ground.init)?;
        let step = switch(ground.trans)?;
        let safe = switch(ground.property)?;
        solver.assert(terms, ground.side)?;
        Ok(Search {
            ground,
            cx,
            solver,
            init,
            step,
            safe,
            frames: vec![init],
            lemmas: vec![Vec::new()],
            always: Vec::new(),
        })
    }

    /// Makes the inductive ones of schemes part of all frames.
    pub(super) fn assume(&mut self, schemes: &[Scheme]) -> Result<(), Halt> {
        for lemma in self.largest(schemes)?.unwrap_or_default() {
            self.solver.assert(self.cx.terms, lemma.now)?;
            self.always.push(lemma);
        }
        Ok(())
    }

    /// Searches to the end.
    pub(super) fn run(mut self) -> Result<Found, Halt> {
        let bad = self.cx.terms.not(self.ground.property);
        loop {
            self.cx.budget.check()?;
            let last = self.frames.len() - 1;
            let assumed = self.frame(last, &[bad]);
            match self.ask(&assumed)? {
                Asked::State(cube) => match self.block(cube, last)? {
                    Blocked::Yes => {}
                    Blocked::Never => return Ok(Found::Violation),
                    Blocked::Undecided(words) => return Ok(Found::Undecided(words)),
                },
                Asked::Undecided(words) => return Ok(Found::Undecided(words)),
                Asked::Core(_) => {
                    self.frames.push(self.cx.terms.fresh("frame", Sort::BOOL));
                    self.lemmas.push(Vec::new());
                    self.cx
                        .events
                        .emit(Event::Frame(u32::try_from(last + 1).unwrap_or(u32::MAX)));
                    if let Some(fixpoint) = self.forward()? {
                        let mut all: Vec<Lemma> = std::mem::take(&mut self.always);
                        all.extend(self.lemmas.drain(fixpoint + 1..).flatten());
                        let mut fresh = Search::new(self.ground, self.cx)?;
                        let needed = fresh.needed(all)?;
                        return fresh.fewest(needed).map(Found::Schemes);
                    }
                }
            }
        }
    }

    /// A frame and other assumptions.
    fn frame(&self, level: usize, others: &[Term]) -> Vec<Term> {
        let mut assumed: Vec<Term> = self.frames[level..].to_vec();
        assumed.extend(others);
        assumed
    }

    fn ask(&mut self, assumed: &[Term]) -> Result<Asked, Halt> {
        Ok(match self.solver.check(assumed, self.cx)? {
            Answer::Sat(model) => Asked::State(state(self.ground, model.as_ref(), self.cx)),
            Answer::Unsat(core) => Asked::Core(core),
            Answer::Unknown(words) => Asked::Undecided(words),
        })
    }

    /// Whether literals and formulas contradict each other.
    pub(super) fn refuted(&mut self, assumed: &[Term], formulas: &[Term]) -> Result<bool, Halt> {
        self.solver.push();
        for &formula in formulas {
            self.solver.assert(self.cx.terms, formula)?;
        }
        let answer = self.solver.check(assumed, self.cx)?;
        let refuted = matches!(answer, Answer::Unsat(_));
        drop(answer);
        self.solver.pop();
        Ok(refuted)
    }

    /// Blocks a state at a level.
    fn block(&mut self, cube: Cube, level: usize) -> Result<Blocked, Halt> {
        let mut obligations: Vec<(usize, Cube)> = vec![(level, cube)];
        while let Some((level, cube)) = obligations.pop() {
            self.cx.budget.check()?;
            let here = literals(self.ground, &cube, Time::Now, self.cx);
            let mut assumed = vec![self.init];
            assumed.extend(&here);
            let start = match self.solver.check(&assumed, self.cx)? {
                Answer::Sat(_) => return Ok(Blocked::Never),
                Answer::Unknown(words) => return Ok(Blocked::Undecided(words)),
                Answer::Unsat(core) => core,
            };
            if level == 0 {
                return Ok(Blocked::Never);
            }
            let assumed = self.frame(level, &here);
            match self.solver.check(&assumed, self.cx)? {
                Answer::Unsat(_) => continue,
                Answer::Unknown(words) => return Ok(Blocked::Undecided(words)),
                Answer::Sat(_) => {}
            }
            let there = literals(self.ground, &cube, Time::Next, self.cx);
            match self.before(&here, &there, level - 1)? {
                Asked::State(before) => {
                    obligations.push((level, cube));
                    obligations.push((level - 1, before));
                }
                Asked::Undecided(words) => return Ok(Blocked::Undecided(words)),
                Asked::Core(mut core) => {
                    // The higher the frame, the longer what is learnt will do.
                    let mut level = level;
                    for above in (level..self.frames.len() - 1).rev() {
                        if let Asked::Core(found) = self.before(&here, &there, above)? {
                            (core, level) = (found, above + 1);
                            break;
                        }
                    }
                    let core: TermSet = core.into_iter().chain(start).collect();
                    let kept = (0..cube.len())
                        .filter(|&n| core.contains(&here[n]) || core.contains(&there[n]));
                    let kept: Cube = kept.map(|n| cube[n]).collect();
                    let scheme = self.general(Scheme::of(&kept, self.ground), level)?;
                    self.learn(scheme, level)?;
                }
            }
        }
        Ok(Blocked::Yes)
    }

    /// Whether a step from a frame leads to a state from elsewhere.
    fn before(&mut self, here: &[Term], there: &[Term], level: usize) -> Result<Asked, Halt> {
        let terms = self.cx.terms;
        let mut assumed = self.frame(level, &[self.step, self.safe]);
        assumed.extend(there);
        self.solver.push();
        let not_here = terms.not(terms.and(here.iter().copied()));
        self.solver.assert(terms, not_here)?;
        let asked = self.ask(&assumed);
        self.solver.pop();
        asked
    }

    /// That no instance of a scheme holds, now and next; `None` when there are too many.
    fn lemma(&self, scheme: Scheme) -> Option<Lemma> {
        self.lemma_of(scheme).map(|(lemma, _)| lemma)
    }

    /// The same with the instances.
    pub(super) fn lemma_of(&self, scheme: Scheme) -> Option<(Lemma, Vec<Cube>)> {
        let terms = self.cx.terms;
        let instances = scheme.instances(self.ground, INSTANCES)?;
        let none = |time: Time| {
            let no = instances
                .iter()
                .map(|cube| terms.not(terms.and(literals(self.ground, cube, time, self.cx))));
            terms.and(no.collect::<Vec<Term>>())
        };
        let (now, next) = (none(Time::Now), none(Time::Next));
        Some((Lemma { scheme, now, next }, instances))
    }

    /// Whether a scheme with all its instances holds at a level.
    fn holds(&mut self, scheme: &Scheme, level: usize) -> Result<bool, Halt> {
        let terms = self.cx.terms;
        if scheme.literals.is_empty() {
            return Ok(false);
        }
        let Some(lemma) = self.lemma(scheme.clone()) else {
            return Ok(false);
        };
        if !self.refuted(&[self.init], &[terms.not(lemma.now)])? {
            return Ok(false);
        }
        let assumed = self.frame(level - 1, &[self.step, self.safe]);
        self.refuted(&assumed, &[lemma.now, terms.not(lemma.next)])
    }

    /// A scheme that says more and holds at the level as well.
    fn general(&mut self, mut scheme: Scheme, level: usize) -> Result<Scheme, Halt> {
        let mut literal = 0;
        while literal < scheme.literals.len() && scheme.literals.len() > 1 {
            self.cx.budget.check()?;
            let less = scheme.without(literal);
            match self.holds(&less, level)? {
                true => scheme = less,
                false => literal += 1,
            }
        }
        let mut pair = 0;
        while pair < scheme.apart.len() {
            let mut equal = scheme.clone();
            equal.apart.remove(pair);
            match self.holds(&equal, level)? {
                true => scheme = equal,
                false => pair += 1,
            }
        }
        for literal in 0..scheme.literals.len() {
            for position in 0..scheme.literals[literal].vars.len() {
                if let Some(more) = scheme.split(literal, position)
                    && self.holds(&more, level)?
                {
                    scheme = more;
                }
            }
        }
        Ok(scheme)
    }

    fn learn(&mut self, scheme: Scheme, level: usize) -> Result<(), Halt> {
        let mut level = level;
        while level + 1 < self.frames.len() && self.holds(&scheme, level + 1)? {
            level += 1;
        }
        if let Some(lemma) = self.lemma(scheme) {
            let formula = lemma.scheme.formula(self.ground, self.cx.terms);
            let at = u32::try_from(level).unwrap_or(u32::MAX);
            self.cx.events.emit(Event::Lemma(at, formula));
            self.add(lemma, level)?;
        }
        Ok(())
    }

    fn add(&mut self, lemma: Lemma, level: usize) -> Result<(), Halt> {
        let terms = self.cx.terms;
        let on = terms.implies(self.frames[level], lemma.now);
        self.solver.assert(terms, on)?;
        self.lemmas[level].push(lemma);
        Ok(())
    }

    /// Moves schemes forward; the level whose frame equals the next one.
    fn forward(&mut self) -> Result<Option<usize>, Halt> {
        let terms = self.cx.terms;
        for level in 1..self.frames.len() - 1 {
            for lemma in std::mem::take(&mut self.lemmas[level]) {
                let assumed = self.frame(level, &[self.step, self.safe]);
                if self.refuted(&assumed, &[terms.not(lemma.next)])? {
                    self.add(lemma, level + 1)?;
                } else {
                    self.lemmas[level].push(lemma);
                }
            }
            if self.lemmas[level].is_empty() {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Whether the property is inductive with schemes.
    pub(super) fn proves(&mut self, lemmas: &[Lemma]) -> Result<bool, Halt> {
        let terms = self.cx.terms;
        let mut before: Vec<Term> = lemmas.iter().map(|lemma| lemma.now).collect();
        before.push(terms.not(self.ground.property_next));
        let starts = self.refuted(&[self.init], &[terms.not(self.ground.property)])?;
        Ok(starts && self.refuted(&[self.step, self.safe], &before)?)
    }

    /// Whether schemes of another instance are inductive in this one, with the property.
    pub(super) fn keeps(mut self, schemes: &[Scheme]) -> Result<bool, Halt> {
        let terms = self.cx.terms;
        let lemmas = schemes.iter().map(|scheme| self.lemma(scheme.clone()));
        let Some(lemmas) = lemmas.collect::<Option<Vec<Lemma>>>() else {
            return Ok(false);
        };
        let mut before: Vec<Term> = lemmas.iter().map(|lemma| lemma.now).collect();
        let parts = lemmas.iter().map(|lemma| (lemma.now, lemma.next));
        let property = (self.ground.property, self.ground.property_next);
        for (now, next) in parts.chain([property]) {
            let starts = self.refuted(&[self.init], &[terms.not(now)])?;
            before.push(terms.not(next));
            let stays = self.refuted(&[self.step, self.safe], &before)?;
            before.pop();
            if !(starts && stays) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Of schemes that are inductive with the property, those that it needs.
    pub(super) fn needed(&mut self, all: Vec<Lemma>) -> Result<Vec<Scheme>, Halt> {
        let (terms, cx) = (self.cx.terms, self.cx);
        let mut switches = Vec::with_capacity(all.len());
        for lemma in &all {
            let on = terms.fresh("on", Sort::BOOL);
            self.solver.assert(terms, terms.implies(on, lemma.now))?;
            switches.push(on);
        }
        let mut needed: IndexSet<usize> = IndexSet::new();
        let mut work = vec![terms.not(self.ground.property_next)];
        while let Some(goal) = work.pop() {
            let mut assumed = vec![self.step, self.safe, goal];
            assumed.extend(&switches);
            let Answer::Unsat(core) = self.solver.check(&assumed, cx)? else {
                return Ok(all.into_iter().map(|lemma| lemma.scheme).collect());
            };
            for on in core {
                let Some(number) = switches.iter().position(|s| *s == on) else {
                    continue;
                };
                if needed.insert(number) {
                    work.push(terms.not(all[number].next));
                }
            }
        }
        let all = all.into_iter().enumerate();
        let kept = all.filter(|(number, _)| needed.contains(number));
        Ok(kept.map(|(_, lemma)| lemma.scheme).collect())
    }
}

#[derive(Clone, Copy)]
enum Time {
    Now,
    Next,
}

/// The literals of a cube.
fn literals(ground: &Ground, cube: &Cube, time: Time, cx: &Cx<'_>) -> Vec<Term> {
    let literal = |&(bit, positive): &(usize, bool)| {
        let bit = &ground.bits[bit];
        let cell = match time {
            Time::Now => bit.cur,
            Time::Next => bit.next,
        };
        match positive {
            true => cell,
            false => cx.terms.not(cell),
        }
    };
    cube.iter().map(literal).collect()
}

/// The state of a model.
fn state(ground: &Ground, model: &dyn foretell_kernel::Model, cx: &Cx<'_>) -> Cube {
    let value = |(n, bit): (usize, &super::ground::Bit)| {
        (n, model.holds(cx.terms, bit.cur).unwrap_or(false))
    };
    ground.bits.iter().enumerate().map(value).collect()
}
