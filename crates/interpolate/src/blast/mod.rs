//! Bit-vectors: every group is turned into a formula over bits, and interpolants over bits are read
//! back.
//!
//! ```text
//! x : BitVec(n)            n Boolean constants, the same ones in every group
//! f(.., b, ..)             a function per bit of the result, over the bits of the arguments: congruence carries over
//! operators                circuits (circuits.rs), built from the group's own terms: nothing fresh
//! back: bit i of t         ((_ extract i i) t) = #b1, and bits of one word gathered (words.rs)
//! ```
//! The bits of a symbol occur where the symbol does, so an interpolant over shared bits is one over
//! shared symbols. Conversions between bit-vectors and integers are not handled. The query tries
//! words with uninterpreted operators before bits.

mod circuits;

pub(crate) mod words;

use circuits::{Circuits, Shift, Word};
use foretell_terms::{BvOp, Func, Op, Sort, SortKind, Term, TermMap, TermStore};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// What a function over bits stands for: bit `bit` of the application (or the whole, if it is no
/// bit-vector).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Piece {
    op: Op,
    args: Vec<Sort>,
    sort: Sort,
    bit: u32,
}

/// A translation to bits and back.
pub(crate) struct Blaster<'a> {
    store: &'a TermStore,
    words: TermMap<Word>,
    plain: TermMap<Term>,
    pieces: IndexMap<Piece, Func, FxBuildHasher>,
    origins: IndexMap<Func, Piece, FxBuildHasher>,
}

/// An operator that has no circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoCircuit(pub(crate) &'static str);

/// Whether a bit-vector occurs.
pub(crate) fn needed(store: &TermStore, groups: &[Vec<Term>]) -> bool {
    groups
        .iter()
        .flat_map(|g| store.subterms(g))
        .any(|t| store.width(store.sort(t)).is_some())
}

impl<'a> Blaster<'a> {
    /// A translation over a store.
    pub(crate) fn new(store: &'a TermStore) -> Blaster<'a> {
        Blaster {
            store,
            words: TermMap::default(),
            plain: TermMap::default(),
            pieces: IndexMap::default(),
            origins: IndexMap::default(),
        }
    }

    fn circuits(&self) -> Circuits<'a> {
        Circuits { store: self.store }
    }

    fn width(&self, sort: Sort) -> Option<usize> {
        self.store.width(sort).map(|w| w as usize)
    }

    /// The group over bits.
    pub(crate) fn group(&mut self, formulas: &[Term]) -> Result<Vec<Term>, NoCircuit> {
        for t in self.store.subterms(formulas) {
            if self.words.contains_key(&t) || self.plain.contains_key(&t) {
                continue;
            }
            if self.width(self.store.sort(t)).is_some() {
                let w = self.word(t)?;
                self.words.insert(t, w);
            } else {
                let p = self.other(t)?;
                self.plain.insert(t, p);
            }
        }
        Ok(formulas.iter().map(|f| self.plain[f]).collect())
    }

    /// The arguments with bit-vectors spread out.
    fn spread(&self, args: &[Term]) -> Vec<Term> {
        let mut out = Vec::new();
        for a in args {
            match self.words.get(a) {
                Some(w) => out.extend_from_slice(w),
                None => out.push(self.plain[a]),
            }
        }
        out
    }

    /// The function that stands for a bit of an application.
    fn piece(&mut self, t: Term, bit: u32, sort: Sort) -> Term {
        let node = self.store.node(t);
        let args: Vec<Sort> = node.args.iter().map(|a| self.store.sort(*a)).collect();
        let piece = Piece {
            op: node.op.clone(),
            args,
            sort: node.sort,
            bit,
        };
        let spread = self.spread(&node.args);
        let func = match self.pieces.get(&piece) {
            Some(f) => *f,
            None => {
                let sorts: Vec<Sort> = spread.iter().map(|a| self.store.sort(*a)).collect();
                let f = self.store.declare("bit", &sorts, sort);
                self.pieces.insert(piece.clone(), f);
                self.origins.insert(f, piece);
                f
            }
        };
        self.store.app(func, &spread)
    }

    /// The bits of a bit-vector term.
    fn word(&mut self, t: Term) -> Result<Word, NoCircuit> {
        let node = self.store.node(t);
        let width = self.width(node.sort).unwrap_or(0);
        match &node.op {
            Op::BitVec(_, n) => {
                let bit = |i: usize| foretell_terms::number::bit(n, i as u32);
                Ok(self.circuits().constant((0..width).map(bit)))
            }
            Op::Ite => {
                let c = self.plain[&node.args[0]];
                Ok(self.circuits().choose(
                    c,
                    &self.words[&node.args[1]],
                    &self.words[&node.args[2]],
                ))
            }
            Op::Bv(BvOp::FromInt(_)) => {
                Err(NoCircuit("conversion between integers and bit-vectors"))
            }
            Op::Bv(op) => Ok(self.operator(*op, &node.args, width)),
            _ => Ok((0..width as u32)
                .map(|i| self.piece(t, i, Sort::BOOL))
                .collect()),
        }
    }

    fn operator(&self, op: BvOp, args: &[Term], width: usize) -> Word {
        let c = self.circuits();
        let s = self.store;
        let a = &self.words[&args[0]];
        let b = args.get(1).map_or(a, |b| &self.words[b]);
        let top = a.last().copied().unwrap_or_else(|| s.ff());
        match op {
            BvOp::Concat => [b.as_slice(), a].concat(),
            BvOp::Extract { high, low } => a[low as usize..=high as usize].to_vec(),
            BvOp::Not => c.not(a),
            BvOp::And => c.zip(a, b, |x, y| s.and2(x, y)),
            BvOp::Or => c.zip(a, b, |x, y| s.or2(x, y)),
            BvOp::Xor => c.zip(a, b, |x, y| s.xor(x, y)),
            BvOp::Neg => c.neg(a),
            BvOp::Add => c.add(a, b),
            BvOp::Mul => c.mul(a, b),
            BvOp::Udiv => c.divide(a, b).0,
            BvOp::Urem => c.divide(a, b).1,
            BvOp::Sdiv => c.sdiv(a, b),
            BvOp::Srem => c.srem(a, b),
            BvOp::Smod => c.smod(a, b),
            BvOp::Shl => c.shift(a, b, s.ff(), Shift::Left),
            BvOp::Lshr => c.shift(a, b, s.ff(), Shift::Right),
            BvOp::Ashr => c.shift(a, b, top, Shift::Right),
            BvOp::ZeroExtend(_) => [a.as_slice(), &vec![s.ff(); width - a.len()]].concat(),
            BvOp::SignExtend(_) => [a.as_slice(), &vec![top; width - a.len()]].concat(),
            // Not of bit-vector sort, or refused before.
            BvOp::Ule | BvOp::Sle | BvOp::ToNat | BvOp::FromInt(_) => a.clone(),
        }
    }

    /// A term that is no bit-vector, over bits.
    fn other(&mut self, t: Term) -> Result<Term, NoCircuit> {
        let node = self.store.node(t);
        let over_words = node.args.iter().any(|a| self.words.contains_key(a));
        if !over_words {
            let args: Vec<Term> = node.args.iter().map(|a| self.plain[a]).collect();
            return Ok(if args == *node.args {
                t
            } else {
                self.store.rebuild(&node.op, &args, node.sort)
            });
        }
        let c = self.circuits();
        let word = |i: usize| &self.words[&node.args[i]];
        match &node.op {
            Op::Eq => Ok(c.eq(word(0), word(1))),
            Op::Bv(BvOp::Ule) => Ok(c.ule(word(0), word(1))),
            Op::Bv(BvOp::Sle) => Ok(c.sle(word(0), word(1))),
            Op::Bv(_) => Err(NoCircuit("conversion between integers and bit-vectors")),
            _ => Ok(self.piece(t, 0, node.sort)),
        }
    }

    /// A formula over bits as one over bit-vectors.
    pub(crate) fn back(&self, formula: Term) -> Term {
        let mut done: TermMap<Term> = TermMap::default();
        for t in self.store.subterms(&[formula]) {
            let node = self.store.node(t);
            let args: Vec<Term> = node.args.iter().map(|a| done[a]).collect();
            let piece = self.store.func(t).and_then(|f| self.origins.get(&f));
            let out = match piece {
                Some(p) => self.assemble(p, &args),
                None => self.store.rebuild(&node.op, &args, node.sort),
            };
            done.insert(t, out);
        }
        done[&formula]
    }

    /// The application a piece stands for, or the bit of it.
    fn assemble(&self, piece: &Piece, bits: &[Term]) -> Term {
        let mut args = Vec::new();
        let mut at = 0;
        for sort in &piece.args {
            let n = self.width(*sort).unwrap_or(1);
            let part = &bits[at..at + n];
            args.push(if self.width(*sort).is_some() {
                self.join(part)
            } else {
                part[0]
            });
            at += n;
        }
        let whole = self.store.rebuild(&piece.op, &args, piece.sort);
        if self.width(piece.sort).is_none() {
            return whole;
        }
        let bit = self.store.bv_extract(whole, piece.bit, piece.bit);
        self.store.eq(bit, self.store.bv(1, 1))
    }

    /// The bit-vector of truth values, least significant first; bits of one term in order give the
    /// term.
    fn join(&self, bits: &[Term]) -> Term {
        if let Some(t) = self.whole(bits) {
            return t;
        }
        let one = |b: &Term| self.store.ite(*b, self.store.bv(1, 1), self.store.bv(0, 1));
        let mut parts = bits.iter().map(one);
        let Some(mut out) = parts.next() else {
            return self.store.bv(0, 1);
        };
        for p in parts {
            out = self.store.bv_op(BvOp::Concat, &[p, out]);
        }
        out
    }

    /// The term whose bits these are, all and in order.
    fn whole(&self, bits: &[Term]) -> Option<Term> {
        let source = |b: Term, i: u32| {
            let args = self.store.args(b);
            let extract = *args
                .iter()
                .find(|a| matches!(self.store.op(**a), Op::Bv(BvOp::Extract { .. })))?;
            let Op::Bv(BvOp::Extract { high, low }) = self.store.op(extract) else {
                return None;
            };
            (*self.store.op(b) == Op::Eq && *high == i && *low == i)
                .then(|| self.store.args(extract)[0])
        };
        let t = source(*bits.first()?, 0)?;
        let all = (1..bits.len()).all(|i| source(bits[i], i as u32) == Some(t));
        let same_width = matches!(self.store.kind(self.store.sort(t)), SortKind::BitVec(w) if *w as usize == bits.len());
        (all && same_width).then_some(t)
    }
}
