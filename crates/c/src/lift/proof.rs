//! A solution of the clauses as formulas at points.

use foretell_systems::ChcProof;
use foretell_terms::{Substitution, Term, TermStore};

use crate::encode::{Encoded, PredKind, Slot, program_vars};
use crate::program::{FuncId, Invariants, Program, Summary};

/// The formula of each predicate at its point, over one term for each variable of the program.
///
/// Values at the entry of a recursive function appear as terms of their own, listed in
/// [`Invariants::entry`].
pub fn invariants(
    program: &Program,
    encoded: &Encoded,
    proof: &ChcProof,
    terms: &TermStore,
) -> Invariants {
    let vars = program_vars(terms, program);
    let entry: Vec<Term> = program
        .vars
        .iter()
        .zip(&vars)
        .map(|(var, &now)| terms.new_var(&format!("\\old({})", var.name), terms.sort(now)))
        .collect();
    let mut found: Vec<(PredKind, Term)> = Vec::new();
    for (i, formula) in proof.formulas.iter().enumerate() {
        let (kind, slots) = &encoded.preds[i];
        let params = &encoded.system.preds[i].params;
        let values = slots.iter().map(|slot| match slot {
            Slot::Now(var) => vars[var.index()],
            Slot::Entry(var) => entry[var.index()],
        });
        let mut map = Substitution::from_pairs(params.iter().copied().zip(values));
        found.push((*kind, map.apply(terms, *formula)));
    }
    Invariants::new(&found, vars, entry)
}

impl Invariants {
    /// The formulas of predicates, sorted by what they are about.
    ///
    /// `vars` and `entry` are as in the type.
    pub fn new(found: &[(PredKind, Term)], vars: Vec<Term>, entry: Vec<Term>) -> Invariants {
        let at = found.iter().filter_map(|(kind, formula)| match kind {
            PredKind::Point(point) => Some((*point, *formula)),
            PredKind::Pre(_) | PredKind::Sum(_) => None,
        });
        let of = |wanted: PredKind| found.iter().find(|(kind, _)| *kind == wanted).map(|f| f.1);
        let summary = |func: FuncId| {
            Some(Summary {
                func,
                before: of(PredKind::Pre(func))?,
                after: of(PredKind::Sum(func))?,
            })
        };
        let functions = found.iter().filter_map(|(kind, _)| match kind {
            PredKind::Sum(func) => Some(*func),
            PredKind::Point(_) | PredKind::Pre(_) => None,
        });
        Invariants {
            at: at.collect(),
            vars,
            entry,
            summaries: functions.filter_map(summary).collect(),
        }
    }
}
