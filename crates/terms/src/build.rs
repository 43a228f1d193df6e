//! Builders of Boolean structure, equality, `ite`, applications and quantifiers.
//!
//! Builders simplify locally and terminate: constants fold, duplicates and units vanish, a term
//! meets its complement. Contract of every builder: the result is equivalent to the textbook term.
//! Arguments must be well-sorted; front ends check that before they build.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Func, Term, TermStore};

/// Which connective, and so which constant absorbs and which is neutral.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Connective {
    And,
    Or,
}

impl TermStore {
    /// `true`.
    pub fn tt(&self) -> Term {
        self.intern(Op::True, &[], Sort::BOOL)
    }

    /// `false`.
    pub fn ff(&self) -> Term {
        self.intern(Op::False, &[], Sort::BOOL)
    }

    /// The truth value as a term.
    pub fn bool(&self, value: impl Into<bool>) -> Term {
        if value.into() { self.tt() } else { self.ff() }
    }

    /// Whether the term is the constant `true`.
    pub fn is_true(&self, term: Term) -> bool {
        matches!(self.op(term), Op::True)
    }

    /// Whether the term is the constant `false`.
    pub fn is_false(&self, term: Term) -> bool {
        matches!(self.op(term), Op::False)
    }

    /// Application of a declared function.
    pub fn app(&self, func: Func, args: &[Term]) -> Term {
        let decl = self.decl(func);
        debug_assert_eq!(decl.args.len(), args.len(), "arity of {}", decl.name);
        let sort = decl.sort;
        self.intern(Op::App(func), args, sort)
    }

    /// Negation.
    pub fn not(&self, a: Term) -> Term {
        match self.op(a) {
            Op::True => self.ff(),
            Op::False => self.tt(),
            Op::Not => self.args(a)[0],
            _ => self.intern(Op::Not, &[a], Sort::BOOL),
        }
    }

    /// The term without its outermost negation, and whether there was one.
    pub fn strip_not(&self, a: Term) -> (Term, bool) {
        match self.op(a) {
            Op::Not => (self.args(a)[0], true),
            _ => (a, false),
        }
    }

    /// Conjunction.
    pub fn and(&self, args: impl IntoIterator<Item = Term>) -> Term {
        self.connect(Connective::And, args)
    }

    /// Conjunction of two.
    pub fn and2(&self, a: Term, b: Term) -> Term {
        self.and([a, b])
    }

    /// Disjunction.
    pub fn or(&self, args: impl IntoIterator<Item = Term>) -> Term {
        self.connect(Connective::Or, args)
    }

    /// Disjunction of two.
    pub fn or2(&self, a: Term, b: Term) -> Term {
        self.or([a, b])
    }

    fn connect(&self, connective: Connective, args: impl IntoIterator<Item = Term>) -> Term {
        let (neutral, absorbing, op) = match connective {
            Connective::And => (self.tt(), self.ff(), Op::And),
            Connective::Or => (self.ff(), self.tt(), Op::Or),
        };
        let mut kept = crate::TermSet::default();
        let mut complements = crate::TermSet::default();
        for arg in args {
            let (positive, negated) = self.strip_not(arg);
            let clash = if negated {
                kept.contains(&positive)
            } else {
                complements.contains(&arg)
            };
            if arg == absorbing || clash {
                return absorbing;
            }
            if negated {
                complements.insert(positive);
            }
            if arg != neutral {
                kept.insert(arg);
            }
        }
        match kept.len() {
            0 => neutral,
            1 => kept[0],
            _ => {
                let args: Vec<Term> = kept.into_iter().collect();
                self.intern(op, &args, Sort::BOOL)
            }
        }
    }

    /// `a => b`, that is `not a or b`.
    pub fn implies(&self, a: Term, b: Term) -> Term {
        self.or2(self.not(a), b)
    }

    /// Exclusive or.
    pub fn xor(&self, a: Term, b: Term) -> Term {
        self.not(self.eq(a, b))
    }

    /// Equality of two terms of one sort.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b), "equality of two sorts");
        if a == b {
            return self.tt();
        }
        if self.is_numeral(a) && self.is_numeral(b) {
            return self.ff();
        }
        if self.sort(a) == Sort::BOOL {
            return self.eq_bool(a, b);
        }
        if let Some(decided) = self.eq_data(a, b) {
            return decided;
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.intern(Op::Eq, &[a, b], Sort::BOOL)
    }

    fn eq_bool(&self, a: Term, b: Term) -> Term {
        match (self.op(a), self.op(b)) {
            (Op::True, _) => return b,
            (_, Op::True) => return a,
            (Op::False, _) => return self.not(b),
            (_, Op::False) => return self.not(a),
            _ => {}
        }
        // One spelling for `p <-> q` and its complement: negations move outside.
        let ((p, p_negated), (q, q_negated)) = (self.strip_not(a), self.strip_not(b));
        if p == q {
            return self.bool(p_negated == q_negated);
        }
        let (p, q) = if p < q { (p, q) } else { (q, p) };
        let same = self.intern(Op::Eq, &[p, q], Sort::BOOL);
        if p_negated == q_negated {
            same
        } else {
            self.not(same)
        }
    }

    /// Pairwise difference.
    pub fn distinct(&self, args: &[Term]) -> Term {
        let mut parts = Vec::new();
        for (i, &a) in args.iter().enumerate() {
            parts.extend(args[i + 1..].iter().map(|&b| self.not(self.eq(a, b))));
        }
        self.and(parts)
    }

    /// `if c then a else b`.
    pub fn ite(&self, c: Term, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b), "branches of two sorts");
        match self.op(c) {
            Op::True => return a,
            Op::False => return b,
            Op::Not => return self.ite(self.args(c)[0], b, a),
            _ => {}
        }
        if a == b {
            return a;
        }
        if self.sort(a) == Sort::BOOL {
            match (self.op(a), self.op(b)) {
                (Op::True, _) => return self.or2(c, b),
                (Op::False, _) => return self.and2(self.not(c), b),
                (_, Op::True) => return self.or2(self.not(c), a),
                (_, Op::False) => return self.and2(c, a),
                _ => {}
            }
        }
        self.intern(Op::Ite, &[c, a, b], self.sort(a))
    }

    /// `forall vars. body`. The variables must have been made for this binder alone.
    pub fn forall(&self, vars: &[Term], body: Term) -> Term {
        self.quantify(Op::Forall, vars, body)
    }

    /// `exists vars. body`. The variables must have been made for this binder alone.
    pub fn exists(&self, vars: &[Term], body: Term) -> Term {
        self.quantify(Op::Exists, vars, body)
    }

    fn quantify(&self, op: Op, vars: &[Term], body: Term) -> Term {
        if vars.is_empty() || self.is_true(body) || self.is_false(body) {
            return body;
        }
        let mut args = vars.to_vec();
        args.push(body);
        self.intern(op, &args, Sort::BOOL)
    }

    /// Whether the term is a numeral or truth constant: two different ones are never equal.
    pub fn is_numeral(&self, term: Term) -> bool {
        matches!(
            self.op(term),
            Op::True | Op::False | Op::Int(_) | Op::Real(_) | Op::BitVec(..)
        )
    }

    /// Rebuilds a node of this operator with other arguments, simplifying as the builders do.
    ///
    /// `sort` is the sort of the original node; it matters for constant arrays only.
    pub fn rebuild(&self, op: &Op, args: &[Term], sort: Sort) -> Term {
        match op {
            Op::True | Op::False | Op::Int(_) | Op::Real(_) | Op::BitVec(..) => {
                self.intern(op.clone(), args, sort)
            }
            Op::App(func) => self.app(*func, args),
            Op::Not => self.not(args[0]),
            Op::And => self.and(args.iter().copied()),
            Op::Or => self.or(args.iter().copied()),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Add => self.add(args),
            Op::Mul => self.mul(args),
            Op::Le => self.le(args[0], args[1]),
            Op::IDiv => self.idiv(args[0], args[1]),
            Op::Mod => self.modulo(args[0], args[1]),
            Op::RDiv => self.rdiv(args[0], args[1]),
            Op::ToReal => self.to_real(args[0]),
            Op::ToInt => self.to_int(args[0]),
            Op::Select => self.select(args[0], &args[1..]),
            Op::Store => self.store(args[0], &args[1..args.len() - 1], args[args.len() - 1]),
            Op::ConstArray => self.const_array(sort, args[0]),
            Op::Bv(op) => self.bv_op(*op, args),
            Op::Construct(constructor) => self.construct(*constructor, args),
            Op::Field(selector) => self.field(*selector, args[0]),
            Op::Is(constructor) => self.is(*constructor, args[0]),
            Op::Forall => self.forall(&args[..args.len() - 1], args[args.len() - 1]),
            Op::Exists => self.exists(&args[..args.len() - 1], args[args.len() - 1]),
        }
    }
}
