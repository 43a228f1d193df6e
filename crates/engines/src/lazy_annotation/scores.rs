//! Relevance of rules: which subgoal and which rule to resolve first.
//!
//! CAV 2014, section 4, resolution heuristic. Every rule begins with 0; a rule whose resolution is taken
//! back without a stronger annotation loses one; the highest comes first. The scores outlive a bound.

use foretell_systems::{ChcSystem, ClauseId};

use super::rules::Rules;

/// The relevance of each clause.
pub(super) struct Scores(Vec<i64>);

impl Scores {
    /// All alike.
    pub(super) fn new(system: &ChcSystem) -> Scores {
        Scores(vec![0; system.clauses.len()])
    }

    /// A resolution with this clause was taken back, and nothing was learnt from it.
    pub(super) fn lower(&mut self, clause: ClauseId) {
        self.0[clause.index()] -= 1;
    }

    /// The highest score of these rules.
    pub(super) fn highest(&self, rules: &Rules) -> Option<i64> {
        let scores = rules.list.iter().map(|r| self.0[r.clause.index()]);
        scores.max()
    }

    /// The positions of the rules with the highest score, unless all have it.
    pub(super) fn best(&self, rules: &Rules) -> Option<Vec<usize>> {
        let highest = self.highest(rules)?;
        let is_best = |r: &usize| self.0[rules.list[*r].clause.index()] == highest;
        let best: Vec<usize> = (0..rules.list.len()).filter(is_best).collect();
        (best.len() < rules.list.len()).then_some(best)
    }
}
