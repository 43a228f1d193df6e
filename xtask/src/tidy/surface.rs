//! What is public must be used outside its crate, and an option must be read.
//!
//! Only functions and constants are looked at: a type may be used without being named.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, words};

/// What is wrong: item, path, words.
pub(super) type Found = (String, String, &'static str);

/// What is wrong with the public surface.
pub(super) fn problems(files: &[File]) -> Vec<Found> {
    let mut found = unused_items(files);
    found.extend(unread_options(files));
    found
}

fn unused_items(files: &[File]) -> Vec<Found> {
    let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in files {
        for word in words(&file.text) {
            places.entry(word).or_default().insert(part(&file.name));
        }
    }
    let mut found = Vec::new();
    for file in files.iter().filter(|file| is_library(&file.name)) {
        for item in public_items(&file.text) {
            let outside = places[item].iter().any(|place| *place != part(&file.name));
            if !outside {
                let words = "is public, and used nowhere outside its crate";
                found.push((item.to_owned(), file.name.clone(), words));
            }
        }
    }
    found
}

/// The target a file belongs to: the library of a crate is one, everything else is outside of it.
fn part(name: &str) -> &str {
    if !is_library(name) {
        return "outside";
    }
    name.split_once("/src/").map_or(name, |(krate, _)| krate)
}

fn is_library(name: &str) -> bool {
    let program = name.contains("/src/bin/") || name.ends_with("/src/main.rs");
    name.starts_with("crates/") && name.contains("/src/") && !program
}

/// The names of public functions and constants, before the tests of a file.
fn public_items(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or("");
    code.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("pub ")?;
        let rest = rest.strip_prefix("const fn ").or_else(|| {
            let kinds = ["fn ", "const ", "static "];
            kinds.iter().find_map(|kind| rest.strip_prefix(kind))
        })?;
        words(rest).next()
    })
}

/// Options whose field is read nowhere.
fn unread_options(files: &[File]) -> Vec<Found> {
    let mut read = BTreeSet::new();
    for file in files {
        let fields = file.text.split('.').skip(1);
        read.extend(fields.filter_map(|rest| words(rest).next()));
    }
    let mut found = Vec::new();
    for file in files.iter().filter(|file| is_library(&file.name)) {
        for option in options(&file.text) {
            if !read.contains(option) {
                found.push((
                    option.to_owned(),
                    file.name.clone(),
                    "is an option that nobody reads",
                ));
            }
        }
    }
    found
}

/// The names in the `options!` table of a file.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().skip_while(|line| !line.contains("options! {"));
    lines.take_while(|line| *line != "}").filter_map(|line| {
        let (name, rest) = line.trim().split_once(": ")?;
        let value = rest.contains(" = ") && rest.ends_with(';');
        let word = name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        (value && word).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::{File, problems};

    fn found(other: &str) -> usize {
        let file = |name: &str, text: &str| File {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let own = "options! {\n    a: u32 = 3;\n}\npub fn f() {}\npub(crate) fn g() {}\n";
        let own = file("crates/x/src/lib.rs", own);
        problems(&[own, file("crates/y/src/lib.rs", other)]).len()
    }

    #[test]
    fn what_nobody_uses_is_found() {
        assert_eq!(found(""), 2);
        assert_eq!(found("f()"), 1);
        assert_eq!(found("f(options.a)"), 0);
    }
}
