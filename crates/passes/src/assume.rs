//! Facts that hold in all reachable states become part of the clauses.
//!
//! ```text
//! q(t) ⇐ p(s) ∧ φ      becomes      q(t) ⇐ p(s) ∧ φ ∧ fact_p(s)
//! ```
//!
//! Contract: the facts are inductive together. Then the clauses derive the same atoms. A proof of the new
//! clauses becomes one of the old by adding the facts to it; a derivation from the new clauses is one from
//! the old as it stands, because each constraint only got stronger. Facts that are not inductive cost the
//! proof (its check fails), never its truth.

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{Atom, ChcProof, ChcSystem, Clause, Derivation, Pred};
use foretell_terms::{Substitution, Term};

use crate::shared::facts::Fact;

/// The pass, with facts over the parameters of their predicates.
#[derive(Clone, Default, Debug)]
pub struct Assume {
    /// The facts.
    pub facts: Vec<(Pred, Term)>,
}

impl Assume {
    /// The conjunction of the facts of a predicate.
    fn of(&self, pred: Pred, cx: &Cx<'_>) -> Term {
        cx.terms.and(
            self.facts
                .iter()
                .filter(|(p, _)| *p == pred)
                .map(|(_, f)| *f),
        )
    }

    fn at(&self, system: &ChcSystem, atom: &Atom, cx: &Cx<'_>) -> Term {
        let params = system.pred(atom.pred).params.iter().copied();
        let mut here = Substitution::from_pairs(params.zip(atom.args.iter().copied()));
        here.apply(cx.terms, self.of(atom.pred, cx))
    }
}

impl Pass for Assume {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = AssumeLift;

    fn name(&self) -> &'static str {
        "assume"
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, AssumeLift), Halt> {
        let clause = |clause: &Clause| {
            let facts = clause.body.iter().map(|atom| self.at(from, atom, cx));
            let constraint = cx.terms.and(
                cx.terms
                    .conjuncts(clause.constraint)
                    .into_iter()
                    .chain(facts),
            );
            Clause {
                constraint,
                ..clause.clone()
            }
        };
        let to = ChcSystem {
            preds: from.preds.clone(),
            clauses: from.clauses.iter().map(clause).collect(),
        };
        Ok((
            to,
            AssumeLift {
                facts: from.pred_ids().map(|p| self.of(p, cx)).collect(),
            },
        ))
    }
}

/// The way back.
pub struct AssumeLift {
    /// The conjunction of the facts of each predicate.
    facts: Vec<Term>,
}

impl Translation for AssumeLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![fact]
    }

    fn down(&self, fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![fact]
    }
}

impl Lift for AssumeLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        let ChcProof { formulas, witness } = proof;
        let join = |list: Vec<Term>| {
            list.into_iter()
                .zip(&self.facts)
                .map(|(f, &g)| cx.terms.and2(f, g))
                .collect()
        };
        let witness = witness.map(|mut witness| {
            witness.invariants = join(std::mem::take(&mut witness.invariants));
            witness
        });
        Ok(ChcProof {
            formulas: join(formulas),
            witness,
        })
    }

    fn cex(&self, derivation: Derivation, _cx: &Cx<'_>) -> Result<Derivation, Halt> {
        Ok(derivation)
    }
}

#[cfg(test)]
mod tests {
    use foretell_kernel::{Lift, Pass};
    use foretell_systems::ChcProof;

    use super::Assume;
    use foretell_testkit::read::clauses;
    use foretell_testkit::with_cx;

    #[test]
    fn facts_strengthen_bodies_and_return_to_the_proof() {
        with_cx(|cx| {
            let system = clauses(
                cx.terms,
                "(declare-rel p (Int)) (declare-var i Int)
                 (rule (=> true (p 0))) (rule (=> (and (p i) (< i 9)) (p (+ i 1)))) (query (and (p i) (< 9 i)))",
            );
            let pred = system.pred_ids().next().expect("there is one");
            let param = system.pred(pred).params[0];
            let fact = cx.terms.le(cx.terms.int(0), param);
            let (to, lift) = Assume {
                facts: vec![(pred, fact)],
            }
            .run(&system, cx)
            .unwrap();
            assert_eq!(
                to.clauses[0].constraint, system.clauses[0].constraint,
                "no body, no fact"
            );
            assert_ne!(to.clauses[1].constraint, system.clauses[1].constraint);
            let bound = cx.terms.le(param, cx.terms.int(9));
            let proof = lift
                .proof(
                    ChcProof {
                        formulas: vec![bound],
                        witness: None,
                    },
                    cx,
                )
                .unwrap();
            assert_eq!(proof.formulas, vec![cx.terms.and2(bound, fact)]);
        });
    }
}
