//! Why a property holds.

use foretell_driver::protocol::Model;
use foretell_driver::worker::pipeline::{ReadInput, Rung};
use foretell_terms::TermStore;

use super::words::{Scope, Taken, take};
use crate::model::Proof;

/// What a certificate says, and the model beside it.
pub(super) fn proof(
    certificate: &str,
    model: Option<&Model>,
    whole: Option<(&ReadInput<'_>, &TermStore)>,
) -> Proof {
    let inner = parts(certificate, whole);
    let shown = model.filter(|m| m.checked && m.text != certificate);
    let outer = shown.map(|m| parts(&m.text, whole).parts);
    let (parts, inner_parts) = match outer {
        Some(parts) => (parts, inner.parts),
        None => (inner.parts, Vec::new()),
    };
    Proof {
        certificate: certificate.to_owned(),
        model: shown.map(|m| m.text.clone()),
        parts,
        inner: inner_parts,
        auxiliaries: inner.auxiliaries,
        story: Vec::new(),
    }
}

/// A text taken apart.
pub(super) fn parts(text: &str, whole: Option<(&ReadInput<'_>, &TermStore)>) -> Taken {
    match whole {
        Some((input, terms)) => take(terms, text, &state(input, terms)),
        None => take(&TermStore::new(), text, &Scope::new()),
    }
}

/// The variables of a transition system, inputs too; none for clauses.
fn state(input: &ReadInput<'_>, terms: &TermStore) -> Scope {
    match &input.problem {
        Rung::Clauses(..) => Scope::new(),
        Rung::System(system, _) => {
            let all = [
                system.current(),
                system.params.clone(),
                system.inputs.clone(),
            ]
            .concat();
            let named = all.into_iter().map(|v| (terms.var_name(v).to_owned(), v));
            named.collect()
        }
    }
}
