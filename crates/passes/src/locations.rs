//! Control in arguments becomes control in predicates.
//!
//! ```text
//! s(f, f, 0) ⇐ true                                        s@0(0) ⇐ true
//! s(f, t, x + 1) ⇐ s(f, f, x)                        →     s@1(x + 1) ⇐ s@0(x)
//! s(f, f, x) ⇐ s(f, t, x) ∧ x < 9                          s@0(x) ⇐ s@1(x) ∧ x < 9
//! false ⇐ s(f, t, x) ∧ x > 9                               false ⇐ s@1(x) ∧ x > 9
//! ```
//!
//! Tools that print a program as one transition relation code the program counter in Booleans or in a
//! number. [`control`] finds these arguments. A *place* is a predicate with values for them. [`explore`] finds
//! the places that facts and clauses reach when everything else is left to the solver, and the edges between
//! them; each place becomes a predicate and each edge a clause of its own, in which control has its values.
//! What follows sees the program: [`crate::inline`] makes large blocks of it (Beyer et al., "Software
//! model checking via large-block encoding", FMCAD 2009), and constants and unused arguments are found
//! place by place.
//!
//! It is done only where it pays: clauses are linear and without quantifiers, the edges are few for the
//! places (Booleans that are data have edges between all values), and at least half of the places are no loop
//! headers or the places are a chain or a ring (of loops, where there are arrays). Booleans come first; numbers
//! beside them stay arguments, and where Booleans are data it is the other way round.
//!
//! The way back: `F_p = ⋁ values = params ∧ F_place` over the places of `p`, so that what is not
//! reached is `false`; a derivation names for each edge the clause it is a copy of.

mod control;
mod explore;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{Atom, ChcProof, ChcSystem, Clause, Derivation, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Sort, Term, TermStore, Value};
use indexmap::IndexMap;

use crate::equalities::clause_vars;
use crate::inline::elimination_order;
use crate::shared::facts::{Fact, within};
use crate::shared::{is_scalar, replay};
use control::Control;
use explore::{Edge, Place, explore};
use foretell_formulas::instantiate;

/// The name of the pass.
const NAME: &str = "locations";
/// No more places than this are looked at.
const MOST_PLACES: usize = 256;
/// Edges per place beyond this number are a sign of data.
const EDGES_PER_PLACE: usize = 4;
/// So many edges more do not matter.
const FREE_EDGES: usize = 16;

/// The pass.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Locations;

impl Pass for Locations {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = LocationsLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, LocationsLift), Halt> {
        Ok(match split(from, cx)? {
            Some((to, split)) => (
                to,
                LocationsLift {
                    system: from.clone(),
                    split: Some(split),
                },
            ),
            None => (
                from.clone(),
                LocationsLift {
                    system: from.clone(),
                    split: None,
                },
            ),
        })
    }
}

/// The system of places, if there is one that pays: by Booleans, or else by numbers.
fn split(from: &ChcSystem, cx: &Cx<'_>) -> Result<Option<(ChcSystem, Split)>, Halt> {
    let quantified = |f: &Term| cx.terms.has_quantifier(*f);
    if !from.is_linear() || from.formulas().iter().any(quantified) {
        return Ok(None);
    }
    if let Some(control) = Control::bits(from, cx.terms)
        && let Some(found) = split_by(from, control, cx)?
    {
        return Ok(Some(found));
    }
    match Control::numbers(from, cx)? {
        Some(control) => split_by(from, control, cx),
        None => Ok(None),
    }
}

/// The system of the places of some control, if it pays.
fn split_by(
    from: &ChcSystem,
    control: Control,
    cx: &Cx<'_>,
) -> Result<Option<(ChcSystem, Split)>, Halt> {
    let Some(edges) = explore(from, &control, MOST_PLACES, cx)? else {
        return Ok(None);
    };
    let (to, split) = Split::new(from, control, &edges, cx.terms);
    let places = to.preds.len();
    let is_sparse = to.clauses.len() <= EDGES_PER_PLACE * places + FREE_EDGES;
    let steps = to.clauses.iter().filter(|c| !c.is_query() && !c.is_fact());
    let is_chain = match is_scalar(from, cx.terms) {
        true => steps.count() <= places + 1,
        false => steps.count() <= 2 * places + 1,
    };
    let pays = is_chain || 2 * elimination_order(&to).len() >= places;
    Ok((places > from.preds.len() && is_sparse && pays).then_some((to, split)))
}

/// The literals that say that these terms have the values of a place.
fn literals(place: &Place, control: &[Term], terms: &TermStore) -> Vec<Term> {
    let literal = |(&term, value): (&Term, &Value)| has(terms, term, value);
    control.iter().zip(&place.values).map(literal).collect()
}

/// That a term has a value.
fn has(terms: &TermStore, term: Term, value: &Value) -> Term {
    match value {
        Value::Bool(true) => term,
        Value::Bool(false) => terms.not(term),
        _ => terms.eq(term, written(terms, value, terms.sort(term))),
    }
}

/// The value of a place as a term.
fn written(terms: &TermStore, value: &Value, sort: Sort) -> Term {
    let term = terms.value_term(value, sort);
    term.expect("invariant: the values of places are truth values and numerals")
}

/// What became of predicates and clauses.
struct Split {
    control: Control,
    /// The predicate of each place, by position.
    places: IndexMap<Place, Pred>,
    /// For each new clause: what it is a copy of.
    copies: Vec<Copied>,
    /// The parameters of the new predicates.
    params: Vec<Vec<Term>>,
}

/// Where a clause comes from.
struct Copied {
    edge: Edge,
    /// The variables of the original clause and their copies.
    vars: Vec<(Term, Term)>,
    /// Variables of the original clause that have a value here.
    fixed: Vec<(Term, Value)>,
}

impl Split {
    fn new(
        from: &ChcSystem,
        control: Control,
        edges: &[Edge],
        terms: &TermStore,
    ) -> (ChcSystem, Split) {
        let mut to = ChcSystem::default();
        let mut places: IndexMap<Place, Pred> = IndexMap::new();
        for place in edges.iter().flat_map(|e| e.from.iter().chain(&e.to)) {
            if !places.contains_key(place) {
                let params = control.rest(place.pred, &from.pred(place.pred).params);
                let sorts: Vec<Sort> = params.iter().map(|&p| terms.sort(p)).collect();
                let name = format!("{}@{}", from.name(terms, place.pred), places.len());
                places.insert(place.clone(), to.add_pred(terms, &name, &sorts));
            }
        }
        let mut split = Split {
            control,
            places,
            copies: Vec::new(),
            params: Vec::new(),
        };
        split.params = to.preds.iter().map(|p| p.params.clone()).collect();
        for edge in edges {
            let (clause, copied) = split.copy(from.clause(edge.clause), edge, terms);
            to.clauses.push(clause);
            split.copies.push(copied);
        }
        (to, split)
    }

    /// The clause of an edge.
    fn copy(&self, original: &Clause, edge: &Edge, terms: &TermStore) -> (Clause, Copied) {
        let clause = original.renamed(terms);
        let vars: Vec<(Term, Term)> = original
            .vars
            .iter()
            .copied()
            .zip(clause.vars.iter().copied())
            .collect();
        let ends = [
            (clause.body.first(), &edge.from),
            (clause.head.as_ref(), &edge.to),
        ];
        let mut known = Vec::new();
        for (atom, place) in ends.into_iter().filter_map(|(a, p)| a.zip(p.as_ref())) {
            let args = self.control.of(place.pred, &atom.args);
            known.extend(args.into_iter().zip(place.values.iter().cloned()));
        }
        let values: IndexMap<Term, Value> = known
            .iter()
            .filter(|(arg, _)| terms.as_var(*arg).is_some())
            .cloned()
            .collect();
        let value = |(&var, value): (&Term, &Value)| (var, written(terms, value, terms.sort(var)));
        let mut map = foretell_terms::Substitution::from_pairs(values.iter().map(value));
        let mut parts = vec![map.apply(terms, clause.constraint)];
        for (arg, value) in known {
            parts.push(has(terms, map.apply(terms, arg), &value));
        }
        let mut atom = |atom: Option<&Atom>, place: &Option<Place>| {
            let (atom, place) = atom.zip(place.as_ref())?;
            let args = self.control.rest(place.pred, &atom.args);
            Some(Atom {
                pred: self.places[place],
                args: args.into_iter().map(|t| map.apply(terms, t)).collect(),
            })
        };
        let body: Vec<Atom> = atom(clause.body.first(), &edge.from).into_iter().collect();
        let head = atom(clause.head.as_ref(), &edge.to);
        let constraint = terms.and(parts);
        let fixed = vars
            .iter()
            .filter_map(|(o, c)| values.get(c).map(|v| (*o, v.clone())))
            .collect();
        let copy = Clause {
            vars: clause_vars(&body, constraint, head.as_ref(), terms),
            body,
            constraint,
            head,
            line: clause.line,
        };
        (
            copy,
            Copied {
                edge: edge.clone(),
                vars,
                fixed,
            },
        )
    }

    /// One formula for each old predicate out of one for each new predicate.
    fn join(&self, system: &ChcSystem, formulas: &[Term], terms: &TermStore) -> Vec<Term> {
        let of = |pred: Pred| {
            let params = &system.pred(pred).params;
            let (own, rest) = (
                self.control.of(pred, params),
                self.control.rest(pred, params),
            );
            let mine = self.places.iter().filter(|(place, _)| place.pred == pred);
            let at = mine.map(|(place, new)| {
                let formula = formulas[new.index()];
                let here = instantiate(terms, formula, &self.params[new.index()], &rest);
                terms.and(literals(place, &own, terms).into_iter().chain([here]))
            });
            terms.or(at.collect::<Vec<Term>>())
        };
        system.pred_ids().map(of).collect()
    }

    /// A fact about a place as one about its predicate, where it has the values of the place.
    fn unplaced(&self, system: &ChcSystem, (new, formula): Fact, terms: &TermStore) -> Fact {
        let (place, _) = self
            .places
            .get_index(new.index())
            .expect("invariant: places are numbered in order");
        let params = &system.pred(place.pred).params;
        let rest = self.control.rest(place.pred, params);
        let here = instantiate(terms, formula, &self.params[new.index()], &rest);
        let there = literals(place, &self.control.of(place.pred, params), terms);
        (place.pred, terms.implies(terms.and(there), here))
    }

    /// A fact about a predicate at each of its places.
    fn placed(&self, system: &ChcSystem, (pred, formula): Fact, terms: &TermStore) -> Vec<Fact> {
        let params = &system.pred(pred).params;
        let (own, rest) = (
            self.control.of(pred, params),
            self.control.rest(pred, params),
        );
        let at = |(place, &new): (&Place, &Pred)| {
            let new_params = &self.params[new.index()];
            let value = |(&c, v): (&Term, &Value)| (c, written(terms, v, terms.sort(c)));
            let values = own.iter().zip(&place.values).map(value);
            let moved = values.chain(rest.iter().copied().zip(new_params.iter().copied()));
            let here = terms.substitute(formula, moved);
            Some((new, within(terms, here, new_params)?))
        };
        let mine = self.places.iter().filter(|(place, _)| place.pred == pred);
        mine.filter_map(at).collect()
    }

    /// One term for each old clause out of one for each new clause, each under the values of its edge;
    /// `other` where no edge is.
    fn choose(
        &self,
        system: &ChcSystem,
        entries: &[Option<Term>],
        other: impl Fn(&Clause) -> Option<Term>,
        terms: &TermStore,
    ) -> Vec<Option<Term>> {
        let mut result: Vec<Option<Term>> = system.clauses.iter().map(other).collect();
        for (copied, entry) in self.copies.iter().zip(entries) {
            let id = copied.edge.clause;
            let (Some(entry), Some(rest)) = (entry, result[id.index()]) else {
                continue;
            };
            let back = copied.vars.iter().map(|&(original, copy)| (copy, original));
            let entry = terms.substitute(*entry, back);
            let guard = terms.and(self.guard(system.clause(id), &copied.edge, terms));
            result[id.index()] = Some(terms.ite(guard, entry, rest));
        }
        result
    }

    /// That a clause is used along an edge.
    fn guard(&self, clause: &Clause, edge: &Edge, terms: &TermStore) -> Vec<Term> {
        let ends = [
            (clause.body.first(), &edge.from),
            (clause.head.as_ref(), &edge.to),
        ];
        let pairs = ends.into_iter().filter_map(|(a, p)| a.zip(p.as_ref()));
        pairs
            .flat_map(|(a, p)| literals(p, &self.control.of(p.pred, &a.args), terms))
            .collect()
    }

    /// The witness for the old clauses; `None` when a sort has no constant to fill in.
    fn witness(
        &self,
        system: &ChcSystem,
        witness: &ChcWitness,
        terms: &TermStore,
    ) -> Option<ChcWitness> {
        let mut auxiliaries = Vec::new();
        for auxiliary in &witness.auxiliaries {
            auxiliaries.push(match auxiliary {
                ChcAuxiliary::Prophecy { var, targets } => {
                    let sort = terms.sort(*var);
                    let filler = terms.value_term(&terms.default_value(sort), sort)?;
                    let other = |c: &Clause| c.is_query().then_some(filler);
                    ChcAuxiliary::Prophecy {
                        var: *var,
                        targets: self.choose(system, targets, other, terms),
                    }
                }
                ChcAuxiliary::History { var, updates } => {
                    let other = |c: &Clause| (!c.is_query()).then_some(*var);
                    ChcAuxiliary::History {
                        var: *var,
                        updates: self.choose(system, updates, other, terms),
                    }
                }
            });
        }
        Some(ChcWitness {
            auxiliaries,
            invariants: self.join(system, &witness.invariants, terms),
        })
    }
}

/// The way back.
pub(crate) struct LocationsLift {
    system: ChcSystem,
    /// `None` when nothing was done.
    split: Option<Split>,
}

impl Translation for LocationsLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, fact: Fact, cx: &Cx<'_>) -> Vec<Fact> {
        match &self.split {
            Some(split) => vec![split.unplaced(&self.system, fact, cx.terms)],
            None => vec![fact],
        }
    }

    fn down(&self, fact: Fact, cx: &Cx<'_>) -> Vec<Fact> {
        match &self.split {
            Some(split) => split.placed(&self.system, fact, cx.terms),
            None => vec![fact],
        }
    }
}

impl Lift for LocationsLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        let Some(split) = &self.split else {
            return Ok(proof);
        };
        let witness = proof
            .witness
            .as_ref()
            .and_then(|w| split.witness(&self.system, w, cx.terms));
        Ok(ChcProof {
            formulas: split.join(&self.system, &proof.formulas, cx.terms),
            witness,
        })
    }

    fn cex(&self, mut derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        let Some(split) = &self.split else {
            return Ok(derivation);
        };
        for step in &mut derivation.steps {
            let copied = split
                .copies
                .get(step.clause.index())
                .ok_or(Halt::NotLifted(NAME))?;
            let mut values = Assignment::with_room(copied.vars.len());
            for (original, copy) in &copied.vars {
                if let Some(value) = step.values.get(*copy) {
                    values.insert(*original, value.clone());
                }
            }
            for (var, value) in &copied.fixed {
                values.insert(*var, value.clone());
            }
            step.values = values;
            step.clause = copied.edge.clause;
        }
        replay::complete(&self.system, derivation, NAME, cx)
    }
}

#[cfg(test)]
mod tests;
