//! Concrete values.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::cells::Cells;
use crate::data::Constructor;
use crate::number::{self, Integer, Natural, Rational};
use crate::sort::{Sort, SortKind};
use crate::store::{Term, TermStore};

/// A concrete value of a sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Integer),
    /// A real number (rational: no other one is ever written down), behind a pointer: it is larger than any
    /// other value, and runs have millions of them.
    Real(Box<Rational>),
    /// A bit pattern of a width.
    BitVec(u32, Natural),
    /// An array.
    Array(ArrayValue),
    /// The n-th element of an uninterpreted sort.
    Element(Sort, u64),
    /// A value of a datatype: its constructor and the fields.
    Data(Constructor, Vec<Value>),
}

/// An array as a finite map with a default.
///
/// Invariant: no entry maps to the default. Over an infinite index domain equal arrays are then
/// structurally equal; over a small finite one (`domain`) two spellings may denote one array, and
/// equality looks at every index that either spells out.
///
/// Copies share the cells that they have in common: runs of many steps carry their arrays along.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    entries: Cells,
    default: Arc<Value>,
    /// The number of different indices when it is small enough to be exhausted.
    domain: Option<u64>,
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        let Some(size) = self.domain else {
            return self.default == other.default && self.entries == other.entries;
        };
        let spelled: std::collections::BTreeSet<&Vec<Value>> = self
            .entries()
            .chain(other.entries())
            .map(|(k, _)| k)
            .collect();
        spelled
            .iter()
            .all(|index| self.select(index) == other.select(index))
            && (spelled.len() as u64 >= size || self.default == other.default)
    }
}

impl Eq for ArrayValue {}

impl PartialOrd for ArrayValue {
    fn partial_cmp(&self, other: &ArrayValue) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ArrayValue {
    fn cmp(&self, other: &ArrayValue) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        (&self.default, &self.entries).cmp(&(&other.default, &other.entries))
    }
}

impl Hash for ArrayValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.domain.hash(state);
        if self.domain.is_none() {
            self.entries.hash(state);
            self.default.hash(state);
        }
    }
}

impl ArrayValue {
    /// The array that is `default` everywhere. `domain` is the number of indices, if finite and
    /// small.
    pub fn constant(default: Value, domain: Option<u64>) -> ArrayValue {
        ArrayValue {
            entries: Cells::default(),
            default: Arc::new(default),
            domain,
        }
    }

    /// The value at an index.
    pub fn select(&self, indices: &[Value]) -> &Value {
        self.entries.get(indices).unwrap_or(&self.default)
    }

    /// Writes one cell.
    pub fn store(&mut self, indices: Vec<Value>, value: Value) {
        if *self.select(&indices) == value {
            return;
        }
        if value == *self.default {
            self.entries.remove(&indices);
        } else {
            self.entries.insert(indices, value);
        }
    }

    /// The cells that differ from the default, in index order.
    pub fn entries(&self) -> impl Iterator<Item = (&Vec<Value>, &Value)> {
        self.entries.iter()
    }

    /// Cells that may differ from those of another array, without those that both share: where this array is
    /// the other one after some writes, about as many as writes, in no order.
    pub fn entries_beyond<'a>(
        &'a self,
        known: &'a ArrayValue,
    ) -> impl Iterator<Item = (&'a Vec<Value>, &'a Value)> {
        self.entries.beyond(&known.entries)
    }

    /// The value everywhere else.
    pub fn default_value(&self) -> &Value {
        &self.default
    }
}

/// Index domains up to this size are treated as exhaustible.
const SMALL_DOMAIN: u64 = 1 << 16;

impl Value {
    /// A real number.
    pub fn real(number: Rational) -> Value {
        Value::Real(Box::new(number))
    }

    /// The number that an integer or real value is.
    pub fn number(&self) -> Option<Rational> {
        match self {
            Value::Int(n) => Some(number::rational(n)),
            Value::Real(q) => Some((**q).clone()),
            _ => None,
        }
    }
}

impl TermStore {
    /// The number of index tuples of an array sort, when finite and small.
    pub(crate) fn small_domain(&self, indices: &[Sort]) -> Option<u64> {
        indices.iter().try_fold(1u64, |product, &sort| {
            let size = self.cardinality(sort)?;
            product.checked_mul(size).filter(|&p| p <= SMALL_DOMAIN)
        })
    }

    /// The array that is `default` everywhere, of the given array sort.
    pub fn constant_array_value(&self, sort: Sort, default: Value) -> Option<ArrayValue> {
        let (indices, _) = self.array_parts(sort)?;
        Some(ArrayValue::constant(default, self.small_domain(indices)))
    }

    /// Some value of a sort: false, zero, the array of those, the first element.
    pub fn default_value(&self, sort: Sort) -> Value {
        let mut wrappers = Vec::new();
        let mut inner = sort;
        while let Some((indices, element)) = self.array_parts(inner) {
            wrappers.push(self.small_domain(indices));
            inner = element;
        }
        let base = match self.kind(inner) {
            SortKind::Data(_) => match self.default_constructor(inner) {
                Some(constructor) => {
                    let fields = self.constructor(constructor).fields.iter();
                    let fields = fields.map(|f| self.default_value(f.sort)).collect();
                    Value::Data(constructor, fields)
                }
                None => Value::Element(inner, 0),
            },
            SortKind::Bool => Value::Bool(false),
            SortKind::Int => Value::Int(Integer::ZERO),
            SortKind::Real => Value::real(Rational::ZERO),
            SortKind::BitVec(width) => Value::BitVec(*width, Natural::ZERO),
            _ => Value::Element(inner, 0),
        };
        wrappers.into_iter().rev().fold(base, |value, domain| {
            Value::Array(ArrayValue::constant(value, domain))
        })
    }

    /// The term of a value; `None` for elements of uninterpreted sorts, which have no name.
    pub fn value_term(&self, value: &Value, sort: Sort) -> Option<Term> {
        Some(match value {
            Value::Bool(b) => self.bool(*b),
            Value::Int(n) => self.int(n.clone()),
            Value::Real(q) => self.real((**q).clone()),
            Value::BitVec(width, bits) => self.bv(Integer::from(bits.clone()), *width),
            Value::Element(..) => return None,
            Value::Data(constructor, values) => {
                let fields = self.constructor(*constructor).fields.iter();
                let args: Option<Vec<Term>> = values
                    .iter()
                    .zip(fields)
                    .map(|(v, f)| self.value_term(v, f.sort))
                    .collect();
                self.construct(*constructor, &args?)
            }
            Value::Array(array) => {
                let (indices, element) = self.array_parts(sort)?;
                let indices = indices.to_vec();
                let mut term =
                    self.const_array(sort, self.value_term(array.default_value(), element)?);
                for (index, cell) in array.entries() {
                    let at: Option<Vec<Term>> = index
                        .iter()
                        .zip(&indices)
                        .map(|(v, &s)| self.value_term(v, s))
                        .collect();
                    term = self.store(term, &at?, self.value_term(cell, element)?);
                }
                term
            }
        })
    }
}
