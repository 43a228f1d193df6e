//! Tests of comparisons on made-up rows.

use super::*;
use crate::row::{Key, ROW_VERSION};
use crate::tool::Certificate;

fn row(tool: &str, file: &str, verdict: VerdictKind, cpu: f64) -> Row {
    Row {
        v: ROW_VERSION,
        key: Key {
            tool: tool.into(),
            command: String::new(),
            program: String::new(),
            file: file.into(),
            sha256: file.into(),
            timeout_ms: 1000,
            memory_limit: None,
        },
        set: "s".into(),
        expected: Some(VerdictKind::Safe),
        verdict,
        reason: (verdict == VerdictKind::Unknown).then(|| "timeout".into()),
        certificate: Certificate::None,
        exit: Some(0),
        wall: cpu,
        cpu,
        peak: 0,
        log: None,
        page: None,
        time: 0,
        machine: String::new(),
        jobs: 1,
    }
}

fn names(changes: &[Change]) -> Vec<&str> {
    changes.iter().map(|c| c.file.as_str()).collect()
}

#[test]
fn changes_are_sorted_into_kinds() {
    use VerdictKind::{Safe, Unknown, Unsafe};
    let mut before = vec![
        row("t", "gained", Unknown, 9.0),
        row("t", "lost", Safe, 1.0),
    ];
    let mut after = vec![
        row("t", "gained", Safe, 1.0),
        row("t", "lost", Unknown, 9.0),
    ];
    before.extend([
        row("t", "wrong", Safe, 1.0),
        row("t", "fast", Safe, 4.0),
        row("t", "slow", Safe, 1.0),
    ]);
    after.extend([
        row("t", "wrong", Unsafe, 1.0),
        row("t", "fast", Safe, 1.0),
        row("t", "slow", Safe, 4.0),
    ]);
    // Tiny times may differ by any factor; long ones jitter by one percent.
    before.push(row("t", "tiny", Safe, 0.01));
    after.push(row("t", "tiny", Safe, 0.06));
    for n in 0..20 {
        before.push(row("t", &format!("same{n}"), Safe, 2.0));
        after.push(row(
            "t",
            &format!("same{n}"),
            Safe,
            2.0 + 0.02 * f64::from(n % 3 - 1),
        ));
    }
    let mut changed = row("t", "edited", Unknown, 1.0);
    changed.key.sha256 = "other".into();
    before.extend([row("t", "edited", Safe, 1.0), row("t", "alone", Safe, 1.0)]);
    after.push(changed);
    let comparison = compare(before, after, &[]).unwrap();
    let c = &comparison.tools[0];
    assert_eq!(
        (names(&c.gained), names(&c.faster)),
        (vec!["gained"], vec!["fast"])
    );
    assert_eq!(
        (names(&c.lost), names(&c.slower)),
        (vec!["lost", "wrong"], vec!["slow"])
    );
    assert_eq!(
        (names(&c.wrong), c.changed_inputs.clone()),
        (vec!["wrong"], vec!["edited".to_owned()])
    );
    assert_eq!((c.common, c.apart, c.solved), (26, 1, (25, 24)));
    assert!(c.noise.factor > 1.0 && c.noise.factor < 1.03 && c.noise.files == 22);
    let text = comparison.to_text();
    assert!(
        text.contains("solved 25 -> 24 (gained 1, lost 2)") && text.contains("noise"),
        "{text}"
    );
}

#[test]
fn noisy_runs_raise_the_threshold() {
    let factors = [0.5, 0.7, 1.0, 1.4, 2.0, 0.6, 1.7, 1.1, 0.9, 1.3];
    let rows = |scale: bool| -> Vec<Row> {
        let time = |n: usize| if scale { 2.0 * factors[n] } else { 2.0 };
        (0..10)
            .map(|n| row("t", &format!("f{n}"), VerdictKind::Safe, time(n)))
            .collect()
    };
    let comparison = compare(rows(false), rows(true), &[]).unwrap();
    let c = &comparison.tools[0];
    assert!(c.noise.threshold > 2.0, "{:?}", c.noise);
    assert!(c.faster.is_empty() && c.slower.is_empty());
}

#[test]
fn tools_are_paired_by_name_or_as_told() {
    let one = |tool: &str| vec![row(tool, "f", VerdictKind::Safe, 1.0)];
    assert_eq!(
        compare(one("a"), one("b"), &[]).unwrap().tools[0].after,
        "b"
    );
    let two = [one("a"), one("b")].concat();
    assert_eq!(
        compare(two.clone(), two.clone(), &[]).unwrap().tools.len(),
        2
    );
    let pair = ("a".to_owned(), "b".to_owned());
    assert_eq!(
        compare(two.clone(), two.clone(), &[pair])
            .unwrap()
            .tools
            .len(),
        1
    );
    assert!(compare(two, one("z"), &[]).is_err());
    assert!(compare(one("a"), one("a"), &[("x".into(), "a".into())]).is_err());
}

#[test]
fn the_same_content_under_another_path_is_the_same_file() {
    let mut moved = row("t", "b/f", VerdictKind::Unknown, 1.0);
    moved.key.sha256 = "a/f".into();
    let comparison = compare(
        vec![row("t", "a/f", VerdictKind::Safe, 1.0)],
        vec![moved],
        &[],
    )
    .unwrap();
    let c = &comparison.tools[0];
    assert_eq!((c.common, c.apart, c.lost.len()), (1, 0, 1));
}
