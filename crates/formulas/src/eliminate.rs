//! Variables eliminated from a conjunction, exactly, as far as that is cheap.
//!
//! ```text
//! ∃x. φ        becomes                              when
//! (a ∧ b) ∨ (a ∧ c)      a ∧ (b ∨ c)                                                    // fn factored
//! b = store(a, i, t)     b = store(a, i, t) ∧ b[i] = t    it defines a variable          // fn read_out
//! x = e ∧ φ              φ[x := e]                                                      // solve.rs
//! ⋀ lᵢ ≤ x ∧ ⋀ x ≤ uⱼ ∧ φ      ⋀ lᵢ ≤ uⱼ ∧ φ     x not in φ, and not more conjuncts      // fn resolved
//! ```
//!
//! Every line is an equivalence. The last one is Fourier and Motzkin's; over the integers it holds because
//! only bounds in which `x` stands without a factor are resolved.

use foretell_terms::linear::Linear;
use foretell_terms::number::is_negative;
use foretell_terms::{Op, Rational, Sort, Term, TermMap, TermSet, TermStore};

use crate::solve::{Equations, Solved, definition, solve};

/// Disjunctions are looked into so deep.
const DEPTH: u32 = 4;
/// Disjunctions with more parts are left as they are.
const MOST_PARTS: usize = 400;
/// So many rounds of factoring and solving.
const ROUNDS: usize = 4;

/// A formula solved for variables that may go.
pub fn eliminate(terms: &TermStore, formula: Term, may_go: &dyn Fn(Term) -> bool) -> Solved {
    let mut solved = Solved {
        rest: vec![formula],
        definitions: TermMap::default(),
    };
    for _ in 0..ROUNDS {
        let mut conjuncts = factored(terms, terms.and(solved.rest.iter().copied()), DEPTH);
        let more: Vec<Term> = conjuncts
            .iter()
            .filter_map(|&c| read_out(terms, c, may_go))
            .collect();
        conjuncts.extend(more);
        let round = solve(terms, &conjuncts, Equations::Linear, may_go);
        let done = round.definitions.is_empty();
        let substitution = &mut round.substitution();
        for value in solved.definitions.values_mut() {
            *value = substitution.apply(terms, *value);
        }
        solved.definitions.extend(round.definitions);
        solved.rest = round.rest;
        if done {
            break;
        }
    }
    solved
}

/// The conjuncts of a formula; what all parts of a disjunction say is said once.
fn factored(terms: &TermStore, formula: Term, depth: u32) -> Vec<Term> {
    let mut found = Vec::new();
    for conjunct in terms.conjuncts(formula) {
        if depth == 0 || *terms.op(conjunct) != Op::Or {
            found.push(conjunct);
            continue;
        }
        let parts = terms.disjuncts(conjunct).into_iter();
        let parts: Vec<TermSet> = parts
            .map(|part| factored(terms, part, depth - 1).into_iter().collect())
            .collect();
        let n_parts: usize = parts.iter().map(TermSet::len).sum();
        let common: TermSet = match parts.first() {
            Some(first) if n_parts <= MOST_PARTS => {
                let common = |t: &&Term| parts.iter().all(|part| part.contains(*t));
                first.iter().filter(common).copied().collect()
            }
            _ => TermSet::default(),
        };
        if common.is_empty() {
            found.push(conjunct);
            continue;
        }
        let own = |part: &TermSet| terms.and(part.iter().filter(|t| !common.contains(*t)).copied());
        let rest = terms.or(parts.iter().map(own));
        found.extend(common);
        if !terms.is_true(rest) {
            found.push(rest);
        }
    }
    found
}

/// What an equation with an array written to says about the value at that place, if that defines a
/// variable.
fn read_out(terms: &TermStore, conjunct: Term, may_go: &dyn Fn(Term) -> bool) -> Option<Term> {
    if *terms.op(conjunct) != Op::Eq {
        return None;
    }
    let (left, right) = (terms.args(conjunct)[0], terms.args(conjunct)[1]);
    let said = |whole: Term, written: Term| {
        let (Op::Store, [_, indices @ .., value]) = (terms.op(written), terms.args(written)) else {
            return None;
        };
        let cell = terms.eq(terms.select(whole, indices), *value);
        definition(terms, cell, Equations::Linear, may_go).map(|_| cell)
    };
    said(left, right).or_else(|| said(right, left))
}

/// A conjunction without those variables that occur in bounds only.
pub fn resolved(
    terms: &TermStore,
    mut conjuncts: Vec<Term>,
    may_go: &dyn Fn(Term) -> bool,
) -> Vec<Term> {
    let mut vars = terms.free_vars(&conjuncts);
    vars.retain(|&v| may_go(v) && matches!(terms.sort(v), Sort::INT | Sort::REAL));
    for var in vars {
        let of = |&c: &Term| terms.free_vars(&[c]).contains(&var);
        let (with, without): (Vec<Term>, Vec<Term>) = conjuncts.iter().partition(|c| of(c));
        let bounds: Option<Vec<Bound>> = with.iter().map(|&c| Bound::read(terms, c, var)).collect();
        let Some((lower, upper)) = bounds.map(|all| {
            all.into_iter()
                .partition::<Vec<Bound>, _>(|b| b.side == Side::Lower)
        }) else {
            continue;
        };
        if lower.len() * upper.len() > with.len() {
            continue;
        }
        let pairs = lower
            .iter()
            .flat_map(|l| upper.iter().map(|u| between(terms, l, u)));
        let pairs = terms.and(pairs);
        conjuncts = without;
        conjuncts.extend(terms.conjuncts(pairs));
    }
    conjuncts
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

/// `v ≥ term` or `v ≤ term`, or `>` and `<` over the reals.
struct Bound {
    side: Side,
    term: Term,
    strict: bool,
}

impl Bound {
    /// A conjunct as a bound of a variable that stands in it once and without a factor.
    fn read(terms: &TermStore, conjunct: Term, var: Term) -> Option<Bound> {
        let (atom, negated) = terms.strip_not(conjunct);
        if *terms.op(atom) != Op::Le {
            return None;
        }
        let (left, right) = (terms.args(atom)[0], terms.args(atom)[1]);
        let sort = terms.sort(var);
        // In the form `form ≤ 0` or `form < 0`.
        let difference = if negated {
            terms.sub(right, left)
        } else {
            terms.sub(left, right)
        };
        let mut form: Linear = terms.linear(difference);
        let integral = sort == Sort::INT;
        if negated && integral {
            form.constant += Rational::ONE;
        }
        let at = form.terms.iter().position(|(t, _)| *t == var)?;
        let (_, factor) = form.terms.remove(at);
        let one = factor == Rational::ONE;
        let nested = |(t, _): &(Term, Rational)| terms.free_vars(&[*t]).contains(&var);
        if !(one || factor == -Rational::ONE) || form.terms.iter().any(nested) {
            return None;
        }
        let side = if is_negative(&factor) {
            Side::Lower
        } else {
            Side::Upper
        };
        let rest = terms.linear_term(&form, sort);
        Some(Bound {
            side,
            // v + rest ≤ 0 is v ≤ -rest; -v + rest ≤ 0 is rest ≤ v.
            term: if one { terms.neg(rest) } else { rest },
            strict: negated && !integral,
        })
    }
}

fn between(terms: &TermStore, lower: &Bound, upper: &Bound) -> Term {
    if lower.strict || upper.strict {
        terms.lt(lower.term, upper.term)
    } else {
        terms.le(lower.term, upper.term)
    }
}

#[cfg(test)]
mod tests {
    use super::{eliminate, resolved};
    use foretell_terms::eval::Assignment;
    use foretell_terms::{Sort, Term, TermStore, Value};

    /// Numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, n: u64) -> i64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            i64::try_from((self.0 >> 33) % n).unwrap_or(0)
        }
    }

    fn literal(terms: &TermStore, vars: &[Term], numbers: &mut Numbers) -> Term {
        let mut any = || vars[usize::try_from(numbers.below(3)).unwrap_or(0)];
        let (a, b) = (any(), any());
        let sum = terms.add2(b, terms.int(numbers.below(5) - 2));
        match numbers.below(5) {
            0 => terms.eq(a, sum),
            1 => terms.lt(a, sum),
            2 => terms.le(sum, a),
            3 => terms.le(terms.int(numbers.below(7) - 3), a),
            _ => terms.le(a, sum),
        }
    }

    /// A conjunction in which a disjunction has common parts.
    fn formula(terms: &TermStore, vars: &[Term], numbers: &mut Numbers) -> Term {
        let mut lits = (0..6).map(|_| literal(terms, vars, numbers));
        let [a, b, c, d, e, f] = std::array::from_fn(|_| lits.next().unwrap_or(terms.tt()));
        let either = terms.or2(terms.and([a, b, c]), terms.and([d, a, c]));
        terms.and([either, e, f])
    }

    fn holds(terms: &TermStore, formula: Term, values: [(Term, i64); 3]) -> bool {
        let mut env = Assignment::new();
        for (var, value) in values {
            env.insert(var, Value::Int(value.into()));
        }
        matches!(terms.eval(formula, &env), Ok(Value::Bool(true)))
    }

    #[test]
    fn what_is_eliminated_is_said_by_the_rest() {
        let (mut numbers, mut gone) = (Numbers(3), 0);
        for _ in 0..80 {
            let terms = TermStore::new();
            let vars = ["x", "y", "z"].map(|name| terms.new_var(name, Sort::INT));
            let [x, y, z] = vars;
            let before = formula(&terms, &vars, &mut numbers);
            let goes = |v: Term| v == x;
            let after = eliminate(&terms, before, &goes);
            let after = terms.and(resolved(&terms, after.rest, &goes));
            gone += usize::from(!terms.free_vars(&[after]).contains(&x));
            for (at, other) in (-2..=2).flat_map(|a| (-2..=2).map(move |b| (a, b))) {
                let some = |f: Term| {
                    let mut values = (-12..=12).map(|n| [(x, n), (y, at), (z, other)]);
                    values.any(|v| holds(&terms, f, v))
                };
                assert_eq!(some(before), some(after), "{}", terms.print(before));
            }
        }
        assert!(gone > 40, "only {gone} times the variable was gone");
    }

    /// `∃v. b = store(a, i, v + a[i]) ∧ v ≥ 3` says what is in `b`.
    #[test]
    fn what_was_written_is_read_out() {
        let terms = TermStore::new();
        let row = terms.array_sort(&[Sort::INT], Sort::INT);
        let [a, b] = ["a", "b"].map(|name| terms.new_var(name, row));
        let [i, v] = ["i", "v"].map(|name| terms.new_var(name, Sort::INT));
        let sum = terms.add2(v, terms.select(a, &[i]));
        let written = terms.eq(b, terms.store(a, &[i], sum));
        let before = terms.and2(written, terms.le(terms.int(3), v));
        let after = eliminate(&terms, before, &|t| t == v);
        assert!(!terms.free_vars(&after.rest).contains(&v), "{after:?}");
        assert_eq!(after.rest.len(), 2);
    }
}
