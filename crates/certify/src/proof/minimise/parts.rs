//! Which parts of a conjunct a proof needs, however deep they are.
//!
//! ```text
//! for each conjunct c about P, and each member m of a list inside it, the longest first:
//!   c' ← c without m
//!   m under ∧:  c' is weaker:    every obligation that assumes P still proves its goals?   c ← c'
//!   m under ∨:  c' is stronger:  every obligation that concludes P concludes c'?           c ← c'
//! ```
//!
//! Negations stand at the atoms, so which of the two it is follows from the list. Clauses by themselves are
//! the business of `literals.rs`, whole conjuncts that of `minimise.rs`; this is for what they leave: cases
//! inside cases. Limits: one member is always left in a list; formulas with negations above lists are
//! left as they are below these.

use std::cmp::Reverse;

use foretell_kernel::Halt;
use foretell_terms::{Op, Term, TermStore};

use super::{Place, Proof, Search};

/// Where a member is: the argument to go to at each level.
type Path = Vec<usize>;

/// Leaves parts out of the conjuncts of a proof, as far as the budget goes.
pub(super) fn leave_out(search: &mut Search<'_>, kept: &[Place]) {
    for &place in kept {
        let mut tried = 0;
        while let Some((path, op)) = members(search.cx.terms, at(search, place)).get(tried) {
            if search.cx.budget.check().is_err() {
                return;
            }
            let whole = at(search, place);
            let shorter = without(search.cx.terms, whole, path);
            search.conjuncts[place.0][place.1] = shorter;
            let stands = match op {
                Op::And => search.supports(place.0, kept),
                _ => search.concludes(place, kept),
            };
            if shorter == whole || !matches!(stands, Ok(true)) {
                search.conjuncts[place.0][place.1] = whole;
                tried += 1;
            }
        }
    }
}

fn at(search: &Search<'_>, (owner, i): Place) -> Term {
    search.conjuncts[owner][i]
}

impl Search<'_> {
    /// Whether everything that assumes something about an owner still proves what is needed.
    fn supports(&mut self, owner: usize, kept: &[Place]) -> Result<bool, Halt> {
        for n in self.assuming(&[owner]) {
            for goal in self.goals(n, kept) {
                if let Proof::None = self.prove(n, goal, Some(kept))? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// The members of lists inside a formula and which kind of list, those with the longest text first.
fn members(terms: &TermStore, formula: Term) -> Vec<(Path, Op)> {
    let mut found = Vec::new();
    let mut work: Vec<(Path, Term)> = vec![(Vec::new(), formula)];
    while let Some((path, term)) = work.pop() {
        let node = terms.node(term);
        let below = |i: usize| path.iter().copied().chain([i]).collect::<Path>();
        match &node.op {
            Op::And | Op::Or => {
                for (i, &arg) in node.args.iter().enumerate() {
                    let length = terms.print(arg).len();
                    found.push((length, below(i), node.op.clone()));
                    work.push((below(i), arg));
                }
            }
            Op::Forall | Op::Exists => {
                let last = node.args.len().saturating_sub(1);
                work.extend(node.args.last().map(|&body| (below(last), body)));
            }
            _ => {}
        }
    }
    found.sort_by_key(|(length, path, _)| (Reverse(*length), path.clone()));
    found.into_iter().map(|(_, path, op)| (path, op)).collect()
}

/// The formula without a member.
fn without(terms: &TermStore, formula: Term, path: &[usize]) -> Term {
    let node = terms.node(formula);
    match path {
        [] => formula,
        [last] => {
            let rest = (0..).zip(&node.args).filter(|(i, _)| i != last);
            let rest: Vec<Term> = rest.map(|(_, &arg)| arg).collect();
            match node.op {
                _ if rest.is_empty() => formula,
                Op::And => terms.and(rest),
                _ => terms.or(rest),
            }
        }
        [first, more @ ..] => {
            let mut args = node.args.to_vec();
            args[*first] = without(terms, args[*first], more);
            match (&node.op, args.split_last()) {
                (Op::And, _) => terms.and(args),
                (Op::Or, _) => terms.or(args),
                (Op::Forall, Some((body, vars))) => terms.forall(vars, *body),
                (Op::Exists, Some((body, vars))) => terms.exists(vars, *body),
                _ => formula,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{members, without};
    use foretell_terms::{Sort, TermStore};

    #[test]
    fn each_member_of_each_list_can_go() {
        let terms = TermStore::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.new_var(name, Sort::BOOL));
        let formula = terms.or2(a, terms.and2(b, c));
        let rest = members(&terms, formula)
            .iter()
            .map(|(path, _)| terms.print(without(&terms, formula, path)))
            .collect::<Vec<_>>();
        assert_eq!(rest, ["a", "(and b c)", "(or a c)", "(or a b)"]);
    }
}
