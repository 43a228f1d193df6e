//! Which engines there are: one entry each, and nothing else to change when one is added.
//!
//! An engine runs on clauses, on transition systems, or on both. Linear clauses are brought down to
//! a transition system for an engine that runs there; clauses that cannot go down are given to the
//! engine's clause form, if it has one (see [`crate::worker::pipeline`]).

use foretell_certify::CertifyOptions;
use foretell_engines::ic3ia::{Ic3ia, Ic3iaOptions};
use foretell_engines::{
    Bmc, BmcOptions, Candidates, CandidatesOptions, KInduction, KInductionOptions, LazyAnnotation,
    LazyAnnotationOptions, PredicateAbstraction, PredicateAbstractionOptions, Unfold,
    UnfoldOptions,
};
use foretell_interpolate::InterpolateOptions;
use foretell_kernel::Engine;
use foretell_kernel::options::{OptionError, OptionInfo};
use foretell_layers::{
    ArrayProphecy, ArrayProphecyOptions, Cegar, Cells, CellsOptions, Running, RunningOptions,
    Values, ValuesOptions,
};
use foretell_passes::pipeline::PassOptions;
use foretell_systems::{ChcSystem, TransitionSystem};

use crate::error::Error;
use crate::worker::exchange::SharingOptions;

/// An engine for clauses, ready to run.
pub type ClauseEngine = Box<dyn Engine<ChcSystem>>;
/// An engine for transition systems, ready to run.
pub type SystemEngine = Box<dyn Engine<TransitionSystem>>;
/// Makes an engine from settings.
pub type Make<E> = fn(&Settings) -> Result<E, OptionError>;

/// One engine.
pub struct EngineEntry {
    /// The name users select it by.
    pub name: &'static str,
    /// One line for help.
    pub about: &'static str,
    /// Its option tables.
    pub options: &'static [&'static [OptionInfo]],
    /// How it runs on transition systems.
    pub on_systems: Option<Make<SystemEngine>>,
    /// How it runs on clauses that cannot be brought down, or on all when it runs only there.
    pub on_clauses: Option<Make<ClauseEngine>>,
    /// What its proofs are like.
    pub proofs: Proofs,
    /// What it does with facts that other workers found.
    pub facts: Facts,
}

/// What becomes of facts that other workers found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Facts {
    /// They are proved again, and assumed.
    Assumed,
    /// The engine takes them as candidates of its own.
    Proposed,
}

/// How many steps a proof may speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proofs {
    /// Formulas that one step keeps: they can be carried back over any pass.
    OneStep,
    /// Formulas that follow from several steps: they hold for the system as it was given only.
    SeveralSteps,
}

/// Makes an engine with the options of one table: `engine!(Bmc, BmcOptions)`.
macro_rules! engine {
    ($engine:ty, $options:ty) => {
        Some(|settings| {
            let mut options = <$options>::default();
            settings.apply(<$options>::GROUP, &mut |name, text| options.set(name, text))?;
            Ok(Box::new(<$engine>::new(options)))
        })
    };
}

/// The running property, large constants and arrays over IC3; each takes the options of its own table.
fn prophecy(settings: &Settings) -> Result<SystemEngine, OptionError> {
    let (mut layer, mut engine) = (ArrayProphecyOptions::default(), Ic3iaOptions::default());
    let (mut running, mut values) = (RunningOptions::default(), ValuesOptions::default());
    settings.apply(RunningOptions::GROUP, &mut |name, text| {
        running.set(name, text)
    })?;
    settings.apply(ValuesOptions::GROUP, &mut |name, text| {
        values.set(name, text)
    })?;
    settings.apply(ArrayProphecyOptions::GROUP, &mut |name, text| {
        layer.set(name, text)
    })?;
    settings.apply(Ic3iaOptions::GROUP, &mut |name, text| {
        engine.set(name, text)
    })?;
    let arrays = Cegar::new("arrays", ArrayProphecy::new(layer), Ic3ia::new(engine));
    let numbers = Cegar::new("values", Values::new(values), arrays);
    Ok(Box::new(Cegar::new(
        "prophecy",
        Running::new(running),
        numbers,
    )))
}

/// Cells of arrays over IC3.
fn cells(settings: &Settings) -> Result<SystemEngine, OptionError> {
    over_cells(
        "cells",
        CellsOptions::default(),
        Ic3iaOptions::default(),
        settings,
    )
}

/// Cells of arrays over IC3 whose frames are closed universally over indices.
fn quantified(settings: &Settings) -> Result<SystemEngine, OptionError> {
    let layer = CellsOptions {
        quantified: true,
        ..CellsOptions::default()
    };
    let engine = Ic3iaOptions {
        quantified_frames: true,
        ..Ic3iaOptions::default()
    };
    over_cells("quantified", layer, engine, settings)
}

/// Large constants and cells of arrays over IC3; each takes the options of its own table.
fn over_cells(
    name: &'static str,
    mut layer: CellsOptions,
    mut engine: Ic3iaOptions,
    settings: &Settings,
) -> Result<SystemEngine, OptionError> {
    let mut values = ValuesOptions::default();
    settings.apply(ValuesOptions::GROUP, &mut |name, text| {
        values.set(name, text)
    })?;
    settings.apply(CellsOptions::GROUP, &mut |name, text| layer.set(name, text))?;
    settings.apply(Ic3iaOptions::GROUP, &mut |name, text| {
        engine.set(name, text)
    })?;
    let arrays = Cegar::new("arrays", Cells::new(layer), Ic3ia::new(engine));
    Ok(Box::new(Cegar::new(name, Values::new(values), arrays)))
}

/// All engines.
pub const ENGINES: &[EngineEntry] = &[
    EngineEntry {
        name: "bmc",
        about: "bounded model checking; on non-linear clauses, bounded unfolding: finds counterexamples",
        options: &[BmcOptions::TABLE, UnfoldOptions::TABLE],
        on_systems: engine!(Bmc, BmcOptions),
        on_clauses: engine!(Unfold, UnfoldOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
    },
    EngineEntry {
        name: "kinduction",
        about: "k-induction: proves what follows from the last k states",
        options: &[KInductionOptions::TABLE],
        on_systems: engine!(KInduction, KInductionOptions),
        on_clauses: None,
        proofs: Proofs::SeveralSteps,
        facts: Facts::Assumed,
    },
    EngineEntry {
        name: "candidates",
        about: "candidate invariants, quantified over array indices, kept by Houdini: proves array programs",
        options: &[CandidatesOptions::TABLE],
        on_systems: None,
        on_clauses: engine!(Candidates, CandidatesOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Proposed,
    },
    EngineEntry {
        name: "predicate_abstraction",
        about: "backward reachability over predicates, refined for quantified array assertions: proves and refutes linear clauses",
        options: &[PredicateAbstractionOptions::TABLE],
        on_systems: None,
        on_clauses: engine!(PredicateAbstraction, PredicateAbstractionOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
    },
    EngineEntry {
        name: "ic3ia",
        about: "IC3 with implicit predicate abstraction: proves and refutes transition systems",
        options: &[Ic3iaOptions::TABLE, InterpolateOptions::TABLE],
        on_systems: engine!(Ic3ia, Ic3iaOptions),
        on_clauses: None,
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
    },
    EngineEntry {
        name: "lazy_annotation",
        about: "lazy annotation: conflict-driven search with interpolants; proves and refutes clauses, linear or not",
        options: &[LazyAnnotationOptions::TABLE, InterpolateOptions::TABLE],
        on_systems: None,
        on_clauses: engine!(LazyAnnotation, LazyAnnotationOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
    },
    EngineEntry {
        name: "cells",
        about: "arrays at finitely many indices over IC3: proves and refutes systems with arrays",
        options: &[
            CellsOptions::TABLE,
            ValuesOptions::TABLE,
            Ic3iaOptions::TABLE,
        ],
        on_systems: Some(cells),
        on_clauses: None,
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
    },
    EngineEntry {
        name: "quantified",
        about: "cells over IC3 with frames quantified over indices: proves what no single index shows",
        options: &[
            CellsOptions::TABLE,
            ValuesOptions::TABLE,
            Ic3iaOptions::TABLE,
        ],
        on_systems: Some(quantified),
        on_clauses: None,
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
    },
    EngineEntry {
        name: "prophecy",
        about: "counterexample-guided prophecy over IC3: proves and refutes systems with arrays",
        options: &[
            ArrayProphecyOptions::TABLE,
            RunningOptions::TABLE,
            ValuesOptions::TABLE,
            Ic3iaOptions::TABLE,
        ],
        on_systems: Some(prophecy),
        on_clauses: None,
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
    },
];

/// Option tables that belong to no engine.
const COMMON: &[&[OptionInfo]] = &[
    CertifyOptions::TABLE,
    PassOptions::TABLE,
    SharingOptions::TABLE,
];

/// The engine of a name.
///
/// # Errors
/// When there is none.
pub fn engine(name: &str) -> Result<&'static EngineEntry, Error> {
    ENGINES.iter().find(|e| e.name == name).ok_or_else(|| {
        let known: Vec<&str> = ENGINES.iter().map(|e| e.name).collect();
        Error::Usage(format!(
            "there is no engine `{name}`; there are {}",
            known.join(", ")
        ))
    })
}

/// All options, each once, in the order of the engines.
pub fn options() -> Vec<&'static OptionInfo> {
    let mut list: Vec<&OptionInfo> = Vec::new();
    for info in ENGINES
        .iter()
        .flat_map(|e| e.options)
        .chain(COMMON)
        .flat_map(|table| table.iter())
    {
        if !list.iter().any(|known| known.name == info.name) {
            list.push(info);
        }
    }
    list
}

/// Checks that settings have the form `group.option=value` and name options that exist.
///
/// # Errors
/// Words for the user.
pub fn check_settings(settings: &[String]) -> Result<(), Error> {
    let parsed = Settings::parse(settings)?;
    for entry in ENGINES {
        if let Some(make) = entry.on_systems {
            make(&parsed)
                .map(drop)
                .map_err(|e| Error::Usage(e.to_string()))?;
        }
        if let Some(make) = entry.on_clauses {
            make(&parsed)
                .map(drop)
                .map_err(|e| Error::Usage(e.to_string()))?;
        }
    }
    certify_options(&parsed)
        .map(drop)
        .map_err(|e| Error::Usage(e.to_string()))?;
    let interpolation = interpolate_options(InterpolateOptions::default(), &parsed);
    interpolation
        .map(drop)
        .map_err(|e| Error::Usage(e.to_string()))
}

/// The options of the interpolator, from a start.
///
/// # Errors
/// When a value is no value of its option.
pub fn interpolate_options(
    mut options: InterpolateOptions,
    settings: &Settings,
) -> Result<InterpolateOptions, OptionError> {
    settings.apply(InterpolateOptions::GROUP, &mut |name, text| {
        options.set(name, text)
    })?;
    Ok(options)
}

/// The options of the checker.
///
/// # Errors
/// When a value is no value of its option.
pub fn certify_options(settings: &Settings) -> Result<CertifyOptions, OptionError> {
    let mut options = CertifyOptions::default();
    settings.apply(CertifyOptions::GROUP, &mut |name, text| {
        options.set(name, text)
    })?;
    Ok(options)
}

/// What workers take from each other, by settings.
pub(crate) fn sharing_options(settings: &Settings) -> Result<SharingOptions, OptionError> {
    let mut options = SharingOptions::default();
    settings.apply(SharingOptions::GROUP, &mut |name, text| {
        options.set(name, text)
    })?;
    Ok(options)
}

/// Settings as group, option and value; later ones win.
#[derive(Clone, Debug, Default)]
pub struct Settings(Vec<(String, String, String)>);

impl Settings {
    /// Reads settings of the form `group.option=value`.
    ///
    /// # Errors
    /// When one has another form or names an option that does not exist.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a String>) -> Result<Settings, Error> {
        let known = options();
        let mut list = Vec::new();
        for text in texts {
            let parts = text
                .split_once('=')
                .and_then(|(name, value)| name.split_once('.').map(|n| (n, name, value)));
            let Some(((group, option), name, value)) = parts else {
                return Err(Error::Usage(format!(
                    "`{text}` is no setting; write group.option=value"
                )));
            };
            if !known.iter().any(|info| info.name == name) {
                return Err(Error::Usage(
                    OptionError::UnknownName(name.to_owned()).to_string(),
                ));
            }
            list.push((group.to_owned(), option.to_owned(), value.to_owned()));
        }
        Ok(Settings(list))
    }

    /// Hands the settings of a group to its table.
    pub fn apply(
        &self,
        group: &str,
        set: &mut dyn FnMut(&str, &str) -> Result<(), OptionError>,
    ) -> Result<(), OptionError> {
        self.0
            .iter()
            .filter(|(g, _, _)| g == group)
            .try_for_each(|(_, option, value)| set(option, value))
    }
}
