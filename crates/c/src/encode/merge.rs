//! Ways through a program that meet at a point become one.
//!
//! ```text
//! ways p ∧ c ∧ a with values v, and p ∧ ¬c ∧ b with values w
//!   one way p ∧ ite(c, a, b) with values ite(c, v, w)
//! ```
//!
//! The conditions of two ways are equal up to the branch where they part; only ways that part at a
//! condition and its negation (of `c ∨ d` also: `¬c` and `¬d`) are merged, since of others both might be
//! open in one execution. What both
//! values have in common stands outside of the choice: `s + 1` and `s - 1` become `s + ite(c, 1, -1)`, so
//! sums stay sums. Arrays that were written at fixed places become one array with choices in these cells.

use foretell_terms::{Integer, Op, Sort, Term, TermStore};
use indexmap::IndexSet;

use super::clause::Draft;

/// More ways into one point than this are not merged.
const MOST: usize = 500;
/// Writes beyond this number are not looked through for what two arrays have in common.
const DEEPEST: usize = 2_000;

/// One way for several; none if they cannot be told apart.
pub(super) fn merged(drafts: Vec<Draft<'_>>) -> Option<Draft<'_>> {
    if drafts.len() > MOST {
        return None;
    }
    from(drafts, 0)
}

/// The same for ways whose first conditions are equal.
fn from(mut drafts: Vec<Draft<'_>>, equal: usize) -> Option<Draft<'_>> {
    if drafts.len() < 2 {
        return drafts.pop();
    }
    let first = drafts.first()?;
    let terms = first.terms;
    let mut at = equal;
    while drafts
        .iter()
        .all(|d| d.constraint.get(at) == first.constraint.get(at))
    {
        first.constraint.get(at)?;
        at += 1;
    }
    let candidates: Vec<Term> = drafts
        .iter()
        .filter_map(|d| d.constraint.get(at).copied())
        .collect();
    let parts = |c: &Term| drafts.iter().all(|d| side(terms, d, at, *c).is_some());
    let condition = candidates.into_iter().find(parts)?;
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for mut draft in drafts {
        match side(terms, &draft, at, condition)? {
            Side::Yes => yes.push(draft),
            Side::No(said) => {
                let mut place = 0;
                draft.constraint.retain(|c| {
                    place += 1;
                    place <= at || !said.contains(c)
                });
                draft.constraint.insert(at, terms.not(condition));
                no.push(draft);
            }
        }
    }
    if yes.is_empty() || no.is_empty() {
        return None;
    }
    let (yes, no) = (from(yes, at + 1)?, from(no, at + 1)?);
    Some(join(yes, &no, at))
}

/// Where a way is with respect to a condition.
enum Side {
    /// It is its next condition.
    Yes,
    /// These of its conditions say that it does not hold.
    No(Vec<Term>),
}

fn side(terms: &TermStore, draft: &Draft<'_>, at: usize, condition: Term) -> Option<Side> {
    let rest = draft.constraint.get(at..)?;
    if rest.first() == Some(&condition) {
        return Some(Side::Yes);
    }
    let whole = terms.not(condition);
    if rest.first() == Some(&whole) {
        return Some(Side::No(vec![whole]));
    }
    let negated: Vec<Term> = terms
        .disjuncts(condition)
        .into_iter()
        .map(|part| terms.not(part))
        .collect();
    let all = negated.iter().all(|part| rest.contains(part));
    all.then_some(Side::No(negated))
}

/// One way for two that part at this condition.
fn join<'a>(mut yes: Draft<'a>, no: &Draft<'a>, at: usize) -> Draft<'a> {
    let terms = yes.terms;
    let condition = yes.constraint[at];
    let rest = |draft: &Draft<'_>| terms.and(draft.constraint[at + 1..].iter().copied());
    let both = terms.ite(condition, rest(&yes), rest(no));
    yes.constraint.truncate(at);
    if !terms.is_true(both) {
        yes.constraint.push(both);
    }
    yes.forget_ranges();
    // What only one way gave a value has none any more.
    yes.now.retain(|var, value| match no.now.get(var) {
        Some(&other) => {
            *value = choice(terms, condition, *value, other);
            true
        }
        None => false,
    });
    yes
}

/// `ite(c, a, b)`, with what both have in common outside.
fn choice(terms: &TermStore, c: Term, a: Term, b: Term) -> Term {
    if a == b {
        a
    } else if terms.sort(a) == Sort::INT {
        number(terms, c, a, b)
    } else {
        array(terms, c, a, b).unwrap_or_else(|| terms.ite(c, a, b))
    }
}

fn number(terms: &TermStore, c: Term, a: Term, b: Term) -> Term {
    let parts = |t: Term| -> Vec<Term> {
        match terms.op(t) {
            Op::Add => terms.args(t).to_vec(),
            _ => vec![t],
        }
    };
    let (left, right) = (parts(a), parts(b));
    let common: Vec<Term> = left.iter().copied().filter(|t| right.contains(t)).collect();
    if common.is_empty() {
        return terms.ite(c, a, b);
    }
    let rest = |list: &[Term]| {
        let others: Vec<Term> = list
            .iter()
            .copied()
            .filter(|t| !common.contains(t))
            .collect();
        match others[..] {
            [] => terms.int(Integer::ZERO),
            _ => terms.add(&others),
        }
    };
    let differing = terms.ite(c, rest(&left), rest(&right));
    let mut sum = common.clone();
    sum.push(differing);
    terms.add(&sum)
}

/// Two arrays that come from one by writes at fixed places.
fn array(terms: &TermStore, c: Term, a: Term, b: Term) -> Option<Term> {
    let (mut below_a, mut below_b) = (vec![a], vec![b]);
    for list in [&mut below_a, &mut below_b] {
        while let (Op::Store, true) = (terms.op(*list.last()?), list.len() < DEEPEST) {
            list.push(terms.args(*list.last()?)[0]);
        }
    }
    let known: IndexSet<Term> = below_b.iter().copied().collect();
    let base = below_a.iter().position(|t| known.contains(t))?;
    let end = below_b.iter().position(|t| *t == below_a[base])?;
    let written = below_a[..base].iter().chain(&below_b[..end]);
    let places: IndexSet<Vec<Term>> = written
        .map(|&t| {
            let args = terms.args(t);
            args[1..args.len() - 1].to_vec()
        })
        .collect();
    let fixed = |at: &Vec<Term>| at.iter().all(|&i| terms.as_int(i).is_some());
    if !places.iter().all(fixed) {
        return None;
    }
    let cell = |array: Term, at: &Vec<Term>| {
        let (x, y) = (terms.select(a, at), terms.select(b, at));
        terms.store(array, at, choice(terms, c, x, y))
    };
    Some(places.iter().fold(below_a[base], cell))
}
