//! Who runs, and how far: the progress line, and the lines of `-v`.

use foretell_driver::Happening;
use foretell_driver::worker::statistics::Statistics;

/// The configurations that run, the one that moved last first.
#[derive(Default)]
pub(crate) struct Running(Vec<Run>);

/// A configuration that runs.
struct Run {
    name: String,
    /// How far it is, in words.
    reach: String,
    /// The same without the time of the query in flight: to wait is not to move.
    place: String,
    /// The highest bound or frame, in words.
    height: String,
}

impl Running {
    /// Takes note of how far a configuration is; gives its bound or frame if it is a new one.
    pub(crate) fn moved(&mut self, name: &str, statistics: &Statistics) -> Option<String> {
        let still = Statistics {
            in_query: None,
            ..statistics.clone()
        };
        let run = Run {
            name: name.to_owned(),
            reach: statistics.reach(),
            place: still.reach(),
            height: height(statistics),
        };
        let height = run.height.clone();
        let known = self.0.iter().position(|r| r.name == name);
        let old = match known {
            Some(at) if self.0[at].place == run.place => {
                std::mem::replace(&mut self.0[at], run).height
            }
            Some(at) => {
                let old = self.0.remove(at);
                self.0.insert(0, run);
                old.height
            }
            None => {
                self.0.insert(0, run);
                String::new()
            }
        };
        (height != old).then_some(height)
    }

    /// A configuration is gone.
    pub(crate) fn ended(&mut self, name: &str) {
        self.0.retain(|run| run.name != name);
    }

    /// All that run, in one line.
    pub(crate) fn line(&self) -> String {
        let words = |run: &Run| format!("{}: {}", run.name, run.reach);
        let all: Vec<String> = self.0.iter().map(words).collect();
        all.join(" | ")
    }
}

/// The bound and the frame of a run.
fn height(statistics: &Statistics) -> String {
    let bound = statistics.bound.map(|n| format!("bound {n}"));
    let frame = statistics.frame.map(|n| format!("frame {n}"));
    let both: Vec<String> = bound.into_iter().chain(frame).collect();
    both.join(", ")
}

/// What happened, in words.
pub(crate) fn words(what: &Happening) -> String {
    match what {
        Happening::Started(None) => "started".to_owned(),
        Happening::Started(Some(slice)) => {
            format!("started, for {} s while others wait", slice.as_secs_f64())
        }
        Happening::Shared(items) => format!("told the others {} formulas", items.len()),
        Happening::Found(claim) => format!("found an answer ({}), which is checked", claim.name()),
        Happening::Suspended => "suspended".to_owned(),
        Happening::Ended(how) => format!("ended: {how}"),
        Happening::Lost(why) => format!("lost elsewhere ({why}), started again"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(frame: u32, in_query: Option<f64>) -> Statistics {
        Statistics {
            frame: Some(frame),
            in_query,
            ..Statistics::default()
        }
    }

    #[test]
    fn only_who_runs_is_shown_and_who_moved_last_is_first() {
        let mut running = Running::default();
        assert_eq!(running.moved("a", &at(1, None)), Some("frame 1".to_owned()));
        running.moved("b", &at(1, None));
        assert_eq!(running.line(), "b: frame 1 | a: frame 1");
        assert_eq!(running.moved("a", &at(2, None)), Some("frame 2".to_owned()));
        assert_eq!(running.line(), "a: frame 2 | b: frame 1");
        // To wait longer is not to move.
        assert_eq!(running.moved("b", &at(1, Some(8.2))), None);
        assert_eq!(running.line(), "a: frame 2 | b: frame 1, one query for 8 s");
        running.ended("a");
        assert_eq!(running.line(), "b: frame 1, one query for 8 s");
    }
}
