//! Bit-vector operators applied to terms.

use foretell_terms::{BvOp, Sort, Term};

use crate::apply::Call;
use crate::builtin::{Builtin, Comparison, OverflowOf, Signedness};
use crate::diagnostic::{Code, Diagnostic, Outcome, excerpt};
use crate::sorts::MAX_WIDTH;

impl Call<'_> {
    pub(crate) fn bit_vector(&self, op: Builtin) -> Outcome<Term> {
        let terms = self.terms;
        match op {
            Builtin::Bv(op @ (BvOp::Not | BvOp::Neg | BvOp::ToNat)) => {
                self.vectors(1, Some(1)).map(|a| terms.bv_op(op, &a))
            }
            Builtin::Bv(op) => self.vectors(2, Some(2)).map(|a| terms.bv_op(op, &a)),
            Builtin::BvLeft(BvOp::Concat) => self.concat(),
            Builtin::BvLeft(op) => self
                .vectors(2, None)
                .map(|a| self.left(&a, |x, y| terms.bv_op(op, &[x, y]))),
            Builtin::BvSub => self
                .vectors(2, None)
                .map(|a| self.left(&a, |x, y| terms.bv_sub(x, y))),
            Builtin::BvNegated(op) => self
                .vectors(2, Some(2))
                .map(|a| terms.bv_op(BvOp::Not, &[terms.bv_op(op, &a)])),
            Builtin::BvComp => self.vectors(2, Some(2)).map(|a| terms.bv_comp(a[0], a[1])),
            Builtin::BvReduceOr => {
                let a = self.vectors(1, Some(1))?[0];
                let zero = terms.bv(0, terms.bv_width(a));
                Ok(terms.bv_op(BvOp::Not, &[terms.bv_comp(a, zero)]))
            }
            Builtin::BvReduceAnd => {
                let a = self.vectors(1, Some(1))?[0];
                Ok(terms.bv_comp(a, terms.bv(-1, terms.bv_width(a))))
            }
            Builtin::BvCompare(order, sign) => self
                .vectors(2, Some(2))
                .map(|a| self.bv_compare(order, sign, a[0], a[1])),
            Builtin::SignedToInt => self.vectors(1, Some(1)).map(|a| self.signed_to_int(a[0])),
            Builtin::NegOverflow => {
                let a = self.vectors(1, Some(1))?[0];
                Ok(terms.eq(a, self.least(terms.bv_width(a))))
            }
            Builtin::Overflow(of, sign) => self
                .vectors(2, Some(2))
                .and_then(|a| self.overflow(of, sign, a[0], a[1])),
            _ => Err(Diagnostic::error(
                Code::MalformedTerm,
                self.span(),
                "no bit-vector operator",
            )),
        }
    }

    /// Bit-vectors of one width.
    fn vectors(&self, least: usize, most: Option<usize>) -> Outcome<Vec<Term>> {
        self.arity(least, most)?;
        let sort = self.terms.sort(self.args[0].term);
        if self.terms.width(sort).is_none() {
            return Err(self.mismatch(0, "a bit-vector"));
        }
        (0..self.args.len()).map(|i| self.expect(i, sort)).collect()
    }

    fn concat(&self) -> Outcome<Term> {
        self.arity(2, None)?;
        let mut total = 0u32;
        for (i, arg) in self.args.iter().enumerate() {
            let width = self.terms.width(self.terms.sort(arg.term));
            let width = width.ok_or_else(|| self.mismatch(i, "a bit-vector"))?;
            total = self.within(u64::from(total) + u64::from(width))?;
        }
        let args: Vec<Term> = self.args.iter().map(|a| a.term).collect();
        Ok(self.left(&args, |x, y| self.terms.bv_op(BvOp::Concat, &[x, y])))
    }

    /// The width, if it is not too large.
    fn within(&self, width: u64) -> Outcome<u32> {
        u32::try_from(width)
            .ok()
            .filter(|&w| w <= MAX_WIDTH)
            .ok_or_else(|| {
                let message = format!("bit-vectors have at most {MAX_WIDTH} bits");
                Diagnostic::error(Code::Limit, self.span(), message)
            })
    }

    fn bv_compare(&self, order: Comparison, sign: Signedness, a: Term, b: Term) -> Term {
        let terms = self.terms;
        let le = |x, y| match sign {
            Signedness::Signed => terms.bv_sle(x, y),
            Signedness::Unsigned => terms.bv_ule(x, y),
        };
        match order {
            Comparison::Le => le(a, b),
            Comparison::Ge => le(b, a),
            Comparison::Lt => terms.not(le(b, a)),
            Comparison::Gt => terms.not(le(a, b)),
        }
    }

    /// `100…0`.
    fn least(&self, width: u32) -> Term {
        let one = self.terms.bv(1, width);
        self.terms
            .bv_op(BvOp::Shl, &[one, self.terms.bv(width - 1, width)])
    }

    fn signed_to_int(&self, a: Term) -> Term {
        let terms = self.terms;
        let width = terms.bv_width(a);
        let unsigned = terms.bv_op(BvOp::ToNat, &[a]);
        let modulus = terms.int(foretell_terms::Integer::from(
            foretell_terms::number::power_of_two(width),
        ));
        let negative = terms.bv_slt(a, terms.bv(0, width));
        terms.ite(negative, terms.sub(unsigned, modulus), unsigned)
    }

    fn overflow(&self, of: OverflowOf, sign: Signedness, a: Term, b: Term) -> Outcome<Term> {
        let terms = self.terms;
        let width = terms.bv_width(a);
        if of == OverflowOf::Div {
            let minus_one = terms.bv(-1, width);
            return Ok(terms.and2(terms.eq(a, self.least(width)), terms.eq(b, minus_one)));
        }
        if of == OverflowOf::Sub && sign == Signedness::Unsigned {
            return Ok(terms.bv_ult(a, b));
        }
        // Compute in a width where nothing overflows; compare with the result cut and extended
        // again.
        let by = if of == OverflowOf::Mul { width } else { 1 };
        self.within(u64::from(width) + u64::from(by))?;
        let extend = match sign {
            Signedness::Signed => BvOp::SignExtend(by),
            Signedness::Unsigned => BvOp::ZeroExtend(by),
        };
        let (x, y) = (terms.bv_op(extend, &[a]), terms.bv_op(extend, &[b]));
        let exact = match of {
            OverflowOf::Add => terms.bv_add(x, y),
            OverflowOf::Sub => terms.bv_sub(x, y),
            _ => terms.bv_op(BvOp::Mul, &[x, y]),
        };
        let cut = terms.bv_extract(exact, width - 1, 0);
        Ok(terms.not(terms.eq(exact, terms.bv_op(extend, &[cut]))))
    }

    /// An operator with numeric indices, `(_ name i …)`.
    pub(crate) fn indexed(&self, indices: &[u32]) -> Outcome<Term> {
        let terms = self.terms;
        match (self.name, indices) {
            ("extract", &[high, low]) => self.extract(high, low),
            ("zero_extend", &[by]) => self.extend(BvOp::ZeroExtend(by), by),
            ("sign_extend", &[by]) => self.extend(BvOp::SignExtend(by), by),
            ("rotate_left", &[by]) => self
                .vectors(1, Some(1))
                .map(|a| terms.bv_rotate_left(a[0], by)),
            ("rotate_right", &[by]) => self.vectors(1, Some(1)).map(|a| {
                let width = terms.bv_width(a[0]);
                terms.bv_rotate_left(a[0], width - by % width)
            }),
            ("repeat", &[times]) => self.repeat(times),
            ("int2bv" | "int_to_bv" | "nat2bv", &[width]) => {
                self.arity(1, Some(1))?;
                let width = self.positive(self.within(u64::from(width))?)?;
                Ok(terms.bv_op(BvOp::FromInt(width), &[self.expect(0, Sort::INT)?]))
            }
            ("divisible", &[divisor]) => {
                self.arity(1, Some(1))?;
                let divisor = terms.int(self.positive(divisor)?);
                Ok(terms.eq(
                    terms.modulo(self.expect(0, Sort::INT)?, divisor),
                    terms.int(0),
                ))
            }
            _ => Err(self.unknown_index(indices)),
        }
    }

    fn unknown_index(&self, indices: &[u32]) -> Box<Diagnostic> {
        let name = excerpt(self.name);
        if let Some(feature) = crate::builtin::foreign(self.name) {
            return Diagnostic::unsupported(self.span(), format!("{feature} (`{name}`)"));
        }
        let message = format!("unknown operator `{name}` with {} indices", indices.len());
        Diagnostic::error(Code::UnknownSymbol, self.span(), message)
    }

    fn positive(&self, n: u32) -> Outcome<u32> {
        if n > 0 {
            return Ok(n);
        }
        let message = format!("the index of `{}` must be positive", self.name);
        Err(Diagnostic::error(Code::MalformedTerm, self.span(), message))
    }

    fn extract(&self, high: u32, low: u32) -> Outcome<Term> {
        let a = self.vectors(1, Some(1))?[0];
        let width = self.terms.bv_width(a);
        if low <= high && high < width {
            return Ok(self.terms.bv_extract(a, high, low));
        }
        let message = format!("bits {high} down to {low} of a bit-vector of {width} bits");
        Err(Diagnostic::error(Code::MalformedTerm, self.span(), message))
    }

    fn extend(&self, op: BvOp, by: u32) -> Outcome<Term> {
        let a = self.vectors(1, Some(1))?;
        self.within(u64::from(self.terms.bv_width(a[0])) + u64::from(by))?;
        Ok(self.terms.bv_op(op, &a))
    }

    fn repeat(&self, times: u32) -> Outcome<Term> {
        let a = self.vectors(1, Some(1))?[0];
        self.within(u64::from(self.terms.bv_width(a)) * u64::from(self.positive(times)?))?;
        Ok((1..times).fold(a, |whole, _| self.terms.bv_op(BvOp::Concat, &[whole, a])))
    }
}
