//! Pages that explain an answer: they change nothing else, they say what was checked, and they are there
//! whatever happens.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use foretell_testkit::case;
use serde_json::Value;

use super::supervision::{signal, states, until};
use super::{Outcome, command, folder, foretell, property};

/// One file per shape; each with an engine that answers at once.
const FILES: [&str; 20] = [
    "chc/safe/array_init.smt2",
    "chc/safe/array_bool_elements.smt2",
    "chc/safe/bool_toggle.smt2",
    "chc/safe/bv8_saturating.smt2",
    "chc/safe/data_pair.smt2",
    "chc/safe/lia_counter_up.smt2",
    "chc/safe/lia_nested_loops.smt2",
    "chc/safe/lia_one_query.smt2",
    "chc/unsafe/array_init_short.smt2",
    "chc/unsafe/array_equality.smt2",
    "chc/unsafe/bv8_wraps.smt2",
    "chc/unsafe/data_list.smt2",
    "chc/unsafe/lia_counter_reaches.smt2",
    "vmt/safe/array_memory.vmt",
    "vmt/safe/bool_mutex.vmt",
    "vmt/safe/kind_2.vmt",
    "vmt/unsafe/array_stale_read.vmt",
    "vmt/unsafe/counter_hits.vmt",
    "vmt/unsafe/input_not_frozen.vmt",
    "vmt/unsafe/uninterpreted.vmt",
];

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn data(path: &Path) -> Value {
    serde_json::from_str(&read(path)).unwrap()
}

/// Runs the executable with a report; gives what it said, the data and the page.
pub(super) fn explained(folder: &Path, arguments: &[&str]) -> (Outcome, Value, String) {
    let (json, html) = (folder.join("r.json"), folder.join("r.html"));
    let _ = fs::remove_file(&json);
    let report = format!("--report={}", json.display());
    let outcome = foretell(&[&[report.as_str()], arguments].concat());
    let page = foretell(&[
        "explain",
        json.to_str().unwrap(),
        "-O",
        html.to_str().unwrap(),
    ]);
    assert_eq!(page.code, Some(0), "{}", page.stderr);
    let text = read(&html);
    assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
    assert!(text.len() < 8 << 20);
    (outcome, data(&json), text)
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Whatever is called checked is a part of what was checked.
#[track_caller]
fn assert_checked_texts(name: &str, report: &Value) {
    for question in list(&report["questions"]) {
        let proof = &question["proof"];
        let whole = [&proof["certificate"], &proof["model"]].map(|t| t.as_str().unwrap_or(""));
        let parts = ["parts", "inner", "auxiliaries"].map(|key| list(&proof[key]));
        for part in parts.into_iter().flatten() {
            let text = part["text"].as_str().unwrap();
            let known = whole.iter().any(|w| w.contains(text));
            assert!(known && !text.is_empty(), "{name}: {text}");
        }
    }
}

#[test]
fn files_of_every_shape_have_a_page() {
    let folder = folder("report-corpus");
    for name in FILES {
        let case = case(name);
        let (engine, property) = (case.engines().next().unwrap_or("auto"), property(&case));
        let property: Vec<&str> = property.iter().map(String::as_str).collect();
        let path = case.path();
        let arguments = [
            &["-e", engine, "-j", "1", "-t", "60s"],
            &property[..],
            &[&path],
        ]
        .concat();
        let (outcome, report, page) = explained(&folder, &arguments);
        let wanted = if name.contains("/safe/") {
            "safe"
        } else {
            "unsafe"
        };
        assert_eq!(report["verdict"], wanted, "{name}: {}", outcome.stderr);
        assert_eq!(report["schema"], "foretell-report-1");
        assert_checked_texts(name, &report);
        let question = &report["questions"][0];
        assert!(!list(&question["checks"]).is_empty(), "{name}");
        let heading = if wanted == "safe" {
            "The invariant"
        } else {
            "How it goes wrong"
        };
        for words in ["Why to believe it", heading, "How it came about"] {
            assert!(page.contains(words), "{name}: {words}");
        }
        if wanted == "unsafe" {
            let trace = &question["trace"];
            let (steps, n) = (list(&trace["steps"]), trace["n_steps"].as_u64());
            assert_eq!(Some(steps.len() as u64), n, "{name}");
            assert!(
                trace["cause"].as_str().is_some_and(|c| c.ends_with('.')),
                "{name}"
            );
            let cards = page.matches("<article class=\"step").count();
            assert_eq!(cards, steps.len(), "{name}");
        } else {
            let parts = list(&question["proof"]["parts"]);
            let readable = parts.iter().filter(|p| !list(&p["conjuncts"]).is_empty());
            assert_eq!(readable.count(), parts.len(), "{name}");
        }
    }
}

#[test]
fn a_report_changes_nothing_else() {
    let folder = folder("report-same");
    let page = folder.join("page.html");
    let report = format!("--report={}", page.display());
    for arguments in [
        [
            "-j",
            "1",
            "-e",
            "ic3ia",
            "corpus/chc/safe/lia_counter_up.smt2",
        ],
        ["-j", "1", "--cex", "examples/bug.smt2", "-q"],
        [
            "-j",
            "1",
            "-e",
            "ic3ia",
            "corpus/chc/error/unknown_symbol.smt2",
        ],
        [
            "-j",
            "1",
            "--property",
            "all",
            "examples/two_properties.vmt",
        ],
    ] {
        let (without, with) = (
            foretell(&arguments),
            foretell(&[&[report.as_str()], &arguments[..]].concat()),
        );
        assert_eq!(
            (without.stdout, without.code),
            (with.stdout, with.code),
            "{arguments:?}"
        );
        assert!(read(&page).contains("</html>"));
        fs::remove_file(&page).unwrap();
    }
}

/// The steps of engines, without those of the check, which has more to do when somebody reads the proof.
#[test]
fn a_report_does_not_change_the_steps() {
    let folder = folder("report-steps");
    let report = format!("--report={}", folder.join("page.json").display());
    let counts = |extra: &[&str]| {
        let file = "corpus/vmt/safe/kind_2.vmt";
        let arguments = [
            "--format", "json", "-j", "1", "-e", "ic3ia", "--seed", "3", file,
        ];
        let outcome = foretell(&[&arguments, extra].concat());
        let value: Value = serde_json::from_str(&outcome.stdout).unwrap();
        value["runs"][0]["statistics"]["counts"].clone()
    };
    let (without, with) = (counts(&[]), counts(&[&report]));
    assert!(without.is_object() && without == with, "{without} {with}");
}

#[test]
fn a_page_is_there_whatever_happens() {
    let folder = folder("report-always");
    let page = folder.join("page.json");
    let report = format!("--report={}", page.display());
    let refused = foretell(&[&report, "corpus/chc/error/unknown_symbol.smt2"]);
    assert_eq!(refused.code, Some(3));
    let value = data(&page);
    assert_eq!(
        (&value["verdict"], &value["refusal"]["findings"][0]["line"]),
        (&"refused".into(), &6.into())
    );
    // Two properties, each with its part.
    let (_, value, html) = explained(
        &folder,
        &["--property", "all", "examples/two_properties.vmt"],
    );
    assert_eq!(list(&value["questions"]).len(), 2);
    assert!(html.contains("The invariant for property 0") && html.contains("How property 1"));
    // A limit.
    let hard = folder.join("hard.smt2");
    fs::write(&hard, HARD).unwrap();
    let (stopped, value, html) = explained(&folder, &["-t", "1s", hard.to_str().unwrap()]);
    assert_eq!(
        (stopped.code, &value["verdict"]),
        (Some(20), &"unknown".into())
    );
    assert!(html.contains("Why there is no answer") && html.contains("What to try next"));
    assert!(
        list(&value["hints"])
            .iter()
            .all(|h| h["seen"].as_str().is_some_and(|s| !s.is_empty()))
    );
    // Standard input, and a program.
    let mut from_pipe = command(&[&report, "-"]);
    from_pipe.stdin(
        fs::File::open("../../examples/array_init.smt2")
            .or_else(|_| fs::File::open("examples/array_init.smt2"))
            .unwrap(),
    );
    assert_eq!(from_pipe.output().unwrap().status.code(), Some(0));
    assert_eq!(data(&page)["input"]["path"], "-");
    let (_, value, html) = explained(&folder, &["examples/average.c"]);
    assert_eq!(
        (&value["verdict"], &value["input"]["format"]),
        (&"unsafe".into(), &"c".into())
    );
    assert!(html.contains("the result is outside of its type"));
}

#[test]
fn a_page_is_there_after_a_signal_and_after_a_limit_of_memory() {
    let folder = folder("report-killed");
    let (page, hard) = (folder.join("page.json"), folder.join("hard.smt2"));
    fs::write(&hard, HARD).unwrap();
    let (report, hard) = (
        format!("--report={}", page.display()),
        hard.to_str().unwrap(),
    );
    for name in ["-INT", "-TERM"] {
        let child = command(&[&report, "-t", "60s", hard])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Two workers: the first one starts before anybody knows what it is for.
        until(|| states(child.id()).len() > 2);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            (said.as_str(), output.status.code()),
            ("unknown (interrupted)\n", Some(20))
        );
        let value = data(&page);
        assert_eq!(value["verdict"], "unknown");
        assert_eq!(value["questions"][0]["reason"], "interrupted");
        fs::remove_file(&page).unwrap();
    }
    let (outcome, value, html) = explained(&folder, &["-t", "60s", "-j", "1", "-m", "60M", hard]);
    assert_eq!(
        (outcome.stdout.as_str(), outcome.code),
        ("unknown (memory)\n", Some(20))
    );
    assert_eq!(value["questions"][0]["reason"], "memory");
    assert!(html.contains("Why there is no answer"));
}

const HARD: &str = "(set-logic HORN)(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int)) (p x 0 0)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p x (+ y 1) (+ z (* x x x))))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y z) (= (* y (+ y 7)) (+ 1000003 (* z z z)))) false)))
(check-sat)";

#[test]
fn a_page_that_cannot_be_written_is_known_before_the_run() {
    let file = "corpus/chc/safe/lia_counter_up.smt2";
    let nowhere = foretell(&["--report=/nowhere/at/all/page.html", file]);
    assert_eq!((nowhere.stdout.as_str(), nowhere.code), ("", Some(2)));
    let other = foretell(&["--report=page.pdf", file]);
    assert!(
        other.code == Some(2) && other.stderr.contains(".html or .json"),
        "{}",
        other.stderr
    );
    // One that can be opened but not be filled: the answer stands.
    let full = folder("report-full").join("full.html");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let lost = foretell(&[&format!("--report={}", full.display()), file]);
    assert_eq!(
        (lost.stdout.as_str(), lost.code),
        ("sat\n", Some(1)),
        "{}",
        lost.stderr
    );
    let broken = folder("report-broken").join("broken.json");
    fs::write(&broken, "{\"schema\": \"another\"}").unwrap();
    let refused = foretell(&["explain", broken.to_str().unwrap()]);
    assert!(
        refused.code == Some(2) && refused.stderr.contains("schema"),
        "{}",
        refused.stderr
    );
}

/// Names that are markup, turn text around, or are long; nothing of them becomes markup, and the page
/// stays small.
#[test]
fn hostile_names_stay_text() {
    let folder = folder("report-hostile");
    let evil = "|</script><img src=x onerror=alert(1)>\u{202e} &amp; ' \" <!-- ]]>|";
    let (inner, long) = (
        evil.replace("alert(1)", "2"),
        format!("|{}|", "n".repeat(100_000)),
    );
    let text = format!(
        "(set-logic HORN)(declare-fun {evil} ((Array Int Int) Int) Bool)
         (assert (forall (({long} (Array Int Int))) ({evil} {long} 0)))
         (assert (forall (({long} (Array Int Int)) ({inner} Int))
           (=> (and ({evil} {long} {inner}) (= (select {long} {inner}) 7)) false)))(check-sat)"
    );
    let file = folder.join("<b>evil & 'name'.smt2");
    fs::write(&file, text).unwrap();
    let (outcome, value, page) = explained(&folder, &["-e", "bmc", file.to_str().unwrap()]);
    assert_eq!(
        (outcome.code, &value["verdict"]),
        (Some(10), &"unsafe".into()),
        "{}",
        outcome.stderr
    );
    for piece in ["<img", "</script><img", "\u{202e}", "<b>evil", "<!--"] {
        assert!(!page.contains(piece), "{piece:?}");
    }
    assert_eq!(page.matches("<script").count(), 2);
    assert!(page.contains("⟨U+202E⟩") && page.contains("default-src &#39;none&#39;"));
}
