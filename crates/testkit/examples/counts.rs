//! Workloads of the hot paths, one per run, to be counted in instructions by `cargo xtask counts`.
//!
//! Only what happens below [`measured`] is counted; preparation is not. Each workload gives a number that
//! depends on its whole result, which is printed, so that nothing is optimised away and a workload that
//! suddenly does something else is noticed.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{self, Write as _};

use foretell_engines::ic3ia::{Ic3ia, Ic3iaOptions};
use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{Alone, Budget, Cx, Engine, Interpolation, Interpolator, Strength, Verdict};
use foretell_solver::Z3Oracles;
use foretell_systems::{StateVar, TransitionSystem, Unroller};
use foretell_terms::{Sort, Substitution, Term, TermStore};
use foretell_testkit::over;

/// A workload: its name, and the function that prepares and runs it.
type Workload = (&'static str, fn() -> usize);

const WORKLOADS: [Workload; 6] = [
    ("terms-build", terms_build),
    ("terms-substitute", terms_substitute),
    ("read-horn", read_horn),
    ("unroll", unroll),
    ("interpolate", interpolate),
    ("relative-induction", relative_induction),
];

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    match std::env::args().nth(1) {
        None => WORKLOADS
            .iter()
            .try_for_each(|(name, _)| writeln!(out, "{name}")),
        Some(wanted) => match WORKLOADS.iter().find(|(name, _)| *name == wanted) {
            Some((_, run)) => writeln!(out, "{}", run()),
            None => Err(io::Error::other(format!("no workload \"{wanted}\""))),
        },
    }
}

/// The part that is counted: the counter is switched on while this function runs.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

/// A chain of formulas over integers and an array, `size` levels deep.
fn chain(s: &TermStore, size: i64) -> Term {
    let array = s.array_sort(&[Sort::INT], Sort::INT);
    let (x, mut a) = (s.new_var("x", Sort::INT), s.new_var("a", array));
    let mut formula = s.tt();
    let mut sum = x;
    for n in 0..size {
        sum = s.add2(
            s.ite(s.le(sum, s.int(n * 7)), x, sum),
            s.select(a, &[s.add2(x, s.int(n))]),
        );
        a = s.store(a, &[s.add2(x, s.int(n % 17))], sum);
        formula = s.and2(
            formula,
            s.or2(s.le(sum, s.int(n)), s.not(s.eq(x, s.int(n)))),
        );
    }
    formula
}

fn terms_build() -> usize {
    let s = TermStore::new();
    // The second time every term is there already: both paths of hash-consing count.
    let same = measured(|| chain(&s, 2000) == chain(&s, 2000));
    s.len() + usize::from(same)
}

fn terms_substitute() -> usize {
    let s = TermStore::new();
    let formula = chain(&s, 1000);
    let x = s.new_var("x", Sort::INT);
    measured(|| {
        for n in 0..5 {
            let y = s.add2(s.new_var("y", Sort::INT), s.int(n));
            black_box(Substitution::from_pairs([(x, y)]).apply(&s, formula));
        }
    });
    s.len()
}

fn read_horn() -> usize {
    let mut text = String::from("(set-logic HORN)\n");
    for n in 0..300 {
        let _ = writeln!(text, "(declare-fun p{n} (Int Int (Array Int Int)) Bool)");
    }
    for n in 0..299 {
        let _ = writeln!(
            text,
            "(assert (forall ((x Int) (y Int) (a (Array Int Int))) (=> (and (p{n} x y a) (< x (+ y {n})) \
             (let ((v (select a x))) (or (= v y) (> (* 3 v) (- x 1))))) (p{} (+ x 1) y (store a x y)))))",
            n + 1
        );
    }
    text.push_str("(assert (forall ((x Int) (a (Array Int Int))) (=> (= x 0) (p0 x x a))))\n");
    text.push_str(
        "(assert (forall ((x Int) (y Int) (a (Array Int Int))) (=> (and (p299 x y a) (< x y)) false)))\n",
    );
    text.push_str("(check-sat)\n");
    let s = TermStore::new();
    let read = measured(|| foretell_frontends::read(text.as_bytes(), &s).is_ok());
    s.len() + usize::from(read)
}

/// `x` and `y` count up together and never part by more than `gap`.
fn counters(s: &TermStore, gap: i64) -> TransitionSystem {
    let var = |n: &str| StateVar {
        cur: s.new_var(n, Sort::INT),
        next: s.new_var(&format!("{n}'"), Sort::INT),
    };
    let (x, y) = (var("x"), var("y"));
    let init = s.and2(s.eq(x.cur, s.int(0)), s.eq(y.cur, s.int(0)));
    let up = |v: StateVar| s.eq(v.next, s.add2(v.cur, s.int(1)));
    let trans = s.or2(
        s.and2(up(x), up(y)),
        s.and([up(x), s.eq(y.next, x.next), s.lt(x.cur, s.int(100))]),
    );
    let property = s.le(y.cur, s.add2(x.cur, s.int(gap)));
    TransitionSystem::new(vec![x, y], init, trans, property)
}

fn unroll() -> usize {
    let s = TermStore::new();
    let mut system = counters(&s, 0);
    system.trans = s.and2(
        system.trans,
        s.implies(chain(&s, 20), s.le(system.vars[0].cur, s.int(9))),
    );
    measured(|| {
        let mut unroller = Unroller::new(&system);
        for step in 0..100 {
            black_box(unroller.at(&s, system.trans, step));
        }
    });
    s.len()
}

fn interpolate() -> usize {
    let s = TermStore::new();
    let system = counters(&s, 3);
    let mut unroller = Unroller::new(&system);
    let mut parts = vec![unroller.at(&s, system.init, 0)];
    parts.extend((0..6).map(|step| unroller.at(&s, system.trans, step)));
    parts.push(s.not(unroller.at(&s, system.property, 6)));
    over(&s, &Budget::unlimited(), |cx| {
        let mut itp = Itp::new(Strength::Strong, InterpolateOptions::default());
        match measured(|| itp.sequence(&parts, cx)) {
            Ok(Interpolation::Interpolants(found)) => found.len(),
            _ => 0,
        }
    })
}

fn relative_induction() -> usize {
    let s = TermStore::new();
    let system = counters(&s, 0);
    over(&s, &Budget::unlimited(), |cx| {
        let plain = Z3Oracles::default();
        let cx = &Cx {
            oracles: &plain,
            ..*cx
        };
        let mut engine = Ic3ia::new(Ic3iaOptions::default());
        match measured(|| engine.check(&system, &Alone, cx)) {
            Ok(Verdict::Safe(_)) => 1,
            _ => 0,
        }
    })
}
