//! Formulas over literals as a hash-consed graph.
//!
//! Invariant: `And` and `Or` are binary, ordered by id, and free of constants, repetition,
//! complementary literals and one-level absorption; the smart constructors establish it.

use crate::data::atoms::Lit;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// A formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct FId(pub(crate) u32);

/// A formula node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Form {
    /// Truth.
    True,
    /// Falsity.
    False,
    /// A literal.
    Lit(Lit),
    /// Conjunction.
    And(FId, FId),
    /// Disjunction.
    Or(FId, FId),
}

/// The formulas of one extraction.
#[derive(Debug)]
pub(crate) struct Formulas {
    nodes: IndexSet<Form, FxBuildHasher>,
}

impl Formulas {
    /// The formula true.
    pub(crate) const TRUE: FId = FId(0);
    /// The formula false.
    pub(crate) const FALSE: FId = FId(1);

    /// The graph with the two constants.
    pub(crate) fn new() -> Formulas {
        let mut nodes = IndexSet::default();
        nodes.insert(Form::True);
        nodes.insert(Form::False);
        Formulas { nodes }
    }

    /// The node of a formula.
    pub(crate) fn get(&self, f: FId) -> Form {
        self.nodes[f.0 as usize]
    }

    fn intern(&mut self, node: Form) -> FId {
        FId(self.nodes.insert_full(node).0 as u32)
    }

    /// A literal.
    pub(crate) fn lit(&mut self, l: Lit) -> FId {
        match l {
            Lit::TRUE => Formulas::TRUE,
            Lit::FALSE => Formulas::FALSE,
            _ => self.intern(Form::Lit(l)),
        }
    }

    fn complementary(&self, a: FId, b: FId) -> bool {
        matches!((self.get(a), self.get(b)), (Form::Lit(x), Form::Lit(y)) if x == !y)
    }

    /// `a and b`.
    pub(crate) fn and(&mut self, a: FId, b: FId) -> FId {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == b || a == Formulas::FALSE || b == Formulas::TRUE {
            return a;
        }
        if a == Formulas::TRUE || b == Formulas::FALSE {
            return b;
        }
        if self.complementary(a, b) {
            return Formulas::FALSE;
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.get(y) {
                Form::Or(p, q) if p == x || q == x => return x,
                Form::And(p, q) if p == x || q == x => return y,
                _ => {}
            }
        }
        self.intern(Form::And(a, b))
    }

    /// `a or b`.
    pub(crate) fn or(&mut self, a: FId, b: FId) -> FId {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == b || a == Formulas::TRUE || b == Formulas::FALSE {
            return a;
        }
        if a == Formulas::FALSE || b == Formulas::TRUE {
            return b;
        }
        if self.complementary(a, b) {
            return Formulas::TRUE;
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.get(y) {
                Form::And(p, q) if p == x || q == x => return x,
                Form::Or(p, q) if p == x || q == x => return y,
                _ => {}
            }
        }
        self.intern(Form::Or(a, b))
    }

    /// The formulas below `roots`, children first.
    pub(crate) fn below(&self, roots: &[FId]) -> Vec<FId> {
        let mut seen: IndexSet<FId, FxBuildHasher> = IndexSet::default();
        let mut stack: Vec<FId> = roots.to_vec();
        while let Some(f) = stack.pop() {
            if seen.insert(f)
                && let Form::And(a, b) | Form::Or(a, b) = self.get(f)
            {
                stack.push(a);
                stack.push(b);
            }
        }
        let mut out: Vec<FId> = seen.into_iter().collect();
        out.sort_unstable();
        out
    }
}
