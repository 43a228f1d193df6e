//! Proofs as terms: what engines find is printed in the user's vocabulary, accepted on the text,
//! and can be made smaller; odd names survive.

use super::with_terms;
use foretell_certify::{
    CertifyOptions, Checked, OriginalClauses, OriginalSystem, Outcome, check_invariant,
    check_proof, minimise_invariant, minimise_proof,
};
use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{Auxiliary, ChcProof, Invariant, Property};
use foretell_terms::{Sort, Term, TermStore};
use foretell_testkit::read::{clauses, system};

/// The certificate, if it was accepted.
fn accepted(checked: Checked) -> String {
    let (outcome, certificate) = (checked.report.outcome, checked.certificate);
    assert_eq!(outcome, Outcome::Accepted, "{certificate}");
    certificate
}

fn rejected(checked: Checked) {
    let outcome = checked.report.outcome;
    assert!(matches!(outcome, Outcome::Rejected(_)), "{outcome}");
}

fn plain(formulas: Vec<Term>) -> ChcProof {
    ChcProof {
        formulas,
        witness: None,
    }
}

/// Names that are odd, reserved, or those that a printer would choose itself.
const ODD: &str =
    "(declare-fun |.1| (Int Int) Bool) (declare-fun v0 (Int) Bool) (declare-fun k0 (Int) Int)
(declare-fun || (Int) Int)
(assert (forall ((|let| Int) (v1 Int)) (=> (and (= |let| 0) (= v1 (k0 0))) (|.1| |let| v1))))
(assert (forall ((|let| Int) (v1 Int)) (=> (|.1| |let| v1) (v0 (|| |let|)))))
(assert (forall ((x Int)) (=> (v0 x) (not (= x (+ (|| 0) 1))))))";

#[test]
fn names_of_the_text_are_not_captured() {
    let terms = TermStore::new();
    let system = clauses(&terms, ODD);
    let mut roots = Vec::new();
    for clause in &system.clauses {
        let atoms = clause.body.iter().chain(&clause.head);
        roots.extend(atoms.flat_map(|atom| atom.args.iter().copied()));
        roots.push(clause.constraint);
    }
    let functions = terms.functions(&roots);
    let named = |name: &str| {
        let mut all = functions.iter().copied();
        all.find(|&f| terms.name(f) == name).expect("declared")
    };
    let (k0, empty) = (named("k0"), named(""));
    let [x, y] = *system.preds[0].params else {
        panic!("two parameters")
    };
    let [z] = *system.preds[1].params else {
        panic!("one parameter")
    };
    // Shared subterms, so that the printer names them, and a quantifier whose variable has a bad
    // name.
    let zero = terms.int(0);
    let sum = terms.add2(terms.app(k0, &[zero]), terms.app(empty, &[zero]));
    let shared = terms.and2(
        terms.eq(terms.add2(y, sum), terms.add2(terms.app(k0, &[zero]), sum)),
        terms.eq(x, zero),
    );
    let bound = terms.new_var("k0", Sort::INT);
    let odd = terms.forall(
        &[bound],
        terms.implies(
            terms.eq(bound, z),
            terms.eq(bound, terms.app(empty, &[zero])),
        ),
    );
    with_terms(&terms, |cx| {
        let original = OriginalClauses::new(ODD, &system);
        let check = |formulas: Vec<Term>| {
            check_proof(&original, &plain(formulas), &CertifyOptions::default(), cx)
        };
        let certificate = accepted(check(vec![shared, odd]));
        let lines: Vec<&str> = certificate.lines().collect();
        assert!(
            lines.len() == 2 && lines.iter().all(|l| l.starts_with("(define-fun")),
            "one per predicate"
        );
        rejected(check(vec![shared, terms.bool(true)]));
    });
}

const COUNT: &str = "(declare-fun inv (Int Int) Bool)
(assert (inv 0 (- 5)))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 10)) (inv (+ x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (> x 10)) false)))";

#[test]
fn models_are_minimised() {
    let terms = TermStore::new();
    let system = clauses(&terms, COUNT);
    let [x, y] = *system.preds[0].params else {
        panic!("two parameters")
    };
    let needed = terms.le(x, terms.int(10));
    let formula = terms.and([
        terms.le(terms.int(0), x),
        needed,
        terms.eq(terms.add2(x, y), terms.int(-5)),
        terms.le(y, terms.int(-5)),
    ]);
    with_terms(&terms, |cx| {
        let options = CertifyOptions::default();
        let proof = plain(vec![formula]);
        let checked = check_proof(&OriginalClauses::new(COUNT, &system), &proof, &options, cx);
        assert_eq!(checked.report.outcome, Outcome::Accepted);
        assert!(checked.certificate.contains("(- 5)") && !checked.certificate.contains("-5"));
        let original = OriginalClauses::new(COUNT, &system);
        let patient = CertifyOptions {
            minimise_ms: 60_000,
            ..options.clone()
        };
        let small = minimise_proof(&original, &proof.formulas, &patient, cx);
        assert_eq!(small, vec![needed]);
        // Of a clause with a literal that nobody needs the other is left, which makes more superfluous.
        let long = terms.and([
            terms.or([needed, terms.le(terms.int(3), y)]),
            terms.le(y, terms.int(-5)),
        ]);
        let short = minimise_proof(&original, &[long], &patient, cx);
        assert_eq!(short, vec![needed]);
        // Of cases inside cases the parts go that nobody needs.
        let deep = terms.or2(
            terms.and([
                needed,
                terms.le(terms.int(0), x),
                terms.le(y, terms.int(-5)),
            ]),
            terms.and2(terms.le(terms.int(3), y), terms.le(x, terms.int(2))),
        );
        let short = minimise_proof(&original, &[deep], &patient, cx);
        assert_eq!(short, vec![needed]);
        let none = CertifyOptions {
            minimise_ms: 0,
            ..options
        };
        assert_eq!(
            minimise_proof(&original, &proof.formulas, &none, cx),
            vec![formula]
        );
    });
}

const UNREACHED: &str =
    "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun r (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) (q x))))
(assert (forall ((x Int)) (=> (q x) (r x))))
(assert (forall ((x Int)) (=> (r x) (q x))))
(assert (forall ((x Int)) (=> (and (r x) (> x 5)) false)))";

#[test]
fn what_nothing_reaches_is_false() {
    let terms = TermStore::new();
    let system = clauses(&terms, UNREACHED);
    let formulas: Vec<Term> = system
        .preds
        .iter()
        .map(|pred| {
            terms.and2(
                terms.le(terms.int(0), pred.params[0]),
                terms.le(pred.params[0], terms.int(5)),
            )
        })
        .collect();
    with_terms(&terms, |cx| {
        let options = CertifyOptions {
            minimise_ms: 60_000,
            ..CertifyOptions::default()
        };
        let original = OriginalClauses::new(UNREACHED, &system);
        let small = minimise_proof(&original, &formulas, &options, cx);
        let nothing = terms.ff();
        assert_eq!(
            small,
            vec![
                terms.le(terms.int(0), system.preds[0].params[0]),
                nothing,
                nothing
            ]
        );
        let checked = check_proof(&original, &plain(small), &options, cx);
        assert_eq!(checked.report.outcome, Outcome::Accepted);
    });
}

const FILL: &str = "(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (loop a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a i n) (< i n)) (loop (store a i 7) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (loop a i n) (>= i n) (<= 0 z) (< z n) (not (= (select a z) 7))) false)))";

#[test]
fn witnesses_of_clause_systems() {
    let terms = TermStore::new();
    let system = clauses(&terms, FILL);
    let [a, i, _] = *system.preds[0].params else {
        panic!("three parameters")
    };
    // The auxiliary is called like a variable of the text: it must be renamed.
    let p = terms.new_var("z", Sort::INT);
    let zero = terms.int(0);
    let cell = terms.eq(terms.select(a, &[p]), terms.int(7));
    let reached = terms.and2(terms.le(zero, p), terms.lt(p, i));
    let invariant = terms.and2(terms.le(zero, i), terms.implies(reached, cell));
    let query = &system.clauses[2];
    let z = *query
        .vars
        .iter()
        .find(|&&v| terms.var_name(v) == "z")
        .expect("z");
    let auxiliary = |target| ChcAuxiliary::Prophecy {
        var: p,
        targets: vec![None, None, Some(target)],
    };
    let proof = |target| ChcProof {
        formulas: vec![terms.bool(false)],
        witness: Some(ChcWitness {
            auxiliaries: vec![auxiliary(target)],
            invariants: vec![invariant],
        }),
    };
    with_terms(&terms, |cx| {
        let options = CertifyOptions::default();
        let original = OriginalClauses::new(FILL, &system);
        let certificate = accepted(check_proof(&original, &proof(z), &options, cx));
        assert!(certificate.starts_with("(certificate"), "{certificate}");
        rejected(check_proof(&original, &proof(zero), &options, cx));
        // Two clauses on one line cannot be told apart by their lines.
        let one_line = FILL.replace('\n', " ");
        let again = clauses(&terms, &one_line);
        let original = OriginalClauses::new(&one_line, &again);
        let checked = check_proof(&original, &proof(z), &options, cx);
        assert!(checked.certificate.starts_with("(define-fun"));
    });
}

const MEMORY: &str = "(declare-fun mem () (Array Int Int)) (declare-fun mem1 () (Array Int Int))
(declare-fun adr () Int) (declare-fun val () Int) (declare-fun h () Int)
(define-fun .m () (Array Int Int) (! mem :next mem1))
(define-fun .i () Bool (! (= mem ((as const (Array Int Int)) 0)) :init true))
(define-fun .t () Bool (! (and (= mem1 (ite (< val 10) (store mem adr val) mem)) (= h h)) :trans))
(define-fun .p () Bool (! (< (select mem adr) 10) :invar-property 0))";

#[test]
fn auxiliaries_of_transition_systems() {
    let terms = TermStore::new();
    let system = system(&terms, MEMORY);
    let symbol = |name: &str| {
        let all = system
            .vars
            .iter()
            .map(|v| v.cur)
            .chain(system.inputs.iter().copied());
        all.into_iter()
            .find(|&t| terms.var_name(t) == name)
            .expect("declared")
    };
    let (mem, adr, val) = (symbol("mem"), symbol("adr"), symbol("val"));
    let (p, h, next) = (
        terms.new_var("p", Sort::INT),
        terms.new_var("h", Sort::INT),
        terms.new_var("h'", Sort::INT),
    );
    let ten = terms.int(10);
    let written = terms.and2(terms.eq(adr, p), terms.lt(val, ten));
    let formula = terms.and([
        terms.eq(terms.select(mem, &[p]), h),
        terms.lt(h, ten),
        terms.lt(h, terms.int(11)),
    ]);
    let invariant = |update: Term| Invariant {
        formula,
        k: 1,
        auxiliaries: vec![
            Auxiliary::Prophecy {
                var: p,
                target: adr,
            },
            Auxiliary::History {
                var: h,
                next,
                init: terms.int(0),
                update,
            },
        ],
    };
    with_terms(&terms, |cx| {
        let options = CertifyOptions::default();
        let original = OriginalSystem::new(MEMORY, &system, Property::Number(0));
        let right = invariant(terms.ite(written, val, h));
        accepted(check_invariant(&original, &right, &options, cx));
        rejected(check_invariant(&original, &invariant(h), &options, cx));
        let small = minimise_invariant(&original, &right, &options, cx);
        assert_eq!(terms.conjuncts(small.formula).len(), 2);
        accepted(check_invariant(&original, &small, &options, cx));
    });
}

/// A function with an axiom, and a predicate with its values.
const AXIOM: &str =
    "(declare-fun g (Int) Int) (declare-fun f (Int Int) Int) (declare-fun p (Int) Bool)
(assert (forall ((x Int) (y Int)) (> (f x y) 0)))
(assert (forall ((x Int)) (p (f x (g x)))))
(assert (forall ((x Int)) (=> (p x) (> x 0))))";

#[test]
fn a_model_may_define_declared_functions() {
    let p = "(define-fun p ((v Int)) Bool (> v 0))";
    let decide = |functions: &str| super::chc(AXIOM, &format!("{functions}{p}")).outcome;
    let good = "(define-fun f ((a Int) (b Int)) Int (ite (= a (g b)) 7 1))";
    assert_eq!(decide(good), Outcome::Accepted);
    let wrong = [
        "",
        "(define-fun f ((a Int) (b Int)) Int (- a a))",
        "(define-fun f ((a Int)) Int 1)",
        "(define-fun f ((a Int) (b Bool)) Int 1)",
        "(define-fun f ((a Int) (b Int)) Real 1.0)",
        "(define-fun f ((a Int) (b Int)) Int 1)(define-fun f ((a Int) (b Int)) Int 1)",
        "(define-fun f ((a Int) (b Int)) Int 1)(define-fun h ((a Int)) Int 1)",
    ];
    for functions in wrong {
        assert_ne!(decide(functions), Outcome::Accepted, "{functions}");
    }
    // What is defined by what it defines has no meaning.
    let circular = "(define-fun f ((a Int) (b Int)) Int (+ 1 (f a b)))";
    assert_ne!(decide(circular), Outcome::Accepted);
    let later = "(define-fun g ((a Int)) Int (f a a))(define-fun f ((a Int) (b Int)) Int 1)";
    assert_ne!(decide(later), Outcome::Accepted);
    // A query asks what can be reached whatever the function is.
    let query = "(declare-fun f (Int) Int) (declare-rel p (Int)) (rule (p 0)) (query (> (f 0) 5))";
    let chosen = "(define-fun f ((a Int)) Int 0)(define-fun p ((v Int)) Bool true)";
    assert_ne!(super::chc(query, chosen).outcome, Outcome::Accepted);
}
