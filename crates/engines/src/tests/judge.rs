//! What an engine over clauses says in tests, and whether it is true: proofs are checked clause by clause
//! with fresh solvers, derivations by evaluation.

use foretell_kernel::{Alone, Answer, Budget, Cx, Engine, Halt, Reason, SolverConfig, Verdict};
use foretell_systems::{Atom, ChcProof, ChcSystem, Derivation};
use foretell_terms::{Term, TermStore, Value};
use foretell_testkit::Backends;

/// What the engine says with solvers that may fail, judged with one that does not.
pub(crate) fn judged(
    engine: &mut dyn Engine<ChcSystem>,
    system: &ChcSystem,
    oracles: &Backends,
    judge: &Cx<'_>,
) -> &'static str {
    let cx = Cx { oracles, ..*judge };
    match engine.check(system, &Alone, &cx) {
        Ok(Verdict::Safe(proof)) => {
            assert!(is_model(system, &proof, judge));
            "safe"
        }
        Ok(Verdict::Unsafe(derivation)) => {
            assert!(derives_false(system, &derivation, cx.terms));
            "unsafe"
        }
        Ok(Verdict::Unknown(Reason::Stopped(_))) | Err(Halt::Stopped(_)) => "stopped",
        Ok(Verdict::Unknown(_)) | Err(_) => "unknown",
    }
}

pub(crate) fn is_model(system: &ChcSystem, proof: &ChcProof, cx: &Cx<'_>) -> bool {
    let budget = Budget::unlimited();
    let cx = cx.with_budget(&budget);
    let at = |atom: &Atom| {
        let params = system.pred(atom.pred).params.iter().copied();
        let pairs = params.zip(atom.args.iter().copied());
        cx.terms
            .substitute(proof.formulas[atom.pred.index()], pairs)
    };
    system.clauses.iter().all(|clause| {
        let mut parts: Vec<Term> = clause.body.iter().map(at).collect();
        parts.push(clause.constraint);
        parts.extend(clause.head.iter().map(|h| cx.terms.not(at(h))));
        let mut solver = cx.oracles.solver(&SolverConfig::new("test"));
        let whole = cx.terms.and(parts);
        solver.assert(cx.terms, whole).expect("accepted");
        matches!(solver.check(&[], &cx), Ok(Answer::Unsat(_)))
    })
}

fn derives_false(system: &ChcSystem, derivation: &Derivation, terms: &TermStore) -> bool {
    let mut facts: Vec<Option<(u32, Vec<Value>)>> = Vec::new();
    for step in &derivation.steps {
        let clause = system.clause(step.clause);
        let value = |t: Term| terms.eval(t, &step.values).ok();
        let fact = |a: &Atom| {
            Some((
                a.pred.0,
                a.args
                    .iter()
                    .map(|&t| value(t))
                    .collect::<Option<Vec<_>>>()?,
            ))
        };
        let premises_fit = clause
            .body
            .iter()
            .zip(&step.premises)
            .all(|(a, &p)| fact(a).is_some() && facts[p] == fact(a));
        if value(clause.constraint) != Some(Value::Bool(true)) || !premises_fit {
            return false;
        }
        facts.push(clause.head.as_ref().and_then(fact));
    }
    derivation
        .steps
        .last()
        .is_some_and(|s| system.clause(s.clause).is_query())
}
