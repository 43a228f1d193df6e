//! Counterexamples as plain data: names and values without terms.

use foretell_terms::{
    ArrayValue, Integer, Natural, Rational, Sort, SortKind, TermStore, Value, number,
};

use crate::proof::certificate::ProblemKind;

/// A value without its sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Raw {
    /// A truth value.
    Bool(bool),
    /// A number: numerator and denominator.
    Number(Integer, Natural),
    /// A bit pattern and its width.
    BitVec(Natural, u32),
    /// An array or a function: cells and the value everywhere else.
    Table(RawTable),
    /// An element of an uninterpreted sort by its number.
    Element(u64),
    /// A value of a datatype: the name of its constructor and the fields.
    Data(String, Vec<Raw>),
}

/// Cells, and the value everywhere else.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RawTable {
    /// Indices and value of each cell.
    pub cells: Vec<(Vec<Raw>, Raw)>,
    /// The value everywhere else.
    pub rest: Option<Box<Raw>>,
}

/// Names with values.
pub type RawValues = Vec<(String, Raw)>;

/// One step of a derivation, or one state of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RawStep {
    /// The number of the clause.
    pub clause: Option<u32>,
    /// The line of the clause.
    pub line: Option<u32>,
    /// Values of the clause's variables or of the state.
    pub values: RawValues,
    /// Values of the inputs.
    pub inputs: RawValues,
    /// Earlier steps, one per body predicate.
    pub premises: Vec<usize>,
    /// What is derived: a predicate with arguments; `None` for `false` and for states.
    pub derives: Option<(String, Vec<Raw>)>,
}

/// A counterexample.
#[derive(Clone, Debug)]
pub struct RawCex {
    /// Whether it is a derivation.
    pub(crate) kind: ProblemKind,
    /// The property that is violated.
    pub property: Option<String>,
    /// Values that hold in every step.
    pub rigid: RawValues,
    /// Tables of declared functions.
    pub functions: Vec<(String, RawTable)>,
    /// The steps.
    pub steps: Vec<RawStep>,
}

impl RawCex {
    /// An empty counterexample.
    pub(crate) fn new(kind: ProblemKind) -> RawCex {
        RawCex {
            kind,
            property: None,
            rigid: Vec::new(),
            functions: Vec::new(),
            steps: Vec::new(),
        }
    }
}

/// A value without its sort.
pub(crate) fn raw(terms: &TermStore, value: &Value) -> Raw {
    let raw = |value: &Value| raw(terms, value);
    match value {
        Value::Data(made, fields) => Raw::Data(
            terms.constructor(*made).name.to_string(),
            fields.iter().map(raw).collect(),
        ),
        Value::Bool(b) => Raw::Bool(*b),
        Value::Int(n) => Raw::Number(n.clone(), Natural::ONE),
        Value::Real(q) => Raw::Number(q.numerator().clone(), q.denominator().clone()),
        Value::BitVec(width, bits) => Raw::BitVec(bits.clone(), *width),
        Value::Element(_, n) => Raw::Element(*n),
        Value::Array(array) => {
            let cells = array
                .entries()
                .map(|(index, cell)| (index.iter().map(raw).collect(), raw(cell)));
            let rest = Some(Box::new(raw(array.default_value())));
            Raw::Table(RawTable {
                cells: cells.collect(),
                rest,
            })
        }
    }
}

/// The value of a sort that a plain value spells; `None` when it spells none.
pub(crate) fn value(terms: &TermStore, plain: &Raw, sort: Sort) -> Option<Value> {
    Some(match (plain, terms.kind(sort)) {
        (Raw::Bool(b), SortKind::Bool) => Value::Bool(*b),
        (Raw::Number(n, d), SortKind::Int) if d.is_one() => Value::Int(n.clone()),
        (Raw::Number(n, d), SortKind::Real) if !d.is_zero() => {
            Value::Real(Rational::from_parts(n.clone(), d.clone()))
        }
        (Raw::BitVec(bits, width), SortKind::BitVec(wanted))
            if width == wanted && *bits < number::power_of_two(*width) =>
        {
            Value::BitVec(*width, bits.clone())
        }
        (Raw::Element(n), SortKind::Uninterpreted(_)) => Value::Element(sort, *n),
        (Raw::Data(name, fields), SortKind::Data(_)) => {
            let made = terms
                .constructors(sort)
                .find(|&c| *terms.constructor(c).name == **name)?;
            let sorts = terms.constructor(made).fields.iter().map(|f| f.sort);
            Value::Data(made, tuple(terms, fields, &sorts.collect::<Vec<_>>())?)
        }
        (Raw::Table(table), SortKind::Array { indices, element }) => {
            let rest = value(terms, table.rest.as_ref()?, *element)?;
            let mut array: ArrayValue = terms.constant_array_value(sort, rest)?;
            for (index, cell) in &table.cells {
                array.store(tuple(terms, index, indices)?, value(terms, cell, *element)?);
            }
            Value::Array(array)
        }
        _ => return None,
    })
}

/// The values of these sorts that plain values spell.
pub(crate) fn tuple(terms: &TermStore, plain: &[Raw], sorts: &[Sort]) -> Option<Vec<Value>> {
    if plain.len() != sorts.len() {
        return None;
    }
    plain
        .iter()
        .zip(sorts)
        .map(|(p, &s)| value(terms, p, s))
        .collect()
}
