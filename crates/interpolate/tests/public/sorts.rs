//! Random problems that mix integers, reals, truth values as arguments, arrays and division:
//! checked by Z3.

use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{Interpolation, Interpolator, Rng, Strength};
use foretell_terms::{Func, Integer, Rational, Sort, Term, TermStore};
use foretell_testkit::partition::check::{path, satisfiable, tree_fault, with_cx};
use std::time::Duration;

/// The variables of a group and the functions of the problem.
struct Mix<'a> {
    s: &'a TermStore,
    rng: &'a Rng,
    ints: Vec<Term>,
    reals: Vec<Term>,
    bools: Vec<Term>,
    arrays: Vec<Term>,
    weigh: Func,
    holds: Func,
}

impl Mix<'_> {
    fn pick(&self, from: &[Term]) -> Term {
        from[self.rng.below(from.len() as u64) as usize]
    }

    fn int(&self, depth: u32) -> Term {
        let s = self.s;
        if depth == 0 {
            return self.pick(&self.ints);
        }
        match self.rng.below(8) {
            0 => s.int(self.rng.below(5) as i64 - 2),
            1 => s.to_int(self.real(depth - 1)),
            2 => s.select(self.array(depth - 1), &[self.int(depth - 1)]),
            3 => s.ite(
                self.truth(depth - 1),
                self.int(depth - 1),
                self.int(depth - 1),
            ),
            4 => s.idiv(
                self.int(depth - 1),
                s.int([2, 3, -2, 0][self.rng.below(4) as usize]),
            ),
            5 => s.add2(self.int(depth - 1), s.mul(&[s.int(2), self.int(depth - 1)])),
            _ => self.pick(&self.ints),
        }
    }

    fn real(&self, depth: u32) -> Term {
        let s = self.s;
        if depth == 0 {
            return self.pick(&self.reals);
        }
        match self.rng.below(6) {
            0 => s.real(Rational::from_parts(
                Integer::from(self.rng.below(7)) - Integer::from(3),
                2u8.into(),
            )),
            1 => s.to_real(self.int(depth - 1)),
            2 => s.app(self.weigh, &[self.truth(depth - 1), self.int(depth - 1)]),
            3 => s.sub(self.real(depth - 1), self.real(depth - 1)),
            _ => self.pick(&self.reals),
        }
    }

    fn array(&self, depth: u32) -> Term {
        if depth == 0 || self.rng.below(2) == 0 {
            return self.pick(&self.arrays);
        }
        self.s.store(
            self.array(depth - 1),
            &[self.int(depth - 1)],
            self.int(depth - 1),
        )
    }

    fn truth(&self, depth: u32) -> Term {
        let s = self.s;
        if depth == 0 {
            return self.pick(&self.bools);
        }
        let t = match self.rng.below(8) {
            0 => self.pick(&self.bools),
            1 => s.app(self.holds, &[self.truth(depth - 1)]),
            2 => s.eq(self.truth(depth - 1), self.truth(depth - 1)),
            3 => s.eq(self.array(depth - 1), self.array(depth - 1)),
            4 => s.le(self.real(depth), self.real(depth - 1)),
            5 => s.eq(self.real(depth), self.real(depth - 1)),
            6 => s.le(self.int(depth), self.int(depth - 1)),
            _ => s.eq(self.int(depth), self.int(depth - 1)),
        };
        if self.rng.below(4) == 0 { s.not(t) } else { t }
    }
}

/// The variables of one sort that each of `n` groups may use: those it shares with the group
/// before, those it shares with the group behind, and its own.
fn variables(s: &TermStore, n: usize, name: &str, sort: Sort) -> Vec<Vec<Term>> {
    let shared: Vec<Term> = (0..n)
        .map(|j| s.new_var(&format!("{name}{j}"), sort))
        .collect();
    let group = |k: usize| {
        let own = s.new_var(&format!("{name}local{k}"), sort);
        vec![shared[k.saturating_sub(1)], shared[k], own]
    };
    (0..n).map(group).collect()
}

/// A random conjunction for each of `n` groups.
fn mixture(s: &TermStore, rng: &Rng, n: usize) -> Vec<Term> {
    let sort = s.array_sort(&[Sort::INT], Sort::INT);
    let weigh = s.declare("weigh", &[Sort::BOOL, Sort::INT], Sort::REAL);
    let holds = s.declare("holds", &[Sort::BOOL], Sort::BOOL);
    let [ints, reals, bools, arrays] = [
        ("i", Sort::INT),
        ("r", Sort::REAL),
        ("b", Sort::BOOL),
        ("a", sort),
    ]
    .map(|(name, sort)| variables(s, n, name, sort));
    let part = |k: usize| {
        let mix = Mix {
            s,
            rng,
            ints: ints[k].clone(),
            reals: reals[k].clone(),
            bools: bools[k].clone(),
            arrays: arrays[k].clone(),
            weigh,
            holds,
        };
        s.and(
            (0..3 + rng.below(3)).map(|_| match (mix.truth(2), rng.below(4)) {
                (l, 0) => s.or2(l, mix.truth(1)),
                (l, _) => l,
            }),
        )
    };
    (0..n).map(part).collect()
}

#[test]
fn random_mixtures() {
    let wanted = std::env::var("FORETELL_FUZZ").ok();
    let cases = wanted.and_then(|n| n.parse().ok()).unwrap_or(1600) / 4;
    let (mut unsat, mut missed) = (0, Vec::new());
    for seed in 0..cases {
        let s = TermStore::new();
        let rng = Rng::new(seed);
        let n = 2 + rng.below(2) as usize;
        let parts = mixture(&s, &rng, n);
        with_cx(&s, Duration::from_secs(20), |cx| {
            let mut itp = Itp::new(Strength::Strong, InterpolateOptions::default());
            match itp.sequence(&parts, cx).expect("the budget suffices") {
                Interpolation::Interpolants(itps) => {
                    unsat += 1;
                    assert_eq!(tree_fault(&parts, &path(n), &itps, cx), None, "seed {seed}");
                }
                Interpolation::Satisfiable(_) => {
                    assert_ne!(satisfiable(&parts, cx), Some(false), "seed {seed}");
                }
                Interpolation::Unknown(why) => {
                    if satisfiable(&parts, cx) == Some(false) {
                        unsat += 1;
                        missed.push((seed, why.to_string()));
                    }
                }
            }
            assert_eq!(itp.stats().rejected, 0, "seed {seed}");
        });
    }
    // Arrays may need what no quantifier-free interpolant gives.
    assert!(
        unsat > 0 && missed.len() * 20 <= unsat,
        "{} of {unsat} missed: {missed:?}",
        missed.len()
    );
}
