//! Which engines there are: one entry each, and nothing else to change when one is added.
//!
//! An engine runs on clauses, on transition systems, or on both. Linear clauses are brought down to
//! a transition system for an engine that runs there; clauses that cannot go down are given to the
//! engine's clause form, if it has one (see [`crate::worker::pipeline`]).

use foretell_certify::CertifyOptions;
use foretell_engines::ic3ia::{Ic3ia, Ic3iaOptions};
use foretell_engines::{
    Bmc, BmcOptions, Candidates, CandidatesOptions, Facts as FactsEngine, FactsOptions, Functions,
    FunctionsOptions, Instances, InstancesOptions, KInduction, KInductionOptions, LazyAnnotation,
    LazyAnnotationOptions, PredicateAbstraction, PredicateAbstractionOptions, Simulate,
    SimulateOptions, Symbolic, SymbolicOptions, TreeIc3ia, TreeIc3iaOptions, Unfold, UnfoldOptions,
};
use foretell_foreign::{Other, Spacer, SpacerOptions};
use foretell_interpolate::InterpolateOptions;
use foretell_kernel::Engine;
use foretell_kernel::options::{OptionError, OptionInfo, OptionTable, Settings};
use foretell_layers::{
    ArrayProphecy, ArrayProphecyOptions, Cegar, Cells, CellsOptions, Running, RunningOptions,
    Values, ValuesOptions,
};
use foretell_passes::PassOptions;
use foretell_systems::{ChcSystem, TransitionSystem};

use crate::error::Error;
use crate::portfolio::Configuration;
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
    pub tables: &'static [Table],
    /// How it runs on transition systems.
    pub on_systems: Option<Make<SystemEngine>>,
    /// How it runs on clauses that cannot be brought down, or on all when it runs only there.
    pub on_clauses: Option<Make<ClauseEngine>>,
    /// What its proofs are like.
    pub proofs: Proofs,
    /// What it does with facts that other workers found.
    pub facts: Facts,
    /// Whose it is.
    pub origin: Origin,
}

/// Whose engine it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// One of this project.
    Own,
    /// Another solver, whose answers are checked like all others.
    Foreign,
    /// A solver that the configuration names by its command.
    Command,
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

/// A table of options without its type.
#[derive(Clone, Copy)]
pub struct Table {
    /// The group of the options.
    pub group: &'static str,
    /// The options.
    pub options: &'static [OptionInfo],
    check: fn(&Settings) -> Result<(), OptionError>,
}

impl Table {
    const fn of<T: OptionTable>() -> Table {
        Table {
            group: T::GROUP,
            options: T::TABLE,
            check: |settings| settings.of::<T>().map(drop),
        }
    }
}

/// Makes an engine with the options of one table: `engine!(Bmc, BmcOptions)`.
macro_rules! engine {
    ($engine:ty, $options:ty) => {
        Some(|settings| Ok(Box::new(<$engine>::new(settings.of::<$options>()?))))
    };
}

/// The running property, large constants and arrays over IC3; each takes the options of its own table.
fn prophecy(settings: &Settings) -> Result<SystemEngine, OptionError> {
    let layer = ArrayProphecy::new(settings.of::<ArrayProphecyOptions>()?);
    let arrays = Cegar::new("arrays", layer, Ic3ia::new(settings.of::<Ic3iaOptions>()?));
    let values = Values::new(settings.of::<ValuesOptions>()?);
    let running = Running::new(settings.of::<RunningOptions>()?);
    let numbers = Cegar::new("values", values, arrays);
    Ok(Box::new(Cegar::new("prophecy", running, numbers)))
}

/// Cells of arrays over IC3.
fn cells(settings: &Settings) -> Result<SystemEngine, OptionError> {
    let (layer, engine) = (CellsOptions::default(), Ic3iaOptions::default());
    over_cells("cells", layer, engine, settings)
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
    layer: CellsOptions,
    engine: Ic3iaOptions,
    settings: &Settings,
) -> Result<SystemEngine, OptionError> {
    let layer = Cells::new(settings.over(layer)?);
    let arrays = Cegar::new("arrays", layer, Ic3ia::new(settings.over(engine)?));
    let values = Values::new(settings.of::<ValuesOptions>()?);
    Ok(Box::new(Cegar::new(name, values, arrays)))
}

/// All engines.
pub const ENGINES: &[EngineEntry] = &[
    EngineEntry {
        name: "bmc",
        about: "bounded model checking; on non-linear clauses, bounded unfolding: finds counterexamples, and proves what has short runs only",
        tables: &[Table::of::<BmcOptions>(), Table::of::<UnfoldOptions>()],
        on_systems: engine!(Bmc, BmcOptions),
        on_clauses: engine!(Unfold, UnfoldOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "kinduction",
        about: "k-induction: proves what follows from the last k states",
        tables: &[Table::of::<KInductionOptions>()],
        on_systems: engine!(KInduction, KInductionOptions),
        on_clauses: None,
        proofs: Proofs::SeveralSteps,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "instances",
        about: "instances with few elements of each uninterpreted sort: proves protocols for any number of participants",
        tables: &[Table::of::<InstancesOptions>()],
        on_systems: engine!(Instances, InstancesOptions),
        on_clauses: None,
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "candidates",
        about: "candidate invariants, quantified over array indices, kept by Houdini: proves array programs",
        tables: &[Table::of::<CandidatesOptions>()],
        on_systems: None,
        on_clauses: engine!(Candidates, CandidatesOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Proposed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "facts",
        about: "all facts one by one where there are few: proves and refutes programs with few states",
        tables: &[Table::of::<FactsOptions>()],
        on_systems: None,
        on_clauses: engine!(FactsEngine, FactsOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "functions",
        about: "induction over predicates that are functions over lists and trees: proves functional programs",
        tables: &[Table::of::<FunctionsOptions>()],
        on_systems: None,
        on_clauses: engine!(Functions, FunctionsOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "simulate",
        about: "runs on concrete states: finds counterexamples that are deep and easy to come by",
        tables: &[Table::of::<SimulateOptions>()],
        on_systems: None,
        on_clauses: engine!(Simulate, SimulateOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "symbolic",
        about: "symbolic execution with merging: proves and refutes programs whose loops run a fixed number of times",
        tables: &[Table::of::<SymbolicOptions>()],
        on_systems: None,
        on_clauses: engine!(Symbolic, SymbolicOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "predicate_abstraction",
        about: "backward reachability over predicates, refined for quantified array assertions: proves and refutes linear clauses",
        tables: &[Table::of::<PredicateAbstractionOptions>()],
        on_systems: None,
        on_clauses: engine!(PredicateAbstraction, PredicateAbstractionOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "ic3ia",
        about: "IC3 with implicit predicate abstraction: proves and refutes transition systems",
        tables: &[Table::of::<Ic3iaOptions>()],
        on_systems: engine!(Ic3ia, Ic3iaOptions),
        on_clauses: None,
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "tree_ic3ia",
        about: "IC3 with implicit abstraction over a reachability tree with covering: proves and refutes linear clauses over scalars",
        tables: &[Table::of::<TreeIc3iaOptions>()],
        on_systems: None,
        on_clauses: engine!(TreeIc3ia, TreeIc3iaOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "lazy_annotation",
        about: "lazy annotation: conflict-driven search with interpolants; proves and refutes clauses, linear or not",
        tables: &[Table::of::<LazyAnnotationOptions>()],
        on_systems: None,
        on_clauses: engine!(LazyAnnotation, LazyAnnotationOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "cells",
        about: "arrays at finitely many indices over IC3: proves and refutes systems with arrays",
        tables: &[
            Table::of::<CellsOptions>(),
            Table::of::<ValuesOptions>(),
            Table::of::<Ic3iaOptions>(),
        ],
        on_systems: Some(cells),
        on_clauses: None,
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "quantified",
        about: "cells over IC3 with frames quantified over indices: proves what no single index shows",
        tables: &[
            Table::of::<CellsOptions>(),
            Table::of::<ValuesOptions>(),
            Table::of::<Ic3iaOptions>(),
        ],
        on_systems: Some(quantified),
        on_clauses: None,
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "prophecy",
        about: "counterexample-guided prophecy over IC3: proves and refutes systems with arrays",
        tables: &[
            Table::of::<ArrayProphecyOptions>(),
            Table::of::<RunningOptions>(),
            Table::of::<ValuesOptions>(),
            Table::of::<Ic3iaOptions>(),
        ],
        on_systems: Some(prophecy),
        on_clauses: None,
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Own,
    },
    EngineEntry {
        name: "spacer",
        about: "Z3's Horn solver in a process of its own; its models and refutations are checked like ours",
        tables: &[Table::of::<SpacerOptions>()],
        on_systems: None,
        on_clauses: engine!(Spacer, SpacerOptions),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Foreign,
    },
    EngineEntry {
        name: "other",
        about: "another Horn solver by its command (--foreign, or `command` in a portfolio file); its models are checked like ours",
        tables: &[],
        on_systems: None,
        on_clauses: Some(|_| Ok(Box::new(Other))),
        proofs: Proofs::OneStep,
        facts: Facts::Assumed,
        origin: Origin::Command,
    },
];

/// Option tables that belong to no engine.
pub const COMMON: &[Table] = &[
    Table::of::<InterpolateOptions>(),
    Table::of::<CertifyOptions>(),
    Table::of::<PassOptions>(),
    Table::of::<SharingOptions>(),
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

/// All option tables, each once, in the order of the engines.
pub fn tables() -> Vec<&'static Table> {
    let mut list: Vec<&Table> = Vec::new();
    for table in ENGINES.iter().flat_map(|e| e.tables).chain(COMMON) {
        if !list.iter().any(|known| known.group == table.group) {
            list.push(table);
        }
    }
    list
}

/// Reads settings of the form `group.option=value`: every one names an option of some table and a
/// value in its range.
///
/// # Errors
/// Words for the user.
pub fn settings<'a>(texts: impl IntoIterator<Item = &'a String>) -> Result<Settings, Error> {
    let (settings, tables) = (Settings::parse(texts)?, tables());
    let is_known = |group: &str| tables.iter().any(|table| table.group == group);
    if let Some((group, option)) = settings.names().find(|(group, _)| !is_known(group)) {
        return Err(OptionError::UnknownName(format!("{group}.{option}")).into());
    }
    tables.iter().try_for_each(|t| (t.check)(&settings))?;
    Ok(settings)
}

/// An engine with everything that settings say about a run of it.
pub struct Prepared {
    /// The engine's entry.
    pub entry: &'static EngineEntry,
    /// The engine for transition systems.
    pub on_systems: Option<SystemEngine>,
    /// The engine for clauses.
    pub on_clauses: Option<ClauseEngine>,
    /// Which passes run before it.
    pub passes: PassOptions,
    /// What it tells and takes.
    pub sharing: SharingOptions,
    /// How its witnesses are checked.
    pub certify: CertifyOptions,
    /// How its interpolants are made.
    pub interpolate: InterpolateOptions,
}

impl Prepared {
    /// The engine of a configuration, with its settings and those that come after them.
    ///
    /// # Errors
    /// When there is no such engine, or a setting is wrong.
    pub fn new(configuration: &Configuration, more: &[String]) -> Result<Prepared, Error> {
        let entry = engine(&configuration.engine)?;
        let settings = settings(configuration.settings.iter().chain(more))?;
        // The functions of a problem are rigid: every predicate may mention them.
        let rigid = InterpolateOptions {
            rigid_functions: true,
            ..InterpolateOptions::default()
        };
        Ok(Prepared {
            entry,
            on_systems: entry.on_systems.map(|make| make(&settings)).transpose()?,
            on_clauses: entry.on_clauses.map(|make| make(&settings)).transpose()?,
            passes: settings.of()?,
            sharing: settings.of()?,
            certify: settings.of()?,
            interpolate: settings.over(rigid)?,
        })
    }
}
