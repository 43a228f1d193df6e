//! Cone of influence: only what can be derived and can matter stays.
//!
//! ```text
//! p(0) ⇐ true                          p(0) ⇐ true
//! q(x) ⇐ r(x)                          false ⇐ p(x) ∧ x > 0
//! s(x) ⇐ p(x)                    →
//! false ⇐ p(x) ∧ x > 0
//! false ⇐ q(x)
//! ```
//!
//! A clause whose head is one of its body atoms says nothing and goes. Of the others: a predicate is
//! *derivable* if some clause with a constraint other than `false` and derivable body has it as head; it is *relevant* if it occurs in the body of a kept clause that is a query or has
//! a relevant head. A clause stays when its body is derivable and its head relevant or `false`.
//!
//! The way back: underivable predicates are `false`, derivable ones that are not relevant are `true`;
//! every dropped clause then holds. A derivation uses kept clauses only.

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{Atom, ChcProof, ChcSystem, Clause, ClauseId, Derivation, Pred};
use foretell_terms::{Term, TermStore};

use crate::shared::facts::Fact;
use crate::shared::witness;

/// The name of the pass.
const NAME: &str = "cone_of_influence";

/// The pass.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct ConeOfInfluence;

impl Pass for ConeOfInfluence {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = ConeLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, ConeLift), Halt> {
        let derivable = derivable(from, cx.terms);
        let relevant = relevant(from, &derivable, cx.terms);
        let (mut to, mut fates) = (ChcSystem::default(), Vec::new());
        for pred in from.pred_ids() {
            let fate = match (derivable[pred.index()], relevant[pred.index()]) {
                (false, _) => Fate::False,
                (true, false) => Fate::True,
                (true, true) => {
                    to.preds.push(from.pred(pred).clone());
                    Fate::Kept(last(to.preds.len(), Pred))
                }
            };
            fates.push(fate);
        }
        let rename = |atom: &Atom| match fates[atom.pred.index()] {
            Fate::Kept(pred) => Some(Atom {
                pred,
                args: atom.args.clone(),
            }),
            _ => None,
        };
        let mut places = vec![None; from.clauses.len()];
        for (clause, place) in from.clauses.iter().zip(&mut places) {
            if can_fire(clause, &derivable, cx.terms)
                && let Some(body) = clause
                    .body
                    .iter()
                    .map(&rename)
                    .collect::<Option<Vec<Atom>>>()
            {
                let head = clause.head.as_ref().map(&rename);
                if head == Some(None) {
                    continue;
                }
                to.clauses.push(Clause {
                    body,
                    head: head.flatten(),
                    ..clause.clone()
                });
                *place = Some(last(to.clauses.len(), ClauseId));
            }
        }
        Ok((
            to,
            ConeLift {
                system: from.clone(),
                fates,
                places,
            },
        ))
    }
}

/// The last index of a list, as an identifier.
fn last<T>(length: usize, make: impl Fn(u32) -> T) -> T {
    make(u32::try_from(length - 1).expect("invariant: no list has 2^32 entries"))
}

fn can_fire(clause: &Clause, derivable: &[bool], terms: &TermStore) -> bool {
    let says_nothing = clause
        .head
        .as_ref()
        .is_some_and(|h| clause.body.contains(h));
    !says_nothing
        && !terms.is_false(clause.constraint)
        && clause.body.iter().all(|a| derivable[a.pred.index()])
}

/// The least set of predicates closed under the clauses that can fire.
fn derivable(system: &ChcSystem, terms: &TermStore) -> Vec<bool> {
    let mut derivable = vec![false; system.preds.len()];
    let mut grew = true;
    while grew {
        grew = false;
        for clause in &system.clauses {
            if let Some(head) = clause.head.as_ref().filter(|h| !derivable[h.pred.index()])
                && can_fire(clause, &derivable, terms)
            {
                derivable[head.pred.index()] = true;
                grew = true;
            }
        }
    }
    derivable
}

/// The predicates in bodies of clauses that can fire and lead to a query.
fn relevant(system: &ChcSystem, derivable: &[bool], terms: &TermStore) -> Vec<bool> {
    let mut relevant = vec![false; system.preds.len()];
    let mut grew = true;
    while grew {
        grew = false;
        for clause in system
            .clauses
            .iter()
            .rev()
            .filter(|c| can_fire(c, derivable, terms))
        {
            if clause
                .head
                .as_ref()
                .is_some_and(|h| !relevant[h.pred.index()])
            {
                continue;
            }
            for atom in &clause.body {
                grew |= !relevant[atom.pred.index()];
                relevant[atom.pred.index()] = true;
            }
        }
    }
    relevant
}

/// What became of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// It is this predicate of the new system.
    Kept(Pred),
    /// Nothing depends on it.
    True,
    /// It cannot be derived.
    False,
}

/// The way back.
pub(crate) struct ConeLift {
    system: ChcSystem,
    fates: Vec<Fate>,
    /// The place of each clause in the new system.
    places: Vec<Option<ClauseId>>,
}

impl ConeLift {
    fn spread(&self, kept: &[Term], terms: &TermStore) -> Vec<Term> {
        let formula = |fate: &Fate| match *fate {
            Fate::Kept(pred) => kept[pred.index()],
            Fate::True => terms.tt(),
            Fate::False => terms.ff(),
        };
        self.fates.iter().map(formula).collect()
    }
}

impl Translation for ConeLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, (pred, formula): Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        let all = self.system.pred_ids().zip(&self.fates);
        all.filter(|(_, fate)| **fate == Fate::Kept(pred))
            .map(|(old, _)| (old, formula))
            .collect()
    }

    fn down(&self, (pred, formula): Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        match self.fates[pred.index()] {
            Fate::Kept(new) => vec![(new, formula)],
            Fate::True | Fate::False => Vec::new(),
        }
    }
}

impl Lift for ConeLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        let witness = proof.witness.and_then(|w| {
            let invariants = self.spread(&w.invariants, cx.terms);
            witness::carry(
                &w,
                &self.system,
                invariants,
                &|id| self.places[id.index()],
                cx.terms,
            )
        });
        Ok(ChcProof {
            formulas: self.spread(&proof.formulas, cx.terms),
            witness,
        })
    }

    fn cex(&self, mut derivation: Derivation, _cx: &Cx<'_>) -> Result<Derivation, Halt> {
        for step in &mut derivation.steps {
            let old = self.places.iter().position(|p| *p == Some(step.clause));
            step.clause = old
                .map(|i| last(i + 1, ClauseId))
                .ok_or(Halt::NotLifted(NAME))?;
        }
        Ok(derivation)
    }
}

#[cfg(test)]
mod tests {
    use super::ConeOfInfluence;
    use crate::testing::{check_small, int, replay, steps};
    use foretell_kernel::{Lift, Pass};
    use foretell_systems::ChcProof;
    use foretell_testkit::read::clauses;
    use foretell_testkit::with_cx;

    const SYSTEM: &str = "
        (declare-rel r (Int)) (declare-rel q (Int)) (declare-rel p (Int)) (declare-rel s (Int))
        (declare-var x Int)
        (rule (=> (r x) (q x))) (query (q x))
        (rule (=> true (p 0))) (rule (=> (p x) (p x))) (rule (=> (p x) (s x))) (query (and (p x) (> x LIMIT)))";

    #[test]
    fn dropped_predicates_get_formulas() {
        with_cx(|cx| {
            let system = clauses(cx.terms, &SYSTEM.replace("LIMIT", "0"));
            let (small, lift) = ConeOfInfluence.run(&system, cx).unwrap();
            small.validate(cx.terms).unwrap();
            assert_eq!((small.preds.len(), small.clauses.len()), (1, 2));
            let formula = cx.terms.le(small.preds[0].params[0], cx.terms.int(0));
            let proof = lift
                .proof(
                    ChcProof {
                        formulas: vec![formula],
                        witness: None,
                    },
                    cx,
                )
                .unwrap();
            let printed: Vec<String> = proof.formulas.iter().map(|&f| cx.terms.print(f)).collect();
            assert_eq!(printed, ["false", "false", "(<= p!0 0)", "true"]);
            check_small(&system, &proof, cx);
        });
    }

    #[test]
    fn derivations_name_the_original_clauses() {
        with_cx(|cx| {
            let system = clauses(cx.terms, &SYSTEM.replace("LIMIT", "(- 0 1)"));
            let (small, lift) = ConeOfInfluence.run(&system, cx).unwrap();
            let derivation = steps(&small, cx, &[(0, &[]), (1, &[("x", int(0))])]);
            replay(&small, &derivation, cx).unwrap();
            replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
        });
    }
}
