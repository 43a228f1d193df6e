//! Derivations over words: integers modulo `2^w`, arrays cell by cell where the index is a word.

use foretell_systems::{ChcSystem, Derivation};
use foretell_terms::{Integer, Sort, Term, TermMap, TermStore, Value};

use super::interval::Interval;

/// The derivation with words for integers; `None` when a value does not fit its sort.
pub(super) fn derivation(
    originals: &TermMap<Term>,
    system: &ChcSystem,
    mut derivation: Derivation,
    terms: &TermStore,
) -> Option<Derivation> {
    let below: TermMap<Term> = originals.iter().map(|(&new, &old)| (old, new)).collect();
    for step in &mut derivation.steps {
        for &var in &system.clauses.get(step.clause.index())?.vars {
            if let Some(new) = below.get(&var)
                && let Some(value) = step.values.values.shift_remove(new)
            {
                let value = word(terms, terms.sort(var), &value)?;
                step.values.insert(var, value);
            }
        }
    }
    Some(derivation)
}

/// The value of a sort above.
fn word(terms: &TermStore, sort: Sort, value: &Value) -> Option<Value> {
    if let Some(width) = terms.width(sort) {
        let Value::Int(n) = value else {
            return None;
        };
        let numeral = terms.bv(n.clone(), width);
        return Some(Value::BitVec(width, terms.as_bv(numeral)?.clone()));
    }
    let Some((indices, element)) = terms.array_parts(sort) else {
        return Some(value.clone());
    };
    let Value::Array(array) = value else {
        return None;
    };
    let default = word(terms, element, array.default_value())?;
    let mut result = terms.constant_array_value(sort, default)?;
    for (index, cell) in array.entries() {
        if index
            .iter()
            .zip(indices)
            .any(|(i, &s)| is_outside(terms, s, i))
        {
            continue;
        }
        let at = index.iter().zip(indices).map(|(i, &s)| word(terms, s, i));
        result.store(
            at.collect::<Option<Vec<Value>>>()?,
            word(terms, element, cell)?,
        );
    }
    Some(Value::Array(result))
}

/// Whether an integer is the signed value of no word: no clause reads there.
fn is_outside(terms: &TermStore, sort: Sort, value: &Value) -> bool {
    let inside = |n: &Integer, width| Interval::point(n).is_within(&Interval::signed(width));
    match (terms.width(sort), value) {
        (Some(width), Value::Int(n)) => !inside(n, width),
        _ => false,
    }
}
