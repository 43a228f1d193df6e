//! Resolution of clauses that remember what they are made of.
//!
//! What a resolved clause is made of is a tree of two-way steps in one table ([`Origins`]), each with the
//! variables of its two parts in terms of its own. Nothing is carried from step to step, so that a
//! resolution costs what its two clauses are long, however many clauses they stand for.

use foretell_kernel::{Cx, Halt};
use foretell_systems::{Atom, ChcSystem, Clause, ClauseId, Pred};
use foretell_terms::{Substitution, Term, TermStore};

use crate::equalities::{clause_vars, reduce};
use foretell_formulas::base_name;

/// A clause and the original clauses it stands for.
#[derive(Clone, Debug)]
pub(super) struct Merged {
    /// The clause, over the original predicates.
    pub(super) clause: Clause,
    /// What it is made of.
    pub(super) origin: OriginId,
}

/// A place in a table of origins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OriginId(usize);

/// What a clause is made of.
#[derive(Debug)]
pub(super) enum Origin {
    /// It is an original clause.
    Single(ClauseId),
    /// In the body of a use, the atom `at` was replaced by the body of a definition of its predicate.
    Resolved {
        /// The definition.
        definition: Part,
        /// The number of body atoms of the definition.
        width: usize,
        /// The use.
        user: Part,
        /// The place of the atom in the body of the use.
        at: usize,
    },
}

/// One of the two clauses of a resolution.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) origin: OriginId,
    /// Its variables in terms of the variables of the result. A variable that the result does not mention
    /// any more may have any value, and so may one of the part that is not here.
    pub(super) values: Vec<(Term, Term)>,
}

/// All origins of a run of the pass.
#[derive(Default, Debug)]
pub(super) struct Origins(Vec<Origin>);

impl Origins {
    fn add(&mut self, origin: Origin) -> OriginId {
        self.0.push(origin);
        OriginId(self.0.len() - 1)
    }

    /// What is at a place.
    pub(super) fn get(&self, id: OriginId) -> &Origin {
        &self.0[id.0]
    }

    /// A clause by itself.
    pub(super) fn single(&mut self, system: &ChcSystem, id: ClauseId) -> Merged {
        Merged {
            clause: system.clause(id).clone(),
            origin: self.add(Origin::Single(id)),
        }
    }

    /// Whether it is made of several clauses.
    pub(super) fn is_resolved(&self, id: OriginId) -> bool {
        matches!(self.get(id), Origin::Resolved { .. })
    }

    /// The original clause that comes first in a derivation, and its variables in terms of those of the
    /// result.
    pub(super) fn first(
        &self,
        id: OriginId,
        system: &ChcSystem,
        terms: &TermStore,
    ) -> (ClauseId, Vec<(Term, Term)>) {
        let (mut path, mut at) = (Vec::new(), id);
        let clause = loop {
            match self.get(at) {
                Origin::Single(clause) => break *clause,
                Origin::Resolved { definition, .. } => {
                    path.push(definition);
                    at = definition.origin;
                }
            }
        };
        let vars = system.clause(clause).vars.iter();
        let mut values: Vec<(Term, Term)> = vars.map(|&v| (v, v)).collect();
        for part in path.into_iter().rev() {
            let mut map = Substitution::from_pairs(part.values.iter().copied());
            for (_, value) in &mut values {
                *value = map.apply(terms, *value);
            }
        }
        (clause, values)
    }

    /// The original clauses of the tree.
    pub(super) fn clauses(&self, id: OriginId) -> Vec<ClauseId> {
        let (mut found, mut work) = (Vec::new(), vec![id]);
        while let Some(id) = work.pop() {
            match self.get(id) {
                Origin::Single(clause) => found.push(*clause),
                Origin::Resolved {
                    definition, user, ..
                } => work.extend([definition.origin, user.origin]),
            }
        }
        found
    }
}

impl Merged {
    /// The terms of the clause.
    pub(super) fn roots(&self) -> Vec<Term> {
        let atoms = self.clause.body.iter().chain(&self.clause.head);
        atoms
            .flat_map(|a| a.args.iter().copied())
            .chain([self.clause.constraint])
            .collect()
    }

    /// Its clause with variables of its own, and the new names of the old ones.
    fn renamed(&self, terms: &TermStore) -> (Clause, Vec<(Term, Term)>) {
        let fresh = |v: Term| (v, terms.fresh(base_name(terms.var_name(v)), terms.sort(v)));
        let names: Vec<(Term, Term)> = terms
            .free_vars(&self.roots())
            .into_iter()
            .map(fresh)
            .collect();
        let mut map = Substitution::from_pairs(names.iter().copied());
        let mut atom = |a: &Atom| a.mapped(&mut map, terms);
        let body: Vec<Atom> = self.clause.body.iter().map(&mut atom).collect();
        let head = self.clause.head.as_ref().map(&mut atom);
        let clause = Clause {
            vars: names.iter().map(|&(_, fresh)| fresh).collect(),
            body,
            constraint: map.apply(terms, self.clause.constraint),
            head,
            line: self.clause.line,
        };
        (clause, names)
    }
}

/// A use with every atom of the predicate replaced by each definition in turn.
pub(super) fn resolvents(
    user: &Merged,
    pred: Pred,
    definitions: &[&Merged],
    origins: &mut Origins,
    cx: &Cx<'_>,
) -> Result<Vec<Merged>, Halt> {
    let (mut done, mut work) = (Vec::new(), vec![user.clone()]);
    while let Some(merged) = work.pop() {
        let Some(at) = merged.clause.body.iter().position(|a| a.pred == pred) else {
            done.push(merged);
            continue;
        };
        for definition in definitions.iter().rev() {
            cx.budget.check()?;
            let resolvent = resolve(&merged, at, definition, origins, cx.terms);
            if !cx.terms.is_false(resolvent.clause.constraint) {
                work.push(resolvent);
            }
        }
    }
    Ok(done)
}

/// The clause with the body atom `at` replaced by the body of a definition of its predicate.
fn resolve(
    user: &Merged,
    at: usize,
    definition: &Merged,
    origins: &mut Origins,
    terms: &TermStore,
) -> Merged {
    let (use_clause, use_names) = user.renamed(terms);
    let (defining, defining_names) = definition.renamed(terms);
    let derived = defining.head.as_ref();
    let derived = derived.expect("invariant: a definition has a head");
    let given = use_clause.body[at].args.iter().zip(&derived.args);
    let equal = given.map(|(&a, &b)| terms.eq(a, b));
    let parts = [defining.constraint, use_clause.constraint];
    let constraint = terms.and(parts.into_iter().chain(equal));
    let width = defining.body.len();
    let (mut body, head) = (use_clause.body, use_clause.head);
    body.splice(at..=at, defining.body);
    let vars = clause_vars(&body, constraint, head.as_ref(), terms);
    let line = use_clause.line;
    let whole = Clause {
        vars,
        body,
        constraint,
        head,
        line,
    };
    let (clause, solved) = reduce(&whole, terms);
    let mut map = Substitution::from_pairs(solved);
    let mut part = |origin: OriginId, names: Vec<(Term, Term)>| Part {
        origin,
        values: names
            .into_iter()
            .map(|(v, fresh)| (v, map.apply(terms, fresh)))
            .collect(),
    };
    let origin = origins.add(Origin::Resolved {
        definition: part(definition.origin, defining_names),
        width,
        user: part(user.origin, use_names),
        at,
    });
    Merged { clause, origin }
}
