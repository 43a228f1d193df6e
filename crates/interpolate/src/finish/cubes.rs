//! The fallback: lemmas on demand, cut by cut.
//!
//! ```text
//! for each node k, leaves first:  A := and of the children's interpolants, and the group of k
//!                                 B := all other groups, finished subtrees replaced by their interpolants
//!   I := false
//!   while A and not I has a model: a := implicant of A
//!     J := true
//!     while J and B has a model:   b := implicant of B
//!       J := J and interpolant(a, b)                      the refuter on two cubes
//!     I := I or J
//! ```
//! Every loop ends with an unsatisfiability answer of the oracle, so the result is correct by
//! construction: `A => I`, and `I and B` is unsatisfiable, which is the invariant for the next
//! node. It ends because there are finitely many implicants; the number of cubes is limited.

use crate::data::locality::Shape;
use crate::query::{self, Found, Session};
use foretell_formulas::implicant;
use foretell_kernel::{Answer, Budget, Cx, Halt, Solver, SolverConfig};
use foretell_terms::{Term, TermSet};

/// The fallback for one set of groups.
pub(crate) struct Fallback<'a> {
    /// One formula per node.
    pub(crate) parts: &'a [Term],
    /// The tree.
    pub(crate) shape: &'a Shape,
    /// How cubes are refuted.
    pub(crate) session: &'a Session,
    /// How oracles are made.
    pub(crate) config: SolverConfig,
    /// The number of pairs of cubes that may be refuted.
    pub(crate) cubes: usize,
}

/// What one question to the oracle gave.
enum Cube {
    None,
    Some(Vec<Term>),
    Failed,
}

impl Fallback<'_> {
    /// Interpolants for all cuts; `None` if a cut was given up.
    pub(crate) fn run(&mut self, cx: &Cx<'_>) -> Result<Option<Vec<Term>>, Halt> {
        let mut itps = Vec::new();
        for k in 0..self.shape.cuts() {
            match self.cut(k, &itps, cx)? {
                Some(i) => itps.push(i),
                None => return Ok(None),
            }
        }
        Ok(Some(itps))
    }

    /// The two sides of cut `k`, given the interpolants of the nodes before it.
    fn sides(&self, k: usize, itps: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let child_of = |p: usize| (0..p).filter(move |c| self.shape.parent(*c) == Some(p));
        let mut a: Vec<Term> = child_of(k).map(|c| itps[c]).collect();
        a.push(self.parts[k]);
        let mut b = Vec::new();
        for j in k + 1..self.shape.len() {
            b.push(self.parts[j]);
            b.extend(child_of(j).filter(|c| *c < k).map(|c| itps[c]));
        }
        (a, b)
    }

    fn cut(&mut self, k: usize, itps: &[Term], cx: &Cx<'_>) -> Result<Option<Term>, Halt> {
        let (a_side, b_side) = self.sides(k, itps);
        let mut a_solver = self.solver(&a_side, cx)?;
        let mut b_solver = self.solver(&b_side, cx)?;
        let mut disjuncts: Vec<Term> = Vec::new();
        loop {
            let a = match next_cube(&mut *a_solver, &a_side, cx)? {
                Cube::None => return Ok(Some(cx.terms.or(disjuncts))),
                Cube::Failed => return Ok(None),
                Cube::Some(a) => a,
            };
            let Some(j) = self.against(&a, &b_side, &mut *b_solver, cx)? else {
                return Ok(None);
            };
            a_solver.assert(cx.terms, cx.terms.not(j))?;
            disjuncts.push(j);
        }
    }

    fn solver(&self, formulas: &[Term], cx: &Cx<'_>) -> Result<Box<dyn Solver>, Halt> {
        let mut solver = cx.oracles.solver(&self.config);
        for f in formulas {
            solver.assert(cx.terms, *f)?;
        }
        Ok(solver)
    }

    /// A formula implied by the cube `a` that contradicts B.
    fn against(
        &mut self,
        a: &[Term],
        b_side: &[Term],
        solver: &mut dyn Solver,
        cx: &Cx<'_>,
    ) -> Result<Option<Term>, Halt> {
        let mut conjuncts = TermSet::default();
        solver.push();
        let outcome = loop {
            let b = match next_cube(solver, b_side, cx)? {
                Cube::None => break Some(cx.terms.and(conjuncts)),
                Cube::Failed => break None,
                Cube::Some(b) => b,
            };
            if self.cubes == 0 {
                break None;
            }
            self.cubes -= 1;
            let Some(i) = self.refute(a, &b, cx.budget, cx) else {
                break None;
            };
            solver.assert(cx.terms, i)?;
            if !conjuncts.insert(i) {
                break None;
            }
        };
        solver.pop();
        Ok(outcome)
    }

    fn refute(&self, a: &[Term], b: &[Term], budget: &Budget, cx: &Cx<'_>) -> Option<Term> {
        let groups = [a.to_vec(), b.to_vec()];
        let mut stop = || budget.check().is_err();
        match query::run(
            cx.terms,
            &groups,
            &Shape::sequence(2),
            self.session,
            &mut stop,
        ) {
            Found::Interpolants(itps) => itps.first().copied(),
            _ => None,
        }
    }
}

/// The implicant of `formulas` in the solver's next model.
fn next_cube(solver: &mut dyn Solver, formulas: &[Term], cx: &Cx<'_>) -> Result<Cube, Halt> {
    Ok(match solver.check(&[], cx)? {
        Answer::Unsat(_) => Cube::None,
        Answer::Unknown(_) => Cube::Failed,
        Answer::Sat(model) => implicant(cx.terms, formulas, &|f| model.holds(cx.terms, f))
            .map_or(Cube::Failed, Cube::Some),
    })
}
