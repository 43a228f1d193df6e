//! Quantified candidates: `∀y. guards(y) ⇒ atom(y)`.
//!
//! Guards compare `y` with the loop's variables and with the index terms it accesses, as the paper's
//! saturation does (an index disequality that matters is split into `<` and `>`).

use std::cell::OnceCell;

use foretell_formulas::arrays::accesses;
use foretell_systems::Pred;
use foretell_terms::{Integer, Op, Sort, Term, TermSet, TermStore};

use super::atoms::{self, Atoms};
use super::configuration::{Cells, Configuration, Domain, Guards};
use super::linked::Linked;
use crate::houdini::{index, scalars};
use crate::program::Program;

/// An index is compared with at most so many terms.
const MAX_BOUNDS: usize = 10;
/// With at most so many terms that never change.
const MAX_ENDS: usize = 2;
/// And with at most so many numerals.
const MAX_NUMERALS: usize = 3;

/// Builds the candidates of one predicate.
pub(super) struct Builder<'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) configuration: &'a Configuration,
    /// What is known of linked structures, where candidates are about these.
    pub(super) linked: Option<&'a Linked>,
    /// The guards of these, once they are needed.
    pub(super) link_guards: OnceCell<Vec<Vec<Term>>>,
    pub(super) pred: Pred,
    pub(super) terms: &'a TermStore,
}

impl Builder<'_> {
    /// What is said of cells of the predicate.
    pub(super) fn atoms(&self, atoms: &Atoms) -> Vec<Term> {
        if self.configuration.cells == Cells::Linked {
            let of = |linked: &Linked| linked.atoms(self.program, self.pred, self.terms);
            return self.linked.map_or_else(Vec::new, of);
        }
        let mut all: Vec<Term> = atoms.of(self.pred).iter().copied().collect();
        if self.configuration.cells == Cells::Compared {
            all.extend(atoms::compared(self.program, self.pred, self.terms));
        }
        all
    }

    pub(super) fn arity(&self, clause: &[Term]) -> usize {
        let vars = self.terms.free_vars(clause);
        let [y, y2] = self.program.indices;
        if vars.contains(&y2) {
            2
        } else {
            usize::from(vars.contains(&y))
        }
    }

    /// The clauses `¬guards ∨ ¬domain ∨ atom` for one atom.
    pub(super) fn candidates(&self, atom: Term) -> Vec<Vec<Term>> {
        if let Some(linked) = self.linked {
            return self.about_links(linked, atom);
        }
        let used = self.terms.free_vars(&[atom]);
        let indices: Vec<Term> = self
            .program
            .indices
            .iter()
            .copied()
            .filter(|y| used.contains(y))
            .collect();
        let outside: Vec<Term> = self
            .domain(&indices)
            .into_iter()
            .map(|d| self.terms.not(d))
            .collect();
        let mut guards: Vec<Vec<Term>> = vec![Vec::new()];
        match indices.as_slice() {
            [] => guards.extend(
                scalars::condition_atoms(self.program, self.pred, self.terms)
                    .into_iter()
                    .flat_map(|c| [vec![c], vec![self.terms.not(c)]]),
            ),
            [y] => {
                guards.extend(self.guards(*y));
                guards.extend(self.elsewhere(atom, *y));
            }
            [y, y2, ..] => guards.extend(self.guards_of_two(atom, [*y, *y2])),
        }
        let clause = |guard: Vec<Term>| {
            let mut clause: Vec<Term> = guard.into_iter().map(|g| self.terms.not(g)).collect();
            clause.extend(&outside);
            clause.push(atom);
            clause
        };
        guards.into_iter().map(clause).collect()
    }

    /// An atom of linked structures under each guard; one about no cell as it is.
    fn about_links(&self, linked: &Linked, atom: Term) -> Vec<Vec<Term>> {
        if self.arity(&[atom]) == 0 {
            return vec![vec![atom]];
        }
        let guards = self.link_guards.get_or_init(|| {
            let number = self.configuration.guards;
            linked.guards(self.program, self.pred, number, self.terms)
        });
        let under = |guard: &Vec<Term>| {
            let outside = guard.iter().map(|&g| self.terms.not(g));
            outside.chain([atom]).collect()
        };
        guards.iter().map(under).collect()
    }

    fn guards(&self, y: Term) -> Vec<Vec<Term>> {
        let terms = self.terms;
        let comparisons = self.comparisons(y);
        let single = || comparisons.iter().map(|&g| vec![g]).collect::<Vec<_>>();
        match self.configuration.guards {
            Guards::One => single(),
            Guards::LowerUpper => {
                let mut pairs = single();
                let bounds = self.bounds();
                for &low in &bounds {
                    for &high in bounds.iter().filter(|&&h| h != low) {
                        for lower in [terms.le(low, y), terms.lt(low, y)] {
                            pairs.push(vec![lower, terms.lt(y, high)]);
                            pairs.push(vec![lower, terms.le(y, high)]);
                        }
                    }
                }
                pairs
            }
            Guards::Two => {
                let mut pairs = single();
                for (i, &g) in comparisons.iter().enumerate() {
                    pairs.extend(comparisons[i + 1..].iter().map(|&h| vec![g, h]));
                }
                pairs
            }
            Guards::WithCondition => {
                let mut pairs = single();
                let scalar = scalars::condition_atoms(self.program, self.pred, terms);
                for condition in self.conditions_at(y).into_iter().chain(scalar) {
                    for literal in [condition, terms.not(condition)] {
                        pairs.push(vec![literal]);
                        pairs.extend(comparisons.iter().map(|&g| vec![g, literal]));
                    }
                }
                pairs
            }
        }
    }

    /// Comparisons of the other terms at which the atom reads, such as `y + n`, with the moving terms: these
    /// too are index terms of one array.
    fn elsewhere(&self, atom: Term, y: Term) -> Vec<Vec<Term>> {
        let terms = self.terms;
        let mut guards = Vec::new();
        for tuple in accesses(terms, &[atom]) {
            if let [at] = tuple.as_slice()
                && *at != y
                && terms.sort(*at) == Sort::INT
                && terms.free_vars(&[*at]).contains(&y)
            {
                guards.extend(self.comparisons(*at).into_iter().map(|g| vec![g]));
            }
        }
        guards
    }

    /// Two indices: a comparison of one of them; the first at a term and a comparison of the second
    /// (how far a nested loop got, in lexicographic order); a comparison of one and the end of the other
    /// (the rows or columns that are done); or, in dearer configurations, any of each.
    fn guards_of_two(&self, atom: Term, [y, y2]: [Term; 2]) -> Vec<Vec<Term>> {
        let (first, second) = (self.comparisons(y), self.comparisons(y2));
        let mut guards: Vec<Vec<Term>> = first.iter().chain(&second).map(|&g| vec![g]).collect();
        if self.is_of_pairs(atom) {
            guards.extend(self.ordered([y, y2], &first, &second));
        }
        for end in self.ends() {
            let (row, column) = (self.terms.lt(y, end), self.terms.lt(y2, end));
            guards.extend(first.iter().map(|&g| vec![g, column]));
            guards.extend(second.iter().map(|&g| vec![row, g]));
        }
        let lexicographic =
            self.configuration.guards == Guards::One || self.configuration.domain == Domain::Goal;
        for &g in first
            .iter()
            .filter(|&&g| !lexicographic || *self.terms.op(g) == Op::Eq)
        {
            guards.extend(second.iter().map(|&h| vec![g, h]));
        }
        guards
    }

    /// Whether the two indices are places of arrays with one index each.
    fn is_of_pairs(&self, atom: Term) -> bool {
        let at = accesses(self.terms, &[atom]);
        let single = |y: &Term| at.iter().any(|tuple| tuple.as_slice() == [*y]);
        self.program.indices.iter().all(single)
    }

    /// Pairs of places in their order: up to a term; of them the first ones; under a condition.
    fn ordered(&self, [y, y2]: [Term; 2], first: &[Term], second: &[Term]) -> Vec<Vec<Term>> {
        let terms = self.terms;
        let below = terms.lt(y, y2);
        let mut guards = vec![vec![below]];
        guards.extend(second.iter().map(|&h| vec![below, h]));
        if self.configuration.guards == Guards::One {
            return guards;
        }
        for end in self.ends() {
            let inside = terms.lt(y2, end);
            guards.extend(first.iter().map(|&g| vec![below, inside, g]));
        }
        if self.configuration.guards == Guards::WithCondition {
            let moving = self.bounds().into_iter().filter(|&t| !self.is_rigid(t));
            let upper: Vec<Term> = moving
                .flat_map(|t| [terms.lt(y2, t), terms.le(y2, t)])
                .collect();
            for condition in scalars::condition_atoms(self.program, self.pred, terms) {
                for literal in [condition, terms.not(condition)] {
                    guards.extend(upper.iter().map(|&u| vec![below, u, literal]));
                }
            }
        }
        guards
    }

    /// `y < t`, `y <= t`, `y >= t`, `y > t`, `y = t` for the moving terms, and `y < t` where `t` never
    /// changes and a loop runs up to it.
    fn comparisons(&self, y: Term) -> Vec<Term> {
        let terms = self.terms;
        let moving = self.bounds().into_iter().filter(|&t| !self.is_rigid(t));
        let mut found: Vec<Term> = self.ends().into_iter().map(|t| terms.lt(y, t)).collect();
        let around = moving.flat_map(|t| {
            [
                terms.lt(y, t),
                terms.le(t, y),
                terms.le(y, t),
                terms.lt(t, y),
                terms.eq(y, t),
            ]
        });
        found.extend(around);
        found
    }

    /// Frozen parameters that moving ones are compared with, then numerals.
    fn ends(&self) -> Vec<Term> {
        let (program, terms) = (self.program, self.terms);
        let mut found = TermSet::default();
        for rule in &program.rules {
            for atom in terms.atoms(&[rule.guard]) {
                let vars = terms.free_vars(&[atom]);
                let (frozen, moving): (Vec<Term>, Vec<Term>) = vars
                    .into_iter()
                    .filter(|&v| terms.sort(v) == Sort::INT)
                    .partition(|&v| program.is_frozen(v));
                if *terms.op(atom) == Op::Le && !moving.is_empty() {
                    let here = frozen
                        .into_iter()
                        .filter_map(|t| program.transport(t, self.pred, terms));
                    found.extend(here);
                }
            }
        }
        found.extend(self.numerals());
        found.into_iter().take(MAX_ENDS).collect()
    }

    fn is_rigid(&self, term: Term) -> bool {
        self.terms
            .free_vars(&[term])
            .iter()
            .all(|&v| self.program.is_frozen(v))
    }

    /// Terms to compare an index with: moving integer parameters first, then accessed index terms,
    /// what the goal compares its variables with, numerals where loops end, and frozen parameters.
    fn bounds(&self) -> Vec<Term> {
        let (program, terms) = (self.program, self.terms);
        let params = program.params_of_sort(self.pred, Sort::INT, terms);
        let (frozen, moving): (Vec<Term>, Vec<Term>) =
            params.into_iter().partition(|&p| program.is_frozen(p));
        let mut bounds = TermSet::default();
        bounds.extend(moving);
        bounds.extend(index::access_terms(program, self.pred, terms));
        bounds.extend(self.goal_bounds());
        bounds.extend(self.numerals());
        bounds.extend(frozen);
        bounds.into_iter().take(MAX_BOUNDS).collect()
    }

    /// Numerals that moving parameters are compared with: the sizes of arrays of fixed size, which no
    /// parameter holds.
    fn numerals(&self) -> Vec<Term> {
        let (program, terms) = (self.program, self.terms);
        let mut found = TermSet::default();
        for rule in &program.rules {
            let comparisons = terms.atoms(&[rule.guard]).into_iter();
            for atom in comparisons.filter(|&a| *terms.op(a) == Op::Le) {
                let args = terms.args(atom);
                for (x, c) in [(args[0], args[1]), (args[1], args[0])] {
                    let moving = terms.as_var(x).is_some() && !program.is_frozen(x);
                    if moving && terms.as_int(c).is_some_and(|n| *n > Integer::ONE) {
                        found.insert(c);
                    }
                }
            }
        }
        found.into_iter().take(MAX_NUMERALS).collect()
    }

    /// `t` for every comparison `z <= t` or `t <= z` of the queries of this predicate.
    fn goal_bounds(&self) -> Vec<Term> {
        let terms = self.terms;
        let mut found = Vec::new();
        for rule in self.program.queries().filter(|r| r.from == Some(self.pred)) {
            for atom in terms
                .atoms(&[rule.guard])
                .into_iter()
                .filter(|&a| *terms.op(a) == Op::Le)
            {
                let args = terms.args(atom);
                for (z, t) in [(args[0], args[1]), (args[1], args[0])] {
                    let own = terms
                        .free_vars(&[t])
                        .iter()
                        .all(|v| !rule.locals.contains(v));
                    if rule.locals.contains(&z)
                        && own
                        && terms.as_number(t).is_none()
                        && terms.sort(t) == Sort::INT
                    {
                        found.push(t);
                    }
                }
            }
        }
        found
    }

    fn domain(&self, indices: &[Term]) -> Vec<Term> {
        match self.configuration.domain {
            Domain::NonNegative => indices
                .iter()
                .map(|&y| self.terms.le(self.terms.int(0), y))
                .collect(),
            Domain::Goal => {
                // Only what is about the atom's own indices.
                let foreign = |y: &Term| self.program.indices.contains(y) && !indices.contains(y);
                let mut domain = self.goal_domain();
                domain.retain(|&d| !self.terms.free_vars(&[d]).iter().any(foreign));
                domain
            }
        }
    }

    /// The conjuncts of the query that speak of its own variables and frozen parameters only.
    fn goal_domain(&self) -> Vec<Term> {
        let terms = self.terms;
        let mut domain = TermSet::default();
        for rule in self.program.queries() {
            let locals: Vec<Term> = rule
                .locals
                .iter()
                .copied()
                .filter(|&v| terms.sort(v) == Sort::INT)
                .collect();
            if locals.is_empty() || locals.len() > 2 {
                continue;
            }
            let renaming: Vec<(Term, Term)> =
                locals.iter().copied().zip(self.program.indices).collect();
            for conjunct in terms
                .conjuncts(rule.guard)
                .into_iter()
                .filter(|&c| !atoms::reads(terms, c))
            {
                let vars = terms.free_vars(&[conjunct]);
                let about = vars.iter().any(|v| locals.contains(v));
                let rigid = vars
                    .iter()
                    .all(|v| locals.contains(v) || self.program.is_frozen(*v));
                if about && rigid {
                    let renamed = terms.substitute(conjunct, renaming.iter().copied());
                    domain.extend(self.program.transport(renamed, self.pred, terms));
                }
            }
        }
        domain.into_iter().collect()
    }

    /// Conditions of the rules that mention one moving term, at `y` instead of it.
    fn conditions_at(&self, y: Term) -> Vec<Term> {
        let terms = self.terms;
        let mut found = TermSet::default();
        for rule in &self.program.rules {
            let mut roots = rule.post.clone();
            roots.push(rule.guard);
            for atom in terms.atoms(&roots) {
                let interesting = *terms.op(atom) == Op::Eq
                    || terms.any_subterm(atom, |s, t| {
                        matches!(s.op(t), Op::Mod | Op::IDiv | Op::Select)
                    });
                let vars = terms.free_vars(&[atom]);
                let moving: Vec<Term> = vars
                    .iter()
                    .copied()
                    .filter(|&v| terms.sort(v) == Sort::INT && !self.program.is_frozen(v))
                    .collect();
                if let [x] = moving.as_slice()
                    && (interesting || vars.len() > 1)
                {
                    let at_y = terms.substitute(atom, [(*x, y)]);
                    found.extend(self.program.transport(at_y, self.pred, terms));
                }
            }
        }
        let mut found: Vec<Term> = found.into_iter().take(8).collect();
        for k in scalars::strides(self.program, terms) {
            let remainder = |r: i64| terms.eq(terms.modulo(y, terms.int(k)), terms.int(r));
            found.extend((0..k).map(remainder));
        }
        found
    }
}
