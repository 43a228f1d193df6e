//! Control in Boolean arguments becomes control in predicates.
//!
//! ```text
//! s(f, f, 0) ⇐ true                                        s@0(0) ⇐ true
//! s(f, t, x + 1) ⇐ s(f, f, x)                        →     s@1(x + 1) ⇐ s@0(x)
//! s(f, f, x) ⇐ s(f, t, x) ∧ x < 9                          s@0(x) ⇐ s@1(x) ∧ x < 9
//! false ⇐ s(f, t, x) ∧ x > 9                               false ⇐ s@1(x) ∧ x > 9
//! ```
//!
//! Tools that print a program as one transition relation code the program counter in Booleans. A
//! *place* is a predicate with values for its Boolean arguments. [`explore`] finds the places that
//! facts and clauses reach when everything else is left to the solver, and the edges between them; each
//! place becomes a predicate and each edge a clause of its own, in which the Booleans have their values.
//! What follows sees the program: [`crate::inline`] makes large blocks of it (Beyer et al., "Software
//! model checking via large-block encoding", FMCAD 2009), and constants and unused arguments are found
//! place by place.
//!
//! It is done only where it pays: clauses are linear and without arrays and quantifiers, the edges are
//! few for the places (Booleans that are data have edges between all values), and at least half of the
//! places are no loop headers.
//!
//! The way back: `F_p = ⋁ values = params ∧ F_place` over the places of `p`, so that what is not
//! reached is `false`; a derivation names for each edge the clause it is a copy of.

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
use crate::shared::replay;
use explore::{Edge, Place, explore};
use foretell_formulas::instantiate;

/// The name of the pass.
const NAME: &str = "locations";
/// Booleans beyond this number are taken for data.
const MOST_BITS: usize = 12;
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

/// The system of places, if there is one that pays.
fn split(from: &ChcSystem, cx: &Cx<'_>) -> Result<Option<(ChcSystem, Split)>, Halt> {
    let bits = Bits::new(from, cx.terms);
    if !from.is_linear() || !bits.are_few() || !crate::shared::is_scalar(from, cx.terms) {
        return Ok(None);
    }
    let Some(edges) = explore(from, &bits, cx)? else {
        return Ok(None);
    };
    let (to, split) = Split::new(from, bits, &edges, cx.terms);
    let places = to.preds.len();
    let is_sparse = to.clauses.len() <= EDGES_PER_PLACE * places + FREE_EDGES;
    let pays = 2 * elimination_order(&to).len() >= places;
    Ok((places > from.preds.len() && is_sparse && pays).then_some((to, split)))
}

/// The positions of the Boolean arguments of each predicate.
struct Bits(Vec<Vec<usize>>);

impl Bits {
    fn new(system: &ChcSystem, terms: &TermStore) -> Bits {
        let of = |params: &[Term]| {
            (0..params.len())
                .filter(|&k| terms.sort(params[k]) == Sort::BOOL)
                .collect::<Vec<_>>()
        };
        Bits(system.preds.iter().map(|p| of(&p.params)).collect())
    }

    fn are_few(&self) -> bool {
        self.0.iter().any(|b| !b.is_empty()) && self.0.iter().all(|b| b.len() <= MOST_BITS)
    }

    /// The Boolean arguments of an atom, or parameters of its predicate.
    fn of(&self, pred: Pred, args: &[Term]) -> Vec<Term> {
        self.0[pred.index()].iter().map(|&k| args[k]).collect()
    }

    /// The other ones.
    fn rest(&self, pred: Pred, args: &[Term]) -> Vec<Term> {
        let bits = &self.0[pred.index()];
        (0..args.len())
            .filter(|k| !bits.contains(k))
            .map(|k| args[k])
            .collect()
    }
}

/// The literals that say that these formulas have the values of a place.
fn literals(place: &Place, bits: &[Term], terms: &TermStore) -> Vec<Term> {
    bits.iter()
        .zip(&place.values)
        .map(|(&b, &v)| if v { b } else { terms.not(b) })
        .collect()
}

/// What became of predicates and clauses.
struct Split {
    bits: Bits,
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
    fixed: Vec<(Term, bool)>,
}

impl Split {
    fn new(from: &ChcSystem, bits: Bits, edges: &[Edge], terms: &TermStore) -> (ChcSystem, Split) {
        let mut to = ChcSystem::default();
        let mut places: IndexMap<Place, Pred> = IndexMap::new();
        for place in edges.iter().flat_map(|e| e.from.iter().chain(&e.to)) {
            if !places.contains_key(place) {
                let params = bits.rest(place.pred, &from.pred(place.pred).params);
                let sorts: Vec<Sort> = params.iter().map(|&p| terms.sort(p)).collect();
                let name = format!("{}@{}", from.name(terms, place.pred), places.len());
                places.insert(place.clone(), to.add_pred(terms, &name, &sorts));
            }
        }
        let mut split = Split {
            bits,
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
            let bits = self.bits.of(place.pred, &atom.args);
            known.extend(bits.into_iter().zip(place.values.iter().copied()));
        }
        let values: IndexMap<Term, bool> = known
            .iter()
            .copied()
            .filter(|(b, _)| terms.as_var(*b).is_some())
            .collect();
        let mut map = foretell_terms::Substitution::from_pairs(
            values.iter().map(|(&var, &value)| (var, terms.bool(value))),
        );
        let mut parts = vec![map.apply(terms, clause.constraint)];
        for (bit, value) in known {
            let bit = map.apply(terms, bit);
            parts.push(if value { bit } else { terms.not(bit) });
        }
        let mut atom = |atom: Option<&Atom>, place: &Option<Place>| {
            let (atom, place) = atom.zip(place.as_ref())?;
            let args = self.bits.rest(place.pred, &atom.args);
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
            .filter_map(|(o, c)| values.get(c).map(|&v| (*o, v)))
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
            let (bits, rest) = (self.bits.of(pred, params), self.bits.rest(pred, params));
            let mine = self.places.iter().filter(|(place, _)| place.pred == pred);
            let at = mine.map(|(place, new)| {
                let formula = formulas[new.index()];
                let here = instantiate(terms, formula, &self.params[new.index()], &rest);
                terms.and(literals(place, &bits, terms).into_iter().chain([here]))
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
        let rest = self.bits.rest(place.pred, params);
        let here = instantiate(terms, formula, &self.params[new.index()], &rest);
        let bits = literals(place, &self.bits.of(place.pred, params), terms);
        (place.pred, terms.implies(terms.and(bits), here))
    }

    /// A fact about a predicate at each of its places.
    fn placed(&self, system: &ChcSystem, (pred, formula): Fact, terms: &TermStore) -> Vec<Fact> {
        let params = &system.pred(pred).params;
        let (bits, rest) = (self.bits.of(pred, params), self.bits.rest(pred, params));
        let at = |(place, &new): (&Place, &Pred)| {
            let own = &self.params[new.index()];
            let values = place.values.iter().map(|&v| terms.bool(v));
            let values = bits.iter().copied().zip(values);
            let moved = values.chain(rest.iter().copied().zip(own.iter().copied()));
            Some((new, within(terms, terms.substitute(formula, moved), own)?))
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
            .flat_map(|(a, p)| literals(p, &self.bits.of(p.pred, &a.args), terms))
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
            let mut values = Assignment::new();
            for (original, copy) in &copied.vars {
                if let Some(value) = step.values.get(*copy) {
                    values.insert(*original, value.clone());
                }
            }
            for &(var, value) in &copied.fixed {
                values.insert(var, Value::Bool(value));
            }
            step.values = values;
            step.clause = copied.edge.clause;
        }
        replay::complete(&self.system, derivation, NAME, cx)
    }
}

#[cfg(test)]
mod tests;
