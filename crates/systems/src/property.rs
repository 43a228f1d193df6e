//! Which property of an input is meant.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A property of a transition system with numbered properties. Clauses have only one, which is all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Property {
    /// The conjunction of all properties.
    #[default]
    All,
    /// The property of this number in the file.
    Number(u64),
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::All => write!(f, "all"),
            Property::Number(n) => write!(f, "{n}"),
        }
    }
}

impl FromStr for Property {
    type Err = String;

    fn from_str(text: &str) -> Result<Property, String> {
        match (text, text.parse()) {
            ("all", _) => Ok(Property::All),
            (_, Ok(number)) => Ok(Property::Number(number)),
            _ => Err("the property is a number or `all`".to_owned()),
        }
    }
}

impl TryFrom<String> for Property {
    type Error = String;

    fn try_from(text: String) -> Result<Property, String> {
        text.parse()
    }
}

impl From<Property> for String {
    fn from(property: Property) -> String {
        property.to_string()
    }
}
