//! Constant propagation through arguments.
//!
//! ```text
//! p(0, 100) ⇐ true                                  p(0) ⇐ true
//! p(i + c, c) ⇐ p(i, c) ∧ i < c               →     p(i + 100) ⇐ p(i) ∧ i < 100
//! ```
//!
//! A forward data-flow analysis over {underived, one numeral, anything} finds the argument positions
//! that have the same numeral in every derived atom. They are removed; in bodies the numeral takes
//! the place of the variable (which makes `i * c` linear), or an equation is added.
//!
//! The way back: `F_p(params) = F'_p(kept params) ∧ param = numeral`, and `false` for predicates the
//! analysis never reaches. In a derivation the removed arguments take the values of their premises.

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::chc::ChcWitness;
use foretell_systems::{Atom, ChcProof, ChcSystem, Clause, Derivation, Pred};
use foretell_terms::{Substitution, Term, TermStore};

use crate::arguments::{keep_args, shrink_preds};
use crate::equalities::clause_vars;
use crate::shared::facts::Fact;
use crate::shared::replay;

/// The name of the pass.
const NAME: &str = "constants";

/// The pass.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Constants;

impl Pass for Constants {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = ConstantsLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, ConstantsLift), Halt> {
        let known = analyse(from, cx)?;
        let kept = |pred: Pred, k: usize| constant(&known, pred, k).is_none();
        let mut to = shrink_preds(from, &kept, cx.terms);
        to.clauses = from
            .clauses
            .iter()
            .map(|c| put_in(c, &known, &kept, cx.terms))
            .collect();
        Ok((
            to,
            ConstantsLift {
                system: from.clone(),
                known,
            },
        ))
    }
}

/// What is known of one argument of a derived atom: a numeral, or nothing.
type Known = Option<Term>;

/// What is known of each argument of each predicate; `None` for a predicate never derived.
fn analyse(system: &ChcSystem, cx: &Cx<'_>) -> Result<Vec<Option<Vec<Known>>>, Halt> {
    let mut known: Vec<Option<Vec<Known>>> = vec![None; system.preds.len()];
    let mut changed = true;
    while changed {
        cx.budget.check()?;
        changed = false;
        for clause in &system.clauses {
            let Some(head) = &clause.head else { continue };
            let Some(derived) = transfer(clause, head, &known, cx.terms) else {
                continue;
            };
            changed |= join(&mut known[head.pred.index()], derived);
        }
    }
    Ok(known)
}

/// What a clause derives from what is known of its body; `None` when the body is not derived.
fn transfer(
    clause: &Clause,
    head: &Atom,
    known: &[Option<Vec<Known>>],
    terms: &TermStore,
) -> Option<Vec<Known>> {
    if terms.is_false(clause.constraint) {
        return None;
    }
    let mut map = Substitution::new();
    for atom in &clause.body {
        for (&arg, value) in atom.args.iter().zip(known[atom.pred.index()].as_ref()?) {
            // Any argument, variable or not, has the known value wherever it occurs in the clause.
            if let Some(numeral) = value {
                map.insert(arg, *numeral);
            }
        }
    }
    let value = |&arg: &Term| Some(map.apply(terms, arg)).filter(|&t| terms.is_numeral(t));
    Some(head.args.iter().map(value).collect())
}

/// Joins a derived atom into what is known; tells whether that changed anything.
fn join(known: &mut Option<Vec<Known>>, derived: Vec<Known>) -> bool {
    let Some(old) = known else {
        *known = Some(derived);
        return true;
    };
    let mut changed = false;
    for (old, new) in old.iter_mut().zip(derived) {
        if old.is_some() && *old != new {
            *old = None;
            changed = true;
        }
    }
    changed
}

fn constant(known: &[Option<Vec<Known>>], pred: Pred, position: usize) -> Known {
    known[pred.index()].as_ref().and_then(|args| args[position])
}

/// The clause without constant arguments.
fn put_in(
    clause: &Clause,
    known: &[Option<Vec<Known>>],
    kept: &dyn Fn(Pred, usize) -> bool,
    terms: &TermStore,
) -> Clause {
    let (mut map, mut equal) = (Substitution::new(), Vec::new());
    for atom in &clause.body {
        for (k, &arg) in atom.args.iter().enumerate() {
            let Some(numeral) = constant(known, atom.pred, k) else {
                continue;
            };
            if terms.as_var(arg).is_some() && map.get(arg).is_none() {
                map.insert(arg, numeral);
            } else {
                equal.push(terms.eq(arg, numeral));
            }
        }
    }
    let constraint = terms.and([clause.constraint].into_iter().chain(equal));
    let constraint = map.apply(terms, constraint);
    let mut atom = |a: &Atom| keep_args(a, kept).mapped(&mut map, terms);
    let body: Vec<Atom> = clause.body.iter().map(&mut atom).collect();
    let head = clause.head.as_ref().map(&mut atom);
    let vars = clause_vars(&body, constraint, head.as_ref(), terms);
    Clause {
        vars,
        body,
        constraint,
        head,
        line: clause.line,
    }
}

/// The way back.
pub(crate) struct ConstantsLift {
    system: ChcSystem,
    known: Vec<Option<Vec<Known>>>,
}

impl ConstantsLift {
    fn strengthen(&self, formulas: &[Term], terms: &TermStore) -> Vec<Term> {
        let formula = |(pred, &formula): (Pred, &Term)| {
            let Some(args) = &self.known[pred.index()] else {
                return terms.ff();
            };
            let params = &self.system.pred(pred).params;
            let equal = params
                .iter()
                .zip(args)
                .filter_map(|(&p, known)| known.map(|n| terms.eq(p, n)));
            terms.and([formula].into_iter().chain(equal))
        };
        self.system.pred_ids().zip(formulas).map(formula).collect()
    }
}

impl Translation for ConstantsLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![fact]
    }

    fn down(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        let Some(args) = &self.known[pred.index()] else {
            return Vec::new();
        };
        let params = self.system.pred(pred).params.iter();
        let numerals = params.zip(args).filter_map(|(&p, &n)| Some((p, n?)));
        vec![(pred, cx.terms.substitute(formula, numerals))]
    }
}

impl Lift for ConstantsLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        let witness = proof.witness.map(|w| ChcWitness {
            invariants: self.strengthen(&w.invariants, cx.terms),
            auxiliaries: w.auxiliaries,
        });
        Ok(ChcProof {
            formulas: self.strengthen(&proof.formulas, cx.terms),
            witness,
        })
    }

    fn cex(&self, derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        replay::complete(&self.system, derivation, NAME, cx)
    }
}

#[cfg(test)]
mod tests {
    use super::Constants;
    use crate::testing::{check_small, int, print_clauses, replay, steps};
    use expect_test::expect;
    use foretell_kernel::{Lift, Pass};
    use foretell_systems::ChcProof;
    use foretell_testkit::read::clauses;
    use foretell_testkit::with_cx;

    const SYSTEM: &str = "
        (declare-rel p (Int Int Bool)) (declare-rel q (Int Int)) (declare-rel u (Int))
        (declare-var i Int) (declare-var c Int) (declare-var b Bool) (declare-var x Int)
        (rule (=> true (p 0 3 true)))
        (rule (=> (and (p i c b) (< i c)) (p (+ i (* c c)) c b)))
        (rule (=> (and (p i c b) (>= i c)) (q (- c 1) i)))
        (rule (=> (and (q (+ x 1) i) (< i 0)) (q (+ x 1) (+ i 1))))
        (rule (=> (u x) (p x x false)))
        (query (and (q c i) (not (= i BOUND))))";

    #[test]
    fn constants_are_put_in_and_come_back() {
        with_cx(|cx| {
            let system = clauses(cx.terms, &SYSTEM.replace("BOUND", "9"));
            let (small, lift) = Constants.run(&system, cx).unwrap();
            small.validate(cx.terms).unwrap();
            expect![[r#"
                p(0) <= 
                p((+ i 9)) <= p(i), (< i 3)
                q(i) <= p(i), (<= 3 i)
                q((+ i 1)) <= q(i), (< i 0), (= (+ x 1) 2)
                p(x) <= u(x)
                false <= q(i), (not (= 9 i))
            "#]]
            .assert_eq(&print_clauses(&small, cx));
            let t = cx.terms;
            let i = small.preds[0].params[0];
            let nine = t.eq(small.preds[1].params[0], t.int(9));
            let p = t.or2(t.eq(i, t.int(0)), t.eq(i, t.int(9)));
            let proof = ChcProof {
                formulas: vec![p, nine, t.ff()],
                witness: None,
            };
            check_small(&system, &lift.proof(proof, cx).unwrap(), cx);
        });
    }

    #[test]
    fn constant_arguments_take_the_premise() {
        with_cx(|cx| {
            let system = clauses(cx.terms, &SYSTEM.replace("BOUND", "8"));
            let (small, lift) = Constants.run(&system, cx).unwrap();
            let path: [(u32, &[(&str, foretell_terms::Value)]); 4] = [
                (0, &[]),
                (1, &[("i", int(0))]),
                (2, &[("i", int(9))]),
                (5, &[("i", int(9))]),
            ];
            let derivation = steps(&small, cx, &path);
            replay(&small, &derivation, cx).unwrap();
            replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
        });
    }
}
