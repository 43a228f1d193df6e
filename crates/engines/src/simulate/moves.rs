//! Clauses as moves from state to state.

use foretell_kernel::Cx;
use foretell_systems::{ChcSystem, ClauseId};
use foretell_terms::plan::Plan;
use foretell_terms::{Integer, Op, Term, TermSet, TermStore};
use indexmap::IndexSet;

/// A clause and what it leaves open.
pub(super) struct Move {
    pub(super) clause: ClauseId,
    /// Variables that no premise gives a value.
    pub(super) open: Vec<Term>,
    /// Numbers that it speaks of, and their neighbours.
    pub(super) numbers: Vec<Integer>,
    /// The conjuncts of the constraint.
    pub(super) holds: Vec<Plan>,
    /// The arguments of the head.
    pub(super) derives: Plan,
    /// How often it was taken.
    pub(super) taken: u32,
}

/// What is known of a clause before the first run.
pub(super) fn prepared(system: &ChcSystem, id: ClauseId, cx: &Cx<'_>) -> Move {
    let (terms, clause) = (cx.terms, system.clause(id));
    let args = clause.body.iter().flat_map(|a| a.args.iter().copied());
    let bound: TermSet = args.collect();
    let open = clause.vars.iter().copied().filter(|v| !bound.contains(v));
    let atoms = clause.body.iter().chain(&clause.head);
    let mut roots: Vec<Term> = atoms.flat_map(|a| a.args.iter().copied()).collect();
    roots.push(clause.constraint);
    let mut numbers: IndexSet<Integer> = (-1..=1).map(Integer::from).collect();
    for term in terms.subterms(&roots) {
        let n = match terms.op(term) {
            Op::Int(n) => n.clone(),
            Op::BitVec(_, bits) => Integer::from(bits.clone()),
            _ => continue,
        };
        numbers.extend([&n - Integer::ONE, &n + Integer::ONE, n]);
    }
    Move {
        clause: id,
        open: open.collect(),
        numbers: numbers.into_iter().collect(),
        holds: conjuncts(terms, clause.constraint),
        derives: Plan::new(terms, clause.head.as_ref().map_or(&[], |head| &head.args)),
        taken: 0,
    }
}

/// Plans of the conjuncts of a formula, so that a false one is found soon; of the whole where they share much.
fn conjuncts(terms: &TermStore, formula: Term) -> Vec<Plan> {
    let whole = Plan::new(terms, &[formula]);
    let parts: Vec<Plan> = match terms.op(formula) {
        Op::And => {
            let parts = terms.args(formula).iter();
            parts.map(|&part| Plan::new(terms, &[part])).collect()
        }
        _ => Vec::new(),
    };
    let size: usize = parts.iter().map(Plan::size).sum();
    match parts.is_empty() || size > 2 * whole.size() {
        true => vec![whole],
        false => parts,
    }
}
