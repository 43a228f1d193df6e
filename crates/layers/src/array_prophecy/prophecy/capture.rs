//! When a history variable takes a value: capture conditions.
//!
//! Paper: Vick, McMillan, VMCAI 2023, section 4.1 (captures), Figure 4 (AxiomRefine), Figure 8 and
//! section 8 (MineConditions).
//!
//! ```text
//! last    ψ captures x at time j on a path of n steps:   ψ@j  and  ¬ψ@i for j < i < n
//! first   the same with i < j, and a latch
//! all paths    the first ψ in order of preference that captures x on every stored path that asked for
//!              x: one literal, then two
//! one path     all literals that are true at time j on the path that asked, if their conjunction
//!              captures x; then without each that is not needed, the least preferred first
//! literals     preconditions of the refutation (x = y: the write hit the cell),
//!              true (when x is taken in the last step),
//!              atoms of the property, also with x in the place of its indices, control locations, missed writes, atoms of the interpolants,
//!              branch conditions; with both signs, before and after the step
//! ```
//!
//! The second is the paper's, with the shortening it proposes; that a write hit the cell (of the
//! refutation of this path) is never dropped, because on the shortest path no condition at all would
//! capture too. The first is ours and the default: the condition is as small as possible and made for
//! many paths, but where one index has to be kept for several reasons (Figure 9 with three ghosts) no
//! condition fits all of them. First captures are an addition, and made by the first only.

use foretell_kernel::Cx;
use foretell_systems::TransitionSystem;
use foretell_terms::{Op, Sort, Term, TermMap, TermSet, TermStore};
use indexmap::{IndexMap, IndexSet};

use super::refutation::Met;
use crate::array_prophecy::arrays::consecutive::{NonConsecutive, Path};
use crate::array_prophecy::arrays::{ArrayAbstraction, Role};

/// At most so many branch conditions are tried.
const MOST_GUARDS: usize = 48;
/// Literals with more subterms than this are left alone.
const LARGEST: usize = 24;

/// Which of the steps in which its condition holds a history variable remembers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Which {
    /// The last one.
    Last,
    /// The first one.
    First,
}

/// When a value is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Capture {
    /// Over the step in which it is taken.
    pub(crate) condition: Term,
    /// Which of these steps counts.
    pub(crate) which: Which,
}

/// Where a literal comes from; early ones are preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Origin {
    /// A write hit the cell that matters.
    Hit,
    /// No condition: the last step.
    Always,
    /// An atom of the property.
    Property,
    /// A control location.
    Control,
    /// A write missed the cell that matters.
    Missed,
    /// An atom of an interpolant.
    Interpolant,
    /// A condition of a branch.
    Branch,
}

impl From<Met> for Origin {
    fn from(met: Met) -> Origin {
        match met {
            Met::Hit => Origin::Hit,
            Met::Missed => Origin::Missed,
        }
    }
}

/// Which paths a condition comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Source {
    /// All that asked for the index.
    #[default]
    AllPaths,
    /// The one that asked for the instance.
    OnePath,
}

/// A path on which a value is wanted.
#[derive(Clone)]
struct Demand {
    /// The preconditions of its refutation in this step.
    reasons: Vec<(Origin, Term)>,
    /// The step in which the index has the value.
    time: usize,
    /// The number of steps.
    length: usize,
    /// The truth values of the literals in each step.
    rows: TermMap<Vec<bool>>,
}

/// The literals, and the paths that asked for each index.
#[derive(Default)]
pub(crate) struct Captures {
    literals: TermMap<Origin>,
    /// Atoms of the property about one cell, with the index of the cell.
    cells: Vec<(Term, Vec<Term>)>,
    demands: IndexMap<Vec<Term>, Vec<Demand>>,
    source: Source,
    /// The path of this round that asked for each instance.
    asked: IndexMap<NonConsecutive, Demand>,
    /// Indices for which interpolants were mined.
    reconsidered: IndexSet<Vec<Term>>,
    /// Next values that no step constrains: those of inputs of the problem, which have no name there.
    nameless: TermSet,
}

impl Captures {
    /// The literals of a system as it was made.
    pub(crate) fn mine_conditions(
        system: &TransitionSystem,
        arrays: &ArrayAbstraction,
        source: Source,
        terms: &TermStore,
    ) -> Self {
        let mut captures = Captures {
            source,
            ..Captures::default()
        };
        let constrained: TermSet = terms.free_vars(&[system.trans]).into_iter().collect();
        let nexts = system.vars.iter().map(|v| v.next);
        captures.nameless = nexts.filter(|next| !constrained.contains(next)).collect();
        captures.add(terms.tt(), Origin::Always);
        let small = |a: &Term| is_small(*a, arrays, terms);
        for atom in terms.atoms(&[system.property]).into_iter().filter(small) {
            captures
                .cells
                .extend(cell(atom, arrays, terms).map(|index| (atom, index)));
            captures.add_signed(atom, Origin::Property, terms);
            let next = system.next(terms, atom);
            if captures.is_named(&[next], terms) {
                captures.add_signed(next, Origin::Property, terms);
            }
        }
        if let Some(control) = &system.guide.control {
            for place in 0..control.names.len() {
                captures.add(
                    terms.eq(control.var, terms.int(place as i64)),
                    Origin::Control,
                );
            }
        }
        let guards = terms.atoms(&[system.trans]);
        for atom in guards.into_iter().filter(small).take(MOST_GUARDS) {
            captures.add_signed(atom, Origin::Branch, terms);
        }
        captures
    }

    /// Whether terms can be written down in the vocabulary of the problem.
    pub(crate) fn is_named(&self, all: &[Term], terms: &TermStore) -> bool {
        !terms
            .free_vars(all)
            .iter()
            .any(|v| self.nameless.contains(v))
    }

    /// Adds a literal; one that is known keeps the better origin.
    pub(crate) fn add(&mut self, literal: Term, origin: Origin) {
        let known = self.literals.entry(literal).or_insert(origin);
        *known = origin.min(*known);
    }

    fn add_signed(&mut self, atom: Term, origin: Origin, terms: &TermStore) {
        self.add(atom, origin);
        self.add(terms.not(atom), origin);
    }

    /// Adds the atoms of formulas over states, both signs.
    pub(crate) fn add_atoms(
        &mut self,
        formulas: &[Term],
        origin: Origin,
        arrays: &ArrayAbstraction,
        terms: &TermStore,
    ) {
        for atom in terms
            .atoms(formulas)
            .into_iter()
            .filter(|&a| is_small(a, arrays, terms))
        {
            self.add_signed(atom, origin, terms);
        }
    }

    /// Stores that a path wants the value the index of an instance has in a step, for reasons that are
    /// true in that step.
    pub(crate) fn demand(
        &mut self,
        one: &NonConsecutive,
        reasons: &[(Origin, Term)],
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) {
        self.transport(&one.index, cx.terms);
        if self.source == Source::AllPaths {
            for &(origin, literal) in reasons {
                self.add(literal, origin);
            }
        }
        let time = (path.length - one.delay) as usize;
        let mut rows = TermMap::default();
        let literals: TermSet = self.literals.keys().copied().collect();
        for literal in literals
            .into_iter()
            .chain(reasons.iter().map(|&(_, reason)| reason))
        {
            let holds = |step: u32, path: &mut Path<'_>| path.holds(literal, step, cx);
            let row: Vec<bool> = (0..path.length).map(|step| holds(step, path)).collect();
            if row.get(time) == Some(&true) {
                rows.insert(literal, row);
            }
        }
        let demand = Demand {
            reasons: reasons.to_vec(),
            time,
            length: path.length as usize,
            rows,
        };
        if self.source == Source::AllPaths {
            let all = self.demands.entry(one.index.clone()).or_default();
            all.push(demand.clone());
        }
        self.asked.insert(one.clone(), demand);
    }

    /// A new round: earlier paths asked for instances of a system that is no more.
    pub(crate) fn new_round(&mut self) {
        self.asked.clear();
    }

    /// Adds the atoms of the property about a cell for the cell at an index.
    fn transport(&mut self, index: &[Term], terms: &TermStore) {
        for (atom, at) in self.cells.clone() {
            if at.len() == index.len()
                && at
                    .iter()
                    .zip(index)
                    .all(|(&a, &b)| terms.sort(a) == terms.sort(b))
            {
                let moved = terms.substitute(atom, at.iter().copied().zip(index.iter().copied()));
                self.add_signed(moved, Origin::Property, terms);
            }
        }
    }

    /// Whether an instance was asked for, no condition captures its index, and interpolants were not
    /// tried for it.
    pub(crate) fn is_open(&self, one: &NonConsecutive, terms: &TermStore) -> bool {
        self.asked.contains_key(one)
            && !self.reconsidered.contains(&one.index)
            && self.choose(one, terms).is_none()
    }

    /// Forgets who asked for an index: there are more literals now, and old paths do not know them.
    pub(crate) fn reconsider(&mut self, index: &[Term]) {
        self.demands.shift_remove(index);
        self.reconsidered.insert(index.to_vec());
    }

    /// A condition that captures the index of an instance.
    pub(crate) fn choose(&self, one: &NonConsecutive, terms: &TermStore) -> Option<Capture> {
        match self.source {
            Source::AllPaths => self.on_all_paths(&one.index, terms),
            Source::OnePath => self.on_one_path(one, terms),
        }
    }

    /// The literals that are true on the path that asked for an instance, without those that are not
    /// needed.
    fn on_one_path(&self, one: &NonConsecutive, terms: &TermStore) -> Option<Capture> {
        let demand = self.asked.get(one)?;
        let mut literals: Vec<(Origin, Term)> = demand.reasons.clone();
        literals.retain(|(_, l)| demand.rows.contains_key(l));
        let known = self.literals.iter().map(|(&l, &origin)| (origin, l));
        literals.extend(known.filter(|(_, l)| !terms.is_true(*l) && demand.rows.contains_key(l)));
        literals.sort_by_key(|(origin, _)| *origin);
        let mut kept: Vec<Term> = literals.iter().map(|&(_, l)| l).collect();
        if !demand.captured(&kept, Which::Last) {
            return None;
        }
        let droppable = literals
            .iter()
            .rev()
            .filter(|(origin, _)| *origin != Origin::Hit);
        for (_, literal) in droppable {
            let without: Vec<Term> = kept.iter().copied().filter(|l| l != literal).collect();
            if demand.captured(&without, Which::Last) {
                kept = without;
            }
        }
        Some(Capture {
            condition: terms.and(kept),
            which: Which::Last,
        })
    }

    /// A condition that captures the index on every path that asked for it.
    fn on_all_paths(&self, index: &[Term], terms: &TermStore) -> Option<Capture> {
        let demands = self.demands.get(index)?;
        let in_all = |l: &Term| demands.iter().all(|d| d.rows.contains_key(l));
        let mut literals: Vec<(Origin, Term)> = self
            .literals
            .iter()
            .filter(|(l, _)| in_all(l))
            .map(|(&l, &o)| (o, l))
            .collect();
        literals.sort_by_key(|(origin, _)| *origin);
        let singles: Vec<Vec<Term>> = literals.iter().map(|&(_, l)| vec![l]).collect();
        let pairs = literals
            .iter()
            .enumerate()
            .flat_map(|(n, &(_, a))| literals.iter().take(n).map(move |&(_, b)| vec![b, a]))
            .collect();
        for (candidates, which) in [
            (&singles, Which::Last),
            (&singles, Which::First),
            (&pairs, Which::Last),
            (&pairs, Which::First),
        ] {
            let candidates: &Vec<Vec<Term>> = candidates;
            let fits = |c: &&Vec<Term>| demands.iter().all(|d| d.captured(c, which));
            if let Some(found) = candidates.iter().find(fits) {
                return Some(Capture {
                    condition: terms.and(found.iter().copied()),
                    which,
                });
            }
        }
        None
    }
}

impl Demand {
    /// Whether the conjunction of the literals captures the value.
    fn captured(&self, literals: &[Term], which: Which) -> bool {
        let holds = |step: usize| {
            literals
                .iter()
                .all(|l| self.rows.get(l).is_some_and(|row| row[step]))
        };
        match which {
            Which::Last => holds(self.time) && !(self.time + 1..self.length).any(holds),
            Which::First => holds(self.time) && !(0..self.time).any(holds),
        }
    }
}

/// The index of the only read in an atom.
fn cell(atom: Term, arrays: &ArrayAbstraction, terms: &TermStore) -> Option<Vec<Term>> {
    let is_read = |t: &Term| matches!(arrays.role(terms, *t), Some((_, Role::Read)));
    let reads: Vec<Term> = terms
        .subterms(&[atom])
        .into_iter()
        .filter(is_read)
        .collect();
    let &[read] = reads.as_slice() else {
        return None;
    };
    let index = terms.args(read)[1..].to_vec();
    index
        .iter()
        .all(|&i| terms.as_var(i).is_some())
        .then_some(index)
}

/// Atoms about numbers and locations without writes, not too large.
fn is_small(atom: Term, arrays: &ArrayAbstraction, terms: &TermStore) -> bool {
    let below: TermSet = terms.subterms(&[atom]).into_iter().collect();
    let compares_arrays = || {
        matches!(terms.op(atom), Op::Eq)
            && arrays.symbols(terms.sort(terms.args(atom)[0])).is_some()
    };
    below.len() <= LARGEST
        && !compares_arrays()
        && !below
            .iter()
            .any(|&t| terms.sort(t) != Sort::BOOL && arrays.makes_array(terms, t))
}
