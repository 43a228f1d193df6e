//! Random formulas with everything that the writer knows, and random values.

use foretell_kernel::Rng;
use foretell_terms::eval::{Assignment, FuncValue};
use foretell_terms::number::fraction;
use foretell_terms::{
    BvOp, ConstructorDecl, FieldDecl, Func, Integer, Natural, Sort, SortKind, Spelling, Term,
    TermStore, Value,
};

/// What a formula is mostly about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Integers,
    Reals,
    Vectors,
    Arrays,
    Data,
    Quantifiers,
}

pub(crate) const KINDS: [Kind; 6] = [
    Kind::Integers,
    Kind::Reals,
    Kind::Vectors,
    Kind::Arrays,
    Kind::Data,
    Kind::Quantifiers,
];

pub(crate) struct Maker<'s> {
    pub(crate) store: &'s TermStore,
    rng: Rng,
    kind: Kind,
    /// The free variables.
    pub(crate) vars: Vec<Term>,
    pub(crate) function: Func,
    narrow: Sort,
    cells: Sort,
    table: Sort,
    list: Sort,
}

/// Names that could be taken for something else.
const NAMES: [&str; 16] = [
    "x", "y", "x-y", "-x", "a b", "if", "k.", "x ∧ y", "1x", "#b01", "a[0]", "b, c", "x:", "k",
    "else 0", "main@%_1",
];

impl<'s> Maker<'s> {
    pub(crate) fn new(store: &'s TermStore, seed: u64, kind: Kind) -> Maker<'s> {
        let narrow = store.bv_sort(4);
        let list = store.declare_data("List", None);
        let constructor = |name: &str, fields: &[(&str, Sort)], spelling| ConstructorDecl {
            name: name.into(),
            fields: fields
                .iter()
                .map(|&(selector, sort)| FieldDecl {
                    selector: selector.into(),
                    sort,
                })
                .collect(),
            spelling,
        };
        store.define_data(
            list,
            vec![
                constructor("nil", &[], Spelling::WithSort),
                constructor(
                    "co ns",
                    &[("head", Sort::INT), ("-tail", list)],
                    Spelling::Plain,
                ),
            ],
        );
        let mut maker = Maker {
            store,
            rng: Rng::new(seed),
            kind,
            vars: Vec::new(),
            function: store.declare("f/2", &[Sort::INT, Sort::BOOL], Sort::INT),
            narrow,
            cells: store.array_sort(&[Sort::INT], Sort::INT),
            table: store.array_sort(&[Sort::INT, narrow], Sort::REAL),
            list,
        };
        for (place, name) in NAMES.iter().enumerate() {
            let sorts = maker.sorts();
            let sort = if place < 7 {
                sorts[place]
            } else {
                sorts[maker.below(sorts.len())]
            };
            maker.vars.push(store.new_var(name, sort));
        }
        maker
    }

    /// All sorts that occur.
    pub(crate) fn sorts(&self) -> [Sort; 7] {
        [
            Sort::BOOL,
            Sort::INT,
            Sort::REAL,
            self.narrow,
            self.cells,
            self.table,
            self.list,
        ]
    }

    fn below(&self, n: usize) -> usize {
        usize::try_from(self.rng.below(n as u64)).expect("small")
    }

    fn small(&self) -> i64 {
        i64::try_from(self.below(7)).expect("small") - 3
    }

    /// The sort that an atom is about.
    fn topic(&self) -> Sort {
        let own = match self.kind {
            Kind::Integers | Kind::Quantifiers => Sort::INT,
            Kind::Reals => Sort::REAL,
            Kind::Vectors => self.narrow,
            Kind::Arrays => [self.cells, self.table, Sort::INT][self.below(3)],
            Kind::Data => [self.list, Sort::INT][self.below(2)],
        };
        match self.below(5) {
            0 => self.sorts()[self.below(7)],
            _ => own,
        }
    }

    /// A formula over variables in scope.
    pub(crate) fn formula(&self, scope: &[Term], depth: u32) -> Term {
        let s = self.store;
        let Some(less) = depth.checked_sub(1) else {
            return self.atom(scope, 1);
        };
        let sub = || self.formula(scope, less);
        match self.below(if self.kind == Kind::Quantifiers {
            13
        } else {
            9
        }) {
            0 | 1 => self.atom(scope, 2),
            2 => s.not(sub()),
            3 => s.and([sub(), sub(), sub()]),
            4 => s.or([sub(), sub(), sub()]),
            5 => s.implies(sub(), sub()),
            6 => s.eq(sub(), sub()),
            7 => s.ite(sub(), sub(), sub()),
            8 => self.bounds(scope),
            _ => self.quantified(scope, less),
        }
    }

    /// `a ≤ v < b`.
    fn bounds(&self, scope: &[Term]) -> Term {
        let s = self.store;
        let sort = [Sort::INT, Sort::REAL][self.below(2)];
        let [low, middle, high] = [0; 3].map(|_| self.term(sort, scope, 1));
        let first = match self.below(2) {
            0 => s.le(low, middle),
            _ => s.lt(low, middle),
        };
        s.and2(first, s.lt(middle, high))
    }

    fn quantified(&self, scope: &[Term], depth: u32) -> Term {
        let s = self.store;
        let sort = match self.below(5) {
            0 => [Sort::BOOL, Sort::REAL, self.narrow][self.below(3)],
            _ => Sort::INT,
        };
        let vars: Vec<Term> = (0..1 + self.below(2)).map(|_| s.fresh("q", sort)).collect();
        let inner: Vec<Term> = scope.iter().chain(&vars).copied().collect();
        let guards = vars
            .iter()
            .filter(|_| sort == Sort::INT || sort == Sort::REAL);
        let guards = guards.flat_map(|&v| {
            let ends = [self.term(sort, scope, 1), self.term(sort, scope, 1)];
            [s.le(ends[0], v), s.lt(v, ends[1])]
        });
        let guard = s.and(guards.collect::<Vec<_>>());
        let body = self.formula(&inner, depth.min(1));
        match self.below(3) {
            0 => s.exists(&vars, s.and2(guard, body)),
            1 => s.forall(&vars, body),
            _ => s.forall(&vars, s.implies(guard, body)),
        }
    }

    fn atom(&self, scope: &[Term], depth: u32) -> Term {
        let s = self.store;
        let sort = self.topic();
        if sort == Sort::BOOL {
            return self.leaf(sort, scope);
        }
        let (a, b) = (self.term(sort, scope, depth), self.term(sort, scope, depth));
        let is_number = sort == Sort::INT || sort == Sort::REAL;
        let cons = s.constructors(self.list).nth(1).expect("two");
        match self.below(4) {
            0 if is_number => s.le(a, b),
            1 if is_number => s.lt(a, b),
            0 if sort == self.narrow => s.bv_ule(a, b),
            1 if sort == self.narrow => s.bv_ult(a, b),
            2 if sort == self.narrow => s.bv_sle(a, b),
            3 if sort == self.narrow => s.bv_slt(a, b),
            0 if sort == self.list => s.is(cons, a),
            1 => s.not(s.eq(a, b)),
            _ => s.eq(a, b),
        }
    }

    fn leaf(&self, sort: Sort, scope: &[Term]) -> Term {
        let fitting = scope.iter().filter(|&&v| self.store.sort(v) == sort);
        let fitting: Vec<Term> = fitting.copied().collect();
        if !fitting.is_empty() && self.below(4) > 0 {
            // The variable bound last is the most interesting.
            return fitting[self.below(2 * fitting.len()).min(fitting.len() - 1)];
        }
        let value = self.value(sort);
        self.store.value_term(&value, sort).expect("a constant")
    }

    fn term(&self, sort: Sort, scope: &[Term], depth: u32) -> Term {
        let s = self.store;
        if depth == 0 || self.below(4) == 0 {
            return self.leaf(sort, scope);
        }
        let sub = |sort: Sort| self.term(sort, scope, depth - 1);
        if self.below(8) == 0 {
            return s.ite(self.atom(scope, 0), sub(sort), sub(sort));
        }
        if sort == Sort::BOOL {
            return self.formula(scope, depth - 1);
        }
        let number = || self.store.int(self.small());
        if sort == Sort::INT {
            let selector = s.constructors(self.list).nth(1).expect("two");
            let head = s.selectors(selector).next().expect("a field");
            return match self.below(11) {
                0 => s.add2(sub(sort), sub(sort)),
                1 => s.sub(sub(sort), sub(sort)),
                2 => s.neg(sub(sort)),
                3 => s.mul(&[number(), sub(sort)]),
                4 => s.mul(&[sub(sort), sub(sort)]),
                5 => s.modulo(sub(sort), number()),
                6 => s.idiv(sub(sort), sub(sort)),
                7 => s.select(sub(self.cells), &[sub(sort)]),
                8 => s.app(self.function, &[sub(sort), sub(Sort::BOOL)]),
                9 => s.field(head, sub(self.list)),
                _ if self.below(2) == 0 => s.to_int(sub(Sort::REAL)),
                _ => s.bv_op(BvOp::ToNat, &[sub(self.narrow)]),
            };
        }
        if sort == Sort::REAL {
            return match self.below(6) {
                0 => s.add2(sub(sort), sub(sort)),
                1 => s.sub(sub(sort), sub(sort)),
                2 => s.mul(&[sub(sort), sub(sort)]),
                3 => s.rdiv(sub(sort), sub(sort)),
                4 => s.to_real(sub(Sort::INT)),
                _ => s.select(sub(self.table), &[sub(Sort::INT), sub(self.narrow)]),
            };
        }
        if sort == self.narrow {
            return self.vector(&sub);
        }
        if sort == self.list {
            let cons = s.constructors(sort).nth(1).expect("two");
            let tail = s.selectors(cons).nth(1).expect("two");
            return match self.below(3) {
                0 => s.field(tail, sub(sort)),
                _ => s.construct(cons, &[sub(Sort::INT), sub(sort)]),
            };
        }
        let (indices, element) = s.array_parts(sort).expect("an array");
        match self.below(4) {
            0 => s.const_array(sort, sub(element)),
            _ => {
                let at: Vec<Term> = indices.iter().map(|&i| sub(i)).collect();
                s.store(sub(sort), &at, sub(element))
            }
        }
    }

    fn vector(&self, sub: &dyn Fn(Sort) -> Term) -> Term {
        const OPS: [BvOp; 14] = [
            BvOp::And,
            BvOp::Or,
            BvOp::Xor,
            BvOp::Add,
            BvOp::Mul,
            BvOp::Udiv,
            BvOp::Urem,
            BvOp::Sdiv,
            BvOp::Srem,
            BvOp::Smod,
            BvOp::Shl,
            BvOp::Lshr,
            BvOp::Ashr,
            BvOp::Concat,
        ];
        let (s, own) = (self.store, self.narrow);
        match self.below(8) {
            0 => s.bv_op(BvOp::Not, &[sub(own)]),
            1 => s.bv_op(BvOp::Neg, &[sub(own)]),
            2 => s.bv_op(BvOp::FromInt(4), &[sub(Sort::INT)]),
            3 => {
                let part = s.bv_extract(sub(own), 2, 1);
                let longer = [BvOp::ZeroExtend(2), BvOp::SignExtend(2)][self.below(2)];
                s.bv_op(longer, &[part])
            }
            _ => match OPS[self.below(OPS.len())] {
                BvOp::Concat => {
                    let part = |t: Term| s.bv_extract(t, 3, 2);
                    s.bv_op(BvOp::Concat, &[part(sub(own)), part(sub(own))])
                }
                op => s.bv_op(op, &[sub(own), sub(own)]),
            },
        }
    }

    /// A small value of a sort.
    fn value(&self, sort: Sort) -> Value {
        let s = self.store;
        if sort == self.list {
            let [nil, cons] = [0, 1].map(|n| s.constructors(sort).nth(n).expect("two"));
            let mut list = Value::Data(nil, Vec::new());
            for _ in 0..self.below(3) {
                let head = Value::Int(Integer::from(self.small()));
                list = Value::Data(cons, vec![head, list]);
            }
            return list;
        }
        match s.kind(sort) {
            SortKind::Bool => Value::Bool(self.below(2) == 0),
            SortKind::Int => Value::Int(Integer::from(self.small())),
            SortKind::BitVec(width) => Value::BitVec(*width, Natural::from(self.rng.below(16))),
            SortKind::Array { indices, element } => {
                let default = self.value(*element);
                let mut array = s.constant_array_value(sort, default).expect("an array");
                for _ in 0..self.below(3) {
                    let at = indices.iter().map(|&i| self.value(i)).collect();
                    array.store(at, self.value(*element));
                }
                Value::Array(array)
            }
            _ => {
                let denominator = Integer::from(1 + self.below(3));
                Value::real(fraction(&Integer::from(self.small()), &denominator))
            }
        }
    }

    /// Values of everything that is free.
    pub(crate) fn valuation(&self) -> Assignment {
        let mut made = Assignment::new();
        for &var in &self.vars {
            made.insert(var, self.value(self.store.sort(var)));
        }
        let mut table = FuncValue {
            default: Some(self.value(Sort::INT)),
            ..FuncValue::default()
        };
        for _ in 0..4 {
            let at = vec![self.value(Sort::INT), self.value(Sort::BOOL)];
            table.entries.insert(at, self.value(Sort::INT));
        }
        made.functions.insert(self.function, table);
        made
    }

    /// Values for the variables of quantifiers.
    pub(crate) fn instances(&self, sort: Sort) -> Vec<Term> {
        let s = self.store;
        match s.kind(sort) {
            SortKind::Bool => vec![s.tt(), s.ff()],
            SortKind::BitVec(width) => (0..6).map(|n| s.bv(3 * n, *width)).collect(),
            SortKind::Real => (-2..3)
                .map(|n| s.real(fraction(&Integer::from(n), &Integer::from(2))))
                .collect(),
            _ => (-2..4).map(|n| s.int(n)).collect(),
        }
    }
}
