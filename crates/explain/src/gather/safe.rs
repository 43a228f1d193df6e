//! Why a property holds.

use std::path::Path;

use foretell_driver::protocol::Model;
use foretell_driver::worker::input::{ReadInput, Rung};
use foretell_terms::TermStore;

use super::closed::closed;
use super::needs::{Said, needs};
use super::parameters;
use super::words::{Taken, Vocabulary, take};
use crate::model::Proof;

/// What a certificate says, and the model beside it; with a solver, what needs which conjuncts.
pub(super) fn proof(
    certificate: &str,
    model: Option<&Model>,
    whole: Option<(&ReadInput<'_>, &TermStore)>,
    z3: Option<&Path>,
) -> Proof {
    let mut inner = parts(certificate, whole);
    let shown = model.filter(|m| m.checked && m.text != certificate);
    let outer = match (shown, whole) {
        (Some(model), _) => Some(parts(&model.text, whole)),
        (None, Some((_, terms))) => closed(terms, &inner),
        (None, None) => None,
    };
    let needs = whole.zip(z3).and_then(|((input, terms), z3)| {
        let taken = outer.as_ref().unwrap_or(&inner);
        let said = Said {
            terms,
            input,
            parts: &taken.parts,
            readings: &taken.readings,
        };
        taken.is_plain().then(|| needs(&said, z3)).flatten()
    });
    let inner_parts = std::mem::take(&mut inner.parts);
    let (parts, inner_parts) = match outer {
        Some(outer) => (outer.parts, inner_parts),
        None => (inner_parts, Vec::new()),
    };
    Proof {
        certificate: certificate.to_owned(),
        model: shown.map(|m| m.text.clone()),
        parts,
        inner: inner_parts,
        auxiliaries: inner.auxiliaries,
        needs,
        story: Vec::new(),
    }
}

/// A text taken apart.
pub(super) fn parts(text: &str, whole: Option<(&ReadInput<'_>, &TermStore)>) -> Taken {
    match whole {
        Some((input, terms)) => take(terms, text, &vocabulary(input, terms)),
        None => take(&TermStore::new(), text, &Vocabulary::default()),
    }
}

/// The parameters of predicates, or the variables of a transition system, inputs too.
fn vocabulary(input: &ReadInput<'_>, terms: &TermStore) -> Vocabulary {
    match &input.problem {
        Rung::Clauses(..) => Vocabulary {
            parameters: parameters(input, terms),
            ..Vocabulary::default()
        },
        Rung::System(system, _) => {
            let all = [
                system.current(),
                system.params.clone(),
                system.inputs.clone(),
            ]
            .concat();
            let named = all.into_iter().map(|v| (terms.var_name(v).to_owned(), v));
            Vocabulary {
                state: named.collect(),
                ..Vocabulary::default()
            }
        }
    }
}
