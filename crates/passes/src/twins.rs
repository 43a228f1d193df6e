//! Arguments that are always equal become one.
//!
//! ```text
//! p(0, 0) ⇐ true                                         p(0) ⇐ true
//! p(1, 1) ⇐ true                                         p(1) ⇐ true
//! p(a + c, b + d) ⇐ p(a, b) ∧ p(c, d)              →     p(a + c) ⇐ p(a) ∧ p(c)
//! q(a ≤ c, b ≤ d) ⇐ p(a, b) ∧ p(c, d)                    q(a ≤ c) ⇐ p(a) ∧ p(c)
//! ```
//!
//! Two positions of a predicate are *twins* if they have the same value in every derived atom. A forward
//! data-flow analysis finds them: a predicate starts as underived, then has classes of positions, and each
//! clause can only split these.
//!
//! ```text
//! analyse(S)
//!   until nothing changes, for each clause whose body is derived
//!     ~ ← arguments of a body atom at positions of one class
//!     classes of the head ← their common refinement with {j, k : head_j, head_k the same term modulo ~}
//! ```
//!
//! This is the correspondence of signals by induction (van Eijk, "Sequential equivalence checking based on
//! structural similarities", TCAD 2000) with syntactic congruence in place of a solver, and for clauses with
//! several body atoms. The first position of a class stays.
//!
//! Limit: systems that have a clause with several body atoms. Linear ones become transition systems, and there
//! alignment and framing want all arguments at every location.
//!
//! The way back: `F_p(params) = F'_p(kept params) ∧ param = its twin`, and `false` for predicates the analysis
//! never reaches. In a derivation the removed arguments take the values of their premises.

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::chc::ChcWitness;
use foretell_systems::{Atom, ChcProof, ChcSystem, Clause, Derivation, Pred};
use foretell_terms::{Substitution, Term, TermMap, TermStore};
use indexmap::IndexMap;

use crate::arguments::{keep_args, shrink_preds};
use crate::equalities::clause_vars;
use crate::shared::facts::Fact;
use crate::shared::replay;

/// The name of the pass.
const NAME: &str = "twins";

/// The pass.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Twins;

impl Pass for Twins {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = TwinsLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, TwinsLift), Halt> {
        let classes = match from.clauses.iter().all(|c| c.body.len() <= 1) {
            true => from.preds.iter().map(|p| apart(p.params.len())).collect(),
            false => analyse(from, cx)?,
        };
        let kept = |pred: Pred, k: usize| first(&classes, pred, k) == k;
        let mut to = shrink_preds(from, &kept, cx.terms);
        let clauses = from.clauses.iter();
        to.clauses = clauses.map(|c| joined(c, &classes, cx.terms)).collect();
        let system = from.clone();
        Ok((to, TwinsLift { system, classes }))
    }
}

/// For each position of a predicate the first one of its class; `None` for a predicate never derived.
type Classes = Option<Vec<usize>>;

/// Every position by itself.
fn apart(arity: usize) -> Classes {
    Some((0..arity).collect())
}

/// The first position of the class of a position.
fn first(classes: &[Classes], pred: Pred, position: usize) -> usize {
    let of_pred = classes[pred.index()].as_ref();
    of_pred.map_or(position, |firsts| firsts[position])
}

/// The classes of all predicates.
fn analyse(system: &ChcSystem, cx: &Cx<'_>) -> Result<Vec<Classes>, Halt> {
    let mut classes: Vec<Classes> = vec![None; system.preds.len()];
    let mut changed = true;
    while changed {
        cx.budget.check()?;
        changed = false;
        for clause in &system.clauses {
            let Some(head) = &clause.head else { continue };
            let Some(values) = transfer(clause, head, &classes, cx.terms) else {
                continue;
            };
            let refined = refine(classes[head.pred.index()].as_deref(), &values);
            let old = classes[head.pred.index()].replace(refined);
            changed |= old != classes[head.pred.index()];
        }
    }
    Ok(classes)
}

/// The head arguments modulo what is equal in the body; `None` when the body is not derived.
fn transfer(
    clause: &Clause,
    head: &Atom,
    classes: &[Classes],
    terms: &TermStore,
) -> Option<Vec<Term>> {
    if terms.is_false(clause.constraint) {
        return None;
    }
    let mut equal = Equal::default();
    for atom in &clause.body {
        for (k, &f) in classes[atom.pred.index()].as_ref()?.iter().enumerate() {
            equal.join(atom.args[f], atom.args[k]);
        }
    }
    let mut map = equal.substitution();
    let args = head.args.iter();
    Some(args.map(|&arg| map.apply(terms, arg)).collect())
}

/// The coarsest classes in which positions are together if they were and have the same values.
fn refine(old: Option<&[usize]>, values: &[Term]) -> Vec<usize> {
    let mut firsts = IndexMap::new();
    let positions = values.iter().enumerate();
    let first = |(k, &value): (usize, &Term)| {
        let class = old.map(|firsts| firsts[k]);
        *firsts.entry((value, class)).or_insert(k)
    };
    positions.map(first).collect()
}

/// Terms that are equal, as a forest.
#[derive(Default)]
struct Equal {
    parents: TermMap<Term>,
}

impl Equal {
    fn root(&self, mut term: Term) -> Term {
        while let Some(&parent) = self.parents.get(&term) {
            term = parent;
        }
        term
    }

    fn join(&mut self, one: Term, other: Term) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            self.parents.insert(other, one);
        }
    }

    /// Takes every term to the root of its tree.
    fn substitution(&self) -> Substitution {
        Substitution::from_pairs(self.parents.keys().map(|&term| (term, self.root(term))))
    }
}

/// The clause with one argument for each class; what the others were is equal to it.
fn joined(clause: &Clause, classes: &[Classes], terms: &TermStore) -> Clause {
    let kept = |pred: Pred, k: usize| first(classes, pred, k) == k;
    let mut parts = vec![clause.constraint];
    for atom in &clause.body {
        for (k, &arg) in atom.args.iter().enumerate() {
            parts.push(terms.eq(arg, atom.args[first(classes, atom.pred, k)]));
        }
    }
    let constraint = terms.and(parts);
    let body: Vec<Atom> = clause.body.iter().map(|a| keep_args(a, &kept)).collect();
    let head = clause.head.as_ref().map(|a| keep_args(a, &kept));
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
pub(crate) struct TwinsLift {
    system: ChcSystem,
    classes: Vec<Classes>,
}

impl TwinsLift {
    /// The removed parameters of a predicate and their twins that stay.
    fn removed(&self, pred: Pred) -> Vec<(Term, Term)> {
        let params = &self.system.pred(pred).params;
        let pair = |(k, &param): (usize, &Term)| (param, params[first(&self.classes, pred, k)]);
        let pairs = params.iter().enumerate().map(pair);
        pairs.filter(|(param, twin)| param != twin).collect()
    }

    fn strengthen(&self, formulas: &[Term], terms: &TermStore) -> Vec<Term> {
        let formula = |(pred, &formula): (Pred, &Term)| {
            if self.classes[pred.index()].is_none() {
                return terms.ff();
            }
            let equal = self.removed(pred).into_iter().map(|(p, q)| terms.eq(p, q));
            terms.and([formula].into_iter().chain(equal))
        };
        self.system.pred_ids().zip(formulas).map(formula).collect()
    }
}

impl Translation for TwinsLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![fact]
    }

    fn down(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        vec![(pred, cx.terms.substitute(formula, self.removed(pred)))]
    }
}

impl Lift for TwinsLift {
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
    use super::Twins;
    use crate::testing::{check_small, int, print_clauses, replay, steps};
    use expect_test::expect;
    use foretell_kernel::{Lift, Pass, Translation};
    use foretell_systems::ChcProof;
    use foretell_terms::Value;
    use foretell_testkit::read::clauses;
    use foretell_testkit::with_cx;

    /// `p` has twins, `q` too by those of `p`; the first and last argument of `r` differ in its second rule.
    const SYSTEM: &str = "
        (declare-rel p (Int Int)) (declare-rel q (Bool Bool)) (declare-rel r (Int Int Int))
        (declare-rel u (Int Int))
        (declare-var a Int) (declare-var b Int) (declare-var c Int) (declare-var d Int)
        (declare-var s Bool) (declare-var t Bool)
        (rule (p 0 0))
        (rule (p 1 1))
        (rule (=> (and (p a b) (p c d)) (p (+ a c) (+ b d))))
        (rule (=> (and (p a b) (p c d)) (q (<= a c) (<= b d))))
        (rule (=> (and (p a b) (q s t)) (r (ite s a 0) (ite t b 0) (ite t a 0))))
        (rule (=> (and (r a b c) (p b d)) (r a b (+ d 1))))
        (rule (=> (u a b) (p a b)))
        (query (and (r a b c) GOAL))";

    #[test]
    fn twins_become_one_and_come_back() {
        with_cx(|cx| {
            let system = clauses(cx.terms, &SYSTEM.replace("GOAL", "(< a b)"));
            let (small, lift) = Twins.run(&system, cx).unwrap();
            small.validate(cx.terms).unwrap();
            expect![[r#"
                p(0) <= 
                p(1) <= 
                p((+ a c)) <= p(a), p(c), (= a b), (= c d)
                q((<= a c)) <= p(a), p(c), (= a b), (= c d)
                r((ite s a 0), (ite t a 0)) <= p(a), q(s), (= a b), (= s t)
                r(a, (+ d 1)) <= r(a, c), p(b), (= a b), (= b d)
                p(a) <= u(a, b)
                false <= r(a, c), (< a b), (= a b)
            "#]]
            .assert_eq(&print_clauses(&small, cx));
            let t = cx.terms;
            let nonnegative = t.le(t.int(0), small.preds[0].params[0]);
            let formulas = vec![nonnegative, t.tt(), t.tt(), t.ff()];
            let proof = ChcProof {
                formulas,
                witness: None,
            };
            check_small(&system, &lift.proof(proof, cx).unwrap(), cx);
        });
    }

    #[test]
    fn facts_are_about_the_argument_that_stays() {
        with_cx(|cx| {
            let system = clauses(cx.terms, &SYSTEM.replace("GOAL", "(< a b)"));
            let (small, lift) = Twins.run(&system, cx).unwrap();
            let (p, t) = (system.pred_ids().next().unwrap(), cx.terms);
            let about = |param| t.le(t.int(0), param);
            let down = lift.down((p, about(system.preds[0].params[1])), cx);
            assert_eq!(down, vec![(p, about(small.preds[0].params[0]))]);
        });
    }

    #[test]
    fn removed_arguments_take_the_premise() {
        with_cx(|cx| {
            let system = clauses(cx.terms, &SYSTEM.replace("GOAL", "(= b 1) (= c 2)"));
            let (small, lift) = Twins.run(&system, cx).unwrap();
            let (one, yes) = (|name| (name, int(1)), |name| (name, Value::Bool(true)));
            let ones = ["a", "b", "c", "d"].map(one);
            let path: [(u32, &[(&str, Value)]); 5] = [
                (1, &[]),
                (3, &ones),
                (4, &[one("a"), one("b"), yes("s"), yes("t")]),
                (5, &ones),
                (7, &[one("a"), one("b"), ("c", int(2))]),
            ];
            let mut derivation = steps(&small, cx, &path);
            let premises: [&[usize]; 5] = [&[], &[0, 0], &[0, 1], &[2, 0], &[3]];
            for (step, premises) in derivation.steps.iter_mut().zip(premises) {
                step.premises = premises.to_vec();
            }
            replay(&small, &derivation, cx).unwrap();
            replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
        });
    }

    #[test]
    fn linear_clauses_keep_their_arguments() {
        with_cx(|cx| {
            let text = "(declare-rel p (Int Int)) (declare-var a Int) (declare-var b Int)
                (rule (p 0 0)) (rule (=> (p a b) (p (+ a 1) (+ b 1)))) (query (and (p a b) (< a b)))";
            let system = clauses(cx.terms, text);
            let (same, _) = Twins.run(&system, cx).unwrap();
            assert_eq!(same.preds[0].params.len(), 2);
        });
    }
}
