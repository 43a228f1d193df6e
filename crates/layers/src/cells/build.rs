//! A system over arrays as a system over tracked cells.
//!
//! Paper: none; the finite-index view of arrays. Part of the layer in `layer.rs`.
//!
//! ```text
//! cells       for every array symbol a and tracked position t of its shape: c = a[t], c' = a'[t']
//! init, ¬P    over cells only; positions they read are tracked
//! trans       over cells and inputs r = a[p] for other positions the step reads
//! always      t = s ⇒ c_t = c_s
//! ```
//!
//! With `c := a[t]` every formula of the result follows from that of the system given, so an inductive
//! invariant of the result is one of the system given.

use foretell_formulas::arrays::{is_array, normal, shape};
use foretell_kernel::Halt;
use foretell_systems::{Arbitrary, Guide, StateVar, TransitionSystem};
use foretell_terms::{Substitution, Term, TermSet, TermStore};

use super::positions::Miner;
use super::project::{Known, Missing, Position, Projection};

/// At most so many times cells that formulas ask for are added.
const ROUNDS: u32 = 16;
/// At most so many positions of a step are instances of an arbitrary one.
const MOST_ACCESSES: usize = 8;

/// A position all arrays of its shape are tracked at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Tracked {
    /// The indices over the current state and parameters of the system with arrays.
    pub(crate) position: Position,
    /// The cells are tied to other elements only where this parameter holds; without it, always.
    pub(crate) label: Option<Term>,
}

/// A cell `array[position]`.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The array: the current value of a state variable, or a parameter.
    pub(crate) array: Term,
    /// The position, over cells that came before and scalars.
    pub(crate) position: Position,
    /// The element now.
    pub(crate) value: Term,
}

/// The system over cells.
pub(crate) struct Built {
    /// The system.
    pub(crate) system: TransitionSystem,
    /// The cells in order of introduction.
    pub(crate) cells: Vec<Cell>,
    /// Positions of new parameters at which arrays of the goal differ; only the property mentions them.
    pub(crate) differences: Vec<Position>,
}

/// Builds the system over cells. `arbitrary` are positions made of parameters that neither the initial
/// states nor the steps depend on.
///
/// # Errors
/// When a formula has no image, see [`super::project`].
pub(crate) fn build(
    concrete: &TransitionSystem,
    tracked: &[Tracked],
    arbitrary: &[Position],
    terms: &TermStore,
) -> Result<Built, Halt> {
    let mut builder = Builder::new(concrete, terms);
    for one in tracked {
        builder.track(one)?;
    }
    let init = builder.state_formulas(&[concrete.init])?[0];
    let bad = builder.goal(terms.not(concrete.property))?;
    // The goal may have made cells at which the initial states say something.
    let init_again = builder.state_formulas(&[concrete.init])?[0];
    let state = [terms.and2(init, init_again), bad];
    let hints = concrete.guide.hints.iter();
    let hints = hints.filter_map(|&h| Some(builder.state_formulas(&[h]).ok()?[0]));
    let hints = hints.collect();
    builder.projection.set_missing(Missing::Free);
    let trans = builder.projection.formulas(&[concrete.trans])?[0];
    let accesses = builder.accesses(arbitrary)?;
    let families: Vec<Arbitrary> = arbitrary
        .iter()
        .map(|symbols| builder.family(symbols, &accesses))
        .collect();
    let guide = Guide {
        control: concrete.guide.control.clone(),
        hints,
        arbitrary: families,
    };
    Ok(builder.assemble(state, trans, guide))
}

struct Builder<'a> {
    concrete: &'a TransitionSystem,
    terms: &'a TermStore,
    projection: Projection<'a>,
    cells: Vec<Cell>,
    /// Scalar state variables, then cells that change.
    vars: Vec<StateVar>,
    /// Scalar parameters, then cells that do not change.
    params: Vec<Term>,
    labels: Vec<Term>,
    differences: Vec<Position>,
    priming: Substitution,
}

impl<'a> Builder<'a> {
    fn new(concrete: &'a TransitionSystem, terms: &'a TermStore) -> Builder<'a> {
        let scalar = |t: &Term| !is_array(terms, *t);
        let defined: TermSet = concrete
            .vars
            .iter()
            .map(|v| v.next)
            .chain(concrete.inputs.iter().copied())
            .collect();
        let vars: Vec<StateVar> = concrete
            .vars
            .iter()
            .copied()
            .filter(|v| scalar(&v.cur))
            .collect();
        let priming = Substitution::from_pairs(vars.iter().map(|v| (v.cur, v.next)));
        Builder {
            concrete,
            terms,
            projection: Projection::new(terms, defined),
            cells: Vec::new(),
            vars,
            params: concrete.params.iter().copied().filter(scalar).collect(),
            labels: Vec::new(),
            differences: Vec::new(),
            priming,
        }
    }

    /// The array symbols of a state.
    fn arrays(&self) -> Vec<Term> {
        let all = self
            .concrete
            .current()
            .into_iter()
            .chain(self.concrete.params.iter().copied());
        all.filter(|&t| is_array(self.terms, t)).collect()
    }

    /// Tracks a position in all arrays of its shape.
    fn track(&mut self, tracked: &Tracked) -> Result<(), Halt> {
        let position = self.state_formulas(&tracked.position)?;
        let position: Position = position.iter().map(|&t| normal(self.terms, t)).collect();
        self.labels.extend(tracked.label);
        for array in self.arrays() {
            let (indices, _) = shape(self.terms, self.terms.sort(array));
            let fits = indices.len() == position.len()
                && indices
                    .iter()
                    .zip(&position)
                    .all(|(&sort, &t)| self.terms.sort(t) == sort);
            if fits && self.projection.find(array, &position).is_none() {
                self.add_cell(array, position.clone(), tracked.label);
            }
        }
        Ok(())
    }

    /// Makes a cell.
    fn add_cell(&mut self, array: Term, position: Position, label: Option<Term>) {
        let terms = self.terms;
        let (_, sort) = shape(terms, terms.sort(array));
        let value = terms.fresh(&format!("{}_cell", terms.var_name(array)), sort);
        let moved: Position = position
            .iter()
            .map(|&t| self.priming.apply(terms, t))
            .collect();
        let next_array = self
            .concrete
            .vars
            .iter()
            .find(|v| v.cur == array)
            .map(|v| v.next);
        if next_array.is_none() && moved == position {
            self.params.push(value);
        } else {
            let next = terms.fresh(&format!("{}_next", terms.var_name(value)), sort);
            self.vars.push(StateVar { cur: value, next });
            self.priming.insert(value, next);
            self.projection.know(
                next_array.unwrap_or(array),
                Known {
                    position: moved,
                    value: next,
                    label,
                },
            );
        }
        self.projection.know(
            array,
            Known {
                position: position.clone(),
                value,
                label,
            },
        );
        self.cells.push(Cell {
            array,
            position,
            value,
        });
    }

    /// Terms over the current state without arrays; cells they read are added.
    fn state_formulas(&mut self, roots: &[Term]) -> Result<Vec<Term>, Halt> {
        for _ in 0..ROUNDS {
            let images = self.projection.formulas(roots)?;
            let missing = self.projection.take_missing();
            if missing.is_empty() {
                return Ok(images);
            }
            self.add_missing(missing);
        }
        Err(Halt::NotLifted("cells"))
    }

    /// Makes cells for elements that were asked for.
    fn add_missing(&mut self, missing: Vec<(Term, Position)>) {
        for (array, position) in missing {
            // What an unknown element is read at is looked at again once the element is known.
            if self.is_state(&position) && self.projection.find(array, &position).is_none() {
                self.add_cell(array, position, None);
            }
        }
    }

    /// The bad states without arrays.
    fn goal(&mut self, bad: Term) -> Result<Term, Halt> {
        self.projection.enter_goal();
        for _ in 0..ROUNDS {
            let images = self.projection.formulas(&[bad])?;
            let missing = self.projection.take_missing();
            let differences = self.projection.differences();
            self.params.extend(
                differences
                    .into_iter()
                    .filter(|d| !self.params.contains(d))
                    .collect::<Vec<_>>(),
            );
            if missing.is_empty() {
                self.differences = self.projection.leave_goal();
                return Ok(images[0]);
            }
            self.add_missing(missing);
        }
        Err(Halt::NotLifted("cells"))
    }

    /// Whether terms mention the current state only.
    fn is_state(&self, roots: &[Term]) -> bool {
        let current = |v: &Term| {
            self.vars.iter().any(|s| s.cur == *v)
                || self.params.contains(v)
                || self.labels.contains(v)
        };
        self.terms.free_vars(roots).iter().all(current)
    }

    /// The positions a step reads or writes, without arrays; none when no position is arbitrary.
    fn accesses(&mut self, arbitrary: &[Position]) -> Result<Vec<Position>, Halt> {
        if arbitrary.is_empty() {
            return Ok(Vec::new());
        }
        let accesses = Miner::new(self.concrete, self.terms).accesses(&[self.concrete.trans]);
        let images = accesses
            .iter()
            .take(MOST_ACCESSES)
            .map(|p| self.projection.formulas(p));
        images.collect()
    }

    /// The instances of an arbitrary position at the positions of a step: the cells at or near it are
    /// the elements there.
    fn family(&mut self, symbols: &Position, accesses: &[Position]) -> Arbitrary {
        let terms = self.terms;
        let dependent: Vec<Cell> = self
            .cells
            .iter()
            .filter(|c| mentions(terms, c, symbols))
            .cloned()
            .collect();
        let sorts = |p: &Position| p.iter().map(|&t| terms.sort(t)).collect::<Vec<_>>();
        let (mut instances, mut aims) = (Vec::new(), Vec::new());
        for access in accesses
            .iter()
            .filter(|a| sorts(a) == sorts(symbols) && *a != symbols)
        {
            let mut pairs: Vec<(Term, Term)> = symbols
                .iter()
                .copied()
                .zip(access.iter().copied())
                .collect();
            aims.push(terms.and(pairs.iter().map(|&(z, e)| terms.eq(z, e))));
            let mut there = Substitution::from_pairs(pairs.iter().copied());
            for cell in &dependent {
                let position = cell
                    .position
                    .iter()
                    .map(|&t| there.apply(terms, t))
                    .collect();
                pairs.push((
                    cell.value,
                    self.projection.element_at(cell.array, &position),
                ));
            }
            instances.push(pairs);
        }
        let symbols = symbols
            .iter()
            .copied()
            .chain(dependent.iter().map(|c| c.value))
            .collect();
        Arbitrary {
            symbols,
            instances,
            aims,
        }
    }

    fn assemble(self, [init, bad]: [Term; 2], trans: Term, guide: Guide) -> Built {
        let (terms, concrete) = (self.terms, self.concrete);
        let congruence = self.projection.congruence();
        let now = terms.and(congruence.iter().copied().filter(|&c| self.is_state(&[c])));
        let init = terms.and2(init, now);
        let property = terms.not(terms.and2(bad, now));
        let trans = terms.and2(trans, terms.and(congruence.iter().copied()));
        let mut system = TransitionSystem::new(self.vars, init, trans, property);
        system.inputs = concrete
            .inputs
            .iter()
            .copied()
            .filter(|&t| !is_array(terms, t))
            .collect();
        system.inputs.extend(self.projection.made());
        system.params = self.params;
        system.params.extend(self.labels);
        system.guide = guide;
        Built {
            system,
            cells: self.cells,
            differences: self.differences,
        }
    }
}

/// Whether the position of a cell mentions one of these symbols itself.
fn mentions(terms: &TermStore, cell: &Cell, symbols: &[Term]) -> bool {
    terms
        .free_vars(&cell.position)
        .iter()
        .any(|v| symbols.contains(v))
}

/// Cells as elements of arrays again.
pub(crate) fn concretize(cells: &[Cell], terms: &TermStore) -> Substitution {
    let mut back = Substitution::new();
    for cell in cells {
        let mut element = cell.array;
        let mut rest: Position = cell
            .position
            .iter()
            .map(|&t| back.apply(terms, t))
            .collect();
        while let Some((indices, _)) = terms.array_parts(terms.sort(element)) {
            let deeper = rest.split_off(indices.len());
            element = terms.select(element, &rest);
            rest = deeper;
        }
        back.insert(cell.value, element);
    }
    back
}
