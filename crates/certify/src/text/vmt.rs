//! A VMT system as text, and its copies in time.
//!
//! Annotations are collected from the top of definitions: `(! x :next y)`, `:init`, `:trans`,
//! `:invar-property n`; several `:init` or `:trans` are conjoined. A declared constant with `:next` is a state variable, one that is a state
//! variable's own next value is rigid, any other one is an **input**: it has a value of its own in
//! every state. Declared functions with arguments are rigid. A next value need not be declared. An
//! assertion is an axiom about rigid symbols, and the constants it mentions are rigid.
//!
//! ```text
//! copy j of the definitions:   x ↦ x at j,  next(x) ↦ x at j+1,  input i ↦ i at j,  d ↦ d at j
//! ```
//!
//! Each copy renames every occurrence of a name, binders included, to a name that occurs nowhere
//! else, so all bindings are kept (see [`Document::print`]).

use std::collections::{BTreeMap, BTreeSet};

use crate::text::clauses::clip;
use crate::text::sexpr::{Document, Id, TextError};

/// What a declared constant is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind<'t> {
    /// A state variable, or an input (`None`), with the name of its next value.
    Timed(Option<&'t str>),
    /// The next value of the state variable of this name.
    Next(&'t str),
    /// One value for the whole run.
    Rigid,
    /// A prophecy variable: one value, under a name of the checker's own.
    Frozen,
}

/// Which property is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyChoice {
    /// The property of this number in the file.
    Number(u32),
    /// The conjunction of all properties.
    All,
}

impl std::fmt::Display for PropertyChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PropertyChoice::Number(n) => write!(f, "{n}"),
            PropertyChoice::All => write!(f, "all"),
        }
    }
}

/// A VMT system as text.
pub(crate) struct VmtText<'d, 't> {
    /// The text.
    pub(crate) doc: &'d Document<'t>,
    /// Sorts and rigid functions, in order.
    rigid: Vec<Id>,
    /// Declared constants with kind and sort, in order.
    pub(crate) constants: Vec<(&'t str, Kind<'t>, Id)>,
    /// The kinds of those constants.
    kinds: BTreeMap<&'t str, Kind<'t>>,
    /// Definitions in order: name, command.
    definitions: Vec<(&'t str, Id)>,
    init: Vec<Id>,
    trans: Vec<Id>,
    /// Assertions about rigid symbols.
    axioms: Vec<Id>,
    properties: Vec<(u32, Id)>,
}

#[derive(Default)]
struct Roles<'t> {
    next: Vec<(&'t str, &'t str)>,
    init: Vec<Id>,
    trans: Vec<Id>,
    axioms: Vec<Id>,
    properties: Vec<(u32, Id)>,
}

impl<'d, 't> VmtText<'d, 't> {
    /// Reads the commands of a text.
    pub(crate) fn read(doc: &'d Document<'t>) -> Result<VmtText<'d, 't>, TextError> {
        let mut declared: Vec<(&'t str, Id)> = Vec::new();
        let mut names = BTreeSet::new();
        let mut rigid = Vec::new();
        let mut definitions = Vec::new();
        let mut roles = Roles::default();
        for &command in doc.roots() {
            let parts = doc.list(command).unwrap_or_default();
            let word = doc.head(command).unwrap_or_default();
            let mut new = |name: Id| match doc.symbol(name) {
                Some(symbol) if names.insert(symbol) => Ok(symbol),
                _ => Err(doc.complain(name, "a name that is no symbol or declared twice")),
            };
            match (word, parts) {
                ("set-logic" | "set-info" | "set-option" | "check-sat" | "exit", _) => {}
                ("assert", [_, term]) => assertion(doc, *term, &mut roles)?,
                ("declare-const", [_, name, sort]) => declared.push((new(*name)?, *sort)),
                ("declare-fun", [_, name, args, sort]) => {
                    let symbol = new(*name)?;
                    if doc.list(*args).is_some_and(<[Id]>::is_empty) {
                        declared.push((symbol, *sort));
                    } else {
                        rigid.push(command);
                    }
                }
                ("declare-sort", [_, _] | [_, _, _])
                | ("define-sort", [_, _, _, _])
                | ("declare-datatype" | "declare-datatypes", [_, _, _]) => rigid.push(command),
                ("define-fun", [_, name, params, _, body]) => {
                    definitions.push((new(*name)?, command));
                    let place = match doc.list(*params) {
                        Some([]) => Place::Closed,
                        _ => Place::Parametric,
                    };
                    annotations(doc, *body, &mut roles, place)?;
                }
                _ => return Err(doc.complain(command, format!("the command `{}`", clip(word)))),
            }
        }
        assemble(doc, declared, rigid, definitions, roles)
    }

    /// The formula of the chosen property.
    pub(crate) fn property(&self, choice: PropertyChoice) -> Result<Vec<Id>, String> {
        let chosen: Vec<Id> = self
            .properties
            .iter()
            .filter(|(n, _)| choice == PropertyChoice::All || choice == PropertyChoice::Number(*n))
            .map(|&(_, id)| id)
            .collect();
        if chosen.is_empty() {
            Err(format!("there is no property {choice}"))
        } else {
            Ok(chosen)
        }
    }

    /// The conjuncts of the initial states.
    pub(crate) fn init(&self) -> &[Id] {
        &self.init
    }

    /// The conjuncts of the transition relation.
    pub(crate) fn trans(&self) -> &[Id] {
        &self.trans
    }

    /// The axioms: what is assumed of rigid symbols.
    pub(crate) fn axioms(&self) -> &[Id] {
        &self.axioms
    }

    /// Sorts, rigid functions and rigid constants as text, and the axioms about them.
    pub(crate) fn rigid_text(&self) -> String {
        let mut text: String = self
            .rigid
            .iter()
            .map(|&id| self.doc.show(id) + "\n")
            .collect();
        for &(name, kind, sort) in &self.constants {
            if kind == Kind::Rigid {
                text += &format!("(declare-fun |{name}| () {})\n", self.doc.show(sort));
            }
        }
        for &axiom in &self.axioms {
            text += &format!("(assert {})\n", self.doc.show(axiom));
        }
        text
    }

    /// Sorts and rigid functions, one command each; `define` may replace a function by its name.
    pub(crate) fn rigid_commands(
        &self,
        define: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Vec<String> {
        let mut command = |&id: &Id| {
            let function = self.doc.head(id) == Some("declare-fun");
            let name = self
                .doc
                .list(id)
                .and_then(|parts| parts.get(1))
                .and_then(|&n| self.doc.symbol(n));
            let defined = name.filter(|_| function).and_then(&mut *define);
            defined.unwrap_or_else(|| self.doc.show(id) + "\n")
        };
        self.rigid.iter().map(&mut command).collect()
    }

    /// Declarations of the state variables and inputs at a time.
    pub(crate) fn state_text(&self, times: &Times<'_>, at: u32) -> String {
        let mut text = String::new();
        for &(name, kind, sort) in &self.constants {
            if let Kind::Timed(_) = kind {
                text += &format!(
                    "(declare-fun {} () {})\n",
                    times.name(name, at),
                    self.doc.show(sort)
                );
            }
        }
        text
    }

    /// The copy of all definitions at a time.
    pub(crate) fn definitions_text(&self, times: &Times<'_>, at: u32) -> String {
        self.definitions
            .iter()
            .map(|&(_, id)| times.show(self.doc, id, at) + "\n")
            .collect()
    }

    /// Whether these symbols are or are defined through next values.
    pub(crate) fn mentions_next<'s>(&self, symbols: BTreeSet<&'s str>) -> bool
    where
        't: 's,
    {
        let bodies: BTreeMap<&str, Id> = self.definitions.iter().copied().collect();
        let mut work: Vec<&str> = symbols.iter().copied().collect();
        let mut seen = symbols;
        while let Some(name) = work.pop() {
            if matches!(self.kind(name), Some(Kind::Next(_))) {
                return true;
            }
            let body = bodies
                .get(name)
                .and_then(|&id| self.doc.list(id))
                .and_then(|parts| parts.last());
            for symbol in body
                .map(|&id| plain_symbols(self.doc, id))
                .unwrap_or_default()
            {
                if seen.insert(symbol) {
                    work.push(symbol);
                }
            }
        }
        false
    }

    /// The kind of a declared constant.
    pub(crate) fn kind(&self, name: &str) -> Option<Kind<'t>> {
        self.kinds.get(name).copied()
    }

    /// The names that change with time: constants that are not rigid, and definitions.
    pub(crate) fn timed_names(&self) -> Vec<(&'t str, Kind<'t>)> {
        let constants = self
            .constants
            .iter()
            .filter(|(_, kind, _)| *kind != Kind::Rigid);
        let constants = constants.map(|&(name, kind, _)| (name, kind));
        let undeclared = self
            .kinds
            .iter()
            .filter(|(_, kind)| matches!(kind, Kind::Next(_)));
        let undeclared = undeclared.map(|(&name, &kind)| (name, kind));
        let definitions = self
            .definitions
            .iter()
            .map(|&(name, _)| (name, Kind::Timed(None)));
        constants.chain(undeclared).chain(definitions).collect()
    }
}

/// The symbols below a term without those in its top annotations.
fn plain_symbols<'t>(doc: &Document<'t>, id: Id) -> BTreeSet<&'t str> {
    doc.symbols(doc.unannotated(id).0)
}

fn assertion<'t>(doc: &Document<'t>, term: Id, roles: &mut Roles<'t>) -> Result<(), TextError> {
    let before = (
        roles.init.len(),
        roles.trans.len(),
        roles.properties.len(),
        roles.next.len(),
    );
    annotations(doc, term, roles, Place::Closed)?;
    let after = (
        roles.init.len(),
        roles.trans.len(),
        roles.properties.len(),
        roles.next.len(),
    );
    if before == after && doc.symbol(doc.unannotated(term).0) != Some("true") {
        roles.axioms.push(term);
    }
    Ok(())
}

/// Where an annotated term stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is over declared symbols only.
    Closed,
    /// It may mention parameters of a definition.
    Parametric,
}

/// Collects the annotations at the top of a term; the same words deeper down are an error.
fn annotations<'t>(
    doc: &Document<'t>,
    body: Id,
    roles: &mut Roles<'t>,
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
        let ours = [":next", ":init", ":trans", ":invar-property"].contains(&word);
        if ours && place == Place::Parametric {
            return Err(doc.complain(*key, "this annotation is on a definition with parameters"));
        }
        attribute(doc, (word, *key, value), term, roles)?;
    }
    let mut work = vec![term];
    while let Some(id) = work.pop() {
        let inner = doc.token_of(id).unwrap_or_default();
        if [":next", ":init", ":trans", ":invar-property"].contains(&inner) {
            return Err(doc.complain(id, "this annotation is inside of a term"));
        }
        work.extend(doc.list(id).unwrap_or_default());
    }
    Ok(())
}

fn attribute<'t>(
    doc: &Document<'t>,
    (word, key, value): (&str, Id, Option<Id>),
    term: Id,
    roles: &mut Roles<'t>,
) -> Result<(), TextError> {
    let flag = value.is_none_or(|v| doc.token_of(v) == Some("true"));
    match word {
        ":next" => match (doc.symbol(term), value.and_then(|v| doc.symbol(v))) {
            (Some(current), Some(next)) => roles.next.push((current, next)),
            _ => return Err(doc.complain(key, "`:next` relates two symbols")),
        },
        ":init" | ":trans" if !flag => {
            return Err(doc.complain(key, "the value of this annotation must be `true` or absent"));
        }
        ":init" => roles.init.push(term),
        ":trans" => roles.trans.push(term),
        ":invar-property" => match value
            .and_then(|v| doc.token_of(v))
            .and_then(|t| t.parse().ok())
        {
            Some(number) => roles.properties.push((number, term)),
            None => return Err(doc.complain(key, "`:invar-property` has a number")),
        },
        _ => {}
    }
    Ok(())
}

fn assemble<'d, 't>(
    doc: &'d Document<'t>,
    declared: Vec<(&'t str, Id)>,
    rigid: Vec<Id>,
    definitions: Vec<(&'t str, Id)>,
    roles: Roles<'t>,
) -> Result<VmtText<'d, 't>, TextError> {
    let fault = |what: &str| TextError {
        line: 1,
        what: what.into(),
    };
    let known: BTreeSet<&str> = declared.iter().map(|&(name, _)| name).collect();
    let mut kinds: BTreeMap<&str, Kind<'_>> = BTreeMap::new();
    for &(current, next) in &roles.next {
        // A next value that is not declared occurs nowhere else: nothing constrains it.
        let defined = definitions.iter().any(|&(name, _)| name == next);
        if !known.contains(current) || defined {
            return Err(fault("`:next` names a symbol that is no declared constant"));
        }
        let pairs = if current == next {
            vec![(current, Kind::Rigid)]
        } else {
            vec![
                (current, Kind::Timed(Some(next))),
                (next, Kind::Next(current)),
            ]
        };
        for (name, kind) in pairs {
            if kinds.insert(name, kind).is_some_and(|old| old != kind) {
                return Err(fault("a symbol is used in two `:next` annotations"));
            }
        }
    }
    if roles.init.is_empty() || roles.trans.is_empty() {
        return Err(fault("there must be `:init` and `:trans`"));
    }
    let mut numbers = BTreeSet::new();
    if !roles.properties.iter().all(|(n, _)| numbers.insert(*n)) {
        return Err(fault("two properties have one number"));
    }
    for &axiom in &roles.axioms {
        for symbol in doc.symbols(axiom) {
            let rigid_now = known.contains(symbol) && !kinds.contains_key(symbol);
            if rigid_now {
                kinds.insert(symbol, Kind::Rigid);
            }
            let timed = kinds.get(symbol).is_some_and(|kind| *kind != Kind::Rigid);
            if timed || definitions.iter().any(|&(name, _)| name == symbol) {
                return Err(
                    doc.complain(axiom, "an assertion about a state variable or a definition")
                );
            }
        }
    }
    for &(name, _) in &declared {
        kinds.entry(name).or_insert(Kind::Timed(None));
    }
    let kind_of = |name: &str| kinds.get(name).copied().unwrap_or(Kind::Timed(None));
    let constants: Vec<_> = declared
        .into_iter()
        .map(|(name, sort)| (name, kind_of(name), sort))
        .collect();
    let Roles {
        init,
        trans,
        axioms,
        properties,
        ..
    } = roles;
    let system = VmtText {
        doc,
        rigid,
        constants,
        kinds,
        definitions,
        init,
        trans,
        axioms,
        properties,
    };
    let properties = system.properties.iter().map(|&(_, id)| id);
    for root in system.init.iter().copied().chain(properties) {
        if system.mentions_next(plain_symbols(doc, root)) {
            return Err(doc.complain(
                root,
                "the initial states or a property mention a next value",
            ));
        }
    }
    Ok(system)
}

/// The names of timed copies.
pub(crate) struct Times<'t> {
    kinds: BTreeMap<&'t str, Kind<'t>>,
    /// No symbol of the problem or the witness starts with it.
    stem: String,
}

impl<'t> Times<'t> {
    /// Copies of these names, spelled with a stem that no symbol starts with.
    pub(crate) fn new(names: Vec<(&'t str, Kind<'t>)>, stem: String) -> Times<'t> {
        Times {
            kinds: names.into_iter().collect(),
            stem,
        }
    }

    /// The copy of a name at a time; rigid names stay.
    pub(crate) fn name(&self, name: &str, at: u32) -> String {
        match self.kinds.get(name) {
            Some(Kind::Next(current)) => {
                format!("|{}{}!{current}|", self.stem, at.saturating_add(1))
            }
            Some(Kind::Frozen) => format!("|{}!{name}|", self.stem),
            Some(_) => format!("|{}{at}!{name}|", self.stem),
            None => format!("|{name}|"),
        }
    }

    /// The conjunction of terms at a time.
    pub(crate) fn all(&self, doc: &Document<'_>, ids: &[Id], at: u32) -> String {
        let parts: Vec<String> = ids.iter().map(|&id| self.show(doc, id, at)).collect();
        match parts.as_slice() {
            [one] => one.clone(),
            _ => format!("(and {})", parts.join(" ")),
        }
    }

    /// A term or command at a time.
    pub(crate) fn show(&self, doc: &Document<'_>, id: Id, at: u32) -> String {
        doc.print(id, &|name| {
            self.kinds.contains_key(name).then(|| self.name(name, at))
        })
    }
}

/// A beginning of names that none of these symbols has.
pub(crate) fn unused_stem<'s>(
    symbols: impl Iterator<Item = &'s str> + Clone,
    wish: &str,
) -> String {
    let mut stem = wish.to_string();
    while symbols.clone().any(|s| s.starts_with(&stem)) {
        stem.push('!');
    }
    stem
}
