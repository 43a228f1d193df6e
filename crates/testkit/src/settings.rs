//! Option fuzzing: random settings from the option tables.

use foretell_driver::registry::{COMMON, ENGINES, EngineEntry, Origin};
use foretell_kernel::Rng;
use foretell_kernel::options::{OptionInfo, Values};

/// Options that only make a run longer or say where it may fail for lack of time.
const FIXED: &[&str] = &["certify.seconds", "certify.attempts"];

/// An engine by chance.
pub fn any_engine(rng: &Rng) -> &'static EngineEntry {
    // A solver by command has no settings, and needs a command.
    let known = ENGINES.iter().filter(|e| e.origin != Origin::Command);
    let known: Vec<&EngineEntry> = known.collect();
    known[below(rng, known.len())]
}

/// One to four settings of an engine, of the passes, of the interpolator or of the checker.
pub fn any_settings(engine: &EngineEntry, rng: &Rng) -> Vec<String> {
    let tables = engine.tables.iter().chain(COMMON);
    let mut known: Vec<&OptionInfo> = tables.flat_map(|table| table.options).collect();
    known.retain(|o| !FIXED.contains(&o.name));
    let chosen = (0..1 + below(rng, 4)).map(|_| known[below(rng, known.len())]);
    let mut list: Vec<String> = chosen
        .map(|o| format!("{}={}", o.name, value(o.values, rng)))
        .collect();
    list.sort();
    list.dedup_by(|a, b| a.split('=').next() == b.split('=').next());
    list
}

/// One of the values; small numbers are more likely to reach a corner.
fn value(values: Values, rng: &Rng) -> String {
    match values {
        Values::Switch => (rng.below(2) == 0).to_string(),
        Values::Whole { least, most } => {
            let number = match rng.below(6) {
                n @ 0..=2 => n,
                3 => rng.below(12),
                4 => rng.below(200),
                _ => 100_000,
            };
            number.clamp(least, most).to_string()
        }
        Values::Decimal { least, most } => {
            let number = [0.0, 0.5, 1.0, 3.0][below(rng, 4)];
            f64::clamp(number, least, most).to_string()
        }
    }
}

fn below(rng: &Rng, n: usize) -> usize {
    usize::try_from(rng.below(n as u64)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{any_engine, any_settings};
    use foretell_driver::registry;
    use foretell_kernel::Rng;

    #[test]
    fn random_settings_are_settings() {
        let rng = Rng::new(1);
        let mut n = 0;
        for _ in 0..500 {
            let settings = any_settings(any_engine(&rng), &rng);
            assert!(registry::settings(&settings).is_ok(), "{settings:?}");
            n += settings.len();
        }
        assert!(n > 500);
    }
}
