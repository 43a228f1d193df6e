//! Scripts that run a batch in parts on many machines that share a disk.
//!
//! ```text
//! Slurm      submit.sh ─▶ part.sh, an array ─▶ close.sh, after the last part
//!            part.sh:   one part; asks to be started again when it was lost, five times
//!            close.sh:  parts with missing results are submitted again, three times; then the report
//! parallel   run.sh:    the same loop on one machine, GNU parallel in the place of the array
//! ```
//!
//! Every start of a part writes to a file of its own, so that two that are alive at once (a node that
//! was taken for dead) cannot damage each other's rows; a result that is there is not computed again,
//! and the same result from two starts counts once.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::emit::write_file;
use crate::error::BenchError;
use crate::options::BenchOptions;
use crate::tool::quote;

/// How often a part is started again.
const REQUEUES: u32 = 5;
/// How often parts with missing results are submitted again.
const ROUNDS: u32 = 3;
/// Memory for each run when nobody limits it, in megabytes.
const USUAL_MEMORY: u64 = 4096;
/// Memory for the batch itself, in megabytes.
const OWN_MEMORY: u64 = 1024;
/// The time a part may take besides its runs.
const SPARE_TIME: Duration = Duration::from_secs(300);

/// What scripts need to know besides the batch.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The command line of the batch, with the path of the executable, without what is about parts.
    pub command: Vec<String>,
    /// Variables to set: sites may start jobs without the environment of who submits them.
    pub environment: Vec<(String, String)>,
    /// The folder that relative paths count from.
    pub folder: PathBuf,
    /// How many parts there are.
    pub shards: usize,
    /// How many parts run at once, at most.
    pub at_once: Option<usize>,
}

impl Plan {
    /// The command with further words, which are not quoted.
    fn command_with(&self, words: &str) -> String {
        let mut line: Vec<String> = self.command.iter().map(|w| quote(w)).collect();
        line.push(words.to_owned());
        line.join(" ")
    }

    /// The lines that set the environment.
    fn exports(&self) -> String {
        let lines = self.environment.iter();
        lines.fold(String::new(), |mut text, (name, value)| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "export {name}={}", quote(value));
            text
        })
    }

    /// The folder of the scripts.
    fn home(&self, options: &BenchOptions, name: &str) -> PathBuf {
        self.folder.join(&options.out).join(name)
    }
}

/// Writes the scripts of a Slurm job into `OUT/slurm`; gives the path of the one that submits the
/// others.
///
/// # Errors
/// When inputs are wrong or the folder cannot be written.
pub fn slurm(options: &BenchOptions, plan: &Plan) -> Result<PathBuf, BenchError> {
    options.check()?;
    let home = plan.home(options, "slurm");
    write_file(&home.join("part.sh"), &part(options, plan, &home)?)?;
    write_file(&home.join("close.sh"), &close(options, plan, &home))?;
    let submit = home.join("submit.sh");
    let text = format!(
        "#!/bin/sh\n\
         # Submits all parts, and the job that comes after the last of them.\n\
         set -e\n\
         array=$(sbatch --parsable {part})\n\
         closing=$(sbatch --parsable --dependency=\"afterany:${{array%%;*}}\" {close})\n\
         echo \"submitted array $array, and $closing, which writes the report\"\n",
        part = shown(&home.join("part.sh")),
        close = shown(&home.join("close.sh")),
    );
    write_file(&submit, &text)?;
    Ok(submit)
}

/// The script of one part.
fn part(options: &BenchOptions, plan: &Plan, home: &Path) -> Result<String, BenchError> {
    let shards = plan.shards.max(1);
    let jobs = options.jobs.max(1);
    let runs = options.all_tasks()?.len().div_ceil(shards) * options.tools.len();
    let limit = options.limits().wall.unwrap_or_default();
    let rounds = u32::try_from(runs.div_ceil(jobs)).unwrap_or(u32::MAX);
    let minutes = (limit * rounds + SPARE_TIME).as_secs().div_ceil(60);
    let each = options.memory.map_or(USUAL_MEMORY, |bytes| bytes >> 20);
    let memory = each * jobs as u64 + OWN_MEMORY;
    let limit = plan.at_once.map(|n| format!("%{n}")).unwrap_or_default();
    let attempt = "--attempt \"$SLURM_JOB_ID-${SLURM_RESTART_COUNT:-0}\"";
    let run = plan.command_with(&format!(
        "--shard \"$SLURM_ARRAY_TASK_ID/{shards}\" {attempt}"
    ));
    Ok(format!(
        "#!/bin/bash\n\
         #SBATCH --job-name=foretell-bench\n\
         #SBATCH --array=1-{shards}{limit}\n\
         #SBATCH --cpus-per-task={jobs}\n\
         #SBATCH --time={hours}:{minutes:02}:00\n\
         #SBATCH --mem={memory}M\n\
         {common}\
         # A part that is ended by its time limit goes on when it is started again.\n\
         #SBATCH --signal=B:TERM@30\n\
         #SBATCH --output={log}\n\
         {exports}\
         told=\n\
         trap 'told=1; kill -TERM $child 2>/dev/null' TERM\n\
         {run} &\n\
         child=$!\n\
         [ -z \"$told\" ] || kill -TERM $child\n\
         wait $child; code=$?\n\
         # The signal ends `wait`, not the batch.\n\
         while kill -0 $child 2>/dev/null; do wait $child; code=$?; done\n\
         # Done, used wrongly, or with a wrong verdict: final. Everything else is tried again.\n\
         case $code in 0|2|10) exit $code;; esac\n\
         if [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt {REQUEUES} ]; then\n  \
           scontrol requeue \"$SLURM_JOB_ID\"\n\
         fi\n\
         exit $code\n",
        hours = minutes / 60,
        minutes = minutes % 60,
        common = common(plan),
        log = directive(&home.join("part-%A_%a.log")),
        exports = plan.exports(),
    ))
}

/// The script that comes after the last part.
fn close(options: &BenchOptions, plan: &Plan, home: &Path) -> String {
    let shards = plan.shards.max(1);
    let program = plan.command.first().map_or("foretell", String::as_str);
    let report = format!("{} report {}", quote(program), shown(&options.out));
    let limit = plan.at_once.map(|n| format!("%{n}")).unwrap_or_default();
    format!(
        "#!/bin/bash\n\
         #SBATCH --job-name=foretell-close\n\
         #SBATCH --cpus-per-task=1\n\
         #SBATCH --time=1:00:00\n\
         #SBATCH --mem={OWN_MEMORY}M\n\
         {common}\
         #SBATCH --output={log}\n\
         round=${{1:-1}}\n\
         {exports}\
         missing=$({look}); code=$?\n\
         echo \"$missing\"\n\
         # Only 20 says that results are missing; then the list of parts is what was printed.\n\
         [ $code -eq 20 ] || exit $code\n\
         if [ \"$round\" -gt {ROUNDS} ]; then\n  \
           echo \"these parts still miss results after {ROUNDS} more rounds\" >&2\n  \
           {report}; exit 20\n\
         fi\n\
         array=$(sbatch --parsable --array=\"$missing{limit}\" {part}) || exit 1\n\
         sbatch --parsable --dependency=\"afterany:${{array%%;*}}\" {close} $((round + 1))\n",
        common = common(plan),
        log = directive(&home.join("close-%j.log")),
        exports = plan.exports(),
        look = plan.command_with(&format!("--shards {shards} --missing")),
        part = shown(&home.join("part.sh")),
        close = shown(&home.join("close.sh")),
    )
}

/// What both jobs ask of Slurm.
fn common(plan: &Plan) -> String {
    format!(
        "#SBATCH --ntasks=1\n#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --chdir={}\n",
        directive(&plan.folder)
    )
}

/// Writes a script that runs all parts with GNU parallel, here or on the hosts of a file, into
/// `OUT/parallel`; gives its path.
///
/// # Errors
/// When inputs are wrong or the folder cannot be written.
pub fn parallel(options: &BenchOptions, plan: &Plan) -> Result<PathBuf, BenchError> {
    options.check()?;
    let home = plan.home(options, "parallel");
    let shards = plan.shards.max(1);
    let at_once = plan.at_once.unwrap_or(1);
    // What a host runs; each start has a name of its own.
    let remote = format!(
        "cd {} && {}{}",
        shown(&plan.folder),
        plan.exports().replace('\n', "; "),
        plan.command_with(&format!(
            "--shard @part@/{shards} --attempt \"$(uname -n)-$$\""
        ))
    );
    let text = format!(
        "#!/bin/bash\n\
         # Runs all parts with GNU parallel: here, or on the hosts of the file $1 (one login of ssh per\n\
         # line), which share this disk. Started again, it does what is missing.\n\
         cd {folder} || exit 1\n\
         {exports}\
         hosts=()\n\
         if [ $# -gt 0 ]; then hosts=(--sshloginfile \"$1\"); fi\n\
         for round in $(seq 0 {ROUNDS}); do\n  \
           missing=$({look}); code=$?\n  \
           if [ $code -ne 20 ]; then echo \"$missing\"; exit $code; fi\n  \
           tr , '\\n' <<<\"$missing\" | while IFS=- read -r a b; do seq \"$a\" \"${{b:-$a}}\"; done |\n    \
             parallel --jobs {at_once} --retries {REQUEUES} --joblog {joblog}.$round \"${{hosts[@]}}\" \\\n      \
             -I @part@ {remote}\n\
         done\n\
         missing=$({look}); code=$?\n\
         echo \"$missing\"\n\
         exit $code\n",
        folder = shown(&plan.folder),
        exports = plan.exports(),
        look = plan.command_with(&format!("--shards {shards} --missing")),
        joblog = shown(&home.join("joblog")),
        remote = quote(&remote),
    );
    let path = home.join("run.sh");
    write_file(&path, &text)?;
    Ok(path)
}

/// A path as a word of the shell.
fn shown(path: &Path) -> String {
    quote(&path.to_string_lossy())
}

/// A path as a value of an `#SBATCH` line, which takes double quotes.
fn directive(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./%+=:,@".contains(c);
    if text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    }
}
