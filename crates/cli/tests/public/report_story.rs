//! What pages tell about how an answer came about: lemmas and obligations one by one, who needs which
//! conjunct, which path a prophecy variable excludes; and that asking for it changes no step.

use std::fs;

use serde_json::Value;

use super::report::{explained, list};
use super::{folder, foretell};

/// The counts of `--stats`: what engines did, and the questions to solvers, without times.
fn counts(stderr: &str) -> Vec<&str> {
    let lines = stderr.lines().map(|line| {
        let text = line.strip_prefix("foretell:").unwrap_or(line);
        text.trim()
    });
    let counted = |line: &&str| {
        let number = line.rsplit_once(": ").map(|(_, n)| n.parse::<u64>());
        matches!(number, Some(Ok(_)))
    };
    lines.filter(counted).collect()
}

#[test]
fn a_report_does_not_change_the_steps_of_a_plain_run() {
    let folder = folder("report-steps-text");
    let page = folder.join("page.html");
    let report = format!("--report={}", page.display());
    for (engine, file) in [
        ("ic3ia", "corpus/vmt/safe/kind_2.vmt"),
        ("lazy_annotation", "corpus/chc/safe/lia_nested_loops.smt2"),
        ("prophecy", "corpus/chc/safe/array_init.smt2"),
        ("bmc", "corpus/chc/unsafe/lia_counter_reaches.smt2"),
    ] {
        let arguments = ["-j", "1", "-e", engine, "--seed", "3", "--stats", file];
        let without = foretell(&arguments);
        let with = foretell(&[&[report.as_str()], &arguments[..]].concat());
        let steps = counts(&without.stderr);
        assert!(
            steps.iter().any(|s| s.starts_with("queries")),
            "{}",
            without.stderr
        );
        assert_eq!(steps, counts(&with.stderr), "{file}");
        assert_eq!((without.stdout, without.code), (with.stdout, with.code));
        fs::remove_file(&page).unwrap();
    }
}

fn of_kind<'a>(run: &'a Value, kind: &str) -> Vec<&'a Value> {
    let events = list(&run["events"]).iter();
    events.filter(|e| e["kind"] == kind).collect()
}

#[test]
fn lemmas_and_obligations_are_told_one_by_one() {
    let folder = folder("report-events");
    for (engine, file) in [
        ("ic3ia", "corpus/chc/safe/lia_nested_loops.smt2"),
        ("lazy_annotation", "corpus/chc/safe/lia_nested_loops.smt2"),
    ] {
        let arguments = ["-j", "1", "-e", engine, "--set", "sharing.seek=false", file];
        let (_, value, page) = explained(&folder, &arguments);
        let run = &value["runs"][0];
        for (kind, counter) in [("lemma", "lemmas"), ("obligation", "obligations")] {
            let (told, all) = (of_kind(run, kind), &run["counts"][counter]);
            assert!(!told.is_empty(), "{engine}: no {kind}");
            assert_eq!(Some(told.len() as u64), all.as_u64(), "{engine}: {kind}");
            let rows = page.matches(&format!("data-kind=\"{kind}\"")).count();
            assert_eq!(rows, told.len(), "{engine}: {kind}");
        }
        let (start, length) = (
            run["start"].as_f64().unwrap(),
            run["seconds"].as_f64().unwrap(),
        );
        for event in list(&run["events"]) {
            let at = event["at"].as_f64().unwrap();
            assert!(at >= start && at <= start + length, "{event}");
        }
        for lemma in of_kind(run, "lemma") {
            assert!(
                lemma["formula"].as_str().is_some_and(|f| !f.is_empty()),
                "{lemma}"
            );
            assert!(lemma["number"].is_null() && lemma["literals"].is_u64());
        }
        // The same number is the same obligation, and each time counts one more.
        let mut times = std::collections::BTreeMap::new();
        for obligation in of_kind(run, "obligation") {
            let seen = times
                .entry(obligation["number"].as_u64().unwrap())
                .or_insert(0u64);
            *seen += 1;
            assert_eq!(obligation["times"].as_u64(), Some(*seen), "{obligation}");
            assert_eq!(
                obligation["formula"].is_string(),
                *seen == 2,
                "{obligation}"
            );
        }
    }
}

/// `x` is even, which no predicate says that the engine finds without interpolants.
const ODD: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 7)) false)))(check-sat)";

#[test]
fn without_an_answer_the_page_says_what_came_back() {
    let folder = folder("report-returning");
    let file = folder.join("odd.smt2");
    fs::write(&file, ODD).unwrap();
    let mut arguments = vec!["-j", "1", "-e", "ic3ia", "-t", "1s", file.to_str().unwrap()];
    for setting in [
        "ic3ia.comparisons=false",
        "ic3ia.diverge_after=0",
        "ic3ia.interpolate=false",
    ] {
        arguments.extend(["--set", setting]);
    }
    let (_, value, page) = explained(&folder, &arguments);
    assert_eq!(value["verdict"], "unknown");
    let back = &value["returning"];
    assert_eq!(
        (&back["by"], &back["formula"]),
        (&"ic3ia".into(), &"(= 7 x)".into()),
        "{back}"
    );
    assert!(
        back["times"].as_u64() >= Some(4) && back["literals"] == 1,
        "{back}"
    );
    assert!(back["lowest"].as_u64() < back["highest"].as_u64(), "{back}");
    assert!(page.contains("What came back most often") && page.contains("(= 7 x)"));
    let seen = list(&value["hints"])
        .iter()
        .filter_map(|h| h["seen"].as_str());
    assert!(
        seen.into_iter()
            .any(|s| s.contains("had to exclude the same states"))
    );
}

#[test]
fn who_needs_a_conjunct_is_told_by_line() {
    let folder = folder("report-needs");
    let file = folder.join("needs.smt2");
    // `p` needs `x <= y` to stay so, `q` only that `p` held; nobody needs anything of the fact in line 3.
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)\n(declare-fun q (Int) Bool)\n\
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (p x y))))\n\
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 2)))))\n\
        (assert (forall ((x Int) (y Int)) (=> (p x y) (q (- y x)))))\n\
        (assert (forall ((d Int)) (=> (and (q d) (< d 0)) false)))\n(check-sat)\n";
    fs::write(&file, text).unwrap();
    let arguments = ["-j", "1", "-e", "lazy_annotation", file.to_str().unwrap()];
    let (_, value, page) = explained(&folder, &arguments);
    assert_eq!(value["verdict"], "safe");
    let proof = &value["questions"][0]["proof"];
    let needs = list(&proof["needs"]["list"]);
    assert_eq!(needs.len(), 4, "{proof}");
    let by_line = |line: u64| needs.iter().find(|n| n["line"] == line).unwrap();
    let names = |line: u64| -> Vec<&str> {
        let places = list(&by_line(line)["conjuncts"]).iter();
        let part = |c: &Value| c["part"].as_u64().and_then(|p| usize::try_from(p).ok());
        let parts = list(&proof["parts"]);
        let name = |c| part(c).and_then(|p| parts[p]["name"].as_str()).unwrap();
        places.map(name).collect()
    };
    assert!(needs.iter().all(|need| need["known"] == true), "{proof}");
    assert!(names(3).is_empty(), "{proof}");
    assert_eq!(
        (names(4), names(5), names(6)),
        (vec!["p"], vec!["p"], vec!["q"]),
        "{proof}"
    );
    assert!(page.contains("needed by lines 4, 5") && page.contains("needed by line 6"));
    assert!(page.contains("from unsat cores of z3"));
}

#[test]
fn a_prophecy_variable_comes_with_the_path_it_excludes() {
    let folder = folder("report-path");
    let file = "corpus/vmt/safe/paper_cgp_fig1_running.vmt";
    let arguments = ["-j", "1", "-e", "prophecy", "-t", "120s", file];
    let (outcome, value, page) = explained(&folder, &arguments);
    assert_eq!(value["verdict"], "safe", "{}", outcome.stderr);
    let proof = &value["questions"][0]["proof"];
    let kinds: Vec<&str> = list(&proof["auxiliaries"])
        .iter()
        .filter_map(|a| a["kind"].as_str())
        .collect();
    assert!(kinds.contains(&"prophecy"), "{proof}");
    let told = list(&proof["story"]).iter().filter_map(Value::as_str);
    let with_path: Vec<&str> = told.filter(|words| words.lines().count() > 1).collect();
    let told = with_path.iter().any(|words| words.contains("foretells"));
    assert!(told, "{proof}");
    let n_steps: usize = with_path
        .iter()
        .map(|words| words.lines().count() - 1)
        .sum();
    let shown = page.split("<ul class=\"path\">").skip(1).map(|rest| {
        let (path, _) = rest.split_once("</ul>").unwrap();
        path.matches("<li>").count()
    });
    assert_eq!(shown.sum::<usize>(), n_steps);
    assert!(page.contains("The path that this excludes"));
}
