//! Abstract, check, refine: wrappers around any engine.
//!
//! A layer implements [`foretell_kernel::Abstraction`]; [`cegar::Cegar`] runs it over an engine and is
//! an engine itself, so layers compose as types. Counterexample-guided prophecy is
//! `Cegar<ArrayProphecy, E>`, the view of arrays at finitely many indices `Cegar<Cells, E>`, for any
//! engine `E` on transition systems; large constants are abstracted above by `Cegar<Values, _>`.
//!
//! Reading order: [`cegar`], [`array_prophecy::arrays`] (the array theory as uninterpreted functions and axiom
//! instances), [`array_prophecy::prophecy`] (history and prophecy variables), [`array_prophecy`] (the refinement that
//! ties them together), [`cells`] (arrays at finitely many indices), [`along_loop`] (goals about the end
//! of a loop), [`values`] (large constants).

mod along_loop;
mod array_prophecy;
mod cegar;
mod cells;
mod values;

pub use along_loop::{Running, RunningOptions};
pub use array_prophecy::{ArrayProphecy, ArrayProphecyOptions};
pub use cegar::Cegar;
pub use cells::{Cells, CellsOptions};
pub use values::{Values, ValuesOptions};
