//! Limits on a process tree and their textual form (`30s`, `4G`).

use std::fmt;
use std::time::Duration;

/// Which limit ended a process tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Time on the wall clock.
    Wall,
    /// Processor time of the whole tree.
    Cpu,
    /// Resident memory of the whole tree.
    Memory,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Wall => "timeout",
            Limit::Cpu => "cpu limit",
            Limit::Memory => "memory",
        })
    }
}

/// Limits on a process tree; `None` means unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time on the wall clock, from the start of the tree.
    pub wall: Option<Duration>,
    /// Processor time, user and system, of all members, dead ones included.
    pub cpu: Option<Duration>,
    /// Sum of the members' resident sets, in bytes.
    pub memory: Option<u64>,
}

impl Limits {
    /// No limit at all.
    pub fn none() -> Self {
        Limits::default()
    }

    /// The same limits with this limit on the wall clock.
    pub fn wall(self, wall: Duration) -> Self {
        Limits {
            wall: Some(wall),
            ..self
        }
    }

    /// The same limits with this limit on the wall clock, in seconds.
    pub fn wall_seconds(self, seconds: u64) -> Self {
        self.wall(Duration::from_secs(seconds))
    }

    /// The same limits with this limit on processor time.
    pub fn cpu(self, cpu: Duration) -> Self {
        Limits {
            cpu: Some(cpu),
            ..self
        }
    }

    /// The same limits with this limit on memory, in bytes.
    pub fn memory(self, bytes: u64) -> Self {
        Limits {
            memory: Some(bytes),
            ..self
        }
    }
}

/// Reads `30s`, `1.5h`, `250ms`, `2m`; a bare number counts seconds.
///
/// # Errors
/// A message that quotes the text when it is no such duration.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let scale = match unit {
        "" | "s" | "sec" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => {
            return Err(format!(
                "unknown unit in duration \"{text}\": use ms, s, m, h or d"
            ));
        }
    };
    let value: f64 = number
        .parse()
        .map_err(|_| format!("\"{text}\" is no duration; try 30s"))?;
    Duration::try_from_secs_f64(value * scale)
        .map_err(|_| format!("duration \"{text}\" is out of range"))
}

/// Reads `4G`, `512M`, `1.5GiB`; a bare number counts bytes. Units are powers of 1024.
///
/// # Errors
/// A message that quotes the text when it is no such size.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let unit = unit.trim_end_matches("iB").trim_end_matches('B');
    let shift = match unit {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        "t" | "T" => 40,
        _ => return Err(format!("unknown unit in size \"{text}\": use K, M, G or T")),
    };
    let value: f64 = number
        .parse()
        .map_err(|_| format!("\"{text}\" is no size; try 4G"))?;
    let bytes = value * (1u64 << shift) as f64;
    if bytes.is_finite() && (0.0..1e18).contains(&bytes) {
        Ok(bytes as u64)
    } else {
        Err(format!("size \"{text}\" is out of range"))
    }
}

/// Splits `30s` into `30` and `s`.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_carry_units() {
        assert_eq!(parse_duration("30"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("250 ms"), Ok(Duration::from_millis(250)));
        for wrong in ["", "s", "-1", "1y", "1e400h", "nan"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_carry_units() {
        assert_eq!(parse_bytes("4G"), Ok(4 << 30));
        assert_eq!(parse_bytes("512MiB"), Ok(512 << 20));
        assert_eq!(parse_bytes("100"), Ok(100));
        for wrong in ["", "G", "-1G", "1X", "99999999999T"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }
}
