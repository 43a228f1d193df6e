//! Elimination of definitional equalities.
//!
//! ```text
//! p(b, j) ⇐ p(a, i) ∧ i < n ∧ j = i + 1 ∧ b = store(a, i, 0)   →   p(store(a, i, 0), i + 1) ⇐ p(a, i) ∧ i < n
//! q(i)    ⇐ p(a, i) ∧ i = 3                                    →   q(3) ⇐ p(a, i) ∧ i = 3
//! ```
//!
//! Each clause is solved ([`foretell_formulas::solve`]) for the variables that are no argument of a body atom:
//! those are the values a step computes or chooses. Arguments of body atoms stay, because aligning
//! and framing depend on them; an argument that is equal to a numeral is replaced by it everywhere
//! but in the body atom, and the equation stays. Equations that define nothing, such as
//! `a = store(a, 0, 0)`, stay.
//!
//! The clauses stay equivalent one by one, so that a proof is carried back as it is; in a derivation
//! the eliminated variables get their values by evaluation.

use foretell_formulas::{Equations, definition, solve};
use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{Atom, ChcProof, ChcSystem, Clause, Derivation};
use foretell_terms::{Substitution, Term, TermMap, TermSet, TermStore, Value};

use crate::shared::facts::Fact;
use crate::shared::replay::{fill, joined, make_room};

/// The name of the pass.
const NAME: &str = "equalities";

/// The pass.
#[derive(Clone, Copy, Default, Debug)]
pub struct Equalities;

impl Pass for Equalities {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = EqualitiesLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, EqualitiesLift), Halt> {
        let mut to = ChcSystem {
            preds: from.preds.clone(),
            clauses: Vec::new(),
        };
        let mut clauses = Vec::new();
        for clause in &from.clauses {
            cx.budget.check()?;
            let (reduced, definitions) = reduce(clause, cx.terms);
            to.clauses.push(reduced);
            clauses.push(Eliminated {
                vars: clause.vars.clone(),
                definitions,
            });
        }
        Ok((to, EqualitiesLift { clauses }))
    }
}

/// Solves one clause; the definitions are over the variables that are left.
pub(crate) fn reduce(clause: &Clause, terms: &TermStore) -> (Clause, TermMap<Term>) {
    let arguments: TermSet = clause
        .body
        .iter()
        .flat_map(|a| a.args.iter().copied())
        .collect();
    let own: TermSet = clause.vars.iter().copied().collect();
    let may_go = |v: Term| own.contains(&v) && !arguments.contains(&v);
    let solved = solve(terms, &[clause.constraint], Equations::Linear, &may_go);
    let mut map = solved.substitution();
    let mut atom = |a: &Atom| a.mapped(&mut map, terms);
    let body: Vec<Atom> = clause.body.iter().map(&mut atom).collect();
    let head = clause.head.as_ref().map(&mut atom);
    let (rest, head) = propagate(solved.rest, head, terms);
    let constraint = terms.and(rest);
    let vars = clause_vars(&body, constraint, head.as_ref(), terms);
    (
        Clause {
            vars,
            body,
            constraint,
            head,
            line: clause.line,
        },
        solved.definitions,
    )
}

/// Replaces variables that are equal to numerals, everywhere but in the equations that say so.
fn propagate(
    conjuncts: Vec<Term>,
    head: Option<Atom>,
    terms: &TermStore,
) -> (Vec<Term>, Option<Atom>) {
    let mut map = Substitution::new();
    let mut equations = TermSet::default();
    for &conjunct in &conjuncts {
        if let Some((var, numeral)) = definition(terms, conjunct, Equations::Direct, &|_| true)
            && terms.is_numeral(numeral)
            && map.get(var).is_none()
        {
            map.insert(var, numeral);
            equations.insert(conjunct);
        }
    }
    let rest = conjuncts
        .into_iter()
        .map(|c| {
            if equations.contains(&c) {
                c
            } else {
                map.apply(terms, c)
            }
        })
        .collect();
    let head = head.map(|h| h.mapped(&mut map, terms));
    (rest, head)
}

/// The free variables of a clause.
pub(crate) fn clause_vars(
    body: &[Atom],
    constraint: Term,
    head: Option<&Atom>,
    terms: &TermStore,
) -> Vec<Term> {
    let mut roots = vec![constraint];
    roots.extend(body.iter().chain(head).flat_map(|a| a.args.iter().copied()));
    terms.free_vars(&roots)
}

/// What one clause lost.
struct Eliminated {
    /// The variables of the original clause.
    vars: Vec<Term>,
    /// Values of some of them in terms of the others.
    definitions: TermMap<Term>,
}

impl Eliminated {
    /// The variables that the clause still has.
    fn kept(&self) -> Vec<Term> {
        let is_kept = |var: &Term| !self.definitions.contains_key(var);
        self.vars.iter().copied().filter(is_kept).collect()
    }
}

/// The way back.
pub struct EqualitiesLift {
    clauses: Vec<Eliminated>,
}

impl Translation for EqualitiesLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![fact]
    }

    fn down(&self, fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![fact]
    }
}

impl Lift for EqualitiesLift {
    fn proof(&self, proof: ChcProof, _cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        Ok(proof)
    }

    fn cex(&self, mut derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        let kept: Vec<Vec<Term>> = self.clauses.iter().map(Eliminated::kept).collect();
        for step in &mut derivation.steps {
            let at = step.clause.index();
            let (Some(clause), Some(kept)) = (self.clauses.get(at), kept.get(at)) else {
                return Err(Halt::NotLifted(NAME));
            };
            make_room(clause.vars.len(), &mut step.values);
            fill(cx.terms, kept, &mut step.values);
            let all = joined(&step.values, &derivation.functions);
            let value = |t: Term| cx.terms.eval(t, &all).map_err(|_| Halt::NotLifted(NAME));
            let definitions = clause.definitions.iter();
            let found: Vec<(Term, Value)> = definitions
                .map(|(&var, &term)| Ok((var, value(term)?)))
                .collect::<Result<_, Halt>>()?;
            step.values.values.extend(found);
        }
        Ok(derivation)
    }
}

#[cfg(test)]
mod tests {
    use super::Equalities;
    use crate::testing::{int, print_clauses, replay, steps};
    use expect_test::expect;
    use foretell_kernel::{Lift, Pass};
    use foretell_testkit::read::clauses;
    use foretell_testkit::with_cx;

    const SYSTEM: &str = "
        (define-sort A () (Array Int Int)) (declare-rel p (A Int)) (declare-rel q (Int))
        (declare-var a A) (declare-var b A) (declare-var i Int) (declare-var j Int)
        (declare-var k Int)
        (rule (=> (= a (store (store a 0 0) 1 1)) (p a 0)))
        (rule (=> (and (p a i) (< i k) (= k 2) (= j (+ i 1)) (= b (store a i j))) (p b j)))
        (rule (=> (and (p a i) (= i 1)) (q i)))
        (query (and (q i) (= (+ i j) k) (> k 4)))";

    #[test]
    fn definitions_are_put_in() {
        with_cx(|cx| {
            let system = clauses(cx.terms, SYSTEM);
            let (reduced, _) = Equalities.run(&system, cx).unwrap();
            reduced.validate(cx.terms).unwrap();
            expect![[r#"
                p(a, 0) <= (= a (store (store a 0 0) 1 1))
                p((store a i (+ i 1)), (+ i 1)) <= p(a, i), (< i 2)
                q(1) <= p(a, i), (= 1 i)
                false <= q(i), (< 4 (+ i j))
            "#]]
            .assert_eq(&print_clauses(&reduced, cx));
        });
    }

    #[test]
    fn eliminated_variables_get_values() {
        with_cx(|cx| {
            let system = clauses(cx.terms, SYSTEM);
            let (reduced, lift) = Equalities.run(&system, cx).unwrap();
            let array = cx.terms.default_value(
                cx.terms
                    .array_sort(&[foretell_terms::Sort::INT], foretell_terms::Sort::INT),
            );
            let foretell_terms::Value::Array(mut filled) = array else {
                panic!("an array")
            };
            filled.store(vec![int(1)], int(1));
            let a = foretell_terms::Value::Array(filled.clone());
            filled.store(vec![int(0)], int(1));
            let b = foretell_terms::Value::Array(filled);
            let path: [(u32, &[(&str, foretell_terms::Value)]); 4] = [
                (0, &[("a", a.clone())]),
                (1, &[("a", a), ("i", int(0))]),
                (2, &[("a", b), ("i", int(1))]),
                (3, &[("i", int(1)), ("j", int(4))]),
            ];
            let derivation = steps(&reduced, cx, &path);
            replay(&reduced, &derivation, cx).unwrap();
            replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
        });
    }
}
