//! Quantified frames: clauses closed universally over arbitrary symbols, instantiated where a step looks.
//!
//! Paper: none; the idea is that of Gurfinkel, Shoham, Vizel, "Quantifiers on Demand", ATVA 2018, with
//! the quantified variables given from the start instead of found per lemma.
//!
//! ```text
//! F_i stands for ∀z. F_i(z)                                  z is arbitrary: I and T do not depend on it
//! closed(c)         c ∧ c[σ] for every instance σ of the step            // fn closed
//! rel_ind           closed(F_{i-1}) ∧ closed(¬c) ∧ T ∧ c'
//! predecessors      of a cube that does not mention z: first those in which z has one of the values the
//!                   step looks at, and what they say about z is kept     // fn aim, fn kept
//! ```
//!
//! All queries stay without quantifiers. That `F_{i-1}[σ]` may be assumed: every state reachable within
//! i - 1 steps is so whatever z is. Whoever declared the symbols arbitrary closes the invariant.
//!
//! Limits: an instance that the step does not name is not found.

use foretell_kernel::Cx;
use foretell_systems::TransitionSystem;
use foretell_systems::transition::Arbitrary;
use foretell_terms::{Substitution, Term, TermMap, TermSet};
use indexmap::IndexMap;

use crate::abstraction::Cube;

/// A clause is instantiated at most so often.
const MOST: usize = 40;

/// The arbitrary symbols of a system.
#[derive(Default)]
pub(super) struct Closure {
    families: Vec<Family>,
    /// What was closed already.
    done: TermMap<Term>,
}

struct Family {
    symbols: TermSet,
    instances: Vec<Substitution>,
    aims: Vec<Term>,
}

impl Closure {
    /// Of a system.
    pub(super) fn new(system: &TransitionSystem) -> Closure {
        let family = |arbitrary: &Arbitrary| Family {
            symbols: arbitrary.symbols.iter().copied().collect(),
            instances: arbitrary
                .instances
                .iter()
                .cloned()
                .map(Substitution::from_pairs)
                .collect(),
            aims: arbitrary.aims.clone(),
        };
        Closure {
            families: system.guide.arbitrary.iter().map(family).collect(),
            done: TermMap::default(),
        }
    }

    /// The formula and its instances.
    pub(super) fn closed(&mut self, formula: Term, cx: &Cx<'_>) -> Term {
        if self.families.is_empty() {
            return formula;
        }
        if let Some(&known) = self.done.get(&formula) {
            return known;
        }
        let used: TermSet = cx.terms.free_vars(&[formula]).into_iter().collect();
        let mut all = vec![formula];
        for family in &mut self.families {
            if family.symbols.is_disjoint(&used) {
                continue;
            }
            let before = all.clone();
            for &one in &before {
                let room = MOST.saturating_sub(all.len());
                all.extend(
                    family
                        .instances
                        .iter_mut()
                        .take(room)
                        .map(|i| i.apply(cx.terms, one)),
                );
            }
        }
        let closed = cx.terms.and(all);
        self.done.insert(formula, closed);
        closed
    }

    /// The families a cube does not mention.
    fn free<'a>(&'a self, cube: &Cube, cx: &Cx<'_>) -> impl Iterator<Item = &'a Family> + use<'a> {
        let used: TermSet = cx.terms.free_vars(cube.lits()).into_iter().collect();
        self.families
            .iter()
            .filter(move |f| f.symbols.is_disjoint(&used))
    }

    /// A cube without its literals about one family, for each family, the last one first.
    pub(super) fn smaller(&self, cube: &Cube, cx: &Cx<'_>) -> Vec<Cube> {
        let without = |family: &Family| {
            let about = |l: &Term| {
                cx.terms
                    .free_vars(&[*l])
                    .iter()
                    .any(|v| family.symbols.contains(v))
            };
            Cube::new(cube.lits().iter().copied().filter(|l| !about(l)).collect())
        };
        self.families
            .iter()
            .rev()
            .map(without)
            .filter(|smaller| smaller.len() < cube.len())
            .collect()
    }

    /// What is asked of predecessors of a cube first: the families it does not mention have the values of
    /// different instances.
    pub(super) fn aim(&self, cube: &Cube, cx: &Cx<'_>) -> Option<Term> {
        let mut taken: IndexMap<usize, usize> = IndexMap::new();
        let aims = self.free(cube, cx).filter_map(|family| {
            // Families of one shape have equally many instances.
            let next = taken.entry(family.aims.len()).or_insert(0);
            *next += 1;
            family.aims.get(*next - 1).copied()
        });
        let aims: Vec<Term> = aims.collect();
        (!aims.is_empty()).then(|| cx.terms.and(aims))
    }

    /// The literals of a predecessor of this cube that speak of the symbols it was aimed with.
    pub(super) fn kept(&self, cube: &Cube, predecessor: &Cube, cx: &Cx<'_>) -> Cube {
        let free: Vec<&Family> = self.free(cube, cx).collect();
        let about = |v: &Term| free.iter().any(|family| family.symbols.contains(v));
        let speaks = |l: &Term| cx.terms.free_vars(&[*l]).iter().any(about);
        Cube::new(predecessor.lits().iter().copied().filter(speaks).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Closure;
    use crate::abstraction::Cube;
    use foretell_systems::TransitionSystem;
    use foretell_systems::transition::Arbitrary;
    use foretell_terms::{Sort, Term};
    use foretell_testkit::with_cx;

    /// One arbitrary index z with the cell c, and the element r at the index i of the step.
    fn closure(terms: &foretell_terms::TermStore) -> (Closure, [Term; 4]) {
        let [z, c, i, r] = ["z", "c", "i", "r"].map(|name| terms.new_var(name, Sort::INT));
        let mut system = TransitionSystem::new(Vec::new(), terms.tt(), terms.tt(), terms.tt());
        let (symbols, instances) = (vec![z, c], vec![vec![(z, i), (c, r)]]);
        system.guide.arbitrary.push(Arbitrary {
            symbols,
            instances,
            aims: vec![terms.eq(z, i)],
        });
        (Closure::new(&system), [z, c, i, r])
    }

    #[test]
    fn clauses_are_instantiated_at_the_index_of_the_step() {
        with_cx(|cx| {
            let (mut closure, [z, c, i, r]) = closure(cx.terms);
            let clause = cx
                .terms
                .or2(cx.terms.le(i, z), cx.terms.le(cx.terms.int(0), c));
            let instance = cx
                .terms
                .or2(cx.terms.le(i, i), cx.terms.le(cx.terms.int(0), r));
            assert_eq!(closure.closed(clause, cx), cx.terms.and2(clause, instance));
            let other = cx.terms.le(i, cx.terms.int(3));
            assert_eq!(closure.closed(other, cx), other);
        });
    }

    #[test]
    fn only_cubes_that_leave_the_symbols_free_are_aimed() {
        with_cx(|cx| {
            let (closure, [z, c, i, _]) = closure(cx.terms);
            let free = Cube::new(vec![cx.terms.le(i, cx.terms.int(3))]);
            let bound = Cube::new(vec![cx.terms.le(c, cx.terms.int(3))]);
            assert_eq!(closure.aim(&free, cx), Some(cx.terms.eq(z, i)));
            assert_eq!(closure.aim(&bound, cx), None);
            assert_eq!(closure.kept(&bound, &bound, cx).len(), 0);
            assert_eq!(closure.kept(&free, &bound, cx).len(), 1);
        });
    }
}
