//! The rules dialect of Z3: `declare-rel`, `declare-var`, `rule`, `query`.
//!
//! A rule is a Horn clause over declared variables; a query is a formula that must not be
//! derivable, and every query is a clause with head `false`. A query may name a relation with
//! arguments (`(query bad)`: for any arguments) or be a formula. Several queries are one goal: it
//! is reachable when one of them is. Options behind a query and names behind a rule are ignored.
//! `declare-fun`, `declare-const` and `define-fun` may be mixed in; a function with result Bool is
//! a relation, a constant of another sort is a variable.
//!
//! Without any query the goal is the relation called `fail`, as FreqHorn and its relatives have it;
//! without that nothing is asked, and the answer is that nothing can be reached.

use foretell_smtlib::{
    Declared, Diagnostics, Elaborator, Global, LineIndex, Outcome, Reader, Sexp, Span,
    unknown_command,
};
use foretell_terms::{Func, Sort, Term, TermStore};

use crate::chc::{nothing_asked, word};
use crate::clauses::{Clauses, Origin};
use crate::properties::{named, of_goals};
use crate::{Found, FreeSymbols, Problem};

/// The relation that is the goal when no query says otherwise.
const DEFAULT_GOAL: &str = "fail";

/// Reading a script of rules.
struct Rules<'s> {
    elaborator: Elaborator<'s>,
    clauses: Clauses<'s>,
    lines: LineIndex,
    logic: Option<String>,
    n_queries: usize,
    asks_model: bool,
}

/// Reads a script of rules.
pub(crate) fn read(text: &str, terms: &TermStore, diagnostics: &mut Diagnostics) -> Option<Found> {
    let mut rules = Rules {
        elaborator: Elaborator::new(terms),
        clauses: Clauses::new(text, terms),
        lines: LineIndex::new(text.as_bytes()),
        logic: None,
        n_queries: 0,
        asks_model: false,
    };
    let mut reader = Reader::new(text);
    while let Some(command) = reader.next_command(diagnostics) {
        let sexp = command.sexp();
        if word(sexp) == "exit" {
            break;
        }
        rules.asks_model |= word(sexp) == "get-model";
        diagnostics.absorb(rules.command(sexp));
    }
    if rules.n_queries == 0 && !diagnostics.failed() {
        let end = Span::new(text.len(), text.len());
        diagnostics.absorb(rules.default_query(end));
        if rules.clauses.n_goals == 0 && !diagnostics.failed() {
            diagnostics.push(nothing_asked(end));
        }
    }
    Some(Found {
        declares_more: rules.clauses.declares_more,
        problem: Problem::Chc(rules.clauses.system),
        logic: rules.logic,
        questions: of_goals(&rules.clauses.goals),
        goals: rules.clauses.goals,
        asks_model: rules.asks_model,
        // Constants are variables here.
        free_symbols: FreeSymbols::None,
    })
}

impl Rules<'_> {
    fn command(&mut self, sexp: Sexp<'_>) -> Outcome<()> {
        match word(sexp) {
            "declare-rel" => {
                let declared = self.elaborator.declare_relation(sexp)?;
                self.declared(declared);
            }
            "declare-var" => {
                let declared = self.elaborator.declare_variable(sexp)?;
                if let Declared::Function(func) = declared {
                    self.clauses.add_constant(func);
                }
            }
            "rule" | "assert" => self.rule(sexp)?,
            "query" => self.query(sexp)?,
            "check-sat" => {}
            _ => match self.elaborator.declaration(sexp)? {
                Some(declared) => self.declared(declared),
                None => return Err(unknown_command(sexp)),
            },
        }
        Ok(())
    }

    fn declared(&mut self, declared: Declared) {
        match declared {
            Declared::Function(func) => {
                let decl = self.elaborator.terms().decl(func);
                if decl.sort == Sort::BOOL {
                    self.clauses.add_pred(func);
                } else if decl.args.is_empty() {
                    self.clauses.add_constant(func);
                } else {
                    self.clauses.declares_more = true;
                }
            }
            Declared::Sort => self.clauses.declares_more = true,
            Declared::Logic(logic) => self.logic = Some(logic),
            _ => {}
        }
    }

    fn origin(&self, sexp: Sexp<'_>) -> Origin {
        Origin {
            span: sexp.span(),
            line: self.lines.line(sexp.span().start),
        }
    }

    /// `(rule formula name? bound?)`.
    fn rule(&mut self, sexp: Sexp<'_>) -> Outcome<()> {
        let formula = sexp
            .items()
            .nth(1)
            .ok_or_else(|| sexp.malformed("`(rule formula)` expected"))?;
        let label = sexp
            .items()
            .nth(2)
            .and_then(Sexp::symbol)
            .map(str::to_owned);
        let name = label.or_else(|| named(formula));
        let formula = self.elaborator.term_of_sort(formula, Sort::BOOL)?;
        self.clauses.assert(formula, self.origin(sexp), name)
    }

    /// `(query formula options…)` or `(query relation options…)`.
    fn query(&mut self, sexp: Sexp<'_>) -> Outcome<()> {
        self.n_queries += 1;
        let goal = sexp
            .items()
            .nth(1)
            .ok_or_else(|| sexp.malformed("`(query formula)` expected"))?;
        let relation = goal.symbol().and_then(|name| self.relation(name));
        let formula = match relation {
            Some(func) => self.any_arguments(func),
            None => self.elaborator.term_of_sort(goal, Sort::BOOL)?,
        };
        let name = goal.symbol().map(str::to_owned).or_else(|| named(goal));
        let origin = self.origin(sexp);
        let formula = self.elaborator.terms().not(formula);
        self.clauses.query(formula, origin, name)
    }

    fn relation(&mut self, name: &str) -> Option<Func> {
        match self.elaborator.symbols().global(name) {
            Some(&Global::Function(func)) => Some(func),
            _ => None,
        }
        .filter(|&func| self.elaborator.terms().decl(func).sort == Sort::BOOL)
    }

    /// The relation applied to new variables.
    fn any_arguments(&self, func: Func) -> Term {
        let terms = self.elaborator.terms();
        let decl = terms.decl(func);
        let var = |(i, &sort): (usize, &Sort)| terms.new_var(&format!("{}.{i}", decl.name), sort);
        let args: Vec<Term> = decl.args.iter().enumerate().map(var).collect();
        terms.app(func, &args)
    }

    fn default_query(&mut self, end: Span) -> Outcome<()> {
        let Some(func) = self.relation(DEFAULT_GOAL) else {
            return Ok(());
        };
        let goal = self.any_arguments(func);
        let origin = Origin {
            span: end,
            line: self.lines.line(end.start),
        };
        let formula = self.elaborator.terms().not(goal);
        let name = Some(DEFAULT_GOAL.to_owned());
        self.clauses.query(formula, origin, name)
    }
}
