//! Elimination of variables that an equation of the same conjunction defines.
//!
//! ```text
//! x = t ∧ φ    becomes    φ[x := t]        x in the given variables, not in t
//! ```
//!
//! Over integers and reals an equation is solved for a variable with coefficient 1 or -1.

use foretell_terms::{Op, Rational, Sort, Term, TermSet, TermStore};

/// The conjuncts without the variables that can be eliminated.
pub(super) fn eliminate(terms: &TermStore, conjuncts: Vec<Term>, vars: &[Term]) -> Vec<Term> {
    let mut conjuncts: TermSet = conjuncts.into_iter().collect();
    let mut left: Vec<Term> = vars.to_vec();
    while let Some((equation, var, value)) = conjuncts
        .iter()
        .find_map(|&c| definition(terms, c, &left).map(|(x, t)| (c, x, t)))
    {
        conjuncts.shift_remove(&equation);
        left.retain(|&v| v != var);
        let mut map = foretell_terms::Substitution::from_pairs([(var, value)]);
        let replaced = conjuncts.iter().map(|&c| map.apply(terms, c));
        conjuncts = replaced.filter(|&c| !terms.is_true(c)).collect();
    }
    conjuncts.into_iter().collect()
}

fn definition(terms: &TermStore, equation: Term, vars: &[Term]) -> Option<(Term, Term)> {
    if *terms.op(equation) != Op::Eq {
        let (atom, negated) = terms.strip_not(equation);
        return vars.contains(&atom).then(|| (atom, terms.bool(!negated)));
    }
    let args = terms.args(equation);
    for (x, t) in [(args[0], args[1]), (args[1], args[0])] {
        if vars.contains(&x) && !terms.free_vars(&[t]).contains(&x) {
            return Some((x, t));
        }
    }
    let sort = terms.sort(args[0]);
    if sort != Sort::INT && sort != Sort::REAL {
        return None;
    }
    let difference = terms.sub(args[0], args[1]);
    for (x, c) in terms.linear(difference).terms {
        let unit = c.is_one() || (-c.clone()).is_one();
        let rest = terms.sub(difference, terms.scale(&c, x));
        if unit && vars.contains(&x) && !terms.free_vars(&[rest]).contains(&x) {
            // c·x + rest = 0
            let value = if c.is_one() {
                terms.scale(&-Rational::ONE, rest)
            } else {
                rest
            };
            return Some((x, value));
        }
    }
    None
}
