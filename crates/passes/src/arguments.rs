//! Argument filtering: arguments that influence neither a constraint nor a query go.
//!
//! ```text
//! p(0, 0) ⇐ true                                         p(0) ⇐ true
//! p(i + 1, s + i) ⇐ p(i, s) ∧ i < 9                →     p(i + 1) ⇐ p(i) ∧ i < 9
//! false ⇐ p(i, s) ∧ i > 9                                false ⇐ p(i) ∧ i > 9
//! ```
//!
//! An argument position is *needed* when in some body it is not a variable, or a variable that occurs
//! in the constraint, in another argument of the body, or in a needed argument of the head. The least
//! such set is kept. A frozen argument ([`crate::frozen`]) goes for all predicates or for none: at a
//! location where it is not needed it costs nothing, and it stays frozen. So does an argument that says where
//! an array was written.
//!
//! The way back: formulas do not mention the removed parameters; in a derivation the removed
//! arguments take the values of their premises, and variables that occurred nowhere else a default.

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{Atom, ChcProof, ChcSystem, Clause, Derivation, Pred, PredDecl};
use foretell_terms::{Term, TermMap, TermStore};

use crate::alignment::Alignment;
use crate::equalities::clause_vars;
use crate::frozen::{frozen_classes, sentinel_classes};
use crate::shared::facts::{Fact, within};
use crate::shared::replay;

/// The name of the pass.
const NAME: &str = "arguments";

/// The pass.
#[derive(Clone, Copy, Default, Debug)]
pub struct Arguments;

impl Pass for Arguments {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = ArgumentsLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, ArgumentsLift), Halt> {
        let needed = needed(from, cx)?;
        let kept = |pred: Pred, k: usize| needed[pred.index()][k];
        let mut to = shrink_preds(from, &kept, cx.terms);
        let shrink = |clause: &Clause| {
            let body: Vec<Atom> = clause.body.iter().map(|a| keep_args(a, &kept)).collect();
            let head = clause.head.as_ref().map(|a| keep_args(a, &kept));
            let vars = clause_vars(&body, clause.constraint, head.as_ref(), cx.terms);
            Clause {
                vars,
                body,
                constraint: clause.constraint,
                head,
                line: clause.line,
            }
        };
        to.clauses = from.clauses.iter().map(shrink).collect();
        let lift = ArgumentsLift {
            system: from.clone(),
            kept: to.preds.iter().map(|p| p.params.clone()).collect(),
        };
        Ok((to, lift))
    }
}

/// The system without clauses and with fewer arguments; predicates that keep all are the same ones.
pub(crate) fn shrink_preds(
    system: &ChcSystem,
    kept: &dyn Fn(Pred, usize) -> bool,
    terms: &TermStore,
) -> ChcSystem {
    let shrink = |pred: Pred| {
        let decl = system.pred(pred);
        let params: Vec<Term> = decl
            .params
            .iter()
            .enumerate()
            .filter(|&(k, _)| kept(pred, k))
            .map(|(_, &p)| p)
            .collect();
        if params.len() == decl.params.len() {
            return decl.clone();
        }
        let sorts: Vec<_> = params.iter().map(|&p| terms.sort(p)).collect();
        let func = terms.declare(terms.name(decl.func), &sorts, foretell_terms::Sort::BOOL);
        PredDecl { func, params }
    };
    ChcSystem {
        preds: system.pred_ids().map(shrink).collect(),
        clauses: Vec::new(),
    }
}

/// The atom with the kept arguments.
pub(crate) fn keep_args(atom: &Atom, kept: &dyn Fn(Pred, usize) -> bool) -> Atom {
    let args = atom
        .args
        .iter()
        .enumerate()
        .filter(|&(k, _)| kept(atom.pred, k))
        .map(|(_, &t)| t)
        .collect();
    Atom {
        pred: atom.pred,
        args,
    }
}

/// The needed argument positions: the least fixed point.
fn needed(system: &ChcSystem, cx: &Cx<'_>) -> Result<Vec<Vec<bool>>, Halt> {
    let mut needed: Vec<Vec<bool>> = system
        .preds
        .iter()
        .map(|p| vec![false; p.params.len()])
        .collect();
    let alignment = Alignment::new(system, cx.terms);
    let frozen = frozen_classes(system, &alignment).into_iter();
    let sentinels = sentinel_classes(system, &alignment, cx.terms);
    let together: Vec<bool> = frozen.zip(sentinels).map(|(f, s)| f || s).collect();
    let mut changed = true;
    while changed {
        cx.budget.check()?;
        changed = false;
        for clause in system.clauses.iter().rev() {
            changed |= need(clause, &mut needed, cx.terms);
        }
        for (class, _) in alignment.classes.iter().zip(&together).filter(|(_, t)| **t) {
            if class.members.iter().any(|&(p, k)| needed[p.index()][k]) {
                for &(p, k) in &class.members {
                    changed |= !std::mem::replace(&mut needed[p.index()][k], true);
                }
            }
        }
    }
    Ok(needed)
}

/// Adds what one clause needs; tells whether that was anything new.
fn need(clause: &Clause, needed: &mut [Vec<bool>], terms: &TermStore) -> bool {
    let mut roots = vec![clause.constraint];
    if let Some(head) = &clause.head {
        let flags = &needed[head.pred.index()];
        roots.extend(
            head.args
                .iter()
                .zip(flags)
                .filter(|(_, needed)| **needed)
                .map(|(&t, _)| t),
        );
    }
    let used = terms.free_vars(&roots);
    let mut occurrences: TermMap<usize> = TermMap::default();
    for &arg in clause.body.iter().flat_map(|a| &a.args) {
        for var in terms.free_vars(&[arg]) {
            *occurrences.entry(var).or_insert(0) += 1;
        }
    }
    let mut changed = false;
    for atom in &clause.body {
        for (k, &arg) in atom.args.iter().enumerate() {
            let free = terms.as_var(arg).is_some()
                && used.binary_search(&arg).is_err()
                && occurrences.get(&arg) == Some(&1);
            changed |= !free && !std::mem::replace(&mut needed[atom.pred.index()][k], true);
        }
    }
    changed
}

/// The way back.
pub struct ArgumentsLift {
    system: ChcSystem,
    /// The parameters that each predicate kept.
    kept: Vec<Vec<Term>>,
}

impl Translation for ArgumentsLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![fact]
    }

    fn down(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        let kept = within(cx.terms, formula, &self.kept[pred.index()]);
        kept.map(|formula| (pred, formula)).into_iter().collect()
    }
}

impl Lift for ArgumentsLift {
    fn proof(&self, proof: ChcProof, _cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        Ok(proof)
    }

    fn cex(&self, derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        replay::complete(&self.system, derivation, NAME, cx)
    }
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use crate::testing::{check_small, int, print_clauses, replay, steps};
    use expect_test::expect;
    use foretell_kernel::{Lift, Pass};
    use foretell_systems::ChcProof;
    use foretell_testkit::read::clauses;
    use foretell_testkit::with_cx;

    const SYSTEM: &str = "
        (declare-rel p (Int Int Int)) (declare-rel q (Int Int)) (declare-var i Int)
        (declare-var s Int) (declare-var n Int) (declare-var x Int)
        (rule (=> true (p 0 x n)))
        (rule (=> (and (p i s n) (< i n)) (p (+ i 1) (+ s i x) n)))
        (rule (=> (and (p i s n) (>= i n)) (q i n)))
        (query (and (q i n) (> i LIMIT)))";

    #[test]
    fn what_nobody_reads_goes_and_frozen_arguments_stay_together() {
        with_cx(|cx| {
            let system = clauses(cx.terms, &SYSTEM.replace("LIMIT", "0"));
            let (small, _) = Arguments.run(&system, cx).unwrap();
            small.validate(cx.terms).unwrap();
            expect![[r#"
                p(0, n) <= 
                p((+ i 1), n) <= p(i, n), (< i n)
                q(i, n) <= p(i, n), (<= n i)
                false <= q(i, n), (< 0 i)
            "#]]
            .assert_eq(&print_clauses(&small, cx));
        });
    }

    #[test]
    fn what_says_where_an_array_was_written_stays_with_it() {
        with_cx(|cx| {
            let text = "
                (declare-rel begin ()) (declare-rel fill ((Array Int Int) Int Int))
                (declare-rel scan ((Array Int Int) Int Int)) (declare-var s (Array Int Int))
                (declare-var i Int) (declare-var n Int)
                (rule (=> true begin))
                (rule (=> (and begin (< 0 n)) (fill s 0 n)))
                (rule (=> (and (fill s i n) (< i n)) (fill (store s i 1) (+ i 1) n)))
                (rule (=> (and (fill s i n) (>= i n)) (scan (store s (- n 1) 0) 0 n)))
                (rule (=> (and (scan s i n) (distinct (select s i) 0)) (scan s (+ i 1) n)))
                (query (and (scan s i n) (> i 1000)))";
            let (small, _) = Arguments.run(&clauses(cx.terms, text), cx).unwrap();
            let arities: Vec<usize> = small.preds.iter().map(|p| p.params.len()).collect();
            assert_eq!(arities, [0, 3, 3]);
        });
    }

    #[test]
    fn proofs_and_derivations_come_back() {
        with_cx(|cx| {
            let text = SYSTEM.replace("(> i LIMIT)", "(< i 0)");
            let system = clauses(cx.terms, &text);
            let (small, lift) = Arguments.run(&system, cx).unwrap();
            let formula = |p: usize| cx.terms.le(cx.terms.int(0), small.preds[p].params[0]);
            let proof = ChcProof {
                formulas: vec![formula(0), formula(1)],
                witness: None,
            };
            check_small(&system, &lift.proof(proof, cx).unwrap(), cx);
            let system = clauses(cx.terms, &SYSTEM.replace("LIMIT", "0"));
            let (small, lift) = Arguments.run(&system, cx).unwrap();
            let n = || ("n", int(1));
            let path: [(u32, &[(&str, foretell_terms::Value)]); 4] = [
                (0, &[n()]),
                (1, &[("i", int(0)), n()]),
                (2, &[("i", int(1)), n()]),
                (3, &[("i", int(1)), n()]),
            ];
            let derivation = steps(&small, cx, &path);
            replay(&small, &derivation, cx).unwrap();
            replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
        });
    }
}
