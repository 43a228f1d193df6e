//! The enumerator and the generators.

use foretell_systems::{StateVar, TransitionSystem};
use foretell_terms::{Sort, TermStore};

use crate::enumerate::{self, Truth};
use crate::generate::{Generator, Shape};

#[test]
fn a_counter_modulo_three() {
    let s = TermStore::new();
    let x = StateVar {
        cur: s.new_var("x", Sort::INT),
        next: s.new_var("x'", Sort::INT),
    };
    let trans = s.eq(x.next, s.modulo(s.add2(x.cur, s.int(1)), s.int(3)));
    let init = s.eq(x.cur, s.int(0));
    let system = |property| TransitionSystem::new(vec![x], init, trans, property);
    assert_eq!(
        enumerate::transition_system(&s, &system(s.lt(x.cur, s.int(3)))),
        Truth::Safe
    );
    assert_eq!(
        enumerate::transition_system(&s, &system(s.lt(x.cur, s.int(2)))),
        Truth::Unsafe
    );
    assert_eq!(
        enumerate::transition_system(&s, &system(s.eq(s.idiv(x.cur, s.int(0)), x.cur))),
        Truth::Undecided
    );
}

#[test]
fn generated_systems_are_well_formed_and_both_verdicts_occur() {
    let (mut safe, mut refuted) = (0, 0);
    for seed in 0..200 {
        let s = TermStore::new();
        let generator = Generator::new(&s, seed);
        let system = generator.transition_system();
        assert_eq!(system.validate(&s), Ok(()), "seed {seed}");
        let shape = if seed % 2 == 0 {
            Shape::Linear
        } else {
            Shape::NonLinear
        };
        let clauses = generator.clauses(shape);
        assert_eq!(clauses.validate(&s), Ok(()), "seed {seed}");
        for truth in [
            enumerate::transition_system(&s, &system),
            enumerate::clauses(&s, &clauses),
        ] {
            safe += usize::from(truth == Truth::Safe);
            refuted += usize::from(truth == Truth::Unsafe);
        }
    }
    assert!(safe > 50 && refuted > 50, "{safe} safe, {refuted} unsafe");
}
