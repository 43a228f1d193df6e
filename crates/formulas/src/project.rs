//! Model-based projection: eliminating next values and inputs from a conjunction of literals.
//!
//! ```text
//! project(L, V, μ)   for μ ⊨ L: literals L' without V, μ ⊨ L' and ⋀L' ⊨ ∃V. ⋀L
//! ```
//!
//! In order: definitions `v = e` are substituted; linear equalities are solved; a variable that
//! occurs in linear bounds only is replaced by resolving its greatest lower bound (in μ) with every
//! other bound (Loos and Weispfenning; Komuravelli, Gurfinkel, Chaki, CAV 2014); what is left takes
//! its value in μ. Integers are resolved only through unit coefficients, else they take their value.

use foretell_terms::eval::Assignment;
use foretell_terms::linear::Linear;
use foretell_terms::number::{is_integer, is_negative};
use foretell_terms::{Op, Rational, Sort, Term, TermMap, TermSet, TermStore};

use crate::solve::{Equations, solve};

/// The projected literals; `None` when a value is missing or the literals do not hold in the model.
pub fn project(
    terms: &TermStore,
    lits: &[Term],
    eliminate: &TermSet,
    values: &Assignment,
) -> Option<Vec<Term>> {
    let projection = Projection {
        terms,
        eliminate,
        values,
    };
    let goes = |v: Term| eliminate.contains(&v);
    let mut lits = solve(terms, lits, Equations::Direct, &goes).rest;
    if lits.iter().any(|&l| terms.is_false(l)) {
        return None;
    }
    loop {
        let Some(var) = projection.occurring(&lits) else {
            return Some(lits);
        };
        lits = projection.eliminate_one(var, lits)?;
    }
}

struct Projection<'a> {
    terms: &'a TermStore,
    eliminate: &'a TermSet,
    values: &'a Assignment,
}

/// A linear literal in one variable: `coefficient * v + rest` compared with 0.
struct Bound {
    coefficient: Rational,
    rest: Linear,
    kind: Comparison,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    AtMost,
    Less,
}

impl Projection<'_> {
    /// Adds a literal unless it is `true`; `None` if it is `false`.
    fn keep(&self, lit: Term, into: &mut TermSet) -> Option<()> {
        if self.terms.is_false(lit) {
            return None;
        }
        if !self.terms.is_true(lit) {
            into.insert(lit);
        }
        Some(())
    }

    fn occurring(&self, lits: &[Term]) -> Option<Term> {
        self.terms
            .free_vars(lits)
            .into_iter()
            .find(|v| self.eliminate.contains(v))
    }

    fn eliminate_one(&self, var: Term, lits: Vec<Term>) -> Option<Vec<Term>> {
        let sort = self.terms.sort(var);
        let (with, without): (Vec<Term>, Vec<Term>) = lits
            .into_iter()
            .partition(|&l| self.terms.free_vars(&[l]).contains(&var));
        let mut result: TermSet = without.into_iter().collect();
        let bounds = if sort == Sort::INT || sort == Sort::REAL {
            with.iter()
                .map(|&l| self.bound(l, var))
                .collect::<Option<Vec<Bound>>>()
        } else {
            None
        };
        let resolved = bounds.and_then(|bounds| self.resolve(&bounds, sort));
        let replaced = match resolved {
            Some(lits) => lits,
            None => {
                let value = self.terms.value_term(self.values.get(var)?, sort)?;
                with.iter()
                    .map(|&l| self.terms.substitute(l, [(var, value)]))
                    .collect()
            }
        };
        for lit in replaced {
            self.keep(lit, &mut result)?;
        }
        Some(result.into_iter().collect())
    }

    /// Reads a literal as a linear comparison in `var`.
    fn bound(&self, lit: Term, var: Term) -> Option<Bound> {
        let (atom, negated) = self.terms.strip_not(lit);
        let (op, args) = (self.terms.op(atom), self.terms.args(atom));
        let (mut form, kind) = match (op, negated) {
            (Op::Eq, false) => (
                self.terms.linear(self.terms.sub(args[0], args[1])),
                Comparison::Equal,
            ),
            (Op::Le, false) => (
                self.terms.linear(self.terms.sub(args[0], args[1])),
                Comparison::AtMost,
            ),
            (Op::Le, true) => (
                self.terms.linear(self.terms.sub(args[1], args[0])),
                Comparison::Less,
            ),
            (Op::Eq, true) => {
                // A disequality is one of two strict orders; the model says which.
                let form = self.terms.linear(self.terms.sub(args[0], args[1]));
                let sign = self.value(&form)?;
                (
                    if is_negative(&sign) {
                        form
                    } else {
                        negate(form)
                    },
                    Comparison::Less,
                )
            }
            _ => return None,
        };
        let at = form.terms.iter().position(|(t, _)| *t == var)?;
        let (_, coefficient) = form.terms.remove(at);
        let nested = form
            .terms
            .iter()
            .any(|(t, _)| self.terms.free_vars(&[*t]).contains(&var));
        (!nested).then_some(Bound {
            coefficient,
            rest: form,
            kind,
        })
    }

    /// The literals `∃v. bounds`, as far as the model's choice of the greatest lower bound goes.
    fn resolve(&self, bounds: &[Bound], sort: Sort) -> Option<Vec<Term>> {
        let unit = |b: &Bound| {
            sort == Sort::REAL || b.coefficient == Rational::ONE || b.coefficient == -Rational::ONE
        };
        let pivot = match bounds
            .iter()
            .position(|b| b.kind == Comparison::Equal && unit(b))
        {
            Some(equation) => equation,
            None if !bounds.iter().all(unit) => return None,
            None => match self.greatest_lower_bound(bounds)? {
                Some(lower) => lower,
                // No lower bound: v may be as small as needed.
                None => return Some(Vec::new()),
            },
        };
        let others = bounds.iter().enumerate().filter(|(i, _)| *i != pivot);
        others
            .map(|(_, other)| self.combine(&bounds[pivot], other, sort))
            .collect()
    }

    /// The position of the lower bound that is largest in the model (strict before weak among equals).
    #[allow(clippy::option_option)]
    fn greatest_lower_bound(&self, bounds: &[Bound]) -> Option<Option<usize>> {
        let mut best: Option<(Rational, bool, usize)> = None;
        for (i, bound) in bounds
            .iter()
            .enumerate()
            .filter(|(_, b)| is_negative(&b.coefficient))
        {
            // -c*v + rest <= 0, that is v >= rest / c.
            let value = self.value(&bound.rest)? / -bound.coefficient.clone();
            let strict = bound.kind == Comparison::Less;
            let better = best
                .as_ref()
                .is_none_or(|(v, s, _)| value > *v || (value == *v && strict && !s));
            if better {
                best = Some((value, strict, i));
            }
        }
        Some(best.map(|(_, _, i)| i))
    }

    /// What the pivot (an equation or the chosen lower bound) says about another bound without v.
    fn combine(&self, pivot: &Bound, other: &Bound, sort: Sort) -> Option<Term> {
        let scale = other.coefficient.clone() / pivot.coefficient.clone();
        // other - scale * pivot has no v.
        let difference = add_scaled(&other.rest, &pivot.rest, &-scale.clone());
        if pivot.kind == Comparison::Equal {
            return Some(self.compare(difference, other.kind, sort));
        }
        let kind = if !is_negative(&other.coefficient) {
            // An upper bound: lower < v < upper.
            let strict = usize::from(pivot.kind == Comparison::Less)
                + usize::from(other.kind == Comparison::Less);
            if sort == Sort::INT && strict == 2 {
                // l < v < u over the integers needs l + 2 <= u.
                let mut gap = difference;
                gap.constant += Rational::ONE;
                return Some(self.compare(gap, Comparison::Less, sort));
            }
            if strict > 0 {
                Comparison::Less
            } else {
                Comparison::AtMost
            }
        } else if pivot.kind == Comparison::AtMost && other.kind == Comparison::Less {
            // Another lower bound, strictly below the chosen one.
            Comparison::Less
        } else {
            Comparison::AtMost
        };
        Some(self.compare(difference, kind, sort))
    }

    fn compare(&self, form: Linear, kind: Comparison, sort: Sort) -> Term {
        let mut form = form;
        let integral = form.terms.iter().all(|(_, c)| is_integer(c)) && is_integer(&form.constant);
        if sort == Sort::INT && !integral {
            form.make_primitive();
        }
        let zero = self
            .terms
            .numeral(&Rational::ZERO, sort)
            .expect("invariant: zero exists in Int and Real");
        let term = self.terms.linear_term(&form, sort);
        let atom = match kind {
            Comparison::Equal => self.terms.eq(term, zero),
            Comparison::AtMost => self.terms.le(term, zero),
            Comparison::Less => self.terms.lt(term, zero),
        };
        let (positive, negated) = self.terms.strip_not(atom);
        let canonical = self.terms.canonical_atom(positive);
        if negated {
            self.terms.not(canonical)
        } else {
            canonical
        }
    }

    /// The value of a linear form in the model.
    fn value(&self, form: &Linear) -> Option<Rational> {
        form.terms
            .iter()
            .try_fold(form.constant.clone(), |sum, (t, c)| {
                let value = self.terms.eval(*t, self.values).ok()?.number()?;
                Some(sum + c.clone() * value)
            })
    }
}

fn negate(form: Linear) -> Linear {
    Linear {
        terms: form.terms.into_iter().map(|(t, c)| (t, -c)).collect(),
        constant: -form.constant,
    }
}

fn add_scaled(a: &Linear, b: &Linear, factor: &Rational) -> Linear {
    let mut sum: TermMap<Rational> = a.terms.iter().cloned().collect();
    for (t, c) in &b.terms {
        *sum.entry(*t).or_insert(Rational::ZERO) += c.clone() * factor.clone();
    }
    sum.retain(|_, c| !c.is_zero());
    sum.sort_unstable_keys();
    Linear {
        terms: sum.into_iter().collect(),
        constant: a.constant.clone() + b.constant.clone() * factor.clone(),
    }
}
