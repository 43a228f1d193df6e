//! A VMT system as text: which commands declare, define and annotate what.
//!
//! Annotations are collected from the top of definitions: `(! x :next y)`, `:init`, `:trans`,
//! `:invar-property n`; several `:init` or `:trans` are conjoined (`annotations.rs`). A declared
//! constant with `:next` is a state variable, one that is a state variable's own next value is
//! rigid, any other one is an **input**: it has a value of its own in every state. Declared
//! functions with arguments are rigid. A next value need not be declared. An assertion is an axiom
//! about rigid symbols, and the constants it mentions are rigid. Obligations are about copies of
//! the definitions in time (`times.rs`).

use std::collections::{BTreeMap, BTreeSet};

use foretell_systems::Property;

use crate::text::annotations::{Annotations, Place};
use crate::text::clauses::clip;
use crate::text::sexpr::{Document, Id, TextError};
use crate::text::times::Times;

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

/// A VMT system as text.
pub(crate) struct VmtText<'t> {
    /// The text.
    pub(crate) doc: Document<'t>,
    /// Sorts and rigid functions, in order.
    rigid: Vec<Id>,
    /// Declared constants with kind and sort, in order.
    pub(crate) constants: Vec<(&'t str, Kind<'t>, Id)>,
    /// The kinds of those constants.
    kinds: BTreeMap<&'t str, Kind<'t>>,
    /// Definitions in order: name, command.
    definitions: Vec<(&'t str, Id)>,
    annotations: Annotations<'t>,
}

impl<'t> VmtText<'t> {
    /// Reads the commands of a text.
    pub(crate) fn read(text: &'t str) -> Result<VmtText<'t>, TextError> {
        let doc = Document::read_script(text)?;
        let mut commands = Commands::default();
        for &command in doc.roots() {
            commands.command(&doc, command)?;
        }
        let kinds = commands.kinds(&doc)?;
        let Commands {
            declared,
            rigid,
            definitions,
            annotations,
            ..
        } = commands;
        if annotations.init.is_empty() || annotations.trans.is_empty() {
            return Err(fault("there must be `:init` and `:trans`"));
        }
        let mut numbers = BTreeSet::new();
        let mut properties = annotations.properties.iter();
        if !properties.all(|(n, _)| numbers.insert(*n)) {
            return Err(fault("two properties have one number"));
        }
        let kind_of = |name: &str| kinds.get(name).copied().unwrap_or(Kind::Timed(None));
        let constants = declared
            .into_iter()
            .map(|(name, sort)| (name, kind_of(name), sort))
            .collect();
        let system = VmtText {
            doc,
            rigid,
            constants,
            kinds,
            definitions,
            annotations,
        };
        system.check_present()?;
        Ok(system)
    }

    /// Initial states and properties are about one state only.
    fn check_present(&self) -> Result<(), TextError> {
        let Annotations {
            init, properties, ..
        } = &self.annotations;
        let roots = init.iter().chain(properties.iter().map(|(_, id)| id));
        for &root in roots {
            if self.mentions_next(plain_symbols(&self.doc, root)) {
                let what = "the initial states or a property mention a next value";
                return Err(self.doc.complain(root, what));
            }
        }
        Ok(())
    }

    /// The formula of the chosen property.
    pub(crate) fn property(&self, choice: Property) -> Result<Vec<Id>, String> {
        let chosen: Vec<Id> = self
            .annotations
            .properties
            .iter()
            .filter(|(n, _)| choice == Property::All || choice == Property::Number(*n))
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
        &self.annotations.init
    }

    /// The conjuncts of the transition relation.
    pub(crate) fn trans(&self) -> &[Id] {
        &self.annotations.trans
    }

    /// The axioms: what is assumed of rigid symbols.
    pub(crate) fn axioms(&self) -> &[Id] {
        &self.annotations.axioms
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
        for &axiom in &self.annotations.axioms {
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
            .map(|&(_, id)| times.show(&self.doc, id, at) + "\n")
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
                .map(|&id| plain_symbols(&self.doc, id))
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

/// The commands of a text.
#[derive(Default)]
struct Commands<'t> {
    names: BTreeSet<&'t str>,
    /// Declared constants with their sorts.
    declared: Vec<(&'t str, Id)>,
    /// Sorts and functions with arguments.
    rigid: Vec<Id>,
    /// Definitions: name, command.
    definitions: Vec<(&'t str, Id)>,
    annotations: Annotations<'t>,
}

impl<'t> Commands<'t> {
    fn new_name(&mut self, doc: &Document<'t>, name: Id) -> Result<&'t str, TextError> {
        match doc.symbol(name) {
            Some(symbol) if self.names.insert(symbol) => Ok(symbol),
            _ => Err(doc.complain(name, "a name that is no symbol or declared twice")),
        }
    }

    fn command(&mut self, doc: &Document<'t>, command: Id) -> Result<(), TextError> {
        let parts = doc.list(command).unwrap_or_default();
        let word = doc.head(command).unwrap_or_default();
        match (word, parts) {
            ("set-logic" | "set-info" | "set-option" | "check-sat" | "exit", _) => {}
            ("assert", [_, term]) => self.annotations.assertion(doc, *term)?,
            ("declare-const", [_, name, sort]) => {
                let symbol = self.new_name(doc, *name)?;
                self.declared.push((symbol, *sort));
            }
            ("declare-fun", [_, name, args, sort]) => {
                let symbol = self.new_name(doc, *name)?;
                if doc.list(*args).is_some_and(<[Id]>::is_empty) {
                    self.declared.push((symbol, *sort));
                } else {
                    self.rigid.push(command);
                }
            }
            ("declare-sort", [_, _] | [_, _, _])
            | ("define-sort", [_, _, _, _])
            | ("declare-datatype" | "declare-datatypes", [_, _, _]) => self.rigid.push(command),
            ("define-fun", [_, name, params, _, body]) => {
                let symbol = self.new_name(doc, *name)?;
                self.definitions.push((symbol, command));
                let place = match doc.list(*params) {
                    Some([]) => Place::Closed,
                    _ => Place::Parametric,
                };
                self.annotations.collect(doc, *body, place)?;
            }
            _ => return Err(doc.complain(command, format!("the command `{}`", clip(word)))),
        }
        Ok(())
    }

    /// The kinds of the symbols in `:next` annotations.
    fn kinds_by_next(&self) -> Result<BTreeMap<&'t str, Kind<'t>>, TextError> {
        let declared: BTreeSet<&str> = self.declared.iter().map(|&(name, _)| name).collect();
        let defined: BTreeSet<&str> = self.definitions.iter().map(|&(name, _)| name).collect();
        let mut kinds: BTreeMap<&str, Kind<'_>> = BTreeMap::new();
        for &(current, next) in &self.annotations.next {
            // A next value that is not declared occurs nowhere else: nothing constrains it.
            if !declared.contains(current) || defined.contains(next) {
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
        Ok(kinds)
    }

    /// The kinds of all constants: those in axioms are rigid, those without a next value inputs.
    fn kinds(&self, doc: &Document<'t>) -> Result<BTreeMap<&'t str, Kind<'t>>, TextError> {
        let mut kinds = self.kinds_by_next()?;
        let declared: BTreeSet<&str> = self.declared.iter().map(|&(name, _)| name).collect();
        let defined: BTreeSet<&str> = self.definitions.iter().map(|&(name, _)| name).collect();
        for &axiom in &self.annotations.axioms {
            for symbol in doc.symbols(axiom) {
                if declared.contains(symbol) && !kinds.contains_key(symbol) {
                    kinds.insert(symbol, Kind::Rigid);
                }
                let timed = kinds.get(symbol).is_some_and(|kind| *kind != Kind::Rigid);
                if timed || defined.contains(symbol) {
                    let what = "an assertion about a state variable or a definition";
                    return Err(doc.complain(axiom, what));
                }
            }
        }
        for &(name, _) in &self.declared {
            kinds.entry(name).or_insert(Kind::Timed(None));
        }
        Ok(kinds)
    }
}

fn fault(what: &str) -> TextError {
    TextError {
        line: 1,
        what: what.into(),
    }
}
