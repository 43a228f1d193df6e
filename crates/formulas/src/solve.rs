//! Destructive equality resolution: a conjunction solved for some of its variables.
//!
//! ```text
//! x = i + 1 ∧ b = store(a, i, x) ∧ x < n      for x, b      i + 1 < n,  x := i + 1,  b := store(a, i, i + 1)
//! a = store(a, 0, 0)                          for a         stays: a occurs on both sides
//!
//! solve(φ)                                                   // fn solve
//!   while some conjuncts of φ define variables that may go   // fn definition
//!     take one definition of each, those that lead back to themselves stay   // fn in_order
//!     φ ← the other conjuncts with all of them put in at once
//! ```
//!
//! `∃x. (x = e ∧ φ)` is `φ[x := e]` when `x` does not occur in `e`, and dually for `∀` and implications.

use foretell_terms::{Op, Rational, Sort, Substitution, Term, TermMap, TermSet, TermStore};

/// Which conjuncts count as definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equations {
    /// `v = e`, `v` and `¬v`.
    Direct,
    /// Also `p xor q`, and linear equations that can be solved for a variable.
    Linear,
}

/// A conjunction without the variables it was solved for.
#[derive(Clone, Debug, Default)]
pub struct Solved {
    /// What is left of the conjunction: no conjunct is `true`, none occurs twice.
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

/// Solves a conjunction for as many variables as its conjuncts define, among those that may go.
pub fn solve(
    terms: &TermStore,
    conjuncts: &[Term],
    equations: Equations,
    may_go: &dyn Fn(Term) -> bool,
) -> Solved {
    let mut rest = opened(terms, conjuncts.iter().copied());
    let mut definitions: TermMap<Term> = TermMap::default();
    loop {
        let mut found: TermMap<Definition> = TermMap::default();
        let mut kept = Vec::new();
        for conjunct in rest {
            match definition(terms, conjunct, equations, may_go) {
                Some((var, value)) if !found.contains_key(&var) => {
                    found.insert(var, Definition { conjunct, value });
                }
                _ => kept.push(conjunct),
            }
        }
        let mut round = Substitution::new();
        for ordered in in_order(terms, &found) {
            match ordered {
                Ordered::Closed(var) => {
                    let value = round.apply(terms, found[&var].value);
                    round.insert(var, value);
                    definitions.insert(var, value);
                }
                Ordered::Cyclic(var) => kept.push(found[&var].conjunct),
            }
        }
        if round.is_empty() {
            let rest = kept;
            return Solved { rest, definitions };
        }
        for value in definitions.values_mut() {
            *value = round.apply(terms, *value);
        }
        rest = opened(terms, kept.into_iter().map(|c| round.apply(terms, c)));
    }
}

/// The conjuncts of formulas, each once, without `true`.
fn opened(terms: &TermStore, formulas: impl Iterator<Item = Term>) -> TermSet {
    let mut found = TermSet::default();
    for formula in formulas.filter(|&f| !terms.is_true(f)) {
        if *terms.op(formula) == Op::And {
            found.extend(terms.conjuncts(formula));
        } else {
            found.insert(formula);
        }
    }
    found
}

/// What a conjunct defines: a variable that may go, and its value, in which it does not occur.
pub fn definition(
    terms: &TermStore,
    conjunct: Term,
    equations: Equations,
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
    let direct =
        |var: Term, value: Term| (goes(var) && !occurs(terms, var, value)).then_some((var, value));
    if negated {
        // `p xor q` defines either by the other's complement; other disequalities define nothing.
        let boolean = terms.sort(left) == Sort::BOOL && equations == Equations::Linear;
        return boolean
            .then(|| direct(left, terms.not(right)).or_else(|| direct(right, terms.not(left))))
            .flatten();
    }
    // The younger side first: front ends make the variable of a definition after what defines it.
    let found = direct(right, left).or_else(|| direct(left, right));
    match equations {
        Equations::Direct => found,
        Equations::Linear => found.or_else(|| linear(terms, left, right, &goes)),
    }
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
    let elsewhere = |var: Term| {
        let mut others = form.terms.iter().filter(|(t, _)| *t != var);
        others.any(|(t, _)| occurs(terms, var, *t))
    };
    let solvable = |(t, c): &(Term, Rational)| goes(*t) && divides(c) && !elsewhere(*t);
    let at = form.terms.iter().position(solvable)?;
    let mut rest = form;
    let (var, coefficient) = rest.terms.remove(at);
    let factor = -(Rational::ONE / coefficient);
    for (_, c) in &mut rest.terms {
        *c *= factor.clone();
    }
    rest.constant *= factor;
    Some((var, terms.linear_term(&rest, sort)))
}

fn occurs(terms: &TermStore, var: Term, term: Term) -> bool {
    // A term is younger than its subterms.
    var <= term && terms.any_subterm(term, |_, t| t == var)
}

/// A conjunct read as a definition.
struct Definition {
    conjunct: Term,
    value: Term,
}

/// A variable with a definition.
enum Ordered {
    /// Its definition is substituted.
    Closed(Term),
    /// Its definition depends on itself and stays an equation.
    Cyclic(Term),
}

/// The definitions such that each mentions only variables defined before it, or not at all.
fn in_order(terms: &TermStore, found: &TermMap<Definition>) -> Vec<Ordered> {
    let mut done = TermSet::default();
    let mut order = Vec::new();
    for &root in found.keys() {
        let mut stack = vec![root];
        let mut open = TermSet::default();
        while let Some(&var) = stack.last() {
            if done.contains(&var) {
                stack.pop();
                continue;
            }
            open.insert(var);
            let needs = terms.free_vars(&[found[&var].value]).into_iter();
            let missing: Vec<Term> = needs
                .filter(|v| found.contains_key(v) && !done.contains(v))
                .collect();
            if missing.iter().any(|v| open.contains(v)) {
                order.push(Ordered::Cyclic(var));
            } else if missing.is_empty() {
                order.push(Ordered::Closed(var));
            } else {
                stack.extend(missing);
                continue;
            }
            done.insert(var);
            open.shift_remove(&var);
            stack.pop();
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::{Equations, solve};
    use foretell_terms::{Sort, TermStore};

    #[test]
    fn definitions_go_and_constraints_stay() {
        let t = TermStore::new();
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
        let solved = solve(&t, &[formula], Equations::Linear, &|v| v != z && v != q);
        let left: Vec<String> = solved.rest.iter().map(|&c| t.print(c)).collect();
        assert_eq!(left, ["(= a (store a 0 0))", "(< (+ z 2) 9)"]);
        let defined = |v| solved.definitions.get(&v).map(|&e| t.print(e));
        assert_eq!(defined(x).unwrap(), "(+ (* 2 z) 1)");
        assert_eq!(defined(p).unwrap(), "(not q)");
        let direct = solve(&t, &[formula], Equations::Direct, &|v| v != z && v != q);
        assert_eq!((direct.definitions.len(), direct.rest.len()), (1, 4));
    }

    /// The disjunction becomes three equations once p is known; one of them is no definition, because
    /// the two others say what both of its sides are.
    #[test]
    fn what_leads_back_to_itself_stays() {
        let t = TermStore::new();
        let [x, y, z] = ["x", "y", "z"].map(|n| t.new_var(n, Sort::INT));
        let p = t.new_var("p", Sort::BOOL);
        let cycle = t.and([
            t.eq(x, t.add2(y, t.int(1))),
            t.eq(y, t.add2(z, t.int(1))),
            t.eq(z, x),
        ]);
        let formula = [t.or2(p, cycle), t.not(p)];
        let solved = solve(&t, &formula, Equations::Linear, &|_| true);
        let values: Vec<_> = solved.definitions.values().copied().collect();
        let mut used = t.free_vars(&values).into_iter();
        assert!(!used.any(|v| solved.definitions.contains_key(&v)));
        // x = x + 2, for whichever variable is left.
        assert_eq!((solved.rest.len(), solved.definitions.len()), (1, 3));
    }
}
