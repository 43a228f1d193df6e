//! Operators applied to terms: arity and sorts are checked, then the term is built.

use foretell_terms::{Func, Sort, Term, TermStore};

use crate::builtin::{Builtin, Comparison};
use crate::diagnostic::{Code, Diagnostic, Outcome, excerpt};
use crate::lambda::Lambdas;
use crate::reader::Sexp;
use crate::span::Span;
use crate::templates::Templates;

/// The longest `distinct`: it is expanded to all pairs.
const MAX_DISTINCT: usize = 1500;

/// A term and the position of the token where its text starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub(crate) term: Term,
    pub(crate) at: usize,
}

/// An operator applied to terms.
pub(crate) struct Call<'c> {
    pub(crate) terms: &'c TermStore,
    pub(crate) lambdas: &'c Lambdas,
    pub(crate) templates: &'c Templates,
    /// The whole application, for its place and its text.
    pub(crate) sexp: Sexp<'c>,
    /// The name of the operator.
    pub(crate) name: &'c str,
    pub(crate) args: &'c [Value],
}

impl Call<'_> {
    pub(crate) fn builtin(&self, op: Builtin) -> Outcome<Term> {
        let terms = self.terms;
        match op {
            Builtin::True => self.arity(0, Some(0)).map(|()| terms.tt()),
            Builtin::False => self.arity(0, Some(0)).map(|()| terms.ff()),
            Builtin::Not => self.bools(1, Some(1)).map(|a| terms.not(a[0])),
            Builtin::And => self.bools(0, None).map(|a| terms.and(a)),
            Builtin::Or => self.bools(0, None).map(|a| terms.or(a)),
            Builtin::Xor => self
                .bools(2, None)
                .map(|a| self.left(&a, |x, y| terms.xor(x, y))),
            Builtin::Implies => {
                let args = self.bools(2, None)?;
                let (last, premises) = args.split_last().expect("invariant: arity was checked");
                let negated = premises.iter().map(|&p| terms.not(p));
                Ok(terms.or(negated.chain([*last])))
            }
            Builtin::Eq => self
                .alike(2)
                .map(|a| self.chain(&a, |x, y| self.equal(x, y))),
            Builtin::Distinct => self.distinct(),
            Builtin::Ite => self.ite(),
            Builtin::Select | Builtin::Store => self.array(op),
            Builtin::Bv(_)
            | Builtin::BvLeft(_)
            | Builtin::BvCompare(..)
            | Builtin::BvSub
            | Builtin::BvNegated(_)
            | Builtin::BvComp
            | Builtin::BvReduceOr
            | Builtin::BvReduceAnd
            | Builtin::SignedToInt
            | Builtin::Overflow(..)
            | Builtin::NegOverflow => self.bit_vector(op),
            _ => self.arithmetic(op),
        }
    }

    fn arithmetic(&self, op: Builtin) -> Outcome<Term> {
        let terms = self.terms;
        match op {
            Builtin::Add => self.numbers(1, None).map(|a| terms.add(&a)),
            Builtin::Mul => self.numbers(1, None).map(|a| terms.mul(&a)),
            Builtin::Sub => {
                let args = self.numbers(1, None)?;
                if args.len() == 1 {
                    return Ok(terms.neg(args[0]));
                }
                let mut parts = vec![args[0]];
                parts.extend(args[1..].iter().map(|&a| terms.neg(a)));
                Ok(terms.add(&parts))
            }
            Builtin::Divide => {
                self.arity(2, None)?;
                let reals = self.coerced(Sort::REAL)?;
                Ok(self.left(&reals, |x, y| terms.rdiv(x, y)))
            }
            Builtin::Div => self
                .of_sort(Sort::INT, 2, None)
                .map(|a| self.left(&a, |x, y| terms.idiv(x, y))),
            Builtin::Mod => self
                .of_sort(Sort::INT, 2, Some(2))
                .map(|a| terms.modulo(a[0], a[1])),
            Builtin::Abs => self.numbers(1, Some(1)).map(|a| terms.abs(a[0])),
            Builtin::Compare(order) => {
                let args = self.numbers(2, None)?;
                Ok(self.chain(&args, |x, y| match order {
                    Comparison::Le => terms.le(x, y),
                    Comparison::Lt => terms.lt(x, y),
                    Comparison::Ge => terms.ge(x, y),
                    Comparison::Gt => terms.gt(x, y),
                }))
            }
            Builtin::ToReal => {
                let args = self.numbers(1, Some(1))?;
                Ok(if terms.sort(args[0]) == Sort::REAL {
                    args[0]
                } else {
                    terms.to_real(args[0])
                })
            }
            Builtin::ToInt => self.one_real().map(|a| terms.to_int(a)),
            _ => self.one_real().map(|a| terms.is_int(a)),
        }
    }

    fn one_real(&self) -> Outcome<Term> {
        self.arity(1, Some(1))?;
        self.coerced(Sort::REAL).map(|args| args[0])
    }

    fn equal(&self, a: Term, b: Term) -> Term {
        let lambda = self.lambdas.occurs(self.terms, a) || self.lambdas.occurs(self.terms, b);
        if lambda {
            self.lambdas.equal(self.terms, a, b)
        } else {
            self.terms.eq(a, b)
        }
    }

    fn distinct(&self) -> Outcome<Term> {
        let args = self.alike(2)?;
        if args.len() > MAX_DISTINCT {
            let message = format!("distinct with more than {MAX_DISTINCT} arguments");
            return Err(Diagnostic::error(Code::Limit, self.span(), message));
        }
        Ok(self.terms.distinct(&args))
    }

    fn ite(&self) -> Outcome<Term> {
        self.arity(3, Some(3))?;
        self.expect(0, Sort::BOOL)?;
        let branches = Call {
            args: &self.args[1..],
            ..*self
        };
        let branches = branches.alike(2)?;
        Ok(self.terms.ite(self.args[0].term, branches[0], branches[1]))
    }

    fn array(&self, op: Builtin) -> Outcome<Term> {
        self.arity(1, None)?;
        let array = self.args[0].term;
        let Some((indices, element)) = self.terms.array_parts(self.terms.sort(array)) else {
            return Err(self.mismatch(0, "an array"));
        };
        let extra = if op == Builtin::Store { 2 } else { 1 };
        self.arity(indices.len() + extra, Some(indices.len() + extra))?;
        let at = indices
            .iter()
            .enumerate()
            .map(|(i, &sort)| self.coerce(i + 1, sort));
        let at = at.collect::<Outcome<Vec<Term>>>()?;
        if op == Builtin::Select {
            if self.lambdas.occurs(self.terms, array) {
                return Ok(self.lambdas.select(self.terms, array, &at));
            }
            return Ok(self.terms.select(array, &at));
        }
        let value = self.coerce(self.args.len() - 1, element)?;
        Ok(self.terms.store(array, &at, value))
    }

    /// `(as const sort)` applied to a value.
    pub(crate) fn const_array(&self, sort: Sort) -> Outcome<Term> {
        self.arity(1, Some(1))?;
        let Some((_, element)) = self.terms.array_parts(sort) else {
            let message = format!(
                "`as const` needs an array sort, found {}",
                self.sort_name(sort)
            );
            return Err(Diagnostic::error(Code::SortMismatch, self.span(), message));
        };
        Ok(self.terms.const_array(sort, self.coerce(0, element)?))
    }

    /// A declared function.
    pub(crate) fn function(&self, func: Func) -> Outcome<Term> {
        let args = self.signature(&self.terms.decl(func).args)?;
        Ok(self.terms.app(func, &args))
    }

    /// The arguments, converted to the sorts of a signature.
    pub(crate) fn signature(&self, sorts: &[Sort]) -> Outcome<Vec<Term>> {
        self.arity(sorts.len(), Some(sorts.len()))?;
        sorts
            .iter()
            .enumerate()
            .map(|(i, &sort)| self.coerce(i, sort))
            .collect()
    }

    /// Two or more terms of one sort; Int becomes Real when both occur.
    fn alike(&self, least: usize) -> Outcome<Vec<Term>> {
        self.arity(least, None)?;
        let sorts = || self.args.iter().map(|a| self.terms.sort(a.term));
        let first = self.terms.sort(self.args[0].term);
        let mixed = first == Sort::INT && sorts().any(|s| s == Sort::REAL);
        let open = |sort: Sort| self.templates.is_open(self.terms, sort);
        let first = sorts().find(|&s| !open(s)).unwrap_or(first);
        if open(first) {
            return Err(crate::data_terms::not_determined(self.sexp));
        }
        self.coerced(if mixed { Sort::REAL } else { first })
    }

    /// Numbers of one sort; Int becomes Real when both occur.
    fn numbers(&self, least: usize, most: Option<usize>) -> Outcome<Vec<Term>> {
        self.arity(least, most)?;
        for (i, arg) in self.args.iter().enumerate() {
            let sort = self.terms.sort(arg.term);
            if sort != Sort::INT && sort != Sort::REAL {
                return Err(self.mismatch(i, "Int or Real"));
            }
        }
        self.alike(least)
    }

    fn bools(&self, least: usize, most: Option<usize>) -> Outcome<Vec<Term>> {
        self.of_sort(Sort::BOOL, least, most)
    }

    fn of_sort(&self, sort: Sort, least: usize, most: Option<usize>) -> Outcome<Vec<Term>> {
        self.arity(least, most)?;
        (0..self.args.len()).map(|i| self.expect(i, sort)).collect()
    }

    fn coerced(&self, sort: Sort) -> Outcome<Vec<Term>> {
        (0..self.args.len()).map(|i| self.coerce(i, sort)).collect()
    }

    /// The argument, which must have this sort, or be an Int where a Real is expected.
    pub(crate) fn coerce(&self, i: usize, sort: Sort) -> Outcome<Term> {
        let term = self.args[i].term;
        if sort == Sort::REAL && self.terms.sort(term) == Sort::INT {
            return Ok(self.terms.to_real(term));
        }
        self.expect(i, sort)
    }

    /// The argument, which must have exactly this sort.
    pub(crate) fn expect(&self, i: usize, sort: Sort) -> Outcome<Term> {
        let term = self.args[i].term;
        if self.terms.sort(term) == sort {
            return Ok(term);
        }
        if let Some(fits) = self.templates.retarget(self.terms, term, sort) {
            return Ok(fits);
        }
        Err(self.mismatch(i, &self.sort_name(sort)))
    }

    pub(crate) fn mismatch(&self, i: usize, expected: &str) -> Box<Diagnostic> {
        let arg = self.args[i];
        let found = self.sort_name(self.terms.sort(arg.term));
        let span = Sexp {
            at: arg.at,
            ..self.sexp
        }
        .span();
        let name = excerpt(self.name);
        let message = format!(
            "argument {} of `{name}`: expected {expected}, found {found}",
            i + 1
        );
        Diagnostic::error(Code::SortMismatch, span, message)
    }

    pub(crate) fn arity(&self, least: usize, most: Option<usize>) -> Outcome<()> {
        let found = self.args.len();
        if found >= least && most.is_none_or(|most| found <= most) {
            return Ok(());
        }
        let expected = match most {
            Some(most) if most == least => format!("{least}"),
            Some(most) => format!("{least} to {most}"),
            None => format!("at least {least}"),
        };
        let plural = if expected == "1" { "" } else { "s" };
        let name = excerpt(self.name);
        let message = format!("`{name}` takes {expected} argument{plural}, found {found}");
        Err(Diagnostic::error(Code::Arity, self.span(), message))
    }

    pub(crate) fn span(&self) -> Span {
        self.sexp.span()
    }

    pub(crate) fn sort_name(&self, sort: Sort) -> String {
        excerpt(&self.terms.print_sort(sort))
    }

    pub(crate) fn left(&self, args: &[Term], mut op: impl FnMut(Term, Term) -> Term) -> Term {
        args[1..].iter().fold(args[0], |a, &b| op(a, b))
    }

    pub(crate) fn chain(&self, args: &[Term], mut op: impl FnMut(Term, Term) -> Term) -> Term {
        let pairs: Vec<Term> = args.windows(2).map(|pair| op(pair[0], pair[1])).collect();
        self.terms.and(pairs)
    }
}
