//! Executable for this crate's tests: the shim, and small programs that misbehave on request.

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::time::Duration;

use foretell_process::{Options, ProcessEvent, SignalPolicy, Spec, Supervisor, shim};

fn main() -> io::Result<()> {
    if let Some(code) = shim::dispatch() {
        exit(code);
    }
    shim::enter_worker()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| {
        arguments
            .get(index)
            .and_then(|a| a.parse::<u64>().ok())
            .unwrap_or(1)
    };
    match arguments.first().map_or("", String::as_str) {
        "echo" => echo(),
        "eat" => eat(number(1)),
        "spin" => loop {
            std::hint::spin_loop();
        },
        "spin-ms" => {
            while used() < Duration::from_millis(number(1)) {}
            Ok(())
        }
        "abort" => std::process::abort(),
        "sleep" => {
            std::thread::sleep(Duration::from_secs(number(1)));
            Ok(())
        }
        // Supervises a tree that would live for a minute; says so when it is up.
        "supervise" => supervise(&arguments[1..]),
        other => Err(io::Error::other(format!("unknown role \"{other}\""))),
    }
}

/// Processor time that this process has used.
fn used() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Gives back each line of its input.
fn echo() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let mut out = io::stdout().lock();
        writeln!(out, "got {}", line?)?;
        out.flush()?;
    }
    Ok(())
}

/// Takes memory, one megabyte after the other, up to `most` megabytes, and keeps it.
fn eat(most: u64) -> io::Result<()> {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for n in 0..most {
        kept.push(vec![n as u8 | 1; 1 << 20]);
    }
    writeln!(io::stdout(), "ate {}", kept.len())?;
    std::thread::sleep(Duration::from_secs(60));
    Ok(())
}

/// Starts a guarded shell script and waits for it.
fn supervise(script: &[String]) -> io::Result<()> {
    let mut supervisor = Supervisor::new(Options::new()?.signals(SignalPolicy::Watch))?;
    let spec = Spec::command("sh", ["-c", &script.join(" ")]).lines();
    supervisor.spawn(spec).map_err(io::Error::other)?;
    while let Some(event) = supervisor.next_event(None) {
        writeln!(io::stdout(), "{event:?}")?;
        io::stdout().flush()?;
        let stubborn = script.iter().any(|word| word.ends_with("#stubborn"));
        if matches!(event, ProcessEvent::Interrupted { .. }) && !stubborn {
            supervisor.kill_all();
        }
    }
    Ok(())
}
