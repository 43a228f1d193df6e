//! `Checked`: an interpolator whose answers are verified before anybody sees them.
//!
//! ```text
//! for every node i of the tree (a sequence is a path):
//!   and of the children's interpolants, and the part of i, and not I_i (nothing at the root): unsatisfiable
//!   every function and constant of I_i occurs in the subtree of i and in the rest
//! ```
//! An answer that fails, or that the solver cannot confirm, becomes `Unknown`. The wrapper knows nothing of how the
//! answer was found, and shares no code with any interpolator.

use std::cell::Cell;
use std::collections::BTreeSet;

use foretell_kernel::{
    Answer, Cx, Halt, Interpolation, Interpolator, PartTree, Reason, SolverConfig,
};
use foretell_terms::{Func, Term};

/// Which answers are verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checking {
    /// All of them.
    #[default]
    Always,
    /// One in so many, the first included.
    Every(u64),
}

/// Which symbols an interpolant may mention.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symbols {
    /// Those on both sides of the cut.
    #[default]
    Shared,
    /// Those, and functions with arguments.
    SharedOrFunctions,
}

/// An interpolator whose answers are verified.
#[derive(Debug)]
pub struct Checked<I> {
    inner: I,
    config: SolverConfig,
    checking: Checking,
    symbols: Symbols,
    asked: Cell<u64>,
    failed: Cell<u64>,
}

impl<I> Checked<I> {
    /// Verifies the answers of `inner` with solvers made by this configuration.
    pub fn new(inner: I, config: SolverConfig) -> Checked<I> {
        let (checking, symbols) = (Checking::default(), Symbols::default());
        Checked {
            inner,
            config,
            checking,
            symbols,
            asked: Cell::new(0),
            failed: Cell::new(0),
        }
    }

    /// The same with another rule of which answers are verified.
    pub fn checking(mut self, checking: Checking) -> Checked<I> {
        self.checking = checking;
        self
    }

    /// The same with another rule of which symbols are allowed.
    pub fn symbols(mut self, symbols: Symbols) -> Checked<I> {
        self.symbols = symbols;
        self
    }

    /// The number of answers that failed.
    pub fn failed(&self) -> u64 {
        self.failed.get()
    }

    fn judge(
        &self,
        tree: &PartTree,
        answer: Interpolation,
        cx: &Cx<'_>,
    ) -> Result<Interpolation, Halt> {
        let Interpolation::Interpolants(itps) = answer else {
            return Ok(answer);
        };
        let turn = self.asked.replace(self.asked.get() + 1);
        if let Checking::Every(n) = self.checking
            && !turn.is_multiple_of(n.max(1))
        {
            return Ok(Interpolation::Interpolants(itps));
        }
        match self.fault(tree, &itps, cx)? {
            None => Ok(Interpolation::Interpolants(itps)),
            Some(reason) => {
                self.failed.set(self.failed.get() + 1);
                Ok(Interpolation::Unknown(reason))
            }
        }
    }

    /// Why the formulas are no interpolants of the tree, or could not be confirmed.
    fn fault(&self, tree: &PartTree, itps: &[Term], cx: &Cx<'_>) -> Result<Option<Reason>, Halt> {
        let wrong = |words: String| Ok(Some(Reason::Certificate(words)));
        if itps.len() + 1 != tree.parts.len() {
            return wrong("wrong number of interpolants".into());
        }
        for i in 0..itps.len() {
            if let Some(f) = self.stranger(tree, itps, i, cx) {
                return wrong(format!("interpolant {i} mentions {}", cx.terms.name(f)));
            }
        }
        let mut solver = cx.oracles.solver(&self.config);
        for (i, part) in tree.parts.iter().enumerate() {
            solver.push();
            solver.assert(cx.terms, *part)?;
            for c in (0..i).filter(|c| tree.parents[*c] == Some(i)) {
                solver.assert(cx.terms, itps[c])?;
            }
            if let Some(itp) = itps.get(i) {
                solver.assert(cx.terms, cx.terms.not(*itp))?;
            }
            match solver.check(&[], cx)? {
                Answer::Unsat(_) => {}
                Answer::Sat(_) => {
                    return wrong(format!("step {i} of the interpolants does not hold"));
                }
                Answer::Unknown(words) => return Ok(Some(Reason::SolverUnknown(words))),
            }
            solver.pop();
        }
        Ok(None)
    }

    /// A symbol that interpolant `i` must not mention.
    fn stranger(&self, tree: &PartTree, itps: &[Term], i: usize, cx: &Cx<'_>) -> Option<Func> {
        let mut inside = vec![false; tree.parts.len()];
        inside[i] = true;
        // Children come before parents, so descending order sees every parent first.
        for j in (0..i).rev() {
            inside[j] = tree.parents[j].is_some_and(|p| inside[p]);
        }
        let side = |below: bool| {
            let parts: Vec<Term> = tree
                .parts
                .iter()
                .zip(&inside)
                .filter(|(_, b)| **b == below)
                .map(|(p, _)| *p)
                .collect();
            occurring(cx, &parts)
        };
        let (a, b) = (side(true), side(false));
        let allowed = |f: &Func| {
            let rigid =
                self.symbols == Symbols::SharedOrFunctions && !cx.terms.decl(*f).args.is_empty();
            rigid || (a.contains(f) && b.contains(f))
        };
        occurring(cx, &[itps[i]]).into_iter().find(|f| !allowed(f))
    }
}

/// The functions and constants that occur in the formulas.
fn occurring(cx: &Cx<'_>, formulas: &[Term]) -> BTreeSet<Func> {
    cx.terms
        .subterms(formulas)
        .into_iter()
        .filter_map(|t| cx.terms.func(t))
        .collect()
}

impl<I: Interpolator> Interpolator for Checked<I> {
    fn sequence(&mut self, parts: &[Term], cx: &Cx<'_>) -> Result<Interpolation, Halt> {
        let answer = self.inner.sequence(parts, cx)?;
        let n = parts.len();
        let parents = (0..n).map(|i| (i + 1 < n).then_some(i + 1)).collect();
        self.judge(
            &PartTree {
                parts: parts.to_vec(),
                parents,
            },
            answer,
            cx,
        )
    }

    fn tree(&mut self, tree: &PartTree, cx: &Cx<'_>) -> Result<Interpolation, Halt> {
        let answer = self.inner.tree(tree, cx)?;
        self.judge(tree, answer, cx)
    }
}

#[cfg(test)]
mod tests {
    use foretell_kernel::{Budget, NullSink, Rng};
    use foretell_terms::{Sort, TermStore};

    use super::*;
    use crate::oracles::Z3Oracles;

    /// Answers what it was told.
    struct Told(Vec<Term>);

    impl Interpolator for Told {
        fn sequence(&mut self, _: &[Term], _: &Cx<'_>) -> Result<Interpolation, Halt> {
            Ok(Interpolation::Interpolants(self.0.clone()))
        }

        fn tree(&mut self, _: &PartTree, _: &Cx<'_>) -> Result<Interpolation, Halt> {
            Ok(Interpolation::Interpolants(self.0.clone()))
        }
    }

    /// `x >= 1 and y = x | y <= 0`, with an answer.
    fn passes(answer: impl Fn(&TermStore, [Term; 2]) -> Vec<Term>, checking: Checking) -> bool {
        let s = TermStore::new();
        let [x, y] = ["x", "y"].map(|n| s.new_var(n, Sort::INT));
        let parts = [s.and2(s.le(s.int(1), x), s.eq(x, y)), s.le(y, s.int(0))];
        let (budget, rng, oracles) = (Budget::unlimited(), Rng::new(0), Z3Oracles::default());
        let cx = Cx {
            terms: &s,
            events: &NullSink,
            budget: &budget,
            oracles: &oracles,
            rng: &rng,
        };
        let told = Told(answer(&s, [x, y]));
        let mut checked = Checked::new(told, SolverConfig::new("check")).checking(checking);
        let good = matches!(
            checked.sequence(&parts, &cx),
            Ok(Interpolation::Interpolants(_))
        );
        assert_eq!(good, checked.failed() == 0);
        good
    }

    #[test]
    fn only_interpolants_pass() {
        assert!(passes(
            |s, [_, y]| vec![s.le(s.int(1), y)],
            Checking::Always
        ));
        // Too strong, too weak, a stranger, too many.
        assert!(!passes(
            |s, [_, y]| vec![s.le(s.int(2), y)],
            Checking::Always
        ));
        assert!(!passes(
            |s, [_, y]| vec![s.le(s.int(0), y)],
            Checking::Always
        ));
        assert!(!passes(
            |s, [x, y]| vec![s.and2(s.le(s.int(1), y), s.eq(x, y))],
            Checking::Always
        ));
        assert!(!passes(|s, _| vec![s.ff(), s.ff()], Checking::Always));
    }

    #[test]
    fn the_first_answer_is_always_in_the_sample() {
        assert!(!passes(|s, _| vec![s.tt()], Checking::Every(10)));
    }

    #[test]
    fn trees_are_checked_at_every_node() {
        let s = TermStore::new();
        let [x, y] = ["x", "y"].map(|n| s.new_var(n, Sort::INT));
        let (ten, zero) = (s.int(10), s.int(0));
        // Two leaves x >= 10 and y >= 10 under x + y <= 0.
        let tree = PartTree {
            parts: vec![s.le(ten, x), s.le(ten, y), s.le(s.add2(x, y), zero)],
            parents: vec![Some(2), Some(2), None],
        };
        let (budget, rng, oracles) = (Budget::unlimited(), Rng::new(0), Z3Oracles::default());
        let cx = Cx {
            terms: &s,
            events: &NullSink,
            budget: &budget,
            oracles: &oracles,
            rng: &rng,
        };
        for (answer, good) in [
            (vec![s.le(zero, x), s.le(ten, y)], true),
            (vec![s.le(zero, x), s.le(zero, y)], false),
            (vec![s.le(ten, y), s.le(ten, x)], false),
        ] {
            let mut checked = Checked::new(Told(answer), SolverConfig::new("check"));
            let found = matches!(checked.tree(&tree, &cx), Ok(Interpolation::Interpolants(_)));
            assert_eq!(found, good);
        }
    }
}
