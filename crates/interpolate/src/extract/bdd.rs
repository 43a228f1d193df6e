//! Small decision diagrams, for irredundant normal forms of interpolants.
//!
//! Minato, "Fast generation of irredundant sum-of-products forms from binary decision diagrams",
//! SASIMI 1992.
//!
//! ```text
//! isop(L, U): a cover f with L => f => U, as cubes
//!   cubes with not x, cubes with x, cubes without x, from the cofactors of L that the others leave over
//! ```
//! Invariant: nodes are reduced and hash-consed; `0` is false, `1` is true. Every operation gives
//! up (`None`) beyond the node limit; the depth of recursion is at most the number of variables.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

/// A decision diagram.
pub(crate) type Bdd = u32;

/// A conjunction of variables and negated variables: `(variable, positive)`.
pub(crate) type Cube = Vec<(u32, bool)>;

/// The diagrams of one simplification.
#[derive(Debug)]
pub(crate) struct Diagrams {
    nodes: IndexSet<(u32, Bdd, Bdd), FxBuildHasher>,
    ites: IndexMap<(Bdd, Bdd, Bdd), Bdd, FxBuildHasher>,
    limit: usize,
}

/// The diagram of false.
pub(crate) const ZERO: Bdd = 0;
/// The diagram of true.
pub(crate) const ONE: Bdd = 1;

impl Diagrams {
    /// Diagrams with at most `limit` nodes.
    pub(crate) fn new(limit: usize) -> Diagrams {
        let mut nodes = IndexSet::default();
        nodes.insert((u32::MAX, ZERO, ZERO));
        nodes.insert((u32::MAX, ONE, ONE));
        Diagrams {
            nodes,
            ites: IndexMap::default(),
            limit,
        }
    }

    fn node(&mut self, var: u32, low: Bdd, high: Bdd) -> Option<Bdd> {
        if low == high {
            return Some(low);
        }
        if self.nodes.len() >= self.limit {
            return None;
        }
        Some(self.nodes.insert_full((var, low, high)).0 as Bdd)
    }

    /// A variable.
    pub(crate) fn var(&mut self, var: u32) -> Option<Bdd> {
        self.node(var, ZERO, ONE)
    }

    fn top(&self, f: Bdd) -> u32 {
        self.nodes[f as usize].0
    }

    fn cofactors(&self, f: Bdd, var: u32) -> (Bdd, Bdd) {
        let (v, low, high) = self.nodes[f as usize];
        if v == var { (low, high) } else { (f, f) }
    }

    /// `if c then a else b`.
    pub(crate) fn ite(&mut self, c: Bdd, a: Bdd, b: Bdd) -> Option<Bdd> {
        match (c, a, b) {
            (ONE, _, _) => return Some(a),
            (ZERO, _, _) => return Some(b),
            (_, ONE, ZERO) => return Some(c),
            _ if a == b => return Some(a),
            _ => {}
        }
        if let Some(f) = self.ites.get(&(c, a, b)) {
            return Some(*f);
        }
        let var = self.top(c).min(self.top(a)).min(self.top(b));
        let ((c0, c1), (a0, a1), (b0, b1)) = (
            self.cofactors(c, var),
            self.cofactors(a, var),
            self.cofactors(b, var),
        );
        let low = self.ite(c0, a0, b0)?;
        let high = self.ite(c1, a1, b1)?;
        let f = self.node(var, low, high)?;
        self.ites.insert((c, a, b), f);
        Some(f)
    }

    /// Conjunction.
    pub(crate) fn and(&mut self, a: Bdd, b: Bdd) -> Option<Bdd> {
        self.ite(a, b, ZERO)
    }

    /// Disjunction.
    pub(crate) fn or(&mut self, a: Bdd, b: Bdd) -> Option<Bdd> {
        self.ite(a, ONE, b)
    }

    /// Negation.
    pub(crate) fn not(&mut self, a: Bdd) -> Option<Bdd> {
        self.ite(a, ZERO, ONE)
    }

    /// Cubes whose disjunction lies between `lower` and `upper`, with its diagram.
    pub(crate) fn isop(&mut self, lower: Bdd, upper: Bdd) -> Option<(Vec<Cube>, Bdd)> {
        if lower == ZERO {
            return Some((Vec::new(), ZERO));
        }
        if upper == ONE {
            return Some((vec![Vec::new()], ONE));
        }
        let var = self.top(lower).min(self.top(upper));
        let ((l0, l1), (u0, u1)) = (self.cofactors(lower, var), self.cofactors(upper, var));
        let (n0, n1) = (self.not(u0)?, self.not(u1)?);
        let only0 = self.and(l0, n1)?;
        let only1 = self.and(l1, n0)?;
        let (mut c0, f0) = self.isop(only0, u0)?;
        let (mut c1, f1) = self.isop(only1, u1)?;
        let (m0, m1) = (self.not(f0)?, self.not(f1)?);
        let rest0 = self.and(l0, m0)?;
        let rest1 = self.and(l1, m1)?;
        let rest = self.or(rest0, rest1)?;
        let both = self.and(u0, u1)?;
        let (mut cubes, f) = self.isop(rest, both)?;
        c0.iter_mut().for_each(|c| c.push((var, false)));
        c1.iter_mut().for_each(|c| c.push((var, true)));
        cubes.append(&mut c0);
        cubes.append(&mut c1);
        if cubes.len() > 512 {
            return None;
        }
        let (low, high) = (self.or(f0, f)?, self.or(f1, f)?);
        let cover = self.node(var, low, high)?;
        Some((cubes, cover))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_are_irredundant() {
        let mut d = Diagrams::new(1000);
        let [a, b, c] = [0, 1, 2].map(|v| d.var(v).unwrap());
        // (a and b) or (not a and c) or (b and c): the last cube is redundant.
        let ab = d.and(a, b).unwrap();
        let na = d.not(a).unwrap();
        let nac = d.and(na, c).unwrap();
        let bc = d.and(b, c).unwrap();
        let f = d.or(ab, nac).unwrap();
        let f = d.or(f, bc).unwrap();
        let (cubes, cover) = d.isop(f, f).unwrap();
        assert_eq!(cover, f);
        assert_eq!(cubes.len(), 2);
    }

    #[test]
    fn the_gap_is_used() {
        let mut d = Diagrams::new(1000);
        let [a, b] = [0, 1].map(|v| d.var(v).unwrap());
        let lower = d.and(a, b).unwrap();
        let (cubes, _) = d.isop(lower, a).unwrap();
        assert_eq!(cubes, vec![vec![(0, true)]]);
    }
}
