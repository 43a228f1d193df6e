//! The command line as users and scripts see it: words, streams, files, exit codes.

use std::io::Write;
use std::process::Stdio;

use super::{command, folder, foretell};

const SAFE: &str = "corpus/chc/safe/lia_counter_up.smt2";
const UNSAFE: &str = "corpus/chc/unsafe/lia_counter_reaches.smt2";

/// No line of standard error may look like an answer.
fn assert_no_answer(stderr: &str) {
    let answers = ["sat", "unsat", "unknown", "safe", "unsafe", "true", "false"];
    assert!(
        !stderr.lines().any(|line| answers.contains(&line.trim())),
        "{stderr}"
    );
}

#[test]
fn words_follow_the_format() {
    for (arguments, line, code) in [
        (vec![SAFE], "sat", 0),
        (vec![UNSAFE], "unsat", 10),
        (vec!["corpus/chc/safe/rules_basic.smt2"], "unsat", 0),
        (vec!["corpus/chc/unsafe/rules_after_logic.smt2"], "sat", 10),
        (vec!["examples/counter.vmt"], "safe", 0),
        (
            vec!["check", "corpus/vmt/unsafe/counter_hits.vmt"],
            "unsafe",
            10,
        ),
    ] {
        let outcome = foretell(&[&arguments[..], &["--timeout", "120s", "--stats", "-v"]].concat());
        assert_eq!(
            (outcome.first(), outcome.code),
            (line, Some(code)),
            "{arguments:?}: {}",
            outcome.stderr
        );
        assert_eq!(outcome.stdout.lines().count(), 1);
        assert_no_answer(&outcome.stderr);
    }
}

#[test]
fn each_property_has_its_line() {
    let outcome = foretell(&[
        "--property",
        "all",
        "--timeout",
        "120s",
        "examples/two_properties.vmt",
    ]);
    let mut lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.pop(), Some("unsafe"));
    lines.sort_unstable();
    let expected = [
        "property 0 (.never_both): safe",
        "property 1 (.not_too_long): unsafe",
    ];
    assert_eq!(lines, expected);
    assert_eq!(outcome.code, Some(10));
    let outcome = foretell(&["--property", "7", "examples/two_properties.vmt"]);
    assert_eq!((outcome.stdout.as_str(), outcome.code), ("", Some(2)));
    assert!(
        outcome.stderr.contains(
            "there is no property 7; the file has 0 (`.never_both`), 1 (`.not_too_long`)"
        ),
        "{}",
        outcome.stderr
    );
}

#[test]
fn wrong_usage_is_told() {
    for (arguments, words) in [
        (vec!["no/such/file.smt2"], "cannot read no/such/file.smt2"),
        (vec!["corpus"], "it is a folder"),
        (vec![], "no file"),
        (
            vec!["--engine", "oracle", SAFE],
            "there is no engine `oracle`",
        ),
        (
            vec!["--set", "bmc.magic=1", SAFE],
            "there is no option `bmc.magic`",
        ),
        (
            vec!["--set", "bmc.max_bound=many", SAFE],
            "`many` is not a value",
        ),
        (
            vec!["--set", "passes.inline=foo", SAFE],
            "`foo` is not a value of `passes.inline` (true or false)",
        ),
        (
            vec!["-e", "bmc", "--set", "sharing.max_facts=-1", SAFE],
            "`-1` is not a value of `sharing.max_facts`",
        ),
        (
            vec!["interpolate", "--set", "interpolate.cuts=x", SAFE],
            "`x` is not a value of `interpolate.cuts`",
        ),
        (vec!["--timeout", "soon", SAFE], "soon"),
        (vec!["--memory", "lots", SAFE], "lots"),
        (vec!["--memory", "0", SAFE], "0 leaves nothing"),
        (vec!["--timeout", "0", SAFE], "0 leaves nothing"),
        (vec!["-j", "0", SAFE], "at least 1"),
        (
            vec!["--chc-comp", "--format", "text", SAFE],
            "cannot be used with",
        ),
        (
            vec!["valdate", SAFE, SAFE],
            "`valdate` is neither a command nor a file",
        ),
        (vec![SAFE, UNSAFE], "one FILE is expected"),
    ] {
        let outcome = foretell(&arguments);
        assert_eq!(
            (outcome.stdout.as_str(), outcome.code),
            ("", Some(2)),
            "{arguments:?}"
        );
        assert!(
            outcome.stderr.contains(words),
            "{arguments:?}: {}",
            outcome.stderr
        );
    }
}

/// Whose fault a refusal is does not depend on the command, nor on how many warnings come first.
#[test]
fn commands_agree_on_whose_fault_it_is() {
    let folder = folder("faults");
    let file = folder.join("late.smt2");
    let path = file.to_str().unwrap();
    for warnings in [1, 150] {
        let text = format!(
            "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(check-sat)\n{}(assert (p 1))\n",
            "(check-sat)\n".repeat(warnings)
        );
        std::fs::write(&file, text).unwrap();
        let (check, info) = (foretell(&[path]), foretell(&["info", path]));
        assert_eq!((check.code, info.code), (Some(4), Some(4)), "{warnings}");
        assert!(
            check.stderr.contains("an assertion after check-sat"),
            "{}",
            check.stderr
        );
        assert_eq!(check.stderr, info.stderr);
    }
    // A counterexample for a text that is refused is refused in the same way.
    let witness = folder.join("witness");
    std::fs::write(&witness, "(counterexample (format foretell-1) (kind chc))").unwrap();
    let validate = foretell(&["validate", path, witness.to_str().unwrap()]);
    assert_eq!(validate.code, Some(4), "{}", validate.stderr);
    // The first error decides, here as there.
    std::fs::write(
        &file,
        "(declare-const s String)\n(assert (= x 1))\n(assert\n",
    )
    .unwrap();
    for command in ["check", "info", "interpolate"] {
        let outcome = foretell(&[command, path]);
        assert_eq!(outcome.code, Some(4), "{command}: {}", outcome.stderr);
    }
}

#[test]
fn a_counterexample_is_a_table() {
    let outcome = foretell(&["--cex", "examples/bug.smt2"]);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[0], "unsat");
    assert!(lines[1].starts_with("step  fact"), "{}", outcome.stdout);
    assert!(lines.last().unwrap().contains("false"));
    assert!(outcome.stdout.contains("copy(["), "{}", outcome.stdout);
}

#[test]
fn json_is_one_value() {
    for (file, verdict, answer) in [(SAFE, "safe", "sat"), (UNSAFE, "unsafe", "unsat")] {
        let outcome = foretell(&["--format", "json", file]);
        let value: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(value["schema"], "foretell-1");
        assert_eq!(value["verdict"], verdict);
        assert_eq!(value["answer"], answer);
        assert_eq!(value["input"]["format"], "horn");
        assert_eq!(
            value["properties"][0]["checks"].as_array().map(Vec::len),
            Some(1)
        );
        assert!(value["properties"][0]["certificate"].is_string());
    }
}

#[test]
fn competition_mode_prints_the_answer_and_the_model_only() {
    let outcome = foretell(&["--chc-comp", SAFE]);
    assert!(
        outcome.stdout.starts_with("sat\n(\n(define-fun "),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.ends_with("\n)\n"));
    assert_eq!(outcome.stderr, "");
    assert_eq!(foretell(&["--chc-comp", UNSAFE]).stdout, "unsat\n");
}

#[test]
fn a_file_that_cannot_be_written_is_found_out_before_the_run() {
    let folder = folder("unwritable");
    let nowhere = folder.join("no/such/folder");
    let own = folder.to_string_lossy();
    for place in [&nowhere.to_string_lossy(), "/proc/certificate", &own] {
        for option in ["--certificate", "--model", "--cex", "--record"] {
            let outcome = foretell(&[&format!("{option}={place}"), SAFE]);
            assert_eq!(
                (outcome.stdout.as_str(), outcome.code),
                ("", Some(2)),
                "{option} {}",
                outcome.stderr
            );
            let told = outcome.stderr.contains("error: cannot write");
            assert!(told, "{}", outcome.stderr);
        }
    }
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_answer_stands_whatever_becomes_of_a_side_file() {
    // A disk without room; it is known only when it is written to.
    for format in ["text", "json"] {
        let outcome = foretell(&["--certificate=/dev/full", "--format", format, SAFE]);
        assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
        let answer = match format {
            "json" => "\"safe\"",
            _ => "sat\n",
        };
        assert!(outcome.stdout.contains(answer), "{}", outcome.stdout);
        let told = outcome.stderr.contains("error: cannot write /dev/full");
        assert!(told, "{}", outcome.stderr);
    }
}

#[test]
fn output_that_cannot_be_written_is_a_failure_and_no_panic() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut child = command(&[SAFE])
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command(&["--model", SAFE])
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
}

#[test]
fn standard_input_is_a_file() {
    let text = std::fs::read(foretell_testkit::corpus::root().join(UNSAFE)).unwrap();
    let mut child = command(&["-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"unsat\n");
}

#[test]
fn injected_faults_never_become_an_answer_that_is_wrong() {
    for seed in 0..6 {
        let faults = format!("unknown=3,error=7,seed={seed}");
        for (file, allowed) in [(SAFE, [0, 20]), (UNSAFE, [10, 20])] {
            let outcome = foretell(&["--inject-faults", &faults, "--timeout", "10s", file]);
            let code = outcome.code.unwrap();
            assert!(
                allowed.contains(&code),
                "{file}, seed {seed}: {code} {}",
                outcome.stderr
            );
        }
    }
}

#[test]
fn small_commands_answer() {
    let version = foretell(&["--version"]);
    assert!(
        version.stdout.starts_with("foretell 0."),
        "{}",
        version.stdout
    );
    let options = foretell(&["options"]);
    assert!(
        options.stdout.contains("bmc.max_bound"),
        "{}",
        options.stdout
    );
    let info = foretell(&["info", SAFE]);
    assert!(info.stdout.contains("format: horn\n"), "{}", info.stdout);
    let info = foretell(&["info", "--format", "json", "examples/counter.vmt"]);
    let value: serde_json::Value = serde_json::from_str(&info.stdout).unwrap();
    assert_eq!(value["format"], "vmt");
}

#[test]
fn interpolants_come_after_each_group_but_the_last() {
    let outcome = foretell(&["interpolate", "examples/interpolate.smt2"]);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(
        (lines[0], lines.len(), outcome.code),
        ("unsat", 3, Some(0)),
        "{}",
        outcome.stderr
    );
    assert!(
        lines[1].starts_with("(interpolant g1 ") && !lines[1].contains(" u"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].starts_with("(interpolant g2 ") && !lines[2].contains(" y"),
        "{}",
        lines[2]
    );
}

#[test]
fn a_user_may_add_a_portfolio() {
    let file = folder("portfolio").join("own.toml");
    let text = "[[configuration]]\nname = \"shallow\"\nengine = \"bmc\"\nsettings = [\"bmc.max_bound=2\"]\n";
    std::fs::write(&file, text).unwrap();
    let path = file.to_str().unwrap();
    let outcome = foretell(&["--portfolio", path, "--engine", "shallow", SAFE]);
    assert_eq!(
        (outcome.first(), outcome.code),
        ("unknown (bound 2 reached)", Some(20))
    );
    std::fs::write(&file, "[[configuration]]\nname = \"x\"\nengine = \"y\"\n").unwrap();
    assert_eq!(foretell(&["--portfolio", path, SAFE]).code, Some(2));
}

/// What was added to the program and why, on the error stream and in sentences.
#[test]
fn explanations_name_the_auxiliary_variables() {
    let explain = |file: &str, further: &[&str]| {
        let common = ["--engine", "prophecy", "--timeout", "120s", "--explain"];
        let outcome = foretell(&[&[file], &common[..], further].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        assert_eq!(outcome.stdout.lines().count(), 1);
        assert_no_answer(&outcome.stderr);
        outcome.stderr
    };
    let running = explain("corpus/vmt/safe/paper_cgp_fig1_running.vmt", &[]);
    assert!(
        running.contains("foretells the value of `ir` in the last step"),
        "{running}"
    );
    let scatter = explain("corpus/vmt/safe/paper_hps_fig1_scatter.vmt", &[]);
    let captured = "foretells the value `x` had in the last step in which `(= i Z)` held";
    assert!(scatter.contains(captured), "{scatter}");
    let bound = explain("corpus/vmt/safe/array_large_bound.vmt", &[]);
    assert!(
        bound.contains("the number 99999 is treated as an unknown number"),
        "{bound}"
    );
    let fill = explain(
        "corpus/chc/safe/array_init.smt2",
        &["--set", "running.enabled=true"],
    );
    assert!(fill.contains("along the loop it is shown that"), "{fill}");
    // The passes for sums and equations leave clauses that it proves without.
    let settings = ["sharing.observe=false", "passes.prefix_sums=false"];
    let plain = explain(
        "corpus/chc/safe/array_init.smt2",
        &["--set", settings[0], "--set", settings[1]],
    );
    assert!(
        plain.contains("with auxiliary variables: prophecy "),
        "{plain}"
    );
}

#[test]
fn completions_know_engines_and_settings() {
    for shell in ["bash", "zsh", "fish"] {
        let text = foretell(&["completions", shell]).stdout;
        for name in [
            "lazy_annotation",
            "auto",
            "certify.seconds",
            "spacer-quantified",
        ] {
            assert!(text.contains(name), "{shell}: {name}");
        }
    }
}
