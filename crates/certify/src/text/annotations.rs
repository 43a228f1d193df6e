//! The annotations of a VMT text, and the terms they stand on.

use crate::text::sexpr::{Document, Id, TextError};

/// The annotations that mean something.
const OURS: [&str; 4] = [":next", ":init", ":trans", ":invar-property"];

/// What the annotations of a text say.
#[derive(Default)]
pub(crate) struct Annotations<'t> {
    /// Symbols and the symbols of their next values.
    pub(crate) next: Vec<(&'t str, &'t str)>,
    /// The conjuncts of the initial states.
    pub(crate) init: Vec<Id>,
    /// The conjuncts of the transition relation.
    pub(crate) trans: Vec<Id>,
    /// The properties with their numbers.
    pub(crate) properties: Vec<(u64, Id)>,
    /// Assertions without annotation.
    pub(crate) axioms: Vec<Id>,
}

/// Where an annotated term stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// It is over declared symbols only.
    Closed,
    /// It may mention parameters of a definition.
    Parametric,
}

impl<'t> Annotations<'t> {
    /// Collects an assertion: what is annotated is no axiom.
    pub(crate) fn assertion(&mut self, doc: &Document<'t>, term: Id) -> Result<(), TextError> {
        let before = self.len();
        self.collect(doc, term, Place::Closed)?;
        if before == self.len() && doc.symbol(doc.unannotated(term).0) != Some("true") {
            self.axioms.push(term);
        }
        Ok(())
    }

    /// The number of annotations so far.
    fn len(&self) -> usize {
        self.next.len() + self.init.len() + self.trans.len() + self.properties.len()
    }

    /// Collects the annotations at the top of a term; the same words deeper down are an error.
    pub(crate) fn collect(
        &mut self,
        doc: &Document<'t>,
        body: Id,
        place: Place,
    ) -> Result<(), TextError> {
        let (term, attributes) = doc.unannotated(body);
        let mut rest = attributes.as_slice();
        while let [key, tail @ ..] = rest {
            let Some(word) = doc.token_of(*key).filter(|t| t.starts_with(':')) else {
                return Err(doc.complain(*key, "an attribute must be a keyword"));
            };
            let has_value = tail
                .first()
                .is_some_and(|&v| !doc.token_of(v).is_some_and(|t| t.starts_with(':')));
            let value = tail.first().copied().filter(|_| has_value);
            rest = &tail[usize::from(has_value)..];
            let ours = OURS.contains(&word);
            if ours && place == Place::Parametric {
                return Err(
                    doc.complain(*key, "this annotation is on a definition with parameters")
                );
            }
            self.attribute(doc, (word, *key, value), term)?;
        }
        let mut work = vec![term];
        while let Some(id) = work.pop() {
            let inner = doc.token_of(id).unwrap_or_default();
            if OURS.contains(&inner) {
                return Err(doc.complain(id, "this annotation is inside of a term"));
            }
            work.extend(doc.list(id).unwrap_or_default());
        }
        Ok(())
    }

    fn attribute(
        &mut self,
        doc: &Document<'t>,
        (word, key, value): (&str, Id, Option<Id>),
        term: Id,
    ) -> Result<(), TextError> {
        let flag = value.is_none_or(|v| doc.token_of(v) == Some("true"));
        match word {
            ":next" => match (doc.symbol(term), value.and_then(|v| doc.symbol(v))) {
                (Some(current), Some(next)) => self.next.push((current, next)),
                _ => return Err(doc.complain(key, "`:next` relates two symbols")),
            },
            ":init" | ":trans" if !flag => {
                return Err(
                    doc.complain(key, "the value of this annotation must be `true` or absent")
                );
            }
            ":init" => self.init.push(term),
            ":trans" => self.trans.push(term),
            ":invar-property" => match value
                .and_then(|v| doc.token_of(v))
                .and_then(|t| t.parse().ok())
            {
                Some(number) => self.properties.push((number, term)),
                None => return Err(doc.complain(key, "`:invar-property` has a number")),
            },
            _ => {}
        }
        Ok(())
    }
}
