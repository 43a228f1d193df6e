//! Facts and hints go through the whole ladder: what engines learn is told in the words of the input,
//! and what the input or other workers say arrives as predicates.

use std::cell::RefCell;

use foretell_frontends::{Problem, read};
use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{
    Budget, Cx, Event, EventSink, Halt, Interpolator, Oracles, Rng, ScriptAnswer, Solver,
    SolverConfig, Strength, Work,
};
use foretell_solver::Z3Oracles;
use foretell_terms::TermStore;

use super::{check_clauses, check_system};
use crate::portfolio::Portfolio;
use crate::protocol::{Shared, SharedItem};
use crate::registry::Prepared;
use crate::worker::exchange::{Inbox, Wire};

/// Two loops: the second counts down what the first counted up.
const LOOPS: &str = "(set-logic HORN)\n\
    (declare-fun up (Int Int) Bool)\n(declare-fun down (Int Int) Bool)\n\
    (assert (forall ((n Int)) (=> (>= n 0) (up 0 n))))\n\
    (assert (forall ((x Int) (n Int)) (=> (and (up x n) (< x n)) (up (+ x 1) n))))\n\
    (assert (forall ((x Int) (n Int)) (=> (and (up x n) (>= x n)) (down x n))))\n\
    (assert (forall ((x Int) (n Int)) (=> (and (down x n) (> x 0)) (down (- x 1) n))))\n\
    (assert (forall ((x Int) (n Int)) (=> (and (down x n) (< x 0)) false)))\n(check-sat)\n";

/// Counts to a large number; an array is written on the way.
const ARRAY: &str = "(declare-fun i () Int)(declare-fun i.n () Int)\n\
    (declare-fun a () (Array Int Int))(declare-fun a.n () (Array Int Int))\n\
    (define-fun .i () Int (! i :next i.n))\n\
    (define-fun .a () (Array Int Int) (! a :next a.n))\n\
    (define-fun .init () Bool (! (= i 0) :init true))\n\
    (define-fun .trans () Bool (! (and (< i 1000) (= i.n (+ i 1)) (= a.n (store a i 7))) :trans true))\n\
    (define-fun .goal () Bool (! (=> (< 5 i) (= (select a 5) 7)) :invar-property 0))\n\
    (define-fun .hint () Bool (! (<= (select a 5) 43) :predicate true))\n";

/// Control in two Booleans: a loop up to 9, then a loop down to 0.
const PLACES: &str = "(declare-fun l0 () Bool)(declare-fun l0.n () Bool)\n\
    (declare-fun l1 () Bool)(declare-fun l1.n () Bool)\n\
    (declare-fun x () Int)(declare-fun x.n () Int)\n\
    (define-fun .l0 () Bool (! l0 :next l0.n))\n(define-fun .l1 () Bool (! l1 :next l1.n))\n\
    (define-fun .x () Int (! x :next x.n))\n\
    (define-fun .init () Bool (! (and (not l0) (not l1) (= x 0)) :init true))\n\
    (define-fun .trans () Bool (! (or\n\
      (and (not l0) (not l1) (not l0.n) l1.n (= x.n (+ x 1)))\n\
      (and (not l0) l1 (< x 9) (not l0.n) (not l1.n) (= x.n x))\n\
      (and (not l0) l1 (>= x 9) l0.n (not l1.n) (= x.n x))\n\
      (and l0 (not l1) (> x 0) l0.n l1.n (= x.n (- x 1)))\n\
      (and l0 l1 l0.n (not l1.n) (= x.n x))) :trans true))\n\
    (define-fun .goal () Bool (! (=> l0 (and (<= 0 x) (<= x 9))) :invar-property 0))\n\
    (define-fun .hint () Bool (! (<= x 43) :predicate true))\n";

/// Z3 with our own interpolation.
struct Backends(Z3Oracles);

impl Oracles for Backends {
    fn solver(&self, config: &SolverConfig) -> Box<dyn Solver> {
        self.0.solver(config)
    }

    fn interpolator(&self, strength: Strength) -> Box<dyn Interpolator> {
        Box::new(Itp::new(strength, InterpolateOptions::default()))
    }

    fn script(&self, script: &str, limit: std::time::Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        self.0.script(script, limit)
    }

    fn horn(
        &self,
        _text: &str,
        _parameters: &[String],
        _limit: std::time::Duration,
    ) -> Result<String, Halt> {
        Err(Halt::Solver("no other solver".into()))
    }
}

/// Keeps the predicates of a run.
struct Predicates<'a>(&'a TermStore, RefCell<Vec<String>>);

impl EventSink for Predicates<'_> {
    fn emit(&self, event: Event<'_>) {
        if let Event::Predicate(atom) = event {
            self.1.borrow_mut().push(self.0.print(atom));
        }
    }
}

/// A run of an engine: its predicates and what it told.
struct Run {
    predicates: Vec<String>,
    told: Vec<Shared>,
}

impl Run {
    fn new(text: &str, name: &str, shared: &[Shared]) -> Run {
        let (terms, told) = (TermStore::new(), RefCell::<Vec<Shared>>::default());
        let events = Predicates(&terms, RefCell::default());
        let (rng, oracles) = (Rng::new(0), Backends(Z3Oracles::default()));
        let budget = Budget::unlimited().slice(Work::of_millis(20_000));
        let cx = Cx {
            terms: &terms,
            events: &events,
            budget: &budget,
            oracles: &oracles,
            rng: &rng,
        };
        let inbox = Inbox::default();
        shared.iter().for_each(|message| inbox.put(message.clone()));
        let send = |message: Shared| told.borrow_mut().push(message);
        let wire = Wire { inbox, send: &send };
        let steps = Portfolio::built_in().unwrap().steps(name, 1).unwrap();
        let mut prepared = Prepared::new(&steps[0].configuration, &[]).unwrap();
        match read(text.as_bytes(), &terms).unwrap().problem {
            Problem::Chc(system) => {
                drop(check_clauses(&system, &mut prepared, Some(&wire), &cx).unwrap());
            }
            Problem::Vmt { system, .. } => {
                drop(check_system(&system, &mut prepared, Some(&wire), &cx).unwrap());
            }
        }
        let predicates = events.1.into_inner();
        Run {
            predicates,
            told: told.into_inner(),
        }
    }

    /// Whether a predicate mentions a number that occurs in hints only.
    fn looks_at(&self, number: &str) -> bool {
        self.predicates.iter().any(|p| p.contains(number))
    }
}

/// A message from another worker, which has the fingerprint of one that was told.
fn hint(told: &[Shared], formula: &str) -> Shared {
    let item = SharedItem {
        predicate: 0,
        formula: formula.to_owned(),
    };
    Shared {
        fingerprint: told[0].fingerprint.clone(),
        items: vec![item],
    }
}

#[test]
fn an_engine_below_the_ladder_tells_lemmas_and_looks_at_hints() {
    for text in [LOOPS, PLACES, ARRAY] {
        let alone = Run::new(text, "ic3ia", &[]);
        assert!(!alone.told.is_empty(), "no lemma was told:\n{text}");
        assert!(!alone.looks_at("17"));
        let formula = match text {
            ARRAY => "(<= p0 17)",
            PLACES => "(<= p2 17)",
            _ => "(<= p1 17)",
        };
        let helped = Run::new(text, "ic3ia", &[hint(&alone.told, formula)]);
        assert!(helped.looks_at("17"), "{:?}\n{text}", helped.predicates);
    }
}

#[test]
fn engines_on_clauses_tell_what_they_learn() {
    let told = |text, name| Run::new(text, name, &[]).told;
    for (text, name) in [
        (LOOPS, "lazy_annotation"),
        (PLACES, "lazy_annotation"),
        (ARRAY, "candidates"),
    ] {
        let lemmas = told(text, name);
        assert!(!lemmas.is_empty(), "{name} told nothing:\n{text}");
        let heard = told(text, "ic3ia");
        assert_eq!(lemmas[0].fingerprint, heard[0].fingerprint, "{text}");
    }
}

#[test]
fn predicates_of_the_input_survive_every_layer_and_the_split_into_locations() {
    for (text, name) in [
        (ARRAY, "ic3ia"),
        (ARRAY, "prophecy"),
        (ARRAY, "cells"),
        (ARRAY, "quantified"),
        (PLACES, "ic3ia"),
    ] {
        let with = Run::new(text, name, &[]);
        assert!(with.looks_at("43"), "{name}: {:?}", with.predicates);
        let without = Run::new(&text.replace(":predicate true", ":other true"), name, &[]);
        assert!(!without.looks_at("43"));
    }
}
