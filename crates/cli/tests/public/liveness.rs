//! Liveness: answers, what they rest on, and what must not be one.

use std::fs;

use foretell_testkit::corpus::root;

use super::{folder, foretell};

fn files(kind: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join("corpus/live").join(kind)).unwrap();
    let path = |e: fs::DirEntry| e.path().to_str().unwrap().to_owned();
    let mut files: Vec<String> = entries.map(|e| path(e.unwrap())).collect();
    files.sort_unstable();
    files
}

#[test]
fn answers_come_with_a_certificate_on_the_text_with_commands_added() {
    let folder = folder("live");
    for (kind, code, word) in [("safe", 0, "accepted"), ("unsafe", 10, "accepted")] {
        for file in files(kind) {
            let text = fs::read_to_string(&file).unwrap();
            let number = text.split(":live-property ").nth(1).unwrap();
            let number = number.split(')').next().unwrap().to_owned();
            let (witness, system) = (folder.join("witness"), folder.join("system.vmt"));
            let (witness, system) = (witness.to_str().unwrap(), system.to_str().unwrap());
            let options = [
                format!("--certificate={witness}"),
                format!("--encoding={system}"),
            ];
            let run = [
                "--timeout",
                "120s",
                "--property",
                &number,
                &options[0],
                &options[1],
            ];
            let outcome = foretell(&[&run[..], &[&file]].concat());
            assert_eq!(
                outcome.code,
                Some(code),
                "{file}: {}{}",
                outcome.stdout,
                outcome.stderr
            );
            let added = fs::read_to_string(system).unwrap();
            let (start, _) = text.split_once("(exit)").unwrap_or((&text, ""));
            assert!(
                added.starts_with(start),
                "{file}: the text is not the beginning of {added}"
            );
            let number = added.rsplit(":invar-property ").next().unwrap();
            let number = number.split(')').next().unwrap();
            let outcome = foretell(&["validate", "--property", number, system, witness]);
            assert!(
                outcome.first().starts_with(word),
                "{file}: {}",
                outcome.stdout
            );
        }
    }
}

#[test]
fn without_a_lasso_nothing_is_proved() {
    for file in files("unknown") {
        let outcome = foretell(&["--timeout", "4s", "-q", &file]);
        assert_eq!(outcome.code, Some(20), "{file}: {}", outcome.stdout);
        assert!(
            outcome
                .first()
                .starts_with("property 0 (negative): unknown ("),
            "{file}"
        );
    }
}

#[test]
fn beside_an_invariant_each_has_its_line() {
    let outcome = foretell(&["--timeout", "120s", "corpus/live/unsafe/waits.vmt"]);
    let expected = "property 0 (below): safe\nproperty 1 (arrives): unsafe\nunsafe\n";
    assert_eq!(
        (outcome.stdout.as_str(), outcome.code),
        (expected, Some(10))
    );
}
