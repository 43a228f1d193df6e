//! Tests that run for hours, each with one command (`docs/testing.md`): generated systems against the
//! truth, the corpus under injected faults, mutated texts against every reader, conversations.
//!
//! What they are made of (generators, relations, mutators, the reducer, the targets) is in
//! `foretell_testkit`; here are the loops, the ledger and the summary.
//!
//! Reading order: [`run`](mod@run) (one text, everything caught), [`case`] (one generated system),
//! [`faults`] (one file of the corpus), [`ledger`], [`worker`], [`fuzz`] (the campaign), [`attempt`] (for
//! the reducer), [`parsers`], [`sessions`].

pub mod attempt;
pub mod case;
pub mod faults;
pub mod fuzz;
pub mod ledger;
pub mod parsers;
pub mod run;
pub mod sessions;
pub mod supervised;
pub mod worker;
