//! What went wrong without being an answer, with the files that show it.

use crate::protocol::{Answer, RejectedWitness};

/// Something that somebody should look into.
#[derive(Clone, Debug)]
pub struct Incident {
    /// What happened, in one line.
    pub what: String,
    /// File names and contents that reproduce it.
    pub files: Vec<(String, Vec<u8>)>,
}

/// A witness that failed its check.
pub(crate) fn rejected(configuration: &str, witness: &RejectedWitness, input: &[u8]) -> Incident {
    let claimed = witness.claimed.name();
    let outcome = &witness.report.outcome;
    let obligations = witness.report.obligations.iter();
    let lines = obligations.map(|o| format!("{}: {}\n", o.status, o.what));
    let report = format!("{outcome}\n{}", lines.collect::<String>());
    Incident {
        what: format!("{configuration}: the witness for its claim \"{claimed}\" was {outcome}"),
        files: vec![
            file("input.smt2", input),
            file(
                &format!("{configuration}-{claimed}.witness"),
                witness.witness.as_bytes(),
            ),
            file("report.txt", report.as_bytes()),
        ],
    }
}

/// A worker that ended without an answer.
pub(crate) fn crashed(
    configuration: &str,
    words: &str,
    job: &str,
    stderr: &str,
    input: &[u8],
) -> Incident {
    // What a worker said last is most often why it failed.
    let last: String = stderr
        .lines()
        .rfind(|l| !l.trim().is_empty())
        .unwrap_or("")
        .to_owned();
    let short: String = last.chars().take(200).collect();
    let what = if short.is_empty() {
        format!("{configuration}: {words}")
    } else {
        format!("{configuration}: {words}: {short}")
    };
    Incident {
        what,
        files: vec![
            file("input.smt2", input),
            file("job.json", job.as_bytes()),
            file("stderr.txt", stderr.as_bytes()),
        ],
    }
}

/// Two accepted answers that contradict each other.
pub(crate) fn contradiction(
    configurations: &[String; 2],
    answers: [&Answer; 2],
    input: &[u8],
) -> Incident {
    let mut files = vec![file("input.smt2", input)];
    for (name, answer) in configurations.iter().zip(answers) {
        let text = serde_json::to_string_pretty(answer).unwrap_or_default();
        files.push(file(&format!("{name}.json"), text.as_bytes()));
    }
    let [first, second] = configurations;
    Incident {
        what: format!("soundness: `{first}` and `{second}` contradict each other"),
        files,
    }
}

fn file(name: &str, contents: &[u8]) -> (String, Vec<u8>) {
    let name = name.chars().map(|c| {
        if c.is_ascii_alphanumeric() || ".-_".contains(c) {
            c
        } else {
            '_'
        }
    });
    (name.collect(), contents.to_vec())
}
