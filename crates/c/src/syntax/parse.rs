//! From preprocessed text to the tree, by way of `lang-c`.
//!
//! Contract: the text passed [`crate::text::guard::check`]. The tree of `lang-c` is converted and
//! dropped here.

use lang_c::driver::{Config, Flavor, parse_preprocessed};

use super::convert;
use super::tree::Unit;
use crate::error::{Code, Outcome, Span, Trouble};
use crate::text::guard;

/// Parses a preprocessed text.
pub fn parse(text: &str) -> Outcome<Unit> {
    guard::check(text)?;
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    match parse_preprocessed(&config, text.to_owned()) {
        Ok(parsed) => convert::unit(&parsed.unit),
        Err(error) => {
            let mut expected: Vec<&str> = error.expected.iter().copied().collect();
            expected.sort_unstable();
            expected.truncate(6);
            let found = text
                .get(error.offset..)
                .and_then(|rest| rest.split_whitespace().next());
            let message = format!(
                "syntax error at {}, expected {}",
                found.map_or_else(
                    || "the end of the text".to_owned(),
                    |word| format!("`{}`", clip(word))
                ),
                expected.join(" or ")
            );
            Err(Trouble::new(
                Code::Syntax,
                Span::new(error.offset, error.offset + 1),
                message,
            ))
        }
    }
}

fn clip(word: &str) -> String {
    word.chars().take(40).collect()
}
