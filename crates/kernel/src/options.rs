//! Option tables: one line per option, and from it the struct, its defaults, ranges, parsing and help.
//!
//! [`options!`](crate::options!) makes a struct that is an [`OptionTable`]. [`Settings`] are what
//! users write (`group.option=value`); [`Settings::of`] reads the table they belong to. A wrong
//! setting is the fault of whoever wrote it, never a reason for an engine to halt.

use std::fmt;

/// The description of one option.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// The name, `group.option`.
    pub name: &'static str,
    /// The documentation.
    pub doc: &'static str,
    /// The default, as text.
    pub default: fn() -> String,
    /// What it can be set to.
    pub values: Values,
}

/// What an option can be set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// `true` or `false`.
    Switch,
    /// A whole number.
    Whole {
        /// The least value.
        least: u64,
        /// The greatest value.
        most: u64,
    },
    /// A decimal number.
    Decimal {
        /// The least value.
        least: f64,
        /// The greatest value.
        most: f64,
    },
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Switch => write!(f, "true or false"),
            Values::Whole { least, most } => write!(f, "{least} to {most}"),
            Values::Decimal { least, most } => write!(f, "{least:?} to {most:?}"),
        }
    }
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionError {
    /// The text has not the form of a setting.
    NoSetting(String),
    /// No option of this name.
    UnknownName(String),
    /// The text is no value of the option: name, text, what it can be.
    BadValue(&'static str, String, Values),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::NoSetting(text) => {
                write!(f, "`{text}` is no setting; write group.option=value")
            }
            OptionError::UnknownName(name) => write!(f, "there is no option `{name}`"),
            OptionError::BadValue(name, text, values) => {
                write!(f, "`{text}` is not a value of `{name}` ({values})")
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// A struct of options that belong together, made by [`options!`](crate::options!).
pub trait OptionTable: Default {
    /// The group these options belong to.
    const GROUP: &'static str;
    /// What there is, for help, documentation and fuzzing.
    const TABLE: &'static [OptionInfo];

    /// Sets one option by its name within the group.
    ///
    /// # Errors
    /// When there is no such option, or the text is no value of it or outside its range.
    fn set(&mut self, option: &str, text: &str) -> Result<(), OptionError>;
}

/// Settings as group, option and value; later ones win.
#[derive(Clone, Debug, Default)]
pub struct Settings(Vec<(String, String, String)>);

impl Settings {
    /// Reads settings of the form `group.option=value`.
    ///
    /// # Errors
    /// When one has another form.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a String>) -> Result<Settings, OptionError> {
        let read = |text: &String| {
            let (name, value) = text.split_once('=')?;
            let (group, option) = name.split_once('.')?;
            Some((group.to_owned(), option.to_owned(), value.to_owned()))
        };
        let all = texts
            .into_iter()
            .map(|text| read(text).ok_or_else(|| OptionError::NoSetting(text.clone())));
        Ok(Settings(all.collect::<Result<_, _>>()?))
    }

    /// The table of a type: its defaults, and what the settings of its group change.
    ///
    /// # Errors
    /// When a setting of the group names no option of the table, or no value of it.
    pub fn of<T: OptionTable>(&self) -> Result<T, OptionError> {
        self.over(T::default())
    }

    /// The same, from other values than the defaults.
    ///
    /// # Errors
    /// When a setting of the group names no option of the table, or no value of it.
    pub fn over<T: OptionTable>(&self, mut start: T) -> Result<T, OptionError> {
        for (_, option, value) in self.0.iter().filter(|(group, ..)| group == T::GROUP) {
            start.set(option, value)?;
        }
        Ok(start)
    }

    /// The names of all options that are set, as group and option.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(g, o, _)| (g.as_str(), o.as_str()))
    }
}

/// Declares an option struct, an [`OptionTable`]. Every number has a range; a switch has none.
///
/// ```
/// use foretell_kernel::OptionTable;
/// foretell_kernel::options! {
///     /// Options of the example.
///     pub struct ExampleOptions("example") {
///         /// How deep to look.
///         depth: u32 = 3, 0..=64;
///         /// Whether to look twice.
///         twice: bool = true;
///     }
/// }
/// let mut options = ExampleOptions::default();
/// options.set("depth", "5").unwrap();
/// assert_eq!(options.depth, 5);
/// assert_eq!(ExampleOptions::TABLE[0].name, "example.depth");
/// assert!(options.set("depth", "65").is_err());
/// assert!(options.set("height", "1").is_err());
/// ```
#[macro_export]
macro_rules! options {
    ($(#[doc = $struct_doc:literal])+ pub struct $name:ident($group:literal) {
        $($(#[doc = $doc:literal])+
            $field:ident : $kind:tt = $default:expr $(, $least:literal ..= $most:expr)?;)*
    }) => {
        $(#[doc = $struct_doc])+
        #[allow(clippy::struct_excessive_bools, reason = "an option table is a list of switches")]
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $kind,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $crate::options::OptionTable for $name {
            const GROUP: &'static str = $group;
            const TABLE: &'static [$crate::options::OptionInfo] = &[
                $($crate::options::OptionInfo {
                    name: concat!($group, ".", stringify!($field)),
                    doc: concat!($($doc),+),
                    default: || <$kind>::to_string(&$default),
                    values: $crate::options!(@values $kind $(, $least, $most)?),
                },)*
            ];

            fn set(
                &mut self,
                option: &str,
                text: &str,
            ) -> Result<(), $crate::options::OptionError> {
                match option {
                    $(stringify!($field) => {
                        let value = text.parse::<$kind>().ok();
                        $(let value = value.filter(|v| ($least..=$most).contains(v));)?
                        self.$field = value.ok_or_else(|| $crate::options::OptionError::BadValue(
                            concat!($group, ".", stringify!($field)),
                            text.to_owned(),
                            $crate::options!(@values $kind $(, $least, $most)?),
                        ))?;
                        Ok(())
                    })*
                    _ => Err($crate::options::OptionError::UnknownName(
                        format!("{}.{option}", $group),
                    )),
                }
            }
        }
    };
    (@values bool) => { $crate::options::Values::Switch };
    (@values f64, $least:expr, $most:expr) => {
        $crate::options::Values::Decimal { least: $least, most: $most }
    };
    (@values $kind:tt, $least:expr, $most:expr) => {
        $crate::options::Values::Whole { least: $least, most: $most as u64 }
    };
}
