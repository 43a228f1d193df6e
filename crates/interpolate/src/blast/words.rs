//! Bits gathered into words: conjunctions and disjunctions of bits of one word, said with fewer
//! atoms.
//!
//! ```text
//! the upper bits down to j are v    v = 0: x <= 2^j - 1;   v all ones: x >= 2^w - 2^j;   the sign alone: 0 <= x signed;
//!                                   all bits: x = v;       otherwise both bounds
//! other neighbouring bits           the slice is v
//! a disjunction                     the negation of what the negated bits say together
//! ```
//! Every rewriting is an equivalence.

use foretell_terms::{BvOp, Integer, Op, Sort, Term, TermMap, TermStore};
use std::collections::BTreeMap;

/// A bit that a literal fixes: the word, the place, the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bit {
    /// The word.
    pub(crate) word: Term,
    /// The place, from the least significant bit.
    pub(crate) place: u32,
    /// The value.
    pub(crate) value: bool,
}

/// The bit that a literal fixes, if it does.
pub(crate) fn bit(store: &TermStore, lit: Term) -> Option<Bit> {
    let (atom, negative) = store.strip_not(lit);
    let (Op::Eq, [a, b]) = (store.op(atom), store.args(atom)) else {
        return None;
    };
    let (slice, number) = if store.as_bv(*a).is_some() {
        (*b, *a)
    } else {
        (*a, *b)
    };
    let Op::Bv(BvOp::Extract { high, low }) = store.op(slice) else {
        return None;
    };
    let value = !store.as_bv(number)?.is_zero();
    (high == low).then(|| Bit {
        word: store.args(slice)[0],
        place: *low,
        value: value != negative,
    })
}

/// The formula with bits gathered into words.
pub(crate) fn gather(store: &TermStore, root: Term) -> Term {
    let mut done: TermMap<Term> = TermMap::default();
    for t in store.subterms(&[root]) {
        if store.sort(t) != Sort::BOOL {
            continue;
        }
        let new = match store.op(t) {
            Op::And => {
                let (bits, mut parts) = sorted(store, &store.conjuncts(t), &done);
                parts.extend(words(store, &bits));
                store.and(parts)
            }
            Op::Or => {
                let members: Vec<Term> = store.disjuncts(t);
                let (bits, mut parts) = sorted(store, &members, &done);
                let flipped: Vec<Bit> = bits
                    .iter()
                    .map(|b| Bit {
                        value: !b.value,
                        ..*b
                    })
                    .collect();
                parts.extend(words(store, &flipped).into_iter().map(|f| store.not(f)));
                store.or(parts)
            }
            Op::Not => store.not(
                done.get(&store.args(t)[0])
                    .copied()
                    .unwrap_or(store.args(t)[0]),
            ),
            _ => match bit(store, t) {
                Some(b) if b.place + 1 == store.bv_width(b.word) => store.and(words(store, &[b])),
                _ => t,
            },
        };
        done.insert(t, new);
    }
    done.get(&root).copied().unwrap_or(root)
}

/// The bits among some formulas, and the others, rewritten.
fn sorted(store: &TermStore, members: &[Term], done: &TermMap<Term>) -> (Vec<Bit>, Vec<Term>) {
    let (mut bits, mut parts) = (Vec::new(), Vec::new());
    for m in members {
        match bit(store, *m) {
            Some(b) => bits.push(b),
            None => parts.push(done.get(m).copied().unwrap_or(*m)),
        }
    }
    (bits, parts)
}

/// What the bits say together, as few formulas over words.
fn words(store: &TermStore, bits: &[Bit]) -> Vec<Term> {
    let mut by_word: BTreeMap<Term, BTreeMap<u32, bool>> = BTreeMap::new();
    let mut out = Vec::new();
    for b in bits {
        match by_word.entry(b.word).or_default().insert(b.place, b.value) {
            Some(before) if before != b.value => return vec![store.ff()],
            _ => {}
        }
    }
    for (word, places) in by_word {
        let width = store.bv_width(word);
        let mut places: Vec<(u32, bool)> = places.into_iter().rev().collect();
        // Runs of neighbours, the uppermost first.
        while let Some((high, _)) = places.first().copied() {
            let n = places
                .iter()
                .zip(0..)
                .take_while(|((p, _), i)| p + i == high)
                .count();
            let run: Vec<bool> = places.drain(..n).map(|(_, value)| value).collect();
            run_formulas(store, word, width, high, &run, &mut out);
        }
    }
    out
}

/// What a run of neighbouring bits from `high` downwards says.
fn run_formulas(
    store: &TermStore,
    word: Term,
    width: u32,
    high: u32,
    run: &[bool],
    out: &mut Vec<Term>,
) {
    let low = high + 1 - run.len() as u32;
    let value = run
        .iter()
        .fold(Integer::ZERO, |v, b| (v << 1) + Integer::from(u8::from(*b)));
    let top = high + 1 == width;
    if top && low == 0 {
        out.push(store.eq(word, store.bv(value, width)));
    } else if top && run.len() == 1 {
        let positive = store.bv_sle(store.bv(0, width), word);
        out.push(if run[0] {
            store.not(positive)
        } else {
            positive
        });
    } else if top {
        let least = value << low as usize;
        let most = least.clone() + (Integer::ONE << low as usize) - Integer::ONE;
        if run.contains(&true) {
            out.push(store.bv_ule(store.bv(least, width), word));
        }
        if run.contains(&false) {
            out.push(store.bv_ule(word, store.bv(most, width)));
        }
    } else if run.len() == 1 {
        let one = store.eq(store.bv_extract(word, high, low), store.bv(1, 1));
        out.push(if run[0] { one } else { store.not(one) });
    } else {
        out.push(store.eq(
            store.bv_extract(word, high, low),
            store.bv(value, high + 1 - low),
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_bits(s: &TermStore, x: Term, from: u32, to: u32, value: i64) -> Vec<Term> {
        (from..=to)
            .map(|i| s.eq(s.bv((value >> i) & 1, 1), s.bv_extract(x, i, i)))
            .collect()
    }

    #[test]
    fn upper_bits_become_bounds_and_slices_equations() {
        let s = TermStore::new();
        let x = s.new_var("x", s.bv_sort(8));
        let shown = |t: Term| s.print(gather(&s, t));
        assert_eq!(
            shown(s.and(all_bits(&s, x, 2, 7, 0))),
            s.print(s.bv_ule(x, s.bv(3, 8)))
        );
        assert_eq!(
            shown(s.and(all_bits(&s, x, 0, 7, 77))),
            s.print(s.eq(x, s.bv(77, 8)))
        );
        assert_eq!(
            shown(all_bits(&s, x, 7, 7, 0)[0]),
            s.print(s.bv_sle(s.bv(0, 8), x))
        );
        let slice = s.eq(s.bv_extract(x, 4, 2), s.bv(5, 3));
        assert_eq!(shown(s.and(all_bits(&s, x, 2, 4, 5 << 2))), s.print(slice));
        let some = s.or(all_bits(&s, x, 2, 7, 0xff));
        assert_eq!(shown(some), s.print(s.not(s.bv_ule(x, s.bv(3, 8)))));
        let p = s.new_var("p", Sort::BOOL);
        let inner = s.or2(p, s.and(all_bits(&s, x, 4, 7, 0xa0)));
        let bounds = s.and2(s.bv_ule(s.bv(0xa0, 8), x), s.bv_ule(x, s.bv(0xaf, 8)));
        assert_eq!(gather(&s, inner), s.or2(p, bounds));
    }

    #[test]
    fn opposite_bits_are_false() {
        let s = TermStore::new();
        let x = s.new_var("x", s.bv_sort(4));
        let bit = s.eq(s.bv(1, 1), s.bv_extract(x, 1, 1));
        let zero = s.eq(s.bv(0, 1), s.bv_extract(x, 1, 1));
        assert_eq!(gather(&s, s.and2(bit, zero)), s.ff());
    }
}
