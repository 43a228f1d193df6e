//! Implicants: literals that are true in a model and imply a formula.
//!
//! ```text
//! implicant(φ, μ)   for μ ⊨ φ: literals L with μ ⊨ L and ⋀L ⊨ φ
//! ```
//!
//! Of a true disjunction one true disjunct is followed, of a conditional the chosen branch; `ite`
//! terms inside atoms are resolved the same way, so the literals of an implicant of T describe one
//! path through the step: guards and updates.

use foretell_terms::eval::Outcome;
use foretell_terms::{Op, Sort, Substitution, Term, TermMap, TermSet, TermStore, Value};

/// What evaluation says of formulas.
pub fn known(values: &TermMap<Outcome>) -> impl Fn(Term) -> Option<bool> {
    |formula| match values.get(&formula) {
        Some(Ok(Value::Bool(b))) => Some(*b),
        _ => None,
    }
}

/// The literals, by the truth of the subformulas; `None` when it does not make the formulas true for
/// certain.
pub fn implicant(
    terms: &TermStore,
    roots: &[Term],
    truth: &dyn Fn(Term) -> Option<bool>,
) -> Option<Vec<Term>> {
    let mut search = Search {
        terms,
        truth,
        work: Vec::new(),
        seen: TermSet::default(),
        lits: TermSet::default(),
    };
    for &root in roots {
        search.want(root)?;
    }
    while let Some(formula) = search.work.pop() {
        search.open(formula)?;
    }
    Some(search.lits.into_iter().collect())
}

struct Search<'a> {
    terms: &'a TermStore,
    truth: &'a dyn Fn(Term) -> Option<bool>,
    /// Formulas (negated where false) still to be explained.
    work: Vec<Term>,
    seen: TermSet,
    lits: TermSet,
}

impl Search<'_> {
    /// The formula or its negation, whichever is true.
    fn signed(&self, formula: Term) -> Option<Term> {
        Some(if (self.truth)(formula)? {
            formula
        } else {
            self.terms.not(formula)
        })
    }

    fn is_true(&self, literal: Term) -> bool {
        let (positive, negated) = self.terms.strip_not(literal);
        (self.truth)(positive) == Some(!negated)
    }

    /// Asks for an explanation of a true formula.
    fn want(&mut self, literal: Term) -> Option<()> {
        self.is_true(literal).then_some(())?;
        if self.seen.insert(literal) {
            self.work.push(literal);
        }
        Some(())
    }

    fn open(&mut self, literal: Term) -> Option<()> {
        let (formula, negated) = self.terms.strip_not(literal);
        let value = !negated;
        let node = self.terms.node(formula);
        let terms = self.terms;
        let sign = |child: Term| if value { child } else { terms.not(child) };
        match node.op {
            Op::True | Op::False => Some(()),
            Op::And if value => node.args.iter().try_for_each(|&a| self.want(a)),
            Op::Or if !value => node.args.iter().try_for_each(|&a| self.want(terms.not(a))),
            Op::And | Op::Or => {
                let witness = self.choose(node.args.iter().map(|&a| sign(a)))?;
                self.want(witness)
            }
            Op::Ite => {
                let condition = self.signed(node.args[0])?;
                self.want(condition)?;
                self.want(sign(
                    node.args[if condition == node.args[0] { 1 } else { 2 }],
                ))
            }
            Op::Eq if self.terms.sort(node.args[0]) == Sort::BOOL => node
                .args
                .iter()
                .try_for_each(|&side| self.signed(side).and_then(|s| self.want(s))),
            Op::Forall | Op::Exists => None,
            _ => {
                let atom = self.resolve(formula)?;
                self.lits
                    .insert(if value { atom } else { self.terms.not(atom) });
                Some(())
            }
        }
    }

    /// A true one of these formulas; one that is explained already, if there is one.
    fn choose(&self, literals: impl Iterator<Item = Term>) -> Option<Term> {
        let mut fitting = literals.filter(|&l| self.is_true(l));
        let first = fitting.next()?;
        let explained = |l: &Term| self.seen.contains(l);
        Some(if explained(&first) {
            first
        } else {
            fitting.find(explained).unwrap_or(first)
        })
    }

    /// The atom with every `ite` term replaced by its chosen branch.
    fn resolve(&mut self, atom: Term) -> Option<Term> {
        let mut result = atom;
        loop {
            // Outermost first: conditions in branches that are not chosen need no explanation.
            let mut pairs = Vec::new();
            let mut stack = vec![result];
            let mut visited = TermSet::default();
            while let Some(term) = stack.pop() {
                let node = self.terms.node(term);
                if node.op == Op::Ite {
                    let condition = self.signed(node.args[0])?;
                    self.want(condition)?;
                    pairs.push((
                        term,
                        node.args[if condition == node.args[0] { 1 } else { 2 }],
                    ));
                    continue;
                }
                stack.extend(node.args.iter().copied().filter(|&a| visited.insert(a)));
            }
            if pairs.is_empty() {
                return Some(result);
            }
            result = Substitution::from_pairs(pairs).apply(self.terms, result);
        }
    }
}
