//! Tests of emitted scripts and definitions.

use super::*;
use crate::tool::Tool;

fn suite(name: &str) -> (PathBuf, BenchOptions) {
    let root = std::env::temp_dir().join(format!("foretell-emit-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    for n in 0..5 {
        let folder = if n % 2 == 0 {
            "my set/safe"
        } else {
            "other/unsafe"
        };
        write_file(
            &root.join(format!("in/{folder}/it's {n}.smt2")),
            "(assert true)",
        )
        .unwrap();
    }
    let mut options = BenchOptions::new(vec![root.join("in")], root.join("o ut"));
    options.tools = vec![Tool::own(
        "foretell",
        Path::new("foretell"),
        &["--engine".into(), "bmc".into()],
    )];
    options.memory = Some(4 << 30);
    (root, options)
}

/// An executable file.
fn program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    write_file(path, &format!("#!/bin/bash\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A plan whose tool and whose Slurm are scripts that write down how they were called.
fn plan(root: &Path, tool: &str) -> Plan {
    let bin = root.join("b in");
    let note = |name: &str| format!("printf '%s|' {name} \"$@\" >>\"$NOTES\"; echo >>\"$NOTES\"\n");
    program(&bin.join("tool"), &(note("tool") + tool));
    program(&bin.join("scontrol"), &note("scontrol"));
    program(&bin.join("sbatch"), &(note("sbatch") + "echo '17;here'"));
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let notes = root.join("notes").to_string_lossy().into_owned();
    Plan {
        command: ["tool", "bench", "a b", "--out", "x'y"]
            .map(str::to_owned)
            .into(),
        environment: vec![("PATH".into(), path), ("NOTES".into(), notes)],
        folder: root.to_owned(),
        shards: 3,
        at_once: Some(2),
    }
}

/// Runs a script in an empty environment but for these variables; its exit code and what it called.
fn calls(
    root: &Path,
    script: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (i32, String) {
    let notes = root.join("notes");
    let _ = fs::remove_file(&notes);
    let run = std::process::Command::new("/bin/bash")
        .arg(root.join("o ut").join(script))
        .args(arguments)
        .env_clear()
        .envs(variables.iter().copied())
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", root.join("b in").display()),
        )
        .env("NOTES", &notes)
        .output()
        .unwrap();
    let said = fs::read_to_string(&notes).unwrap_or_default();
    (run.status.code().unwrap_or(-1), said)
}

#[test]
fn a_lost_part_is_queued_again_and_a_finished_one_is_not() {
    let (root, options) = suite("part");
    let plan = plan(&root, "exit $CODE");
    slurm(&options, &plan).unwrap();
    let text = fs::read_to_string(root.join("o ut/slurm/part.sh")).unwrap();
    assert!(text.contains("#SBATCH --array=1-3%2\n") && text.contains("#SBATCH --mem=5120M\n"));
    assert!(
        text.contains(&format!("#SBATCH --chdir=\"{}\"\n", root.display()))
            || !root.to_string_lossy().contains(' ')
    );
    let run = |code: &str, count: &str| {
        let variables = [
            ("SLURM_ARRAY_TASK_ID", "2"),
            ("SLURM_JOB_ID", "9"),
            ("SLURM_RESTART_COUNT", count),
            ("CODE", code),
        ];
        calls(&root, "slurm/part.sh", &[], &variables)
    };
    let call = "tool|bench|a b|--out|x'y|--shard|2/3|--attempt|9-0|\n";
    for code in [0, 2, 10] {
        assert_eq!(run(&code.to_string(), "0"), (code, call.to_owned()));
    }
    let again = format!("{call}scontrol|requeue|9|\n");
    for code in [1, 20, 137] {
        assert_eq!(run(&code.to_string(), "0"), (code, again.clone()));
    }
    // Five times, then no more.
    assert_eq!(run("1", "5"), (1, call.replace("9-0", "9-5")));
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn a_part_that_is_told_to_end_tells_its_batch() {
    let (root, options) = suite("term");
    let plan = plan(
        &root,
        "trap 'exit 20' TERM; kill -TERM $PPID; while :; do sleep 0.01; done",
    );
    slurm(&options, &plan).unwrap();
    let variables = [("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_JOB_ID", "9")];
    let (code, said) = calls(&root, "slurm/part.sh", &[], &variables);
    // 143 when the batch was gone before the script looked again; both are tried again.
    assert!([20, 143].contains(&code), "{code}");
    assert!(said.ends_with("scontrol|requeue|9|\n"), "{said}");
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn the_closing_job_submits_what_is_missing_three_times() {
    let (root, options) = suite("close");
    let plan = plan(&root, "echo \"$SAY\"; exit $CODE");
    slurm(&options, &plan).unwrap();
    let home = root.join("o ut/slurm");
    let (part, close) = (home.join("part.sh"), home.join("close.sh"));
    let look = "tool|bench|a b|--out|x'y|--shards|3|--missing|\n";
    let some = [("SAY", "1,3"), ("CODE", "20")];
    let (code, said) = calls(&root, "slurm/close.sh", &["2"], &some);
    let expected = format!(
        "{look}sbatch|--parsable|--array=1,3%2|{}|\nsbatch|--parsable|--dependency=afterany:17|{}|3|\n",
        part.display(),
        close.display()
    );
    assert_eq!((code, said), (0, expected));
    let (code, said) = calls(&root, "slurm/close.sh", &["4"], &some);
    assert_eq!((code, said.matches("sbatch").count()), (20, 0), "{said}");
    assert!(said.contains("tool|report|"), "{said}");
    for end in ["0", "10", "1"] {
        let (code, said) = calls(&root, "slurm/close.sh", &[], &[("CODE", end)]);
        assert_eq!((code.to_string().as_str(), said.as_str()), (end, look));
    }
    let (code, said) = calls(&root, "slurm/submit.sh", &[], &[]);
    assert_eq!((code, said.lines().count()), (0, 2), "{said}");
    assert!(said.contains(&format!("--dependency=afterany:17|{}|", close.display())));
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn gnu_parallel_runs_what_is_missing_until_nothing_is() {
    let (root, options) = suite("parallel");
    // The tool says which parts are missing until both were run; a part that runs notes it.
    let tool = "case \"$*\" in *--missing*) l=; for k in 1 3; do [ -e \"$NOTES.$k\" ] || l=$l,$k; done\n\
         [ -z \"$l\" ] && { echo all; exit 0; }; echo \"${l#,}\"; exit 20;; esac\n\
         [[ \"$*\" =~ --shard\\ ([0-9]+)/3\\ --attempt ]] && touch \"$NOTES.${BASH_REMATCH[1]}\"";
    let plan = plan(&root, tool);
    // Runs its last argument for each line, with the line in the place of the word after -I.
    let stand_in = "while [ $# -gt 1 ]; do [ \"$1\" = -I ] && m=$2; shift; done\n\
         while read -r k; do bash -c \"${1//$m/$k}\"; done";
    program(&root.join("b in/parallel"), stand_in);
    parallel(&options, &plan).unwrap();
    let (code, said) = calls(&root, "parallel/run.sh", &[], &[]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(said.matches("|--shard|").count(), 2, "{said}");
    assert!(said.contains("|--shard|3/3|--attempt|"), "{said}");
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn the_benchexec_definitions_come_back_as_the_same_tasks() {
    let (root, options) = suite("benchexec");
    let xml = fs::read_to_string(benchexec(&options, &root.join("be")).unwrap()).unwrap();
    assert!(
        xml.contains("<option name=\"--engine\"/>\n  <option name=\"bmc\"/>"),
        "{xml}"
    );
    assert!(
        xml.contains("timelimit=\"20 s\"") && !xml.contains("{file}"),
        "{xml}"
    );
    let sets = vec![root.join("be/my_set.set"), root.join("be/other.set")];
    let again = BenchOptions::new(sets, PathBuf::new()).all_tasks().unwrap();
    let first = options.all_tasks().unwrap();
    let files = |tasks: &[Task]| {
        let mut all: Vec<_> = tasks
            .iter()
            .map(|t| (fs::canonicalize(&t.path).unwrap(), t.expected))
            .collect();
        all.sort();
        all
    };
    assert_eq!(files(&again), files(&first));
    assert_eq!(first.len(), 5);
    fs::remove_dir_all(root).unwrap();
}
