//! The licences of all dependencies, read from `cargo metadata`: each must be permissive, and each must come
//! from the registry, not from a repository.
//!
//! The list is the one of `deny.toml`, so that both tools say the same.

use std::io;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What is wrong with the dependencies, one line each; with the number of them.
pub(crate) fn problems(root: &Path) -> io::Result<(usize, Vec<String>)> {
    let allowed = allowed(&std::fs::read_to_string(root.join("deny.toml"))?);
    let foreign = dependencies(root)?;
    let found = foreign
        .iter()
        .filter_map(|package| problem(package, &allowed))
        .collect();
    Ok((foreign.len(), found))
}

/// The licences of everything that is shipped besides this project: of Z3 and of each dependency, with the
/// texts its package contains.
pub(crate) fn texts(root: &Path) -> io::Result<String> {
    let mut out = String::from(
        "Z3 (library and executable): MIT licence, Copyright (c) Microsoft Corporation\n",
    );
    for package in dependencies(root)? {
        let text = |key: &str| package[key].as_str().unwrap_or("").to_owned();
        let (name, version, licence) = (text("name"), text("version"), text("license"));
        out.push_str(&format!("\n==== {name} {version}: {licence}\n"));
        let manifest = text("manifest_path");
        let folder = Path::new(&manifest).parent().unwrap_or(root);
        let mut files: Vec<_> = std::fs::read_dir(folder)?.flatten().collect();
        files.sort_by_key(std::fs::DirEntry::file_name);
        for file in files {
            let name = file.file_name().to_string_lossy().to_uppercase();
            let legal = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT"];
            if legal.iter().any(|word| name.starts_with(word)) && file.path().is_file() {
                let bytes = std::fs::read(file.path())?;
                out.push_str(&format!("---- {}\n", file.file_name().to_string_lossy()));
                out.push_str(&String::from_utf8_lossy(&bytes));
                out.push('\n');
            }
        }
    }
    Ok(out)
}

/// The packages that do not belong to this project, as `cargo metadata` describes them.
fn dependencies(root: &Path) -> io::Result<Vec<Value>> {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--offline"];
    let platform = ["--filter-platform", "x86_64-unknown-linux-gnu"];
    let output = Command::new("cargo")
        .args(arguments)
        .args(platform)
        .current_dir(root)
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other(
            String::from_utf8_lossy(&output.stderr).into_owned(),
        ));
    }
    let mut metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = match metadata["packages"].take() {
        Value::Array(packages) => packages,
        _ => Vec::new(),
    };
    Ok(packages
        .into_iter()
        .filter(|p| !p["source"].is_null())
        .collect())
}

fn problem(package: &Value, allowed: &[String]) -> Option<String> {
    let text = |key: &str| package[key].as_str().unwrap_or("").to_owned();
    let (name, licence) = (text("name"), text("license"));
    if !text("source").starts_with("registry+") {
        return Some(format!("{name}: does not come from the registry"));
    }
    (!is_allowed(&licence, allowed)).then(|| format!("{name}: licence `{licence}`"))
}

/// The quoted names of the list `allow`.
fn allowed(text: &str) -> Vec<String> {
    let list = text
        .split("allow = [")
        .nth(1)
        .and_then(|rest| rest.split(']').next())
        .unwrap_or("");
    list.split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// Whether an expression of licences leaves a choice that is allowed: `A OR B`, `A AND B`, parentheses.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    // Values so far and operators that wait, as in any evaluation with two strengths of binding.
    let (mut values, mut waiting): (Vec<bool>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut name = String::new();
    for word in spaced.split_whitespace().chain(["OR", "("]) {
        match word {
            "AND" | "OR" | ")" => {
                if !name.is_empty() {
                    values.push(allowed.contains(&name));
                    name.clear();
                }
                while waiting
                    .last()
                    .is_some_and(|&w| w != "(" && (w == "AND" || word != "AND"))
                {
                    apply(waiting.pop(), &mut values);
                }
                match word {
                    ")" => drop(waiting.pop()),
                    _ => waiting.push(word),
                }
            }
            "(" => waiting.push(word),
            _ if name.is_empty() => name.push_str(word),
            _ => name.push_str(&format!(" {word}")),
        }
    }
    values.as_slice() == [true]
}

fn apply(operator: Option<&str>, values: &mut Vec<bool>) {
    if let (Some(b), Some(a)) = (values.pop(), values.pop()) {
        values.push(if operator == Some("AND") {
            a && b
        } else {
            a || b
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{allowed, is_allowed, problems};
    use std::path::Path;

    #[test]
    fn expressions_are_evaluated() {
        let list = allowed("x\nallow = [\n \"MIT\",\n \"Apache-2.0 WITH LLVM-exception\",\n]\n");
        assert_eq!(list.len(), 2);
        for good in [
            "MIT",
            "GPL-3.0 OR MIT",
            "MIT/GPL-3.0",
            "(MIT OR X) AND MIT",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(is_allowed(good, &list), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR X) AND Y",
            "X OR MIT AND Y",
        ] {
            assert!(!is_allowed(bad, &list), "{bad}");
        }
    }

    #[test]
    fn all_dependencies_are_permissive() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let (n, found) = problems(root).unwrap();
        assert!(
            n > 10 && found.is_empty(),
            "{n} dependencies\n{}",
            found.join("\n")
        );
    }
}
