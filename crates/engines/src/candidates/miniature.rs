//! A program in miniature: its large numerals made small, so that short walks get through its loops.
//!
//! ```text
//! numerals from LARGE on, by size, in groups of neighbours (99999, 100000, 100001)
//! the smallest of group k  becomes  SMALL + k * STEP;   its neighbours keep their distance
//! ```
//!
//! Signs and order are kept. What holds of the small program need not hold of the large one, nor the other
//! way round: this is for guessing only. Limits: numerals that are no sizes (powers of two for wrapping)
//! are left alone.

use foretell_terms::{Integer, Op, Substitution, Term, TermSet, TermStore};

use crate::program::{Program, Rule};

/// Numerals below this stay what they are.
const LARGE: i64 = 20;
/// And those from here on.
const HUGE: i64 = 1 << 30;
/// What the first group becomes, and the distance to the next one.
const SMALL: i64 = 4;
const STEP: i64 = 2;
/// Numerals this close are neighbours.
const NEAR: i64 = 4;

/// The substitution that makes a program small, and its rules; `None` when it has no large numerals.
pub(super) fn of(program: &Program<'_>, terms: &TermStore) -> Option<(Substitution, Vec<Rule>)> {
    let roots: Vec<Term> = program
        .rules
        .iter()
        .flat_map(|r| r.post.iter().copied().chain([r.guard]))
        .collect();
    let mut numerals = TermSet::default();
    numerals.extend(
        terms
            .subterms(&roots)
            .into_iter()
            .filter(|&t| size(terms, t).is_some()),
    );
    let mut sizes: Vec<i64> = numerals.iter().filter_map(|&t| size(terms, t)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.is_empty() {
        return None;
    }
    let (mut small, mut group, mut first, mut last) = (Vec::new(), 0, sizes[0], sizes[0]);
    for n in sizes {
        if n - last > NEAR {
            (group, first) = (group + 1, n);
        }
        last = n;
        small.push((n, SMALL + group * STEP + (n - first)));
    }
    let pairs = numerals.into_iter().filter_map(|t| {
        let own = size(terms, t)?;
        let (_, new) = small.iter().find(|(n, _)| *n == own)?;
        let negative = terms.as_int(t).is_some_and(|n| *n < Integer::ZERO);
        Some((t, terms.int(if negative { -new } else { *new })))
    });
    let small = Substitution::from_pairs(pairs);
    let rules = program
        .rules
        .iter()
        .map(|r| rule(r, &small, terms))
        .collect();
    Some((small, rules))
}

/// The size of a large numeral.
fn size(terms: &TermStore, term: Term) -> Option<i64> {
    let Op::Int(n) = terms.op(term) else {
        return None;
    };
    let n = i64::try_from(n.clone()).ok()?.checked_abs()?;
    (LARGE..HUGE).contains(&n).then_some(n)
}

fn rule(rule: &Rule, small: &Substitution, terms: &TermStore) -> Rule {
    let apply = |t: Term| small.clone().apply(terms, t);
    Rule {
        body: rule.body.clone(),
        from: rule.from,
        to: rule.to,
        guard: apply(rule.guard),
        post: rule.post.iter().map(|&t| apply(t)).collect(),
        locals: rule.locals.clone(),
    }
}
