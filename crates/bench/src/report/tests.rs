//! Tests of the report: dates, fields, links, and that no result can break out of the page.

use super::*;
use crate::row::{Key, ROW_VERSION};

fn row(tool: &str, file: &str, verdict: VerdictKind) -> Row {
    Row {
        v: ROW_VERSION,
        key: Key {
            tool: tool.into(),
            command: format!("{tool} {{file}}"),
            program: "p".into(),
            file: file.into(),
            sha256: "0".into(),
            timeout_ms: 20_000,
            memory_limit: None,
        },
        set: "a,b".into(),
        expected: Some(VerdictKind::Safe),
        verdict,
        reason: None,
        certificate: Certificate::None,
        exit: Some(0),
        wall: 1.5,
        cpu: 1.25,
        peak: 1 << 20,
        log: Some("logs/x#y.txt".into()),
        page: None,
        time: 1_794_738_000,
        machine: "m".into(),
        jobs: 2,
    }
}

#[test]
fn dates_are_right() {
    assert_eq!(date(0), "1970-01-01 00:00");
    assert_eq!(date(951_827_640), "2000-02-29 12:34");
    assert_eq!(date(1_794_738_000), "2026-11-15 10:20");
    assert_eq!(date(4_107_542_399), "2100-02-28 23:59");
}

#[test]
fn the_page_holds_the_results_and_cannot_be_left() {
    let evil = "</script><script>alert(1)</script><!--";
    let rows = vec![
        row("z3", evil, VerdictKind::Unsafe),
        row("ours", evil, VerdictKind::Safe),
    ];
    let table = Table::new(rows);
    let html = page(&table, "meta");
    assert!(!html.contains(evil) && html.contains("\\u003c/script>"));
    assert!(!html.contains("/*DATA*/") && !html.contains("/*PAGE_JS*/") && html.contains("uPlot"));
    assert!(!html.contains("http-equiv") && !html.contains("src=\"http"));
    assert!(summary(&table).starts_with("CONTRADICTION"));
    let data = page_data(&table, "meta");
    assert_eq!(data["tools"][0]["name"], "ours");
    assert_eq!(data["files"][0][3][1][0], 1);
}

#[test]
fn fields_are_quoted() {
    let csv = comma_separated(&Table::new(vec![row("t", "x\"y", VerdictKind::Safe)]));
    let line = csv.lines().nth(1).unwrap();
    assert!(
        line.starts_with("t,\"x\"\"y\",\"a,b\",safe,safe,,none,0,1.5,1.25,1048576,20,0,p,"),
        "{line}"
    );
}

#[test]
fn links_lead_from_the_page_to_the_logs() {
    let root = std::env::temp_dir().join(format!("foretell-report-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    for name in ["a b", "c"] {
        let mut journal =
            journal::Journal::open(&root.join(name), "results.jsonl", journal::Guard::Lock)
                .unwrap();
        journal
            .append(&row(name, "f.smt2", VerdictKind::Safe))
            .unwrap();
    }
    let made = report(&[root.join("a b"), root.join("c")], None).unwrap();
    assert_eq!(made.html, root.join("a b/report.html"));
    assert_eq!(made.summary.lines().count(), 2);
    let html = fs::read_to_string(&made.html).unwrap();
    assert!(html.contains("\"logs/x%23y.txt\"") && html.contains("\"../c/logs/x%23y.txt\""));
    let elsewhere = report(&[root.join("a b")], Some(&root.join("out/page.html"))).unwrap();
    assert!(
        fs::read_to_string(elsewhere.html)
            .unwrap()
            .contains("\"../a%20b/logs/x%23y.txt\"")
    );
    assert!(root.join("out/page.csv").is_file());
    fs::remove_dir_all(root).unwrap();
}
