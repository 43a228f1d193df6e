//! Destructive equality resolution: a conjunction solved for some of its variables.
//!
//! ```text
//! x = i + 1 ∧ b = store(a, i, x) ∧ x < n      for x, b      i + 1 < n,  x := i + 1,  b := store(a, i, i + 1)
//! a = store(a, 0, 0)                          for a         stays: a occurs on both sides
//! ```
//!
//! `∃x. (x = e ∧ φ)` is `φ[x := e]` when `x` does not occur in `e`, and dually for `∀` and implications.

use foretell_kernel::{Cx, Halt};
use foretell_terms::{Op, Rational, Sort, Substitution, Term, TermMap, TermStore};

/// A conjunction without the variables it was solved for.
#[derive(Clone, Debug, Default)]
pub struct Solved {
    /// What is left of the conjunction.
    pub rest: Vec<Term>,
    /// The definitions; no right-hand side mentions a defined variable.
    pub definitions: TermMap<Term>,
}

impl Solved {
    /// The definitions as a substitution.
    pub fn substitution(&self) -> Substitution {
        Substitution::from_pairs(self.definitions.iter().map(|(&x, &e)| (x, e)))
    }
}

/// Solves a formula for as many variables as its equations define, among those that may go.
pub fn solve(formula: Term, may_go: &dyn Fn(Term) -> bool, cx: &Cx<'_>) -> Result<Solved, Halt> {
    let terms = cx.terms;
    let mut solved = Solved::default();
    let mut work: Vec<Term> = terms.conjuncts(formula);
    let mut map = Substitution::new();
    loop {
        let before = solved.definitions.len();
        let mut open: Vec<Term> = std::mem::take(&mut work);
        open.reverse();
        while let Some(conjunct) = open.pop() {
            cx.budget.check()?;
            let now = map.apply(terms, conjunct);
            let parts = terms.conjuncts(now);
            let &[part] = parts.as_slice() else {
                // Substitution opened new conjuncts: a definition from one of them has to be put into
                // the next before that one is looked at.
                open.extend(parts.iter().rev());
                continue;
            };
            match definition(terms, part, may_go) {
                Some((var, value)) => {
                    define(&mut solved.definitions, var, value, terms);
                    map = solved.substitution();
                }
                None => work.push(part),
            }
        }
        if solved.definitions.len() == before {
            break;
        }
    }
    solved.rest = work.into_iter().map(|c| map.apply(terms, c)).collect();
    Ok(solved)
}

fn define(definitions: &mut TermMap<Term>, var: Term, value: Term, terms: &TermStore) {
    let mut step = Substitution::from_pairs([(var, value)]);
    for old in definitions.values_mut() {
        *old = step.apply(terms, *old);
    }
    definitions.insert(var, value);
}

/// What a conjunct defines: a variable that may go, and its value, in which it does not occur.
fn definition(
    terms: &TermStore,
    conjunct: Term,
    may_go: &dyn Fn(Term) -> bool,
) -> Option<(Term, Term)> {
    let goes = |t: Term| terms.as_var(t).is_some() && may_go(t);
    let (atom, negated) = terms.strip_not(conjunct);
    if goes(atom) {
        return Some((atom, terms.bool(!negated)));
    }
    if *terms.op(atom) != Op::Eq {
        return None;
    }
    let (left, right) = (terms.args(atom)[0], terms.args(atom)[1]);
    if negated {
        // `p xor q` defines either by the other's complement; other disequalities define nothing.
        let boolean = terms.sort(left) == Sort::BOOL;
        return boolean
            .then(|| direct(terms, left, terms.not(right), &goes))
            .flatten()
            .or_else(|| {
                boolean
                    .then(|| direct(terms, right, terms.not(left), &goes))
                    .flatten()
            });
    }
    // The younger side first: front ends make the variable of a definition after what defines it.
    direct(terms, right, left, &goes)
        .or_else(|| direct(terms, left, right, &goes))
        .or_else(|| linear(terms, left, right, &goes))
}

fn direct(
    terms: &TermStore,
    var: Term,
    value: Term,
    goes: &dyn Fn(Term) -> bool,
) -> Option<(Term, Term)> {
    (goes(var) && !occurs(terms, var, value)).then_some((var, value))
}

/// Solves `left = right` for a variable with a coefficient that divides.
fn linear(
    terms: &TermStore,
    left: Term,
    right: Term,
    goes: &dyn Fn(Term) -> bool,
) -> Option<(Term, Term)> {
    let sort = terms.sort(left);
    if sort != Sort::INT && sort != Sort::REAL {
        return None;
    }
    let form = terms.linear(terms.sub(left, right));
    let divides = |c: &Rational| sort == Sort::REAL || c.is_one() || (-c.clone()).is_one();
    let (at, _) = form.terms.iter().enumerate().find(|(i, (t, c))| {
        let elsewhere = || {
            form.terms
                .iter()
                .enumerate()
                .any(|(j, (u, _))| j != *i && occurs(terms, *t, *u))
        };
        goes(*t) && divides(c) && !elsewhere()
    })?;
    let mut rest = form.clone();
    let (var, coefficient) = rest.terms.remove(at);
    let factor = -(Rational::ONE / coefficient);
    rest.terms
        .iter_mut()
        .for_each(|(_, c)| *c = c.clone() * factor.clone());
    rest.constant *= factor;
    Some((var, terms.linear_term(&rest, sort)))
}

fn occurs(terms: &TermStore, var: Term, term: Term) -> bool {
    // A term is younger than its subterms.
    var <= term && terms.any_subterm(term, |_, t| t == var)
}

#[cfg(test)]
mod tests {
    use super::solve;
    use crate::testing::with_cx;
    use foretell_terms::Sort;

    #[test]
    fn definitions_go_and_constraints_stay() {
        with_cx(|cx| {
            let t = cx.terms;
            let [x, y, z] = ["x", "y", "z"].map(|n| t.new_var(n, Sort::INT));
            let a = t.new_var("a", t.array_sort(&[Sort::INT], Sort::INT));
            let (p, q) = (t.new_var("p", Sort::BOOL), t.new_var("q", Sort::BOOL));
            let fixed = t.eq(a, t.store(a, &[t.int(0)], t.int(0)));
            let formula = t.and([
                t.eq(t.add2(x, t.int(1)), t.add2(y, z)),
                t.eq(y, t.add2(z, t.int(2))),
                fixed,
                t.xor(p, q),
                t.lt(y, t.int(9)),
            ]);
            let solved = solve(formula, &|v| v != z && v != q, cx).unwrap();
            let left: Vec<String> = solved.rest.iter().map(|&c| t.print(c)).collect();
            assert_eq!(left, ["(= a (store a 0 0))", "(< (+ z 2) 9)"]);
            let defined = |v| solved.definitions.get(&v).map(|&e| t.print(e));
            assert_eq!(defined(x).unwrap(), "(+ (* 2 z) 1)");
            assert_eq!(defined(p).unwrap(), "(not q)");
        });
    }

    /// The disjunction becomes three equations once p is known; the last of them is no definition, because
    /// the two before it say what both of its sides are.
    #[test]
    fn conjuncts_that_open_late_are_solved_one_after_the_other() {
        with_cx(|cx| {
            let t = cx.terms;
            let [x, y, z] = ["x", "y", "z"].map(|n| t.new_var(n, Sort::INT));
            let p = t.new_var("p", Sort::BOOL);
            let cycle = t.and([
                t.eq(x, t.add2(y, t.int(1))),
                t.eq(y, t.add2(z, t.int(1))),
                t.eq(z, x),
            ]);
            let solved = solve(t.and2(t.or2(p, cycle), t.not(p)), &|_| true, cx).unwrap();
            let values: Vec<_> = solved.definitions.values().copied().collect();
            let mut used = t.free_vars(&values).into_iter();
            assert!(
                !used.any(|v| solved.definitions.contains_key(&v)),
                "{:?}",
                solved.definitions
            );
            // x = x + 2, for whichever variable is left.
            assert_eq!(
                (solved.rest.len(), solved.definitions.len()),
                (1, 3),
                "{:?}",
                solved.rest
            );
        });
    }
}
