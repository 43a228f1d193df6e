//! Terms that are evaluated many times, under one assignment after the other.
//!
//! ```text
//! plan(t1, …, tn)   the subterms, arguments before what is made of them; where the arguments of each are, and
//!                   how often each is used
//! eval(plan, σ)     as [`TermStore::eval`] of each ti, without looking for anything
//! ```

use smallvec::SmallVec;

use crate::eval::{Assignment, Outcome, Outcomes, Undefined, conclude};
use crate::store::{Term, TermStore};

/// How terms are evaluated.
#[derive(Clone, Debug)]
pub struct Plan {
    /// In ascending order, so that arguments come before what is made of them.
    order: Vec<Part>,
    /// Where the roots are.
    roots: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Part {
    term: Term,
    args: SmallVec<[usize; 3]>,
    /// How many parts and roots need it.
    uses: usize,
}

impl Plan {
    /// The plan of these terms.
    pub fn new(store: &TermStore, roots: &[Term]) -> Plan {
        let order = store.subterms(roots);
        // Every argument and root is among the subterms; what were not would have no value.
        let at = |term: Term| order.binary_search(&term).unwrap_or(usize::MAX);
        let parts = order.iter().map(|&term| Part {
            term,
            args: store.args(term).iter().map(|&arg| at(arg)).collect(),
            uses: 0,
        });
        let mut plan = Plan {
            order: parts.collect(),
            roots: roots.iter().map(|&root| at(root)).collect(),
        };
        let args = plan.order.iter().flat_map(|part| part.args.iter().copied());
        let used: Vec<usize> = args.chain(plan.roots.iter().copied()).collect();
        for i in used {
            if let Some(part) = plan.order.get_mut(i) {
                part.uses += 1;
            }
        }
        plan
    }

    /// How many subterms there are.
    pub fn size(&self) -> usize {
        self.order.len()
    }

    /// The values of the terms, in the order in which they were given.
    pub fn eval(&self, store: &TermStore, assignment: &Assignment) -> Vec<Outcome> {
        let mut results = self.results(store, assignment);
        self.roots.iter().map(|&i| take(&mut results, i)).collect()
    }

    /// The value of the first term.
    pub fn first(&self, store: &TermStore, assignment: &Assignment) -> Outcome {
        let mut results = self.results(store, assignment);
        let first = self.roots.first().map(|&i| take(&mut results, i));
        first.unwrap_or(Err(Undefined::IllSorted))
    }

    /// The result of each part that is still needed, and by how many.
    fn results(&self, store: &TermStore, assignment: &Assignment) -> Vec<(Outcome, usize)> {
        let mut results: Vec<(Outcome, usize)> = Vec::with_capacity(self.order.len());
        for part in &self.order {
            let outcome = match assignment.get(part.term) {
                Some(value) => Ok(value.clone()),
                None => {
                    let args: Outcomes = part.args.iter().map(|&i| take(&mut results, i)).collect();
                    conclude(store, assignment, part.term, args)
                }
            };
            results.push((outcome, part.uses));
        }
        results
    }
}

/// A result; moved out at its last use, so that long chains of `store` stay linear.
fn take(results: &mut [(Outcome, usize)], at: usize) -> Outcome {
    let Some((outcome, uses)) = results.get_mut(at) else {
        return Err(Undefined::IllSorted);
    };
    *uses = uses.saturating_sub(1);
    match *uses {
        0 => std::mem::replace(outcome, Err(Undefined::IllSorted)),
        _ => outcome.clone(),
    }
}
