//! Propagation: moving clauses forward until two frames are the same (FMCAD 2011, figure 9).

use foretell_kernel::{Cx, Halt};

use super::search::Search;
use super::trace::Level;
use crate::abstraction::{Cube, Reply};

impl Search {
    /// Pushes every clause ¬c of F_i to F_{i+1} where `F_i ∧ T ⊨ ¬c'`. If then `F_i = F_{i+1}`, the cubes
    /// of F_i: the conjunction of their negations is inductive and excludes the bad states.
    pub(super) fn propagate(&mut self, cx: &Cx<'_>) -> Result<Option<Vec<Cube>>, Halt> {
        let frontier = self.trace.frontier();
        let mut level = Level(1);
        while level < frontier {
            for cube in self.trace.delta(level).to_vec() {
                cx.budget.check()?;
                // A stronger clause may have taken its place meanwhile.
                if !self.trace.delta(level).contains(&cube) {
                    continue;
                }
                self.queries.refresh(&self.trace, cx)?;
                let query = self.queries.rel_ind(&cube).at(level.above());
                if let Reply::Unsat(core) = query.ask(cx)? {
                    let core = self.located(core, &cube, cx);
                    let stronger = core.len() < cube.len()
                        && matches!(self.queries.excludes_init(&core, cx)?, Reply::Unsat(_));
                    self.learn(if stronger { core } else { cube }, level.above(), cx)?;
                }
            }
            if self.trace.delta(level).is_empty() {
                return Ok(Some(self.trace.cubes(level).cloned().collect()));
            }
            level = level.above();
        }
        Ok(None)
    }
}
