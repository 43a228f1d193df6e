//! A clause system as text: which commands declare what, and which are clauses.
//!
//! Both dialects: SMT-LIB HORN (`declare-fun … Bool` are the predicates, `assert` the clauses) and
//! the Z3 rules dialect (`declare-rel`, `declare-var`, `rule`, `query`; without a query the
//! relation `fail` is the goal). Terms stay text. Commands that only configure a solver are
//! skipped, what is unknown is an error, and `(exit)` ends the text. Assertions after `check-sat` count as clauses too: one
//! clause more can only make a proof harder.

use std::collections::{BTreeMap, BTreeSet};

use crate::original::ChosenGoal;
use crate::text::horn::Dissector;
use crate::text::sexpr::{Document, Id, TextError};

/// Skipped: they neither declare nor constrain anything.
const SKIPPED: [&str; 10] = [
    "set-logic",
    "set-info",
    "set-option",
    "check-sat",
    "get-model",
    "get-info",
    "get-proof",
    "get-unsat-core",
    "echo",
    "exit",
];

/// A declared predicate.
#[derive(Clone, Debug)]
pub(crate) struct PredicateText {
    /// The name without bars.
    pub(crate) name: String,
    /// The name as it is written.
    pub(crate) token: String,
    /// The argument sorts.
    pub(crate) sorts: Vec<Id>,
}

/// How a clause is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `(assert φ)`: closed over the declared variables, as a rule is.
    Assertion,
    /// `(rule φ)`: closed over the declared variables.
    Rule,
    /// `(query φ)`, where `φ` may be the name of a relation with arguments.
    Query,
}

/// A clause.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClauseText {
    /// The formula; `None` is the goal `fail` of a script without a query.
    pub(crate) term: Option<Id>,
    /// How it is written.
    pub(crate) form: Form,
    /// The lines from … to of the command.
    pub(crate) lines: (u32, u32),
}

/// A definition that must keep its place among the definitions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Definition {
    /// The predicate of this number.
    Predicate(usize),
    /// A `define-fun` or `define-const` of the text.
    Text(Id),
}

/// A clause system as text.
pub(crate) struct ChcText<'t> {
    /// The text.
    pub(crate) doc: Document<'t>,
    /// Sorts, then constants and functions; they mention no definition.
    pub(crate) declarations: Vec<Id>,
    /// Predicates and definitions in the order of the text.
    pub(crate) definitions: Vec<Definition>,
    /// The predicates.
    pub(crate) predicates: Vec<PredicateText>,
    /// The clauses.
    pub(crate) clauses: Vec<ClauseText>,
    /// The numbers of the predicates by their names without bars.
    by_name: BTreeMap<&'t str, usize>,
    /// Variables of the rules dialect by name: number, name, sort.
    variables: BTreeMap<&'t str, (usize, Id, Id)>,
    /// `define-sort` without parameters.
    aliases: BTreeMap<&'t str, Id>,
}

impl<'t> ChcText<'t> {
    /// Everything that is declared or defined, without bars; not the variables of rules.
    pub(crate) fn declared(&self) -> BTreeSet<&'t str> {
        let mut all: BTreeSet<&str> = self.by_name.keys().copied().collect();
        for &command in &self.declarations {
            all.extend(self.doc.symbols(command));
        }
        for definition in &self.definitions {
            if let Definition::Text(command) = definition {
                let name = self.doc.list(*command).and_then(|parts| parts.get(1));
                all.extend(name.and_then(|&name| self.doc.symbol(name)));
            }
        }
        all
    }

    /// Reads the commands of a text.
    pub(crate) fn read(text: &'t str) -> Result<ChcText<'t>, TextError> {
        let mut system = ChcText {
            doc: Document::read_script(text)?,
            declarations: Vec::new(),
            definitions: Vec::new(),
            predicates: Vec::new(),
            clauses: Vec::new(),
            by_name: BTreeMap::new(),
            variables: BTreeMap::new(),
            aliases: BTreeMap::new(),
        };
        let mut declared = BTreeSet::new();
        for command in system.doc.roots().to_vec() {
            system.command(command, &mut declared)?;
        }
        system.declare_sorts_first();
        let query = system.clauses.iter().any(|c| c.form == Form::Query);
        if system.is_of_rules() && !query && system.predicate("fail").is_some() {
            system.clauses.push(ClauseText {
                term: None,
                form: Form::Query,
                lines: (0, 0),
            });
        }
        if system.clauses.is_empty() {
            return Err(TextError {
                line: 1,
                what: "there is no clause".into(),
            });
        }
        Ok(system)
    }

    /// Whether it is of the rules dialect.
    pub(crate) fn is_of_rules(&self) -> bool {
        self.clauses.iter().any(|c| c.form != Form::Assertion)
    }

    /// The same clauses with one goal only.
    ///
    /// # Errors
    /// When a command that is to be left out is no goal, or one is not where it is said to be.
    pub(crate) fn about(mut self, goal: &ChosenGoal) -> Result<ChcText<'t>, TextError> {
        let dissector = Dissector::new(&self);
        let known = |&(number, line): &(u32, u32)| {
            let clause = self.clauses.get(number as usize);
            let place = clause.filter(|c| c.term.is_none() || c.lines.0 == line);
            let fault = |what: &str| TextError {
                line,
                what: what.into(),
            };
            let clause = place.ok_or_else(|| fault("no goal is here"))?;
            match dissector.clause(clause)?.head {
                None => Ok(number as usize),
                Some(_) => Err(fault("this is a rule, no goal")),
            }
        };
        let kept = goal.kept.as_ref().map(known).transpose()?;
        let dropped: BTreeSet<usize> = goal.dropped.iter().map(known).collect::<Result<_, _>>()?;
        let mut number = 0..self.clauses.len();
        let stays = |_: &ClauseText| {
            number
                .next()
                .is_none_or(|n| Some(n) == kept || !dropped.contains(&n))
        };
        self.clauses.retain(stays);
        Ok(self)
    }

    fn command(&mut self, command: Id, declared: &mut BTreeSet<&'t str>) -> Result<(), TextError> {
        let doc = &self.doc;
        let Some(parts) = doc.list(command) else {
            return Err(doc.complain(command, "a command must be a list"));
        };
        let word = doc.head(command).unwrap_or_default();
        if SKIPPED.contains(&word) {
            return Ok(());
        }
        let lines = (doc.line(command), doc.last_line(command));
        let clause = |term: Id, form| ClauseText {
            term: Some(term),
            form,
            lines,
        };
        match (word, parts) {
            ("assert", [_, term]) => self.clauses.push(clause(*term, Form::Assertion)),
            ("rule", [_, term] | [_, term, _]) => self.clauses.push(clause(*term, Form::Rule)),
            ("query", [_, term, ..]) => self.clauses.push(clause(*term, Form::Query)),
            ("declare-rel", [_, name, sorts, ..]) => {
                self.declare_new(*name, declared)?;
                self.add_predicate(*name, *sorts)?;
            }
            ("declare-fun", [_, name, sorts, result]) => {
                self.declare_new(*name, declared)?;
                if doc.symbol(*result) == Some("Bool") {
                    self.add_predicate(*name, *sorts)?;
                } else {
                    self.declarations.push(command);
                }
            }
            ("declare-var", [_, name, sort]) => {
                let symbol = self.declare_new(*name, declared)?;
                let number = self.variables.len();
                self.variables.insert(symbol, (number, *name, *sort));
            }
            ("declare-const", [_, name, _]) => {
                self.declare_new(*name, declared)?;
                self.declarations.push(command);
            }
            ("define-fun", [_, name, _, _, _]) | ("define-const", [_, name, _, _]) => {
                self.declare_new(*name, declared)?;
                self.definitions.push(Definition::Text(command));
            }
            ("define-sort", [_, name, params, body]) => {
                if doc.list(*params).is_some_and(<[Id]>::is_empty) {
                    self.aliases
                        .extend(doc.symbol(*name).map(|name| (name, *body)));
                }
                self.declarations.push(command);
            }
            ("declare-sort", [_, _] | [_, _, _])
            | ("declare-datatype", [_, _, _])
            | ("declare-datatypes", [_, _, _]) => self.declarations.push(command),
            _ => return Err(doc.complain(command, format!("the command `{}`", clip(word)))),
        }
        Ok(())
    }

    fn declare_new(
        &self,
        name: Id,
        declared: &mut BTreeSet<&'t str>,
    ) -> Result<&'t str, TextError> {
        match self.doc.symbol(name) {
            Some(symbol) if declared.insert(symbol) => Ok(symbol),
            Some(symbol) => Err(self
                .doc
                .complain(name, format!("`{}` is declared twice", clip(symbol)))),
            None => Err(self.doc.complain(name, "a name must be a symbol")),
        }
    }

    fn add_predicate(&mut self, name: Id, sorts: Id) -> Result<(), TextError> {
        let doc = &self.doc;
        let (Some(symbol), Some(token), Some(sorts)) =
            (doc.symbol(name), doc.token_of(name), doc.list(sorts))
        else {
            return Err(doc.complain(name, "a malformed declaration"));
        };
        let number = self.predicates.len();
        self.definitions.push(Definition::Predicate(number));
        self.by_name.insert(symbol, number);
        let (name, token) = (symbol.to_string(), token.to_string());
        self.predicates.push(PredicateText {
            name,
            token,
            sorts: sorts.to_vec(),
        });
        Ok(())
    }

    /// The name that a command declares, without bars.
    pub(crate) fn declared_name(&self, command: Id) -> Option<&'t str> {
        let parts = self.doc.list(command)?;
        self.doc.symbol(*parts.get(1)?)
    }

    /// The predicate of a name without bars.
    pub(crate) fn predicate(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The declarations as text.
    pub(crate) fn declaration_text(&self) -> String {
        self.shown(&self.declarations)
    }

    /// The commands that declare or define sorts: what declarations begin with, whoever writes them.
    pub(crate) fn sort_text(&self) -> String {
        let sorts = self
            .declarations
            .partition_point(|&id| self.is_of_sorts(id));
        self.shown(&self.declarations[..sorts])
    }

    /// Whether a command declares or defines sorts.
    pub(crate) fn is_of_sorts(&self, command: Id) -> bool {
        self.doc
            .head(command)
            .is_some_and(|word| word.contains("sort") || word.contains("datatype"))
    }

    /// Sorts mention nothing but sorts, so that they can come before everything else.
    fn declare_sorts_first(&mut self) {
        let mut declarations = std::mem::take(&mut self.declarations);
        declarations.sort_by_key(|&id| !self.is_of_sorts(id));
        self.declarations = declarations;
    }

    fn shown(&self, commands: &[Id]) -> String {
        commands
            .iter()
            .map(|&id| self.doc.show(id) + "\n")
            .collect()
    }

    /// The variables of the rules dialect that occur below a term, as binders.
    pub(crate) fn binders(&self, term: Id) -> Vec<(Id, Id)> {
        let symbols = self.doc.symbols(term);
        let variable = |symbol: &str| self.variables.get(symbol).copied();
        let mut found: Vec<(usize, Id, Id)> = symbols.into_iter().filter_map(variable).collect();
        found.sort_unstable();
        found
            .into_iter()
            .map(|(_, name, sort)| (name, sort))
            .collect()
    }

    /// The closed formula of a clause.
    pub(crate) fn clause_text(&self, clause: &ClauseText) -> String {
        match (clause.form, clause.term) {
            (Form::Assertion | Form::Rule, Some(term)) => self.close(term, &self.doc.show(term)),
            (_, Some(term)) => match self.doc.symbol(term).and_then(|name| self.predicate(name)) {
                Some(goal) => self.unreachable(goal),
                None => self.close(term, &format!("(not {})", self.doc.show(term))),
            },
            (_, None) => self
                .predicate("fail")
                .map_or_else(|| "false".into(), |goal| self.unreachable(goal)),
        }
    }

    fn close(&self, term: Id, text: &str) -> String {
        let binders = self.binders(term);
        if binders.is_empty() {
            return text.to_string();
        }
        let binders: Vec<String> = binders
            .iter()
            .map(|&(name, sort)| format!("({} {})", self.doc.show(name), self.doc.show(sort)))
            .collect();
        format!("(forall ({}) {text})", binders.join(" "))
    }

    /// "The relation is empty".
    fn unreachable(&self, goal: usize) -> String {
        let predicate = &self.predicates[goal];
        if predicate.sorts.is_empty() {
            return format!("(not {})", predicate.token);
        }
        // Bound by this quantifier alone, so that their names cannot capture anything but the
        // goal's.
        let stem = fresh_stem(&predicate.name);
        let binders: Vec<String> = predicate
            .sorts
            .iter()
            .enumerate()
            .map(|(i, &s)| format!("({stem}{i} {})", self.doc.show(s)))
            .collect();
        let args: Vec<String> = (0..predicate.sorts.len())
            .map(|i| format!("{stem}{i}"))
            .collect();
        format!(
            "(forall ({}) (not ({} {})))",
            binders.join(" "),
            predicate.token,
            args.join(" ")
        )
    }

    /// The clauses of the text whose command covers a line; line 0 is the goal without a command.
    pub(crate) fn clauses_at(&self, line: u32) -> Vec<usize> {
        let goal = self.clauses.last().filter(|c| c.term.is_none());
        let written = self.clauses.len() - usize::from(goal.is_some());
        if line == 0 {
            return goal.map(|_| written).into_iter().collect();
        }
        // Commands stand in the order of their lines, and so do their ends.
        let first = self.clauses[..written].partition_point(|c| c.lines.1 < line);
        (first..written)
            .take_while(|&i| self.clauses[i].lines.0 <= line)
            .collect()
    }

    /// The words that name a clause in reports.
    pub(crate) fn clause_words(&self, index: usize) -> String {
        match self.clauses.get(index) {
            Some(clause) if clause.lines.0 > 0 => {
                format!("clause {index} (line {})", clause.lines.0)
            }
            _ => format!("clause {index}"),
        }
    }

    /// A sort with aliases written out; `None` when it is too large or uses a parametric alias.
    pub(crate) fn plain_sort(&self, sort: Id) -> Option<String> {
        const LARGEST: usize = 10_000;
        let mut text = self.doc.show(sort);
        for _ in 0..LARGEST {
            let replaced = {
                let doc = Document::read(&text).ok()?;
                let root = *doc.roots().first()?;
                doc.print(root, &|name| {
                    self.aliases.get(name).map(|&body| self.doc.show(body))
                })
            };
            if replaced == text {
                return Some(text);
            }
            if replaced.len() > LARGEST {
                return None;
            }
            text = replaced;
        }
        None
    }

    /// Whether a sort mentions a `define-sort` with parameters.
    pub(crate) fn has_parametric_sort(&self, sort: Id) -> bool {
        let symbols = self.doc.symbols(sort);
        self.declarations.iter().any(|&id| {
            self.doc.head(id) == Some("define-sort")
                && self
                    .doc
                    .list(id)
                    .and_then(|parts| parts.get(1))
                    .is_some_and(|&name| {
                        self.doc
                            .symbol(name)
                            .is_some_and(|n| symbols.contains(n) && !self.aliases.contains_key(n))
                    })
        })
    }
}

/// The beginning of names that differ from `name`.
fn fresh_stem(name: &str) -> &'static str {
    if name.starts_with("goal!") {
        "g!"
    } else {
        "goal!"
    }
}

/// At most 80 bytes of a word of the input.
pub(crate) fn clip(word: &str) -> String {
    word.chars().take(80).collect()
}
