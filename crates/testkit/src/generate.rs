//! Random systems: linear and non-linear clauses, transition systems with deadlocks, inputs and
//! parameters; Booleans, integers with `mod` and `div`, narrow bit-vectors and arrays over them.
//!
//! In a small world every variable stays in a finite domain, so that the system can be enumerated. In a
//! wide one integers are unbounded, arrays have integer indices and reals occur: there only certificates
//! and other engines tell right from wrong.

use foretell_kernel::Rng;
use foretell_systems::{Atom, ChcSystem, Clause, Pred, StateVar, TransitionSystem};
use foretell_terms::{BvOp, Sort, Term, TermStore};

use crate::domain::{self, INTEGERS};

/// Makes systems from a seed.
pub struct Generator<'t> {
    terms: &'t TermStore,
    rng: Rng,
    world: World,
}

/// Where variables live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum World {
    /// In the finite domains of [`crate::domain`], which the system never leaves.
    Small,
    /// Anywhere.
    Wide,
}

/// How a clause may use predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// At most one body atom.
    Linear,
    /// Up to two body atoms.
    NonLinear,
}

impl<'t> Generator<'t> {
    /// The generator of a seed.
    pub fn new(terms: &'t TermStore, seed: u64) -> Generator<'t> {
        Generator {
            terms,
            rng: Rng::new(seed),
            world: World::Small,
        }
    }

    /// The generator of a seed for systems that need not be finite.
    pub fn wide(terms: &'t TermStore, seed: u64) -> Generator<'t> {
        Generator {
            terms,
            rng: Rng::new(seed),
            world: World::Wide,
        }
    }

    fn below(&self, n: usize) -> usize {
        usize::try_from(self.rng.below(n as u64)).unwrap_or(0)
    }

    fn pick<T: Copy>(&self, list: &[T]) -> Option<T> {
        (!list.is_empty()).then(|| list[self.below(list.len())])
    }

    fn sort(&self) -> Sort {
        if self.world == World::Wide && self.below(3) > 0 {
            return match self.below(7) {
                0..=2 => Sort::INT,
                3 => Sort::REAL,
                4 => self.terms.array_sort(&[Sort::INT], Sort::BOOL),
                _ => self.terms.array_sort(&[Sort::INT], Sort::INT),
            };
        }
        let bit = self.terms.bv_sort(1);
        match self.below(8) {
            0 | 1 => Sort::BOOL,
            2..=4 => Sort::INT,
            5 => self.terms.bv_sort(2),
            _ => self.terms.array_sort(
                &[bit],
                if self.below(2) == 0 {
                    Sort::INT
                } else {
                    Sort::BOOL
                },
            ),
        }
    }

    /// A term of a sort over the given variables; integers may leave their domain.
    fn term(&self, sort: Sort, vars: &[Term], depth: u32) -> Term {
        let s = self.terms;
        let leaves: Vec<Term> = vars
            .iter()
            .copied()
            .filter(|&v| s.sort(v) == sort)
            .collect();
        if depth == 0 || self.below(3) == 0 {
            return self
                .pick(&leaves)
                .filter(|_| self.below(4) > 0)
                .unwrap_or_else(|| self.constant(sort));
        }
        if sort == Sort::BOOL {
            return self.formula(vars, depth);
        }
        let sub = |sort| self.term(sort, vars, depth - 1);
        if self.below(5) == 0 {
            return s.ite(self.term(Sort::BOOL, vars, 0), sub(sort), sub(sort));
        }
        if sort == Sort::INT {
            return self.integer(vars, depth);
        }
        if sort == Sort::REAL {
            return self.real(vars, depth);
        }
        if let Some((indices, element)) = s.array_parts(sort) {
            let index = indices[0];
            return s.store(sub(sort), &[sub(index)], sub(element));
        }
        let ops = [
            BvOp::Add,
            BvOp::Mul,
            BvOp::And,
            BvOp::Xor,
            BvOp::Udiv,
            BvOp::Urem,
            BvOp::Shl,
            BvOp::Ashr,
        ];
        s.bv_op(ops[self.below(ops.len())], &[sub(sort), sub(sort)])
    }

    fn integer(&self, vars: &[Term], depth: u32) -> Term {
        let s = self.terms;
        let sub = || self.term(Sort::INT, vars, depth - 1);
        let divisor = s.int(2 + self.below(2) as i64);
        match self.below(7) {
            0 | 1 => s.add2(sub(), sub()),
            2 => s.sub(sub(), sub()),
            3 => s.modulo(sub(), divisor),
            4 => s.idiv(sub(), divisor),
            5 => s.mul(&[s.int(self.below(4) as i64 - 1), sub()]),
            _ => self.read(Sort::INT, vars).unwrap_or_else(sub),
        }
    }

    fn real(&self, vars: &[Term], depth: u32) -> Term {
        let s = self.terms;
        let sub = || self.term(Sort::REAL, vars, depth - 1);
        match self.below(5) {
            0 | 1 => s.add2(sub(), sub()),
            2 => s.sub(sub(), sub()),
            3 => s.mul(&[s.rdiv(s.to_real(s.int(1)), s.to_real(s.int(2))), sub()]),
            _ => s.to_real(self.term(Sort::INT, vars, depth - 1)),
        }
    }

    /// A cell of an array with this element sort.
    fn read(&self, element: Sort, vars: &[Term]) -> Option<Term> {
        let s = self.terms;
        let fits = |v: &Term| s.array_parts(s.sort(*v)).is_some_and(|(_, e)| e == element);
        let array = self.pick(&vars.iter().copied().filter(fits).collect::<Vec<_>>())?;
        let (indices, _) = s.array_parts(s.sort(array))?;
        let index = self.term(indices[0], vars, 0);
        Some(s.select(array, &[index]))
    }

    fn constant(&self, sort: Sort) -> Term {
        let all = domain::values(self.terms, sort).unwrap_or_default();
        let value = if all.is_empty() {
            self.terms.default_value(sort)
        } else {
            all[self.below(all.len())].clone()
        };
        self.terms
            .value_term(&value, sort)
            .unwrap_or_else(|| self.terms.new_var("constant", sort))
    }

    /// A formula over the given variables.
    pub fn formula(&self, vars: &[Term], depth: u32) -> Term {
        let s = self.terms;
        let sub = || self.formula(vars, depth.saturating_sub(1));
        match self.below(if depth == 0 { 4 } else { 8 }) {
            0 => {
                let flags: Vec<Term> = vars
                    .iter()
                    .copied()
                    .filter(|&v| s.sort(v) == Sort::BOOL)
                    .collect();
                self.pick(&flags)
                    .or_else(|| self.read(Sort::BOOL, vars))
                    .unwrap_or_else(|| self.atom(vars))
            }
            1..=3 => self.atom(vars),
            4 => s.not(sub()),
            5 => s.and2(sub(), sub()),
            6 => s.or2(sub(), sub()),
            _ => s.eq(sub(), sub()),
        }
    }

    fn atom(&self, vars: &[Term]) -> Term {
        let s = self.terms;
        let sort = self.pick(vars).map_or(Sort::INT, |v| s.sort(v));
        // Truth values are compared as leaves: their terms are formulas again.
        let depth = u32::from(sort != Sort::BOOL);
        let (a, b) = (self.term(sort, vars, depth), self.term(sort, vars, depth));
        match s.width(sort) {
            _ if (sort == Sort::INT || sort == Sort::REAL) && self.below(2) == 0 => s.le(a, b),
            Some(_) if self.below(2) == 0 => s.bv_ule(a, b),
            Some(_) if self.below(2) == 0 => s.bv_sle(a, b),
            _ => s.eq(a, b),
        }
    }

    /// A term of a sort that stays in its domain: integers are wrapped by `mod`.
    fn bounded(&self, sort: Sort, vars: &[Term]) -> Term {
        let s = self.terms;
        let term = self.term(sort, vars, 2);
        if self.world == World::Wide {
            return term;
        }
        match s.array_parts(sort) {
            _ if sort == Sort::INT => s.modulo(term, s.int(INTEGERS)),
            // Cells of integer arrays must stay in the domain as well: write only what is wrapped.
            Some((indices, Sort::INT)) => {
                let base: Vec<Term> = vars
                    .iter()
                    .copied()
                    .filter(|&v| s.sort(v) == sort)
                    .collect();
                let base = self.pick(&base).unwrap_or_else(|| self.constant(sort));
                let index = self.term(indices[0], vars, 1);
                s.store(
                    base,
                    &[index],
                    s.modulo(self.term(Sort::INT, vars, 1), s.int(INTEGERS)),
                )
            }
            _ => term,
        }
    }

    fn fresh(&self, prefix: &str, sort: Sort) -> Term {
        self.terms.fresh(prefix, sort)
    }

    /// A random transition system; `trans` need not be total.
    pub fn transition_system(&self) -> TransitionSystem {
        let s = self.terms;
        let vars: Vec<StateVar> = (0..1 + self.below(3))
            .map(|_| {
                let sort = self.sort();
                let cur = self.fresh("x", sort);
                StateVar {
                    cur,
                    next: s.new_var(&format!("{}.next", s.var_name(cur)), sort),
                }
            })
            .collect();
        let state: Vec<Term> = vars.iter().map(|v| v.cur).collect();
        let inputs: Vec<Term> = (0..self.below(2))
            .map(|_| self.fresh("in", Sort::BOOL))
            .collect();
        let readable: Vec<Term> = state.iter().chain(&inputs).copied().collect();
        let start = |v: &StateVar| s.eq(v.cur, self.constant(s.sort(v.cur)));
        let init = s.and(vars.iter().map(start));
        let mut rules = Vec::new();
        for _ in 0..1 + self.below(3) {
            let mut parts = vec![self.formula(&readable, 1)];
            for v in &vars {
                let stays = self.below(3) == 0;
                parts.push(s.eq(
                    v.next,
                    if stays {
                        v.cur
                    } else {
                        self.bounded(s.sort(v.cur), &readable)
                    },
                ));
            }
            rules.push(s.and(parts));
        }
        let mut system = TransitionSystem::new(vars, init, s.or(rules), self.formula(&state, 2));
        system.inputs = inputs;
        if self.world == World::Wide && self.below(3) == 0 {
            self.add_parameter(&mut system);
        }
        system
    }

    /// Adds a value that is chosen once and used in the transitions.
    fn add_parameter(&self, system: &mut TransitionSystem) {
        let s = self.terms;
        let param = self.fresh("n", Sort::INT);
        let known: Vec<Term> = system.current().into_iter().chain([param]).collect();
        system.params.push(param);
        system.trans = s.and2(system.trans, self.atom(&known));
        if self.below(2) == 0 {
            system.property = s.or2(system.property, self.atom(&known));
        }
    }

    /// A random clause system.
    pub fn clauses(&self, shape: Shape) -> ChcSystem {
        let s = self.terms;
        let mut system = ChcSystem::default();
        for i in 0..1 + self.below(3) {
            let sorts: Vec<Sort> = (0..1 + self.below(2)).map(|_| self.sort()).collect();
            system.add_pred(s, &format!("p{i}"), &sorts);
        }
        let preds: Vec<Pred> = system.pred_ids().collect();
        for _ in 0..1 + self.below(2) {
            self.add_clause(&mut system, &[], self.pick(&preds));
        }
        for _ in 0..1 + self.below(4) {
            let body = self.body(&preds, shape);
            self.add_clause(&mut system, &body, self.pick(&preds));
        }
        for _ in 0..1 + self.below(2) {
            let body = self.body(&preds, shape);
            self.add_clause(&mut system, &body, None);
        }
        if self.below(5) == 0 {
            let copy = system.clauses[self.below(system.clauses.len())].renamed(s);
            system.clauses.push(copy);
        }
        system
    }

    fn body(&self, preds: &[Pred], shape: Shape) -> Vec<Pred> {
        let n = if shape == Shape::NonLinear {
            1 + self.below(2)
        } else {
            1
        };
        (0..n).filter_map(|_| self.pick(preds)).collect()
    }

    fn add_clause(&self, system: &mut ChcSystem, body: &[Pred], head: Option<Pred>) {
        let s = self.terms;
        let mut vars = Vec::new();
        let mut atoms = Vec::new();
        for &pred in body {
            let sorts: Vec<Sort> = system
                .pred(pred)
                .params
                .iter()
                .map(|&p| s.sort(p))
                .collect();
            let args: Vec<Term> = sorts
                .into_iter()
                .map(|sort| self.fresh("v", sort))
                .collect();
            vars.extend(&args);
            atoms.push(Atom { pred, args });
        }
        if vars.is_empty() || self.below(4) == 0 {
            vars.push(self.fresh(
                "w",
                if self.below(2) == 0 {
                    Sort::INT
                } else {
                    Sort::BOOL
                },
            ));
        }
        let closed: &[Term] = if self.world == World::Small {
            &vars
        } else {
            &[]
        };
        let inside = closed.iter().map(|&v| domain::inside(s, v));
        let constraint = s.and(inside.chain([self.formula(&vars, 1)]));
        let head = head.map(|pred| {
            let sorts: Vec<Sort> = system
                .pred(pred)
                .params
                .iter()
                .map(|&p| s.sort(p))
                .collect();
            let args = sorts
                .into_iter()
                .map(|sort| self.bounded(sort, &vars))
                .collect();
            Atom { pred, args }
        });
        let line = u32::try_from(system.clauses.len() + 1).unwrap_or(0);
        system.clauses.push(Clause {
            vars,
            body: atoms,
            constraint,
            head,
            line,
        });
    }
}
