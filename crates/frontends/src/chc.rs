//! SMT-LIB HORN.
//!
//! Every assertion is turned into Horn clauses ([`crate::clauses`] says how). Functions with result
//! Bool are the predicates, also without arguments. Several assertions may be queries; together
//! they are one goal, as `check-sat` asks.
//!
//! A constant that is declared but not bound by any quantifier (`declare-const`) is read as Z3's
//! Horn engine reads it: universally quantified, in each clause on its own. The reader warns about
//! it. A model found this way is a model of the text for every value of the constant; `unsat` on
//! the other hand is the answer for the universal reading.
//!
//! `declare-rel` and `declare-var` of the rules dialect may declare predicates and variables.
//!
//! An ordinary SMT script (a quantifier-free logic, or constants and no predicate at all) is
//! refused: the universal reading would answer a question that was not asked. A script without any
//! goal (a clause whose head is `false`, be it one that simplifies away) is satisfiable; the reader
//! warns about it.
//!
//! `check-sat` must follow all assertions: a script that asserts more afterwards asks two
//! questions.

use foretell_smtlib::{
    Code, Command, Declared, Diagnostic, Diagnostics, Elaborator, LineIndex, Outcome, Reader, Sexp,
    Span, excerpt, unknown_command,
};
use foretell_terms::{Func, Sort, Term, TermStore};

use crate::clauses::{Clauses, Origin};
use crate::properties::{named, of_goals};
use crate::{Found, FreeSymbols, Problem};

/// Reading a script of Horn clauses.
struct Script<'s> {
    elaborator: Elaborator<'s>,
    clauses: Clauses<'s>,
    lines: LineIndex,
    logic: Option<String>,
    /// Declared constants that clauses will quantify.
    constants: Vec<(Func, Span)>,
    n_assertions: usize,
    checked: bool,
    asks_model: bool,
}

/// Whether to read on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Read,
    Stop,
}

/// Reads a HORN script.
pub(crate) fn read(text: &str, terms: &TermStore, diagnostics: &mut Diagnostics) -> Option<Found> {
    let mut script = Script {
        elaborator: Elaborator::new(terms),
        clauses: Clauses::new(text, terms),
        lines: LineIndex::new(text.as_bytes()),
        logic: None,
        constants: Vec::new(),
        n_assertions: 0,
        checked: false,
        asks_model: false,
    };
    let mut reader = Reader::new(text);
    while let Some(command) = reader.next_command(diagnostics) {
        let next = script.command(&command, diagnostics);
        if diagnostics.absorb(next) == Some(Next::Stop) {
            break;
        }
    }
    let end = Span::new(text.len(), text.len());
    if !diagnostics.failed() {
        diagnostics.absorb(script.plausible(end));
    }
    if !diagnostics.failed() && script.clauses.n_goals == 0 {
        diagnostics.push(nothing_asked(end));
    }
    let free_symbols = script.free_constants(diagnostics);
    Some(Found {
        declares_more: script.clauses.declares_more,
        problem: Problem::Chc(script.clauses.system),
        logic: script.logic,
        questions: of_goals(&script.clauses.goals),
        goals: script.clauses.goals,
        asks_model: script.asks_model,
        free_symbols,
    })
}

impl Script<'_> {
    fn command(&mut self, command: &Command<'_>, diagnostics: &mut Diagnostics) -> Outcome<Next> {
        let sexp = command.sexp();
        self.asks_model |= word(sexp) == "get-model";
        match self.elaborator.declaration(sexp)? {
            Some(Declared::Function(func)) => self.declared(func, sexp),
            Some(Declared::Sort) => self.clauses.declares_more = true,
            Some(Declared::Logic(logic)) => self.logic = Some(logic),
            Some(Declared::Nothing) if word(sexp) == "exit" => return Ok(Next::Stop),
            Some(_) => {}
            None => return self.other(sexp, diagnostics),
        }
        Ok(Next::Read)
    }

    fn declared(&mut self, func: Func, sexp: Sexp<'_>) {
        let decl = self.elaborator.terms().decl(func);
        if decl.sort == Sort::BOOL {
            self.clauses.add_pred(func);
        } else if decl.args.is_empty() {
            self.clauses.add_constant(func);
            self.constants.push((func, sexp.span()));
        } else {
            self.clauses.declares_more = true;
        }
    }

    fn other(&mut self, sexp: Sexp<'_>, diagnostics: &mut Diagnostics) -> Outcome<Next> {
        match word(sexp) {
            "assert" => self.assert(sexp)?,
            "check-sat" if self.checked => {
                let message = "a second check-sat has no effect";
                diagnostics.push(Diagnostic::warning(Code::Ignored, sexp.span(), message));
            }
            "check-sat" => self.checked = true,
            "declare-rel" => {
                if let Declared::Function(func) = self.elaborator.declare_relation(sexp)? {
                    self.clauses.add_pred(func);
                }
            }
            "declare-var" => {
                if let Declared::Function(func) = self.elaborator.declare_variable(sexp)? {
                    self.clauses.add_constant(func);
                }
            }
            _ => return Err(unknown_command(sexp)),
        }
        Ok(Next::Read)
    }

    fn assert(&mut self, sexp: Sexp<'_>) -> Outcome<()> {
        self.n_assertions += 1;
        if self.checked {
            return Err(Diagnostic::unsupported(
                sexp.span(),
                "an assertion after check-sat",
            ));
        }
        let mut items = sexp.items().skip(1);
        let (Some(formula), None) = (items.next(), items.next()) else {
            return Err(sexp.malformed("`(assert formula)` expected"));
        };
        let name = named(formula);
        let formula = self.elaborator.term_of_sort(formula, Sort::BOOL)?;
        let origin = Origin {
            span: sexp.span(),
            line: self.lines.line(sexp.span().start),
        };
        self.clauses.assert(formula, origin, name)
    }

    /// Refuses what is a fine SMT-LIB script but no question about Horn clauses.
    fn plausible(&self, end: Span) -> Outcome<()> {
        if self.n_assertions == 0 {
            let message = "the input asks nothing: no assertion, rule or property";
            return Err(Diagnostic::error(Code::MissingGoal, end, message));
        }
        let logic = self.logic.as_deref().unwrap_or("");
        let atoms = |c: &foretell_systems::Clause| !c.body.is_empty() || c.head.is_some();
        let ordinary = !self.clauses.system.clauses.iter().any(atoms) && !self.constants.is_empty();
        if logic.starts_with("QF_") || (logic != "HORN" && ordinary) {
            let logic = if logic.is_empty() { "none" } else { logic };
            let feature = format!(
                "an SMT problem that is no set of Horn clauses (logic {})",
                excerpt(logic)
            );
            return Err(Diagnostic::unsupported(end, feature));
        }
        Ok(())
    }

    /// Whether clauses mention constants that no quantifier binds; a warning for each.
    fn free_constants(&self, diagnostics: &mut Diagnostics) -> FreeSymbols {
        let terms = self.elaborator.terms();
        let mut found = FreeSymbols::None;
        for &(func, span) in &self.constants {
            let constant: Term = terms.app(func, &[]);
            if self.clauses.is_used(constant) {
                found = FreeSymbols::Constants;
                let name = excerpt(terms.name(func));
                let message = format!("the constant `{name}` is read as a variable of each clause");
                diagnostics.push(Diagnostic::warning(Code::FreeConstant, span, message));
            }
        }
        found
    }
}

/// What is said about clauses without a goal.
pub(crate) fn nothing_asked(end: Span) -> Box<Diagnostic> {
    let message = "nothing is asked: no query, and no clause has the head false";
    Diagnostic::warning(Code::NothingAsked, end, message)
}

/// The name of a command.
pub(crate) fn word(sexp: Sexp<'_>) -> &str {
    sexp.items().next().and_then(Sexp::symbol).unwrap_or("")
}
