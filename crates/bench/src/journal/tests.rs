//! Tests of the journal: torn rows, doubled keys, locks, merging.

use foretell_kernel::VerdictKind;

use super::*;
use crate::tool::Certificate;

fn fresh(name: &str) -> PathBuf {
    let root = std::env::temp_dir().join(format!("foretell-journal-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    root
}

fn row(file: &str) -> Row {
    Row {
        v: ROW_VERSION,
        key: Key {
            tool: "t".into(),
            command: "t {file}".into(),
            program: "p".into(),
            file: file.into(),
            sha256: "00".into(),
            timeout_ms: 1000,
            memory_limit: None,
        },
        set: "s".into(),
        expected: Some(VerdictKind::Safe),
        verdict: VerdictKind::Unsafe,
        reason: None,
        certificate: Certificate::Checked,
        exit: Some(-9),
        wall: 0.25,
        cpu: 0.5,
        peak: 1 << 20,
        log: Some("logs/t/x.txt".into()),
        page: None,
        time: 1,
        machine: "m".into(),
        jobs: 1,
    }
}

#[test]
fn rows_come_back_and_keys_are_unique() {
    let root = fresh("back");
    let mut journal = Journal::open(&root, "results.jsonl", Guard::Lock).unwrap();
    journal.append(&row("a")).unwrap();
    journal.append(&row("b")).unwrap();
    journal.append(&row("a")).unwrap();
    assert!(matches!(
        Journal::open(&root, "results.jsonl", Guard::Lock),
        Err(BenchError::Busy(_))
    ));
    drop(journal);
    assert_eq!(load(&root).unwrap().rows, [row("a"), row("b")]);
    assert!(
        Journal::open(&root, "results.jsonl", Guard::Lock)
            .unwrap()
            .contains(&row("b").key)
    );
    // Another shard of the same folder knows what this one did.
    assert!(
        Journal::open(&root, "results.2-of-2.jsonl", Guard::Lock)
            .unwrap()
            .contains(&row("a").key)
    );
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn a_row_torn_at_any_byte_is_cut_off() {
    let root = fresh("torn");
    let mut journal = Journal::open(&root, "results.jsonl", Guard::Lock).unwrap();
    journal.append(&row("a")).unwrap();
    journal.append(&row("b")).unwrap();
    drop(journal);
    let path = root.join("results.jsonl");
    let whole = fs::read(&path).unwrap();
    let first = whole.iter().position(|&b| b == b'\n').unwrap() + 1;
    for length in (0..whole.len())
        .step_by(41)
        .chain([first - 1, first, first + 1, whole.len() - 1])
    {
        fs::write(&path, &whole[..length]).unwrap();
        let mut journal = Journal::open(&root, "results.jsonl", Guard::Lock).unwrap();
        assert_eq!(journal.contains(&row("a").key), length >= first);
        assert!(!journal.contains(&row("b").key));
        journal.append(&row("a")).unwrap();
        journal.append(&row("b")).unwrap();
        drop(journal);
        assert_eq!(fs::read(&path).unwrap(), whole, "torn after {length} bytes");
    }
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn garbage_lines_are_named_not_believed() {
    let root = fresh("garbage");
    fs::create_dir_all(&root).unwrap();
    let good = serde_json::to_string(&row("a")).unwrap();
    let newer = good.replace("\"v\":1", "\"v\":99");
    fs::write(
        root.join("results.jsonl"),
        format!("{{}}\n\n{good}\nsat\n{newer}\n"),
    )
    .unwrap();
    let loaded = load(&root).unwrap();
    assert_eq!((loaded.rows.len(), loaded.skipped.len()), (1, 3));
    assert!(loaded.skipped[0].ends_with("results.jsonl:1"));
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn merging_takes_each_key_once_and_its_log() {
    let (a, b, c) = (fresh("m1"), fresh("m2"), fresh("m3"));
    for (folder, files) in [(&a, ["x", "y"]), (&b, ["y", "z"])] {
        let mut journal = Journal::open(folder, "results.jsonl", Guard::Lock).unwrap();
        files.iter().for_each(|f| journal.append(&row(f)).unwrap());
        fs::create_dir_all(folder.join("logs/t")).unwrap();
        fs::write(folder.join("logs/t/x.txt"), "log").unwrap();
    }
    let merged = merge(&[a.clone(), b.join("results.jsonl")], &c).unwrap();
    assert_eq!((merged.rows, merged.doubled), (3, 1));
    assert_eq!(load(&c).unwrap().rows.len(), 3);
    assert_eq!(fs::read_to_string(c.join("logs/t/x.txt")).unwrap(), "log");
    [a, b, c]
        .iter()
        .for_each(|f| fs::remove_dir_all(f).unwrap());
}
