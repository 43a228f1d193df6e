//! Variables of its own for each clause.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use foretell_systems::Clause;
use foretell_terms::{Op, Substitution, Term, TermSet, TermStore};

use super::{Clauses, Used};

impl Clauses<'_> {
    /// Gives the clause variables of its own, with names that differ from each other.
    pub(super) fn rename_apart(&mut self, mut clause: Clause, subterms: &[Term]) -> Clause {
        let mut pairs = Vec::new();
        let bound = self.bound(subterms);
        let mut naming = ClauseNames::new(self.terms, &bound);
        for &var in subterms {
            if self.terms.as_var(var).is_none() || bound.contains(&var) {
                continue;
            }
            let constant = self.constants.get_mut(&var).map(|used| *used = Used::Yes);
            let name = naming.name(self.terms.var_name(var));
            let mine = name.is_none() && constant.is_none() && !self.owned.contains(&var);
            let name = name.as_deref().unwrap_or(self.terms.var_name(var));
            let own = if mine {
                var
            } else {
                self.terms.new_var(name, self.terms.sort(var))
            };
            clause.vars.push(own);
            pairs.push((var, own));
        }
        if pairs.iter().all(|(from, to)| from == to) {
            return clause;
        }
        let mut map = Substitution::from_pairs(pairs);
        for atom in clause.body.iter_mut().chain(&mut clause.head) {
            atom.args
                .iter_mut()
                .for_each(|a| *a = map.apply(self.terms, *a));
        }
        clause.constraint = map.apply(self.terms, clause.constraint);
        clause
    }

    /// The variables bound by quantifiers among these terms.
    fn bound(&self, subterms: &[Term]) -> TermSet {
        let binder = |t: &&Term| matches!(self.terms.op(**t), Op::Forall | Op::Exists);
        let args = subterms.iter().filter(binder).map(|&b| self.terms.args(b));
        args.flat_map(|args| args[..args.len() - 1].iter().copied())
            .collect()
    }
}

/// Different names for the variables of one clause.
struct ClauseNames<'s> {
    used: BTreeSet<Cow<'s, str>>,
    bound: BTreeSet<&'s str>,
    /// The last number given to each name that came twice.
    numbers: BTreeMap<&'s str, usize>,
}

impl<'s> ClauseNames<'s> {
    fn new(terms: &'s TermStore, bound: &TermSet) -> ClauseNames<'s> {
        let bound = bound.iter().map(|&v| terms.var_name(v)).collect();
        ClauseNames {
            used: BTreeSet::new(),
            bound,
            numbers: BTreeMap::new(),
        }
    }

    /// Another name for a variable whose own name is taken; `None` when it is not.
    fn name(&mut self, own: &'s str) -> Option<String> {
        if self.used.insert(Cow::Borrowed(own)) {
            return None;
        }
        let number = self.numbers.entry(own).or_insert(0);
        loop {
            *number += 1;
            let name = format!("{own}!{number}");
            if !self.bound.contains(name.as_str()) && self.used.insert(Cow::Owned(name.clone())) {
                return Some(name);
            }
        }
    }
}
