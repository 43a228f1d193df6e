//! Shapes: all ways in which some literals share variables.
//!
//! ```text
//! p(x, y) q(z)     p(x, y) q(y)     p(x, y) q(x)     p(x, x) q(y)     p(x, x) q(x)
//! ```
//!
//! One more literal may name a variable: `c = x` for a symbol `c` whose value is an element. The order of
//! literals is that of their symbols; of shapes that differ in the order of literals of one
//! symbol one is made. Shapes with more variables come before those in which some of them are equal.

use foretell_kernel::Halt;

use super::ground::Ground;
use super::scheme::{Literal, Scheme};

/// What is done with a shape.
type Visit<'v> = &'v mut dyn FnMut(&Scheme) -> Result<(), Halt>;

/// How large shapes are.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) literals: usize,
    /// More variables than these are not made.
    pub(super) variables: usize,
}

/// Visits all shapes with so many literals, at least one of which can change.
pub(super) fn visit(ground: &Ground, extent: Extent, visit: Visit<'_>) -> Result<(), Halt> {
    let mut changes = vec![false; ground.symbols.len()];
    for bit in &ground.bits {
        changes[bit.symbol] |= bit.cur != bit.next;
    }
    let kinds = 2 * ground.symbols.len();
    if kinds == 0 {
        return Ok(());
    }
    let symbols = ground.symbols.iter().enumerate();
    let names = symbols.filter(|(_, symbol)| symbol.valued && symbol.sorts.len() == 1);
    for name in [None].into_iter().chain(names.map(|(n, _)| Some(n))) {
        let mut chosen = vec![0; extent.literals];
        loop {
            let named = chosen.iter().all(|kind| Some(kind / 2) != name);
            if named && chosen.iter().any(|kind| changes[kind / 2]) {
                let mut fill = Fill {
                    shape: shape(&chosen, name),
                    ground,
                    extent,
                };
                fill.from(0, visit)?;
            }
            let Some(at) = chosen.iter().rposition(|kind| kind + 1 < kinds) else {
                break;
            };
            let kind = chosen[at] + 1;
            chosen[at..].fill(kind);
        }
    }
    Ok(())
}

/// Literals of these kinds and one that names a variable, all without variables.
fn shape(chosen: &[usize], name: Option<usize>) -> Scheme {
    let kinds = chosen.iter().copied().chain(name.map(|symbol| 2 * symbol));
    let literal = |kind: usize| Literal {
        symbol: kind / 2,
        vars: Vec::new(),
        positive: kind.is_multiple_of(2),
    };
    Scheme {
        sorts: Vec::new(),
        literals: kinds.map(literal).collect(),
        apart: Vec::new(),
    }
}

/// A shape that gets variables.
struct Fill<'a> {
    shape: Scheme,
    ground: &'a Ground,
    extent: Extent,
}

impl Fill<'_> {
    /// Gives variables to the positions from a literal on.
    fn from(&mut self, from: usize, visit: Visit<'_>) -> Result<(), Halt> {
        let Some(literal) = self.shape.literals.get(from) else {
            return match first_of_its_kind(&self.shape) {
                true => visit(&self.shape),
                false => Ok(()),
            };
        };
        let sorts = &self.ground.symbols[literal.symbol].sorts;
        let Some(&sort) = sorts.get(literal.vars.len()) else {
            return self.from(from + 1, visit);
        };
        let vars = self.shape.sorts.len();
        if vars < self.extent.variables && from < self.extent.literals {
            self.shape.sorts.push(sort);
            self.with(from, vars, visit)?;
            self.shape.sorts.pop();
        }
        for var in 0..vars {
            if self.shape.sorts[var] == sort {
                self.with(from, var, visit)?;
            }
        }
        Ok(())
    }

    /// Goes on with a variable at the next position of a literal.
    fn with(&mut self, from: usize, var: usize, visit: Visit<'_>) -> Result<(), Halt> {
        self.shape.literals[from].vars.push(var);
        let done = self.from(from, visit);
        self.shape.literals[from].vars.pop();
        done
    }
}

/// Whether no literal occurs with its negation or twice, and no other order of literals of one kind comes
/// first.
fn first_of_its_kind(shape: &Scheme) -> bool {
    let literals = &shape.literals;
    let twice = |n: usize, literal: &Literal| {
        let same = |other: &Literal| (other.symbol, &other.vars) == (literal.symbol, &literal.vars);
        literals[..n].iter().any(same)
    };
    if literals.iter().enumerate().any(|(n, l)| twice(n, l)) {
        return false;
    }
    let own: Vec<usize> = literals.iter().flat_map(|l| l.vars.clone()).collect();
    let mut order: Vec<usize> = Vec::new();
    !earlier(shape, &mut order, &own)
}

/// Whether some order of the literals, of which some are placed, has earlier variables.
fn earlier(shape: &Scheme, order: &mut Vec<usize>, own: &[usize]) -> bool {
    let Some(place) = shape.literals.get(order.len()) else {
        return numbered(shape, order).as_slice() < own;
    };
    for n in 0..shape.literals.len() {
        let literal = &shape.literals[n];
        let same = (literal.symbol, literal.positive) == (place.symbol, place.positive);
        if same && !order.contains(&n) {
            order.push(n);
            let found = earlier(shape, order, own);
            order.pop();
            if found {
                return true;
            }
        }
    }
    false
}

/// The variables of literals in an order, numbered as they occur.
fn numbered(shape: &Scheme, order: &[usize]) -> Vec<usize> {
    let mut seen: Vec<usize> = Vec::new();
    let vars = order.iter().flat_map(|n| &shape.literals[*n].vars);
    let number = |&var: &usize| match seen.iter().position(|v| *v == var) {
        Some(number) => number,
        None => {
            seen.push(var);
            seen.len() - 1
        }
    };
    vars.map(number).collect()
}
