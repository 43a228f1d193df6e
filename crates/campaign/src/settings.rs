//! Option fuzzing: random settings from the option tables.

use foretell_driver::registry::{ENGINES, EngineEntry, options};
use foretell_kernel::Rng;
use foretell_kernel::options::OptionInfo;

/// Options that only make a run longer or say where it may fail for lack of time.
const FIXED: &[&str] = &["certify.seconds", "certify.attempts"];

/// An engine by chance.
pub fn any_engine(rng: &Rng) -> &'static EngineEntry {
    &ENGINES[below(rng, ENGINES.len())]
}

/// One to four settings of an engine, of the passes or of the checker.
pub fn any_settings(engine: &EngineEntry, rng: &Rng) -> Vec<String> {
    let own = engine.options.iter().flat_map(|table| table.iter());
    let common: Vec<&OptionInfo> = options()
        .into_iter()
        .filter(|o| is_common(o.name))
        .collect();
    let mut known: Vec<&OptionInfo> = own.collect();
    known.extend(common);
    known.retain(|o| !FIXED.contains(&o.name));
    if known.is_empty() {
        return Vec::new();
    }
    let chosen = (0..1 + below(rng, 4)).map(|_| known[below(rng, known.len())]);
    let mut list: Vec<String> = chosen
        .filter_map(|o| Some(format!("{}={}", o.name, value(o, rng)?)))
        .collect();
    list.sort();
    list.dedup_by(|a, b| a.split('=').next() == b.split('=').next());
    list
}

fn is_common(name: &str) -> bool {
    ["certify.", "passes.", "interpolate."]
        .iter()
        .any(|group| name.starts_with(group))
}

/// A value of the option's type; small numbers are more likely to reach a corner.
fn value(option: &OptionInfo, rng: &Rng) -> Option<String> {
    let number = || match rng.below(6) {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => rng.below(12),
        4 => rng.below(200),
        _ => 100_000,
    };
    match option.kind {
        "bool" => Some((rng.below(2) == 0).to_string()),
        "u32" | "u64" | "usize" => Some(number().to_string()),
        "f64" => Some(["0.0", "0.5", "1.0", "3.0"][below(rng, 4)].to_owned()),
        _ => None,
    }
}

fn below(rng: &Rng, n: usize) -> usize {
    usize::try_from(rng.below(n as u64)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{any_engine, any_settings};
    use foretell_driver::registry::check_settings;
    use foretell_kernel::Rng;

    #[test]
    fn random_settings_are_settings() {
        let rng = Rng::new(1);
        let mut n = 0;
        for _ in 0..500 {
            let settings = any_settings(any_engine(&rng), &rng);
            assert!(check_settings(&settings).is_ok(), "{settings:?}");
            n += settings.len();
        }
        assert!(n > 500);
    }
}
