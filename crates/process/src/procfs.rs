//! What `/proc` tells about processes: kinship, processor time, memory.
//!
//! Descent is read off one pass over all of `/proc`, since the kernel's `children` files are an
//! optional feature and are documented as unreliable while processes run.

use std::fs;
use std::io::Read;
use std::time::Duration;

/// A process as `/proc/PID/stat` shows it at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Process {
    /// Process id.
    pub(crate) pid: i32,
    /// Parent's process id.
    pub(crate) parent: i32,
    /// Process group.
    pub(crate) group: i32,
    /// Session.
    pub(crate) session: i32,
    /// State letter; `Z` and `X` are dead.
    pub(crate) state: u8,
    /// Own time plus that of children it has waited for, in clock ticks.
    pub(crate) ticks: u64,
    /// Start time in ticks since boot: with the pid it names a process uniquely.
    pub(crate) start: u64,
}

impl Process {
    /// Whether the process runs no code any more.
    pub(crate) fn is_dead(&self) -> bool {
        matches!(self.state, b'Z' | b'X')
    }
}

/// Reads one process; `None` when it is gone.
pub(crate) fn process(pid: i32) -> Option<Process> {
    // The kernel gives the whole line to one read that is long enough.
    let mut line = [0u8; 2048];
    let length = fs::File::open(format!("/proc/{pid}/stat"))
        .ok()?
        .read(&mut line)
        .ok()?;
    parse_stat(line.get(..length)?)
}

/// Reads one line of `stat`. The name (second field) may contain anything, also parentheses,
/// so fields are counted from its last closing one.
fn parse_stat(stat: &[u8]) -> Option<Process> {
    let text = String::from_utf8_lossy(stat);
    let pid = text.split(' ').next()?.parse().ok()?;
    let rest = text.get(text.rfind(')')? + 1..)?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |index: usize| fields.get(index).and_then(|f| f.parse::<u64>().ok());
    Some(Process {
        pid,
        state: *fields.first()?.as_bytes().first()?,
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        session: fields.get(3)?.parse().ok()?,
        ticks: number(11)? + number(12)? + number(13)? + number(14)?,
        start: number(19)?,
    })
}

/// All processes of the machine that this process may see.
pub(crate) fn all() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = entries
        .flatten()
        .filter_map(|e| e.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(process).collect()
}

/// The processes of `all` below `root` (without `root`), parents before children.
pub(crate) fn descendants(all: &[Process], root: i32) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut next = 0;
    let mut parent = root;
    loop {
        found.extend(all.iter().filter(|p| p.parent == parent && p.pid != root));
        match found.get(next) {
            Some(p) => parent = p.pid,
            None => return found,
        }
        next += 1;
    }
}

/// The process id given out last: it changes whenever a process or thread is started.
pub(crate) fn newest_pid() -> Option<i32> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split_ascii_whitespace().last()?.parse().ok()
}

/// Resident memory of a process now and at its highest, in bytes; zeros when it is gone.
pub(crate) fn memory(pid: i32) -> (u64, u64) {
    let Ok(status) = fs::read(format!("/proc/{pid}/status")) else {
        return (0, 0);
    };
    let text = String::from_utf8_lossy(&status);
    let field = |name: &str| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes =
            line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    };
    (field("VmRSS:"), field("VmHWM:"))
}

/// Clock ticks as a duration.
pub(crate) fn ticks_to_duration(ticks: u64) -> Duration {
    let per_second = rustix::param::clock_ticks_per_second().max(1);
    Duration::from_nanos(ticks.saturating_mul(1_000_000_000 / per_second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_survives_odd_names() {
        let line = b"42 (a) b (c)) S 7 41 40 0 -1 0 0 0 0 0 1 2 3 4 20 0 1 0 99 0 0";
        let p = parse_stat(line).unwrap();
        assert_eq!(
            (p.pid, p.parent, p.state, p.ticks, p.start),
            (42, 7, b'S', 10, 99)
        );
        assert_eq!((p.group, p.session), (41, 40));
        assert_eq!(parse_stat(b"42 (x"), None);
        assert_eq!(parse_stat(b""), None);
    }

    #[test]
    fn descent_is_transitive_and_excludes_others() {
        let p = |pid, parent| Process {
            pid,
            parent,
            group: 0,
            session: 0,
            state: b'S',
            ticks: 0,
            start: 0,
        };
        let all = [p(1, 0), p(5, 1), p(9, 5), p(6, 1), p(7, 9), p(8, 6)];
        let pids: Vec<i32> = descendants(&all, 5).iter().map(|p| p.pid).collect();
        assert_eq!(pids, [9, 7]);
    }

    #[test]
    fn own_process_is_seen() {
        let me = std::process::id() as i32;
        let p = process(me).unwrap();
        assert!(!p.is_dead());
        assert!(
            all().contains(&Process {
                ..process(me).unwrap()
            }) || p.ticks <= process(me).unwrap().ticks
        );
        assert!(memory(me).0 > 0 && memory(me).1 >= memory(me).0 / 2);
    }
}
