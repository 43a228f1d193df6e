//! Predicates from formulas: `extract1 = extract0 ∘ saturate`.
//!
//! ```text
//! extract0(φ)   the atoms of the cases of φ over the location's parameters and the ghosts
//! saturate(φ)   for n = 1, 2, …: for each disjunction ⋁ s_i ≠ t_i of n pairs of index terms of one
//!               array, none of which contains a shorter entailed one:
//!                 φ ∧ ⋀ s_i = t_i unsatisfiable:  s_i < t_i and s_i > t_i are predicates
//! ```

use foretell_kernel::{Answer, Cx, Halt, Solver, SolverConfig, Work};
use foretell_systems::Pred;
use foretell_terms::{Op, Sort, Term, TermSet, TermStore};
use indexmap::IndexMap;

use super::path::{Feasible, Suffix};
use super::{Setting, cases};

/// The most pairs of index terms that are looked at.
const MAX_PAIRS: usize = 24;

/// The atoms of formulas that are predicates of a location.
pub(super) fn extract0(
    setting: &Setting<'_>,
    pred: Pred,
    formulas: &[Term],
    cx: &Cx<'_>,
) -> Vec<Term> {
    let terms = cx.terms;
    let mut found = TermSet::default();
    for literal in cases::cases(terms, formulas).into_iter().flatten() {
        for atom in terms.atoms(&[literal]) {
            let atom = one_spelling(terms, atom);
            if setting.speaks_of(pred, atom, terms) && terms.is_atom(atom) && is_plain(terms, atom)
            {
                found.insert(atom);
            }
        }
    }
    found.into_iter().collect()
}

/// With the equations between a ghost and other terms split into `<` and `>` (option
/// `split_equations`): a disequality that is a conjunct is entailed.
pub(super) fn split_equations(
    setting: &Setting<'_>,
    atoms: Vec<Term>,
    terms: &TermStore,
) -> Vec<Term> {
    let mut found: TermSet = atoms.iter().copied().collect();
    for atom in atoms
        .into_iter()
        .filter(|_| setting.options.split_equations)
    {
        let args = terms.args(atom);
        let split = *terms.op(atom) == Op::Eq
            && comparable(terms, terms.sort(args[0]))
            && !terms.any_subterm(atom, |s, t| *s.op(t) == Op::Select)
            && terms
                .free_vars(&[atom])
                .iter()
                .any(|v| setting.ghosts.contains(v));
        if split {
            let sides = [less(terms, args[0], args[1]), less(terms, args[1], args[0])];
            found.extend(sides.map(|side| one_spelling(terms, side)));
        }
    }
    found.into_iter().filter(|&a| terms.is_atom(a)).collect()
}

/// The canonical positive form of an atom or its negation.
fn one_spelling(terms: &TermStore, literal: Term) -> Term {
    terms
        .strip_not(terms.canonical_atom(terms.strip_not(literal).0))
        .0
}

/// Without a read over a write and without a choice.
fn is_plain(terms: &TermStore, atom: Term) -> bool {
    !terms.any_subterm(atom, |s, t| matches!(s.op(t), Op::Store | Op::Ite))
}

impl Setting<'_> {
    /// Whether a formula is about a location's parameters and the ghosts only.
    fn speaks_of(&self, pred: Pred, formula: Term, terms: &TermStore) -> bool {
        let params = self.program.params(pred);
        let vars = terms.free_vars(&[formula]);
        !vars.is_empty()
            && vars
                .iter()
                .all(|v| params.contains(v) || self.ghosts.contains(v))
    }
}

/// How much of a formula predicates are taken from.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// Only saturation.
    Nothing,
    Core,
    Whole,
}

/// Extraction from formulas of paths.
pub(super) struct Extraction<'s> {
    pub(super) setting: &'s Setting<'s>,
    /// The longest disjunction.
    pub(super) length: usize,
    pub(super) limit: Work,
}

impl Extraction<'_> {
    /// `extract0(saturate(φ))`, of the whole formula or of its core.
    pub(super) fn extract1(
        &self,
        from: &Feasible,
        part: Part,
        cx: &Cx<'_>,
    ) -> Result<Vec<Term>, Halt> {
        let formula: &[Term] = match part {
            Part::Nothing => &[],
            Part::Core => &from.core,
            Part::Whole => &from.suffix.formula,
        };
        let mut found: TermSet = extract0(self.setting, from.pred, formula, cx)
            .into_iter()
            .collect();
        for (s, t) in self.saturate(&from.suffix, from.pred, cx)? {
            for atom in [less(cx.terms, s, t), less(cx.terms, t, s)] {
                found.insert(one_spelling(cx.terms, atom));
            }
        }
        Ok(split_equations(
            self.setting,
            found.into_iter().collect(),
            cx.terms,
        ))
    }

    /// The pairs of index terms in entailed disjunctions of disequalities.
    fn saturate(
        &self,
        suffix: &Suffix,
        pred: Pred,
        cx: &Cx<'_>,
    ) -> Result<Vec<(Term, Term)>, Halt> {
        let pairs = self.pairs(&suffix.formula, pred, cx.terms);
        let mut solver = cx
            .oracles
            .solver(&SolverConfig::new("saturate").with_limit(self.limit));
        for &part in suffix.formula.iter().chain(&suffix.facts) {
            solver.assert(cx.terms, part)?;
        }
        let mut entailed: Vec<Vec<usize>> = Vec::new();
        let mut queries = self.setting.options.saturation_queries;
        for length in 1..=self.length.min(pairs.len()) {
            let mut next = Some((0..length).collect::<Vec<usize>>());
            while let Some(choice) = next {
                cx.budget.check()?;
                if queries == 0 {
                    break;
                }
                next = following(&choice, pairs.len());
                if entailed
                    .iter()
                    .any(|e| e.iter().all(|i| choice.contains(i)))
                {
                    continue;
                }
                queries -= 1;
                let equal: Vec<Term> = choice
                    .iter()
                    .map(|&i| cx.terms.eq(pairs[i].0, pairs[i].1))
                    .collect();
                if refuted(solver.as_mut(), &equal, cx)? {
                    entailed.push(choice);
                }
            }
        }
        let used: indexmap::IndexSet<usize> = entailed.into_iter().flatten().collect();
        Ok(used.into_iter().map(|i| pairs[i]).collect())
    }

    /// Pairs of different index terms of the same array, those with a ghost first.
    fn pairs(&self, formula: &[Term], pred: Pred, terms: &TermStore) -> Vec<(Term, Term)> {
        let mut by_array: IndexMap<(Term, usize), TermSet> = IndexMap::new();
        for term in terms.subterms(formula) {
            let args = terms.args(term);
            let indices = match terms.op(term) {
                Op::Select => &args[1..],
                Op::Store => &args[1..args.len() - 1],
                _ => continue,
            };
            for root in roots(terms, args[0]) {
                for (at, &index) in indices.iter().enumerate() {
                    if comparable(terms, terms.sort(index))
                        && (terms.is_numeral(index) || self.setting.speaks_of(pred, index, terms))
                        && is_plain(terms, index)
                    {
                        by_array.entry((root, at)).or_default().insert(index);
                    }
                }
            }
        }
        let mut pairs: indexmap::IndexSet<(Term, Term)> = indexmap::IndexSet::new();
        for points in by_array.values() {
            for (i, &s) in points.iter().enumerate() {
                for &t in points.iter().skip(i + 1).filter(|&&t| differs(terms, s, t)) {
                    pairs.insert((s.min(t), s.max(t)));
                }
            }
        }
        let ghosts = |(s, t): &(Term, Term)| {
            [s, t]
                .into_iter()
                .filter(|x| self.setting.ghosts.contains(*x))
                .count()
        };
        let mut pairs: Vec<(Term, Term)> = pairs.into_iter().collect();
        pairs.sort_by_key(|p| std::cmp::Reverse(ghosts(p)));
        pairs.truncate(MAX_PAIRS);
        pairs
    }
}

/// The variables an array term is made from.
fn roots(terms: &TermStore, array: Term) -> Vec<Term> {
    let mut found = TermSet::default();
    let mut work = vec![array];
    while let Some(term) = work.pop() {
        let args = terms.args(term);
        match terms.op(term) {
            Op::Store | Op::Select => work.push(args[0]),
            Op::Ite => work.extend(&args[1..]),
            _ => {
                found.insert(term);
            }
        }
    }
    found.into_iter().collect()
}

fn comparable(terms: &TermStore, sort: Sort) -> bool {
    sort == Sort::INT || sort == Sort::REAL || terms.width(sort).is_some()
}

/// Whether two terms may be equal in one state and different in another.
fn differs(terms: &TermStore, s: Term, t: Term) -> bool {
    terms.sort(s) == terms.sort(t)
        && !terms
            .free_vars(&[terms.canonical_atom(terms.eq(s, t))])
            .is_empty()
}

/// `s < t` in the order of their sort.
fn less(terms: &TermStore, s: Term, t: Term) -> Term {
    if terms.width(terms.sort(s)).is_some() {
        terms.bv_ult(s, t)
    } else {
        terms.lt(s, t)
    }
}

fn refuted(solver: &mut dyn Solver, formulas: &[Term], cx: &Cx<'_>) -> Result<bool, Halt> {
    solver.push();
    for &formula in formulas {
        solver.assert(cx.terms, formula)?;
    }
    let unsatisfiable = matches!(solver.check(&[], cx)?, Answer::Unsat(_));
    solver.pop();
    Ok(unsatisfiable)
}

/// The choice of as many of `0..n` that follows this one, both in ascending order.
fn following(choice: &[usize], n: usize) -> Option<Vec<usize>> {
    let k = choice.len();
    let at = (0..k).rev().find(|&i| choice[i] + (k - i) < n)?;
    let grown = (choice[at] + 1..).take(k - at);
    Some(choice[..at].iter().copied().chain(grown).collect())
}

#[cfg(test)]
mod tests {
    use super::following;

    fn choices(n: usize, k: usize) -> usize {
        let first: Vec<usize> = (0..k).collect();
        let all: Vec<_> = std::iter::successors(Some(first), |c| following(c, n)).collect();
        assert!(
            all.is_sorted()
                && all
                    .iter()
                    .all(|c| c.is_sorted() && c.iter().all(|&i| i < n))
        );
        all.len()
    }

    #[test]
    fn all_choices_follow_one_another() {
        assert_eq!(
            [choices(4, 1), choices(4, 2), choices(4, 4), choices(7, 3)],
            [4, 6, 1, 35]
        );
    }
}
