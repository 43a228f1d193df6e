//! The largest set of schemes that is inductive in an instance, with the property before each step.
//!
//! Paper: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001.
//!
//! ```text
//! largest    drop what an initial state has; while a step from all kept ones leads to a state that has an
//!            instance of some: drop all of which it has one
//! ```

use foretell_kernel::{Answer, Halt};
use foretell_terms::{Sort, Term};

use super::ground::Bit;
use super::scheme::{Cube, Scheme};
use super::search::{Lemma, Search};

/// A scheme that may be inductive.
struct Kept {
    lemma: Lemma,
    instances: Vec<Cube>,
    /// Literals that switch on that it holds, and that the next state has an instance.
    on: Term,
    off: Term,
}

impl Search<'_, '_> {
    /// The schemes that are inductive together; `None` when a query was not decided.
    pub(super) fn largest(&mut self, schemes: &[Scheme]) -> Result<Option<Vec<Lemma>>, Halt> {
        self.solver.push();
        let mut kept = self.switched(schemes)?;
        let done = self.start(&mut kept)? && self.steps(&mut kept)?;
        self.solver.pop();
        let kept = kept.into_iter().map(|kept| kept.lemma);
        Ok(done.then(|| kept.collect()))
    }

    /// Of schemes that are inductive with the property, as few as are still so; long ones go first.
    pub(super) fn fewest(&mut self, mut schemes: Vec<Scheme>) -> Result<Vec<Scheme>, Halt> {
        let terms = self.cx.terms;
        schemes
            .sort_by_key(|s| std::cmp::Reverse((s.literals.len(), s.apart.len(), s.sorts.len())));
        self.solver.push();
        let mut kept = self.switched(&schemes)?;
        let violated = terms.not(self.ground.property_next);
        let mut at = 0;
        while at < kept.len() {
            self.cx.budget.check()?;
            let tried = kept.remove(at);
            let mut assumed = vec![self.step, self.safe];
            assumed.extend(kept.iter().map(|kept| kept.on));
            let broken = terms.or(kept.iter().map(|kept| kept.off).chain([violated]));
            if !self.refuted(&assumed, &[broken])? {
                kept.insert(at, tried);
                at += 1;
            }
        }
        self.solver.pop();
        Ok(kept.into_iter().map(|kept| kept.lemma.scheme).collect())
    }

    /// Schemes with what switches them on.
    fn switched(&mut self, schemes: &[Scheme]) -> Result<Vec<Kept>, Halt> {
        let terms = self.cx.terms;
        let mut kept = Vec::with_capacity(schemes.len());
        for scheme in schemes {
            self.cx.budget.check()?;
            let Some((lemma, instances)) = self.lemma_of(scheme.clone()) else {
                continue;
            };
            let [on, off] = [(); 2].map(|()| terms.fresh("on", Sort::BOOL));
            self.solver.assert(terms, terms.implies(on, lemma.now))?;
            let broken = terms.not(lemma.next);
            self.solver.assert(terms, terms.implies(off, broken))?;
            kept.push(Kept {
                lemma,
                instances,
                on,
                off,
            });
        }
        Ok(kept)
    }

    /// Drops what initial states have.
    fn start(&mut self, kept: &mut Vec<Kept>) -> Result<bool, Halt> {
        let terms = self.cx.terms;
        loop {
            self.cx.budget.check()?;
            let broken = kept.iter().map(|kept| terms.not(kept.lemma.now));
            let broken = terms.or(broken.collect::<Vec<Term>>());
            match self.dropped(kept, &[self.init], broken, |bit| bit.cur)? {
                Dropped::Some => {}
                Dropped::None => return Ok(true),
                Dropped::Undecided => return Ok(false),
            }
        }
    }

    /// Drops what does not stay.
    fn steps(&mut self, kept: &mut Vec<Kept>) -> Result<bool, Halt> {
        let terms = self.cx.terms;
        loop {
            self.cx.budget.check()?;
            let mut assumed = vec![self.step, self.safe];
            assumed.extend(kept.iter().map(|kept| kept.on));
            let broken = terms.or(kept.iter().map(|kept| kept.off));
            match self.dropped(kept, &assumed, broken, |bit| bit.next)? {
                Dropped::Some => {}
                Dropped::None => return Ok(true),
                Dropped::Undecided => return Ok(false),
            }
        }
    }

    /// Drops all schemes that a state has, if there is one.
    fn dropped(
        &mut self,
        kept: &mut Vec<Kept>,
        assumed: &[Term],
        broken: Term,
        cell: impl Fn(&Bit) -> Term,
    ) -> Result<Dropped, Halt> {
        let cx = self.cx;
        self.solver.push();
        self.solver.assert(cx.terms, broken)?;
        let found: Result<Vec<bool>, Dropped> = match self.solver.check(assumed, cx)? {
            Answer::Sat(model) => {
                let value = |bit: &Bit| model.holds(cx.terms, cell(bit)).unwrap_or(false);
                Ok(self.ground.bits.iter().map(value).collect())
            }
            Answer::Unsat(_) => Err(Dropped::None),
            Answer::Unknown(_) => Err(Dropped::Undecided),
        };
        self.solver.pop();
        let state = match found {
            Ok(state) => state,
            Err(nothing) => return Ok(nothing),
        };
        let before = kept.len();
        let has = |cube: &Cube| cube.iter().all(|&(bit, value)| state[bit] == value);
        kept.retain(|kept| !kept.instances.iter().any(has));
        Ok(match kept.len() < before {
            true => Dropped::Some,
            false => Dropped::Undecided,
        })
    }
}

/// What a query did to the kept ones.
enum Dropped {
    Some,
    None,
    Undecided,
}
