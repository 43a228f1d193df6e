//! Propagation: moving clauses forward until two frames are the same (FMCAD 2011, figure 9).

use foretell_kernel::{Cx, Halt};

use super::cube::Cube;
use super::literals::Reply;
use super::queries::Assume;
use super::search::Search;
use super::trace::Level;

/// Pushes every clause as far as it is inductive. If then `F_i = F_{i+1}`, the cubes of F_i:
/// the conjunction of their negations is inductive and excludes the bad states.
pub(super) fn propagate(search: &mut Search<'_>, cx: &Cx<'_>) -> Result<Option<Vec<Cube>>, Halt> {
    let frontier = search.trace.frontier();
    let mut level = Level(1);
    while level < frontier {
        for cube in search.trace.delta(level).to_vec() {
            cx.budget.check()?;
            // A stronger clause may have taken its place meanwhile.
            if !search.trace.delta(level).contains(&cube) {
                continue;
            }
            search.queries.refresh(search.trace, cx)?;
            if let Reply::Unsat(core) =
                search
                    .queries
                    .rel_ind(&cube, level.above(), Assume::Nothing, None, cx)?
            {
                let core = search.located(core, &cube, cx);
                let stronger = core.len() < cube.len()
                    && matches!(search.queries.excludes_init(&core, cx)?, Reply::Unsat(_));
                search.learn(if stronger { core } else { cube }, level.above(), cx)?;
            }
        }
        if search.trace.delta(level).is_empty() {
            return Ok(Some(search.trace.cubes(level).cloned().collect()));
        }
        level = level.above();
    }
    Ok(None)
}
