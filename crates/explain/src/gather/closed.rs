//! A proof with auxiliary variables, said without them: for all values of prophecy, for some of history.
//!
//! ```text
//! p(x)  =  ∀π1 ∃η1 ∀π2 …  Inv_p(x, η, π)        in the order in which the variables were introduced
//! ```
//!
//! That this is a model follows from what was checked (`foretell_systems::auxiliary` says why); the formula
//! itself was not, so the checked text beside it stays that of the certificate.

use foretell_terms::TermStore;

use super::words::{Taken, readable};

/// The parts of clauses without auxiliary variables; `None` where there are none or not all can be read.
pub(super) fn closed(terms: &TermStore, inner: &Taken) -> Option<Taken> {
    let known = inner.closing.len() == inner.auxiliaries.len();
    if inner.auxiliaries.is_empty() || !known {
        return None;
    }
    let mut outer = Taken::default();
    for (part, reading) in inner.parts.iter().zip(&inner.readings) {
        let reading = reading.as_ref().filter(|_| !part.name.is_empty())?;
        let mut body = terms.and(reading.conjuncts.iter().copied());
        for (kind, var) in inner.closing.iter().rev() {
            if !terms.free_vars(&[body]).contains(var) {
                continue;
            }
            let bound = terms.fresh(terms.var_name(*var), terms.sort(*var));
            let inside = terms.substitute(body, [(*var, bound)]);
            body = match kind.as_str() {
                "prophecy" => terms.forall(&[bound], inside),
                _ => terms.exists(&[bound], inside),
            };
        }
        let said = readable(terms, body, &reading.params);
        outer.add(part.clone(), reading.params.clone(), Some(said));
    }
    Some(outer)
}
