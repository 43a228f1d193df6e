//! Hints by chance: what a user, or a run before, may say about a problem, right or wrong.
//!
//! ```text
//! for each predicate (or the state): one to three conjuncts of
//!   a parameter against a small number, two parameters against each other,
//!   cells below a bound under a quantifier, a quantifier where none is taken
//! ```
//!
//! Whatever is said, no verdict may change: hints are proved before they are used.

use foretell_frontends::{Problem, read};
use foretell_kernel::Rng;
use foretell_terms::print::quote;
use foretell_terms::{Sort, Term, TermStore};

/// Hints about a problem in the syntax of `--hints`; empty when the text is none.
pub fn any_hints(problem: &str, rng: &Rng) -> String {
    let terms = TermStore::new();
    let Ok(input) = read(problem.as_bytes(), &terms) else {
        return String::new();
    };
    match input.problem {
        Problem::Chc(system) => {
            let definition = |pred: &foretell_systems::PredDecl| {
                let named: Vec<(String, Sort)> = (0..)
                    .zip(&pred.params)
                    .map(|(i, &p)| (format!("x{i}"), terms.sort(p)))
                    .collect();
                let list = named.iter();
                let list = list.map(|(name, sort)| format!("({name} {})", terms.print_sort(*sort)));
                let list: Vec<String> = list.collect();
                let name = quote(terms.name(pred.func));
                let body = body(&terms, &named, rng);
                format!("(define-fun {name} ({}) Bool {body})\n", list.join(" "))
            };
            system.preds.iter().map(definition).collect()
        }
        Problem::Vmt { system, .. } => {
            let named = |&v: &Term| (quote(terms.var_name(v)), terms.sort(v));
            let named: Vec<(String, Sort)> = system.current().iter().map(named).collect();
            format!("(define-fun hint () Bool {})\n", body(&terms, &named, rng))
        }
    }
}

/// A conjunction about these.
fn body(terms: &TermStore, named: &[(String, Sort)], rng: &Rng) -> String {
    let parts: Vec<String> = (0..1 + rng.below(3))
        .map(|_| conjunct(terms, named, rng))
        .collect();
    format!("(and true {})", parts.join(" "))
}

fn conjunct(terms: &TermStore, named: &[(String, Sort)], rng: &Rng) -> String {
    if named.is_empty() {
        return "true".to_owned();
    }
    let any = || &named[usize::try_from(rng.below(named.len() as u64)).unwrap_or(0)];
    let (name, sort) = any();
    let number = rng.below(6);
    let compare = ["<=", "<", ">=", "=", "distinct"][usize::try_from(rng.below(5)).unwrap_or(0)];
    let plain = match named.iter().find(|(n, s)| s == sort && n != name) {
        _ if *sort == Sort::BOOL => name.clone(),
        _ if *sort == Sort::INT && rng.below(3) > 0 => format!("({compare} {name} {number})"),
        Some((other, _)) if *sort == Sort::INT => {
            format!("({compare} {name} (+ {other} {number}))")
        }
        Some((other, _)) => format!("(= {name} {other})"),
        None => format!("(= {name} {name})"),
    };
    let cells = terms.array_parts(*sort);
    match (cells, rng.below(8)) {
        (_, 0) => format!("(exists ((k Int)) (and (= k {number}) {plain}))"),
        (Some(([Sort::INT], Sort::INT)), _) => {
            let (bound, _) = named.iter().find(|(_, s)| *s == Sort::INT).unwrap_or(any());
            let bound = match named.iter().any(|(n, s)| n == bound && *s == Sort::INT) {
                true => bound.clone(),
                false => number.to_string(),
            };
            format!(
                "(forall ((k Int)) (=> (and (<= 0 k) (< k {bound})) ({compare} (select {name} k) {number})))"
            )
        }
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::any_hints;
    use foretell_driver::hints;
    use foretell_kernel::Rng;

    /// What is made here is read, about every problem of the corpus.
    #[test]
    fn random_hints_are_hints() {
        let (rng, mut used, mut left_out) = (Rng::new(5), 0, 0);
        for case in crate::corpus::problems() {
            let Ok(text) = std::str::from_utf8(&case.bytes) else {
                continue;
            };
            let made = any_hints(text, &rng);
            match hints::read(&case.bytes, made.as_bytes()) {
                Ok(hints) => {
                    used += hints.n_used;
                    left_out += hints.n_left_out;
                }
                Err(hints::HintError::Hints(list)) => {
                    panic!("{}: {}\n{made}", case.name, list[0].message)
                }
                Err(hints::HintError::Problem(error)) => panic!("{}: {error}", case.name),
            }
        }
        assert!(
            used > 200 && left_out > 20,
            "{used} used, {left_out} left out"
        );
    }
}
