//! Fewer and shorter conjuncts: known numbers are put in, clauses that differ in one literal joined.
//!
//! ```text
//! x = 3 ∧ F(x)                     =  x = 3 ∧ F(3)
//! (¬g ∨ a) ∧ (¬g ∨ b)              =  ¬g ∨ (a ∧ b)          also under one ∀
//! (¬a ∨ b) ∧ (a ∨ ¬b)              =  a = b
//! (¬c ∨ a) ∧ (c ∨ b)               =  if c then a else b
//! ```

use foretell_terms::{Op, Substitution, Term, TermStore};

use super::{Junction, Polarity, Rewriter};

impl Rewriter<'_> {
    /// Puts the numbers that conjuncts give to variables into the other conjuncts.
    pub(super) fn use_values(&mut self, formula: Term) -> Term {
        let store = self.store;
        let mut current = formula;
        for _ in 0..super::MOST_ROUNDS {
            let items = self.members(Junction::And, current);
            let values = self.facts(Junction::And, &items).values(store);
            let mut map = Substitution::from_pairs(values.iter().copied());
            let mut next: Vec<Term> = values
                .iter()
                .map(|&(var, value)| self.formula(store.eq(var, value), Polarity::Positive))
                .collect();
            let others: Vec<Term> = items
                .iter()
                .copied()
                .filter(|item| !next.contains(item))
                .collect();
            for item in others {
                let put_in = map.apply(store, item);
                next.push(self.formula(put_in, Polarity::Positive));
            }
            // Conjuncts keep their places where nothing changed.
            next.sort_by_key(|t| items.iter().position(|i| i == t).unwrap_or(items.len()));
            let again = self.junction(Junction::And, &next);
            if again == current {
                break;
            }
            current = again;
        }
        current
    }

    /// Joins clauses in every conjunction, outermost last.
    pub(super) fn join_all(&mut self, formula: Term) -> Term {
        let store = self.store;
        let node = store.node(formula);
        match &node.op {
            Op::And | Op::Or => {
                let items: Vec<Term> = node.args.iter().map(|&a| self.join_all(a)).collect();
                if node.op == Op::Or {
                    return store.or(items);
                }
                self.join(items)
            }
            Op::Forall | Op::Exists => {
                let (body, vars) = node.args.split_last().unwrap_or((&formula, &[]));
                let body = self.join_all(*body);
                match node.op {
                    Op::Forall => store.forall(vars, body),
                    _ => store.exists(vars, body),
                }
            }
            _ => formula,
        }
    }

    fn join(&mut self, mut items: Vec<Term>) -> Term {
        while let Some((i, j, joined)) = self.joinable(&items) {
            items[i] = joined;
            items.remove(j);
        }
        self.store.and(items)
    }

    /// Two members that can be one, and that one.
    fn joinable(&mut self, items: &[Term]) -> Option<(usize, usize, Term)> {
        if items.len() > super::MOST_CLAUSES {
            return None;
        }
        for i in 0..items.len() {
            for j in i + 1..items.len() {
                if let Some(joined) = self.joined(items[i], items[j]) {
                    return Some((i, j, joined));
                }
            }
        }
        None
    }

    fn joined(&mut self, a: Term, b: Term) -> Option<Term> {
        let store = self.store;
        if *store.op(a) == Op::Forall && *store.op(b) == Op::Forall {
            return self.joined_under_quantifier(a, b);
        }
        let (left, right) = (store.disjuncts(a), store.disjuncts(b));
        if left.len() != right.len() || left.len() < 2 {
            return None;
        }
        if let Some(same) = equivalence(store, &left, &right) {
            return Some(same);
        }
        if let Some(choice) = choice(store, &left, &right) {
            return Some(choice);
        }
        let (x, y) = difference(&left, &right)?;
        let both = self.junction(Junction::And, &[x, y]);
        let rest = left.iter().map(|&l| if l == x { both } else { l });
        Some(store.or(rest.collect::<Vec<_>>()))
    }

    /// Joins `∀v. R ∨ a` and `∀w. R ∨ b` when the variables have the same sorts.
    fn joined_under_quantifier(&mut self, a: Term, b: Term) -> Option<Term> {
        let store = self.store;
        let ((body_a, vars_a), (body_b, vars_b)) =
            (store.args(a).split_last()?, store.args(b).split_last()?);
        let sorts = |vars: &[Term]| vars.iter().map(|&v| store.sort(v)).collect::<Vec<_>>();
        if sorts(vars_a) != sorts(vars_b) {
            return None;
        }
        let pairs = vars_b.iter().copied().zip(vars_a.iter().copied());
        let renamed = store.substitute(*body_b, pairs);
        let other = self.formula(renamed, Polarity::Positive);
        let (left, right) = (store.disjuncts(*body_a), store.disjuncts(other));
        if left.len() != right.len() {
            return None;
        }
        if left.iter().all(|l| right.contains(l)) {
            return Some(a);
        }
        let (x, y) = difference(&left, &right)?;
        // Bounds are not joined: `k < i` or `k < j` reads worse than two sentences.
        if left.len() < 2 || crate::shape::is_guard(store, vars_a, x) {
            return None;
        }
        if crate::shape::is_guard(store, vars_a, y) {
            return None;
        }
        let both = self.junction(Junction::And, &[x, y]);
        let rest = left.iter().map(|&l| if l == x { both } else { l });
        Some(store.forall(vars_a, store.or(rest.collect::<Vec<_>>())))
    }
}

/// `a = b` from `{¬a, b}` and `{a, ¬b}`.
fn equivalence(store: &TermStore, left: &[Term], right: &[Term]) -> Option<Term> {
    let ([a, b], [c, d]) = (left, right) else {
        return None;
    };
    let opposite = |x: Term, y: Term| store.not(x) == y;
    let matches = (opposite(*a, *c) && opposite(*b, *d)) || (opposite(*a, *d) && opposite(*b, *c));
    let plain = |t: Term| {
        let (atom, _) = store.strip_not(t);
        !matches!(store.op(atom), Op::And | Op::Or | Op::Forall | Op::Exists)
    };
    (matches && plain(*a) && plain(*b)).then(|| store.eq(store.not(*a), *b))
}

/// `if c then a else b` from `{¬c, a}` and `{c, b}`.
fn choice(store: &TermStore, left: &[Term], right: &[Term]) -> Option<Term> {
    let ([a, b], [c, d]) = (left, right) else {
        return None;
    };
    let both = [
        (*a, *b, *c, *d),
        (*a, *b, *d, *c),
        (*b, *a, *c, *d),
        (*b, *a, *d, *c),
    ];
    let (x, then, _, other) = both.into_iter().find(|&(x, _, y, _)| store.not(x) == y)?;
    Some(store.ite(store.not(x), then, other))
}

/// The two members that differ when all others are the same.
fn difference(left: &[Term], right: &[Term]) -> Option<(Term, Term)> {
    let only = |these: &[Term], those: &[Term]| -> Vec<Term> {
        these
            .iter()
            .copied()
            .filter(|t| !those.contains(t))
            .collect()
    };
    match (only(left, right).as_slice(), only(right, left).as_slice()) {
        ([x], [y]) => Some((*x, *y)),
        _ => None,
    }
}
