//! Polishing: parts of interpolants that no condition needs are dropped.
//!
//! ```text
//! from the root down:     a conjunct of I_k is dropped if the step of k's parent stays valid;
//!                         then literals are replaced by weaker ones (settle.rs) if it does
//! from the leaves up:     a disjunct of I_k is dropped if the step of k itself stays valid
//! ```
//! Dropping a conjunct weakens `I_k`, so only the step that uses it is asked for; dropping a
//! disjunct strengthens it, so only the step that proves it. Larger parts are tried first. The
//! number of queries is limited; a query that the oracle does not decide keeps the part.

use crate::data::locality::Shape;
use crate::finish::constants;
use foretell_kernel::{Answer, Cx, Halt, Solver, SolverConfig, Work};
use foretell_terms::{Op, Rational, Term, TermStore};
/// A formula as a tree of conjunctions and disjunctions over literals.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(Term),
    And(Vec<Tree>),
    Or(Vec<Tree>),
}

/// Which way a formula is changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Conjuncts are dropped.
    Weaken,
    /// Disjuncts are dropped.
    Strengthen,
}

/// What becomes of the constants of literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Constants {
    /// They stay as the proof has them.
    Kept,
    /// They are replaced by constants of the problem where the steps allow a weaker literal.
    Settled,
}

/// The largest formula, in literals, that is polished.
const LARGEST: usize = 200;

/// The number of undecided queries after which polishing ends.
const PATIENCE: u32 = 3;

/// Drops what can be dropped from verified interpolants. They are interpolants at any time, also
/// after a halt.
pub(crate) fn polish(
    parts: &[Term],
    shape: &Shape,
    itps: &mut [Term],
    queries: usize,
    constants: Constants,
    cx: &Cx<'_>,
) -> Result<(), Halt> {
    let config = SolverConfig::new("polish").with_limit(Work::of_millis(300));
    let solver = cx.oracles.solver(&config);
    let constants = match constants {
        Constants::Kept => Vec::new(),
        Constants::Settled => constants::constants(cx.terms, parts),
    };
    let mut polisher = Polisher {
        parts,
        shape,
        itps,
        left: queries,
        constants,
        patience: PATIENCE,
        solver,
    };
    for k in (0..shape.cuts()).rev() {
        polisher.cut(k, Way::Weaken, cx)?;
    }
    for k in 0..shape.cuts() {
        polisher.cut(k, Way::Strengthen, cx)?;
    }
    Ok(())
}

/// The state of one polishing.
struct Polisher<'a> {
    parts: &'a [Term],
    shape: &'a Shape,
    itps: &'a mut [Term],
    left: usize,
    /// The constants of the problem.
    constants: Vec<Rational>,
    /// Undecided queries until polishing ends.
    patience: u32,
    solver: Box<dyn Solver>,
}

impl Polisher<'_> {
    fn cut(&mut self, k: usize, way: Way, cx: &Cx<'_>) -> Result<(), Halt> {
        let Some(mut tree) = Tree::of(cx.terms, self.itps[k]) else {
            return Ok(());
        };
        if !tree.has(way) && (way == Way::Strengthen || self.constants.is_empty()) {
            return Ok(());
        }
        let node = match way {
            Way::Strengthen => k,
            Way::Weaken => self.shape.parent(k).unwrap_or(k),
        };
        self.solver.push();
        for c in (0..node).filter(|c| *c != k && self.shape.parent(*c) == Some(node)) {
            self.solver.assert(cx.terms, self.itps[c])?;
        }
        self.solver.assert(cx.terms, self.parts[node])?;
        if let Some(i) = self.itps.get(node).filter(|_| node != k) {
            self.solver.assert(cx.terms, cx.terms.not(*i))?;
        }
        let mut outcome = self.drop_parts(&mut tree, way, cx);
        if outcome.is_ok() && way == Way::Weaken && !self.constants.is_empty() {
            outcome = self.settle(&mut tree, cx);
        }
        self.solver.pop();
        outcome?;
        self.itps[k] = tree.term(cx.terms);
        Ok(())
    }

    /// Tries weaker literals: half an equality, and bounds with constants of the problem.
    fn settle(&mut self, tree: &mut Tree, cx: &Cx<'_>) -> Result<(), Halt> {
        for i in 0..tree.leaves().len() {
            let put = |me: &mut Self, tree: &mut Tree, lit: Term| -> Result<bool, Halt> {
                if me.left == 0 {
                    return Ok(false);
                }
                let mut changed = tree.clone();
                if let Some(leaf) = changed.leaves().into_iter().nth(i) {
                    *leaf = lit;
                }
                let holds = me.holds(&changed, Way::Weaken, cx)?;
                if holds {
                    *tree = changed;
                }
                Ok(holds)
            };
            let leaf = *tree.leaves()[i];
            if let Some([a, b]) = constants::halves(cx.terms, leaf)
                && !put(self, tree, a)?
            {
                put(self, tree, b)?;
            }
            // Weaker means harder: look for the weakest that holds by halving.
            let leaf = *tree.leaves()[i];
            let choices = constants::weaker(cx.terms, leaf, &self.constants);
            let (mut fails, mut works) = (0, choices.len());
            while fails < works {
                let middle = usize::midpoint(fails, works);
                if put(self, tree, choices[middle])? {
                    works = middle
                } else {
                    fails = middle + 1
                }
            }
        }
        Ok(())
    }

    /// Tries to drop every part, outer ones first.
    fn drop_parts(&mut self, tree: &mut Tree, way: Way, cx: &Cx<'_>) -> Result<(), Halt> {
        let mut todo: Vec<Vec<usize>> = vec![Vec::new()];
        while let Some(path) = todo.pop() {
            let Some((n, droppable)) = tree.at(&path).map(|t| t.arity(way)) else {
                continue;
            };
            for i in (0..n).rev() {
                if self.left == 0 {
                    return Ok(());
                }
                let mut child = path.clone();
                child.push(i);
                let alone = tree.at(&path).is_none_or(|t| t.arity(way).0 < 2);
                if droppable && !alone {
                    let mut smaller = tree.clone();
                    smaller.remove(&child);
                    if self.holds(&smaller, way, cx)? {
                        *tree = smaller;
                    }
                }
            }
            let n = tree.at(&path).map_or(0, |t| t.arity(way).0);
            todo.extend((0..n).rev().map(|i| [path.as_slice(), &[i]].concat()));
        }
        Ok(())
    }

    fn holds(&mut self, tree: &Tree, way: Way, cx: &Cx<'_>) -> Result<bool, Halt> {
        self.left -= 1;
        let formula = tree.term(cx.terms);
        let formula = if way == Way::Weaken {
            formula
        } else {
            cx.terms.not(formula)
        };
        self.solver.push();
        self.solver.assert(cx.terms, formula)?;
        let holds = match self.solver.check(&[], cx)? {
            Answer::Unsat(_) => true,
            Answer::Sat(_) => false,
            Answer::Unknown(_) => {
                self.patience = self.patience.saturating_sub(1);
                if self.patience == 0 {
                    self.left = 0;
                }
                false
            }
        };
        self.solver.pop();
        Ok(holds)
    }
}

impl Tree {
    /// The tree of a formula, unless it is too large.
    fn of(store: &TermStore, root: Term) -> Option<Tree> {
        let mut built = 0;
        // Work stack: formulas to open, and markers that collect the last `n` results.
        let mut todo = vec![(root, None)];
        let mut done: Vec<Tree> = Vec::new();
        while let Some((t, collect)) = todo.pop() {
            if let Some(n) = collect {
                let children = done.split_off(done.len() - n);
                done.push(if *store.op(t) == Op::And {
                    Tree::And(children)
                } else {
                    Tree::Or(children)
                });
                continue;
            }
            match store.op(t) {
                Op::And | Op::Or => {
                    let and = *store.op(t) == Op::And;
                    let children = if and {
                        store.conjuncts(t)
                    } else {
                        store.disjuncts(t)
                    };
                    todo.push((t, Some(children.len())));
                    todo.extend(children.into_iter().rev().map(|c| (c, None)));
                }
                _ => {
                    built += 1;
                    done.push(Tree::Leaf(t));
                }
            }
            if built + todo.len() > LARGEST {
                return None;
            }
        }
        done.pop()
    }

    /// The leaves, in order.
    fn leaves(&mut self) -> Vec<&mut Term> {
        let mut out = Vec::new();
        let mut todo = vec![self];
        while let Some(t) = todo.pop() {
            match t {
                Tree::Leaf(l) => out.push(l),
                Tree::And(c) | Tree::Or(c) => todo.extend(c.iter_mut().rev()),
            }
        }
        out
    }

    fn children(&self) -> &[Tree] {
        match self {
            Tree::Leaf(_) => &[],
            Tree::And(c) | Tree::Or(c) => c,
        }
    }

    fn at(&self, path: &[usize]) -> Option<&Tree> {
        path.iter().try_fold(self, |t, i| t.children().get(*i))
    }

    /// The number of children, and whether they may be dropped this way.
    fn arity(&self, way: Way) -> (usize, bool) {
        let droppable = matches!(
            (self, way),
            (Tree::And(_), Way::Weaken) | (Tree::Or(_), Way::Strengthen)
        );
        (self.children().len(), droppable)
    }

    fn has(&self, way: Way) -> bool {
        let mut todo = vec![self];
        while let Some(t) = todo.pop() {
            if t.arity(way).1 {
                return true;
            }
            todo.extend(t.children());
        }
        false
    }

    fn remove(&mut self, path: &[usize]) {
        let Some((last, above)) = path.split_last() else {
            return;
        };
        let mut t = self;
        for i in above {
            let (Tree::And(c) | Tree::Or(c)) = t else {
                return;
            };
            let Some(child) = c.get_mut(*i) else { return };
            t = child;
        }
        if let Tree::And(c) | Tree::Or(c) = t {
            c.remove(*last);
        }
    }

    fn term(&self, store: &TermStore) -> Term {
        // Depth is at most the nesting of a formula of at most LARGEST literals.
        match self {
            Tree::Leaf(t) => *t,
            Tree::And(c) => store.and(c.iter().map(|t| t.term(store)).collect::<Vec<_>>()),
            Tree::Or(c) => store.or(c.iter().map(|t| t.term(store)).collect::<Vec<_>>()),
        }
    }
}
