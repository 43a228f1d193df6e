//! Schemes: what no state contains, for all elements.
//!
//! ```text
//! ∀ x y. x ≠ y ⇒ ¬(table(x, y) ∧ ¬table(y, x))          variables, literals, pairs that differ
//! ```

use foretell_terms::{Sort, Term, TermStore};
use indexmap::IndexSet;

use super::ground::{Ground, Root};

/// Cells and their values.
pub(super) type Cube = Vec<(usize, bool)>;

/// A cell over variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Literal {
    pub(super) symbol: usize,
    pub(super) vars: Vec<usize>,
    pub(super) positive: bool,
}

/// Literals that do not hold together, for all values of their variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Scheme {
    /// The sorts of the variables.
    pub(super) sorts: Vec<Sort>,
    pub(super) literals: Vec<Literal>,
    /// Pairs of variables that differ.
    pub(super) apart: Vec<(usize, usize)>,
}

impl Scheme {
    /// The scheme of a cube: different elements are different variables.
    pub(super) fn of(cube: &Cube, ground: &Ground) -> Scheme {
        let mut vars: IndexSet<(Sort, usize)> = IndexSet::new();
        let mut literals = Vec::with_capacity(cube.len());
        for &(bit, positive) in cube {
            let bit = &ground.bits[bit];
            let sorts = &ground.symbols[bit.symbol].sorts;
            let elements = sorts.iter().copied().zip(bit.elements.iter().copied());
            literals.push(Literal {
                symbol: bit.symbol,
                vars: elements.map(|e| vars.insert_full(e).0).collect(),
                positive,
            });
        }
        let mut scheme = Scheme {
            sorts: vars.iter().map(|(sort, _)| *sort).collect(),
            literals,
            apart: Vec::new(),
        };
        scheme.apart = scheme.pairs();
        scheme
    }

    /// The pairs of variables of one sort.
    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for (n, sort) in self.sorts.iter().enumerate() {
            let same = self.sorts[..n].iter().enumerate();
            pairs.extend(
                same.filter(|(_, other)| *other == sort)
                    .map(|(m, _)| (m, n)),
            );
        }
        pairs
    }

    /// Whether another scheme is an instance of this one with further literals or pairs.
    pub(super) fn subsumes(&self, other: &Scheme) -> bool {
        self.literals.len() <= other.literals.len()
            && self.maps(0, &mut vec![None; self.sorts.len()], other)
    }

    /// Whether the literals from one on are literals of another scheme, under values of the variables.
    fn maps(&self, from: usize, values: &mut Vec<Option<usize>>, other: &Scheme) -> bool {
        let Some(literal) = self.literals.get(from) else {
            return self
                .apart
                .iter()
                .all(|&(a, b)| match (values[a], values[b]) {
                    (Some(a), Some(b)) => other.apart.contains(&(a.min(b), a.max(b))),
                    _ => false,
                });
        };
        other.literals.iter().any(|image| {
            if (image.symbol, image.positive) != (literal.symbol, literal.positive) {
                return false;
            }
            let before = values.clone();
            let fits = literal
                .vars
                .iter()
                .zip(&image.vars)
                .all(|(&var, &value)| *values[var].get_or_insert(value) == value);
            let maps = fits && self.maps(from + 1, values, other);
            if !maps {
                *values = before;
            }
            maps
        })
    }

    /// The scheme without a literal.
    pub(super) fn without(&self, literal: usize) -> Scheme {
        let mut less = self.clone();
        less.literals.remove(literal);
        less.tidied()
    }

    /// The scheme in which a variable of a literal is one of its own; `None` when it is.
    pub(super) fn split(&self, literal: usize, position: usize) -> Option<Scheme> {
        let var = *self.literals.get(literal)?.vars.get(position)?;
        let uses = self.literals.iter().flat_map(|l| &l.vars);
        if uses.filter(|&&v| v == var).count() < 2 {
            return None;
        }
        let mut more = self.clone();
        more.literals[literal].vars[position] = more.sorts.len();
        more.sorts.push(self.sorts[var]);
        Some(more.tidied())
    }

    /// Without variables that no literal has.
    pub(super) fn tidied(mut self) -> Scheme {
        let used: IndexSet<usize> = self.literals.iter().flat_map(|l| l.vars.clone()).collect();
        let new = |var: &usize| used.get_index_of(var);
        let apart = self.apart.iter();
        let apart = apart.filter_map(|(a, b)| Some((new(a)?, new(b)?)));
        self.apart = apart.collect();
        let (old, sorts) = (used.iter(), &self.sorts);
        self.sorts = old.map(|&var| sorts[var]).collect();
        for literal in &mut self.literals {
            for var in &mut literal.vars {
                *var = used.get_index_of(&*var).unwrap_or(*var);
            }
        }
        self
    }

    /// All instances over the elements; `None` when there are more than a number.
    pub(super) fn instances(&self, ground: &Ground, most: usize) -> Option<Vec<Cube>> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        for var in 0..self.sorts.len() {
            let mut longer = Vec::new();
            for values in &all {
                for element in 0..ground.size {
                    let differs = self.apart.iter().all(|&(a, b)| match (a == var, b == var) {
                        (true, false) => values.get(b) != Some(&element),
                        (false, true) => values.get(a) != Some(&element),
                        _ => true,
                    });
                    if differs {
                        let mut own = values.clone();
                        own.push(element);
                        longer.push(own);
                    }
                }
            }
            if longer.len() > most {
                return None;
            }
            all = longer;
        }
        let cubes: IndexSet<Cube> = all
            .iter()
            .filter_map(|v| self.instance(v, ground))
            .collect();
        Some(cubes.into_iter().collect())
    }

    /// The instance for values of the variables; `None` when it contradicts itself.
    fn instance(&self, values: &[usize], ground: &Ground) -> Option<Cube> {
        let mut cube = Cube::new();
        for literal in &self.literals {
            let elements: Vec<usize> = literal.vars.iter().map(|&v| values[v]).collect();
            let bit = *ground.places.get(&(literal.symbol, elements))?;
            match cube.iter().find(|(known, _)| *known == bit) {
                Some((_, value)) if *value != literal.positive => return None,
                Some(_) => {}
                None => cube.push((bit, literal.positive)),
            }
        }
        cube.sort_unstable();
        Some(cube)
    }

    /// That the literals do not hold together, over the symbols of the system.
    pub(super) fn formula(&self, ground: &Ground, terms: &TermStore) -> Term {
        let vars: Vec<Term> = self.sorts.iter().map(|&s| terms.fresh("x", s)).collect();
        let mut parts = Vec::new();
        for &(a, b) in &self.apart {
            parts.push(terms.eq(vars[a], vars[b]));
        }
        for literal in &self.literals {
            let symbol = &ground.symbols[literal.symbol];
            let mut args: Vec<Term> = literal.vars.iter().map(|&v| vars[v]).collect();
            let value = symbol.valued.then(|| args.pop()).flatten();
            let mut cell = match symbol.root {
                Root::Func(func) => terms.app(func, &args),
                Root::Var(var) => {
                    let (mut cell, mut rest) = (var, args.as_slice());
                    while let Some((indices, _)) = terms.array_parts(terms.sort(cell)) {
                        let (at, others) = rest.split_at(indices.len().min(rest.len()));
                        cell = terms.select(cell, at);
                        rest = others;
                    }
                    cell
                }
            };
            if let Some(value) = value {
                cell = terms.eq(cell, value);
            }
            parts.push(match literal.positive {
                true => terms.not(cell),
                false => cell,
            });
        }
        terms.forall(&vars, terms.or(parts))
    }
}
