//! Expressions of C as terms over mathematical integers.
//!
//! Unsigned sums and differences get one correction by `2^w` instead of a remainder; conversions
//! between types of one width as well. Division and remainder of C go towards zero, those of
//! SMT-LIB are Euclidean: they agree where the dividend is not negative, and the sign is moved out
//! where it is.

use foretell_terms::{Integer, Op, Sort, Term, TermStore};

use crate::program::range::range;
use crate::program::{Arith, Compare, Expr, IntType, Program, Quantifier, Rank, VarId};

/// Where the values of variables come from while an expression becomes a term.
pub trait Reader {
    /// The value of a variable now.
    fn var(&mut self, var: VarId) -> Term;
    /// Called on every number that is read from a variable or a cell.
    fn read(&mut self, term: Term, ty: IntType);
}

/// The translation of expressions.
pub struct Ints<'a> {
    /// The store.
    pub terms: &'a TermStore,
    /// The program.
    pub program: &'a Program,
}

impl Ints<'_> {
    /// A number as a term.
    pub fn int(&self, n: i128) -> Term {
        self.terms.int(Integer::from(n))
    }

    fn power(&self, bits: u32) -> Term {
        self.int(1i128 << bits)
    }

    /// The term of a number.
    pub fn number(&self, e: &Expr, reader: &mut dyn Reader) -> Term {
        let t = self.terms;
        match e {
            Expr::Int(n) => self.int(*n),
            Expr::Var(var) => {
                let term = reader.var(*var);
                reader.read(term, self.program.var(*var).ty.element());
                term
            }
            Expr::Cell(var, indices) => {
                let mut term = reader.var(*var);
                for index in indices {
                    let at = self.number(index, reader);
                    term = t.select(term, &[at]);
                }
                reader.read(term, self.program.var(*var).ty.element());
                term
            }
            Expr::Arith(op, ty, pair) => {
                let (a, b) = (self.number(&pair[0], reader), self.number(&pair[1], reader));
                self.arith(*op, *ty, pair, (a, b))
            }
            Expr::Convert(ty, inner) => {
                let term = self.number(inner, reader);
                self.convert(*ty, range(&self.program.vars, inner), term)
            }
            Expr::Choose(three) => {
                let condition = self.truth(&three[0], reader);
                let (a, b) = (
                    self.number(&three[1], reader),
                    self.number(&three[2], reader),
                );
                t.ite(condition, a, b)
            }
            other => {
                let truth = self.truth(other, reader);
                t.ite(truth, self.int(1), self.int(0))
            }
        }
    }

    /// The formula of a truth value.
    pub fn truth(&self, e: &Expr, reader: &mut dyn Reader) -> Term {
        let t = self.terms;
        match e {
            Expr::Bool(b) => t.bool(*b),
            Expr::Compare(op, pair) => {
                let (a, b) = (self.number(&pair[0], reader), self.number(&pair[1], reader));
                match op {
                    Compare::Lt => t.lt(a, b),
                    Compare::Le => t.le(a, b),
                    Compare::Eq => self.equal(a, b),
                }
            }
            Expr::Not(inner) => t.not(self.truth(inner, reader)),
            Expr::And(list) => t.and(
                list.iter()
                    .map(|e| self.truth(e, reader))
                    .collect::<Vec<_>>(),
            ),
            Expr::Or(list) => t.or(list
                .iter()
                .map(|e| self.truth(e, reader))
                .collect::<Vec<_>>()),
            Expr::FromBool(inner) => self.truth(inner, reader),
            Expr::Quantified(which, vars, body) => {
                let bound: Vec<Term> = vars.iter().map(|v| reader.var(*v)).collect();
                let body = self.truth(body, reader);
                match which {
                    Quantifier::Forall => t.forall(&bound, body),
                    Quantifier::Exists => t.exists(&bound, body),
                }
            }
            number => {
                let term = self.number(number, reader);
                t.not(self.equal(term, self.int(0)))
            }
        }
    }

    /// Equality; a choice between constants compared with a constant becomes a formula.
    fn equal(&self, a: Term, b: Term) -> Term {
        let t = self.terms;
        let (choice, other) = if t.as_int(a).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        if let (Op::Ite, Some(_), &[c, x, y]) = (t.op(choice), t.as_int(other), t.args(choice))
            && t.as_int(x).is_some()
            && t.as_int(y).is_some()
        {
            return t.ite(c, t.eq(x, other), t.eq(y, other));
        }
        t.eq(a, b)
    }

    fn arith(&self, op: Arith, ty: IntType, pair: &[Expr; 2], (a, b): (Term, Term)) -> Term {
        let t = self.terms;
        let power = || self.power(ty.bits);
        let (left, right) = (
            range(&self.program.vars, &pair[0]),
            range(&self.program.vars, &pair[1]),
        );
        match op {
            Arith::Add if ty.signed => t.add2(a, b),
            Arith::Sub if ty.signed => t.sub(a, b),
            Arith::Mul if ty.signed => t.mul(&[a, b]),
            Arith::Add => {
                let sum = t.add2(a, b);
                let fits = left.1.checked_add(right.1).is_some_and(|n| ty.holds(n));
                if fits {
                    sum
                } else {
                    t.ite(t.lt(sum, power()), sum, t.sub(sum, power()))
                }
            }
            Arith::Sub => {
                let difference = t.sub(a, b);
                if left.0 >= right.1 {
                    return difference;
                }
                t.ite(t.lt(a, b), t.add2(difference, power()), difference)
            }
            Arith::Mul => {
                let product = t.mul(&[a, b]);
                let fits = left.1.checked_mul(right.1).is_some_and(|n| ty.holds(n));
                if fits {
                    product
                } else {
                    t.modulo(product, power())
                }
            }
            Arith::Div if left.0 >= 0 => t.idiv(a, b),
            Arith::Div => t.ite(
                t.ge(a, self.int(0)),
                t.idiv(a, b),
                t.neg(t.idiv(t.neg(a), b)),
            ),
            Arith::Rem if left.0 >= 0 => t.modulo(a, b),
            Arith::Rem => t.ite(
                t.ge(a, self.int(0)),
                t.modulo(a, b),
                t.neg(t.modulo(t.neg(a), b)),
            ),
            Arith::FloorDiv => t.idiv(a, b),
            Arith::FloorRem => t.modulo(a, b),
        }
    }

    /// A number between two bounds converted to a type.
    fn convert(&self, ty: IntType, (low, high): (i128, i128), term: Term) -> Term {
        let t = self.terms;
        if ty.rank == Rank::Bool {
            return t.ite(
                t.not(self.equal(term, self.int(0))),
                self.int(1),
                self.int(0),
            );
        }
        let (least, greatest) = ty.range();
        if least <= low && high <= greatest {
            return term;
        }
        let size = 1i128 << ty.bits;
        let power = self.int(size);
        if low >= least && high <= greatest + size {
            return t.ite(t.le(term, self.int(greatest)), term, t.sub(term, power));
        }
        if high <= greatest && low >= least - size {
            return t.ite(t.ge(term, self.int(least)), term, t.add2(term, power));
        }
        let moved = t.modulo(t.sub(term, self.int(least)), power);
        t.add2(moved, self.int(least))
    }

    /// `least <= term <= greatest` for a type.
    pub fn in_range(&self, term: Term, ty: IntType) -> Term {
        let (least, greatest) = ty.range();
        let t = self.terms;
        t.and([t.le(self.int(least), term), t.le(term, self.int(greatest))])
    }

    /// The array of this value everywhere, for a variable.
    pub fn constant_array(&self, sort: Sort, value: i128) -> Term {
        match self.terms.array_parts(sort).map(|(_, element)| element) {
            Some(element) => {
                let inner = self.constant_array(element, value);
                self.terms.const_array(sort, inner)
            }
            None => self.int(value),
        }
    }
}
