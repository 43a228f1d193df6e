//! How much memory this process could get: the machine's, or that of its control group.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The memory that this process and what it starts can have at all, in bytes: the machine's, or
/// less where a control group (a container, a batch system) allows less. `None` where nobody says. It is
/// looked up once.
pub fn memory() -> Option<u64> {
    static MEMORY: OnceLock<Option<u64>> = OnceLock::new();
    *MEMORY.get_or_init(looked_up)
}

fn looked_up() -> Option<u64> {
    let total = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| total_memory(&text));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = limit_files(&groups)
        .into_iter()
        .filter_map(|path| group_limit(&path));
    limits.chain(total).min()
}

/// `MemTotal` of `/proc/meminfo`.
fn total_memory(text: &str) -> Option<u64> {
    let rest = text
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = rest.trim().trim_end_matches("kB").trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The files in which limits of the process's groups would stand. The path of a group is as seen
/// from outside: in a container the root of the hierarchy is the group.
fn limit_files(groups: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else {
            continue;
        };
        let (root, name) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            list if list.split(',').any(|c| c == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let group = Path::new(root).join(path.trim_start_matches('/'));
        files.extend(
            group
                .ancestors()
                .take_while(|p| p.starts_with(root))
                .map(|p| p.join(name)),
        );
    }
    files
}

/// The limit in a file; `max` is none.
fn group_limit(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_has_memory() {
        assert!(memory().is_some_and(|bytes| bytes > 1 << 20));
        assert_eq!(
            total_memory("MemFree: 1 kB\nMemTotal:       24081768 kB\n"),
            Some(24_081_768 << 10)
        );
        assert_eq!(total_memory("MemTotal: lots\n"), None);
    }

    #[test]
    fn a_group_and_all_above_it_may_limit() {
        let files = limit_files("4:cpu,memory:/a/b\n2:cpu:/x\n0::/c\nodd\n");
        let expected = [
            "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes",
            "/sys/fs/cgroup/memory/a/memory.limit_in_bytes",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            "/sys/fs/cgroup/c/memory.max",
            "/sys/fs/cgroup/memory.max",
        ];
        assert_eq!(files, expected.map(PathBuf::from));
    }
}
