//! States of an instance that can be reached, as one set of samples for each cell.
//!
//! ```text
//! reached    some initial states; then, again and again, a step from a state that is known: its inputs are
//!            drawn; a draw that no step has loses one of the inputs that contradict each other
//! fits       literals that no sample has together, with the fewest pairs of variables that must differ
//! ```

use std::collections::BTreeSet;

use foretell_kernel::{Answer, Cx, Halt, Model, Solver, SolverConfig};
use foretell_terms::{Term, TermSet};
use indexmap::IndexSet;

use super::ground::{Bit, Ground};
use super::scheme::Scheme;

/// So many samples for each initial state.
const STEPS: usize = 20;
/// So many cells of an initial state are drawn.
const DRAWN: usize = 6;

/// A set of samples.
type Words = Vec<u64>;

/// States that can be reached.
pub(super) struct Samples {
    /// For each cell the samples in which it is true, and those in which it is false.
    holds: Vec<[Words; 2]>,
    /// The first cell of each symbol.
    first: Vec<usize>,
    size: usize,
}

impl Samples {
    /// At most so many states of an instance.
    pub(super) fn reached(ground: &Ground, most: usize, cx: &Cx<'_>) -> Result<Samples, Halt> {
        let config = SolverConfig::new("instances-samples").with_logic(Some("QF_BV"));
        let mut walk = Walk {
            ground,
            cx,
            solver: cx.oracles.solver(&config),
            states: IndexSet::new(),
        };
        walk.start(most)?;
        walk.go(most)?;
        Ok(Samples::of(ground, walk.states.iter()))
    }

    /// These states.
    fn of<'s>(ground: &Ground, states: impl ExactSizeIterator<Item = &'s Vec<bool>>) -> Samples {
        let words = states.len().div_ceil(64).max(1);
        let mut holds = vec![[vec![0; words], vec![0; words]]; ground.bits.len()];
        for (sample, state) in states.enumerate() {
            for (bit, value) in state.iter().enumerate() {
                holds[bit][usize::from(!*value)][sample / 64] |= 1 << (sample % 64);
            }
        }
        let symbols = 0..ground.symbols.len();
        let first = symbols.map(|s| ground.bits.iter().take_while(|b| b.symbol < s).count());
        Samples {
            holds,
            first: first.collect(),
            size: ground.size,
        }
    }

    /// Whether no sample has an instance of a scheme.
    pub(super) fn lack(&self, scheme: &Scheme) -> bool {
        let mut values = vec![0; scheme.sorts.len()];
        loop {
            let differs = |(a, b): &(usize, usize)| values[*a] != values[*b];
            if scheme.apart.iter().all(differs) && self.has(scheme, &values) {
                return false;
            }
            if !self.advance(&mut values) {
                return true;
            }
        }
    }

    /// The next values, until there are none.
    fn advance(&self, values: &mut [usize]) -> bool {
        let Some(at) = values.iter().rposition(|v| v + 1 < self.size) else {
            return false;
        };
        values[at] += 1;
        values[at + 1..].fill(0);
        true
    }

    /// The scheme of literals with the pairs that must differ so that no sample has an instance; `None`
    /// where some sample has one all of whose elements are different.
    pub(super) fn fits(&self, scheme: &Scheme) -> Option<Scheme> {
        let pairs = scheme.pairs();
        let mut equal: BTreeSet<u64> = BTreeSet::new();
        let mut values = vec![0; scheme.sorts.len()];
        loop {
            if self.has(scheme, &values) {
                let same = pairs.iter().enumerate();
                let same = same.filter(|(_, (a, b))| values[*a] == values[*b]);
                let mask = same.fold(0, |mask, (n, _)| mask | 1 << n);
                if mask == 0 {
                    return None;
                }
                equal.insert(mask);
            }
            if !self.advance(&mut values) {
                break;
            }
        }
        // Each of these needs one of its pairs.
        let mut kept: u64 = match pairs.len() {
            0..64 => (1 << pairs.len()) - 1,
            _ => return None,
        };
        for pair in 0..pairs.len() {
            let without = kept & !(1 << pair);
            if equal.iter().all(|mask| mask & without != 0) {
                kept = without;
            }
        }
        let mut found = scheme.clone();
        let pairs = pairs.into_iter().enumerate();
        let pairs = pairs.filter(|(n, _)| kept & (1 << n) != 0);
        found.apart = pairs.map(|(_, pair)| pair).collect();
        Some(found)
    }

    /// Whether a sample has all literals for these values.
    fn has(&self, scheme: &Scheme, values: &[usize]) -> bool {
        let cells = scheme.literals.iter().map(|literal| {
            let step = |at: usize, var: &usize| at * self.size + values[*var];
            let offset = literal.vars.iter().fold(0, step);
            let cell = &self.holds[self.first[literal.symbol] + offset];
            &cell[usize::from(!literal.positive)]
        });
        let cells: Vec<&Words> = cells.collect();
        let Some((first, rest)) = cells.split_first() else {
            return true;
        };
        let both = |(n, word): (usize, &u64)| rest.iter().fold(*word, |w, cell| w & cell[n]);
        first.iter().enumerate().any(|w| both(w) != 0)
    }
}

/// Steps at random.
struct Walk<'a, 'c> {
    ground: &'a Ground,
    cx: &'a Cx<'c>,
    solver: Box<dyn Solver>,
    states: IndexSet<Vec<bool>>,
}

impl Walk<'_, '_> {
    /// Some initial states.
    fn start(&mut self, most: usize) -> Result<(), Halt> {
        let (terms, ground) = (self.cx.terms, self.ground);
        self.solver.assert(terms, ground.side)?;
        self.solver.push();
        self.solver.assert(terms, ground.init)?;
        let cells: Vec<Vec<Term>> = ground.bits.iter().map(|bit| vec![bit.cur]).collect();
        for _ in 0..most.div_ceil(STEPS) {
            let drawn = self.drawn(&cells, DRAWN);
            if let Some(state) = self.found(&[], drawn, |bit| bit.cur)? {
                self.states.insert(state);
            }
        }
        self.solver.pop();
        self.solver.assert(terms, ground.trans)
    }

    /// Steps from states that are known.
    fn go(&mut self, most: usize) -> Result<(), Halt> {
        let (terms, ground) = (self.cx.terms, self.ground);
        for _ in 0..2 * most {
            let known = self.states.len();
            if known == 0 || known >= most {
                break;
            }
            self.cx.budget.check()?;
            // Of two, the one that was found later.
            let [a, b] = [self.below(known), self.below(known)];
            let Some(state) = self.states.get_index(a.max(b)) else {
                break;
            };
            let here = ground.bits.iter().zip(state);
            let here = here.map(|(bit, value)| match value {
                true => bit.cur,
                false => terms.not(bit.cur),
            });
            let here: Vec<Term> = here.collect();
            let drawn = self.drawn(&ground.choices, ground.choices.len());
            if let Some(next) = self.found(&here, drawn, |bit| bit.next)? {
                self.states.insert(next);
            }
        }
        Ok(())
    }

    fn below(&self, number: usize) -> usize {
        let drawn = self.cx.rng.below(number as u64);
        usize::try_from(drawn).unwrap_or(0)
    }

    /// Literals for so many of these choices, in any order: one of several cells, or one with either value.
    fn drawn(&self, choices: &[Vec<Term>], number: usize) -> Vec<Term> {
        let mut order: Vec<&Vec<Term>> = choices.iter().collect();
        let mut drawn = Vec::with_capacity(number);
        while drawn.len() < number && !order.is_empty() {
            let choice = order.swap_remove(self.below(order.len()));
            let literal = match choice.as_slice() {
                [cell] if self.below(2) == 0 => self.cx.terms.not(*cell),
                cells => cells[self.below(cells.len())],
            };
            drawn.push(literal);
        }
        drawn
    }

    /// A state with these literals and as many of the drawn ones as go with them.
    fn found(
        &mut self,
        fixed: &[Term],
        mut drawn: Vec<Term>,
        cell: impl Fn(&Bit) -> Term,
    ) -> Result<Option<Vec<bool>>, Halt> {
        loop {
            let assumed: Vec<Term> = fixed.iter().chain(&drawn).copied().collect();
            let core: TermSet = match self.solver.check(&assumed, self.cx)? {
                Answer::Sat(model) => {
                    let value = |bit: &Bit| holds(model.as_ref(), cell(bit), self.cx);
                    return Ok(Some(self.ground.bits.iter().map(value).collect()));
                }
                Answer::Unknown(_) => return Ok(None),
                Answer::Unsat(core) => core.into_iter().collect(),
            };
            let blamed = (0..drawn.len()).filter(|&n| core.contains(&drawn[n]));
            let blamed: Vec<usize> = blamed.collect();
            if blamed.is_empty() {
                return Ok(None);
            }
            drawn.swap_remove(blamed[self.below(blamed.len())]);
        }
    }
}

fn holds(model: &dyn Model, cell: Term, cx: &Cx<'_>) -> bool {
    model.holds(cx.terms, cell).unwrap_or(false)
}
