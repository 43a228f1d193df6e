//! Packing values of leaves.
//!
//! Arrays are zipped: the entries of all leaves together, the pair of the defaults. A sum takes the
//! constructor of its tag and drops the rest; a number outside its range is the first constructor.

use foretell_systems::Derivation;
use foretell_terms::{TermStore, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::forward::Leaves;
use super::shape::{Kind, Shape, cut, width};

/// The derivation over datatypes; `None` when a value does not fit its sort.
pub(super) fn derivation(
    leaves: &Leaves,
    system: &foretell_systems::ChcSystem,
    mut derivation: Derivation,
    terms: &TermStore,
) -> Option<Derivation> {
    for step in &mut derivation.steps {
        let clause = system.clauses.get(step.clause.index())?;
        for &var in &clause.vars {
            let (shape, own) = leaves.get(&var)?;
            if shape.is_leaf() {
                continue;
            }
            let known = own.iter().any(|&leaf| step.values.get(leaf).is_some());
            if !known && !own.is_empty() {
                continue;
            }
            let values: Vec<Value> = own
                .iter()
                .zip(&shape.leaves)
                .map(|(&leaf, &sort)| {
                    let value = step.values.values.shift_remove(&leaf);
                    value.unwrap_or_else(|| terms.default_value(sort))
                })
                .collect();
            step.values.insert(var, pack(terms, shape, &values)?);
        }
    }
    Some(derivation)
}

fn pack(terms: &TermStore, shape: &Shape, leaves: &[Value]) -> Option<Value> {
    match &shape.kind {
        Kind::Leaf => leaves.first().cloned(),
        Kind::Tuple(constructor, fields) => {
            let fields = cut(fields, leaves).map(|(field, own)| pack(terms, field, own));
            Some(Value::Data(
                *constructor,
                fields.collect::<Option<Vec<Value>>>()?,
            ))
        }
        Kind::Enumeration => {
            let constructor = terms.constructors(shape.sort).nth(number(leaves.first()?)?);
            let constructor = constructor.or_else(|| terms.constructors(shape.sort).next());
            Some(Value::Data(constructor?, Vec::new()))
        }
        Kind::Sum(variants) => {
            let (tag, rest) = leaves.split_first()?;
            let chosen = number(tag)?.min(variants.len() - 1);
            let start: usize = variants[..chosen].iter().map(|v| width(v)).sum();
            let own = &rest[start..start + width(&variants[chosen])];
            let fields = cut(&variants[chosen], own).map(|(field, own)| pack(terms, field, own));
            let constructor = terms.constructors(shape.sort).nth(chosen)?;
            Some(Value::Data(
                constructor,
                fields.collect::<Option<Vec<Value>>>()?,
            ))
        }
        Kind::Array(indices, element) => pack_array(terms, shape, (indices, element), leaves),
    }
}

/// Leaf arrays zipped to one array.
fn pack_array(
    terms: &TermStore,
    shape: &Shape,
    (indices, element): (&[Rc<Shape>], &Shape),
    leaves: &[Value],
) -> Option<Value> {
    if width(indices) == 0 {
        let only = pack(terms, element, leaves)?;
        return terms
            .constant_array_value(shape.sort, only)
            .map(Value::Array);
    }
    let mut arrays = Vec::new();
    for leaf in leaves {
        let Value::Array(array) = leaf else {
            return None;
        };
        arrays.push(array);
    }
    let defaults: Vec<Value> = arrays.iter().map(|a| a.default_value().clone()).collect();
    let default = if arrays.is_empty() {
        pack(terms, element, &[])?
    } else {
        pack(terms, element, &defaults)?
    };
    let mut whole = terms.constant_array_value(shape.sort, default)?;
    let keys: BTreeSet<&Vec<Value>> = arrays
        .iter()
        .flat_map(|a| a.entries().map(|(key, _)| key))
        .collect();
    for key in keys {
        let cell: Vec<Value> = arrays.iter().map(|a| a.select(key).clone()).collect();
        let at = cut(indices, key).map(|(index, own)| pack(terms, index, own));
        whole.store(
            at.collect::<Option<Vec<Value>>>()?,
            pack(terms, element, &cell)?,
        );
    }
    Some(Value::Array(whole))
}

/// The number of a constructor; large numbers and negative ones are no constructor.
fn number(value: &Value) -> Option<usize> {
    match value {
        Value::Bool(b) => Some(usize::from(*b)),
        Value::Int(n) => Some(usize::try_from(n.clone()).unwrap_or(0)),
        _ => None,
    }
}
