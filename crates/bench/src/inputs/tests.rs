//! Tests of input collection on small trees of files.

use super::*;

/// A fresh folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = std::env::temp_dir().join(format!("foretell-inputs-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn summary(inputs: &[PathBuf]) -> Vec<(String, String, Option<VerdictKind>)> {
    collect(inputs)
        .unwrap()
        .into_iter()
        .map(|t| (t.name, t.set, t.expected))
        .collect()
}

fn row(
    name: &str,
    set: &str,
    expected: Option<VerdictKind>,
) -> (String, String, Option<VerdictKind>) {
    (name.to_owned(), set.to_owned(), expected)
}

const HORN: &str = "(set-logic HORN)(assert true)";
const RULES: &str = "(declare-rel p ())(query p)";

#[test]
fn a_folder_is_searched_and_folders_tell_the_verdict() {
    let root = folder(
        "tree",
        &[
            ("lia/safe/a.smt2", HORN),
            ("lia/sat/h.smt2", HORN),
            ("lia/sat/r.smt2", RULES),
            ("both-safe-unsafe/b.vmt", ""),
            ("other/unsafe-loops/c.c", ""),
            ("other/note.txt", ""),
            ("other/d.smt2", HORN),
            (
                "other/d.yml",
                "input_files: d.smt2\nproperties:\n- property_file: check-sat.prp\n  expected_verdict: false",
            ),
            ("other/ci.yml", "jobs:\n  - x: y"),
        ],
    );
    let base = root.file_name().unwrap().to_string_lossy().into_owned();
    let name = |n: &str| format!("{base}/{n}");
    assert_eq!(
        summary(std::slice::from_ref(&root)),
        [
            row(&name("both-safe-unsafe/b.vmt"), "both-safe-unsafe", None),
            row(&name("lia/safe/a.smt2"), "lia", Some(VerdictKind::Safe)),
            row(&name("lia/sat/h.smt2"), "lia", Some(VerdictKind::Safe)),
            row(&name("lia/sat/r.smt2"), "lia", Some(VerdictKind::Unsafe)),
            row(&name("other/d.smt2"), "other", Some(VerdictKind::Unsafe)),
            row(
                &name("other/unsafe-loops/c.c"),
                "other",
                Some(VerdictKind::Unsafe)
            ),
        ]
    );
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn lists_sets_and_manifests_are_read() {
    let root = folder(
        "lists",
        &[
            ("x/a.smt2", HORN),
            (
                "x/a.yml",
                "input_files: 'a.smt2'\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: true\n",
            ),
            ("x/b.smt2", HORN),
            ("LIA.set", "# tasks\nx/*.yml\nx/b*.smt2\n"),
            ("some.list", "x/b.smt2\nx/gone.smt2\n"),
            (
                "m.tsv",
                "file\texpected\tset\tseconds\nx/a.smt2\tunsafe\tmy set\t1\nx/b.smt2\t\t\t\n",
            ),
        ],
    );
    assert_eq!(
        summary(&[root.join("LIA.set")]),
        [
            row("x/a.smt2", "LIA", Some(VerdictKind::Safe)),
            row("x/b.smt2", "LIA", None)
        ]
    );
    assert_eq!(
        summary(&[root.join("some.list")]),
        [
            row("x/b.smt2", "some", None),
            row("x/gone.smt2", "some", None)
        ]
    );
    assert_eq!(
        summary(&[root.join("m.tsv"), root.join("x/a.yml")]),
        [
            row("x/a.smt2", "my set", Some(VerdictKind::Unsafe)),
            row("x/b.smt2", "x", None)
        ]
    );
    assert!(matches!(
        collect(&[root.join("nothing")]),
        Err(BenchError::Input { .. })
    ));
    fs::write(root.join("bad.tsv"), "a\tb\n").unwrap();
    assert!(matches!(
        collect(&[root.join("bad.tsv")]),
        Err(BenchError::Malformed { .. })
    ));
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn files_of_the_same_name_stay_apart() {
    let root = folder("same", &[("p/s/a.smt2", HORN), ("q/s/a.smt2", HORN)]);
    let names: Vec<String> = summary(&[root.join("p/s"), root.join("q/s")])
        .into_iter()
        .map(|t| t.0)
        .collect();
    assert_eq!(names.len(), 2);
    assert!(names[0].ends_with("p/s/a.smt2") && names[1].ends_with("q/s/a.smt2"));
    fs::remove_dir_all(root).unwrap();
}
