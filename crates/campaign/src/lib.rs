//! Tests that run for hours, each with one command (`docs/testing.md`): generated systems against the
//! truth, the corpus under injected faults, mutated texts against every reader.
//!
//! Reading order: [`oracles`], [`run`](mod@run) (one text through the pipeline), [`settings`],
//! [`relations`], [`case`] (one generated system), [`faults`] (one file of the corpus), [`ledger`],
//! [`worker`], [`fuzz`] (the campaign), [`reduce`], [`attempt`]; for the readers [`targets`], [`mutate`],
//! [`parsers`].

pub mod attempt;
pub mod case;
pub mod faults;
pub mod fuzz;
pub mod ledger;
pub mod mutate;
pub mod oracles;
pub mod parsers;
pub mod reduce;
pub mod relations;
pub mod run;
pub mod settings;
pub mod supervised;
pub mod targets;
pub mod worker;
