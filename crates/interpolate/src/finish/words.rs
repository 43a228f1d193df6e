//! Interpolants over bits, said over words where that suffices.
//!
//! Flanagan, Leino, "Houdini, an annotation assistant", FME 2001, over comparisons of the words in
//! an interpolant.
//!
//! ```text
//! for every cut k whose interpolant speaks of single bits, from the root down:
//!   C := comparisons between its words, between its words and numerals of the groups, and its other literals
//!   while the step of k has a model against some of C: drop those from C        so  step of k  =>  C
//!   C and the step of k's parent is unsatisfiable:  I_k := the part of C in the core
//! ```
//! Equations with numerals come in only if the other comparisons do not suffice: points do not
//! generalise. Every interpolant is one at any time: both steps that mention `I_k` are asked before
//! it is replaced.

use crate::blast::words::bit;
use crate::data::locality::Shape;
use foretell_kernel::{Answer, Cx, Halt, Solver, SolverConfig, Work};
use foretell_terms::{Op, Term, TermSet, TermStore};
/// The most words of one interpolant.
const WORDS: usize = 4;

/// The most numerals that words are compared with.
const NUMERALS: usize = 5;

/// The most models against one set of candidates.
const ROUNDS: usize = 16;

/// Replaces interpolants over bits where words suffice; they are interpolants at any time, also
/// after a halt.
pub(crate) fn lift(
    parts: &[Term],
    shape: &Shape,
    itps: &mut [Term],
    cx: &Cx<'_>,
) -> Result<(), Halt> {
    if !itps.iter().any(|i| has_bits(cx.terms, *i)) {
        return Ok(());
    }
    let config = SolverConfig::new("lift")
        .with_limit(Work::of_millis(1500))
        .with_minimal_cores();
    let mut solver = cx.oracles.solver(&config);
    for k in (0..shape.cuts()).rev() {
        if !has_bits(cx.terms, itps[k]) {
            continue;
        }
        for points in [Points::Without, Points::With] {
            let candidates = candidates(cx.terms, parts, itps[k], points);
            let mut lifter = Lifter {
                parts,
                shape,
                itps: &*itps,
                solver: &mut *solver,
            };
            if let Some(words) = lifter.cut(k, candidates, cx)? {
                itps[k] = words;
                break;
            }
        }
    }
    Ok(())
}

/// Whether words may be equated with numerals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Points {
    Without,
    With,
}

fn has_bits(store: &TermStore, itp: Term) -> bool {
    store
        .atoms(&[itp])
        .into_iter()
        .any(|a| bit(store, a).is_some())
}

/// Comparisons that may make up an interpolant.
fn candidates(store: &TermStore, parts: &[Term], itp: Term, points: Points) -> Vec<Term> {
    let is_word = |t: &Term| {
        store.width(store.sort(*t)).is_some_and(|w| w > 1)
            && matches!(store.op(*t), Op::App(_))
            && store.args(*t).is_empty()
    };
    let words: Vec<Term> = store
        .subterms(&[itp])
        .into_iter()
        .filter(is_word)
        .take(WORDS)
        .collect();
    let numerals: Vec<Term> = store
        .subterms(parts)
        .into_iter()
        .filter(|t| store.as_bv(*t).is_some())
        .collect();
    let mut out = TermSet::default();
    for (i, x) in words.iter().enumerate() {
        for y in words[i + 1..]
            .iter()
            .filter(|y| store.sort(**y) == store.sort(*x))
        {
            out.insert(store.eq(*x, *y));
            for (a, b) in [(*x, *y), (*y, *x)] {
                out.extend([store.bv_ule(a, b), store.bv_sle(a, b)]);
            }
        }
        let fitting = numerals
            .iter()
            .filter(|c| store.sort(**c) == store.sort(*x));
        for c in fitting.take(NUMERALS) {
            out.extend([
                store.bv_ule(*x, *c),
                store.bv_ule(*c, *x),
                store.bv_sle(*x, *c),
                store.bv_sle(*c, *x),
            ]);
            if points == Points::With {
                out.insert(store.eq(*x, *c));
            }
        }
    }
    for a in store
        .atoms(&[itp])
        .into_iter()
        .filter(|a| bit(store, *a).is_none())
    {
        out.extend([a, store.not(a)]);
    }
    out.into_iter()
        .filter(|c| !store.is_true(*c) && !store.is_false(*c))
        .collect()
}

/// The state of one lifting.
struct Lifter<'a> {
    parts: &'a [Term],
    shape: &'a Shape,
    itps: &'a [Term],
    solver: &'a mut dyn Solver,
}

impl Lifter<'_> {
    /// A conjunction of candidates that may stand for the interpolant of cut `k`.
    fn cut(&mut self, k: usize, candidates: Vec<Term>, cx: &Cx<'_>) -> Result<Option<Term>, Halt> {
        self.solver.push();
        let implied = self.implied(k, candidates, cx);
        self.solver.pop();
        let implied = implied?;
        if implied.is_empty() {
            return Ok(None);
        }
        self.solver.push();
        let enough = self.enough(k, &implied, cx);
        self.solver.pop();
        Ok(enough?.map(|used| cx.terms.and(used)))
    }

    fn assert_children(&mut self, node: usize, but: usize, cx: &Cx<'_>) -> Result<(), Halt> {
        for c in (0..node).filter(|c| *c != but && self.shape.parent(*c) == Some(node)) {
            self.solver.assert(cx.terms, self.itps[c])?;
        }
        self.solver.assert(cx.terms, self.parts[node])
    }

    /// The candidates that the step of `k` implies all together; none if that is not settled in
    /// time.
    fn implied(&mut self, k: usize, mut left: Vec<Term>, cx: &Cx<'_>) -> Result<Vec<Term>, Halt> {
        self.assert_children(k, k, cx)?;
        for _ in 0..ROUNDS {
            if left.is_empty() {
                return Ok(left);
            }
            let some_false = cx.terms.not(cx.terms.and(left.iter().copied()));
            self.solver.push();
            self.solver.assert(cx.terms, some_false)?;
            let before = left.len();
            let settled = match self.solver.check(&[], cx)? {
                Answer::Unsat(_) => true,
                Answer::Sat(model) => {
                    left.retain(|c| model.holds(cx.terms, *c) == Some(true));
                    false
                }
                Answer::Unknown(_) => false,
            };
            self.solver.pop();
            if settled {
                return Ok(left);
            }
            // Nothing dropped: undecided, or a model that does not say.
            if left.len() == before {
                return Ok(Vec::new());
            }
        }
        Ok(Vec::new())
    }

    /// Those among the formulas that the step of `k`'s parent needs; `None` if they do not suffice.
    fn enough(
        &mut self,
        k: usize,
        formulas: &[Term],
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<Term>>, Halt> {
        let Some(node) = self.shape.parent(k) else {
            return Ok(None);
        };
        self.assert_children(node, k, cx)?;
        if let Some(i) = self.itps.get(node) {
            self.solver.assert(cx.terms, cx.terms.not(*i))?;
        }
        Ok(match self.solver.check(formulas, cx)? {
            Answer::Unsat(core) => Some(core),
            Answer::Sat(_) | Answer::Unknown(_) => None,
        })
    }
}
