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

#[test]
fn the_slurm_script_runs_every_part() {
    let (root, options) = suite("slurm");
    let command: Vec<String> = ["echo", "bench", "a b", "--out", "x'y"]
        .map(str::to_owned)
        .into();
    let script = slurm(&options, &command, 3).unwrap();
    assert!(script.contains("#SBATCH --array=1-3\n") && script.contains("#SBATCH --mem=5120M\n"));
    let path = root.join("job.sh");
    write_file(&path, &script).unwrap();
    let run = std::process::Command::new("bash")
        .arg(&path)
        .current_dir(&root)
        .env("SLURM_ARRAY_TASK_ID", "2")
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&run.stdout),
        "bench a b --out x'y --shard 2/3\n"
    );
    assert!(root.join("o ut").is_dir());
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
