//! Witnesses of SV-COMP (YAML, format 2.0 and later) as what they claim about a program.
//!
//! A correctness witness claims invariants of loops; they become checks that must hold. A violation
//! witness claims an execution: its `function_return` waypoints say what inputs are, in order. Other
//! waypoints only describe the execution further and are not looked at: what is replayed either
//! fails or does not.

use std::collections::VecDeque;

use foretell_c::ClaimedInvariant;
use foretell_c::program::{DataModel, Group, InputId, InputKind, InputValue, Program};
use foretell_c::run::{End, Inputs, Run, execute};
use yaml_rust2::{Yaml, YamlLoader};

/// Operations of a replay at most.
const OPERATIONS: u64 = 50_000_000;
/// The largest witness that is read.
const MOST_BYTES: usize = 64 << 20;

/// What a witness claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The sizes of types it is about.
    pub model: Option<DataModel>,
    /// The group of the property, where its text says one.
    pub group: Group,
    /// That the program is right, or wrong.
    pub kind: ClaimKind,
}

/// What is claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimKind {
    /// These invariants hold and show that the program is right.
    Correct(Vec<ClaimedInvariant>),
    /// The program fails on these inputs.
    Violated(Vec<ClaimedInput>),
}

/// An input, by the place of the call that gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimedInput {
    line: u32,
    column: Option<u32>,
    value: i128,
}

/// Reads a witness; the words say why it is none.
///
/// # Errors
/// When the text is no YAML, or its entries are none of format 2.
pub fn read_claim(text: &str) -> Result<Claim, String> {
    if text.len() > MOST_BYTES {
        return Err("witness: it is too large".to_owned());
    }
    let documents = YamlLoader::load_from_str(text).map_err(|e| format!("witness: {e}"))?;
    let entry = documents.first().map(|d| &d[0]).unwrap_or(&Yaml::BadValue);
    let task = &entry["metadata"]["task"];
    let model = match task["data_model"].as_str() {
        Some("ILP32") => Some(DataModel::Ilp32),
        Some("LP64") => Some(DataModel::Lp64),
        _ => None,
    };
    let specification = task["specification"].as_str().unwrap_or_default();
    let group = if specification.contains("overflow") {
        Group::Overflow
    } else if specification.contains("valid-") {
        Group::Memory
    } else {
        Group::Assert
    };
    let none = Vec::new();
    let content = entry["content"].as_vec().unwrap_or(&none);
    let kind = match entry["entry_type"].as_str() {
        Some("invariant_set") => {
            let list: Result<Vec<_>, String> = content.iter().map(invariant).collect();
            ClaimKind::Correct(list?)
        }
        Some("violation_sequence") => ClaimKind::Violated(inputs(content)?),
        _ => {
            let words = "witness: neither an invariant set nor a violation sequence of format 2";
            return Err(words.to_owned());
        }
    };
    Ok(Claim { model, group, kind })
}

/// The line and the column of an entry.
fn place(entry: &Yaml) -> Result<(u32, Option<u32>), String> {
    let number = |key: &str| entry["location"][key].as_i64();
    let number = |key: &str| number(key).and_then(|n| u32::try_from(n).ok());
    let line = number("line").ok_or("witness: a location has no line")?;
    Ok((line, number("column")))
}

fn invariant(entry: &Yaml) -> Result<ClaimedInvariant, String> {
    let entry = &entry["invariant"];
    if entry["type"].as_str() != Some("loop_invariant") {
        return Err("witness: only invariants of loops are read".to_owned());
    }
    if entry["format"].as_str() != Some("c_expression") {
        return Err("witness: only expressions of C are read".to_owned());
    }
    let (line, column) = place(entry)?;
    let text = entry["value"].as_str();
    let text = text.ok_or("witness: an invariant has no value")?.to_owned();
    Ok(ClaimedInvariant { line, column, text })
}

fn inputs(content: &[Yaml]) -> Result<Vec<ClaimedInput>, String> {
    let mut found = Vec::new();
    for segment in content {
        for waypoint in segment["segment"].as_vec().into_iter().flatten() {
            let waypoint = &waypoint["waypoint"];
            let kind = waypoint["type"].as_str();
            if kind != Some("function_return") || waypoint["action"].as_str() != Some("follow") {
                continue;
            }
            let (line, column) = place(waypoint)?;
            let value = waypoint["constraint"]["value"].as_str().unwrap_or_default();
            let value = result_of(value)
                .ok_or_else(|| format!("witness: `{value}` is not `\\result == number`"))?;
            found.push(ClaimedInput {
                line,
                column,
                value,
            });
        }
    }
    Ok(found)
}

/// The number in `\result == number`.
fn result_of(text: &str) -> Option<i128> {
    let plain: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')'))
        .collect();
    plain.strip_prefix("\\result==")?.parse().ok()
}

/// Inputs in the order of a witness, each at its place; zero elsewhere.
struct Followed<'a> {
    program: &'a Program,
    left: VecDeque<ClaimedInput>,
}

impl Inputs for Followed<'_> {
    fn next(&mut self, site: InputId) -> InputValue {
        let site = &self.program.inputs[site.index()];
        let start = self.program.source.location(site.span);
        let last = self.program.source.line(foretell_c::error::Span {
            start: site.span.end.saturating_sub(1),
            end: site.span.end,
        });
        let here = |input: &ClaimedInput| {
            (start.line..=last.max(start.line)).contains(&input.line)
                && input
                    .column
                    .is_none_or(|c| input.line != start.line || c >= start.column)
        };
        let called = matches!(site.kind, InputKind::Call(_));
        match self.left.front() {
            Some(input) if called && here(input) => {
                let value = input.value;
                self.left.pop_front();
                InputValue::Int(value)
            }
            _ => InputValue::Int(0),
        }
    }
}

/// Runs a program on the inputs of a witness; gives back the run if it violates the group.
pub fn replay(program: &Program, group: Group, inputs: &[ClaimedInput]) -> Option<Run> {
    let mut followed = Followed {
        program,
        left: inputs.iter().cloned().collect(),
    };
    let run = execute(program, &mut followed, OPERATIONS);
    let violated = matches!(run.end, End::Violated(check)
        if program.check(check).kind.group() == group);
    violated.then_some(run)
}

#[cfg(test)]
mod tests {
    use foretell_c::print::witness::{Metadata, violation};
    use foretell_c::run::{Effort, probe};
    use foretell_c::text::NoFiles;
    use foretell_c::{Settings, read};

    use super::*;

    const ABOUT: &str = "- entry_type: \"invariant_set\"\n  metadata:\n    task:\n      \
        specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"\n      \
        data_model: ILP32\n  content:\n";

    #[test]
    fn invariants_are_read() {
        let text = format!(
            "{ABOUT}    - invariant:\n        type: loop_invariant\n        location:\n          \
             file_name: \"x.c\"\n          line: 3\n          column: 5\n        \
             value: \"i <= n\"\n        format: c_expression\n"
        );
        let claim = read_claim(&text).expect("a witness");
        assert_eq!(claim.model, Some(DataModel::Ilp32));
        let invariant = ClaimedInvariant {
            line: 3,
            column: Some(5),
            text: "i <= n".to_owned(),
        };
        assert_eq!(claim.kind, ClaimKind::Correct(vec![invariant]));
    }

    #[test]
    fn what_is_no_witness_is_refused() {
        let deep = "[".repeat(100_000);
        for text in ["", "x: y", "- entry_type: other", "a: b: c", deep.as_str()] {
            assert!(read_claim(text).is_err(), "{}", &text[..text.len().min(20)]);
        }
    }

    #[test]
    fn what_is_written_is_replayed() {
        let text = "extern int nondet_int(void);\nextern void abort(void);\nvoid reach_error() {}\n\
                    int main() {\n  int x = nondet_int();\n  int y = nondet_int();\n  \
                    if (x == 5 && y == 5) { reach_error(); }\n}\n";
        let settings = Settings::default();
        let program = read("x.c", text.as_bytes(), &NoFiles, &settings).expect("C");
        let effort = Effort {
            runs: 20,
            operations: 100_000,
            long: 0,
            until: None,
        };
        let run = probe(&program, Group::Assert, effort).expect("a violation");
        let about = Metadata {
            uuid: String::new(),
            creation_time: String::new(),
            version: String::new(),
            file: "x.c".to_owned(),
            hash: String::new(),
            specification: String::new(),
        };
        let witness = violation(&program, &run, &about);
        let claim = read_claim(&witness).expect("a witness");
        let ClaimKind::Violated(inputs) = claim.kind else {
            panic!("a violation")
        };
        assert_eq!(inputs.len(), 2);
        assert!(replay(&program, Group::Assert, &inputs).is_some());
        let wrong = witness.replace("== 5", "== 4");
        let ClaimKind::Violated(inputs) = read_claim(&wrong).expect("a witness").kind else {
            panic!("a violation")
        };
        assert!(replay(&program, Group::Assert, &inputs).is_none());
    }
}
