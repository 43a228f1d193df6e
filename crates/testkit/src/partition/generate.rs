//! Random interpolation problems: groups of formulas in which neighbours share variables.
//!
//! `groups` draws clauses over uninterpreted functions and linear arithmetic; `planted` hides an
//! equality of two indices behind a chain of groups and reads a function at both; `tree` hangs
//! groups under random parents.

use foretell_kernel::Rng;
use foretell_terms::{Func, Integer, Rational, Sort, SortKind, Term, TermStore};

/// What to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Equality and functions.
    Uf,
    /// Linear real arithmetic.
    Lra,
    /// Linear integer arithmetic.
    Lia,
    /// Functions and reals.
    UfLra,
    /// Functions and integers.
    UfLia,
    /// A planted chain of integer indices.
    ChainInt,
    /// A planted chain of real indices.
    ChainReal,
    /// Planted division by bounds.
    Division,
    /// `div`, `mod`, `ite` and Boolean variables.
    Mixed,
    /// Integer coefficients beyond machine words.
    Big,
}

impl Mode {
    /// All modes.
    pub const ALL: [Mode; 10] = [
        Mode::Uf,
        Mode::Lra,
        Mode::Lia,
        Mode::UfLra,
        Mode::UfLia,
        Mode::ChainInt,
        Mode::ChainReal,
        Mode::Division,
        Mode::Mixed,
        Mode::Big,
    ];

    fn functions(self) -> bool {
        matches!(self, Mode::Uf | Mode::UfLra | Mode::UfLia | Mode::Mixed)
    }
}

/// A generator over a store.
pub struct Gen<'a> {
    store: &'a TermStore,
    rng: Rng,
    mode: Mode,
    sort: Sort,
    f: Func,
    g: Func,
    p: Func,
}

impl<'a> Gen<'a> {
    /// The generator of a seed.
    pub fn new(store: &'a TermStore, mode: Mode, seed: u64) -> Gen<'a> {
        let sort = match mode {
            Mode::Uf => store.mk_sort(SortKind::Uninterpreted("U".into())),
            Mode::Lra | Mode::UfLra | Mode::ChainReal => Sort::REAL,
            _ => Sort::INT,
        };
        let f = store.declare("f", &[sort], sort);
        let g = store.declare("g", &[sort, sort], sort);
        let p = store.declare("p", &[sort], Sort::BOOL);
        Gen {
            store,
            rng: Rng::new(seed.wrapping_mul(0x9e37_79b9) ^ mode as u64),
            mode,
            sort,
            f,
            g,
            p,
        }
    }

    fn below(&self, n: u64) -> u64 {
        self.rng.below(n)
    }

    fn chance(&self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    fn between(&self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    fn var(&self, name: String) -> Term {
        self.store.new_var(&name, self.sort)
    }

    fn num(&self, n: i64) -> Term {
        if self.sort == Sort::REAL {
            self.store.real(Rational::from(Integer::from(n)))
        } else {
            self.store.int(n)
        }
    }

    fn plus(&self, t: Term, n: i64) -> Term {
        self.store.add(&[t, self.num(n)])
    }

    /// Random groups in a sequence.
    pub fn groups(&self) -> Vec<Term> {
        match self.mode {
            Mode::ChainInt | Mode::ChainReal | Mode::Division => self.planted(),
            _ => {
                let n = self.pick(&[2, 2, 3, 4, 5]);
                let edges: Vec<Vec<Term>> = (0..n).map(|k| self.vars("s", k)).collect();
                let flags: Vec<Term> = (0..n)
                    .map(|k| self.store.new_var(&format!("q{k}"), Sort::BOOL))
                    .collect();
                let global = if self.chance(40) {
                    vec![self.var("p".into())]
                } else {
                    Vec::new()
                };
                (0..n)
                    .map(|k| {
                        let mut base = self.vars("l", k);
                        base.extend_from_slice(&global);
                        let mut bools = Vec::new();
                        if k > 0 {
                            base.extend_from_slice(&edges[k - 1]);
                            bools.push(flags[k - 1]);
                        }
                        if k + 1 < n {
                            base.extend_from_slice(&edges[k]);
                            bools.push(flags[k]);
                        }
                        self.group(&base, &bools)
                    })
                    .collect()
            }
        }
    }

    /// Random groups in a tree, with the parents.
    pub fn tree(&self) -> (Vec<Term>, Vec<Option<usize>>) {
        let n = self.pick(&[3, 4, 5, 6]);
        let parents: Vec<Option<usize>> = (0..n)
            .map(|i| (i + 1 < n).then(|| i + 1 + self.below((n - 1 - i) as u64) as usize))
            .collect();
        let edges: Vec<Vec<Term>> = (0..n).map(|k| self.vars("e", k)).collect();
        let parts = (0..n)
            .map(|i| {
                let mut base = self.vars("l", i);
                if i + 1 < n {
                    base.extend_from_slice(&edges[i]);
                }
                for c in 0..i {
                    if parents[c] == Some(i) {
                        base.extend_from_slice(&edges[c]);
                    }
                }
                self.group(&base, &[])
            })
            .collect();
        (parts, parents)
    }

    fn vars(&self, prefix: &str, k: usize) -> Vec<Term> {
        let n = self.pick(&[1, 1, 2]);
        (0..n)
            .map(|i| self.var(format!("{prefix}{k}_{i}")))
            .collect()
    }

    fn group(&self, base: &[Term], bools: &[Term]) -> Term {
        let n = 2 + self.below(4);
        let clauses: Vec<Term> = (0..n).map(|_| self.clause(base, bools)).collect();
        self.store.and(clauses)
    }

    fn clause(&self, base: &[Term], bools: &[Term]) -> Term {
        let n = self.pick(&[1, 1, 1, 2, 3]);
        let mut lits: Vec<Term> = (0..n).map(|_| self.literal(base, bools)).collect();
        if n > 1 && self.chance(30) {
            lits[0] = self.store.and2(lits[0], self.literal(base, bools));
        }
        self.store.or(lits)
    }

    fn literal(&self, base: &[Term], bools: &[Term]) -> Term {
        let atom = self.atom(base, bools);
        if self.chance(if self.mode == Mode::Uf { 30 } else { 15 }) {
            self.store.not(atom)
        } else {
            atom
        }
    }

    fn atom(&self, base: &[Term], bools: &[Term]) -> Term {
        if self.mode == Mode::Mixed && !bools.is_empty() && self.chance(20) {
            return self.pick(bools);
        }
        if self.mode == Mode::Mixed && self.chance(8) {
            return self.store.app(self.p, &[self.term(base, bools, 1)]);
        }
        let (a, b) = (
            self.term(base, bools, 1 + self.below(2)),
            self.term(base, bools, self.below(2)),
        );
        if self.mode == Mode::Uf || self.chance(50) {
            self.store.eq(a, b)
        } else if self.chance(60) {
            self.store.le(a, b)
        } else {
            self.store.lt(a, b)
        }
    }

    fn term(&self, base: &[Term], bools: &[Term], depth: u64) -> Term {
        if depth == 0 || self.chance(45) {
            if self.mode != Mode::Uf && self.chance(12) {
                return self.num(self.between(-2, 3));
            }
            return self.pick(base);
        }
        let sub = || self.term(base, bools, depth - 1);
        if self.mode.functions() && self.chance(if self.mode == Mode::Uf { 100 } else { 50 }) {
            return if self.chance(70) {
                self.store.app(self.f, &[sub()])
            } else {
                self.store.app(self.g, &[sub(), sub()])
            };
        }
        if self.mode == Mode::Mixed && self.chance(50) {
            let d = self.store.int(self.pick(&[2, 3, -2, 5]));
            return match self.below(3) {
                0 => self.store.idiv(sub(), d),
                1 => self.store.modulo(sub(), d),
                _ => self.store.ite(self.atom(base, bools), sub(), sub()),
            };
        }
        let c = self.coefficient();
        let scaled = self.store.mul(&[c, sub()]);
        if self.chance(70) {
            self.store.add2(scaled, sub())
        } else {
            self.store.sub(sub(), sub())
        }
    }

    fn coefficient(&self) -> Term {
        if self.mode == Mode::Big && self.chance(60) {
            let big =
                Integer::from(self.rng.next_u64()) * Integer::from(1u64 << 40) + Integer::from(1);
            return self.store.int(big);
        }
        self.num(self.pick(&[1, 1, 1, 2, 3, -1]))
    }

    /// `a = b` in one of several styles.
    fn equate(&self, group: &mut Vec<Term>, k: usize, a: Term, b: Term) {
        match self.below(3) {
            0 => group.push(self.store.eq(a, b)),
            1 => group.extend([self.store.le(a, b), self.store.le(b, a)]),
            _ => {
                let t = self.var(format!("t{k}_{}", group.len()));
                group.extend([
                    self.store.le(a, t),
                    self.store.le(t, b),
                    self.store.le(b, a),
                ]);
            }
        }
    }

    fn read(&self, style: u64, x: Term) -> Term {
        let f = |t: Term| self.store.app(self.f, &[t]);
        match style {
            0 => f(x),
            1 => self.store.app(self.g, &[x, x]),
            _ => f(f(x)),
        }
    }

    /// An index travels through the groups, shifted; a function read at both ends differs.
    fn planted(&self) -> Vec<Term> {
        let s = self.store;
        let n = self.pick(&[2usize, 3, 4, 5, 6]);
        let index: Vec<Term> = (0..n).map(|k| self.var(format!("i{k}"))).collect();
        let value: Vec<Term> = (0..n).map(|k| self.var(format!("v{k}"))).collect();
        let mut groups: Vec<Vec<Term>> = vec![Vec::new(); n];
        let (first, last) = (self.var("first".into()), self.var("last".into()));
        let style = self.below(3);
        let d = self.pick(&[2, 3]);
        let mut offset = 0;
        let within = |group: &mut Vec<Term>, x: Term, t: Term| {
            let scaled = s.mul(&[self.num(d), x]);
            group.extend([s.le(scaled, t), s.le(t, self.plus(scaled, d - 1))]);
        };
        if self.mode == Mode::Division {
            within(&mut groups[0], first, index[0]);
        } else {
            offset = self.between(-1, 2);
            self.equate(&mut groups[0], 0, self.plus(first, offset), index[0]);
        }
        self.equate(&mut groups[0], 0, value[0], self.read(style, first));
        for k in 1..n - 1 {
            let c = self.between(-1, 2);
            offset += c;
            let mut group = Vec::new();
            self.equate(&mut group, k, index[k], self.plus(index[k - 1], c));
            self.equate(&mut group, k, value[k], value[k - 1]);
            if self.chance(50) {
                let flag = s.le(self.num(3), self.var(format!("w{k}")));
                let other = [
                    s.eq(index[k], self.plus(index[k - 1], c)),
                    s.eq(value[k], value[k - 1]),
                    flag,
                ];
                group = vec![s.or2(s.and(group), s.and(other))];
            }
            groups[k] = group;
        }
        let end = &mut groups[n - 1];
        let back = self.plus(index[n - 2], -offset);
        if self.mode == Mode::Division {
            within(end, last, back);
        } else {
            self.equate(end, n - 1, back, last);
        }
        let read = self.read(style, last);
        end.push(match self.below(2) {
            0 => s.not(s.eq(value[n - 2], read)),
            _ => s.or2(s.lt(value[n - 2], read), s.lt(read, value[n - 2])),
        });
        groups.into_iter().map(|g| s.and(g)).collect()
    }
}
