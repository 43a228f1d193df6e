//! The axioms of arrays, one function each.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, section 2 (write, ext, const) and 6.1 (congruence of weak
//! equality). Parts of the refinement in `array_prophecy.rs`.
//!
//! Each function gives the instance for terms of the abstraction; mapped back to `select` and `store`
//! every instance is a theorem. Indices are tuples: `i = j` is the conjunction over the components.

use foretell_terms::{Term, TermStore};

use super::abstract_arrays::{ArrayAbstraction, ArraySymbols, Role};

/// An instance with the name of its rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Axiom {
    /// The name of the rule.
    pub(crate) rule: &'static str,
    /// The formula.
    pub(crate) formula: Term,
}

/// `read(write(a, j, e), j) = e`
pub(crate) fn hit(terms: &TermStore, symbols: &ArraySymbols, write: Term) -> Axiom {
    let (_, at, value) = parts(terms, symbols, write);
    let read = terms.app(symbols.read, &[&[write], at].concat());
    Axiom {
        rule: "write",
        formula: terms.eq(read, value),
    }
}

/// `i = j  ∨  read(write(a, j, e), i) = read(a, i)`
pub(crate) fn frame(
    terms: &TermStore,
    symbols: &ArraySymbols,
    write: Term,
    index: &[Term],
) -> Axiom {
    let (array, at, _) = parts(terms, symbols, write);
    let same = terms.and(index.iter().zip(at).map(|(&i, &j)| terms.eq(i, j)));
    let after = terms.app(symbols.read, &[&[write], index].concat());
    let before = terms.app(symbols.read, &[&[array], index].concat());
    Axiom {
        rule: "frame",
        formula: terms.or2(same, terms.eq(after, before)),
    }
}

/// `read(const(c), i) = c`
pub(crate) fn constant(
    terms: &TermStore,
    symbols: &ArraySymbols,
    array: Term,
    index: &[Term],
) -> Axiom {
    let read = terms.app(symbols.read, &[&[array], index].concat());
    Axiom {
        rule: "constant",
        formula: terms.eq(read, terms.args(array)[0]),
    }
}

/// `equal(a, b)  ⇒  read(a, i) = read(b, i)`
pub(crate) fn congruence(
    terms: &TermStore,
    symbols: &ArraySymbols,
    equation: Term,
    index: &[Term],
) -> Axiom {
    let read = |array: Term| terms.app(symbols.read, &[&[array], index].concat());
    let args = terms.args(equation);
    let cells = terms.eq(read(args[0]), read(args[1]));
    Axiom {
        rule: "congruence",
        formula: terms.implies(equation, cells),
    }
}

/// `a = b  ∨  read(a, w) ≠ read(b, w)`   with   `w = witness(a, b)`
pub(crate) fn extensionality(terms: &TermStore, symbols: &ArraySymbols, equation: Term) -> Axiom {
    let args = terms.args(equation);
    let witness: Vec<Term> = symbols
        .witness
        .iter()
        .map(|&w| terms.app(w, &[args[0], args[1]]))
        .collect();
    let read = |array: Term| terms.app(symbols.read, &[&[array], witness.as_slice()].concat());
    let differ = terms.not(terms.eq(read(args[0]), read(args[1])));
    Axiom {
        rule: "extensionality",
        formula: terms.or2(equation, differ),
    }
}

/// `i ≤ j  ∨  j ≤ i`   for integers: says nothing, but names the two atoms
pub(crate) fn order(terms: &TermStore, i: Term, j: Term) -> Axiom {
    Axiom {
        rule: "order",
        formula: terms.or2(terms.le(i, j), terms.le(j, i)),
    }
}

/// `λ ≠ i`   for an index λ that no step uses
pub(crate) fn distinct(terms: &TermStore, lambda: Term, index: Term) -> Axiom {
    Axiom {
        rule: "lambda",
        formula: terms.not(terms.eq(lambda, index)),
    }
}

/// The instances of a trigger that need no index.
pub(crate) fn of_trigger(
    arrays: &ArrayAbstraction,
    terms: &TermStore,
    trigger: Term,
) -> Option<Axiom> {
    match arrays.role(terms, trigger) {
        Some((symbols, Role::Write)) => Some(hit(terms, symbols, trigger)),
        Some((symbols, Role::Equal)) => Some(extensionality(terms, symbols, trigger)),
        Some(_) => None,
        None => {
            let side = *terms.args(trigger).first()?;
            arrays
                .symbols(terms.sort(side))
                .map(|symbols| extensionality(terms, symbols, trigger))
        }
    }
}

/// The instance of a trigger at an index.
pub(crate) fn at_index(
    arrays: &ArrayAbstraction,
    terms: &TermStore,
    trigger: Term,
    index: &[Term],
) -> Option<Axiom> {
    match arrays.role(terms, trigger)? {
        (symbols, Role::Write) => Some(frame(terms, symbols, trigger, index)),
        (symbols, Role::Constant) => Some(constant(terms, symbols, trigger, index)),
        (symbols, Role::Equal) => Some(congruence(terms, symbols, trigger, index)),
        (_, Role::Read | Role::Witness) => None,
    }
}

/// The array, the index and the value of a write.
fn parts<'t>(
    terms: &'t TermStore,
    symbols: &ArraySymbols,
    write: Term,
) -> (Term, &'t [Term], Term) {
    let args = terms.args(write);
    let last = symbols.indices.len() + 1;
    (args[0], &args[1..last], args[last])
}
