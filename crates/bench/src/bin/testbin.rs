//! Executable for this crate's tests: the process shim, a batch that can be killed, and a tool that
//! does what its input says.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::exit;
use std::time::Duration;

use foretell_bench::{Attempt, BenchOptions, Silent, Tool, merge, report, run};

fn main() -> io::Result<()> {
    if let Some(code) = foretell_process::shim::dispatch() {
        exit(code);
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["answer", file] => answer(file),
        ["batch", inputs, out, jobs, tools @ ..] => batch(inputs, out, jobs, tools),
        ["merge", source, target] => {
            merge(&[PathBuf::from(source)], &PathBuf::from(target))
                .map_err(|e| io::Error::other(e.to_string()))?;
            writeln!(io::stdout(), "{}", highest_memory())
        }
        ["report", folder] => {
            let made = report(&[PathBuf::from(folder)], None)
                .map_err(|e| io::Error::other(e.to_string()))?;
            writeln!(io::stdout(), "{}", made.summary)
        }
        other => Err(io::Error::other(format!("unknown arguments {other:?}"))),
    }
}

/// The highest resident memory of this process, in kilobytes.
fn highest_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let words = line.and_then(|l| l.split_whitespace().next());
    words.and_then(|w| w.parse().ok()).unwrap_or(u64::MAX)
}

/// Does what the file's last line says.
fn answer(file: &str) -> io::Result<()> {
    let text = std::fs::read_to_string(file)?;
    let mut out = io::stdout();
    match text
        .lines()
        .last()
        .unwrap_or_default()
        .trim_start_matches("; ")
    {
        "garbage" => out.write_all(&[0xff, 0, b'\n', b's', b'a', b't', b'!', b'\n', 0xc3]),
        "hang" => {
            std::thread::sleep(Duration::from_secs(60));
            Ok(())
        }
        "crash" => std::process::abort(),
        "fork" => {
            // Two sleepers: one in a session of its own whose parent is gone, one plain.
            let script = format!(
                "(setsid sleep 60.{0} 2>/dev/null &); exec sleep 61.{0}",
                marker(file)
            );
            std::process::Command::new("sh")
                .args(["-c", &script])
                .spawn()?;
            writeln!(out, "sat")
        }
        word => writeln!(out, "{word}"),
    }
}

/// Digits that name a file.
fn marker(file: &str) -> u64 {
    file.bytes().fold(7, |hash: u64, b| {
        hash.wrapping_mul(31).wrapping_add(u64::from(b)) % 1_000_000_007
    })
}

/// Runs a batch.
fn batch(inputs: &str, out: &str, jobs: &str, tools: &[&str]) -> io::Result<()> {
    let mut options = BenchOptions::new(vec![PathBuf::from(inputs)], PathBuf::from(out));
    options.jobs = jobs.parse().map_err(io::Error::other)?;
    let seconds = std::env::var("FORETELL_TIMEOUT")
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(20);
    options.timeout = Duration::from_secs(seconds);
    if let Ok(name) = std::env::var("FORETELL_ATTEMPT") {
        options.attempt = Some(Attempt::parse(&name).map_err(io::Error::other)?);
    }
    options.tools = tools
        .iter()
        .map(|t| Tool::parse(t))
        .collect::<Result<_, _>>()
        .map_err(io::Error::other)?;
    let summary = run(&options, &mut Silent).map_err(|e| io::Error::other(e.to_string()))?;
    writeln!(io::stdout(), "{summary:?}")
}
