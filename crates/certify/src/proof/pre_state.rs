//! What the queries say about the state before a step.
//!
//! A query `p(s) ∧ φ ⇒ c` of the text, with variables y, says of every state `x` of `p`
//!
//! ```text
//! Q_p(x)  =  ∀y. s = x ∧ φ ⇒ c
//! ```
//!
//! Once the queries are proved without it, `Q_p` may be assumed of the body atoms of rules: see
//! `clauses.rs`. Only one instance of the `∀` is used, so that obligations stay free of
//! quantifiers: a variable of the query that is an argument of the atom is the value of the state
//! there; one that an equation of the query defines has that value; any other is a prophecy
//! variable whose target in this query is just the variable.
//!
//! Limits: a query in which some variable is left, or with another number of atoms than one, or
//! whose atom stands below other connectives than `and`, contributes nothing.

use std::collections::BTreeSet;

use crate::text::horn::{Binder, Dissector, HornText, Literal};
use crate::text::sexpr::Id;

/// A query taken apart.
struct Query {
    atom: (usize, Vec<Id>),
    /// The conjuncts without predicates.
    plain: Vec<Id>,
    negated: Vec<Id>,
}

/// The instance of what a query says: its predicate, and a formula over the parameters. `param`
/// names the arguments of its predicate, `foretold` the prophecy variable whose target is a
/// variable of the query.
pub(crate) fn assumption(
    dissector: &Dissector<'_, '_>,
    horn: &HornText,
    param: &dyn Fn(usize) -> String,
    foretold: &dyn Fn(&Binder) -> Option<String>,
) -> Option<(usize, String)> {
    let doc = &dissector.system.doc;
    let query = take_apart(dissector, horn)?;
    let (predicate, args) = &query.atom;
    let mut open: BTreeSet<&str> = horn.binders.iter().map(|b| b.bare.as_str()).collect();
    let (mut lets, mut premises): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (i, &arg) in args.iter().enumerate() {
        match doc.symbol(arg) {
            Some(name) if open.remove(name) => {
                lets.push(format!("({} {})", doc.show(arg), param(i)))
            }
            _ => premises.push(format!("(= {} {})", doc.show(arg), param(i))),
        }
    }
    for binder in &horn.binders {
        if let Some(value) = foretold(binder).filter(|_| open.contains(binder.bare.as_str())) {
            open.remove(binder.bare.as_str());
            lets.push(format!("({} {value})", binder.name));
        }
    }
    let defined = definitions(dissector, &query.plain, &mut open);
    if !open.is_empty() {
        return None;
    }
    premises.extend(query.plain.iter().map(|&id| doc.show(id)));
    premises.extend(
        query
            .negated
            .iter()
            .map(|&id| format!("(not {})", doc.show(id))),
    );
    let conclusion = horn
        .conclusion
        .map_or_else(|| "false".into(), |id| doc.show(id));
    let mut formula = format!("(=> (and true {}) {conclusion})", premises.join(" "));
    for (name, value) in defined.iter().rev() {
        formula = format!("(let (({name} {value})) {formula})");
    }
    if !lets.is_empty() {
        formula = format!("(let ({}) {formula})", lets.join(" "));
    }
    Some((*predicate, formula))
}

/// The only atom of a query and the rest of its body; `None` when it has another shape.
fn take_apart(dissector: &Dissector<'_, '_>, horn: &HornText) -> Option<Query> {
    let doc = &dissector.system.doc;
    let (mut atoms, mut plain, mut negated) = (Vec::new(), Vec::new(), Vec::new());
    for literal in &horn.body {
        let mut work = match literal {
            Literal::Plain(id) => vec![*id],
            Literal::Negated(id) => {
                negated.push(*id);
                continue;
            }
            Literal::Goal(_) => return None,
        };
        while let Some(id) = work.pop() {
            let id = doc.unannotated(id).0;
            match (doc.head(id), doc.list(id)) {
                (Some("and"), Some([_, parts @ ..])) => work.extend(parts.iter().rev()),
                _ if dissector.mentions(id) => atoms.push(dissector.atom(id)?),
                _ => plain.push(id),
            }
        }
    }
    match <[(usize, Vec<Id>); 1]>::try_from(atoms) {
        Ok([atom]) => Some(Query {
            atom,
            plain,
            negated,
        }),
        Err(_) => None,
    }
}

/// Definitions `v = t` among the conjuncts for variables that are open, each over those before it.
fn definitions(
    dissector: &Dissector<'_, '_>,
    conjuncts: &[Id],
    open: &mut BTreeSet<&str>,
) -> Vec<(String, String)> {
    let doc = &dissector.system.doc;
    let mut found = Vec::new();
    loop {
        let sides = |id: Id| match doc.list(id) {
            Some(&[_, a, b]) if doc.head(id) == Some("=") => vec![(a, b), (b, a)],
            _ => Vec::new(),
        };
        let fits = |&(var, value): &(Id, Id)| {
            doc.symbol(var).is_some_and(|name| open.contains(name))
                && !doc.symbols(value).iter().any(|name| open.contains(name))
        };
        let Some((var, value)) = conjuncts.iter().flat_map(|&id| sides(id)).find(fits) else {
            return found;
        };
        doc.symbol(var).map(|name| open.remove(name));
        found.push((doc.show(var), doc.show(value)));
    }
}
