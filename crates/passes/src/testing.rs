//! Tiny helpers for the tests of this crate: replay, derivations by name, and checks of proofs by brute
//! force over small domains.

use foretell_kernel::Cx;
use foretell_systems::{ChcProof, ChcSystem, Clause, ClauseId, Derivation, DerivationStep};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, Value};

/// Replays a derivation clause by clause; the words say what is wrong.
pub(crate) fn replay(
    system: &ChcSystem,
    derivation: &Derivation,
    cx: &Cx<'_>,
) -> Result<(), String> {
    let outcome = foretell_certify::replay_derivation(cx.terms, system, derivation).outcome;
    let accepted = outcome.is_accepted();
    accepted.then_some(()).ok_or_else(|| outcome.to_string())
}

/// The contract of one clause under a proof, as a formula that must be valid.
pub(crate) fn contract(system: &ChcSystem, proof: &ChcProof, clause: &Clause, cx: &Cx<'_>) -> Term {
    let instance = |atom: &foretell_systems::Atom| {
        foretell_formulas::instantiate(
            cx.terms,
            proof.formulas[atom.pred.index()],
            &system.pred(atom.pred).params,
            &atom.args,
        )
    };
    let body = cx
        .terms
        .and(clause.body.iter().map(instance).chain([clause.constraint]));
    cx.terms
        .implies(body, clause.head.as_ref().map_or(cx.terms.ff(), instance))
}

/// Checks a quantifier-free proof over small values of Int and Bool variables.
pub(crate) fn check_small(system: &ChcSystem, proof: &ChcProof, cx: &Cx<'_>) {
    for (n, clause) in system.clauses.iter().enumerate() {
        let formula = contract(system, proof, clause, cx);
        let mut assignments = vec![Assignment::new()];
        for var in cx.terms.free_vars(&[formula]) {
            let domain: Vec<Value> = if cx.terms.sort(var) == foretell_terms::Sort::BOOL {
                vec![Value::Bool(false), Value::Bool(true)]
            } else {
                (-2i64..=6).map(|n| Value::Int(n.into())).collect()
            };
            let extend = |a: &Assignment, v: &Value| {
                let mut a = a.clone();
                a.insert(var, v.clone());
                a
            };
            assignments = assignments
                .iter()
                .flat_map(|a| domain.iter().map(|v| extend(a, v)))
                .collect();
        }
        for assignment in assignments {
            let ok = cx.terms.eval_bool(formula, &assignment);
            assert_eq!(
                ok,
                Ok(true),
                "clause {n} under {assignment:?}: {}",
                cx.terms.print(formula)
            );
        }
    }
}

/// The value of an integer.
pub(crate) fn int(n: i64) -> Value {
    Value::Int(n.into())
}

/// A derivation along a path: each step is a clause with values of its variables by name.
pub(crate) fn steps(
    system: &ChcSystem,
    cx: &Cx<'_>,
    path: &[(u32, &[(&str, Value)])],
) -> Derivation {
    let mut derivation = Derivation::default();
    for (n, (clause, named)) in path.iter().enumerate() {
        let clause = ClauseId(*clause);
        let mut values = Assignment::new();
        for (name, value) in *named {
            let vars = &system.clause(clause).vars;
            let var = vars
                .iter()
                .find(|&&v| foretell_formulas::base_name(cx.terms.var_name(v)) == *name);
            values.insert(*var.unwrap(), value.clone());
        }
        derivation.steps.push(DerivationStep {
            clause,
            values,
            premises: n.checked_sub(1).into_iter().collect(),
        });
    }
    derivation
}

/// The clauses as text, one per line.
pub(crate) fn print_clauses(system: &ChcSystem, cx: &Cx<'_>) -> String {
    let atom = |a: &foretell_systems::Atom| {
        let args: Vec<String> = a.args.iter().map(|&t| cx.terms.print(t)).collect();
        format!("{}({})", system.name(cx.terms, a.pred), args.join(", "))
    };
    let line = |c: &Clause| {
        let mut body: Vec<String> = c.body.iter().map(atom).collect();
        body.extend(
            cx.terms
                .conjuncts(c.constraint)
                .into_iter()
                .map(|t| cx.terms.print(t)),
        );
        format!(
            "{} <= {}\n",
            c.head.as_ref().map_or("false".into(), atom),
            body.join(", ")
        )
    };
    system.clauses.iter().map(line).collect()
}
