//! Option tables: one line per option, and from it the struct, its defaults, parsing and help.

/// The description of one option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// The name, `group.option`.
    pub name: &'static str,
    /// The documentation.
    pub doc: &'static str,
    /// The default, as text.
    pub default: &'static str,
    /// The type, as text.
    pub kind: &'static str,
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No option of this name.
    UnknownName(String),
    /// The text is no value of the option's type: name, text, type.
    BadValue(String, String, &'static str),
}

impl std::fmt::Display for OptionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OptionError::UnknownName(name) => write!(f, "there is no option `{name}`"),
            OptionError::BadValue(name, text, kind) => {
                write!(f, "`{text}` is not a value of `{name}` ({kind})")
            }
        }
    }
}

impl std::error::Error for OptionError {}

/// Declares an option struct.
///
/// ```
/// foretell_kernel::options! {
///     /// Options of the example.
///     pub struct ExampleOptions("example") {
///         /// How deep to look.
///         depth: u32 = 3;
///         /// Whether to look twice.
///         twice: bool = true;
///     }
/// }
/// let mut options = ExampleOptions::default();
/// options.set("depth", "5").unwrap();
/// assert_eq!(options.depth, 5);
/// assert_eq!(ExampleOptions::TABLE[0].name, "example.depth");
/// assert!(options.set("height", "1").is_err());
/// ```
#[macro_export]
macro_rules! options {
    ($(#[doc = $struct_doc:literal])+ pub struct $name:ident($group:literal) {
        $($(#[doc = $doc:literal])+ $field:ident : $kind:ty = $default:expr;)*
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

        impl $name {
            /// The group these options belong to.
            pub const GROUP: &'static str = $group;
            /// What there is, for help, documentation and fuzzing.
            pub const TABLE: &'static [$crate::options::OptionInfo] = &[
                $($crate::options::OptionInfo {
                    name: concat!($group, ".", stringify!($field)),
                    doc: concat!($($doc),+),
                    default: stringify!($default),
                    kind: stringify!($kind),
                },)*
            ];

            /// Sets one option by its name within the group.
            pub fn set(&mut self, option: &str, text: &str) -> Result<(), $crate::options::OptionError> {
                match option {
                    $(stringify!($field) => {
                        self.$field = text.parse().map_err(|_| $crate::options::OptionError::BadValue(
                            concat!($group, ".", stringify!($field)).to_string(), text.to_string(), stringify!($kind)))?;
                        Ok(())
                    })*
                    _ => Err($crate::options::OptionError::UnknownName(format!("{}.{option}", $group))),
                }
            }
        }
    };
}
