//! Bit-vector problems: random ones, checked by Z3, and a few by hand.

use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{Interpolation, Interpolator, Rng, Strength};
use foretell_terms::{BvOp, Term, TermStore};
use foretell_testkit::partition::check::{path, satisfiable, tree_fault, with_cx};
use std::time::Duration;

const BINARY: [BvOp; 14] = [
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Add,
    BvOp::Add,
    BvOp::Mul,
    BvOp::Udiv,
    BvOp::Urem,
    BvOp::Sdiv,
    BvOp::Srem,
    BvOp::Smod,
    BvOp::Shl,
    BvOp::Lshr,
    BvOp::Ashr,
];

fn term(s: &TermStore, rng: &Rng, base: &[Term], width: u32, depth: u32) -> Term {
    if depth == 0 || rng.below(3) == 0 {
        if rng.below(4) == 0 {
            return s.bv(rng.below(1 << width), width);
        }
        return base[rng.below(base.len() as u64) as usize];
    }
    let sub = || term(s, rng, base, width, depth - 1);
    match rng.below(20) {
        0 => s.bv_op(BvOp::Not, &[sub()]),
        1 => s.bv_op(BvOp::Neg, &[sub()]),
        2 => {
            let wide = s.bv_op(BvOp::Concat, &[sub(), sub()]);
            s.bv_extract(wide, width, 1)
        }
        3 => {
            let small = s.bv_extract(sub(), width - 2, 0);
            s.bv_op(
                if rng.below(2) == 0 {
                    BvOp::SignExtend(1)
                } else {
                    BvOp::ZeroExtend(1)
                },
                &[small],
            )
        }
        4 => s.ite(s.bv_ule(sub(), sub()), sub(), sub()),
        _ => s.bv_op(BINARY[rng.below(14) as usize], &[sub(), sub()]),
    }
}

fn literal(s: &TermStore, rng: &Rng, base: &[Term], width: u32) -> Term {
    let (a, b) = (term(s, rng, base, width, 2), term(s, rng, base, width, 1));
    let atom = match rng.below(4) {
        0 => s.bv_ule(a, b),
        1 => s.bv_sle(a, b),
        _ => s.eq(a, b),
    };
    if rng.below(5) == 0 { s.not(atom) } else { atom }
}

#[test]
fn random_words() {
    let (mut unsat, mut answered) = (0, 0);
    for seed in 0..300 {
        let s = TermStore::new();
        let rng = Rng::new(seed);
        let width = 2 + rng.below(3) as u32;
        let n = 2 + rng.below(3) as usize;
        let sort = s.bv_sort(width);
        let edges: Vec<Term> = (0..n).map(|k| s.new_var(&format!("s{k}"), sort)).collect();
        let f = s.declare("f", &[sort], sort);
        let parts: Vec<Term> = (0..n)
            .map(|k| {
                let mut base = vec![
                    s.new_var(&format!("l{k}"), sort),
                    edges[k],
                    edges[k.saturating_sub(1)],
                ];
                if rng.below(3) == 0 {
                    base.push(s.app(f, &[edges[k]]));
                }
                let clauses: Vec<Term> = (0..2 + rng.below(2))
                    .map(|_| {
                        let l = literal(&s, &rng, &base, width);
                        if rng.below(3) == 0 {
                            s.or2(l, literal(&s, &rng, &base, width))
                        } else {
                            l
                        }
                    })
                    .collect();
                s.and(clauses)
            })
            .collect();
        with_cx(&s, Duration::from_secs(20), |cx| {
            let mut itp = Itp::new(Strength::Strong, InterpolateOptions::default());
            match itp.sequence(&parts, cx).expect("the budget suffices") {
                Interpolation::Interpolants(itps) => {
                    unsat += 1;
                    answered += 1;
                    assert_eq!(tree_fault(&parts, &path(n), &itps, cx), None, "seed {seed}");
                }
                Interpolation::Satisfiable(_) => {
                    assert_ne!(satisfiable(&parts, cx), Some(false), "seed {seed}");
                }
                Interpolation::Unknown(why) => {
                    assert_ne!(satisfiable(&parts, cx), Some(false), "seed {seed}: {why}");
                }
            }
            assert_eq!(itp.stats().rejected, 0, "seed {seed}");
        });
    }
    assert!(unsat > 50 && answered == unsat, "{answered} of {unsat}");
}

#[test]
fn parity_travels_over_words() {
    let s = TermStore::new();
    let sort = s.bv_sort(8);
    let [x, y, z] = ["x", "y", "z"].map(|n| s.new_var(n, sort));
    let parts = [
        s.eq(y, s.bv_op(BvOp::Add, &[x, x])),
        s.eq(
            y,
            s.bv_op(BvOp::Add, &[s.bv_op(BvOp::Add, &[z, z]), s.bv(1, 8)]),
        ),
    ];
    with_cx(&s, Duration::from_secs(20), |cx| {
        let mut itp = Itp::new(Strength::Strong, InterpolateOptions::default());
        let answer = itp.sequence(&parts, cx).expect("the budget suffices");
        let Interpolation::Interpolants(itps) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(s.print(itps[0]), "(not (= ((_ extract 0 0) y) #b1))");
    });
}

#[test]
fn words_stay_words_where_that_suffices() {
    let s = TermStore::new();
    let sort = s.bv_sort(32);
    let [x, y, z, pc] = ["x", "y", "z", "pc"].map(|n| s.new_var(n, sort));
    let inc = |t: Term| s.bv_op(BvOp::Add, &[t, s.bv(1, 32)]);
    let parts = [
        s.and([s.eq(x, y), s.eq(z, inc(x)), s.eq(pc, s.bv(3, 32))]),
        s.or2(s.not(s.eq(z, inc(y))), s.eq(pc, s.bv(4, 32))),
    ];
    with_cx(&s, Duration::from_secs(20), |cx| {
        let mut itp = Itp::new(Strength::Strong, InterpolateOptions::default());
        let answer = itp.sequence(&parts, cx).expect("the budget suffices");
        let Interpolation::Interpolants(itps) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(tree_fault(&parts, &path(2), &itps, cx), None);
        assert_eq!(s.atoms(&itps).len(), 2, "{}", s.print(itps[0]));
    });
}
