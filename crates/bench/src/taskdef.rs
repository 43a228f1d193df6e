//! Task definitions (`.yml`, format 2.0) as used by CHC-COMP and SV-COMP: the few fields needed.
//!
//! ```yaml
//! format_version: '2.0'
//! input_files: 'loop.smt2'          # or a list, inline or one item per line
//! properties:
//!   - property_file: ../check-sat.prp
//!     expected_verdict: true
//! ```
//!
//! This is a reader of lines, not of YAML: the files are machine-made and flat. What it does not
//! understand it leaves out, and a definition without input file is an error.

use foretell_kernel::VerdictKind;

/// What a task definition says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskDefinition {
    /// The input file, relative to the definition.
    pub input: String,
    /// The verdict it declares, if any: `true` is safe.
    pub expected: Option<VerdictKind>,
    /// The files of its properties, in order.
    pub properties: Vec<String>,
    /// The sizes of types of a program, as written: `ILP32` or `LP64`.
    pub data_model: Option<String>,
}

/// Reads a task definition.
///
/// # Errors
/// A message when no input file is named, or more than one.
pub fn parse(text: &str) -> Result<TaskDefinition, String> {
    let mut inputs: Vec<String> = Vec::new();
    let mut properties: Vec<(String, Option<VerdictKind>)> = Vec::new();
    let mut section = String::new();
    let mut data_model = None;
    for line in text.lines() {
        let line = line.split(" #").next().unwrap_or(line).trim_end();
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let item = line.trim_start().strip_prefix("- ").map(str::trim);
        let indented = line.starts_with([' ', '-']);
        let entry = item.unwrap_or(line.trim()).split_once(':');
        if !indented && let Some((key, value)) = entry {
            section = key.trim().to_owned();
            if section == "input_files" {
                inputs.extend(values(value));
            }
            continue;
        }
        match (section.as_str(), item, entry) {
            ("input_files", Some(file), _) => inputs.push(unquote(file)),
            ("properties", _, Some((key, value))) => property(&mut properties, key, value),
            ("options", _, Some((key, value))) if key.trim() == "data_model" => {
                data_model = Some(unquote(value));
            }
            _ => {}
        }
    }
    match inputs.as_slice() {
        [input] => Ok(TaskDefinition {
            input: input.clone(),
            expected: choose(&properties),
            properties: properties.into_iter().map(|p| p.0).collect(),
            data_model,
        }),
        [] => Err("no input_files".to_owned()),
        _ => Err("more than one input file".to_owned()),
    }
}

/// Notes a key of a property.
fn property(properties: &mut Vec<(String, Option<VerdictKind>)>, key: &str, value: &str) {
    match key.trim() {
        "property_file" => properties.push((unquote(value), None)),
        "expected_verdict" => {
            if let Some(last) = properties.last_mut() {
                last.1 = match value.trim() {
                    "true" => Some(VerdictKind::Safe),
                    "false" => Some(VerdictKind::Unsafe),
                    _ => None,
                };
            }
        }
        _ => {}
    }
}

/// The verdict for reachability, or the only one there is.
fn choose(properties: &[(String, Option<VerdictKind>)]) -> Option<VerdictKind> {
    let of = |name: &str| properties.iter().find(|p| p.0.contains(name));
    match (of("check-sat").or_else(|| of("unreach-call")), properties) {
        (Some(property), _) => property.1,
        (None, [only]) => only.1,
        _ => None,
    }
}

/// The items of an inline value: nothing, a scalar, or `[a, b]`.
fn values(value: &str) -> Vec<String> {
    let value = value.trim();
    let items = match value.strip_prefix('[').and_then(|v| v.strip_suffix(']')) {
        Some(list) => list.split(',').map(unquote).collect(),
        None => vec![unquote(value)],
    };
    items.into_iter().filter(|v| !v.is_empty()).collect()
}

/// A scalar without its quotes; inside single quotes a doubled one stands for one.
fn unquote(text: &str) -> String {
    let text = text.trim();
    let between = |quote: char| text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote));
    match (between('\''), between('"')) {
        (Some(inner), _) => inner.replace("''", "'"),
        (None, Some(inner)) => inner.replace("\\\"", "\""),
        (None, None) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, input: &str, expected: Option<VerdictKind>) {
        let found = parse(text).expect("a definition");
        assert_eq!((&*found.input, found.expected), (input, expected));
    }

    #[test]
    fn the_usual_shapes_are_read() {
        let chc = "format_version: '2.0'\ninput_files: 'a b.smt2'\nproperties:\n- property_file: ../check-sat.prp\n  expected_verdict: false\n";
        check(chc, "a b.smt2", Some(VerdictKind::Unsafe));
        let c = "format_version: \"2.0\"\n# note\ninput_files:\n  - \"x.i\"\nproperties:\n  - property_file: ../p/no-overflow.prp\n    expected_verdict: false\n  - property_file: ../p/unreach-call.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n";
        check(c, "x.i", Some(VerdictKind::Safe));
        check("input_files: [q.smt2]\n", "q.smt2", None);
        check("input_files: 'it''s, a.smt2'\n", "it's, a.smt2", None);
        let found = parse(c).expect("a definition");
        assert_eq!(found.data_model.as_deref(), Some("ILP32"));
        let files = ["../p/no-overflow.prp", "../p/unreach-call.prp"];
        assert_eq!(found.properties, files);
    }

    #[test]
    fn nonsense_is_an_error() {
        assert!(parse("").is_err());
        assert!(parse("input_files: [a, b]").is_err());
        assert!(parse("- - -\n:::\ninput_files:\n").is_err());
    }
}
