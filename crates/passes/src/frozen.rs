//! Frozen arguments: values no rule ever changes.
//!
//! ```text
//! loop(a, 0, n)  ⇐ n > 0
//! loop(store(a, i, 0), i + 1, n) ⇐ loop(a, i, n) ∧ i < n          frozen: loop.2
//! false ⇐ loop(a, i, n) ∧ …
//! ```
//!
//! A class of aligned arguments ([`Alignment`]) is **frozen** when every rule either has no argument
//! in the class, or has one in every body atom and in the head and these are the same term. Facts may
//! choose any value. Such an argument is a rigid parameter of the transition system: engines need no
//! frame condition for it, and a term over frozen symbols has one value in the whole run.

use foretell_systems::ChcSystem;

use crate::alignment::Alignment;

/// Which classes of an alignment are frozen.
pub(crate) fn frozen_classes(system: &ChcSystem, alignment: &Alignment) -> Vec<bool> {
    (0..alignment.classes.len())
        .map(|class| is_frozen(system, alignment, class))
        .collect()
}

fn is_frozen(system: &ChcSystem, alignment: &Alignment, class: usize) -> bool {
    system.clauses.iter().all(|clause| {
        let Some(head) = &clause.head else {
            return true;
        };
        let target = alignment.position(class, head.pred).map(|k| head.args[k]);
        clause
            .body
            .iter()
            .all(|atom| alignment.position(class, atom.pred).map(|k| atom.args[k]) == target)
    })
}
