//! Time: formulas over X and X' as formulas over X@0, X@1, ….
//!
//! ```text
//! init@0 ∧ trans@0 ∧ … ∧ trans@(k-1) ∧ ¬property@k        a counterexample of length k
//! ```

use foretell_kernel::Halt;
use foretell_kernel::Model;
use foretell_terms::eval::Assignment;
use foretell_terms::{Substitution, Term, TermMap, TermStore};

use crate::transition::{Trace, TraceStep, TransitionSystem};

/// Makes timed copies of state variables and inputs; parameters are rigid and stay.
#[derive(Clone)]
pub struct Unroller {
    /// Current symbol, next symbol (`None` for inputs).
    symbols: Vec<(Term, Option<Term>)>,
    /// `copies[k][i]` is symbol `i` at time `k`.
    copies: Vec<Vec<Term>>,
    /// For each time `k`: current symbols to copies at `k`, next symbols to copies at `k + 1`.
    maps: Vec<Substitution>,
    untimed: TermMap<(Term, u32)>,
}

impl Unroller {
    /// An unroller for a system as it is now.
    pub fn new(system: &TransitionSystem) -> Unroller {
        let mut symbols: Vec<(Term, Option<Term>)> =
            system.vars.iter().map(|v| (v.cur, Some(v.next))).collect();
        symbols.extend(system.inputs.iter().map(|&i| (i, None)));
        Unroller {
            symbols,
            copies: Vec::new(),
            maps: Vec::new(),
            untimed: TermMap::default(),
        }
    }

    /// The term at a time: current symbols at `step`, next symbols at `step + 1`.
    pub fn at(&mut self, terms: &TermStore, term: Term, step: u32) -> Term {
        while self.maps.len() <= step as usize {
            let now = self.maps.len();
            self.copy_symbols(terms, now);
            self.copy_symbols(terms, now + 1);
            let mut pairs = Vec::new();
            for (i, &(cur, next)) in self.symbols.iter().enumerate() {
                pairs.push((cur, self.copies[now][i]));
                pairs.extend(next.map(|n| (n, self.copies[now + 1][i])));
            }
            self.maps.push(Substitution::from_pairs(pairs));
        }
        self.maps[step as usize].apply(terms, term)
    }

    fn copy_symbols(&mut self, terms: &TermStore, step: usize) {
        if self.copies.len() > step {
            return;
        }
        let time = u32::try_from(step).expect("invariant: fewer than 2^32 steps");
        let copies: Vec<Term> = self
            .symbols
            .iter()
            .map(|&(cur, _)| {
                terms.new_var(&format!("{}@{step}", terms.var_name(cur)), terms.sort(cur))
            })
            .collect();
        for (&(cur, _), &copy) in self.symbols.iter().zip(&copies) {
            self.untimed.insert(copy, (cur, time));
        }
        self.copies.push(copies);
    }

    /// The current symbol and the time of a timed copy.
    pub fn untimed_symbol(&self, copy: Term) -> Option<(Term, u32)> {
        self.untimed.get(&copy).copied()
    }

    /// A term over copies of one time `step` (and rigid symbols), over current symbols again.
    pub fn untime(&self, terms: &TermStore, term: Term, step: u32) -> Term {
        let pairs = self
            .copies
            .get(step as usize)
            .into_iter()
            .flatten()
            .zip(&self.symbols)
            .map(|(&c, &(s, _))| (c, s));
        terms.substitute(term, pairs)
    }

    /// Reads a run of `length` steps off a model of the unrolling.
    pub fn trace(
        &mut self,
        terms: &TermStore,
        system: &TransitionSystem,
        model: &dyn Model,
        length: u32,
    ) -> Result<Trace, Halt> {
        let unreadable = || Halt::Solver("the model has a value that cannot be represented".into());
        let mut trace = Trace::default();
        let roots = [system.init, system.trans, system.property];
        trace.rigid = model.assignment(terms, &roots).ok_or_else(unreadable)?;
        trace.rigid.values.retain(|t, _| system.params.contains(t));
        for &param in &system.params {
            let value = model.value(terms, param).ok_or_else(unreadable)?;
            trace.rigid.insert(param, value);
        }
        for step in 0..=length {
            let mut read = |symbols: &mut dyn Iterator<Item = Term>| -> Result<Assignment, Halt> {
                let mut values = Assignment::new();
                for symbol in symbols {
                    let timed = self.at(terms, symbol, step);
                    values.insert(symbol, model.value(terms, timed).ok_or_else(unreadable)?);
                }
                Ok(values)
            };
            let state = read(&mut system.vars.iter().map(|v| v.cur))?;
            let inputs = if step < length {
                read(&mut system.inputs.iter().copied())?
            } else {
                Assignment::new()
            };
            trace.steps.push(TraceStep { state, inputs });
        }
        Ok(trace)
    }
}
