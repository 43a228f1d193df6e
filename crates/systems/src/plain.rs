//! Counterexamples as plain data: names and values without terms.
//!
//! This is what counterexamples are as files and in messages. The JSON spelling is what serde makes
//! of these types; the S-expressions and the way from and to terms are in the checker. Both spellings
//! are described in `docs/formats/counterexample.md`. Arrays are sparse: the cells that differ from
//! the rest, then the rest.

use foretell_terms::{ArrayValue, Natural, Rational, Sort, SortKind, TermStore, Value, number};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::property::Property;

/// The name and version of the format.
pub const FORMAT: &str = "foretell-1";

/// A way to a bad state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", deny_unknown_fields)]
pub enum Counterexample {
    /// A derivation of `false` from clauses.
    #[serde(rename = "chc")]
    Derivation {
        /// The format.
        format: FormatName,
        /// Tables of declared functions.
        #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
        functions: Tables,
        /// The steps, each from earlier ones; the last one derives `false`.
        steps: Vec<PlainStep>,
    },
    /// A run of a transition system.
    #[serde(rename = "vmt")]
    Run {
        /// The format.
        format: FormatName,
        /// The property that is violated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        property: Option<Property>,
        /// Values that hold in every state.
        #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
        rigid: Values,
        /// Tables of declared functions.
        #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
        functions: Tables,
        /// The states; the last one violates the property.
        states: Vec<PlainState>,
    },
}

/// Values by name.
pub type Values = IndexMap<String, Plain>;
/// Functions by name.
pub type Tables = IndexMap<String, Table>;

/// One use of a clause.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlainStep {
    /// The number of the clause.
    pub clause: u32,
    /// The line of the clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Values of the clause's variables.
    #[serde(default)]
    pub values: Values,
    /// Earlier steps, one per body predicate.
    #[serde(default)]
    pub premises: Vec<usize>,
    /// What is derived; `None` is `false`.
    #[serde(default, with = "fact_or_false")]
    pub derives: Option<PlainFact>,
}

/// A predicate on values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlainFact {
    /// The name of the predicate.
    pub predicate: String,
    /// The arguments.
    #[serde(default)]
    pub arguments: Vec<Plain>,
}

/// One state of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlainState {
    /// The state variables.
    #[serde(default)]
    pub values: Values,
    /// The inputs of the step that leaves the state.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub inputs: Values,
}

/// A value without its sort.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Plain {
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(#[serde(with = "exact")] Rational),
    /// A bit pattern and its width.
    BitVec {
        /// The pattern as a number.
        #[serde(with = "digits")]
        bits: Natural,
        /// How many bits it has.
        width: u32,
    },
    /// An element of an uninterpreted sort by its number.
    Element {
        /// The number.
        element: u64,
    },
    /// An array.
    Table(Table),
    /// A value of a datatype.
    Data {
        /// The name of its constructor.
        constructor: String,
        /// The fields.
        #[serde(default)]
        fields: Vec<Plain>,
    },
}

/// An array or a function: cells, and the value everywhere else.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Indices and value of each cell.
    pub cells: Vec<(Vec<Plain>, Plain)>,
    /// The value everywhere else.
    #[serde(rename = "else", default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<Box<Plain>>,
}

impl Plain {
    /// A value without its sort.
    pub fn of(terms: &TermStore, value: &Value) -> Plain {
        let plain = |value: &Value| Plain::of(terms, value);
        match value {
            Value::Bool(b) => Plain::Bool(*b),
            Value::Int(n) => Plain::Number(number::rational(n)),
            Value::Real(q) => Plain::Number((**q).clone()),
            Value::BitVec(width, bits) => Plain::BitVec {
                bits: bits.clone(),
                width: *width,
            },
            Value::Element(_, n) => Plain::Element { element: *n },
            Value::Data(made, fields) => Plain::Data {
                constructor: terms.constructor(*made).name.to_string(),
                fields: fields.iter().map(plain).collect(),
            },
            Value::Array(array) => Plain::Table(Table {
                cells: array
                    .entries()
                    .map(|(index, cell)| (index.iter().map(plain).collect(), plain(cell)))
                    .collect(),
                rest: Some(Box::new(plain(array.default_value()))),
            }),
        }
    }

    /// The value of a sort that is spelled; `None` when it is none of this sort.
    pub fn value(&self, terms: &TermStore, sort: Sort) -> Option<Value> {
        Some(match (self, terms.kind(sort)) {
            (Plain::Bool(b), SortKind::Bool) => Value::Bool(*b),
            (Plain::Number(q), SortKind::Int) => Value::Int(number::to_integer(q)?),
            (Plain::Number(q), SortKind::Real) => Value::real(q.clone()),
            (Plain::BitVec { bits, width }, SortKind::BitVec(wanted))
                if width == wanted && *bits < number::power_of_two(*width) =>
            {
                Value::BitVec(*width, bits.clone())
            }
            (Plain::Element { element }, SortKind::Uninterpreted(_)) => {
                Value::Element(sort, *element)
            }
            (
                Plain::Data {
                    constructor,
                    fields,
                },
                SortKind::Data(_),
            ) => {
                let made = terms
                    .constructors(sort)
                    .find(|&c| *terms.constructor(c).name == **constructor)?;
                let sorts = terms.constructor(made).fields.iter().map(|f| f.sort);
                Value::Data(made, tuple(terms, fields, &sorts.collect::<Vec<_>>())?)
            }
            (Plain::Table(table), SortKind::Array { indices, element }) => {
                let rest = table.rest.as_ref()?.value(terms, *element)?;
                let mut array: ArrayValue = terms.constant_array_value(sort, rest)?;
                for (index, cell) in &table.cells {
                    array.store(tuple(terms, index, indices)?, cell.value(terms, *element)?);
                }
                Value::Array(array)
            }
            _ => return None,
        })
    }
}

/// The values of these sorts that are spelled.
pub fn tuple(terms: &TermStore, plain: &[Plain], sorts: &[Sort]) -> Option<Vec<Value>> {
    if plain.len() != sorts.len() {
        return None;
    }
    let pairs = plain.iter().zip(sorts);
    pairs.map(|(p, &s)| p.value(terms, s)).collect()
}

/// A natural number in decimal digits.
pub fn natural(text: &str) -> Option<Natural> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// The name of the format, which no other may stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub struct FormatName;

impl From<FormatName> for &'static str {
    fn from(_: FormatName) -> &'static str {
        FORMAT
    }
}

impl TryFrom<String> for FormatName {
    type Error = &'static str;

    fn try_from(text: String) -> Result<FormatName, &'static str> {
        if text == FORMAT {
            Ok(FormatName)
        } else {
            Err("this format is not known")
        }
    }
}

/// A fact, or the word `false`.
mod fact_or_false {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::PlainFact;

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Fact(PlainFact),
        False(bool),
    }

    pub(super) fn serialize<S: Serializer>(
        fact: &Option<PlainFact>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        match fact {
            Some(fact) => fact.serialize(out),
            None => out.serialize_bool(false),
        }
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(
        from: D,
    ) -> Result<Option<PlainFact>, D::Error> {
        match Either::deserialize(from)? {
            Either::Fact(fact) => Ok(Some(fact)),
            Either::False(false) => Ok(None),
            Either::False(true) => Err(serde::de::Error::custom("`true` is no fact")),
        }
    }
}

/// Integers within ±2^53 are numbers, all other numbers strings (`"12345678901234567890"`, `"1/3"`),
/// so that no reader rounds them.
mod exact {
    use foretell_terms::{Integer, Rational, number};
    use serde::{Deserialize, Deserializer, Serializer};

    use super::natural;

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Small(i64),
        Text(String),
    }

    pub(super) fn serialize<S: Serializer>(q: &Rational, out: S) -> Result<S::Ok, S::Error> {
        let small = number::to_integer(q).and_then(|n| i64::try_from(n).ok());
        match small {
            Some(n) if n.unsigned_abs() <= 1 << 53 => out.serialize_i64(n),
            _ => out.collect_str(q),
        }
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Rational, D::Error> {
        match Either::deserialize(from)? {
            Either::Small(n) => Ok(number::rational(&Integer::from(n))),
            Either::Text(text) => {
                read(&text).ok_or_else(|| serde::de::Error::custom("this is no number"))
            }
        }
    }

    /// `-12` or `1/3`.
    fn read(text: &str) -> Option<Rational> {
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let (sign, digits) = match above.strip_prefix('-') {
            Some(digits) => (Integer::NEG_ONE, digits),
            None => (Integer::ONE, above),
        };
        let below = natural(below).filter(|d| !d.is_zero())?;
        let above = sign * Integer::from(natural(digits)?);
        Some(Rational::from_parts(above, below))
    }
}

/// Natural numbers as strings of digits.
mod digits {
    use foretell_terms::Natural;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(n: &Natural, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(n)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Natural, D::Error> {
        let text = String::deserialize(from)?;
        super::natural(&text).ok_or_else(|| serde::de::Error::custom("these are no digits"))
    }
}
