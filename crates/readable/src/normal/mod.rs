//! Equivalence-preserving rewriting into the form that reads best.
//!
//! ```text
//! Simplify(F):   negations down to the literals; nested ∧ and ∨ opened
//!   literals     every comparison in its one spelling (comparison.rs)
//!   ∧ list       comparisons of one form become an interval (range.rs)
//!                unit literals decide literals deeper down; a clause implied by another one goes
//!   ∨ list       the same for the negated literals
//!   ∀, ∃         pushed inwards; unused variables and those with a defining equality go (quantify.rs)
//! Compact(F):    Simplify, then variables with a known number are replaced elsewhere,
//!                clauses that differ in one literal are joined, two implications become = (join.rs)
//! Cases(F):      disjunctions of cases that exclude each other become sentences (cases.rs)
//! Brief(F):      what sentences have in common is said once (brief.rs)
//! ```
//!
//! *Simplify* keeps as many conjuncts apart as it can, so that whoever minimises a formula can leave
//! them out one by one; *Compact* is for the last step before printing. Both are total; formulas that
//! are too deep or too large to be read come back as they are (see [`is_readable_size`]).
//! Limits: implication between clauses is tried for at most [`MOST_CLAUSES`] of them.

mod brief;
mod cases;
pub(crate) mod facts;
mod join;
mod quantify;
mod vectors;

use std::cell::Cell;

use foretell_terms::{Op, Sort, Term, TermMap, TermStore};

use crate::comparison::{Comparison, Reading};
use facts::Facts;

pub use brief::brief;
pub use cases::cases;

/// Clauses compared with each other; more are left as they are.
const MOST_CLAUSES: usize = 200;
/// What became simpler may make more simpler, so often.
const MOST_ROUNDS: usize = 4;
/// Formulas nested deeper are not for readers (and rewriting recurses).
const MOST_LEVELS: usize = 200;
/// Formulas with more nodes, counted as a tree, are not for readers.
const MOST_NODES: usize = 8_000;
/// Literals looked at for one formula; what is left over then stays as it is.
const MOST_STEPS: usize = 200_000;

/// Whether a formula is small enough to be rewritten and laid out as a tree.
pub fn is_readable_size(store: &TermStore, formula: Term) -> bool {
    let mut measures: TermMap<(usize, usize)> = TermMap::default();
    for term in store.subterms(&[formula]) {
        let (mut levels, mut nodes) = (0usize, 1usize);
        for arg in store.args(term) {
            let (below, size) = measures.get(arg).copied().unwrap_or((0, 1));
            levels = levels.max(below + 1);
            nodes = nodes.saturating_add(size);
        }
        measures.insert(term, (levels, nodes));
    }
    measures
        .get(&formula)
        .is_none_or(|&(levels, nodes)| levels <= MOST_LEVELS && nodes <= MOST_NODES)
}

/// An equivalent formula whose conjuncts are apart.
pub fn simplify(store: &TermStore, formula: Term) -> Term {
    if !is_readable_size(store, formula) {
        return formula;
    }
    Rewriter::new(store).settled(formula)
}

/// An equivalent formula that is as short as this module knows to make it.
pub fn compact(store: &TermStore, formula: Term) -> Term {
    if !is_readable_size(store, formula) {
        return formula;
    }
    let mut rewriter = Rewriter::new(store);
    let simple = rewriter.settled(formula);
    let known = rewriter.use_values(simple);
    rewriter.join_all(known)
}

/// Whether a formula or its negation is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Polarity {
    Positive,
    Negative,
}

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
        }
    }
}

/// `and` or `or`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Junction {
    And,
    Or,
}

impl Junction {
    fn dual(self) -> Junction {
        match self {
            Junction::And => Junction::Or,
            Junction::Or => Junction::And,
        }
    }

    fn op(self) -> Op {
        match self {
            Junction::And => Op::And,
            Junction::Or => Op::Or,
        }
    }
}

/// Rewrites formulas of one store.
pub(crate) struct Rewriter<'s> {
    store: &'s TermStore,
    memo: [TermMap<Term>; 2],
    /// Literals that may still be looked at.
    steps: Cell<usize>,
}

impl<'s> Rewriter<'s> {
    fn new(store: &'s TermStore) -> Rewriter<'s> {
        Rewriter {
            store,
            memo: [TermMap::default(), TermMap::default()],
            steps: Cell::new(MOST_STEPS),
        }
    }

    /// Counts a step; whether there was one left.
    fn step(&self) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        left > 0
    }

    /// A formula, simplified until nothing changes or often enough.
    fn settled(&mut self, formula: Term) -> Term {
        let mut current = formula;
        for _ in 0..MOST_ROUNDS {
            let next = self.formula(current, Polarity::Positive);
            if next == current {
                break;
            }
            current = next;
        }
        current
    }

    /// A formula or its negation, simplified.
    fn formula(&mut self, term: Term, polarity: Polarity) -> Term {
        if let Some(&known) = self.memo[polarity as usize].get(&term) {
            return known;
        }
        let store = self.store;
        let node = store.node(term);
        let junction = match (&node.op, polarity) {
            (Op::And, Polarity::Positive) | (Op::Or, Polarity::Negative) => Junction::And,
            _ => Junction::Or,
        };
        let result = match &node.op {
            Op::Not => self.formula(node.args[0], polarity.flipped()),
            Op::And | Op::Or => {
                let items: Vec<Term> = node
                    .args
                    .iter()
                    .map(|&a| self.formula(a, polarity))
                    .collect();
                self.junction(junction, &items)
            }
            Op::Forall | Op::Exists => {
                let (body, vars) = node.args.split_last().unwrap_or((&term, &[]));
                let body = self.formula(*body, polarity);
                let universal = (node.op == Op::Forall) == (polarity == Polarity::Positive);
                let op = if universal { Op::Forall } else { Op::Exists };
                self.quantify(&op, vars, body)
            }
            Op::Ite if node.sort == Sort::BOOL => {
                let condition = self.formula(node.args[0], Polarity::Positive);
                let (a, b) = (
                    self.formula(node.args[1], polarity),
                    self.formula(node.args[2], polarity),
                );
                store.ite(condition, a, b)
            }
            _ => {
                let rebuilt = self.rebuilt(term);
                let atom = vectors::equality(store, rebuilt);
                let literal = match polarity {
                    Polarity::Positive => atom,
                    Polarity::Negative => store.not(atom),
                };
                self.literal(literal)
            }
        };
        self.memo[polarity as usize].insert(term, result);
        result
    }

    /// A term that is no formula, with simplified arguments.
    fn rebuilt(&mut self, term: Term) -> Term {
        let node = self.store.node(term);
        if node.args.is_empty() {
            return term;
        }
        let args: Vec<Term> = node
            .args
            .iter()
            .map(|&a| {
                if self.store.sort(a) == Sort::BOOL {
                    self.formula(a, Polarity::Positive)
                } else {
                    self.value(a)
                }
            })
            .collect();
        self.store.rebuild(&node.op, &args, node.sort)
    }

    fn value(&mut self, term: Term) -> Term {
        if let Some(&known) = self.memo[0].get(&term) {
            return known;
        }
        let rebuilt = self.rebuilt(term);
        let result = vectors::sum(self.store, rebuilt);
        self.memo[0].insert(term, result);
        result
    }

    /// A literal in its one spelling.
    fn literal(&self, literal: Term) -> Term {
        match Comparison::read(self.store, literal) {
            Some(Reading::Constant(value)) => self.store.bool(value),
            Some(Reading::Comparison(comparison)) => comparison.literal(self.store),
            None => literal,
        }
    }

    /// A list of simplified formulas under `and` or `or`.
    fn junction(&mut self, junction: Junction, items: &[Term]) -> Term {
        let flat = self.flat(junction, items);
        let units = self.intervals(junction, &flat);
        let facts = self.facts(junction, &units);
        if facts.is_contradictory(self.store) {
            return self.store.bool(junction == Junction::Or);
        }
        let (mut kept, mut memo) = (Vec::new(), TermMap::default());
        for &item in &units {
            if self.is_literal(item) {
                kept.push(item);
            } else {
                kept.push(self.under(&facts, item, &mut memo));
            }
        }
        let again = self.flat(junction, &kept);
        if again != units
            && again
                .iter()
                .any(|t| !units.contains(t) && self.is_literal(*t))
        {
            // A clause became a unit: it may decide more.
            return self.junction(junction, &again);
        }
        let kept = self.without_implied(junction, again);
        self.connect(junction, kept)
    }

    fn connect(&self, junction: Junction, items: impl IntoIterator<Item = Term>) -> Term {
        match junction {
            Junction::And => self.store.and(items),
            Junction::Or => self.store.or(items),
        }
    }

    /// The members of nested lists of one kind.
    fn flat(&self, junction: Junction, items: &[Term]) -> Vec<Term> {
        let whole = self.connect(junction, items.iter().copied());
        self.members(junction, whole)
    }

    pub(crate) fn members(&self, junction: Junction, formula: Term) -> Vec<Term> {
        match junction {
            Junction::And => self.store.conjuncts(formula),
            Junction::Or => self.store.disjuncts(formula),
        }
    }

    /// Whether a formula is an atom or a negated one (equivalences of formulas count as atoms).
    pub(crate) fn is_literal(&self, formula: Term) -> bool {
        let (atom, _) = self.store.strip_not(formula);
        !matches!(
            self.store.op(atom),
            Op::And | Op::Or | Op::Forall | Op::Exists | Op::True | Op::False
        )
    }

    /// What may be assumed of the other members: units under `and`, their negations under `or`.
    fn facts(&self, junction: Junction, items: &[Term]) -> Facts {
        let mut facts = Facts::default();
        for &item in items.iter().filter(|t| self.is_literal(**t)) {
            facts.learn(self.store, self.assumed(junction, item));
        }
        facts
    }

    fn assumed(&self, junction: Junction, unit: Term) -> Term {
        match junction {
            Junction::And => unit,
            Junction::Or => self.store.not(unit),
        }
    }

    /// Replaces the comparisons of each form by the fewest, where the first of them stood.
    fn intervals(&self, junction: Junction, items: &[Term]) -> Vec<Term> {
        let facts = self.facts(junction, items);
        let mut done: Vec<Vec<(Term, foretell_terms::Rational)>> = Vec::new();
        let mut kept = Vec::new();
        for &item in items {
            let comparison = Comparison::proper(self.store, self.assumed(junction, item));
            let Some(comparison) = comparison.filter(|_| self.is_literal(item)) else {
                kept.push(item);
                continue;
            };
            if done.contains(&comparison.form) {
                continue;
            }
            let few = facts.about(&comparison);
            done.push(comparison.form);
            kept.extend(
                few.iter()
                    .map(|c| self.assumed(junction, c.literal(self.store))),
            );
        }
        kept
    }

    /// A formula with the literals replaced that facts decide. What follows from that is left to the
    /// next round: simplifying here would cost time exponential in the depth.
    fn under(&self, facts: &Facts, formula: Term, memo: &mut TermMap<Term>) -> Term {
        if let Some(&known) = memo.get(&formula) {
            return known;
        }
        let store = self.store;
        let node = store.node(formula);
        let result = match &node.op {
            Op::And | Op::Or => {
                let junction = if node.op == Op::And {
                    Junction::And
                } else {
                    Junction::Or
                };
                let mut items = Vec::new();
                for &item in &node.args {
                    items.push(self.under(facts, item, memo));
                }
                let flat = self.flat(junction, &items);
                self.connect(junction, flat)
            }
            Op::Forall | Op::Exists => {
                // Bound variables have their own names, so no fact is about them.
                let (body, vars) = node.args.split_last().unwrap_or((&formula, &[]));
                let body = self.under(facts, *body, memo);
                match node.op {
                    Op::Forall => store.forall(vars, body),
                    _ => store.exists(vars, body),
                }
            }
            _ if self.step() => facts
                .decide(store, formula)
                .map_or(formula, |value| store.bool(value)),
            _ => formula,
        };
        memo.insert(formula, result);
        result
    }

    /// Leaves out members that another member makes superfluous.
    fn without_implied(&self, junction: Junction, items: Vec<Term>) -> Vec<Term> {
        let clauses: Vec<Vec<Term>> = items
            .iter()
            .map(|&item| {
                self.members(junction.dual(), item)
                    .iter()
                    .map(|&l| self.assumed(junction, l))
                    .collect()
            })
            .collect();
        if items.len() > MOST_CLAUSES {
            return items;
        }
        let mut dropped = vec![false; items.len()];
        for i in 0..items.len() {
            for j in 0..items.len() {
                if i != j && !dropped[i] && !dropped[j] && self.subsumes(&clauses[i], &clauses[j]) {
                    dropped[j] = true;
                }
            }
        }
        let kept = items.into_iter().zip(dropped).filter(|(_, gone)| !gone);
        kept.map(|(item, _)| item).collect()
    }

    /// Whether every literal of one clause implies some literal of the other.
    fn subsumes(&self, small: &[Term], large: &[Term]) -> bool {
        small.len() <= large.len()
            && small
                .iter()
                .all(|&a| large.iter().any(|&b| self.implies(a, b)))
    }

    fn implies(&self, a: Term, b: Term) -> bool {
        if a == b {
            return true;
        }
        let compared =
            |t: Term| matches!(self.store.op(self.store.strip_not(t).0), Op::Le | Op::Eq);
        if !compared(a) || !compared(b) || !self.step() {
            return false;
        }
        let (Some(x), Some(y)) = (
            Comparison::proper(self.store, a),
            Comparison::proper(self.store, b),
        ) else {
            return false;
        };
        if x.form != y.form {
            return false;
        }
        let mut facts = Facts::default();
        facts.learn(self.store, a);
        facts.decide(self.store, b) == Some(true)
    }
}
