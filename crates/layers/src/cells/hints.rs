//! Predicates an invariant over cells is likely to need.
//!
//! Paper: Seghir, Podelski, Wies, "Abstraction Refinement for Quantified Array Assertions", SAS 2009:
//! the range of a quantified assertion comes from comparisons of the loop's index with the quantified
//! one. Part of the layer in `layer.rs`.
//!
//! ```text
//! for a tracked index z and an index i of a state, in    i < n    a' = store(a, i, v(i))
//!   order    i ≤ z,  z ≤ i
//!   guard    z ≤ n                               the guards of T with z for i
//!   value    a[z] = v(z);  where v is no more than a symbol, what T says about v, of a[z]
//!   goal     what the property says about a cell, of every other
//! ```

use foretell_formulas::arrays::{is_array, normal};
use foretell_systems::TransitionSystem;
use foretell_terms::{Op, Sort, Substitution, Term, TermSet, TermStore};

use super::build::{Cell, concretize};
use super::positions::Miner;

/// At most so many of each kind are made.
const MOST: usize = 32;
/// Terms with more subterms than this are left alone.
const LARGEST: usize = 20;

/// The predicates for a system and its cells.
pub(super) fn hints(
    concrete: &TransitionSystem,
    system: &TransitionSystem,
    cells: &[Cell],
    terms: &TermStore,
) -> Vec<Term> {
    let search = Search::new(concrete, cells, terms);
    let mut found: TermSet = TermSet::default();
    found.extend(search.orders().take(MOST));
    found.extend(search.guards().take(MOST));
    found.extend(search.values().take(MOST));
    found.extend(search.stored().take(MOST));
    found.extend(search.transported(system).take(MOST));
    found.retain(|&f| !terms.is_true(f) && !terms.is_false(f));
    found.into_iter().collect()
}

struct Search<'a> {
    concrete: &'a TransitionSystem,
    terms: &'a TermStore,
    cells: &'a [Cell],
    /// Indices of a state that change, each with each frozen index of a cell.
    pairs: Vec<(Term, Term)>,
    current: TermSet,
}

impl<'a> Search<'a> {
    fn new(concrete: &'a TransitionSystem, cells: &'a [Cell], terms: &'a TermStore) -> Search<'a> {
        let mut miner = Miner::new(concrete, terms);
        let steps = miner.positions(&[concrete.trans]);
        let integral = |t: &Term| terms.sort(*t) == Sort::INT;
        let plain = |t: &Term| !terms.any_subterm(*t, is_array);
        let moving: TermSet = steps
            .into_iter()
            .flatten()
            .filter(|t| integral(t) && plain(t) && !miner.is_rigid(&[*t]))
            .collect();
        let tracked: TermSet = cells
            .iter()
            .flat_map(|c| c.position.iter().copied())
            .filter(integral)
            .collect();
        let frozen = tracked.into_iter().filter(|&t| miner.is_rigid(&[t]));
        let pairs = frozen
            .flat_map(|z| moving.iter().map(move |&i| (i, z)))
            .collect();
        let current = concrete
            .current()
            .into_iter()
            .chain(concrete.params.iter().copied())
            .collect();
        Search {
            concrete,
            terms,
            cells,
            pairs,
            current,
        }
    }

    fn orders(&self) -> impl Iterator<Item = Term> + '_ {
        self.pairs
            .iter()
            .flat_map(|&(i, z)| [self.terms.le(i, z), self.terms.le(z, i)])
    }

    /// The guards with a frozen index in the place of a variable.
    fn guards(&self) -> impl Iterator<Item = Term> + '_ {
        let terms = self.terms;
        let atoms = terms
            .atoms(&[self.concrete.trans])
            .into_iter()
            .filter(|&a| self.is_guard(a));
        let moved = atoms.flat_map(move |atom| {
            let counters = self
                .pairs
                .iter()
                .filter(|(i, _)| terms.as_var(*i).is_some());
            counters.filter_map(move |&(i, z)| {
                let moved = terms.substitute(atom, [(i, z)]);
                (moved != atom && matches!(terms.op(moved), Op::Le | Op::Eq)).then_some(moved)
            })
        });
        moved.collect::<TermSet>().into_iter()
    }

    /// A comparison of integers over the current state, without arrays.
    fn is_guard(&self, atom: Term) -> bool {
        let terms = self.terms;
        matches!(terms.op(atom), Op::Le | Op::Eq)
            && terms.sort(terms.args(atom)[0]) == Sort::INT
            && self.is_small(atom)
            && !terms.any_subterm(atom, is_array)
    }

    fn is_small(&self, term: Term) -> bool {
        self.terms.subterms(&[term]).len() <= LARGEST
            && self
                .terms
                .free_vars(&[term])
                .iter()
                .all(|v| self.current.contains(v))
    }

    /// The cell at a frozen index beside what is written, as if it were written there.
    fn values(&self) -> impl Iterator<Item = Term> + '_ {
        let terms = self.terms;
        let stores: Vec<Term> = terms
            .subterms(&[self.concrete.trans])
            .into_iter()
            .filter(|&t| *terms.op(t) == Op::Store)
            .collect();
        stores.into_iter().flat_map(move |store| {
            self.pairs.iter().filter_map(move |&(i, z)| {
                let args = terms.args(store);
                let [array, index, value] = args else {
                    return None;
                };
                if normal(terms, *index) != i || is_array(terms, *value) || !self.is_small(*value) {
                    return None;
                }
                let base = base(terms, *array);
                let cell = self
                    .cells
                    .iter()
                    .find(|c| c.array == base && c.position == [z])?;
                let moved = self.over_cells(moved(terms, *value, i, z)?)?;
                Some(terms.eq(cell.value, moved))
            })
        })
    }

    /// What T says about a symbol that is written, of the cells of that array.
    fn stored(&self) -> impl Iterator<Item = Term> + '_ {
        let terms = self.terms;
        let all = terms.subterms(&[self.concrete.trans]);
        let stores = all.into_iter().filter(move |&t| *terms.op(t) == Op::Store);
        stores.flat_map(move |store| {
            let args = terms.args(store);
            let (array, value) = (base(terms, args[0]), args[args.len() - 1]);
            let symbol = terms.as_var(value).is_some() && !is_array(terms, value);
            let atoms = if symbol {
                terms.atoms(&[self.concrete.trans])
            } else {
                Vec::new()
            };
            atoms.into_iter().flat_map(move |atom| {
                let cells = self.cells.iter().filter(move |c| c.array == array);
                cells.filter_map(move |cell| {
                    let moved = terms.substitute(atom, [(value, cell.value)]);
                    let state = |v: &Term| self.current.contains(v) || *v == cell.value;
                    let over_state = terms.free_vars(&[moved]).iter().all(state);
                    let fits = matches!(terms.op(moved), Op::Le | Op::Eq) && over_state;
                    (moved != atom && fits && !terms.any_subterm(moved, is_array)).then_some(moved)
                })
            })
        })
    }

    /// What the property says about a cell, of every other, with the index of the other.
    fn transported(&self, system: &TransitionSystem) -> impl Iterator<Item = Term> + '_ {
        let terms = self.terms;
        let small = |a: &Term| {
            terms.subterms(&[*a]).len() <= LARGEST && matches!(terms.op(*a), Op::Le | Op::Eq)
        };
        let atoms: Vec<Term> = terms
            .atoms(&[system.property])
            .into_iter()
            .filter(small)
            .collect();
        atoms.into_iter().flat_map(move |atom| {
            let used = terms.free_vars(&[atom]);
            let here: Vec<&Cell> = self
                .cells
                .iter()
                .filter(|c| used.contains(&c.value))
                .collect();
            here.into_iter().flat_map(move |from| {
                let others = self.cells.iter().filter(move |to| to.value != from.value);
                let fits = move |to: &&Cell| {
                    terms.sort(to.value) == terms.sort(from.value)
                        && to.position.len() == from.position.len()
                };
                others.filter(fits).map(move |to| {
                    let indices = from.position.iter().zip(&to.position);
                    let symbols = indices.filter(|(a, b)| {
                        terms.as_var(**a).is_some() && terms.sort(**a) == terms.sort(**b)
                    });
                    let mut pairs: Vec<(Term, Term)> = symbols.map(|(&a, &b)| (a, b)).collect();
                    pairs.push((from.value, to.value));
                    terms.substitute(atom, pairs)
                })
            })
        })
    }

    /// The term with cells for the elements they stand for; `None` when an array is left.
    fn over_cells(&self, term: Term) -> Option<Term> {
        let terms = self.terms;
        let mut back = concretize(self.cells, terms);
        let pairs: Vec<(Term, Term)> = self
            .cells
            .iter()
            .map(|c| (back.apply(terms, c.value), c.value))
            .collect();
        let over = Substitution::from_pairs(pairs).apply(terms, term);
        (!terms.any_subterm(over, is_array)).then_some(over)
    }
}

/// `term[i := z]` where i is a variable plus a number.
fn moved(terms: &TermStore, term: Term, i: Term, z: Term) -> Option<Term> {
    let form = terms.linear(i);
    let [(var, factor)] = form.terms.as_slice() else {
        return None;
    };
    let shift = terms.numeral(&form.constant, Sort::INT)?;
    (*factor == foretell_terms::Rational::ONE && terms.as_var(*var).is_some())
        .then(|| terms.substitute(term, [(*var, normal(terms, terms.sub(z, shift)))]))
}

/// The array under stores.
fn base(terms: &TermStore, array: Term) -> Term {
    let mut array = array;
    while *terms.op(array) == Op::Store {
        array = terms.args(array)[0];
    }
    array
}
