//! What ways back do with facts: drop what the other side has no words for.

use foretell_systems::Pred;
use foretell_terms::{Term, TermStore};

/// A formula over the parameters of a predicate.
pub(crate) type Fact = (Pred, Term);

/// What a formula says about these symbols alone: its conjuncts without others; none, if that is
/// nothing.
pub(crate) fn within(terms: &TermStore, formula: Term, symbols: &[Term]) -> Option<Term> {
    let own = |c: &Term| terms.free_vars(&[*c]).iter().all(|v| symbols.contains(v));
    let kept = terms.and(terms.conjuncts(formula).into_iter().filter(own));
    (!terms.is_true(kept) && !terms.is_false(kept)).then_some(kept)
}

#[cfg(test)]
mod tests {
    use foretell_kernel::{Cx, Pass};
    use foretell_systems::{ChcSystem, Pred};
    use foretell_terms::Term;
    use foretell_testkit::read::clauses;
    use foretell_testkit::with_cx;

    use crate::reduced::Reduced;
    use crate::{
        arguments::Arguments, cone_of_influence::ConeOfInfluence, constants::Constants,
        flatten::Flatten, inline::Inline, locations::Locations, single_loop::SingleLoop,
    };

    /// Each pass has something to do: `u` goes, `c` is constant, `z` is unused, `r` is no loop header,
    /// `m` is a matrix.
    const MATRIX: &str = "
        (define-sort B () (Array Int (Array Int Int)))
        (declare-rel u (Int)) (declare-rel p (Int Int Int B)) (declare-rel r (Int B))
        (declare-rel q (Int B))
        (declare-var c Int) (declare-var x Int) (declare-var z Int) (declare-var m B)
        (rule (=> true (p 3 0 z m)))
        (rule (=> (and (p c x z m) (< x c)) (p c (+ x 1) x (store m x (store (select m x) x 0)))))
        (rule (=> (and (p c x z m) (>= x c)) (r x m)))
        (rule (=> (r x m) (q x m)))
        (rule (=> (and (q x m) (> x 0)) (q (- x 1) m)))
        (rule (=> (u x) (q x m)))
        (query (and (q x m) (> (select (select m x) 1) x)))";

    /// Control in two Booleans.
    const CONTROL: &str = "
        (declare-rel s (Bool Bool Int)) (declare-var x Int)
        (rule (=> true (s false false 0)))
        (rule (=> (s false false x) (s false true (+ x 1))))
        (rule (=> (and (s false true x) (< x 9)) (s false false x)))
        (rule (=> (and (s false true x) (>= x 9)) (s true false x)))
        (rule (=> (and (s true false x) (> x 0)) (s true true (- x 1))))
        (rule (=> (s true true x) (s true false x)))
        (query (and (s true false x) (> x 9)))";

    /// For each integer parameter, that it is small; for each matrix, that a cell is.
    fn facts(system: &ChcSystem, cx: &Cx<'_>) -> Vec<(Pred, Term)> {
        let t = cx.terms;
        let mut facts = Vec::new();
        for pred in system.pred_ids() {
            for &param in &system.pred(pred).params {
                let cell = match t.array_parts(t.sort(param)).map(|(i, _)| i.len()) {
                    None => param,
                    Some(1) => t.select(t.select(param, &[t.int(1)]), &[t.int(2)]),
                    Some(_) => t.select(param, &[t.int(1), t.int(2)]),
                };
                if t.sort(cell) == foretell_terms::Sort::INT {
                    facts.push((pred, t.le(cell, t.int(4))));
                }
            }
        }
        facts
    }

    /// One more step; what goes up from below it says the same when it comes down again, over this step
    /// and over all of them.
    fn then<P>(
        all: Reduced<ChcSystem, ChcSystem>,
        pass: &P,
        cx: &Cx<'_>,
    ) -> Reduced<ChcSystem, ChcSystem>
    where
        P: Pass<From = ChcSystem, To = ChcSystem>,
        P::Lift: 'static,
    {
        let step = Reduced::start(&all.problem).then(pass, cx).unwrap();
        let all = all.then(pass, cx).unwrap();
        for reduced in [&step, &all] {
            for fact in facts(&reduced.problem, cx) {
                let up = reduced.lift.up(fact, cx).into_iter();
                let down = up.flat_map(|f| reduced.lift.down(f, cx));
                assert_eq!(down.collect::<Vec<_>>(), [fact], "{}", pass.name());
            }
        }
        all
    }

    #[test]
    fn facts_that_go_up_come_down_again() {
        with_cx(|cx| {
            let all = Reduced::start(&clauses(cx.terms, MATRIX));
            let all = then(all, &ConeOfInfluence, cx);
            assert_eq!(all.problem.preds.len(), 3);
            let all = then(then(all, &Constants, cx), &Arguments, cx);
            assert_eq!(all.problem.preds[0].params.len(), 2);
            let all = then(then(all, &Inline::default(), cx), &Flatten, cx);
            assert_eq!(all.problem.preds.len(), 2);
            let matrix = cx.terms.sort(all.problem.preds[0].params[1]);
            assert_eq!(cx.terms.array_parts(matrix).map(|(i, _)| i.len()), Some(2));
        });
    }

    #[test]
    fn facts_find_their_places() {
        with_cx(|cx| {
            let system = clauses(cx.terms, CONTROL);
            let all = then(Reduced::start(&system), &Locations, cx);
            assert_eq!(all.problem.preds.len(), 4);
            let small = cx.terms.le(system.preds[0].params[2], cx.terms.int(4));
            assert_eq!(all.lift.down((Pred(0), small), cx).len(), 4);
            let below = all.then(&SingleLoop, cx).unwrap();
            let state = below.problem.vars.iter().map(|v| v.cur);
            let [loc, x] = state.collect::<Vec<_>>()[..] else {
                panic!("a location and a number")
            };
            let t = cx.terms;
            let lemma = t.implies(t.eq(loc, t.int(2)), t.le(x, t.int(4)));
            let up = below.lift.up(lemma, cx);
            assert_eq!(up.len(), 1);
            assert_eq!(below.lift.down(up[0], cx), [lemma]);
        });
    }
}
