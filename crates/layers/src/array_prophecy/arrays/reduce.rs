//! Which of the labelled instances are needed: unsat cores, and deletion by groups.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, section 6.1 (filtering of axiom instances; the longest delay
//! is dropped first).
//!
//! ```text
//! core(L)            L' ⊆ L with no path under L', repeated until the core no longer shrinks
//! drop(L, groups)    for each group in order: L ← core(L \ group) if there is no path without it
//! needed(L)          drop(core(L), non-consecutive instances by delay and index, the longest delay first)
//! ```

use foretell_kernel::{Cx, Halt};
use foretell_terms::{Term, TermSet};
use indexmap::IndexMap;

use super::unrolling::{Paths, Unrolling};

/// Cores are asked for again at most so many times.
const ROUNDS: usize = 3;

/// A small set of labels under which there is no path; `labels` must be one.
pub(crate) fn core(paths: &mut Unrolling, labels: TermSet, cx: &Cx<'_>) -> Result<TermSet, Halt> {
    let mut labels = labels;
    for _ in 0..ROUNDS {
        match paths.check(&labels, |_, _| (), cx)? {
            Paths::None(smaller) if smaller.len() < labels.len() => labels = smaller,
            _ => break,
        }
    }
    Ok(labels)
}

/// Drops groups of labels, in the order given, as long as there is no path without them.
pub(crate) fn drop_groups(
    paths: &mut Unrolling,
    labels: TermSet,
    groups: &[TermSet],
    cx: &Cx<'_>,
) -> Result<TermSet, Halt> {
    let mut labels = labels;
    for group in groups {
        let without: TermSet = labels
            .iter()
            .copied()
            .filter(|l| !group.contains(l))
            .collect();
        if without.len() == labels.len() {
            continue;
        }
        if let Paths::None(smaller) = paths.check(&without, |_, _| (), cx)? {
            labels = smaller;
        }
    }
    Ok(labels)
}

/// The delay and the index of a non-consecutive instance under a label.
pub(crate) type Place<'a> = dyn Fn(&Term) -> Option<(u32, Vec<Term>)> + 'a;

/// The labels that are needed, non-consecutive instances of long delays dropped first.
pub(crate) fn needed(
    paths: &mut Unrolling,
    labels: TermSet,
    place: &Place<'_>,
    cx: &Cx<'_>,
) -> Result<TermSet, Halt> {
    let core = core(paths, labels, cx)?;
    let mut groups: IndexMap<(u32, Vec<Term>), TermSet> = IndexMap::new();
    for label in &core {
        if let Some(key) = place(label) {
            groups.entry(key).or_default().insert(*label);
        }
    }
    let mut groups: Vec<(u32, TermSet)> = groups
        .into_iter()
        .map(|((d, _), labels)| (d, labels))
        .collect();
    groups.sort_by_key(|(delay, _)| std::cmp::Reverse(*delay));
    let groups: Vec<TermSet> = groups.into_iter().map(|(_, labels)| labels).collect();
    drop_groups(paths, core, &groups, cx)
}
