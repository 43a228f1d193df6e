//! Portfolios as data: named configurations, and schedules that say in which order they run.
//!
//! ```toml
//! [[configuration]]
//! name = "bmc"                  # what schedules and users call it
//! engine = "bmc"                # an engine of the registry
//! settings = ["bmc.x=3"]        # optional
//!
//! [[configuration]]
//! name = "golem"
//! command = "golem --print-witness {file}"   # another Horn solver, in place of an engine
//!
//! [[schedule]]
//! name = "auto"
//! steps = ["bmc", "kinduction 10s"]
//! without_arrays = "scalar"     # optional: the schedule to follow instead when the input has no arrays
//! with_datatypes = "datatypes"  # optional: the one to follow instead when it declares datatypes
//! with_words = "words"          # optional: the one to follow instead when it has bit-vectors
//! with_reals = "reals"          # optional: the one to follow instead when it has real numbers
//! non_linear = "trees"          # optional: the one to follow instead when clauses have several premises
//! ```
//!
//! A schedule may say for how many processes it is meant (`jobs = 1`); of those of one name the one for
//! the most processes that are not more than there are is taken, else the one for the fewest.
//!
//! A step is the name of a configuration and, optionally, a time slice: when it is over while other
//! steps wait, the run is suspended and goes on later with a slice twice as long, or with the one behind
//! `then` (`kinduction 500ms then 3s`), and from there on twice as long each time. `name#3` runs it with
//! the third seed after that of the command line, `name#1..4` four times with different ones. With
//! `after 40ms` at its end a step waits so long from the beginning while others run (three times as long
//! while one of them checks an answer), where the workers have all processors: each of them also starts
//! a solver, and the first one is often through by then.

use std::collections::BTreeMap;
use std::time::Duration;

use foretell_process::limits::parse_duration;
use foretell_process::split_words;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::features::Feature;
use crate::registry::{self, Origin};

/// An engine with settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// The name.
    pub name: String,
    /// The engine's name in the registry; empty where a command stands for it.
    #[serde(default)]
    pub engine: String,
    /// Settings, `group.option=value`.
    #[serde(default)]
    pub settings: Vec<String>,
    /// The command of another solver; `{file}` in it is the file that it reads.
    #[serde(default)]
    pub command: Option<String>,
    /// What it stands for, where that is not plain, for help.
    #[serde(default)]
    pub about: Option<String>,
}

impl Configuration {
    /// The configuration with its engine named, if everything in it fits.
    fn complete(mut self) -> Result<Configuration, Error> {
        if self.engine.is_empty() && self.command.is_some() {
            self.engine = COMMAND.to_owned();
        }
        let takes = registry::engine(&self.engine)?.origin == Origin::Command;
        let words = match &self.command {
            Some(command) => split_words(command).map_err(Error::Usage)?,
            None => Vec::new(),
        };
        match (takes, self.command.is_some()) {
            (true, true) if words.is_empty() => Err(Error::Usage("a command without words".into())),
            (true, false) => Err(Error::Usage(format!(
                "`{}` needs the command of a solver: --foreign COMMAND, or `command` in a portfolio file",
                self.name
            ))),
            (false, true) => Err(Error::Usage(format!(
                "`{}` has a command, so its engine is `{COMMAND}`",
                self.name
            ))),
            (true, true) | (false, false) => Ok(self),
        }
    }
}

/// The engine that runs commands.
const COMMAND: &str = "other";
/// How long a solver by command runs at first while others wait.
const FOREIGN_SLICE: Duration = Duration::from_secs(10);

/// One step of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is run.
    pub configuration: Configuration,
    /// How long it may run while others wait.
    pub slice: Option<Duration>,
    /// The same in its second turn; without it the first slice grows.
    pub then: Option<Duration>,
    /// How long it waits from the beginning while others run.
    pub after: Duration,
    /// What is added to the seed of the check.
    pub seed: u64,
}

impl Step {
    /// Whether it runs an engine of this project.
    pub fn is_own(&self) -> bool {
        registry::engine(&self.configuration.engine).is_ok_and(|e| e.origin == Origin::Own)
    }
}

/// Configurations and schedules by name.
#[derive(Clone, Debug, Default)]
pub struct Portfolio {
    configurations: BTreeMap<String, Configuration>,
    /// By name, and by the number of processes they are meant for.
    schedules: BTreeMap<String, BTreeMap<usize, Schedule>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    configuration: Vec<Configuration>,
    #[serde(default)]
    schedule: Vec<Schedule>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Schedule {
    name: String,
    #[serde(default = "one")]
    jobs: usize,
    steps: Vec<String>,
    without_arrays: Option<String>,
    with_datatypes: Option<String>,
    with_words: Option<String>,
    with_reals: Option<String>,
    non_linear: Option<String>,
}

impl Schedule {
    /// The schedule to follow instead when the text of the input is like this.
    fn instead(&self, feature: Feature) -> Option<&String> {
        match feature {
            Feature::Datatypes => self.with_datatypes.as_ref(),
            Feature::NoArrays => self.without_arrays.as_ref(),
            Feature::Words => self.with_words.as_ref(),
            Feature::Reals => self.with_reals.as_ref(),
            Feature::NonLinear => self.non_linear.as_ref(),
        }
    }
}

fn one() -> usize {
    1
}

/// Seeds of steps are at most this, so that no range makes a portfolio without end.
const MOST_SEED: u64 = 9999;

/// The portfolio that comes with the product.
const BUILT_IN: &str = include_str!("portfolio.toml");
/// The systems of the papers.
const PAPERS: &str = include_str!("papers.toml");

impl Portfolio {
    /// The portfolio that comes with the product. That everything in it fits is a test's business: no run
    /// need find it out once more.
    ///
    /// # Errors
    /// Never, unless the embedded file is wrong, which a test excludes.
    pub fn built_in() -> Result<Portfolio, Error> {
        let mut portfolio = Portfolio::default();
        portfolio.add(parsed(BUILT_IN)?)?;
        portfolio.add(parsed(PAPERS)?)?;
        Ok(portfolio)
    }

    /// Adds configurations and schedules from text; they replace those of the same name.
    ///
    /// # Errors
    /// When the text is no portfolio, or names an engine, an option or a step that does not exist.
    pub fn extend(&mut self, text: &str) -> Result<(), Error> {
        let file = parsed(text)?;
        for configuration in &file.configuration {
            registry::settings(&configuration.settings)?;
        }
        self.add(file)?;
        self.check_steps()
    }

    fn add(&mut self, file: File) -> Result<(), Error> {
        for configuration in file.configuration {
            let configuration = configuration.complete()?;
            self.configurations
                .insert(configuration.name.clone(), configuration);
        }
        // All schedules of a name are replaced, whatever number of processes they are meant for.
        for schedule in &file.schedule {
            self.schedules.remove(&schedule.name);
        }
        for schedule in file.schedule {
            let same = self.schedules.entry(schedule.name.clone()).or_default();
            same.insert(schedule.jobs, schedule);
        }
        Ok(())
    }

    /// Whether all steps of schedules, and the schedules that stand in for others, are there.
    fn check_steps(&self) -> Result<(), Error> {
        for (_, _, steps) in self.schedules() {
            for step in steps {
                self.expanded(step)?;
            }
        }
        let all = self.schedules.values().flat_map(BTreeMap::values);
        for other in all.flat_map(|s| Feature::ALL.iter().filter_map(|&f| s.instead(f))) {
            self.steps(other, 1)?;
        }
        Ok(())
    }

    /// The steps of what a user names, for so many processes: a schedule, a configuration, an engine, or
    /// several of them separated by commas.
    ///
    /// # Errors
    /// When a name is unknown.
    pub fn steps(&self, names: &str, jobs: usize) -> Result<Vec<Step>, Error> {
        let mut steps = Vec::new();
        for name in names.split(',').map(str::trim) {
            match self.schedule(name, jobs) {
                Some(schedule) => {
                    for step in &schedule.steps {
                        steps.extend(self.expanded(step)?);
                    }
                }
                None => steps.extend(self.expanded(name)?),
            }
        }
        Ok(steps)
    }

    /// The steps of what a user names, for an input of this text: a schedule may have another one that
    /// stands in for it where there are datatypes, that one another where there are no arrays, and so
    /// on in the order of features.
    ///
    /// # Errors
    /// When a name is unknown.
    pub fn steps_for(&self, names: &str, jobs: usize, text: &[u8]) -> Result<Vec<Step>, Error> {
        let mut name = names.trim();
        for feature in Feature::ALL {
            let schedule = self.schedule(name, jobs);
            let other = schedule.and_then(|schedule| schedule.instead(feature));
            if let Some(other) = other.filter(|_| feature.is_of(text)) {
                name = other;
            }
        }
        self.steps(name, jobs)
    }

    /// The schedule of a name for so many processes.
    fn schedule(&self, name: &str, jobs: usize) -> Option<&Schedule> {
        let all = self.schedules.get(name)?;
        let meant = all.range(..=jobs).next_back().or_else(|| all.iter().next());
        meant.map(|(_, schedule)| schedule)
    }

    /// The steps of a text: a configuration (or an engine with its defaults), maybe seeds, maybe slices,
    /// maybe how long it waits.
    fn expanded(&self, text: &str) -> Result<Vec<Step>, Error> {
        let (text, after) = timed(text, " after ")?;
        let (text, then) = timed(text, " then ")?;
        let (name, slice) = timed(text, " ")?;
        if then.is_some() && slice.is_none() {
            let words = format!("`{text}`: a second time goes with a first one");
            return Err(Error::Usage(words));
        }
        let (base, seeds) = match name.split_once('#') {
            Some((base, seeds)) => (base, seed_range(seeds)?),
            None => (name, 0..=0),
        };
        let configuration = match self.configurations.get(base) {
            Some(configuration) => configuration.clone(),
            None => {
                registry::engine(base).map_err(|_| self.unknown(base))?;
                let plain = Configuration {
                    name: base.to_owned(),
                    engine: base.to_owned(),
                    ..Configuration::default()
                };
                plain.complete()?
            }
        };
        let step = |seed: u64| {
            let mut configuration = configuration.clone();
            if seed > 0 {
                configuration.name = format!("{base}#{seed}");
            }
            Step {
                configuration,
                slice,
                then,
                after: after.unwrap_or_default(),
                seed,
            }
        };
        Ok(seeds.map(step).collect())
    }

    /// The step that runs another solver by its command, the one of this number (from 0).
    ///
    /// # Errors
    /// When the command has no words.
    pub fn foreign(command: &str, number: usize) -> Result<Step, Error> {
        let name = match number {
            0 => "foreign".to_owned(),
            n => format!("foreign-{}", n + 1),
        };
        let configuration = Configuration {
            name,
            command: Some(command.to_owned()),
            ..Configuration::default()
        };
        Ok(Step {
            configuration: configuration.complete()?,
            slice: Some(FOREIGN_SLICE),
            then: None,
            after: Duration::ZERO,
            seed: 0,
        })
    }

    fn unknown(&self, name: &str) -> Error {
        let mut known: Vec<&str> = self.schedules.keys().map(String::as_str).collect();
        known.extend(self.configurations.keys().map(String::as_str));
        known.extend(registry::ENGINES.iter().map(|e| e.name));
        known.sort_unstable();
        known.dedup();
        Error::Usage(format!(
            "there is no engine `{name}`; there are {}",
            known.join(", ")
        ))
    }

    /// Names of schedules with the number of processes they are meant for and their steps, for help.
    pub fn schedules(&self) -> impl Iterator<Item = (&str, usize, &[String])> {
        let all = self.schedules.iter();
        all.flat_map(|(name, by_jobs)| {
            by_jobs
                .iter()
                .map(move |(&j, s)| (name.as_str(), j, s.steps.as_slice()))
        })
    }

    /// The configurations, for help.
    pub fn configurations(&self) -> impl Iterator<Item = &Configuration> {
        self.configurations.values()
    }
}

fn parsed(text: &str) -> Result<File, Error> {
    toml::from_str(text).map_err(|e| Error::Usage(format!("portfolio: {}", e.message())))
}

/// What stands before a word, and the time behind it.
fn timed<'t>(text: &'t str, word: &str) -> Result<(&'t str, Option<Duration>), Error> {
    match text.split_once(word) {
        Some((text, time)) => Ok((text, Some(parse_duration(time).map_err(Error::Usage)?))),
        None => Ok((text, None)),
    }
}

/// The seeds of `3` or `1..4`.
fn seed_range(text: &str) -> Result<std::ops::RangeInclusive<u64>, Error> {
    let number = |text: &str| text.parse::<u64>().ok().filter(|&n| n <= MOST_SEED);
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => {
            let words = format!("`#{text}`: seeds are numbers to {MOST_SEED}, as in #3 or #1..4");
            Err(Error::Usage(words))
        }
    }
}
