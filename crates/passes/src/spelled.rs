//! Equations that may matter are spelled out, as conjuncts that say nothing.
//!
//! ```text
//! p(store(a, i, a[i − 1] + 1), i + 1) ⇐ p(a, i) ∧ i < n          a[y] = y + c was seen
//!     gets the conjunct   a[i − 1] ≤ i − 1 + c ∨ i − 1 + c ≤ a[i − 1]
//! ```
//!
//! Engines that take predicates from formulas find the atoms there. An equation about the cell at any index
//! is written at the indices of a clause: those it reads and writes, and those between a counter and a cell
//! that it reads behind it. The clauses stay equivalent one by one, so that everything is carried back as it
//! is.

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{ChcProof, ChcSystem, Clause, Derivation, Pred};
use foretell_terms::{Op, Sort, Term, TermSet, TermStore, number};

use crate::shared::facts::Fact;

/// Indices of one clause that are looked at.
const MOST_INDICES: usize = 6;
/// Cells further behind a counter are not looked at.
const FURTHEST: i64 = 4;
/// Conjuncts that one clause gets.
const MOST: usize = 24;

/// The pass, with equations over the parameters of predicates and an index.
#[derive(Clone, Default, Debug)]
pub struct Spelled {
    /// Predicate, index, equation.
    pub equations: Vec<(Pred, Term, Term)>,
}

impl Spelled {
    fn clause(&self, system: &ChcSystem, clause: &Clause, terms: &TermStore) -> Clause {
        let mut conjuncts = TermSet::default();
        let indices = indices(clause, terms);
        for atom in &clause.body {
            let params = system.pred(atom.pred).params.iter().copied();
            let here: Vec<(Term, Term)> = params.zip(atom.args.iter().copied()).collect();
            for (_, y, equation) in self.equations.iter().filter(|e| e.0 == atom.pred) {
                for &index in &indices {
                    let pairs = here.iter().copied().chain([(*y, index)]);
                    let instance = terms.substitute(*equation, pairs);
                    if let (Op::Eq, &[a, b]) = (terms.op(instance), terms.args(instance))
                        && conjuncts.len() < MOST
                    {
                        conjuncts.insert(terms.or2(terms.le(a, b), terms.le(b, a)));
                    }
                }
            }
        }
        let all = terms.conjuncts(clause.constraint).into_iter();
        Clause {
            constraint: terms.and(all.chain(conjuncts)),
            ..clause.clone()
        }
    }
}

/// The indices at which a clause reads and writes, and those before a counter.
fn indices(clause: &Clause, terms: &TermStore) -> Vec<Term> {
    let mut roots = vec![clause.constraint];
    roots.extend(clause.head.iter().flat_map(|h| h.args.iter().copied()));
    let mut found = TermSet::default();
    for term in terms.subterms(&roots) {
        let args = terms.args(term);
        let index = match (terms.op(term), args) {
            (Op::Select, [_, index]) | (Op::Store, [_, index, _]) => *index,
            _ => continue,
        };
        if terms.sort(index) != Sort::INT {
            continue;
        }
        let form = terms.linear(index);
        if let ([(counter, _)], Some(behind)) =
            (form.terms.as_slice(), number::to_integer(&form.constant))
            && let Some(behind) = (1..=FURTHEST).find(|&d| behind == number::Integer::from(-d))
        {
            found.extend((1..=behind).map(|d| terms.sub(*counter, terms.int(d))));
        }
        found.insert(index);
    }
    let own: TermSet = clause.vars.iter().copied().collect();
    let known = |t: &Term| terms.free_vars(&[*t]).iter().all(|v| own.contains(v));
    found.into_iter().filter(known).take(MOST_INDICES).collect()
}

impl Pass for Spelled {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = SpelledLift;

    fn name(&self) -> &'static str {
        "spelled"
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, SpelledLift), Halt> {
        let clauses = from.clauses.iter();
        let to = ChcSystem {
            preds: from.preds.clone(),
            clauses: clauses.map(|c| self.clause(from, c, cx.terms)).collect(),
        };
        Ok((to, SpelledLift))
    }
}

/// The way back: nothing changed.
pub struct SpelledLift;

impl Translation for SpelledLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![fact]
    }

    fn down(&self, fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![fact]
    }
}

impl Lift for SpelledLift {
    fn proof(&self, proof: ChcProof, _cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        Ok(proof)
    }

    fn cex(&self, derivation: Derivation, _cx: &Cx<'_>) -> Result<Derivation, Halt> {
        Ok(derivation)
    }
}

#[cfg(test)]
mod tests {
    use super::Spelled;
    use crate::testing::print_clauses;
    use foretell_kernel::Pass;
    use foretell_systems::Pred;
    use foretell_terms::Sort;
    use foretell_testkit::read::clauses;
    use foretell_testkit::with_cx;

    #[test]
    fn equations_are_written_at_the_indices_of_a_clause() {
        with_cx(|cx| {
            let system = clauses(
                cx.terms,
                "(define-sort A () (Array Int Int)) (declare-rel p (A Int)) (declare-var a A)
                 (declare-var i Int) (declare-var k Int)
                 (rule (=> (p a i) (p (store a i (select a (- i 2))) (+ i 1))))
                 (query (and (p a i) (< k i) (< (select a k) 5)))",
            );
            let y = cx.terms.new_var("y", Sort::INT);
            let cell = cx.terms.select(system.preds[0].params[0], &[y]);
            let equation = cx.terms.eq(cell, cx.terms.add2(y, cx.terms.int(7)));
            let equations = vec![(Pred(0), y, equation)];
            let (to, _) = Spelled { equations }.run(&system, cx).unwrap();
            to.validate(cx.terms).unwrap();
            let text = print_clauses(&to, cx);
            // At the index that is written, at both that lie behind it, and at the one of the goal.
            assert_eq!(text.matches("(or ").count(), 4, "{text}");
        });
    }
}
