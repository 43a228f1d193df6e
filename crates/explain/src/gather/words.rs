//! Texts of certificates, taken apart and made readable.
//!
//! A text is read once more as terms only to be shown in infix notation; where that fails (functions and
//! sorts of the problem are not known here) the text stands for itself. What is called the checked text is
//! always a slice of what was checked.

use std::collections::BTreeSet;

use foretell_readable::{Readable, formula};
use foretell_smtlib::{Diagnostics, Elaborator, Reader, Sexp};
use foretell_terms::print::quote;
use foretell_terms::{FuncMap, Sort, Term, TermStore};

use crate::model::{Auxiliary, Parameter, Part};

/// Variables that a text may mention, by name.
pub(crate) type Scope = Vec<(String, Term)>;

/// Texts larger than this are not read as terms.
const MOST_BYTES: usize = 200_000;

/// What a certificate consists of.
#[derive(Default)]
pub(crate) struct Taken {
    pub(crate) parts: Vec<Part>,
    /// The parts in terms, where they could be read.
    pub(crate) readings: Vec<Option<Reading>>,
    /// The depth of the induction, where it is said.
    pub(crate) depth: Option<String>,
    pub(crate) auxiliaries: Vec<Auxiliary>,
    /// Their kinds and variables, where they could be read.
    pub(crate) closing: Vec<(String, Term)>,
}

/// A part in terms.
pub(crate) struct Reading {
    /// The parameters as they are shown; none for the state of a system.
    pub(crate) params: Scope,
    /// What each of the conjuncts that are shown means.
    pub(crate) conjuncts: Vec<Term>,
}

/// What names mean, and how parameters may be called.
#[derive(Default)]
pub(crate) struct Vocabulary {
    /// The variables of a transition system.
    pub(crate) state: Scope,
    /// The parameters of predicates.
    pub(crate) parameters: Vec<(String, Scope)>,
}

impl Vocabulary {
    /// The parameters of a definition as they are shown: a text that numbers them gets the names of the
    /// clauses.
    fn shown(&self, predicate: &str, own: &Scope) -> Scope {
        let numbered = |(n, (name, _)): (usize, &(String, Term))| *name == format!("v{n}");
        let known = self.parameters.iter().find(|(name, _)| name == predicate);
        match known {
            Some((_, names))
                if names.len() == own.len() && own.iter().enumerate().all(numbered) =>
            {
                let pairs = names.iter().zip(own);
                let bare = |name: &str| name.trim_matches('|').to_owned();
                pairs.map(|((n, _), (_, var))| (bare(n), *var)).collect()
            }
            _ => own.clone(),
        }
    }
}

/// Takes a certificate or a model apart.
pub(crate) fn take(terms: &TermStore, text: &str, vocabulary: &Vocabulary) -> Taken {
    let mut taken = Taken::default();
    let mut reader = Reader::new(text);
    let mut scope = vocabulary.state.clone();
    let mut complaints = Diagnostics::default();
    while let Some(command) = reader.next_command(&mut complaints) {
        let whole = command.sexp();
        let mut items = whole.items();
        let first = items.next();
        if first.is_some_and(|w| w.is_word("certificate")) {
            for part in items {
                one(terms, text, part, (vocabulary, &mut scope), &mut taken);
            }
        } else {
            one(terms, text, whole, (vocabulary, &mut scope), &mut taken);
        }
    }
    taken
}

impl Taken {
    /// Adds a part with what could be read of it.
    pub(super) fn add(&mut self, mut part: Part, params: Scope, said: Option<Readable>) {
        let whole = said.as_ref().filter(|_| params.len() == part.params.len());
        if whole.is_some() {
            let pairs = part.params.iter_mut().zip(&params);
            pairs.for_each(|(shown, (name, _))| shown.name.clone_from(name));
        }
        self.readings.push(whole.map(|said| Reading {
            params,
            conjuncts: said.conjuncts.clone(),
        }));
        self.parts.push(Part {
            conjuncts: said.map_or_else(Vec::new, |said| said.infix),
            ..part
        });
    }

    /// Whether obligations about the parts can be written down from them alone.
    pub(crate) fn is_plain(&self) -> bool {
        let simple = self.depth.as_deref().is_none_or(|depth| depth == "1");
        simple && self.auxiliaries.is_empty()
    }
}

/// One part: a definition, an invariant, an auxiliary variable; others are skipped.
fn one(
    terms: &TermStore,
    text: &str,
    sexp: Sexp<'_>,
    (vocabulary, scope): (&Vocabulary, &mut Scope),
    taken: &mut Taken,
) {
    let items: Vec<Sexp<'_>> = sexp.items().collect();
    let slice = |s: Sexp<'_>| s.span().text(text).to_owned();
    let Some(word) = items.first().and_then(|w| w.symbol()) else {
        return;
    };
    match (word, items.as_slice()) {
        ("define-fun", [_, name, params, _, body]) => {
            let (params, own) = parameters(terms, text, *params);
            let name = name.symbol().map_or_else(|| slice(*name), str::to_owned);
            let shown = vocabulary.shown(&name, &own);
            let inner: Scope = scope.iter().cloned().chain(own).collect();
            let outer: Scope = scope.iter().chain(&shown).cloned().collect();
            let part = Part {
                name,
                params,
                text: slice(sexp),
                ..Part::default()
            };
            let said = conjuncts(terms, text, *body, (&inner, &outer));
            taken.add(part, shown, said);
        }
        ("define-fun-rec", [_, name, ..]) => {
            let part = Part {
                name: slice(*name),
                text: slice(sexp),
                ..Part::default()
            };
            taken.add(part, Vec::new(), None);
        }
        ("k", [_, depth]) => taken.depth = Some(slice(*depth)),
        ("invariant", [_, body]) => {
            let part = Part {
                text: slice(*body),
                ..Part::default()
            };
            let said = conjuncts(terms, text, *body, (&*scope, &*scope));
            taken.add(part, Vec::new(), said);
        }
        ("prophecy" | "history", [_, name, sort, rest @ ..]) => {
            let words = rest.iter().map(|part| words(text, *part)).collect();
            if let (Some(own), Ok(sort)) = (name.symbol(), Elaborator::new(terms).sort(*sort)) {
                let var = terms.fresh(own, sort);
                scope.push((own.to_owned(), var));
                taken.closing.push((word.to_owned(), var));
            }
            taken.auxiliaries.push(Auxiliary {
                kind: word.to_owned(),
                name: slice(*name),
                sort: slice(*sort),
                words,
                text: slice(sexp),
            });
        }
        _ => {}
    }
}

/// What a part of an auxiliary variable says.
fn words(text: &str, part: Sexp<'_>) -> String {
    let items: Vec<Sexp<'_>> = part.items().collect();
    let slice = |s: &Sexp<'_>| s.span().text(text);
    match (items.first().and_then(|w| w.symbol()), items.as_slice()) {
        (Some("target"), [_, clause, term]) => {
            format!("the value of {} in clause {}", slice(term), slice(clause))
        }
        (Some("target"), [_, term]) => {
            format!("the value of {} when the property is checked", slice(term))
        }
        (Some("init"), [_, term]) => format!("is {} at first", slice(term)),
        (Some("update"), [_, clause, term]) => {
            format!("becomes {} in clause {}", slice(term), slice(clause))
        }
        (Some("update"), [_, term]) => format!("becomes {} in each step", slice(term)),
        (Some("next"), [_, name]) => format!("is called {} in the next state", slice(name)),
        _ => slice(&part).to_owned(),
    }
}

/// The parameters of a definition, and variables for them.
fn parameters(terms: &TermStore, text: &str, params: Sexp<'_>) -> (Vec<Parameter>, Scope) {
    let mut elaborator = Elaborator::new(terms);
    elaborator.know_datatypes();
    let (mut list, mut scope) = (Vec::new(), Vec::new());
    for param in params.items() {
        let items: Vec<Sexp<'_>> = param.items().collect();
        let [name, sort] = items.as_slice() else {
            continue;
        };
        let own = name.symbol().unwrap_or_default().to_owned();
        list.push(Parameter {
            name: own.clone(),
            sort: sort.span().text(text).to_owned(),
        });
        if let Ok(sort) = elaborator.sort(*sort) {
            scope.push((own.clone(), terms.fresh(&own, sort)));
        }
    }
    (list, scope)
}

/// The conjuncts of a formula in infix notation, read and shown with these names; none when it cannot be
/// read.
fn conjuncts(
    terms: &TermStore,
    text: &str,
    body: Sexp<'_>,
    (scope, shown): (&Scope, &Scope),
) -> Option<Readable> {
    if body.span().text(text).len() > MOST_BYTES {
        return None;
    }
    let mut elaborator = Elaborator::new(terms);
    elaborator.know_datatypes();
    for (name, var) in scope {
        let id = elaborator.symbols().id(name);
        elaborator.symbols().bind(id, *var);
    }
    let term = elaborator.term_of_sort(body, Sort::BOOL).ok()?;
    Some(readable(terms, term, shown))
}

/// A formula over variables in infix notation, conjunct by conjunct.
pub(super) fn readable(terms: &TermStore, term: Term, scope: &Scope) -> Readable {
    let mut given: FuncMap<String> = FuncMap::default();
    for (name, var) in scope {
        if let Some(func) = terms.as_var(*var) {
            given.insert(func, quote(name));
        }
    }
    formula(terms, term, &given, &BTreeSet::new())
}

/// A formula that engines told each other: `p0`, `p1`, … are these parameters.
pub(crate) fn told(terms: &TermStore, text: &str, params: &Scope) -> Option<String> {
    let whole = format!("(told {text})");
    let mut reader = Reader::new(&whole);
    let mut complaints = Diagnostics::default();
    let command = reader.next_command(&mut complaints)?;
    let body = command.sexp().items().nth(1)?;
    let mut elaborator = Elaborator::new(terms);
    elaborator.know_datatypes();
    for (place, (_, var)) in params.iter().enumerate() {
        let id = elaborator.symbols().id(&format!("p{place}"));
        elaborator.symbols().bind(id, *var);
    }
    let term = elaborator.term_of_sort(body, Sort::BOOL).ok()?;
    Some(readable(terms, term, params).infix.join(" ∧ "))
}

/// The commands of an input that are clauses: the line of each, and its text.
pub(crate) struct Commands<'t> {
    text: &'t str,
    /// Lines and byte ranges, in order.
    list: Vec<(u32, usize, usize)>,
}

impl<'t> Commands<'t> {
    /// Reads a text; nothing of one that is no SMT-LIB.
    pub(crate) fn of(text: &'t str) -> Commands<'t> {
        let (mut reader, mut complaints) = (Reader::new(text), Diagnostics::default());
        let (mut line, mut at, mut list) = (1u32, 0usize, Vec::new());
        while let Some(command) = reader.next_command(&mut complaints) {
            let span = command.span();
            let (start, end) = (span.start as usize, span.end as usize);
            let skipped = text.as_bytes().get(at..start).unwrap_or_default();
            let breaks = skipped.iter().filter(|&&b| b == b'\n').count();
            line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
            at = start;
            list.push((line, start, end));
        }
        Commands { text, list }
    }

    /// The command that begins in a line.
    pub(crate) fn at(&self, line: u32) -> Option<&'t str> {
        let found = self.list.iter().find(|(l, ..)| *l == line)?;
        self.text.get(found.1..found.2)
    }
}
