//! The refuter: CDCL(T) over local literals that emits a proof.
//!
//! ```text
//! run()
//!   loop
//!     propagate: unit propagation, then congruence closure and bounds over the new trail literals
//!     conflict at level 0: done;  else learn, jump back
//!     no atom left: final check (combine.rs) adds lemmas, or a branch, or gives up
//!     decide
//! ```
//! Only *relevant* literals reach the theories: those that occur in some clause with this polarity;
//! an atom's other truth value constrains nothing.
//!
//! Invariant: every literal in the search is local (lives on at least one group); `marks[i]` undoes
//! the theories to the state before trail literal `i`.

pub(crate) mod arrays;

pub(crate) mod combine;

pub(crate) mod recall;

use self::arrays::Instance;
use crate::arith::cert::CertId;
use crate::arith::integers::IntLimits;
use crate::arith::theory::Arith;
use crate::data::atoms::{Atom, AtomId, Lit};
use crate::data::bank::{Node, TId, TermBank};
use crate::data::linear::Lin;
use crate::data::rational::Rat;
use crate::euf::closure::{Closure, Conflict, for_children};
use crate::proof::{Step, StepId};
use crate::reuse::Fact;
use crate::sat::{Added, ClauseId, Kind, Sat};
use crate::world::World;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Limits of one refutation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Conflicts.
    pub(crate) conflicts: u64,
    /// Final checks.
    pub(crate) rounds: u64,
    /// Integer reasoning.
    pub(crate) ints: IntLimits,
}

/// How a refutation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// The empty clause, with its proof.
    Refuted(StepId),
    /// No rule applies any more: satisfiable, or beyond the rules.
    Saturated,
    /// A limit was reached.
    Limit,
    /// The caller asked to stop.
    Stopped,
}

/// Counters of one refutation.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counters {
    /// Final checks.
    pub(crate) rounds: u64,
    /// Lemmas of the combination.
    pub(crate) lemmas: u64,
}

/// A proved clause.
#[derive(Debug)]
struct Queued {
    lits: Vec<Lit>,
    step: StepId,
    kind: Kind,
}

/// What the theories have said so far.
#[derive(Debug, Default)]
struct Known {
    /// Pairs whose trichotomy is known.
    split: IndexSet<(TId, TId), FxBuildHasher>,
    /// Instances of array axioms that are known.
    instances: IndexSet<Instance, FxBuildHasher>,
    /// Lemmas, with the steps that prove them.
    facts: Vec<(StepId, Fact)>,
}

/// The state of a refutation.
#[derive(Debug)]
pub(crate) struct Refuter {
    /// Terms, atoms, proof.
    pub(crate) world: World,
    sat: Sat,
    closure: Closure,
    arith: Arith,
    marks: Vec<(usize, usize)>,
    relevant: Vec<bool>,
    known: Known,
    /// Proved clauses not yet attached, latest last. Attaching one may backjump or give a conflict,
    /// so the next is attached only when the consequences of the last are dealt with.
    queue: Vec<Queued>,
    counters: Counters,
}

impl Refuter {
    /// A refuter over a world.
    pub(crate) fn new(world: World) -> Refuter {
        let mut closure = Closure::default();
        closure.register(&world.bank, TermBank::TRUE);
        closure.register(&world.bank, TermBank::FALSE);
        Refuter {
            world,
            sat: Sat::new(),
            closure,
            arith: Arith::default(),
            marks: Vec::new(),
            relevant: Vec::new(),
            known: Known::default(),
            queue: Vec::new(),
            counters: Counters::default(),
        }
    }

    /// Adds a clause of a group (or a tautology counted in it); `None` if it says nothing.
    pub(crate) fn given(&mut self, group: usize, lits: &[Lit]) -> Option<StepId> {
        if lits.contains(&Lit::TRUE) || lits.iter().any(|l| lits.contains(&!*l)) {
            return None;
        }
        let lits: Vec<Lit> = lits.iter().copied().filter(|l| *l != Lit::FALSE).collect();
        let step = self.world.proof.given(group, &lits);
        self.clause(lits, step, Kind::Kept);
        Some(step)
    }

    /// The number of conflicts so far.
    pub(crate) fn conflicts(&self) -> u64 {
        self.sat.conflicts()
    }

    /// Makes both truth values of an atom known to the theories.
    pub(crate) fn require(&mut self, l: Lit) {
        self.use_atom(l.atom());
        self.make_relevant(l);
        self.make_relevant(!l);
    }

    /// Queues a proved clause.
    fn clause(&mut self, lits: Vec<Lit>, step: StepId, kind: Kind) {
        for l in &lits {
            self.use_atom(l.atom());
            self.make_relevant(*l);
        }
        self.queue.push(Queued { lits, step, kind });
    }

    /// Attaches queued clauses until one of them is false.
    fn attach(&mut self) -> Option<ClauseId> {
        while let Some(Queued { lits, step, kind }) = self.queue.pop() {
            let added = self.sat.add(lits, step, kind, &mut self.world.proof);
            self.sync();
            if let Added::Conflict(c) = added {
                return Some(c);
            }
        }
        None
    }

    fn make_relevant(&mut self, l: Lit) {
        if self.relevant.len() <= l.index() {
            self.relevant
                .resize(2 * self.world.atoms.len().max(l.index() / 2 + 1), false);
        }
        if !self.relevant[l.index()] {
            self.relevant[l.index()] = true;
            if self.sat.value(l) > 0 {
                self.reset_theories();
            }
        }
    }

    fn is_relevant(&self, l: Lit) -> bool {
        self.relevant.get(l.index()).copied().unwrap_or(false)
    }

    /// Brings an atom into the search and its terms into the theories.
    fn use_atom(&mut self, a: AtomId) {
        if self.sat.is_active(a) {
            return;
        }
        debug_assert!(!self.world.atoms.loc(a).is_empty());
        self.sat.activate(a);
        match self.world.atoms.get(a).clone() {
            Atom::True | Atom::Aux(..) => {}
            Atom::Eq(s, t) => {
                self.use_term(s);
                self.use_term(t);
            }
            Atom::Le(l) => {
                for (t, _) in &l.terms {
                    self.use_term(*t);
                }
            }
        }
    }

    fn use_term(&mut self, t: TId) {
        if self.closure.knows(t) {
            return;
        }
        self.reset_theories();
        let mut floors = Vec::new();
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if self.closure.knows(t) {
                continue;
            }
            self.arith.register(&self.world, t);
            if let Node::Floor(l) = self.world.bank.node(t) {
                floors.push((t, l.clone()));
            }
            for_children(&self.world.bank, t, |c| stack.push(c));
        }
        self.closure.register(&self.world.bank, t);
        for (t, l) in floors {
            self.floor_axioms(t, &l);
        }
    }

    /// `d*q <= N <= d*q + d-1` for `q = floor(N/d)`: tautologies of a group of the term.
    fn floor_axioms(&mut self, q: TId, l: &Lin) {
        let mut d = l.k.denom();
        for (_, c) in &l.terms {
            d = Rat::lcm(&d, &c.denom());
        }
        let n = l.times(&d);
        let low = Lin::var(q).times(&d).minus(&n);
        let high = low.negated().shifted(&(&Rat::ONE - &d));
        let group = self.world.bank.loc(q).top();
        for side in [low, high] {
            let lit = self.world.atoms.le(&self.world.bank, &side);
            self.given(group, &[lit]);
        }
    }

    /// Undoes the theories to the trail that is still in force.
    fn sync(&mut self) {
        let low = self.sat.take_low();
        if low < self.marks.len() {
            let (c, s) = self.marks[low];
            self.closure.undo(c);
            self.arith.simplex.undo(s);
            self.marks.truncate(low);
        }
    }

    /// Takes everything back from the theories; the trail is asserted anew by the next propagation.
    fn reset_theories(&mut self) {
        if let Some((c, s)) = self.marks.first().copied() {
            self.closure.undo(c);
            self.arith.simplex.undo(s);
            self.marks.clear();
        }
    }

    /// Adds a theory conflict.
    fn arith_conflict(&mut self, cert: CertId) -> StepId {
        let facts = self.world.certs.get(cert).lits.clone();
        let lits: Vec<Lit> = facts.iter().map(|l| !*l).collect();
        let step = self.world.proof.add(Step::Farkas(cert));
        self.known.facts.push((step, Fact::Arithmetic(facts)));
        self.clause(lits, step, Kind::Learnt);
        step
    }

    fn congruence_conflict(&mut self, conflict: Conflict) -> StepId {
        let facts = Fact::Congruence(conflict.lits.clone());
        let lits: Vec<Lit> = conflict.lits.iter().map(|l| !*l).collect();
        let step = self.world.proof.add(Step::Congruence {
            lits: conflict.lits.into(),
            ends: conflict.ends,
        });
        self.known.facts.push((step, facts));
        self.clause(lits, step, Kind::Learnt);
        step
    }

    /// Propagates to a fixed point; `Some`: a false clause.
    fn propagate(&mut self) -> Option<ClauseId> {
        loop {
            if let Some(c) = self.attach() {
                return Some(c);
            }
            if let Some(c) = self.sat.propagate(&mut self.world.proof) {
                return Some(c);
            }
            if self.marks.len() == self.sat.trail().len() {
                match self.arith.check(&mut self.world) {
                    Ok(()) => return None,
                    Err(cert) => {
                        self.arith_conflict(cert);
                    }
                }
            } else {
                self.assert_next();
            }
        }
    }

    /// Hands the next trail literal to the theories.
    fn assert_next(&mut self) {
        let lit = self.sat.trail()[self.marks.len()];
        self.marks
            .push((self.closure.mark(), self.arith.simplex.mark()));
        if !self.is_relevant(lit) {
            return;
        }
        if let Err(conflict) = self.closure.assert(&self.world.atoms, lit) {
            self.congruence_conflict(conflict);
        } else if let Err(cert) = self.arith.assert(&mut self.world, lit) {
            self.arith_conflict(cert);
        }
    }

    /// Searches for a refutation; `stop` is asked now and then.
    pub(crate) fn run(&mut self, limits: &Limits, stop: &mut dyn FnMut() -> bool) -> Outcome {
        let mut restart_at = 100;
        let mut asked = 0u32;
        loop {
            asked += 1;
            if asked.is_multiple_of(16) && stop() {
                return Outcome::Stopped;
            }
            if let Some(c) = self.propagate() {
                if self.sat.level() == 0 {
                    return Outcome::Refuted(self.sat.refutation(c, &mut self.world.proof));
                }
                let learnt = self.sat.analyze(c, &mut self.world.proof);
                self.sat.backjump(learnt.level);
                self.sync();
                self.clause(learnt.lits, learnt.step, Kind::Learnt);
                if self.sat.conflicts() >= limits.conflicts {
                    return Outcome::Limit;
                }
                continue;
            }
            if self.sat.conflicts() >= restart_at {
                restart_at = self.sat.conflicts() + 100 + self.sat.conflicts() / 8;
                self.sat.backjump(0);
                self.sync();
                self.sat.reduce(3000 + self.sat.conflicts() as usize / 2);
                continue;
            }
            match self.sat.pick() {
                Some(l) => self.sat.decide(l, &mut self.world.proof),
                None => {
                    self.counters.rounds += 1;
                    if self.counters.rounds > limits.rounds {
                        return Outcome::Limit;
                    }
                    if !self.final_check(limits) {
                        return Outcome::Saturated;
                    }
                }
            }
        }
    }
}
