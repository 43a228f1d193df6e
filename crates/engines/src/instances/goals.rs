//! The clauses of the property as schemes, and others that imply them.
//!
//! ```text
//! goals       ¬P as cases of literals over variables; equal variables become one
//! stronger    in a goal, each literal is itself, or what a kept scheme of two literals says of the same
//!             elements: {ℓ, m} never hold together, so ¬m in the place of ℓ forbids more
//! ```
//!
//! Limits: goals with existential quantifiers, with equalities of truth values, or with very many cases are
//! left out.

use foretell_terms::{Op, Sort, Substitution, Term, TermStore};

use super::ground::{Ground, Root};
use super::scheme::{Literal, Scheme};

/// A formula and its value.
type Claim = (Term, bool);

/// Cases of literals, each with its value.
type Cases = Vec<Vec<Claim>>;

/// More cases than these are not made.
const CASES: usize = 64;
/// Formulas and terms that nest deeper are left out.
const DEPTH: usize = 40;
/// So many variants of a goal are made.
const VARIANTS: usize = 20_000;

/// What the property forbids.
pub(super) fn goals(property: Term, ground: &Ground, terms: &TermStore) -> Vec<Scheme> {
    let mut goals = Vec::new();
    for conjunct in terms.conjuncts(property) {
        for case in cases((conjunct, false), DEPTH, terms).unwrap_or_default() {
            let goal = Goal {
                ground,
                terms,
                vars: Vec::new(),
                same: Vec::new(),
                apart: Vec::new(),
                literals: Vec::new(),
            };
            goals.extend(goal.scheme(&case));
        }
    }
    goals
}

/// The cases in which a formula has a value.
fn cases((formula, value): Claim, depth: usize, terms: &TermStore) -> Option<Cases> {
    let depth = depth.checked_sub(1)?;
    let (op, args) = (terms.op(formula), terms.args(formula));
    match (op, value) {
        (Op::Not, _) => cases((*args.first()?, !value), depth, terms),
        (Op::And, false) | (Op::Or, true) => {
            let mut all = Cases::new();
            for &arg in args {
                all.extend(cases((arg, value), depth, terms)?);
            }
            (all.len() <= CASES).then_some(all)
        }
        (Op::And, true) | (Op::Or, false) => {
            let mut all: Cases = vec![Vec::new()];
            for &arg in args {
                let more = cases((arg, value), depth, terms)?;
                let both = |a: &Vec<_>, b: &Vec<_>| a.iter().chain(b).copied().collect();
                let pairs = all
                    .iter()
                    .flat_map(|a| more.iter().map(move |b| both(a, b)));
                all = pairs.take(CASES + 1).collect();
                if all.len() > CASES {
                    return None;
                }
            }
            Some(all)
        }
        (Op::Forall, false) | (Op::Exists, true) => {
            let (body, vars) = args.split_last()?;
            let fresh = |&v: &Term| (v, terms.fresh("x", terms.sort(v)));
            let fresh: Vec<(Term, Term)> = vars.iter().map(fresh).collect();
            let body = Substitution::from_pairs(fresh).apply(terms, *body);
            cases((body, value), depth, terms)
        }
        (Op::Forall | Op::Exists, _) => None,
        _ => Some(vec![vec![(formula, value)]]),
    }
}

/// A scheme that is being made.
struct Goal<'a> {
    ground: &'a Ground,
    terms: &'a TermStore,
    /// The terms that variables stand for, and the variables that they are equal to.
    vars: Vec<Term>,
    same: Vec<usize>,
    apart: Vec<(usize, usize)>,
    literals: Vec<Literal>,
}

impl Goal<'_> {
    fn scheme(mut self, case: &[Claim]) -> Option<Scheme> {
        for &claim in case {
            self.literal(claim)?;
        }
        let sorts: Vec<Sort> = self.vars.iter().map(|&v| self.terms.sort(v)).collect();
        let of = |var: usize| self.same[var];
        for literal in &mut self.literals {
            literal.vars.iter_mut().for_each(|var| *var = of(*var));
        }
        let mut literals: Vec<Literal> = Vec::new();
        for literal in self.literals {
            if !literals.contains(&literal) {
                literals.push(literal);
            }
        }
        let apart = self.apart.iter().map(|&(a, b)| (of(a), of(b)));
        let scheme = Scheme {
            sorts,
            literals,
            apart: apart.map(|(a, b)| (a.min(b), a.max(b))).collect(),
        };
        let differs = scheme.apart.iter().all(|(a, b)| a != b);
        differs.then(|| scheme.tidied())
    }

    fn literal(&mut self, (atom, value): Claim) -> Option<()> {
        let (op, args) = (self.terms.op(atom), self.terms.args(atom));
        if *op == Op::Eq && self.terms.sort(args[0]) != Sort::BOOL {
            let [a, b] = [self.element(args[0], DEPTH)?, self.element(args[1], DEPTH)?];
            match value {
                true => {
                    let (new, old) = (self.same[a], self.same[b]);
                    let same = self.same.iter_mut().filter(|s| **s == old);
                    same.for_each(|s| *s = new);
                }
                false => self.apart.push((a, b)),
            }
            return Some(());
        }
        let (symbol, vars) = self.cell(atom, DEPTH)?;
        self.literals.push(Literal {
            symbol,
            vars,
            positive: value,
        });
        Some(())
    }

    /// The variable of an element; for a cell, one that is its value.
    fn element(&mut self, term: Term, depth: usize) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        if let Some(known) = self.vars.iter().position(|v| *v == term) {
            return Some(known);
        }
        let cell = self.cell(term, depth);
        let var = self.vars.len();
        self.vars.push(term);
        self.same.push(var);
        if let Some((symbol, mut vars)) = cell {
            vars.push(var);
            self.literals.push(Literal {
                symbol,
                vars,
                positive: true,
            });
            return Some(var);
        }
        let symbol = matches!(self.terms.op(term), Op::App(_));
        (symbol && self.terms.args(term).is_empty()).then_some(var)
    }

    /// The symbol of a cell and its indices.
    fn cell(&mut self, term: Term, depth: usize) -> Option<(usize, Vec<usize>)> {
        let depth = depth.checked_sub(1)?;
        let mut path: Vec<Term> = Vec::new();
        let mut at = term;
        while *self.terms.op(at) == Op::Select {
            let (array, indices) = self.terms.args(at).split_first()?;
            path.splice(0..0, indices.iter().copied());
            at = *array;
        }
        if let Op::App(_) = self.terms.op(at) {
            path.splice(0..0, self.terms.args(at).iter().copied());
        }
        let symbol = self.ground.symbols.iter().position(|symbol| {
            match (symbol.root, self.terms.op(at)) {
                (Root::Func(func), Op::App(own)) => func == *own,
                (Root::Var(var), _) => var == at,
                _ => false,
            }
        })?;
        let vars = path.iter().map(|&index| self.element(index, depth));
        Some((symbol, vars.collect::<Option<Vec<usize>>>()?))
    }
}

/// Schemes that imply a goal because kept ones relate their literals.
pub(super) fn stronger(goal: &Scheme, kept: &[Scheme]) -> Vec<Scheme> {
    let mut all = vec![goal.clone()];
    for place in 0..goal.literals.len() {
        let mut more = Vec::new();
        for scheme in &all {
            let found = kept.iter().flat_map(|by| replaced(scheme, place, by));
            more.extend(found.take(VARIANTS));
            if all.len() + more.len() > VARIANTS {
                break;
            }
        }
        // What forbids more comes first.
        more.extend(all);
        more.truncate(VARIANTS);
        all = more;
    }
    all.retain(|scheme| scheme != goal);
    all
}

/// The scheme with what follows from a literal in its place.
fn replaced(scheme: &Scheme, place: usize, by: &Scheme) -> Vec<Scheme> {
    let [a, b] = by.literals.as_slice() else {
        return Vec::new();
    };
    let literal = &scheme.literals[place];
    let mut found = Vec::new();
    for (from, to) in [(a, b), (b, a)] {
        if (from.symbol, from.positive) != (literal.symbol, literal.positive) {
            continue;
        }
        let mut values: Vec<Option<usize>> = vec![None; by.sorts.len()];
        let mut fits = from.vars.iter().zip(&literal.vars);
        if !fits.all(|(&var, &value)| *values[var].get_or_insert(value) == value) {
            continue;
        }
        let vars = to.vars.iter().map(|&var| values[var]);
        let Some(vars) = vars.collect::<Option<Vec<usize>>>() else {
            continue;
        };
        let mut other = scheme.clone();
        let differ = |&(a, b): &(usize, usize)| match (values[a], values[b]) {
            (Some(a), Some(b)) => other.apart.contains(&(a.min(b), a.max(b))),
            _ => false,
        };
        if by.apart.iter().all(differ) {
            other.literals[place] = Literal {
                symbol: to.symbol,
                vars,
                positive: !to.positive,
            };
            found.push(other);
        }
    }
    found
}
