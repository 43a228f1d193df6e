//! The term bank of one query: hash-consed terms in purified form.
//!
//! A term is a symbol, an application, a linear sum over terms that are not sums, the floor of a
//! linear sum, or a truth value. Sums are normalised, so `x+1` and `1+x` are one node, and the
//! arguments of a function are nodes both for congruence closure and (through [`TermBank::lin_of`])
//! for linear arithmetic: no purification variable exists.
//!
//! Invariant: `loc(t)` is the intersection of the node sets of the symbols of `t`; interpreted
//! nodes (numerals, truth values, floors) add no symbol.

use super::linear::Lin;
use super::locality::NodeSet;
use super::rational::Rat;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// A term of the bank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct TId(pub(crate) u32);

/// A symbol of the bank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct SymId(pub(crate) u32);

/// The sorts this crate distinguishes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Reals.
    Real,
    /// Any other sort, treated as uninterpreted.
    Other(u32),
}

impl Sort {
    /// Whether linear arithmetic applies.
    pub(crate) fn is_arith(self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
}

/// A term node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// `true` or `false` as a term.
    Truth(bool),
    /// A constant symbol.
    Sym(SymId),
    /// A function application.
    App(SymId, Box<[TId]>),
    /// A sum of the given sort: a numeral, or anything but a single term with coefficient 1.
    Lin(Sort, Lin),
    /// The greatest integer not above the expression: coefficients and constant in `[0, 1)`, not
    /// all zero.
    Floor(Lin),
}

/// What the bank knows of a symbol.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    /// The sort of its values.
    pub(crate) sort: Sort,
    /// Where it lives.
    pub(crate) loc: NodeSet,
    /// Whether it differs from every other value.
    pub(crate) is_value: bool,
}

/// The hash-consed terms of one query.
#[derive(Debug)]
pub(crate) struct TermBank {
    nodes: IndexSet<Node, FxBuildHasher>,
    /// Parallel to `nodes`.
    info: Vec<(Sort, NodeSet)>,
    symbols: Vec<Symbol>,
    all: NodeSet,
}

impl TermBank {
    /// An empty bank; `all` is where interpreted terms live.
    pub(crate) fn new(all: NodeSet) -> TermBank {
        let mut bank = TermBank {
            nodes: IndexSet::default(),
            info: Vec::new(),
            symbols: Vec::new(),
            all,
        };
        bank.intern(Node::Truth(true));
        bank.intern(Node::Truth(false));
        bank
    }

    /// The term `true`.
    pub(crate) const TRUE: TId = TId(0);
    /// The term `false`.
    pub(crate) const FALSE: TId = TId(1);

    /// Declares a symbol.
    pub(crate) fn declare(&mut self, sort: Sort, loc: NodeSet) -> SymId {
        self.symbols.push(Symbol {
            sort,
            loc,
            is_value: false,
        });
        SymId(self.symbols.len() as u32 - 1)
    }

    /// Declares a constant that differs from every other value of its sort.
    pub(crate) fn declare_value(&mut self, sort: Sort) -> SymId {
        self.symbols.push(Symbol {
            sort,
            loc: self.all.clone(),
            is_value: true,
        });
        SymId(self.symbols.len() as u32 - 1)
    }

    /// What is known of a symbol.
    pub(crate) fn symbol(&self, s: SymId) -> &Symbol {
        &self.symbols[s.0 as usize]
    }

    /// The node of a term.
    pub(crate) fn node(&self, t: TId) -> &Node {
        &self.nodes[t.0 as usize]
    }

    /// The sort of a term.
    pub(crate) fn sort(&self, t: TId) -> Sort {
        self.info[t.0 as usize].0
    }

    /// Where a term lives.
    pub(crate) fn loc(&self, t: TId) -> &NodeSet {
        &self.info[t.0 as usize].1
    }

    /// Where an expression lives.
    pub(crate) fn lin_loc(&self, l: &Lin) -> NodeSet {
        let mut loc = self.all.clone();
        for (t, _) in &l.terms {
            loc = loc.meet(self.loc(*t));
        }
        loc
    }

    /// Whether two terms live on a common node.
    pub(crate) fn mutual(&self, a: TId, b: TId) -> bool {
        self.loc(a).meets(self.loc(b))
    }

    fn intern(&mut self, node: Node) -> TId {
        if let Some(i) = self.nodes.get_index_of(&node) {
            return TId(i as u32);
        }
        let info = match &node {
            Node::Truth(_) => (Sort::Bool, self.all.clone()),
            Node::Sym(s) => (self.symbol(*s).sort, self.symbol(*s).loc.clone()),
            Node::App(s, args) => {
                let mut loc = self.symbol(*s).loc.clone();
                for a in args {
                    loc = loc.meet(self.loc(*a));
                }
                (self.symbol(*s).sort, loc)
            }
            Node::Lin(sort, l) => (*sort, self.lin_loc(l)),
            Node::Floor(l) => (Sort::Int, self.lin_loc(l)),
        };
        let (i, _) = self.nodes.insert_full(node);
        self.info.push(info);
        TId(i as u32)
    }

    /// The term of a constant symbol.
    pub(crate) fn constant(&mut self, s: SymId) -> TId {
        self.intern(Node::Sym(s))
    }

    /// An application.
    pub(crate) fn app(&mut self, s: SymId, args: &[TId]) -> TId {
        self.intern(Node::App(s, args.into()))
    }

    /// The term of an expression.
    pub(crate) fn term_of(&mut self, l: Lin, sort: Sort) -> TId {
        if l.k.is_zero()
            && let [(t, c)] = l.terms.as_slice()
            && c.is_one()
            && self.sort(*t) == sort
        {
            return *t;
        }
        self.intern(Node::Lin(sort, l))
    }

    /// The expression of an arithmetic term.
    pub(crate) fn lin_of(&self, t: TId) -> Lin {
        match self.node(t) {
            Node::Lin(_, l) => l.clone(),
            _ => Lin::var(t),
        }
    }

    /// Whether every term of the expression is an integer.
    pub(crate) fn all_int(&self, l: &Lin) -> bool {
        l.terms.iter().all(|(t, _)| self.sort(*t) == Sort::Int)
    }

    /// `floor(l)` for an expression over integers, integer parts of coefficients pulled out.
    pub(crate) fn floor(&mut self, l: &Lin) -> Lin {
        let mut whole = Lin::constant(l.k.floor());
        let mut rest = Lin::constant(l.k.frac());
        for (t, c) in &l.terms {
            let f = c.floor();
            if !f.is_zero() {
                whole.terms.push((*t, f));
            }
            let r = c.frac();
            if !r.is_zero() {
                rest.terms.push((*t, r));
            }
        }
        if rest.is_const() {
            return whole;
        }
        // The constant of the remainder can be rounded to the grid of the coefficients.
        let d = rest
            .terms
            .iter()
            .fold(Rat::ONE, |d, (_, c)| Rat::lcm(&d, &c.denom()));
        rest.k = (&rest.k * &d).floor().div(&d);
        let t = self.intern(Node::Floor(rest));
        whole.plus(&Lin::var(t), &Rat::ONE)
    }

    /// `ceil(l)` for an expression over integers.
    pub(crate) fn ceil(&mut self, l: &Lin) -> Lin {
        self.floor(&l.negated()).negated()
    }

    /// The distinct values of interpreted constants: numerals, words and truth values.
    pub(crate) fn is_value(&self, t: TId) -> bool {
        match self.node(t) {
            Node::Truth(_) => true,
            Node::Sym(s) => self.symbol(*s).is_value,
            Node::Lin(_, l) => l.is_const(),
            _ => false,
        }
    }
}
