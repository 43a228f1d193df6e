//! One algorithm per module, from problem to verdict.
//!
//! Engines know no backend: they ask `cx.oracles`. They know no layer and no pass, and
//! nothing of each other but `unfold` by name; what several need is in `program` (clauses as rules over
//! parameters), `houdini` (facts that are inductive) and `abstraction` (cubes over predicates).

mod abstraction;
pub mod bmc;
pub mod candidates;
pub mod facts;
pub mod functions;
mod houdini;
pub mod ic3ia;
pub mod instances;
pub mod kinduction;
pub mod lazy_annotation;
pub mod predicate_abstraction;
mod program;
pub mod simulate;
mod strongest;
pub mod symbolic;
pub mod tree_ic3ia;
pub mod unfold;

pub use bmc::{Bmc, BmcOptions};
pub use candidates::{Candidates, CandidatesOptions, observed_cells};
pub use facts::{Facts, FactsOptions};
pub use functions::{Functions, FunctionsOptions};
pub use houdini::inductive_facts;
pub use instances::{Instances, InstancesOptions};
pub use kinduction::{KInduction, KInductionOptions};
pub use lazy_annotation::{LazyAnnotation, LazyAnnotationOptions};
pub use predicate_abstraction::{PredicateAbstraction, PredicateAbstractionOptions};
pub use simulate::{Simulate, SimulateOptions};
pub use symbolic::{Symbolic, SymbolicOptions};
pub use tree_ic3ia::{TreeIc3ia, TreeIc3iaOptions};
pub use unfold::{Unfold, UnfoldOptions};

#[cfg(test)]
mod tests;
