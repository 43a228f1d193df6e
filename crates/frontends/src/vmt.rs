//! VMT-LIB: transition systems as annotated terms.
//!
//! Only annotated terms count. `(! x :next y)` makes `x` a state variable with next value `y`;
//! terms annotated `:init` and `:trans` (also `:init true`) are conjoined; `:invar-property n` is
//! property number `n`; terms annotated `:predicate` are hints for abstraction, kept where they
//! speak about current values only. Other annotations are ignored.
//!
//! A declared constant without `:next` is an input: it is chosen anew in every step. An input that
//! occurs in the initial states or in a property belongs to a state, so it is made a state variable
//! whose next value nothing constrains; that is the same reading, since the transition relation
//! sees the value of the state it leaves. Inputs are never frozen. Uninterpreted sorts and
//! functions are allowed and rigid. A next value that is not declared occurs nowhere else: it is
//! unconstrained.
//!
//! An assertion is an axiom about rigid symbols: functions, and constants that it thereby makes
//! rigid parameters. Axioms are conjoined to the initial states and to the transition relation.
//! Assertions that mention a state variable are refused.
//!
//! `:live-property n` is a liveness property: the term holds for ever from some state of each run on.
//! It is a question like the others and no part of the system.

use std::collections::BTreeMap;

use foretell_smtlib::{
    Annotation, Code, Declared, Diagnostic, Diagnostics, Elaborator, Global, LineIndex, Outcome,
    Reader, Sexp, Span, excerpt, is_operator, unknown_command,
};
use foretell_systems::{StateVar, TransitionSystem};
use foretell_terms::{Sort, Term, TermMap, TermSet, TermStore};

use crate::chc::word;
use crate::properties::{Question, QuestionKind, unambiguous};
use crate::{Found, FreeSymbols, Problem};

/// Reading a VMT file.
struct Vmt<'s> {
    elaborator: Elaborator<'s>,
    logic: Option<String>,
    /// Next values by current values, in the order of the file.
    next: TermMap<(Term, Span)>,
    parts: Parts,
    /// Annotations `:next`, resolved at the end because the next value may be declared later.
    pending: Vec<Annotation>,
}

/// The annotated formulas.
#[derive(Default)]
struct Parts {
    init: Vec<(Term, Span)>,
    trans: Vec<(Term, Span)>,
    /// Asserted formulas about rigid symbols.
    axioms: Vec<(Term, Span)>,
    properties: BTreeMap<u64, (Term, Span)>,
    predicates: Vec<Term>,
    /// Liveness properties, by their numbers.
    live: BTreeMap<u64, (Term, Span)>,
    /// The names of definitions that are properties.
    names: BTreeMap<u64, String>,
}

/// Whose the inputs are that a formula mentions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Timing {
    /// A state's: they become state variables.
    State,
    /// Nobody's in particular.
    Any,
}

impl Parts {
    /// The properties by their numbers, invariants first.
    fn questions(&self, lines: &LineIndex) -> Vec<Question> {
        let invariants = self.properties.iter().map(|(n, &(_, span))| (n, span));
        let invariants = invariants.map(|(n, span)| (n, span, QuestionKind::Invariant));
        let live = self.live.iter();
        let live = live.map(|(n, &(_, span))| (n, span, QuestionKind::Liveness));
        let question = |(&number, span, kind): (&u64, Span, QuestionKind)| Question {
            number,
            name: self.names.get(&number).cloned(),
            line: lines.line(span.start),
            kind,
        };
        unambiguous(invariants.chain(live).map(question).collect())
    }
}

/// Reads a VMT file.
pub(crate) fn read(text: &str, terms: &TermStore, diagnostics: &mut Diagnostics) -> Option<Found> {
    let mut vmt = Vmt {
        elaborator: Elaborator::new(terms),
        logic: None,
        next: TermMap::default(),
        parts: Parts::default(),
        pending: Vec::new(),
    };
    let mut reader = Reader::new(text);
    let mut asks_model = false;
    while let Some(command) = reader.next_command(diagnostics) {
        let sexp = command.sexp();
        asks_model |= word(sexp) == "get-model";
        if word(sexp) == "exit" {
            break;
        }
        let outcome = vmt.command(sexp);
        diagnostics.absorb(outcome);
        for annotation in vmt.elaborator.take_annotations() {
            let outcome = vmt.annotation(annotation, sexp, text);
            diagnostics.absorb(outcome);
        }
    }
    for annotation in std::mem::take(&mut vmt.pending) {
        let outcome = vmt.next_value(&annotation, text, diagnostics);
        diagnostics.absorb(outcome);
    }
    if diagnostics.failed() {
        return None;
    }
    let logic = vmt.logic.take();
    let problem = diagnostics.absorb(vmt.system(Span::new(text.len(), text.len())))?;
    let lines = LineIndex::new(text.as_bytes());
    Some(Found {
        declares_more: false,
        problem,
        logic,
        questions: vmt.parts.questions(&lines),
        goals: Vec::new(),
        asks_model,
        free_symbols: FreeSymbols::None,
    })
}

impl Vmt<'_> {
    fn command(&mut self, sexp: Sexp<'_>) -> Outcome<()> {
        match self.elaborator.declaration(sexp)? {
            Some(Declared::Logic(logic)) => self.logic = Some(logic),
            Some(_) => {}
            None => match word(sexp) {
                "assert" => return self.assert(sexp),
                "check-sat" => {}
                _ => return Err(unknown_command(sexp)),
            },
        }
        Ok(())
    }

    /// `(assert true)` is part of the format; another assertion is an axiom.
    fn assert(&mut self, sexp: Sexp<'_>) -> Outcome<()> {
        let formula = sexp
            .items()
            .nth(1)
            .ok_or_else(|| sexp.malformed("`(assert formula)` expected"))?;
        let term = self.elaborator.term_of_sort(formula, Sort::BOOL)?;
        self.parts.axioms.push((term, sexp.span()));
        Ok(())
    }

    fn annotation(&mut self, annotation: Annotation, command: Sexp<'_>, text: &str) -> Outcome<()> {
        let (term, span) = (annotation.term, annotation.key_span);
        match annotation.key.as_str() {
            ":next" => self.pending.push(annotation),
            ":init" if self.holds(&annotation, text)? => self.parts.init.push((term, span)),
            ":trans" if self.holds(&annotation, text)? => self.parts.trans.push((term, span)),
            ":invar-property" => {
                let number = self.number(&annotation, command, text)?;
                self.parts.properties.insert(number, (term, span));
            }
            // A hint must not spoil a file that is right without it.
            ":predicate" if self.holds(&annotation, text).unwrap_or(false) => {
                self.parts.predicates.push(term)
            }
            ":live-property" => {
                let number = self.number(&annotation, command, text)?;
                self.parts.live.insert(number, (term, span));
            }
            _ => {}
        }
        Ok(())
    }

    /// The number of a property, which no other may have.
    fn number(&mut self, annotation: &Annotation, command: Sexp<'_>, text: &str) -> Outcome<u64> {
        self.boolean(annotation)?;
        let (key, span) = (&annotation.key, annotation.key_span);
        let value = annotation.value.map_or("", |value| value.text(text));
        let number: u64 = value.parse().map_err(|_| {
            let message = format!("`{key}` needs a number");
            Diagnostic::error(Code::MalformedSystem, span, message)
        })?;
        let Parts {
            properties, live, ..
        } = &self.parts;
        if properties.contains_key(&number) || live.contains_key(&number) {
            let message = format!("property {number} is given twice");
            return Err(Diagnostic::error(Code::Duplicate, span, message));
        }
        let mut words = command.items().filter_map(Sexp::symbol);
        if let (Some("define-fun" | "define-const"), Some(name)) = (words.next(), words.next()) {
            self.parts.names.insert(number, name.to_owned());
        }
        Ok(number)
    }

    fn boolean(&self, annotation: &Annotation) -> Outcome<()> {
        if self.elaborator.terms().sort(annotation.term) == Sort::BOOL {
            return Ok(());
        }
        let message = format!("the term annotated `{}` must be Bool", annotation.key);
        Err(Diagnostic::error(
            Code::SortMismatch,
            annotation.key_span,
            message,
        ))
    }

    /// Whether a flag is set: it has no value, or the value `true`.
    fn holds(&self, annotation: &Annotation, text: &str) -> Outcome<bool> {
        self.boolean(annotation)?;
        match annotation.value.map(|value| value.text(text)) {
            None | Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(other) => {
                let message = format!(
                    "the value of `{}` must be true or false, found {}",
                    annotation.key,
                    excerpt(other)
                );
                Err(Diagnostic::error(
                    Code::MalformedSystem,
                    annotation.key_span,
                    message,
                ))
            }
        }
    }

    fn next_value(
        &mut self,
        annotation: &Annotation,
        text: &str,
        diagnostics: &mut Diagnostics,
    ) -> Outcome<()> {
        let terms = self.elaborator.terms();
        let (current, span) = (annotation.term, annotation.key_span);
        let wrong = |message: String| Err(Diagnostic::error(Code::MalformedSystem, span, message));
        if terms.as_var(current).is_none() {
            return wrong("only a declared constant can have a next value".into());
        }
        let is_literal =
            |raw: &str| raw.starts_with(|c: char| c.is_ascii_digit() || "\"#:".contains(c));
        let name = match annotation.value.map(|span| span.text(text)) {
            Some(raw) if !is_literal(raw) => annotation.value_name(text).unwrap_or(""),
            _ => "",
        };
        let global = self.elaborator.symbols().global(name);
        let next = match global {
            None if !name.is_empty() && !is_operator(name) => {
                let message = format!(
                    "the next value `{}` is not declared: it is unconstrained",
                    excerpt(name)
                );
                diagnostics.push(Diagnostic::warning(Code::Undeclared, span, message));
                self.undeclared(name, terms.sort(current))
            }
            Some(Global::Function(func)) if terms.decl(*func).args.is_empty() => {
                terms.app(*func, &[])
            }
            Some(Global::Macro(definition)) if terms.as_var(definition.body).is_some() => {
                definition.body
            }
            _ => {
                return wrong(format!(
                    "the next value `{}` is not a declared constant",
                    excerpt(name)
                ));
            }
        };
        if terms.sort(next) != terms.sort(current) {
            return wrong(format!(
                "`{}` has another sort than its current value",
                excerpt(name)
            ));
        }
        match self.next.insert(current, (next, span)) {
            Some((before, _)) if before != next => wrong(format!(
                "`{}` has two next values",
                excerpt(terms.var_name(current))
            )),
            _ => Ok(()),
        }
    }

    /// Declares a next value that the file forgot.
    fn undeclared(&mut self, name: &str, sort: Sort) -> Term {
        let func = self.elaborator.terms().declare(name, &[], sort);
        self.elaborator
            .symbols()
            .declare(name, Global::Function(func));
        self.elaborator.terms().app(func, &[])
    }

    /// The parts as a system.
    fn system(&mut self, end: Span) -> Outcome<Problem> {
        let terms = self.elaborator.terms();
        let missing =
            |what: &str| Diagnostic::error(Code::MissingGoal, end, format!("missing {what}"));
        if self.parts.properties.is_empty() && self.parts.live.is_empty() {
            return Err(missing("property: no term is annotated `:invar-property`"));
        }
        if self.parts.init.is_empty() {
            return Err(missing("initial states: no term is annotated `:init`"));
        }
        if self.parts.trans.is_empty() {
            return Err(missing(
                "transition relation: no term is annotated `:trans`",
            ));
        }
        self.distinct_next()?;
        let properties: Vec<(u64, Term)> = self
            .parts
            .properties
            .iter()
            .map(|(&n, &(term, _))| (n, term))
            .collect();
        let with_axioms = |part: &[(Term, Span)]| {
            terms.and(part.iter().chain(&self.parts.axioms).map(|&(t, _)| t))
        };
        let (init, trans) = (
            with_axioms(&self.parts.init),
            with_axioms(&self.parts.trans),
        );
        let property = terms.and(properties.iter().map(|&(_, t)| t));
        let vars = self
            .next
            .iter()
            .map(|(&cur, &(next, _))| StateVar { cur, next })
            .collect();
        let mut system = TransitionSystem::new(vars, init, trans, property);
        self.params(&mut system)?;
        self.inputs(&mut system)?;
        let hints = self.parts.predicates.iter().copied();
        system.guide.hints = hints.filter(|&h| system.is_about(terms, h)).collect();
        Ok(Problem::Vmt { system, properties })
    }

    /// A next value belongs to one variable and is no current value itself.
    fn distinct_next(&self) -> Outcome<()> {
        let mut seen = TermSet::default();
        for &(next, span) in self.next.values() {
            if !seen.insert(next) || self.next.contains_key(&next) {
                let name = excerpt(self.elaborator.terms().var_name(next));
                let message = format!(
                    "`{name}` is the next value of one variable and something else besides"
                );
                return Err(Diagnostic::error(Code::MalformedSystem, span, message));
            }
        }
        Ok(())
    }

    /// Constants of axioms are rigid parameters.
    fn params(&self, system: &mut TransitionSystem) -> Outcome<()> {
        let terms = self.elaborator.terms();
        let state: TermSet = system.vars.iter().flat_map(|v| [v.cur, v.next]).collect();
        for &(axiom, span) in &self.parts.axioms {
            for var in terms.free_vars(&[axiom]) {
                if state.contains(&var) {
                    let name = excerpt(terms.var_name(var));
                    let feature = format!("an assertion about the state variable `{name}`");
                    return Err(Diagnostic::unsupported(span, feature));
                }
                if !system.params.contains(&var) {
                    system.params.push(var);
                }
            }
        }
        Ok(())
    }

    /// Sorts the remaining constants into inputs and state variables without constraint.
    fn inputs(&self, system: &mut TransitionSystem) -> Outcome<()> {
        let terms = self.elaborator.terms();
        let next: TermSet = self.next.values().map(|&(next, _)| next).collect();
        let mut known: TermSet = system.vars.iter().flat_map(|v| [v.cur, v.next]).collect();
        known.extend(system.params.iter().copied());
        let live = self.parts.live.values().map(|part| (part, Timing::Any));
        let state_parts = self.parts.init.iter().chain(self.parts.properties.values());
        let state_parts = state_parts.map(|part| (part, Timing::State));
        for (&(formula, span), timing) in state_parts.chain(live) {
            for var in terms.free_vars(&[formula]) {
                if next.contains(&var) {
                    let name = excerpt(terms.var_name(var));
                    let message = format!(
                        "initial states and properties must not mention the next value `{name}`"
                    );
                    return Err(Diagnostic::error(Code::MalformedSystem, span, message));
                }
                if timing == Timing::State && !known.contains(&var) {
                    let unconstrained = terms.fresh(terms.var_name(var), terms.sort(var));
                    system.vars.push(StateVar {
                        cur: var,
                        next: unconstrained,
                    });
                    known.extend([var, unconstrained]);
                }
            }
        }
        system.inputs = terms
            .free_vars(&[system.trans])
            .into_iter()
            .filter(|v| !known.contains(v))
            .collect();
        Ok(())
    }
}
