//! Rewriting formulas and values from flat to nested arrays.

use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{ChcProof, Derivation};
use foretell_terms::{ArrayValue, Op, Term, TermMap, TermStore, Value};
use indexmap::IndexMap;

use super::{Round, Shape};

/// A formula over nested arrays.
pub(super) fn formula(round: &Round, formula: Term, terms: &TermStore) -> Term {
    Back::new(round, terms).nest(formula)
}

/// A proof over nested arrays.
pub(super) fn proof(round: &Round, proof: ChcProof, terms: &TermStore) -> ChcProof {
    let mut back = Back::new(round, terms);
    let formulas = proof.formulas.iter().map(|&f| back.nest(f)).collect();
    let witness = proof.witness.map(|w| ChcWitness {
        auxiliaries: w.auxiliaries.iter().map(|a| back.auxiliary(a)).collect(),
        invariants: w.invariants.iter().map(|&f| back.nest(f)).collect(),
    });
    ChcProof { formulas, witness }
}

struct Back<'a> {
    shape: &'a Shape,
    terms: &'a TermStore,
    /// Nested forms of terms; variables that are new in a proof get nested ones as they are met.
    images: TermMap<Term>,
}

impl<'a> Back<'a> {
    fn new(round: &'a Round, terms: &'a TermStore) -> Back<'a> {
        Back {
            shape: &round.shape,
            terms,
            images: round.originals.clone(),
        }
    }

    fn nest(&mut self, root: Term) -> Term {
        for term in self.terms.subterms(&[root]) {
            if !self.images.contains_key(&term) {
                let image = self.step(term);
                self.images.insert(term, image);
            }
        }
        self.images[&root]
    }

    fn step(&self, term: Term) -> Term {
        let (terms, node) = (self.terms, self.terms.node(term));
        let args: Vec<Term> = node.args.iter().map(|a| self.images[a]).collect();
        let is_flat = |t: Term| terms.sort(t) == self.shape.flat;
        let outer = self.shape.outer;
        match node.op {
            Op::App(_) if args.is_empty() && is_flat(term) => terms.fresh(
                foretell_formulas::base_name(terms.var_name(term)),
                self.shape.nested,
            ),
            Op::Select if is_flat(node.args[0]) => {
                terms.select(terms.select(args[0], &args[1..=outer]), &args[outer + 1..])
            }
            Op::Store if is_flat(term) => {
                let (index, cell, value) = (
                    &args[1..=outer],
                    &args[outer + 1..args.len() - 1],
                    args[args.len() - 1],
                );
                let row = terms.store(terms.select(args[0], index), cell, value);
                terms.store(args[0], index, row)
            }
            Op::ConstArray if is_flat(term) => terms.const_array(
                self.shape.nested,
                terms.const_array(self.shape.row, args[0]),
            ),
            _ if *args == *node.args => term,
            _ => terms.rebuild(&node.op, &args, node.sort),
        }
    }

    fn auxiliary(&mut self, auxiliary: &ChcAuxiliary) -> ChcAuxiliary {
        let mut all =
            |list: &[Option<Term>]| list.iter().map(|t| t.map(|t| self.nest(t))).collect();
        match auxiliary {
            ChcAuxiliary::Prophecy { var, targets } => {
                let targets = all(targets);
                ChcAuxiliary::Prophecy {
                    var: self.nest(*var),
                    targets,
                }
            }
            ChcAuxiliary::History { var, updates } => {
                let updates = all(updates);
                ChcAuxiliary::History {
                    var: self.nest(*var),
                    updates,
                }
            }
        }
    }
}

/// A derivation over nested arrays; `None` when a value is no array.
pub(super) fn derivation(
    round: &Round,
    mut derivation: Derivation,
    terms: &TermStore,
) -> Option<Derivation> {
    for step in &mut derivation.steps {
        let flat: Vec<Term> = step
            .values
            .values
            .keys()
            .copied()
            .filter(|v| round.originals.contains_key(v))
            .collect();
        for var in flat {
            let value = step.values.values.shift_remove(&var)?;
            step.values.insert(
                round.originals[&var],
                nested_value(&round.shape, value, terms)?,
            );
        }
    }
    Some(derivation)
}

fn nested_value(shape: &Shape, value: Value, terms: &TermStore) -> Option<Value> {
    let Value::Array(flat) = value else {
        return None;
    };
    let empty = || terms.constant_array_value(shape.row, flat.default_value().clone());
    let mut rows: IndexMap<Vec<Value>, ArrayValue> = IndexMap::new();
    for (index, cell) in flat.entries() {
        let (outer, inner) = index.split_at_checked(shape.outer)?;
        if !rows.contains_key(outer) {
            rows.insert(outer.to_vec(), empty()?);
        }
        rows.get_mut(outer)?.store(inner.to_vec(), cell.clone());
    }
    let mut nested = terms.constant_array_value(shape.nested, Value::Array(empty()?))?;
    for (index, row) in rows {
        nested.store(index, Value::Array(row));
    }
    Some(Value::Array(nested))
}
