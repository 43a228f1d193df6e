//! Weaker literals with constants of the problem: what to try in the place of a literal of an
//! interpolant.
//!
//! Interpolants of an unrolling like to mention how far the unrolling went (`x <= 3` at step 3). A
//! literal is replaced by a weaker one over the same linear form whose constant occurs in the
//! groups, or by one half of an equality, where the steps allow it; such literals stay the same
//! from one unrolling to the next.

use foretell_terms::{Integer, Op, Rational, Sort, Term, TermStore};

/// The numerals of the groups, ascending, each also one up and one down.
pub(crate) fn constants(store: &TermStore, parts: &[Term]) -> Vec<Rational> {
    let mut out: Vec<Rational> = store
        .subterms(parts)
        .into_iter()
        .filter_map(|t| store.as_number(t))
        .collect();
    let one = Rational::from(Integer::ONE);
    let near: Vec<Rational> = out
        .iter()
        .flat_map(|q| [q.clone() + &one, q.clone() - &one])
        .collect();
    out.extend(near);
    out.sort();
    out.dedup();
    out
}

/// Literals weaker than `lit`, from the weakest to the least weak; each implies the one before it.
pub(crate) fn weaker(store: &TermStore, lit: Term, constants: &[Rational]) -> Vec<Term> {
    let canonical = store.canonical_atom(store.strip_not(lit).0);
    let (atom, turned) = store.strip_not(canonical);
    let negative = store.strip_not(lit).1 != turned;
    let (Op::Le, [left, right]) = (store.op(atom), store.args(atom)) else {
        return Vec::new();
    };
    let sort = store.sort(*left);
    // `left <= c`, or its negation: the larger side is the numeral's.
    let (form, bound, upper) = match (store.as_number(*left), store.as_number(*right)) {
        (None, Some(c)) => (*left, c, true),
        (Some(c), None) => (*right, c, false),
        _ => return Vec::new(),
    };
    // A positive upper bound and a negated lower bound become weaker upwards.
    let upwards = upper != negative;
    let mut better: Vec<&Rational> = constants
        .iter()
        .filter(|c| if upwards { **c > bound } else { **c < bound })
        .collect();
    if upwards {
        better.reverse();
    }
    let rebuilt = |c: &Rational| {
        let c = store.numeral(c, sort)?;
        let atom = if upper {
            store.le(form, c)
        } else {
            store.le(c, form)
        };
        Some(if negative { store.not(atom) } else { atom })
    };
    better.into_iter().filter_map(rebuilt).collect()
}

/// The halves of an arithmetic equality.
pub(crate) fn halves(store: &TermStore, lit: Term) -> Option<[Term; 2]> {
    let (Op::Eq, [a, b]) = (store.op(lit), store.args(lit)) else {
        return None;
    };
    matches!(store.sort(*a), Sort::INT | Sort::REAL).then(|| [store.le(*a, *b), store.le(*b, *a)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_move_to_constants_of_the_problem() {
        let s = TermStore::new();
        let x = s.new_var("x", Sort::INT);
        let cs = constants(&s, &[s.le(x, s.int(10)), s.le(s.int(0), x)]);
        let words = |t: Term| {
            weaker(&s, t, &cs)
                .iter()
                .map(|t| s.print(*t))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(words(s.le(x, s.int(3))), "(<= x 11) (<= x 10) (<= x 9)");
        assert_eq!(words(s.le(s.int(5), x)), "(< (- 1) x) (< 0 x) (< 1 x)");
        assert_eq!(words(s.eq(x, s.int(3))), "");
        assert!(halves(&s, s.eq(x, s.int(3))).is_some());
        assert!(halves(&s, s.le(x, s.int(3))).is_none());
    }
}
