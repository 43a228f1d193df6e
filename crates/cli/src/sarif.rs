//! Answers as SARIF 2.1.0, for tools that show findings in their place: made from the JSON document, so
//! that both say the same.
//!
//! | what | rule | kind |
//! |---|---|---|
//! | unsafe | `FT001` | `fail`, level `error`, with the steps of the counterexample as a code flow |
//! | unknown | `FT002` | `open` |
//! | safe | `FT001` | `pass` |
//! | a finding about the input | its code | `fail`, level by its severity |

use serde_json::{Value, json};

/// The rules of answers; those of findings are added as they occur.
const RULES: [(&str, &str); 2] = [
    ("FT001", "A property is violated."),
    ("FT002", "It is not known whether a property holds."),
];

/// The log of one run.
pub(crate) fn log(document: &Value) -> Value {
    let path = document["input"]["path"].as_str().unwrap_or("-");
    let parts = ["properties", "groups"].map(|key| list(&document[key]));
    let mut results: Vec<Value> = parts
        .iter()
        .flat_map(|l| l.iter().map(|p| answer(path, p)))
        .collect();
    let findings = list(&document["error"]["findings"]);
    results.extend(findings.iter().map(|f| finding(path, f)));
    results.extend(list(&document["warnings"]).iter().map(|f| finding(path, f)));
    let failed = !document["error"].is_null();
    let mut notes = Vec::new();
    if failed {
        notes
            .push(json!({ "level": "error", "message": { "text": document["error"]["message"] } }));
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Foretell",
                "version": document["version"],
                "rules": rules(&results),
            } },
            "invocations": [{
                "executionSuccessful": !failed,
                "toolExecutionNotifications": notes,
            }],
            "artifacts": [{ "location": { "uri": uri(path) } }],
            "results": results,
        }],
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The rules that occur, each once.
fn rules(results: &[Value]) -> Vec<Value> {
    let mut ids: Vec<&str> = RULES.iter().map(|(id, _)| *id).collect();
    ids.extend(results.iter().filter_map(|r| r["ruleId"].as_str()));
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter()
        .map(|id| {
            let words = RULES.iter().find(|(rule, _)| *rule == id);
            let words = words.map_or("A finding about the input.", |(_, words)| words);
            json!({ "id": id, "shortDescription": { "text": words } })
        })
        .collect()
}

/// The answer to a property of clauses or a system, or to a group of a C program.
fn answer(path: &str, part: &Value) -> Value {
    let name = ["name", "group", "property"].map(|key| &part[key]);
    let name = name.into_iter().find(|n| !n.is_null()).map(plain);
    let what = name.map_or_else(|| "the property".to_owned(), |n| format!("property {n}"));
    let verdict = part["verdict"].as_str().unwrap_or("unknown");
    let (rule, kind, level, text) = match verdict {
        "safe" => ("FT001", "pass", "none", format!("{what} holds")),
        "unsafe" => ("FT001", "fail", "error", format!("{what} is violated")),
        _ => {
            let reason = part["reason"].as_str().unwrap_or("no reason");
            (
                "FT002",
                "open",
                "none",
                format!("{what} is unknown: {reason}"),
            )
        }
    };
    let steps = steps(path, part);
    let line = part["line"].as_u64().or_else(|| {
        let last = steps.last()?;
        last["location"]["physicalLocation"]["region"]["startLine"].as_u64()
    });
    let mut result = json!({
        "ruleId": rule,
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "locations": [place(path, line, None)],
    });
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// The steps of a counterexample that have a line.
fn steps(path: &str, part: &Value) -> Vec<Value> {
    let traces = [&part["trace"], &part["counterexample"]["steps"]];
    let steps = traces.into_iter().flat_map(list);
    steps
        .filter(|step| step["line"].is_u64())
        .map(|step| {
            let said = [&step["statement"], &step["derives"]];
            let said = said.into_iter().find(|s| !s.is_null()).map(plain);
            let values = match &step["values"] {
                Value::Null => String::new(),
                values => format!("; {}", plain(values)),
            };
            let mut location = place(path, step["line"].as_u64(), None);
            location["message"] = json!({ "text": said.unwrap_or_default() + &values });
            json!({ "location": location })
        })
        .collect()
}

fn finding(path: &str, finding: &Value) -> Value {
    let level = match finding["severity"].as_str() {
        Some("error") => "error",
        _ => "warning",
    };
    let file = finding["file"].as_str().unwrap_or(path);
    json!({
        "ruleId": finding["code"],
        "kind": "fail",
        "level": level,
        "message": { "text": finding["message"] },
        "locations": [place(file, finding["line"].as_u64(), finding["column"].as_u64())],
    })
}

fn place(path: &str, line: Option<u64>, column: Option<u64>) -> Value {
    let mut place = json!({ "physicalLocation": { "artifactLocation": { "uri": uri(path) } } });
    if let Some(line) = line.filter(|l| *l > 0) {
        let mut region = json!({ "startLine": line });
        if let Some(column) = column.filter(|c| *c > 0) {
            region["startColumn"] = json!(column);
        }
        place["physicalLocation"]["region"] = region;
    }
    place
}

/// A string without its quotes, anything else as JSON.
fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// A path as a reference: what is not allowed there is written in hexadecimal.
fn uri(path: &str) -> String {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    let written = |b: u8| match allowed(b) {
        true => char::from(b).to_string(),
        false => format!("%{b:02X}"),
    };
    let text: String = path.bytes().map(written).collect();
    match text.strip_prefix('/') {
        Some(rest) => format!("file:///{rest}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{log, uri};
    use serde_json::json;

    #[test]
    fn each_verdict_has_its_kind() {
        let document = json!({
            "version": "1", "input": { "path": "a b.c" },
            "groups": [
                { "group": "assert", "verdict": "safe" },
                { "group": "overflow", "verdict": "unsafe",
                  "trace": [{ "line": 3, "statement": "x++", "values": ["x = 1"] }] },
                { "group": "memory", "verdict": "unknown", "reason": "timeout" },
            ],
        });
        let log = log(&document);
        let results = log["runs"][0]["results"].as_array().unwrap();
        let kinds: Vec<&str> = results
            .iter()
            .map(|r| r["kind"].as_str().unwrap())
            .collect();
        assert_eq!(kinds, ["pass", "fail", "open"]);
        let place = &results[1]["locations"][0]["physicalLocation"];
        assert_eq!(place["region"]["startLine"], 3);
        assert_eq!(place["artifactLocation"]["uri"], "a%20b.c");
        let flow = &results[1]["codeFlows"][0]["threadFlows"][0]["locations"][0]["location"];
        assert_eq!(flow["message"]["text"], "x++; [\"x = 1\"]");
        assert_eq!(
            log["runs"][0]["invocations"][0]["executionSuccessful"],
            true
        );
    }

    #[test]
    fn refused_input_is_a_result_and_no_success() {
        let finding = json!({ "code": "E010", "message": "m", "severity": "error",
            "file": "f", "line": 2, "column": 5 });
        let document = json!({ "version": "1", "input": { "path": "f" },
            "error": { "message": "malformed", "findings": [finding] } });
        let run = &log(&document)["runs"][0];
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        assert_eq!(run["results"][0]["ruleId"], "E010");
        let region = &run["results"][0]["locations"][0]["physicalLocation"]["region"];
        assert_eq!(*region, json!({ "startLine": 2, "startColumn": 5 }));
        assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("/a/ü.c"), "file:///a/%C3%BC.c");
        assert_eq!(uri("x-1_~.smt2"), "x-1_~.smt2");
    }
}
