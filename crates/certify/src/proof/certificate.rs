//! The certificate with induction depth and auxiliary variables, as text.
//!
//! ```text
//! (certificate (format foretell-1) (kind vmt) (property 0) (k 1)
//!   (prophecy p Int (target t)) (history h Int (next h.next) (init t) (update t)) …
//!   (invariant φ))
//! (certificate (format foretell-1) (kind chc)
//!   (prophecy p Int (target CLAUSE t) …) (history h Int (update CLAUSE t) …) …
//!   (define-fun inv (…) Bool φ) …)
//! ```
//!
//! The grammar is documented in `docs/formats/certificate.md`; what the parts mean in
//! [`foretell_systems::auxiliary`]. The order of introduction is checked here: what defines an
//! auxiliary variable mentions only the state and auxiliaries introduced before it, an update also
//! the variable itself, and next values of earlier history variables.

use std::collections::{BTreeMap, BTreeSet};

use foretell_systems::Property;
pub(crate) use foretell_systems::plain::FORMAT;

use crate::report::Refusal;
use crate::text::clauses::clip;
use crate::text::sexpr::{Document, Id};

/// What kind of problem a certificate is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProblemKind {
    /// A clause system.
    Chc,
    /// A VMT system.
    Vmt,
}

/// Terms by the number of the clause they are for; `None` in a certificate of a VMT system.
pub(crate) type Places = BTreeMap<Option<u32>, Id>;

/// What an auxiliary variable is.
#[derive(Clone, Debug)]
pub(crate) enum AuxKind<'t> {
    /// Frozen; its targets.
    Prophecy(Places),
    /// Computed from the past; the name of its next value, initial value, updates by clause.
    History {
        /// The name of the next value, without bars.
        next: Option<&'t str>,
        /// The initial value (VMT).
        init: Option<Id>,
        /// The updates.
        updates: Places,
    },
}

/// An auxiliary variable.
#[derive(Clone, Debug)]
pub(crate) struct AuxText<'t> {
    /// The name without bars.
    pub(crate) name: &'t str,
    /// The sort.
    pub(crate) sort: Id,
    /// What it is.
    pub(crate) kind: AuxKind<'t>,
}

impl<'t> AuxText<'t> {
    /// The names it introduces.
    fn names(&self) -> impl Iterator<Item = &'t str> {
        let next = match self.kind {
            AuxKind::History { next, .. } => next,
            AuxKind::Prophecy(_) => None,
        };
        std::iter::once(self.name).chain(next)
    }
}

/// A certificate as text.
pub(crate) struct CertificateText<'d, 't> {
    /// The text.
    pub(crate) doc: &'d Document<'t>,
    /// The kind of problem.
    pub(crate) kind: ProblemKind,
    /// The property of a VMT system.
    pub(crate) property: Option<Property>,
    /// The induction depth.
    pub(crate) k: u32,
    /// The auxiliary variables in order.
    pub(crate) auxiliaries: Vec<AuxText<'t>>,
    /// The invariant (VMT).
    pub(crate) invariant: Option<Id>,
    /// The invariants by predicate (CHC): `define-fun` commands.
    pub(crate) definitions: Vec<Id>,
}

impl<'d, 't> CertificateText<'d, 't> {
    /// Whether a text is a certificate of this shape.
    pub(crate) fn recognised(doc: &Document<'_>) -> bool {
        doc.roots()
            .first()
            .is_some_and(|&root| doc.head(root) == Some("certificate"))
    }

    /// Reads a certificate and checks the order of its auxiliaries.
    pub(crate) fn read(doc: &'d Document<'t>) -> Result<CertificateText<'d, 't>, Refusal> {
        let &[root] = doc.roots() else {
            return Err(Refusal::Witness(
                "there is more than one certificate".into(),
            ));
        };
        let parts = doc.list(root).unwrap_or_default();
        let mut found = CertificateText {
            doc,
            kind: ProblemKind::Chc,
            property: None,
            k: 1,
            auxiliaries: Vec::new(),
            invariant: None,
            definitions: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        for &part in parts.iter().skip(1) {
            let word = doc.head(part).unwrap_or_default();
            let single = ["format", "kind", "property", "k", "invariant"].contains(&word);
            if single && !seen.insert(word) {
                return Err(Refusal::witness(
                    &doc.complain(part, format!("a second `{word}`")),
                ));
            }
            found.part(part, word)?;
        }
        if !seen.contains("format") || !seen.contains("kind") {
            return Err(Refusal::Witness(
                "a certificate has a format and a kind".into(),
            ));
        }
        found.check_order()?;
        Ok(found)
    }

    fn part(&mut self, part: Id, word: &str) -> Result<(), Refusal> {
        let doc = self.doc;
        let fault = |what: &str| Refusal::witness(&doc.complain(part, what));
        let kids = doc.list(part).unwrap_or_default();
        let value = kids
            .get(1)
            .and_then(|&id| doc.token_of(id))
            .filter(|_| kids.len() == 2);
        match word {
            "format" if value == Some(FORMAT) => {}
            "format" => return Err(fault("this format is not known")),
            "kind" => {
                self.kind = match value {
                    Some("chc") => ProblemKind::Chc,
                    Some("vmt") => ProblemKind::Vmt,
                    _ => return Err(fault("the kind is `chc` or `vmt`")),
                }
            }
            "property" => {
                let property = value.and_then(|v| v.parse().ok());
                self.property =
                    Some(property.ok_or_else(|| fault("the property is a number or `all`"))?);
            }
            "k" => {
                let depth = value
                    .and_then(|v| v.parse().ok())
                    .filter(|k| (1..=10_000).contains(k));
                self.k = depth.ok_or_else(|| fault("the depth is between 1 and 10000"))?;
            }
            "invariant" => match kids {
                [_, formula] => self.invariant = Some(*formula),
                _ => return Err(fault("the invariant is one formula")),
            },
            "define-fun" => self.definitions.push(part),
            "prophecy" | "history" => {
                let auxiliary = self.auxiliary(part, word)?;
                self.auxiliaries.push(auxiliary);
            }
            _ => return Err(fault("an unknown part of a certificate")),
        }
        Ok(())
    }

    fn auxiliary(&self, part: Id, word: &str) -> Result<AuxText<'t>, Refusal> {
        let doc = self.doc;
        let fault = || Refusal::witness(&doc.complain(part, "a malformed auxiliary variable"));
        let Some([_, name, sort, clauses @ ..]) = doc.list(part) else {
            return Err(fault());
        };
        let name = doc.symbol(*name).ok_or_else(fault)?;
        let (mut next, mut init, mut terms) = (None, None, Places::new());
        for &clause in clauses {
            let part = doc.head(clause).unwrap_or_default();
            let (place, term) = match (part, doc.list(clause).unwrap_or_default()) {
                ("next", [_, id]) if word == "history" && next.is_none() => {
                    next = doc.symbol(*id);
                    continue;
                }
                ("init", [_, id]) if word == "history" && init.is_none() => {
                    init = Some(*id);
                    continue;
                }
                (part, [_, id]) if is_definition(word, part) => (None, *id),
                (part, [_, n, id]) if is_definition(word, part) => (self.number(*n)?, *id),
                _ => return Err(fault()),
            };
            if terms.insert(place, term).is_some() {
                return Err(fault());
            }
        }
        let kind = match word {
            "prophecy" => AuxKind::Prophecy(terms),
            _ => AuxKind::History {
                next,
                init,
                updates: terms,
            },
        };
        Ok(AuxText {
            name,
            sort: *sort,
            kind,
        })
    }

    fn number(&self, id: Id) -> Result<Option<u32>, Refusal> {
        let number = self.doc.token_of(id).and_then(|t| t.parse().ok());
        number.map(Some).ok_or_else(|| {
            Refusal::witness(&self.doc.complain(id, "a clause is named by its number"))
        })
    }

    /// Names are different, and definitions mention only what was introduced before.
    fn check_order(&self) -> Result<(), Refusal> {
        let mut later: BTreeSet<&str> = BTreeSet::new();
        for auxiliary in &self.auxiliaries {
            for name in auxiliary.names() {
                if !later.insert(name) {
                    return Err(Refusal::Witness(format!(
                        "`{}` is introduced twice",
                        clip(name)
                    )));
                }
            }
        }
        for auxiliary in &self.auxiliaries {
            let (before, after): (Vec<Id>, &Places) = match &auxiliary.kind {
                AuxKind::Prophecy(targets) => (targets.values().copied().collect(), &Places::new()),
                AuxKind::History { init, updates, .. } => (init.iter().copied().collect(), updates),
            };
            for term in before {
                self.mentions_none(term, &later, auxiliary.name)?;
            }
            later.remove(auxiliary.name);
            for &term in after.values() {
                self.mentions_none(term, &later, auxiliary.name)?;
            }
            for name in auxiliary.names() {
                later.remove(name);
            }
        }
        Ok(())
    }

    fn mentions_none(&self, term: Id, later: &BTreeSet<&str>, whose: &str) -> Result<(), Refusal> {
        match self.doc.symbols(term).intersection(later).next() {
            None => Ok(()),
            Some(name) => Err(Refusal::Witness(format!(
                "what defines `{}` mentions `{}`, which is introduced later",
                clip(whose),
                clip(name)
            ))),
        }
    }

    /// The names of the auxiliaries must not occur in the problem.
    pub(crate) fn check_names(&self, problem: &Document<'_>) -> Result<(), Refusal> {
        let symbols = problem.all_symbols();
        for auxiliary in &self.auxiliaries {
            for name in auxiliary.names() {
                if symbols.contains(name) {
                    return Err(Refusal::Witness(format!(
                        "`{}` is a symbol of the problem",
                        clip(name)
                    )));
                }
            }
        }
        Ok(())
    }

    /// Whether there is a history variable.
    pub(crate) fn has_history(&self) -> bool {
        self.auxiliaries
            .iter()
            .any(|a| matches!(a.kind, AuxKind::History { .. }))
    }
}

/// Whether this part of an auxiliary variable defines it.
fn is_definition(word: &str, part: &str) -> bool {
    (word, part) == ("history", "update") || (word, part) == ("prophecy", "target")
}
